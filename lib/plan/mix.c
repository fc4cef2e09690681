#include "plan/blend.h"

static const sci_name verdict_names[] = {
    {SC_VERDICT_UNKNOWN, "unknown"}, {SC_VERDICT_HOLDS, "holds"}, {SC_VERDICT_BREAKS, "breaks"}};

const char *sc_verdict_name(sc_verdict verdict)
{
    const char *name = sci_name_of(verdict_names, SCI_COUNT(verdict_names), (int)verdict);
    return name ? name : "unknown";
}

sc_verdict sc_verdict_from_name(const char *name)
{
    return (sc_verdict)sci_value_of(verdict_names, SCI_COUNT(verdict_names), name,
                                    SC_VERDICT_UNKNOWN);
}

static sc_status no_memory(sc_error *error)
{
    return sci_fail(error, SC_NO_MEMORY, 0, "plan.mix", NULL, "out of memory");
}

/* ---- what was asked ---- */

sc_status sci_plan_check_mix(const sc_plan_params *params, sc_error *error)
{
    int64_t total = 0;
    if (params->frontier &&
        (params->demand_count < 2 || params->demand_count > SC_FRONTIER_FORMATS_MAX))
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "plan.mix", NULL,
                        "a frontier is of 2 to %d formats, not of %zu", SC_FRONTIER_FORMATS_MAX,
                        params->demand_count);
    for (size_t i = 0; params->mix && i < params->demand_count; i++) {
        if (params->mix[i] < 0 || params->mix[i] > SCI_STREAMS_MAX - total)
            return sci_fail(error, SC_INVALID_ARGUMENT, 0, "plan.mix", NULL,
                            "the numbers of streams must be 0 to %d together", SCI_STREAMS_MAX);
        total += params->mix[i];
    }
    return SC_OK;
}

/* ---- one more, one fewer ---- */

/* The mix with another number of one part. */
struct question {
    sci_blend *blend;
    int64_t *counts;
    size_t part;
    int64_t playing;
};

static const int64_t *with_more(const struct question *q, int64_t more)
{
    q->counts[q->part] = q->playing + more;
    return q->counts;
}

static bool holds_with_more(void *data, int64_t more)
{
    const struct question *q = data;
    return sci_blend_holds(q->blend, with_more(q, more));
}

static bool sustains_with_more(void *data, int64_t more)
{
    const struct question *q = data;
    return sci_blend_sustains(q->blend, with_more(q, more));
}

static bool holds_with_so_many(void *data, int64_t playing)
{
    const struct question *q = data;
    return sci_blend_holds(q->blend, with_more(q, playing - q->playing));
}

static bool say_limit(sc_limit *limit, const sci_breach *breach, const sci_blend *blend,
                      sci_arena *arena)
{
    *limit = breach->limit;
    limit->text = sci_breach_text(breach, &blend->mix, arena);
    return limit->text != NULL;
}

static bool find_more(sc_mix_part *part, const sc_mix *mix, struct question *q, sci_arena *arena)
{
    const int64_t most = SCI_STREAMS_MAX - mix->streams;
    const int64_t measured = sci_supply_measured(&q->blend->base->supply);
    sci_breach breach;
    part->more = sci_largest(holds_with_more, q, 1, most);
    part->extrapolated = measured && mix->streams + part->more > measured;
    sci_blend_breach(q->blend, with_more(q, part->more + 1), &breach);
    part->at_least = breach.limit.kind == SC_LIMIT_NONE;
    if (part->at_least)
        breach.limit = sci_no_limit(mix->streams + part->more + 1);
    return say_limit(&part->limit, &breach, q->blend, arena);
}

/* What was played goes before what is computed, but of fewer streams it says nothing. */
static int64_t find_fewer(const sc_mix *mix, const sc_mix_part *part, struct question *q)
{
    const int64_t most = part->playing - 1;
    if (most < 0 || mix->played != SC_VERDICT_UNKNOWN)
        return SC_UNKNOWN;
    const int64_t left = sci_largest(holds_with_so_many, q, most, most);
    return left > 0 || holds_with_so_many(q, 0) ? part->playing - left : SC_UNKNOWN;
}

static bool is_replayed(const struct question *q)
{
    return q->blend->cadences &&
           sci_blend_formats(q->blend, with_more(q, 1)) <= SCI_REPLAY_TYPES_MAX;
}

static bool answer_part(sc_mix_part *part, const sc_mix *mix, struct question *q, sci_arena *arena)
{
    const int64_t most = SCI_STREAMS_MAX - mix->streams;
    bool made = true;
    if (mix->safe == SC_VERDICT_HOLDS) {
        made = find_more(part, mix, q, arena);
    } else if (mix->safe == SC_VERDICT_BREAKS) {
        part->more = 0;
        part->limit = mix->limit;
        part->fewer = find_fewer(mix, part, q);
    }
    if (mix->expected == SC_VERDICT_BREAKS)
        part->more_expected = 0;
    else if (mix->expected == SC_VERDICT_HOLDS && is_replayed(q))
        part->more_expected = sci_largest(sustains_with_more, q, part->more, most);
    q->counts[q->part] = q->playing;
    return made;
}

/* ---- the mix itself ---- */

static double shortfall(const sc_limit *limit)
{
    const bool window = limit->needed_bytes >= 0;
    const double needed = window ? limit->needed_bytes : limit->needed_bytes_per_s;
    const double available = window ? limit->available_bytes : limit->available_bytes_per_s;
    return limit->kind != SC_LIMIT_NONE && needed > 0 && available > 0 ? needed / available - 1
                                                                       : -1;
}

/* What is broken, and by how much; nothing where it holds. */
static bool judge(sc_mix *mix, sci_blend *blend, const int64_t *counts, sci_arena *arena)
{
    sci_breach breach = {.limit = sci_no_limit(mix->streams)};
    bool holds = sci_blend_holds(blend, counts);
    if (mix->played != SC_VERDICT_UNKNOWN) {
        holds = mix->played == SC_VERDICT_HOLDS;
        breach.limit.kind = SC_LIMIT_PLAYED;
        breach.limit.resource = "storage";
    } else if (!holds) {
        sci_blend_breach(blend, counts, &breach);
    }
    mix->shortfall = holds ? 0 : shortfall(&breach.limit);
    if (holds)
        breach.limit = sci_no_limit(0);
    mix->safe = holds                                ? SC_VERDICT_HOLDS
                : breach.limit.kind == SC_LIMIT_NONE ? SC_VERDICT_UNKNOWN
                                                     : SC_VERDICT_BREAKS;
    mix->limit = breach.limit;
    return holds || say_limit(&mix->limit, &breach, blend, arena);
}

static sc_verdict expect(const sc_mix *mix, sci_blend *blend, const int64_t *counts)
{
    if (mix->played != SC_VERDICT_UNKNOWN)
        return mix->played;
    if (!blend->cadences || sci_blend_formats(blend, counts) > SCI_REPLAY_TYPES_MAX)
        return SC_VERDICT_UNKNOWN;
    if (sci_blend_sustains(blend, counts))
        return SC_VERDICT_HOLDS;
    return sci_blend_known(blend, counts) ? SC_VERDICT_BREAKS : SC_VERDICT_UNKNOWN;
}

static void fill_headroom(sc_mix *mix, const sci_blend *blend)
{
    const sci_mix *asked = &blend->mix;
    double credit_bytes = 0;
    for (size_t t = 0; t < asked->type_count; t++)
        credit_bytes += asked->types[t].credit_bytes * (double)asked->types[t].count;
    sci_plan_headroom(asked, blend->total, sci_mix_top_bits_per_s(asked, blend->total),
                      credit_bytes, &mix->headroom, &mix->refill_s);
}

static sc_status answer_mix(sc_mix *mix, sc_mix_part *parts, sci_blend *blend, int64_t *counts,
                            sci_arena *arena)
{
    const int64_t measured = sci_supply_measured(&blend->base->supply);
    bool made = judge(mix, blend, counts, arena);
    mix->extrapolated = measured && mix->streams > measured;
    if (blend->status != SC_OK)
        return blend->status;
    fill_headroom(mix, blend);
    mix->likely = mix->played != SC_VERDICT_UNKNOWN ? mix->played : sci_blend_likely(blend, counts);
    mix->expected = expect(mix, blend, counts);
    for (size_t i = 0; made && blend->status == SC_OK && i < mix->part_count; i++) {
        struct question q = {blend, counts, i, counts[i]};
        made = answer_part(&parts[i], mix, &q, arena);
    }
    return made || blend->status != SC_OK ? blend->status : no_memory(blend->error);
}

/* ---- in the plan ---- */

static sc_mix_part *name_parts(sc_mix *mix, const sc_plan *plan, const sc_plan_params *params,
                               sci_arena *arena)
{
    sc_mix_part *parts = sci_arena_alloc(arena, params->demand_count, sizeof *parts);
    for (size_t i = 0; parts && i < params->demand_count; i++) {
        const sc_answer *answer = &plan->answers[i];
        parts[i] = (sc_mix_part){.format = answer->format,
                                 .clip = answer->clip,
                                 .stream_bits_per_s = answer->stream_bits_per_s,
                                 .playing = params->mix[i],
                                 .more = SC_UNKNOWN,
                                 .more_expected = SC_UNKNOWN,
                                 .limit = sci_no_limit(0)};
        mix->streams += params->mix[i];
    }
    mix->parts = parts;
    mix->part_count = params->demand_count;
    mix->upper_bound = plan->answers[0].upper_bound;
    mix->limit = sci_no_limit(0);
    mix->headroom = mix->refill_s = mix->shortfall = -1;
    mix->played = params->mix_played;
    return parts;
}

sc_status sci_plan_add_mix(sc_plan *plan, const sc_plan_params *params, const sci_mix *base,
                           sci_findings *findings, sc_error *error)
{
    sci_blend blend = {0};
    sc_mix *mix = &plan->mix;
    sci_arena *arena = sci_result_arena(plan), *scratch = NULL;
    sc_status status = SC_OK;
    if (!params->mix)
        return SC_OK;
    sc_mix_part *parts = name_parts(mix, plan, params, arena);
    int64_t *counts = sci_arena_alloc(arena, params->demand_count, sizeof *counts);
    if (!parts || !counts || !(scratch = sci_arena_new()))
        return no_memory(error);
    for (size_t i = 0; i < params->demand_count; i++)
        counts[i] = params->mix[i];
    if (sci_plan_problem(params))
        goto done;
    status = sci_blend_init(&blend, params, base, scratch, error);
    if (status == SC_OK)
        status = answer_mix(mix, parts, &blend, counts, arena);
    if (status == SC_OK && blend.cadences &&
        sci_blend_formats(&blend, params->mix) > SCI_REPLAY_TYPES_MAX &&
        !sci_finding_add(findings, "mix-not-replayed", SC_SEVERITY_NOTE,
                         "a mix of more than %d formats is not replayed: what is expected of it "
                         "is not known",
                         SCI_REPLAY_TYPES_MAX))
        status = no_memory(error);
done:
    plan->holds = plan->holds && mix->safe == SC_VERDICT_HOLDS;
    sci_blend_free(&blend);
    sci_arena_free(&scratch);
    return status;
}
