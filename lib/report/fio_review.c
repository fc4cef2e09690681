#include "report/fio_group.h"

#include "io/recorder.h"

#include <math.h>
#include <string.h>

static const double SHORT_S = 4, WIDE_SPREAD = 0.15;
static const double OVERLAP_S = 0.5;

/* A job's name as a message says it: it may be anything. */
struct named {
    char text[48];
};

static struct named name_of(const struct sci_fio_job *job)
{
    struct named named;
    sci_shown(named.text, sizeof named.text, job->name);
    return named;
}

/* ---- options ---- */

/* An option that changes what the figures mean, unless it is off: "0", or empty for reads. */
static const struct {
    const char *option, *code, *means;
} options[] = {
    {"rate", "fio-rate-limited", "its throughput is what it was allowed: counts are lower bounds"},
    {"rate_iops", "fio-rate-limited",
     "its throughput is what it was allowed: counts are lower bounds"},
    {"thinktime", "fio-rate-limited", "it paused between reads: counts are lower bounds"},
    {"latency_target", "fio-rate-limited",
     "it sought a latency with fewer reads in flight than iodepth says"},
    {"bsrange", "fio-block-mixed", "its reads are of many sizes; their mean is taken"},
    {"bssplit", "fio-block-mixed", "its reads are of many sizes; their mean is taken"},
    {"percentage_random", "fio-random", "a part of its reads was not in order"},
    {"startdelay", "fio-uneven-jobs", "its jobs did not all begin together"},
    {"buffer_compress_percentage", "fio-compressible",
     "files that it laid out compress: storage that compresses reads less than arrives"},
    {"dedupe_percentage", "fio-compressible",
     "files that it laid out repeat: storage that shares blocks reads less than arrives"},
    {"buffer_pattern", "fio-compressible",
     "files that it laid out compress: storage that compresses reads less than arrives"},
};

static bool is_set(const char *value)
{
    return value && *value && *value != ',' && strcmp(value, "0") != 0 &&
           strncmp(value, "0,", 2) != 0;
}

/* The first job of a group that was taken in which the option is on; NULL: none. */
static const struct sci_fio_job *job_with(const struct sci_fio_group *groups, size_t count,
                                          const char *option)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; !groups[i].left_out && k < groups[i].job_count; k++)
            if (is_set(sci_fio_option(&groups[i].jobs[k], option)))
                return &groups[i].jobs[k];
    return NULL;
}

static bool review_options(sci_findings *findings, const struct sci_fio_group *groups, size_t count)
{
    bool ok = true;
    for (size_t i = 0; ok && i < SCI_COUNT(options); i++) {
        const struct sci_fio_job *job = job_with(groups, count, options[i].option);
        char value[48];
        if (job)
            ok = sci_finding_add(
                findings, options[i].code, SC_SEVERITY_WARNING, "'%s' of fio had %s=%s: %s",
                name_of(job).text, options[i].option,
                sci_shown(value, sizeof value, sci_fio_option(job, options[i].option)),
                options[i].means);
    }
    return ok;
}

/* ---- what groups show ---- */

/* Files of all jobs together; negative where it is not known. */
static double data_bytes(const struct sci_fio_group *group)
{
    const struct sci_fio_job *job = group->first;
    bool shared = job->filename && !sci_fio_option(job, "offset_increment");
    return job->size_bytes <= 0 ? -1 : job->size_bytes * (shared ? 1 : group->readers);
}

static bool is_again(const struct sci_fio_group *group)
{
    double data = data_bytes(group);
    return data > 0 && group->bytes > 1.05 * data;
}

static bool is_again_cached(const struct sci_fio_group *group)
{
    return !group->direct && is_again(group);
}

static bool is_again_direct(const struct sci_fio_group *group)
{
    return group->direct && is_again(group);
}

static bool is_mixed(const struct sci_fio_group *group)
{
    return group->writes;
}

static bool is_random(const struct sci_fio_group *group)
{
    return group->random;
}

static bool is_uneven(const struct sci_fio_group *group)
{
    return group->uneven;
}

static bool has_guessed_readers(const struct sci_fio_group *group)
{
    return group->guessed_readers;
}

static bool has_no_options(const struct sci_fio_group *group)
{
    return !group->first->told;
}

static bool is_swinging(const struct sci_fio_group *group)
{
    return group->first->spread > WIDE_SPREAD;
}

static bool is_memory(const struct sci_fio_group *group)
{
    double median_s = group->latency.quantile_s[0];
    return median_s >= 0 && median_s < SCI_MEMORY_LATENCY_S;
}

static const struct {
    bool (*shows)(const struct sci_fio_group *group);
    const char *code;
    sc_severity severity;
    const char *means;
} signs[] = {
    {is_again_cached, "not-proven-cold", SC_SEVERITY_PROBLEM,
     "it read its files more than once through the page cache, so the figures are the cache's: run "
     "fio with direct=1"},
    {is_memory, "implausible-speed", SC_SEVERITY_PROBLEM,
     "half of its reads took less than a microsecond: a cache answered"},
    {is_again_direct, "data-read-again", SC_SEVERITY_WARNING,
     "it read its files more than once: past the page cache, but a server's or controller's may "
     "have helped"},
    {is_mixed, "fio-mixed-writes", SC_SEVERITY_WARNING,
     "it wrote as well: reads alone get more than it read"},
    {is_random, "fio-random", SC_SEVERITY_WARNING,
     "it read at random, where players read in order: counts are lower bounds"},
    {is_uneven, "fio-uneven-jobs", SC_SEVERITY_WARNING,
     "its jobs did not run equally long: not all readers read all the time"},
    {has_guessed_readers, "fio-readers-estimated", SC_SEVERITY_WARNING,
     "it stands for more jobs than its options tell: its readers are counted by the time that all "
     "of them ran"},
    {has_no_options, "fio-no-options", SC_SEVERITY_WARNING,
     "its options are not in the document: it is taken as one reader a job, its reads in flight "
     "are computed from their latency, and a cache may have helped"},
    {is_swinging, "fio-wide-spread", SC_SEVERITY_WARNING,
     "its throughput swung by more than 15 % of its mean: its low moments are not known"},
};

static bool review_signs(sci_findings *findings, const struct sci_fio_group *groups, size_t count)
{
    bool ok = true;
    for (size_t s = 0; s < SCI_COUNT(signs); s++) {
        size_t i = 0;
        while (i < count && (groups[i].left_out || !signs[s].shows(&groups[i])))
            i++;
        if (i < count)
            ok = ok &&
                 sci_finding_add(findings, signs[s].code, signs[s].severity, "'%s' of fio: %s",
                                 name_of(groups[i].first).text, signs[s].means);
    }
    return ok;
}

static bool review_left_out(sci_findings *findings, const struct sci_fio_group *groups,
                            size_t count)
{
    enum { SHOWN = 8 };
    char why[SCI_FIO_WHY_MAX];
    size_t left_out = 0;
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++)
        if (groups[i].left_out && left_out++ < SHOWN)
            ok = sci_finding_add(findings, "fio-group-left-out", SC_SEVERITY_NOTE,
                                 "'%s' of fio (group %lld) is left out: %s",
                                 name_of(groups[i].first).text, (long long)groups[i].first->group,
                                 sci_fio_why(&groups[i], why));
    return ok && (left_out <= SHOWN ||
                  sci_finding_add(findings, "fio-group-left-out", SC_SEVERITY_NOTE,
                                  "%zu more groups of fio are left out", left_out - SHOWN));
}

static bool review_overlap(sci_findings *findings, const struct sci_fio_group *groups, size_t count)
{
    double end_s = 0;
    for (size_t i = 0; i < count; i++) {
        const struct sci_fio_group *group = &groups[i];
        if (group->start_s <= 0)
            continue;
        if (end_s - group->start_s > OVERLAP_S)
            return sci_finding_add(findings, "fio-groups-overlap", SC_SEVERITY_WARNING,
                                   "'%s' of fio began before the group before it had ended: each "
                                   "was the other's load; put stonewall between them",
                                   name_of(group->first).text);
        end_s = fmax(end_s, group->start_s + group->run_s);
    }
    return true;
}

static bool review_short(sci_findings *findings, const struct sci_fio_group *groups, size_t count)
{
    double shortest_s = INFINITY;
    for (size_t i = 0; i < count; i++)
        if (!groups[i].left_out)
            shortest_s = fmin(shortest_s, groups[i].run_s);
    return shortest_s >= SHORT_S ||
           sci_finding_add(findings, "short-measurement",
                           shortest_s < 1 ? SC_SEVERITY_WARNING : SC_SEVERITY_NOTE,
                           "the shortest run of fio lasted %d ms: stalls that are rarer were not "
                           "seen",
                           (int)(shortest_s * 1000));
}

bool sci_fio_review(sci_findings *findings, const struct sci_fio_group *groups, size_t count)
{
    return review_signs(findings, groups, count) && review_options(findings, groups, count) &&
           review_overlap(findings, groups, count) && review_short(findings, groups, count) &&
           review_left_out(findings, groups, count);
}
