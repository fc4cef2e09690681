#include "confirm.h"

#include "text.h"

#include <string.h>
#include <time.h>

enum { MOST_STREAMS = 256 };
static const double REST_S = 0.5;

static const sc_answer *promised(const struct job *job)
{
    const sc_answer *first = job->plan->answer_count ? &job->plan->answers[0] : NULL;
    return first && first->safe > 0 && first->safe <= MOST_STREAMS && !job->wanted.notes[0].family
               ? first
               : NULL;
}

/* A client's read-ahead goes on for a while. */
static void rest(void)
{
    const struct timespec time = {0, (long)(REST_S * 1e9)};
    nanosleep(&time, NULL);
}

static sc_status play(struct job *job, struct cli *cli, const char *target, int32_t streams,
                      sc_paced_run *run, sc_error *error)
{
    const sc_demand *demand = &job->wanted.demands[0];
    const sc_paced_params params = {.player = job->storage->player,
                                    .cache = job->storage->cache_effective,
                                    .streams = streams,
                                    .bits_per_s = demand->bits_per_s,
                                    .largest_frame_bytes = demand->largest_frame_bytes,
                                    .frames_per_s = demand->frame_rate.den
                                                        ? (double)demand->frame_rate.num /
                                                              (double)demand->frame_rate.den
                                                        : 0,
                                    .stall_s = cli_stall_s(cli),
                                    .control = cli_control(cli)};
    rest();
    sc_status status = sc_measure_paced(target, &params, run, error);
    progress_erase(&cli->progress);
    job->played |= status == SC_OK;
    return status == SC_OK ? sc_storage_keep_paced(job->storage, run, error) : status;
}

sc_status confirm_play(struct job *job, struct cli *cli, const char *target, sc_error *error)
{
    const sc_answer *answer = promised(job);
    sc_paced_run run;
    if (!answer || *answer->link || job->storage->source != SC_SOURCE_MEASURED)
        return SC_OK;
    sc_status status = play(job, cli, target, (int32_t)answer->safe, &run, error);
    if (status == SC_OK && run.sustained && !answer->at_least && answer->safe < MOST_STREAMS)
        status = play(job, cli, target, (int32_t)answer->safe + 1, &run, error);
    return status;
}

static void describe(const sc_paced_run *run, char *text, size_t size)
{
    char late[32];
    if (run->failed_reads > 0)
        snprintf(text, size, "%lld reads failed", (long long)run->failed_reads);
    else if (run->late_reads > 0)
        snprintf(text, size, "fell behind, by %s at most",
                 text_seconds(run->worst_lateness_s, late, sizeof late));
    else if (!run->sustained)
        snprintf(text, size, "kept up for %.0f s, but with buffers that shrink", run->seconds);
    else
        snprintf(text, size, "no late frame in %.0f s", run->seconds);
}

static const char *verdict(const sc_answer *answer, const sc_paced_run *runs, size_t count)
{
    if (!runs[0].sustained)
        return "not confirmed by playing, plan with fewer: ";
    if (count > 1 && runs[1].sustained && !answer->at_least)
        return "confirmed by playing, with room for more: ";
    return "confirmed by playing: ";
}

void confirm_print(const struct job *job, FILE *out, int width)
{
    const size_t count = job->played ? job->storage->paced_count : 0;
    char line[1024] = "", clean[3 * sizeof line], piece[128];
    if (count == 0)
        return;
    for (size_t i = 0; i < count; i++) {
        const sc_paced_run *run = &job->storage->paced[i];
        const size_t used = strlen(line);
        describe(run, piece, sizeof piece);
        snprintf(line + used, sizeof line - used, "%s%d x %s: %s", i ? "; " : "", (int)run->streams,
                 job->plan->answers[0].format, piece);
    }
    text_wrap(out, width, verdict(&job->plan->answers[0], job->storage->paced, count),
              text_clean(line, clean, sizeof clean));
}
