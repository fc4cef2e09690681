#include "player/trace_pace.h"

#include <math.h>
#include <stdlib.h>

enum { SAMPLES_LEAST = 6 };

/* What lasts no longer is a start, not playing. */
static const double LEAST_S = 1;
/* Of the time, in which a player that is ahead reads nothing. */
static const double WAITED_LEAST = 0.2;
/* Two parts of the log whose paces lie closer together have the same. */
static const double EVEN = 0.25;
/* Of the samples, those below the read-ahead: between reads it shrinks, and fills up again. */
static const double AHEAD_QUANTILE = 0.95;

struct line {
    double slope, start; /* bytes a second, and bytes at the run's begin */
};

/* The first sample at or behind a time. */
static size_t sample_at(const struct sci_trace_run *run, double time_s)
{
    size_t i = 0;
    while (i < run->samples && run->sample_s[i] < time_s)
        i++;
    return i;
}

/* Least squares; times count from the run's begin. */
static struct line fit(const struct sci_trace_run *run, size_t first, size_t end)
{
    const double count = (double)(end - first);
    double mean_s = 0, mean_bytes = 0, across = 0, along = 0;
    for (size_t i = first; i < end; i++) {
        mean_s += (run->sample_s[i] - run->first_s) / count;
        mean_bytes += (double)run->sample_bytes[i] / count;
    }
    for (size_t i = first; i < end; i++) {
        const double time_s = run->sample_s[i] - run->first_s - mean_s;
        across += time_s * ((double)run->sample_bytes[i] - mean_bytes);
        along += time_s * time_s;
    }
    const double slope = along > 0 ? across / along : 0;
    return (struct line){slope, mean_bytes - slope * mean_s};
}

static bool is_even(const struct sci_trace_run *run, size_t first, size_t end)
{
    const size_t middle = sample_at(run, (run->sample_s[first] + run->sample_s[end - 1]) / 2);
    if (middle - first < SAMPLES_LEAST / 2 || end - middle < SAMPLES_LEAST / 2)
        return false;
    const double before = fit(run, first, middle).slope, after = fit(run, middle, end).slope;
    return before > 0 && after > 0 && fabs(before - after) <= EVEN * fmax(before, after);
}

static int by_value(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* Bytes that reads are ahead of the line through them, which begins at zero where playing does. */
static double ahead_of(const struct sci_trace_run *run, struct line line, size_t first, size_t end)
{
    const size_t count = end - first;
    double *ahead = malloc(count * sizeof *ahead);
    if (!ahead)
        return line.start;
    for (size_t i = 0; i < count; i++)
        ahead[i] = (double)run->sample_bytes[first + i] -
                   line.slope * (run->sample_s[first + i] - run->first_s);
    qsort(ahead, count, sizeof *ahead, by_value);
    const double value = ahead[(size_t)(AHEAD_QUANTILE * (double)(count - 1))];
    free(ahead);
    return value;
}

struct sci_trace_pace sci_trace_pace_of(const struct sci_trace_run *run)
{
    struct sci_trace_pace pace = {0};
    const double whole_s = run->last_s - run->first_s;
    if (run->samples < SAMPLES_LEAST || whole_s < LEAST_S ||
        !(run->waited_s > WAITED_LEAST * whole_s))
        return pace;
    size_t first = sample_at(run, run->first_s + whole_s / 2);
    const size_t quarter = sample_at(run, run->first_s + whole_s * 3 / 4);
    pace.settled = run->samples - first >= SAMPLES_LEAST && is_even(run, first, run->samples);
    if (!pace.settled && run->samples - quarter >= SAMPLES_LEAST &&
        is_even(run, quarter, run->samples)) {
        first = quarter;
        pace.settled = true;
    }
    if (run->samples - first < SAMPLES_LEAST)
        first = run->samples - SAMPLES_LEAST;
    const struct line line = fit(run, first, run->samples);
    pace.known = line.slope > 0;
    pace.bytes_per_s = line.slope;
    pace.ahead_bytes = ahead_of(run, line, first, run->samples);
    return pace;
}
