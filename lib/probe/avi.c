/* AVI: its headers, and packets of its chunks. The demuxer is shown the headers only: it tells
   codecs. */
#include "probe/avi.h"

#include <libavutil/intreadwrite.h>
#include <stdlib.h>
#include <string.h>

enum {
    HEADERS_BYTES_MAX = 4 << 20, /* of the list of headers */
    HOPS_MAX = 64,               /* chunks before the media */
    SAMPLE_BYTES_MAX = 1 << 20,
    SAMPLES_A_PACKET = 1024, /* as FFmpeg cuts chunks of sound */
    BLOCK_BYTES = 32,        /* samples as large as this are blocks of sound, but for PCM */
    FACTS_BYTES = 1 << 20    /* of frames, at most, to learn what the headers do not tell */
};

/* ---- headers ---- */

/* Contents of a chunk in memory, cut to what is there. */
struct chunk {
    const uint8_t *name, *at;
    size_t size;
};

/* The next one of [*from, end); false at the end. */
static bool next_chunk(const uint8_t **from, const uint8_t *end, struct chunk *chunk)
{
    if (end - *from < SCI_CHUNK_HEADER_BYTES)
        return false;
    const size_t left = (size_t)(end - *from) - SCI_CHUNK_HEADER_BYTES;
    const uint32_t size = AV_RL32(*from + 4);
    *chunk = (struct chunk){*from, *from + SCI_CHUNK_HEADER_BYTES, size < left ? size : left};
    const int64_t step = sci_avi_even(size);
    *from = step < (int64_t)left ? chunk->at + step : end;
    return true;
}

static void parse_stream_header(sci_avi_stream *stream, const struct chunk *strh)
{
    if (strh->size < 48)
        return;
    stream->is_video = sci_avi_is(strh->at, "vids") ||
                       sci_avi_is(strh->at, "iavs"); /* DV with its sound */
    stream->start = AV_RL32(strh->at + 28);
    stream->sample_size = stream->is_video ? 0 : AV_RL32(strh->at + 44);
}

/* WAVEFORMATEX. What the header calls the size of a sample is that of a block of the format. */
static void parse_format(sci_avi_stream *stream, const struct chunk *strf)
{
    if (stream->is_video || strf->size < 14)
        return;
    const uint32_t tag = AV_RL16(strf->at), block = AV_RL16(strf->at + 12);
    stream->is_pcm = tag == 1 || tag == 3 || tag == 0xFFFE;
    if (stream->sample_size && block)
        stream->sample_size = block;
    else if (block && (tag == 0x55 || tag == 0x50))
        stream->block_bytes = block;
}

static void rewind_stream(sci_avi_stream *stream)
{
    stream->ticks = (int64_t)stream->start * (stream->sample_size ? stream->sample_size : 1);
}

static void parse_stream(sci_avi *avi, const struct chunk *strl)
{
    sci_avi_stream *stream = &avi->streams[avi->stream_count++];
    const uint8_t *from = strl->at + 4, *end = strl->at + strl->size;
    struct chunk chunk;
    while (next_chunk(&from, end, &chunk)) {
        if (sci_avi_is(chunk.name, "strh"))
            parse_stream_header(stream, &chunk);
        else if (sci_avi_is(chunk.name, "strf"))
            parse_format(stream, &chunk);
        else if (sci_avi_is(chunk.name, "indx")) {
            stream->index = chunk.at;
            stream->index_bytes = chunk.size;
        }
    }
    /* Nothing has samples like these: it is a damaged header, and chunks are counted. */
    if (stream->sample_size > SAMPLE_BYTES_MAX)
        stream->sample_size = 0;
    rewind_stream(stream);
}

static bool parse_headers(sci_avi *avi, const uint8_t *bytes, size_t size)
{
    const uint8_t *from = bytes, *end = bytes + size;
    struct chunk chunk;
    while (next_chunk(&from, end, &chunk) && avi->stream_count < SCI_AVI_STREAMS_MAX)
        if (sci_avi_is(chunk.name, "LIST") && chunk.size >= 4 && sci_avi_is(chunk.at, "strl"))
            parse_stream(avi, &chunk);
    return avi->stream_count > 0;
}

static bool read_headers(sci_media *media, sci_avi *avi, int64_t offset, int64_t bytes)
{
    if (bytes <= 0 || bytes > HEADERS_BYTES_MAX || avi->headers)
        return false;
    avi->headers = malloc((size_t)bytes);
    return avi->headers && sci_file_peek(&media->file, offset, avi->headers, bytes) &&
           parse_headers(avi, avi->headers, (size_t)bytes);
}

static bool header_at(sci_media *media, int64_t offset, uint8_t header[SCI_LIST_HEADER_BYTES])
{
    return sci_file_peek(&media->file, offset, header, SCI_LIST_HEADER_BYTES);
}

static void find_end(sci_media *media, sci_avi *avi, uint32_t movi_bytes)
{
    uint8_t header[SCI_LIST_HEADER_BYTES];
    avi->movi_end = movi_bytes > 4 ? avi->movi - 4 + movi_bytes : 0;
    avi->goes_on = avi->riff_end && header_at(media, sci_avi_even(avi->riff_end), header) &&
                   sci_avi_is(header, "RIFF");
    if (!avi->movi_end || !header_at(media, sci_avi_even(avi->movi_end), header) ||
        !sci_avi_is(header, "idx1"))
        return;
    avi->idx1 = sci_avi_even(avi->movi_end) + SCI_CHUNK_HEADER_BYTES;
    avi->idx1_bytes = AV_RL32(header + 4);
}

/* From chunk to chunk, up to the media. */
static bool find_media(sci_media *media, sci_avi *avi)
{
    int64_t offset = SCI_LIST_HEADER_BYTES;
    for (int hop = 0; hop < HOPS_MAX; hop++) {
        uint8_t header[SCI_LIST_HEADER_BYTES];
        if (!header_at(media, offset, header))
            return false;
        const uint32_t bytes = AV_RL32(header + 4);
        const bool list = sci_avi_is(header, "LIST");
        if (list && sci_avi_is(header + 8, "hdrl") &&
            !read_headers(media, avi, offset + SCI_LIST_HEADER_BYTES, (int64_t)bytes - 4))
            return false;
        if (list && sci_avi_is(header + 8, "movi")) {
            avi->movi = offset + SCI_LIST_HEADER_BYTES;
            find_end(media, avi, bytes);
            return avi->stream_count > 0;
        }
        offset += SCI_CHUNK_HEADER_BYTES + sci_avi_even(bytes);
    }
    return false;
}

static bool begins(const sci_file *file)
{
    return file->head_bytes >= SCI_LIST_HEADER_BYTES && sci_avi_is(file->head, "RIFF") &&
           (sci_avi_is(file->head + 8, "AVI ") || sci_avi_is(file->head + 8, "AVIX"));
}

static void discard(sci_avi *avi)
{
    free(avi->headers);
    free(avi);
}

bool sci_avi_find(sci_media *media)
{
    sci_file *file = &media->file;
    if (!begins(file))
        return false;
    sci_avi *avi = calloc(1, sizeof *avi);
    if (!avi)
        return false;
    const uint32_t riff_bytes = AV_RL32(file->head + 4);
    if (riff_bytes && riff_bytes < UINT32_MAX)
        avi->riff_end = (int64_t)riff_bytes + SCI_CHUNK_HEADER_BYTES;
    if (!find_media(media, avi)) {
        discard(avi);
        return false;
    }
    file->view_bytes = avi->movi < file->size_bytes ? avi->movi : file->size_bytes;
    media->avi = avi;
    return true;
}

static bool is_intra_only(const AVStream *stream)
{
    const AVCodecDescriptor *codec = avcodec_descriptor_get(stream->codecpar->codec_id);
    return codec && codec->props & AV_CODEC_PROP_INTRA_ONLY;
}

bool sci_avi_match_streams(sci_media *media)
{
    sci_avi *avi = media->avi;
    if (media->format->nb_streams != avi->stream_count)
        return false;
    for (size_t i = 0; i < avi->stream_count; i++)
        avi->streams[i].keys_only = !avi->streams[i].is_video ||
                                    is_intra_only(media->format->streams[i]);
    return true;
}

void sci_avi_forget(sci_media *media)
{
    sci_avi *avi = media->avi;
    if (!avi)
        return;
    media->avi = NULL;
    media->file.view_bytes = media->file.size_bytes;
    if (media->avio)
        avio_seek(media->avio, avi->movi, SEEK_SET);
    discard(avi);
}

/* ---- chunks ---- */

int sci_avi_stream_of(const sci_avi *avi, const uint8_t name[4])
{
    /* Changes of the palette, and parts of the index as OpenDML names them at first. */
    static const char none[][3] = {"pc", "ix"};
    if (name[0] < '0' || name[0] > '9' || name[1] < '0' || name[1] > '9')
        return -1;
    for (size_t i = 0; i < SCI_COUNT(none); i++)
        if (memcmp(name + 2, none[i], 2) == 0)
            return -1;
    const int stream = (name[0] - '0') * 10 + name[1] - '0';
    return (size_t)stream < avi->stream_count ? stream : -1;
}

bool sci_avi_is_name(const uint8_t *name)
{
    for (int i = 0; i < 4; i++)
        if (!((name[i] >= '0' && name[i] <= '9') || (name[i] >= 'A' && name[i] <= 'Z') ||
              (name[i] >= 'a' && name[i] <= 'z') || name[i] == ' ' || name[i] == '_'))
            return false;
    return true;
}

static int64_t ticks_of(const sci_avi_stream *stream, int64_t bytes)
{
    if (stream->sample_size)
        return bytes;
    return stream->block_bytes ? (bytes + stream->block_bytes - 1) / stream->block_bytes : 1;
}

static int64_t packet_bytes(const sci_avi_stream *stream, int64_t chunk_bytes)
{
    if (stream->sample_size <= 1)
        return chunk_bytes;
    return stream->is_pcm || stream->sample_size < BLOCK_BYTES
               ? SAMPLES_A_PACKET * (int64_t)stream->sample_size
               : stream->sample_size;
}

sc_status sci_avi_add(sci_media *media, int index, int64_t pos, int64_t bytes, bool key)
{
    sci_avi_stream *stream = &media->avi->streams[index];
    const int64_t most = packet_bytes(stream, bytes), end = pos + bytes;
    const uint32_t unit = stream->sample_size ? stream->sample_size : 1;
    sc_status status = SC_OK;
    if (bytes == 0) { /* a picture that is shown again */
        status = sci_packets_add(&media->packets, (sci_packet){.pos = pos, .track = index});
        stream->ticks += stream->is_video;
    }
    while (pos < end && status == SC_OK) {
        const int64_t size = end - pos < most ? end - pos : most;
        const int64_t ticks = ticks_of(stream, size);
        if (size <= INT32_MAX)
            status = sci_packets_add(&media->packets,
                                     (sci_packet){.pos = pos,
                                                  .time = stream->ticks / unit,
                                                  .bytes = (int32_t)size,
                                                  .duration = (int32_t)(ticks / unit),
                                                  .track = index,
                                                  .key = key || stream->keys_only});
        stream->ticks += ticks;
        pos += size;
    }
    return status;
}

/* ---- what the strategies share ---- */

bool sci_avi_matches(const sci_media *media)
{
    return media->avi;
}

/* Of these the frames tell the profile, where the header does not. */
static bool tells_in_frames(const AVCodecParameters *codec)
{
    switch (codec->codec_id) {
    case AV_CODEC_ID_NONE:
    case AV_CODEC_ID_MPEG2VIDEO:
    case AV_CODEC_ID_MPEG4:
        return true;
    case AV_CODEC_ID_H264:
    case AV_CODEC_ID_HEVC:
        return codec->extradata_size == 0;
    default:
        return codec->width <= 0;
    }
}

static bool lacks_facts(const sci_media *media)
{
    for (size_t i = 0; i < media->track_count; i++)
        if (media->tracks[i].kind == SC_TRACK_VIDEO &&
            tells_in_frames(media->format->streams[i]->codecpar))
            return true;
    return false;
}

/* What the demuxer finds within the frames of another stream has no chunks of its own. */
static void tell_inner_sound(sci_media *media, size_t own_streams)
{
    for (size_t i = own_streams; i < media->track_count; i++) {
        media->tracks[i].told.set = true;
        media->tracks[i].told.packets = media->tracks[i].told.bytes = SC_UNKNOWN;
        media->tracks[i].told.source = media->source;
    }
}

/* Chunks of a header only: nothing of them is read. */
static void drop_empty(sci_packets *packets)
{
    size_t kept = 0;
    for (size_t i = 0; i < packets->count; i++)
        if (packets->items[i].bytes)
            packets->items[kept++] = packets->items[i];
    packets->count = kept;
}

sc_status sci_avi_finish(sci_media *media, sc_status status, sc_error *error)
{
    if (status == SC_CANCELLED)
        return sci_file_gave_up(&media->file, "probe.avi", error);
    if (status != SC_OK)
        return sci_fail(error, status, 0, "probe.avi", media->file.path,
                        status == SC_LIMIT ? "more chunks than are kept" : "out of memory");
    drop_empty(&media->packets);
    if (media->packets.count == 0) {
        sci_avi_rewind(media);
        return SC_OK;
    }
    const size_t own_streams = media->avi->stream_count;
    sci_avi_forget(media);
    media->inform_bytes = FACTS_BYTES;
    if (lacks_facts(media))
        status = sci_media_inform(media, error);
    tell_inner_sound(media, own_streams);
    return status;
}

void sci_avi_rewind(sci_media *media)
{
    media->packets.count = 0;
    for (size_t i = 0; i < media->avi->stream_count; i++)
        rewind_stream(&media->avi->streams[i]);
}
