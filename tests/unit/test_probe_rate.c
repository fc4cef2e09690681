#include "probe/media.h"
#include "test.h"

#include <math.h>

enum { FRAMES = 200 };

static sc_rational rate_of(double fps, double ticks_per_s, size_t pause_every, double pause_s)
{
    sci_packet packets[FRAMES] = {0};
    double pauses = 0;
    for (size_t k = 0; k < FRAMES; k++) {
        if (pause_every && k && k % pause_every == 0)
            pauses += pause_s;
        packets[k].time = llround(((double)k / fps + pauses) * ticks_per_s);
    }
    return sci_rate_of_most(packets, FRAMES, 1 / ticks_per_s, NULL);
}

static void assert_rate(sc_rational rate, int64_t num, int64_t den)
{
    assert_int_equal(rate.num, num);
    assert_int_equal(rate.den, den);
}

static void pauses_do_not_change_the_rate(void **state)
{
    (void)state;
    assert_rate(rate_of(25, 12800, 50, 0.005), 25, 1);
    assert_rate(rate_of(24000 / 1001.0, 90000, 40, 0.2), 24000, 1001);
    assert_rate(rate_of(14.587, 90000, 100, 1), 14587, 1000);
}

static void rounded_times_are_seen_through(void **state)
{
    (void)state;
    assert_rate(rate_of(30000 / 1001.0, 1000, 70, 0.1), 30000, 1001);
    assert_rate(rate_of(24000 / 1001.0, 1000, 70, 0.1), 24000, 1001);
    assert_rate(rate_of(60, 1000, 70, 0.1), 60, 1);
}

static void times_without_a_rate_have_none(void **state)
{
    (void)state;
    assert_rate(rate_of(25, 12800, 5, 0.02), 0, 0);
    assert_rate(sci_rate_of_most(NULL, 0, 0.04, NULL), 0, 0);
    sci_packet still[3] = {0};
    assert_rate(sci_rate_of_most(still, 3, 0.04, NULL), 0, 0);
}

static void a_rounded_period_has_its_exact_rate(void **state)
{
    static const int rounding_ns[] = {1, 10, 100};
    (void)state;
    for (int i = 1; i <= 240; i++)
        for (size_t k = 0; k < SCI_COUNT(rounding_ns); k++) {
            const double unit = rounding_ns[k], whole = 1e9 / i / unit, ntsc = whole * 1.001;
            assert_rate(sci_rate_of_period((int64_t)(floor(whole) * unit)), i, 1);
            assert_rate(sci_rate_of_period((int64_t)(ceil(whole) * unit)), i, 1);
            if (i % 3)
                continue;
            assert_rate(sci_rate_of_period((int64_t)(floor(ntsc) * unit)), 1000 * i, 1001);
            assert_rate(sci_rate_of_period((int64_t)(ceil(ntsc) * unit)), 1000 * i, 1001);
        }
    assert_rate(sci_rate_of_period(33366700), 30000, 1001);
    assert_rate(sci_rate_of_period(16683350), 60000, 1001);
    assert_rate(sci_rate_of_period(41708375), 24000, 1001);
}

static void other_periods_have_no_such_rate(void **state)
{
    (void)state;
    assert_rate(sci_rate_of_period(33366800), 0, 0);
    assert_rate(sci_rate_of_period(40040040), 0, 0); /* 24.975, not 25000/1001 */
    assert_rate(sci_rate_of_period(33350000), 0, 0); /* between 30 and 29.97 */
    assert_rate(sci_rate_of_period(1000000000 / 14.587), 0, 0);
    assert_rate(sci_rate_of_period(2000000000), 0, 0); /* half a frame a second */
    assert_rate(sci_rate_of_period(500000), 0, 0);
    assert_rate(sci_rate_of_period(1), 0, 0);
    assert_rate(sci_rate_of_period(0), 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pauses_do_not_change_the_rate),
        cmocka_unit_test(rounded_times_are_seen_through),
        cmocka_unit_test(times_without_a_rate_have_none),
        cmocka_unit_test(a_rounded_period_has_its_exact_rate),
        cmocka_unit_test(other_periods_have_no_such_rate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
