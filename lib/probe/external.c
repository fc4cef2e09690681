/* Reference movies: an index in this file, the media in another one. */
#include "probe/media.h"

/* Steps that the demuxer may take through its index to answer; hostile files have more. */
static const int64_t STEPS_MAX = 20000000;

static void play_only(const AVFormatContext *format, unsigned index)
{
    for (unsigned i = 0; i < format->nb_streams; i++)
        format->streams[i]->discard = i == index ? AVDISCARD_DEFAULT : AVDISCARD_ALL;
}

/* The demuxer has no public mark for such tracks, but it never reads for them: asked for a packet,
   it reports the end. For others it reads, which fails here, so nothing is read. */
static bool lies_elsewhere(sci_media *media, unsigned index, AVPacket *packet)
{
    play_only(media->format, index);
    /* A parser would complain, aloud, about a packet of which only the buffered part came. */
    media->format->flags |= AVFMT_FLAG_NOPARSE;
    media->file.shut = true;
    media->file.asked = false;
    int code = av_read_frame(media->format, packet);
    av_packet_unref(packet);
    media->file.shut = false;
    return code == AVERROR_EOF && !media->file.asked;
}

static bool too_long(const sci_media *media)
{
    return (int64_t)media->packets.count * (int64_t)media->track_count > STEPS_MAX;
}

static size_t mark_tracks(sci_media *media, AVPacket *packet)
{
    size_t found = 0;
    for (size_t i = 0; i < media->track_count && !sci_file_give_up(&media->file); i++) {
        sci_media_track *track = &media->tracks[i];
        track->external = track->kind == SC_TRACK_VIDEO &&
                          avformat_index_get_entries_count(media->format->streams[i]) > 0 &&
                          lies_elsewhere(media, (unsigned)i, packet);
        found += track->external;
    }
    return found;
}

bool sci_media_find_external(sci_media *media)
{
    AVPacket *packet = av_packet_alloc();
    bool checked = !too_long(media);
    if (!packet)
        return !(media->findings.no_memory = true);
    size_t found = checked ? mark_tracks(media, packet) : 0;
    av_packet_free(&packet);
    if (!checked)
        sci_finding_add(&media->findings, "external-media-unchecked", SC_SEVERITY_NOTE,
                        "whether its media lies in other files was not checked: the index has %zu "
                        "samples in %zu tracks, which would take too long",
                        media->packets.count, media->track_count);
    if (found)
        sci_finding_add(&media->findings, "external-media", SC_SEVERITY_WARNING,
                        "a reference movie: the media of %zu tracks lies in other files, which "
                        "were not opened; figures are what the index says of it",
                        found);
    return found > 0;
}
