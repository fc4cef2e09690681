/* The packets that a probe found against those that libavformat reads from the whole file. */
#ifndef COMPARING_H
#define COMPARING_H

#include "probe/media.h"
#include "test.h"

struct opened {
    sci_arena *arena;
    sci_control control;
    sci_media media;
};

/* Packets of each track together, times in ticks. */
static void open_media(struct opened *opened, const char *path, sci_media_limits limits)
{
    sc_error error = {0};
    opened->arena = sci_arena_new();
    sci_control_start(&opened->control, NULL, "test");
    sc_status status = sci_media_open(&opened->media, path, limits, &opened->control, opened->arena,
                                      &error);
    if (status == SC_OK)
        status = sci_collect_packets(&opened->media, &error);
    if (status == SC_OK)
        status = sci_tracks_group(&opened->media, &error);
    if (status != SC_OK)
        print_message("%s: %s\n", path, error.message);
    assert_int_equal(status, SC_OK);
}

static void close_media(struct opened *opened)
{
    sci_media_close(&opened->media);
    sci_arena_free(&opened->arena);
}

enum {
    COMPARE_TIMES = 1,
    COMPARE_PCM = 2, /* its pieces are cut as libavformat does */
    COMPARE_KEYS = 4
};

static inline bool is_compared(const sci_media *media, const AVFormatContext *format, int stream,
                               int what)
{
    const AVCodecParameters *codec = format->streams[stream]->codecpar;
    return media->tracks[stream].played && media->tracks[stream].told.bytes >= 0 &&
           (what & COMPARE_PCM || av_get_bits_per_sample(codec->codec_id) == 0);
}

/* Position, size, time and key flag of each packet. */
static inline void compare(const char *path, const sci_media *media, int what)
{
    AVFormatContext *format = NULL;
    AVDictionary *options = NULL;
    AVPacket *packet = av_packet_alloc();
    size_t next[16] = {0};
    av_dict_set(&options, "advanced_editlist", "0", 0);
    assert_int_equal(avformat_open_input(&format, path, NULL, &options), 0);
    av_dict_free(&options);
    while (av_read_frame(format, packet) >= 0) {
        const int i = packet->stream_index;
        const sci_media_track *track = &media->tracks[i];
        if (is_compared(media, format, i, what)) {
            const sci_packet *ours = &media->packets.items[track->first + next[i]];
            assert_true(next[i] < track->count);
            assert_int_equal(ours->pos, packet->pos);
            assert_int_equal(ours->bytes, packet->size);
            if (what & COMPARE_KEYS)
                assert_int_equal(ours->key, !!(packet->flags & AV_PKT_FLAG_KEY));
            if (what & COMPARE_TIMES)
                assert_int_equal(ours->time, packet->dts);
            next[i]++;
        }
        av_packet_unref(packet);
    }
    for (int i = 0; i < (int)format->nb_streams; i++)
        if (is_compared(media, format, i, what))
            assert_int_equal(next[i], media->tracks[i].count);
    avformat_close_input(&format);
    av_packet_free(&packet);
}

#endif
