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
    double slope, start; /* units a second, and units at the run's begin */
};

/* A run's progress, in one unit. */
struct progress {
    const struct sci_trace_run *run;
    enum sci_trace_unit unit;
};

static double units_at(struct progress progress, size_t sample)
{
    return progress.unit == SCI_TRACE_READS ? (double)(sample + 1) * (double)progress.run->stride
                                            : (double)progress.run->sample_bytes[sample];
}

/* The first sample at or behind a time. */
static size_t sample_at(const struct sci_trace_run *run, double time_s)
{
    size_t i = 0;
    while (i < run->samples && run->sample_s[i] < time_s)
        i++;
    return i;
}

/* Least squares; times count from the run's begin. */
static struct line fit(struct progress progress, size_t first, size_t end)
{
    const struct sci_trace_run *run = progress.run;
    const double count = (double)(end - first);
    double mean_s = 0, mean = 0, across = 0, along = 0;
    for (size_t i = first; i < end; i++) {
        mean_s += (run->sample_s[i] - run->first_s) / count;
        mean += units_at(progress, i) / count;
    }
    for (size_t i = first; i < end; i++) {
        const double time_s = run->sample_s[i] - run->first_s - mean_s;
        across += time_s * (units_at(progress, i) - mean);
        along += time_s * time_s;
    }
    const double slope = along > 0 ? across / along : 0;
    return (struct line){slope, mean - slope * mean_s};
}

static bool is_even(struct progress progress, size_t first, size_t end)
{
    const struct sci_trace_run *run = progress.run;
    const size_t middle = sample_at(run, (run->sample_s[first] + run->sample_s[end - 1]) / 2);
    if (middle - first < SAMPLES_LEAST / 2 || end - middle < SAMPLES_LEAST / 2)
        return false;
    const double before = fit(progress, first, middle).slope;
    const double after = fit(progress, middle, end).slope;
    return before > 0 && after > 0 && fabs(before - after) <= EVEN * fmax(before, after);
}

static int by_value(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* Units that reads are ahead of the line through them, which begins at zero where playing does. */
static double ahead_of(struct progress progress, struct line line, size_t first, size_t end)
{
    const struct sci_trace_run *run = progress.run;
    const size_t count = end - first;
    double *ahead = malloc(count * sizeof *ahead);
    if (!ahead)
        return line.start;
    for (size_t i = 0; i < count; i++)
        ahead[i] = units_at(progress, first + i) -
                   line.slope * (run->sample_s[first + i] - run->first_s);
    qsort(ahead, count, sizeof *ahead, by_value);
    const double value = ahead[(size_t)(AHEAD_QUANTILE * (double)(count - 1))];
    free(ahead);
    return value;
}

/* The first sample of the later half, or of the last quarter where only that is even. */
static size_t settled_from(struct progress progress, bool *settled)
{
    const struct sci_trace_run *run = progress.run;
    const double shares[] = {0.5, 0.75};
    size_t firsts[SCI_COUNT(shares)];
    *settled = true;
    for (size_t i = 0; i < SCI_COUNT(shares); i++) {
        firsts[i] = sample_at(run, run->first_s + (run->last_s - run->first_s) * shares[i]);
        if (run->samples - firsts[i] >= SAMPLES_LEAST && is_even(progress, firsts[i], run->samples))
            return firsts[i];
    }
    *settled = false;
    const size_t last = run->samples - SAMPLES_LEAST;
    return firsts[0] < last ? firsts[0] : last;
}

struct sci_trace_pace sci_trace_pace_of(const struct sci_trace_run *run, enum sci_trace_unit unit)
{
    struct sci_trace_pace pace = {0};
    const struct progress progress = {run, unit}, bytes = {run, SCI_TRACE_BYTES};
    const double whole_s = run->last_s - run->first_s;
    if (run->samples < SAMPLES_LEAST || whole_s < LEAST_S ||
        !(run->waited_s > WAITED_LEAST * whole_s))
        return pace;
    const size_t first = settled_from(progress, &pace.settled);
    const struct line line = fit(progress, first, run->samples);
    pace.bytes_per_s = fit(bytes, first, run->samples).slope;
    pace.known = line.slope > 0 && pace.bytes_per_s > 0;
    if (!pace.known)
        return pace;
    pace.ahead = ahead_of(progress, line, first, run->samples);
    pace.ahead_s = pace.ahead / line.slope;
    return pace;
}
