/* How a track's rate compares with the one that is published for its format. */
#ifndef SCI_PROBE_PUBLISHED_H
#define SCI_PROBE_PUBLISHED_H

#include "core/core.h"

#include <streamcalc/probe.h>

/* Set the published members of a described track. even: all frames are where its rate says, and lie
   in the file as the encoder made them. */
void sci_published_find(sc_track *track, bool even);
/* A finding where it is far off. */
void sci_published_note(const sc_track *track, sci_findings *findings);

#endif
