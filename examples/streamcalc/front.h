/* The process that people see. It starts a worker process that does everything, and prints what
   the worker says. It never touches storage itself, and the worker holds none of the caller's
   pipes: one that is stuck in the kernel, on a mount that does not answer, is left behind. */
#ifndef FRONT_H
#define FRONT_H

#include <stdbool.h>

/* Do work(opaque) in a worker whose standard output and error arrive at this process's own. Returns
   in both processes, with the code to exit with; where no worker can be started the work is done
   here. */
int front_run(int (*work)(void *opaque), void *opaque, char **arguments);

/* In the worker, also in a signal handler: end now, with what was printed so far. */
_Noreturn void front_leave(int code);

/* For signal handlers of both: whether this is one more signal. Wrappers such as timeout(1)
   signal a process and then its group, and a terminal both processes: that is one. */
bool front_is_second_signal(void);

#endif
