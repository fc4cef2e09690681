/* Groups of pictures: by hand, and of clips against a reading of every packet. */
#include "probe/groups.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <streamcalc/probe.h>
#include <string.h>
#include <unistd.h>

enum { FRAMES_MAX = 1000 };

/* Of 25 frames a second; an upper case letter is a key frame, A is 1 byte. */
static sci_groups groups_of(const char *frames, bool cut_off)
{
    sci_packet packets[FRAMES_MAX] = {0};
    size_t count = strlen(frames);
    for (size_t k = 0; k < count; k++) {
        packets[k].key = frames[k] < 'a';
        packets[k].bytes = (frames[k] & 31);
        packets[k].time = (int64_t)k * (SCI_FLICKS / 25);
    }
    return sci_groups_of(packets, count, (int64_t)count * (SCI_FLICKS / 25), cut_off);
}

static void check(sci_groups groups, int64_t worst, int64_t largest, int64_t longest)
{
    assert_int_equal(groups.worst_bits_per_s, worst);
    assert_int_equal(groups.largest_bytes, largest);
    assert_int_equal(groups.longest_packets, longest);
}

static void every_group_counts_once(void **state)
{
    (void)state;
    /* 12, 8 and 6 bytes; the shortest is the worst, the first the largest. */
    check(groups_of("JaaFbFa", false), 8 * 8 * 25 / 2, 12, 3);
    check(groups_of("JaaaJaaa", false), 8 * 13 * 25 / 4, 13, 4);
    check(groups_of("ABCD", false), 8 * 4 * 25, 4, 1);
    check(groups_of("Aaaa", true), 8 * 4 * 25 / 4, 4, 4);
}

static void parts_of_groups_do_not_count(void **state)
{
    (void)state;
    /* Before the first key frame. */
    check(groups_of("zzzBaaBaa", false), 267, 4, 3); /* 8 x 4 x 25 / 3 */
    /* A last group that is shorter than the one before it: a large frame alone is no group. */
    check(groups_of("BaaBaaZ", false), 267, 4, 3);
    check(groups_of("BaaBaaBaaa", false), 267, 5, 4);
    check(groups_of("BaaBaaBaaa", true), 267, 4, 3);
}

static void without_key_frames_nothing_is_known(void **state)
{
    (void)state;
    check(groups_of("abc", false), SC_UNKNOWN, SC_UNKNOWN, SC_UNKNOWN);
    check(groups_of("", false), SC_UNKNOWN, SC_UNKNOWN, SC_UNKNOWN);
}

/* ---- clips ---- */

static const struct {
    const char *name, *arguments;
    double tolerance; /* of the rate: times of Matroska are rounded to milliseconds */
} recipes[] = {
    {"long.mp4", "-c:v libx264 -preset ultrafast -pix_fmt yuv420p -bf 2 -g 12", 1e-9},
    {"open.mp4", "-c:v libx265 -preset ultrafast -x265-params log-level=none:keyint=24 -b:v 2M",
     1e-9},
    {"long.mkv", "-c:v libx264 -preset ultrafast -pix_fmt yuv420p -bf 2 -g 12", 0.01},
    {"long.ts", "-c:v mpeg2video -b:v 3M -bf 2 -g 12", 1e-4},
    {"prores.mov", "-c:v prores_ks", 1e-9},
};

/* The same figures from a plain reading; groups between key packets only, and the last one when
   it is as long as the one before. */
struct plain {
    double worst;
    int64_t largest, longest;
};

struct packet {
    int64_t dts, bytes;
    bool key;
};

static size_t read_packets(const char *path, struct packet *packets, double *tick_s)
{
    AVFormatContext *format = NULL;
    AVPacket *packet = av_packet_alloc();
    size_t count = 0;
    assert_int_equal(avformat_open_input(&format, path, NULL, NULL), 0);
    assert_true(avformat_find_stream_info(format, NULL) >= 0);
    while (av_read_frame(format, packet) >= 0 && count < FRAMES_MAX) {
        packets[count++] = (struct packet){packet->dts, packet->size,
                                           packet->flags & AV_PKT_FLAG_KEY};
        av_packet_unref(packet);
    }
    *tick_s = av_q2d(format->streams[0]->time_base);
    av_packet_free(&packet);
    avformat_close_input(&format);
    return count;
}

static struct plain read_groups(const char *path)
{
    static struct packet packets[FRAMES_MAX];
    size_t keys[FRAMES_MAX + 1], key_count = 0;
    double tick_s;
    struct plain plain = {0};
    size_t count = read_packets(path, packets, &tick_s);
    for (size_t k = 0; k < count; k++)
        if (packets[k].key)
            keys[key_count++] = k;
    assert_true(key_count > 2);
    keys[key_count] = count;
    bool whole = keys[key_count] - keys[key_count - 1] >= keys[key_count - 1] - keys[key_count - 2];
    for (size_t g = 0; g + !whole < key_count; g++) {
        int64_t bytes = 0, frames = (int64_t)(keys[g + 1] - keys[g]);
        bool timed = keys[g + 1] < count && packets[keys[g]].dts != AV_NOPTS_VALUE;
        double seconds = timed ? (double)(packets[keys[g + 1]].dts - packets[keys[g]].dts) * tick_s
                               : (double)frames / 25;
        for (size_t k = keys[g]; k < keys[g + 1]; k++)
            bytes += packets[k].bytes;
        plain.worst = (double)bytes * 8 / seconds > plain.worst ? (double)bytes * 8 / seconds
                                                                : plain.worst;
        plain.largest = bytes > plain.largest ? bytes : plain.largest;
        plain.longest = frames > plain.longest ? frames : plain.longest;
    }
    return plain;
}

static void check_clip(const char *path, double tolerance)
{
    const struct plain plain = read_groups(path);
    sc_probe *probe = NULL;
    assert_int_equal(sc_probe_many(&path, 1, NULL, &probe, NULL), SC_OK);
    const sc_clip *clip = &probe->clips[0];
    assert_true((double)clip->worst_gop_bits_per_s > plain.worst * (1 - tolerance) - 1);
    assert_true((double)clip->worst_gop_bits_per_s < plain.worst * (1 + tolerance) + 1);
    assert_int_equal(clip->largest_gop_bytes, plain.largest);
    assert_int_equal(clip->longest_gop_frames, plain.longest);
    /* Never below the mean of what the groups cover, the whole clip but for a part of its end. */
    assert_true((double)clip->worst_gop_bits_per_s > 0.95 * (double)clip->tracks[0].bits_per_s);
    sc_probe_free(&probe);
}

static void clips_agree_with_a_plain_reading(void **state)
{
    char folder[] = "/tmp/sc-groups-XXXXXX", command[1024], path[64];
    size_t done = 0;
    (void)state;
    assert_non_null(mkdtemp(folder));
    for (size_t i = 0; i < SCI_COUNT(recipes); i++) {
        snprintf(path, sizeof path, "%s/%s", folder, recipes[i].name);
        snprintf(command, sizeof command,
                 "ffmpeg -nostdin -v quiet -f lavfi -i mandelbrot=s=320x180:r=25:end_scale=0.02 "
                 "-t 4.2 %s -threads 2 '%s'",
                 recipes[i].arguments, path);
        if (system(command) == 0) {
            check_clip(path, recipes[i].tolerance);
            done++;
        }
        unlink(path);
    }
    rmdir(folder);
    if (!done)
        skip();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_group_counts_once),
        cmocka_unit_test(parts_of_groups_do_not_count),
        cmocka_unit_test(without_key_frames_nothing_is_known),
        cmocka_unit_test(clips_agree_with_a_plain_reading),
    };
    sc_probe_quiet_ffmpeg();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
