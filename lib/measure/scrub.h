/* Single reads at scattered places, as after a jump on the timeline. The curve takes their
   faults. */
#ifndef SCI_MEASURE_SCRUB_H
#define SCI_MEASURE_SCRUB_H

#include "measure/curve.h"

/* Not measured. */
sc_scrub sci_scrub_unknown(void);
/* Where nothing else reads, and some of the same places again. */
sc_status sci_scrub_idle(sc_scrub *scrub, const sci_measure_settings *params, sci_curve *curve,
                         sci_dataset *data, sci_control *control, sc_error *error);
/* Beside readers that reach most of what the curve's points show. */
sc_status sci_scrub_loaded(sc_scrub *scrub, const sci_measure_settings *params, sci_curve *curve,
                           sci_dataset *data, sci_control *control, sc_error *error);
/* What that takes of the time of the measurement. */
double sci_scrub_loaded_s(const sci_measure_settings *params);

#endif
