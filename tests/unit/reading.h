/* A plain reading of a whole file by FFmpeg, to compare the probe with. */
#ifndef READING_H
#define READING_H

#include <libavformat/avformat.h>
#include <stdbool.h>
#include <stdint.h>

enum { READING_TRACKS_MAX = 64 };

struct reading {
    bool read;
    unsigned tracks;
    int64_t packets[READING_TRACKS_MAX], bytes[READING_TRACKS_MAX];
    int64_t first_pos, last_end; /* of video and audio packets that have a position */
    int64_t unplaced;            /* those that have none */
};

static void reading_add(struct reading *reading, const AVFormatContext *format,
                        const AVPacket *packet)
{
    int i = packet->stream_index;
    enum AVMediaType type = format->streams[i]->codecpar->codec_type;
    if (i >= READING_TRACKS_MAX)
        return;
    reading->packets[i]++;
    reading->bytes[i] += packet->size;
    if (type != AVMEDIA_TYPE_VIDEO && type != AVMEDIA_TYPE_AUDIO)
        return;
    if (packet->pos < 0) {
        reading->unplaced++;
        return;
    }
    if (reading->first_pos < 0 || packet->pos < reading->first_pos)
        reading->first_pos = packet->pos;
    if (packet->pos + packet->size > reading->last_end)
        reading->last_end = packet->pos + packet->size;
}

/* Every sample once: edit lists repeat some. */
static struct reading read_whole_file(const char *path)
{
    struct reading reading = {.first_pos = -1};
    AVFormatContext *format = NULL;
    AVDictionary *options = NULL;
    AVPacket *packet = av_packet_alloc();
    av_dict_set(&options, "advanced_editlist", "0", 0);
    if (packet && avformat_open_input(&format, path, NULL, &options) == 0) {
        avformat_find_stream_info(format, NULL);
        while (av_read_frame(format, packet) >= 0) {
            reading_add(&reading, format, packet);
            av_packet_unref(packet);
        }
        reading.read = true;
        reading.tracks = format->nb_streams < READING_TRACKS_MAX ? format->nb_streams
                                                                 : READING_TRACKS_MAX;
    }
    av_dict_free(&options);
    av_packet_free(&packet);
    avformat_close_input(&format);
    return reading;
}

#endif
