/* What the storage takes: streams that write into created test data. */
#ifndef SCI_MEASURE_WRITE_H
#define SCI_MEASURE_WRITE_H

#include "measure/create.h"
#include "measure/curve.h"

/* Made where nothing says how much. */
#define SCI_WRITE_DEFAULT_BYTES (INT64_C(1) << 30)

/* The part of the test data as a data set that is written; the marks of its files stay. NULL and an
   error without memory, or where a file has no second block. */
sci_dataset *sci_write_dataset(const sci_test_data *created, sci_test_part part,
                               const sci_curve_params *params, sc_error *error);

/* Points of the writers in the storage's arena; those that are complete are kept on failure.
   seconds is for all of them. */
typedef struct sci_write_points {
    sc_supply_point points[3];
    size_t count;
} sci_write_points;
sc_status sci_write_measure(const sci_curve_params *params, sci_dataset *written, double seconds,
                            sci_arena *arena, sci_control *control, sci_write_points *points,
                            sc_error *error);

#endif
