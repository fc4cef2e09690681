#include "measure/variation.h"
#include "test.h"

#include <math.h>

enum { STEPS = 150, BLOCK = 1048576 }; /* 3 s */

/* A point whose rate at each moment is known, in whole blocks as they would arrive. */
static sci_variation look(double (*bytes_per_s)(double t))
{
    static int64_t series[STEPS];
    sc_supply_point point = {
        .readers = 4, .series_step_s = 0.02, .series_count = STEPS, .series_bytes = series};
    double owed = 0, all = 0;
    for (size_t i = 0; i < STEPS; i++) {
        owed += bytes_per_s((double)i * 0.02) * 0.02;
        series[i] = (int64_t)(owed / BLOCK) * BLOCK;
        owed -= (double)series[i];
        all += (double)series[i];
    }
    point.mean_bytes_per_s = all / 3;
    return sci_variation_of(&point, BLOCK);
}

static double steady(double t)
{
    (void)t;
    return 105e6;
}

static double noisy(double t)
{
    return 105e6 * (1 + 0.1 * sin(t * 37) + 0.05 * sin(t * 101));
}

static double swinging(double t)
{
    return fmod(t, 1) < 0.5 ? 40e6 : 90e6;
}

static double dropping(double t)
{
    return t < 1.6 ? 200e6 : 60e6;
}

static double ramping(double t)
{
    return 60e6 + 30e6 * t;
}

static double stalling(double t)
{
    return fmod(t, 1.5) < 0.3 ? 0 : 105e6;
}

static double slowly_steady(double t)
{
    (void)t;
    return 35e6;
}

static double slowly_dropping(double t)
{
    return t < 1.6 ? 50e6 : 17e6;
}

static double slow(double t)
{
    (void)t;
    return 3e6; /* 0.35 s a block: no stalls */
}

static void steady_throughput_is_neither_wide_nor_has_a_trend(void **state)
{
    (void)state;
    double (*const rates[])(double) = {steady, noisy, slowly_steady};
    for (size_t i = 0; i < 3; i++) {
        sci_variation seen = look(rates[i]);
        assert_true(seen.known);
        assert_false(sci_variation_is_wide(&seen));
        assert_false(sci_variation_has_trend(&seen));
        assert_int_equal(seen.stalls, 0);
    }
}

static void a_swinging_link_is_wide_without_a_trend(void **state)
{
    (void)state;
    sci_variation seen = look(swinging);
    assert_true(sci_variation_is_wide(&seen));
    assert_false(sci_variation_has_trend(&seen));
}

static void a_drop_in_the_middle_and_a_ramp_are_trends(void **state)
{
    (void)state;
    sci_variation falls = look(dropping), rises = look(ramping);
    assert_true(sci_variation_has_trend(&falls));
    assert_true(falls.trend < 0);
    falls = look(slowly_dropping);
    assert_true(sci_variation_has_trend(&falls) && falls.trend < 0);
    assert_true(sci_variation_has_trend(&rises));
    assert_true(rises.trend > 0.7 && rises.trend < 1); /* 60 to 150 about a mean of 105 */
}

static void stalls_are_counted_and_timed(void **state)
{
    (void)state;
    sci_variation seen = look(stalling);
    assert_int_equal(seen.stalls, 2);
    assert_true(seen.longest_stall_s > 0.25 && seen.longest_stall_s < 0.35);
}

static void few_blocks_tell_nothing(void **state)
{
    (void)state;
    sci_variation seen = look(slow);
    assert_false(seen.known);
    assert_false(sci_variation_is_wide(&seen));
    assert_int_equal(seen.stalls, 0);
    const sc_supply_point none = {0};
    assert_false(sci_variation_of(&none, BLOCK).known);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steady_throughput_is_neither_wide_nor_has_a_trend),
        cmocka_unit_test(a_swinging_link_is_wide_without_a_trend),
        cmocka_unit_test(a_drop_in_the_middle_and_a_ramp_are_trends),
        cmocka_unit_test(stalls_are_counted_and_timed),
        cmocka_unit_test(few_blocks_tell_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
