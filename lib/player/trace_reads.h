/* What the lines of a log add up to: for each file how it was read, in bounded memory. */
#ifndef SCI_TRACE_READS_H
#define SCI_TRACE_READS_H

#include "player/trace_line.h"

enum {
    SCI_TRACE_SIZES = 64,       /* sizes of reads that are counted one by one */
    SCI_TRACE_RUNS = 4,         /* places of a file that are read forward at once */
    SCI_TRACE_SAMPLES = 4096,   /* of a run's progress */
    SCI_TRACE_THREADS = 64,     /* of a file that are told apart */
    SCI_TRACE_OVERLAP_MAX = 256 /* reads in flight */
};

/* How many reads asked for so many bytes: a little less than that where there are more than
   SCI_TRACE_SIZES different sizes. */
struct sci_trace_size {
    int64_t asked_bytes, reads;
};

/* Reads that went forward through a part of a file. */
struct sci_trace_run {
    int64_t reads, bytes, frontier; /* the end of what was read */
    double first_s, last_s;         /* the first read's begin, the last one's end */
    double waited_s;                /* time in which nothing was read, pause by pause */
    int64_t used;                   /* when a read last was in it, in reads of the file */
    /* Bytes read by a time, every stride-th read. */
    double *sample_s;
    int64_t *sample_bytes;
    size_t samples, room;
    int64_t stride;
};

struct sci_trace_file {
    char *path;
    int64_t reads, bytes, ended; /* reads of at least a byte, and those that found the file's end */
    int64_t in_order_bytes;
    int64_t mapped_bytes;
    bool opened, direct; /* its openat was seen, with O_DIRECT */
    struct sci_trace_size sizes[SCI_TRACE_SIZES];
    size_t size_count;
    int64_t power_reads[64], power_bytes[64]; /* by the power of two of what was asked for */
    int64_t *overlaps; /* reads by how many were in flight when they began, itself counted */
    int64_t threads[SCI_TRACE_THREADS];
    size_t thread_count;
    int64_t timed; /* reads of which the duration is known, and by the power of two of 1 us: */
    int64_t by_time[32];
    int held; /* calls that are at work on it */
    struct sci_trace_run *runs;
    size_t run_count;
};

struct sci_trace_totals {
    int64_t lines, calls, reads; /* lines that were looked at, calls known, reads of files */
    int64_t unstamped;           /* calls without a time */
    int64_t hidden;              /* calls that read what strace does not show */
    char hidden_name[32];
    int64_t anonymous;  /* reads of which no line tells the file */
    int64_t by_number;  /* reads of which the file is told by the number alone */
    int64_t jumps_back; /* of the clock */
    bool coarse;        /* whole seconds */
    double first_s, last_s;
};

struct sci_trace_reads;

/* NULL without memory. */
struct sci_trace_reads *sci_trace_reads_new(void);
void sci_trace_reads_free(struct sci_trace_reads **reads);
/* False without memory. */
bool sci_trace_reads_add(struct sci_trace_reads *reads, const char *line);
const struct sci_trace_totals *sci_trace_reads_totals(const struct sci_trace_reads *reads);
/* Most bytes first. */
const struct sci_trace_file *const *sci_trace_reads_files(struct sci_trace_reads *reads,
                                                          size_t *count);

#endif
