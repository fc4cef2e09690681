/* Jobs of a fio result that ran together, which are a point of the curve. */
#ifndef SCI_REPORT_FIO_GROUP_H
#define SCI_REPORT_FIO_GROUP_H

#include "report/fio.h"
#include <streamcalc/measure.h>

struct sci_fio_group {
    const struct sci_fio_job *jobs; /* side by side in the document */
    size_t job_count;
    const struct sci_fio_job *first; /* the first that reads, else the first of all */
    double readers, run_s, start_s, bytes_per_s, bytes, reads;
    double block_bytes; /* mean of the reads where they differ */
    int32_t depth;
    bool random, direct;
    bool writes, uneven, guessed_readers;
    struct sci_fio_latency latency;
    int64_t failure;      /* errno of the first job that failed, 0: none did */
    const char *left_out; /* why it is no point; NULL: it is one */
};

enum { SCI_FIO_GROUPS_MAX = 4096 };

/* Groups of consecutive jobs in ascending order; *groups is malloc'ed. */
bool sci_fio_groups_read(struct sci_reader *reader, const struct sci_fio_job *jobs,
                         size_t job_count, struct sci_fio_group **groups, size_t *count);
/* Leave out what is no point of one curve. */
void sci_fio_groups_choose(struct sci_fio_group *groups, size_t count);
enum { SCI_FIO_WHY_MAX = 128 };
/* Why a group was left out, with the number of its error. */
const char *sci_fio_why(const struct sci_fio_group *group, char why[SCI_FIO_WHY_MAX]);
/* What there is to say of the groups that were kept, and of those that were not. */
bool sci_fio_review(sci_findings *findings, const struct sci_fio_group *groups, size_t count);

#endif
