#include "measure/curve.h"

#include <math.h>
#include <string.h>

static const double KNEE_GROWTH = 1.05;
static const double REST_BUFFERED_S = 0.3;
static const double LOAD_MARGIN_S = 1; /* more than it takes to start the readers */
/* Shares of the whole time: 3.1 s, 1.2 s and 0.8 s of the usual 18.5. */
static const double FULL_SHARE = 1.0 / 6, TAIL_SHARE = 1.0 / 16, SHORTEST_SHARE = 1.0 / 24;

/* ---- which point is next: pure ---- */

/* Throughput no longer grows: more than 5 % over the last doubling is growth. */
static bool past_knee(const sc_supply_point *points, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (points[i].mean_bytes_per_s <= KNEE_GROWTH * points[i - 1].mean_bytes_per_s)
            return true;
    return false;
}

static double naive_count(const sci_measure_settings *params, const sc_supply_point *points,
                          size_t count)
{
    double best = 0;
    for (size_t i = 0; i < count; i++)
        best = fmax(best, points[i].mean_bytes_per_s);
    return floor(best * 8 / (double)params->lowest_stream_bits_per_s);
}

static int32_t next_readers(int32_t readers, int32_t max_readers)
{
    if (readers == 0)
        return 1;
    return readers > max_readers / 2 ? max_readers : readers * 2;
}

/* Points from n readers on, up to the first above the limit. */
static int points_to_come(int32_t n, double limit, int32_t max_readers)
{
    int count = 1;
    for (; n <= limit && n < max_readers; n = next_readers(n, max_readers))
        count++;
    return count;
}

double sci_curve_shortest_s(const sci_measure_settings *params)
{
    return fmax(0.1, params->seconds * SHORTEST_SHARE);
}

sci_curve_step sci_curve_next(const sci_measure_settings *params, const sc_supply_point *points,
                              size_t count, double elapsed_s)
{
    int32_t last = count ? points[count - 1].readers : 0, max = params->max_readers;
    double naive = naive_count(params, points, count);
    bool knee = past_knee(points, count);
    if (count && (last >= max || last > naive))
        return (sci_curve_step){0};
    int32_t n = next_readers(last, max);
    /* Until the knee is found throughput may double once more. */
    double limit = count == 0 ? max : knee ? naive : naive * 2;
    int to_come = points_to_come(n, limit, max);
    double overhead_s = fmax(0, params->warm_up_s) + SCI_REST_S;
    double time_s = params->seconds - elapsed_s - to_come * overhead_s;
    /* Before the knee this point and the next weigh twice as much as those after them, and get
       their full time where the later ones still get theirs. */
    int doubled = knee ? 0 : to_come < 2 ? to_come : 2;
    double share_s = time_s / (to_come + doubled) * (doubled ? 2 : 1);
    double tail_s = fmax(params->seconds * TAIL_SHARE, sci_curve_shortest_s(params));
    double full_s = params->seconds * FULL_SHARE;
    if (!knee)
        share_s = fmax(share_s, fmin(full_s, time_s - (to_come - 1) * tail_s));
    double least_s = fmin(tail_s, params->seconds - elapsed_s - overhead_s);
    return (sci_curve_step){n, fmin(2 * full_s, fmax(share_s, least_s))};
}

/* ---- one point ---- */

struct point_run {
    const sci_measure_settings *params;
    sci_dataset *data, *written;
    sci_control *control;
};

static double elapsed_share(const struct point_run *run)
{
    return sci_measured_share(run->params);
}

static sc_status drop_before(const struct point_run *run, sc_error *error)
{
    return sci_dataset_drop_guarded(run->data, run->params->path, run->params->stall_s,
                                    run->control, elapsed_share(run), error);
}

sc_status sci_streams_start(const sci_measure_settings *params, sci_dataset *data, int32_t streams,
                            double seconds, sci_readers **readers, sc_error *error)
{
    const sc_player *player = &params->player;
    const sci_readers_params wanted = {streams, player->in_flight, player->block_bytes,
                                       fmax(0, params->warm_up_s), seconds};
    sci_read_source source;
    if (!sci_dataset_lanes(data, streams, &source))
        return sci_fail(error, SC_NO_MEMORY, 0, "measure.read", params->path,
                        "no memory for %d readers", (int)streams);
    return sci_readers_start(&wanted, &source, readers, error);
}

static sc_status read_point(const struct point_run *run, sci_curve_step step, sci_readers **readers,
                            sc_error *error)
{
    const sci_measure_settings *params = run->params;
    sc_status status = sci_streams_start(params, run->data, step.readers, step.seconds, readers,
                                         error);
    if (status != SC_OK)
        return status;
    double from = elapsed_share(run);
    double to = fmin(1, from + (fmax(0, params->warm_up_s) + step.seconds) / params->whole_s);
    return sci_readers_wait(*readers, params->stall_s, run->control, from, to, error);
}

/* A point beside fewer writers would be another one's. */
static sc_status check_load(sci_readers *writers, sc_error *error)
{
    const sci_read_faults faults = sci_readers_faults(writers);
    if (faults.gave_up == 0)
        return SC_OK;
    return sci_error_keep(error, sci_faults_first(&faults));
}

/* What the writers wrote while the point was timed, in the whole steps of their record within. */
static double rate_meanwhile(const sci_recorder *writers, const sci_recorder *readers)
{
    const double from = (double)(readers->start_ns - writers->start_ns) / (double)SCI_STEP_NS;
    const double to = (double)(readers->end_ns - writers->start_ns) / (double)SCI_STEP_NS;
    const size_t first = (size_t)fmax(0, ceil(from));
    const size_t last = (size_t)fmin((double)writers->step_count, fmax(0, floor(to)));
    int64_t bytes = 0;
    for (size_t i = first; i < last; i++)
        bytes += atomic_load(&writers->step_bytes[i]);
    return first < last ? (double)bytes * 1e9 / (double)((int64_t)(last - first) * SCI_STEP_NS) : 0;
}

/* The writers start first and go on until they are stopped, so that they miss no part of the point,
   and are awaited, so that they do not load the next one. */
static sc_status read_beside_writers(sci_curve *curve, const struct point_run *run,
                                     sci_curve_step step, sci_readers **readers,
                                     double *writers_bytes_per_s, sc_error *error)
{
    const sci_measure_settings *params = run->params;
    sci_readers *writers = NULL;
    sc_status status = sci_streams_start(params, run->written, params->writers,
                                         step.seconds + LOAD_MARGIN_S, &writers, error);
    if (status == SC_OK)
        status = read_point(run, step, readers, error);
    if (writers)
        sci_readers_stop(writers);
    if (status == SC_OK)
        status = sci_readers_wait(writers, params->stall_s, run->control, elapsed_share(run),
                                  elapsed_share(run), error);
    if (status == SC_OK)
        status = check_load(writers, error);
    if (status == SC_OK)
        *writers_bytes_per_s = rate_meanwhile(sci_readers_recorder(writers),
                                              sci_readers_recorder(*readers));
    if (writers)
        sci_faults_add(&curve->write_faults, writers);
    sci_readers_release(&writers);
    return status;
}

sc_status sci_curve_point(sci_curve *curve, const sci_measure_settings *params, sci_dataset *data,
                          sci_dataset *written, sci_curve_step step, sci_control *control,
                          sc_supply_point *point, sc_error *error)
{
    const struct point_run run = {params, data, written, control};
    sci_readers *readers = NULL;
    double writers_bytes_per_s = 0;
    sc_status status = drop_before(&run, error);
    if (status == SC_OK)
        status = written
                     ? read_beside_writers(curve, &run, step, &readers, &writers_bytes_per_s, error)
                     : read_point(&run, step, &readers, error);
    if (readers)
        sci_faults_add(&curve->faults, readers);
    if (status == SC_OK)
        status = sci_recorder_point(sci_readers_recorder(readers), curve->arena, point, error);
    point->readers = step.readers;
    point->writers_bytes_per_s = writers_bytes_per_s;
    point->cold = sci_dataset_look(data).cold;
    sci_readers_release(&readers);
    return status;
}

/* ---- the curve ---- */

static sc_status append(sci_curve *curve, const sc_supply_point *point, sc_error *error)
{
    if (curve->count == curve->capacity) {
        size_t room = curve->capacity ? curve->capacity * 2 : 8;
        sc_supply_point *grown = sci_arena_alloc(curve->arena, room, sizeof *grown);
        if (!grown)
            return sci_fail(error, SC_NO_MEMORY, 0, "measure", NULL, "out of memory");
        if (curve->count)
            memcpy(grown, curve->points, curve->count * sizeof *grown);
        curve->points = grown;
        curve->capacity = room;
    }
    curve->points[curve->count++] = *point;
    return SC_OK;
}

static bool note(sci_curve *curve, sc_severity severity, const char *code, const char *why,
                 int32_t readers)
{
    return sci_finding_add(curve->findings, code, severity, "the curve ends before %d readers: %s",
                           (int)readers, why);
}

/* Threads and memory stay bounded. */
static bool fits(const sci_measure_settings *params, int32_t readers)
{
    return sci_readers_fit(readers + params->writers, params->player.in_flight,
                           params->player.block_bytes, 1);
}

static sc_status no_read_finished(sci_curve *curve, const sci_measure_settings *params,
                                  sci_curve_step step, sc_error *error)
{
    char block[32];
    sc_format_bytes(params->player.block_bytes, block, sizeof block);
    if (curve->count == 0)
        return sci_fail(error, SC_IO, 0, "measure.read", params->path,
                        "reads of %s took longer than %.2g s: measure for longer or with a smaller "
                        "block",
                        block, step.seconds);
    bool noted = note(curve, SC_SEVERITY_WARNING, "no-read-finished",
                      "reads took longer than the time of that point", step.readers);
    return noted ? SC_OK : SC_NO_MEMORY;
}

/* A limit of this machine says nothing against the points that it allowed. */
static sc_status no_room(sci_curve *curve, sci_curve_step step, const sc_error *fault)
{
    bool noted = note(curve, SC_SEVERITY_NOTE, "reader-limit", fault->message, step.readers);
    return noted ? SC_OK : SC_NO_MEMORY;
}

/* Whether the curve ends before this step, with what there is to say. */
static bool ends_before(sci_curve *curve, const sci_measure_settings *params, sci_curve_step step,
                        bool *memory)
{
    if (step.readers == 0)
        return true;
    if (!fits(params, step.readers) && curve->count > 0) {
        *memory = note(curve, SC_SEVERITY_NOTE, "reader-limit",
                       "so many reads in flight need too many threads or buffers", step.readers);
        return true;
    }
    if (step.seconds < sci_curve_shortest_s(params) && curve->count > 0) {
        *memory = note(curve, SC_SEVERITY_NOTE, "time-limit", "the time was over", step.readers);
        return true;
    }
    return false;
}

sc_status sci_curve_measure(sci_curve *curve, const sci_measure_settings *params, sci_dataset *data,
                            sci_dataset *written, sci_control *control, sc_error *error)
{
    double rest_s = sci_dataset_is_buffered(data) ? REST_BUFFERED_S : SCI_REST_S;
    bool memory = true;
    char block[32];
    sc_format_bytes(params->player.block_bytes, block, sizeof block);
    if (!fits(params, 1))
        return sci_fail(
            error, SC_INVALID_ARGUMENT, 0, "measure", params->path,
            "%d reads of %s in flight need more memory than this machine may spare: use "
            "a smaller block",
            (int)params->player.in_flight, block);
    for (;;) {
        sci_curve_step step = sci_curve_next(params, curve->points, curve->count,
                                             sci_seconds_since(params->start_ns));
        if (ends_before(curve, params, step, &memory))
            return memory ? SC_OK : SC_NO_MEMORY;
        /* A client's read-ahead goes on for a while and would be the next point's load. */
        if (curve->count > 0 && !sci_pause(control, rest_s, sci_measured_share(params)))
            return sci_fail(error, SC_CANCELLED, 0, "measure", params->path, "cancelled");
        step.seconds = fmax(step.seconds, sci_curve_shortest_s(params));
        sc_supply_point point = {0};
        sc_error fault = {0};
        sc_status status = sci_curve_point(curve, params, data, written, step, control, &point,
                                           &fault);
        if (status == SC_NO_MEMORY && curve->count > 0)
            return no_room(curve, step, &fault);
        sci_error_keep(error, &fault);
        if (status == SC_OK && point.samples == 0)
            return no_read_finished(curve, params, step, error);
        if (status == SC_OK)
            status = append(curve, &point, error);
        if (status != SC_OK)
            return status;
        sci_log(&control->user, SC_LOG_INFO, "%d readers: %.0f bytes/s", (int)point.readers,
                point.mean_bytes_per_s);
    }
}
