/* The throughput curve: which numbers of readers, for how long, and what each delivered. */
#ifndef SCI_MEASURE_CURVE_H
#define SCI_MEASURE_CURVE_H

#include "measure/lanes.h"
#include "measure/settings.h"

/* Between two points, for what still goes on in the storage. */
#define SCI_REST_S 0.15

/* Points of a curve while it grows, in the storage's arena. */
typedef struct sci_curve {
    sci_arena *arena;
    sci_findings *findings;
    sc_supply_point *points;
    size_t count, capacity;
    sci_read_faults faults;       /* of all reads, also of a point that was not completed */
    sci_read_faults write_faults; /* of the load beside them */
} sci_curve;

/* Start n streams of the data, for a point of so many seconds after the warm-up. */
sc_status sci_streams_start(const sci_measure_settings *params, sci_dataset *data, int32_t streams,
                            double seconds, sci_readers **readers, sc_error *error);

typedef struct sci_curve_step {
    int32_t readers; /* 0: the curve is complete */
    double seconds;  /* of the timed part; below the shortest: the time is over */
} sci_curve_step;

/* Drop what is cached and read one point, beside the writers where `written` is not NULL. It is not
   added to the curve, which takes its faults and whose arena its series. Fails where a writer gave
   up. */
sc_status sci_curve_point(sci_curve *curve, const sci_measure_settings *params, sci_dataset *data,
                          sci_dataset *written, sci_curve_step step, sci_control *control,
                          sc_supply_point *point, sc_error *error);

/* Measure points until the curve is complete or the time is over. The writers' data may be NULL. On
   failure the points that are complete are kept. */
sc_status sci_curve_measure(sci_curve *curve, const sci_measure_settings *params, sci_dataset *data,
                            sci_dataset *written, sci_control *control, sc_error *error);

/* The pure part: what comes after these points. */
sci_curve_step sci_curve_next(const sci_measure_settings *params, const sc_supply_point *points,
                              size_t count, double elapsed_s);
double sci_curve_shortest_s(const sci_measure_settings *params);

#endif
