#include "probe/crew.h"
#include "probe/run.h"

#include <math.h>
#include <stdio.h>

static const sci_name kind_names[] = {
    {SC_TRACK_UNKNOWN, "unknown"},   {SC_TRACK_VIDEO, "video"},       {SC_TRACK_AUDIO, "audio"},
    {SC_TRACK_SUBTITLE, "subtitle"}, {SC_TRACK_TIMECODE, "timecode"}, {SC_TRACK_DATA, "data"},
    {SC_TRACK_PICTURE, "picture"}};

static const sci_name scan_names[] = {{SC_SCAN_UNKNOWN, "unknown"},
                                      {SC_SCAN_PROGRESSIVE, "progressive"},
                                      {SC_SCAN_TOP_FIRST, "top-field-first"},
                                      {SC_SCAN_BOTTOM_FIRST, "bottom-field-first"},
                                      {SC_SCAN_INTERLACED, "interlaced"}};

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

const char *sc_scan_type_name(sc_scan_type scan)
{
    const char *name = sci_name_of(scan_names, SCI_COUNT(scan_names), (int)scan);
    return name ? name : "unknown";
}

sc_scan_type sc_scan_type_from_name(const char *name)
{
    return (sc_scan_type)sci_value_of(scan_names, SCI_COUNT(scan_names), name, SC_SCAN_UNKNOWN);
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

static sc_status check_limits(const sc_probe_params *params, sc_error *error)
{
    if (params->max_depth < 0 || params->max_depth > SCI_MAX_DEPTH)
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "probe", NULL,
                        "max_depth is %d; it goes from 1 to %d, 0 is the default",
                        params->max_depth, SCI_MAX_DEPTH);
    if (params->max_files < 0)
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "probe", NULL,
                        "max_files is %d; it must not be negative", params->max_files);
    if (params->parallel < 0 || params->parallel > SCI_PARALLEL_MAX)
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "probe", NULL,
                        "parallel is %d; it goes from 1 to %d, 0 is the default", params->parallel,
                        SCI_PARALLEL_MAX);
    if (params->discard && !params->on_clip)
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "probe", NULL,
                        "discard without on_clip: nobody would see the clips");
    if (params->frame_rate.num > INT32_MAX || params->frame_rate.den > INT32_MAX)
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "probe", NULL,
                        "frame_rate is %lld/%lld; both go up to %d",
                        (long long)params->frame_rate.num, (long long)params->frame_rate.den,
                        INT32_MAX);
    if (params->frame_rate.num && !sci_is_frame_rate(params->frame_rate))
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "probe", NULL,
                        "frame_rate is %lld/%lld; it goes from 1 to 1000 frames a second",
                        (long long)params->frame_rate.num, (long long)params->frame_rate.den);
    if (isnan(params->max_seconds))
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "probe", NULL, "max_seconds is no number");
    if (!(params->stall_s >= 0))
        return sci_fail(
            error, SC_INVALID_ARGUMENT, 0, "probe", NULL,
            "stall_s is %g; it is the longest time without an answer, 0 for max_seconds",
            params->stall_s);
    return SC_OK;
}

static sc_status check_arguments(const char *const *paths, size_t path_count,
                                 const sc_probe_params *params, sc_probe **probe, sc_error *error)
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
    return check_limits(params, error);
}

sc_status sc_probe_many(const char *const *paths, size_t path_count, const sc_probe_params *params,
                        sc_probe **probe, sc_error *error)
{
    static const sc_probe_params defaults = {0};
    params = params ? params : &defaults;
    sc_status status = check_arguments(paths, path_count, params, probe, error);
    return status == SC_OK ? sci_run(paths, path_count, params, probe, error) : status;
}

void sc_probe_free(sc_probe **probe)
{
    sci_result_free(probe);
}

/* ---- one line ---- */

static bool beats(const sc_track *track, const sc_track *best)
{
    if (!best || track->kind != best->kind)
        return !best || track->kind == SC_TRACK_VIDEO;
    return track->duration_s > best->duration_s;
}

const sc_track *sc_clip_main_track(const sc_clip *clip)
{
    const sc_track *best = NULL;
    for (size_t i = 0; clip && i < clip->track_count; i++) {
        const sc_track *track = &clip->tracks[i];
        bool counts = track->played &&
                      (track->kind == SC_TRACK_VIDEO || track->kind == SC_TRACK_AUDIO);
        if (counts && beats(track, best))
            best = track;
    }
    return best;
}

void sc_clip_format(const sc_clip *clip, char *buffer, size_t size)
{
    char rate[32] = "";
    if (!buffer || size == 0)
        return;
    buffer[0] = '\0';
    const sc_track *track = sc_clip_main_track(clip);
    if (!track)
        return;
    if (track->kind == SC_TRACK_AUDIO) {
        snprintf(buffer, size, "%s %d Hz %d ch", track->name, track->sample_rate_hz,
                 track->channels);
        return;
    }
    if (track->frame_rate.num > 0)
        sc_format_frame_rate(track->frame_rate, rate, sizeof rate);
    snprintf(buffer, size, "%s %dx%d%s%s", track->name, track->width, track->height,
             rate[0] ? " " : "", rate);
}
