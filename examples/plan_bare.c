/*
 * How many streams of 168 Mb/s does a storage of 83 MB/s sustain? No file is opened, nothing is
 * measured: the plan is arithmetic on what is given.
 *
 *     plan_bare [STORAGE [STREAM]]        plan_bare 83MB/s 168Mb/s
 */
#include <stdio.h>
#include <streamcalc/streamcalc.h>

int main(int argc, char **argv)
{
    const char *supply = argc > 1 ? argv[1] : "83MB/s";
    const char *stream = argc > 2 ? argv[2] : "168Mb/s";
    sc_error error = {0};
    sc_storage *storage = NULL;
    sc_plan *plan = NULL;
    sc_demand demand;

    /* The first error wins, so one check at the end is enough. */
    if (sc_storage_from_rate(supply, &storage, &error) == SC_OK &&
        sc_demand_parse(stream, &demand, &error) == SC_OK) {
        sc_plan_params params = {.demands = &demand, .demand_count = 1, .storage = storage};
        sc_plan_solve(&params, &plan, &error);
    }
    if (plan) {
        const sc_answer *answer = &plan->answers[0];
        printf("%lld streams of %s play from %s; the next one is stopped by %s\n",
               (long long)answer->safe, answer->format, answer->storage, answer->limit.text);
    } else {
        fprintf(stderr, "plan_bare: %s\n", error.message);
    }
    sc_plan_free(&plan);
    sc_storage_free(&storage);
    return error.status == SC_OK ? 0 : 2;
}
