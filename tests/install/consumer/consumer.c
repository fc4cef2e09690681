#include <stdio.h>
#include <streamcalc/streamcalc.h>

/* 83 MB/s carries three streams of 168 Mb/s, "just missing four". */
int main(void)
{
    sc_error error = {0};
    sc_storage *storage = NULL;
    sc_plan *plan = NULL;
    sc_demand demand;
    sc_plan_params params = {.demands = &demand, .demand_count = 1};
    int64_t safe = SC_UNKNOWN;

    if (sc_demand_parse("168Mb/s", &demand, &error) == SC_OK &&
        sc_storage_from_rate("83MB/s", &storage, &error) == SC_OK) {
        params.storage = storage;
        if (sc_plan_solve(&params, &plan, &error) == SC_OK)
            safe = plan->answers[0].safe;
    }
    printf("streamcalc %s: %lld streams%s%s\n", sc_version(), (long long)safe,
           error.status ? ", " : "", error.message);
    sc_plan_free(&plan);
    sc_storage_free(&storage);
    return safe == 3 ? 0 : 1;
}
