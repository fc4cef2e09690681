#include "measure/facts.h"
#include "measure/scrub.h"
#include "report/fio_group.h"
#include "report/shared.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* An import on its way: the document, its jobs and groups, and what becomes of them. */
struct import {
    json_t *root;
    struct sci_reader reader;
    struct sci_fio_job *jobs;
    size_t job_count;
    struct sci_fio_group *groups;
    size_t group_count;
    sc_storage *storage;
    sci_findings findings;
};

/* ---- the document ---- */

static bool read_job(struct import *import, const json_t *entry, const json_t *global, size_t i)
{
    struct sci_reader *reader = &import->reader;
    size_t before = sci_trail_key(&reader->trail, "jobs");
    sci_trail_index(&reader->trail, i);
    bool good = sci_fio_job_read(reader, entry, global, &import->jobs[i]);
    sci_trail_cut(&reader->trail, before);
    return good;
}

static bool read_jobs(struct import *import)
{
    const json_t *list = json_object_get(import->root, "jobs");
    const json_t *global = json_object_get(import->root, "global options");
    if (!list && json_object_get(import->root, "client_stats"))
        return sci_refuse(&import->reader,
                          "client_stats: results of fio's clients are not read; run fio on the "
                          "server itself");
    if (!json_is_array(list))
        return sci_refuse(&import->reader, "jobs: is %s, not an array", sci_json_type(list));
    if (global && !json_is_null(global) && !json_is_object(global))
        return sci_refuse(&import->reader, "global options: is %s, not an object",
                          sci_json_type(global));
    import->job_count = json_array_size(list);
    if (import->job_count == 0)
        return sci_refuse(&import->reader, "jobs: has no entry: fio ran nothing");
    import->jobs = calloc(import->job_count, sizeof *import->jobs);
    if (!import->jobs)
        return sci_out_of_memory(&import->reader);
    for (size_t i = 0; i < import->job_count; i++)
        if (!read_job(import, json_array_get(list, i), global, i))
            return false;
    return true;
}

/* ---- points ---- */

static size_t count_points(const struct import *import)
{
    size_t count = 0;
    for (size_t i = 0; i < import->group_count; i++)
        count += !import->groups[i].left_out;
    return count;
}

static sc_supply_point point_of(const struct sci_fio_group *group)
{
    const double *quantile_s = group->latency.quantile_s;
    return (sc_supply_point){.readers = (int32_t)group->readers,
                             .mean_bytes_per_s = floor(group->bytes_per_s * 8) / 8,
                             .median_bytes_per_s = -1,
                             .p05_bytes_per_s = -1,
                             .latency_p50_s = quantile_s[0],
                             .latency_p95_s = quantile_s[1],
                             .latency_p99_s = quantile_s[2],
                             .latency_p999_s = quantile_s[3],
                             .latency_max_s = group->latency.max_s,
                             .longest_gap_s = -1,
                             .samples = (int64_t)group->reads,
                             .seconds = group->run_s};
}

static int by_readers(const void *a, const void *b)
{
    const sc_supply_point *one = a, *other = b;
    return (one->readers > other->readers) - (one->readers < other->readers);
}

static bool refuse_all(struct import *import)
{
    char name[48], why[SCI_FIO_WHY_MAX];
    return sci_refuse(&import->reader, "no run of fio can be a point of supply: of '%s', %s",
                      sci_shown(name, sizeof name, import->groups[0].first->name),
                      sci_fio_why(&import->groups[0], why));
}

static bool make_points(struct import *import)
{
    sc_storage *storage = import->storage;
    size_t count = count_points(import);
    if (count == 0)
        return refuse_all(import);
    sc_supply_point *points = sci_arena_alloc(import->reader.arena, count, sizeof *points);
    if (!points)
        return sci_out_of_memory(&import->reader);
    for (size_t i = 0; i < import->group_count; i++)
        if (!import->groups[i].left_out)
            points[storage->point_count++] = point_of(&import->groups[i]);
    qsort(points, count, sizeof *points, by_readers);
    storage->points = points;
    return true;
}

/* ---- the storage ---- */

static const struct sci_fio_group *first_kept(const struct import *import)
{
    const struct sci_fio_group *group = import->groups;
    while (group->left_out)
        group++;
    return group;
}

/* fio separates files by colons; a colon of a name stands behind a backslash. */
static void first_file(char *path, size_t size, const char *list)
{
    size_t used = 0;
    for (; *list && *list != ':' && used + 1 < size; list++) {
        if (list[0] == '\\' && list[1] == ':')
            list++;
        path[used++] = *list;
    }
    path[used] = '\0';
}

static const char *path_of(sci_arena *arena, const struct sci_fio_job *job)
{
    char file[SC_PATH_MAX] = "", directory[SC_PATH_MAX] = "";
    if (job->filename)
        first_file(file, sizeof file, job->filename);
    if (job->directory)
        first_file(directory, sizeof directory, job->directory);
    if (*file == '/' || !*directory)
        return sci_arena_strdup(arena, file);
    return sci_arena_printf(arena, *file ? "%s/%s" : "%s", directory, file);
}

static void take_time(sc_storage *storage, const json_t *root)
{
    double seconds = json_number_value(json_object_get(root, "timestamp"));
    if (!(seconds > 0 && seconds < 253402300800)) /* the year 10000 */
        return;
    time_t when = (time_t)seconds;
    struct tm utc;
    if (gmtime_r(&when, &utc))
        strftime(storage->made_at, SC_TIME_MAX, "%Y-%m-%dT%H:%M:%SZ", &utc);
}

static bool take_names(struct import *import)
{
    sc_storage *storage = import->storage;
    sci_arena *arena = import->reader.arena;
    char version[SC_NAME_MAX];
    sci_shown(version, sizeof version,
              json_string_value(json_object_get(import->root, "fio version")));
    storage->path = path_of(arena, first_kept(import)->first);
    if (!storage->path)
        return sci_out_of_memory(&import->reader);
    storage->name = *storage->path ? sci_arena_printf(arena, "%s (%s)", storage->path, version)
                                   : sci_arena_strdup(arena, version);
    return storage->name || sci_out_of_memory(&import->reader);
}

static bool take_player(struct import *import)
{
    const struct sci_fio_group *group = first_kept(import);
    sc_player *player = &import->storage->player;
    player->block_bytes = (int64_t)group->block_bytes;
    player->in_flight = group->depth;
    import->reader.status = sc_player_resolve(player, import->reader.error);
    return import->reader.status == SC_OK;
}

/* Whether fio dropped the files of every group that was taken before it read them. */
static bool was_dropped(const struct import *import)
{
    for (size_t i = 0; i < import->group_count; i++) {
        const struct sci_fio_group *group = &import->groups[i];
        for (size_t k = 0; !group->left_out && k < group->job_count; k++)
            if (!group->jobs[k].told || !group->jobs[k].invalidate)
                return false;
    }
    return true;
}

struct cache_way {
    sc_cache_mode mode;
    const char *reason;
};

/* What fio was told to do; whether it took effect was seen by nobody. */
static void take_cache(struct import *import)
{
    static const struct cache_way
        direct = {SC_CACHE_DIRECT,
                  "fio was told to read past the page cache (direct=1); that it did "
                  "was not seen"},
        dropped = {SC_CACHE_DROPPED, "fio read through the page cache and drops files before it "
                                     "begins; that none of it was cached was not seen"},
        warm = {SC_CACHE_WARM, "fio read through the page cache as it was"},
        unknown = {SC_CACHE_WARM, "the document does not tell how fio read"};
    const struct sci_fio_group *group = first_kept(import);
    sc_storage *storage = import->storage;
    const struct cache_way *how = !group->first->told   ? &unknown
                                  : group->direct       ? &direct
                                  : was_dropped(import) ? &dropped
                                                        : &warm;
    storage->cache_requested = storage->cache_effective = how->mode;
    storage->cache_reason = how->reason;
}

static bool lies_in_memory(const char *path)
{
    return strncmp(path, "/dev/shm/", 9) == 0 || strcmp(path, "/dev/shm") == 0 ||
           strncmp(path, "/run/shm/", 9) == 0;
}

/* Worth a finding whatever the groups are. */
static bool review_storage(struct import *import)
{
    sc_storage *storage = import->storage;
    sci_findings *findings = &import->findings;
    storage->facts.memory = lies_in_memory(storage->path);
    bool ok = !storage->facts.memory ||
              sci_finding_add(findings, "memory-filesystem", SC_SEVERITY_PROBLEM,
                              "%.200s lies in memory: the figures are not those of any storage",
                              storage->path);
    ok = ok && sci_finding_add(findings, "not-proven-cold", SC_SEVERITY_WARNING,
                               "it could not be shown that the reads were cold: %s",
                               storage->cache_reason);
    return ok && sci_finding_add(findings, "fio-no-windows", SC_SEVERITY_NOTE,
                                 "a result of fio tells means, not how the throughput went from "
                                 "second to second: play from the storage or measure it to see "
                                 "its worst moments");
}

static bool make_findings(struct import *import)
{
    if (!review_storage(import) ||
        !sci_fio_review(&import->findings, import->groups, import->group_count))
        return sci_out_of_memory(&import->reader);
    import->storage->findings = import->findings.items;
    import->storage->finding_count = import->findings.count;
    return true;
}

static bool make_storage(struct import *import)
{
    struct sci_reader *reader = &import->reader;
    import->storage = sci_result_new(sizeof *import->storage);
    if (!import->storage)
        return sci_out_of_memory(reader);
    reader->arena = import->findings.arena = sci_result_arena(import->storage);
    import->storage->source = SC_SOURCE_IMPORTED;
    import->storage->facts = sci_facts_unknown();
    import->storage->scrub = sci_scrub_unknown();
    if (!read_jobs(import) || !sci_fio_groups_read(reader, import->jobs, import->job_count,
                                                   &import->groups, &import->group_count))
        return false;
    sci_fio_groups_choose(import->groups, import->group_count);
    if (!make_points(import) || !take_names(import) || !take_player(import))
        return false;
    take_time(import->storage, import->root);
    take_cache(import);
    return make_findings(import);
}

sc_status sc_storage_from_fio(const char *json, size_t length, sc_storage **storage,
                              sc_error *error)
{
    struct import import = {.reader.error = error};
    if (storage)
        *storage = NULL;
    if (!storage || !json)
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "report.fio", NULL,
                        "a NULL pointer was given");
    sc_status status = sci_fio_parse(json, length, &import.root, error);
    if (status != SC_OK)
        return status;
    if (make_storage(&import))
        *storage = import.storage;
    else
        sci_result_free(&import.storage);
    free(import.groups);
    free(import.jobs);
    json_decref(import.root);
    return import.reader.status;
}
