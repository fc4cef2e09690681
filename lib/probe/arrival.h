/* From frames with due times to arrival curve, busiest windows, required rates and trace. Pure. */
#ifndef SCI_PROBE_ARRIVAL_H
#define SCI_PROBE_ARRIVAL_H

#include "core/core.h"
#include <streamcalc/probe.h>

/* Times are integers of 1/705600000 s ("flicks"): frame periods from 24000/1001 to 120 frames a
   second, audio sample periods, milliseconds and 90 kHz clocks are all whole numbers of them. */
enum { SCI_FLICKS = 705600000, SCI_TRACE_MAX = 4096 };

typedef struct sci_frame {
    int64_t due; /* flicks after the first frame, ascending */
    int64_t bytes;
} sci_frame;

typedef struct sci_frames {
    sci_frame *items;
    size_t count;
    int64_t duration; /* flicks, of the programme: what the mean rate is taken over */
    sc_rational rate; /* exact frames a second when constant, else 0/0 */
} sci_frames;

typedef struct sci_arrival {
    int64_t mean_bits_per_s, busiest_60s_bits_per_s, peak_1s_bits_per_s, largest_frame_bytes;
    sc_required required[SC_REQUIRED_COUNT];
    sc_curve curve;
    sc_trace trace;
} sci_arrival;

/* From the first frame to where it comes again when the clip is looped; count > 0. */
int64_t sci_frames_loop(const sci_frames *frames);

/* Asked now and then during long work: true ends it. */
typedef struct sci_stop {
    bool (*now)(void *opaque);
    void *opaque;
} sci_stop;

/* NULL never stops. */
bool sci_stop_now(const sci_stop *stop);

/* count > 0 and duration > 0. The trace's bytes lie in the arena. SC_OK, SC_NO_MEMORY, or
   SC_CANCELLED when it was stopped. stop NULL: never. */
sc_status sci_arrival_compute(const sci_frames *frames, sci_arena *arena, const sci_stop *stop,
                              sci_arrival *arrival);

#endif
