/* AVI without an index that can be relied on: from chunk to chunk. */
#include "probe/avi.h"

#include <libavutil/intreadwrite.h>

enum { WINDOW_BYTES = 64 };

struct walk {
    sci_media *media;
    sci_window window;
    int64_t offset;
    int64_t riff_end; /* of the RIFF that it is in, as that says; 0: it does not say */
    bool ended, damaged, cut;
    sc_status status;
};

static void take_chunk(struct walk *walk, const uint8_t *header)
{
    sci_media *media = walk->media;
    const int64_t pos = walk->offset + SCI_CHUNK_HEADER_BYTES, bytes = AV_RL32(header + 4);
    const int64_t left = media->file.size_bytes - pos;
    const int stream = sci_avi_stream_of(media->avi, header);
    walk->cut = bytes > left;
    if (stream >= 0)
        walk->status = sci_avi_add(media, stream, pos, bytes < left ? bytes : left, false);
    walk->offset = pos + sci_avi_even(bytes);
}

static bool all_zero(const uint8_t *bytes, int64_t count)
{
    while (count > 0 && bytes[count - 1] == 0)
        count--;
    return count == 0;
}

/* From here to the end, by all that can be seen without reading it. */
static bool ends_in_zeros(struct walk *walk)
{
    uint8_t bytes[SCI_WINDOW_BYTES];
    sci_file *file = &walk->media->file;
    const int64_t left = file->size_bytes - walk->offset;
    const int64_t count = left < (int64_t)sizeof bytes ? left : (int64_t)sizeof bytes;
    const int64_t starts[] = {walk->offset, file->size_bytes - count};
    for (size_t i = 0; i < SCI_COUNT(starts); i++)
        if (sci_file_read_at(file, starts[i], bytes, (size_t)count) != count ||
            !all_zero(bytes, count))
            return false;
    return true;
}

/* Space that was reserved for more, something of another program's behind the end, or damage. */
static void take_other(struct walk *walk)
{
    const bool behind = walk->riff_end && walk->offset >= walk->riff_end;
    if (ends_in_zeros(walk)) {
        walk->ended = true;
        walk->cut = !behind;
    } else if (behind)
        walk->ended = true;
    else
        walk->damaged = true;
}

static void enter(struct walk *walk, const uint8_t *header)
{
    const uint32_t bytes = AV_RL32(header + 4);
    if (sci_avi_is(header, "RIFF"))
        walk->riff_end = bytes ? walk->offset + SCI_CHUNK_HEADER_BYTES + bytes : 0;
    walk->offset += SCI_LIST_HEADER_BYTES;
}

static void step(struct walk *walk)
{
    const uint8_t *header = sci_window_at(&walk->window, walk->offset, SCI_CHUNK_HEADER_BYTES);
    if (!header)
        walk->damaged = true;
    else if (!sci_avi_is_name(header))
        take_other(walk);
    else if (sci_avi_is(header, "RIFF") || sci_avi_is(header, "LIST"))
        enter(walk, header);
    else
        take_chunk(walk, header);
}

static void note_end(struct walk *walk)
{
    sci_media *media = walk->media;
    media->flags |= SC_CLIP_NO_INDEX;
    if (!walk->cut && walk->riff_end <= media->file.size_bytes) {
        sci_finding_add(&media->findings, "no-index", SC_SEVERITY_NOTE,
                        "no index that can be relied on: the header of every chunk was read%s",
                        walk->riff_end ? ""
                                       : "; the file's own was never completed, as by a recording "
                                         "that was broken off, or one into a pipe");
        return;
    }
    media->flags |= SC_CLIP_TRUNCATED;
    sci_finding_add(&media->findings, "truncated", SC_SEVERITY_WARNING,
                    "its media end before its header says so, or in zeros: an unfinished copy or "
                    "recording; figures are of the part that is there");
}

/* The demuxer looks for what comes behind the damage. */
static void note_damage(struct walk *walk)
{
    sci_avi_rewind(walk->media);
    sci_finding_add(&walk->media->findings, "damaged", SC_SEVERITY_WARNING,
                    "there is no chunk where one should begin (byte %lld): the file was read, and "
                    "what lies between damage and the next chunk is not in the figures",
                    (long long)walk->offset);
}

static sc_status finish(struct walk *walk)
{
    sci_media *media = walk->media;
    if (walk->status != SC_OK)
        return walk->status;
    if (media->file.cancelled)
        return SC_CANCELLED;
    if (media->file.limited)
        return media->packets.count ? sci_media_note_limit(media) : SC_OK;
    if (media->file.os_errno)
        sci_media_note_unreadable(media, AVERROR(media->file.os_errno));
    else if (walk->damaged)
        note_damage(walk);
    else
        note_end(walk);
    return SC_OK;
}

static sc_status collect(sci_media *media, sc_error *error)
{
    struct walk walk = {
        .media = media, .offset = media->avi->movi, .riff_end = media->avi->riff_end};
    sci_file_expect_jumps(&media->file);
    sci_window_open(&walk.window, &media->file, WINDOW_BYTES);
    while (walk.status == SC_OK && !walk.damaged && !walk.ended &&
           media->file.size_bytes - walk.offset >= SCI_CHUNK_HEADER_BYTES)
        step(&walk);
    const sc_status status = sci_avi_finish(media, finish(&walk), error);
    return status == SC_OK && media->packets.count == 0 ? sci_media_reopen(media, error) : status;
}

static bool check(sci_media *media)
{
    return media->packets.count > 0;
}

const sci_strategy sci_strategy_avi_walk = {.source = SC_SOURCE_HEADER_WALK,
                                            .times_are_the_containers = true,
                                            .positions_are_readable = true,
                                            .finds_only_what_is_there = true,
                                            .matches = sci_avi_matches,
                                            .collect = collect,
                                            .check = check};
