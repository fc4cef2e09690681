/* One line on standard error that shows how far a long call has come. */
#ifndef PROGRESS_H
#define PROGRESS_H

#include <streamcalc/streamcalc.h>

struct progress {
    bool enabled;   /* standard error is a terminal */
    int columns;    /* of it, at the start */
    int shown;      /* columns that the line takes now */
    double drawn_s; /* when it was renewed last, as elapsed_s */
};

void progress_start(struct progress *progress);
/* An sc_progress_fn; opaque is the struct progress. Never cancels. */
int progress_update(void *opaque, const sc_progress *state);
void progress_erase(struct progress *progress);

#endif
