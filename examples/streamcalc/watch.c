#include "watch.h"

#include <stdatomic.h>
#include <stdint.h>

static atomic_uint beats;
static atomic_int waits_for_caller;

void watch_beat(void)
{
    atomic_fetch_add(&beats, 1);
}

void watch_wait_for_caller(bool waits)
{
    atomic_fetch_add(&waits_for_caller, waits ? 1 : -1);
}

static int64_t ns_of(clockid_t clock)
{
    struct timespec now = {0};
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

bool watch_is_stuck(clockid_t thread_cpu, double stall_s)
{
    static unsigned seen;
    static int64_t cpu_ns, alive_ns;
    const unsigned beat = atomic_load(&beats);
    const int64_t now_ns = ns_of(CLOCK_MONOTONIC), used_ns = ns_of(thread_cpu);
    if (!alive_ns || beat != seen || used_ns != cpu_ns || atomic_load(&waits_for_caller))
        alive_ns = now_ns;
    seen = beat;
    cpu_ns = used_ns;
    return (double)(now_ns - alive_ns) / 1e9 > stall_s;
}
