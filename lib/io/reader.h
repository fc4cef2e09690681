/* Streams that are read or written flat out: every stream has in_flight threads, each with one pread
   or pwrite outstanding, which take the stream's next block in turn. */
#ifndef SCI_IO_READER_H
#define SCI_IO_READER_H

#include "core/core.h"
#include "io/recorder.h"

/* One read, or one write of bytes that neither compress nor repeat. */
typedef struct sci_block {
    int fd;
    int64_t offset, bytes;
    int64_t align;    /* requests are rounded up to it at the end of a file; at least 1 */
    const char *path; /* for errors */
    void *held;       /* the source's own */
    bool write;
    bool sync; /* a write has ended when fdatasync has */
} sci_block;

/* Where the readers take their reads from. All functions are called from several threads. */
typedef struct sci_read_source {
    void *opaque;
    /* The next read of the stream; SC_OK or an error that ends the run. */
    sc_status (*next)(void *opaque, int32_t stream, sci_block *block, sc_error *error);
    /* The read is over. */
    void (*done)(void *opaque, int32_t stream, sci_block *block);
    /* Nobody will use the source again. */
    void (*release)(void *opaque);
} sci_read_source;

typedef struct sci_readers sci_readers;

typedef struct sci_readers_params {
    int32_t streams, in_flight;
    int64_t block_bytes; /* the largest read */
    double warm_up_s, seconds;
} sci_readers_params;

/* Start reading at once; the timed part begins after the warm-up. The source is taken over, also on
   failure (SC_NO_MEMORY: no buffers or no threads). */
sc_status sci_readers_start(const sci_readers_params *params, const sci_read_source *source,
                            sci_readers **readers, sc_error *error);

/* Wait for the timed part and the last reads to end, polling the control with progress from
   `from` to `to`. SC_OK; SC_CANCELLED; SC_IO and others: a read failed, or took longer than
   stall_s. Never waits for a read that is stuck. */
sc_status sci_readers_wait(sci_readers *readers, double stall_s, sci_control *control, double from,
                           double to, sc_error *error);

const sci_recorder *sci_readers_recorder(const sci_readers *readers);

/* Let go, also of threads that are stuck in a read: they free everything when they come back. */
void sci_readers_release(sci_readers **readers);

/* Memory that such readers need. */
int64_t sci_readers_memory_bytes(int32_t streams, int32_t in_flight, int64_t block_bytes);

#endif
