/* How far reads run ahead of the pace that they settle to. */
#ifndef SCI_TRACE_PACE_H
#define SCI_TRACE_PACE_H

#include "player/trace_reads.h"

struct sci_trace_pace {
    bool known;   /* reads waited for playing */
    bool settled; /* for long enough, at an even pace */
    double bytes_per_s;
    double ahead_bytes; /* may be negative */
};

struct sci_trace_pace sci_trace_pace_of(const struct sci_trace_run *run);

#endif
