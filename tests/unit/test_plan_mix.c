/* Mixes and frontiers with known answers. */
#include "plan/blend.h"

#include "plan_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static sc_plan *solve_mix(const sc_storage *storage, const sc_demand *demands, size_t count,
                          const int64_t *mix)
{
    const sc_plan_params params = {
        .demands = demands, .demand_count = count, .storage = storage, .mix = mix};
    return solve(&params);
}

static void a_mix_that_fits_tells_what_is_left(void **state)
{
    struct bare bare;
    const sc_demand demands[] = {stream("168Mb/s"), stream("336Mb/s")};
    const int64_t mix[] = {2, 1};
    (void)state;
    /* 21 + 21 + 42 of 110 MB/s leave 26. */
    sc_plan *plan = solve_mix(bare_rate(&bare, "110MB/s"), demands, 2, mix);
    assert_true(plan->holds);
    assert_int_equal(plan->mix.safe, SC_VERDICT_HOLDS);
    assert_int_equal(plan->mix.expected, SC_VERDICT_HOLDS);
    assert_int_equal(plan->mix.streams, 3);
    assert_true(plan->mix.headroom > 0.236 && plan->mix.headroom < 0.237);
    assert_int_equal(plan->mix.parts[0].playing, 2);
    assert_int_equal(plan->mix.parts[0].more, 1);
    assert_int_equal(plan->mix.parts[0].more_expected, 1);
    assert_int_equal(plan->mix.parts[1].more, 0);
    assert_string_equal(plan->mix.parts[0].limit.text,
                        "rate: 5 streams need 126 of 110 MB/s of the storage");
    assert_string_equal(plan->mix.parts[1].limit.text,
                        "rate: 4 streams need 126 of 110 MB/s of the storage");
    sc_plan_free(&plan);
}

static void a_mix_that_does_not_fit_tells_by_how_much(void **state)
{
    struct bare bare;
    const sc_demand demands[] = {stream("168Mb/s"), stream("336Mb/s")};
    const int64_t mix[] = {5, 1};
    (void)state;
    sc_plan *plan = solve_mix(bare_rate(&bare, "110MB/s"), demands, 2, mix);
    assert_false(plan->holds);
    assert_int_equal(plan->mix.safe, SC_VERDICT_BREAKS);
    assert_int_equal(plan->mix.expected, SC_VERDICT_BREAKS);
    assert_string_equal(plan->mix.limit.text,
                        "rate: 6 streams need 147 of 110 MB/s of the storage");
    assert_true(plan->mix.shortfall > 0.336 && plan->mix.shortfall < 0.337);
    assert_int_equal(plan->mix.parts[0].more, 0);
    assert_int_equal(plan->mix.parts[0].more_expected, 0);
    assert_int_equal(plan->mix.parts[0].fewer, 2);
    assert_int_equal(plan->mix.parts[1].fewer, 1);
    sc_plan_free(&plan);
}

/* One stream of a gigabit beside any number of others is too much. */
static void what_no_removal_helps_is_said(void **state)
{
    struct bare bare;
    const sc_demand demands[] = {stream("8Gb/s"), stream("8Mb/s")};
    const int64_t mix[] = {1, 1};
    (void)state;
    sc_plan *plan = solve_mix(bare_rate(&bare, "110MB/s"), demands, 2, mix);
    assert_int_equal(plan->mix.parts[0].fewer, 1);
    assert_int_equal(plan->mix.parts[1].fewer, SC_UNKNOWN);
    sc_plan_free(&plan);
}

/* ---- where supply ends ---- */

static void a_mix_beyond_the_points_is_unknown(void **state)
{
    const sc_supply_point points[] = {steady_point(1, 100e6, 1), steady_point(2, 190e6, 1),
                                      steady_point(4, 360e6, 1)};
    const sc_storage storage = measured(points, SCI_COUNT(points));
    const sc_demand demands[] = {stream("8Mb/s"), stream("16Mb/s")};
    const int64_t few[] = {1, 1}, many[] = {3, 2};
    (void)state;
    sc_plan *plan = solve_mix(&storage, demands, 2, few);
    assert_int_equal(plan->mix.safe, SC_VERDICT_HOLDS);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(plan->mix.parts[i].more, 2);
        assert_true(plan->mix.parts[i].at_least);
        assert_int_equal(plan->mix.parts[i].limit.kind, SC_LIMIT_NONE);
    }
    sc_plan_free(&plan);
    plan = solve_mix(&storage, demands, 2, many);
    assert_int_equal(plan->mix.safe, SC_VERDICT_UNKNOWN);
    assert_int_equal(plan->mix.expected, SC_VERDICT_UNKNOWN);
    assert_false(plan->holds);
    assert_int_equal(plan->mix.parts[0].more, SC_UNKNOWN);
    assert_int_equal(plan->mix.parts[0].more_expected, SC_UNKNOWN);
    sc_plan_free(&plan);
}

static void a_problem_leaves_everything_unknown(void **state)
{
    static const sc_finding problem = {"memory", SC_SEVERITY_PROBLEM, "in memory"};
    const sc_supply_point points[] = {steady_point(1, 100e6, 1)};
    const sc_demand demands[] = {stream("8Mb/s"), stream("16Mb/s")};
    const int64_t mix[] = {1, 0};
    sc_storage storage = measured(points, 1);
    (void)state;
    storage.findings = &problem;
    storage.finding_count = 1;
    const sc_plan_params params = {
        .demands = demands, .demand_count = 2, .storage = &storage, .mix = mix, .frontier = true};
    sc_plan *plan = solve(&params);
    assert_int_equal(plan->mix.safe, SC_VERDICT_UNKNOWN);
    assert_int_equal(plan->mix.parts[1].more, SC_UNKNOWN);
    assert_false(plan->holds);
    assert_int_equal(plan->frontier_count, 1);
    assert_int_equal(plan->frontiers[0].safe_count, 0);
    sc_plan_free(&plan);
}

/* ---- what was played ---- */

/* 100 MB/s for any number, and so many streams of this rate played. */
struct played {
    sc_supply_point points[3];
    sc_paced_run runs[2];
    sc_storage storage;
};

static void make_played(struct played *played, const sc_demand *demand, int32_t sustained,
                        int32_t late)
{
    for (size_t i = 0; i < SCI_COUNT(played->points); i++)
        played->points[i] = steady_point(1 << i, 100e6, 1);
    played->runs[0] = (sc_paced_run){
        .streams = sustained, .bits_per_s = demand->bits_per_s, .sustained = true};
    played->runs[1] = (sc_paced_run){.streams = late, .bits_per_s = demand->bits_per_s};
    played->storage = measured(played->points, SCI_COUNT(played->points));
    played->storage.player = player_of("normal");
    played->storage.paced = played->runs;
    played->storage.paced_count = 2;
}

/* Four streams of 20 MB/s by the constraints. */
static void runs_of_one_rate_count_for_mixes_of_that_rate_alone(void **state)
{
    struct played played;
    const sc_demand demands[] = {stream("160Mb/s"), stream("160Mb/s@50"), stream("8Mb/s")};
    const int64_t five[] = {3, 2, 0}, six[] = {3, 3, 0}, beside[] = {5, 0, 1};
    (void)state;
    make_played(&played, &demands[0], 6, 7);
    sc_plan *plan = solve_mix(&played.storage, demands, 3, five);
    assert_int_equal(plan->mix.safe, SC_VERDICT_HOLDS);
    assert_int_equal(plan->mix.parts[0].more, 1);
    assert_int_equal(plan->mix.parts[0].limit.kind, SC_LIMIT_PLAYED);
    assert_int_equal(plan->mix.parts[2].more, 0);
    sc_plan_free(&plan);
    plan = solve_mix(&played.storage, demands, 3, six);
    assert_int_equal(plan->mix.safe, SC_VERDICT_HOLDS);
    sc_plan_free(&plan);
    /* The constraints alone, which five streams of 20 and one of 1 MB/s break. */
    plan = solve_mix(&played.storage, demands, 3, beside);
    assert_int_equal(plan->mix.safe, SC_VERDICT_BREAKS);
    assert_int_equal(plan->mix.limit.kind, SC_LIMIT_RATE);
    sc_plan_free(&plan);
}

/* Two of 20 MB/s fit half of 100 MB/s, five all of it; six were played with all of it. */
static void runs_with_all_of_the_supply_raise_no_count_of_a_part(void **state)
{
    static const struct {
        double reserve;
        int32_t writers, sustained, late;
        int64_t safe;
    } cases[] = {
        {0, 0, 6, 7, 6}, {0.5, 0, 6, 7, 2}, {0.5, 0, 1, 2, 1}, {0, 1, 6, 7, 5}, {0, 1, 2, 3, 2}};
    const sc_demand demand = stream("160Mb/s");
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(cases); i++) {
        struct played played;
        sc_plan *plan = NULL;
        make_played(&played, &demand, cases[i].sustained, cases[i].late);
        played.storage.with_writers = cases[i].writers;
        const sc_plan_params params = {.demands = &demand,
                                       .demand_count = 1,
                                       .storage = &played.storage,
                                       .reserve = cases[i].reserve};
        assert_int_equal(sc_plan_solve(&params, &plan, NULL), SC_OK);
        assert_int_equal(plan->answers[0].safe, cases[i].safe);
        assert_int_equal(plan->answers[0].played_late, cases[i].late);
        sc_plan_free(&plan);
    }
}

static void what_was_late_alone_is_late_beside_others(void **state)
{
    struct played played;
    const sc_demand demands[] = {stream("160Mb/s"), stream("8Mb/s")};
    const int64_t mix[] = {3, 1}, less[] = {2, 1};
    (void)state;
    make_played(&played, &demands[0], 1, 3);
    sc_plan *plan = solve_mix(&played.storage, demands, 2, mix);
    assert_int_equal(plan->mix.safe, SC_VERDICT_BREAKS);
    assert_int_equal(plan->mix.expected, SC_VERDICT_BREAKS);
    assert_int_equal(plan->mix.limit.kind, SC_LIMIT_PLAYED);
    assert_string_equal(plan->mix.limit.text, "played: 3 x 160Mb/s alone were not sustained");
    assert_int_equal(plan->mix.parts[0].fewer, 1);
    assert_int_equal(plan->mix.parts[1].fewer, SC_UNKNOWN);
    sc_plan_free(&plan);
    plan = solve_mix(&played.storage, demands, 2, less);
    assert_int_equal(plan->mix.safe, SC_VERDICT_HOLDS);
    assert_int_equal(plan->mix.parts[0].more, 0);
    assert_string_equal(plan->mix.parts[0].limit.text,
                        "played: 3 x 160Mb/s alone were not sustained");
    sc_plan_free(&plan);
}

static void another_player_makes_runs_count_for_nothing(void **state)
{
    struct played played;
    const sc_demand demands[] = {stream("160Mb/s"), stream("8Mb/s")};
    const int64_t mix[] = {3, 1};
    (void)state;
    make_played(&played, &demands[0], 1, 3);
    const sc_plan_params params = {.demands = demands,
                                   .demand_count = 2,
                                   .storage = &played.storage,
                                   .mix = mix,
                                   .player = player_of("deep")};
    sc_plan *plan = solve(&params);
    assert_int_equal(plan->mix.safe, SC_VERDICT_HOLDS);
    sc_plan_free(&plan);
}

static void a_mix_that_was_played_itself_goes_before_all(void **state)
{
    struct bare bare;
    const sc_demand demands[] = {stream("168Mb/s"), stream("336Mb/s")};
    const int64_t fits[] = {2, 1}, does_not[] = {5, 1};
    sc_plan_params params = {.demands = demands,
                             .demand_count = 2,
                             .storage = bare_rate(&bare, "110MB/s"),
                             .mix = fits,
                             .mix_played = SC_VERDICT_BREAKS};
    (void)state;
    sc_plan *plan = solve(&params);
    assert_int_equal(plan->mix.safe, SC_VERDICT_BREAKS);
    assert_int_equal(plan->mix.expected, SC_VERDICT_BREAKS);
    assert_int_equal(plan->mix.limit.kind, SC_LIMIT_PLAYED);
    assert_string_equal(plan->mix.limit.text,
                        "played: 3 streams were not sustained when they were tried");
    assert_true(plan->mix.shortfall < 0);
    assert_int_equal(plan->mix.parts[0].more, 0);
    assert_int_equal(plan->mix.parts[0].fewer, SC_UNKNOWN);
    sc_plan_free(&plan);
    params.mix = does_not;
    params.mix_played = SC_VERDICT_HOLDS;
    plan = solve(&params);
    assert_int_equal(plan->mix.safe, SC_VERDICT_HOLDS);
    assert_true(plan->holds);
    assert_int_equal(plan->mix.parts[0].more, 0);
    sc_plan_free(&plan);
}

/* ---- frontiers ---- */

static void assert_pairs(const sc_frontier_pair *pairs, size_t count, const int64_t (*truth)[2],
                         size_t truths)
{
    assert_int_equal(count, truths);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(pairs[i].first, truth[i][0]);
        assert_int_equal(pairs[i].second, truth[i][1]);
        assert_false(pairs[i].at_least);
    }
}

static void two_formats_leave_each_other_so_much(void **state)
{
    /* 21 and 42 of 110 MB/s: 5 alone, 3 beside 1, 1 beside 2. */
    static const int64_t truth[][2] = {{1, 2}, {3, 1}, {5, 0}};
    struct bare bare;
    const sc_demand demands[] = {stream("168Mb/s"), stream("336Mb/s")};
    const sc_plan_params params = {.demands = demands,
                                   .demand_count = 2,
                                   .storage = bare_rate(&bare, "110MB/s"),
                                   .frontier = true};
    (void)state;
    sc_plan *plan = solve(&params);
    assert_int_equal(plan->frontier_count, 1);
    const sc_frontier *frontier = &plan->frontiers[0];
    assert_string_equal(frontier->first, "168Mb/s");
    assert_string_equal(frontier->second, "336Mb/s");
    assert_pairs(frontier->safe, frontier->safe_count, truth, SCI_COUNT(truth));
    assert_pairs(frontier->expected, frontier->expected_count, truth, SCI_COUNT(truth));
    assert_int_equal(frontier->safe[0].first_limit, SC_LIMIT_RATE);
    assert_int_equal(frontier->expected[0].first_limit, SC_LIMIT_NONE);
    assert_int_equal(plan->mix.part_count, 0);
    sc_plan_free(&plan);
}

static void the_others_of_three_are_fixed(void **state)
{
    static const int64_t beside[][2] = {{1, 1}, {3, 0}};
    struct bare bare;
    const sc_demand demands[] = {stream("168Mb/s"), stream("336Mb/s"), stream("320Mb/s")};
    const int64_t mix[] = {0, 0, 1}, full[] = {0, 0, 3};
    sc_plan_params params = {.demands = demands,
                             .demand_count = 3,
                             .storage = bare_rate(&bare, "110MB/s"),
                             .mix = mix,
                             .draws = -1,
                             .frontier = true};
    (void)state;
    sc_plan *plan = solve(&params);
    assert_int_equal(plan->frontier_count, 3);
    assert_pairs(plan->frontiers[0].safe, plan->frontiers[0].safe_count, beside, SCI_COUNT(beside));
    assert_int_equal(plan->frontiers[0].expected_count, 0);
    assert_string_equal(plan->frontiers[2].first, "336Mb/s");
    assert_string_equal(plan->frontiers[2].second, "320Mb/s");
    sc_plan_free(&plan);
    params.mix = full;
    plan = solve(&params);
    assert_int_equal(plan->frontiers[0].safe_count, 0);
    assert_true(plan->frontiers[1].safe_count > 0);
    sc_plan_free(&plan);
}

static void a_frontier_beyond_the_points_is_at_least(void **state)
{
    const sc_supply_point points[] = {steady_point(1, 100e6, 1), steady_point(4, 360e6, 1)};
    const sc_storage storage = measured(points, SCI_COUNT(points));
    const sc_demand demands[] = {stream("8Mb/s"), stream("16Mb/s")};
    const sc_plan_params params = {
        .demands = demands, .demand_count = 2, .storage = &storage, .frontier = true};
    (void)state;
    sc_plan *plan = solve(&params);
    const sc_frontier *frontier = &plan->frontiers[0];
    assert_int_equal(frontier->safe_count, 5);
    assert_int_equal(frontier->expected_count, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(frontier->safe[i].first, i);
        assert_int_equal(frontier->safe[i].second, 4 - i);
        assert_true(frontier->safe[i].at_least);
        assert_true(frontier->expected[i].at_least);
    }
    sc_plan_free(&plan);
}

static void too_many_pairs_are_left_out_and_said(void **state)
{
    const sc_link link = link_of("800Gb/s");
    const sc_demand demands[] = {stream("10Mb/s"), stream("10.001Mb/s")};
    sc_plan_params params = {
        .demands = demands, .demand_count = 2, .link = &link, .frontier = true};
    (void)state;
    sc_plan *plan = solve(&params);
    assert_int_equal(plan->frontiers[0].safe_count, 0);
    assert_non_null(finding(plan, "frontier-too-long"));
    assert_null(finding(plan, "frontier-not-replayed"));
    sc_plan_free(&plan);
    const sc_link small = link_of("1Gb/s");
    params.link = &small;
    plan = solve(&params);
    assert_true(plan->frontiers[0].safe_count > 64);
    assert_int_equal(plan->frontiers[0].expected_count, 0);
    assert_non_null(finding(plan, "frontier-not-replayed"));
    sc_plan_free(&plan);
}

/* ---- calls ---- */

struct counted {
    int64_t edge;
    int calls;
};

static bool below_edge(void *data, int64_t n)
{
    struct counted *counted = data;
    counted->calls++;
    return n <= counted->edge;
}

static void the_edge_is_found_outwards_in_few_calls(void **state)
{
    (void)state;
    for (int64_t most = 0; most < 40; most++)
        for (int64_t edge = 0; edge <= most; edge++)
            for (int64_t near = -1; near <= most + 1; near++) {
                struct counted counted = {edge, 0};
                assert_int_equal(sci_largest(below_edge, &counted, near, most), edge);
                const int64_t away = llabs(edge - near) + 2;
                int doublings = 0;
                while ((INT64_C(1) << doublings) < away)
                    doublings++;
                assert_true(counted.calls <= 2 * doublings + 3);
            }
}

/* ---- hostile ---- */

static void numbers_that_cannot_be_are_refused(void **state)
{
    static const int64_t wrong[][2] = {
        {-1, 2}, {1000001, 0}, {600000, 600000}, {INT64_MAX, INT64_MAX}, {INT64_MIN, 5}};
    struct bare bare;
    const sc_demand demands[] = {stream("168Mb/s"), stream("336Mb/s")};
    sc_plan_params params = {
        .demands = demands, .demand_count = 2, .storage = bare_rate(&bare, "110MB/s")};
    sc_plan *plan = NULL;
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(wrong); i++) {
        sc_error error = {0};
        params.mix = wrong[i];
        assert_int_equal(sc_plan_solve(&params, &plan, &error), SC_INVALID_ARGUMENT);
        assert_string_equal(error.message, "the numbers of streams must be 0 to 1000000 together");
        assert_null(plan);
    }
}

static void the_most_streams_that_may_be_asked_about(void **state)
{
    struct bare bare;
    const sc_demand demands[] = {stream("1kb/s"), stream("2kb/s")};
    const int64_t mix[] = {999999, 0};
    (void)state;
    sc_plan *plan = solve_mix(bare_rate(&bare, "100GB/s"), demands, 2, mix);
    assert_int_equal(plan->mix.safe, SC_VERDICT_HOLDS);
    assert_int_equal(plan->mix.parts[1].more, 1);
    assert_true(plan->mix.parts[1].at_least);
    sc_plan_free(&plan);
}

static void a_frontier_is_of_two_to_eight(void **state)
{
    struct bare bare;
    sc_demand demands[SC_FRONTIER_FORMATS_MAX + 1];
    sc_plan_params params = {
        .demands = demands, .storage = bare_rate(&bare, "110MB/s"), .frontier = true};
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(demands); i++)
        demands[i] = stream("400Mb/s");
    for (size_t count = 1; count <= SCI_COUNT(demands); count++) {
        sc_plan *plan = NULL;
        sc_error error = {0};
        params.demand_count = count;
        const bool fits = count >= 2 && count <= SC_FRONTIER_FORMATS_MAX;
        assert_int_equal(sc_plan_solve(&params, &plan, &error), fits ? SC_OK : SC_INVALID_ARGUMENT);
        assert_int_equal(fits ? plan->frontier_count : 0, fits ? count * (count - 1) / 2 : 0);
        sc_plan_free(&plan);
    }
}

/* More formats than the replay has streams: what is expected is not known, what is safe is. */
static void a_mix_of_very_many_formats(void **state)
{
    enum { MANY = 65 };
    struct bare bare;
    sc_demand demands[MANY];
    int64_t mix[MANY];
    (void)state;
    for (size_t i = 0; i < MANY; i++) {
        demands[i] = stream("8Mb/s");
        mix[i] = i > 0;
    }
    sc_plan *plan = solve_mix(bare_rate(&bare, "100MB/s"), demands, MANY, mix);
    assert_int_equal(plan->mix.expected, SC_VERDICT_HOLDS);
    assert_int_equal(plan->mix.parts[0].more, 36);
    assert_int_equal(plan->mix.parts[0].more_expected, SC_UNKNOWN);
    /* Each format is stood for by one stream, 37 of one by one: a rough guess. */
    assert_in_range(plan->mix.parts[1].more_expected, 25, 36);
    assert_null(finding(plan, "mix-not-replayed"));
    sc_plan_free(&plan);
    mix[0] = 1;
    plan = solve_mix(bare_rate(&bare, "100MB/s"), demands, MANY, mix);
    assert_int_equal(plan->mix.safe, SC_VERDICT_HOLDS);
    assert_int_equal(plan->mix.expected, SC_VERDICT_UNKNOWN);
    assert_non_null(finding(plan, "mix-not-replayed"));
    sc_plan_free(&plan);
}

/* ---- the replay of mixes ---- */

/* One heavy stream among hundreds of light ones counts once, not as the many that are stood for. */
static void each_format_is_replayed_by_its_own_number(void **state)
{
    struct bare bare;
    const sc_demand demands[] = {stream("100Mb/s"), stream("800kb/s")};
    const int64_t mix[] = {1, 640};
    const sc_plan_params params = {.demands = demands,
                                   .demand_count = 2,
                                   .storage = bare_rate(&bare, "200MB/s"),
                                   .player = player_of("small-reads"),
                                   .warm_start = true,
                                   .mix = mix};
    (void)state;
    sc_plan *plan = solve(&params);
    assert_int_equal(plan->mix.expected, SC_VERDICT_HOLDS);
    assert_in_range(plan->mix.parts[0].more_expected, 8, 9);
    assert_int_equal(plan->mix.parts[0].more, 9);
    sc_plan_free(&plan);
}

/* ---- time ---- */

static double now_s(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Told, not judged: how fast a machine is is no property of the code. */
static void ten_formats_and_a_thousand_streams(void **state)
{
    enum { FORMATS = 10, ROUNDS = 20 };
    static const char *const rates[] = {"24", "25", "30", "50", "60"};
    sc_supply_point points[7];
    sc_demand demands[FORMATS];
    int64_t mix[FORMATS];
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(points); i++)
        points[i] = steady_point(1 << i, i ? 10e9 : 4e9, 0.8);
    for (size_t i = 0; i < FORMATS; i++) {
        char text[32];
        snprintf(text, sizeof text, "%zuMb/s@%s", 20 + 10 * i, rates[i % SCI_COUNT(rates)]);
        demands[i] = stream(text);
        mix[i] = 100;
    }
    const sc_storage storage = measured(points, SCI_COUNT(points));
    sc_plan_params params = {
        .demands = demands, .demand_count = FORMATS, .storage = &storage, .draws = -1};
    double alone_s = now_s();
    for (int i = 0; i < ROUNDS; i++) {
        sc_plan *plan = solve(&params);
        sc_plan_free(&plan);
    }
    alone_s = now_s() - alone_s;
    params.mix = mix;
    double with_s = now_s();
    for (int i = 0; i < ROUNDS; i++) {
        sc_plan *plan = solve(&params);
        assert_int_equal(plan->mix.streams, 1000);
        assert_int_equal(plan->mix.safe, SC_VERDICT_HOLDS);
        assert_true(plan->mix.parts[0].more > 100);
        sc_plan_free(&plan);
    }
    with_s = now_s() - with_s;
    print_message("10 formats, 1000 streams: %.3f ms a count\n",
                  (with_s - alone_s) / ROUNDS / FORMATS * 1e3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mix_that_fits_tells_what_is_left),
        cmocka_unit_test(a_mix_that_does_not_fit_tells_by_how_much),
        cmocka_unit_test(what_no_removal_helps_is_said),
        cmocka_unit_test(a_mix_beyond_the_points_is_unknown),
        cmocka_unit_test(a_problem_leaves_everything_unknown),
        cmocka_unit_test(runs_of_one_rate_count_for_mixes_of_that_rate_alone),
        cmocka_unit_test(runs_with_all_of_the_supply_raise_no_count_of_a_part),
        cmocka_unit_test(what_was_late_alone_is_late_beside_others),
        cmocka_unit_test(another_player_makes_runs_count_for_nothing),
        cmocka_unit_test(a_mix_that_was_played_itself_goes_before_all),
        cmocka_unit_test(two_formats_leave_each_other_so_much),
        cmocka_unit_test(the_others_of_three_are_fixed),
        cmocka_unit_test(a_frontier_beyond_the_points_is_at_least),
        cmocka_unit_test(too_many_pairs_are_left_out_and_said),
        cmocka_unit_test(the_edge_is_found_outwards_in_few_calls),
        cmocka_unit_test(numbers_that_cannot_be_are_refused),
        cmocka_unit_test(the_most_streams_that_may_be_asked_about),
        cmocka_unit_test(a_frontier_is_of_two_to_eight),
        cmocka_unit_test(a_mix_of_very_many_formats),
        cmocka_unit_test(each_format_is_replayed_by_its_own_number),
        cmocka_unit_test(ten_formats_and_a_thousand_streams),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
