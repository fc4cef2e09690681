#include "probe/together.h"

#include <stdlib.h>
#include <string.h>

struct late {
    sci_frame *items;
    size_t count;
    int64_t start, period; /* flicks: the programme's end, and the grid behind it */
};

static const sci_work *first_failure(sci_work *const *parts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (parts[i]->clip.error.status != SC_OK)
            return parts[i];
    return NULL;
}

static bool beats(const sc_track *track, const sc_track *best)
{
    if (!track || !best || track->kind != best->kind)
        return track && (!best || track->kind == SC_TRACK_VIDEO);
    return track->duration_s > best->duration_s;
}

/* The part with the longest video track, else the longest audio track; of equals the first. */
static const sci_work *choose_main(sci_work *const *parts, size_t count)
{
    const sci_work *best = parts[0];
    for (size_t i = 1; i < count; i++)
        if (beats(sc_clip_main_track(&parts[i]->clip), sc_clip_main_track(&best->clip)))
            best = parts[i];
    return best;
}

/* ---- frames ---- */

static int by_due(const void *a, const void *b)
{
    const sci_frame *x = a, *y = b;
    return x->due < y->due ? -1 : x->due > y->due;
}

/* What is due goes to the frame during which it is; what is due after the programme to frames of its
   own. All parts start together. */
static void add_part(const sci_frames *part, sci_frames *frames, size_t main_count,
                     struct late *late)
{
    size_t frame = 0;
    for (size_t k = 0; k < part->count; k++) {
        int64_t due = part->items[k].due, bytes = part->items[k].bytes;
        if (due >= late->start) {
            int64_t steps = (due - late->start) / late->period;
            late->items[late->count++] = (sci_frame){late->start + steps * late->period, bytes};
            continue;
        }
        while (frame + 1 < main_count && frames->items[frame + 1].due <= due)
            frame++;
        frames->items[frame].bytes += bytes;
    }
}

static bool append_late(sci_frames *frames, struct late *late, const sci_stop *stop)
{
    if (!sci_sort(late->items, late->count, sizeof *late->items, by_due, stop))
        return false;
    for (size_t k = 0; k < late->count; k++) {
        sci_frame *last = &frames->items[frames->count - 1];
        if (last->due >= late->items[k].due)
            last->bytes += late->items[k].bytes;
        else
            frames->items[frames->count++] = late->items[k];
    }
    return true;
}

static int64_t period_of(const sci_frames *main)
{
    int64_t period = main->duration / (int64_t)main->count;
    return period > 0 ? period : 1;
}

/* False when it was stopped, and without memory. */
static bool merge_frames(sci_work *const *parts, size_t count, const sci_work *main,
                         sci_reading *reading)
{
    const sci_stop stop = sci_file_stopper(&reading->file);
    const sci_frames *first = &main->reading.frames;
    size_t total = 0;
    for (size_t i = 0; i < count; i++)
        total += parts[i]->reading.frames.count;
    struct late late = {.items = malloc((total + 1) * sizeof(sci_frame)),
                        .start = first->duration,
                        .period = period_of(first)};
    sci_frames *frames = &reading->frames;
    *frames = *first;
    frames->items = malloc((total + 1) * sizeof(sci_frame));
    bool ok = late.items && frames->items;
    if (ok)
        memcpy(frames->items, first->items, first->count * sizeof(sci_frame));
    for (size_t i = 0; ok && i < count; i++) {
        ok = !sci_stop_now(&stop);
        if (ok && parts[i] != main)
            add_part(&parts[i]->reading.frames, frames, first->count, &late);
    }
    ok = ok && append_late(frames, &late, &stop);
    free(late.items);
    return ok;
}

/* ---- the rest of the clip ---- */

/* A sparse file may claim to be bigger than any other count. */
static int64_t add(int64_t a, int64_t b)
{
    if (a < 0 || b < 0)
        return a < 0 ? a : b;
    return a > INT64_MAX - b ? INT64_MAX : a + b;
}

static void add_up(sc_clip *whole, const sc_clip *part)
{
    whole->size_bytes = add(whole->size_bytes, part->size_bytes);
    whole->bytes_read = add(whole->bytes_read, part->bytes_read);
    whole->reads = add(whole->reads, part->reads);
    /* Sound without a picture is no flaw of a part. */
    whole->flags |= part->flags & ~(uint32_t)SC_CLIP_NO_VIDEO;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void add_findings(const sc_clip *part, sci_findings *findings)
{
    for (size_t i = 0; i < part->finding_count; i++)
        sci_finding_add(findings, part->findings[i].code, part->findings[i].severity, "%s: %s",
                        base_name(part->path), part->findings[i].message);
}

/* Each kind of container once, the picture's first: "image-sequence+wav". */
static const char *containers_of(sci_work *const *parts, size_t count, const sci_work *main,
                                 sci_arena *arena)
{
    const char *all = main->clip.container;
    for (size_t i = 0; all && i < count; i++) {
        bool known = strcmp(parts[i]->clip.container, main->clip.container) == 0;
        for (size_t k = 0; k < i && !known; k++)
            known = strcmp(parts[k]->clip.container, parts[i]->clip.container) == 0;
        if (!known)
            all = sci_arena_printf(arena, "%s+%s", all, parts[i]->clip.container);
    }
    return all;
}

static bool gather_lists(sci_work *const *parts, size_t count, const sci_work *main, sc_clip *whole,
                         sci_arena *arena)
{
    size_t track_count = 0;
    for (size_t i = 0; i < count; i++)
        track_count += parts[i]->clip.track_count;
    sc_track *tracks = sci_arena_alloc(arena, track_count + 1, sizeof *tracks);
    whole->container = containers_of(parts, count, main, arena);
    if (!tracks || !whole->container)
        return false;
    for (size_t i = 0; i < count; i++) {
        const sc_clip *part = &parts[i]->clip;
        for (size_t t = 0; t < part->track_count; t++)
            tracks[whole->track_count++] = part->tracks[t];
    }
    whole->tracks = tracks;
    return true;
}

static bool list_parts(sci_work *const *parts, size_t count, sci_work *whole)
{
    const char **paths = sci_arena_alloc(whole->arena, count, sizeof *paths);
    for (size_t i = 0; paths && i < count; i++)
        paths[i] = parts[i]->clip.path;
    whole->clip.parts = paths;
    whole->clip.part_count = paths ? count : 0;
    return paths;
}

static void note_lengths(sci_work *const *parts, size_t count, const sci_work *main,
                         sci_findings *findings)
{
    const sc_clip *longest = &main->clip;
    for (size_t i = 0; i < count; i++)
        if (parts[i]->clip.duration_s > longest->duration_s)
            longest = &parts[i]->clip;
    if (longest->duration_s > main->clip.duration_s * 1.1 + 1)
        sci_finding_add(findings, "parts-differ", SC_SEVERITY_WARNING,
                        "%s lasts %.0f ms but the picture, %s, %.0f ms: the rate is that of all "
                        "bytes over the picture's length, and too high",
                        base_name(longest->path), longest->duration_s * 1000,
                        base_name(main->clip.path), main->clip.duration_s * 1000);
}

static sc_status describe(sci_work *const *parts, size_t count, const sci_work *main,
                          sci_work *whole)
{
    sci_findings findings = {.arena = whole->arena};
    sc_clip *clip = &whole->clip;
    clip->size_bytes = 0;
    for (size_t i = 0; i < count; i++) {
        add_up(clip, &parts[i]->clip);
        add_findings(&parts[i]->clip, &findings);
    }
    note_lengths(parts, count, main, &findings);
    clip->flags |= main->clip.flags & SC_CLIP_NO_VIDEO;
    clip->duration_s = main->clip.duration_s;
    clip->sequence = main->clip.sequence;
    clip->source = main->clip.source;
    clip->worst_gop_bits_per_s = main->clip.worst_gop_bits_per_s;
    clip->largest_gop_bytes = main->clip.largest_gop_bytes;
    clip->longest_gop_frames = main->clip.longest_gop_frames;
    bool gathered = gather_lists(parts, count, main, clip, whole->arena);
    clip->findings = findings.items;
    clip->finding_count = findings.count;
    return gathered && !findings.no_memory ? SC_OK : SC_NO_MEMORY;
}

/* What the clip points to lies in the arenas of its parts, and the parts themselves do too. */
static void take_over(sci_work **parts, size_t count, sci_arena *arena)
{
    for (size_t i = 0; i < count; i++) {
        sci_arena *part = parts[i]->arena;
        sci_reading_free(&parts[i]->reading);
        sci_arena_adopt(arena, &part);
    }
}

static sc_status put_together(sci_work **parts, size_t count, sci_media_limits limits,
                              sci_control *control, sci_work *whole)
{
    const sci_work *main = choose_main(parts, count);
    sci_reading *reading = &whole->reading;
    sc_status status = describe(parts, count, main, whole);
    if (status != SC_OK)
        return status;
    reading->file = (sci_file){
        .path = whole->clip.path, .fd = -1, .size_bytes = whole->clip.size_bytes};
    reading->keep_frames = limits.frames;
    sci_file_start(&reading->file, limits.max_bytes, limits.max_seconds, control);
    if (merge_frames(parts, count, main, reading))
        return sci_clip_measure(&whole->clip, reading, whole->arena);
    return sci_file_give_up(&reading->file)
               ? sci_file_gave_up(&reading->file, "probe.together", &whole->clip.error)
               : SC_NO_MEMORY;
}

sc_status sci_together(sci_work **parts, size_t count, sci_media_limits limits,
                       sci_control *control, sci_work **whole)
{
    const sci_work *failed = first_failure(parts, count);
    const sci_work *named = failed ? failed : choose_main(parts, count);
    sci_work *work = *whole = sci_work_new(named->clip.path);
    sc_status status = work && list_parts(parts, count, work) ? SC_OK : SC_NO_MEMORY;
    if (failed && status == SC_OK) {
        work->clip.size_bytes = failed->clip.size_bytes;
        work->clip.error = failed->clip.error;
    } else if (status == SC_OK) {
        status = put_together(parts, count, limits, control, work);
        sci_reading_free(&work->reading);
    }
    if (status == SC_CANCELLED || status == SC_NO_MEMORY) {
        if (work)
            sci_work_free(whole);
        return status;
    }
    take_over(parts, count, work->arena);
    return SC_OK;
}
