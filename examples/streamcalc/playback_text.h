/* What was played, as people read it. */
#ifndef PLAYBACK_TEXT_H
#define PLAYBACK_TEXT_H

#include <stdio.h>
#include <streamcalc/streamcalc.h>

/* The first line: whether it held, or the largest number that did. */
void playback_print_headline(FILE *out, int width, const sc_playback *playback);
/* What was read and how. */
void playback_print_how(FILE *out, int width, const sc_playback *playback);
/* How late reads were asked for by this machine. */
void playback_print_jitter(FILE *out, int width, const sc_playback *playback);
/* One row a run. */
void playback_print_trials(FILE *out, int width, const sc_playback *playback);
/* One row a stream of the run that is reported. */
void playback_print_streams(FILE *out, int width, const sc_playback *playback);

#endif
