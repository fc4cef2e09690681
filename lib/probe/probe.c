#include "probe/media.h"
#include "probe/walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const int64_t DEFAULT_MAX_BYTES = 256 << 20;
static const double DEFAULT_MAX_SECONDS = 60;
enum { DEFAULT_MAX_DEPTH = 16, DEFAULT_MAX_FILES = 100000 };

static const sci_name kind_names[] = {
    {SC_TRACK_UNKNOWN, "unknown"},   {SC_TRACK_VIDEO, "video"},       {SC_TRACK_AUDIO, "audio"},
    {SC_TRACK_SUBTITLE, "subtitle"}, {SC_TRACK_TIMECODE, "timecode"}, {SC_TRACK_DATA, "data"},
    {SC_TRACK_PICTURE, "picture"}};

static const sci_name flag_names[] = {{SC_CLIP_TRUNCATED, "truncated"},
                                      {SC_CLIP_GROWING, "growing"},
                                      {SC_CLIP_PARTIAL_INDEX, "partial-index"},
                                      {SC_CLIP_NO_INDEX, "no-index"},
                                      {SC_CLIP_SAMPLED, "sampled"},
                                      {SC_CLIP_LIMITED, "limited"},
                                      {SC_CLIP_NO_VIDEO, "no-video"},
                                      {SC_CLIP_VARIABLE_FRAME_RATE, "variable-frame-rate"}};

const char *sc_track_kind_name(sc_track_kind kind)
{
    const char *name = sci_name_of(kind_names, SCI_COUNT(kind_names), (int)kind);
    return name ? name : "unknown";
}

sc_track_kind sc_track_kind_from_name(const char *name)
{
    return (sc_track_kind)sci_value_of(kind_names, SCI_COUNT(kind_names), name, SC_TRACK_UNKNOWN);
}

int32_t sc_clip_flag_count(void)
{
    return (int32_t)SCI_COUNT(flag_names);
}

const char *sc_clip_flag_name(int32_t i)
{
    const char *name = i >= 0 && i < 31 ? sci_name_of(flag_names, SCI_COUNT(flag_names), 1 << i)
                                        : NULL;
    return name ? name : "unknown";
}

/* ---- many files ---- */

struct run {
    sc_probe *probe;
    sci_arena *arena;
    sci_findings findings;
    sci_control control;
    sci_media_limits limits;
    sci_walk walk;
    sc_clip *clips; /* malloc'ed until the end */
    size_t count, capacity;
    size_t good, skipped;
    sc_error first_failure;
};

static void start(struct run *run, sc_probe *probe, const sc_probe_params *params)
{
    *run = (struct run){.probe = probe, .arena = sci_result_arena(probe)};
    run->findings.arena = run->arena;
    run->limits = (sci_media_limits){params->max_bytes ? params->max_bytes : DEFAULT_MAX_BYTES,
                                     params->max_seconds != 0 ? params->max_seconds
                                                              : DEFAULT_MAX_SECONDS};
    run->walk = (sci_walk){.arena = run->arena,
                           .findings = &run->findings,
                           .control = &run->control,
                           .max_depth = params->max_depth ? params->max_depth : DEFAULT_MAX_DEPTH,
                           .max_files = params->max_files ? params->max_files : DEFAULT_MAX_FILES};
    sci_control_start(&run->control, &params->control, "probe");
}

static sc_status keep(struct run *run, const sc_clip *clip)
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
static sc_status probe_file(struct run *run, const char *path, bool named)
{
    sc_clip clip;
    if (sci_control_poll(&run->control, path, -1, -1))
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

static sc_status keep_failure(struct run *run, const char *path, const sc_error *error)
{
    sc_clip clip = {
        .path = path, .container = "", .size_bytes = SC_UNKNOWN, .duration_s = -1, .error = *error};
    return keep(run, &clip);
}

static sc_status probe_directory(struct run *run, const char *path)
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

static sc_status probe_path(struct run *run, const char *path)
{
    struct stat facts;
    char *copy = sci_arena_strdup(run->arena, path);
    if (!copy)
        return SC_NO_MEMORY;
    if (stat(copy, &facts) == 0 && S_ISDIR(facts.st_mode))
        return probe_directory(run, copy);
    return probe_file(run, copy, true);
}

static sc_status finish(struct run *run, sc_status status)
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
    if (!clips)
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

static sc_status conclude(struct run *run, sc_status status, sc_error *error)
{
    const sc_error *failure = &run->first_failure;
    if (status == SC_CANCELLED)
        return sci_fail(error, status, 0, "probe", NULL, "%s", run->probe->error.message);
    if (status != SC_OK)
        return sci_fail(error, status, 0, "probe", NULL, "%s", sc_status_text(status));
    if (run->good)
        return SC_OK;
    if (error && error->status == SC_OK)
        *error = *failure;
    return failure->status;
}

static sc_status check_arguments(const char *const *paths, size_t path_count, sc_probe **probe,
                                 sc_error *error)
{
    if (!probe)
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "probe", NULL, "no place for the result");
    *probe = NULL;
    if (!paths || path_count == 0)
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "probe", NULL,
                        "no path: name at least one file or directory");
    for (size_t i = 0; i < path_count; i++)
        if (!paths[i] || !paths[i][0])
            return sci_fail(error, SC_INVALID_ARGUMENT, 0, "probe", NULL, "path %zu is empty",
                            i + 1);
    return SC_OK;
}

sc_status sc_probe_many(const char *const *paths, size_t path_count, const sc_probe_params *params,
                        sc_probe **probe, sc_error *error)
{
    static const sc_probe_params defaults = {0};
    struct run run;
    sc_status status = check_arguments(paths, path_count, probe, error);
    if (status != SC_OK)
        return status;
    *probe = sci_result_new(sizeof **probe);
    if (!*probe)
        return sci_fail(error, SC_NO_MEMORY, 0, "probe", NULL, "out of memory");
    start(&run, *probe, params ? params : &defaults);
    for (size_t i = 0; i < path_count && status == SC_OK; i++)
        status = probe_path(&run, paths[i]);
    status = finish(&run, status);
    free(run.clips);
    free(run.walk.paths);
    if (status != SC_OK && status != SC_CANCELLED)
        sc_probe_free(probe);
    return conclude(&run, status, error);
}

void sc_probe_free(sc_probe **probe)
{
    sci_result_free(probe);
}

/* ---- one line ---- */

static const sc_track *first_played(const sc_clip *clip, sc_track_kind kind)
{
    for (size_t i = 0; i < clip->track_count; i++)
        if (clip->tracks[i].played && clip->tracks[i].kind == kind)
            return &clip->tracks[i];
    return NULL;
}

void sc_clip_format(const sc_clip *clip, char *buffer, size_t size)
{
    char rate[32] = "";
    if (!buffer || size == 0)
        return;
    buffer[0] = '\0';
    const sc_track *track = clip ? first_played(clip, SC_TRACK_VIDEO) : NULL;
    if (!track) {
        track = clip ? first_played(clip, SC_TRACK_AUDIO) : NULL;
        if (track)
            snprintf(buffer, size, "%s %d Hz %d ch", track->name, track->sample_rate_hz,
                     track->channels);
        return;
    }
    if (track->frame_rate.num > 0)
        sc_format_frame_rate(track->frame_rate, rate, sizeof rate);
    snprintf(buffer, size, "%s %dx%d%s%s", track->name, track->width, track->height,
             rate[0] ? " " : "", rate);
}
