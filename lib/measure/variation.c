#include "measure/variation.h"

#include <math.h>
#include <stdlib.h>

enum { LEAST_WINDOWS = 8, MOST_WINDOWS = 256, BLOCKS_A_WINDOW = 20, FEWEST_BLOCKS = 8 };
static const double LEAST_WINDOW_S = 0.1;
static const double WIDE_SPREAD = 0.5, CLEAR_TREND = 0.3, CLEAR_FIT = 0.5;
static const double LEAST_STALL_S = 0.2, STALL_BLOCKS = 10;

/* ---- windows side by side ---- */

struct windows {
    double bytes[MOST_WINDOWS];
    size_t count;
};

static void cut_windows(const sc_supply_point *point, int64_t block_bytes, struct windows *windows)
{
    const double block_s = (double)block_bytes / point->mean_bytes_per_s;
    /* A short or slow run has fewer blocks to a window, as long as one of them is not all. */
    const double eighth_s = (double)(point->series_count / LEAST_WINDOWS) * point->series_step_s;
    const double wanted_s = fmin(BLOCKS_A_WINDOW * block_s,
                                 fmax(FEWEST_BLOCKS * block_s, eighth_s));
    const double least_s = fmax(LEAST_WINDOW_S,
                                (double)point->series_count * point->series_step_s / MOST_WINDOWS);
    const double steps = ceil(fmax(wanted_s, least_s) / point->series_step_s - 1e-6);
    windows->count = 0;
    if (!(steps * LEAST_WINDOWS <= (double)point->series_count))
        return;
    const size_t width = (size_t)steps;
    for (size_t i = 0; i + width <= point->series_count; i += width) {
        double bytes = 0;
        for (size_t k = i; k < i + width; k++)
            bytes += (double)point->series_bytes[k];
        windows->bytes[windows->count++] = bytes;
    }
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double spread_of(const struct windows *windows)
{
    struct windows sorted = *windows;
    const double last = (double)(sorted.count - 1);
    qsort(sorted.bytes, sorted.count, sizeof sorted.bytes[0], ascending);
    const double low = sorted.bytes[(size_t)(0.05 * last)];
    const double high = sorted.bytes[(size_t)ceil(0.95 * last)];
    const double median = sorted.bytes[sorted.count / 2];
    return median > 0 ? (high - low) / median : INFINITY;
}

/* A line through the windows, by least squares. */
static void fit_line(const struct windows *windows, sci_variation *variation)
{
    const double n = (double)windows->count, middle = (n - 1) / 2;
    double mean = 0, xy = 0, yy = 0;
    for (size_t i = 0; i < windows->count; i++)
        mean += windows->bytes[i] / n;
    for (size_t i = 0; i < windows->count; i++) {
        const double x = (double)i - middle, y = windows->bytes[i] - mean;
        xy += x * y;
        yy += y * y;
    }
    const double xx = n * (n * n - 1) / 12; /* sum of the squares of the x */
    variation->trend = mean > 0 ? xy / xx * n / mean : 0;
    variation->fit = yy > 0 ? xy * xy / (xx * yy) : 0;
}

/* ---- stalls ---- */

static void count_stalls(const sc_supply_point *point, int64_t block_bytes,
                         sci_variation *variation)
{
    const double block_s = (double)block_bytes / point->mean_bytes_per_s;
    const double least_s = fmax(LEAST_STALL_S, STALL_BLOCKS * block_s);
    double empty_s = 0;
    for (size_t i = 0; i <= point->series_count; i++) {
        if (i < point->series_count && point->series_bytes[i] == 0) {
            empty_s += point->series_step_s;
            continue;
        }
        variation->stalls += empty_s >= least_s;
        if (empty_s >= least_s && empty_s > variation->longest_stall_s)
            variation->longest_stall_s = empty_s;
        empty_s = 0;
    }
}

sci_variation sci_variation_of(const sc_supply_point *point, int64_t block_bytes)
{
    sci_variation variation = {0};
    struct windows windows;
    if (!(point->mean_bytes_per_s > 0) || !(point->series_step_s > 0) || block_bytes <= 0)
        return variation;
    cut_windows(point, block_bytes, &windows);
    variation.known = windows.count >= LEAST_WINDOWS;
    if (variation.known) {
        variation.spread = spread_of(&windows);
        fit_line(&windows, &variation);
    }
    count_stalls(point, block_bytes, &variation);
    return variation;
}

bool sci_variation_is_wide(const sci_variation *variation)
{
    return variation->known && variation->spread > WIDE_SPREAD;
}

bool sci_variation_has_trend(const sci_variation *variation)
{
    return variation->known && fabs(variation->trend) > CLEAR_TREND && variation->fit > CLEAR_FIT;
}
