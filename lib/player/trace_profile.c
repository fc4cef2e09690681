#include "player/trace_profile.h"

#include "player/trace_pace.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BLOCK_LEAST = 4096, SECTOR = 512, SHORT_S = 5, LONG_S = 20, READS_LEAST = 20 };

static const int64_t BLOCK_MOST = 1073741824;
static const double BLOCK_SHARE = 0.5; /* of the bytes, asked for by one size */

/* ---- figures ---- */

static const struct sci_trace_run *longest_run(const struct sci_trace_file *file)
{
    const struct sci_trace_run *longest = &file->runs[0];
    for (size_t i = 1; i < file->run_count; i++)
        if (file->runs[i].bytes > longest->bytes)
            longest = &file->runs[i];
    return longest;
}

static int64_t asked_bytes_of(const struct sci_trace_file *file)
{
    int64_t sum = 0;
    for (size_t i = 0; i < SCI_COUNT(file->power_bytes); i++)
        sum += file->power_bytes[i];
    return sum;
}

/* The size that most bytes were asked for by. */
static struct sci_trace_size commonest(const struct sci_trace_file *file)
{
    struct sci_trace_size best = {0};
    for (size_t i = 0; i < file->size_count; i++) {
        const struct sci_trace_size *size = &file->sizes[i];
        if ((double)size->asked_bytes * (double)size->reads >
            (double)best.asked_bytes * (double)best.reads)
            best = *size;
    }
    return best;
}

/* The mean of the sizes within the power of two that holds the median byte. */
static int64_t median_bytes(const struct sci_trace_file *file)
{
    const int64_t half = asked_bytes_of(file) / 2;
    int64_t sum = 0;
    for (size_t i = 0; i < SCI_COUNT(file->power_bytes); i++) {
        sum += file->power_bytes[i];
        if (sum > half)
            return file->power_bytes[i] / file->power_reads[i];
    }
    return BLOCK_LEAST;
}

static sc_read_mode take_block(sc_player_trace *result, const struct sci_trace_file *file)
{
    const struct sci_trace_size size = commonest(file);
    const double asked_bytes = (double)asked_bytes_of(file);
    result->block_share = fmin(1, (double)size.asked_bytes * (double)size.reads / asked_bytes);
    if (result->block_share >= BLOCK_SHARE) {
        result->block_bytes = size.asked_bytes;
        return size.asked_bytes % SECTOR ? SC_READ_FRAME : SC_READ_BLOCK;
    }
    result->block_bytes = median_bytes(file);
    return SC_READ_FRAME;
}

/* What is seen only once may be a read of an index, but where there are few reads. */
static int32_t overlap_of(const struct sci_trace_file *file)
{
    const int64_t least = file->reads < READS_LEAST ? 1 : 2;
    int64_t reads = 0;
    for (int32_t in_flight = SCI_TRACE_OVERLAP_MAX; in_flight > 1; in_flight--) {
        reads += file->overlaps[in_flight];
        if (reads >= least)
            return in_flight;
    }
    return 1;
}

/* The middle of the power of two that holds the median. */
static double median_time_s(const struct sci_trace_file *file)
{
    int64_t sum = 0;
    if (file->timed * 4 < file->reads)
        return -1;
    for (size_t i = 0; i < SCI_COUNT(file->by_time); i++) {
        sum += file->by_time[i];
        if (2 * sum >= file->timed)
            return ldexp(1.5e-6, (int)i);
    }
    return -1;
}

/* A log that begins in the midst of playing shows no reads that fill a buffer. */
static bool begins_late(const struct sci_trace_file *file, const struct sci_trace_pace *pace,
                        double one_read)
{
    const double burst_reads = 3;
    return pace->known && !file->opened && pace->ahead < burst_reads * one_read;
}

static void take_ahead(sc_player_trace *result, const struct sci_trace_file *file,
                       const struct sci_trace_pace *pace, sc_read_mode mode)
{
    const double one_read = mode == SC_READ_FRAME ? 1 : (double)result->block_bytes;
    const bool told = pace->known && !begins_late(file, pace, one_read);
    result->pace_bytes_per_s = pace->known ? pace->bytes_per_s : -1;
    result->ahead_bytes = SC_UNKNOWN;
    result->ahead_s = -1;
    if (!told)
        return;
    /* A read is ahead of its use. */
    const double least_s = (double)result->block_bytes / pace->bytes_per_s;
    result->ahead_s = fmax(pace->ahead_s, least_s);
    result->ahead_bytes = llround(fmin(result->ahead_s * pace->bytes_per_s, 9e18));
}

static void take_figures(sc_player_trace *result, const struct sci_trace_file *file,
                         const struct sci_trace_pace *pace, sc_read_mode mode)
{
    const struct sci_trace_run *run = longest_run(file);
    result->reads = file->reads;
    result->bytes = file->bytes;
    result->seconds = run->last_s - run->first_s;
    result->overlap = overlap_of(file);
    result->threads = (int32_t)file->thread_count;
    /* The first read of each run follows nothing. */
    result->in_order_share = fmin(1, ((double)file->in_order_bytes + (double)result->block_bytes) /
                                         (double)file->bytes);
    result->read_p50_s = median_time_s(file);
    take_ahead(result, file, pace, mode);
}

/* ---- the player ---- */

static int64_t within(int64_t value, int64_t least, int64_t most)
{
    return value < least ? least : value > most ? most : value;
}

/* Three digits: no log tells more. */
static double rounded(double seconds)
{
    const double least_s = 0.001, most_s = 3600;
    const double unit = seconds >= 100 ? 1 : seconds >= 10 ? 10 : seconds >= 1 ? 100 : 1000;
    return fmin(most_s, fmax(least_s, round(seconds * unit) / unit));
}

static sc_status take_player(sc_player_trace *result, const struct sci_trace_file *file,
                             sc_read_mode mode, sc_error *error)
{
    const char *name = strrchr(result->path, '/');
    sc_player player = {.block_bytes = within(result->block_bytes, BLOCK_LEAST, BLOCK_MOST),
                        .in_flight = (int32_t)within(result->overlap, 1, 256),
                        .read_ahead_s = result->ahead_s > 0 ? rounded(result->ahead_s) : 0,
                        .mode = mode};
    char text[SC_TEXT_MAX];
    if (file->opened)
        player.io = file->direct ? SC_IO_DIRECT : SC_IO_BUFFERED;
    sc_status status = sc_player_resolve(&player, error);
    if (status == SC_OK)
        status = sc_player_format(&player, text, sizeof text, error);
    if (status != SC_OK)
        return status;
    result->expression = sci_arena_strdup(sci_result_arena(result), text);
    if (!result->expression)
        return sci_fail(error, SC_NO_MEMORY, 0, "player.trace", NULL, "%s",
                        sc_status_text(SC_NO_MEMORY));
    snprintf(text, sizeof text, "from %.100s", name ? name + 1 : result->path);
    sci_copy(player.name, sizeof player.name, text);
    result->player = player;
    return SC_OK;
}

/* ---- findings ---- */

struct view {
    const sc_player_trace *result;
    const struct sci_trace_file *file;
    const struct sci_trace_totals *totals;
    const struct sci_trace_pace *pace;
    sci_findings list;
};

static void find_pace(struct view *view)
{
    const sc_player_trace *result = view->result;
    const bool few = result->reads < READS_LEAST || result->seconds < SHORT_S;
    if (!view->pace->known)
        sci_finding_add(&view->list, "trace-unpaced", SC_SEVERITY_WARNING,
                        "reads never waited for playing, so the read-ahead is not known and %g s "
                        "stand in for it: play a clip of a minute in real time, longer than the "
                        "player holds",
                        result->player.read_ahead_s);
    else if (few)
        sci_finding_add(&view->list, "trace-short", SC_SEVERITY_WARNING,
                        "%lld reads in %.3g s are few: the read-ahead is rough; trace for half a "
                        "minute",
                        (long long)result->reads, result->seconds);
    else if (!view->pace->settled)
        sci_finding_add(&view->list, "trace-pace-varies", SC_SEVERITY_WARNING,
                        "reads did not settle to one pace in %.3g s: the read-ahead is rough; "
                        "trace for longer, playing without a pause or a jump",
                        result->seconds);
}

static void find_overlap(struct view *view)
{
    const double cached_s = 0.0005;
    const sc_player_trace *result = view->result;
    const double p50_s = result->read_p50_s;
    if (p50_s >= 0 && p50_s < cached_s)
        sci_finding_add(
            &view->list, "trace-cached", SC_SEVERITY_NOTE,
            "half of the reads took some %.1g ms or less, which is this machine's cache: "
            "more might be in flight on slow storage; trace a clip that was not read "
            "since the machine was started",
            p50_s * 1e3);
    if (result->threads > result->overlap)
        sci_finding_add(
            &view->list, "trace-overlap-hidden", SC_SEVERITY_NOTE,
            "%d threads read, and no more than %d of them at once: if slow storage lets "
            "them pile up, add in-flight=%d",
            (int)result->threads, (int)result->overlap, (int)result->threads);
}

static void find_no_open(struct view *view)
{
    const sc_player_trace *result = view->result;
    char ahead[SC_NAME_MAX] = "the read-ahead is more where it begins in the midst of playing";
    if (result->ahead_s < 0)
        snprintf(ahead, sizeof ahead, "the read-ahead is not known: %g s stand in for it",
                 result->player.read_ahead_s);
    sci_finding_add(&view->list, "trace-no-open", SC_SEVERITY_WARNING,
                    "the log does not show how the file was opened, so io is not known, and %s; "
                    "trace openat, from before the clip is opened",
                    ahead);
}

static void find_below(struct view *view)
{
    const sc_player_trace *result = view->result;
    if (result->player.io == SC_IO_BUFFERED)
        sci_finding_add(&view->list, "trace-kernel-read-ahead", SC_SEVERITY_NOTE,
                        "the log shows the player's own reads; they went through the page cache, "
                        "below which the kernel reads ahead in pieces of its own: io=buffered "
                        "measures with that");
    if (!view->file->opened)
        find_no_open(view);
    if (view->file->mapped_bytes > 0)
        sci_finding_add(&view->list, "trace-mapped", SC_SEVERITY_WARNING,
                        "the file was mapped into memory (mmap), too: what was read so does not "
                        "show, and block, read-ahead and reads in flight are of the rest");
    if (view->totals->hidden > 0)
        sci_finding_add(&view->list, "trace-hidden-reads", SC_SEVERITY_WARNING,
                        "%s was called %lld times: strace shows no size and place of what is read "
                        "so; if the player reads the clip that way, write its block and reads in "
                        "flight with --player",
                        view->totals->hidden_name, (long long)view->totals->hidden);
}

static void find_gaps(struct view *view)
{
    const struct sci_trace_totals *totals = view->totals;
    const double most_in_order = 0.7;
    if (totals->by_number + totals->anonymous > 0)
        sci_finding_add(
            &view->list, "trace-without-paths", SC_SEVERITY_NOTE,
            "in %lld of the reads the log tells the file by a number alone, or not at all: "
            "trace with -y",
            (long long)(totals->by_number + totals->anonymous));
    if (view->result->in_order_share < most_in_order)
        sci_finding_add(&view->list, "trace-random", SC_SEVERITY_WARNING,
                        "%.0f %% of the bytes were read far from those before: the player jumped; "
                        "streams are read in order here, so trace plain playing",
                        (1 - view->result->in_order_share) * 100);
    if (totals->jumps_back > 0 || totals->coarse)
        sci_finding_add(&view->list, "trace-clock", SC_SEVERITY_WARNING,
                        "%s: pace and read-ahead are rough",
                        totals->coarse ? "times are whole seconds, for want of -ttt"
                                       : "times go back in the log, as of a clock that was set");
}

static void find_others(struct view *view)
{
    const sc_player_trace *result = view->result;
    const int64_t least = result->bytes / 10;
    char names[SC_TEXT_MAX] = "";
    size_t more = 0;
    for (size_t i = 0; i < result->file_count; i++) {
        const sc_player_trace_file *file = &result->files[i];
        if (strcmp(file->path, result->media) == 0 || file->bytes < least)
            continue;
        const size_t used = strlen(names);
        if (used < sizeof names / 2)
            snprintf(names + used, sizeof names - used, "%s%.200s", used ? ", " : "", file->path);
        else
            more++;
    }
    if (*names)
        sci_finding_add(&view->list, "trace-other-files", SC_SEVERITY_NOTE,
                        "much was read of other files, too, for which it may differ: %s%s", names,
                        more ? ", and more" : "");
}

static void find_all(struct view *view)
{
    find_pace(view);
    find_gaps(view);
    find_below(view);
    find_overlap(view);
    find_others(view);
    sci_finding_add(&view->list, "trace-preroll", SC_SEVERITY_NOTE,
                    "a log does not tell when the picture began to move: the read-ahead counts "
                    "from the first read, and the preroll of %g s is assumed",
                    view->result->player.preroll_s);
}

sc_status sci_trace_profile(sc_player_trace *result, const struct sci_trace_file *file,
                            const struct sci_trace_totals *totals, sc_error *error)
{
    const sc_read_mode mode = take_block(result, file);
    const struct sci_trace_pace pace = sci_trace_pace_of(
        longest_run(file), mode == SC_READ_FRAME ? SCI_TRACE_READS : SCI_TRACE_BYTES);
    take_figures(result, file, &pace, mode);
    sc_status status = take_player(result, file, mode, error);
    if (status != SC_OK)
        return status;
    struct view view = {result, file, totals, &pace, {.arena = sci_result_arena(result)}};
    find_all(&view);
    if (view.list.no_memory)
        return sci_fail(error, SC_NO_MEMORY, 0, "player.trace", NULL, "%s",
                        sc_status_text(SC_NO_MEMORY));
    result->findings = view.list.items;
    result->finding_count = view.list.count;
    return SC_OK;
}
