#include "io/watchdog.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

enum { STACK_BYTES = 512 * 1024 };

/* Longer than a thread of a busy machine waits for its turn. */
static const double LATE_S = 0.5;

struct sci_guard {
    void (*run)(void *data, sci_guard *guard);
    void (*abandon)(void *data);
    void *data;
    atomic_int_least64_t alive_ns;
    pthread_mutex_t lock; /* for the two flags: one side of the guard frees it */
    pthread_cond_t ended; /* finished was set */
    bool finished, left;
};

int sci_thread_start(void *(*run)(void *), void *argument)
{
    pthread_attr_t attributes;
    sigset_t all, before;
    pthread_t thread;
    int status = pthread_attr_init(&attributes);
    if (status)
        return status;
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    status = pthread_create(&thread, &attributes, run, argument);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return status;
}

static void guard_init(sci_guard *guard)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&guard->ended, &attributes);
    pthread_condattr_destroy(&attributes);
    pthread_mutex_init(&guard->lock, NULL);
}

static void guard_free(sci_guard *guard)
{
    pthread_cond_destroy(&guard->ended);
    pthread_mutex_destroy(&guard->lock);
    free(guard);
}

static void *guarded_main(void *argument)
{
    sci_guard *guard = argument;
    guard->run(guard->data, guard);
    pthread_mutex_lock(&guard->lock);
    bool left = guard->left;
    guard->finished = true;
    pthread_cond_signal(&guard->ended);
    pthread_mutex_unlock(&guard->lock);
    if (left) {
        guard->abandon(guard->data);
        guard_free(guard);
    }
    return NULL;
}

bool sci_guard_alive(sci_guard *guard)
{
    if (!guard)
        return true;
    atomic_store(&guard->alive_ns, sci_now_ns());
    pthread_mutex_lock(&guard->lock);
    bool left = guard->left;
    pthread_mutex_unlock(&guard->lock);
    return !left;
}

void sci_nap_ns(int64_t ns)
{
    const struct timespec nap = {0, (long)ns};
    nanosleep(&nap, NULL);
}

void sci_nap(void)
{
    sci_nap_ns(SCI_POLL_NS);
}

int64_t sci_awake_since(int64_t awake_ns, int64_t before_ns, int64_t now_ns, int64_t nap_ns,
                        double stall_s)
{
    const double late_s = (double)(now_ns - before_ns - nap_ns) / 1e9;
    return late_s > fmin(LATE_S, stall_s / 2) ? now_ns : awake_ns;
}

/* For one nap at most, and no longer than the work takes. */
static bool await_finish(sci_guard *guard)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += SCI_POLL_NS;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&guard->lock);
    if (!guard->finished)
        pthread_cond_timedwait(&guard->ended, &guard->lock, &until);
    bool finished = guard->finished;
    pthread_mutex_unlock(&guard->lock);
    return finished;
}

/* SC_OK also when it finished just now. */
static sc_status wait_for(sci_guard *guard, const sci_guarded *work, sci_control *control,
                          double fraction, sc_error *error)
{
    int64_t awake_ns = 0;
    for (int64_t before_ns = sci_now_ns(); !await_finish(guard); before_ns = sci_now_ns()) {
        awake_ns = sci_awake_since(awake_ns, before_ns, sci_now_ns(), SCI_POLL_NS, work->stall_s);
        const int64_t alive_ns = atomic_load(&guard->alive_ns);
        double silent_s = sci_seconds_since(alive_ns > awake_ns ? alive_ns : awake_ns);
        if (sci_control_poll(control, work->path, fraction, -1))
            return sci_fail(error, SC_CANCELLED, 0, work->where, work->path, "cancelled while %s",
                            work->what);
        if (silent_s > work->stall_s)
            return sci_fail(error, SC_STALLED, ETIMEDOUT, work->where, work->path,
                            "no answer for %g s while %s; is the server or disk still there",
                            work->stall_s, work->what);
    }
    return SC_OK;
}

sc_status sci_guarded_run(const sci_guarded *work, void *data, sci_control *control,
                          double fraction, sc_error *error)
{
    sci_guard *guard = calloc(1, sizeof *guard);
    int os_errno = guard ? 0 : ENOMEM;
    if (guard) {
        guard->run = work->run;
        guard->abandon = work->abandon;
        guard->data = data;
        atomic_store(&guard->alive_ns, sci_now_ns());
        guard_init(guard);
        os_errno = sci_thread_start(guarded_main, guard);
    }
    if (os_errno) {
        if (guard)
            guard_free(guard);
        work->abandon(data);
        return sci_fail(error, SC_NO_MEMORY, os_errno, work->where, work->path,
                        "cannot start a thread for %s", work->what);
    }
    sc_status status = wait_for(guard, work, control, fraction, error);
    pthread_mutex_lock(&guard->lock);
    bool finished = guard->finished;
    guard->left = true;
    pthread_mutex_unlock(&guard->lock);
    if (!finished)
        return status;
    guard_free(guard);
    if (status != SC_OK)
        work->abandon(data);
    return status;
}

bool sci_pause(sci_control *control, double seconds, double fraction)
{
    int64_t start = sci_now_ns();
    do {
        if (sci_control_poll(control, NULL, fraction, -1))
            return false;
        sci_nap();
    } while (sci_seconds_since(start) < seconds);
    return true;
}
