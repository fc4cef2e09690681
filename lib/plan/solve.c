#include "plan/replay.h"

#include <math.h>
#include <string.h>

static const double RESERVE_MAX = 0.95, LIKELY_USUAL = 0.99;
enum { DRAWS_USUAL = 20, DRAWS_MAX = 10000 };

/* ---- what was asked ---- */

static bool player_is_zero(const sc_player *player)
{
    return !player->block_bytes && !player->in_flight && player->read_ahead_s == 0 &&
           player->preroll_s == 0 && player->mode == SC_READ_BLOCK && !player->buffer_cap_bytes &&
           player->io == SC_IO_ANY && !player->name[0];
}

/* Whether the storage was read with a player at all: a bare rate was not. */
static bool has_player(const sc_storage *storage)
{
    return storage && !storage->constant && storage->player.block_bytes > 0;
}

/* Whether the storage was measured and played with as this player reads. */
bool sci_plan_was_read_so(const sc_storage *storage, const sc_player *player)
{
    return has_player(storage) && storage->player.block_bytes == player->block_bytes &&
           storage->player.in_flight == player->in_flight && storage->player.mode == player->mode &&
           (player->io == SC_IO_ANY || storage->player.io == SC_IO_ANY ||
            storage->player.io == player->io);
}

static sc_status check_params(const sc_plan_params *params, sc_error *error)
{
    const char *reason = NULL;
    if (!params->demands || params->demand_count == 0)
        reason = "no stream was given";
    else if (!params->storage && !params->link)
        reason = "neither a storage nor a link was given";
    else if (!(params->reserve >= 0 && params->reserve <= RESERVE_MAX))
        reason = "the headroom to keep must be 0 to 0.95";
    else if (params->draws > DRAWS_MAX)
        reason = "the draws of the replay must be 1 to 10000, or 0 for 20";
    else if (params->likely_probability != 0 &&
             !(params->likely_probability >= 0.5 && params->likely_probability <= 0.999999))
        reason = "the probability of the likely counts must be 0.5 to 0.999999, or 0 for 0.99";
    else if (params->require < 0 || params->require > SCI_STREAMS_MAX)
        reason = "the required number of streams must be 0 to 1000000";
    if (reason)
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "plan.params", NULL, "%s", reason);
    for (size_t i = 0; i < params->demand_count; i++) {
        sc_status status = sci_demand_check(&params->demands[i], error);
        if (status != SC_OK)
            return status;
    }
    return sci_plan_check_mix(params, error);
}

int32_t sci_plan_draws(const sc_plan_params *params)
{
    return params->draws < 0 ? 0 : params->draws ? params->draws : DRAWS_USUAL;
}

double sci_plan_likely_probability(const sc_plan_params *params)
{
    return params->likely_probability > 0 ? params->likely_probability : LIKELY_USUAL;
}

static sc_status take_player(const sc_plan_params *params, sc_player *player, sc_error *error)
{
    *player = params->player;
    if (player_is_zero(player) && has_player(params->storage))
        *player = params->storage->player;
    return sc_player_resolve(player, error);
}

const sc_finding *sci_plan_problem(const sc_plan_params *params)
{
    const sc_storage *storage = params->storage;
    for (size_t i = 0; storage && !params->trust && i < storage->finding_count; i++)
        if (storage->findings[i].severity == SC_SEVERITY_PROBLEM)
            return &storage->findings[i];
    return NULL;
}

sc_status sci_plan_prepare(const sc_plan_params *params, sci_mix *mix, sc_error *error)
{
    sc_status status = check_params(params, error);
    if (status == SC_OK)
        status = take_player(params, &mix->player, error);
    if (status == SC_OK && !sci_plan_problem(params))
        status = sci_supply_init(&mix->supply, params->storage, params->link, params->reserve,
                                 error);
    mix->warm = params->warm_start;
    return status;
}

/* ---- counts of one format ---- */

static sc_status count_likely(sc_answer *answer, sci_mix *mix, double probability,
                              sci_arena *scratch, sc_error *error)
{
    sci_odds odds;
    sci_breach breach;
    if (!sci_odds_known(mix))
        return SC_OK;
    if (!sci_odds_make(&odds, mix, probability, scratch))
        return sci_fail(error, SC_NO_MEMORY, 0, "plan.solve", NULL, "out of memory");
    mix->odds = &odds;
    answer->likely = sci_mix_largest(mix, &breach);
    mix->odds = NULL;
    return SC_OK;
}

static bool is_sustained(void *replay, int64_t n)
{
    return sci_replay_sustains(replay, n);
}

static sc_status count_expected(sc_answer *answer, const sci_mix *mix, const sc_plan_params *params,
                                sci_arena *scratch, sc_error *error)
{
    sci_cadence cadence;
    sci_replay replay = {
        .mix = mix, .cadences = &cadence, .seed = params->seed, .draws = sci_plan_draws(params)};
    if (replay.draws == 0)
        return SC_OK;
    if (!sci_cadence_make(&cadence, mix->types[0].demand, scratch))
        return sci_fail(error, SC_NO_MEMORY, 0, "plan.solve", NULL, "out of memory");
    answer->expected = sci_largest(is_sustained, &replay, answer->safe, SCI_STREAMS_MAX);
    return SC_OK;
}

/* What is free at the answer, of the whole supply: what is kept back is free as well. */
void sci_plan_headroom(const sci_mix *mix, int64_t streams, sci_wide used_bits_per_s,
                       double credit_bytes, double *headroom, double *refill_s)
{
    sci_supply_at at;
    if (!sci_supply_seek(&mix->supply, streams > 0 ? streams : 1, &at) || at.all_bits_per_s <= 0)
        return;
    *headroom = fmax(0, 1 - (double)used_bits_per_s / (double)at.all_bits_per_s);
    if (used_bits_per_s < at.all_bits_per_s)
        *refill_s = credit_bytes * 8 / (double)(at.all_bits_per_s - used_bits_per_s);
}

/* Where playing says otherwise than the constraints, it is what stops the next stream. */
static void take_what_was_played(sc_answer *answer, sci_breach *breach,
                                 const sc_plan_params *params, const sc_demand *demand)
{
    const int64_t computed = answer->safe;
    sci_played_apply(answer, params, demand);
    if (answer->played_late == answer->safe + 1) {
        answer->at_least = false;
        if (answer->safe != computed || breach->limit.kind == SC_LIMIT_NONE) {
            breach->limit = sci_no_limit(answer->safe + 1);
            breach->limit.kind = SC_LIMIT_PLAYED;
            breach->limit.resource = "storage";
        }
    } else if (answer->safe > computed) {
        answer->at_least = true;
        breach->limit = sci_no_limit(answer->safe + 1);
    }
}

/* Which assumption failed, where any did. */
static bool explain_what_was_played(const sc_answer *computed, const sci_mix *mix,
                                    const sc_plan_params *params, sci_findings *findings)
{
    const sci_played_edge edge = sci_played_find(params, mix->types[0].demand);
    return sci_calibrate(findings, mix, params->storage, computed, &edge);
}

static sc_status count_streams(sc_answer *answer, sci_mix *mix, const sc_demand *demand,
                               const sc_plan_params *params, sci_findings *findings,
                               sc_error *error)
{
    sci_breach breach = {.limit = sci_no_limit(0)};
    sci_arena *scratch = sci_arena_new();
    if (!scratch)
        return sci_fail(error, SC_NO_MEMORY, 0, "plan.solve", NULL, "out of memory");
    sc_status status = sci_mix_init(mix, demand, 1, NULL, scratch, error);
    if (status != SC_OK)
        goto done;
    int64_t measured = sci_supply_measured(&mix->supply);
    answer->naive = mix->supply.peak_bits_per_s / demand->bits_per_s;
    answer->safe = sci_mix_largest(mix, &breach);
    answer->extrapolated = measured && answer->safe > measured;
    answer->at_least = answer->safe == SCI_STREAMS_MAX || breach.limit.kind == SC_LIMIT_NONE;
    status = count_likely(answer, mix, sci_plan_likely_probability(params), scratch, error);
    if (status == SC_OK)
        status = count_expected(answer, mix, params, scratch, error);
    if (status != SC_OK)
        goto done;
    if (answer->at_least)
        breach.limit = sci_no_limit(answer->safe + 1);
    answer->limit = breach.limit;
    bool made = true;
    if (sci_plan_was_read_so(params->storage, &mix->player)) {
        made = explain_what_was_played(answer, mix, params, findings);
        take_what_was_played(answer, &breach, params, demand);
    }
    sci_plan_headroom(mix, answer->safe, (sci_wide)answer->safe * answer->stream_bits_per_s,
                      mix->types[0].credit_bytes * (double)answer->safe, &answer->headroom,
                      &answer->refill_s);
    answer->limit = breach.limit;
    answer->limit.text = sci_breach_text(&breach, mix, findings->arena);
    if (!made || !answer->limit.text)
        status = sci_fail(error, SC_NO_MEMORY, 0, "plan.solve", NULL, "out of memory");
done:
    sci_arena_free(&scratch);
    return status;
}

/* ---- findings ---- */

static bool copy_finding(sci_findings *list, const sc_finding *finding)
{
    const char *code = sci_arena_strdup(list->arena, finding->code);
    return code && sci_finding_add(list, code, finding->severity, "%s",
                                   finding->message ? finding->message : "");
}

static bool lacks_windows(const sc_storage *storage)
{
    for (size_t i = 0; !storage->constant && i < storage->point_count; i++)
        if (!storage->points[i].window_count)
            return true;
    return false;
}

static bool find_in_storage(sci_findings *list, const sc_storage *storage, const sc_player *player)
{
    const sc_player *with = &storage->player;
    bool ok = true;
    for (size_t i = 0; ok && i < storage->finding_count; i++)
        if (storage->findings[i].severity == SC_SEVERITY_PROBLEM)
            ok = copy_finding(list, &storage->findings[i]);
    if (ok && storage->error.status != SC_OK)
        ok = sci_finding_add(list, "partial-measurement", SC_SEVERITY_WARNING,
                             "the measurement ended early: %s", storage->error.message);
    if (ok && !storage->constant && storage->point_count && storage->points[0].readers > 1)
        ok = sci_finding_add(list, "no-single-reader", SC_SEVERITY_WARNING,
                             "one reader was not measured: it is taken to get one part of what "
                             "%d get, and no latency is known",
                             (int)storage->points[0].readers);
    if (ok && storage->with_writers > 0)
        ok = sci_finding_add(
            list, "with-writers", SC_SEVERITY_NOTE,
            "the storage was measured while %d stream%s wrote flat out: the counts "
            "are those beside such writes",
            (int)storage->with_writers, storage->with_writers == 1 ? "" : "s");
    if (ok && lacks_windows(storage))
        ok = sci_finding_add(list, "no-windows", SC_SEVERITY_WARNING,
                             "worst windows were not measured for every number of readers: stalls "
                             "of this storage are not seen there and the counts are upper bounds");
    if (ok && has_player(storage) && !sci_plan_was_read_so(storage, player))
        ok = sci_finding_add(list, "other-player", SC_SEVERITY_WARNING,
                             "the storage was measured with the player '%s' and is planned "
                             "with '%s', which reads otherwise: the counts are upper bounds; "
                             "measure with --player to be sure",
                             with->name, player->name);
    return ok;
}

static bool find_in_call(sci_findings *list, const sc_plan_params *params, const sc_player *player)
{
    bool ok = true;
    if (params->storage)
        ok = find_in_storage(list, params->storage, player);
    if (ok && params->storage && params->link)
        ok = sci_finding_add(list, "composed-supply", SC_SEVERITY_NOTE,
                             "storage and link were put together by arithmetic: the counts are "
                             "upper bounds; a measurement through the link is better");
    if (ok && !params->storage)
        ok = sci_finding_add(list, "link-alone", SC_SEVERITY_NOTE,
                             "no storage was given: the counts are upper bounds by the link "
                             "alone");
    if (ok && player->mode == SC_READ_FRAME)
        ok = sci_finding_add(list, "frame-mode", SC_SEVERITY_NOTE,
                             "the player reads by frame, so supply depends on the format: measure "
                             "with the clip itself");
    for (size_t i = 0; ok && i < params->demand_count; i++)
        if (params->demands[i].curve.count == 0) {
            ok = sci_finding_add(list, "no-curve", SC_SEVERITY_WARNING,
                                 "the bursts of '%s' are not known: its counts stand on mean "
                                 "rates",
                                 params->demands[i].name);
            break;
        }
    return ok;
}

static bool is_upper_bound(const sci_findings *list)
{
    static const char *const codes[] = {"composed-supply", "link-alone", "other-player",
                                        "no-windows"};
    for (size_t i = 0; i < list->count; i++)
        for (size_t k = 0; k < SCI_COUNT(codes); k++)
            if (strcmp(list->items[i].code, codes[k]) == 0)
                return true;
    return false;
}

/* ---- the plan ---- */

static bool name_answer(sc_answer *answer, const sc_plan_params *params, const sc_demand *demand,
                        const sc_plan *plan, sci_arena *arena)
{
    answer->format = sci_arena_strdup(arena, demand->name);
    answer->clip = sci_arena_strdup(arena, demand->clip);
    answer->storage = sci_arena_strdup(arena, params->storage ? params->storage->name : NULL);
    answer->link = sci_arena_strdup(arena, params->link ? params->link->name : NULL);
    answer->player = plan->player.name;
    answer->found = demand->found;
    answer->stream_bits_per_s = demand->bits_per_s;
    answer->safe = answer->likely = answer->expected = answer->naive = SC_UNKNOWN;
    answer->played_sustained = answer->played_late = SC_UNKNOWN;
    answer->headroom = answer->refill_s = -1;
    answer->limit = sci_no_limit(0);
    return answer->format && answer->clip && answer->storage && answer->link;
}

static sc_status answer_all(sc_plan *plan, const sc_plan_params *params, sci_mix *mix,
                            sci_findings *findings, sc_error *error)
{
    sci_arena *arena = sci_result_arena(plan);
    bool solvable = !sci_plan_problem(params), capped = false;
    sc_status status = SC_OK;
    sc_answer *answers = sci_arena_alloc(arena, params->demand_count, sizeof *answers);
    if (!answers)
        goto no_memory;
    for (size_t i = 0; status == SC_OK && i < params->demand_count; i++) {
        sc_answer *answer = &answers[i];
        if (!name_answer(answer, params, &params->demands[i], plan, arena))
            goto no_memory;
        answer->upper_bound = is_upper_bound(findings);
        if (solvable)
            status = count_streams(answer, mix, &params->demands[i], params, findings, error);
        answer->required_met = params->require == 0 || answer->safe >= params->require;
        plan->holds = plan->holds && answer->required_met;
        capped = capped || answer->safe == SCI_STREAMS_MAX;
    }
    plan->answers = answers;
    plan->answer_count = params->demand_count;
    if (status == SC_OK && capped &&
        !sci_finding_add(findings, "count-capped", SC_SEVERITY_NOTE, "counts end at %d streams",
                         SCI_STREAMS_MAX))
        goto no_memory;
    return status;
no_memory:
    return sci_fail(error, SC_NO_MEMORY, 0, "plan.solve", NULL, "out of memory");
}

sc_status sc_plan_solve(const sc_plan_params *params, sc_plan **plan, sc_error *error)
{
    sci_mix mix = {0};
    if (!params || !plan)
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "plan.solve", NULL,
                        "params or plan is NULL");
    *plan = NULL;
    sc_status status = sci_plan_prepare(params, &mix, error);
    if (status != SC_OK)
        return status;
    sc_plan *made = sci_result_new(sizeof *made);
    if (!made)
        return sci_fail(error, SC_NO_MEMORY, 0, "plan.solve", NULL, "out of memory");
    sci_findings findings = {.arena = sci_result_arena(made)};
    sci_copy(made->made_at, sizeof made->made_at, params->made_at ? params->made_at : "");
    made->player = mix.player;
    made->reserve = params->reserve;
    made->require = params->require;
    made->likely_probability = sci_plan_likely_probability(params);
    made->holds = true;
    if (!find_in_call(&findings, params, &mix.player))
        status = sci_fail(error, SC_NO_MEMORY, 0, "plan.solve", NULL, "out of memory");
    if (status == SC_OK)
        status = answer_all(made, params, &mix, &findings, error);
    if (status == SC_OK)
        status = sci_plan_add_mix(made, params, &mix, &findings, error);
    if (status == SC_OK)
        status = sci_plan_add_frontiers(made, params, &mix, &findings, error);
    if (status == SC_OK && !sci_plan_add_law(made, &mix.supply.law, &findings))
        status = sci_fail(error, SC_NO_MEMORY, 0, "plan.solve", NULL, "out of memory");
    made->findings = findings.items;
    made->finding_count = findings.count;
    if (status == SC_OK)
        *plan = made;
    else
        sc_plan_free(&made);
    return status;
}

void sc_plan_free(sc_plan **plan)
{
    sci_result_free(plan);
}
