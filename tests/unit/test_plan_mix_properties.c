/* What must be true of any mix and any frontier, over thousands of random ones from fixed seeds. */
#include "plan_scenarios.h"

#include <stdlib.h>

enum { FORMATS = 3 };

/* All three demands, few streams of each. */
static void make_mix(struct dice *dice, struct scenario *s, int64_t counts[FORMATS], int64_t most)
{
    make_scenario(dice, s);
    s->params.demand_count = FORMATS;
    for (size_t i = 0; i < FORMATS; i++)
        counts[i] = between(dice, 0, 2) ? between(dice, 0, most) : 0;
    s->params.mix = counts;
}

static sc_limit_kind stopped_by(const sc_plan_params *params, const int64_t *counts)
{
    bool admitted;
    sc_limit limit;
    assert_int_equal(sc_plan_admits(params, counts, &admitted, &limit, NULL), SC_OK);
    assert_false(admitted);
    return limit.kind;
}

static int64_t total_of(const int64_t *counts)
{
    return counts[0] + counts[1] + counts[2];
}

/* ---- many n at once ---- */

/* Each n on its own, as the constraints are written. */
static int64_t first_broken(const sci_mix *mix, int64_t total, sci_breach *breach)
{
    for (int64_t n = 1; n <= total; n++)
        if (!sci_mix_holds_at(mix, n, breach))
            return n;
    return 0;
}

static void ranges_say_what_each_number_says(void **state)
{
    struct dice dice = {21};
    struct scenario s;
    int held = 0, broken = 0;
    (void)state;
    for (int i = 0; i < SCENARIOS; i++) {
        int64_t counts[FORMATS];
        sci_breach one = {0}, many = {0};
        sci_arena *arena = sci_arena_new();
        sci_mix mix = {0};
        make_mix(&dice, &s, counts, i % 2 ? 5 : 150);
        assert_int_equal(sci_plan_prepare(&s.params, &mix, NULL), SC_OK);
        assert_int_equal(sci_mix_init(&mix, s.demands, FORMATS, counts, arena, NULL), SC_OK);
        const int64_t n = first_broken(&mix, total_of(counts), &one);
        assert_int_equal(sci_mix_admits(&mix, total_of(counts), NULL), n == 0);
        assert_int_equal(sci_mix_admits(&mix, total_of(counts), &many), n == 0);
        if (n) {
            assert_int_equal(many.limit.streams, n);
            assert_int_equal(many.limit.kind, one.limit.kind);
        }
        *(n ? &broken : &held) += 1;
        sci_arena_free(&arena);
    }
    assert_true(held > SCENARIOS / 10 && broken > SCENARIOS / 10);
}

/* ---- one more of each ---- */

static void assert_more(const sc_plan_params *params, const sc_mix *mix, size_t i)
{
    const sc_mix_part *part = &mix->parts[i];
    int64_t counts[FORMATS];
    memcpy(counts, params->mix, sizeof counts);
    counts[i] += part->more;
    assert_true(admits(params, counts));
    if (mix->streams + part->more == SCI_STREAMS_MAX) {
        assert_true(part->at_least);
        return;
    }
    counts[i]++;
    const sc_limit_kind kind = stopped_by(params, counts);
    assert_int_equal(part->at_least, part->limit.kind == SC_LIMIT_NONE);
    assert_int_equal(part->limit.kind == SC_LIMIT_NONE, kind == SC_LIMIT_NONE);
    assert_true(part->limit.text[0]);
}

static void assert_fewer(const sc_plan_params *params, const sc_mix *mix, size_t i)
{
    const sc_mix_part *part = &mix->parts[i];
    int64_t counts[FORMATS];
    memcpy(counts, params->mix, sizeof counts);
    assert_int_equal(part->more, 0);
    if (part->fewer == SC_UNKNOWN) {
        counts[i] = 0;
        assert_false(admits(params, counts));
        return;
    }
    assert_in_range(part->fewer, 1, part->playing);
    counts[i] -= part->fewer;
    assert_true(admits(params, counts));
    counts[i]++;
    assert_false(admits(params, counts));
}

static void so_many_more_and_fewer_are_the_edge(void **state)
{
    struct dice dice = {22};
    struct scenario s;
    int held = 0, broken = 0;
    (void)state;
    for (int i = 0; i < SCENARIOS; i++) {
        int64_t counts[FORMATS];
        make_mix(&dice, &s, counts, 4);
        sc_plan *plan = solve(&s.params);
        const sc_mix *mix = &plan->mix;
        assert_int_equal(mix->safe == SC_VERDICT_HOLDS, admits(&s.params, counts));
        assert_int_equal(plan->holds, mix->safe == SC_VERDICT_HOLDS);
        assert_int_equal(mix->part_count, FORMATS);
        assert_int_equal(mix->streams, total_of(counts));
        assert_int_equal(mix->expected, SC_VERDICT_UNKNOWN);
        assert_true(mix->headroom >= -1 && mix->headroom <= 1);
        if (mix->safe == SC_VERDICT_HOLDS)
            assert_true(mix->shortfall == 0 && mix->limit.kind == SC_LIMIT_NONE);
        if (mix->safe == SC_VERDICT_BREAKS)
            assert_true(mix->limit.kind != SC_LIMIT_NONE && mix->limit.text[0]);
        for (size_t k = 0; k < FORMATS; k++) {
            if (mix->safe == SC_VERDICT_HOLDS)
                assert_more(&s.params, mix, k);
            else if (mix->safe == SC_VERDICT_BREAKS)
                assert_fewer(&s.params, mix, k);
            else
                assert_int_equal(mix->parts[k].more, SC_UNKNOWN);
        }
        held += mix->safe == SC_VERDICT_HOLDS;
        broken += mix->safe == SC_VERDICT_BREAKS;
        sc_plan_free(&plan);
    }
    assert_true(held > SCENARIOS / 10 && broken > SCENARIOS / 10);
}

static void no_stream_playing_leaves_what_each_has_alone(void **state)
{
    struct dice dice = {23};
    struct scenario s;
    (void)state;
    for (int i = 0; i < SCENARIOS; i++) {
        int64_t counts[FORMATS];
        make_mix(&dice, &s, counts, 0);
        sc_plan *plan = solve(&s.params);
        assert_int_equal(plan->mix.safe, SC_VERDICT_HOLDS);
        for (size_t k = 0; k < FORMATS; k++) {
            assert_int_equal(plan->mix.parts[k].more, plan->answers[k].safe);
            assert_int_equal(plan->mix.parts[k].at_least, plan->answers[k].at_least);
            assert_int_equal(plan->mix.parts[k].extrapolated, plan->answers[k].extrapolated);
        }
        sc_plan_free(&plan);
    }
}

/* Playing and more of equal streams come to what one format has alone; with the replay, too. */
static void equal_streams_are_one_format(void **state)
{
    struct dice dice = {24};
    struct scenario s;
    (void)state;
    for (int i = 0; i < SCENARIOS / 3; i++) {
        int64_t counts[FORMATS];
        make_mix(&dice, &s, counts, 3);
        s.demands[1] = s.demands[2] = s.demands[0];
        s.params.draws = i % 4 ? -1 : 1;
        sc_plan *plan = solve(&s.params);
        const sc_answer *alone = &plan->answers[0];
        const sc_mix *mix = &plan->mix;
        assert_int_equal(mix->safe == SC_VERDICT_HOLDS, alone->safe >= mix->streams);
        for (size_t k = 0; k < FORMATS && mix->safe == SC_VERDICT_HOLDS; k++)
            assert_int_equal(mix->streams + mix->parts[k].more, alone->safe);
        if (alone->expected != SC_UNKNOWN && alone->expected < 60)
            assert_int_equal(mix->expected == SC_VERDICT_HOLDS, alone->expected >= mix->streams);
        for (size_t k = 0; k < FORMATS && mix->expected == SC_VERDICT_HOLDS; k++)
            if (alone->expected < 60)
                assert_int_equal(mix->streams + mix->parts[k].more_expected, alone->expected);
        sc_plan_free(&plan);
    }
}

static void order_does_not_matter(void **state)
{
    struct dice dice = {25};
    struct scenario s;
    (void)state;
    for (int i = 0; i < SCENARIOS / 3; i++) {
        int64_t counts[FORMATS];
        make_mix(&dice, &s, counts, 4);
        s.params.draws = i % 4 ? -1 : 1;
        if (i % 3 == 0) {
            s.demands[1].bits_per_s = s.demands[0].bits_per_s;
        }
        const int64_t turned[] = {counts[2], counts[0], counts[1]};
        const sc_demand moved[] = {s.demands[2], s.demands[0], s.demands[1]};
        sc_plan_params other = s.params;
        other.demands = moved;
        other.mix = turned;
        sc_plan *plan = solve(&s.params), *again = solve(&other);
        const sc_mix *a = &plan->mix, *b = &again->mix;
        assert_int_equal(a->safe, b->safe);
        assert_int_equal(a->expected, b->expected);
        assert_int_equal(a->limit.kind, b->limit.kind);
        for (size_t k = 0; k < FORMATS; k++) {
            const sc_mix_part *x = &a->parts[k], *y = &b->parts[(k + 1) % FORMATS];
            assert_int_equal(x->more, y->more);
            assert_int_equal(x->more_expected, y->more_expected);
            assert_int_equal(x->fewer, y->fewer);
        }
        sc_plan_free(&plan);
        sc_plan_free(&again);
    }
}

/* Everything that gives is more of itself. */
static void enrich(struct scenario *s)
{
    for (size_t i = 0; i < s->storage.point_count; i++) {
        sc_supply_point *point = &s->points[i];
        point->mean_bytes_per_s *= 1.25;
        point->p05_bytes_per_s *= 1.25;
        for (int32_t w = 0; w < point->window_count; w++)
            point->worst_window_bytes[w] += point->worst_window_bytes[w] / 4;
    }
    s->link.payload_bits_per_s += s->link.payload_bits_per_s / 4;
}

static void more_supply_never_breaks_a_mix(void **state)
{
    struct dice dice = {26};
    struct scenario s;
    int held = 0;
    (void)state;
    for (int i = 0; i < SCENARIOS; i++) {
        int64_t counts[FORMATS];
        make_mix(&dice, &s, counts, 4);
        sc_plan *plan = solve(&s.params);
        enrich(&s);
        sc_plan *rich = solve(&s.params);
        if (plan->mix.safe == SC_VERDICT_HOLDS) {
            held++;
            assert_int_equal(rich->mix.safe, SC_VERDICT_HOLDS);
            for (size_t k = 0; k < FORMATS; k++)
                assert_true(rich->mix.parts[k].more >= plan->mix.parts[k].more);
        }
        sc_plan_free(&plan);
        sc_plan_free(&rich);
    }
    assert_true(held > SCENARIOS / 10);
}

/* ---- frontiers ---- */

static void assert_pair(const sc_plan_params *params, const sc_frontier_pair *pair,
                        const size_t of[2])
{
    int64_t counts[FORMATS];
    memcpy(counts, params->mix, sizeof counts);
    counts[of[0]] = pair->first;
    counts[of[1]] = pair->second;
    assert_true(admits(params, counts));
    if (total_of(counts) == SCI_STREAMS_MAX)
        return;
    bool at_least = false;
    for (size_t k = 0; k < 2; k++) {
        counts[of[k]]++;
        const sc_limit_kind kind = stopped_by(params, counts);
        const sc_limit_kind said = k ? pair->second_limit : pair->first_limit;
        assert_int_equal(kind == SC_LIMIT_NONE, said == SC_LIMIT_NONE);
        at_least = at_least || kind == SC_LIMIT_NONE;
        counts[of[k]]--;
    }
    assert_int_equal(pair->at_least, at_least);
}

/* Every pair holds and neither number can grow, and there is no other such pair: steps go down on
   one side as they go up on the other. */
static void assert_frontier(const sc_plan_params *params, const sc_frontier *frontier,
                            const size_t of[2])
{
    int64_t counts[FORMATS];
    memcpy(counts, params->mix, sizeof counts);
    counts[of[0]] = counts[of[1]] = 0;
    assert_int_equal(frontier->safe_count > 0, admits(params, counts));
    for (size_t i = 0; i < frontier->safe_count; i++) {
        const sc_frontier_pair *pair = &frontier->safe[i];
        assert_pair(params, pair, of);
        if (i == 0)
            continue;
        assert_true(pair->first > pair[-1].first && pair->second < pair[-1].second);
        counts[of[0]] = pair[-1].first + 1;
        counts[of[1]] = pair->second + 1;
        assert_false(admits(params, counts));
    }
    if (frontier->safe_count) {
        counts[of[0]] = frontier->safe[frontier->safe_count - 1].first + 1;
        counts[of[1]] = 0;
        assert_false(admits(params, counts));
    }
}

static void frontiers_are_all_pairs_that_cannot_grow(void **state)
{
    struct dice dice = {27};
    struct scenario s;
    size_t pairs = 0;
    (void)state;
    for (int i = 0; i < SCENARIOS / 2; i++) {
        static const size_t of[3][2] = {{0, 1}, {0, 2}, {1, 2}};
        int64_t counts[FORMATS];
        make_mix(&dice, &s, counts, 3);
        s.params.frontier = true;
        for (size_t k = 0; k < FORMATS; k++)
            assert_int_equal(sc_demand_constant(s.demands[k].bits_per_s + 40000000,
                                                s.demands[k].frame_rate, &s.demands[k], NULL),
                             SC_OK);
        sc_plan *plan = solve(&s.params);
        assert_int_equal(plan->frontier_count, SCI_COUNT(of));
        for (size_t f = 0; f < SCI_COUNT(of); f++) {
            assert_frontier(&s.params, &plan->frontiers[f], of[f]);
            pairs += plan->frontiers[f].safe_count;
        }
        sc_plan_free(&plan);
    }
    assert_true(pairs > 3 * SCENARIOS);
}

/* Everything that is bytes times four: no number moves. */
static void scale(struct scenario *s)
{
    for (size_t i = 0; i < s->storage.point_count; i++) {
        sc_supply_point *point = &s->points[i];
        point->mean_bytes_per_s *= 4;
        point->p05_bytes_per_s *= 4;
        for (int32_t w = 0; w < point->window_count; w++)
            point->worst_window_bytes[w] *= 4;
    }
    for (size_t i = 0; i < FORMATS; i++) {
        sc_demand *demand = &s->demands[i];
        demand->bits_per_s *= 4;
        demand->mean_bits_per_s *= 4;
        demand->largest_frame_bytes *= 4;
        for (int32_t w = 0; w < demand->curve.count; w++)
            demand->curve.max_bytes[w] *= 4;
    }
    s->params.player.block_bytes *= 4;
    s->params.player.buffer_cap_bytes *= 4;
}

static void units_scale(void **state)
{
    struct dice dice = {28};
    struct scenario s;
    (void)state;
    for (int i = 0; i < SCENARIOS; i++) {
        int64_t counts[FORMATS];
        make_mix(&dice, &s, counts, 4);
        s.params.frontier = i % 8 == 0;
        s.params.storage = &s.storage;
        s.params.link = NULL;
        s.params.reserve = 0;
        for (size_t k = 0; k < s.storage.point_count; k++)
            s.points[k].mean_bytes_per_s = floor(s.points[k].mean_bytes_per_s);
        sc_plan *plan = solve(&s.params);
        scale(&s);
        sc_plan *scaled = solve(&s.params);
        assert_int_equal(plan->mix.safe, scaled->mix.safe);
        for (size_t k = 0; k < FORMATS; k++) {
            assert_int_equal(plan->mix.parts[k].more, scaled->mix.parts[k].more);
            assert_int_equal(plan->mix.parts[k].fewer, scaled->mix.parts[k].fewer);
        }
        for (size_t f = 0; f < plan->frontier_count; f++)
            assert_int_equal(plan->frontiers[f].safe_count, scaled->frontiers[f].safe_count);
        sc_plan_free(&plan);
        sc_plan_free(&scaled);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_say_what_each_number_says),
        cmocka_unit_test(so_many_more_and_fewer_are_the_edge),
        cmocka_unit_test(no_stream_playing_leaves_what_each_has_alone),
        cmocka_unit_test(equal_streams_are_one_format),
        cmocka_unit_test(order_does_not_matter),
        cmocka_unit_test(more_supply_never_breaks_a_mix),
        cmocka_unit_test(frontiers_are_all_pairs_that_cannot_grow),
        cmocka_unit_test(units_scale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
