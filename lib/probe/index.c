/* MOV and MP4 whose index only the demuxer can read, a compressed one for instance: it knows size,
   position and time of every sample once the header is read. */
#include "probe/media.h"

static bool matches(const sci_media *media)
{
    return sci_demuxer_is_mov(media->format->iformat);
}

static sc_status collect_track(sci_media *media, int track, sc_error *error)
{
    AVStream *stream = media->format->streams[track];
    int count = avformat_index_get_entries_count(stream);
    for (int i = 0; i < count; i++) {
        const AVIndexEntry *entry = avformat_index_get_entry(stream, i);
        if ((i & 0xFFFF) == 0 && sci_file_give_up(&media->file))
            return sci_file_gave_up(&media->file, "probe.index", error);
        sc_status status = sci_packets_add(&media->packets,
                                           (sci_packet){.pos = entry->pos,
                                                        .time = entry->timestamp,
                                                        .bytes = entry->size > 0 ? entry->size : 0,
                                                        .track = track,
                                                        .key = entry->flags & AVINDEX_KEYFRAME});
        if (status != SC_OK)
            return sci_fail(error, status, 0, "probe.index", media->file.path,
                            "an index of %zu entries does not fit", media->packets.count);
    }
    return SC_OK;
}

static bool lacks_facts(const sci_media *media)
{
    for (size_t i = 0; i < media->track_count; i++) {
        const AVStream *stream = media->format->streams[i];
        const AVCodecParameters *codec = stream->codecpar;
        if (media->tracks[i].played && codec->codec_type == AVMEDIA_TYPE_VIDEO &&
            avformat_index_get_entries_count(stream) &&
            (codec->width <= 0 || (codec->codec_id == AV_CODEC_ID_NONE && codec->codec_tag == 0)))
            return true;
    }
    return false;
}

static sc_status collect(sci_media *media, sc_error *error)
{
    size_t entries = 0;
    for (size_t i = 0; i < media->track_count; i++)
        entries += (size_t)avformat_index_get_entries_count(media->format->streams[i]);
    sc_status reserved = sci_packets_reserve(&media->packets, entries);
    if (reserved != SC_OK)
        return sci_fail(error, reserved, 0, "probe.index", media->file.path,
                        "an index of %zu entries does not fit", entries);
    /* The index is taken first: looking for facts may change it. */
    for (int i = 0; i < (int)media->track_count; i++) {
        sc_status status = collect_track(media, i, error);
        if (status != SC_OK)
            return status;
    }
    return lacks_facts(media) ? sci_media_inform(media, error) : SC_OK;
}

/* Where the last sample that lies in this file ends. */
static int64_t indexed_end(const sci_media *media)
{
    int64_t end = 0;
    for (size_t i = 0; i < media->packets.count; i++) {
        const sci_packet *packet = &media->packets.items[i];
        if (media->tracks[packet->track].external || packet->pos < 0 ||
            packet->pos > INT64_MAX - packet->bytes)
            continue;
        if (packet->pos + packet->bytes > end)
            end = packet->pos + packet->bytes;
    }
    return end;
}

static bool promised_more(const sci_media *media)
{
    for (size_t i = 0; i < media->track_count; i++) {
        AVStream *stream = media->format->streams[i];
        if (media->tracks[i].kind == SC_TRACK_VIDEO &&
            avformat_index_get_entries_count(stream) < stream->nb_frames)
            return true;
    }
    return false;
}

void sci_index_note_end(sci_media *media)
{
    const int64_t missing = indexed_end(media) - media->file.size_bytes;
    if (missing <= 0)
        return;
    media->flags |= SC_CLIP_TRUNCATED;
    sci_finding_add(&media->findings, "truncated", SC_SEVERITY_WARNING,
                    "the file ends %lld bytes before its index does: an unfinished copy; rates are "
                    "those of the whole clip",
                    (long long)missing);
}

static bool check(sci_media *media)
{
    if (indexed_end(media) == 0)
        return false;
    if (promised_more(media)) {
        media->flags |= SC_CLIP_PARTIAL_INDEX;
        return false;
    }
    sci_index_note_end(media);
    return true;
}

const sci_strategy sci_strategy_index = {.source = SC_SOURCE_FILE_INDEX,
                                         .samples_may_share_bytes = true,
                                         .times_are_the_containers = true,
                                         .positions_are_readable = true,
                                         .matches = matches,
                                         .collect = collect,
                                         .check = check};
