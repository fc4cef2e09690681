/* What arrives when: bytes in steps of 10 ms, a latency histogram, the longest gap, and the supply
   point made of them. Times are arguments: nothing here has a clock. */
#ifndef SCI_IO_RECORDER_H
#define SCI_IO_RECORDER_H

#include "core/core.h"
#include <stdatomic.h>
#include <streamcalc/measure.h>

/* No storage answers half of the reads faster. */
#define SCI_MEMORY_LATENCY_S 1e-6

/* Log-linear: 64 buckets an octave, so a quantile is within 1/128 of the value (0.8 %). */
enum { SCI_OCTAVE_BUCKETS = 64, SCI_HISTOGRAM_BUCKETS = 58 * 64 };

typedef struct sci_histogram {
    atomic_int_least64_t counts[SCI_HISTOGRAM_BUCKETS];
    atomic_int_least64_t max;
} sci_histogram;

/* Thread-safe. Negative values count as 0. */
void sci_histogram_add(sci_histogram *histogram, int64_t value);
int64_t sci_histogram_count(const sci_histogram *histogram);
/* The smallest value that at least the share q of the values does not exceed; -1 when empty. */
int64_t sci_histogram_quantile(const sci_histogram *histogram, double q);
/* With fewer than 1 / (1 - q) samples a quantile is the largest one by another name. */
bool sci_quantile_is_known(double samples, double q);

/* Steps inside are half as long as the published ones, so that a window of 50 ms is exact. */
#define SCI_STEP_NS       INT64_C(10000000)
#define SCI_SERIES_STEP_S 0.02

typedef struct sci_recorder {
    int64_t start_ns, end_ns; /* the timed part */
    size_t step_count;
    atomic_int_least64_t *step_bytes;
    atomic_int_least64_t last_ns, gap_ns;
    atomic_int_least64_t edge_bytes; /* what the mean has more or less than the steps */
    sci_histogram latency;
} sci_recorder;

/* seconds is rounded to a whole, non-zero number of published steps. NULL without memory. */
sci_recorder *sci_recorder_new(double seconds);
void sci_recorder_free(sci_recorder **recorder);
/* Set the start of the timed part: before anything arrives. */
void sci_recorder_begin(sci_recorder *recorder, int64_t start_ns);
/* Thread-safe. What arrives outside of the timed part is left out. */
void sci_recorder_arrival(sci_recorder *recorder, int64_t now_ns, int64_t bytes);
/* Thread-safe. Beside each arrival: it came between since_ns and now_ns. Where that lies across an
   end of the timed part the mean counts it by its share of time: with many large reads in flight,
   which may come in flocks, whole ones would put chance into the mean of a short part. */
void sci_recorder_span(sci_recorder *recorder, int64_t since_ns, int64_t now_ns, int64_t bytes);
/* Thread-safe. Of a read that ended now; it counts where it began within the timed part, so that
   those which take longer than all of it are not left out. */
void sci_recorder_latency(sci_recorder *recorder, int64_t now_ns, int64_t latency_ns);
/* Bytes that arrived in the last second before now, as a rate; negative before the timed part. */
double sci_recorder_rate(const sci_recorder *recorder, int64_t now_ns);
/* Everything of the point but readers and cold; the series lies in the arena. */
sc_status sci_recorder_point(const sci_recorder *recorder, sci_arena *arena, sc_supply_point *point,
                             sc_error *error);

/* How long the reads took; leaves times->readers alone. */
void sci_recorder_jumps(const sci_recorder *recorder, sc_jump_times *times);

/* Of the sums of every `width` neighbours among count values, the one of rank floor(q (m - 1)).
   sums is scratch for count - width + 1 values. 1 <= width <= count. */
int64_t sci_window_quantile(const int64_t *values, size_t count, size_t width, double q,
                            int64_t *sums);

#endif
