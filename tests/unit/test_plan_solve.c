#include "plan_test.h"

#include <math.h>

static void bad_calls_are_refused(void **state)
{
    struct bare bare;
    sc_demand demand = stream("168Mb/s");
    const sc_plan_params good = {
        .demands = &demand, .demand_count = 1, .storage = bare_rate(&bare, "83MB/s")};
    sc_plan_params bad[12];
    size_t count = 0;
    sc_demand broken[4] = {demand, demand, demand, demand};
    sc_link no_rate = link_of("1gbe"), no_time = link_of("1gbe");
    (void)state;
    broken[0].bits_per_s = 0;
    broken[1].curve.count = SC_WINDOWS_MAX + 1;
    broken[2].curve.window_s[3] = NAN;
    memset(broken[3].name, 'x', sizeof broken[3].name);
    no_rate.payload_bits_per_s = 0;
    no_time.rtt_s = NAN;
    for (size_t i = 0; i < SCI_COUNT(bad); i++)
        bad[i] = good;
    bad[count++].demand_count = 0;
    bad[count++].demands = NULL;
    bad[count++].storage = NULL;
    bad[count++].reserve = -0.1;
    bad[count++].reserve = 0.96;
    bad[count++].reserve = NAN;
    bad[count++].require = -1;
    for (size_t i = 0; i < 3; i++)
        bad[count++].demands = &broken[i];
    bad[count++].link = &no_rate;
    bad[count++].link = &no_time;
    for (size_t i = 0; i < count; i++) {
        sc_plan *plan = NULL;
        sc_error error = {0};
        assert_int_equal(sc_plan_solve(&bad[i], &plan, &error), SC_INVALID_ARGUMENT);
        assert_null(plan);
        assert_true(strlen(error.message) > 10);
    }
    sc_plan_params named = good;
    named.demands = &broken[3];
    sc_plan *plan = NULL;
    assert_int_equal(sc_plan_solve(&named, &plan, NULL), SC_INVALID_ARGUMENT);
    named = good;
    named.player.in_flight = -1;
    assert_int_equal(sc_plan_solve(&named, &plan, NULL), SC_INVALID_ARGUMENT);
    assert_int_equal(sc_plan_solve(NULL, &plan, NULL), SC_INVALID_ARGUMENT);
    assert_int_equal(sc_plan_solve(&good, NULL, NULL), SC_INVALID_ARGUMENT);
    sc_plan_free(&plan);
    sc_plan_free(NULL);
    bool admitted;
    int64_t counts[] = {-1};
    assert_int_equal(sc_plan_admits(&good, counts, &admitted, NULL, NULL), SC_INVALID_ARGUMENT);
    counts[0] = INT64_MAX;
    assert_int_equal(sc_plan_admits(&good, counts, &admitted, NULL, NULL), SC_INVALID_ARGUMENT);
    assert_int_equal(sc_plan_admits(&good, NULL, &admitted, NULL, NULL), SC_INVALID_ARGUMENT);
    counts[0] = 0;
    sc_limit limit;
    assert_int_equal(sc_plan_admits(&good, counts, &admitted, &limit, NULL), SC_OK);
    assert_true(admitted);
    assert_int_equal(limit.kind, SC_LIMIT_NONE);
}

static void a_plan_says_what_it_was_made_of(void **state)
{
    struct bare bare;
    sc_demand demands[] = {stream("168Mb/s"), stream("1000Mb/s"), stream("336Mb/s")};
    sc_plan_params params = {.demands = demands,
                             .demand_count = 3,
                             .storage = bare_rate(&bare, "83MB/s"),
                             .require = 1,
                             .made_at = "2026-11-30T20:21:32Z"};
    sc_plan *plan = solve(&params);
    (void)state;
    assert_string_equal(plan->made_at, "2026-11-30T20:21:32Z");
    assert_string_equal(plan->player.name, "normal");
    assert_int_equal(plan->answer_count, 3);
    assert_string_equal(plan->answers[2].format, "336Mb/s");
    assert_string_equal(plan->answers[0].storage, "83MB/s");
    assert_string_equal(plan->answers[0].link, "");
    assert_string_equal(plan->answers[0].player, "normal");
    assert_true(plan->answers[0].required_met);
    assert_false(plan->answers[1].required_met);
    assert_false(plan->holds);
    assert_int_equal(plan->answers[1].safe, 0);
    assert_true(plan->answers[1].headroom == 1 && plan->answers[1].refill_s == 0);
    assert_string_equal(plan->answers[1].limit.text,
                        "rate: 1 stream needs 125 of 83 MB/s of the storage");
    sc_plan_free(&plan);
    params.require = 0;
    params.made_at = NULL;
    plan = solve(&params);
    assert_true(plan->holds);
    assert_string_equal(plan->made_at, "");
    sc_plan_free(&plan);
}

static void a_problem_gives_no_counts_unless_trusted(void **state)
{
    static const sc_finding findings[] = {
        {"slow-start", SC_SEVERITY_WARNING, "the first second was slow"},
        {"memory-filesystem", SC_SEVERITY_PROBLEM, "this is memory, no storage"}};
    sc_supply_point points[] = {steady_point(1, 5e9, 1), steady_point(2, 6e9, 1)};
    sc_storage storage = measured(points, 2);
    sc_demand demand = stream("168Mb/s");
    sc_plan_params params = {
        .demands = &demand, .demand_count = 1, .storage = &storage, .require = 1};
    storage.findings = findings;
    storage.finding_count = 2;
    (void)state;
    sc_plan *plan = solve(&params);
    const sc_answer *answer = &plan->answers[0];
    assert_int_equal(answer->safe, SC_UNKNOWN);
    assert_int_equal(answer->naive, SC_UNKNOWN);
    assert_int_equal(answer->expected, SC_UNKNOWN);
    assert_int_equal(answer->limit.kind, SC_LIMIT_NONE);
    assert_true(answer->headroom < 0 && answer->refill_s < 0);
    assert_false(answer->required_met);
    assert_string_equal(finding(plan, "memory-filesystem")->message, "this is memory, no storage");
    assert_int_equal(finding(plan, "memory-filesystem")->severity, SC_SEVERITY_PROBLEM);
    sc_plan_free(&plan);
    bool admitted;
    int64_t count = 1;
    assert_int_equal(sc_plan_admits(&params, &count, &admitted, NULL, NULL), SC_INVALID_DATA);
    params.trust = true;
    plan = solve(&params);
    assert_true(plan->answers[0].safe >= 2);
    assert_non_null(finding(plan, "memory-filesystem"));
    sc_plan_free(&plan);
    assert_int_equal(sc_plan_admits(&params, &count, &admitted, NULL, NULL), SC_OK);
}

static void the_player_of_the_measurement_is_the_default(void **state)
{
    sc_supply_point points[] = {steady_point(1, 100e6, 1), steady_point(2, 100e6, 1),
                                steady_point(4, 100e6, 1)};
    sc_storage storage = measured(points, 3);
    sc_demand demand = stream("168Mb/s");
    sc_plan_params params = {.demands = &demand, .demand_count = 1, .storage = &storage};
    storage.player = player_of("large-reads");
    (void)state;
    sc_plan *plan = solve(&params);
    assert_string_equal(plan->player.name, "large-reads");
    assert_null(finding(plan, "other-player"));
    assert_false(plan->answers[0].upper_bound);
    sc_plan_free(&plan);
    static const char *const others[] = {"large-reads,block=1MiB", "large-reads,in-flight=1",
                                         "large-reads,mode=frame"};
    for (size_t i = 0; i < SCI_COUNT(others); i++) {
        params.player = player_of(others[i]);
        plan = solve(&params);
        assert_non_null(finding(plan, "other-player"));
        assert_true(plan->answers[0].upper_bound);
        sc_plan_free(&plan);
    }
    /* How far it reads ahead is no matter of supply. */
    params.player = player_of("large-reads,read-ahead=5s");
    plan = solve(&params);
    assert_null(finding(plan, "other-player"));
    sc_plan_free(&plan);
    params.player = player_of("frame-reads");
    plan = solve(&params);
    assert_non_null(finding(plan, "frame-mode"));
    sc_plan_free(&plan);
}

static void supply_without_more_points_gives_at_least(void **state)
{
    sc_supply_point points[] = {steady_point(1, 100e6, 1), steady_point(2, 180e6, 1),
                                steady_point(4, 300e6, 1)};
    sc_storage storage = measured(points, 3);
    sc_demand demand = stream("168Mb/s");
    sc_plan_params params = {.demands = &demand, .demand_count = 1, .storage = &storage};
    (void)state;
    sc_plan *plan = solve(&params);
    assert_int_equal(plan->answers[0].safe, 4);
    assert_true(plan->answers[0].at_least);
    assert_false(plan->answers[0].extrapolated);
    assert_int_equal(plan->answers[0].naive, 14);
    assert_int_equal(plan->answers[0].limit.kind, SC_LIMIT_NONE);
    assert_string_equal(plan->answers[0].limit.text, "nothing known stops 5 streams");
    assert_edge(&params, &plan->answers[0]);
    sc_plan_free(&plan);
    /* A link that the fifth stream would exceed is known, whatever the storage does. */
    sc_link link = link_of("100MB/s");
    params.link = &link;
    plan = solve(&params);
    assert_int_equal(plan->answers[0].safe, 4);
    assert_false(plan->answers[0].at_least);
    assert_int_equal(plan->answers[0].limit.kind, SC_LIMIT_RATE);
    assert_string_equal(plan->answers[0].limit.resource, "link");
    sc_plan_free(&plan);
}

static void a_flat_supply_is_extrapolated_and_says_so(void **state)
{
    sc_supply_point points[] = {steady_point(1, 300e6, 1), steady_point(2, 301e6, 1),
                                steady_point(4, 299e6, 1)};
    sc_storage storage = measured(points, 3);
    sc_demand demand = stream("168Mb/s");
    sc_plan_params params = {.demands = &demand, .demand_count = 1, .storage = &storage};
    (void)state;
    sc_plan *plan = solve(&params);
    assert_int_equal(plan->answers[0].safe, 14);
    assert_true(plan->answers[0].extrapolated);
    assert_false(plan->answers[0].at_least);
    assert_edge(&params, &plan->answers[0]);
    sc_plan_free(&plan);
}

static void counts_end_somewhere(void **state)
{
    struct bare bare;
    sc_demand demand = stream("1kb/s");
    sc_plan_params params = {
        .demands = &demand, .demand_count = 1, .storage = bare_rate(&bare, "1000Tb/s")};
    (void)state;
    sc_plan *plan = solve(&params);
    assert_int_equal(plan->answers[0].safe, SCI_STREAMS_MAX);
    assert_int_equal(plan->answers[0].naive, 1000000000000);
    assert_true(plan->answers[0].at_least);
    assert_non_null(finding(plan, "count-capped"));
    assert_edge(&params, &plan->answers[0]);
    sc_plan_free(&plan);
    /* Just below the end, and on it, it is still exact. */
    bare_rate(&bare, "999999kb/s");
    plan = solve(&params);
    assert_int_equal(plan->answers[0].safe, 999999);
    assert_false(plan->answers[0].at_least);
    sc_plan_free(&plan);
}

static void latency_of_one_reader_is_the_pipe(void **state)
{
    sc_supply_point points[] = {steady_point(1, 20e6, 1), steady_point(2, 40e6, 1),
                                steady_point(4, 80e6, 1)};
    sc_storage storage = measured(points, 3);
    sc_demand demand = stream("200Mb/s");
    sc_plan_params params = {.demands = &demand, .demand_count = 1, .storage = &storage};
    points[0].latency_p50_s = 0.1048576; /* 2 MiB in it: 20 MB/s */
    storage.player = player_of("normal");
    (void)state;
    sc_plan *plan = solve(&params);
    assert_int_equal(plan->answers[0].naive, 3);
    assert_int_equal(plan->answers[0].safe, 0);
    assert_int_equal(plan->answers[0].limit.kind, SC_LIMIT_LATENCY);
    assert_string_equal(plan->answers[0].limit.resource, "storage");
    assert_string_equal(plan->answers[0].limit.text,
                        "latency: 2 reads of 1 MiB in 105 ms give one stream 20 MB/s of 25");
    sc_plan_free(&plan);
    /* A rate that nobody gets is a matter of rate. */
    demand = stream("800Mb/s");
    plan = solve(&params);
    assert_int_equal(plan->answers[0].limit.kind, SC_LIMIT_RATE);
    sc_plan_free(&plan);
}

/* A median above the mean, as of a disk that is fast more often than not, is no pipe of its own. */
static void latency_never_contradicts_throughput(void **state)
{
    sc_supply_point points[] = {steady_point(1, 100e6, 1), steady_point(2, 100e6, 1),
                                steady_point(4, 100e6, 1)};
    sc_storage storage = measured(points, 3);
    sc_demand demand = stream("720Mb/s");
    sc_plan_params params = {.demands = &demand, .demand_count = 1, .storage = &storage};
    points[0].latency_p50_s = 0.03; /* 2 MiB in it: 70 MB/s */
    storage.player = player_of("normal");
    (void)state;
    sc_plan *plan = solve(&params);
    assert_int_equal(plan->answers[0].safe, 1);
    sc_plan_free(&plan);
    storage.player = (sc_player){0};
    plan = solve(&params);
    assert_int_equal(plan->answers[0].limit.kind, SC_LIMIT_LATENCY);
    sc_plan_free(&plan);
}

static void a_frame_must_fit_the_buffer(void **state)
{
    struct bare bare;
    sc_demand demand = stream("1600Mb/s");
    sc_plan_params params = {.demands = &demand,
                             .demand_count = 1,
                             .storage = bare_rate(&bare, "1000MB/s"),
                             .player = player_of("normal,buffer=4MiB")};
    (void)state;
    sc_plan *plan = solve(&params);
    assert_int_equal(plan->answers[0].safe, 0);
    assert_int_equal(plan->answers[0].limit.kind, SC_LIMIT_BUFFER);
    assert_string_equal(plan->answers[0].limit.resource, "player");
    assert_string_equal(plan->answers[0].limit.text,
                        "buffer: a frame of 8 MB in 3.15 MB of buffer");
    sc_plan_free(&plan);
    params.player = player_of("normal");
    plan = solve(&params);
    assert_int_equal(plan->answers[0].safe, 5);
    sc_plan_free(&plan);
}

static void a_stall_costs_streams_and_a_deep_buffer_rides_over_it(void **state)
{
    sc_supply_point point = steady_point(1, 200e6, 1), points[3];
    (void)state;
    for (int32_t i = 0; i < point.window_count; i++)
        point.worst_window_bytes[i] = point.window_s[i] < 2 ? 0 : 100000000;
    for (int32_t i = 0; i < 3; i++) {
        points[i] = point;
        points[i].readers = 1 << i;
        points[i].p05_bytes_per_s = 190e6;
    }
    sc_storage storage = measured(points, 3);
    sc_demand demand = stream("168Mb/s");
    sc_plan_params params = {
        .demands = &demand, .demand_count = 1, .storage = &storage, .player = player_of("tight")};
    sc_plan *plan = solve(&params);
    assert_int_equal(plan->answers[0].naive, 9);
    assert_int_equal(plan->answers[0].safe, 0);
    assert_int_equal(plan->answers[0].limit.kind, SC_LIMIT_BURST);
    sc_plan_free(&plan);
    params.player = player_of("deep");
    params.warm_start = true;
    plan = solve(&params);
    assert_true(plan->answers[0].safe >= 8);
    sc_plan_free(&plan);
}

/* The worst five percent of the time last no hour: there the means decide. */
static void beyond_sixteen_seconds_means_decide(void **state)
{
    sc_supply_point points[3];
    sc_demand demand = stream("160Mb/s");
    (void)state;
    for (int32_t i = 0; i < 3; i++) {
        points[i] = steady_point(1 << i, 100e6, 1);
        points[i].p05_bytes_per_s = 60e6;
    }
    sc_storage storage = measured(points, 3);
    demand.duration_s = 3600;
    demand.curve.window_s[demand.curve.count] = 3600;
    demand.curve.max_bytes[demand.curve.count++] = 3600LL * 20000000;
    sc_plan_params params = {.demands = &demand,
                             .demand_count = 1,
                             .storage = &storage,
                             .player = player_of("deep"),
                             .warm_start = true};
    sc_plan *plan = solve(&params);
    assert_int_equal(plan->answers[0].safe, 5);
    sc_plan_free(&plan);
}

/* What any one of them gets alone counts, for the others may have ended or not begun. */
static void the_worst_part_of_a_mix_decides(void **state)
{
    const sc_supply_point points[] = {steady_point(1, 12.5e6, 1), steady_point(2, 50e6, 1)};
    sc_storage storage = measured(points, 2);
    sc_demand demands[] = {stream("50Mb/s"), stream("110Mb/s")};
    sc_plan_params params = {.demands = demands,
                             .demand_count = 2,
                             .storage = &storage,
                             .player = player_of("deep"),
                             .warm_start = true};
    const int64_t counts[] = {1, 1};
    bool admitted;
    sc_limit limit;
    (void)state;
    demands[0].curve.count = demands[1].curve.count = 0;
    assert_int_equal(sc_plan_admits(&params, counts, &admitted, &limit, NULL), SC_OK);
    assert_false(admitted);
    assert_int_equal(limit.kind, SC_LIMIT_RATE);
    assert_int_equal(limit.streams, 1);
    assert_true(limit.needed_bytes_per_s == 13.75e6 && limit.available_bytes_per_s == 12.5e6);
}

/* Each clip has windows of its own, and one of them, in turn, needs two bytes too many in one of
   them: whichever it is, the window is looked at. */
static void no_window_of_a_large_mix_is_left_out(void **state)
{
    enum { CLIPS = 100 };
    const double bytes_per_s = 100e6;
    sc_storage *storage = NULL;
    sc_demand demands[CLIPS] = {0};
    int64_t counts[CLIPS];
    sc_plan_params params = {.demands = demands,
                             .demand_count = CLIPS,
                             .player = player_of("block=1MiB,in-flight=1,read-ahead=1ms")};
    bool admitted;
    (void)state;
    assert_int_equal(sc_storage_from_rate("100MB/s", &storage, NULL), SC_OK);
    params.storage = storage;
    params.player.preroll_s = 1e-9; /* no credit at a cold start */
    for (size_t i = 0; i < CLIPS; i++) {
        double window_s = 0.5 + 0.005 * (double)i; /* none is twice another */
        counts[i] = 1;
        demands[i] = (sc_demand){
            .name = "clip",
            .mean_bits_per_s = 8,
            .bits_per_s = 8,
            .curve = {.count = 2, .window_s = {window_s - 0.002, window_s}, .max_bytes = {1, 1}}};
    }
    assert_int_equal(sc_plan_admits(&params, counts, &admitted, NULL, NULL), SC_OK);
    assert_true(admitted);
    for (size_t i = 0; i < CLIPS; i++) {
        sc_limit limit;
        sc_curve *curve = &demands[i].curve;
        curve->max_bytes[1] = (int64_t)(bytes_per_s * curve->window_s[1]) + 2;
        assert_int_equal(sc_plan_admits(&params, counts, &admitted, &limit, NULL), SC_OK);
        assert_false(admitted);
        assert_int_equal(limit.kind, SC_LIMIT_BURST);
        assert_true(fabs(limit.window_s - curve->window_s[1]) < 1e-9);
        curve->max_bytes[1] = 1;
    }
    sc_storage_free(&storage);
}

/* Alone, the smaller stream shares nothing with the larger one. */
static void a_stream_alone_has_no_others(void **state)
{
    const sc_supply_point points[] = {steady_point(1, 26.25e6, 1), steady_point(2, 50e6, 1)};
    sc_storage storage = measured(points, 2);
    sc_demand demands[] = {stream("200Mb/s"), stream("100Mb/s")};
    sc_plan_params params = {.demands = demands,
                             .demand_count = 2,
                             .storage = &storage,
                             .player = player_of("read-ahead=0.2s")};
    const int64_t counts[] = {1, 1};
    bool admitted;
    (void)state;
    for (int32_t i = 0; i < demands[1].curve.count; i++)
        if (demands[1].curve.window_s[i] >= 1)
            demands[1].curve.max_bytes[i] += 10000000;
    assert_int_equal(sc_plan_admits(&params, counts, &admitted, NULL, NULL), SC_OK);
    assert_true(admitted);
}

static void limit_kinds_have_names(void **state)
{
    static const char *const names[] = {"none", "rate", "burst", "latency", "buffer"};
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(names); i++) {
        assert_string_equal(sc_limit_kind_name((sc_limit_kind)i), names[i]);
        assert_int_equal(sc_limit_kind_from_name(names[i]), i);
    }
    assert_int_equal(sc_limit_kind_from_name("bad"), SC_LIMIT_NONE);
    assert_int_equal(sc_limit_kind_from_name(NULL), SC_LIMIT_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_calls_are_refused),
        cmocka_unit_test(a_plan_says_what_it_was_made_of),
        cmocka_unit_test(a_problem_gives_no_counts_unless_trusted),
        cmocka_unit_test(the_player_of_the_measurement_is_the_default),
        cmocka_unit_test(supply_without_more_points_gives_at_least),
        cmocka_unit_test(a_flat_supply_is_extrapolated_and_says_so),
        cmocka_unit_test(counts_end_somewhere),
        cmocka_unit_test(latency_of_one_reader_is_the_pipe),
        cmocka_unit_test(latency_never_contradicts_throughput),
        cmocka_unit_test(a_frame_must_fit_the_buffer),
        cmocka_unit_test(a_stall_costs_streams_and_a_deep_buffer_rides_over_it),
        cmocka_unit_test(beyond_sixteen_seconds_means_decide),
        cmocka_unit_test(the_worst_part_of_a_mix_decides),
        cmocka_unit_test(no_window_of_a_large_mix_is_left_out),
        cmocka_unit_test(a_stream_alone_has_no_others),
        cmocka_unit_test(limit_kinds_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
