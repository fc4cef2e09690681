#include "io/cache.h"
#include "io/watchdog.h"
#include "measure/create.h"
#include "measure/curve.h"
#include "measure/extents.h"
#include "measure/facts.h"
#include "measure/lanes.h"
#include "measure/leftovers.h"
#include "measure/paced.h"
#include "measure/scrub.h"
#include "measure/write.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_READERS = 64, MOST_READERS = 256, MOST_WRITERS = 64 };
static const int64_t DEFAULT_STREAM_BITS_PER_S = 64000000;
static const double DEFAULT_SECONDS = 19, DEFAULT_WARM_UP_S = 0.5;
static const double WRITE_SHARE = 0.25; /* of the time, where writes are measured */
static const double SHORT_POINT_S = 2, SHORT_WRITES_S = 2;
static const double MEMORY_LATENCY_S = 1e-6;
static const double EVIDENTLY_CACHED_SHARE = 0.1;

/* ---- parameters ---- */

static bool in_range(double value, double least, double most)
{
    return value >= least && value <= most; /* false for NaN */
}

struct range {
    const char *name;
    double value, least, most;
};

static sc_status check_ranges(const char *path, const struct range *ranges, size_t count,
                              sc_error *error)
{
    for (size_t i = 0; i < count; i++)
        if (!in_range(ranges[i].value, ranges[i].least, ranges[i].most))
            return sci_fail(error, SC_INVALID_ARGUMENT, 0, "measure", path,
                            "%s is %g: it must lie between %g and %g", ranges[i].name,
                            ranges[i].value, ranges[i].least, ranges[i].most);
    return SC_OK;
}

static sc_status resolve(const char *path, const sc_measure_params *given, sci_curve_params *params,
                         sc_error *error)
{
    *params = (sci_curve_params){.path = path,
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

    const struct range ranges[] = {
        {"lowest_stream_bits_per_s", (double)params->lowest_stream_bits_per_s, 1, 1e15},
        {"max_readers", params->max_readers, 1, MOST_READERS},
        {"seconds", params->seconds, 1, 86400},
        {"warm_up_s", params->warm_up_s, -INFINITY, params->seconds / 2},
        {"stall_s", params->stall_s, 0.05, 86400},
        {"with_writers", params->writers, 0, MOST_WRITERS},
        {"scrub_bytes", (double)params->scrub_bytes, -INFINITY, INT64_C(1) << 30},
        {"cache", (double)given->cache, SC_CACHE_AUTO, SC_CACHE_WARM}};
    if (given->create_bytes != 0 &&
        !in_range((double)given->create_bytes, SCI_CREATE_LEAST, SCI_CREATE_MOST))
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "measure", path,
                        "test data of %lld bytes: it must be between 16 MiB and 16 TiB",
                        (long long)given->create_bytes);
    sc_status status = check_ranges(path, ranges, SCI_COUNT(ranges), error);
    if (status == SC_OK)
        status = sc_player_resolve(&params->player, error);
    if (params->scrub_bytes == 0)
        params->scrub_bytes = params->player.block_bytes;
    if (params->scrub_bytes < 0)
        params->scrub_bytes = 0;
    params->whole_s = params->seconds;
    params->seconds *= given->write ? 1 - WRITE_SHARE : 1;
    return status;
}

/* ---- preparation: everything that touches the path, on a thread that may hang ---- */

struct preparation {
    char *path; /* as given */
    char *real_path;
    int64_t block_bytes;
    int32_t max_readers;
    sc_cache_mode cache;
    sci_arena *arena; /* of the facts */
    sci_facts facts;
    sci_extents extents;
    sci_extents_notes notes;
    sci_cache_way way;
    sc_leftovers leftovers;
    sc_status status;
    sc_error error;
};

static void preparation_free(void *opaque)
{
    struct preparation *prep = opaque;
    sci_extents_clear(&prep->extents);
    sci_arena_free(&prep->arena);
    free(prep->path);
    free(prep->real_path);
    free(prep);
}

static sc_status find_facts(struct preparation *prep)
{
    sci_os_info info;
    int os_errno = sci_os_stat(prep->path, &info);
    if (!os_errno && !info.regular && !info.directory)
        return sci_fail(&prep->error, SC_UNSUPPORTED, 0, "measure.open", prep->path,
                        "%s is neither a file nor a directory", prep->path);
    if (!os_errno) {
        prep->real_path = realpath(prep->path, NULL);
        os_errno = prep->real_path ? 0 : errno;
    }
    if (os_errno)
        return sci_fail(&prep->error, sci_status_from_errno(os_errno), os_errno, "measure.open",
                        prep->path, "cannot measure %s", prep->path);
    sc_status status = sci_facts_read(&sci_facts_system, &info, prep->real_path, prep->arena,
                                      &prep->facts, &prep->error);
    int64_t free_bytes;
    if (status == SC_OK && sci_os_free_bytes(prep->real_path, &free_bytes) == 0)
        prep->facts.shown.free_bytes = free_bytes;
    return status;
}

/* Created data stands in the extents already. */
static sc_status find_files(struct preparation *prep, sci_guard *guard)
{
    sci_os_info info;
    if (sci_os_stat(prep->real_path, &info) == 0 && info.directory &&
        sci_leftovers_find(prep->real_path, false, guard, &prep->leftovers, NULL) != SC_OK)
        prep->leftovers = (sc_leftovers){0}; /* what cannot be listed the next step reports */
    if (prep->extents.file_count > 0)
        return SC_OK;
    return sci_extents_find(&prep->extents, prep->real_path, guard, &prep->error);
}

static void run_preparation(void *opaque, sci_guard *guard)
{
    struct preparation *prep = opaque;
    prep->status = find_facts(prep);
    sci_guard_alive(guard);
    if (prep->status == SC_OK)
        prep->status = find_files(prep, guard);
    if (prep->status == SC_OK)
        prep->status = sci_extents_cut(&prep->extents, prep->block_bytes, prep->max_readers,
                                       &prep->error);
    if (prep->status != SC_OK)
        return;
    prep->notes = prep->extents.notes;
    sci_guard_alive(guard);
    const sci_test_file *file = &prep->extents.files[prep->extents.regions[0].file];
    prep->status = sci_cache_choose(file->path, file->bytes, prep->block_bytes, prep->cache,
                                    &prep->way, &prep->error);
}

static struct preparation *preparation_new(const sci_curve_params *params, sc_cache_mode cache,
                                           const sci_test_data *created)
{
    struct preparation *prep = calloc(1, sizeof *prep);
    if (!prep)
        return NULL;
    prep->path = strdup(params->path);
    prep->arena = sci_arena_new();
    prep->block_bytes = params->player.block_bytes;
    prep->max_readers = params->max_readers;
    prep->cache = cache;
    sci_test_part part = params->writers > 0 ? SCI_TEST_FIRST_HALF : SCI_TEST_ALL;
    if (prep->path && prep->arena &&
        (!created || sci_test_data_extents(created, part, &prep->extents)))
        return prep;
    preparation_free(prep);
    return NULL;
}

/* SC_OK: *prepared is the caller's, to be freed by preparation_free. */
static sc_status prepare(const sci_curve_params *params, sc_cache_mode cache,
                         const sci_test_data *created, sci_control *control,
                         struct preparation **prepared, sc_error *error)
{
    const sci_guarded work = {run_preparation, preparation_free,    "measure.open",
                              params->path,    "opening the files", params->stall_s};
    struct preparation *prep = preparation_new(params, cache, created);
    if (!prep)
        return sci_fail(error, SC_NO_MEMORY, 0, "measure.open", params->path, "out of memory");
    sc_status status = sci_guarded_run(&work, prep, control, 0, error);
    if (status != SC_OK)
        return status;
    if (prep->status != SC_OK) {
        status = prep->status;
        if (error && error->status == SC_OK)
            *error = prep->error;
        preparation_free(prep);
        return status;
    }
    *prepared = prep;
    return SC_OK;
}

/* ---- findings ---- */

struct review {
    sci_findings *findings;
    const sc_storage *storage;
    const struct preparation *prep;
    sci_dataset_state data;
    int64_t created_bytes;
    const char *left; /* test data that could not be removed */
    sci_read_faults faults;
    bool memory;
};

#define ADD(review, ...) ((review)->memory &= sci_finding_add((review)->findings, __VA_ARGS__))

static void review_place(struct review *review)
{
    const sc_storage_facts *facts = &review->storage->facts;
    if (facts->memory)
        ADD(review, "memory-filesystem", SC_SEVERITY_PROBLEM,
            "%s is %s: it lies in memory, the figures are not those of any storage",
            facts->mount_point, facts->file_system);
    if (facts->cache_below == 1)
        ADD(review, "cache-below", SC_SEVERITY_PROBLEM,
            "%s is or lies on a loop device without direct I/O: its image is cached by this "
            "machine and the figures may be those of the cache",
            facts->device);
    if (facts->route.this_machine == 1)
        ADD(review, "server-is-this-machine", SC_SEVERITY_WARNING,
            "%s is this machine: what its server finds in the page cache comes from memory, and no "
            "network is crossed",
            facts->server);
}

static void review_created(struct review *review)
{
    const sc_leftovers *leftovers = &review->prep->leftovers;
    bool elsewhere = review->storage->facts.network || review->storage->facts.fuse;
    if (review->storage->with_writers > 0)
        ADD(review, "with-writers", SC_SEVERITY_NOTE,
            "%d stream%s wrote flat out while this was read: the figures are of a storage under that "
            "load",
            (int)review->storage->with_writers, review->storage->with_writers == 1 ? "" : "s");
    if (review->created_bytes > 0)
        ADD(review, "created-data", elsewhere ? SC_SEVERITY_WARNING : SC_SEVERITY_NOTE,
            "%.2f GB of test data were made and read%s", (double)review->created_bytes / 1e9,
            elsewhere ? ": a server may still have had it in its memory" : "");
    if (*review->left)
        ADD(review, "test-data-left", SC_SEVERITY_WARNING,
            "test data could not be removed: %s; streamcalc measure DIRECTORY --remove-leftovers "
            "does it later",
            review->left);
    if (leftovers->files > 0)
        ADD(review, "leftover-test-data", SC_SEVERITY_NOTE,
            "a run that was killed left %d file%s of %.2f GB here (%s): streamcalc measure "
            "DIRECTORY --remove-leftovers removes them",
            (int)leftovers->files, leftovers->files == 1 ? "" : "s", (double)leftovers->bytes / 1e9,
            leftovers->names);
}

static void review_files(struct review *review)
{
    const sci_extents_notes *notes = &review->prep->notes;
    if (notes->sparse)
        ADD(review, "sparse-data", SC_SEVERITY_PROBLEM,
            "the files have holes or are compressed: less is read from the storage than arrives");
    if (notes->repeating)
        ADD(review, "compressible-data", SC_SEVERITY_WARNING,
            "the files repeat a few bytes over and over: a storage that compresses or deduplicates "
            "delivers them faster than footage");
    if (notes->shared > 0)
        ADD(review, "shared-extents", SC_SEVERITY_NOTE,
            "%zu file%s on the storage the data of other files here (copies that share it): only one "
            "of each was read",
            notes->shared, notes->shared == 1 ? " is" : "s are");
    if (notes->small)
        ADD(review, "small-files", SC_SEVERITY_PROBLEM,
            "all files are smaller than a block of %lld bytes, so nothing was read as a player "
            "reads: put footage there, some gigabytes of it",
            (long long)review->storage->player.block_bytes);
    if (notes->elsewhere)
        ADD(review, "other-file-system", SC_SEVERITY_WARNING,
            "some files below lie on another file system, which was not measured: the figures are "
            "not for those");
    if (notes->unreadable)
        ADD(review, "unreadable-files", SC_SEVERITY_NOTE, "some files may not be read");
    if (notes->walk_limited)
        ADD(review, "walk-limited", SC_SEVERITY_NOTE,
            "not all of the directory was searched for large files");
    if (review->storage->player.mode == SC_READ_FRAME)
        ADD(review, "frame-reads-as-blocks", SC_SEVERITY_WARNING,
            "reads of a frame each were measured as reads of %lld bytes",
            (long long)review->storage->player.block_bytes);
}

static void review_data(struct review *review)
{
    const sc_storage *storage = review->storage;
    const sci_extents_notes *notes = &review->prep->notes;
    int32_t most = storage->point_count ? storage->points[storage->point_count - 1].readers : 0;
    if (review->data.pass > 1)
        ADD(review, "data-read-again",
            storage->facts.network || storage->facts.fuse ? SC_SEVERITY_WARNING : SC_SEVERITY_NOTE,
            "there are only %lld bytes to read, so they were read %u times: past this machine's "
            "cache, but a server's or controller's may have helped",
            (long long)notes->bytes, (unsigned)review->data.pass);
    if (most > 0 && notes->regions < (size_t)most)
        ADD(review, "few-regions", SC_SEVERITY_WARNING,
            "%d readers shared %zu regions: larger files are needed to keep them apart", (int)most,
            notes->regions);
}

static void review_cache(struct review *review)
{
    const sc_storage *storage = review->storage;
    bool cold = storage->cache_proven;
    for (size_t i = 0; i < storage->point_count; i++)
        cold = cold && storage->points[i].cold;
    double share = fmax(review->data.cached_share, review->prep->way.cached_share);
    if (cold)
        return;
    if (share > EVIDENTLY_CACHED_SHARE)
        ADD(review, "not-proven-cold", SC_SEVERITY_PROBLEM,
            "%.0f %% of the data was in this machine's cache: the figures are the cache's",
            share * 100);
    else
        ADD(review, "not-proven-cold", SC_SEVERITY_WARNING,
            "it could not be shown that the reads were cold: %s", storage->cache_reason);
}

static void review_writes(struct review *review)
{
    const sc_storage *storage = review->storage;
    const double plausible = review->prep->facts.plausible_bytes_per_s;
    double best = 0, shortest = INFINITY;
    for (size_t i = 0; i < storage->write_point_count; i++) {
        best = fmax(best, storage->write_points[i].mean_bytes_per_s);
        shortest = fmin(shortest, storage->write_points[i].seconds);
    }
    if (best > plausible)
        ADD(review, "implausible-write-speed", SC_SEVERITY_WARNING,
            "writing %.0f MB/s is more than such storage takes (%.0f MB/s): a cache took it",
            best / 1e6, plausible / 1e6);
    if (shortest < SHORT_WRITES_S * 0.95)
        ADD(review, "short-writes", SC_SEVERITY_NOTE,
            "each number of writers had %d ms: a cache that takes more than that was not filled",
            (int)(shortest * 1000));
}

/* Files that others delete or cut are no fault of the storage; what it cannot read is. */
static void review_faults(struct review *review)
{
    const sc_error *first = &review->faults.first;
    const bool changed = first->os_errno == 0 || first->os_errno == ENOENT ||
                         first->os_errno == ESTALE;
    if (review->faults.count == 0)
        return;
    ADD(review, changed ? "files-changed" : "read-errors",
        changed ? SC_SEVERITY_WARNING : SC_SEVERITY_PROBLEM,
        "%lld reads failed and are not in the figures, the first: %s",
        (long long)review->faults.count, first->message);
}

static void review_speed(struct review *review)
{
    const sc_storage *storage = review->storage;
    const sci_facts *facts = &review->prep->facts;
    double best = 0, latency = INFINITY, shortest = INFINITY;
    for (size_t i = 0; i < storage->point_count; i++) {
        best = fmax(best, storage->points[i].mean_bytes_per_s);
        latency = fmin(latency, storage->points[i].latency_p50_s);
        shortest = fmin(shortest, storage->points[i].seconds);
    }
    if (best > facts->plausible_bytes_per_s)
        ADD(review, "implausible-speed",
            facts->plausible_certain ? SC_SEVERITY_PROBLEM : SC_SEVERITY_WARNING,
            "%.0f MB/s is more than such storage delivers (at most %.0f MB/s%s%s): a cache "
            "answered",
            best / 1e6, facts->plausible_bytes_per_s / 1e6, *facts->plausible_of ? ": " : "",
            facts->plausible_of);
    else if (latency < MEMORY_LATENCY_S)
        ADD(review, "implausible-speed", SC_SEVERITY_PROBLEM,
            "half of the reads took less than a microsecond: a cache answered");
    if (shortest < SHORT_POINT_S * 0.95)
        ADD(review, "short-measurement", SC_SEVERITY_NOTE,
            "the shortest point lasted %d ms: stalls that are rarer were not seen",
            (int)(shortest * 1000));
}

/* ---- the result ---- */

static sc_storage *storage_new(const sci_curve_params *params, sc_cache_mode requested,
                               struct preparation *prep)
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

static bool review_all(struct review *given)
{
    struct review review = *given;
    review_place(&review);
    review_created(&review);
    review_files(&review);
    review_data(&review);
    review_cache(&review);
    review_faults(&review);
    review_speed(&review);
    review_writes(&review);
    return review.memory;
}

/* Everything that a measurement holds while it runs. */
struct job {
    const sc_measure_params *given;
    sci_curve_params params;
    sci_control control;
    sci_test_data *created;
    struct preparation *prep;
    sc_storage *storage;
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
    storage->write_synced = sci_dataset_is_buffered(written);
    return status;
}

/* Jumps first, while the storage is at rest and nothing was read from it; those beside other reads
   when it is known how many those have to be. */
static sc_status measure_reads(struct job *job, sci_dataset *data, sci_dataset *written,
                               sci_curve *curve, sc_error *fault)
{
    const sci_curve_params *params = &job->params;
    sc_scrub *scrub = &job->storage->scrub;
    sci_curve_params for_curve = *params;
    for_curve.seconds -= sci_scrub_loaded_s(params);
    sc_status status = SC_OK;
    if (params->scrub_bytes > 0)
        status = sci_scrub_idle(scrub, params, data, &job->control, fault);
    if (status == SC_OK)
        status = sci_curve_measure(curve, &for_curve, data, written, &job->control, fault);
    if (status == SC_OK && params->scrub_bytes > 0)
        status = sci_scrub_loaded(scrub, params, curve, data, &job->control, fault);
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
    sci_test_data_remove(&job->created, status, job->params.stall_s, &job->control, left);
    struct review review = {.findings = &findings,
                            .storage = storage,
                            .prep = job->prep,
                            .data = sci_dataset_look(data),
                            .created_bytes = created_bytes,
                            .left = left,
                            .faults = curve.faults,
                            .memory = true};
    if (!review_all(&review))
        status = sci_fail(fault, SC_NO_MEMORY, 0, "measure", path, "out of memory");
    storage->findings = findings.items;
    storage->finding_count = findings.count;
    sci_dataset_release(&data);
    return status;
}

static sc_status run_job(struct job *job, sc_error *fault)
{
    const char *path = job->params.path;
    sc_status status = create(job, fault);
    if (status == SC_OK)
        status = prepare(&job->params, job->given->cache,
                         job->given->create_bytes > 0 ? job->created : NULL, &job->control,
                         &job->prep, fault);
    if (status != SC_OK)
        return status;
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
        sci_test_data_discard(&job.created, status, job.params.stall_s, &job.control, &fault);
    }
    if (job.storage &&
        (status == SC_OK || (job.storage->point_count > 0 && status != SC_NO_MEMORY))) {
        job.storage->error = fault;
        *storage = job.storage;
        job.storage = NULL;
    }
    if (error && error->status == SC_OK)
        *error = fault;
    if (job.prep)
        preparation_free(job.prep);
    sci_result_free(&job.storage);
    return status;
}

/* ---- at a player's pace ---- */

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
    const struct range ranges[] = {
        {"streams", params->streams, 1, MOST_READERS},
        {"bits_per_s", (double)params->bits_per_s, 1, 1e15},
        {"largest_frame_bytes", (double)params->largest_frame_bytes, 0, INT64_C(1) << 30},
        {"frames_per_s", params->frames_per_s, 1, 1000},
        {"seconds", params->seconds, 1, 86400},
        {"stall_s", params->stall_s, 0.05, 86400},
        {"cache", (double)given->cache, SC_CACHE_AUTO, SC_CACHE_WARM}};
    sc_status status = check_ranges(path, ranges, SCI_COUNT(ranges), error);
    if (status == SC_OK)
        status = sc_player_resolve(&params->player, error);
    if (status == SC_OK && params->largest_frame_bytes == 0)
        params->largest_frame_bytes = (int64_t)ceil((double)params->bits_per_s / 8 /
                                                    params->frames_per_s);
    return status;
}

static sc_status pace_prepared(const sci_pace_params *params, struct preparation *prep,
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
        run->cold = sci_dataset_look(data).cold && prep->way.proven &&
                    prep->facts.shown.cache_below != 1 && !prep->facts.shown.memory;
    sci_dataset_release(&data);
    return status;
}

sc_status sc_measure_paced(const char *path, const sc_paced_params *given, sc_paced_run *run,
                           sc_error *error)
{
    sci_pace_params params;
    sci_control control;
    struct preparation *prep = NULL;
    sc_error fault = {0};
    if (!run || !given || !path || !*path)
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "measure", path,
                        "no path, no parameters or no place for the result");
    *run = (sc_paced_run){0};
    sc_status status = resolve_pace(path, given, &params, &fault);
    if (status == SC_OK) {
        const sci_curve_params where = {.path = path,
                                        .player = params.player,
                                        .max_readers = params.streams,
                                        .stall_s = params.stall_s};
        sci_control_start(&control, &given->control, "play");
        status = prepare(&where, given->cache, NULL, &control, &prep, &fault);
    }
    if (status == SC_OK)
        status = pace_prepared(&params, prep, &control, run, &fault);
    if (prep)
        preparation_free(prep);
    if (fault.status != SC_OK && !fault.path[0])
        sci_copy(fault.path, sizeof fault.path, path);
    if (error && error->status == SC_OK)
        *error = fault;
    return status;
}
