/* One stream of a player: which bytes it asks for next and when it may, and which frames came too
   late. Times are arguments: nothing here has a clock. Not thread-safe. */
#ifndef SCI_PLAY_PACER_H
#define SCI_PLAY_PACER_H

#include "io/lead.h"
#include "play/script.h"

typedef struct sci_pacer_params {
    sci_script_place place;
    sc_player player;     /* resolved */
    int64_t buffer_bytes; /* sc_player_buffer_bytes() */
    double start_s;       /* when it begins to fill its buffer */
    double end_s;         /* frames due before are judged */
} sci_pacer_params;

/* A read of the stream's bytes [from, to). */
typedef struct sci_pacer_read {
    int64_t number, from, to;
    double not_before_s; /* the buffer has room for it */
} sci_pacer_read;

typedef struct sci_pacer_score {
    int64_t frames, late_frames;
    int64_t stalls;          /* runs of late frames: times at which the picture would have stood */
    double worst_lateness_s; /* 0: none was late */
    double least_lead_s; /* between a frame's arrival and its due time; INFINITY: no frame yet */
    int64_t waits; /* reads of the later half that had to wait for room: the buffer was full */
    sci_lead lead; /* of the later half */
} sci_pacer_score;

typedef struct sci_pacer {
    sci_pacer_params params;
    int64_t next_read, next_byte; /* not asked for yet */
    int64_t done_reads;           /* all before this one have arrived */
    struct sci_arrival {
        int64_t to;
        double at_s; /* NAN: under way */
        bool lost;   /* it failed then */
    } * arrivals;    /* of reads done_reads to next_read, a ring; malloc'ed */
    size_t capacity;
    int64_t frame;     /* the next one to be judged */
    double frame_at_s; /* when the last of its bytes came so far */
    bool frame_lost;   /* a byte of it never comes */
    bool was_late;
    sci_pacer_score score;
} sci_pacer;

/* The script is shared: a read that is stuck outlasts the call that plays. */
void sci_pacer_start(sci_pacer *pacer, const sci_pacer_params *params);
void sci_pacer_free(sci_pacer *pacer);

/* How many bytes the next read asks for; it may be given fewer, then the rest comes with later
   ones. */
int64_t sci_pacer_wants(const sci_pacer *pacer);
/* Take the next read, of so many bytes. False without memory. */
bool sci_pacer_take(sci_pacer *pacer, int64_t bytes, double now_s, sci_pacer_read *read);
void sci_pacer_arrived(sci_pacer *pacer, int64_t number, double at_s);
/* The read failed: its frames count as late, by no time that is known, and those behind go on. */
void sci_pacer_lost(sci_pacer *pacer, int64_t number, double at_s);
/* The frames that are due at now_s, of the run, and are not there; least_lead_s with the first of
   them. */
int64_t sci_pacer_overdue(const sci_pacer *pacer, double now_s, double *least_lead_s);
/* Frames that were due and are not there count as late, by the time that passed since. */
void sci_pacer_finish(sci_pacer *pacer, double now_s);

#endif
