#include "plan/plan.h"

#include "player/player.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Longer windows are the long run: there means are compared as rates. */
static const double LONGEST_WINDOW_S = 16;

/* Bytes are whole, so half a byte is the rounding of window times and no shortage. */
static const double HALF_A_BYTE = 0.5;

/* ---- making a mix ---- */

static double mean_frame_bytes(const sc_demand *demand)
{
    double fps = sc_rational_value(demand->frame_rate);
    return fps > 0 ? (double)demand->bits_per_s / 8 / fps : (double)demand->largest_frame_bytes;
}

static void fill_type(sci_type *type, const sci_mix *mix, const sc_demand *demand, int64_t count)
{
    const sc_player *player = &mix->player;
    double latency_s = mix->supply.latency_s + mix->supply.rtt_s;
    int64_t read_bytes = sci_player_read_bytes(player, demand->largest_frame_bytes);
    int64_t buffer_bytes = sc_player_buffer_bytes(player, demand->bits_per_s,
                                                  demand->largest_frame_bytes);
    type->demand = demand;
    type->count = count;
    type->credit_bytes = buffer_bytes > read_bytes ? (double)(buffer_bytes - read_bytes) : 0;
    type->read_bytes = (double)read_bytes;
    if (player->mode == SC_READ_FRAME && demand->largest_frame_bytes > 0)
        type->read_bytes = mean_frame_bytes(demand);
    type->pipe_bytes_per_s = latency_s > 0 ? player->in_flight * type->read_bytes / latency_s
                                           : HUGE_VAL;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Equal rates by what else tells demands apart, so that the order of the input does not matter. */
static int by_falling_rate(const void *a, const void *b)
{
    const sc_demand *x = ((const sci_type *)a)->demand, *y = ((const sci_type *)b)->demand;
    if (x->bits_per_s != y->bits_per_s)
        return x->bits_per_s < y->bits_per_s ? 1 : -1;
    if (x->largest_frame_bytes != y->largest_frame_bytes)
        return x->largest_frame_bytes < y->largest_frame_bytes ? 1 : -1;
    const int order = memcmp(x->curve.max_bytes, y->curve.max_bytes, sizeof x->curve.max_bytes);
    return order ? order : strcmp(x->name, y->name);
}

static bool fill_due(sci_mix *mix, sci_arena *arena)
{
    double *due = sci_arena_alloc(arena, mix->window_count * mix->type_count + 1, sizeof *due);
    mix->due_bytes = due;
    for (size_t w = 0; due && w < mix->window_count; w++)
        for (size_t i = 0; i < mix->type_count; i++)
            *due++ = sci_demand_bytes(mix->types[i].demand, mix->window_s[w]);
    return mix->due_bytes != NULL;
}

/* None may be left out: each window is a necessary condition of its own. */
static void take_windows(sci_mix *mix, double *window_s, size_t count)
{
    size_t distinct = 0;
    qsort(window_s, count, sizeof *window_s, by_value);
    for (size_t i = 0; i < count; i++)
        if (distinct == 0 || window_s[i] > window_s[distinct - 1] * (1 + 1e-9))
            window_s[distinct++] = window_s[i];
    mix->window_s = window_s;
    mix->window_count = distinct;
}

static sc_status collect_windows(sci_mix *mix, const sc_demand *demands, size_t count,
                                 const int64_t *counts, sci_arena *arena, sc_error *error)
{
    size_t found = 0;
    double *window_s = sci_arena_alloc(arena, count * SC_WINDOWS_MAX, sizeof *window_s);
    if (!window_s)
        return sci_fail(error, SC_NO_MEMORY, 0, "plan.admit", NULL, "out of memory");
    for (size_t i = 0; i < count; i++) {
        const sc_curve *curve = &demands[i].curve;
        for (int32_t w = 0; w < curve->count && (!counts || counts[i]); w++)
            if (curve->window_s[w] >= mix->supply.step_s * (1 - 1e-9) &&
                curve->window_s[w] <= LONGEST_WINDOW_S * (1 + 1e-9))
                window_s[found++] = curve->window_s[w];
    }
    take_windows(mix, window_s, found);
    return SC_OK;
}

sc_status sci_mix_init(sci_mix *mix, const sc_demand *demands, size_t count, const int64_t *counts,
                       sci_arena *arena, sc_error *error)
{
    sc_status status = collect_windows(mix, demands, count, counts, arena, error);
    if (status != SC_OK)
        return status;
    mix->type_count = 0;
    mix->types = sci_arena_alloc(arena, count, sizeof *mix->types);
    mix->needs = sci_arena_alloc(arena, count, sizeof *mix->needs);
    if (!mix->types || !mix->needs)
        return sci_fail(error, SC_NO_MEMORY, 0, "plan.admit", NULL, "out of memory");
    for (size_t i = 0; i < count; i++)
        if (!counts || counts[i])
            fill_type(&mix->types[mix->type_count++], mix, &demands[i],
                      counts ? counts[i] : SCI_STREAMS_MAX);
    qsort(mix->types, mix->type_count, sizeof *mix->types, by_falling_rate);
    sci_mix_recount(mix);
    return fill_due(mix, arena)
               ? SC_OK
               : sci_fail(error, SC_NO_MEMORY, 0, "plan.admit", NULL, "out of memory");
}

void sci_mix_recount(sci_mix *mix)
{
    for (size_t i = 1; i < mix->type_count; i++)
        mix->types[i].before = mix->types[i - 1].before + mix->types[i - 1].count;
}

/* ---- the constraints for n streams ---- */

/* One question: n streams, the supply that they have, the worst breach so far. */
struct question {
    const sci_mix *mix;
    int64_t n;
    sci_supply_at at, one; /* supply of n streams, and of one alone */
    sci_supplied idle;     /* that one's, in the window that is being looked at */
    double fair_bytes;     /* P X(n) / n */
    bool by_odds;          /* shorter windows have left all to the odds */
    sci_breach worst;
    double worst_ratio; /* 0 while every constraint holds */
};

/* needed and available are bytes, or bytes a second where window_s is negative. */
static void note(struct question *q, sc_limit_kind kind, const char *resource, double window_s,
                 double needed, double available, const sci_type *type, sci_share share)
{
    double ratio = available > 0 ? needed / available : HUGE_VAL;
    if (q->worst_ratio >= ratio)
        return;
    q->worst_ratio = ratio;
    q->worst = (sci_breach){.limit = sci_no_limit(q->n), .type = type, .share = share};
    sc_limit *limit = &q->worst.limit;
    bool long_run = window_s < 0;
    limit->kind = kind;
    limit->resource = resource;
    limit->window_s = window_s;
    *(long_run ? &limit->needed_bytes_per_s : &limit->needed_bytes) = needed;
    *(long_run ? &limit->available_bytes_per_s : &limit->available_bytes) = available;
}

static const char *link_or_storage(bool link)
{
    return link ? "link" : "storage";
}

sci_wide sci_mix_top_bits_per_s(const sci_mix *mix, int64_t n)
{
    sci_wide sum = 0;
    for (size_t i = 0; i < mix->type_count && n > 0; i++) {
        int64_t take = mix->types[i].count < n ? mix->types[i].count : n;
        sum += (sci_wide)mix->types[i].demand->bits_per_s * take;
        n -= take;
    }
    return sum;
}

/* (1) */
static void ask_rate(struct question *q)
{
    sci_wide needed = sci_mix_top_bits_per_s(q->mix, q->n);
    if (needed > q->at.bits_per_s)
        note(q, SC_LIMIT_RATE, link_or_storage(q->at.by_link), -1, (double)needed / 8,
             (double)q->at.bits_per_s / 8, &q->mix->types[0], SCI_SHARE_OF_ALL);
}

/* (3) in the long run. A rate that no number of streams would get is no matter of latency. */
static void ask_pipe(struct question *q)
{
    const sci_supply *supply = &q->mix->supply;
    for (size_t i = 0; i < q->mix->type_count; i++) {
        const sci_type *type = &q->mix->types[i];
        double needed = (double)type->demand->bits_per_s / 8;
        if (type->demand->bits_per_s <= supply->peak_bits_per_s &&
            needed > type->pipe_bytes_per_s + HALF_A_BYTE)
            note(q, SC_LIMIT_LATENCY, link_or_storage(supply->rtt_s >= supply->latency_s), -1,
                 needed, type->pipe_bytes_per_s, type, SCI_SHARE_ALONE);
    }
}

/* (4) */
static void ask_buffer(struct question *q)
{
    for (size_t i = 0; q->mix->player.buffer_cap_bytes && i < q->mix->type_count; i++) {
        const sci_type *type = &q->mix->types[i];
        if ((double)type->demand->largest_frame_bytes > type->credit_bytes)
            note(q, SC_LIMIT_BUFFER, "player", 0, (double)type->demand->largest_frame_bytes,
                 type->credit_bytes, type, SCI_SHARE_ALONE);
    }
}

/* By falling E(W) - c, equal ones by falling rate. */
static int by_falling_need(const void *a, const void *b)
{
    const sci_need *x = a, *y = b;
    double need_x = x->due_bytes - x->credit_bytes, need_y = y->due_bytes - y->credit_bytes;
    int order = (need_y > need_x) - (need_y < need_x);
    return order ? order : (x->type > y->type) - (x->type < y->type);
}

void sci_mix_fill_needs(const sci_mix *mix, size_t window, double fair_bytes)
{
    const double *due_bytes = mix->due_bytes + window * mix->type_count;
    for (size_t i = 0; i < mix->type_count; i++) {
        const double most = mix->types[i].credit_bytes;
        mix->needs[i] = (sci_need){&mix->types[i], due_bytes[i],
                                   mix->warm ? most : fmin(most, fair_bytes)};
    }
}

void sci_mix_sort_needs(const sci_mix *mix)
{
    qsort(mix->needs, mix->type_count, sizeof *mix->needs, by_falling_need);
}

/* (2) */
static void ask_window_together(struct question *q, size_t window)
{
    const double window_s = q->mix->window_s[window];
    double needed = 0, credits = 0;
    int64_t left = q->n;
    for (size_t i = 0; i < q->mix->type_count && left > 0; i++) {
        const sci_need *need = &q->mix->needs[i];
        int64_t take = need->type->count < left ? need->type->count : left;
        needed += (double)take * need->due_bytes;
        credits += (double)take * need->credit_bytes;
        left -= take;
    }
    sci_supplied supplied = sci_supply_window(&q->at, window_s);
    const bool fits = needed <= supplied.bytes + credits + HALF_A_BYTE;
    q->by_odds = q->mix->odds && (q->by_odds || !fits);
    if ((!fits || q->by_odds) && !sci_odds_allow(q->mix, window, q->n, q->n, supplied.bytes))
        note(q, SC_LIMIT_BURST, link_or_storage(supplied.by_link), window_s, needed,
             supplied.bytes + credits, q->mix->needs[0].type, SCI_SHARE_OF_ALL);
}

/* (3): a stream alone on an idle storage, beside the others, and in its own reads. */
static void ask_window_alone(struct question *q, double window_s, const sci_need *need,
                             double others_bits_per_s)
{
    const sci_supply *supply = &q->mix->supply;
    const sci_type *type = need->type;
    double due = need->due_bytes, own = need->credit_bytes;
    double spare = fmax(0, (double)q->at.bits_per_s - others_bits_per_s) / 8 * window_s;
    double pipe = type->pipe_bytes_per_s * window_s;
    const sci_supplied *idle = &q->idle;
    if (due > idle->bytes + own + HALF_A_BYTE)
        note(q, SC_LIMIT_BURST, link_or_storage(idle->by_link), window_s, due, idle->bytes + own,
             type, SCI_SHARE_ALONE);
    if (due > spare + own + HALF_A_BYTE)
        note(q, SC_LIMIT_BURST, link_or_storage(q->at.by_link), window_s, due, spare + own, type,
             SCI_SHARE_LEFT);
    if (due > pipe + own + HALF_A_BYTE)
        note(q, SC_LIMIT_LATENCY, link_or_storage(supply->rtt_s >= supply->latency_s), window_s,
             due, pipe + own, type, SCI_SHARE_ALONE);
}

static void ask_windows(struct question *q)
{
    const sci_mix *mix = q->mix;
    sci_wide top_n = sci_mix_top_bits_per_s(mix, q->n),
             top_but_one = sci_mix_top_bits_per_s(mix, q->n - 1);
    for (size_t w = 0; w < mix->window_count; w++) {
        sci_mix_fill_needs(mix, w, q->fair_bytes);
        sci_mix_sort_needs(mix);
        q->idle = sci_supply_window(&q->one, mix->window_s[w]);
        ask_window_together(q, w);
        for (size_t i = 0; i < mix->type_count; i++) {
            const sci_type *type = mix->needs[i].type;
            sci_wide others = type->before < q->n ? top_n - type->demand->bits_per_s : top_but_one;
            ask_window_alone(q, mix->window_s[w], &mix->needs[i], (double)others);
        }
    }
}

/* That the storage gives no more than at its last point is not known, where its law says more. */
static bool stands_on_cap(const struct question *q)
{
    return q->at.capped && q->worst.share != SCI_SHARE_ALONE &&
           strcmp(q->worst.limit.resource, "storage") == 0;
}

/* All that is known of a supply. */
static void ask_link(struct question *q)
{
    q->worst_ratio = 0;
    q->worst = (sci_breach){.limit = sci_no_limit(q->n)};
    q->at = sci_supply_of_link(&q->mix->supply);
    ask_rate(q);
}

bool sci_mix_holds_at(const sci_mix *mix, int64_t n, sci_breach *breach)
{
    /* The first that is broken names the limit: each explains those behind it. */
    static void (*const constraints[])(struct question *) = {ask_pipe, ask_rate, ask_buffer,
                                                             ask_windows};
    struct question q = {.mix = mix, .n = n};
    q.worst.limit = sci_no_limit(n);
    bool known = sci_supply_seek(&mix->supply, n, &q.at);
    if (known) {
        sci_supply_seek(&mix->supply, 1, &q.one);
        q.fair_bytes = mix->player.preroll_s * (double)q.at.bits_per_s / 8 / (double)n;
        for (size_t i = 0; q.worst_ratio == 0 && i < SCI_COUNT(constraints); i++)
            constraints[i](&q);
        known = q.worst_ratio == 0 || !stands_on_cap(&q);
    }
    if (!known)
        ask_link(&q);
    bool holds = known && q.worst_ratio == 0;
    if (breach && !holds)
        *breach = q.worst;
    return holds;
}

/* ---- the call ---- */

static sc_status check_counts(const sc_plan_params *params, const int64_t *counts, int64_t *total,
                              sc_error *error)
{
    *total = 0;
    for (size_t i = 0; i < params->demand_count; i++) {
        if (counts[i] < 0 || counts[i] > SCI_STREAMS_MAX - *total)
            return sci_fail(error, SC_INVALID_ARGUMENT, 0, "plan.admits", NULL,
                            "the numbers of streams must be 0 to %d together", SCI_STREAMS_MAX);
        *total += counts[i];
    }
    return SC_OK;
}

sc_status sc_plan_admits(const sc_plan_params *params, const int64_t *counts, bool *admitted,
                         sc_limit *limit, sc_error *error)
{
    sci_mix mix = {0};
    sci_breach breach = {.limit = sci_no_limit(0)};
    int64_t total;
    if (!params || !counts || !admitted)
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "plan.admits", NULL,
                        "params, counts or admitted is NULL");
    const sc_finding *problem = sci_plan_problem(params);
    if (problem)
        return sci_fail(error, SC_INVALID_DATA, 0, "plan.admits", params->storage->path,
                        "the storage has a problem: %s; plan with it all the same by trusting it",
                        problem->message);
    sci_arena *arena = sci_arena_new();
    if (!arena)
        return sci_fail(error, SC_NO_MEMORY, 0, "plan.admits", NULL, "out of memory");
    sc_status status = sci_plan_prepare(params, &mix, error);
    if (status == SC_OK)
        status = check_counts(params, counts, &total, error);
    if (status == SC_OK)
        status = sci_mix_init(&mix, params->demands, params->demand_count, counts, arena, error);
    if (status != SC_OK)
        goto done;
    *admitted = sci_mix_admits(&mix, total, &breach);
    if (limit)
        *limit = breach.limit;
done:
    sci_arena_free(&arena);
    return status;
}
