/* How far reads run ahead of the pace that they settle to. */
#ifndef SCI_TRACE_PACE_H
#define SCI_TRACE_PACE_H

#include "player/trace_reads.h"

/* What counts as having been read ahead. */
enum sci_trace_unit {
    SCI_TRACE_BYTES = 0,
    SCI_TRACE_READS /* of a player that reads by frame: frames differ in size, not in time */
};

struct sci_trace_pace {
    bool known;   /* reads waited for playing */
    bool settled; /* for long enough, at an even pace */
    double bytes_per_s, ahead_s;
    double ahead; /* in the unit; may be negative */
};

struct sci_trace_pace sci_trace_pace_of(const struct sci_trace_run *run, enum sci_trace_unit unit);

#endif
