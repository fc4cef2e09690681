#include "plan/blend.h"

enum { REPLAYED_PAIRS_MAX = 64 };

/* The way down the stairs: with each number of the first format as many of the second as hold. */
struct walk {
    sci_blend *blend;
    bool (*holds)(sci_blend *blend, const int64_t *counts);
    int64_t *counts; /* the others' are fixed */
    size_t first, second;
    int64_t k, j; /* of the two where the walk is */
    size_t pair_count;
    sc_frontier_pair *pairs; /* of SC_FRONTIER_PAIRS_MAX; NULL: they are only counted */
};

static sc_status no_memory(sc_error *error)
{
    return sci_fail(error, SC_NO_MEMORY, 0, "plan.frontier", NULL, "out of memory");
}

static const int64_t *at(const struct walk *walk, int64_t k, int64_t j)
{
    walk->counts[walk->first] = k;
    walk->counts[walk->second] = j;
    return walk->counts;
}

static bool holds_with_second(void *data, int64_t j)
{
    const struct walk *walk = data;
    return walk->holds(walk->blend, at(walk, walk->k, j));
}

static bool holds_with_more_of_first(void *data, int64_t more)
{
    const struct walk *walk = data;
    return walk->holds(walk->blend, at(walk, walk->k + more, walk->j));
}

static sc_limit_kind limit_at(const struct walk *walk, int64_t k, int64_t j)
{
    sci_breach breach;
    sci_blend_breach(walk->blend, at(walk, k, j), &breach);
    return breach.limit.kind;
}

static void take_pair(struct walk *walk)
{
    sc_frontier_pair *pair = &walk->pairs[walk->pair_count++];
    *pair = (sc_frontier_pair){.first = walk->k, .second = walk->j};
    if (walk->holds == sci_blend_sustains) {
        pair->at_least = !sci_blend_known(walk->blend, at(walk, walk->k + 1, walk->j));
        return;
    }
    pair->first_limit = limit_at(walk, walk->k + 1, walk->j);
    pair->second_limit = limit_at(walk, walk->k, walk->j + 1);
    pair->at_least = pair->first_limit == SC_LIMIT_NONE || pair->second_limit == SC_LIMIT_NONE;
}

/* Each pair is found from the one before by two searches that begin beside it, so that all of them
   take fewer calls than both formats have streams. False where there are too many. */
static bool walk_down(struct walk *walk, int64_t near)
{
    int64_t most = SCI_STREAMS_MAX;
    walk->k = 0;
    walk->pair_count = 0;
    for (; walk->pair_count < SC_FRONTIER_PAIRS_MAX; walk->k++, most = walk->j - 1, near = most) {
        if (most < 0 || walk->blend->status != SC_OK)
            return true;
        walk->j = sci_largest(holds_with_second, walk, near, most);
        if (walk->j == 0 && !holds_with_second(walk, 0))
            return true;
        walk->k += sci_largest(holds_with_more_of_first, walk, 1, SCI_STREAMS_MAX - walk->k);
        take_pair(walk);
    }
    return most < 0;
}

static const sc_frontier_pair *keep(const struct walk *walk, sci_arena *arena)
{
    sc_frontier_pair *pairs = sci_arena_alloc(arena, walk->pair_count + 1, sizeof *pairs);
    for (size_t i = 0; pairs && i < walk->pair_count; i++)
        pairs[i] = walk->pairs[i];
    return pairs;
}

static bool find_too_long(sci_findings *findings, const sc_frontier *frontier)
{
    return sci_finding_add(findings, "frontier-too-long", SC_SEVERITY_WARNING,
                           "'%s' and '%s' play together in more than %d ways: they are left out",
                           frontier->first, frontier->second, SC_FRONTIER_PAIRS_MAX);
}

static bool find_not_replayed(sci_findings *findings, const sc_frontier *frontier)
{
    return sci_finding_add(findings, "frontier-not-replayed", SC_SEVERITY_NOTE,
                           "'%s' and '%s' play together in more than %d ways: what is expected of "
                           "them is not computed",
                           frontier->first, frontier->second, REPLAYED_PAIRS_MAX);
}

static bool fill_safe(sc_frontier *frontier, struct walk *walk, const sc_answer *second,
                      sci_findings *findings)
{
    walk->holds = sci_blend_holds;
    if (!walk_down(walk, second->safe))
        return find_too_long(findings, frontier);
    frontier->safe = keep(walk, findings->arena);
    frontier->safe_count = walk->pair_count;
    return frontier->safe != NULL;
}

static bool fill_expected(sc_frontier *frontier, struct walk *walk, const sc_answer *second,
                          sci_findings *findings)
{
    if (!walk->blend->cadences || walk->pair_count == SC_FRONTIER_PAIRS_MAX)
        return true;
    if (walk->pair_count > REPLAYED_PAIRS_MAX)
        return find_not_replayed(findings, frontier);
    walk->holds = sci_blend_sustains;
    if (!walk_down(walk, second->expected))
        return find_too_long(findings, frontier);
    frontier->expected = keep(walk, findings->arena);
    frontier->expected_count = walk->pair_count;
    return frontier->expected != NULL;
}

/* All pairs of two formats beside the others. */
static sc_status fill_all(sc_plan *plan, sc_frontier *frontiers, struct walk *walk,
                          sci_findings *findings)
{
    const sc_plan_params *params = walk->blend->params;
    sc_frontier *frontier = frontiers;
    bool made = true;
    for (walk->first = 0; made && walk->first < params->demand_count; walk->first++)
        for (walk->second = walk->first + 1; made && walk->second < params->demand_count;
             walk->second++, frontier++) {
            const sc_answer *second = &plan->answers[walk->second];
            for (size_t i = 0; i < params->demand_count; i++)
                walk->counts[i] = params->mix ? params->mix[i] : 0;
            frontier->first = plan->answers[walk->first].format;
            frontier->second = second->format;
            made = sci_plan_problem(params) || (fill_safe(frontier, walk, second, findings) &&
                                                fill_expected(frontier, walk, second, findings));
        }
    return made ? walk->blend->status : no_memory(walk->blend->error);
}

sc_status sci_plan_add_frontiers(sc_plan *plan, const sc_plan_params *params, const sci_mix *base,
                                 sci_findings *findings, sc_error *error)
{
    sci_blend blend = {0};
    struct walk walk = {.blend = &blend};
    const size_t count = params->demand_count * (params->demand_count - 1) / 2;
    if (!params->frontier)
        return SC_OK;
    sc_frontier *frontiers = sci_arena_alloc(findings->arena, count, sizeof *frontiers);
    sci_arena *scratch = sci_arena_new();
    sc_status status = frontiers && scratch ? SC_OK : no_memory(error);
    if (status != SC_OK)
        goto done;
    walk.pairs = sci_arena_alloc(scratch, SC_FRONTIER_PAIRS_MAX, sizeof *walk.pairs);
    walk.counts = sci_arena_alloc(scratch, params->demand_count, sizeof *walk.counts);
    status = walk.pairs && walk.counts ? sci_blend_init(&blend, params, base, scratch, error)
                                       : no_memory(error);
    if (status == SC_OK)
        status = fill_all(plan, frontiers, &walk, findings);
    plan->frontiers = frontiers;
    plan->frontier_count = count;
done:
    sci_blend_free(&blend);
    sci_arena_free(&scratch);
    return status;
}
