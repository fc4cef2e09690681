#include "io/reader.h"

#include "io/noise.h"
#include "io/os.h"
#include "io/watchdog.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

/* How long a cancelled or failed run waits for reads that will end by themselves. */
static const double LET_GO_S = 0.1;

/* Every look at the run wakes a processor that the storage may need; near the end it is looked at more
   often. */
static const int64_t LOOK_NS = 16 * SCI_POLL_NS;

/* Who is told of the progress is told ten times a second. */
static const int64_t LOOK_AND_TELL_NS = 9 * SCI_POLL_NS;

/* A thread that waits for its turn looks so often whether the run goes on: within LET_GO_S. */
static const int64_t TURN_NS = 5 * SCI_POLL_NS;

enum { THREADS_MAX = 1024 };
static const int64_t BUFFERS_MAX_BYTES = INT64_C(2) << 30;

/* After so many failures without one read between them a reader gives up. */
enum { FAILURES_IN_ROW = 64 };

struct reader {
    struct sci_readers *all;
    int32_t stream;
    int32_t failures_in_row;
    atomic_int_least64_t busy_since_ns; /* the last sign of life of a read; 0: between two reads */
    unsigned char *buffer;
    int64_t noisy_bytes; /* of the buffer: what is written is noise */
    uint64_t noise;
};

struct sci_readers {
    atomic_int users; /* the threads and the caller; the last one frees */
    atomic_bool stop;
    atomic_size_t gave_up; /* threads, because of failures */
    pthread_mutex_t gate;  /* held until all threads are there */
    pthread_mutex_t fault; /* guards faults */
    sci_read_faults faults;
    sci_read_source source;
    sci_recorder *recorder;
    size_t count;
    struct reader *readers;
    unsigned char *buffers; /* one behind the other */
};

static void free_readers(sci_readers *all)
{
    free(all->readers);
    free(all->buffers);
    all->source.release(all->source.opaque);
    sci_recorder_free(&all->recorder);
    pthread_mutex_destroy(&all->gate);
    pthread_mutex_destroy(&all->fault);
    free(all);
}

static void drop_user(sci_readers *all)
{
    if (atomic_fetch_sub(&all->users, 1) == 1)
        free_readers(all);
}

/* Files that others delete or cut are no fault of the storage; what it cannot read is. */
static bool is_changed_file(const sc_error *fault)
{
    const bool became_shorter = fault->status == SC_IO && fault->os_errno == 0;
    return became_shorter || fault->os_errno == ENOENT || fault->os_errno == ESTALE;
}

static void add_faults(sci_faults *faults, const sci_faults *more)
{
    if (faults->count == 0)
        faults->first = more->first;
    faults->count += more->count;
}

void sci_faults_keep(sci_read_faults *faults, const sc_error *fault)
{
    const sci_faults one = {1, *fault};
    add_faults(is_changed_file(fault) ? &faults->changed : &faults->failed, &one);
}

static void keep_fault(sci_readers *all, const sc_error *fault)
{
    pthread_mutex_lock(&all->fault);
    sci_faults_keep(&all->faults, fault);
    pthread_mutex_unlock(&all->fault);
}

/* New noise for every write costs more than some storages do; a new word in each piece that
   something below might compare is enough to make it another one. */
static void renew_noise(struct reader *reader, int64_t bytes)
{
    enum { PIECE_BYTES = 512 };
    if (reader->noise == 0)
        reader->noise = sci_noise_state((uint64_t)sci_now_ns() ^ (uint64_t)(uintptr_t)reader);
    if (reader->noisy_bytes < bytes)
        sci_noise_fill(reader->buffer, (size_t)bytes, &reader->noise);
    for (int64_t at = 0; at + PIECE_BYTES <= bytes; at += PIECE_BYTES)
        sci_noise_fill(reader->buffer + at, sizeof(uint64_t), &reader->noise);
    reader->noisy_bytes = bytes > reader->noisy_bytes ? bytes : reader->noisy_bytes;
}

/* From the start of the buffer in each case: what was read is of no interest. */
static ssize_t transfer(struct reader *reader, const sci_block *block, size_t bytes, int64_t offset)
{
    return block->write ? pwrite(block->fd, reader->buffer, bytes, offset)
                        : pread(block->fd, reader->buffer, bytes, offset);
}

static sc_status fail_block(const sci_block *block, int os_errno, int64_t bytes, int64_t offset,
                            sc_error *error)
{
    return sci_fail(error, SC_IO, os_errno, block->write ? "measure.write" : "measure.read",
                    block->path, "%s %lld bytes at %lld of %s failed",
                    block->write ? "writing" : "reading", (long long)bytes, (long long)offset,
                    block->path);
}

/* A write that is synced has not arrived before. */
static sc_status sync_block(struct reader *reader, const sci_block *block, int64_t start,
                            int64_t *now, sc_error *error)
{
    if (fdatasync(block->fd))
        return fail_block(block, errno, block->bytes, block->offset, error);
    *now = sci_now_ns();
    sci_recorder_arrival(reader->all->recorder, *now, block->bytes);
    sci_recorder_span(reader->all->recorder, start, *now, block->bytes);
    return SC_OK;
}

static sc_status read_block(struct reader *reader, const sci_block *block, sc_error *error)
{
    int64_t done = 0;
    if (block->write)
        renew_noise(reader, block->bytes);
    int64_t start = sci_now_ns(), now = start;
    atomic_store(&reader->busy_since_ns, start);
    while (done < block->bytes) {
        int64_t want = (block->bytes - done + block->align - 1) / block->align * block->align;
        ssize_t count = transfer(reader, block, (size_t)want, block->offset + done);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0 || (count == 0 && block->write))
            return fail_block(block, count < 0 ? errno : ENOSPC, want, block->offset + done, error);
        if (count == 0)
            return sci_fail(error, SC_IO, 0, "measure.read", block->path,
                            "%s became shorter while it was read: it ends at %lld now", block->path,
                            (long long)(block->offset + done));
        const int64_t since = now;
        now = sci_now_ns();
        atomic_store(&reader->busy_since_ns, now);
        done += count;
        if (!block->sync) {
            sci_recorder_arrival(reader->all->recorder, now, count);
            sci_recorder_span(reader->all->recorder, since, now, count);
        }
    }
    if (block->sync && sync_block(reader, block, start, &now, error) != SC_OK)
        return SC_IO;
    sci_recorder_latency(reader->all->recorder, now, now - start);
    return SC_OK;
}

/* False when the run ends before. */
static bool await_turn(struct reader *reader, int64_t not_before_ns)
{
    sci_readers *all = reader->all;
    atomic_store(&reader->busy_since_ns, 0);
    while (!atomic_load(&all->stop)) {
        const int64_t now = sci_now_ns(), left = not_before_ns - now;
        if (left <= 0)
            break;
        if (not_before_ns >= all->recorder->end_ns)
            return false;
        sci_nap_ns(left < TURN_NS ? left : TURN_NS);
    }
    return !atomic_load(&all->stop);
}

static sc_status begin_block(struct reader *reader, sci_block *block, sc_error *error)
{
    const sci_read_source *source = &reader->all->source;
    block->begun = true;
    if (!source->begin)
        return SC_OK;
    atomic_store(&reader->busy_since_ns, sci_now_ns());
    return source->begin(source->opaque, reader->stream, block, error);
}

/* False: this reader ends. A read that fails is no reason to end: others go on, and so does this
   one, elsewhere. */
static bool read_next(struct reader *reader)
{
    sci_readers *all = reader->all;
    sci_block block = {.align = 1};
    sc_error error = {0};
    /* Taking a block may open a file, which can hang like a read. */
    atomic_store(&reader->busy_since_ns, sci_now_ns());
    sc_status status = all->source.next(all->source.opaque, reader->stream, &block, &error);
    if (status == SC_OK && block.not_before_ns && !await_turn(reader, block.not_before_ns)) {
        all->source.done(all->source.opaque, reader->stream, &block, false);
        return false;
    }
    if (status == SC_OK) {
        status = begin_block(reader, &block, &error);
        if (status == SC_OK)
            status = read_block(reader, &block, &error);
        all->source.done(all->source.opaque, reader->stream, &block, status == SC_OK);
    }
    atomic_store(&reader->busy_since_ns, 0);
    reader->failures_in_row = status == SC_OK ? 0 : reader->failures_in_row + 1;
    if (status != SC_OK)
        keep_fault(all, &error);
    if (reader->failures_in_row < FAILURES_IN_ROW && status != SC_NO_MEMORY)
        return true;
    atomic_fetch_add(&all->gave_up, 1);
    return false;
}

static void *reader_main(void *argument)
{
    struct reader *reader = argument;
    sci_readers *all = reader->all;
    pthread_mutex_lock(&all->gate);
    int64_t end_ns = all->recorder->end_ns;
    pthread_mutex_unlock(&all->gate);
    while (!atomic_load(&all->stop) && sci_now_ns() < end_ns && read_next(reader))
        ;
    drop_user(all);
    return NULL;
}

static int64_t round_up(int64_t bytes, int64_t unit)
{
    int64_t sum;
    return __builtin_add_overflow(bytes, unit - 1, &sum) ? INT64_MAX : sum / unit * unit;
}

/* Reads are rounded up to align, which need not be a power of two, and the next buffer begins where
   one of a direct read may. */
static int64_t buffer_bytes(int64_t block_bytes, int64_t align)
{
    return round_up(align > 1 ? round_up(block_bytes, align) : block_bytes,
                    (int64_t)sci_os_buffer_align((size_t)align));
}

int64_t sci_readers_memory_bytes(int32_t streams, int32_t in_flight, int64_t block_bytes,
                                 int64_t align)
{
    int64_t bytes = buffer_bytes(block_bytes, align);
    if (__builtin_mul_overflow(bytes, (int64_t)streams * in_flight, &bytes))
        return INT64_MAX;
    return bytes;
}

bool sci_readers_fit(int32_t streams, int32_t in_flight, int64_t block_bytes, int64_t align)
{
    const int64_t spare = sci_os_memory_bytes() / 4;
    const int64_t limit = spare > 0 && spare < BUFFERS_MAX_BYTES ? spare : BUFFERS_MAX_BYTES;
    return (int64_t)streams * in_flight <= THREADS_MAX &&
           sci_readers_memory_bytes(streams, in_flight, block_bytes, align) <= limit;
}

static sci_readers *readers_new(const sci_readers_params *params, const sci_read_source *source)
{
    sci_readers *all = calloc(1, sizeof *all);
    if (!all) {
        source->release(source->opaque);
        return NULL;
    }
    all->source = *source;
    atomic_store(&all->users, 1);
    pthread_mutex_init(&all->gate, NULL);
    pthread_mutex_init(&all->fault, NULL);
    all->recorder = sci_recorder_new(params->seconds);
    all->count = (size_t)params->streams * (size_t)params->in_flight;
    all->readers = calloc(all->count, sizeof *all->readers);
    all->buffers = sci_os_buffer(
        (size_t)sci_readers_memory_bytes(params->streams, params->in_flight, params->block_bytes,
                                         source->align),
        (size_t)source->align);
    if (!all->recorder || !all->readers || !all->buffers) {
        drop_user(all);
        return NULL;
    }
    for (size_t i = 0; i < all->count; i++) {
        struct reader *reader = &all->readers[i];
        reader->all = all;
        reader->stream = (int32_t)(i / (size_t)params->in_flight);
        reader->buffer = all->buffers +
                         i * (size_t)buffer_bytes(params->block_bytes, source->align);
    }
    return all;
}

sc_status sci_readers_start(const sci_readers_params *params, const sci_read_source *source,
                            sci_readers **readers, sc_error *error)
{
    int os_errno = 0;
    *readers = NULL;
    if (!sci_readers_fit(params->streams, params->in_flight, params->block_bytes, source->align)) {
        source->release(source->opaque);
        return sci_fail(error, SC_LIMIT, 0, "measure.read", NULL,
                        "%d streams with %d reads of %lld bytes in flight need more threads or "
                        "memory than this machine may spare: use fewer streams or a smaller block",
                        (int)params->streams, (int)params->in_flight,
                        (long long)params->block_bytes);
    }
    sci_readers *all = readers_new(params, source);
    if (!all)
        return sci_fail(error, SC_NO_MEMORY, ENOMEM, "measure.read", NULL,
                        "no memory for the buffers of %d readers", (int)params->streams);
    pthread_mutex_lock(&all->gate);
    for (size_t i = 0; !os_errno && i < all->count; i++) {
        atomic_fetch_add(&all->users, 1);
        os_errno = sci_thread_start(reader_main, &all->readers[i]);
        if (os_errno)
            atomic_fetch_sub(&all->users, 1);
    }
    sci_recorder_begin(all->recorder, sci_now_ns() + (int64_t)(fmax(0, params->warm_up_s) * 1e9));
    if (os_errno)
        atomic_store(&all->stop, true);
    pthread_mutex_unlock(&all->gate);
    if (os_errno) {
        drop_user(all);
        return sci_fail(error, SC_NO_MEMORY, os_errno, "measure.read", NULL,
                        "cannot start the threads of %d readers", (int)params->streams);
    }
    *readers = all;
    return SC_OK;
}

/* As far as this process ran: it has since awake_ns. */
static double longest_read_s(const sci_readers *all, int64_t awake_ns)
{
    int64_t oldest = INT64_MAX;
    for (size_t i = 0; i < all->count; i++) {
        int64_t since = atomic_load(&all->readers[i].busy_since_ns);
        if (since > 0 && since < oldest)
            oldest = since;
    }
    return oldest == INT64_MAX ? 0 : sci_seconds_since(oldest > awake_ns ? oldest : awake_ns);
}

static bool all_ended(const sci_readers *all)
{
    return atomic_load(&all->users) == 1;
}

void sci_readers_stop(sci_readers *all)
{
    int64_t start = sci_now_ns();
    atomic_store(&all->stop, true);
    while (!all_ended(all) && sci_seconds_since(start) < LET_GO_S)
        sci_nap();
}

sci_read_faults sci_readers_faults(sci_readers *all)
{
    pthread_mutex_lock(&all->fault);
    sci_read_faults faults = all->faults;
    pthread_mutex_unlock(&all->fault);
    faults.gave_up = atomic_load(&all->gave_up);
    return faults;
}

void sci_faults_add(sci_read_faults *sum, sci_readers *readers)
{
    const sci_read_faults faults = sci_readers_faults(readers);
    add_faults(&sum->failed, &faults.failed);
    add_faults(&sum->changed, &faults.changed);
    sum->gave_up += faults.gave_up;
}

int64_t sci_faults_count(const sci_read_faults *faults)
{
    return faults->failed.count + faults->changed.count;
}

const sc_error *sci_faults_first(const sci_read_faults *faults)
{
    const sci_faults *kind = faults->failed.count ? &faults->failed : &faults->changed;
    return kind->count ? &kind->first : NULL;
}

/* When all threads have ended. */
static sc_status outcome(sci_readers *all, sc_error *error)
{
    const sci_read_faults faults = sci_readers_faults(all);
    const sc_error *first = sci_faults_first(&faults);
    if (!first || (atomic_load(&all->gave_up) < all->count &&
                   sci_histogram_count(&all->recorder->latency) > 0))
        return SC_OK;
    return sci_error_keep(error, first);
}

sc_status sci_readers_wait(sci_readers *all, double stall_s, sci_control *control, double from,
                           double to, sc_error *error)
{
    const int64_t look_ns = control->user.progress ? LOOK_AND_TELL_NS : LOOK_NS;
    int64_t start = sci_now_ns(), awake_ns = start;
    double whole_ns = fmax(1, (double)(all->recorder->end_ns - start));
    while (!all_ended(all)) {
        int64_t now = sci_now_ns();
        double part = fmin(1, (double)(now - start) / whole_ns);
        double rate = sci_recorder_rate(all->recorder, now);
        if (sci_control_poll(control, NULL, from + (to - from) * part, rate)) {
            sci_readers_stop(all);
            return sci_fail(error, SC_CANCELLED, 0, "measure", NULL, "cancelled");
        }
        if (longest_read_s(all, awake_ns) > stall_s) {
            sci_readers_stop(all);
            return sci_fail(error, SC_STALLED, ETIMEDOUT, "measure.read", NULL,
                            "no byte of a read for %g s; is the server or disk still there",
                            stall_s);
        }
        const int64_t left = all->recorder->end_ns - now;
        const int64_t nap_ns = left < SCI_POLL_NS ? SCI_POLL_NS : left < look_ns ? left : look_ns;
        const int64_t before_ns = sci_now_ns();
        sci_nap_ns(nap_ns);
        awake_ns = sci_awake_since(awake_ns, before_ns, sci_now_ns(), nap_ns, stall_s);
    }
    return outcome(all, error);
}

const sci_recorder *sci_readers_recorder(const sci_readers *readers)
{
    return readers->recorder;
}

void sci_readers_release(sci_readers **readers)
{
    if (!*readers)
        return;
    atomic_store(&(*readers)->stop, true);
    drop_user(*readers);
    *readers = NULL;
}
