#include "io/recorder.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>

static const int64_t MS = 1000000;

static void quantiles_are_within_the_stated_error(void **state)
{
    static const int64_t values[] = {0,     1,          63,         64,           127,
                                     128,   129,        1000,       65535,        1000001,
                                     99999, 2147483647, 4294967296, 999999999999, INT64_MAX / 2};
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(values); i++) {
        sci_histogram *histogram = calloc(1, sizeof *histogram);
        assert_non_null(histogram);
        assert_int_equal(sci_histogram_quantile(histogram, 0.5), -1);
        sci_histogram_add(histogram, values[i]);
        sci_histogram_add(histogram, INT64_MAX);
        double found = (double)sci_histogram_quantile(histogram, 0.5);
        assert_true(fabs(found - (double)values[i]) <= (double)values[i] / 128);
        assert_int_equal(sci_histogram_count(histogram), 2);
        free(histogram);
    }
}

static void quantiles_of_a_known_distribution(void **state)
{
    sci_histogram *histogram = calloc(1, sizeof *histogram);
    (void)state;
    for (int64_t i = 1; i <= 1000; i++)
        sci_histogram_add(histogram, i * MS);
    static const double quantiles[] = {0.5, 0.95, 0.99, 0.999, 1};
    for (size_t i = 0; i < SCI_COUNT(quantiles); i++) {
        double expected = quantiles[i] * 1000 * (double)MS;
        double found = (double)sci_histogram_quantile(histogram, quantiles[i]);
        assert_true(fabs(found - expected) <= expected / 100);
    }
    assert_int_equal(atomic_load(&histogram->max), 1000 * MS);
    free(histogram);
}

/* The slow way, to compare with. */
static int ascending(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

static void window_quantiles_are_those_of_sorted_sums(void **state)
{
    enum { COUNT = 500 };
    int64_t values[COUNT], sums[COUNT], expected[COUNT];
    uint32_t seed = 12345;
    (void)state;
    for (int trial = 0; trial < 50; trial++) {
        for (size_t i = 0; i < COUNT; i++) {
            seed = seed * 1664525 + 1013904223;
            values[i] = (seed >> 16) % (trial % 3 == 0 ? 3 : 1000);
        }
        for (size_t width = 1; width <= COUNT; width += 83) {
            size_t windows = COUNT - width + 1;
            for (size_t i = 0; i < windows; i++) {
                expected[i] = 0;
                for (size_t k = 0; k < width; k++)
                    expected[i] += values[i + k];
            }
            qsort(expected, windows, sizeof *expected, ascending);
            static const double quantiles[] = {0, 0.01, 0.05, 0.5, 1};
            for (size_t k = 0; k < SCI_COUNT(quantiles); k++)
                assert_int_equal(sci_window_quantile(values, COUNT, width, quantiles[k], sums),
                                 expected[(size_t)(quantiles[k] * (double)(windows - 1))]);
        }
    }
}

/* 1 MB each 10 ms for 8 s, but nothing from 3.0 to 3.3 s. */
static sci_recorder *with_a_stall(void)
{
    sci_recorder *recorder = sci_recorder_new(8);
    assert_non_null(recorder);
    sci_recorder_begin(recorder, 1000 * MS);
    for (int64_t t = 0; t < 12000; t += 10)
        if (t < 4000 || t >= 4300)
            sci_recorder_arrival(recorder, t * MS + 5 * MS, 1000000);
    return recorder;
}

static void a_stall_shows_in_windows_series_and_gap(void **state)
{
    sci_recorder *recorder = with_a_stall();
    sci_arena *arena = sci_arena_new();
    sc_supply_point point;
    (void)state;
    sci_recorder_latency(recorder, 500 * MS, 77 * MS);
    for (int i = 0; i < 100; i++)
        sci_recorder_latency(recorder, 2000 * MS, 4 * MS);
    assert_int_equal(sci_recorder_point(recorder, arena, &point, NULL), SC_OK);

    assert_true(point.seconds == 8);
    assert_true(point.mean_bytes_per_s == 770e6 / 8);
    assert_true(point.median_bytes_per_s == 100e6);
    assert_true(point.p05_bytes_per_s == 70e6);
    assert_true(fabs(point.longest_gap_s - 0.31) < 1e-9);
    assert_int_equal(point.samples, 100);
    assert_true(fabs(point.latency_p99_s - 0.004) <= 0.004 / 128);
    assert_true(point.latency_max_s == 0.004);

    assert_int_equal(point.series_count, 400);
    assert_int_equal(point.series_bytes[0], 2000000);
    assert_int_equal(point.series_bytes[150], 0);
    assert_int_equal(point.series_bytes[165], 2000000);

    static const int64_t expected[] = {0, 0, 0, 0, 20000000, 70000000, 170000000};
    assert_int_equal(point.window_count, 7);
    for (int32_t i = 0; i < point.window_count; i++) {
        assert_true(point.window_s[i] == sci_windows_s[i]);
        assert_int_equal(point.worst_window_bytes[i], expected[i]);
    }
    sci_recorder_free(&recorder);
    sci_arena_free(&arena);
}

static void a_rare_stall_falls_out_of_the_one_percent_quantile(void **state)
{
    /* 40 ms of nothing in 20 s: seen by no more than 1 % of the windows of 20 ms. */
    sci_recorder *recorder = sci_recorder_new(20);
    sci_arena *arena = sci_arena_new();
    sc_supply_point point;
    (void)state;
    sci_recorder_begin(recorder, 0);
    for (int64_t t = 0; t < 20000; t += 10)
        if (t < 9000 || t >= 9040)
            sci_recorder_arrival(recorder, t * MS, 1000000);
    assert_int_equal(sci_recorder_point(recorder, arena, &point, NULL), SC_OK);
    assert_int_equal(point.worst_window_bytes[0], 2000000 - 4000);
    assert_int_equal(point.worst_window_bytes[4], 46000000);
    for (int32_t i = 0; i + 1 < point.window_count; i++)
        assert_true(point.worst_window_bytes[i] <= point.worst_window_bytes[i + 1]);
    sci_recorder_free(&recorder);
    sci_arena_free(&arena);
}

static void windows_ascend_and_stay_below_the_mean(void **state)
{
    uint32_t seed = 99;
    (void)state;
    for (int trial = 0; trial < 40; trial++) {
        sci_recorder *recorder = sci_recorder_new(0.5 + trial * 0.35);
        sci_arena *arena = sci_arena_new();
        sc_supply_point point;
        sci_recorder_begin(recorder, 0);
        for (int64_t t = 0; t < recorder->end_ns;) {
            seed = seed * 1664525 + 1013904223;
            sci_recorder_arrival(recorder, t, seed >> 12);
            t += (seed >> 8) % (uint32_t)(40 * MS);
        }
        assert_int_equal(sci_recorder_point(recorder, arena, &point, NULL), SC_OK);
        for (int32_t i = 0; i < point.window_count; i++) {
            assert_true((double)point.worst_window_bytes[i] <=
                        point.mean_bytes_per_s * point.window_s[i]);
            assert_true(point.window_s[i] * 4 <= point.seconds + 1e-9);
            assert_true(i == 0 || point.worst_window_bytes[i] >= point.worst_window_bytes[i - 1]);
        }
        double bits = point.mean_bytes_per_s * 8;
        assert_true(bits == round(bits));
        sci_recorder_free(&recorder);
        sci_arena_free(&arena);
    }
}

static void nothing_outside_of_the_timed_part_counts(void **state)
{
    sci_recorder *recorder = sci_recorder_new(1);
    sci_arena *arena = sci_arena_new();
    sc_supply_point point;
    (void)state;
    sci_recorder_begin(recorder, 500 * MS);
    sci_recorder_arrival(recorder, 499 * MS, 1);
    sci_recorder_arrival(recorder, 1500 * MS, 2);
    sci_recorder_latency(recorder, 1500 * MS, 1001 * MS);
    sci_recorder_latency(recorder, 1502 * MS, 2 * MS);
    assert_true(sci_recorder_rate(recorder, 499 * MS) < 0);
    assert_int_equal(sci_recorder_point(recorder, arena, &point, NULL), SC_OK);
    assert_true(point.mean_bytes_per_s == 0);
    assert_true(point.latency_p50_s < 0);
    assert_true(point.latency_max_s < 0);
    assert_true(point.longest_gap_s == 1);
    sci_recorder_free(&recorder);
    sci_arena_free(&arena);
}

/* 16 reads of 1 MB begin and end together every 160 ms, which is 100 MB/s wherever the timed part of
   0.5 s lies; whole reads would be 96 or 128 MB/s. */
static void reads_across_an_end_count_by_their_share_of_time(void **state)
{
    sci_arena *arena = sci_arena_new();
    (void)state;
    for (int64_t start = 0; start < 160; start += 7) {
        sci_recorder *recorder = sci_recorder_new(0.5);
        sc_supply_point point;
        assert_non_null(recorder);
        sci_recorder_begin(recorder, (160 + start) * MS);
        for (int64_t t = 160; t <= 960; t += 160)
            for (int i = 0; i < 16; i++) {
                sci_recorder_arrival(recorder, t * MS, 1000000);
                sci_recorder_span(recorder, (t - 160) * MS, t * MS, 1000000);
            }
        assert_int_equal(sci_recorder_point(recorder, arena, &point, NULL), SC_OK);
        assert_true(fabs(point.mean_bytes_per_s - 100e6) < 100);
        sci_recorder_free(&recorder);
    }
    sci_arena_free(&arena);
}

/* Those that are slower than the run is long are what a maximum is for. */
static void a_slow_read_counts_where_it_began(void **state)
{
    sci_recorder *recorder = sci_recorder_new(1);
    sci_arena *arena = sci_arena_new();
    sc_supply_point point;
    (void)state;
    sci_recorder_begin(recorder, 500 * MS);
    sci_recorder_latency(recorder, 700 * MS, 201 * MS); /* in the warm-up */
    sci_recorder_latency(recorder, 700 * MS, 200 * MS);
    sci_recorder_latency(recorder, 3000 * MS, 1501 * MS);
    sci_recorder_latency(recorder, 3000 * MS, 1500 * MS); /* after the end */
    assert_int_equal(sci_recorder_point(recorder, arena, &point, NULL), SC_OK);
    assert_int_equal(point.samples, 2);
    assert_true(fabs(point.latency_max_s - 1.501) < 1e-9);
    sci_recorder_free(&recorder);
    sci_arena_free(&arena);
}

/* Side by side there must be four. */
static void windows_of_a_second_take_four_seconds(void **state)
{
    static const double seconds[] = {0.5, 1.2, 3.98, 4};
    sci_arena *arena = sci_arena_new();
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(seconds); i++) {
        sci_recorder *recorder = sci_recorder_new(seconds[i]);
        sc_supply_point point;
        const bool known = seconds[i] == 4;
        sci_recorder_begin(recorder, 0);
        for (int64_t t = 0; t < recorder->end_ns; t += 10 * MS)
            sci_recorder_arrival(recorder, t, 1000000);
        assert_int_equal(sci_recorder_point(recorder, arena, &point, NULL), SC_OK);
        assert_true(point.mean_bytes_per_s == 100e6);
        assert_true(known ? point.median_bytes_per_s == 100e6 : point.median_bytes_per_s < 0);
        assert_true(known ? point.p05_bytes_per_s == 100e6 : point.p05_bytes_per_s < 0);
        assert_true(point.window_s[point.window_count - 1] * 4 <= seconds[i]);
        assert_int_equal(point.window_s[point.window_count - 1] == 1, known);
        sci_recorder_free(&recorder);
    }
    sci_arena_free(&arena);
}

/* One read that takes longer than all of the timed part. */
static void a_read_across_both_ends_counts_too(void **state)
{
    sci_recorder *recorder = sci_recorder_new(1);
    sci_arena *arena = sci_arena_new();
    sc_supply_point point;
    (void)state;
    sci_recorder_begin(recorder, 500 * MS);
    sci_recorder_span(recorder, 0, 2000 * MS, 2000000);
    sci_recorder_span(recorder, 0, 499 * MS, 5000000);
    sci_recorder_span(recorder, 1500 * MS, 1501 * MS, 5000000);
    assert_int_equal(sci_recorder_point(recorder, arena, &point, NULL), SC_OK);
    assert_true(fabs(point.mean_bytes_per_s - 1e6) < 1);
    sci_recorder_free(&recorder);
    sci_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles_are_within_the_stated_error),
        cmocka_unit_test(quantiles_of_a_known_distribution),
        cmocka_unit_test(window_quantiles_are_those_of_sorted_sums),
        cmocka_unit_test(a_stall_shows_in_windows_series_and_gap),
        cmocka_unit_test(reads_across_an_end_count_by_their_share_of_time),
        cmocka_unit_test(a_read_across_both_ends_counts_too),
        cmocka_unit_test(a_slow_read_counts_where_it_began),
        cmocka_unit_test(windows_of_a_second_take_four_seconds),
        cmocka_unit_test(a_rare_stall_falls_out_of_the_one_percent_quantile),
        cmocka_unit_test(windows_ascend_and_stay_below_the_mean),
        cmocka_unit_test(nothing_outside_of_the_timed_part_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
