#include "io/watchdog.h"
#include "measure/paced.h"
#include "measure/prepare.h"
#include "measure/settings.h"

#include <math.h>

static sc_status resolve_pace(const char *path, const sc_paced_params *given,
                              sci_pace_params *params, sc_error *error)
{
    const double usual_seconds = 6, usual_frames_per_s = 25;
    *params = (sci_pace_params){.path = path,
                                .player = given->player,
                                .streams = given->streams,
                                .bits_per_s = given->bits_per_s,
                                .largest_frame_bytes = given->largest_frame_bytes,
                                .frames_per_s = given->frames_per_s != 0 ? given->frames_per_s
                                                                         : usual_frames_per_s,
                                .seconds = given->seconds != 0 ? given->seconds : usual_seconds,
                                .stall_s = given->stall_s != 0 ? given->stall_s : SCI_STALL_S};
    const sci_range ranges[] = {
        {"streams", params->streams, 1, SCI_MEASURE_READERS_MAX},
        {"bits_per_s", (double)params->bits_per_s, 1, 1e15},
        {"largest_frame_bytes", (double)params->largest_frame_bytes, 0, INT64_C(1) << 30},
        {"frames_per_s", params->frames_per_s, 1, 1000},
        {"seconds", params->seconds, 1, 86400},
        {"stall_s", params->stall_s, SCI_STALL_LEAST_S, SCI_STALL_MOST_S},
        {"cache", (double)given->cache, SC_CACHE_AUTO, SC_CACHE_WARM}};
    sc_status status = sci_check_ranges(path, ranges, SCI_COUNT(ranges), error);
    if (status == SC_OK)
        status = sc_player_resolve(&params->player, error);
    if (status == SC_OK)
        status = sci_check_cache(path, &params->player, given->cache, error);
    if (status == SC_OK && params->largest_frame_bytes == 0)
        params->largest_frame_bytes = (int64_t)ceil((double)params->bits_per_s / 8 /
                                                    params->frames_per_s);
    return status;
}

static sc_status pace_prepared(const sci_pace_params *params, sci_preparation *prep,
                               sci_control *control, sc_paced_run *run, sc_error *error)
{
    sci_dataset *data = sci_dataset_new(&prep->extents, &prep->way);
    if (!data)
        return sci_fail(error, SC_NO_MEMORY, 0, "measure.pace", params->path, "out of memory");
    sc_status status = sci_dataset_drop_guarded(data, params->path, params->stall_s, control, 0,
                                                error);
    if (status == SC_OK)
        status = sci_pace_run(params, data, control, run, error);
    if (status == SC_OK)
        run->cold = sci_dataset_look(data).cold && prep->facts.shown.cache_below != 1 &&
                    !prep->facts.shown.memory;
    sci_dataset_release(&data);
    return status;
}

sc_status sc_measure_paced(const char *path, const sc_paced_params *given, sc_paced_run *run,
                           sc_error *error)
{
    sci_pace_params params;
    sci_control control;
    sci_preparation *prep = NULL;
    sc_error fault = {0};
    if (!run || !given || !path || !*path)
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "measure", path,
                        "no path, no parameters or no place for the result");
    *run = (sc_paced_run){0};
    sc_status status = resolve_pace(path, given, &params, &fault);
    if (status == SC_OK) {
        const sci_prepare_params wanted = {.path = path,
                                           .player = params.player,
                                           .max_readers = params.streams,
                                           .cache = given->cache,
                                           .stall_s = params.stall_s};
        sci_control_start(&control, &given->control, "play");
        status = sci_prepare(&wanted, &control, &prep, &fault);
    }
    if (status == SC_OK)
        status = pace_prepared(&params, prep, &control, run, &fault);
    sci_preparation_free(&prep);
    if (fault.status != SC_OK && !fault.path[0])
        sci_copy(fault.path, sizeof fault.path, path);
    sci_error_keep(error, &fault);
    return status;
}
