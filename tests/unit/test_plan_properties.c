/* What must be true of any scenario, over thousands of random ones from fixed seeds. */
#include "plan_scenarios.h"

#include <stdlib.h>

static sc_answer answer_of(const sc_plan_params *params)
{
    sc_plan *plan = solve(params);
    sc_answer answer = plan->answers[0];
    answer.limit.text = answer.limit.resource = "";
    sc_plan_free(&plan);
    return answer;
}

/* One pair of sides is meant, and the needed one is larger; none where nothing binds. */
static void assert_sides(const sc_limit *limit)
{
    bool window = limit->kind != SC_LIMIT_NONE && limit->window_s >= 0;
    bool long_run = limit->kind != SC_LIMIT_NONE && limit->window_s < 0;
    assert_int_equal(limit->needed_bytes >= 0, window);
    assert_int_equal(limit->available_bytes >= 0, window);
    assert_int_equal(limit->needed_bytes_per_s >= 0, long_run);
    assert_int_equal(limit->available_bytes_per_s >= 0, long_run);
    assert_int_equal(limit->needed_bytes > limit->available_bytes, window);
    assert_int_equal(limit->needed_bytes_per_s > limit->available_bytes_per_s, long_run);
}

static void the_answer_holds_and_the_next_does_not(void **state)
{
    struct dice dice = {1};
    struct scenario s;
    int kinds[5] = {0};
    (void)state;
    for (int i = 0; i < SCENARIOS; i++) {
        make_scenario(&dice, &s);
        sc_plan *plan = solve(&s.params);
        const sc_answer *answer = &plan->answers[0];
        assert_edge(&s.params, answer);
        assert_true(answer->safe <= answer->naive);
        assert_true(answer->headroom <= 1 && answer->refill_s >= -1);
        assert_int_equal(answer->at_least, answer->limit.kind == SC_LIMIT_NONE);
        assert_true(answer->limit.text[0]);
        assert_sides(&answer->limit);
        kinds[answer->limit.kind]++;
        sc_plan_free(&plan);
    }
    /* The scenarios would prove little if they did not meet every limit. */
    for (size_t k = 0; k < SCI_COUNT(kinds); k++)
        if (kinds[k] < SCENARIOS / 200)
            fail_msg("limit %s was met %d times", sc_limit_kind_name((sc_limit_kind)k), kinds[k]);
}

/* Against a reading of the model that looks at every n with no shortcut. */
static void no_count_up_to_the_answer_fails(void **state)
{
    struct dice dice = {2};
    struct scenario s;
    (void)state;
    for (int i = 0; i < SCENARIOS; i++) {
        make_scenario(&dice, &s);
        sci_mix mix = {0};
        sci_arena *arena = sci_arena_new();
        assert_int_equal(sci_plan_prepare(&s.params, &mix, NULL), SC_OK);
        assert_int_equal(sci_mix_init(&mix, s.demands, 1, NULL, arena, NULL), SC_OK);
        int64_t safe = answer_of(&s.params).safe, n = 0;
        while (n < 2000 && sci_mix_holds_at(&mix, n + 1, NULL))
            n++;
        assert_int_equal(n, safe < 2000 ? safe : 2000);
        sci_arena_free(&arena);
    }
}

static void more_supply_never_carries_less(void **state)
{
    struct dice dice = {3};
    struct scenario s;
    (void)state;
    for (int i = 0; i < SCENARIOS; i++) {
        make_scenario(&dice, &s);
        int64_t before = answer_of(&s.params).safe;
        double factor = real(&dice, 1, 3);
        for (size_t p = 0; p < s.storage.point_count; p++) {
            sc_supply_point *point = &s.points[p];
            point->mean_bytes_per_s = ceil(point->mean_bytes_per_s * factor);
            point->p05_bytes_per_s *= factor;
            for (int32_t w = 0; w < point->window_count; w++)
                point->worst_window_bytes[w] = (int64_t)ceil((double)point->worst_window_bytes[w] *
                                                             factor);
        }
        s.link.payload_bits_per_s = (int64_t)((double)s.link.payload_bits_per_s * factor) + 1;
        assert_true(answer_of(&s.params).safe >= before);
        s.params.reserve = 0;
        assert_true(answer_of(&s.params).safe >= before);
    }
}

static void fewer_streams_never_break(void **state)
{
    struct dice dice = {4};
    struct scenario s;
    int admitted = 0;
    (void)state;
    for (int i = 0; i < SCENARIOS; i++) {
        make_scenario(&dice, &s);
        s.params.demand_count = SCI_COUNT(s.demands);
        int64_t counts[] = {between(&dice, 0, 3), between(&dice, 0, 3), between(&dice, 0, 3)};
        if (!admits(&s.params, counts))
            continue;
        admitted++;
        for (size_t k = 0; k < SCI_COUNT(counts); k++) {
            int64_t fewer[] = {counts[0], counts[1], counts[2]};
            if (fewer[k]-- > 0)
                assert_true(admits(&s.params, fewer));
        }
    }
    assert_true(admitted > SCENARIOS / 20);
}

static void equal_streams_are_one_kind_and_order_is_none(void **state)
{
    struct dice dice = {5};
    struct scenario s;
    (void)state;
    for (int i = 0; i < SCENARIOS; i++) {
        make_scenario(&dice, &s);
        int64_t safe = answer_of(&s.params).safe;
        sc_demand equal[] = {s.demands[0], s.demands[0], s.demands[0]};
        sc_plan_params mix = s.params;
        mix.demands = equal;
        mix.demand_count = SCI_COUNT(equal);
        for (int64_t n = safe > 60 ? 60 : safe; n <= (safe > 60 ? 60 : safe + 1); n++) {
            int64_t one = between(&dice, 0, n), two = between(&dice, 0, n - one);
            int64_t counts[] = {one, two, n - one - two};
            assert_int_equal(admits(&mix, counts), n <= safe);
        }
        int64_t counts[] = {between(&dice, 0, 5), between(&dice, 0, 5), between(&dice, 0, 5)};
        int64_t turned[] = {counts[2], counts[0], counts[1]};
        sc_demand moved[] = {s.demands[2], s.demands[0], s.demands[1]};
        mix.demands = s.demands;
        bool admitted = admits(&mix, counts);
        mix.demands = moved;
        assert_int_equal(admits(&mix, turned), admitted);
    }
}

/* ---- the constraints once more, stream by stream, as the model writes them ---- */

enum { STREAMS_MAX = 12 };

struct reading {
    sci_supply supply;
    sc_player player;
    bool warm;
    int n;
    const sc_demand *streams[STREAMS_MAX];
    double window_s[3 * SC_WINDOWS_MAX];
    int windows;
};

static int falling(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

static double buffered(const struct reading *r, const sc_demand *demand, double preroll_bytes)
{
    bool frames = r->player.mode == SC_READ_FRAME;
    double block = (double)(frames ? demand->largest_frame_bytes : r->player.block_bytes);
    double buffer = (double)sc_player_buffer_bytes(&r->player, demand->bits_per_s,
                                                   demand->largest_frame_bytes);
    return r->warm ? buffer - block : fmin(buffer - block, preroll_bytes);
}

static double own_pipe(const struct reading *r, const sc_demand *demand)
{
    double latency_s = r->supply.latency_s + r->supply.rtt_s;
    double block = r->player.mode == SC_READ_FRAME
                       ? (double)demand->bits_per_s / 8 / sc_rational_value(demand->frame_rate)
                       : (double)r->player.block_bytes;
    return latency_s > 0 ? r->player.in_flight * block / latency_s : HUGE_VAL;
}

/* (1), of the n largest rates; rates[] falls. */
static bool rates_fit(const double *rates, int n, double supplied)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += rates[i];
    return sum <= supplied;
}

/* (2), of the n largest E - c. */
static bool window_fits(const struct reading *r, int n, double window_s, double supplied,
                        double preroll_bytes)
{
    double short_of[STREAMS_MAX], sum = 0;
    for (int i = 0; i < r->n; i++)
        short_of[i] = sci_demand_bytes(r->streams[i], window_s) -
                      buffered(r, r->streams[i], preroll_bytes);
    qsort(short_of, (size_t)r->n, sizeof *short_of, falling);
    for (int i = 0; i < n; i++)
        sum += short_of[i];
    return sum <= supplied + 0.5;
}

/* (3), of one stream beside the n - 1 of the others that have the largest rates. */
static bool stream_fits(const struct reading *r, int i, int n, double window_s,
                        const sci_supply_at *at, const sci_supply_at *one, double preroll_bytes)
{
    double others[STREAMS_MAX], sum = 0;
    int count = 0;
    for (int k = 0; k < r->n; k++)
        if (k != i)
            others[count++] = (double)r->streams[k]->bits_per_s;
    qsort(others, (size_t)count, sizeof *others, falling);
    for (int k = 0; k < n - 1; k++)
        sum += others[k];
    double gets = fmin(sci_supply_window(one, window_s).bytes,
                       ((double)at->bits_per_s - sum) / 8 * window_s);
    gets = fmin(gets, own_pipe(r, r->streams[i]) * window_s);
    return sci_demand_bytes(r->streams[i], window_s) <=
           gets + buffered(r, r->streams[i], preroll_bytes) + 0.5;
}

static bool reading_admits(const struct reading *r)
{
    double rates[STREAMS_MAX];
    for (int i = 0; i < r->n; i++) {
        const sc_demand *demand = r->streams[i];
        rates[i] = (double)demand->bits_per_s;
        if (rates[i] / 8 > own_pipe(r, demand) + 0.5 ||
            (r->player.buffer_cap_bytes &&
             (double)demand->largest_frame_bytes > buffered(r, demand, HUGE_VAL)))
            return false;
    }
    qsort(rates, (size_t)r->n, sizeof *rates, falling);
    for (int n = 1; n <= r->n; n++) {
        sci_supply_at at, one;
        if (!sci_supply_seek(&r->supply, n, &at) || !sci_supply_seek(&r->supply, 1, &one) ||
            !rates_fit(rates, n, (double)at.bits_per_s))
            return false;
        double preroll_bytes = r->player.preroll_s * (double)at.bits_per_s / 8 / n;
        for (int w = 0; w < r->windows; w++) {
            if (!window_fits(r, n, r->window_s[w], sci_supply_window(&at, r->window_s[w]).bytes,
                             preroll_bytes))
                return false;
            for (int i = 0; i < r->n; i++)
                if (!stream_fits(r, i, n, r->window_s[w], &at, &one, preroll_bytes))
                    return false;
        }
    }
    return true;
}

static void read_scenario(struct reading *r, const sc_plan_params *params, const int64_t *counts)
{
    sci_mix mix = {0};
    memset(r, 0, sizeof *r);
    assert_int_equal(sci_plan_prepare(params, &mix, NULL), SC_OK);
    r->supply = mix.supply;
    r->player = mix.player;
    r->warm = params->warm_start;
    for (size_t i = 0; i < params->demand_count; i++) {
        const sc_curve *curve = &params->demands[i].curve;
        for (int64_t k = 0; k < counts[i]; k++)
            r->streams[r->n++] = &params->demands[i];
        for (int32_t w = 0; counts[i] && w < curve->count; w++)
            if (curve->window_s[w] >= r->supply.step_s)
                r->window_s[r->windows++] = curve->window_s[w];
    }
}

static void mixes_are_admitted_as_the_model_is_written(void **state)
{
    struct dice dice = {7};
    struct scenario s;
    int admitted = 0;
    (void)state;
    for (int i = 0; i < SCENARIOS / 3; i++) {
        struct reading reading;
        int64_t counts[3] = {0};
        make_scenario(&dice, &s);
        s.params.demand_count = SCI_COUNT(s.demands);
        /* Near the edge: add streams while they hold, so that the last one does not. */
        for (int n = 0; n < STREAMS_MAX; n++) {
            counts[between(&dice, 0, 2)]++;
            read_scenario(&reading, &s.params, counts);
            bool expected = reading_admits(&reading);
            assert_int_equal(admits(&s.params, counts), expected);
            admitted += expected;
            if (!expected)
                break;
        }
    }
    assert_true(admitted > SCENARIOS / 6);
}

/* Everything that is bytes times a power of two: no count moves. */
static void units_do_not_matter(void **state)
{
    struct dice dice = {6};
    struct scenario s;
    (void)state;
    for (int i = 0; i < SCENARIOS; i++) {
        make_scenario(&dice, &s);
        sc_answer before = answer_of(&s.params);
        int shift = (int)between(&dice, 1, 4);
        s.demands[0].bits_per_s <<= shift;
        s.demands[0].largest_frame_bytes <<= shift;
        for (int32_t w = 0; w < s.demands[0].curve.count; w++)
            s.demands[0].curve.max_bytes[w] <<= shift;
        for (size_t p = 0; p < s.storage.point_count; p++) {
            s.points[p].mean_bytes_per_s = ldexp(s.points[p].mean_bytes_per_s, shift);
            s.points[p].p05_bytes_per_s = ldexp(s.points[p].p05_bytes_per_s, shift);
            for (int32_t w = 0; w < s.points[p].window_count; w++)
                s.points[p].worst_window_bytes[w] <<= shift;
        }
        s.link.payload_bits_per_s <<= shift;
        s.params.player.block_bytes <<= shift;
        s.params.player.buffer_cap_bytes <<= shift;
        sc_answer after = answer_of(&s.params);
        assert_int_equal(after.safe, before.safe);
        assert_int_equal(after.naive, before.naive);
        assert_int_equal(after.limit.kind, before.limit.kind);
    }
}

/* ---- figures from nowhere ---- */

static double odd_real(struct dice *dice)
{
    static const double odd[] = {NAN,    INFINITY, -INFINITY, -1,      0,  1e308, -1e308,
                                 5e-324, 1e-9,     1e15,      1.25e14, 16, 0.02,  1};
    return odd[between(dice, 0, SCI_COUNT(odd) - 1)];
}

static int64_t odd_integer(struct dice *dice)
{
    static const int64_t odd[] = {INT64_MIN, INT64_MAX,        -1,        0,
                                  1,         INT32_MAX,        INT32_MIN, 1LL << 40,
                                  1LL << 60, 1000000000000000, 65536,     SC_WINDOWS_MAX};
    return odd[between(dice, 0, SCI_COUNT(odd) - 1)];
}

static void spoil(struct dice *dice, struct scenario *s)
{
    sc_supply_point *point = &s->points[between(dice, 0, POINTS_MAX - 1)];
    sc_demand *demand = &s->demands[0];
    double *const reals[] = {&point->mean_bytes_per_s,
                             &point->p05_bytes_per_s,
                             &point->latency_p50_s,
                             &point->series_step_s,
                             &point->window_s[between(dice, 0, 6)],
                             &demand->curve.window_s[between(dice, 0, 9)],
                             &s->link.rtt_s,
                             &s->params.reserve,
                             &s->params.player.read_ahead_s,
                             &s->params.player.preroll_s};
    int64_t *const integers[] = {&point->worst_window_bytes[between(dice, 0, 6)],
                                 &demand->bits_per_s,
                                 &demand->largest_frame_bytes,
                                 &demand->curve.max_bytes[between(dice, 0, 9)],
                                 &demand->frame_rate.num,
                                 &demand->frame_rate.den,
                                 &s->link.payload_bits_per_s,
                                 &s->params.player.block_bytes,
                                 &s->params.player.buffer_cap_bytes,
                                 &s->params.require};
    int32_t *const shorts[] = {&point->readers, &point->window_count, &demand->curve.count,
                               &s->params.player.in_flight};
    switch (between(dice, 0, 2)) {
    case 0:
        *reals[between(dice, 0, SCI_COUNT(reals) - 1)] = odd_real(dice);
        break;
    case 1:
        *integers[between(dice, 0, SCI_COUNT(integers) - 1)] = odd_integer(dice);
        break;
    default:
        *shorts[between(dice, 0, SCI_COUNT(shorts) - 1)] = (int32_t)odd_integer(dice);
    }
}

static void figures_from_nowhere_give_an_error_or_an_answer(void **state)
{
    struct dice dice = {8};
    struct scenario s;
    int refused = 0;
    (void)state;
    for (int i = 0; i < 10 * SCENARIOS; i++) {
        sc_plan *plan = NULL;
        sc_error error = {0};
        make_scenario(&dice, &s);
        for (int64_t k = between(&dice, 1, 3); k > 0; k--)
            spoil(&dice, &s);
        sc_status status = sc_plan_solve(&s.params, &plan, &error);
        if (status != SC_OK) {
            assert_true(status == SC_INVALID_ARGUMENT || status == SC_INVALID_DATA);
            assert_true(error.message[0] && !plan);
            refused++;
            continue;
        }
        const sc_answer *answer = &plan->answers[0];
        assert_in_range(answer->safe, 0, SCI_STREAMS_MAX);
        assert_true(answer->safe <= answer->naive);
        assert_true(answer->headroom >= -1 && answer->headroom <= 1);
        assert_true(isfinite(answer->refill_s));
        assert_true(isfinite(answer->limit.needed_bytes));
        assert_true(isfinite(answer->limit.available_bytes));
        assert_true(isfinite(answer->limit.needed_bytes_per_s));
        assert_true(isfinite(answer->limit.available_bytes_per_s));
        sc_plan_free(&plan);
    }
    assert_true(refused > SCENARIOS && refused < 9 * SCENARIOS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_answer_holds_and_the_next_does_not),
        cmocka_unit_test(no_count_up_to_the_answer_fails),
        cmocka_unit_test(more_supply_never_carries_less),
        cmocka_unit_test(fewer_streams_never_break),
        cmocka_unit_test(equal_streams_are_one_kind_and_order_is_none),
        cmocka_unit_test(mixes_are_admitted_as_the_model_is_written),
        cmocka_unit_test(figures_from_nowhere_give_an_error_or_an_answer),
        cmocka_unit_test(units_do_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
