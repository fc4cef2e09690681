#include "plan/plan.h"

/* A run of these streams; what is a little lighter or heavier is another matter. */
static bool is_of(const sc_paced_run *run, const sc_demand *demand)
{
    return run->bits_per_s == demand->bits_per_s && run->streams > 0;
}

/* Runs had all of the supply: what they sustained says nothing of a part of it. What was late with all of it
   is late with less, too. */
static bool had_what_is_planned_with(const sc_plan_params *params)
{
    return params->reserve <= 0 && params->storage->with_writers <= 0;
}

sci_played_edge sci_played_find(const sc_plan_params *params, const sc_demand *demand)
{
    const sc_storage *storage = params->storage;
    sci_played_edge edge = {SC_UNKNOWN, SC_UNKNOWN};
    for (size_t i = 0; i < storage->paced_count; i++) {
        const sc_paced_run *run = &storage->paced[i];
        if (is_of(run, demand) && !run->sustained &&
            (edge.late == SC_UNKNOWN || run->streams < edge.late))
            edge.late = run->streams;
    }
    for (size_t i = 0; had_what_is_planned_with(params) && i < storage->paced_count; i++) {
        const sc_paced_run *run = &storage->paced[i];
        if (is_of(run, demand) && run->sustained && run->streams > edge.sustained &&
            (edge.late == SC_UNKNOWN || run->streams < edge.late))
            edge.sustained = run->streams;
    }
    return edge;
}

static int64_t within(const sc_answer *answer, int64_t count)
{
    if (answer->played_late != SC_UNKNOWN && count >= answer->played_late)
        return answer->played_late - 1;
    return count < answer->played_sustained ? answer->played_sustained : count;
}

void sci_played_apply(sc_answer *answer, const sc_plan_params *params, const sc_demand *demand)
{
    const sci_played_edge edge = sci_played_find(params, demand);
    answer->played_sustained = edge.sustained;
    answer->played_late = edge.late;
    answer->safe = within(answer, answer->safe);
    if (answer->likely != SC_UNKNOWN)
        answer->likely = within(answer, answer->likely);
    if (answer->expected != SC_UNKNOWN)
        answer->expected = within(answer, answer->expected);
}
