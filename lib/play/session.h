/* What a call of the player holds: parameters, the storage, and what was played so far. */
#ifndef SCI_PLAY_SESSION_H
#define SCI_PLAY_SESSION_H

#include "measure/lanes.h"
#include "measure/prepare.h"
#include "play/pictures.h"
#include "play/trial.h"
#include <streamcalc/play.h>

enum { SCI_PLAY_STREAMS_MAX = 256 };

typedef struct sci_session {
    const char *path;
    sc_play_params params;   /* resolved */
    sci_script **scripts;    /* one an item */
    sci_pictures **pictures; /* one an item; NULL: none of its own are read */
    sci_control control;
    sci_preparation *prep;
    sci_dataset *data;
    int32_t most_streams; /* that may be played: fewer than max_streams where more do not fit */
    bool limited;         /* more were not tried for that reason */
    sci_findings findings;
    sc_error first_fault; /* of reads */
    sc_playback *playback;
    sc_paced_run *trials; /* of the playback, in its arena */
    size_t capacity;
} sci_session;

/* One run. */
typedef struct sci_outcome {
    int32_t count;
    size_t items[SCI_PLAY_STREAMS_MAX]; /* whose stream it is */
    sci_trial_stream streams[SCI_PLAY_STREAMS_MAX];
    sci_pacer_score scores[SCI_PLAY_STREAMS_MAX];
    sc_paced_run trial;
} sci_outcome;

/* Check the parameters and open the storage. Also on failure the session has to be closed. */
sc_status sci_session_open(sci_session *session, const char *path, const sc_play_params *params,
                           bool search, sc_error *error);
void sci_session_close(sci_session *session);

enum { SCI_AS_GIVEN = -1 };
/* Play so many streams of the varied item (SCI_AS_GIVEN: its own number) beside those of the
   others, and keep the trial. */
sc_status sci_session_play(sci_session *session, int32_t varied, double seconds,
                           sci_outcome *outcome, sc_error *error);
/* The outcome becomes the one that the result shows. */
sc_status sci_session_report(sci_session *session, const sci_outcome *outcome, sc_error *error);
/* Add the findings of all runs. */
void sci_session_review(sci_session *session);
/* What was played, with its findings; the caller's. NULL where no run was completed. */
sc_playback *sci_session_result(sci_session *session, const sc_error *fault);

#endif
