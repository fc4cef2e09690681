/* One call's files, probed on a thread that may never come back: the run owns all that it needs. */
#ifndef SCI_PROBE_RUN_H
#define SCI_PROBE_RUN_H

#include "io/watchdog.h"
#include <streamcalc/probe.h>

enum {
    SCI_DEFAULT_MAX_SECONDS = 60,
    SCI_MAX_DEPTH = 64 /* directories are searched on a small stack */
};

typedef struct sci_run sci_run;

/* Copies paths and limits; the control stays with the caller. NULL without memory. */
sci_run *sci_run_new(const char *const *paths, size_t path_count, const sc_probe_params *params);
void sci_run_free(sci_run **run);

/* For sci_guarded_run(); data is the run. */
void sci_run_all(void *data, sci_guard *guard);
void sci_run_abandon(void *data);

/* From any thread while it runs. */
void sci_run_ask_to_stop(sci_run *run);
/* Set detail (valid as long as the run), fraction and bytes_per_s. */
void sci_run_progress(sci_run *run, sc_progress *progress);

/* Once it has come back: take the result and the outcome. */
sc_status sci_run_conclude(sci_run *run, sc_probe **probe, sc_error *error);

#endif
