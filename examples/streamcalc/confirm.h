/* The answer proved: its first format is played from the storage that was measured. */
#ifndef CONFIRM_H
#define CONFIRM_H

#include "job.h"

/* Play so many as are promised, or required, and one more, or fewer where that fails; with --verify look
   for the most. What was played goes into the storage and the plan is made again with it. Nothing is
   played where nothing was measured, the first row is one of a family, or a link lies between. */
sc_status confirm_play(struct job *job, struct cli *cli, const char *target, sc_error *error);
/* "confirmed by playing: ..."; nothing where nothing was played. */
void confirm_print(const struct job *job, FILE *out, int width);

#endif
