#include "answers.h"
#include "confirm.h"
#include "job.h"
#include "output.h"
#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- where ---- */

/* The directory of a path, "." without one. */
static void directory_of(const char *path, char *directory, size_t size)
{
    const char *slash = strrchr(path, '/');
    size_t length = slash == path ? 1 : slash ? (size_t)(slash - path) : 0;
    snprintf(directory, size, "%.*s", length ? (int)length : 1, length ? path : ".");
}

/* The device of a path's directory: on an overlay a file may name a device of its own. */
static bool device_of(const char *path, dev_t *device, bool *is_directory)
{
    char directory[PATH_MAX];
    struct stat facts;
    if (stat(path, &facts) != 0)
        return false;
    *is_directory = S_ISDIR(facts.st_mode);
    if (!*is_directory) {
        directory_of(path, directory, sizeof directory);
        if (stat(directory, &facts) != 0)
            return false;
    }
    *device = facts.st_dev;
    return true;
}

/* What to measure for all paths: the only one, else the first directory, else the first file's
   directory. Paths that are missing are the probe's to report. */
static sc_status choose_target(const struct cli *cli, char *target, size_t size, sc_error *error)
{
    const cli_options *options = &cli->options;
    const char *directory = NULL, *first = NULL;
    dev_t device = 0, common = 0;
    for (size_t i = 0; i < options->operand_count; i++) {
        const char *path = options->operands[i];
        bool is_directory;
        if (!device_of(path, &device, &is_directory))
            continue;
        if (first && device != common)
            return option_fail(error, SC_INVALID_ARGUMENT,
                               "%s and %s are on different storage; ask about one at a time", first,
                               path);
        common = device;
        first = first ? first : path;
        directory = !directory && is_directory ? path : directory;
    }
    bool creates = options->create || options->write || options->with_writers;
    if (directory || (options->operand_count == 1 && !creates))
        snprintf(target, size, "%s", directory ? directory : options->operands[0]);
    else
        directory_of(first ? first : options->operands[0], target, size);
    return SC_OK;
}

/* ---- saving ---- */

/* Find out before half a minute of measuring, not after it. */
static sc_status check_output(const cli_options *options, sc_error *error)
{
    if (options->verify && options->no_confirm)
        return option_fail(error, SC_INVALID_ARGUMENT,
                           "--verify and --no-confirm exclude each other");
    if (options->verify && options->streams.count)
        return option_fail(error, SC_INVALID_ARGUMENT,
                           "--verify finds the most of one format: beside others streamcalc play "
                           "--find-max --streams does");
    if (options->force && !options->output)
        return option_fail(error, SC_INVALID_ARGUMENT,
                           "--force is for --output FILE, which is missing");
    if (!options->output)
        return SC_OK;
    if (options->no_save)
        return option_fail(error, SC_INVALID_ARGUMENT, "--output and --no-save exclude each other");
    struct stat facts;
    bool exists = lstat(options->output, &facts) == 0;
    if (!options->force && exists)
        return option_fail(error, SC_INVALID_ARGUMENT, "%s is there already; --force overwrites it",
                           options->output);
    if (stat(options->output, &facts) == 0 && !S_ISREG(facts.st_mode) && !S_ISDIR(facts.st_mode))
        return SC_OK; /* opening a pipe would already be seen at its other end */
    /* Only opening it tells whether it can be written; what is there keeps its content. */
    int descriptor = open(options->output, O_WRONLY | O_CLOEXEC | (exists ? 0 : O_CREAT | O_EXCL),
                          0666);
    if (descriptor < 0)
        return option_fail(error, SC_INVALID_ARGUMENT, "cannot save as %s: %s", options->output,
                           strerror(errno));
    close(descriptor);
    if (!exists)
        unlink(options->output);
    return SC_OK;
}

/* Whether the current directory is the measured directory or lies inside it. */
static bool inside(const char *target)
{
    char here[PATH_MAX], there[PATH_MAX], directory[PATH_MAX];
    struct stat facts;
    if (stat(target, &facts) == 0 && !S_ISDIR(facts.st_mode))
        directory_of(target, directory, sizeof directory);
    else
        snprintf(directory, sizeof directory, "%s", target);
    if (!getcwd(here, sizeof here) || !realpath(directory, there))
        return true; /* not known to be outside */
    size_t length = strcmp(there, "/") == 0 ? 0 : strlen(there);
    return strncmp(here, there, length) == 0 && (here[length] == '/' || !here[length]);
}

/* "project" of "/mnt/nas/project/"; "root" of "/". */
static void stem_of(const char *target, char *stem, size_t size)
{
    char real[PATH_MAX];
    const char *path = realpath(target, real) ? real : target;
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    snprintf(stem, size, "%.200s", *name ? name : "root");
}

static sc_status save(struct cli *cli, const char *target, const char *json, sc_error *error)
{
    const cli_options *options = &cli->options;
    char stem[256], path[PATH_MAX];
    if (options->no_save || (options->json && !options->output))
        return SC_OK;
    sc_status status = SC_OK;
    if (options->output) {
        snprintf(path, sizeof path, "%s", options->output);
        status = output_write(path, json, options->force, error);
    } else if (inside(target)) {
        fputs("not saved: the current directory is on the storage that was measured;\n"
              "  --output FILE says where to\n",
              cli->out);
        return SC_OK;
    } else {
        stem_of(target, stem, sizeof stem);
        sc_error cause = {0};
        if (output_save_new(stem, json, path, sizeof path, &cause) != SC_OK) {
            text_wrap(cli->out, cli->width, "not saved: ", cause.message);
            return SC_OK;
        }
    }
    if (status == SC_OK && !options->json) {
        char clean[3 * PATH_MAX];
        fprintf(cli->out, "saved: %s\n", text_clean(path, clean, sizeof clean));
    }
    return status;
}

/* ---- the job ---- */

/* An empty directory still has a storage to ask the usual formats of. */
static sc_status probe(struct job *job, struct cli *cli, sc_error *error)
{
    sc_error cause = {0};
    sc_status status = media_probe(&job->media, cli, cli->options.operands,
                                   cli->options.operand_count, &cause);
    bool only_directories = job->media.part_count && job->media.all.clip_count == 0;
    job->interrupted = status == SC_CANCELLED;
    sc_status taken = job_take_clips(job, cli, error);
    if (status == SC_OK || job->interrupted || only_directories)
        return taken;
    job->nothing_left = job->failed > 0;
    *error = cause;
    return status;
}

/* Nobody named the usual formats: they stay out where a question is about those that were. */
static bool wants_usual(const cli_options *options)
{
    return !options->require && !options->streams.count && !options->frontier;
}

static sc_status gather(struct job *job, struct cli *cli, sc_error *error)
{
    sc_status status = probe(job, cli, error);
    if (status == SC_OK)
        status = job_add_asked(job, cli, error);
    if (status == SC_OK && wants_usual(&cli->options))
        status = wanted_add_usual(&job->wanted, &job->media.all, error);
    if (status != SC_OK || job->interrupted)
        return status;
    if (job->wanted.count == 0)
        return option_fail(error, SC_NOT_FOUND,
                           "%s has nothing to judge: no clip was found, no format named",
                           cli->options.require         ? "--require"
                           : cli->options.streams.count ? "--streams"
                                                        : "--frontier");
    if (cli->options.frontier && job->wanted.count < 2)
        return option_fail(error, SC_INVALID_ARGUMENT,
                           "--frontier is of 2 to %d formats, and there is only %s",
                           SC_FRONTIER_FORMATS_MAX, job->wanted.demands[0].name);
    return job_make_mix(job, cli, error);
}

/* After a jump a player reads the frame that it lands on; 0 where no clip is known. */
static int64_t frame_after_a_jump(const struct wanted *wanted)
{
    const int64_t most = INT64_C(1) << 30;
    const sc_demand *first = wanted->count ? &wanted->demands[0] : NULL;
    if (!first || !first->found || first->largest_frame_bytes <= 0)
        return 0;
    return first->largest_frame_bytes < most ? first->largest_frame_bytes : most;
}

/* A requirement or a mix can only be shown by as many readers, as far as the measurement goes. */
static int32_t readers_for(const struct job *job, int64_t require)
{
    enum { USUAL = 64, MOST = 256 };
    int64_t readers = 0;
    for (size_t i = 0; job->mix && i < job->wanted.count; i++)
        readers += job->mix[i];
    readers = require > readers ? require : readers;
    return readers <= USUAL ? 0 : readers < MOST ? (int32_t)readers : MOST;
}

static sc_status measure(struct job *job, struct cli *cli, const char *target, sc_error *error)
{
    sc_measure_params params = cli_measure_params(cli);
    sc_error cause = {0};
    params.lowest_stream_bits_per_s = wanted_lowest_bits_per_s(&job->wanted);
    params.scrub_bytes = frame_after_a_jump(&job->wanted);
    if (!params.max_readers)
        params.max_readers = readers_for(job, cli->options.require);
    sc_status status = cli_measure(cli, target, &params, &job->storage, &cause);
    job->interrupted = status == SC_CANCELLED;
    job_set_error(job, &cause);
    if (status == SC_OK || job->interrupted)
        return SC_OK;
    if (job->storage) {
        /* Points from before the error are worth showing; the document says what happened. */
        output_complain(cli, cause.path, cause.message);
        job->failed++;
        return SC_OK;
    }
    *error = cause;
    return status;
}

/* What was measured is worth showing also where this fails. */
static void confirm(struct job *job, struct cli *cli, const char *target)
{
    sc_error cause = {0};
    if (cli->options.no_confirm)
        return;
    sc_status status = confirm_play(job, cli, target, &cause);
    job->interrupted = status == SC_CANCELLED;
    job_set_error(job, &cause);
    if (status == SC_OK || job->interrupted)
        return;
    output_complain(cli, cause.path, cause.message);
    job->failed++;
}

static int fail_unplanned(struct cli *cli)
{
    sc_error interrupted = {0};
    option_fail(&interrupted, SC_CANCELLED, "interrupted before anything was measured");
    return output_fail(cli, &interrupted);
}

/* Saved first, so that the document that is printed can tell that this failed. */
static int print_and_save(struct job *job, struct cli *cli, const char *target)
{
    sc_error error = {0};
    char *json = NULL;
    if (!cli->options.json)
        job_print_text(job, cli, "here");
    int code = job_exit_code(job, cli);
    sc_status status = job_to_json(job, cli, &json, &error);
    if (status == SC_OK && !job->interrupted && save(cli, target, json, &error) != SC_OK) {
        output_complain(cli, error.path, error.message);
        code = EXIT_FAILED;
        if (job->error.status == SC_OK)
            job_set_error(job, &error);
        sc_string_free(&json);
        status = job_to_json(job, cli, &json, &error);
    }
    if (status != SC_OK)
        return output_fail(cli, &error);
    if (cli->options.json)
        fprintf(cli->out, "%s\n", json);
    sc_string_free(&json);
    return code;
}

int cmd_run(struct cli *cli)
{
    struct job job = {0};
    sc_error error = {0};
    char target[PATH_MAX];
    int code;
    sc_status status = check_output(&cli->options, &error);
    if (status == SC_OK)
        status = choose_target(cli, target, sizeof target, &error);
    if (status == SC_OK)
        status = gather(&job, cli, &error);
    if (status == SC_OK && !job.interrupted)
        status = measure(&job, cli, target, &error);
    if (status == SC_OK && job.storage)
        status = job_solve(&job, cli, &error);
    if (status == SC_OK && job.storage && !job.interrupted && job.error.status == SC_OK)
        confirm(&job, cli, target);
    if (status != SC_OK)
        code = job_fail(&job, cli, &error);
    else if (!job.plan)
        code = fail_unplanned(cli);
    else
        code = print_and_save(&job, cli, target);
    job_free(&job);
    return code;
}
