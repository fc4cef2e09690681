#include "player/trace_reads.h"

#include "player/trace_files.h"
#include "player/trace_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PENDING_MAX = 256 }; /* below SCI_TRACE_FILES, since each holds its file */

/* A call that is not back after so long was lost from the log. */
static const double LOST_S = 120;

/* A call that has begun, of a thread: it has one at most. */
struct pending {
    struct sci_trace_event event; /* its path is not valid any more */
    struct sci_trace_file *file;
    double begin_s;
    int32_t in_flight;
};

struct sci_trace_reads {
    struct sci_trace_totals totals;
    struct sci_trace_table table;
    struct pending pending[PENDING_MAX];
    size_t pending_count;
    double before_s, shift_s; /* of the clock */
    int32_t submitted;        /* reads of io_submit that were not collected */
    bool collects;            /* the log has io_getevents */
    bool begun, no_memory;
};

struct sci_trace_reads *sci_trace_reads_new(void)
{
    return calloc(1, sizeof(struct sci_trace_reads));
}

void sci_trace_reads_free(struct sci_trace_reads **reads)
{
    if (!*reads)
        return;
    sci_trace_table_clear(&(*reads)->table);
    free(*reads);
    *reads = NULL;
}

/* ---- the clock ---- */

/* Seconds that never go back: a clock that was set, midnight and -r are put right. */
static double clock_of(struct sci_trace_reads *reads, const struct sci_trace_event *event)
{
    const double step_s = 1, day_s = 86400;
    double now_s = event->stamp == SCI_STAMP_SINCE ? reads->before_s + event->time_s
                                                   : event->time_s + reads->shift_s;
    if (event->stamp == SCI_STAMP_SECONDS)
        reads->totals.coarse = true;
    if (reads->begun && now_s < reads->before_s - step_s) {
        const bool midnight = event->stamp != SCI_STAMP_EPOCH &&
                              reads->before_s - now_s > day_s / 2;
        reads->shift_s += midnight ? day_s : reads->before_s - now_s;
        now_s = midnight ? now_s + day_s : reads->before_s;
        reads->totals.jumps_back += !midnight;
    }
    if (!reads->begun)
        reads->totals.first_s = now_s;
    reads->begun = true;
    reads->before_s = reads->totals.last_s = fmax(now_s, reads->before_s);
    return now_s;
}

/* ---- calls ---- */

/* The file that a call is about, with the descriptor where one is known. */
static struct sci_trace_file *file_of(struct sci_trace_reads *reads,
                                      const struct sci_trace_event *event,
                                      struct sci_trace_descriptor **descriptor)
{
    struct sci_trace_file *file = NULL;
    if (event->descriptor < 0 || event->no_file)
        return NULL;
    if (event->path && !event->named)
        file = sci_trace_file_named(&reads->table, event->path, event->path_length);
    *descriptor = sci_trace_descriptor_find(&reads->table, event->thread, event->descriptor, file);
    if (!file && *descriptor)
        file = (*descriptor)->file;
    else if (file && !*descriptor)
        *descriptor = sci_trace_descriptor_new(&reads->table, event->thread, event->descriptor,
                                               file);
    return file;
}

static void opened(struct sci_trace_reads *reads, const struct sci_trace_event *event,
                   struct sci_trace_file *file)
{
    if (!file || event->result < 0)
        return;
    file->opened = true;
    file->direct = event->direct;
    sci_trace_descriptor_drop(&reads->table, event->thread, event->result);
    sci_trace_descriptor_new(&reads->table, event->thread, event->result, file);
}

static bool is_read(const struct sci_trace_event *event)
{
    return event->call == SCI_CALL_READ || event->call == SCI_CALL_PREAD;
}

static int32_t in_flight_of(const struct sci_trace_reads *reads, const struct sci_trace_file *file)
{
    int32_t count = 0;
    for (size_t i = 0; i < reads->pending_count; i++)
        if (reads->pending[i].file == file && is_read(&reads->pending[i].event))
            count++;
    return count;
}

static void read_ended(struct sci_trace_reads *reads, const struct sci_trace_event *event,
                       struct sci_trace_file *file, struct sci_trace_descriptor *descriptor,
                       struct sci_trace_read read)
{
    const int64_t most = 0x7ffff000, furthest = INT64_MAX / 4; /* of one call: read(2) */
    if (event->result < 0 || event->result > most || event->offset > furthest ||
        (event->asked_bytes >= 0 && event->result > event->asked_bytes))
        return;
    read.thread = event->thread;
    read.bytes = event->result;
    read.asked_bytes = event->asked_bytes > 0 ? event->asked_bytes : event->result;
    if (read.asked_bytes > most)
        read.asked_bytes = most;
    reads->totals.reads++;
    reads->totals.by_number += !event->of_descriptor;
    read.offset = event->offset >= 0 ? event->offset : 0;
    if (event->call == SCI_CALL_READ && descriptor) {
        read.offset = descriptor->position;
        if (descriptor->position < furthest)
            descriptor->position += event->result;
    }
    if (!sci_trace_file_add(file, &read))
        reads->no_memory = true;
}

static void ended(struct sci_trace_reads *reads, const struct sci_trace_event *event,
                  struct sci_trace_file *file, struct sci_trace_read read)
{
    struct sci_trace_descriptor *descriptor = file ? sci_trace_descriptor_find(
                                                         &reads->table, event->thread,
                                                         event->descriptor, file)
                                                   : NULL;
    if (event->call == SCI_CALL_OPEN)
        opened(reads, event, file);
    else if (event->call == SCI_CALL_CLOSE)
        sci_trace_descriptor_drop(&reads->table, event->thread, event->descriptor);
    else if (event->call == SCI_CALL_SEEK && descriptor && event->result >= 0)
        descriptor->position = event->result;
    else if (event->call == SCI_CALL_MAP && file && event->asked_bytes > file->mapped_bytes)
        file->mapped_bytes = event->asked_bytes;
    else if (is_read(event) && file)
        read_ended(reads, event, file, descriptor, read);
    else if (is_read(event) && event->result > 0 && !event->no_file)
        reads->totals.anonymous++;
}

/* ---- calls that other threads' lines split ---- */

static void pending_drop(struct sci_trace_reads *reads, size_t at)
{
    if (reads->pending[at].file)
        reads->pending[at].file->held--;
    reads->pending[at] = reads->pending[--reads->pending_count];
}

static struct pending *pending_of(struct sci_trace_reads *reads, int64_t thread)
{
    for (size_t i = 0; i < reads->pending_count; i++)
        if (reads->pending[i].event.thread == thread)
            return &reads->pending[i];
    return NULL;
}

static void forget_pending(struct sci_trace_reads *reads, int64_t thread, double now_s)
{
    for (size_t i = reads->pending_count; i-- > 0;)
        if (reads->pending[i].event.thread == thread || now_s - reads->pending[i].begin_s > LOST_S)
            pending_drop(reads, i);
}

static void begun(struct sci_trace_reads *reads, const struct sci_trace_event *event,
                  struct sci_trace_file *file, double now_s)
{
    forget_pending(reads, event->thread, now_s);
    if (reads->pending_count == PENDING_MAX)
        pending_drop(reads, 0);
    const struct pending pending = {*event, file, now_s, in_flight_of(reads, file) + 1};
    reads->pending[reads->pending_count++] = pending;
    if (file)
        file->held++;
}

static void resumed(struct sci_trace_reads *reads, const struct sci_trace_event *event,
                    double now_s)
{
    struct pending *pending = pending_of(reads, event->thread);
    if (!pending || pending->event.call != event->call)
        return; /* the log begins in the midst of it */
    struct sci_trace_event whole = pending->event;
    struct sci_trace_file *file = pending->file;
    struct sci_trace_read read = {.begin_s = pending->begin_s,
                                  .end_s = now_s,
                                  .timed = true,
                                  .in_flight = pending->in_flight};
    whole.asked_bytes = event->asked_bytes >= 0 ? event->asked_bytes : whole.asked_bytes;
    whole.offset = event->offset >= 0 ? event->offset : whole.offset;
    whole.result = event->result;
    whole.path = NULL;
    if (event->took_s >= 0)
        read.end_s = fmin(now_s, read.begin_s + event->took_s);
    pending_drop(reads, (size_t)(pending - reads->pending));
    if (event->path && !event->named) /* of openat's result */
        file = sci_trace_file_named(&reads->table, event->path, event->path_length);
    ended(reads, &whole, file, read);
}

/* Nothing of another thread was between its begin and its end. */
static void whole_call(struct sci_trace_reads *reads, const struct sci_trace_event *event,
                       struct sci_trace_file *file, double now_s)
{
    struct sci_trace_read read = {
        .begin_s = now_s, .end_s = now_s + fmax(event->took_s, 0), .timed = event->took_s >= 0};
    forget_pending(reads, event->thread, now_s);
    read.in_flight = in_flight_of(reads, file) + 1;
    ended(reads, event, file, read);
}

static void count_hidden(struct sci_trace_reads *reads, const struct sci_trace_event *event,
                         const char *name)
{
    if (event->phase == SCI_PHASE_RESUMED)
        return;
    reads->totals.hidden++;
    sci_copy(reads->totals.hidden_name, sizeof reads->totals.hidden_name, name);
}

/* Reads of io_submit are in flight until io_getevents has collected them. */
static void submit(struct sci_trace_reads *reads, const struct sci_trace_event *event, double now_s)
{
    struct sci_trace_event one;
    const char *at = event->arguments;
    if (event->phase == SCI_PHASE_RESUMED)
        return;
    int32_t batch = 0;
    while (sci_trace_submitted(&at, event, &one)) {
        struct sci_trace_descriptor *descriptor = NULL;
        struct sci_trace_file *file = file_of(reads, &one, &descriptor);
        if (reads->submitted < SCI_TRACE_OVERLAP_MAX)
            reads->submitted++;
        batch++;
        ended(reads, &one, file,
              (struct sci_trace_read){.begin_s = now_s,
                                      .end_s = now_s,
                                      .in_flight = reads->collects ? reads->submitted : batch});
    }
    if (batch == 0) /* "[...]": -s was too short for it */
        count_hidden(reads, event, "io_submit");
}

static void collect(struct sci_trace_reads *reads, const struct sci_trace_event *event)
{
    reads->collects = true;
    if (event->result > 0)
        reads->submitted -= (int32_t)(event->result < reads->submitted ? event->result
                                                                       : reads->submitted);
}

static void add_call(struct sci_trace_reads *reads, const struct sci_trace_event *event)
{
    struct sci_trace_descriptor *descriptor = NULL;
    struct sci_trace_file *file = NULL;
    const double now_s = clock_of(reads, event);
    if (event->call == SCI_CALL_HIDDEN) {
        char name[SC_NAME_MAX];
        sci_trace_unescape(event->path, event->path_length, name, sizeof name);
        count_hidden(reads, event, name);
        return;
    }
    if (event->call == SCI_CALL_SUBMIT || event->call == SCI_CALL_COLLECT) {
        if (event->call == SCI_CALL_SUBMIT)
            submit(reads, event, now_s);
        else
            collect(reads, event);
        return;
    }
    if (event->phase == SCI_PHASE_RESUMED) {
        resumed(reads, event, now_s);
        return;
    }
    if (event->call != SCI_CALL_OPEN)
        file = file_of(reads, event, &descriptor);
    else if (event->path && (event->result >= 0 || event->phase == SCI_PHASE_BEGUN))
        file = sci_trace_file_named(&reads->table, event->path, event->path_length);
    if (event->phase == SCI_PHASE_BEGUN)
        begun(reads, event, file, now_s);
    else
        whole_call(reads, event, file, now_s);
}

bool sci_trace_reads_add(struct sci_trace_reads *reads, const char *line)
{
    struct sci_trace_event event;
    sci_trace_line_parse(line, &event);
    reads->totals.lines++;
    if (event.call == SCI_CALL_EXIT)
        forget_pending(reads, event.thread, reads->before_s);
    if (event.call == SCI_CALL_NONE || event.call == SCI_CALL_EXIT)
        return true;
    reads->totals.calls++;
    if (event.stamp == SCI_STAMP_NONE)
        reads->totals.unstamped++;
    else
        add_call(reads, &event);
    return !reads->no_memory && !reads->table.no_memory;
}

const struct sci_trace_totals *sci_trace_reads_totals(const struct sci_trace_reads *reads)
{
    return &reads->totals;
}

static int by_bytes(const void *a, const void *b)
{
    const struct sci_trace_file *const *left = a, *const *right = b;
    if ((*left)->bytes != (*right)->bytes)
        return (*left)->bytes < (*right)->bytes ? 1 : -1;
    return strcmp((*left)->path, (*right)->path);
}

const struct sci_trace_file *const *sci_trace_reads_files(struct sci_trace_reads *reads,
                                                          size_t *count)
{
    qsort(reads->table.files, reads->table.file_count, sizeof reads->table.files[0], by_bytes);
    *count = reads->table.file_count;
    return (const struct sci_trace_file *const *)reads->table.files;
}
