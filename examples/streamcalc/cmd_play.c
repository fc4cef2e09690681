#include "frames.h"
#include "job.h"
#include "output.h"
#include "playback_text.h"
#include "player_log.h"
#include "text.h"

#include <stdlib.h>

/* ---- what to play ---- */

/* Formats that were asked for, else the clips of the storage itself. */
static sc_status gather(struct job *job, struct cli *cli, sc_error *error)
{
    sc_status status = SC_OK;
    if (cli->options.wish_count == 0) {
        status = media_probe(&job->media, cli, cli->options.operands, 1, error);
    } else {
        status = job_open_media(job, cli, error);
    }
    if (status != SC_OK && job->media.all.clip_count == 0)
        return status;
    *error = (sc_error){0};
    status = job_take_clips(job, cli, error);
    if (status == SC_OK)
        status = job_add_asked(job, cli, error);
    return status == SC_OK ? job_check_wanted(job,
                                              "nothing to play: there is no clip here; give "
                                              "--media, --format or --stream",
                                              error)
                           : status;
}

static sc_status check(const struct job *job, const struct cli *cli, sc_error *error)
{
    const cli_options *options = &cli->options;
    if (options->streams.count == 0 && !options->find_max)
        return option_fail(error, SC_INVALID_ARGUMENT,
                           "how many streams? give --streams N, or --find-max");
    return job_check_streams(job, cli, error);
}

/* ---- playing ---- */

static sc_status play(struct job *job, struct cli *cli, sc_error *error)
{
    const cli_options *options = &cli->options;
    const size_t count = job->wanted.count;
    struct frames frames = {0};
    sc_play_item *items = calloc(count, sizeof *items);
    sc_status status = items ? SC_OK
                             : option_fail(error, SC_NO_MEMORY, "%s", sc_status_text(SC_NO_MEMORY));
    for (size_t i = 0; i < count && status == SC_OK; i++) {
        items[i] = (sc_play_item){.demand = &job->wanted.demands[i],
                                  .streams = job_streams_of(cli, i)};
        if (items[i].streams > 0 || (options->find_max && i == 0))
            status = frames_of_clip(&frames, cli, items[i].demand, &items[i].frames, error);
    }
    const sc_play_params params = {.items = items,
                                   .item_count = count,
                                   .player = options->player,
                                   .cache = options->cache,
                                   .seconds = options->seconds,
                                   .start = options->aligned ? SC_START_ALIGNED
                                                             : SC_START_STAGGERED,
                                   .seed = (uint64_t)options->seed,
                                   .stall_s = cli_stall_s(cli),
                                   .control = cli_control(cli)};
    if (status == SC_OK)
        status = (options->find_max ? sc_play_find_max : sc_play)(options->operands[0], &params,
                                                                  &job->playback, error);
    progress_erase(&cli->progress);
    frames_free(&frames);
    free(items);
    return status;
}

static void print_text(const sc_playback *playback, struct cli *cli)
{
    const struct finding_list findings = {playback->findings, playback->finding_count, {NULL}};
    playback_print_headline(cli->out, cli->width, playback);
    playback_print_how(cli->out, cli->width, playback);
    playback_print_jitter(cli->out, cli->width, playback);
    fputc('\n', cli->out);
    if (playback->largest_sustained != SC_UNKNOWN)
        playback_print_trials(cli->out, cli->width, playback);
    else
        playback_print_streams(cli->out, cli->width, playback);
    fputc('\n', cli->out);
    player_log_print(cli);
    output_findings(cli->out, cli->width, findings);
    if (playback->error.status == SC_CANCELLED)
        fputs("interrupted: the search was not at its end\n", cli->out);
}

static int code_of(const sc_playback *playback, const cli_options *options)
{
    const int64_t most = playback->largest_sustained;
    if (options->find_max)
        return most >= (options->require ? options->require : 1) ? EXIT_ANSWERED : EXIT_REQUIREMENT;
    return playback->sustained ? EXIT_ANSWERED : EXIT_REQUIREMENT;
}

static int show(const sc_playback *playback, struct cli *cli, sc_status status)
{
    int code = status == SC_CANCELLED ? EXIT_INTERRUPTED : code_of(playback, &cli->options);
    if (cli->options.json) {
        char *json = NULL;
        sc_error cause = {0};
        const sc_status written = sc_playback_to_json(playback, &json, &cause);
        const int printed = output_json(cli, written, &json, &cause);
        return printed == EXIT_ANSWERED ? code : printed;
    }
    print_text(playback, cli);
    return code;
}

int cmd_play(struct cli *cli)
{
    struct job job = {0};
    sc_error error = {0};
    sc_status status = gather(&job, cli, &error);
    if (status == SC_OK)
        status = check(&job, cli, &error);
    if (status == SC_OK)
        status = play(&job, cli, &error);
    const int code = job.playback ? show(job.playback, cli, status) : job_fail(&job, cli, &error);
    job_free(&job);
    return code;
}
