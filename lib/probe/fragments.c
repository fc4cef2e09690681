/* Fragments of a movie: ISO/IEC 14496-12, 8.8. One small read each: a moof box lists its samples, and
   behind it begins the box that says where the next one is. */
#include "probe/movie.h"

#include <libavutil/intreadwrite.h>
#include <stdlib.h>

enum {
    AHEAD_BYTES = 4096, /* read at the start of a fragment, or as much as the last one needed */
    AHEAD_BYTES_MAX = 128 * 1024,
    FRAGMENT_BYTES_MAX = 64 << 20, /* of a moof box: a million samples have 16 MB */
    SEGMENT_BYTES_MAX = 16 << 20   /* of a sidx box */
};

/* Flags of tfhd, trun and samples. */
enum {
    HAS_BASE = 0x1,
    HAS_DESCRIPTION = 0x2,
    HAS_DURATION = 0x8,
    HAS_SIZE = 0x10,
    HAS_FLAGS = 0x20,
    BASE_IS_MOOF = 0x20000,
    RUN_HAS_OFFSET = 0x1,
    RUN_HAS_FIRST_FLAGS = 0x4,
    RUN_HAS_DURATIONS = 0x100,
    RUN_HAS_SIZES = 0x200,
    RUN_HAS_FLAGS = 0x400,
    RUN_HAS_OFFSETS_OF_TIME = 0x800,
    SAMPLE_IS_NO_SYNC = 0x10000,
    SAMPLE_DEPENDS = 0x1000000
};

struct walk {
    sci_media *media;
    sci_movie *movie;
    uint8_t *bytes; /* of the file from `start` on; malloc'ed */
    size_t size, capacity;
    int64_t start;
    size_t ahead;
    size_t fragments, damaged;
    int64_t cut_at;    /* where a fragment is cut off by the end of the file; 0: none is */
    size_t last_track; /* of the movie: the next fragment is of it, mostly */
    uint8_t *segments; /* body of a sidx box before the first fragment; malloc'ed, NULL: none */
    size_t segments_size;
    int64_t segments_end; /* where that box ends: what positions in it count from */
};

/* ---- reading ---- */

static bool has(const struct walk *walk, int64_t offset, size_t need)
{
    return offset >= walk->start && (uint64_t)(offset - walk->start) + need <= walk->size;
}

/* `need` bytes at offset, or fewer where the file ends; NULL when reading fails and at a limit. */
static uint8_t *bytes_at(struct walk *walk, int64_t offset, size_t need)
{
    if (has(walk, offset, need))
        return walk->bytes + (offset - walk->start);
    const size_t size = need > walk->ahead ? need : walk->ahead;
    if (size > walk->capacity) {
        uint8_t *bytes = realloc(walk->bytes, size);
        if (!bytes)
            return NULL;
        walk->bytes = bytes;
        walk->capacity = size;
    }
    const int64_t got = sci_file_read_at(&walk->media->file, offset, walk->bytes, size);
    walk->start = offset;
    walk->size = got > 0 ? (size_t)got : 0;
    return got < 0 ? NULL : walk->bytes;
}

static size_t bytes_left(const struct walk *walk, int64_t offset)
{
    return walk->size - (size_t)(offset - walk->start);
}

/* ---- one fragment ---- */

struct run_state {
    sci_movie_track *track;
    uint32_t duration, bytes, flags; /* of samples that do not say */
    int64_t base;                    /* what offsets of data count from */
    int64_t data;                    /* where the next data begins */
};

static sci_movie_track *track_of(struct walk *walk, uint32_t id)
{
    sci_movie *movie = walk->movie;
    for (size_t i = 0; i < movie->track_count; i++) {
        const size_t k = (walk->last_track + i) % movie->track_count;
        if (movie->tracks[k].id == id) {
            walk->last_track = k;
            return &movie->tracks[k];
        }
    }
    return NULL;
}

/* Fields of a box, one after the other. */
struct fields {
    const uint8_t *at, *end;
};

static uint32_t take_32(struct fields *fields)
{
    if (fields->end - fields->at < 4)
        return 0;
    fields->at += 4;
    return AV_RB32(fields->at - 4);
}

static uint64_t take_64(struct fields *fields)
{
    const uint64_t high = take_32(fields);
    return high << 32 | take_32(fields);
}

static uint32_t take_if(struct fields *fields, uint32_t present, uint32_t otherwise)
{
    return present ? take_32(fields) : otherwise;
}

/* Without a base of its own the data of a track follows that of the track before it. */
static bool begin_track(struct walk *walk, const sci_box *header, int64_t moof,
                        struct run_state *state)
{
    struct fields fields = {header->body, header->end};
    const uint32_t flags = take_32(&fields) & 0xFFFFFF;
    state->track = track_of(walk, take_32(&fields));
    if (!state->track)
        return false;
    state->base = flags & BASE_IS_MOOF ? moof : state->data;
    if (flags & HAS_BASE) {
        const uint64_t base = take_64(&fields);
        state->base = base < INT64_MAX / 2 ? (int64_t)base : 0;
    }
    if (flags & HAS_DESCRIPTION)
        take_32(&fields);
    state->duration = take_if(&fields, flags & HAS_DURATION, state->track->fragment_duration);
    state->bytes = take_if(&fields, flags & HAS_SIZE, state->track->fragment_bytes);
    state->flags = take_if(&fields, flags & HAS_FLAGS, state->track->fragment_flags);
    state->data = state->base;
    return true;
}

static void set_time(const sci_box *box, sci_movie_track *track)
{
    struct fields fields = {box->body, box->end};
    const bool wide = take_32(&fields) >> 24 == 1;
    const uint64_t time = wide ? take_64(&fields) : take_32(&fields);
    if (time < INT64_MAX / 4)
        track->end = (int64_t)time;
}

static sc_status add_sample(struct walk *walk, struct run_state *state, struct fields *fields,
                            uint32_t run_flags, uint32_t otherwise)
{
    sci_movie_track *track = state->track;
    const uint32_t duration = take_if(fields, run_flags & RUN_HAS_DURATIONS, state->duration);
    const uint32_t bytes = take_if(fields, run_flags & RUN_HAS_SIZES, state->bytes);
    const uint32_t flags = take_if(fields, run_flags & RUN_HAS_FLAGS, otherwise);
    take_if(fields, run_flags & RUN_HAS_OFFSETS_OF_TIME, 0);
    const sci_packet packet = {.pos = state->data,
                               .time = track->end + track->edit_ticks,
                               .bytes = bytes <= INT32_MAX ? (int32_t)bytes : INT32_MAX,
                               .duration = duration <= INT32_MAX ? (int32_t)duration : 0,
                               .track = track->stream,
                               .key = !(flags & (SAMPLE_IS_NO_SYNC | SAMPLE_DEPENDS)) ||
                                      walk->media->tracks[track->stream].kind == SC_TRACK_AUDIO};
    track->end += packet.duration;
    state->data += packet.bytes;
    if (!walk->media->tracks[track->stream].played)
        return SC_OK;
    /* Of the last fragment of an unfinished recording what is there counts. */
    if (state->data > walk->media->file.size_bytes && !track->elsewhere) {
        walk->cut_at = packet.pos;
        return SC_OK;
    }
    return sci_packets_add(&walk->media->packets, packet);
}

static uint32_t row_bytes(uint32_t flags)
{
    return 4U * (!!(flags & RUN_HAS_DURATIONS) + !!(flags & RUN_HAS_SIZES) +
                 !!(flags & RUN_HAS_FLAGS) + !!(flags & RUN_HAS_OFFSETS_OF_TIME));
}

/* Where samples have no rows their count is all that there is: then the file has to hold them. */
static bool can_be(const struct walk *walk, const struct run_state *state, uint32_t flags,
                   uint32_t samples, const struct fields *fields)
{
    const uint64_t left = (uint64_t)(fields->end - fields->at);
    const uint32_t row = row_bytes(flags);
    if (row > 0)
        return (uint64_t)samples * row <= left;
    return samples <= (uint64_t)walk->media->file.size_bytes / (state->bytes ? state->bytes : 1024);
}

static sc_status add_run(struct walk *walk, const sci_box *box, struct run_state *state)
{
    struct fields fields = {box->body, box->end};
    const uint32_t flags = take_32(&fields) & 0xFFFFFF;
    const uint32_t samples = take_32(&fields);
    sc_status status = SC_OK;
    if (flags & RUN_HAS_OFFSET)
        state->data = state->base + (int32_t)take_32(&fields);
    const uint32_t first = take_if(&fields, flags & RUN_HAS_FIRST_FLAGS, state->flags);
    if (state->data < 0 || !can_be(walk, state, flags, samples, &fields))
        return SC_INVALID_DATA;
    for (uint32_t i = 0; i < samples && status == SC_OK; i++) {
        if ((i & 0xFFFF) == 0xFFFF && sci_file_give_up(&walk->media->file))
            return SC_CANCELLED;
        status = add_sample(walk, state, &fields, flags, i == 0 ? first : state->flags);
    }
    return status;
}

static sc_status add_track(struct walk *walk, const sci_box *traf, int64_t moof,
                           struct run_state *state)
{
    sci_boxes children = sci_box_children(traf);
    sci_box box;
    sc_status status = SC_OK;
    if (!sci_box_find(traf, "tfhd", &box) || !begin_track(walk, &box, moof, state) ||
        state->track->stream < 0)
        return SC_OK;
    while (status == SC_OK && sci_boxes_next(&children, &box))
        if (sci_box_is(&box, "tfdt"))
            set_time(&box, state->track);
        else if (sci_box_is(&box, "trun"))
            status = add_run(walk, &box, state);
    return status;
}

/* SC_INVALID_DATA: a damaged one; the walk goes on behind it. */
static sc_status add_fragment(struct walk *walk, const sci_file_box *box, uint8_t *bytes)
{
    sci_boxes children = {bytes + box->header_bytes, bytes + box->bytes};
    struct run_state state = {.data = box->offset};
    sci_box child;
    sc_status status = SC_OK;
    while (status == SC_OK && sci_boxes_next(&children, &child))
        if (sci_box_is(&child, "traf"))
            status = add_track(walk, &child, box->offset, &state);
    walk->fragments++;
    return status;
}

/* ---- from fragment to fragment ---- */

static void look_ahead(struct walk *walk, int64_t bytes)
{
    const int64_t wanted = bytes + 64;
    walk->ahead = wanted < AHEAD_BYTES       ? AHEAD_BYTES
                  : wanted < AHEAD_BYTES_MAX ? (size_t)wanted
                                             : AHEAD_BYTES_MAX;
}

static sc_status take_fragment(struct walk *walk, const sci_file_box *box)
{
    if (box->bytes > FRAGMENT_BYTES_MAX)
        return SC_INVALID_DATA;
    uint8_t *bytes = bytes_at(walk, box->offset, (size_t)box->bytes);
    if (!bytes)
        return SC_LIMIT;
    look_ahead(walk, box->bytes);
    if (bytes_left(walk, box->offset) < (size_t)box->bytes) {
        walk->cut_at = box->offset;
        return SC_OK;
    }
    return add_fragment(walk, box, bytes);
}

/* There is no reading at a limit: what may be needed then is kept. */
static void keep_segments(struct walk *walk, const sci_file_box *box)
{
    if (box->bytes > SEGMENT_BYTES_MAX)
        return;
    const uint8_t *bytes = bytes_at(walk, box->offset, (size_t)box->bytes);
    if (!bytes || bytes_left(walk, box->offset) < (size_t)box->bytes)
        return;
    walk->segments_size = (size_t)(box->bytes - box->header_bytes);
    walk->segments = malloc(walk->segments_size + 1);
    if (walk->segments)
        memcpy(walk->segments, bytes + box->header_bytes, walk->segments_size);
    walk->segments_end = box->offset + box->bytes;
}

/* SC_LIMIT: a limit, or a read that failed, ended the walk. */
static sc_status walk_boxes(struct walk *walk)
{
    sci_file *file = &walk->media->file;
    int64_t offset = walk->movie->box.offset + walk->movie->box.bytes;
    while (offset < file->size_bytes && !walk->cut_at) {
        sci_file_box box;
        if (sci_file_give_up(file))
            return SC_LIMIT;
        uint8_t *bytes = bytes_at(walk, offset, SCI_BOX_HEADER_BYTES);
        if (!bytes)
            return SC_LIMIT;
        if (!sci_file_box_parse(file, offset, bytes, bytes_left(walk, offset), &box)) {
            walk->cut_at = offset;
            break;
        }
        if (sci_file_box_is(&box, "moof")) {
            sc_status status = take_fragment(walk, &box);
            walk->damaged += status == SC_INVALID_DATA;
            if (status != SC_OK && status != SC_INVALID_DATA)
                return status;
        } else if (sci_file_box_is(&box, "sidx") && !walk->fragments && !walk->segments) {
            keep_segments(walk, &box);
        }
        offset += box.bytes;
    }
    return SC_OK;
}

static void note_cut(struct walk *walk)
{
    sci_media *media = walk->media;
    media->flags |= SC_CLIP_TRUNCATED;
    sci_finding_add(&media->findings, "truncated", SC_SEVERITY_WARNING,
                    "fragment %zu is cut off by the end of the file, at byte %lld: an unfinished "
                    "recording or copy; figures are of what is there",
                    walk->fragments, (long long)walk->cut_at);
}

static void note_damaged(struct walk *walk)
{
    walk->media->flags |= SC_CLIP_PARTIAL_INDEX;
    sci_finding_add(&walk->media->findings, "damaged-fragments", SC_SEVERITY_WARNING,
                    "%zu of %zu fragments are damaged and left out", walk->damaged,
                    walk->fragments);
}

/* ---- what a segment index tells when not every fragment could be looked at ---- */

struct segments {
    sci_movie_track *track;
    uint32_t ticks_per_s;
    int64_t time, position;
    uint32_t count;
    struct fields rows;
};

static bool read_segments(struct walk *walk, struct segments *segments)
{
    struct fields fields = {walk->segments, walk->segments + walk->segments_size};
    const bool wide = take_32(&fields) >> 24 > 0;
    segments->track = track_of(walk, take_32(&fields));
    segments->ticks_per_s = take_32(&fields);
    const uint64_t time = wide ? take_64(&fields) : take_32(&fields);
    const uint64_t offset = wide ? take_64(&fields) : take_32(&fields);
    segments->count = take_32(&fields) & 0xFFFF;
    segments->rows = fields;
    segments->time = (int64_t)time;
    segments->position = walk->segments_end + (int64_t)offset;
    return time < INT64_MAX / 4 && offset < INT64_MAX / 4 && segments->ticks_per_s > 0 &&
           segments->track && segments->track->stream >= 0 && segments->track->ticks_per_s > 0 &&
           (uint64_t)(fields.end - fields.at) >= 12 * (uint64_t)segments->count;
}

/* How long a frame lasts, by the fragments that were looked at; 0: not known. */
static int64_t frame_ticks(const struct walk *walk, const sci_movie_track *track)
{
    const sci_packets *packets = &walk->media->packets;
    for (size_t i = 0; i < packets->count; i++)
        if (packets->items[i].track == track->stream && packets->items[i].duration > 0)
            return packets->items[i].duration;
    return track->fragment_duration;
}

/* One packet a frame, each with its share: where frames begin in a segment is not told. */
static sc_status add_segment(struct walk *walk, const struct segments *segments, uint32_t bytes,
                             int64_t ticks, int64_t step)
{
    const sci_movie_track *track = segments->track;
    const int64_t frames = step > 0 && ticks > step ? (ticks + step / 2) / step : 1;
    const int64_t start = av_rescale(segments->time, track->ticks_per_s, segments->ticks_per_s);
    sc_status status = SC_OK;
    for (int64_t k = 0, given = 0; k < frames && status == SC_OK; k++) {
        const int64_t until = av_rescale(bytes, k + 1, frames);
        status = sci_packets_add(&walk->media->packets,
                                 (sci_packet){.pos = segments->position + given,
                                              .time = start + av_rescale(ticks, k, frames),
                                              .bytes = (int32_t)(until - given),
                                              .track = track->stream});
        given = until;
    }
    return status;
}

/* False where a segment is an index of others. */
static bool add_segments(struct walk *walk, struct segments *segments)
{
    const int64_t step = frame_ticks(walk, segments->track);
    for (uint32_t i = 0; i < segments->count; i++) {
        const uint32_t bytes = take_32(&segments->rows), ticks = take_32(&segments->rows);
        take_32(&segments->rows);
        const int64_t length = av_rescale(ticks, segments->track->ticks_per_s,
                                          segments->ticks_per_s);
        if (bytes >> 31 || add_segment(walk, segments, bytes, length, step) != SC_OK)
            return false;
        segments->position += bytes;
        segments->time += ticks;
    }
    return segments->count > 0;
}

/* Segments are units that hold all tracks. */
static void tell_of_units(sci_media *media)
{
    for (size_t i = 0; i < media->track_count; i++) {
        media->tracks[i].told.set = media->tracks[i].played;
        media->tracks[i].told.packets = media->tracks[i].told.bytes = SC_UNKNOWN;
        media->tracks[i].told.source = SC_SOURCE_CLUSTERS;
    }
}

static bool use_segments(struct walk *walk, size_t samples_before)
{
    sci_packets *packets = &walk->media->packets;
    const size_t walked = packets->count;
    struct segments segments;
    if (!walk->segments || samples_before || !read_segments(walk, &segments))
        return false;
    if (!add_segments(walk, &segments)) {
        packets->count = walked;
        return false;
    }
    packets->count -= walked;
    memmove(packets->items, packets->items + walked, packets->count * sizeof *packets->items);
    tell_of_units(walk->media);
    return true;
}

static sc_status note_limit(struct walk *walk, size_t samples_before)
{
    sci_media *media = walk->media;
    const size_t looked_at = walk->fragments;
    char limit[SCI_LIMIT_TEXT];
    sci_file_limit(&media->file, limit);
    media->flags |= SC_CLIP_LIMITED;
    if (use_segments(walk, samples_before)) {
        media->source = SC_SOURCE_CLUSTERS;
        sci_finding_add(
            &media->findings, "limited", SC_SEVERITY_WARNING,
            "%s ended the reading of the fragments after %zu: "
            "figures are by the segment index (sidx), and the frames within a segment are "
            "taken to be even",
            limit, looked_at);
        return SC_OK;
    }
    media->flags |= SC_CLIP_SAMPLED;
    media->source = SC_SOURCE_SAMPLED;
    sci_finding_add(&media->findings, "limited", SC_SEVERITY_WARNING,
                    "%s ended the reading of the fragments: all figures are "
                    "of the first %zu of them, in %lld of %lld bytes",
                    limit, looked_at, (long long)walk->start, (long long)media->file.size_bytes);
    return SC_OK;
}

/* ---- all of it ---- */

static sc_status fail(const sci_media *media, sc_status status, sc_error *error)
{
    if (media->file.os_errno)
        return sci_fail(error, SC_IO, media->file.os_errno, "probe.index", media->file.path,
                        "reading the fragments failed");
    return sci_fail(error, status, 0, "probe.index", media->file.path,
                    status == SC_CANCELLED ? "cancelled"
                    : status == SC_LIMIT   ? "more samples than are kept"
                                           : "out of memory");
}

static sc_status finish(struct walk *walk, sc_status status, size_t samples_before, sc_error *error)
{
    sci_media *media = walk->media;
    const sci_file *file = &media->file;
    if (file->cancelled)
        return fail(media, SC_CANCELLED, error);
    if (status != SC_OK && (!file->limited || media->packets.count >= SCI_PACKETS_MAX))
        return fail(media, status, error);
    if (walk->damaged)
        note_damaged(walk);
    if (walk->cut_at)
        note_cut(walk);
    return status == SC_OK ? SC_OK : note_limit(walk, samples_before);
}

sc_status sci_movie_fragments(sci_media *media, sc_error *error)
{
    struct walk walk = {.media = media, .movie = media->movie, .ahead = AHEAD_BYTES};
    const size_t samples_before = media->packets.count;
    sci_file_expect_jumps(&media->file);
    sc_status status = finish(&walk, walk_boxes(&walk), samples_before, error);
    free(walk.bytes);
    free(walk.segments);
    return status;
}
