#include "io/cache.h"
#include "io/watchdog.h"
#include "measure/create.h"
#include "measure/curve.h"
#include "measure/extents.h"
#include "measure/facts.h"
#include "measure/lanes.h"
#include "measure/leftovers.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_READERS = 64, MOST_READERS = 256 };
static const int64_t DEFAULT_STREAM_BITS_PER_S = 64000000;
static const double DEFAULT_SECONDS = 24, DEFAULT_WARM_UP_S = 0.5, DEFAULT_STALL_S = 30;
static const double SHORT_POINT_S = 2;
static const double MEMORY_LATENCY_S = 1e-6;
static const double EVIDENTLY_CACHED_SHARE = 0.1;

/* ---- parameters ---- */

static bool in_range(double value, double least, double most)
{
    return value >= least && value <= most; /* false for NaN */
}

static sc_status resolve(const char *path, const sc_measure_params *given, sci_curve_params *params,
                         sc_error *error)
{
    *params = (sci_curve_params){path,
                                 given->player,
                                 given->lowest_stream_bits_per_s,
                                 given->max_readers,
                                 given->seconds,
                                 given->warm_up_s,
                                 given->stall_s,
                                 sci_now_ns()};
    if (params->lowest_stream_bits_per_s == 0)
        params->lowest_stream_bits_per_s = DEFAULT_STREAM_BITS_PER_S;
    if (params->max_readers == 0)
        params->max_readers = DEFAULT_READERS;
    if (params->seconds == 0)
        params->seconds = DEFAULT_SECONDS;
    if (params->warm_up_s == 0)
        params->warm_up_s = DEFAULT_WARM_UP_S;
    if (params->stall_s == 0)
        params->stall_s = DEFAULT_STALL_S;

    const struct {
        const char *name;
        double value, least, most;
    } ranges[] = {{"lowest_stream_bits_per_s", (double)params->lowest_stream_bits_per_s, 1, 1e15},
                  {"max_readers", params->max_readers, 1, MOST_READERS},
                  {"seconds", params->seconds, 1, 86400},
                  {"warm_up_s", params->warm_up_s, -INFINITY, params->seconds / 2},
                  {"stall_s", params->stall_s, 0.05, 86400},
                  {"cache", (double)given->cache, SC_CACHE_AUTO, SC_CACHE_WARM}};
    for (size_t i = 0; i < SCI_COUNT(ranges); i++)
        if (!in_range(ranges[i].value, ranges[i].least, ranges[i].most))
            return sci_fail(error, SC_INVALID_ARGUMENT, 0, "measure", path,
                            "%s is %g: it must lie between %g and %g", ranges[i].name,
                            ranges[i].value, ranges[i].least, ranges[i].most);
    if (given->create_bytes != 0 &&
        !in_range((double)given->create_bytes, SCI_CREATE_LEAST, SCI_CREATE_MOST))
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "measure", path,
                        "test data of %lld bytes: it must be between 16 MiB and 16 TiB",
                        (long long)given->create_bytes);
    return sc_player_resolve(&params->player, error);
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
    if (prep->path && prep->arena && (!created || sci_test_data_extents(created, &prep->extents)))
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
}

static void review_created(struct review *review)
{
    const sc_leftovers *leftovers = &review->prep->leftovers;
    bool elsewhere = review->storage->facts.network || review->storage->facts.fuse;
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
            "%.0f MB/s is more than such storage delivers (%.0f MB/s): a cache answered",
            best / 1e6, facts->plausible_bytes_per_s / 1e6);
    else if (latency < MEMORY_LATENCY_S)
        ADD(review, "implausible-speed", SC_SEVERITY_PROBLEM,
            "half of the reads took less than a microsecond: a cache answered");
    if (shortest < SHORT_POINT_S * 0.95)
        ADD(review, "short-measurement", SC_SEVERITY_NOTE,
            "the shortest point lasted %d ms: stalls that are rarer were not seen",
            (int)(shortest * 1000));
}

/* ---- the result ---- */

static bool copy_facts(sci_arena *arena, const sc_storage_facts *from, sc_storage_facts *to)
{
    *to = *from;
    to->mount_point = sci_arena_strdup(arena, from->mount_point);
    to->file_system = sci_arena_strdup(arena, from->file_system);
    to->device = sci_arena_strdup(arena, from->device);
    to->options = sci_arena_strdup(arena, from->options);
    to->server = sci_arena_strdup(arena, from->server);
    return to->mount_point && to->file_system && to->device && to->options && to->server;
}

static sc_storage *storage_new(const sci_curve_params *params, sc_cache_mode requested,
                               const struct preparation *prep)
{
    sc_storage *storage = sci_result_new(sizeof *storage);
    if (!storage)
        return NULL;
    sci_arena *arena = sci_result_arena(storage);
    sc_time_now(storage->made_at);
    storage->path = storage->name = sci_arena_strdup(arena, params->path);
    storage->source = SC_SOURCE_MEASURED;
    storage->player = params->player;
    storage->cache_requested = requested;
    storage->cache_effective = prep->way.mode;
    storage->cache_proven = prep->way.proven;
    storage->cache_reason = sci_arena_strdup(arena, prep->way.reason);
    if (!storage->path || !storage->cache_reason ||
        !copy_facts(arena, &prep->facts.shown, &storage->facts))
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
    review_speed(&review);
    return review.memory;
}

/* Points into *storage, also when the curve ended early. */
static sc_status measure_prepared(const sci_curve_params *params, struct preparation *prep,
                                  sci_test_data **created, sci_control *control,
                                  sc_storage *storage, sc_error *fault)
{
    char left[SC_TEXT_MAX] = "";
    int64_t created_bytes = *created ? sci_test_data_bytes(*created) : 0;
    sci_findings findings = {.arena = sci_result_arena(storage)};
    sci_curve curve = {.arena = sci_result_arena(storage), .findings = &findings};
    sci_dataset *data = sci_dataset_new(&prep->extents, &prep->way);
    if (!data)
        return sci_fail(fault, SC_NO_MEMORY, 0, "measure", params->path, "out of memory");
    sc_status status = sci_curve_measure(&curve, params, data, control, fault);
    storage->points = curve.points;
    storage->point_count = curve.count;
    correct_cache_claims(storage, curve.points);
    sci_test_data_remove(created, status, params->stall_s, control, left);
    struct review review = {&findings,     storage, prep, sci_dataset_look(data),
                            created_bytes, left,    true};
    if (!review_all(&review))
        status = sci_fail(fault, SC_NO_MEMORY, 0, "measure", params->path, "out of memory");
    storage->findings = findings.items;
    storage->finding_count = findings.count;
    sci_dataset_release(&data);
    return status;
}

static sc_status create(sci_curve_params *params, int64_t bytes, sci_control *control,
                        sci_test_data **created, sc_error *error)
{
    const sci_create_params wanted = {params->path, bytes, params->player.block_bytes, -1,
                                      params->stall_s};
    sc_status status = sci_test_data_create(&wanted, control, created, error);
    params->start_ns = sci_now_ns();
    return status;
}

/* Where there is no result that could say what was left. */
static void clear_away(sci_test_data **created, sc_status status, const sci_curve_params *params,
                       const sci_control *control, sc_error *fault)
{
    char left[SC_TEXT_MAX];
    if (!*created)
        return;
    sci_test_data_remove(created, status, params->stall_s, control, left);
    size_t used = strlen(fault->message);
    if (*left)
        snprintf(fault->message + used, sizeof fault->message - used, "; left there: %s", left);
}

sc_status sc_measure(const char *path, const sc_measure_params *given, sc_storage **storage,
                     sc_error *error)
{
    const sc_measure_params defaults = {0};
    sci_curve_params params;
    sci_control control;
    sci_test_data *created = NULL;
    struct preparation *prep = NULL;
    sc_storage *made = NULL;
    sc_error fault = {0};
    given = given ? given : &defaults;
    if (!storage || !path || !*path)
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "measure", path, "no path or no storage");
    *storage = NULL;
    sc_status status = resolve(path, given, &params, &fault);
    if (status != SC_OK)
        goto done;
    sci_control_start(&control, &given->control, "measure");
    if (given->create_bytes > 0)
        status = create(&params, given->create_bytes, &control, &created, &fault);
    if (status == SC_OK)
        status = prepare(&params, given->cache, created, &control, &prep, &fault);
    if (status != SC_OK)
        goto done;
    made = storage_new(&params, given->cache, prep);
    if (!made) {
        status = sci_fail(&fault, SC_NO_MEMORY, 0, "measure", path, "out of memory");
        goto done;
    }
    status = measure_prepared(&params, prep, &created, &control, made, &fault);
    if (fault.status != SC_OK && !fault.path[0])
        sci_copy(fault.path, sizeof fault.path, path);
    if (status == SC_OK || (made->point_count > 0 && status != SC_NO_MEMORY)) {
        made->error = fault;
        *storage = made;
        made = NULL;
    }
done:
    clear_away(&created, status, &params, &control, &fault);
    if (error && error->status == SC_OK)
        *error = fault;
    if (prep)
        preparation_free(prep);
    sci_result_free(&made);
    return status;
}
