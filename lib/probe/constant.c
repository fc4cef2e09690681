/* Media of which every frame takes the same: PCM sound, raw DV and YUV4MPEG2. Where it begins and how
   large the file is tell where each frame lies; some of them are looked at, to see that it is so. */
#include "probe/media.h"

#include <libavcodec/dv_profile.h>
#include <libavutil/imgutils.h>
#include <libavutil/intreadwrite.h>
#include <stdlib.h>
#include <string.h>

enum {
    PIECE_SAMPLES = 2048,  /* of sound, at least */
    PIECES_MAX = 1 << 16,  /* of a file: those of a recording of hours are larger */
    FRAME_HEAD_BYTES = 480 /* of a frame of DV: all that tells its profile */
};

static const int64_t TO_THE_END = INT64_MAX; /* a header that does not say how much follows */

struct layout;

struct kind {
    const char *demuxer;
    bool (*lay)(sci_media *media, const struct kind *kind, struct layout *layout);
    /* Of sound: the header of the samples, right before them (0 bytes: at the start of the file),
       and how many bytes of samples it says. */
    int64_t header_bytes;
    int64_t (*data_bytes)(sci_media *media, const uint8_t *header);
};

/* Units of the same size, one behind the other. */
struct layout {
    int64_t start, end;             /* as promised; TO_THE_END: as far as the file goes */
    int64_t unit_bytes, lead_bytes; /* with a header of so many, that are none of the essence */
    AVRational unit_s;
    int64_t units_a_packet;
    bool whole;      /* a part of a unit at the end is a file that was cut */
    bool holds_more; /* streams of their own within each unit, which the start of one tells of */
};

static bool is(const uint8_t *bytes, const char *name)
{
    return memcmp(bytes, name, strlen(name)) == 0;
}

/* ---- PCM: the header of the chunk that holds it, which lies before the samples ---- */

enum { NOT_UNDERSTOOD = -1 };

static int64_t unless_open(uint64_t bytes, uint64_t open)
{
    return bytes == open || bytes > INT64_MAX ? TO_THE_END : (int64_t)bytes;
}

/* RIFF, and RF64 or BW64, whose first chunk has sizes that need more than 32 bits. */
static int64_t wav_bytes(sci_media *media, const uint8_t *chunk)
{
    uint8_t head[36];
    const uint32_t bytes = AV_RL32(chunk + 4);
    if (!is(chunk, "data") || !sci_file_peek(&media->file, 0, head, sizeof head))
        return NOT_UNDERSTOOD;
    if ((is(head, "RF64") || is(head, "BW64")) && is(head + 12, "ds64") && bytes == UINT32_MAX)
        return unless_open(AV_RL64(head + 28), UINT64_MAX);
    return bytes == 0 ? TO_THE_END : unless_open(bytes, UINT32_MAX);
}

static int64_t w64_bytes(sci_media *media, const uint8_t *chunk)
{
    const uint64_t bytes = AV_RL64(chunk + 16);
    (void)media;
    return is(chunk, "data") && bytes >= 24 ? unless_open(bytes - 24, UINT64_MAX - 24)
                                            : NOT_UNDERSTOOD;
}

static int64_t aiff_bytes(sci_media *media, const uint8_t *chunk)
{
    const uint32_t bytes = AV_RB32(chunk + 4);
    (void)media;
    return is(chunk, "SSND") && bytes >= 8 && AV_RB32(chunk + 8) == 0 ? (int64_t)bytes - 8
                                                                      : NOT_UNDERSTOOD;
}

static int64_t caf_bytes(sci_media *media, const uint8_t *chunk)
{
    const uint64_t bytes = AV_RB64(chunk + 4);
    (void)media;
    return is(chunk, "data") && bytes >= 4 ? unless_open(bytes - 4, UINT64_MAX - 4)
                                           : NOT_UNDERSTOOD;
}

/* Nothing can follow the samples: less than there is was not updated. */
static int64_t au_bytes(sci_media *media, const uint8_t *chunk)
{
    const int64_t start = AV_RB32(chunk + 4), bytes = AV_RB32(chunk + 8);
    if (!is(chunk, ".snd"))
        return NOT_UNDERSTOOD;
    return bytes == UINT32_MAX || start + bytes < media->file.size_bytes ? TO_THE_END : bytes;
}

/* Whole bytes of each channel in turn, and nothing else. */
static int64_t sample_bytes(const AVCodecParameters *codec)
{
    const int bits = av_get_exact_bits_per_sample(codec->codec_id);
    const int channels = codec->ch_layout.nb_channels;
    const int64_t bytes = (int64_t)bits / 8 * channels;
    if (bits < 8 || bits % 8 || channels < 1 || codec->sample_rate < 1)
        return 0;
    return codec->block_align == 0 || codec->block_align == bytes ? bytes : 0;
}

static bool lay_sound(sci_media *media, const struct kind *kind, struct layout *layout)
{
    uint8_t header[24];
    if (media->format->nb_streams != 1)
        return false;
    const AVCodecParameters *codec = media->format->streams[0]->codecpar;
    const int64_t start = avio_tell(media->avio), size = kind->header_bytes;
    if (!sample_bytes(codec))
        return false;
    if (!sci_file_peek(&media->file, size ? start - size : 0, header, size ? size : 12))
        return false;
    const int64_t bytes = kind->data_bytes(media, header);
    *layout = (struct layout){.start = start,
                              .end = bytes < TO_THE_END - start ? start + bytes : TO_THE_END,
                              .unit_bytes = sample_bytes(codec),
                              .unit_s = {1, codec->sample_rate},
                              .units_a_packet = PIECE_SAMPLES};
    return bytes != NOT_UNDERSTOOD;
}

/* ---- DV ---- */

static const AVDVProfile *dv_profile_at(sci_media *media, int64_t offset)
{
    uint8_t head[FRAME_HEAD_BYTES];
    return sci_file_peek(&media->file, offset, head, sizeof head) && (head[0] & 0xE0) == 0
               ? av_dv_frame_profile(NULL, head, sizeof head)
               : NULL;
}

static bool lay_dv(sci_media *media, const struct kind *kind, struct layout *layout)
{
    (void)kind;
    const AVDVProfile *profile = dv_profile_at(media, 0);
    const int64_t frames = profile ? media->file.size_bytes / profile->frame_size : 0;
    const int64_t checked[] = {frames / 2, frames - 1};
    if (!profile)
        return false;
    for (size_t i = 0; i < SCI_COUNT(checked) && frames > 0; i++)
        if (dv_profile_at(media, checked[i] * profile->frame_size) != profile)
            return false;
    AVCodecParameters *codec = media->format->streams[0]->codecpar;
    codec->width = profile->width;
    codec->height = profile->height;
    codec->format = profile->pix_fmt;
    *layout = (struct layout){.end = TO_THE_END,
                              .unit_bytes = profile->frame_size,
                              .unit_s = profile->time_base,
                              .units_a_packet = 1,
                              .whole = true,
                              .holds_more = true};
    return true;
}

/* ---- YUV4MPEG2 ---- */

static const char frame_line[] = "FRAME\n";
enum { FRAME_LINE_BYTES = sizeof frame_line - 1 };

static bool has_frame_line(sci_media *media, int64_t offset)
{
    uint8_t line[FRAME_LINE_BYTES];
    return sci_file_peek(&media->file, offset, line, sizeof line) &&
           memcmp(line, frame_line, sizeof line) == 0;
}

static bool lay_yuv(sci_media *media, const struct kind *kind, struct layout *layout)
{
    (void)kind;
    const AVStream *stream = media->format->streams[0];
    const AVCodecParameters *codec = stream->codecpar;
    const int64_t start = avio_tell(media->avio);
    const int picture = av_image_get_buffer_size(codec->format, codec->width, codec->height, 1);
    const int64_t unit = picture + (int64_t)FRAME_LINE_BYTES;
    const int64_t frames = picture > 0 ? (media->file.size_bytes - start) / unit : 0;
    const int64_t checked[] = {0, frames / 2, frames - 1};
    for (size_t i = 0; i < SCI_COUNT(checked); i++)
        if (frames < 1 || !has_frame_line(media, start + checked[i] * unit))
            return false;
    *layout = (struct layout){.start = start,
                              .end = TO_THE_END,
                              .unit_bytes = unit,
                              .lead_bytes = FRAME_LINE_BYTES,
                              .unit_s = stream->time_base,
                              .units_a_packet = 1,
                              .whole = true};
    return true;
}

/* ---- the strategy ---- */

static const struct kind kinds[] = {
    {"wav", lay_sound, 8, wav_bytes},    {"w64", lay_sound, 24, w64_bytes},
    {"aiff", lay_sound, 16, aiff_bytes}, {"caf", lay_sound, 16, caf_bytes},
    {"au", lay_sound, 0, au_bytes},      {"dv", lay_dv, 0, NULL},
    {"yuv4mpegpipe", lay_yuv, 0, NULL},
};

static const struct kind *kind_of(const sci_media *media)
{
    for (size_t i = 0; i < SCI_COUNT(kinds); i++)
        if (sci_demuxer_is(media->format->iformat, kinds[i].demuxer))
            return &kinds[i];
    return NULL;
}

static bool matches(const sci_media *media)
{
    return kind_of(media);
}

static sc_status add_units(sci_media *media, const struct layout *layout, int64_t units)
{
    const AVRational tick_s = media->format->streams[0]->time_base;
    int64_t step = layout->units_a_packet;
    if (units / step > PIECES_MAX)
        step = layout->units_a_packet > 1 ? units / PIECES_MAX + 1 : step;
    sc_status status = sci_packets_reserve(&media->packets, (size_t)((units + step - 1) / step));
    for (int64_t i = 0; i < units && status == SC_OK; i += step) {
        const int64_t count = units - i < step ? units - i : step;
        const int64_t time = av_rescale_q(i, layout->unit_s, tick_s);
        const int64_t next = av_rescale_q(i + count, layout->unit_s, tick_s);
        const int64_t bytes = count * layout->unit_bytes - layout->lead_bytes;
        if (bytes > INT32_MAX || next - time > INT32_MAX)
            return SC_LIMIT;
        status = sci_packets_add(
            &media->packets,
            (sci_packet){.pos = layout->start + i * layout->unit_bytes + layout->lead_bytes,
                         .time = time,
                         .bytes = (int32_t)bytes,
                         .duration = (int32_t)(next - time),
                         .key = true});
    }
    return status;
}

/* What is within the units of the first stream has no packets of its own. */
static void tell_inner_streams(sci_media *media)
{
    for (size_t i = 1; i < media->track_count; i++) {
        media->tracks[i].told.set = true;
        media->tracks[i].told.packets = media->tracks[i].told.bytes = SC_UNKNOWN;
        media->tracks[i].told.source = media->source;
    }
}

/* The start of a unit tells what is in it: the demuxer gets one of which the rest is empty. No decoder
   sees it. */
static sc_status read_unit(sci_media *media, const struct layout *layout, sc_error *error)
{
    sci_file *file = &media->file;
    const int64_t known = file->head_bytes < layout->unit_bytes ? file->head_bytes
                                                                : layout->unit_bytes;
    uint8_t *unit = calloc(1, (size_t)layout->unit_bytes);
    AVPacket *packet = av_packet_alloc();
    sc_status status = unit && packet ? SC_OK : SC_NO_MEMORY;
    if (status == SC_OK) {
        memcpy(unit, file->head, (size_t)known);
        file->shown = unit;
        file->view_bytes = layout->unit_bytes;
        av_read_frame(media->format, packet); /* what it could not tell stays unknown */
        file->shown = NULL;
        file->view_bytes = file->size_bytes;
        status = sci_media_find_tracks(media, error);
        tell_inner_streams(media);
    } else
        sci_fail(error, status, 0, "probe.constant", file->path, "out of memory");
    av_packet_free(&packet);
    free(unit);
    return status;
}

static void note_end(sci_media *media, const struct layout *layout, int64_t units)
{
    const int64_t size = media->file.size_bytes, used = layout->start + units * layout->unit_bytes;
    const bool open = layout->end == TO_THE_END;
    if (open ? !layout->whole || used == size : layout->end <= size)
        return;
    media->flags |= SC_CLIP_TRUNCATED;
    if (open)
        sci_finding_add(
            &media->findings, "truncated", SC_SEVERITY_WARNING,
            "the file ends within a frame: an unfinished copy or recording; %lld whole frames are "
            "there",
            (long long)units);
    else
        sci_finding_add(&media->findings, "truncated", SC_SEVERITY_WARNING,
                        "the file ends %lld bytes before its header says so: an unfinished copy or "
                        "recording; figures are of the part that is there",
                        (long long)(layout->end - size));
}

static sc_status collect(sci_media *media, sc_error *error)
{
    struct layout layout = {0};
    const struct kind *kind = kind_of(media);
    if (media->format->nb_streams == 0 || !kind->lay(media, kind, &layout) ||
        layout.start > media->file.size_bytes)
        return media->file.cancelled ? sci_file_gave_up(&media->file, "probe.constant", error)
                                     : SC_OK;
    const int64_t there = media->file.size_bytes, end = layout.end < there ? layout.end : there;
    int64_t units = (end - layout.start) / layout.unit_bytes;
    sc_status status = layout.holds_more ? read_unit(media, &layout, error) : SC_OK;
    if (status != SC_OK)
        return status;
    note_end(media, &layout, units);
    if (units == 0 && layout.whole) { /* the part of its only frame that is there */
        layout.unit_bytes = there - layout.start;
        units = 1;
    }
    status = add_units(media, &layout, units);
    if (status == SC_CANCELLED)
        return sci_file_gave_up(&media->file, "probe.constant", error);
    if (status != SC_OK)
        return sci_fail(error, status, 0, "probe.constant", media->file.path,
                        status == SC_LIMIT ? "more frames than are kept" : "out of memory");
    return SC_OK;
}

static bool check(sci_media *media)
{
    return media->packets.count > 0;
}

const sci_strategy sci_strategy_constant = {.source = SC_SOURCE_HEADER_CLAIM,
                                            .times_are_the_containers = true,
                                            .positions_are_readable = true,
                                            .finds_only_what_is_there = true,
                                            .matches = matches,
                                            .collect = collect,
                                            .check = check};
