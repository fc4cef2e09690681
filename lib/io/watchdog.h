/* Calls that may never come back (a dead mount) are made on threads that can be left behind. */
#ifndef SCI_IO_WATCHDOG_H
#define SCI_IO_WATCHDOG_H

#include "core/core.h"

/* Start a detached thread with all signals blocked (they belong to the caller's threads) and a
   small stack. Returns 0 or an errno. */
int sci_thread_start(void *(*run)(void *), void *argument);

/* What a stall_s of 0 means to sc_measure() and its like. */
#define SCI_STALL_S 10.0
/* What it may be else. */
#define SCI_STALL_LEAST_S 0.05
#define SCI_STALL_MOST_S  86400.0

typedef struct sci_guard sci_guard;

/* One long piece of work that may touch a mount. */
typedef struct sci_guarded {
    void (*run)(void *data, sci_guard *guard);
    /* Frees data when the caller no longer waits. Called on the thread that was left behind. */
    void (*abandon)(void *data);
    const char *where, *path; /* for the error */
    const char *what;         /* "opening the files": for the error */
    double stall_s;           /* longest time between two signs of life */
} sci_guarded;

/* Run work on a thread of its own and wait for it, polling the control.
   SC_OK: it came back and data is the caller's again. SC_CANCELLED, SC_STALLED (no sign of life
   for stall_s), SC_NO_MEMORY: data is lost to the caller (abandon frees it). */
sc_status sci_guarded_run(const sci_guarded *work, void *data, sci_control *control,
                          double fraction, sc_error *error);

/* For run: a sign of life. False when the caller has gone and the work should end. */
bool sci_guard_alive(sci_guard *guard);

/* Since when this process has run, for a thread that wanted to sleep for nap_ns and did from
   before_ns to now_ns: awake_ns, or now where that took much longer. While it was stopped nothing
   could arrive: that is no silence of a storage. */
int64_t sci_awake_since(int64_t awake_ns, int64_t before_ns, int64_t now_ns, int64_t nap_ns,
                        double stall_s);

/* Sleep, polling the control. False when cancelled. */
bool sci_pause(sci_control *control, double seconds, double fraction);

/* How often waiting calls look at their control. */
#define SCI_POLL_NS INT64_C(10000000)
void sci_nap(void);
void sci_nap_ns(int64_t ns); /* less than a second */

#endif
