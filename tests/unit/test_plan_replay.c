#include "plan/replay.h"

#include "plan_test.h"
#include <streamcalc/report.h>

#include <math.h>
#include <stdlib.h>

/* ---- demand ---- */

static void equal_frames_are_due_one_after_the_other(void **state)
{
    sci_arena *arena = sci_arena_new();
    sc_demand demand = stream("200Mb/s"); /* 25 frames of 1 MB a second */
    sci_cadence cadence;
    (void)state;
    assert_true(sci_cadence_make(&cadence, &demand, arena));
    assert_true(sci_cadence_due(&cadence, 0, -0.01) == 0);
    assert_true(sci_cadence_due(&cadence, 0, 0) == 1e6);
    assert_true(sci_cadence_due(&cadence, 0, 0.039) == 1e6);
    assert_true(sci_cadence_due(&cadence, 0, 0.04) == 2e6);
    assert_true(sci_cadence_due(&cadence, 0, 10) == 251e6);
    sci_arena_free(&arena);
}

static void a_trace_goes_round_from_any_frame(void **state)
{
    static const int64_t bytes[] = {100, 1, 10};
    sci_arena *arena = sci_arena_new();
    sc_demand demand = stream("1Mb/s");
    sci_cadence cadence;
    (void)state;
    demand.trace = (sc_trace){.step_s = 0.04, .count = 3, .bytes = bytes};
    assert_true(sci_cadence_make(&cadence, &demand, arena));
    assert_true(sci_cadence_due(&cadence, 1, 0) == 1);
    assert_true(sci_cadence_due(&cadence, 1, 0.08) == 111);
    assert_true(sci_cadence_due(&cadence, 1, 0.2) == 222);
    sci_arena_free(&arena);
}

static void steps_of_several_frames_are_due_evenly(void **state)
{
    static const int64_t bytes[] = {100, 300};
    sci_arena *arena = sci_arena_new();
    sc_demand demand = stream("1Mb/s");
    sci_cadence cadence;
    (void)state;
    demand.trace = (sc_trace){.step_s = 0.4, .count = 2, .bytes = bytes};
    assert_true(sci_cadence_make(&cadence, &demand, arena));
    assert_true(fabs(sci_cadence_due(&cadence, 0, 0.2) - 50) < 0.01);
    assert_true(fabs(sci_cadence_due(&cadence, 0, 0.6) - 250) < 0.01);
    sci_arena_free(&arena);
}

/* ---- counts ---- */

/* A store that was measured with 1 to 16 readers; it may stand still for a part of its series. */
struct store {
    sc_supply_point points[5];
    int64_t series[5][100];
    sc_storage storage;
};

static void make_store(struct store *store, double bytes_per_s, size_t still_steps)
{
    *store = (struct store){.storage = {.path = "", .name = "store", .cache_reason = ""}};
    for (size_t i = 0; i < SCI_COUNT(store->points); i++) {
        sc_supply_point *point = &store->points[i];
        const double moving = 100.0 / (100 - (double)still_steps);
        for (size_t k = 0; k < 100; k++)
            store->series[i][k] = k < still_steps ? 0 : (int64_t)(bytes_per_s * 0.02 * moving);
        *point = (sc_supply_point){.readers = 1 << i,
                                   .mean_bytes_per_s = bytes_per_s,
                                   .median_bytes_per_s = bytes_per_s,
                                   .p05_bytes_per_s = bytes_per_s,
                                   .latency_p50_s = 0.001,
                                   .series_step_s = 0.02,
                                   .series_count = 100,
                                   .series_bytes = store->series[i]};
    }
    store->storage.points = store->points;
    store->storage.point_count = SCI_COUNT(store->points);
    assert_int_equal(sc_player_parse("normal", &store->storage.player, NULL), SC_OK);
}

static int64_t expected_of(const sc_storage *storage, const sc_demand *demand, const char *player,
                           uint64_t seed)
{
    sc_plan_params params = {
        .demands = demand, .demand_count = 1, .storage = storage, .seed = seed};
    assert_int_equal(sc_player_parse(player, &params.player, NULL), SC_OK);
    sc_plan *plan = solve(&params);
    const int64_t expected = plan->answers[0].expected;
    sc_plan_free(&plan);
    return expected;
}

static void a_steady_store_plays_what_its_rate_allows(void **state)
{
    struct store store;
    const sc_demand demand = stream("168Mb/s");
    (void)state;
    make_store(&store, 100e6, 0);
    assert_int_equal(expected_of(&store.storage, &demand, "normal", 1), 4);
    make_store(&store, 300e6, 0);
    assert_int_equal(expected_of(&store.storage, &demand, "normal", 1), 14);
}

/* Half a second of nothing: a second of read-ahead bridges it, a third of a second does not. */
static void a_stall_stops_those_who_hold_less(void **state)
{
    struct store store;
    const sc_demand demand = stream("100Mb/s");
    (void)state;
    make_store(&store, 200e6, 25);
    assert_true(expected_of(&store.storage, &demand, "normal", 1) >= 10);
    assert_int_equal(expected_of(&store.storage, &demand, "tight", 1), 0);
}

/* Streams whose bursts do not meet: more than their peaks added up would allow, fewer than their means. */
static void bursts_that_do_not_meet_share(void **state)
{
    static int64_t bytes[1000];
    struct store store;
    sc_demand demand = stream("80Mb/s");
    (void)state;
    for (size_t i = 0; i < 1000; i++) /* 4 s of 30 MB/s in 40 s of 7.8 */
        bytes[i] = i < 100 ? 1200000 : 200000;
    demand.trace = (sc_trace){.step_s = 0.04, .count = 1000, .bytes = bytes};
    make_store(&store, 150e6, 0);
    const int64_t expected = expected_of(&store.storage, &demand, "normal", 1);
    assert_in_range(expected, 6, 18);
}

static void the_same_seed_gives_the_same_count(void **state)
{
    struct store store;
    const sc_demand demand = stream("50Mb/s");
    (void)state;
    make_store(&store, 120e6, 10);
    const int64_t once = expected_of(&store.storage, &demand, "small-reads", 7);
    assert_int_equal(expected_of(&store.storage, &demand, "small-reads", 7), once);
}

/* 256 KiB each 15 ms are 17.5 MB/s. */
static void one_read_in_flight_over_a_round_trip_is_a_limit(void **state)
{
    struct bare bare;
    sc_link link;
    const sc_demand fits = stream("130Mb/s"), too_fast = stream("150Mb/s");
    sc_plan_params params = {
        .demand_count = 1, .storage = bare_rate(&bare, "1GB/s"), .link = &link};
    const sc_demand *demands[] = {&fits, &too_fast};
    (void)state;
    assert_int_equal(sc_link_open("10gbe,rtt=15ms", &link, NULL), SC_OK);
    assert_int_equal(
        sc_player_parse("block=256KiB,in-flight=1,read-ahead=1s", &params.player, NULL), SC_OK);
    for (size_t i = 0; i < 2; i++) {
        params.demands = demands[i];
        sc_plan *plan = solve(&params);
        assert_int_equal(plan->answers[0].expected > 0, i == 0);
        sc_plan_free(&plan);
    }
}

/* 64 streams stand for all of them. */
static void thousands_of_streams_are_counted_as_well(void **state)
{
    struct bare bare;
    const sc_demand demand = stream("8Mb/s");
    const sc_storage *storage = bare_rate(&bare, "10GB/s");
    (void)state;
    assert_int_equal(expected_of(storage, &demand, "normal", 1), 10000);
}

static void no_draws_no_expected_count(void **state)
{
    struct bare bare;
    const sc_demand demand = stream("8Mb/s");
    sc_plan_params params = {
        .demands = &demand, .demand_count = 1, .storage = bare_rate(&bare, "10GB/s"), .draws = -1};
    sc_plan *plan = solve(&params);
    (void)state;
    assert_int_equal(plan->answers[0].expected, SC_UNKNOWN);
    sc_plan_free(&plan);
    params.draws = 10001;
    assert_int_equal(sc_plan_solve(&params, &plan, NULL), SC_INVALID_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_frames_are_due_one_after_the_other),
        cmocka_unit_test(a_trace_goes_round_from_any_frame),
        cmocka_unit_test(steps_of_several_frames_are_due_evenly),
        cmocka_unit_test(a_steady_store_plays_what_its_rate_allows),
        cmocka_unit_test(a_stall_stops_those_who_hold_less),
        cmocka_unit_test(bursts_that_do_not_meet_share),
        cmocka_unit_test(the_same_seed_gives_the_same_count),
        cmocka_unit_test(one_read_in_flight_over_a_round_trip_is_a_limit),
        cmocka_unit_test(thousands_of_streams_are_counted_as_well),
        cmocka_unit_test(no_draws_no_expected_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
