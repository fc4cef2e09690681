#include "plan_test.h"

#include <math.h>

static sci_supply supply_of(const sc_storage *storage, const sc_link *link, double reserve)
{
    sci_supply supply;
    sc_error error = {0};
    if (sci_supply_init(&supply, storage, link, reserve, &error) != SC_OK)
        fail_msg("%s", error.message);
    return supply;
}

static sci_supply_at at(const sci_supply *supply, int64_t n)
{
    sci_supply_at at;
    assert_true(sci_supply_seek(supply, n, &at));
    return at;
}

static void assert_near(double a, double b)
{
    if (!(fabs(a - b) <= 1e-6 * fmax(1, fabs(b))))
        fail_msg("%.9g is not %.9g", a, b);
}

static void a_bare_rate_is_exact_for_any_n_and_window(void **state)
{
    struct bare bare;
    sci_supply supply = supply_of(bare_rate(&bare, "83MB/s"), NULL, 0);
    (void)state;
    assert_int_equal(at(&supply, 1).bits_per_s, 664000000);
    assert_int_equal(at(&supply, 1000000).bits_per_s, 664000000);
    sci_supply_at one = at(&supply, 7);
    assert_near(sci_supply_window(&one, 0.001).bytes, 83000);
    assert_near(sci_supply_window(&one, 100).bytes, 8.3e9);
    assert_int_equal(sci_supply_measured(&supply), 0);
}

static void a_link_that_swings_gives_its_worst_windows(void **state)
{
    sc_link link = {.name = "wifi",
                    .payload_bits_per_s = 400000000,
                    .window_count = 2,
                    .window_s = {1, 2},
                    .worst_window_bytes = {20000000, 50000000}};
    (void)state;
    sci_supply supply = supply_of(NULL, &link, 0);
    const sci_supply_at one = at(&supply, 1);
    assert_int_equal(one.bits_per_s, 400000000);
    assert_near(sci_supply_window(&one, 0.5).bytes, 10e6);
    assert_near(sci_supply_window(&one, 1).bytes, 20e6);
    assert_near(sci_supply_window(&one, 2).bytes, 50e6);
    assert_near(sci_supply_window(&one, 7.5).bytes, 3 * 50e6 + 20e6 + 10e6);
    link.worst_window_bytes[1] = 19999999;
    sc_error error = {0};
    assert_int_equal(sci_supply_init(&supply, NULL, &link, 0, &error), SC_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "wifi"));
}

static void decimal_reserves_are_exact(void **state)
{
    struct bare bare;
    (void)state;
    for (int percent = 0; percent <= 95; percent++) {
        sci_supply supply = supply_of(bare_rate(&bare, "1000Mb/s"), NULL, percent / 100.0);
        assert_int_equal(at(&supply, 1).bits_per_s, 10000000LL * (100 - percent));
        assert_int_equal(at(&supply, 1).all_bits_per_s, 1000000000);
    }
}

static void points_are_joined_in_log2_n(void **state)
{
    const sc_supply_point points[] = {steady_point(1, 100e6, 0.5), steady_point(2, 200e6, 1),
                                      steady_point(8, 120e6, 1)};
    sc_storage storage = measured(points, 3);
    sci_supply supply = supply_of(&storage, NULL, 0);
    (void)state;
    assert_int_equal(at(&supply, 1).bits_per_s, 800000000);
    assert_int_equal(at(&supply, 2).bits_per_s, 1600000000);
    assert_int_equal(at(&supply, 4).bits_per_s, 1280000000); /* half way from 2 to 8 */
    assert_int_equal(at(&supply, 8).bits_per_s, 960000000);
    sci_supply_at four = at(&supply, 4);
    assert_near(sci_supply_window(&four, 1).bytes, 160e6);
    assert_int_equal(supply.peak_bits_per_s, 1600000000);
    sci_supply_at beyond;
    assert_false(sci_supply_seek(&supply, 9, &beyond));
    assert_false(sci_supply_seek(&supply, 0, &beyond));
}

static void a_flat_end_is_carried_on(void **state)
{
    static const struct {
        double rates[4];
        size_t count;
        bool flat;
    } cases[] = {{{50e6, 100e6, 102e6, 98e6}, 4, true},  {{50e6, 100e6, 106e6, 98e6}, 4, false},
                 {{100e6, 100e6, 100e6}, 3, true},       {{100e6, 100e6}, 2, false},
                 {{50e6, 60e6, 100e6, 100e6}, 4, false}, {{0, 0, 0, 0}, 4, false}};
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(cases); i++) {
        sc_supply_point points[4];
        for (size_t p = 0; p < cases[i].count; p++)
            points[p] = steady_point(1 << p, cases[i].rates[p], 1);
        sc_storage storage = measured(points, cases[i].count);
        sci_supply supply = supply_of(&storage, NULL, 0);
        sci_supply_at beyond;
        assert_int_equal(sci_supply_seek(&supply, 5000, &beyond), cases[i].flat);
        if (cases[i].flat)
            assert_int_equal(beyond.bits_per_s,
                             (int64_t)(8 * points[cases[i].count - 1].mean_bytes_per_s));
    }
}

static void windows_tile_and_go_on_at_the_low_rate(void **state)
{
    sc_supply_point point = steady_point(1, 100, 1);
    const double windows[] = {0.01, 0.1, 0.5, 1};
    const int64_t worst[] = {0, 4, 30, 80};
    point.window_count = 4;
    memcpy(point.window_s, windows, sizeof windows);
    memcpy(point.worst_window_bytes, worst, sizeof worst);
    point.p05_bytes_per_s = 90;
    sc_storage storage = measured(&point, 1);
    sci_supply supply = supply_of(&storage, NULL, 0);
    sci_supply_at one = at(&supply, 1);
    (void)state;
    assert_near(sci_supply_window(&one, 1).bytes, 80);
    assert_near(sci_supply_window(&one, 0.7).bytes, 38); /* 0.5 + 2 x 0.1 */
    assert_near(sci_supply_window(&one, 0.05).bytes, 0);
    assert_near(sci_supply_window(&one, 3).bytes, 80 + 90 * 2);
    /* Never above the mean; without a low rate on as from 0.5 to 1 s, of one window by tiles. */
    point.p05_bytes_per_s = 1000;
    assert_near(sci_supply_window(&one, 3).bytes, 300);
    point.p05_bytes_per_s = -1;
    assert_near(sci_supply_window(&one, 3.5).bytes, 80 + 100 * 2.5);
    point.window_count = 1;
    assert_near(sci_supply_window(&one, 3.5).bytes, 0);
    point.window_count = 0;
    assert_near(sci_supply_window(&one, 3.5).bytes, 350);
    /* A window shorter than a step of the series says nothing. */
    point = steady_point(1, 100, 1);
    point.window_count = 1;
    point.series_step_s = 0.05;
    assert_near(point.window_s[0], 0.02);
    point.worst_window_bytes[0] = 2;
    assert_near(sci_supply_window(&one, 0.02).bytes, 0);
}

static void a_link_takes_its_payload_and_its_round_trip(void **state)
{
    struct bare bare;
    sc_link link = link_of("80Mb/s,rtt=100ms");
    sci_supply supply = supply_of(bare_rate(&bare, "110MB/s"), &link, 0.5);
    sci_supply_at five = at(&supply, 5);
    (void)state;
    assert_int_equal(five.bits_per_s, 40000000);
    assert_true(five.by_link);
    assert_near(sci_supply_window(&five, 1).bytes, 0.9 * 5e6);
    assert_near(sci_supply_window(&five, 0.05).bytes, 0);
    assert_true(sci_supply_window(&five, 1).by_link);
    supply = supply_of(NULL, &link, 0);
    assert_int_equal(at(&supply, 5).bits_per_s, 80000000);
    assert_int_equal(supply.peak_bits_per_s, 80000000);
}

static void fewer_readers_than_measured_get_their_part(void **state)
{
    const sc_supply_point points[] = {steady_point(4, 400e6, 1), steady_point(8, 500e6, 1)};
    sc_storage storage = measured(points, 2);
    sci_supply supply = supply_of(&storage, NULL, 0);
    sci_supply_at one = at(&supply, 1);
    (void)state;
    assert_int_equal(one.bits_per_s, 800000000);
    assert_near(sci_supply_window(&one, 1).bytes, 100e6);
    assert_int_equal(at(&supply, 3).bits_per_s, 2400000000);
}

enum damage {
    NO_POINTS,
    UNSORTED,
    NO_READERS,
    MANY_READERS,
    NEGATIVE,
    NOT_A_NUMBER,
    INFINITE,
    LOW_NAN,
    LATENCY_NAN,
    STEP_NEGATIVE,
    WINDOWS_FALL,
    WINDOW_ZERO,
    WINDOW_NAN,
    WINDOWS_MANY,
    WINDOWS_NEGATIVE,
    BYTES_FALL,
    BYTES_NEGATIVE,
    BYTES_ABOVE_MEAN,
    DAMAGES
};

static void break_storage(sc_storage *storage, sc_supply_point *points, enum damage damage)
{
    switch (damage) {
    case NO_POINTS:
        storage->point_count = 0;
        break;
    case UNSORTED:
        points[1].readers = 1;
        break;
    case NO_READERS:
        points[0].readers = 0;
        break;
    case MANY_READERS:
        points[1].readers = INT32_MAX;
        break;
    case NEGATIVE:
        points[1].mean_bytes_per_s = -1;
        break;
    case NOT_A_NUMBER:
        points[0].mean_bytes_per_s = NAN;
        break;
    case INFINITE:
        points[0].mean_bytes_per_s = INFINITY;
        break;
    case LOW_NAN:
        points[0].p05_bytes_per_s = NAN;
        break;
    case LATENCY_NAN:
        points[0].latency_p50_s = NAN;
        break;
    case STEP_NEGATIVE:
        points[0].series_step_s = -0.02;
        break;
    case WINDOWS_FALL:
        points[1].window_s[2] = 0.05;
        break;
    case WINDOW_ZERO:
        points[0].window_s[0] = 0;
        break;
    case WINDOW_NAN:
        points[0].window_s[1] = NAN;
        break;
    case WINDOWS_MANY:
        points[0].window_count = SC_WINDOWS_MAX + 1;
        break;
    case WINDOWS_NEGATIVE:
        points[0].window_count = -1;
        break;
    case BYTES_FALL:
        points[1].worst_window_bytes[3] = 1;
        break;
    case BYTES_NEGATIVE:
        points[1].worst_window_bytes[0] = -1;
        break;
    default:
        points[0].worst_window_bytes[6] = INT64_MAX;
    }
}

static void malformed_supply_is_invalid_data(void **state)
{
    (void)state;
    for (int damage = 0; damage < DAMAGES; damage++) {
        sc_supply_point points[] = {steady_point(1, 100e6, 0.9), steady_point(2, 120e6, 0.9)};
        sc_storage storage = measured(points, 2);
        sc_demand demand = stream("168Mb/s");
        sc_plan_params params = {.demands = &demand, .demand_count = 1, .storage = &storage};
        sc_plan *plan = NULL;
        sc_error error = {0};
        bool admitted;
        int64_t count = 1;
        break_storage(&storage, points, (enum damage)damage);
        if (sc_plan_solve(&params, &plan, &error) != SC_INVALID_DATA)
            fail_msg("damage %d: %s", damage, error.message);
        assert_null(plan);
        assert_non_null(strstr(error.message, "/mnt/nas"));
        assert_int_equal(sc_plan_admits(&params, &count, &admitted, NULL, NULL), SC_INVALID_DATA);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bare_rate_is_exact_for_any_n_and_window),
        cmocka_unit_test(a_link_that_swings_gives_its_worst_windows),
        cmocka_unit_test(decimal_reserves_are_exact),
        cmocka_unit_test(points_are_joined_in_log2_n),
        cmocka_unit_test(a_flat_end_is_carried_on),
        cmocka_unit_test(windows_tile_and_go_on_at_the_low_rate),
        cmocka_unit_test(a_link_takes_its_payload_and_its_round_trip),
        cmocka_unit_test(fewer_readers_than_measured_get_their_part),
        cmocka_unit_test(malformed_supply_is_invalid_data),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
