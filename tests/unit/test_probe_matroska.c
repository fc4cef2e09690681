/* The walk through a Matroska file against a reading of every packet. */
#include "probing.h"

#include <fcntl.h>

static const struct recipe clips[] = {
    {"h264.mkv", "-c:v libx264 -bf 3 -g 12 -c:a aac"},
    {"prores.mkv", "-c:v prores_ks -c:a pcm_s24le"},
    {"vp9.webm", "-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -c:a libopus"},
    {"live.mkv", "-c:v libx264 -bf 2 -c:a aac -f matroska -live 1"},
    {"front.mkv", "-c:v libx264 -c:a flac -cues_to_front 1 -reserve_index_space 20000"},
    {"small.mkv", "-c:v libx264 -c:a aac -cluster_time_limit 100"},
    {"mjpeg.mkv", "-c:v mjpeg -c:a ac3 -cluster_size_limit 20000"},
};

/* Position and size of every packet of the walk, against those that the demuxer reads. Its positions
   are those of the block, a few bytes before its contents. */
static void compare(struct probing *probing, const char *path)
{
    enum { BLOCK_HEADER_MAX = 12 };
    AVFormatContext *format = NULL;
    AVPacket *packet = av_packet_alloc();
    size_t next[4] = {0}, read = 0;
    assert_int_equal(avformat_open_input(&format, path, NULL, NULL), 0);
    while (av_read_frame(format, packet) >= 0) {
        const sci_packet *found = next_of(&probing->media.packets, packet->stream_index,
                                          &next[packet->stream_index]);
        read++;
        int header = format->streams[packet->stream_index]->codecpar->codec_id == AV_CODEC_ID_PRORES
                         ? 8
                         : 0;
        assert_int_equal(found->bytes + header, packet->size);
        assert_in_range(found->pos, packet->pos, packet->pos + BLOCK_HEADER_MAX);
        assert_int_equal(found->key, (packet->flags & AV_PKT_FLAG_KEY) != 0);
        av_packet_unref(packet);
    }
    assert_int_equal(read, probing->media.packets.count);
    av_packet_free(&packet);
    avformat_close_input(&format);
}

static void every_block_is_found(void **state)
{
    (void)state;
    size_t done = 0;
    for (size_t i = 0; i < SCI_COUNT(clips); i++) {
        struct probing probing = {0};
        const char *path = in_folder(clips[i].name);
        if (!is_there(clips[i].name))
            continue;
        collect(&probing, path, false, -1);
        assert_int_equal(probing.status, SC_OK);
        assert_int_equal(probing.media.source, SC_SOURCE_HEADER_WALK);
        assert_int_equal(probing.media.flags, 0);
        compare(&probing, path);
        release(&probing);
        done++;
    }
    if (!done)
        skip();
}

static void what_was_cut_off_is_said_so(void **state)
{
    struct stat facts;
    (void)state;
    if (stat(in_folder("h264.mkv"), &facts) != 0)
        skip();
    for (long bytes = facts.st_size / 4; bytes < facts.st_size; bytes += facts.st_size / 9) {
        struct probing probing = {0};
        copy_part("h264.mkv", "cut.mkv", bytes);
        collect(&probing, in_folder("cut.mkv"), false, -1);
        assert_int_equal(probing.status, SC_OK);
        assert_int_equal(probing.media.source, SC_SOURCE_HEADER_WALK);
        assert_true(probing.media.flags & SC_CLIP_TRUNCATED);
        compare(&probing, in_folder("cut.mkv"));
        release(&probing);
    }
}

/* Nothing but a clear end may come of whatever the bytes are. */
static void damage_does_no_harm(void **state)
{
    struct stat facts;
    unsigned seed = 7;
    (void)state;
    if (stat(in_folder("small.mkv"), &facts) != 0)
        skip();
    for (int round = 0; round < 60; round++) {
        struct probing probing = {0};
        copy_part("small.mkv", "damaged.mkv", facts.st_size);
        int fd = open(in_folder("damaged.mkv"), O_RDWR);
        for (int k = 0; k < 8; k++) {
            uint8_t byte = (uint8_t)(seed = seed * 1103515245u + 12345u) >> 3;
            off_t at = (off_t)(seed / 7 % (k < 4 ? 1000 : (unsigned)facts.st_size));
            assert_int_equal(pwrite(fd, &byte, 1, at), 1);
        }
        close(fd);
        collect(&probing, in_folder("damaged.mkv"), round & 1, -1);
        release(&probing);
    }
}

static void limits_leave_a_part(void **state)
{
    struct stat facts;
    struct probing probing = {0};
    (void)state;
    if (stat(in_folder("prores.mkv"), &facts) != 0)
        skip();
    collect(&probing, in_folder("prores.mkv"), true, 40000);
    assert_int_equal(probing.status, SC_OK);
    assert_int_equal(probing.media.source, SC_SOURCE_SAMPLED);
    assert_int_equal(probing.media.flags, SC_CLIP_LIMITED | SC_CLIP_SAMPLED);
    assert_true(probing.media.file.bytes_read <= 40000);
    release(&probing);
}

static int set_up(void **state)
{
    (void)state;
    return make_clips(clips, SCI_COUNT(clips));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_block_is_found), cmocka_unit_test(what_was_cut_off_is_said_so),
        cmocka_unit_test(damage_does_no_harm), cmocka_unit_test(limits_leave_a_part)};
    av_log_set_level(AV_LOG_QUIET);
    return cmocka_run_group_tests(tests, set_up, remove_clips);
}
