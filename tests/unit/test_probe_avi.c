/* AVI: what its indexes and chunk headers tell is, packet by packet, what libavformat reads from the
   whole file. Clips are made by the ffmpeg program, or built here. */
#include "clips.h"
#include "comparing.h"

#include <streamcalc/probe.h>

#include <libavutil/intreadwrite.h>

#define VIDEO "-f lavfi -i testsrc2=s=160x90:r=25:d=4 "
#define SOUND "-f lavfi -i sine=r=48000:d=4 "

static const struct {
    const char *name, *arguments;
} recipes[] = {
    {"jpeg.avi", VIDEO SOUND "-c:v mjpeg -c:a pcm_s16le"},
    {"silent.avi", VIDEO "-an -c:v mjpeg"},
    {"b-frames.avi", VIDEO SOUND "-c:v mpeg4 -bf 2 -g 12 -c:a libmp3lame"},
    {"variable-mp3.avi", VIDEO SOUND "-c:v mpeg4 -c:a libmp3lame -q:a 5"},
    {"ac3.avi", VIDEO SOUND "-c:v mpeg4 -c:a ac3 -b:a 192k"},
    {"aac.avi", VIDEO SOUND "-c:v libx264 -preset ultrafast -bf 0 -c:a aac"},
    {"adpcm.avi", VIDEO SOUND "-c:v mpeg4 -c:a adpcm_ms"},
    {"surround.avi", VIDEO SOUND "-c:v mjpeg -c:a pcm_s24le -ac 6"},
    {"two-sounds.avi",
     VIDEO SOUND SOUND "-map 0 -map 1 -map 2 -c:v mjpeg -c:a:0 pcm_s16le -c:a:1 libmp3lame"},
    {"raw.avi", VIDEO SOUND "-c:v rawvideo -pix_fmt yuv420p -c:a pcm_u8"},
    {"lossless.avi", VIDEO SOUND "-c:v ffv1 -c:a pcm_f32le"},
    {"huffyuv.avi", VIDEO SOUND "-c:v huffyuv -pix_fmt yuv422p -c:a pcm_s16le"},
    {"held.avi", VIDEO "-vf select='not(mod(n\\,3))' -vsync passthrough -an -c:v mpeg4"},
    {"late.avi", VIDEO "-itsoffset 0.5 " SOUND "-map 0 -map 1 -c:v mjpeg -c:a pcm_s16le"},
    {"film.avi",
     "-f lavfi -i testsrc2=s=160x90:r=24000/1001:d=4 " SOUND "-c:v mpeg4 -c:a pcm_s16le"},
    {"dv.avi",
     "-f lavfi -i testsrc2=s=720x576:r=25:d=1 -f lavfi -i sine=r=48000:d=1 -ac 2 -pix_fmt yuv420p "
     "-c:v dvvideo -c:a pcm_s16le"},
};

static void make_all(void)
{
    for (size_t i = 0; i < SCI_COUNT(recipes); i++)
        clip_make(recipes[i].name, recipes[i].arguments);
}

static const sci_media_limits no_limits = {.max_bytes = -1, .max_seconds = 60};

/* Keeps the bytes. */
static void bytes_store(const char *name, const struct bytes *bytes)
{
    struct bytes copy = {malloc(bytes->size + 1), bytes->size};
    assert_non_null(copy.data);
    memcpy(copy.data, bytes->data, bytes->size);
    bytes_save(&copy, name);
}

enum { COMPARE_ALL = COMPARE_TIMES | COMPARE_PCM };

/* `sound` has the same chunks at the same places, and an index that is right. */
static void compare_with(const char *name, const char *sound, sc_source source, uint32_t flags,
                         int what)
{
    struct opened opened;
    open_media(&opened, clip_path(name), no_limits);
    print_message("%s: %zu packets\n", name, opened.media.packets.count);
    assert_int_equal(opened.media.source, source);
    assert_int_equal(opened.media.flags, flags);
    compare(clip_path(sound), &opened.media, what);
    close_media(&opened);
}

static void compare_clip(const char *name, sc_source source, uint32_t flags, int what)
{
    compare_with(name, name, source, flags, what);
}

static void the_index_tells_every_packet(void **state)
{
    size_t done = 0;
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(recipes); i++)
        if (access(clip_path(recipes[i].name), R_OK) == 0) {
            compare_clip(recipes[i].name, SC_SOURCE_FILE_INDEX, 0, COMPARE_ALL | COMPARE_KEYS);
            done++;
        }
    if (!done)
        skip();
}

/* A picture that is shown again is a chunk without contents, which need not be looked for. */
static void pictures_shown_again_cost_no_reads(void **state)
{
    struct opened opened;
    (void)state;
    if (access(clip_path("held.avi"), R_OK) != 0)
        skip();
    open_media(&opened, clip_path("held.avi"), no_limits);
    assert_int_equal(opened.media.source, SC_SOURCE_FILE_INDEX);
    assert_in_range(opened.media.packets.count, 30, 40);
    assert_in_range(opened.media.file.reads, 1, 12);
    close_media(&opened);
}

/* Of PCM with many channels libavformat makes a packet of every sample. */
static void pcm_of_many_channels_has_few_packets(void **state)
{
    struct opened opened;
    (void)state;
    if (!clip_make("eight.avi", VIDEO SOUND "-c:v mjpeg -ac 8 -c:a pcm_f32le"))
        skip();
    open_media(&opened, clip_path("eight.avi"), no_limits);
    assert_int_equal(opened.media.source, SC_SOURCE_FILE_INDEX);
    assert_int_equal(opened.media.tracks[1].bytes, (int64_t)4 * 48000 * 8 * 4);
    assert_in_range(opened.media.tracks[1].count, 188, 400);
    close_media(&opened);
}

/* ---- changed by hand ---- */

static size_t find(const struct bytes *bytes, const char *name)
{
    for (size_t i = 0; i + 4 <= bytes->size; i++)
        if (memcmp(bytes->data + i, name, 4) == 0)
            return i;
    fail_msg("no %s", name);
    return 0;
}

static struct bytes load_clip(const char *name)
{
    if (access(clip_path(name), R_OK) != 0)
        skip();
    return bytes_load(name);
}

/* Some writers count the offsets of the index from the start of the file. */
static void offsets_may_count_from_the_start(void **state)
{
    struct bytes bytes = load_clip("jpeg.avi");
    const size_t index = find(&bytes, "idx1"), movi = find(&bytes, "movi");
    (void)state;
    for (size_t at = index + 8; at + 16 <= bytes.size; at += 16)
        AV_WL32(bytes.data + at + 8, AV_RL32(bytes.data + at + 8) + movi);
    bytes_store("from-the-start.avi", &bytes);
    free(bytes.data);
    compare_clip("from-the-start.avi", SC_SOURCE_FILE_INDEX, 0, COMPARE_ALL | COMPARE_KEYS);
}

/* An index that is wrong, or stands for a part only, is not believed. */
static void a_wrong_index_is_walked_around(void **state)
{
    (void)state;
    struct bytes bytes = load_clip("jpeg.avi");
    const size_t index = find(&bytes, "idx1");
    for (size_t at = index + 8; at + 16 <= bytes.size; at += 16)
        AV_WL32(bytes.data + at + 8, AV_RL32(bytes.data + at + 8) + 2);
    bytes_store("shifted.avi", &bytes);
    memcpy(bytes.data + index, "JUNK", 4);
    bytes_store("no-index.avi", &bytes);
    free(bytes.data);
    compare_clip("shifted.avi", SC_SOURCE_HEADER_WALK, SC_CLIP_NO_INDEX, COMPARE_PCM);
    compare_clip("no-index.avi", SC_SOURCE_HEADER_WALK, SC_CLIP_NO_INDEX, COMPARE_ALL);
}

/* Rows `from` to `to` (of 100) are taken out of the index, or stand in it twice. */
static void cut_rows(struct bytes *bytes, size_t from, size_t to)
{
    const size_t index = find(bytes, "idx1"), rows = (bytes->size - index - 8) / 16;
    const size_t first = index + 8 + rows * from / 100 * 16,
                 last = index + 8 + rows * to / 100 * 16;
    memmove(bytes->data + first, bytes->data + last, bytes->size - last);
    bytes->size -= last - first;
    AV_WL32(bytes->data + index + 4, bytes->size - index - 8);
    AV_WL32(bytes->data + 4, bytes->size - 8);
}

static void an_index_with_holes_is_walked_around(void **state)
{
    (void)state;
    static const size_t holes[][2] = {{1, 40}, {60, 99}, {30, 31}, {50, 100}, {0, 30}};
    for (size_t i = 0; i < SCI_COUNT(holes); i++) {
        struct bytes bytes = load_clip("jpeg.avi");
        cut_rows(&bytes, holes[i][0], holes[i][1]);
        bytes_save(&bytes, "holes.avi");
        compare_with("holes.avi", "jpeg.avi", SC_SOURCE_HEADER_WALK, SC_CLIP_NO_INDEX, COMPARE_ALL);
    }
}

static void sizes_that_overlap_are_not_believed(void **state)
{
    (void)state;
    static const uint32_t factors[] = {2, 1000000};
    for (size_t i = 0; i < SCI_COUNT(factors); i++) {
        struct bytes bytes = load_clip("jpeg.avi");
        const size_t index = find(&bytes, "idx1");
        for (size_t at = index + 8 + 16 * 5; at < index + 8 + 16 * 20; at += 16)
            AV_WL32(bytes.data + at + 12, AV_RL32(bytes.data + at + 12) * factors[i]);
        bytes_save(&bytes, "sizes.avi");
        compare_with("sizes.avi", "jpeg.avi", SC_SOURCE_HEADER_WALK, SC_CLIP_NO_INDEX, COMPARE_ALL);
    }
}

/* What others leave behind the end is none of the file's, and space that was reserved is none yet. */
static void zeros_may_follow(void **state)
{
    (void)state;
    struct bytes bytes = load_clip("jpeg.avi");
    const size_t size = bytes.size;
    bytes.data = realloc(bytes.data, size + 5000);
    memset(bytes.data + size, 0, 5000);
    bytes.size += 5000;
    bytes_store("zeros-behind.avi", &bytes);
    compare_clip("zeros-behind.avi", SC_SOURCE_FILE_INDEX, 0, COMPARE_ALL | COMPARE_KEYS);
    memset(bytes.data + 4, 0, 4); /* as before a recorder is done: no size, no index */
    memset(bytes.data + find(&bytes, "movi") - 4, 0, 4);
    memset(bytes.data + find(&bytes, "idx1"), 0, bytes.size - find(&bytes, "idx1"));
    bytes_save(&bytes, "reserved.avi");
    compare_clip("reserved.avi", SC_SOURCE_HEADER_WALK, SC_CLIP_NO_INDEX | SC_CLIP_TRUNCATED,
                 COMPARE_PCM);
}

/* A copy that ended early has no index: what is there counts, and the flag says so. */
static void a_cut_file_has_the_packets_that_are_there(void **state)
{
    (void)state;
    static const char *const cut[] = {"jpeg.avi", "b-frames.avi", "surround.avi", "dv.avi"};
    for (size_t i = 0; i < SCI_COUNT(cut); i++) {
        struct bytes bytes = load_clip(cut[i]);
        bytes.size = bytes.size / 5 * 3 + 1;
        bytes_store("cut.avi", &bytes);
        free(bytes.data);
        compare_clip("cut.avi", SC_SOURCE_HEADER_WALK, SC_CLIP_NO_INDEX | SC_CLIP_TRUNCATED,
                     COMPARE_ALL);
    }
}

/* Where chunks do not follow each other, libavformat looks for the next one. */
static void behind_damage_the_file_is_read(void **state)
{
    (void)state;
    struct bytes bytes = load_clip("jpeg.avi");
    memset(bytes.data + bytes.size / 2, 0xA5, 20000);
    memcpy(bytes.data + find(&bytes, "idx1"), "JUNK", 4);
    bytes_store("damaged.avi", &bytes);
    free(bytes.data);
    struct opened opened;
    open_media(&opened, clip_path("damaged.avi"), no_limits);
    assert_int_equal(opened.media.source, SC_SOURCE_SCAN);
    compare(clip_path("damaged.avi"), &opened.media, COMPARE_PCM);
    close_media(&opened);
}

/* ---- built here ---- */

static void put(struct bytes *bytes, const void *data, size_t size)
{
    bytes->data = realloc(bytes->data, bytes->size + size);
    assert_non_null(bytes->data);
    memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
}

static void put32(struct bytes *bytes, uint32_t value)
{
    uint8_t four[4];
    AV_WL32(four, value);
    put(bytes, four, 4);
}

static void put64(struct bytes *bytes, uint64_t value)
{
    put32(bytes, (uint32_t)value);
    put32(bytes, (uint32_t)(value >> 32));
}

/* A chunk, or a list, is open from here; its size follows when it is closed. */
static size_t begin(struct bytes *bytes, const char *name, const char *list)
{
    put(bytes, name, 4);
    put32(bytes, 0);
    const size_t start = bytes->size;
    if (list)
        put(bytes, list, 4);
    return start;
}

static void end(struct bytes *bytes, size_t start)
{
    AV_WL32(bytes->data + start - 4, (uint32_t)(bytes->size - start));
    if (bytes->size & 1)
        put(bytes, "", 1);
}

static void put_zeros(struct bytes *bytes, size_t count)
{
    static const uint8_t zeros[64];
    assert_true(count <= sizeof zeros);
    put(bytes, zeros, count);
}

static void put_main_header(struct bytes *bytes, uint32_t frames, uint32_t streams)
{
    const size_t avih = begin(bytes, "avih", NULL);
    put32(bytes, 40000);
    put_zeros(bytes, 12);
    put32(bytes, frames);
    put32(bytes, 0);
    put32(bytes, streams);
    put32(bytes, 0);
    put32(bytes, 720);
    put32(bytes, 576);
    put_zeros(bytes, 16);
    end(bytes, avih);
}

static void put_stream_header(struct bytes *bytes, const char *type, const char *codec,
                              uint32_t frames)
{
    const size_t strh = begin(bytes, "strh", NULL);
    put(bytes, type, 4);
    put(bytes, codec, 4);
    put_zeros(bytes, 12);
    put32(bytes, 1);
    put32(bytes, 25);
    put32(bytes, 0);
    put32(bytes, frames);
    put_zeros(bytes, 20);
    end(bytes, strh);
}

static void put_picture_format(struct bytes *bytes, const char *codec)
{
    const size_t strf = begin(bytes, "strf", NULL);
    put32(bytes, 40);
    put32(bytes, 720);
    put32(bytes, 576);
    put32(bytes, 1 | 24 << 16);
    put(bytes, codec, 4);
    put_zeros(bytes, 20);
    end(bytes, strf);
}

/* ---- OpenDML: two RIFFs, each with a part of the index ---- */

enum { PARTS = 2, FRAMES_A_PART = 30 };

static uint32_t frame_bytes(unsigned frame)
{
    return 500 + 37 * (frame % 11) + frame % 2;
}

/* Returns where the rows of the list begin. */
static size_t put_list_of_parts(struct bytes *bytes)
{
    const size_t indx = begin(bytes, "indx", NULL);
    put32(bytes, 4); /* words a row; an index of indexes */
    put32(bytes, PARTS);
    put(bytes, "00dc", 4);
    put_zeros(bytes, 12);
    const size_t rows = bytes->size;
    put_zeros(bytes, PARTS * 16);
    end(bytes, indx);
    return rows;
}

static void put_frame(struct bytes *bytes, unsigned frame)
{
    const size_t chunk = begin(bytes, "00dc", NULL);
    uint8_t contents[1024];
    memset(contents, (int)frame, sizeof contents);
    put(bytes, contents, frame_bytes(frame));
    end(bytes, chunk);
}

static void put_part(struct bytes *bytes, unsigned part, size_t movi, size_t row)
{
    const size_t at = bytes->size, ix = begin(bytes, "ix00", NULL);
    put32(bytes, 2 | 1u << 24); /* words a row; an index of chunks */
    put32(bytes, FRAMES_A_PART);
    put(bytes, "00dc", 4);
    put64(bytes, movi);
    put32(bytes, 0);
    size_t pos = movi + 4;
    for (unsigned i = 0; i < FRAMES_A_PART; i++) {
        const uint32_t size = frame_bytes(part * FRAMES_A_PART + i);
        put32(bytes, (uint32_t)(pos + 8 - movi));
        put32(bytes, size | (i % 10 ? 1u << 31 : 0));
        pos += 8 + size + (size & 1);
    }
    end(bytes, ix);
    AV_WL64(bytes->data + row, at);
    AV_WL32(bytes->data + row + 8, (uint32_t)(bytes->size - at));
    AV_WL32(bytes->data + row + 12, FRAMES_A_PART);
}

static struct bytes build_opendml(void)
{
    struct bytes bytes = {0};
    size_t row = 0;
    for (unsigned part = 0; part < PARTS; part++) {
        const size_t riff = begin(&bytes, "RIFF", part ? "AVIX" : "AVI ");
        if (part == 0) {
            const size_t hdrl = begin(&bytes, "LIST", "hdrl");
            put_main_header(&bytes, PARTS * FRAMES_A_PART, 1);
            const size_t strl = begin(&bytes, "LIST", "strl");
            put_stream_header(&bytes, "vids", "FMP4", PARTS * FRAMES_A_PART);
            put_picture_format(&bytes, "FMP4");
            row = put_list_of_parts(&bytes);
            end(&bytes, strl);
            end(&bytes, hdrl);
        }
        const size_t movi = begin(&bytes, "LIST", "movi");
        for (unsigned i = 0; i < FRAMES_A_PART; i++)
            put_frame(&bytes, part * FRAMES_A_PART + i);
        put_part(&bytes, part, movi, row + part * 16);
        end(&bytes, movi);
        end(&bytes, riff);
    }
    return bytes;
}

static void an_index_in_parts_is_one(void **state)
{
    struct bytes bytes = build_opendml();
    (void)state;
    bytes_store("opendml.avi", &bytes);
    compare_clip("opendml.avi", SC_SOURCE_FILE_INDEX, 0, COMPARE_ALL | COMPARE_KEYS);
    const size_t part = find(&bytes, "ix00");
    memcpy(bytes.data + part + 16, "07dc", 4); /* of no stream */
    bytes_store("foreign-part.avi", &bytes);
    compare_clip("foreign-part.avi", SC_SOURCE_HEADER_WALK, SC_CLIP_NO_INDEX, COMPARE_ALL);
    free(bytes.data);
}

/* Behind the last chunk nothing contradicts a wrong size of it. */
static void the_last_size_of_an_index_is_looked_at(void **state)
{
    static const uint32_t factors[][2] = {{1, 2}, {0, 1}, {3, 2}};
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(factors); i++) {
        struct bytes bytes = build_opendml();
        const size_t first = find(&bytes, "ix00");
        const struct bytes rest = {bytes.data + first + 4, bytes.size - first - 4};
        const size_t part = first + 4 + find(&rest, "ix00");
        const size_t last = part + 8 + 24 + (FRAMES_A_PART - 1) * 8 + 4;
        const uint32_t size = AV_RL32(bytes.data + last);
        AV_WL32(bytes.data + last, (size & 0x7FFFFFFF) * factors[i][0] / factors[i][1]);
        bytes_save(&bytes, "last-size.avi");
        compare_with("last-size.avi", "opendml.avi", SC_SOURCE_HEADER_WALK, SC_CLIP_NO_INDEX,
                     COMPARE_ALL);
    }
}

/* ---- DV with its sound inside (type 1) ---- */

static void pictures_and_sound_may_be_one_stream(void **state)
{
    (void)state;
    clip_make("frames.dv", "-f lavfi -i testsrc2=s=720x576:r=25:d=1 -f lavfi -i sine=r=48000:d=1 "
                           "-ac 2 -pix_fmt yuv420p -c:v dvvideo -c:a pcm_s16le");
    struct bytes dv = load_clip("frames.dv"), bytes = {0};
    enum { DV_FRAME_BYTES = 144000 };
    const unsigned frames = (unsigned)(dv.size / DV_FRAME_BYTES);
    const size_t riff = begin(&bytes, "RIFF", "AVI "), hdrl = begin(&bytes, "LIST", "hdrl");
    put_main_header(&bytes, frames, 1);
    const size_t strl = begin(&bytes, "LIST", "strl");
    put_stream_header(&bytes, "iavs", "dvsd", frames);
    const size_t strf = begin(&bytes, "strf", NULL);
    put_zeros(&bytes, 32);
    end(&bytes, strf);
    end(&bytes, strl);
    end(&bytes, hdrl);
    const size_t movi = begin(&bytes, "LIST", "movi");
    for (unsigned i = 0; i < frames; i++) {
        const size_t chunk = begin(&bytes, "00__", NULL);
        put(&bytes, dv.data + (size_t)i * DV_FRAME_BYTES, DV_FRAME_BYTES);
        end(&bytes, chunk);
    }
    end(&bytes, movi);
    end(&bytes, riff);
    bytes_store("type-1.avi", &bytes);

    struct opened opened;
    open_media(&opened, clip_path("type-1.avi"), no_limits);
    assert_int_equal(opened.media.source, SC_SOURCE_HEADER_WALK);
    assert_int_equal(opened.media.packets.count, frames);
    assert_int_equal(opened.media.tracks[0].bytes, (int64_t)frames * DV_FRAME_BYTES);
    for (unsigned i = 0; i < frames; i++)
        assert_int_equal(opened.media.packets.items[i].time, i);
    close_media(&opened);
    free(bytes.data);
    free(dv.data);
}

/* ---- hostile ---- */

static void probe_quietly(const char *name)
{
    sc_probe *probe = NULL;
    sc_error error = {0};
    const char *path = clip_path(name);
    if (sc_probe_many(&path, 1, NULL, &probe, &error) != SC_OK)
        assert_true(error.message[0]);
    assert_non_null(probe);
    assert_int_equal(probe->clip_count, 1);
    sc_probe_free(&probe);
}

static void damage_does_no_harm(void **state)
{
    (void)state;
    struct bytes sound = build_opendml();
    uint32_t seed = 12345;
    for (int round = 0; round < 200; round++) {
        struct bytes bytes = {malloc(sound.size), sound.size};
        memcpy(bytes.data, sound.data, sound.size);
        for (int i = 0; i < 8; i++) {
            seed = seed * 1664525 + 1013904223;
            const size_t reach = round & 1 ? 400 : bytes.size;
            bytes.data[(seed >> 8) % reach] = (uint8_t)(seed >> 24);
        }
        if (round % 3 == 0)
            bytes.size = (seed >> 4) % bytes.size;
        bytes_store("broken.avi", &bytes);
        free(bytes.data);
        probe_quietly("broken.avi");
    }
    free(sound.data);
}

static int set_up(void **state)
{
    (void)state;
    if (!mkdtemp(clips_folder))
        return -1;
    make_all();
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
        cmocka_unit_test(the_index_tells_every_packet),
        cmocka_unit_test(pictures_shown_again_cost_no_reads),
        cmocka_unit_test(pcm_of_many_channels_has_few_packets),
        cmocka_unit_test(offsets_may_count_from_the_start),
        cmocka_unit_test(a_wrong_index_is_walked_around),
        cmocka_unit_test(an_index_with_holes_is_walked_around),
        cmocka_unit_test(sizes_that_overlap_are_not_believed),
        cmocka_unit_test(zeros_may_follow),
        cmocka_unit_test(a_cut_file_has_the_packets_that_are_there),
        cmocka_unit_test(behind_damage_the_file_is_read),
        cmocka_unit_test(an_index_in_parts_is_one),
        cmocka_unit_test(the_last_size_of_an_index_is_looked_at),
        cmocka_unit_test(pictures_and_sound_may_be_one_stream),
        cmocka_unit_test(damage_does_no_harm),
    };
    av_log_set_level(AV_LOG_QUIET);
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
