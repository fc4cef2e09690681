/* Readers that take what a player takes, when it takes it: a block as soon as the buffer has room
   for it, and late when a frame in it was due before it came. */
#ifndef SCI_MEASURE_PACED_H
#define SCI_MEASURE_PACED_H

#include "io/lead.h"
#include "measure/lanes.h"
#include <streamcalc/measure.h>

/* Resolved: no zeros stand for defaults. */
typedef struct sci_pace_params {
    const char *path;
    sc_player player;
    int32_t streams;
    int64_t bits_per_s, largest_frame_bytes;
    double frames_per_s, seconds, stall_s;
} sci_pace_params;

/* The player must be resolved. Fills in the run but for `cold`. */
sc_status sci_pace_run(const sci_pace_params *params, sci_dataset *data, sci_control *control,
                       sc_paced_run *run, sc_error *error);

/* The pure part. */
typedef struct sci_pace {
    double frame_bytes, frames_per_s, preroll_s;
    int64_t buffer_bytes;
} sci_pace;
/* When a player may ask for the bytes from `from` up to `to`, and when it needs the first of them:
   seconds after it began to fill its buffer. */
double sci_pace_room_s(const sci_pace *pace, int64_t to);
double sci_pace_due_s(const sci_pace *pace, int64_t from);

#endif
