#include "plan/plan.h"

/* A run of these streams; what is a little lighter or heavier is another matter. */
static bool is_of(const sc_paced_run *run, const sc_demand *demand)
{
    return run->bits_per_s == demand->bits_per_s && run->streams > 0;
}

static void find_edge(sc_answer *answer, const sc_storage *storage, const sc_demand *demand)
{
    for (size_t i = 0; i < storage->paced_count; i++) {
        const sc_paced_run *run = &storage->paced[i];
        if (is_of(run, demand) && !run->sustained &&
            (answer->played_late == SC_UNKNOWN || run->streams < answer->played_late))
            answer->played_late = run->streams;
    }
    for (size_t i = 0; i < storage->paced_count; i++) {
        const sc_paced_run *run = &storage->paced[i];
        if (is_of(run, demand) && run->sustained && run->streams > answer->played_sustained &&
            (answer->played_late == SC_UNKNOWN || run->streams < answer->played_late))
            answer->played_sustained = run->streams;
    }
}

static int64_t within(const sc_answer *answer, int64_t count)
{
    if (answer->played_late != SC_UNKNOWN && count >= answer->played_late)
        return answer->played_late - 1;
    return count < answer->played_sustained ? answer->played_sustained : count;
}

void sci_played_apply(sc_answer *answer, const sc_storage *storage, const sc_demand *demand)
{
    find_edge(answer, storage, demand);
    answer->safe = within(answer, answer->safe);
    if (answer->expected != SC_UNKNOWN)
        answer->expected = within(answer, answer->expected);
}
