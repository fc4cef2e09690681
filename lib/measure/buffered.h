/* One reader through the page cache, where the curve was read directly: what the kernel's
   read-ahead makes of the same storage. */
#ifndef SCI_MEASURE_BUFFERED_H
#define SCI_MEASURE_BUFFERED_H

#include "measure/curve.h"

/* Switches the data to buffered reads, and leaves it so. *bytes_per_s stays as it is where the
   reads could not be shown to be cold. Reads that fail are among the curve's faults. */
sc_status sci_buffered_measure(double *bytes_per_s, const sci_measure_settings *params,
                               sci_curve *curve, sci_dataset *data, sci_control *control,
                               sc_error *error);
/* What it takes of the time of the measurement. */
double sci_buffered_s(const sci_measure_settings *params);

#endif
