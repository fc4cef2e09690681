#include "confirm.h"

#include "frames.h"
#include "output.h"
#include "text.h"
#include "watch.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_STREAMS = 256 };
static const double REST_S = 0.5, CONFIRM_S = 6;

/* NULL where nothing is promised. */
static const sc_answer *promised(const struct job *job)
{
    const sc_answer *first = job->plan->answer_count ? &job->plan->answers[0] : NULL;
    const bool measured = job->storage->source == SC_SOURCE_MEASURED;
    return first && measured && first->safe != SC_UNKNOWN ? first : NULL;
}

/* Why what is promised cannot be played; NULL: it can. */
static const char *why_not(const struct job *job, const struct cli *cli)
{
    if (job->storage->with_writers > 0)
        return "the counts are those beside writers, and playing is done without";
    if (cli->options.create)
        return "the test data that was measured is gone";
    if (*job->plan->answers[0].link)
        return "the link is arithmetic, and nothing was read through it";
    if (job->mix)
        return job->plan->mix.streams > MOST_STREAMS ? "no more than 256 streams are played" : NULL;
    return job->wanted.notes[0].family ? "the first row is a family of formats" : NULL;
}

/* A client's read-ahead goes on for a while. */
static void rest(struct cli *cli)
{
    const struct timespec piece = {0, 50000000};
    for (double rested_s = 0; rested_s < REST_S && !sc_cancel_triggered(cli->cancel);
         rested_s += 0.05) {
        watch_beat();
        nanosleep(&piece, NULL);
    }
}

/* ---- runs ---- */

static sc_status keep_runs(struct job *job, const sc_playback *playback, sc_error *error)
{
    sc_status status = SC_OK;
    for (size_t i = 0; i < playback->trial_count && status == SC_OK; i++)
        status = sc_storage_keep_paced(job->storage, &playback->trials[i], error);
    return status;
}

/* What is played: of the first format as many as a run says, or, with --streams, what was asked about. */
struct confirmation {
    struct job *job;
    struct cli *cli;
    const char *target;
    sc_play_item *items;
    size_t item_count;
    struct frames frames;
};

static sc_status make_items(struct confirmation *c, sc_error *error)
{
    const struct wanted *wanted = &c->job->wanted;
    const size_t formats = c->job->mix ? wanted->count : 1;
    sc_status status = SC_OK;
    c->items = calloc(formats, sizeof *c->items);
    if (!c->items)
        return option_fail(error, SC_NO_MEMORY, "%s", sc_status_text(SC_NO_MEMORY));
    for (size_t i = 0; i < formats && status == SC_OK; i++) {
        sc_play_item *item = &c->items[c->item_count];
        item->demand = &wanted->demands[i];
        item->streams = c->job->mix ? (int32_t)c->job->mix[i] : 1;
        if (item->streams == 0)
            continue;
        status = frames_of_clip(&c->frames, c->cli, item->demand, &item->frames, error);
        c->item_count++;
    }
    return status;
}

/* Once, or with --verify all that it takes to find the most. */
static sc_status play(const struct confirmation *c, sc_error *error)
{
    const bool search = c->cli->options.verify;
    const sc_play_params params = {.items = c->items,
                                   .item_count = c->item_count,
                                   .player = c->job->storage->player,
                                   .cache = c->job->storage->cache_effective,
                                   .seconds = search ? 0 : CONFIRM_S,
                                   .stall_s = cli_stall_s(c->cli),
                                   .control = cli_control(c->cli)};
    rest(c->cli);
    sc_playback_free(&c->job->earlier);
    c->job->earlier = c->job->playback;
    c->job->playback = NULL;
    const sc_status status = (search ? sc_play_find_max : sc_play)(c->target, &params,
                                                                   &c->job->playback, error);
    progress_erase(&c->cli->progress);
    if (!c->job->playback)
        return status;
    c->job->played = true;
    const sc_status kept = keep_runs(c->job, c->job->playback, error);
    return status == SC_OK ? kept : status;
}

static sc_status play_so_many(const struct confirmation *c, int32_t streams, sc_error *error)
{
    c->items[0].streams = streams;
    return play(c, error);
}

static sc_status play_mix(const struct confirmation *c, sc_error *error)
{
    const sc_status status = play(c, error);
    if (status == SC_OK)
        c->job->mix_played = c->job->playback->sustained ? SC_VERDICT_HOLDS : SC_VERDICT_BREAKS;
    return status;
}

static int32_t most(int64_t streams)
{
    return streams < 1 ? 1 : streams < MOST_STREAMS ? (int32_t)streams : MOST_STREAMS;
}

/* Where so many fell behind: what they got in that time, as whole streams. */
static int32_t fewer_than(const sc_playback *playback)
{
    const sc_paced_run *trial = &playback->trials[playback->trial_count - 1];
    const double behind_s = trial->worst_lateness_s > 0 ? trial->worst_lateness_s
                                                        : -trial->lead_slope * trial->seconds;
    const double part = trial->seconds / (trial->seconds + (behind_s > 0 ? behind_s : 0));
    const int32_t fewer = (int32_t)(trial->streams * part);
    return most(fewer < trial->streams ? fewer : trial->streams - 1);
}

/* As many as are promised, or as are required; then one more, or fewer. */
static sc_status play_around(const struct confirmation *c, const sc_answer *answer, sc_error *error)
{
    const int64_t required = c->cli->options.require;
    const int32_t first = most(required ? required : answer->safe);
    sc_status status = play_so_many(c, first, error);
    if (status != SC_OK)
        return status;
    if (c->job->playback->sustained)
        return required || answer->at_least || first == MOST_STREAMS || answer->safe < 1 ||
                       c->cli->options.reserve > 0
                   ? SC_OK
                   : play_so_many(c, first + 1, error);
    return first > 1 ? play_so_many(c, fewer_than(c->job->playback), error) : SC_OK;
}

static sc_status plan_again(struct job *job, struct cli *cli, sc_error *error)
{
    sc_plan *before = job->plan;
    job->plan = NULL;
    const sc_status status = job_solve(job, cli, error);
    if (status == SC_OK)
        sc_plan_free(&before);
    else
        job->plan = before;
    return status;
}

static sc_status play_all(struct confirmation *c, const sc_answer *answer, sc_error *error)
{
    sc_status status = make_items(c, error);
    if (status != SC_OK)
        return status;
    if (c->job->mix)
        return play_mix(c, error);
    return c->cli->options.verify ? play_so_many(c, most(answer->safe), error)
                                  : play_around(c, answer, error);
}

sc_status confirm_play(struct job *job, struct cli *cli, const char *target, sc_error *error)
{
    const sc_answer *answer = promised(job);
    struct confirmation c = {.job = job, .cli = cli, .target = target};
    if (!answer)
        return SC_OK;
    job->unplayed = why_not(job, cli);
    if (job->unplayed)
        return SC_OK;
    job->promised = answer->safe;
    const sc_status status = play_all(&c, answer, error);
    free(c.items);
    frames_free(&c.frames);
    const sc_status planned = job->played ? plan_again(job, cli, error) : SC_OK;
    if (status == SC_LIMIT && !job->played)
        job->unplayed = "so many streams need more threads or memory than this machine may spare";
    return status == SC_OK || status == SC_LIMIT ? planned : status;
}

/* ---- words ---- */

static void describe(const sc_paced_run *run, char *text, size_t size)
{
    char late[32];
    if (run->failed_reads > 0)
        snprintf(text, size, "%lld reads failed", (long long)run->failed_reads);
    else if (run->late_frames > 0)
        snprintf(text, size, "fell behind, by %s at most",
                 text_seconds(run->worst_lateness_s, late, sizeof late));
    else if (!run->sustained)
        snprintf(text, size, "kept up for %.0f s, but with buffers that shrink", run->seconds);
    else
        snprintf(text, size, "no late frame in %.0f s", run->seconds);
}

/* What was measured promised another number than what playing left of it. */
static const char *verdict(const struct job *job)
{
    const sc_answer *answer = &job->plan->answers[0];
    if (answer->safe < job->promised)
        return "corrected by playing: ";
    if (answer->played_late == SC_UNKNOWN && answer->safe > job->promised)
        return "confirmed by playing, with room for more: ";
    return "confirmed by playing: ";
}

static void print_mix(const struct job *job, FILE *out, int width)
{
    char piece[128], line[192];
    const sc_paced_run *run = &job->storage->paced[job->storage->paced_count - 1];
    describe(run, piece, sizeof piece);
    snprintf(line, sizeof line, "all %d together: %s", (int)run->streams, piece);
    text_wrap(out, width,
              run->sustained ? "confirmed by playing: " : "corrected by playing: ", line);
}

void confirm_print(const struct job *job, FILE *out, int width)
{
    char line[1024] = "", clean[3 * sizeof line], piece[128];
    if (job->unplayed)
        text_wrap(out, width, "not confirmed by playing: ", job->unplayed);
    if (!job->played)
        return;
    if (job->mix) {
        print_mix(job, out, width);
        return;
    }
    for (size_t i = 0; i < job->storage->paced_count; i++) {
        const sc_paced_run *run = &job->storage->paced[i];
        const size_t used = strlen(line);
        describe(run, piece, sizeof piece);
        snprintf(line + used, sizeof line - used, "%s%d%s%s: %s", i ? "; " : "", (int)run->streams,
                 i ? "" : " x ", i ? "" : job->plan->answers[0].format, piece);
    }
    text_wrap(out, width, verdict(job), text_clean(line, clean, sizeof clean));
    if (job->promised != job->plan->answers[0].safe) {
        snprintf(line, sizeof line, "%lld streams by what was measured, %lld with what was played",
                 (long long)job->promised, (long long)job->plan->answers[0].safe);
        text_wrap(out, width, "safe: ", line);
    }
}
