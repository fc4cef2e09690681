#include "probe/media.h"

#include "probe/facts.h"
#include "probe/published.h"

#include <stdlib.h>
#include <string.h>

/* ---- kinds ---- */

static bool is_still_codec(enum AVCodecID codec)
{
    switch (codec) {
    case AV_CODEC_ID_MJPEG:
    case AV_CODEC_ID_PNG:
    case AV_CODEC_ID_BMP:
    case AV_CODEC_ID_TIFF:
    case AV_CODEC_ID_GIF:
    case AV_CODEC_ID_WEBP:
        return true;
    default:
        return false;
    }
}

static bool has_other_video(const AVFormatContext *format, unsigned index)
{
    for (unsigned i = 0; i < format->nb_streams; i++) {
        const AVStream *stream = format->streams[i];
        if (i != index && stream->codecpar->codec_type == AVMEDIA_TYPE_VIDEO &&
            !is_still_codec(stream->codecpar->codec_id))
            return true;
    }
    return false;
}

/* Chapter pictures are a video track of stills, seconds apart, beside the programme. */
static bool is_picture(const AVFormatContext *format, unsigned index)
{
    const AVStream *stream = format->streams[index];
    const int stills = AV_DISPOSITION_ATTACHED_PIC | AV_DISPOSITION_TIMED_THUMBNAILS |
                       AV_DISPOSITION_STILL_IMAGE;
    if (stream->disposition & stills)
        return true;
    return is_still_codec(stream->codecpar->codec_id) && stream->avg_frame_rate.num > 0 &&
           av_q2d(stream->avg_frame_rate) < 1 && has_other_video(format, index);
}

static sc_track_kind kind_of(const AVFormatContext *format, unsigned index)
{
    const AVCodecParameters *codec = format->streams[index]->codecpar;
    switch (codec->codec_type) {
    case AVMEDIA_TYPE_VIDEO:
        return is_picture(format, index) ? SC_TRACK_PICTURE : SC_TRACK_VIDEO;
    case AVMEDIA_TYPE_AUDIO:
        return SC_TRACK_AUDIO;
    case AVMEDIA_TYPE_SUBTITLE:
        return SC_TRACK_SUBTITLE;
    case AVMEDIA_TYPE_DATA:
        return codec->codec_tag == MKTAG('t', 'm', 'c', 'd') ? SC_TRACK_TIMECODE : SC_TRACK_DATA;
    case AVMEDIA_TYPE_ATTACHMENT:
        return SC_TRACK_DATA;
    default:
        return SC_TRACK_UNKNOWN;
    }
}

sc_status sci_media_find_tracks(sci_media *media, sc_error *error)
{
    size_t count = media->format->nb_streams, known = media->track_count;
    if (count > known || !media->tracks) {
        sci_media_track *tracks = sci_arena_alloc(media->arena, count + 1, sizeof *tracks);
        if (!tracks)
            return sci_fail(error, SC_NO_MEMORY, 0, "probe.open", media->file.path,
                            "out of memory");
        if (known)
            memcpy(tracks, media->tracks, known * sizeof *tracks);
        media->tracks = tracks;
    }
    media->track_count = count;
    for (unsigned i = 0; i < count; i++) {
        sc_track_kind kind = kind_of(media->format, i);
        media->tracks[i].kind = kind;
        media->tracks[i].played = kind == SC_TRACK_VIDEO || kind == SC_TRACK_AUDIO;
    }
    return SC_OK;
}

/* ---- packets of each track together, in decode order ---- */

/* Count them. True when those of each track are together already, as in an index. */
static bool place_tracks(sci_media *media)
{
    const sci_packet *packets = media->packets.items;
    bool together = true;
    size_t first = 0;
    for (size_t i = 0; i < media->track_count; i++)
        media->tracks[i].count = 0, media->tracks[i].bytes = 0;
    for (size_t i = 0; i < media->packets.count; i++) {
        sci_media_track *track = &media->tracks[packets[i].track];
        track->count++;
        track->bytes += packets[i].bytes;
        together = together && (i == 0 || packets[i].track >= packets[i - 1].track);
    }
    for (size_t i = 0; i < media->track_count; i++) {
        media->tracks[i].first = first;
        first += media->tracks[i].count;
    }
    return together;
}

/* Where each packet goes: malloc'ed, or NULL without memory. */
static uint32_t *targets_of(const sci_media *media)
{
    const sci_packets *packets = &media->packets;
    uint32_t *targets = sci_big_alloc(packets->count, sizeof *targets);
    size_t *next = calloc(media->track_count + 1, sizeof *next);
    for (size_t i = 0; targets && next && i < packets->count; i++) {
        const int32_t track = packets->items[i].track;
        targets[i] = (uint32_t)(media->tracks[track].first + next[track]++);
    }
    if (!next) {
        free(targets);
        targets = NULL;
    }
    free(next);
    return targets;
}

/* Each one that has to make room goes on to its own place: there is no room for all of them twice. */
static void move_to(sci_packets *packets, uint32_t *targets)
{
    for (size_t i = 0; i < packets->count; i++) {
        sci_packet packet = packets->items[i];
        uint32_t target = targets[i];
        while (target != i) {
            const sci_packet moved = packets->items[target];
            const uint32_t next = targets[target];
            packets->items[target] = packet;
            targets[target] = target;
            packet = moved;
            target = next;
        }
        packets->items[i] = packet;
        targets[i] = target;
    }
}

sc_status sci_tracks_group(sci_media *media, sc_error *error)
{
    if (place_tracks(media))
        return SC_OK;
    uint32_t *targets = targets_of(media);
    if (!targets)
        return sci_fail(error, SC_NO_MEMORY, 0, "probe.tracks", media->file.path, "out of memory");
    move_to(&media->packets, targets);
    free(targets);
    return SC_OK;
}

/* ---- the public description ---- */

/* What nothing else tells: the modes of DNxHD and DNxHR apart. One small read, or none. */
static int read_cid(sci_media *media, sci_media_track *track)
{
    const sci_packet *first = &media->packets.items[track->first];
    const bool readable = track->count > 0 && media->strategy->positions_are_readable &&
                          !track->encoded && first->bytes >= SCI_HEAD_BYTES;
    const int64_t pos = track->sample_pos ? track->sample_pos : readable ? first->pos : -1;
    if (readable && !track->head_size && pos >= 0 &&
        sci_file_read_at(&media->file, pos, track->head, SCI_HEAD_BYTES) == SCI_HEAD_BYTES)
        track->head_size = SCI_HEAD_BYTES;
    return track->head_size >= SCI_DNX_HEADER_BYTES ? sci_dnx_cid(track->head) : 0;
}

static int compression_id(sci_media *media, int index, sci_media_track *track)
{
    const AVCodecParameters *codec = media->format->streams[index]->codecpar;
    bool known = codec->profile != SCI_PROFILE(UNKNOWN) && codec->profile != SCI_PROFILE(DNXHD);
    return codec->codec_id == AV_CODEC_ID_DNXHD && !known ? read_cid(media, track) : 0;
}

static void describe_packets(const sci_media *media, const sci_media_track *track, sc_track *result)
{
    bool counted = track->count > 0;
    result->packets = track->told.set ? track->told.packets
                      : counted       ? (int64_t)track->count
                                      : SC_UNKNOWN;
    result->bytes = track->told.set ? track->told.bytes : counted ? track->bytes : SC_UNKNOWN;
    result->source = track->told.set ? track->told.source
                     : counted       ? media->source
                                     : SC_SOURCE_NONE;
    result->duration_s = track->duration > 0 ? (double)track->duration / SCI_FLICKS : -1;
    result->bits_per_s = result->bytes >= 0 && track->duration > 0
                             ? av_rescale(result->bytes, 8 * (int64_t)SCI_FLICKS, track->duration)
                             : SC_UNKNOWN;
}

static const char *metadata(const AVFormatContext *format, const char *key)
{
    const AVDictionaryEntry *entry = av_dict_get(format->metadata, key, NULL, 0);
    return entry ? entry->value : NULL;
}

static sci_codec_facts facts_of(sci_media *media, int index, sci_media_track *track,
                                const sc_track *result)
{
    const AVCodecParameters *codec = media->format->streams[index]->codecpar;
    sci_codec_facts facts = {.codec = codec->codec_id,
                             .tag = codec->codec_tag,
                             .profile = codec->profile,
                             .level = codec->level,
                             .cid = compression_id(media, index, track),
                             .width = codec->width,
                             .height = codec->height,
                             .rate = track->rate,
                             .bits_per_s = result->bits_per_s,
                             .extradata = codec->extradata,
                             .extradata_size = (size_t)codec->extradata_size,
                             .field_order = codec->field_order,
                             .sample_bits = codec->bits_per_raw_sample,
                             .tag_bits = codec->bits_per_coded_sample,
                             .head = track->head_size ? track->head : NULL,
                             .head_size = track->head_size,
                             .descriptor = track->descriptor.set ? &track->descriptor : NULL,
                             .brand = metadata(media->format, "major_brand"),
                             .maker = metadata(media->format, "company_name")};
    if (codec->codec_type == AVMEDIA_TYPE_VIDEO)
        facts.pixels = av_pix_fmt_desc_get((enum AVPixelFormat)codec->format);
    return facts;
}

/* level is NULL without memory. */
static void describe_picture(const sci_media *media, const sci_codec_facts *facts, sc_track *result)
{
    sci_picture_facts picture = {.chroma = ""};
    if (result->kind == SC_TRACK_VIDEO)
        sci_picture_facts_of(facts, &picture);
    result->level = *picture.level ? sci_arena_strdup(media->arena, picture.level) : "";
    result->scan = picture.scan;
    result->chroma = picture.chroma;
    result->bit_depth = picture.bit_depth;
}

static sc_status describe(sci_media *media, int index, sc_track *result)
{
    sci_media_track *track = &media->tracks[index];
    const AVCodecParameters *codec = media->format->streams[index]->codecpar;
    char name[SC_NAME_MAX];
    *result = (sc_track){.kind = track->kind,
                         .played = track->played && (track->count > 0 || track->told.set)};
    describe_packets(media, track, result);
    if (codec->codec_type == AVMEDIA_TYPE_VIDEO) {
        result->width = codec->width > 0 ? codec->width : 0;
        result->height = codec->height > 0 ? codec->height : 0;
    }
    if (track->kind == SC_TRACK_VIDEO)
        result->frame_rate = track->rate;
    if (track->kind == SC_TRACK_AUDIO) {
        result->sample_rate_hz = codec->sample_rate > 0 ? codec->sample_rate : 0;
        result->channels = codec->ch_layout.nb_channels > 0 ? codec->ch_layout.nb_channels : 0;
    }
    sci_codec_facts facts = facts_of(media, index, track, result);
    result->name = sci_arena_strdup(media->arena, sci_codec_name(&facts, name, sizeof name));
    result->codec = codec->codec_id != AV_CODEC_ID_NONE ? avcodec_get_name(codec->codec_id) : "";
    if (!result->name)
        return SC_NO_MEMORY;
    describe_picture(media, &facts, result);
    sci_published_find(result, track->constant_rate && !track->encoded);
    sci_published_note(result, &media->findings);
    return result->level ? SC_OK : SC_NO_MEMORY;
}

sc_status sci_tracks_describe(sci_media *media, sc_clip *clip, sc_error *error)
{
    sc_track *tracks = sci_arena_alloc(media->arena, media->track_count + 1, sizeof *tracks);
    sc_status status = tracks ? SC_OK : SC_NO_MEMORY;
    for (size_t i = 0; i < media->track_count && status == SC_OK; i++)
        status = describe(media, (int)i, &tracks[i]);
    if (status != SC_OK)
        return sci_fail(error, status, 0, "probe.tracks", media->file.path, "out of memory");
    clip->tracks = tracks;
    clip->track_count = media->track_count;
    return SC_OK;
}
