#include "io/recorder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS_PER_SERIES_STEP = 2, QUANTILE_FROM_WINDOWS = 100 };
/* A window of which fewer lie side by side in the run says nothing about the others. */
enum { FEWEST_WINDOWS = 4 };

/* ---- histogram ---- */

static size_t bucket_of(int64_t value)
{
    int octave = value < 2 * SCI_OCTAVE_BUCKETS ? 0 : 57 - __builtin_clzll((uint64_t)value);
    return (size_t)octave * SCI_OCTAVE_BUCKETS + (size_t)(value >> octave);
}

static int64_t middle_of(size_t bucket)
{
    if (bucket < (size_t)2 * SCI_OCTAVE_BUCKETS)
        return (int64_t)bucket;
    int octave = (int)(bucket / SCI_OCTAVE_BUCKETS) - 1;
    int64_t low = (int64_t)(bucket - (size_t)octave * SCI_OCTAVE_BUCKETS) << octave;
    return low + (INT64_C(1) << octave) / 2;
}

static void raise_to(atomic_int_least64_t *highest, int64_t value)
{
    int_least64_t old = atomic_load(highest);
    while (old < value && !atomic_compare_exchange_weak(highest, &old, value))
        ;
}

void sci_histogram_add(sci_histogram *histogram, int64_t value)
{
    if (value < 0)
        value = 0;
    atomic_fetch_add_explicit(&histogram->counts[bucket_of(value)], 1, memory_order_relaxed);
    raise_to(&histogram->max, value);
}

int64_t sci_histogram_count(const sci_histogram *histogram)
{
    int64_t count = 0;
    for (size_t i = 0; i < SCI_HISTOGRAM_BUCKETS; i++)
        count += atomic_load_explicit(&histogram->counts[i], memory_order_relaxed);
    return count;
}

int64_t sci_histogram_quantile(const sci_histogram *histogram, double q)
{
    int64_t rank = (int64_t)ceil(q * (double)sci_histogram_count(histogram));
    int64_t max = atomic_load(&histogram->max), seen = 0;
    for (size_t i = 0; i < SCI_HISTOGRAM_BUCKETS; i++) {
        seen += atomic_load_explicit(&histogram->counts[i], memory_order_relaxed);
        if (seen > 0 && seen >= rank)
            return middle_of(i) < max ? middle_of(i) : max;
    }
    return -1;
}

/* ---- arrivals ---- */

sci_recorder *sci_recorder_new(double seconds)
{
    sci_recorder *recorder = calloc(1, sizeof *recorder);
    double series_steps = fmax(1, floor(seconds / SCI_SERIES_STEP_S + 0.5));
    if (!recorder)
        return NULL;
    recorder->step_count = (size_t)series_steps * STEPS_PER_SERIES_STEP;
    recorder->step_bytes = calloc(recorder->step_count, sizeof *recorder->step_bytes);
    if (!recorder->step_bytes)
        sci_recorder_free(&recorder);
    return recorder;
}

void sci_recorder_free(sci_recorder **recorder)
{
    if (!*recorder)
        return;
    free((*recorder)->step_bytes);
    free(*recorder);
    *recorder = NULL;
}

void sci_recorder_begin(sci_recorder *recorder, int64_t start_ns)
{
    recorder->start_ns = start_ns;
    recorder->end_ns = start_ns + (int64_t)recorder->step_count * SCI_STEP_NS;
    atomic_store(&recorder->last_ns, start_ns);
}

void sci_recorder_arrival(sci_recorder *recorder, int64_t now_ns, int64_t bytes)
{
    if (now_ns < recorder->start_ns || now_ns >= recorder->end_ns)
        return;
    size_t step = (size_t)((now_ns - recorder->start_ns) / SCI_STEP_NS);
    atomic_fetch_add_explicit(&recorder->step_bytes[step], bytes, memory_order_relaxed);

    int_least64_t last = atomic_load(&recorder->last_ns);
    while (last < now_ns && !atomic_compare_exchange_weak(&recorder->last_ns, &last, now_ns))
        ;
    if (last < now_ns)
        raise_to(&recorder->gap_ns, now_ns - last);
}

void sci_recorder_span(sci_recorder *recorder, int64_t since_ns, int64_t now_ns, int64_t bytes)
{
    int64_t from = since_ns > recorder->start_ns ? since_ns : recorder->start_ns;
    int64_t to = now_ns < recorder->end_ns ? now_ns : recorder->end_ns;
    bool counted = now_ns >= recorder->start_ns && now_ns < recorder->end_ns;
    if (counted && from == since_ns)
        return;
    double share = from < to ? (double)(to - from) / (double)(now_ns - since_ns) : 0;
    int64_t edge = (int64_t)(share * (double)bytes) - (counted ? bytes : 0);
    atomic_fetch_add_explicit(&recorder->edge_bytes, edge, memory_order_relaxed);
}

void sci_recorder_latency(sci_recorder *recorder, int64_t now_ns, int64_t latency_ns)
{
    const int64_t since_ns = now_ns - latency_ns;
    if (since_ns >= recorder->start_ns && since_ns < recorder->end_ns)
        sci_histogram_add(&recorder->latency, latency_ns);
}

double sci_recorder_rate(const sci_recorder *recorder, int64_t now_ns)
{
    const int64_t steps = 1000000000 / SCI_STEP_NS;
    int64_t last = (now_ns - recorder->start_ns) / SCI_STEP_NS, bytes = 0;
    if (last > (int64_t)recorder->step_count)
        last = (int64_t)recorder->step_count;
    if (now_ns < recorder->start_ns || last < 1)
        return -1;
    int64_t first = last > steps ? last - steps : 0;
    for (int64_t i = first; i < last; i++)
        bytes += atomic_load_explicit(&recorder->step_bytes[i], memory_order_relaxed);
    return (double)bytes * 1e9 / (double)((last - first) * SCI_STEP_NS);
}

/* ---- windows ---- */

/* The value of that rank, by partition: values are reordered, linear on average. */
static int64_t value_of_rank(int64_t *values, size_t count, size_t rank)
{
    size_t low = 0, high = count;
    while (high - low > 1) {
        int64_t pivot = values[low + (high - low) / 2];
        size_t below = low, above = high;
        for (size_t i = low; i < above;) {
            int64_t value = values[i];
            if (value < pivot) {
                values[i++] = values[below];
                values[below++] = value;
            } else if (value > pivot) {
                values[i] = values[--above];
                values[above] = value;
            } else {
                i++;
            }
        }
        if (rank >= below && rank < above)
            return pivot;
        if (rank < below)
            high = below;
        else
            low = above;
    }
    return values[low];
}

int64_t sci_window_quantile(const int64_t *values, size_t count, size_t width, double q,
                            int64_t *sums)
{
    size_t windows = count - width + 1;
    int64_t sum = 0;
    for (size_t i = 0; i < width; i++)
        sum += values[i];
    for (size_t i = 0; i < windows; i++) {
        sums[i] = sum;
        if (i + 1 < windows)
            sum += values[i + width] - values[i];
    }
    return value_of_rank(sums, windows, (size_t)(q * (double)(windows - 1)));
}

static size_t steps_of(double seconds)
{
    return (size_t)llround(seconds * 1e9 / (double)SCI_STEP_NS);
}

/* S(W) must ascend and stay below the mean, which a minimum beside a quantile does not promise. */
static void keep_windows_consistent(sc_supply_point *point)
{
    for (int32_t i = point->window_count - 1; i >= 0; i--) {
        double mean = floor(point->mean_bytes_per_s * point->window_s[i]);
        int64_t limit = (int64_t)mean;
        if (i + 1 < point->window_count && point->worst_window_bytes[i + 1] < limit)
            limit = point->worst_window_bytes[i + 1];
        if (point->worst_window_bytes[i] > limit)
            point->worst_window_bytes[i] = limit;
    }
}

static void fill_windows(const int64_t *steps, size_t count, int64_t *scratch,
                         sc_supply_point *point)
{
    for (size_t i = 0; i < SCI_WINDOW_COUNT; i++) {
        size_t width = steps_of(sci_windows_s[i]);
        if (width * FEWEST_WINDOWS > count)
            break;
        double q = count / width >= QUANTILE_FROM_WINDOWS ? 0.01 : 0;
        int32_t at = point->window_count++;
        point->window_s[at] = sci_windows_s[i];
        point->worst_window_bytes[at] = sci_window_quantile(steps, count, width, q, scratch);
    }
    keep_windows_consistent(point);
}

static void fill_rates(const int64_t *steps, size_t count, int64_t bytes, int64_t *scratch,
                       sc_supply_point *point)
{
    const size_t second = steps_of(1);
    for (size_t i = 0; i < count; i++)
        bytes += steps[i];
    point->seconds = (double)count * (double)SCI_STEP_NS / 1e9;
    point->mean_bytes_per_s = round((double)bytes * 8 / point->seconds) / 8;
    point->median_bytes_per_s = point->p05_bytes_per_s = -1;
    if (second * FEWEST_WINDOWS > count)
        return;
    point->median_bytes_per_s = (double)sci_window_quantile(steps, count, second, 0.5, scratch);
    point->p05_bytes_per_s = (double)sci_window_quantile(steps, count, second, 0.05, scratch);
}

bool sci_quantile_is_known(double samples, double q)
{
    return samples * (1 - q) >= 1 - 1e-9;
}

static double latency_s(const sci_histogram *latency, double q)
{
    if (!sci_quantile_is_known((double)sci_histogram_count(latency), q))
        return -1;
    return (double)sci_histogram_quantile(latency, q) / 1e9;
}

static void fill_latencies(const sci_recorder *recorder, sc_supply_point *point)
{
    const sci_histogram *latency = &recorder->latency;
    const int64_t gap_ns = atomic_load(&recorder->gap_ns);
    const int64_t tail_ns = recorder->end_ns - atomic_load(&recorder->last_ns);
    point->samples = sci_histogram_count(latency);
    point->latency_p50_s = latency_s(latency, 0.5);
    point->latency_p95_s = latency_s(latency, 0.95);
    point->latency_p99_s = latency_s(latency, 0.99);
    point->latency_p999_s = latency_s(latency, 0.999);
    point->latency_max_s = point->samples ? (double)atomic_load(&latency->max) / 1e9 : -1;
    point->longest_gap_s = (double)(gap_ns > tail_ns ? gap_ns : tail_ns) / 1e9;
}

void sci_recorder_jumps(const sci_recorder *recorder, sc_jump_times *times)
{
    const sci_histogram *latency = &recorder->latency;
    times->samples = sci_histogram_count(latency);
    times->p50_s = latency_s(latency, 0.5);
    times->p95_s = latency_s(latency, 0.95);
    times->p99_s = latency_s(latency, 0.99);
    times->max_s = times->samples ? (double)atomic_load(&latency->max) / 1e9 : -1;
}

sc_status sci_recorder_point(const sci_recorder *recorder, sci_arena *arena, sc_supply_point *point,
                             sc_error *error)
{
    size_t count = recorder->step_count;
    int64_t *steps = calloc(count, sizeof *steps), *scratch = calloc(count, sizeof *scratch);
    int64_t *series = sci_arena_alloc(arena, count / STEPS_PER_SERIES_STEP, sizeof *series);
    sc_status status = SC_OK;
    if (!steps || !scratch || !series) {
        status = sci_fail(error, SC_NO_MEMORY, 0, "measure.record", NULL,
                          "no memory for %zu steps of a point", count);
        goto done;
    }
    *point = (sc_supply_point){.series_step_s = SCI_SERIES_STEP_S, .series_bytes = series};
    point->series_count = count / STEPS_PER_SERIES_STEP;
    for (size_t i = 0; i < count; i++) {
        steps[i] = atomic_load(&recorder->step_bytes[i]);
        series[i / STEPS_PER_SERIES_STEP] += steps[i];
    }
    fill_rates(steps, count, atomic_load(&recorder->edge_bytes), scratch, point);
    fill_windows(steps, count, scratch, point);
    fill_latencies(recorder, point);
done:
    free(steps);
    free(scratch);
    return status;
}
