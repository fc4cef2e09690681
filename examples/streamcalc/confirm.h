/* The whole job's proof: streams of the count that is about to be promised, and one more, are
   read at their pace for some seconds. */
#ifndef CONFIRM_H
#define CONFIRM_H

#include "job.h"

/* Play what the headline promises from target, and keep the runs in job->storage. SC_OK also where
   there is nothing to play: no count, no measured storage, or a link on paper beside it. */
sc_status confirm_play(struct job *job, struct cli *cli, const char *target, sc_error *error);
/* "confirmed by playing: ..."; nothing where nothing was played. */
void confirm_print(const struct job *job, FILE *out, int width);

#endif
