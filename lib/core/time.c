#include "core/core.h"

#include <time.h>

int64_t sci_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

double sci_seconds_since(int64_t start_ns)
{
    return (double)(sci_now_ns() - start_ns) / 1e9;
}

void sc_time_now(char made_at[SC_TIME_MAX])
{
    time_t now = time(NULL);
    struct tm utc;
    made_at[0] = '\0';
    if (gmtime_r(&now, &utc))
        strftime(made_at, SC_TIME_MAX, "%Y-%m-%dT%H:%M:%SZ", &utc);
}
