#include "measure/review.h"

#include <errno.h>
#include <math.h>

static const double SHORT_POINT_S = 2, SHORT_WRITES_S = 2;
static const double MEMORY_LATENCY_S = 1e-6;
static const double EVIDENTLY_CACHED_SHARE = 0.1;

#define ADD(review, ...) ((review)->memory &= sci_finding_add((review)->findings, __VA_ARGS__))

static void review_place(sci_review *review)
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

static void review_created(sci_review *review)
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

static void review_files(sci_review *review)
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

static void review_data(sci_review *review)
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

static void review_cache(sci_review *review)
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

static void review_writes(sci_review *review)
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
static void review_faults(sci_review *review)
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

static void review_speed(sci_review *review)
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

bool sci_review_storage(const sci_review *given)
{
    sci_review review = *given;
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
