#include "plan_test.h"

#include <math.h>

static int64_t due(const sc_demand *demand, double window_s)
{
    for (int32_t i = 0; i < demand->curve.count; i++)
        if (fabs(demand->curve.window_s[i] - window_s) < 1e-9)
            return demand->curve.max_bytes[i];
    fail_msg("no window of %g s", window_s);
    return -1;
}

static void a_constant_rate_is_equal_frames_in_closed_windows(void **state)
{
    sc_demand demand = stream("168Mb/s");
    (void)state;
    assert_string_equal(demand.name, "168Mb/s");
    assert_string_equal(demand.clip, "");
    assert_int_equal(demand.bits_per_s, 168000000);
    assert_int_equal(demand.mean_bits_per_s, 168000000);
    assert_int_equal(demand.largest_frame_bytes, 840000);
    assert_int_equal(demand.frame_rate.num, 25);
    assert_true(demand.duration_s < 0);
    assert_false(demand.found);
    assert_int_equal(demand.source, SC_SOURCE_GIVEN);
    assert_int_equal(demand.curve.count, 11);
    assert_int_equal(due(&demand, 0.02), 840000);
    assert_int_equal(due(&demand, 0.04), 2 * 840000);
    assert_int_equal(due(&demand, 0.05), 2 * 840000);
    assert_int_equal(due(&demand, 0.1), 3 * 840000);
    assert_int_equal(due(&demand, 0.2), 6 * 840000);
    assert_int_equal(due(&demand, 1), 26 * 840000);
    assert_int_equal(due(&demand, 16), 401 * 840000);
    for (int32_t i = 1; i < demand.curve.count; i++)
        assert_true(demand.curve.window_s[i] > demand.curve.window_s[i - 1]);
    /* One frame at 50 a second is on the ladder already; at 24000/1001 frames are no whole bytes. */
    assert_int_equal(stream("168Mb/s@50").curve.count, 10);
    demand = stream("100Mb/s@23.976");
    assert_int_equal(demand.largest_frame_bytes, 521355); /* 521354.17 up */
    assert_int_equal(due(&demand, 1), 12512500);          /* 24 frames, exactly */
    /* A frame longer than every window. */
    demand = stream("8Mb/s@0.01");
    assert_int_equal(demand.largest_frame_bytes, 100000000);
    assert_int_equal(due(&demand, 16), 100000000);
}

static void rates_get_a_name(void **state)
{
    sc_demand demand;
    (void)state;
    assert_int_equal(sc_demand_constant(168000000, (sc_rational){0, 0}, &demand, NULL), SC_OK);
    assert_string_equal(demand.name, "168Mb/s");
    assert_int_equal(demand.frame_rate.num, 25);
    assert_int_equal(sc_demand_constant(1500000, (sc_rational){25, 1}, &demand, NULL), SC_OK);
    assert_string_equal(demand.name, "1.5Mb/s");
    assert_int_equal(sc_demand_constant(100, (sc_rational){25, 1}, &demand, NULL), SC_OK);
    assert_string_equal(demand.name, "0.0001Mb/s");
}

static void bad_streams_are_refused(void **state)
{
    static const char *const bad[] = {
        "",       "168",      "@25",           "168Mb/s@", "168Mb/s@0", "168Mb/s@fast", "0Mb/s",
        "-1Mb/s", "2000Tb/s", "168Mb/s@25@25", "1e3Mb/s",  "168 MB",    "168Mb/s@2000"};
    sc_demand demand = {.bits_per_s = 7};
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(bad); i++) {
        sc_error error = {0};
        if (sc_demand_parse(bad[i], &demand, &error) != SC_INVALID_ARGUMENT ||
            strlen(error.message) < 20)
            fail_msg("'%s': %s", bad[i], error.message);
        assert_int_equal(demand.bits_per_s, 7);
    }
    char longer[1000];
    memset(longer, '1', sizeof longer);
    longer[sizeof longer - 1] = '\0';
    assert_int_equal(sc_demand_parse(longer, &demand, NULL), SC_INVALID_ARGUMENT);
    assert_int_equal(sc_demand_parse(NULL, &demand, NULL), SC_INVALID_ARGUMENT);
    static const sc_rational rates[] = {{-25, 1}, {25, 0}, {25, -1}, {0, 1}, {5000, 1}, {1, 5000}};
    for (size_t i = 0; i < SCI_COUNT(rates); i++)
        assert_int_equal(sc_demand_constant(1000, rates[i], &demand, NULL), SC_INVALID_ARGUMENT);
    assert_int_equal(sc_demand_constant(0, (sc_rational){25, 1}, &demand, NULL),
                     SC_INVALID_ARGUMENT);
    assert_int_equal(sc_demand_constant(INT64_MAX, (sc_rational){25, 1}, &demand, NULL),
                     SC_INVALID_ARGUMENT);
    assert_int_equal(sc_demand_constant(1000, (sc_rational){25, 1}, NULL, NULL),
                     SC_INVALID_ARGUMENT);
}

static void windows_in_between_are_bounded_from_above(void **state)
{
    sc_demand demand = {
        .curve = {.count = 3, .window_s = {0.5, 1, 4}, .max_bytes = {60, 100, 250}}};
    (void)state;
    assert_true(sci_demand_bytes(&demand, 1) == 100);
    assert_true(sci_demand_bytes(&demand, 1.5) == 160); /* 1 + 0.5 */
    assert_true(sci_demand_bytes(&demand, 3) == 250);   /* the next longer, not 3 x 1 s */
    assert_true(sci_demand_bytes(&demand, 0.1) == 60);
    assert_true(sci_demand_bytes(&demand, 8) == 500); /* played twice */
    assert_true(sci_demand_bytes(&demand, 8.25) == 560);
    demand.curve.count = 0;
    assert_true(sci_demand_bytes(&demand, 1) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_constant_rate_is_equal_frames_in_closed_windows),
        cmocka_unit_test(rates_get_a_name),
        cmocka_unit_test(bad_streams_are_refused),
        cmocka_unit_test(windows_in_between_are_bounded_from_above),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
