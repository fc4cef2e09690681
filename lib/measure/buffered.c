#include "measure/buffered.h"

#include <math.h>

static const double SHARE = 0.045;        /* of the whole time: 0.8 s of the usual 18.5 */
static const double WARM_UP_SHARE = 0.25; /* of that: read-ahead grows in the first reads */

double sci_buffered_s(const sci_curve_params *params)
{
    return params->seconds * SHARE;
}

sc_status sci_buffered_measure(double *bytes_per_s, const sci_curve_params *params,
                               sci_dataset *data, sci_control *control, sc_error *error)
{
    const sci_cache_way way = {.mode = SC_CACHE_DROPPED, .align = 1};
    const double seconds = sci_buffered_s(params), from = sci_measured_share(params);
    sci_curve_params one = *params;
    sci_readers *readers = NULL;
    sc_supply_point point = {0};
    sci_arena *scratch = sci_arena_new();
    one.warm_up_s = seconds * WARM_UP_SHARE;
    sci_dataset_switch(data, &way);
    sc_status status = scratch ? sci_dataset_drop_guarded(data, params->path, params->stall_s,
                                                          control, from, error)
                               : sci_fail(error, SC_NO_MEMORY, 0, "measure.buffered", params->path,
                                          "out of memory");
    if (status == SC_OK)
        status = sci_streams_start(&one, data, 1, seconds - one.warm_up_s, &readers, error);
    if (status == SC_OK)
        status = sci_readers_wait(readers, params->stall_s, control, from, fmin(1, from + SHARE),
                                  error);
    if (status == SC_OK)
        status = sci_recorder_point(sci_readers_recorder(readers), scratch, &point, error);
    if (status == SC_OK && sci_dataset_look(data).cold)
        *bytes_per_s = point.mean_bytes_per_s;
    sci_readers_release(&readers);
    sci_arena_free(&scratch);
    return status;
}
