/* PCM sound, raw DV and YUV4MPEG2: what is computed from the header is what libavformat reads from the
   whole file. Clips are made by the ffmpeg program. */
#include "clips.h"
#include "comparing.h"
#include "reading.h"

#include <libavutil/intreadwrite.h>

#define SOUND "-f lavfi -i sine=r=48000:d=4 "

static const struct {
    const char *name, *arguments;
} sounds[] = {
    {"plain.wav", SOUND "-c:a pcm_s16le"},
    {"surround.wav", SOUND "-ac 6 -c:a pcm_s24le"},
    {"float.wav", SOUND "-c:a pcm_f32le"},
    {"telephone.wav", SOUND "-ar 8000 -c:a pcm_mulaw"},
    {"broadcast.wav", SOUND "-write_bext 1 -write_peak on -ac 2 -c:a pcm_s16le"},
    {"large.wav", SOUND "-rf64 always -ac 2 -c:a pcm_s24le"},
    {"sound.w64", SOUND "-ac 2 -c:a pcm_s24le"},
    {"sound.aiff", SOUND "-ac 2 -c:a pcm_s24be"},
    {"little-endian.aifc", SOUND "-c:a pcm_s16le -f aiff"},
    {"sound.caf", SOUND "-ac 2 -c:a pcm_s24be"},
    {"sound.au", SOUND "-c:a pcm_s32be"},
};

static const struct {
    const char *name, *arguments;
} videos[] = {
    {"pal.dv", "-f lavfi -i testsrc2=s=720x576:r=25:d=1 -f lavfi -i sine=r=48000:d=1 -ac 2 "
               "-pix_fmt yuv420p -c:v dvvideo -c:a pcm_s16le"},
    {"ntsc.dv", "-f lavfi -i testsrc2=s=720x480:r=30000/1001:d=1 -pix_fmt yuv411p -c:v dvvideo"},
    {"dvcpro50.dv", "-f lavfi -i testsrc2=s=720x576:r=25:d=1 -pix_fmt yuv422p -c:v dvvideo"},
    {"dvcpro-hd.dv", "-f lavfi -i testsrc2=s=1440x1080:r=25:d=1 -pix_fmt yuv422p -c:v dvvideo"},
    {"film.y4m", "-f lavfi -i testsrc2=s=320x180:r=24000/1001:d=1"},
    {"deep.y4m", "-f lavfi -i testsrc2=s=322x182:r=25:d=1 -pix_fmt yuv422p10le -strict -1"},
};

static const sci_media_limits no_limits = {.max_bytes = -1, .max_seconds = 60};

static bool is_there(const char *name)
{
    return access(clip_path(name), R_OK) == 0;
}

static int64_t size_of(const char *name)
{
    struct stat facts;
    assert_int_equal(stat(clip_path(name), &facts), 0);
    return facts.st_size;
}

/* Which part of a second of sound lies where: time and position go together all the way. */
static void check_pieces(const sci_media *media)
{
    const sci_packets *packets = &media->packets;
    for (size_t i = 1; i < packets->count; i++) {
        const sci_packet *last = &packets->items[i - 1];
        assert_int_equal(packets->items[i].pos, last->pos + last->bytes);
        assert_int_equal(packets->items[i].time, last->time + last->duration);
    }
}

static void check_sound(const char *name, uint32_t flags)
{
    struct opened opened;
    const struct reading reading = read_whole_file(clip_path(name));
    open_media(&opened, clip_path(name), no_limits);
    print_message("%s\n", name);
    assert_int_equal(opened.media.source, SC_SOURCE_HEADER_CLAIM);
    assert_int_equal(opened.media.flags, flags);
    assert_int_equal(opened.media.tracks[0].bytes, reading.bytes[0]);
    assert_int_equal(opened.media.packets.items[0].pos, reading.first_pos);
    assert_true(opened.media.file.bytes_read < 150000);
    check_pieces(&opened.media);
    close_media(&opened);
}

static void sound_is_all_there(void **state)
{
    size_t done = 0;
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(sounds); i++)
        if (is_there(sounds[i].name)) {
            check_sound(sounds[i].name, 0);
            done++;
        }
    if (!done)
        skip();
}

/* Written to a pipe: the header could not be completed. */
static void sound_may_go_on_to_the_end(void **state)
{
    (void)state;
    clip_make("piped.wav", SOUND "-c:a pcm_s16le -f wav - | cat >piped.wav; true");
    if (!is_there("piped.wav") || size_of("piped.wav") == 0)
        skip();
    check_sound("piped.wav", 0);
}

static void cut(const char *name, const char *to, size_t bytes)
{
    if (!is_there(name))
        skip();
    struct bytes data = bytes_load(name);
    assert_true(bytes < data.size);
    data.size = bytes;
    bytes_save(&data, to);
}

static void what_was_cut_off_is_said(void **state)
{
    size_t done = 0;
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(sounds); i++) {
        if (!is_there(sounds[i].name))
            continue;
        cut(sounds[i].name, "cut.sound", (size_t)size_of(sounds[i].name) / 7 * 4);
        struct opened opened;
        open_media(&opened, clip_path("cut.sound"), no_limits);
        assert_int_equal(opened.media.flags & SC_CLIP_TRUNCATED, SC_CLIP_TRUNCATED);
        assert_int_equal(opened.media.source, SC_SOURCE_HEADER_CLAIM);
        close_media(&opened);
        done++;
    }
    if (!done)
        skip();
}

static void frames_are_those_of_a_full_reading(void **state)
{
    size_t done = 0;
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(videos); i++) {
        struct opened opened;
        if (!is_there(videos[i].name))
            continue;
        const struct reading reading = read_whole_file(clip_path(videos[i].name));
        open_media(&opened, clip_path(videos[i].name), no_limits);
        print_message("%s\n", videos[i].name);
        const sci_media *media = &opened.media;
        assert_int_equal(media->source, SC_SOURCE_HEADER_CLAIM);
        assert_int_equal(media->flags, 0);
        assert_int_equal(media->tracks[0].count, reading.packets[0]);
        assert_true(media->file.bytes_read < 40000);
        compare(clip_path(videos[i].name), media, COMPARE_TIMES | COMPARE_KEYS | COMPARE_PCM);
        const sci_packet *last = &media->packets.items[media->packets.count - 1];
        assert_int_equal(last->pos + last->bytes, size_of(videos[i].name));
        close_media(&opened);
        done++;
    }
    if (!done)
        skip();
}

static void sound_within_dv_is_found(void **state)
{
    struct opened opened;
    (void)state;
    if (!is_there("pal.dv"))
        skip();
    open_media(&opened, clip_path("pal.dv"), no_limits);
    assert_int_equal(opened.media.track_count, 2);
    assert_int_equal(opened.media.tracks[1].kind, SC_TRACK_AUDIO);
    assert_int_equal(opened.media.tracks[1].told.bytes, SC_UNKNOWN);
    assert_int_equal(opened.media.format->streams[1]->codecpar->sample_rate, 48000);
    close_media(&opened);
}

static void a_part_of_a_frame_is_no_frame(void **state)
{
    struct opened opened;
    (void)state;
    cut("pal.dv", "cut.dv", 144000 * 7 + 1000);
    open_media(&opened, clip_path("cut.dv"), no_limits);
    assert_int_equal(opened.media.tracks[0].count, 7);
    assert_int_equal(opened.media.flags, SC_CLIP_TRUNCATED);
    close_media(&opened);
}

static void less_than_a_frame_is_a_part_of_one(void **state)
{
    struct opened opened;
    (void)state;
    cut("pal.dv", "part.dv", 5000);
    open_media(&opened, clip_path("part.dv"), no_limits);
    assert_int_equal(opened.media.tracks[0].count, 1);
    assert_int_equal(opened.media.tracks[0].bytes, 5000);
    assert_int_equal(opened.media.flags, SC_CLIP_TRUNCATED);
    close_media(&opened);
}

/* Where frames are not where they should be the file is read. */
static void frames_out_of_place_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *name, *to;
        size_t at;
    } shifted[] = {{"pal.dv", "shifted.dv", 144000 * 3}, {"film.y4m", "shifted.y4m", 300000}};
    for (size_t i = 0; i < SCI_COUNT(shifted); i++) {
        struct opened opened;
        if (!is_there(shifted[i].name))
            skip();
        struct bytes bytes = bytes_load(shifted[i].name);
        memmove(bytes.data + shifted[i].at, bytes.data + shifted[i].at + 100,
                bytes.size - shifted[i].at - 100);
        bytes.size -= 100;
        bytes_save(&bytes, shifted[i].to);
        open_media(&opened, clip_path(shifted[i].to), no_limits);
        assert_true(opened.media.source == SC_SOURCE_SCAN ||
                    opened.media.source == SC_SOURCE_SAMPLED);
        assert_true(opened.media.flags & (SC_CLIP_NO_INDEX | SC_CLIP_SAMPLED));
        close_media(&opened);
    }
}

/* Six hours and more of sound would be too many pieces, but for larger ones. */
static void a_long_recording_has_larger_pieces(void **state)
{
    struct opened opened;
    int64_t start = 0;
    const int64_t bytes = (int64_t)48000 * 6 * 3600 * 20;
    (void)state;
    cut("sound.w64", "long.w64", 4096);
    struct bytes data = bytes_load("long.w64");
    for (size_t at = 0; at + 24 < data.size && !start; at++)
        if (memcmp(data.data + at, "data\xf3\xac\xd3\x11", 8) == 0) {
            AV_WL64(data.data + at + 16, bytes + 24);
            start = (int64_t)at + 24;
        }
    bytes_save(&data, "long.w64");
    assert_int_equal(truncate(clip_path("long.w64"), start + bytes), 0);
    open_media(&opened, clip_path("long.w64"), no_limits);
    assert_int_equal(opened.media.tracks[0].bytes, bytes);
    assert_true(opened.media.packets.count <= 1 << 16);
    assert_true(opened.media.packets.count > 1 << 15);
    check_pieces(&opened.media);
    close_media(&opened);
}

static int set_up(void **state)
{
    (void)state;
    if (!mkdtemp(clips_folder))
        return -1;
    for (size_t i = 0; i < SCI_COUNT(sounds); i++)
        clip_make(sounds[i].name, sounds[i].arguments);
    for (size_t i = 0; i < SCI_COUNT(videos); i++)
        clip_make(videos[i].name, videos[i].arguments);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    return nftw(clips_folder, clip_delete, 16, FTW_DEPTH | FTW_PHYS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sound_is_all_there),
        cmocka_unit_test(sound_may_go_on_to_the_end),
        cmocka_unit_test(what_was_cut_off_is_said),
        cmocka_unit_test(frames_are_those_of_a_full_reading),
        cmocka_unit_test(sound_within_dv_is_found),
        cmocka_unit_test(a_part_of_a_frame_is_no_frame),
        cmocka_unit_test(less_than_a_frame_is_a_part_of_one),
        cmocka_unit_test(frames_out_of_place_are_read),
        cmocka_unit_test(a_long_recording_has_larger_pieces),
    };
    av_log_set_level(AV_LOG_QUIET);
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
