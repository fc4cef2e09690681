#include "probe/matroska.h"

#include <string.h>

enum {
    TIMESTAMP_SCALE = 0x2AD7B1,
    DURATION = 0x4489,
    SEEK = 0x4DBB,
    SEEK_ID = 0x53AB,
    SEEK_POSITION = 0x53AC,
    TRACK_ENTRY = 0xAE,
    TRACK_NUMBER = 0xD7,
    TRACK_TYPE = 0x83,
    DEFAULT_DURATION = 0x23E383,
    CODEC_ID = 0x86,
    TRACK_TIMESTAMP_SCALE = 0x23314F,
    CONTENT_ENCODINGS = 0x6D80,
    DEFAULT_TICK_NS = 1000000,
    /* Elements of a parent that are looked at: hostile files have millions. */
    CHILDREN_MAX = 4096
};

bool sci_mkv_is_top_level(uint32_t id)
{
    static const uint32_t ids[] = {
        SCI_MKV_EBML,    SCI_MKV_SEGMENT, SCI_MKV_SEEK_HEAD, SCI_MKV_INFO,        SCI_MKV_TRACKS,
        SCI_MKV_CLUSTER, SCI_MKV_CUES,    SCI_MKV_CHAPTERS,  SCI_MKV_ATTACHMENTS, SCI_MKV_TAGS};
    for (size_t i = 0; i < SCI_COUNT(ids); i++)
        if (ids[i] == id)
            return true;
    return false;
}

sci_mkv_track *sci_mkv_find_track(sci_mkv *mkv, uint64_t number)
{
    for (int i = 0; i < mkv->track_count; i++)
        if (mkv->tracks[i].number == number)
            return &mkv->tracks[i];
    return NULL;
}

static void read_info(sci_mkv *mkv, const sci_element *info)
{
    sci_element child;
    double ticks = 0;
    int64_t at = info->contents;
    for (int i = 0; i < CHILDREN_MAX && sci_ebml_at(&mkv->window, at, info->end, &child); i++) {
        if (child.id == TIMESTAMP_SCALE)
            sci_ebml_unsigned(&mkv->window, &child, &mkv->tick_ns);
        else if (child.id == DURATION)
            sci_ebml_float(&mkv->window, &child, &ticks);
        at = child.end;
    }
    if (mkv->tick_ns == 0)
        mkv->tick_ns = DEFAULT_TICK_NS;
    mkv->duration_s = ticks > 0 ? ticks * (double)mkv->tick_ns / 1e9 : 0;
}

static void read_seek(sci_mkv *mkv, const sci_element *seek)
{
    sci_element child;
    uint64_t id = 0, position = 0;
    int64_t at = seek->contents;
    while (sci_ebml_at(&mkv->window, at, seek->end, &child)) {
        if (child.id == SEEK_ID)
            sci_ebml_unsigned(&mkv->window, &child, &id);
        else if (child.id == SEEK_POSITION)
            sci_ebml_unsigned(&mkv->window, &child, &position);
        at = child.end;
    }
    if (position >= (uint64_t)(mkv->segment.end - mkv->segment.contents))
        return;
    if (id == SCI_MKV_CUES)
        mkv->cues = mkv->segment.contents + (int64_t)position;
    else if (id == SCI_MKV_SEEK_HEAD)
        mkv->seek_more = mkv->segment.contents + (int64_t)position;
}

static void read_seek_head(sci_mkv *mkv, const sci_element *head)
{
    sci_element child;
    int64_t at = head->contents;
    for (int i = 0; i < CHILDREN_MAX && sci_ebml_at(&mkv->window, at, head->end, &child); i++) {
        if (child.id == SEEK)
            read_seek(mkv, &child);
        at = child.end;
    }
}

/* A file that was written in one go has a short index at its start, which names the whole one at its
   end. */
static void read_more_seek_head(sci_mkv *mkv)
{
    sci_element head;
    if (!mkv->cues && mkv->seek_more > mkv->first_cluster &&
        sci_ebml_at(&mkv->window, mkv->seek_more, mkv->segment.end, &head) &&
        head.id == SCI_MKV_SEEK_HEAD && !head.cut)
        read_seek_head(mkv, &head);
}

/* Types that the demuxer makes streams of, if they have a codec: video, audio, subtitles, metadata. */
static enum AVMediaType media_type(uint64_t type)
{
    switch (type) {
    case 1:
        return AVMEDIA_TYPE_VIDEO;
    case 2:
        return AVMEDIA_TYPE_AUDIO;
    case 0x11:
        return AVMEDIA_TYPE_SUBTITLE;
    case 0x21:
        return AVMEDIA_TYPE_DATA;
    default:
        return AVMEDIA_TYPE_UNKNOWN;
    }
}

/* The demuxer does not tell the number of a stream's track, but keeps their order. False when it
   took the track for something else. */
static bool find_stream(const AVFormatContext *format, enum AVMediaType type, int *next,
                        sci_mkv_track *track)
{
    track->stream = -1;
    if (type == AVMEDIA_TYPE_UNKNOWN)
        return true;
    if (*next >= (int)format->nb_streams)
        return false;
    enum AVMediaType found = format->streams[*next]->codecpar->codec_type;
    /* Metadata may be shown as subtitles. */
    bool same = found == type || (type == AVMEDIA_TYPE_DATA && found == AVMEDIA_TYPE_SUBTITLE);
    track->stream = (*next)++;
    return same;
}

static bool read_track(sci_mkv *mkv, const AVFormatContext *format, const sci_element *entry,
                       int *next)
{
    sci_mkv_track *track = &mkv->tracks[mkv->track_count];
    sci_element child;
    uint64_t type = 0, frame_ns = 0;
    double scale = 1;
    bool has_codec = false;
    int64_t at = entry->contents;
    *track = (sci_mkv_track){0};
    for (int i = 0; i < CHILDREN_MAX && sci_ebml_at(&mkv->window, at, entry->end, &child); i++) {
        if (child.id == TRACK_NUMBER)
            sci_ebml_unsigned(&mkv->window, &child, &track->number);
        else if (child.id == TRACK_TYPE)
            sci_ebml_unsigned(&mkv->window, &child, &type);
        else if (child.id == DEFAULT_DURATION)
            sci_ebml_unsigned(&mkv->window, &child, &frame_ns);
        else if (child.id == TRACK_TIMESTAMP_SCALE)
            sci_ebml_float(&mkv->window, &child, &scale);
        else if (child.id == CODEC_ID)
            has_codec = child.end > child.contents;
        else if (child.id == CONTENT_ENCODINGS)
            track->encoded = child.end > child.contents;
        at = child.end;
    }
    track->frame_ns = frame_ns < INT64_C(1000000000000) ? (int64_t)frame_ns : 0;
    mkv->track_count++;
    /* A clock of its own, long deprecated: no such file is read here. */
    if (scale != 1)
        return false;
    return find_stream(format, has_codec ? media_type(type) : AVMEDIA_TYPE_UNKNOWN, next, track);
}

/* Behind the streams of the tracks there are attachments only. */
static bool is_all(const AVFormatContext *format, int next)
{
    for (int i = next; i < (int)format->nb_streams; i++)
        if (format->streams[i]->codecpar->codec_type != AVMEDIA_TYPE_ATTACHMENT &&
            !(format->streams[i]->disposition & AV_DISPOSITION_ATTACHED_PIC))
            return false;
    return true;
}

static bool read_tracks(sci_mkv *mkv, const AVFormatContext *format, const sci_element *tracks)
{
    sci_element child;
    int next = 0;
    int64_t at = tracks->contents;
    mkv->track_count = 0;
    for (int i = 0; i < CHILDREN_MAX && sci_ebml_at(&mkv->window, at, tracks->end, &child); i++) {
        if (child.id == TRACK_ENTRY &&
            (mkv->track_count == SCI_MKV_TRACKS_MAX || !read_track(mkv, format, &child, &next)))
            return false;
        at = child.end;
    }
    return mkv->track_count > 0 && is_all(format, next);
}

static bool find_segment(sci_mkv *mkv, int64_t size)
{
    sci_element element;
    int64_t at = 0;
    for (int i = 0; i < CHILDREN_MAX && sci_ebml_at(&mkv->window, at, size, &element); i++) {
        if (element.id == SCI_MKV_SEGMENT) {
            mkv->segment = element;
            return true;
        }
        at = element.end;
    }
    return false;
}

bool sci_mkv_open(sci_mkv *mkv, sci_media *media)
{
    sci_element element;
    bool tracks_agree = false;
    memset(mkv, 0, sizeof *mkv);
    sci_window_open_wide(&mkv->window, &media->file, mkv->wide, sizeof mkv->wide);
    mkv->window.ahead = SCI_WINDOW_BYTES;
    mkv->tick_ns = DEFAULT_TICK_NS;
    if (!find_segment(mkv, media->file.size_bytes))
        return false;
    int64_t at = mkv->segment.contents;
    for (int i = 0; i < CHILDREN_MAX && sci_ebml_at(&mkv->window, at, mkv->segment.end, &element);
         i++) {
        if (element.id == SCI_MKV_CLUSTER) {
            mkv->first_cluster = element.start;
            if (tracks_agree)
                read_more_seek_head(mkv);
            return tracks_agree;
        }
        if (element.size_unknown)
            return false;
        if (element.id == SCI_MKV_INFO)
            read_info(mkv, &element);
        else if (element.id == SCI_MKV_SEEK_HEAD)
            read_seek_head(mkv, &element);
        else if (element.id == SCI_MKV_TRACKS)
            tracks_agree = read_tracks(mkv, media->format, &element);
        else if (element.id == SCI_MKV_CUES)
            mkv->cues = element.start;
        at = element.end;
    }
    return false;
}
