/* The moov box: what it says of the tracks, and what the demuxer gets to see of it. */
#include "probe/movie.h"

#include <libavutil/intreadwrite.h>

enum { TRACKS_MAX = 4096 };

/* ---- tables ---- */

/* Rows behind `head` bytes, of which the box promises AV_RB32(body + at_count). */
static sci_rows rows_of(const sci_box *box, size_t at_count, size_t row_bits)
{
    const size_t size = sci_box_size(box), head = at_count + 4;
    if (size < head)
        return (sci_rows){NULL, 0};
    const uint64_t there = (uint64_t)(size - head) * 8 / row_bits;
    const uint32_t promised = AV_RB32(box->body + at_count);
    return (sci_rows){box->body + head, promised < there ? promised : (uint32_t)there};
}

static void parse_sizes(sci_movie_track *track, const sci_box *box)
{
    if (sci_box_size(box) < 12)
        return;
    const bool compact = sci_box_is(box, "stz2");
    track->size_bits = compact ? box->body[7] : 32;
    track->constant_bytes = compact ? 0 : AV_RB32(box->body + 4);
    track->samples = AV_RB32(box->body + 8);
    if (track->size_bits != 4 && track->size_bits != 8 && track->size_bits != 16)
        track->size_bits = 32;
    track->sizes = rows_of(box, 8, track->size_bits);
    if (!track->constant_bytes)
        track->samples = track->sizes.count;
}

static void parse_chunks(sci_movie_track *track, const sci_box *box)
{
    track->chunk_bytes = sci_box_is(box, "co64") ? 8 : 4;
    track->chunks = rows_of(box, 4, 8 * (size_t)track->chunk_bytes);
}

static void parse_keys(sci_movie_track *track, const sci_box *box)
{
    track->has_keys = true;
    track->keys = rows_of(box, 4, 32);
}

/* Samples at which a player can begin although they are no sync samples (open groups). */
static void parse_groups(sci_movie_track *track, const sci_box *box)
{
    if (sci_box_size(box) >= 12 && memcmp(box->body + 4, "rap ", 4) == 0)
        track->random_access = rows_of(box, box->body[0] == 1 ? 12 : 8, 64);
}

static void parse_table(sci_movie_track *track, const sci_box *box)
{
    if (sci_box_is(box, "stts"))
        track->times = rows_of(box, 4, 64);
    else if (sci_box_is(box, "ctts"))
        track->offsets_of_time = rows_of(box, 4, 64);
    else if (sci_box_is(box, "stsc"))
        track->runs = rows_of(box, 4, 96);
    else if (sci_box_is(box, "stsz") || sci_box_is(box, "stz2"))
        parse_sizes(track, box);
    else if (sci_box_is(box, "stco") || sci_box_is(box, "co64"))
        parse_chunks(track, box);
    else if (sci_box_is(box, "stss"))
        parse_keys(track, box);
    else if (sci_box_is(box, "stps"))
        track->partial_keys = rows_of(box, 4, 32);
    else if (sci_box_is(box, "sbgp"))
        parse_groups(track, box);
}

/* ---- descriptions ---- */

/* The first sample description tells in which of the data references the media lies. */
static uint16_t reference_of(sci_movie_track *track, const sci_box *table, const sci_box *handler)
{
    sci_box entry;
    if (sci_box_size(table) < 8)
        return 0;
    sci_boxes entries = {table->body + 8, table->end};
    if (AV_RB32(table->body + 4) == 0 || !sci_boxes_next(&entries, &entry) ||
        sci_box_size(&entry) < 8)
        return 0;
    track->described = true;
    const bool sound = sci_box_size(handler) >= 12 && memcmp(handler->body + 8, "soun", 4) == 0;
    /* In version 1 of the table, which ISO/IEC 14496-12 added, version 1 is another one. */
    if (sound && table->body[0] == 0 && sci_box_size(&entry) >= 44 &&
        AV_RB16(entry.body + 8) == 1) {
        track->samples_a_frame = AV_RB32(entry.body + 28);
        track->bytes_a_frame = AV_RB32(entry.body + 36);
    }
    return AV_RB16(entry.body + 6);
}

/* Bit 0 of a data reference says that the media lies in the same file. One that says otherwise and
   names no other file means this one too. */
static bool lies_elsewhere(const sci_box *references, uint16_t wanted)
{
    sci_box entry;
    if (sci_box_size(references) < 8)
        return false;
    sci_boxes entries = {references->body + 8, references->end};
    for (uint16_t i = 1; sci_boxes_next(&entries, &entry); i++) {
        if (i < wanted)
            continue;
        const size_t size = sci_box_size(&entry);
        return size > 4 && !(entry.body[3] & 1) && !(size == 5 && entry.body[4] == 0);
    }
    return false;
}

/* ---- time ---- */

/* Where the fields begin that follow creation and modification times; 0 when it is too short. */
static size_t after_dates(const sci_box *box, size_t need)
{
    const size_t at = sci_box_size(box) > 0 && box->body[0] == 1 ? 20 : 12;
    return sci_box_size(box) >= at + need ? at : 0;
}

static uint32_t ticks_per_s_of(const sci_box *header)
{
    size_t at = after_dates(header, 4);
    return at ? AV_RB32(header->body + at) : 0;
}

struct edit {
    int64_t duration, time; /* of the movie; of the media, -1: nothing is played */
};

static struct edit edit_at(const sci_box *list, size_t i)
{
    const bool wide = list->body[0] == 1;
    const uint8_t *row = list->body + 8 + i * (wide ? 20 : 12);
    return wide ? (struct edit){(int64_t)AV_RB64(row), (int64_t)AV_RB64(row + 8)}
                : (struct edit){AV_RB32(row), (int32_t)AV_RB32(row + 4)};
}

static size_t edit_count(const sci_box *list)
{
    return sci_box_size(list) < 8 ? 0 : rows_of(list, 4, list->body[0] == 1 ? 160 : 96).count;
}

/* An edit list delays a track and skips the start of its media. Further edits change the order in
   which it plays, not what is stored. */
static int64_t edit_ticks(const sci_movie *movie, const sci_movie_track *track, const sci_box *list)
{
    const int64_t most = (int64_t)1 << 48;
    const size_t count = edit_count(list);
    struct edit first = count ? edit_at(list, 0) : (struct edit){0, 0};
    int64_t delay = 0, start = first.time;
    if (first.time == -1) {
        if (movie->ticks_per_s && first.duration >= 0 && first.duration < most)
            delay = av_rescale(first.duration, track->ticks_per_s, movie->ticks_per_s);
        start = count > 1 ? edit_at(list, 1).time : 0;
    }
    if (start < 0 || start > most)
        start = 0;
    return (delay < most ? delay : most) - start;
}

/* ---- boxes ---- */

/* What the demuxer needs to know of codecs and tracks. */
static bool is_shown(const sci_box *box)
{
    static const char shown[][5] = {"mvhd", "trak", "udta", "meta", "tkhd", "mdia", "mdhd", "hdlr",
                                    "minf", "vmhd", "smhd", "gmhd", "nmhd", "stbl", "stsd"};
    for (size_t i = 0; i < SCI_COUNT(shown); i++)
        if (sci_box_is(box, shown[i]))
            return true;
    return false;
}

static void hide_others(const sci_box *parent)
{
    sci_boxes children = sci_box_children(parent);
    sci_box box;
    while (sci_boxes_next(&children, &box))
        if (!is_shown(&box))
            memcpy(box.type, "free", 4);
}

static void parse_samples(sci_movie_track *track, const sci_box *information,
                          const sci_box *handler)
{
    sci_box data = {0}, references = {0}, samples, box;
    uint16_t reference = 0;
    if (sci_box_find(information, "dinf", &data))
        sci_box_find(&data, "dref", &references);
    hide_others(information);
    if (!sci_box_find(information, "stbl", &samples))
        return;
    sci_boxes tables = sci_box_children(&samples);
    while (sci_boxes_next(&tables, &box)) {
        parse_table(track, &box);
        if (sci_box_is(&box, "stsd"))
            reference = reference_of(track, &box, handler);
    }
    hide_others(&samples);
    track->elsewhere = references.body && lies_elsewhere(&references, reference);
}

static void parse_media(sci_movie_track *track, const sci_box *media)
{
    sci_box handler, information, header;
    sci_box_find(media, "hdlr", &handler);
    if (sci_box_find(media, "mdhd", &header))
        track->ticks_per_s = ticks_per_s_of(&header);
    if (sci_box_find(media, "minf", &information))
        parse_samples(track, &information, &handler);
    hide_others(media);
}

static void parse_track(sci_movie *movie, sci_movie_track *track, const sci_box *box)
{
    sci_box header, media, edits, list;
    if (sci_box_find(box, "tkhd", &header)) {
        size_t at = after_dates(&header, 4);
        track->id = at ? AV_RB32(header.body + at) : 0;
    }
    if (sci_box_find(box, "mdia", &media))
        parse_media(track, &media);
    if (sci_box_find(box, "edts", &edits) && sci_box_find(&edits, "elst", &list))
        track->edit_ticks = edit_ticks(movie, track, &list);
    hide_others(box);
    /* For one of these the demuxer refuses the whole file. */
    if (!track->described) {
        memcpy(box->type, "free", 4);
        movie->undescribed++;
    }
}

static void parse_defaults(sci_movie *movie, const sci_box *extends)
{
    sci_boxes children = sci_box_children(extends);
    sci_box box;
    for (size_t n = 0; n < TRACKS_MAX && sci_boxes_next(&children, &box); n++) {
        if (!sci_box_is(&box, "trex") || sci_box_size(&box) < 24)
            continue;
        for (size_t i = 0; i < movie->track_count; i++) {
            sci_movie_track *track = &movie->tracks[i];
            if (track->id != AV_RB32(box.body + 4))
                continue;
            track->fragment_duration = AV_RB32(box.body + 12);
            track->fragment_bytes = AV_RB32(box.body + 16);
            track->fragment_flags = AV_RB32(box.body + 20);
        }
    }
}

static size_t count_tracks(const sci_box *moov)
{
    sci_boxes children = sci_box_children(moov);
    sci_box box;
    size_t count = 0;
    while (sci_boxes_next(&children, &box))
        count += sci_box_is(&box, "trak");
    return count;
}

bool sci_movie_parse(sci_movie *movie, sci_arena *arena)
{
    sci_box moov = {.body = movie->moov + 8, .end = movie->bytes + movie->size}, box;
    const size_t count = count_tracks(&moov);
    /* A compressed one (cmov) has none. */
    if (count == 0 || count > TRACKS_MAX)
        return false;
    movie->tracks = sci_arena_alloc(arena, count, sizeof *movie->tracks);
    if (!movie->tracks)
        return false;
    if (sci_box_find(&moov, "mvhd", &box))
        movie->ticks_per_s = ticks_per_s_of(&box);
    sci_boxes children = sci_box_children(&moov);
    while (sci_boxes_next(&children, &box))
        if (sci_box_is(&box, "trak"))
            parse_track(movie, &movie->tracks[movie->track_count++], &box);
    movie->fragmented = sci_box_find(&moov, "mvex", &box);
    if (movie->fragmented)
        parse_defaults(movie, &box);
    hide_others(&moov);
    return true;
}
