#include "player/trace_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Shorter than this the player, and strace with it, was at work. */
static const double PAUSE_S = 0.002;
/* So near the frontier a read belongs to what is read there: picture and sound lie apart, and the
   reads of several threads overtake each other. */
static const int64_t NEAR_BYTES = 8 << 20;

static int power_of(int64_t value)
{
    int power = 0;
    while (value > 1 && power < 62) {
        value >>= 1;
        power++;
    }
    return power;
}

/* ---- sizes, threads and times ---- */

/* Where there are too many, all lose a read and the rarest go: a common size stays, whenever it
   began (Misra and Gries, 1982). */
static void forget_rare_sizes(struct sci_trace_file *file)
{
    size_t kept = 0;
    for (size_t i = 0; i < file->size_count; i++)
        if (--file->sizes[i].reads > 0)
            file->sizes[kept++] = file->sizes[i];
    file->size_count = kept;
}

static void count_size(struct sci_trace_file *file, int64_t asked_bytes)
{
    for (size_t i = 0; i < file->size_count; i++)
        if (file->sizes[i].asked_bytes == asked_bytes) {
            file->sizes[i].reads++;
            return;
        }
    if (file->size_count < SCI_TRACE_SIZES)
        file->sizes[file->size_count++] = (struct sci_trace_size){asked_bytes, 1};
    else
        forget_rare_sizes(file);
}

static void count_thread(struct sci_trace_file *file, int64_t thread)
{
    for (size_t i = 0; i < file->thread_count; i++)
        if (file->threads[i] == thread)
            return;
    if (file->thread_count < SCI_TRACE_THREADS)
        file->threads[file->thread_count++] = thread;
}

static void count_time(struct sci_trace_file *file, const struct sci_trace_read *read)
{
    const double micros = (read->end_s - read->begin_s) * 1e6;
    const int most = (int)SCI_COUNT(file->by_time) - 1;
    if (!read->timed || !(micros >= 0))
        return;
    int power = micros < 1 ? 0 : (int)fmin(log2(micros), most);
    file->by_time[power]++;
    file->timed++;
}

/* ---- runs ---- */

/* Half of the samples make room for twice the time. */
static void thin_out(struct sci_trace_run *run)
{
    for (size_t i = 0; i < run->samples / 2; i++) {
        run->sample_s[i] = run->sample_s[2 * i + 1];
        run->sample_bytes[i] = run->sample_bytes[2 * i + 1];
    }
    run->samples /= 2;
    run->stride *= 2;
}

static bool make_room(struct sci_trace_run *run)
{
    size_t room = run->room, same = run->room;
    if (run->samples == SCI_TRACE_SAMPLES)
        thin_out(run);
    if (!sci_grow(&run->sample_s, run->samples, &room, sizeof *run->sample_s) ||
        !sci_grow(&run->sample_bytes, run->samples, &same, sizeof *run->sample_bytes))
        return false;
    run->room = room;
    return true;
}

static bool sample(struct sci_trace_run *run)
{
    if (run->reads % run->stride != 0)
        return true;
    if (!make_room(run))
        return false;
    /* Lines of several threads need not come in the order of their ends. */
    const double before_s = run->samples ? run->sample_s[run->samples - 1] : run->first_s;
    run->sample_s[run->samples] = fmax(before_s, run->last_s);
    run->sample_bytes[run->samples++] = run->bytes;
    return true;
}

static bool run_add(struct sci_trace_run *run, const struct sci_trace_read *read)
{
    const double waited_s = read->begin_s - run->last_s;
    if (run->reads == 0)
        run->first_s = run->last_s = read->begin_s;
    else if (waited_s > PAUSE_S)
        run->waited_s += waited_s;
    run->last_s = fmax(run->last_s, read->end_s);
    run->reads++;
    run->bytes += read->bytes;
    if (read->offset + read->bytes > run->frontier)
        run->frontier = read->offset + read->bytes;
    return sample(run);
}

static void run_clear(struct sci_trace_run *run)
{
    free(run->sample_s);
    free(run->sample_bytes);
    *run = (struct sci_trace_run){.stride = 1};
}

static int64_t distance(int64_t a, int64_t b)
{
    return a > b ? a - b : b - a;
}

static struct sci_trace_run *run_near(struct sci_trace_file *file,
                                      const struct sci_trace_read *read)
{
    struct sci_trace_run *best = NULL;
    const int64_t near = NEAR_BYTES > 8 * read->bytes ? NEAR_BYTES : 8 * read->bytes;
    for (size_t i = 0; i < file->run_count; i++) {
        struct sci_trace_run *run = &file->runs[i];
        const int64_t far = distance(run->frontier, read->offset);
        if (far <= near && (!best || far < distance(best->frontier, read->offset)))
            best = run;
    }
    return best;
}

/* A new one; where there are too many, in place of the one that has least. */
static struct sci_trace_run *run_begin(struct sci_trace_file *file, int64_t offset)
{
    struct sci_trace_run *run = &file->runs[0];
    if (file->run_count < SCI_TRACE_RUNS) {
        run = &file->runs[file->run_count++];
    } else {
        for (size_t i = 1; i < file->run_count; i++)
            if (file->runs[i].bytes < run->bytes)
                run = &file->runs[i];
    }
    run_clear(run);
    run->frontier = offset;
    return run;
}

/* ---- files ---- */

static bool allocate(struct sci_trace_file *file)
{
    if (!file->runs)
        file->runs = calloc(SCI_TRACE_RUNS, sizeof *file->runs);
    if (!file->overlaps)
        file->overlaps = calloc(SCI_TRACE_OVERLAP_MAX + 1, sizeof *file->overlaps);
    return file->runs && file->overlaps;
}

bool sci_trace_file_add(struct sci_trace_file *file, const struct sci_trace_read *read)
{
    if (read->bytes == 0) {
        file->ended++;
        return true;
    }
    if (!allocate(file))
        return false;
    struct sci_trace_run *run = run_near(file, read);
    if (run)
        file->in_order_bytes += read->bytes;
    else
        run = run_begin(file, read->offset);
    file->reads++;
    file->bytes += read->bytes;
    const int power = power_of(read->asked_bytes);
    file->power_reads[power]++;
    file->power_bytes[power] += read->asked_bytes;
    file->overlaps[read->in_flight < SCI_TRACE_OVERLAP_MAX ? read->in_flight
                                                           : SCI_TRACE_OVERLAP_MAX]++;
    count_size(file, read->asked_bytes);
    count_thread(file, read->thread);
    count_time(file, read);
    return run_add(run, read);
}

void sci_trace_file_clear(struct sci_trace_file *file)
{
    for (size_t i = 0; i < file->run_count; i++)
        run_clear(&file->runs[i]);
    free(file->runs);
    free(file->overlaps);
    free(file->path);
    *file = (struct sci_trace_file){0};
}
