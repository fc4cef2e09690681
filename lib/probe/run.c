#include "probe/run.h"

#include "probe/media.h"
#include "probe/walk.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const int64_t DEFAULT_MAX_BYTES = 256 << 20;
enum { DEFAULT_MAX_DEPTH = 16, DEFAULT_MAX_FILES = 100000 };

struct sci_run {
    sc_probe *probe;
    sci_arena *arena; /* of the probe */
    const char **paths;
    size_t path_count;
    sci_findings findings;
    sci_control control; /* its progress goes to `now` */
    sci_media_limits limits;
    sci_walk walk;
    sc_clip *clips; /* malloc'ed until the end */
    size_t count, capacity;
    size_t good, skipped;
    sc_error first_failure;
    sc_status status;
    sci_guard *guard;
    sc_cancel *stop;
    pthread_mutex_t lock; /* for now: one thread writes it, another one reads it */
    sc_progress now;
};

/* ---- between the two threads ---- */

static int publish(void *opaque, const sc_progress *progress)
{
    sci_run *run = opaque;
    pthread_mutex_lock(&run->lock);
    run->now = *progress;
    pthread_mutex_unlock(&run->lock);
    return !sci_guard_alive(run->guard);
}

/* At once: reports are throttled, but what never answers has to be named. */
static bool begin(sci_run *run, const char *path)
{
    pthread_mutex_lock(&run->lock);
    run->now = (sc_progress){.detail = path, .fraction = -1, .bytes_per_s = -1};
    pthread_mutex_unlock(&run->lock);
    return sci_guard_alive(run->guard) && !sci_control_poll(&run->control, path, -1, -1);
}

void sci_run_progress(sci_run *run, sc_progress *progress)
{
    pthread_mutex_lock(&run->lock);
    progress->detail = run->now.detail;
    progress->fraction = run->now.fraction;
    progress->bytes_per_s = run->now.bytes_per_s;
    pthread_mutex_unlock(&run->lock);
}

void sci_run_ask_to_stop(sci_run *run)
{
    sc_cancel_trigger(run->stop);
}

/* ---- life ---- */

static bool copy_paths(sci_run *run, const char *const *paths, size_t count)
{
    run->paths = sci_arena_alloc(run->arena, count, sizeof *run->paths);
    for (size_t i = 0; run->paths && i < count; i++)
        if (!(run->paths[i] = sci_arena_strdup(run->arena, paths[i])))
            return false;
    run->path_count = count;
    return run->paths;
}

static void set_up(sci_run *run, const sc_probe_params *params)
{
    run->findings.arena = run->arena;
    run->limits = (sci_media_limits){
        params->max_bytes ? params->max_bytes : DEFAULT_MAX_BYTES,
        params->max_seconds != 0 ? params->max_seconds : SCI_DEFAULT_MAX_SECONDS, params->exact};
    run->walk = (sci_walk){.arena = run->arena,
                           .findings = &run->findings,
                           .control = &run->control,
                           .max_depth = params->max_depth ? params->max_depth : DEFAULT_MAX_DEPTH,
                           .max_files = params->max_files ? params->max_files : DEFAULT_MAX_FILES};
    run->now = (sc_progress){.detail = run->paths[0], .fraction = -1, .bytes_per_s = -1};
    const sc_control control = {.progress = publish, .progress_opaque = run, .cancel = run->stop};
    sci_control_start(&run->control, &control, "probe");
}

sci_run *sci_run_new(const char *const *paths, size_t path_count, const sc_probe_params *params)
{
    sci_run *run = calloc(1, sizeof *run);
    if (!run)
        return NULL;
    pthread_mutex_init(&run->lock, NULL);
    run->stop = sc_cancel_create();
    run->probe = sci_result_new(sizeof *run->probe);
    if (run->probe)
        run->arena = sci_result_arena(run->probe);
    if (!run->stop || !run->probe || !copy_paths(run, paths, path_count))
        sci_run_free(&run);
    else
        set_up(run, params);
    return run;
}

void sci_run_free(sci_run **run_pointer)
{
    sci_run *run = *run_pointer;
    *run_pointer = NULL;
    if (!run)
        return;
    free(run->clips);
    free(run->walk.paths);
    sc_probe_free(&run->probe);
    sc_cancel_free(&run->stop);
    pthread_mutex_destroy(&run->lock);
    free(run);
}

void sci_run_abandon(void *data)
{
    sci_run *run = data;
    sci_run_free(&run);
}

/* ---- files ---- */

static sc_status keep(sci_run *run, const sc_clip *clip)
{
    if (!sci_grow(&run->clips, run->count, &run->capacity, sizeof *run->clips))
        return SC_NO_MEMORY;
    run->clips[run->count++] = *clip;
    if (clip->error.status == SC_OK)
        run->good++;
    else if (run->first_failure.status == SC_OK)
        run->first_failure = clip->error;
    return SC_OK;
}

/* Only what stops the whole call is returned. */
static sc_status probe_file(sci_run *run, const char *path, bool named)
{
    sc_clip clip;
    if (!begin(run, path))
        return SC_CANCELLED;
    sc_status status = sci_clip_probe(&clip, path, run->limits, &run->control, run->arena);
    if (status == SC_CANCELLED)
        return status;
    if (status != SC_OK && !named && !sci_is_media_name(path)) {
        run->skipped++;
        return SC_OK;
    }
    return keep(run, &clip);
}

static sc_status keep_failure(sci_run *run, const char *path, const sc_error *error)
{
    sc_clip clip = {
        .path = path, .container = "", .size_bytes = SC_UNKNOWN, .duration_s = -1, .error = *error};
    return keep(run, &clip);
}

static sc_status probe_directory(sci_run *run, const char *path)
{
    sc_error error = {0};
    sci_walk *walk = &run->walk;
    size_t before = run->count, first = walk->count;
    sc_status status = sci_walk_directory(walk, path, &error);
    if (status == SC_CANCELLED || status == SC_NO_MEMORY)
        return status;
    if (status != SC_OK)
        return keep_failure(run, path, &error);
    for (size_t i = first; i < walk->count && status == SC_OK; i++)
        status = probe_file(run, walk->paths[i], false);
    if (status == SC_OK && run->count == before) {
        sci_finding_add(&run->findings, "no-media", SC_SEVERITY_WARNING,
                        "no video or audio files in %s", path);
        sci_fail(&run->first_failure, SC_NOT_FOUND, 0, "probe.walk", path,
                 "no video or audio files in the directory");
    }
    return status;
}

static sc_status probe_path(sci_run *run, const char *path)
{
    struct stat facts;
    if (!begin(run, path))
        return SC_CANCELLED;
    if (stat(path, &facts) == 0 && S_ISDIR(facts.st_mode))
        return probe_directory(run, path);
    return probe_file(run, path, true);
}

static sc_status finish(sci_run *run, sc_status status)
{
    sc_probe *probe = run->probe;
    if (run->walk.empty)
        sci_finding_add(&run->findings, "empty-files", SC_SEVERITY_WARNING,
                        "%zu %s named as footage but empty (0 bytes): nothing was recorded, or a "
                        "copy failed",
                        run->walk.empty, run->walk.empty == 1 ? "file is" : "files are");
    if (run->skipped)
        sci_finding_add(&run->findings, "skipped-files", SC_SEVERITY_NOTE,
                        "%zu other %s no video or audio and skipped", run->skipped,
                        run->skipped == 1 ? "file is" : "files are");
    sc_clip *clips = sci_arena_alloc(run->arena, run->count + 1, sizeof *clips);
    if (!clips || run->findings.no_memory)
        return SC_NO_MEMORY;
    if (run->count)
        memcpy(clips, run->clips, run->count * sizeof *clips);
    probe->clips = clips;
    probe->clip_count = run->count;
    probe->findings = run->findings.items;
    probe->finding_count = run->findings.count;
    if (status == SC_CANCELLED)
        sci_fail(&probe->error, status, 0, "probe", NULL, "cancelled after %zu files", run->count);
    for (size_t i = 0; i < run->count && probe->error.status == SC_OK; i++)
        probe->error = clips[i].error;
    sc_time_now(probe->made_at);
    return status;
}

void sci_run_all(void *data, sci_guard *guard)
{
    sci_run *run = data;
    sc_status status = SC_OK;
    run->guard = guard;
    for (size_t i = 0; i < run->path_count && status == SC_OK; i++)
        status = probe_path(run, run->paths[i]);
    run->status = finish(run, status);
}

sc_status sci_run_conclude(sci_run *run, sc_probe **probe, sc_error *error)
{
    const sc_error *failure = &run->first_failure;
    sc_status status = run->status;
    if (status != SC_OK && status != SC_CANCELLED)
        return sci_fail(error, status, 0, "probe", NULL, "%s", sc_status_text(status));
    *probe = run->probe;
    run->probe = NULL;
    if (status == SC_CANCELLED)
        return sci_fail(error, status, 0, "probe", NULL, "%s", (*probe)->error.message);
    if (run->good)
        return SC_OK;
    if (error && error->status == SC_OK)
        *error = *failure;
    return failure->status;
}
