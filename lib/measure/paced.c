#include "measure/paced.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static const double STAGGER_MOST_S = 1;
static const double LATER_HALF = 0.5;

/* ---- when ---- */

double sci_pace_room_s(const sci_pace *pace, int64_t to)
{
    const double played = (double)to - (double)pace->buffer_bytes; /* bytes that must be gone */
    if (played <= 0)
        return 0;
    return pace->preroll_s + ceil(played / pace->frame_bytes) / pace->frames_per_s;
}

double sci_pace_due_s(const sci_pace *pace, int64_t from)
{
    return pace->preroll_s + floor((double)from / pace->frame_bytes) / pace->frames_per_s;
}

/* ---- streams ---- */

struct stream {
    int64_t bytes, start_ns;
};

struct paced {
    atomic_int users; /* the readers, and who waits for the verdict */
    sci_read_source inner;
    sci_pace pace;
    int64_t start_ns;
    double seconds;
    pthread_mutex_t lock; /* guards all below */
    int64_t reads, late;
    double worst_s, least_s;
    sci_lead lead;
    struct stream streams[];
};

static void release(void *opaque)
{
    struct paced *paced = opaque;
    if (atomic_fetch_sub(&paced->users, 1) > 1)
        return;
    paced->inner.release(paced->inner.opaque);
    pthread_mutex_destroy(&paced->lock);
    free(paced);
}

static sc_status next_block(void *opaque, int32_t number, sci_block *block, sc_error *error)
{
    struct paced *paced = opaque;
    struct stream *stream = &paced->streams[number];
    sc_status status = paced->inner.next(paced->inner.opaque, number, block, error);
    if (status != SC_OK)
        return status;
    pthread_mutex_lock(&paced->lock);
    const int64_t from = stream->bytes;
    stream->bytes += block->bytes;
    pthread_mutex_unlock(&paced->lock);
    const double room_s = sci_pace_room_s(&paced->pace, from + block->bytes);
    block->not_before_ns = stream->start_ns + (int64_t)(room_s * 1e9);
    /* When it is due. */
    block->own = stream->start_ns + (int64_t)(sci_pace_due_s(&paced->pace, from) * 1e9);
    return SC_OK;
}

static void note_arrival(struct paced *paced, double t, double lead_s)
{
    paced->reads++;
    paced->late += lead_s < 0;
    if (-lead_s > paced->worst_s)
        paced->worst_s = -lead_s;
    if (lead_s < paced->least_s)
        paced->least_s = lead_s;
    if (t >= LATER_HALF * paced->seconds)
        sci_lead_add(&paced->lead, t, lead_s);
}

static void block_done(void *opaque, int32_t number, sci_block *block, bool read)
{
    struct paced *paced = opaque;
    const int64_t now_ns = sci_now_ns();
    pthread_mutex_lock(&paced->lock);
    if (read)
        note_arrival(paced, (double)(now_ns - paced->start_ns) / 1e9,
                     (double)(block->own - now_ns) / 1e9);
    pthread_mutex_unlock(&paced->lock);
    paced->inner.done(paced->inner.opaque, number, block, read);
}

/* Streams begin one after the other within one block's time, as those of several people do. */
static struct paced *paced_new(const sci_pace_params *params, const sci_read_source *inner)
{
    const size_t streams = (size_t)params->streams;
    struct paced *paced = calloc(1, sizeof *paced + streams * sizeof paced->streams[0]);
    if (!paced) {
        inner->release(inner->opaque);
        return NULL;
    }
    const double bytes_per_s = (double)params->bits_per_s / 8;
    const double block_s = fmin(STAGGER_MOST_S, (double)params->player.block_bytes / bytes_per_s);
    atomic_store(&paced->users, 2);
    paced->inner = *inner;
    paced->seconds = params->seconds;
    paced->least_s = INFINITY;
    paced->pace = (sci_pace){.frame_bytes = bytes_per_s / params->frames_per_s,
                             .frames_per_s = params->frames_per_s,
                             .preroll_s = params->player.preroll_s,
                             .buffer_bytes = sc_player_buffer_bytes(
                                 &params->player, params->bits_per_s, params->largest_frame_bytes)};
    pthread_mutex_init(&paced->lock, NULL);
    paced->start_ns = sci_now_ns();
    for (size_t i = 0; i < streams; i++)
        paced->streams[i].start_ns = paced->start_ns +
                                     (int64_t)(block_s * (double)i / (double)streams * 1e9);
    return paced;
}

/* ---- the verdict ---- */

static void judge(struct paced *paced, const sci_pace_params *params, sc_paced_run *run)
{
    pthread_mutex_lock(&paced->lock);
    *run = (sc_paced_run){.streams = params->streams,
                          .bits_per_s = params->bits_per_s,
                          .seconds = params->seconds,
                          .reads = paced->reads,
                          .late_reads = paced->late,
                          .worst_lateness_s = paced->worst_s,
                          .least_lead_s = paced->reads ? paced->least_s : 0,
                          .lead_slope = sci_lead_slope(&paced->lead)};
    run->sustained = run->reads > 0 && run->late_reads == 0 &&
                     !sci_lead_runs_dry(&paced->lead, paced->seconds, params->player.read_ahead_s);
    pthread_mutex_unlock(&paced->lock);
}

sc_status sci_pace_run(const sci_pace_params *params, sci_dataset *data, sci_control *control,
                       sc_paced_run *run, sc_error *error)
{
    const sci_readers_params reading = {params->streams, params->player.in_flight,
                                        params->player.block_bytes, 0, params->seconds};
    sci_readers *readers = NULL;
    sci_read_source inner;
    if (!sci_dataset_lanes(data, params->streams, &inner))
        return sci_fail(error, SC_NO_MEMORY, 0, "measure.pace", params->path, "out of memory");
    struct paced *paced = paced_new(params, &inner);
    if (!paced)
        return sci_fail(error, SC_NO_MEMORY, 0, "measure.pace", params->path, "out of memory");
    const sci_read_source source = {paced, inner.align, next_block, block_done, release};
    sc_status status = sci_readers_start(&reading, &source, &readers, error);
    if (status == SC_OK)
        status = sci_readers_wait(readers, params->stall_s, control, 0, 1, error);
    if (status == SC_OK) {
        judge(paced, params, run);
        run->failed_reads = sci_readers_faults(readers).count;
        run->sustained = run->sustained && run->failed_reads == 0;
    }
    sci_readers_release(&readers);
    release(paced);
    return status;
}
