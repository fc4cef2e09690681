/* One call's files: what comes back from the crew, put in order. */
#ifndef SCI_PROBE_RUN_H
#define SCI_PROBE_RUN_H

#include <streamcalc/probe.h>

/* The arguments have been checked. As sc_probe_many(). */
sc_status sci_run(const char *const *paths, size_t path_count, const sc_probe_params *params,
                  sc_probe **probe, sc_error *error);

#endif
