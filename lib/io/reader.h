/* Streams that are read or written flat out: every stream has in_flight threads, each with one
   pread or pwrite outstanding, which take the stream's next block in turn. */
#ifndef SCI_IO_READER_H
#define SCI_IO_READER_H

#include "core/core.h"
#include "io/recorder.h"

/* One read, or one write of bytes that neither compress nor repeat. */
typedef struct sci_block {
    int fd;
    int64_t offset, bytes; /* what `next` finds in bytes is the size that is wanted; 0: the usual */
    int64_t align;         /* requests are rounded up to it at the end of a file; at least 1 */
    const char *path;      /* for errors */
    void *held;            /* the source's own */
    bool write;
    bool sync;             /* a write has ended when fdatasync has */
    int64_t not_before_ns; /* of sci_now_ns(); 0: at once */
    bool begun;            /* its turn came */
    int64_t own, taken_ns; /* the source's own */
} sci_block;

/* Where the readers take their reads from. All functions are called from several threads. */
typedef struct sci_read_source {
    void *opaque;
    int64_t align; /* the largest of a block; 0 is 1 */
    /* The next read of the stream; SC_OK, or why there is none at this place: the next call asks for
       another. SC_NO_MEMORY ends the reader. */
    sc_status (*next)(void *opaque, int32_t stream, sci_block *block, sc_error *error);
    /* The read is over. What failed is not worth another read nearby. */
    void (*done)(void *opaque, int32_t stream, sci_block *block, bool read);
    /* Nobody will use the source again. */
    void (*release)(void *opaque);
    /* The turn of the read has come: what it needs is opened now, which may hang like a read. What
       does not begin is over as a read that failed. NULL: nothing is to be done. */
    sc_status (*begin)(void *opaque, int32_t stream, sci_block *block, sc_error *error);
} sci_read_source;

typedef struct sci_readers sci_readers;

typedef struct sci_readers_params {
    int32_t streams, in_flight;
    int64_t block_bytes; /* the largest read */
    double warm_up_s, seconds;
} sci_readers_params;

/* Start reading at once; the timed part begins after the warm-up. The source is taken over, also on
   failure (SC_LIMIT: they do not fit this machine; SC_NO_MEMORY: no buffers or no threads). */
sc_status sci_readers_start(const sci_readers_params *params, const sci_read_source *source,
                            sci_readers **readers, sc_error *error);

/* Wait for the timed part and the last reads to end, polling the control with progress from
   `from` to `to`. SC_OK, also where some reads failed (sci_readers_faults() tells); SC_CANCELLED;
   SC_STALLED: no byte of some read for stall_s; otherwise the first failure, when every reader gave
   up. Never waits for a read that is stuck. */
sc_status sci_readers_wait(sci_readers *readers, double stall_s, sci_control *control, double from,
                           double to, sc_error *error);

typedef struct sci_faults {
    int64_t count;  /* reads that failed, and files that could not be opened */
    sc_error first; /* one of them */
} sci_faults;

typedef struct sci_read_faults {
    sci_faults failed;  /* the storage's */
    sci_faults changed; /* of files that others deleted or cut meanwhile */
    size_t gave_up;     /* threads that ended because of them */
} sci_read_faults;
/* Thread-safe. */
sci_read_faults sci_readers_faults(sci_readers *readers);
/* Add the faults of the readers to others. */
void sci_faults_add(sci_read_faults *sum, sci_readers *readers);
void sci_faults_keep(sci_read_faults *faults, const sc_error *fault);
int64_t sci_faults_count(const sci_read_faults *faults);
/* One, of the storage's where there are any; NULL where nothing failed. */
const sc_error *sci_faults_first(const sci_read_faults *faults);

const sci_recorder *sci_readers_recorder(const sci_readers *readers);

/* Ask the readers to end, and wait a moment for those that can. */
void sci_readers_stop(sci_readers *readers);

/* Let go, also of threads that are stuck in a read: they free everything when they come back. */
void sci_readers_release(sci_readers **readers);

/* Memory that such readers need; the block and align are the largest. INT64_MAX: too much. */
int64_t sci_readers_memory_bytes(int32_t streams, int32_t in_flight, int64_t block_bytes,
                                 int64_t align);
/* Whether a process may take so many threads and so much memory: 1024 threads at most, and 2 GiB or
   a quarter of this machine's memory, whichever is less. */
bool sci_readers_fit(int32_t streams, int32_t in_flight, int64_t block_bytes, int64_t align);

#endif
