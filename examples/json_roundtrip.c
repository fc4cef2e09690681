/*
 * Every result can be kept as JSON and read back: a storage is written, read again, and planned
 * with as if it had just been measured.
 *
 *     json_roundtrip [STORAGE]        a rate (83MB/s) or a file that was written before
 */
#include <stdio.h>
#include <streamcalc/streamcalc.h>
#include <string.h>

static sc_status plan(const sc_storage *storage, sc_error *error)
{
    sc_demand demand;
    sc_plan *plan = NULL;
    char *json = NULL, now[SC_TIME_MAX];
    sc_time_now(now);
    sc_status status = sc_demand_parse("168Mb/s", &demand, error);
    sc_plan_params params = {
        .demands = &demand, .demand_count = 1, .storage = storage, .made_at = now};
    if (status == SC_OK)
        status = sc_plan_solve(&params, &plan, error);
    if (status == SC_OK)
        status = sc_plan_to_json(&(sc_plan_document){.plan = plan}, &json, error);
    if (status == SC_OK)
        printf("%s\n", json);
    sc_string_free(&json);
    sc_plan_free(&plan);
    return status;
}

int main(int argc, char **argv)
{
    sc_error error = {0};
    sc_storage *first = NULL, *second = NULL;
    char *json = NULL;
    sc_status status = sc_storage_open(argc > 1 ? argv[1] : "83MB/s", &first, &error);
    if (status == SC_OK)
        status = sc_storage_to_json(first, &json, &error);
    if (status == SC_OK)
        status = sc_storage_from_json(json, strlen(json), &second, &error);
    if (status == SC_OK)
        status = plan(second, &error);
    if (status != SC_OK)
        fprintf(stderr, "json_roundtrip: %s\n", error.message);
    sc_string_free(&json);
    sc_storage_free(&first);
    sc_storage_free(&second);
    return status == SC_OK ? 0 : 2;
}
