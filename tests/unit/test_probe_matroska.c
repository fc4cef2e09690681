/* The walk through a Matroska file against a reading of every packet. */
#include "probe/media.h"
#include "test.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/test_probe_matroska.XXXXXX";

static const char *in_folder(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static const struct {
    const char *name, *arguments;
} clips[] = {
    {"h264.mkv", "-c:v libx264 -bf 3 -g 12 -c:a aac"},
    {"prores.mkv", "-c:v prores_ks -c:a pcm_s24le"},
    {"vp9.webm", "-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -c:a libopus"},
    {"live.mkv", "-c:v libx264 -bf 2 -c:a aac -f matroska -live 1"},
    {"front.mkv", "-c:v libx264 -c:a flac -cues_to_front 1 -reserve_index_space 20000"},
    {"small.mkv", "-c:v libx264 -c:a aac -cluster_time_limit 100"},
    {"mjpeg.mkv", "-c:v mjpeg -c:a ac3 -cluster_size_limit 20000"},
};

static int make_clips(void **state)
{
    char command[1024];
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    for (size_t i = 0; i < SCI_COUNT(clips); i++) {
        snprintf(command, sizeof command,
                 "ffmpeg -v quiet -y -f lavfi -i testsrc=size=320x180:rate=30000/1001 -f lavfi -i "
                 "sine=sample_rate=48000 -t 3 %s %s </dev/null",
                 clips[i].arguments, in_folder(clips[i].name));
        if (system(command) != 0)
            unlink(in_folder(clips[i].name));
    }
    return 0;
}

static int remove_clips(void **state)
{
    char command[256];
    (void)state;
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

/* ---- both readings ---- */

struct probing {
    sci_media media;
    sci_arena *arena;
    sci_control control;
    sc_status status;
};

static void collect(struct probing *probing, const char *path, bool exact, int64_t max_bytes)
{
    sc_error error = {0};
    const sci_media_limits limits = {.max_bytes = max_bytes, .max_seconds = 60, .exact = exact};
    probing->arena = sci_arena_new();
    sci_control_start(&probing->control, NULL, "probe");
    probing->status = sci_media_open(&probing->media, path, limits, &probing->control,
                                     probing->arena, &error);
    if (probing->status == SC_OK)
        probing->status = sci_collect_packets(&probing->media, &error);
}

static void release(struct probing *probing)
{
    sci_media_close(&probing->media);
    sci_arena_free(&probing->arena);
}

static const sci_packet *next_of(const sci_packets *packets, int track, size_t *next)
{
    while (*next < packets->count && packets->items[*next].track != track)
        ++*next;
    assert_true(*next < packets->count);
    return &packets->items[(*next)++];
}

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
        if (access(path, R_OK) != 0) {
            print_message("left out: no ffmpeg program that can make %s\n", clips[i].name);
            continue;
        }
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

static void copy_part(const char *from, const char *to, long bytes)
{
    char source[256], *buffer = malloc((size_t)bytes);
    snprintf(source, sizeof source, "%s", in_folder(from));
    FILE *in = fopen(source, "rb"), *out = fopen(in_folder(to), "wb");
    assert_true(in && out && buffer);
    assert_int_equal(fread(buffer, 1, (size_t)bytes, in), bytes);
    assert_int_equal(fwrite(buffer, 1, (size_t)bytes, out), bytes);
    fclose(in);
    fclose(out);
    free(buffer);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_block_is_found), cmocka_unit_test(what_was_cut_off_is_said_so),
        cmocka_unit_test(damage_does_no_harm), cmocka_unit_test(limits_leave_a_part)};
    av_log_set_level(AV_LOG_QUIET);
    return cmocka_run_group_tests(tests, make_clips, remove_clips);
}
