/* Whether the work is stuck in a call to storage that does not answer. The library watches its own
   calls; these are the command's: looking at a path, opening a document, saving a result. */
#ifndef WATCH_H
#define WATCH_H

#include <stdbool.h>
#include <time.h>

/* Thread-safe: a sign of life. */
void watch_beat(void);
/* Around a wait for the caller, who may take any time to read or write a pipe. */
void watch_wait_for_caller(bool waits);
/* Ask often: no sign of life for stall_s, and the thread with this clock has not computed either. */
bool watch_is_stuck(clockid_t thread_cpu, double stall_s);

#endif
