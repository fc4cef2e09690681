/* The parts of the import of fio's JSON results: the document in its text, one of its jobs, and the
   latencies of jobs that ran together. */
#ifndef SCI_REPORT_FIO_H
#define SCI_REPORT_FIO_H

#include "report/field.h"

/* Whether a text holds a result of fio, whatever fio printed before it. */
bool sci_fio_recognised(const char *text, size_t length);
/* Parse the last result in the text: with --status-interval each is more complete than the one
   before. *root is an object with a "fio version". */
sc_status sci_fio_parse(const char *text, size_t length, json_t **root, sc_error *error);

/* How an I/O engine of fio reads. */
enum sci_fio_engine {
    SCI_FIO_QUEUED = 0, /* as many reads in flight as iodepth says */
    SCI_FIO_ONE_READ,   /* one read at a time, whatever iodepth says */
    SCI_FIO_MAPPED,     /* one at a time, and through the page cache whatever direct says */
    SCI_FIO_NO_STORAGE  /* reads nothing from any storage */
};

enum { SCI_FIO_QUANTILES = 4 };
extern const double sci_fio_quantiles[SCI_FIO_QUANTILES];

/* An entry of "jobs": one job, or several that fio reported together. Unknown numbers are
   negative, unknown text is NULL. Strings are the document's. */
struct sci_fio_job {
    const char *name;
    int64_t group, failure;
    bool told; /* the document has the job's options */
    /* read */
    double bytes_per_s, bytes, run_s, reads;
    double
        spread; /* standard deviation of fio's samples of the throughput, a share of their mean */
    bool writes;
    /* the whole job, all its threads together */
    double run_of_all_s, start_s;
    /* options */
    const json_t *options, *global;
    const char *filename, *directory;
    int32_t jobs, depth;
    double block_bytes, size_bytes;
    bool random, direct, invalidate;
    enum sci_fio_engine engine;
    /* of "read", in the document */
    const json_t *read;
};

/* False when the reader holds why the entry is refused. */
bool sci_fio_job_read(struct sci_reader *reader, const json_t *entry, const json_t *global,
                      struct sci_fio_job *job);
/* An option's value, of the job or of all jobs; NULL when it was not given a value. */
const char *sci_fio_option(const struct sci_fio_job *job, const char *name);
/* "4k", "1m", "65536": with kb_base=1024, which is fio's default, every prefix without an i is
   binary. Negative where it is no plain size. */
double sci_fio_size(const char *text);
/* A member that is a number from 0 to max: -1 where it is missing or null. */
bool sci_fio_number(struct sci_reader *reader, const json_t *object, const char *key, double max,
                    double *value);

/* Latencies in seconds of reads of jobs that ran together. */
struct sci_fio_latency {
    double quantile_s[SCI_FIO_QUANTILES];
    double max_s, mean_s;
    bool exact; /* from the bins of json+, not the worst job's quantiles */
};

/* Of `count` entries side by side in the document. */
bool sci_fio_latency_read(struct sci_reader *reader, const struct sci_fio_job *jobs, size_t count,
                          struct sci_fio_latency *latency);

#endif
