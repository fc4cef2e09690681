/* What a player needs when: the frames of a clip one after the other, over and over. Pure. */
#ifndef SCI_PLAY_SCRIPT_H
#define SCI_PLAY_SCRIPT_H

#include "core/core.h"
#include <stdatomic.h>
#include <streamcalc/plan.h>

/* One loop of a clip; streams at any place of it share it. */
typedef struct sci_script {
    atomic_int users;
    size_t count;
    int64_t *ends; /* bytes up to the end of each frame; malloc'ed */
    double *due_s; /* after the first frame; malloc'ed */
    double loop_s;
    int64_t largest_bytes; /* of a frame */
} sci_script;

/* They can be played: none, or such whose times ascend within the loop and which hold bytes. */
bool sci_frames_are_sound(const sc_frames *frames);

/* Frames that a probe kept, else equal ones of the demand's rate; its frame rate is 25 where it
   is not known. NULL without memory. */
sci_script *sci_script_new(const sc_demand *demand, const sc_frames *frames);
sci_script *sci_script_share(sci_script *script);
/* The last user frees it. NULL is accepted. */
void sci_script_release(sci_script **script);

/* Frames are counted from the first one of the stream, which is frame `first` of the loop, and so
   are bytes and seconds. */
typedef struct sci_script_place {
    sci_script *script;
    size_t first;
} sci_script_place;

double sci_script_due_s(sci_script_place place, int64_t frame);
/* Bytes of all frames up to this one, and with it. */
int64_t sci_script_end(sci_script_place place, int64_t frame);
/* The frame that holds this byte. */
int64_t sci_script_frame_at(sci_script_place place, int64_t byte);

#endif
