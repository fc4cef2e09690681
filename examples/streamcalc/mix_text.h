/* What is said of streams of several formats that play together. */
#ifndef MIX_TEXT_H
#define MIX_TEXT_H

#include <stdio.h>
#include <streamcalc/plan.h>

/* Whether the mix plays, as one sentence. place is where it plays from: "here". */
void mix_print_headline(FILE *out, int width, const sc_mix *mix, const char *place);
/* How many more of each format would play, or what would have to go. */
void mix_print_table(FILE *out, int width, const sc_mix *mix);
void mix_print_headroom(FILE *out, int width, const sc_mix *mix);
void mix_print_frontiers(FILE *out, int width, const sc_plan *plan);

#endif
