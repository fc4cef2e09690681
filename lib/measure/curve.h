/* The throughput curve: which numbers of readers, for how long, and what each delivered. */
#ifndef SCI_MEASURE_CURVE_H
#define SCI_MEASURE_CURVE_H

#include "measure/lanes.h"
#include <streamcalc/measure.h>

/* Parameters with all defaults filled in. */
typedef struct sci_curve_params {
    const char *path;
    sc_player player;
    int64_t lowest_stream_bits_per_s;
    int32_t max_readers;
    double seconds, warm_up_s, stall_s;
    int64_t scrub_bytes; /* 0: jumps are not measured */
} sci_curve_params;

/* Points of a curve while it grows, in the storage's arena. */
typedef struct sci_curve {
    sci_arena *arena;
    sci_findings *findings;
    sc_supply_point *points;
    size_t count, capacity;
    sci_read_faults faults; /* of all points, also of one that was not completed */
} sci_curve;

/* Measure points until the curve is complete or the time is over. On failure the points that are
   complete are kept. */
sc_status sci_curve_measure(sci_curve *curve, const sci_curve_params *params, sci_dataset *data,
                            sci_control *control, sc_error *error);

/* The pure part: what comes after these points. */
typedef struct sci_curve_step {
    int32_t readers; /* 0: the curve is complete */
    double seconds;  /* of the timed part; below the shortest: the time is over */
} sci_curve_step;
sci_curve_step sci_curve_next(const sci_curve_params *params, const sc_supply_point *points,
                              size_t count, double elapsed_s);
double sci_curve_shortest_s(const sci_curve_params *params);

#endif
