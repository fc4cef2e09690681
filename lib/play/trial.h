/* One run of streams at their pace, from any source of blocks. */
#ifndef SCI_PLAY_TRIAL_H
#define SCI_PLAY_TRIAL_H

#include "io/reader.h"
#include "play/pacer.h"
#include <streamcalc/play.h>

typedef struct sci_trial_stream {
    sci_script_place place;
    int64_t buffer_bytes;
    int64_t largest_read_bytes;
    double start_s; /* after the run begins */
} sci_trial_stream;

typedef struct sci_trial_outcome {
    sci_pacer_score *scores; /* one a stream */
    sci_read_faults faults;
    sc_play_jitter jitter;
    sc_paced_reads reads;
} sci_trial_outcome;

typedef struct sci_trial_params {
    const char *path; /* for errors */
    sc_player player; /* resolved */
    const sci_trial_stream *streams;
    int32_t count;
    double seconds; /* that frames are due in, of each stream */
    double stall_s;
} sci_trial_params;

/* outcome->scores has room. While it runs progress tells of the frames. The source is taken over, and
   asked for blocks of the size that it finds in the block. */
sc_status sci_trial_run(const sci_trial_params *params, const sci_read_source *source,
                        sci_control *control, sci_trial_outcome *outcome, sc_error *error);

/* No frame late, and no buffer empty within the time that counts as sustained. */
bool sci_score_is_sustained(const sci_pacer_score *score, double end_s, double read_ahead_s);

#endif
