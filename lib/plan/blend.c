#include "plan/blend.h"

/* ---- making it ---- */

static sc_status no_memory(sc_error *error)
{
    return sci_fail(error, SC_NO_MEMORY, 0, "plan.mix", NULL, "out of memory");
}

static bool make_edges(sci_blend *blend, sci_arena *arena)
{
    const sc_plan_params *params = blend->params;
    if (!sci_plan_was_read_so(params->storage, &blend->base->player))
        return true;
    blend->edges = sci_arena_alloc(arena, params->demand_count, sizeof *blend->edges);
    for (size_t i = 0; blend->edges && i < params->demand_count; i++)
        blend->edges[i] = sci_played_find(params, &params->demands[i]);
    return blend->edges != NULL;
}

static bool make_cadences(sci_blend *blend, sci_arena *arena)
{
    const sc_plan_params *params = blend->params;
    if (sci_plan_draws(params) == 0)
        return true;
    sci_cadence *cadences = sci_arena_alloc(arena, params->demand_count, sizeof *cadences);
    bool made = cadences != NULL;
    for (size_t i = 0; made && i < params->demand_count; i++)
        made = sci_cadence_make(&cadences[i], &params->demands[i], arena);
    blend->cadences = cadences;
    return made;
}

sc_status sci_blend_init(sci_blend *blend, const sc_plan_params *params, const sci_mix *base,
                         sci_arena *arena, sc_error *error)
{
    *blend = (sci_blend){.params = params, .base = base, .error = error};
    if (!make_edges(blend, arena) || !make_cadences(blend, arena))
        return no_memory(error);
    return SC_OK;
}

void sci_blend_free(sci_blend *blend)
{
    sci_arena_free(&blend->arena);
}

/* ---- one question ---- */

static size_t index_of(const sci_blend *blend, const sci_type *type)
{
    return (size_t)(type->demand - blend->params->demands);
}

size_t sci_blend_formats(const sci_blend *blend, const int64_t *counts)
{
    size_t formats = 0;
    for (size_t i = 0; i < blend->params->demand_count; i++)
        formats += counts[i] > 0;
    return formats;
}

/* Whether the mix is of the formats of which there are any now. */
static bool is_of(const sci_blend *blend, const int64_t *counts)
{
    const size_t formats = sci_blend_formats(blend, counts);
    bool same = blend->arena && formats == blend->mix.type_count;
    for (size_t t = 0; same && t < formats; t++)
        same = counts[index_of(blend, &blend->mix.types[t])] > 0;
    return same;
}

static bool remake(sci_blend *blend, const int64_t *counts)
{
    const sc_plan_params *params = blend->params;
    sci_mix *mix = &blend->mix;
    sci_arena_free(&blend->arena);
    *mix = *blend->base;
    blend->arena = sci_arena_new();
    blend->status = blend->arena ? sci_mix_init(mix, params->demands, params->demand_count, counts,
                                                blend->arena, blend->error)
                                 : no_memory(blend->error);
    if (blend->status != SC_OK || !blend->cadences)
        return blend->status == SC_OK;
    blend->mix_cadences = sci_arena_alloc(blend->arena, mix->type_count + 1,
                                          sizeof *blend->mix_cadences);
    if (!blend->mix_cadences)
        blend->status = no_memory(blend->error);
    for (size_t t = 0; blend->mix_cadences && t < mix->type_count; t++)
        blend->mix_cadences[t] = blend->cadences[index_of(blend, &mix->types[t])];
    return blend->status == SC_OK;
}

static bool seek(sci_blend *blend, const int64_t *counts)
{
    if (blend->status != SC_OK || (!is_of(blend, counts) && !remake(blend, counts)))
        return false;
    blend->total = 0;
    for (size_t t = 0; t < blend->mix.type_count; t++) {
        sci_type *type = &blend->mix.types[t];
        type->count = counts[index_of(blend, type)];
        blend->total += type->count;
    }
    sci_mix_recount(&blend->mix);
    return blend->total <= SCI_STREAMS_MAX;
}

/* ---- what was played ---- */

/* Streams of the mix that have the rate of this type. */
static int64_t of_same_rate(const sci_mix *mix, const sci_type *type)
{
    int64_t count = 0;
    for (size_t t = 0; t < mix->type_count; t++)
        if (mix->types[t].demand->bits_per_s == type->demand->bits_per_s)
            count += mix->types[t].count;
    return count;
}

/* Runs of one rate alone. Streams that were late alone are late beside others, too; that so many
   were sustained says nothing of other streams. */
static sc_verdict played(const sci_blend *blend, sci_breach *breach)
{
    const sci_mix *mix = &blend->mix;
    sc_verdict verdict = SC_VERDICT_UNKNOWN;
    for (size_t t = 0; blend->edges && t < mix->type_count; t++) {
        const sci_type *type = &mix->types[t];
        const sci_played_edge edge = blend->edges[index_of(blend, type)];
        if (edge.late == SC_UNKNOWN && edge.sustained == SC_UNKNOWN)
            continue;
        const int64_t count = of_same_rate(mix, type);
        if (edge.late != SC_UNKNOWN && count >= edge.late) {
            *breach = (sci_breach){sci_no_limit(edge.late), type, SCI_SHARE_ALONE};
            breach->limit.kind = SC_LIMIT_PLAYED;
            breach->limit.resource = "storage";
            return SC_VERDICT_BREAKS;
        }
        if (count == blend->total && count <= edge.sustained)
            verdict = SC_VERDICT_HOLDS;
    }
    return verdict;
}

/* ---- answers ---- */

bool sci_blend_holds(sci_blend *blend, const int64_t *counts)
{
    sci_breach breach;
    if (!seek(blend, counts))
        return false;
    const sc_verdict verdict = played(blend, &breach);
    return verdict == SC_VERDICT_HOLDS ||
           (verdict == SC_VERDICT_UNKNOWN && sci_mix_admits(&blend->mix, blend->total, NULL));
}

sc_verdict sci_blend_likely(sci_blend *blend, const int64_t *counts)
{
    sci_odds odds;
    sci_breach breach = {.limit = sci_no_limit(0)};
    if (sci_blend_holds(blend, counts))
        return SC_VERDICT_HOLDS;
    if (!seek(blend, counts) || !sci_odds_known(&blend->mix))
        return SC_VERDICT_UNKNOWN;
    if (played(blend, &breach) == SC_VERDICT_BREAKS)
        return SC_VERDICT_BREAKS;
    if (!sci_odds_make(&odds, &blend->mix, sci_plan_likely_probability(blend->params),
                       blend->arena)) {
        blend->status = no_memory(blend->error);
        return SC_VERDICT_UNKNOWN;
    }
    blend->mix.odds = &odds;
    const bool holds = sci_mix_admits(&blend->mix, blend->total, &breach);
    blend->mix.odds = NULL;
    return holds                                ? SC_VERDICT_HOLDS
           : breach.limit.kind == SC_LIMIT_NONE ? SC_VERDICT_UNKNOWN
                                                : SC_VERDICT_BREAKS;
}

bool sci_blend_sustains(sci_blend *blend, const int64_t *counts)
{
    sci_breach breach;
    if (!seek(blend, counts) || blend->mix.type_count > SCI_REPLAY_TYPES_MAX)
        return false;
    const sc_verdict verdict = blend->total ? played(blend, &breach) : SC_VERDICT_HOLDS;
    const sci_replay replay = {.mix = &blend->mix,
                               .cadences = blend->mix_cadences,
                               .seed = blend->params->seed,
                               .draws = sci_plan_draws(blend->params)};
    return verdict == SC_VERDICT_HOLDS ||
           (verdict == SC_VERDICT_UNKNOWN && sci_replay_sustains(&replay, blend->total));
}

bool sci_blend_known(sci_blend *blend, const int64_t *counts)
{
    sci_supply_at at;
    return seek(blend, counts) &&
           (blend->total == 0 ||
            (sci_supply_seek(&blend->mix.supply, blend->total, &at) && (at.by_link || !at.capped)));
}

void sci_blend_breach(sci_blend *blend, const int64_t *counts, sci_breach *breach)
{
    *breach = (sci_breach){.limit = sci_no_limit(0)};
    if (!seek(blend, counts)) {
        breach->limit = sci_no_limit(blend->total > SCI_STREAMS_MAX ? SCI_STREAMS_MAX : 0);
        return;
    }
    if (played(blend, breach) == SC_VERDICT_UNKNOWN &&
        (sci_mix_holds_at(&blend->mix, blend->total, breach) ||
         breach->limit.kind == SC_LIMIT_NONE))
        sci_mix_admits(&blend->mix, blend->total, breach);
}
