/* Units from the index of clusters: what lies between two places that the index names, and when it is
   shown. Exact sums; the frames within a unit are taken to be even. */
#include "probe/matroska.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    CUE_POINT = 0xBB,
    CUE_TIME = 0xB3,
    CUE_TRACK_POSITIONS = 0xB7,
    CUE_TRACK = 0xF7,
    CUE_CLUSTER_POSITION = 0xF1,
    CUE_RELATIVE_POSITION = 0xF0,
    WIDE_WINDOW_BYTES = 1 << 20
};

struct cue {
    int64_t pos, ticks;
};

struct cues {
    struct cue *items; /* malloc'ed */
    size_t count, capacity;
};

/* ---- reading them ---- */

/* Where a position may lie: behind the end, too, where the file was cut off. */
static uint64_t room_for_positions(const sci_mkv *mkv)
{
    return mkv->segment.cut ? INT64_MAX / 4 : (uint64_t)(mkv->segment.end - mkv->segment.contents);
}

/* The positions of one track in a cue point; false when they are another track's. */
static bool read_positions(const sci_mkv *mkv, sci_window *window, const sci_element *positions,
                           uint64_t number, int64_t *pos)
{
    sci_element child;
    uint64_t track = 0, cluster = UINT64_MAX, relative = 0;
    int64_t at = positions->contents;
    while (sci_ebml_at(window, at, positions->end, &child)) {
        if (child.id == CUE_TRACK)
            sci_ebml_unsigned(window, &child, &track);
        else if (child.id == CUE_CLUSTER_POSITION)
            sci_ebml_unsigned(window, &child, &cluster);
        else if (child.id == CUE_RELATIVE_POSITION)
            sci_ebml_unsigned(window, &child, &relative);
        at = child.end;
    }
    const uint64_t room = room_for_positions(mkv);
    if (track != number || cluster >= room || relative >= room - cluster)
        return false;
    *pos = mkv->segment.contents + (int64_t)(cluster + relative);
    return true;
}

static bool read_point(const sci_mkv *mkv, sci_window *window, const sci_element *point,
                       uint64_t number, struct cue *cue)
{
    sci_element child;
    uint64_t ticks = UINT64_MAX;
    bool found = false;
    int64_t at = point->contents;
    while (sci_ebml_at(window, at, point->end, &child)) {
        if (child.id == CUE_TIME)
            sci_ebml_unsigned(window, &child, &ticks);
        else if (child.id == CUE_TRACK_POSITIONS && !found)
            found = read_positions(mkv, window, &child, number, &cue->pos);
        at = child.end;
    }
    cue->ticks = (int64_t)ticks;
    return found && ticks < INT64_MAX / 4;
}

/* Cues that do not go on in the file and in time are left out. */
static bool keep(struct cues *cues, struct cue cue)
{
    if (cues->count && (cue.pos <= cues->items[cues->count - 1].pos ||
                        cue.ticks <= cues->items[cues->count - 1].ticks))
        return true;
    if (!sci_grow(&cues->items, cues->count, &cues->capacity, sizeof cue))
        return false;
    cues->items[cues->count++] = cue;
    return true;
}

static bool read_points(const sci_mkv *mkv, sci_media *media, sci_window *window,
                        const sci_element *element, uint64_t number, struct cues *cues)
{
    sci_element point;
    struct cue cue = {0};
    int64_t at = element->contents;
    while (sci_ebml_at(window, at, element->end, &point)) {
        if (point.id == CUE_POINT && read_point(mkv, window, &point, number, &cue) &&
            !keep(cues, cue))
            return false;
        if (sci_file_give_up(&media->file))
            return false;
        at = point.end;
    }
    return at == element->end && cues->count > 1;
}

/* A frame each may be in them: much is read at once then, but no more than they are. */
static bool read_all(sci_mkv *mkv, sci_media *media, uint64_t number, struct cues *cues)
{
    sci_element element;
    sci_window window;
    mkv->window.ahead = SCI_WINDOW_BYTES;
    if (!sci_ebml_at(&mkv->window, mkv->cues, mkv->segment.end, &element) ||
        element.id != SCI_MKV_CUES || element.cut || element.size_unknown)
        return false;
    const int64_t size = element.end - element.contents;
    if (size <= SCI_WINDOW_BYTES)
        return read_points(mkv, media, &mkv->window, &element, number, cues);
    const size_t room = size < WIDE_WINDOW_BYTES ? (size_t)size : WIDE_WINDOW_BYTES;
    uint8_t *bytes = malloc(room);
    if (!bytes)
        return false;
    sci_window_open_wide(&window, &media->file, bytes, room);
    bool read = read_points(mkv, media, &window, &element, number, cues);
    free(bytes);
    return read;
}

/* ---- what the walk so far tells of the tracks ---- */

static sci_mkv_track *main_track(sci_mkv *mkv, const sci_media *media)
{
    for (int i = 0; i < mkv->track_count; i++)
        if (mkv->tracks[i].stream >= 0 && mkv->tracks[i].blocks > 1 &&
            media->tracks[mkv->tracks[i].stream].kind == SC_TRACK_VIDEO)
            return &mkv->tracks[i];
    return NULL;
}

static int by_time(const void *a, const void *b)
{
    const sci_packet *x = a, *y = b;
    return (x->time > y->time) - (x->time < y->time);
}

/* Its blocks so far, as they are stored. */
static sci_packet *copy_blocks(const sci_media *media, const sci_mkv_track *track, size_t *count)
{
    sci_packet *blocks = malloc((size_t)track->blocks * sizeof *blocks);
    *count = 0;
    for (size_t i = 0; blocks && i < media->packets.count; i++)
        if (media->packets.items[i].track == track->stream && *count < (size_t)track->blocks)
            blocks[(*count)++] = media->packets.items[i];
    return blocks;
}

/* DefaultDuration, else what most frames so far last. */
static int64_t frame_duration(sci_media *media, const sci_mkv *mkv, const sci_mkv_track *track,
                              sci_packet *blocks, size_t count)
{
    const sci_stop stop = sci_file_stopper(&media->file);
    if (track->frame_ns > 0)
        return track->frame_ns;
    if (!sci_sort(blocks, count, sizeof *blocks, by_time, &stop))
        return 0;
    sc_rational rate = sci_rate_of_most(blocks, count, (double)mkv->tick_ns / 1e9, &stop);
    double frame_ns = rate.num > 0 ? 1e9 / sc_rational_value(rate) : 0;
    return frame_ns < 1e12 ? (int64_t)(frame_ns + 0.5) : 0;
}

/* Whether every key frame so far, but for the last, which may be on its way, has a cue: then there is
   one for each group of pictures. */
static bool names_all_groups(const struct cues *cues, const sci_packet *blocks, size_t count)
{
    size_t next = 0, keys = 0, missing = 0, missing_before = 0;
    for (size_t i = 0; i < count; i++) {
        if (!blocks[i].key)
            continue;
        while (next < cues->count && cues->items[next].ticks < blocks[i].time)
            next++;
        missing_before = missing;
        missing += next == cues->count || cues->items[next].ticks != blocks[i].time;
        keys++;
    }
    return keys > 2 && missing_before == 0;
}

/* The first cue may name a later place than the first frame's. */
static bool begin_at_first_block(struct cues *cues, const sci_mkv *mkv, const sci_packet *first)
{
    const struct cue start = {mkv->first_cluster, first->time};
    if (first->time >= cues->items[0].ticks || mkv->first_cluster >= cues->items[0].pos)
        return true;
    if (!sci_grow(&cues->items, cues->count, &cues->capacity, sizeof *cues->items))
        return false;
    memmove(cues->items + 1, cues->items, cues->count++ * sizeof *cues->items);
    cues->items[0] = start;
    return true;
}

/* Names of some codecs need the start of a frame, which the position of a unit is not. */
static void keep_head(sci_media *media, const sci_mkv_track *track, const sci_packet *first)
{
    sci_media_track *kept = &media->tracks[track->stream];
    if (!track->encoded && !kept->head_size && first->bytes >= SCI_HEAD_BYTES &&
        sci_file_read_at(&media->file, first->pos, kept->head, SCI_HEAD_BYTES) == SCI_HEAD_BYTES)
        kept->head_size = SCI_HEAD_BYTES;
}

/* ---- units ---- */

struct units {
    sci_packets packets;
    const sci_mkv *mkv;
    int stream;
    int64_t frame_ns;
    bool groups; /* a unit is a group of pictures */
    int64_t bytes, ticks;
    bool cut; /* there would be more, if the file did not end */
};

/* One packet a frame of the unit, each with its share. */
static bool add_unit(struct units *units, struct cue from, struct cue to)
{
    enum { BLOCK_BYTES_MIN = 6 };
    const double tick_ns = (double)units->mkv->tick_ns;
    const double frame_ticks = (double)units->frame_ns / tick_ns;
    const double span = (double)(to.ticks - from.ticks) / frame_ticks;
    const int64_t bytes = to.pos - from.pos;
    if (span > (double)(bytes / BLOCK_BYTES_MIN))
        return false;
    const int64_t frames = span < 1.5 ? 1 : (int64_t)(span + 0.5);
    if (bytes / frames >= INT32_MAX)
        return false;
    for (int64_t k = 0; k < frames; k++) {
        int64_t start = av_rescale(bytes, k, frames), end = av_rescale(bytes, k + 1, frames);
        if (sci_packets_add(&units->packets,
                            (sci_packet){.pos = from.pos + start,
                                         .time = from.ticks + llrint((double)k * frame_ticks),
                                         .bytes = (int32_t)(end - start),
                                         .track = units->stream,
                                         .key = units->groups && k == 0}) != SC_OK)
            return false;
    }
    units->bytes += bytes;
    units->ticks += to.ticks - from.ticks;
    return true;
}

/* Where a file was cut off, its last unit is not all there: it is left out. */
static bool add_units(struct units *units, const struct cues *cues)
{
    const sci_mkv *mkv = units->mkv;
    const struct cue last = cues->items[cues->count - 1];
    const int64_t media_end = mkv->cues > last.pos ? mkv->cues : mkv->segment.end;
    const struct cue end = {media_end, (int64_t)(mkv->duration_s * 1e9 / (double)mkv->tick_ns)};
    for (size_t i = 0; i < cues->count; i++) {
        const bool is_last = i + 1 == cues->count;
        const struct cue next = is_last ? end : cues->items[i + 1];
        units->cut = mkv->segment.cut && (is_last || next.pos > mkv->segment.end);
        if (units->cut)
            break;
        if (next.ticks <= cues->items[i].ticks || next.pos <= cues->items[i].pos ||
            !add_unit(units, cues->items[i], next))
            return false;
    }
    return units->packets.count > 0;
}

/* ---- what is told of the tracks ---- */

/* How often what was found so far is in the whole; 0 when that cannot be told. */
static double times_more(const sci_mkv_track *track, const struct units *units)
{
    const int64_t span = track->last_ticks - track->first_ticks;
    if (track->blocks < 2 || span <= 0)
        return 0;
    return (double)units->ticks / (double)span * (double)(track->blocks - 1) /
           (double)track->blocks;
}

static sci_media_track *told_of(sci_media *media, const sci_mkv_track *track)
{
    sci_media_track *told = track->stream < 0 ? NULL : &media->tracks[track->stream];
    return told && told->played ? told : NULL;
}

/* Sound goes on as it began; the picture is what is left. */
static void tell_tracks(const sci_mkv *mkv, sci_media *media, const struct units *units)
{
    double left = (double)units->bytes, pictures = 0;
    for (int i = 0; i < mkv->track_count; i++) {
        const sci_mkv_track *track = &mkv->tracks[i];
        sci_media_track *told = told_of(media, track);
        if (!told)
            continue;
        double more = times_more(track, units);
        told->told.set = true;
        told->told.source = SC_SOURCE_ESTIMATED;
        told->told.packets = more > 0 ? llrint(more * (double)track->frames) : SC_UNKNOWN;
        told->told.bytes = more > 0 ? llrint(more * (double)track->bytes) : SC_UNKNOWN;
        if (told->kind == SC_TRACK_VIDEO)
            pictures += (double)track->bytes;
        else if (more > 0)
            left -= more * (double)track->bytes;
    }
    for (int i = 0; i < mkv->track_count; i++) {
        const sci_mkv_track *track = &mkv->tracks[i];
        sci_media_track *told = told_of(media, track);
        if (told && told->kind == SC_TRACK_VIDEO)
            told->told.bytes = left > 0 && pictures > 0
                                   ? llrint(left * ((double)track->bytes / pictures))
                                   : SC_UNKNOWN;
    }
    media->tracks[units->stream].told.packets = (int64_t)units->packets.count;
}

static void note(sci_media *media, const struct units *units, size_t count)
{
    sci_finding_add(&media->findings, "clusters", SC_SEVERITY_NOTE,
                    "figures are from the positions of %zu clusters, since reading the header of "
                    "every frame takes long here; how bytes are spread within one is not known, "
                    "those of each track are estimates; --exact reads all headers",
                    count);
    if (!units->cut)
        return;
    media->flags |= SC_CLIP_TRUNCATED;
    sci_finding_add(&media->findings, "truncated", SC_SEVERITY_WARNING,
                    "the file ends before its segment does: an unfinished copy or recording; "
                    "figures are of the part that is there");
}

static bool find_units(sci_mkv *mkv, sci_media *media, const sci_mkv_track *track,
                       struct cues *cues, struct units *units)
{
    size_t count;
    sci_packet *blocks = copy_blocks(media, track, &count);
    bool found = blocks && count > 1 && read_all(mkv, media, track->number, cues);
    if (found) {
        keep_head(media, track, &blocks[0]);
        units->groups = names_all_groups(cues, blocks, count);
        found = begin_at_first_block(cues, mkv, &blocks[0]);
        units->frame_ns = frame_duration(media, mkv, track, blocks, count);
    }
    free(blocks);
    return found && units->frame_ns > 0 && add_units(units, cues);
}

bool sci_mkv_read_cues(sci_mkv *mkv, sci_media *media)
{
    const sci_mkv_track *track = main_track(mkv, media);
    struct cues cues = {0};
    struct units units = {
        .mkv = mkv, .stream = track ? track->stream : -1, .packets = {.file = &media->file}};
    bool found = track && mkv->duration_s > 0 && mkv->duration_s < 1e9 &&
                 find_units(mkv, media, track, &cues, &units);
    if (found) {
        tell_tracks(mkv, media, &units);
        free(media->packets.items);
        media->packets = units.packets;
        media->source = SC_SOURCE_CLUSTERS;
        note(media, &units, cues.count);
    } else {
        free(units.packets.items);
    }
    free(cues.items);
    return found;
}
