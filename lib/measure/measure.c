#include "io/watchdog.h"
#include "measure/buffered.h"
#include "measure/leftovers.h"
#include "measure/prepare.h"
#include "measure/review.h"
#include "measure/scrub.h"
#include "measure/write.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_READERS = 64, MOST_WRITERS = 64 };
static const int64_t DEFAULT_STREAM_BITS_PER_S = 64000000;
static const double DEFAULT_SECONDS = 18.5, DEFAULT_WARM_UP_S = 0.5;
static const double LISTING_SHARE = 0.25; /* of the time, which finding the files may cost */
static const double WRITE_SHARE = 0.25;   /* of the time, where writes are measured */

/* ---- parameters ---- */

static sc_status resolve(const char *path, const sc_measure_params *given,
                         sci_measure_settings *params, sc_error *error)
{
    *params = (sci_measure_settings){.path = path,
                                     .player = given->player,
                                     .lowest_stream_bits_per_s = given->lowest_stream_bits_per_s,
                                     .max_readers = given->max_readers,
                                     .seconds = given->seconds,
                                     .warm_up_s = given->warm_up_s,
                                     .stall_s = given->stall_s,
                                     .scrub_bytes = given->scrub_bytes,
                                     .start_ns = sci_now_ns(),
                                     .writers = given->with_writers};
    if (params->lowest_stream_bits_per_s == 0)
        params->lowest_stream_bits_per_s = DEFAULT_STREAM_BITS_PER_S;
    if (params->max_readers == 0)
        params->max_readers = DEFAULT_READERS;
    if (params->seconds == 0)
        params->seconds = DEFAULT_SECONDS;
    if (params->warm_up_s == 0)
        params->warm_up_s = DEFAULT_WARM_UP_S;
    if (params->stall_s == 0)
        params->stall_s = SCI_STALL_S;

    const sci_range ranges[] = {
        {"lowest_stream_bits_per_s", (double)params->lowest_stream_bits_per_s, 1, 1e15},
        {"max_readers", params->max_readers, 1, SCI_MEASURE_READERS_MAX},
        {"seconds", params->seconds, 1, 86400},
        {"warm_up_s", params->warm_up_s, -INFINITY, params->seconds / 2},
        {"stall_s", params->stall_s, SCI_STALL_LEAST_S, SCI_STALL_MOST_S},
        {"with_writers", params->writers, 0, MOST_WRITERS},
        {"scrub_bytes", (double)params->scrub_bytes, -INFINITY, INT64_C(1) << 30},
        {"cache", (double)given->cache, SC_CACHE_AUTO, SC_CACHE_WARM}};
    if (given->create_bytes != 0 &&
        (given->create_bytes < SCI_CREATE_LEAST || given->create_bytes > SCI_CREATE_MOST))
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "measure", path,
                        "create_bytes is %lld: it must lie between %lld (16 MiB) and %lld (16 TiB)",
                        (long long)given->create_bytes, (long long)SCI_CREATE_LEAST,
                        (long long)SCI_CREATE_MOST);
    sc_status status = sci_check_ranges(path, ranges, SCI_COUNT(ranges), error);
    if (status == SC_OK)
        status = sc_player_resolve(&params->player, error);
    if (status == SC_OK)
        status = sci_check_cache(path, &params->player, given->cache, error);
    if (params->scrub_bytes == 0)
        params->scrub_bytes = params->player.block_bytes;
    if (params->scrub_bytes < 0)
        params->scrub_bytes = 0;
    params->whole_s = params->seconds;
    params->seconds *= given->write ? 1 - WRITE_SHARE : 1;
    return status;
}

/* ---- the result ---- */

static sc_storage *storage_new(const sci_measure_settings *params, sc_cache_mode requested,
                               sci_preparation *prep)
{
    sc_storage *storage = sci_result_new(sizeof *storage);
    if (!storage)
        return NULL;
    sci_arena *arena = sci_result_arena(storage);
    sc_time_now(storage->made_at);
    storage->path = storage->name = sci_arena_strdup(arena, params->path);
    storage->source = SC_SOURCE_MEASURED;
    storage->player = params->player;
    storage->scrub = sci_scrub_unknown();
    storage->cache_requested = requested;
    storage->cache_effective = prep->way.mode;
    storage->cache_proven = prep->way.proven;
    storage->cache_reason = sci_arena_strdup(arena, prep->way.reason);
    storage->facts = prep->facts.shown;
    sci_arena_adopt(arena, &prep->arena);
    if (!storage->path || !storage->cache_reason)
        sci_result_free(&storage);
    return storage;
}

/* What was seen on the first file is not the whole truth. */
static void correct_cache_claims(sc_storage *storage, sc_supply_point *points)
{
    const sc_storage_facts *facts = &storage->facts;
    const char *below = facts->memory             ? "the files lie in memory"
                        : facts->cache_below == 1 ? "there is a cache below that no read bypasses"
                                                  : NULL;
    bool stayed = false;
    for (size_t i = 0; i < storage->point_count; i++) {
        points[i].cold = points[i].cold && !below;
        stayed |= storage->cache_effective == SC_CACHE_DROPPED && !points[i].cold;
    }
    if (below || stayed) {
        storage->cache_proven = false;
        storage->cache_reason = below ? below : "dropped, but some of it stayed in the page cache";
    }
}

/* Everything that a measurement holds while it runs. */
struct job {
    const sc_measure_params *given;
    sci_measure_settings params;
    sci_control control;
    sci_test_data *created;
    sci_preparation *prep;
    sc_storage *storage;
    double listing_s;       /* where it took much; else 0 */
    sci_dataset_state seen; /* of the data, by the reads of the points */
};

static bool writes(const sc_measure_params *given)
{
    return given->write || given->with_writers > 0;
}

static sc_status create(struct job *job, sc_error *error)
{
    const sc_measure_params *given = job->given;
    const sci_create_params wanted = {
        job->params.path, given->create_bytes > 0 ? given->create_bytes : SCI_WRITE_DEFAULT_BYTES,
        job->params.player.block_bytes, -1, job->params.stall_s};
    if (given->create_bytes == 0 && !writes(given))
        return SC_OK;
    sc_status status = sci_test_data_create(&wanted, &job->control, &job->created, error);
    job->params.start_ns = sci_now_ns();
    return status;
}

static sc_status measure_writes(struct job *job, sci_dataset *written, sc_error *fault)
{
    sc_storage *storage = job->storage;
    sci_arena *arena = sci_result_arena(storage);
    sci_write_points points = {.count = 0};
    sc_status status = sci_write_measure(&job->params, written, job->params.whole_s * WRITE_SHARE,
                                         arena, &job->control, &points, fault);
    sc_supply_point *kept = sci_arena_alloc(arena, points.count + 1, sizeof *kept);
    if (!kept)
        return sci_fail(fault, SC_NO_MEMORY, 0, "measure.write", storage->path, "out of memory");
    memcpy(kept, points.points, points.count * sizeof *kept);
    storage->write_points = kept;
    storage->write_point_count = points.count;
    storage->write_synced = sci_dataset_is_synced(written);
    return status;
}

static double time_left_s(const sci_measure_settings *params)
{
    return params->seconds - sci_seconds_since(params->start_ns);
}

/* Jumps first, while the storage is at rest and nothing was read from it; those beside other reads
   when it is known how many those have to be. */
static sc_status measure_reads(struct job *job, sci_dataset *data, sci_dataset *written,
                               sci_curve *curve, sc_error *fault)
{
    const sci_measure_settings *params = &job->params;
    sc_scrub *scrub = &job->storage->scrub;
    sci_measure_settings for_curve = *params;
    const bool compare = job->given->cache == SC_CACHE_AUTO &&
                         job->storage->cache_effective == SC_CACHE_DIRECT &&
                         job->given->with_writers == 0;
    for_curve.seconds -= sci_scrub_loaded_s(params) + (compare ? sci_buffered_s(params) : 0);
    sc_status status = SC_OK;
    if (params->scrub_bytes > 0)
        status = sci_scrub_idle(scrub, params, curve, data, &job->control, fault);
    if (status == SC_OK)
        status = sci_curve_measure(curve, &for_curve, data, written, &job->control, fault);
    if (status == SC_OK && params->scrub_bytes > 0)
        status = sci_scrub_loaded(scrub, params, curve, data, &job->control, fault);
    job->seen = sci_dataset_look(data);
    if (status == SC_OK && compare && time_left_s(params) >= sci_buffered_s(params) / 2)
        status = sci_buffered_measure(&job->storage->buffered_bytes_per_s, params, curve, data,
                                      &job->control, fault);
    return status;
}

static sc_status measure_points(struct job *job, sci_dataset *data, sci_curve *curve,
                                sc_error *fault)
{
    const sc_measure_params *given = job->given;
    bool halves = given->with_writers > 0 && given->create_bytes > 0;
    sci_dataset *written = NULL;
    if (writes(given)) {
        written = sci_write_dataset(job->created, halves ? SCI_TEST_SECOND_HALF : SCI_TEST_ALL,
                                    &job->params, fault);
        if (!written)
            return fault->status;
    }
    sc_status status = measure_reads(job, data, given->with_writers > 0 ? written : NULL, curve,
                                     fault);
    if (status == SC_OK && given->write)
        status = measure_writes(job, written, fault);
    sci_dataset_release(&written);
    return status;
}

/* Points into the storage, also when the curve ended early. */
static sc_status measure_prepared(struct job *job, sc_error *fault)
{
    char left[SC_TEXT_MAX] = "";
    sc_storage *storage = job->storage;
    const char *path = job->params.path;
    int64_t created_bytes = job->given->create_bytes > 0 ? sci_test_data_bytes(job->created) : 0;
    sci_findings findings = {.arena = sci_result_arena(storage)};
    sci_curve curve = {.arena = sci_result_arena(storage), .findings = &findings};
    sci_dataset *data = sci_dataset_new(&job->prep->extents, &job->prep->way);
    if (!data)
        return sci_fail(fault, SC_NO_MEMORY, 0, "measure", path, "out of memory");
    sc_status status = measure_points(job, data, &curve, fault);
    storage->points = curve.points;
    storage->point_count = curve.count;
    storage->with_writers = job->given->with_writers;
    correct_cache_claims(storage, curve.points);
    sci_test_data_remove(&job->created, fault, job->params.stall_s, &job->control, left);
    sci_review review = {.findings = &findings,
                         .storage = storage,
                         .prep = job->prep,
                         .data = job->seen,
                         .created_bytes = created_bytes,
                         .listing_s = job->listing_s,
                         .left = left,
                         .faults = curve.faults,
                         .write_faults = curve.write_faults};
    if (!sci_review_storage(&review))
        status = sci_fail(fault, SC_NO_MEMORY, 0, "measure", path, "out of memory");
    storage->findings = findings.items;
    storage->finding_count = findings.count;
    sci_dataset_release(&data);
    return status;
}

static sc_status prepare(struct job *job, sc_error *fault)
{
    const sci_measure_settings *params = &job->params;
    const sci_prepare_params wanted = {
        .path = params->path,
        .player = params->player,
        .max_readers = params->max_readers,
        .cache = job->given->cache,
        .stall_s = params->stall_s,
        .created = job->given->create_bytes > 0 ? job->created : NULL,
        .part = params->writers > 0 ? SCI_TEST_FIRST_HALF : SCI_TEST_ALL};
    return sci_prepare(&wanted, &job->control, &job->prep, fault);
}

/* However many files there were to look at, the points get most of their time. */
static void leave_time_for_points(struct job *job)
{
    sci_measure_settings *params = &job->params;
    const double took_s = sci_seconds_since(params->start_ns);
    const double most_s = params->seconds * LISTING_SHARE;
    if (took_s <= most_s)
        return;
    params->start_ns = sci_now_ns() - (int64_t)(most_s * 1e9);
    job->listing_s = took_s;
}

static sc_status run_job(struct job *job, sc_error *fault)
{
    const char *path = job->params.path;
    sc_status status = create(job, fault);
    if (status == SC_OK)
        status = prepare(job, fault);
    if (status != SC_OK)
        return status;
    leave_time_for_points(job);
    job->storage = storage_new(&job->params, job->given->cache, job->prep);
    if (!job->storage)
        return sci_fail(fault, SC_NO_MEMORY, 0, "measure", path, "out of memory");
    status = measure_prepared(job, fault);
    if (fault->status != SC_OK && !fault->path[0])
        sci_copy(fault->path, sizeof fault->path, path);
    return status;
}

sc_status sc_measure(const char *path, const sc_measure_params *given, sc_storage **storage,
                     sc_error *error)
{
    const sc_measure_params defaults = {0};
    struct job job = {.given = given ? given : &defaults};
    sc_error fault = {0};
    if (!storage || !path || !*path)
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "measure", path, "no path or no storage");
    *storage = NULL;
    sc_status status = resolve(path, job.given, &job.params, &fault);
    if (status == SC_OK) {
        sci_control_start(&job.control, &job.given->control, "measure");
        status = run_job(&job, &fault);
        sci_test_data_discard(&job.created, job.params.stall_s, &job.control, &fault);
    }
    if (job.storage &&
        (status == SC_OK || (job.storage->point_count > 0 && status != SC_NO_MEMORY))) {
        job.storage->error = fault;
        *storage = job.storage;
        job.storage = NULL;
    }
    sci_error_keep(error, &fault);
    sci_preparation_free(&job.prep);
    sci_result_free(&job.storage);
    return status;
}
