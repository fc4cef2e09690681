#include "measure/curve.h"
#include "test.h"

#include <math.h>

static const sci_measure_settings usual = {
    .lowest_stream_bits_per_s = 64000000, .max_readers = 64, .seconds = 24, .warm_up_s = 0.5};

enum { POINTS_MAX = 32 };

struct run {
    size_t count;
    sc_supply_point points[POINTS_MAX];
    double elapsed_s;
};

/* Play the schedule against a storage of which X(n) is known. */
static struct run simulate(const sci_measure_settings *params, double (*rate)(int32_t n))
{
    struct run run = {0};
    for (;;) {
        sci_curve_step step = sci_curve_next(params, run.points, run.count, run.elapsed_s);
        if (step.readers == 0 || step.seconds < sci_curve_shortest_s(params))
            return run;
        assert_true(run.count < POINTS_MAX);
        run.points[run.count++] = (sc_supply_point){.readers = step.readers,
                                                    .mean_bytes_per_s = rate(step.readers),
                                                    .seconds = step.seconds};
        run.elapsed_s += step.seconds + fmax(0, params->warm_up_s) + 0.16;
    }
}

static double flat(int32_t n)
{
    (void)n;
    return 110e6;
}

static double slow(int32_t n)
{
    (void)n;
    return 5e6;
}

static double scaling(int32_t n)
{
    return 60e6 * n;
}

static double falling(int32_t n)
{
    return 150e6 / n;
}

static double fast_with_a_late_knee(int32_t n)
{
    return fmin(2e9, 400e6 * n);
}

static void points_double_up_to_the_first_above_the_naive_count(void **state)
{
    static const struct {
        double (*rate)(int32_t n);
        int32_t last;
        size_t count;
    } cases[] = {{flat, 16, 5}, {slow, 1, 1}, {falling, 32, 6}, {fast_with_a_late_knee, 64, 7}};
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(cases); i++) {
        struct run run = simulate(&usual, cases[i].rate);
        assert_int_equal(run.count, cases[i].count);
        assert_int_equal(run.points[run.count - 1].readers, cases[i].last);
        for (size_t k = 0; k < run.count; k++)
            assert_int_equal(run.points[k].readers, 1 << k);
    }
}

static void the_whole_stays_in_its_time(void **state)
{
    static double (*const rates[])(int32_t n) = {flat, slow, scaling, falling,
                                                 fast_with_a_late_knee};
    static const double seconds[] = {1, 2, 6, 24, 60, 3600};
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(rates); i++)
        for (size_t k = 0; k < SCI_COUNT(seconds); k++) {
            sci_measure_settings params = usual;
            params.seconds = seconds[k];
            params.warm_up_s = fmin(0.5, seconds[k] / 10);
            struct run run = simulate(&params, rates[i]);
            assert_true(run.count >= 1);
            assert_true(run.elapsed_s <= params.seconds * 1.02);
        }
}

static void early_points_and_the_knee_get_four_seconds(void **state)
{
    struct run run = simulate(&usual, flat);
    (void)state;
    assert_true(run.points[0].seconds >= 4 && run.points[1].seconds >= 4);
    for (size_t i = 2; i < run.count; i++)
        assert_true(run.points[i].seconds >= 1.5);
    run = simulate(&usual, fast_with_a_late_knee);
    assert_true(run.points[0].seconds >= 4 && run.points[1].seconds >= 3.9);
    for (size_t i = 2; i < run.count; i++)
        assert_true(run.points[i].seconds >= 1);
}

static void the_largest_number_of_readers_is_kept(void **state)
{
    sci_measure_settings params = usual;
    (void)state;
    params.max_readers = 10;
    struct run run = simulate(&params, scaling);
    assert_int_equal(run.count, 5);
    assert_int_equal(run.points[3].readers, 8);
    assert_int_equal(run.points[4].readers, 10);
    params.max_readers = 1;
    assert_int_equal(simulate(&params, scaling).count, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_double_up_to_the_first_above_the_naive_count),
        cmocka_unit_test(the_whole_stays_in_its_time),
        cmocka_unit_test(early_points_and_the_knee_get_four_seconds),
        cmocka_unit_test(the_largest_number_of_readers_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
