#include "play/trial.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct stream {
    pthread_mutex_t lock;
    sci_pacer pacer;
    int64_t late_frames; /* told last */
    double least_lead_s;
};

struct trial {
    atomic_int users; /* the readers, and who waits for the scores */
    sci_read_source inner;
    int64_t start_ns;
    sci_histogram jitter_ns;
    atomic_int_least64_t read_count, read_bytes, busy_ns;
    int32_t count;
    struct stream streams[];
};

static void release(void *opaque)
{
    struct trial *trial = opaque;
    if (atomic_fetch_sub(&trial->users, 1) > 1)
        return;
    trial->inner.release(trial->inner.opaque);
    for (int32_t i = 0; i < trial->count; i++) {
        sci_pacer_free(&trial->streams[i].pacer);
        pthread_mutex_destroy(&trial->streams[i].lock);
    }
    free(trial);
}

static double seconds_of(const struct trial *trial, int64_t now_ns)
{
    return (double)(now_ns - trial->start_ns) / 1e9;
}

/* Blocks are taken and numbered under the lock, so that they come in the order of the file. */
static sc_status take(struct trial *trial, int32_t number, sci_block *block, sc_error *error)
{
    sci_pacer *pacer = &trial->streams[number].pacer;
    sci_pacer_read read;
    block->bytes = sci_pacer_wants(pacer);
    sc_status status = trial->inner.next(trial->inner.opaque, number, block, error);
    if (status != SC_OK)
        return status;
    if (!sci_pacer_take(pacer, block->bytes, seconds_of(trial, sci_now_ns()), &read)) {
        trial->inner.done(trial->inner.opaque, number, block, false);
        return sci_fail(error, SC_NO_MEMORY, 0, "play.read", block->path, "out of memory");
    }
    block->own = read.number;
    block->taken_ns = sci_now_ns();
    block->not_before_ns = trial->start_ns + (int64_t)(read.not_before_s * 1e9);
    return SC_OK;
}

static sc_status next_block(void *opaque, int32_t number, sci_block *block, sc_error *error)
{
    struct trial *trial = opaque;
    pthread_mutex_lock(&trial->streams[number].lock);
    sc_status status = take(trial, number, block, error);
    pthread_mutex_unlock(&trial->streams[number].lock);
    return status;
}

static sc_status begin_block(void *opaque, int32_t number, sci_block *block, sc_error *error)
{
    struct trial *trial = opaque;
    const int64_t could_ns = block->not_before_ns > block->taken_ns ? block->not_before_ns
                                                                    : block->taken_ns;
    const int64_t now_ns = sci_now_ns();
    sci_histogram_add(&trial->jitter_ns, now_ns - could_ns);
    block->taken_ns = now_ns;
    return trial->inner.begin ? trial->inner.begin(trial->inner.opaque, number, block, error)
                              : SC_OK;
}

static void count_read(struct trial *trial, const sci_block *block, int64_t now_ns)
{
    atomic_fetch_add(&trial->read_count, 1);
    atomic_fetch_add(&trial->read_bytes, block->bytes);
    atomic_fetch_add(&trial->busy_ns, now_ns - block->taken_ns);
}

static void block_done(void *opaque, int32_t number, sci_block *block, bool read)
{
    struct trial *trial = opaque;
    struct stream *stream = &trial->streams[number];
    const int64_t now_ns = sci_now_ns();
    const double now_s = seconds_of(trial, now_ns);
    if (read)
        count_read(trial, block, now_ns);
    pthread_mutex_lock(&stream->lock);
    if (read)
        sci_pacer_arrived(&stream->pacer, block->own, now_s);
    else if (block->begun)
        sci_pacer_lost(&stream->pacer, block->own, now_s);
    pthread_mutex_unlock(&stream->lock);
    trial->inner.done(trial->inner.opaque, number, block, read);
}

static struct trial *trial_new(const sci_trial_params *params, const sci_read_source *inner)
{
    const size_t count = (size_t)params->count;
    struct trial *trial = calloc(1, sizeof *trial + count * sizeof trial->streams[0]);
    if (!trial) {
        inner->release(inner->opaque);
        return NULL;
    }
    atomic_store(&trial->users, 2);
    trial->inner = *inner;
    trial->count = params->count;
    for (size_t i = 0; i < count; i++) {
        const sci_trial_stream *wanted = &params->streams[i];
        const double end_s = wanted->start_s + params->player.preroll_s + params->seconds;
        const sci_pacer_params pacing = {.place = wanted->place,
                                         .player = params->player,
                                         .buffer_bytes = wanted->buffer_bytes,
                                         .start_s = wanted->start_s,
                                         .end_s = end_s};
        pthread_mutex_init(&trial->streams[i].lock, NULL);
        sci_pacer_start(&trial->streams[i].pacer, &pacing);
        trial->streams[i].least_lead_s = INFINITY;
    }
    trial->start_ns = sci_now_ns();
    return trial;
}

/* Reads are made until the last frame is due, not for longer. */
static sci_readers_params reading_of(const sci_trial_params *params)
{
    sci_readers_params reading = {.streams = params->count,
                                  .in_flight = params->player.in_flight,
                                  .block_bytes = 0,
                                  .seconds = params->player.preroll_s + params->seconds};
    double latest_s = 0;
    for (int32_t i = 0; i < params->count; i++) {
        latest_s = fmax(latest_s, params->streams[i].start_s);
        if (params->streams[i].largest_read_bytes > reading.block_bytes)
            reading.block_bytes = params->streams[i].largest_read_bytes;
    }
    reading.seconds += latest_s;
    return reading;
}

/* ---- what it shows while it runs, and at its end ---- */

/* A stream whose thread is stuck where its file is opened tells what it told last. */
static void show(void *opaque, sc_progress *progress)
{
    struct trial *trial = opaque;
    const double now_s = seconds_of(trial, sci_now_ns());
    double least_s = INFINITY;
    progress->streams = trial->count;
    for (int32_t i = 0; i < trial->count; i++) {
        struct stream *stream = &trial->streams[i];
        if (pthread_mutex_trylock(&stream->lock) == 0) {
            stream->late_frames = stream->pacer.score.late_frames +
                                  sci_pacer_overdue(&stream->pacer, now_s, &stream->least_lead_s);
            pthread_mutex_unlock(&stream->lock);
        }
        progress->late_frames += stream->late_frames;
        least_s = fmin(least_s, stream->least_lead_s);
    }
    progress->min_buffer_s = isfinite(least_s) ? least_s : 0;
}

static double quantile_s(const sci_histogram *histogram, double q)
{
    return fmax(0, (double)sci_histogram_quantile(histogram, q) / 1e9);
}

static void collect(struct trial *trial, sci_trial_outcome *outcome)
{
    const double now_s = seconds_of(trial, sci_now_ns());
    for (int32_t i = 0; i < trial->count; i++) {
        struct stream *stream = &trial->streams[i];
        pthread_mutex_lock(&stream->lock);
        sci_pacer_finish(&stream->pacer, now_s);
        outcome->scores[i] = stream->pacer.score;
        pthread_mutex_unlock(&stream->lock);
    }
    outcome->jitter = (sc_play_jitter){.p50_s = quantile_s(&trial->jitter_ns, 0.5),
                                       .p99_s = quantile_s(&trial->jitter_ns, 0.99),
                                       .max_s = quantile_s(&trial->jitter_ns, 1)};
}

static sc_paced_reads reads_of(const struct trial *trial, const sci_trial_params *params,
                               const sci_histogram *latency_ns)
{
    const double count = (double)atomic_load(&trial->read_count);
    const double busy_s = (double)atomic_load(&trial->busy_ns) / 1e9;
    const double may_s = params->count * params->player.in_flight *
                         (params->player.preroll_s + params->seconds);
    if (count == 0)
        return (sc_paced_reads){0};
    return (sc_paced_reads){.samples = (int64_t)count,
                            .mean_bytes = (double)atomic_load(&trial->read_bytes) / count,
                            .mean_s = busy_s / count,
                            .p50_s = quantile_s(latency_ns, 0.5),
                            .p99_s = quantile_s(latency_ns, 0.99),
                            .max_s = quantile_s(latency_ns, 1),
                            .busy = fmin(1, busy_s / may_s)};
}

sc_status sci_trial_run(const sci_trial_params *params, const sci_read_source *source,
                        sci_control *control, sci_trial_outcome *outcome, sc_error *error)
{
    const sci_readers_params reading = reading_of(params);
    sci_readers *readers = NULL;
    struct trial *trial = trial_new(params, source);
    if (!trial)
        return sci_fail(error, SC_NO_MEMORY, 0, "play", params->path, "out of memory");
    const sci_read_source paced = {trial,      source->align, next_block,
                                   block_done, release,       begin_block};
    sc_status status = sci_readers_start(&reading, &paced, &readers, error);
    control->fill = show;
    control->fill_opaque = trial;
    if (status == SC_OK)
        status = sci_readers_wait(readers, params->stall_s, control, 0, 1, error);
    control->fill = NULL;
    if (status == SC_OK) {
        collect(trial, outcome);
        outcome->reads = reads_of(trial, params, &sci_readers_recorder(readers)->latency);
        outcome->faults = sci_readers_faults(readers);
    }
    sci_readers_release(&readers);
    release(trial);
    return status;
}

bool sci_score_is_sustained(const sci_pacer_score *score, double end_s, double read_ahead_s)
{
    /* A buffer that was full lately does not shrink: what its time is worth goes with the frames. */
    const bool runs_dry = score->waits == 0 && sci_lead_runs_dry(&score->lead, end_s, read_ahead_s);
    return score->frames > 0 && score->late_frames == 0 && !runs_dry;
}
