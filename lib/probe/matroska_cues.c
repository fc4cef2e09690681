/* Units from the index of clusters: what lies between two places that the index names, and when it is
   shown. Exact sums; the frames within a unit are taken to be even. */
#include "probe/matroska.h"

#include <stdlib.h>

enum {
    CUE_POINT = 0xBB,
    CUE_TIME = 0xB3,
    CUE_TRACK_POSITIONS = 0xB7,
    CUE_TRACK = 0xF7,
    CUE_CLUSTER_POSITION = 0xF1,
    CUE_RELATIVE_POSITION = 0xF0
};

struct cue {
    int64_t pos, ticks;
};

struct cues {
    struct cue *items; /* malloc'ed */
    size_t count, capacity;
};

/* The positions of one track in a cue point; false when they are another track's. */
static bool read_positions(sci_mkv *mkv, const sci_element *positions, uint64_t number,
                           int64_t *pos)
{
    sci_element child;
    uint64_t track = 0, cluster = UINT64_MAX, relative = 0;
    int64_t at = positions->contents;
    while (sci_ebml_at(&mkv->window, at, positions->end, &child)) {
        if (child.id == CUE_TRACK)
            sci_ebml_unsigned(&mkv->window, &child, &track);
        else if (child.id == CUE_CLUSTER_POSITION)
            sci_ebml_unsigned(&mkv->window, &child, &cluster);
        else if (child.id == CUE_RELATIVE_POSITION)
            sci_ebml_unsigned(&mkv->window, &child, &relative);
        at = child.end;
    }
    const uint64_t room = (uint64_t)(mkv->segment.end - mkv->segment.contents);
    if (track != number || cluster >= room || relative >= room - cluster)
        return false;
    *pos = mkv->segment.contents + (int64_t)(cluster + relative);
    return true;
}

static bool read_point(sci_mkv *mkv, const sci_element *point, uint64_t number, struct cue *cue)
{
    sci_element child;
    uint64_t ticks = UINT64_MAX;
    bool found = false;
    int64_t at = point->contents;
    while (sci_ebml_at(&mkv->window, at, point->end, &child)) {
        if (child.id == CUE_TIME)
            sci_ebml_unsigned(&mkv->window, &child, &ticks);
        else if (child.id == CUE_TRACK_POSITIONS && !found)
            found = read_positions(mkv, &child, number, &cue->pos);
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

static bool read_all(sci_mkv *mkv, sci_media *media, uint64_t number, struct cues *cues)
{
    sci_element element, point;
    struct cue cue = {0};
    mkv->window.ahead = SCI_WINDOW_BYTES;
    if (!sci_ebml_at(&mkv->window, mkv->cues, mkv->segment.end, &element) ||
        element.id != SCI_MKV_CUES || element.cut || element.size_unknown)
        return false;
    int64_t at = element.contents;
    while (sci_ebml_at(&mkv->window, at, element.end, &point)) {
        if (point.id == CUE_POINT && read_point(mkv, &point, number, &cue) && !keep(cues, cue))
            return false;
        if (sci_file_give_up(&media->file))
            return false;
        at = point.end;
    }
    return at == element.end && cues->count > 1;
}

static const sci_mkv_track *main_track(const sci_mkv *mkv, const sci_media *media)
{
    for (int i = 0; i < mkv->track_count; i++)
        if (mkv->tracks[i].stream >= 0 && mkv->tracks[i].frame_ns > 0 &&
            media->tracks[mkv->tracks[i].stream].kind == SC_TRACK_VIDEO)
            return &mkv->tracks[i];
    return NULL;
}

/* One packet a frame of the unit, each with its share. */
static sc_status add_unit(sci_packets *packets, const sci_mkv_track *track, double tick_ns,
                          struct cue from, struct cue to)
{
    const double span_ns = (double)(to.ticks - from.ticks) * tick_ns;
    int64_t frames = (int64_t)(span_ns / (double)track->frame_ns + 0.5);
    const int64_t bytes = to.pos - from.pos;
    if (frames < 1)
        frames = 1;
    if (bytes / frames >= INT32_MAX)
        return SC_LIMIT;
    for (int64_t k = 0; k < frames; k++) {
        int64_t start = av_rescale(bytes, k, frames), end = av_rescale(bytes, k + 1, frames);
        sc_status status = sci_packets_add(
            packets, (sci_packet){.pos = from.pos + start,
                                  .time = from.ticks +
                                          (int64_t)((double)k * span_ns / (double)frames / tick_ns),
                                  .bytes = (int32_t)(end - start),
                                  .track = track->stream,
                                  .key = k == 0});
        if (status != SC_OK)
            return status;
    }
    return SC_OK;
}

static bool add_units(const sci_mkv *mkv, const sci_mkv_track *track, const struct cues *cues,
                      sci_packets *packets)
{
    const struct cue last = cues->items[cues->count - 1];
    const int64_t media_end = mkv->cues > last.pos ? mkv->cues : mkv->segment.end;
    const struct cue end = {media_end, (int64_t)(mkv->duration_s * 1e9 / (double)mkv->tick_ns)};
    for (size_t i = 0; i < cues->count; i++) {
        struct cue next = i + 1 < cues->count ? cues->items[i + 1] : end;
        if (next.ticks <= cues->items[i].ticks || next.pos <= cues->items[i].pos)
            return false;
        if (add_unit(packets, track, (double)mkv->tick_ns, cues->items[i], next) != SC_OK)
            return false;
    }
    return true;
}

static void tell_tracks(const sci_mkv *mkv, sci_media *media, size_t units)
{
    for (int i = 0; i < mkv->track_count; i++)
        if (mkv->tracks[i].stream >= 0 && media->tracks[mkv->tracks[i].stream].played) {
            sci_media_track *track = &media->tracks[mkv->tracks[i].stream];
            track->told.set = true;
            track->told.packets = track->told.bytes = SC_UNKNOWN;
            track->told.source = SC_SOURCE_CLUSTERS;
        }
    sci_finding_add(&media->findings, "clusters", SC_SEVERITY_NOTE,
                    "figures are from the positions of %zu clusters, since reading the header of "
                    "every frame takes long here; how bytes are spread within one is not known; "
                    "--exact reads all headers",
                    units);
}

bool sci_mkv_read_cues(sci_mkv *mkv, sci_media *media)
{
    const sci_mkv_track *track = main_track(mkv, media);
    struct cues cues = {0};
    sci_packets units = {0};
    bool found = track && mkv->duration_s > 0 && mkv->duration_s < 1e9 &&
                 read_all(mkv, media, track->number, &cues) && add_units(mkv, track, &cues, &units);
    if (found) {
        free(media->packets.items);
        media->packets = units;
        media->source = SC_SOURCE_CLUSTERS;
        tell_tracks(mkv, media, cues.count);
    } else {
        free(units.items);
    }
    free(cues.items);
    return found;
}
