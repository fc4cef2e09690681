/* The player that a file was read by, and what a log cannot tell of it. */
#ifndef SCI_TRACE_PROFILE_H
#define SCI_TRACE_PROFILE_H

#include "player/trace_reads.h"

#include <streamcalc/player.h>

/* Fill in the result from what the file and the whole log add up to; its path is set. */
sc_status sci_trace_profile(sc_player_trace *result, const struct sci_trace_file *file,
                            const struct sci_trace_totals *totals, sc_error *error);

#endif
