/* The expected count: streams of a clip played in arithmetic against the run that was measured. */
#ifndef SCI_PLAN_REPLAY_H
#define SCI_PLAN_REPLAY_H

#include "plan/plan.h"

/* What a stream needs as time goes on, over and over. */
typedef struct sci_cadence {
    double step_s;
    size_t count;
    double
        *due_bytes; /* by the end of each step, from the first one on; the last is a whole loop's */
    bool coarse;    /* a step holds several frames: within it bytes are taken to be due evenly */
} sci_cadence;

/* From the demand's trace; equal frames of its rate where it has none. False without memory. */
bool sci_cadence_make(sci_cadence *cadence, const sc_demand *demand, sci_arena *arena);
/* Bytes due within t seconds of a stream that begins with this step; 0 before its start. */
double sci_cadence_due(const sci_cadence *cadence, size_t first, double t);

typedef struct sci_replay {
    const sci_mix *mix;
    const sci_cadence *cadences; /* one a type of the mix */
    uint64_t seed;
    int32_t draws; /* 1 and more */
} sci_replay;

/* A mix of more types is not replayed. */
enum { SCI_REPLAY_TYPES_MAX = 64 };

/* Whether so many streams of each type of the mix (types[i].count, n together, n at least 1; of a
   single type n whatever its count) have no late frame in 95 % of the draws. False also where supply
   is not known of so many. */
bool sci_replay_sustains(const sci_replay *replay, int64_t n);

#endif
