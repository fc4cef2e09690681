/* Whether an index of AVI leaves media out: what lies between the chunks that it names. Few bytes do in
   most files; where there are some, their headers say what they are. */
#include "probe/avi.h"

#include <libavutil/intreadwrite.h>

enum {
    WINDOW_BYTES = 64,
    GAPS_LOOKED_AT = 256, /* then only larger ones: gaps that repeat are padding all alike */
    HOPS_MAX = 4096       /* chunks in a gap */
};

struct cover {
    sci_media *media;
    sci_window window;
    size_t next[SCI_AVI_STREAMS_MAX]; /* packet of each stream */
    int64_t at;                       /* where what was seen so far ends */
    int64_t begin;                    /* where the contents of the last chunk begin */
    int64_t largest;                  /* of the gaps that were looked at */
    size_t gaps;
};

/* From `start` up to `end` there are chunks of other kinds, whole and nothing else; open: up to where
   chunks end. */
static bool no_media(struct cover *cover, int64_t start, int64_t end, bool open)
{
    int64_t at = start;
    for (int hop = 0; hop < HOPS_MAX && end - at >= SCI_CHUNK_HEADER_BYTES; hop++) {
        const uint8_t *header = sci_window_at(&cover->window, at, SCI_CHUNK_HEADER_BYTES);
        if (!header || !sci_avi_is_name(header))
            return header && open;
        const uint32_t bytes = AV_RL32(header + 4);
        if (sci_avi_is(header, "LIST") || sci_avi_is(header, "RIFF"))
            at += SCI_LIST_HEADER_BYTES;
        else if (bytes && sci_avi_stream_of(cover->media->avi, header) >= 0)
            return false;
        else
            at += SCI_CHUNK_HEADER_BYTES + sci_avi_even(bytes);
    }
    return open ? end - at < SCI_CHUNK_HEADER_BYTES : at == end;
}

static bool is_padding(struct cover *cover, int64_t start, int64_t end)
{
    const int64_t bytes = end - start;
    if (cover->gaps++ >= GAPS_LOOKED_AT && bytes <= cover->largest)
        return true;
    if (bytes > cover->largest)
        cover->largest = bytes;
    return no_media(cover, start, end, false);
}

static bool take(struct cover *cover, const sci_packet *packet)
{
    const int64_t header = packet->pos - SCI_CHUNK_HEADER_BYTES, at = cover->at;
    const bool follows = header == at || header == sci_avi_even(at);
    const bool begins = packet->pos != at; /* else it is a piece of the chunk before */
    if (packet->bytes == 0 && !follows)
        return true; /* some writers do not say where such a chunk lies */
    cover->at = packet->pos + packet->bytes;
    if (begins)
        cover->begin = packet->pos;
    if (!begins || follows)
        return true;
    return header > at && is_padding(cover, sci_avi_even(at), header);
}

/* The stream whose next packet is the first in the file; -1: all have been taken. */
static int first_of(const struct cover *cover)
{
    const sci_packets *packets = &cover->media->packets;
    int first = -1;
    for (size_t i = 0; i < cover->media->avi->stream_count; i++)
        if (cover->next[i] < packets->count &&
            (first < 0 ||
             packets->items[cover->next[i]].pos < packets->items[cover->next[first]].pos))
            first = (int)i;
    return first;
}

static size_t seek(const sci_packets *packets, size_t from, int stream)
{
    while (from < packets->count && packets->items[from].track != stream)
        from++;
    return from;
}

/* Nothing that follows would contradict the size of the last one. */
static bool last_is_as_its_header_says(struct cover *cover)
{
    const uint8_t *header = sci_window_at(&cover->window, cover->begin - SCI_CHUNK_HEADER_BYTES,
                                          SCI_CHUNK_HEADER_BYTES);
    return header && AV_RL32(header + 4) == cover->at - cover->begin;
}

bool sci_avi_covers_all(sci_media *media)
{
    const sci_avi *avi = media->avi;
    const sci_packets *packets = &media->packets;
    struct cover cover = {.media = media, .at = avi->movi};
    sci_window_open(&cover.window, &media->file, WINDOW_BYTES);
    for (size_t i = 0; i < avi->stream_count; i++)
        cover.next[i] = seek(packets, 0, (int)i);
    int stream;
    for (size_t taken = 0; (stream = first_of(&cover)) >= 0; taken++) {
        if ((taken & 0xFFFF) == 0 && sci_file_give_up(&media->file))
            return false;
        if (!take(&cover, &packets->items[cover.next[stream]]))
            return false;
        cover.next[stream] = seek(packets, cover.next[stream] + 1, stream);
    }
    if (!last_is_as_its_header_says(&cover))
        return false;
    const bool one_list = !avi->goes_on && avi->movi_end && avi->movi_end <= media->file.size_bytes;
    return no_media(&cover, sci_avi_even(cover.at),
                    one_list ? avi->movi_end : media->file.size_bytes, true);
}
