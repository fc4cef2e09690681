/* Any numbers of the formats of a plan, asked about one after the other. */
#ifndef SCI_PLAN_BLEND_H
#define SCI_PLAN_BLEND_H

#include "plan/replay.h"

typedef struct sci_blend {
    const sc_plan_params *params;
    const sci_mix *base;         /* the supply and the player */
    sci_played_edge *edges;      /* one a demand; NULL: nothing was played as this player reads */
    const sci_cadence *cadences; /* one a demand; NULL: there is no replay */
    sci_arena *arena;            /* of what is below */
    sci_mix mix;                 /* of the demands of which there are any */
    sci_cadence *mix_cadences;   /* one a type of the mix */
    int64_t total;
    sc_status status; /* SC_OK; else nothing that it said counts */
    sc_error *error;
} sci_blend;

/* What it needs for good comes from the arena. sci_blend_free() on failure, too. */
sc_status sci_blend_init(sci_blend *blend, const sc_plan_params *params, const sci_mix *base,
                         sci_arena *arena, sc_error *error);
void sci_blend_free(sci_blend *blend);

/* Whether so many of each demand are safe. More than SCI_STREAMS_MAX are not. */
bool sci_blend_holds(sci_blend *blend, const int64_t *counts);
/* The same with (2) in its statistical form. */
sc_verdict sci_blend_likely(sci_blend *blend, const int64_t *counts);
/* Whether the replay sustains them; needs cadences, and at most SCI_REPLAY_TYPES_MAX formats. */
bool sci_blend_sustains(sci_blend *blend, const int64_t *counts);
/* Formats of which there are any. */
size_t sci_blend_formats(const sci_blend *blend, const int64_t *counts);
/* Whether supply is known of so many. */
bool sci_blend_known(sci_blend *blend, const int64_t *counts);
/* What is broken with counts that do not hold: with all of them, else with the fewest with which
   anything is. Its type counts until the next question. */
void sci_blend_breach(sci_blend *blend, const int64_t *counts, sci_breach *breach);

#endif
