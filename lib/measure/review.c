#include "measure/review.h"

#include "measure/variation.h"

#include <errno.h>
#include <math.h>

static const double SHORT_POINT_S = 2, SHORT_WRITES_S = 2;
enum { SIZE_TEXT = 32 };
static const double EVIDENTLY_CACHED_SHARE = 0.1;

#define ADD(review, ...) sci_finding_add((review)->findings, __VA_ARGS__)

static void review_place(const sci_review *review)
{
    const sc_storage_facts *facts = &review->storage->facts;
    if (facts->memory)
        ADD(review, "memory-filesystem", SC_SEVERITY_PROBLEM,
            "%s is %s: it lies in memory, the figures are not those of any storage",
            facts->mount_point, *facts->disk.chain ? facts->disk.chain : facts->file_system);
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

static void review_created(const sci_review *review)
{
    const sc_leftovers *leftovers = &review->prep->leftovers;
    char made[SIZE_TEXT], left[SIZE_TEXT];
    sc_format_bytes(review->created_bytes, made, sizeof made);
    sc_format_bytes(leftovers->bytes, left, sizeof left);
    bool elsewhere = review->storage->facts.network || review->storage->facts.fuse;
    if (review->storage->with_writers > 0)
        ADD(review, "with-writers", SC_SEVERITY_NOTE,
            "%d stream%s wrote flat out while this was read: the figures are of a storage under that "
            "load",
            (int)review->storage->with_writers, review->storage->with_writers == 1 ? "" : "s");
    if (review->created_bytes > 0)
        ADD(review, "created-data", elsewhere ? SC_SEVERITY_WARNING : SC_SEVERITY_NOTE,
            "%s of test data were made and read%s", made,
            elsewhere ? ": a server may still have had it in its memory" : "");
    if (*review->left)
        ADD(review, "test-data-left", SC_SEVERITY_WARNING, "test data could not be removed: %s",
            review->left);
    if (leftovers->files > 0)
        ADD(review, "leftover-test-data", SC_SEVERITY_NOTE,
            "a run that was killed left %d file%s of %s here: %s", (int)leftovers->files,
            leftovers->files == 1 ? "" : "s", left, leftovers->names);
}

static void review_files(const sci_review *review)
{
    const sci_extents_notes *notes = &review->prep->notes;
    char block[SIZE_TEXT];
    sc_format_bytes(review->storage->player.block_bytes, block, sizeof block);
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
            "all files are smaller than a block of %s, so nothing was read as a player reads: put "
            "footage there, some gigabytes of it",
            block);
    if (notes->elsewhere)
        ADD(review, "other-file-system", SC_SEVERITY_WARNING,
            "some files below lie on another file system, which was not measured: the figures are "
            "not for those");
    if (notes->unreadable)
        ADD(review, "unreadable-files", SC_SEVERITY_NOTE, "some files may not be read");
    if (notes->walk_limited)
        ADD(review, "walk-limited", SC_SEVERITY_NOTE,
            "not all of the directory was searched for large files");
    if (review->listing_s > 0)
        ADD(review, "slow-listing", SC_SEVERITY_NOTE,
            "finding the files took %.1f s, most of which came on top of the time to measure: a "
            "directory with fewer entries, or one file, is found sooner",
            review->listing_s);
    if (review->storage->player.mode == SC_READ_FRAME)
        ADD(review, "frame-reads-as-blocks", SC_SEVERITY_WARNING,
            "reads of a frame each were measured as reads of %s", block);
}

/* How many times as fast the second read of a place was as the first; 0: not known. */
static double second_read_gain(const sc_scrub *scrub)
{
    const double least_s = 1e-4; /* faster ones are not worth a cache */
    const int64_t least_samples = 8;
    if (scrub->read_bytes == 0 || scrub->again.samples < least_samples || scrub->idle.p50_s < 0 ||
        scrub->again.p50_s <= 0)
        return 0;
    return scrub->idle.p50_s < least_s ? 1 : scrub->idle.p50_s / scrub->again.p50_s;
}

static bool all_cold(const sc_storage *storage)
{
    bool cold = true;
    for (size_t i = 0; i < storage->point_count; i++)
        cold = cold && storage->points[i].cold;
    return cold;
}

/* Data that was read again, or lately made, may come out of a cache of a server or controller. */
static void review_caches_behind(const sci_review *review)
{
    const double much_faster = 1.5;
    const sc_storage *storage = review->storage;
    const double gain = second_read_gain(&storage->scrub);
    const bool elsewhere = storage->facts.network || storage->facts.fuse;
    const bool again = review->data.pass > 1, cold = all_cold(storage);
    char data[SIZE_TEXT];
    sc_format_bytes(review->prep->notes.bytes, data, sizeof data);
    if (gain >= much_faster)
        ADD(review, "cache-behind", again ? SC_SEVERITY_WARNING : SC_SEVERITY_NOTE,
            "what was read before comes %.1f times as fast: a cache of a server, controller or drive "
            "keeps it, and footage that was not read lately is slower than what is opened twice",
            gain);
    if (again)
        ADD(review, "data-read-again",
            !cold || gain >= much_faster || (gain == 0 && elsewhere) ? SC_SEVERITY_WARNING
                                                                     : SC_SEVERITY_NOTE,
            "there is only %s to read, so it was read %u times: %s%s", data,
            (unsigned)review->data.pass, cold ? "past this machine's cache, " : "",
            !cold                 ? "this machine's cache may have helped"
            : gain >= much_faster ? "but a cache behind has helped"
            : gain > 0            ? "and a second read was no faster than the first"
                                  : "but a server's or controller's may have helped");
}

static void review_data(const sci_review *review)
{
    const sc_storage *storage = review->storage;
    const sci_extents_notes *notes = &review->prep->notes;
    int32_t most = storage->point_count ? storage->points[storage->point_count - 1].readers : 0;
    if (most > 0 && notes->regions < (size_t)most)
        ADD(review, "few-regions", SC_SEVERITY_WARNING,
            "%d readers shared %zu region%s: larger files are needed to keep them apart", (int)most,
            notes->regions, notes->regions == 1 ? "" : "s");
}

static void review_cache(const sci_review *review)
{
    const sc_storage *storage = review->storage;
    double share = fmax(review->data.cached_share, review->prep->way.cached_share);
    if (all_cold(storage))
        return;
    if (share > EVIDENTLY_CACHED_SHARE)
        ADD(review, "not-proven-cold", SC_SEVERITY_PROBLEM,
            "%.0f %% of the data was in this machine's cache: the figures are the cache's",
            share * 100);
    else
        ADD(review, "not-proven-cold", SC_SEVERITY_WARNING,
            "it could not be shown that the reads were cold: %s", storage->cache_reason);
}

/* Most programs read through the page cache; one that has too little in flight gains by it. */
static void review_read_ahead(const sci_review *review)
{
    const double differs = 0.2;
    const sc_storage *storage = review->storage;
    const double buffered = storage->buffered_bytes_per_s;
    const double direct = storage->point_count ? storage->points[0].mean_bytes_per_s : 0;
    if (buffered <= 0 || direct <= 0 || fabs(buffered / direct - 1) <= differs)
        return;
    ADD(review, "read-ahead-differs", SC_SEVERITY_NOTE,
        "one reader gets %.4g MB/s through the page cache with the kernel's read-ahead, and %.4g with "
        "direct reads, which the counts are for: for a program that reads buffered, measure with a "
        "player of io=buffered",
        buffered / 1e6, direct / 1e6);
}

static void review_writes(const sci_review *review)
{
    const sc_storage *storage = review->storage;
    const double plausible_bytes_per_s = review->prep->facts.plausible_bytes_per_s;
    double best_bytes_per_s = 0, shortest_s = INFINITY;
    for (size_t i = 0; i < storage->write_point_count; i++) {
        best_bytes_per_s = fmax(best_bytes_per_s, storage->write_points[i].mean_bytes_per_s);
        shortest_s = fmin(shortest_s, storage->write_points[i].seconds);
    }
    if (best_bytes_per_s > plausible_bytes_per_s)
        ADD(review, "implausible-write-speed", SC_SEVERITY_WARNING,
            "writing %.0f MB/s is more than such storage takes (%.0f MB/s): a cache took it",
            best_bytes_per_s / 1e6, plausible_bytes_per_s / 1e6);
    if (shortest_s < SHORT_WRITES_S * 0.95)
        ADD(review, "short-writes", SC_SEVERITY_NOTE,
            "each number of writers had %d ms: a cache that takes more than that was not filled",
            (int)(shortest_s * 1000));
}

static void review_faults(const sci_review *review)
{
    const sci_faults *failed = &review->faults.failed, *changed = &review->faults.changed;
    if (failed->count > 0)
        ADD(review, "read-errors", SC_SEVERITY_PROBLEM,
            "%lld reads failed and are not in the figures, the first: %s", (long long)failed->count,
            failed->first.message);
    if (changed->count > 0)
        ADD(review, "files-changed", SC_SEVERITY_WARNING,
            "%lld reads found files deleted or cut and are not in the figures, the first: %s",
            (long long)changed->count, changed->first.message);
}

/* Of the load beside the reads, whose data is the measurement's own. */
static void review_write_faults(const sci_review *review)
{
    const sc_error *first = sci_faults_first(&review->write_faults);
    if (first)
        ADD(review, "write-errors", SC_SEVERITY_PROBLEM,
            "%lld writes of the streams beside the reads failed, so there was less of a load, the "
            "first: %s",
            (long long)sci_faults_count(&review->write_faults), first->message);
}

static void review_speed(const sci_review *review)
{
    const sc_storage *storage = review->storage;
    const sci_facts *facts = &review->prep->facts;
    double best_bytes_per_s = 0, lowest_latency_s = INFINITY, shortest_s = INFINITY;
    for (size_t i = 0; i < storage->point_count; i++) {
        const sc_supply_point *point = &storage->points[i];
        best_bytes_per_s = fmax(best_bytes_per_s, point->mean_bytes_per_s);
        if (point->latency_p50_s >= 0)
            lowest_latency_s = fmin(lowest_latency_s, point->latency_p50_s);
        shortest_s = fmin(shortest_s, point->seconds);
    }
    if (best_bytes_per_s > facts->plausible_bytes_per_s)
        ADD(review, "implausible-speed",
            facts->plausible_certain ? SC_SEVERITY_PROBLEM : SC_SEVERITY_WARNING,
            "%.0f MB/s is more than such storage delivers (at most %.0f MB/s%s%s): a cache "
            "answered",
            best_bytes_per_s / 1e6, facts->plausible_bytes_per_s / 1e6,
            *facts->limited_by ? ": " : "", facts->limited_by);
    else if (lowest_latency_s < SCI_MEMORY_LATENCY_S)
        ADD(review, "implausible-speed", SC_SEVERITY_PROBLEM,
            "half of the reads took less than a microsecond: a cache answered");
    if (shortest_s < SHORT_POINT_S * 0.95)
        ADD(review, "short-measurement", SC_SEVERITY_NOTE,
            "the shortest point lasted %d ms: stalls that are rarer were not seen",
            (int)(shortest_s * 1000));
}

/* ---- variation ---- */

/* The worst of all points. */
struct unsteady {
    const sc_supply_point *widest, *clearest; /* NULL: none is wide, or has a trend */
    double spread, trend, longest_stall_s, seconds;
    int stalls;
};

static struct unsteady look_for_unsteady(const sc_storage *storage)
{
    struct unsteady found = {0};
    for (size_t i = 0; i < storage->point_count; i++) {
        const sc_supply_point *point = &storage->points[i];
        const sci_variation seen = sci_variation_of(point, storage->player.block_bytes);
        const bool trend = sci_variation_has_trend(&seen);
        if (trend && fabs(seen.trend) > fabs(found.trend)) {
            found.clearest = point;
            found.trend = seen.trend;
        }
        if (!trend && sci_variation_is_wide(&seen) && seen.spread > found.spread) {
            found.widest = point;
            found.spread = seen.spread;
        }
        found.stalls += seen.stalls;
        found.longest_stall_s = fmax(found.longest_stall_s, seen.longest_stall_s);
        found.seconds += point->seconds;
    }
    return found;
}

/* How long to measure when what was seen swings: windows of the longest kind must repeat. */
static int longer_s(const struct unsteady *found)
{
    return (int)fmax(60, 10 * ceil(4 * found->seconds / 10));
}

static void review_spread(const sci_review *review, const struct unsteady *found)
{
    const sc_supply_point *point = found->widest;
    if (point)
        ADD(review, "throughput-varies", SC_SEVERITY_WARNING,
            "with %d reader%s the throughput swings by %.0f %% of its median from moment to moment: "
            "measure for %d s or longer, so that its lows are known",
            (int)point->readers, point->readers == 1 ? "" : "s", fmin(found->spread, 9.99) * 100,
            longer_s(found));
}

/* From the start of the line to its end, as a share of the start; the trend is one of the mean. */
static double change_along(double trend)
{
    const double start = fmax(0.1, 1 - trend / 2), end = fmax(0, 1 + trend / 2);
    return fabs(end - start) / start;
}

static void review_trend(const sci_review *review, const struct unsteady *found)
{
    const sc_supply_point *point = found->clearest;
    const bool falls = found->trend < 0;
    if (point)
        ADD(review, falls ? "throughput-falls" : "throughput-rises", SC_SEVERITY_WARNING,
            "within the %.1f s of %d reader%s the throughput %s by %.0f %%: %s; measure for %d s or "
            "longer to see where it settles",
            point->seconds, (int)point->readers, point->readers == 1 ? "" : "s",
            falls ? "fell" : "rose", change_along(found->trend) * 100,
            falls ? "a cache ran out, heat, or others came" : "it ramps up, or others went",
            longer_s(found));
}

static void review_stalls(const sci_review *review, const struct unsteady *found)
{
    if (found->stalls > 0)
        ADD(review, "stalls", SC_SEVERITY_WARNING,
            "%d time%s in %.0f s nothing arrived for up to %.2f s: measure for %d s or longer, so that "
            "each number of readers meets two of these stalls",
            found->stalls, found->stalls == 1 ? "" : "s", found->seconds, found->longest_stall_s,
            longer_s(found));
}

static void review_outliers(const sci_review *review)
{
    const double outlier_s = 0.25, outlier_times = 20;
    const sc_storage *storage = review->storage;
    const sc_supply_point *worst = NULL;
    for (size_t i = 0; i < storage->point_count; i++) {
        const sc_supply_point *point = &storage->points[i];
        if (point->latency_p50_s < 0 || point->latency_max_s < outlier_s ||
            point->latency_max_s < outlier_times * point->latency_p50_s)
            continue;
        if (!worst || point->latency_max_s > worst->latency_max_s)
            worst = point;
    }
    if (worst)
        ADD(review, "slow-reads", SC_SEVERITY_NOTE,
            "with %d reader%s the slowest of %lld reads took %.2f s, half of them less than %.1f ms",
            (int)worst->readers, worst->readers == 1 ? "" : "s", (long long)worst->samples,
            worst->latency_max_s, worst->latency_p50_s * 1e3);
}

static void review_variation(const sci_review *review)
{
    const struct unsteady found = look_for_unsteady(review->storage);
    review_outliers(review);
    review_spread(review, &found);
    review_trend(review, &found);
    review_stalls(review, &found);
}

bool sci_review_storage(const sci_review *review)
{
    review_place(review);
    review_created(review);
    review_files(review);
    review_data(review);
    review_caches_behind(review);
    review_cache(review);
    review_read_ahead(review);
    review_faults(review);
    review_write_faults(review);
    review_speed(review);
    review_variation(review);
    review_writes(review);
    return !review->findings->no_memory;
}
