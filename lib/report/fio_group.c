#include "report/fio_group.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double EVEN_SHARE = 0.9, READERS_MAX = 65536;
static const double BLOCK_MIN_BYTES = 4096, BLOCK_MAX_BYTES = 1 << 30, DEPTH_MAX = 256;

/* ---- jobs to a group ---- */

/* Entries of one name side by side are the clones of a job, one each; a single entry stands for all
   clones, reported together. */
static size_t clones_at(const struct sci_fio_group *group, size_t i)
{
    size_t end = i + 1;
    while (end < group->job_count && strcmp(group->jobs[end].name, group->jobs[i].name) == 0)
        end++;
    return end - i;
}

/* Of several jobs reported together the document has the options of the first alone, but the time
   that all of them ran. */
static double readers_of(struct sci_fio_group *group, const struct sci_fio_job *job, bool single)
{
    double told = single ? job->jobs : 1;
    double ran = job->run_s >= 0.1 ? round(job->run_of_all_s / job->run_s) : -1;
    if (single && ran > told) {
        group->guessed_readers = true;
        return ran;
    }
    if (ran > 0 && job->run_of_all_s < EVEN_SHARE * told * job->run_s)
        group->uneven = true;
    return told;
}

static void add_job(struct sci_fio_group *group, const struct sci_fio_job *job, bool single)
{
    group->writes = group->writes || job->writes;
    if (!group->failure)
        group->failure = job->failure;
    if (job->reads <= 0)
        return;
    if (group->reads == 0)
        group->first = job;
    group->readers += readers_of(group, job, single);
    group->reads += job->reads;
    group->bytes += fmax(0, job->bytes);
    /* A sum of bytes until the runs are known. */
    group->bytes_per_s += job->bytes_per_s * fmax(0, job->run_s);
    group->run_s = fmax(group->run_s, job->run_s);
    group->start_s = group->start_s < 0 ? job->start_s : fmin(group->start_s, job->start_s);
}

static bool same_reads(const struct sci_fio_job *a, const struct sci_fio_job *b)
{
    return fabs(a->block_bytes - b->block_bytes) <= 0.02 * b->block_bytes && a->depth == b->depth &&
           a->random == b->random && a->direct == b->direct;
}

/* By Little's law, where no option tells. */
static int32_t depth_of(const struct sci_fio_group *group)
{
    if (group->first->told)
        return group->first->depth;
    double latency_s = group->latency.mean_s, per_s = group->reads / group->run_s;
    return (int32_t)fmin(1e6, fmax(1, round(fmax(0, latency_s) * per_s / group->readers)));
}

static const char *why_no_point(const struct sci_fio_group *group)
{
    if (group->failure)
        return "it ended with error";
    if (group->reads == 0)
        return group->writes ? "it only wrote" : "it read nothing";
    if (group->run_s <= 0 || group->bytes_per_s <= 0)
        return "it ran for no time";
    for (size_t i = 0; i < group->job_count; i++) {
        const struct sci_fio_job *job = &group->jobs[i];
        if (job->reads > 0 && job->engine == SCI_FIO_NO_STORAGE)
            return "its ioengine reads no storage";
        if (job->reads > 0 && !same_reads(job, group->first))
            return "its jobs read in different ways";
    }
    if (group->readers > READERS_MAX)
        return "it has more than 65536 readers";
    if (!(group->block_bytes >= BLOCK_MIN_BYTES && group->block_bytes <= BLOCK_MAX_BYTES))
        return "its reads are below 4 KiB or above 1 GiB";
    return group->depth > DEPTH_MAX ? "it has more than 256 reads in flight a job" : NULL;
}

static bool finish_group(struct sci_reader *reader, struct sci_fio_group *group)
{
    for (size_t i = 0; i < group->job_count;) {
        size_t clones = clones_at(group, i);
        for (size_t k = 0; k < clones; k++)
            add_job(group, &group->jobs[i + k], clones == 1);
        i += clones;
    }
    if (group->reads > 0 &&
        !sci_fio_latency_read(reader, group->jobs, group->job_count, &group->latency))
        return false;
    if (group->run_s > 0) {
        group->bytes_per_s /= group->run_s;
        group->depth = depth_of(group);
    }
    group->block_bytes = round(group->first->block_bytes);
    group->random = group->first->random;
    group->direct = group->first->direct;
    for (size_t i = 0; i < group->job_count; i++)
        if (group->jobs[i].reads > 0 && group->jobs[i].run_s < EVEN_SHARE * group->run_s)
            group->uneven = true;
    group->left_out = why_no_point(group);
    return true;
}

static bool begin_group(struct sci_reader *reader, const struct sci_fio_job *job,
                        struct sci_fio_group **groups, size_t *count, size_t *capacity)
{
    if (*count && job->group < (*groups)[*count - 1].first->group)
        return sci_refuse(reader, "jobs: groupid %lld stands behind a higher one",
                          (long long)job->group);
    if (*count == SCI_FIO_GROUPS_MAX)
        return sci_refuse(reader, "jobs: more than %d groups", SCI_FIO_GROUPS_MAX);
    if (!sci_grow(groups, *count, capacity, sizeof **groups))
        return sci_out_of_memory(reader);
    (*groups)[(*count)++] = (struct sci_fio_group){.jobs = job, .first = job, .start_s = -1};
    return true;
}

bool sci_fio_groups_read(struct sci_reader *reader, const struct sci_fio_job *jobs,
                         size_t job_count, struct sci_fio_group **groups, size_t *count)
{
    size_t capacity = 0;
    *groups = NULL;
    *count = 0;
    for (size_t i = 0; i < job_count; i++) {
        bool same = *count && jobs[i].group == (*groups)[*count - 1].first->group;
        if (!same && !begin_group(reader, &jobs[i], groups, count, &capacity))
            return false;
        (*groups)[*count - 1].job_count++;
    }
    for (size_t i = 0; i < *count; i++)
        if (!finish_group(reader, &(*groups)[i]))
            return false;
    return true;
}

/* ---- groups to a curve ---- */

const char *sci_fio_why(const struct sci_fio_group *group, char why[SCI_FIO_WHY_MAX])
{
    if (group->failure)
        snprintf(why, SCI_FIO_WHY_MAX, "%s %lld", group->left_out, (long long)group->failure);
    else
        snprintf(why, SCI_FIO_WHY_MAX, "%s", group->left_out);
    return why;
}

static bool same_kind(const struct sci_fio_group *a, const struct sci_fio_group *b)
{
    return a->random == b->random && a->block_bytes == b->block_bytes && a->depth == b->depth &&
           a->direct == b->direct;
}

static size_t count_kind(const struct sci_fio_group *groups, size_t count,
                         const struct sci_fio_group *kind)
{
    size_t same = 0;
    for (size_t i = 0; i < count; i++)
        same += !groups[i].left_out && same_kind(&groups[i], kind);
    return same;
}

/* Reads in order before random ones, past the cache before through it, then what gives most
   points, then the larger block. */
static bool is_better(const struct sci_fio_group *a, size_t points_of_a,
                      const struct sci_fio_group *b, size_t points_of_b)
{
    if (a->random != b->random)
        return b->random;
    if (a->direct != b->direct)
        return a->direct;
    if (points_of_a != points_of_b)
        return points_of_a > points_of_b;
    return a->block_bytes > b->block_bytes;
}

static const struct sci_fio_group *best_kind(const struct sci_fio_group *groups, size_t count)
{
    const struct sci_fio_group *best = NULL;
    size_t points_of_best = 0;
    for (size_t i = 0; i < count; i++) {
        if (groups[i].left_out || (best && same_kind(&groups[i], best)))
            continue;
        size_t points = count_kind(groups, count, &groups[i]);
        if (!best || is_better(&groups[i], points, best, points_of_best)) {
            best = &groups[i];
            points_of_best = points;
        }
    }
    return best;
}

/* The longer run of as many readers; of two as long, within a tenth, the slower. */
static bool is_weaker(const struct sci_fio_group *a, const struct sci_fio_group *b)
{
    bool as_long = fmin(a->run_s, b->run_s) >= EVEN_SHARE * fmax(a->run_s, b->run_s);
    return as_long ? a->bytes_per_s > b->bytes_per_s : a->run_s < b->run_s;
}

static void drop_repeats(struct sci_fio_group *groups, size_t count)
{
    static const char REPEATED[] = "another run had as many readers and was longer or slower";
    for (size_t i = 0; i < count; i++)
        for (size_t k = i + 1; k < count && !groups[i].left_out; k++)
            if (!groups[k].left_out && groups[k].readers == groups[i].readers)
                groups[is_weaker(&groups[k], &groups[i]) ? k : i].left_out = REPEATED;
}

void sci_fio_groups_choose(struct sci_fio_group *groups, size_t count)
{
    const struct sci_fio_group *best = best_kind(groups, count);
    if (!best)
        return;
    const struct sci_fio_group kind = *best;
    for (size_t i = 0; i < count; i++)
        if (!groups[i].left_out && !same_kind(&groups[i], &kind))
            groups[i].left_out = "it read in another way than those that were taken";
    drop_repeats(groups, count);
}
