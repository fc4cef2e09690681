#include "measure/scrub.h"

#include "io/watchdog.h"

#include <math.h>

/* Shares of the whole time: 1, 0.5 and 1.3 s of the usual 18.5. */
static const double IDLE_SHARE = 0.05, AGAIN_SHARE = 0.025, LOADED_SHARE = 0.07;
static const double SETTLE_SHARE = 0.015; /* readers fill the queue first */
static const double SATURATED = 0.95;     /* of the best throughput */

sc_scrub sci_scrub_unknown(void)
{
    const sc_jump_times unknown = {.p50_s = -1, .p95_s = -1, .p99_s = -1, .max_s = -1};
    return (sc_scrub){0, unknown, unknown, unknown};
}

double sci_scrub_loaded_s(const sci_measure_settings *params)
{
    return params->scrub_bytes > 0 ? params->seconds * (LOADED_SHARE + SETTLE_SHARE) : 0;
}

static sc_status jump_about(sc_jump_times *times, const sci_measure_settings *params,
                            sci_curve *curve, sci_dataset *data, const sci_jumps *jumps,
                            int32_t others, double seconds, sci_control *control, sc_error *error)
{
    const sci_readers_params reading = {1, 1, params->scrub_bytes, 0, seconds};
    sci_readers *readers = NULL;
    sci_read_source source;
    if (!sci_dataset_jumps(data, jumps, &source))
        return sci_fail(error, SC_NO_MEMORY, 0, "measure.scrub", params->path, "out of memory");
    const double share = sci_measured_share(params);
    sc_status status = sci_readers_start(&reading, &source, &readers, error);
    if (status == SC_OK)
        status = sci_readers_wait(readers, params->stall_s, control, share, share, error);
    if (status == SC_OK) {
        times->readers = others;
        sci_recorder_jumps(sci_readers_recorder(readers), times);
    }
    if (readers)
        sci_faults_add(&curve->faults, readers);
    sci_readers_release(&readers);
    return status;
}

sc_status sci_scrub_idle(sc_scrub *scrub, const sci_measure_settings *params, sci_curve *curve,
                         sci_dataset *data, sci_control *control, sc_error *error)
{
    sci_jumps jumps = {params->scrub_bytes, (uint64_t)sci_now_ns(), 0};
    scrub->read_bytes = params->scrub_bytes;
    sc_status status = jump_about(&scrub->idle, params, curve, data, &jumps, 0,
                                  params->seconds * IDLE_SHARE, control, error);
    jumps.period = scrub->idle.samples;
    /* Buffered reads leave their read-ahead about, which helps the next ones there. */
    if (status == SC_OK && scrub->idle.samples > 0 && !sci_dataset_is_buffered(data))
        status = jump_about(&scrub->again, params, curve, data, &jumps, 0,
                            params->seconds * AGAIN_SHARE, control, error);
    return status;
}

/* The fewest that saturate the storage: more of them only queue for longer. */
static int32_t load_of(const sci_curve *curve)
{
    double best = 0;
    for (size_t i = 0; i < curve->count; i++)
        best = fmax(best, curve->points[i].mean_bytes_per_s);
    for (size_t i = 0; i < curve->count; i++)
        if (curve->points[i].mean_bytes_per_s >= SATURATED * best)
            return curve->points[i].readers;
    return 0;
}

sc_status sci_scrub_loaded(sc_scrub *scrub, const sci_measure_settings *params, sci_curve *curve,
                           sci_dataset *data, sci_control *control, sc_error *error)
{
    const int32_t others = load_of(curve);
    const sci_jumps jumps = {params->scrub_bytes, (uint64_t)sci_now_ns(), 0};
    const double seconds = params->seconds * LOADED_SHARE;
    const double settle_s = params->seconds * SETTLE_SHARE;
    sci_measure_settings beside = *params;
    sci_readers *load = NULL;
    if (others == 0)
        return SC_OK;
    beside.warm_up_s = settle_s;
    /* They end by themselves a little later, so that they are there up to the last jump. */
    sc_status status = sci_streams_start(&beside, data, others, seconds + settle_s, &load, error);
    if (status == SC_OK && !sci_pause(control, settle_s, sci_measured_share(params)))
        status = sci_fail(error, SC_CANCELLED, 0, "measure", params->path, "cancelled");
    if (status == SC_OK)
        status = jump_about(&scrub->loaded, params, curve, data, &jumps, others, seconds, control,
                            error);
    if (load) {
        sci_readers_stop(load);
        sci_faults_add(&curve->faults, load);
    }
    sci_readers_release(&load);
    return status;
}
