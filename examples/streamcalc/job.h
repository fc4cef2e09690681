/* What the whole job and plan share: inputs gathered, a plan made of them, and how it ends. */
#ifndef JOB_H
#define JOB_H

#include "cli.h"
#include "media.h"
#include "wanted.h"

struct job {
    struct media media;
    struct wanted wanted;
    sc_storage *storage;   /* NULL: none, or not measured because of an interruption */
    sc_plan *plan;         /* NULL: interrupted before there was anything to plan with */
    sc_playback *playback; /* NULL: not asked for, or not played */
    size_t failed;         /* inputs that could not be read; they were complained of */
    sc_error error;        /* why the answer is not whole, but for clips that failed; or SC_OK */
    sc_playback *earlier;  /* one that went before it; NULL: none did */
    bool played;           /* storage->paced is of this job */
    int64_t promised;      /* safe streams of the first format before they were played */
    const char
        *unplayed; /* why the first line stands on what was measured alone; NULL: it does not,
                              or that was asked for */
    int64_t *mix;  /* streams of each wanted format that play together; NULL: not asked */
    sc_verdict mix_played; /* what playing the mix has shown */
    bool interrupted;
    bool nothing_left; /* the failed inputs were all there was: the job's error is theirs */
};

/* Open what --media names. */
sc_status job_open_media(struct job *job, struct cli *cli, sc_error *error);
/* Complain of the media that failed, and want the formats of the rest. */
sc_status job_take_clips(struct job *job, struct cli *cli, sc_error *error);
/* Want what --stream and --format ask about. */
sc_status job_add_asked(struct job *job, struct cli *cli, sc_error *error);
/* Fail with this message, or with the error of the first clip, where nothing is wanted: none of the media
   could be read or had anything in it. */
sc_status job_check_wanted(struct job *job, const char *message, sc_error *error);
/* Streams of a wanted format that --streams says: the number for its place in the list, the only number for
   all that were asked for, and none of what has no number. */
int32_t job_streams_of(const struct cli *cli, size_t item);
/* Whether --streams has no more numbers than there are formats. */
sc_status job_check_streams(const struct job *job, const struct cli *cli, sc_error *error);
/* job->mix, where --streams asks about one: all that is wanted is known. */
sc_status job_make_mix(struct job *job, const struct cli *cli, sc_error *error);
/* Make the plan by the command line's options. It has the job's error, or that of the first clip
   that failed. */
sc_status job_solve(struct job *job, struct cli *cli, sc_error *error);
/* Keep why the answer is not whole, in the plan too, if there is one. */
void job_set_error(struct job *job, const sc_error *cause);
sc_status job_to_json(const struct job *job, const struct cli *cli, char **json, sc_error *error);
/* The answer as text: headline, requirement, what was left out, storage, table and findings. place
   is where the streams play from. */
void job_print_text(const struct job *job, struct cli *cli, const char *place);
/* End a job that failed: what was complained of is not said twice. */
int job_fail(const struct job *job, struct cli *cli, const sc_error *failure);
int job_exit_code(const struct job *job, const struct cli *cli);
void job_free(struct job *job);

#endif
