#include "job.h"

#include "answers.h"
#include "confirm.h"
#include "mix_text.h"
#include "output.h"
#include "player_log.h"
#include "storage_text.h"
#include "text.h"

#include <stdlib.h>

/* All that --media names is one clip. */
static sc_status open_as_one(struct job *job, struct cli *cli, sc_error *error)
{
    sc_error cause = {0};
    size_t count;
    const char **paths = media_named(&cli->options, &count);
    if (!paths)
        return option_fail(error, SC_NO_MEMORY, "%s", sc_status_text(SC_NO_MEMORY));
    sc_status status = count ? media_probe(&job->media, cli, paths, count, &cause) : SC_OK;
    free(paths);
    if (status == SC_OK || (status != SC_CANCELLED && job->media.all.clip_count))
        return SC_OK;
    *error = cause;
    return status;
}

/* A file that cannot be probed keeps its clip with an error, and the others are still answered.
   Without such a clip the failure ends the job. */
sc_status job_open_media(struct job *job, struct cli *cli, sc_error *error)
{
    if (cli->options.as_one)
        return open_as_one(job, cli, error);
    for (size_t i = 0; i < cli->options.wish_count; i++) {
        if (cli->options.wishes[i].kind != WISH_MEDIA)
            continue;
        sc_error cause = {0};
        size_t before = job->media.all.clip_count;
        sc_status status = media_open(&job->media, cli, cli->options.wishes[i].text, &cause);
        bool excused = status != SC_CANCELLED && job->media.all.clip_count > before;
        if (status != SC_OK && !excused) {
            *error = cause;
            return status;
        }
    }
    return SC_OK;
}

sc_status job_take_clips(struct job *job, struct cli *cli, sc_error *error)
{
    job->failed += media_complain(&job->media, cli);
    return wanted_add_clips(&job->wanted, &job->media.all, error);
}

sc_status job_add_asked(struct job *job, struct cli *cli, sc_error *error)
{
    sc_status status = SC_OK;
    for (size_t i = 0; i < cli->options.wish_count && status == SC_OK; i++) {
        const cli_wish *wish = &cli->options.wishes[i];
        if (wish->kind == WISH_STREAM)
            status = wanted_add_stream(&job->wanted, wish->text, error);
        else if (wish->kind == WISH_FORMAT)
            status = wanted_add_formats(&job->wanted, wish->text, error);
    }
    return status;
}

sc_status job_check_wanted(struct job *job, const char *message, sc_error *error)
{
    if (job->wanted.count > 0)
        return SC_OK;
    job->nothing_left = job->failed > 0;
    if (job->nothing_left)
        *error = job->media.all.clips[0].error;
    option_fail(error, SC_NOT_FOUND, "%s", message);
    return error->status;
}

int32_t job_streams_of(const struct cli *cli, size_t item)
{
    const cli_counts *counts = &cli->options.streams;
    if (item < counts->count)
        return counts->items[item];
    return counts->count == 1 && cli->options.wish_count > 0 ? counts->items[0] : 0;
}

sc_status job_check_streams(const struct job *job, const struct cli *cli, sc_error *error)
{
    const size_t numbers = cli->options.streams.count, formats = job->wanted.count;
    if (numbers <= formats)
        return SC_OK;
    return option_fail(error, SC_INVALID_ARGUMENT,
                       "--streams has %zu numbers, but there %s %zu format%s to play", numbers,
                       formats == 1 ? "is" : "are", formats, formats == 1 ? "" : "s");
}

sc_status job_make_mix(struct job *job, const struct cli *cli, sc_error *error)
{
    if (cli->options.streams.count == 0)
        return SC_OK;
    sc_status status = job_check_streams(job, cli, error);
    if (status != SC_OK)
        return status;
    job->mix = calloc(job->wanted.count + 1, sizeof *job->mix);
    if (!job->mix)
        return option_fail(error, SC_NO_MEMORY, "%s", sc_status_text(SC_NO_MEMORY));
    int64_t sum = 0;
    for (size_t i = 0; i < job->wanted.count; i++)
        sum += job->mix[i] = job_streams_of(cli, i);
    return sum ? SC_OK
               : option_fail(error, SC_INVALID_ARGUMENT, "--streams asks about no stream at all");
}

static void tell_plan(struct job *job)
{
    const sc_probe *media = &job->media.all;
    job->plan->error = job->error;
    for (size_t i = 0; i < media->clip_count && job->plan->error.status == SC_OK; i++)
        job->plan->error = media->clips[i].error;
}

void job_set_error(struct job *job, const sc_error *cause)
{
    job->error = *cause;
    if (job->plan)
        tell_plan(job);
}

sc_status job_solve(struct job *job, struct cli *cli, sc_error *error)
{
    const cli_options *options = &cli->options;
    sc_plan_params params = {
        .demands = job->wanted.demands,
        .demand_count = job->wanted.count,
        .storage = job->storage,
        .link = *options->link.name ? &options->link : NULL,
        .player = options->player,
        .reserve = options->reserve,
        .require = options->require,
        .warm_start = options->warm_start,
        .trust = options->trust,
        .mix = job->mix,
        .mix_played = job->mix_played,
        .frontier = options->frontier,
        .made_at = cli->made_at,
    };
    sc_status status = sc_plan_solve(&params, &job->plan, error);
    if (status == SC_OK)
        tell_plan(job);
    return status;
}

sc_status job_to_json(const struct job *job, const struct cli *cli, char **json, sc_error *error)
{
    const sc_probe *probe = job->media.part_count ? &job->media.all : NULL;
    const sc_link *link = *cli->options.link.name ? &cli->options.link : NULL;
    const sc_plan_document document = {job->plan, probe, job->storage, link, job->playback};
    return sc_plan_to_json(&document, json, error);
}

static struct finding_list of_playback(const sc_playback *playback)
{
    if (!playback)
        return (struct finding_list){NULL, 0, {NULL}};
    return (struct finding_list){playback->findings, playback->finding_count, {NULL}};
}

static void print_findings(const struct job *job, struct cli *cli)
{
    static const sc_finding partial = {
        "interrupted", SC_SEVERITY_WARNING,
        "interrupted: this is what was known by then, a full run may say otherwise"};
    const sc_storage *storage = job->storage;
    const sc_plan *plan = job->plan;
    /* Said by `partial`. */
    const char *const said = job->interrupted ? "partial-measurement" : NULL;
    struct finding_list lists[] = {
        {&partial, job->interrupted, {NULL}},
        {plan->findings, plan->finding_count, {said}},
        {storage ? storage->findings : NULL, storage ? storage->finding_count : 0, {NULL}},
        of_playback(job->earlier),
        of_playback(job->playback),
        {job->media.all.findings, job->media.all.finding_count, {NULL}},
    };
    for (size_t s = 0; s < SEVERITY_COUNT; s++) {
        output_findings_of(cli->out, cli->width, severity_order[s], lists, COUNT_OF(lists));
        media_print_findings(&job->media, severity_order[s], cli->out, cli->width);
    }
}

static void print_storage(const struct job *job, struct cli *cli)
{
    fputc('\n', cli->out);
    storage_print_facts(cli->out, cli->width, job->storage);
    storage_print_summary(cli->out, cli->width, job->storage, cli->measured_in_s);
}

/* What was asked about streams that play together stands before what was asked about each format. */
void job_print_text(const struct job *job, struct cli *cli, const char *place)
{
    FILE *out = cli->out;
    const int width = cli->width;
    const sc_mix *mix = job->plan && job->plan->mix.part_count ? &job->plan->mix : NULL;
    if (mix)
        mix_print_headline(out, width, mix, place);
    else
        answers_print_headline(out, width, &job->wanted, job->plan, place);
    answers_print_requirement(out, width, job->plan);
    media_print_unread(&job->media, out, width);
    if (job->storage && !job->storage->constant)
        print_storage(job, cli);
    fputc('\n', out);
    if (mix)
        mix_print_table(out, width, mix);
    answers_print_table(out, width, &job->wanted, job->plan);
    if (job->plan)
        mix_print_frontiers(out, width, job->plan);
    fputc('\n', out);
    answers_print_details(out, width, &job->wanted, job->plan);
    answers_print_likely(out, width, job->plan);
    if (mix)
        mix_print_headroom(out, width, mix);
    else
        answers_print_headroom(out, width, &job->wanted, job->plan);
    confirm_print(job, out, width);
    player_log_print(cli);
    print_findings(job, cli);
}

int job_fail(const struct job *job, struct cli *cli, const sc_error *failure)
{
    return job->nothing_left ? output_fail_quietly(cli, failure) : output_fail(cli, failure);
}

int job_exit_code(const struct job *job, const struct cli *cli)
{
    if (job->interrupted)
        return EXIT_INTERRUPTED;
    if (job->failed)
        return EXIT_FAILED;
    if (cli->options.require && !(job->plan && answers_hold(job->plan, cli->options.require)))
        return EXIT_REQUIREMENT;
    if (job->mix && !(job->plan && job->plan->mix.safe == SC_VERDICT_HOLDS))
        return EXIT_REQUIREMENT;
    return EXIT_ANSWERED;
}

void job_free(struct job *job)
{
    sc_playback_free(&job->playback);
    sc_playback_free(&job->earlier);
    sc_plan_free(&job->plan);
    free(job->mix);
    wanted_free(&job->wanted);
    sc_storage_free(&job->storage);
    media_free(&job->media);
}
