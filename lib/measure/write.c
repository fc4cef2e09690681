#include "measure/write.h"

#include <math.h>
#include <stdio.h>

static const int32_t writer_counts[SCI_WRITE_POINTS] = {1, 2, 4};
static const double LEAST_S = 0.1;
/* Below it a point has hardly a window of a second: there are fewer points then. */
static const double FULL_POINT_S = 3;

sci_dataset *sci_write_dataset(const sci_test_data *created, sci_test_part part,
                               const sci_measure_settings *params, sc_error *error)
{
    const int64_t block_bytes = params->player.block_bytes;
    sci_extents extents = {.keep_head = true};
    bool direct = sci_test_data_is_direct(created) && block_bytes % SCI_CREATE_ALIGN == 0;
    const sci_cache_way way = {.mode = direct ? SC_CACHE_DIRECT : SC_CACHE_WARM,
                               .align = direct ? SCI_CREATE_ALIGN : 1,
                               .cached_share = -1};
    char made[32], block[32];
    sci_dataset *data = NULL;
    sc_format_bytes(sci_test_data_bytes(created), made, sizeof made);
    sc_format_bytes(block_bytes, block, sizeof block);
    if (!sci_test_data_extents(created, part, &extents)) {
        sci_fail(error, SC_NO_MEMORY, 0, "measure.write", params->path, "out of memory");
        goto done;
    }
    if (sci_extents_cut(&extents, block_bytes, writer_counts[SCI_WRITE_POINTS - 1], error) != SC_OK)
        goto done;
    if (extents.notes.small || extents.region_count == 0) {
        sci_fail(error, SC_INVALID_ARGUMENT, 0, "measure.write", params->path,
                 "%s of test data are too little for writes of %s: create more", made, block);
        goto done;
    }
    data = sci_dataset_new(&extents, &way);
    if (data)
        sci_dataset_write(data);
    else
        sci_fail(error, SC_NO_MEMORY, 0, "measure.write", params->path, "out of memory");
done:
    sci_extents_clear(&extents);
    return data;
}

static sc_status write_point(const sci_measure_settings *params, sci_dataset *written,
                             int32_t writers, double seconds, sci_arena *arena,
                             sci_control *control, sc_supply_point *point, sc_error *error)
{
    sci_readers *streams = NULL;
    double from = sci_measured_share(params);
    double to = fmin(1, from + (fmax(0, params->warm_up_s) + seconds) / params->whole_s);
    sc_status status = sci_streams_start(params, written, writers, seconds, &streams, error);
    if (status == SC_OK)
        status = sci_readers_wait(streams, params->stall_s, control, from, to, error);
    const sci_read_faults faults = streams ? sci_readers_faults(streams) : (sci_read_faults){0};
    if (status == SC_OK && sci_faults_count(&faults) > 0)
        status = sci_error_keep(error, sci_faults_first(&faults));
    if (status == SC_OK)
        status = sci_recorder_point(sci_readers_recorder(streams), arena, point, error);
    if (status == SC_OK && point->samples == 0)
        status = sci_fail(error, SC_IO, 0, "measure.write", params->path,
                          "no write ended within %.2g s: measure for longer", seconds);
    point->readers = writers;
    sci_readers_release(&streams);
    return status;
}

sc_status sci_write_measure(const sci_measure_settings *params, sci_dataset *written,
                            double seconds, sci_arena *arena, sci_control *control,
                            sci_write_points *points, sc_error *error)
{
    size_t count = SCI_WRITE_POINTS;
    if (seconds / (double)count < FULL_POINT_S)
        count--;
    double overhead_s = SCI_REST_S + fmax(0, params->warm_up_s);
    double point_s = fmax(LEAST_S, seconds / (double)count - overhead_s);
    for (size_t i = 0; i < count; i++) {
        if (!sci_pause(control, SCI_REST_S, sci_measured_share(params)))
            return sci_fail(error, SC_CANCELLED, 0, "measure.write", params->path, "cancelled");
        sc_supply_point *point = &points->points[i];
        sc_status status = write_point(params, written, writer_counts[i], point_s, arena, control,
                                       point, error);
        if (status != SC_OK)
            return status;
        points->count++;
    }
    return SC_OK;
}
