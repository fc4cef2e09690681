/* Every packet is read, within the limits: for what has no index that can be relied on. */
#include "probe/media.h"

#include <string.h>

static bool matches(const sci_media *media)
{
    (void)media;
    return true;
}

static int64_t position_after(const sci_packets *packets)
{
    const sci_packet *last = packets->count ? &packets->items[packets->count - 1] : NULL;
    return last && last->pos < INT64_MAX - last->bytes ? last->pos + last->bytes : 0;
}

static sci_packet packet_of(const AVPacket *packet, const sci_packets *before)
{
    int64_t duration = packet->duration > 0 && packet->duration < INT32_MAX ? packet->duration : 0;
    return (sci_packet){.pos = packet->pos >= 0 ? packet->pos : position_after(before),
                        .time = packet->dts,
                        .bytes = packet->size,
                        .duration = (int32_t)duration,
                        .track = packet->stream_index,
                        .key = packet->flags & AV_PKT_FLAG_KEY};
}

static void keep_head(sci_media *media, const AVPacket *packet)
{
    if (packet->stream_index >= (int)media->track_count || packet->size < SCI_HEAD_BYTES)
        return;
    sci_media_track *track = &media->tracks[packet->stream_index];
    if (track->head_size)
        return;
    memcpy(track->head, packet->data, SCI_HEAD_BYTES);
    track->head_size = SCI_HEAD_BYTES;
}

/* SC_LIMIT: as far as allowed. Then what was read ahead still comes, and ends by itself. */
static sc_status read_packets(sci_media *media, AVPacket *packet, int *code)
{
    sci_file *file = &media->file;
    while ((*code = av_read_frame(media->format, packet)) >= 0) {
        sc_status status = sci_packets_add(&media->packets, packet_of(packet, &media->packets));
        keep_head(media, packet);
        av_packet_unref(packet);
        if (status != SC_OK)
            return status;
        if ((media->packets.count & 0xFF) == 0)
            sci_file_stop(file);
        if (file->cancelled)
            break;
    }
    return file->cancelled ? SC_CANCELLED : file->limited ? SC_LIMIT : SC_OK;
}

/* The last packet of each track may have been cut short by the limit. */
static sc_status drop_cut_packets(sci_media *media)
{
    sci_packets *packets = &media->packets;
    size_t kept = 0, left = media->format->nb_streams;
    bool *dropped = sci_arena_alloc(media->arena, left + 1, sizeof *dropped);
    if (!dropped)
        return SC_NO_MEMORY;
    for (size_t i = packets->count; i-- > 0 && left > 0;) {
        int32_t track = packets->items[i].track;
        if (dropped[track])
            continue;
        dropped[track] = true;
        packets->items[i].track = -1;
        left--;
    }
    for (size_t i = 0; i < packets->count; i++)
        if (packets->items[i].track >= 0)
            packets->items[kept++] = packets->items[i];
    packets->count = kept;
    return SC_OK;
}

sc_status sci_media_note_limit(sci_media *media)
{
    char limit[SCI_LIMIT_TEXT];
    media->flags |= SC_CLIP_LIMITED | SC_CLIP_SAMPLED;
    media->source = SC_SOURCE_SAMPLED;
    sci_finding_add(&media->findings, "limited", SC_SEVERITY_WARNING,
                    "%s ended the scan: all figures are of the first %lld of %lld bytes",
                    sci_file_limit(&media->file, limit), (long long)media->file.bytes_read,
                    (long long)media->file.size_bytes);
    return drop_cut_packets(media);
}

void sci_media_note_unreadable(sci_media *media, int code)
{
    char reason[AV_ERROR_MAX_STRING_SIZE] = "";
    media->flags |= SC_CLIP_SAMPLED;
    media->source = SC_SOURCE_SAMPLED;
    av_strerror(code, reason, sizeof reason);
    sci_finding_add(&media->findings, "unreadable-part", SC_SEVERITY_WARNING,
                    "the scan ended early, at a part that cannot be read (%s): figures are of what "
                    "lies before it",
                    reason);
}

static void note_end(sci_media *media, int code)
{
    if (media->file.os_errno)
        sci_media_note_unreadable(media, AVERROR(media->file.os_errno));
    else if (code != AVERROR_EOF)
        sci_media_note_unreadable(media, code);
}

static sc_status collect(sci_media *media, sc_error *error)
{
    AVPacket *packet = av_packet_alloc();
    int code = 0;
    sc_status status = packet ? SC_OK : SC_NO_MEMORY;
    media->flags |= SC_CLIP_NO_INDEX;
    if (status == SC_OK && !media->informed)
        status = sci_media_inform(media, error);
    if (status == SC_OK)
        status = read_packets(media, packet, &code);
    av_packet_free(&packet);
    if (status == SC_OK)
        note_end(media, code);
    else if (status == SC_LIMIT && media->packets.count < SCI_PACKETS_MAX)
        status = sci_media_note_limit(media);
    if (status != SC_OK)
        return sci_fail(error, status, 0, "probe.scan", media->file.path,
                        status == SC_CANCELLED ? "cancelled"
                        : status == SC_LIMIT   ? "more packets than are kept"
                                               : "out of memory");
    return sci_media_find_tracks(media, error);
}

static bool check(sci_media *media)
{
    return media->packets.count > 0;
}

const sci_strategy sci_strategy_scan = {.source = SC_SOURCE_SCAN,
                                        .finds_only_what_is_there = true,
                                        .matches = matches,
                                        .collect = collect,
                                        .check = check};
