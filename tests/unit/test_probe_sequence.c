/* Folders and patterns of numbered pictures: written by hand, and by ffmpeg. */
#include "clips.h"

#include "probe/sequence.h"

#include <streamcalc/probe.h>

enum { WIDTH = 64, HEIGHT = 32, DPX_HEADER = 2048, DPX_BYTES = DPX_HEADER + WIDTH * HEIGHT * 4 };

/* ---- frames ---- */

static void put(uint8_t *at, size_t bytes, uint64_t value)
{
    for (size_t i = 0; i < bytes; i++)
        at[i] = (uint8_t)(value >> 8 * (bytes - 1 - i));
}

static void put_float(uint8_t *at, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put(at, 4, bits);
}

static const char *folder(const char *name)
{
    const char *path = clip_path(name);
    if (access(path, F_OK) != 0)
        assert_int_equal(mkdir(path, 0700), 0);
    return path;
}

static void write_file(const char *path, const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(size == 0 || fwrite(data, 1, size, file) == size);
    assert_int_equal(fclose(file), 0);
}

/* 10 bit RGB; fps 0: undefined fields. */
static void write_dpx(const char *name, size_t size, float fps)
{
    static uint8_t bytes[2 * DPX_BYTES];
    memset(bytes, 0, sizeof bytes);
    memset(bytes + 1664, 0xFF, DPX_HEADER - 1664);
    memcpy(bytes, "SDPX", 4);
    put(bytes + 4, 4, DPX_HEADER);
    put(bytes + 16, 4, DPX_BYTES);
    put(bytes + 770, 2, 1);
    put(bytes + 772, 4, WIDTH);
    put(bytes + 776, 4, HEIGHT);
    bytes[800] = 50;
    bytes[803] = 10;
    put(bytes + 804, 2, 1);
    if (fps > 0)
        put_float(bytes + 1940, fps);
    write_file(clip_path(name), bytes, size);
}

static void write_frames(const char *pattern, int first, int last, float fps)
{
    for (int i = first; i <= last; i++) {
        char name[256];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        snprintf(name, sizeof name, pattern, i);
#pragma GCC diagnostic pop
        write_dpx(name, DPX_BYTES, fps);
    }
}

/* ---- probing ---- */

static sc_probe *probe_with(const char *path, const sc_probe_params *params, sc_status expected)
{
    sc_probe *probe = NULL;
    sc_error error = {0};
    sc_status status = sc_probe_many(&path, 1, params, &probe, &error);
    if (status != expected)
        print_message("%s: %s\n", path, error.message);
    assert_int_equal(status, expected);
    return probe;
}

static sc_probe *probe(const char *path)
{
    return probe_with(path, NULL, SC_OK);
}

static const sc_finding *finding(const sc_clip *clip, const char *code)
{
    for (size_t i = 0; i < clip->finding_count; i++)
        if (strcmp(clip->findings[i].code, code) == 0)
            return &clip->findings[i];
    return NULL;
}

static void assert_says(const sc_clip *clip, const char *code, const char *text)
{
    const sc_finding *found = finding(clip, code);
    if (!found || !strstr(found->message, text))
        print_message("%s: %s\n", code, found ? found->message : "not there");
    assert_true(found && strstr(found->message, text));
}

static bool ends_with(const char *text, const char *ending)
{
    size_t a = strlen(text), b = strlen(ending);
    return a >= b && strcmp(text + a - b, ending) == 0;
}

/* ---- whole sequences ---- */

static void a_folder_of_frames_is_one_clip(void **state)
{
    char line[256];
    (void)state;
    folder("whole");
    write_frames("whole/shot.%04d.dpx", 99, 148, 25);
    sc_probe *result = probe(clip_path("whole"));
    assert_int_equal(result->clip_count, 1);
    const sc_clip *clip = &result->clips[0];
    assert_true(ends_with(clip->path, "whole/shot.%04d.dpx"));
    assert_string_equal(clip->container, "image-sequence");
    assert_int_equal(clip->sequence.files, 50);
    assert_int_equal(clip->sequence.first_number, 99);
    assert_int_equal(clip->sequence.last_number, 148);
    assert_int_equal(clip->source, SC_SOURCE_DIRECTORY);
    assert_int_equal(clip->size_bytes, 50 * DPX_BYTES);
    assert_true(clip->duration_s == 2);
    assert_int_equal(clip->demand_bits_per_s, 8 * 25 * DPX_BYTES);
    assert_int_equal(clip->busiest_60s_bits_per_s, 8 * 25 * DPX_BYTES);
    assert_int_equal(clip->peak_1s_bits_per_s, 8 * 25 * DPX_BYTES);
    assert_int_equal(clip->largest_frame_bytes, DPX_BYTES);
    assert_int_equal(clip->worst_gop_bits_per_s, 8 * 25 * DPX_BYTES);
    assert_int_equal(clip->longest_gop_frames, 1);
    assert_int_equal(clip->trace.count, 50);
    assert_int_equal(clip->flags, 0);
    assert_int_equal(clip->finding_count, 0);
    assert_int_equal(clip->reads, 1);
    assert_in_range(clip->bytes_read, 2048, 4096);
    sc_clip_format(clip, line, sizeof line);
    assert_string_equal(line, "DPX 10 64x32 25");
    assert_string_equal(clip->tracks[0].codec, "dpx");
    assert_int_equal(clip->tracks[0].packets, 50);
    assert_int_equal(clip->tracks[0].bytes, 50 * DPX_BYTES);
    sc_probe_free(&result);
}

static void a_folder_may_hold_several(void **state)
{
    (void)state;
    folder("several");
    folder("several/below");
    write_frames("several/a.%04d.dpx", 1, 3, 24);
    write_frames("several/b_%d.dpx", 8, 12, 24);
    write_frames("several/below/a.%04d.dpx", 1, 2, 24);
    write_dpx("several/single.dpx", DPX_BYTES, 24);
    sc_probe *result = probe(clip_path("several"));
    assert_int_equal(result->clip_count, 3);
    assert_true(ends_with(result->clips[0].path, "several/a.%04d.dpx"));
    assert_true(ends_with(result->clips[1].path, "several/b_%d.dpx"));
    assert_int_equal(result->clips[1].sequence.files, 5);
    assert_int_equal(result->clips[1].sequence.first_number, 8);
    assert_true(ends_with(result->clips[2].path, "below/a.%04d.dpx"));
    assert_int_equal(result->finding_count, 1);
    assert_string_equal(result->findings[0].code, "skipped-files");
    sc_probe_free(&result);
    /* a sequence counts as one of the files */
    const sc_probe_params params = {.max_files = 2};
    result = probe_with(clip_path("several"), &params, SC_OK);
    assert_int_equal(result->clip_count, 2);
    sc_probe_free(&result);
}

static void numbers_may_be_written_in_two_ways(void **state)
{
    (void)state;
    folder("mixed");
    write_frames("mixed/%04d.dpx", 1, 3, 24);
    write_frames("mixed/%d.dpx", 1, 12, 24);
    sc_probe *result = probe(clip_path("mixed"));
    assert_int_equal(result->clip_count, 2);
    assert_int_equal(result->clips[0].sequence.files, 3);
    assert_int_equal(result->clips[1].sequence.files, 12);
    sc_probe_free(&result);
}

static void a_pattern_names_its_frames(void **state)
{
    (void)state;
    folder("50%");
    write_frames("50%%/s%%.%03d.dpx", 1, 4, 24);
    write_dpx("50%/s%.0002.dpx", DPX_BYTES, 24);
    sc_probe *result = probe(clip_path("50%/s%%.%03d.dpx"));
    assert_int_equal(result->clip_count, 1);
    assert_int_equal(result->clips[0].sequence.files, 4);
    char path[512];
    snprintf(path, sizeof path, "%s", result->clips[0].path);
    assert_true(ends_with(path, "/50%%/s%%.%03d.dpx"));
    sc_probe_free(&result);
    result = probe(path);
    assert_int_equal(result->clips[0].sequence.files, 4);
    assert_string_equal(result->clips[0].path, path);
    sc_probe_free(&result);
    /* a single frame when asked for by its pattern */
    result = probe(clip_path("50%/s%%.%04d.dpx"));
    assert_int_equal(result->clips[0].sequence.files, 1);
    sc_probe_free(&result);
    result = probe_with(clip_path("50%/none.%04d.dpx"), NULL, SC_NOT_FOUND);
    assert_true(ends_with(result->clips[0].path, "none.%04d.dpx"));
    sc_probe_free(&result);
    result = probe_with(clip_path("nowhere/none.%04d.dpx"), NULL, SC_NOT_FOUND);
    sc_probe_free(&result);
}

static void other_ways_to_write_a_pattern_are_told_of_this_one(void **state)
{
    (void)state;
    folder("other");
    write_frames("other/%04d.dpx", 1, 3, 24);
    const char *others[] = {"other/####.dpx", "other/*.dpx", "other/%4d.dpx", "other/@@@@.dpx",
                            "other/000?.dpx"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        sc_probe *result = probe_with(clip_path(others[i]), NULL, SC_NOT_FOUND);
        assert_non_null(strstr(result->clips[0].error.message, "%04d in the name"));
        sc_probe_free(&result);
    }
    sc_probe *result = probe_with(clip_path("other/0004.dpx"), NULL, SC_NOT_FOUND);
    assert_null(strstr(result->clips[0].error.message, "%04d"));
    sc_probe_free(&result);
}

static void a_frame_alone_is_a_single_picture(void **state)
{
    (void)state;
    folder("alone");
    write_dpx("alone/shot.0001.dpx", DPX_BYTES, 24);
    sc_probe *result = probe_with(clip_path("alone/shot.0001.dpx"), NULL, SC_UNSUPPORTED);
    assert_non_null(strstr(result->clips[0].error.message, "pattern"));
    sc_probe_free(&result);
    result = probe_with(clip_path("alone"), NULL, SC_NOT_FOUND);
    sc_probe_free(&result);
}

/* ---- rates ---- */

static void the_rate_is_that_of_the_header_or_the_one_given(void **state)
{
    static const struct {
        float header;
        sc_rational given, taken;
        const char *finding;
    } cases[] = {{23.976f, {0, 0}, {24000, 1001}, NULL},
                 {25, {0, 0}, {25, 1}, NULL},
                 {0, {0, 0}, {24, 1}, "frame-rate-assumed"},
                 {1, {0, 0}, {24, 1}, "frame-rate-assumed"},
                 {1e30f, {0, 0}, {24, 1}, "frame-rate-assumed"},
                 {-25, {0, 0}, {24, 1}, "frame-rate-assumed"},
                 {0, {30000, 1001}, {30000, 1001}, NULL},
                 {25, {25, 1}, {25, 1}, NULL},
                 {24, {25, 1}, {25, 1}, "frame-rate-differs"}};
    (void)state;
    folder("rates");
    for (size_t i = 0; i < SCI_COUNT(cases); i++) {
        const sc_probe_params params = {.frame_rate = cases[i].given};
        write_frames("rates/%d.dpx", 1, 3, cases[i].header);
        sc_probe *result = probe_with(clip_path("rates"), &params, SC_OK);
        const sc_clip *clip = &result->clips[0];
        assert_int_equal(clip->tracks[0].frame_rate.num, cases[i].taken.num);
        assert_int_equal(clip->tracks[0].frame_rate.den, cases[i].taken.den);
        assert_int_equal(clip->finding_count, cases[i].finding != NULL);
        if (cases[i].finding)
            assert_string_equal(clip->findings[0].code, cases[i].finding);
        sc_probe_free(&result);
    }
}

/* ---- flaws ---- */

static void missing_frames_take_time_but_no_bytes(void **state)
{
    (void)state;
    folder("gaps");
    write_frames("gaps/%04d.dpx", 10, 13, 24);
    write_frames("gaps/%04d.dpx", 15, 15, 24);
    write_frames("gaps/%04d.dpx", 18, 33, 24);
    sc_probe *result = probe(clip_path("gaps"));
    const sc_clip *clip = &result->clips[0];
    assert_says(clip, "missing-frames", "3 of the 24 frames from 10 to 33 are missing: 14, 16-17;");
    assert_int_equal(clip->sequence.files, 21);
    assert_true(clip->duration_s == 1);
    assert_int_equal(clip->demand_bits_per_s, 8 * 21 * DPX_BYTES);
    assert_int_equal(clip->trace.count, 24);
    assert_int_equal(clip->trace.bytes[3], DPX_BYTES);
    assert_int_equal(clip->trace.bytes[4], 0);
    assert_int_equal(clip->trace.bytes[5], DPX_BYTES);
    assert_int_equal(clip->flags, 0);
    sc_probe_free(&result);
}

static void long_lists_of_gaps_end(void **state)
{
    (void)state;
    folder("lace");
    for (int i = 0; i < 9; i++)
        write_frames("lace/%04d.dpx", 4 * i, 4 * i + 2, 24);
    sc_probe *result = probe(clip_path("lace"));
    assert_says(&result->clips[0], "missing-frames", "missing: 3, 7, 11, 15, 19 and 3 more;");
    sc_probe_free(&result);
}

static void numbers_may_go_in_steps(void **state)
{
    (void)state;
    folder("steps");
    for (int i = 0; i < 24; i++)
        write_frames("steps/%d.dpx", 100 + 2 * i, 100 + 2 * i, 24);
    sc_probe *result = probe(clip_path("steps"));
    assert_says(&result->clips[0], "numbers-in-steps", "24 frames for the 47 numbers");
    assert_true(result->clips[0].duration_s == 1);
    assert_int_equal(result->clips[0].demand_bits_per_s, 8 * 24 * DPX_BYTES);
    sc_probe_free(&result);
    folder("far");
    write_dpx("far/1.dpx", DPX_BYTES, 24);
    write_dpx("far/2.dpx", DPX_BYTES, 24);
    write_dpx("far/999999999999999999.dpx", DPX_BYTES, 24);
    result = probe(clip_path("far"));
    assert_int_equal(result->clips[0].sequence.last_number, 999999999999999999);
    assert_true(result->clips[0].duration_s == 0.125);
    sc_probe_free(&result);
}

static void odd_sizes_are_named(void **state)
{
    (void)state;
    folder("odd");
    write_frames("odd/%04d.dpx", 1, 9, 24);
    write_dpx("odd/0003.dpx", 5000, 24);
    write_dpx("odd/0005.dpx", DPX_BYTES + 512, 24);
    write_dpx("odd/0007.dpx", 0, 24);
    sc_probe *result = probe(clip_path("odd"));
    const sc_clip *clip = &result->clips[0];
    assert_says(clip, "short-frames", "1 frame is smaller than the 10240 bytes");
    assert_says(clip, "short-frames", "0003.dpx (5000)");
    assert_says(clip, "odd-frames", "0005.dpx (10752)");
    assert_says(clip, "empty-frames", "1 frame is empty (0 bytes): 0007.dpx");
    assert_int_equal(clip->flags, SC_CLIP_TRUNCATED);
    assert_int_equal(clip->size_bytes, 6 * DPX_BYTES + 5000 + DPX_BYTES + 512);
    assert_int_equal(clip->sequence.files, 9);
    sc_probe_free(&result);
}

static void frames_that_are_all_cut_off_are_noticed(void **state)
{
    (void)state;
    folder("short");
    for (int i = 1; i < 4; i++) {
        char name[32];
        snprintf(name, sizeof name, "short/%d.dpx", i);
        write_dpx(name, 3000, 24);
    }
    sc_probe *result = probe(clip_path("short"));
    assert_says(&result->clips[0], "short-frames", "3 frames are smaller than the 10240 bytes");
    sc_probe_free(&result);
}

static void a_broken_first_frame_is_passed_over(void **state)
{
    (void)state;
    folder("broken");
    write_frames("broken/%04d.dpx", 1, 9, 25);
    write_dpx("broken/0001.dpx", 0, 24);
    write_file(clip_path("broken/0002.dpx"), "no picture at all", 17);
    sc_probe *result = probe(clip_path("broken"));
    const sc_clip *clip = &result->clips[0];
    assert_says(clip, "broken-frame", "broken/0002.dpx");
    assert_int_equal(clip->tracks[0].width, WIDTH);
    assert_int_equal(clip->tracks[0].frame_rate.num, 25);
    sc_probe_free(&result);
}

static void no_frame_at_all_is_an_error(void **state)
{
    (void)state;
    folder("noise");
    for (int i = 0; i < 9; i++) {
        char name[32];
        snprintf(name, sizeof name, "noise/%d.exr", i);
        write_file(clip_path(name), "noise", 5);
    }
    sc_probe *result = probe_with(clip_path("noise"), NULL, SC_UNSUPPORTED);
    assert_int_equal(result->clip_count, 1);
    assert_int_equal(result->clips[0].reads, 5);
    sc_probe_free(&result);
    folder("empty");
    write_file(clip_path("empty/1.dpx"), "", 0);
    write_file(clip_path("empty/2.dpx"), "", 0);
    result = probe_with(clip_path("empty"), NULL, SC_INVALID_DATA);
    assert_non_null(strstr(result->clips[0].error.message, "empty"));
    sc_probe_free(&result);
}

/* What is no file is no frame, and nobody waits at a pipe. */
static void pipes_links_and_directories(void **state)
{
    (void)state;
    folder("kinds");
    write_frames("kinds/%04d.dpx", 1, 8, 24);
    assert_int_equal(unlink(clip_path("kinds/0003.dpx")), 0);
    assert_int_equal(mkfifo(clip_path("kinds/0003.dpx"), 0600), 0);
    assert_int_equal(unlink(clip_path("kinds/0004.dpx")), 0);
    folder("kinds/0004.dpx");
    assert_int_equal(unlink(clip_path("kinds/0005.dpx")), 0);
    assert_int_equal(symlink("0001.dpx", clip_path("kinds/0005.dpx")), 0);
    assert_int_equal(unlink(clip_path("kinds/0006.dpx")), 0);
    assert_int_equal(symlink("/nowhere/at/all", clip_path("kinds/0006.dpx")), 0);
    sc_probe *result = probe(clip_path("kinds"));
    assert_int_equal(result->clip_count, 1);
    assert_int_equal(result->clips[0].sequence.files, 5);
    assert_says(&result->clips[0], "missing-frames", "missing: 3-4, 6;");
    sc_probe_free(&result);
}

/* As the listing has them, though something else is there by now. */
static void frames_may_change_after_the_listing(void **state)
{
    int64_t numbers[] = {1, 2, 3, 4};
    char place[512];
    snprintf(place, sizeof place, "%s", clip_path("changed"));
    const sci_sequence sequence = {
        place, {.numbering = {"", 0, ".dpx", 4}, .numbers = numbers, .count = 4}};
    sci_arena *arena = sci_arena_new();
    sci_control control;
    sci_reading reading;
    sc_clip clip = {.path = "changed"};
    (void)state;
    sci_control_start(&control, NULL, "probe");
    folder("changed");
    write_frames("changed/%04d.dpx", 1, 5, 24);
    assert_int_equal(unlink(clip_path("changed/0001.dpx")), 0);
    assert_int_equal(mkfifo(clip_path("changed/0001.dpx"), 0600), 0);
    assert_int_equal(unlink(clip_path("changed/0002.dpx")), 0);
    const sci_media_limits limits = {.max_bytes = -1, .max_seconds = -1};
    assert_int_equal(sci_sequence_read(&clip, &sequence, limits, &control, arena, &reading), SC_OK);
    assert_says(&clip, "unreadable-frames", "0001.dpx");
    assert_says(&clip, "vanished-frames", "0002.dpx");
    assert_says(&clip, "growing", "frames were added");
    assert_int_equal(clip.flags, SC_CLIP_GROWING);
    assert_int_equal(reading.frames.count, 4);
    assert_int_equal(reading.frames.items[0].bytes, 0);
    assert_int_equal(reading.frames.items[2].bytes, DPX_BYTES);
    sci_reading_free(&reading);
    sci_sequence gone = sequence;
    gone.directory = "/nowhere/at/all";
    clip = (sc_clip){.path = "gone"};
    assert_int_equal(sci_sequence_read(&clip, &gone, limits, &control, arena, &reading),
                     SC_NOT_FOUND);
    sci_reading_free(&reading);
    sci_arena_free(&arena);
}

/* ---- limits ---- */

static void limits_hold(void **state)
{
    int64_t numbers[] = {1, 2, 3, 4};
    sci_numbered frames = {.numbering = {"", 0, ".dpx", 4}, .numbers = numbers, .count = 4};
    (void)state;
    folder("limits");
    write_frames("limits/%04d.dpx", 1, 4, 24);
    sci_arena *arena = sci_arena_new();
    sci_sequence *sequence = sci_sequence_copy(clip_path("limits"), &frames, arena);
    sci_control control;
    sci_reading reading;
    sc_clip clip = {.path = "limits"};
    sci_control_start(&control, NULL, "probe");
    sci_media_limits limits = {.max_bytes = -1, .max_seconds = 0};
    assert_int_equal(sci_sequence_read(&clip, sequence, limits, &control, arena, &reading),
                     SC_LIMIT);
    sci_reading_free(&reading);
    limits = (sci_media_limits){.max_bytes = 100, .max_seconds = -1};
    clip = (sc_clip){.path = "limits"};
    assert_int_equal(sci_sequence_read(&clip, sequence, limits, &control, arena, &reading),
                     SC_LIMIT);
    assert_non_null(strstr(clip.error.message, "--max-bytes"));
    assert_in_range(clip.bytes_read, 0, 100);
    sci_reading_free(&reading);
    control.cancelled = true;
    clip = (sc_clip){.path = "limits"};
    assert_int_equal(sci_sequence_read(&clip, sequence, limits, &control, arena, &reading),
                     SC_CANCELLED);
    sci_reading_free(&reading);
    sci_arena_free(&arena);
}

/* ---- what is no sequence ---- */

static void thumbnails_of_cameras_are_no_clip(void **state)
{
    static const uint8_t jpeg[] = {0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, 0, 16, 0, 16, 1, 1, 17, 0};
    static const char *const places[] = {"card",      "card/M4ROOT",        "card/M4ROOT/THMBNL",
                                         "card/DCIM", "card/DCIM/100CANON", "card/frames"};
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(places); i++)
        folder(places[i]);
    for (int i = 1; i < 4; i++) {
        char name[64];
        snprintf(name, sizeof name, "card/M4ROOT/THMBNL/C%04dT01.JPG", i);
        write_file(clip_path(name), jpeg, sizeof jpeg);
        snprintf(name, sizeof name, "card/DCIM/100CANON/IMG_%04d.JPG", i);
        write_file(clip_path(name), jpeg, sizeof jpeg);
        snprintf(name, sizeof name, "card/frames/f%04d.jpg", i);
        write_file(clip_path(name), jpeg, sizeof jpeg);
        snprintf(name, sizeof name, "card/DCIM/100CANON/A001_%04d.dpx", i);
        write_dpx(name, DPX_BYTES, 24);
    }
    sc_probe *result = probe(clip_path("card"));
    assert_int_equal(result->clip_count, 2);
    assert_true(ends_with(result->clips[0].path, "A001_%04d.dpx"));
    assert_true(ends_with(result->clips[1].path, "f%04d.jpg"));
    assert_string_equal(result->clips[1].tracks[0].name, "JPEG");
    assert_int_equal(result->clips[1].tracks[0].width, 16);
    sc_probe_free(&result);
}

/* ---- CinemaDNG ---- */

static uint8_t *tiff_entry(uint8_t *at, unsigned tag, unsigned type, uint32_t count, uint32_t value)
{
    put(at, 2, tag);
    put(at + 2, 2, type);
    put(at + 4, 4, count);
    put(at + 8, 4, type == 3 ? value << 16 : value);
    return at + 12;
}

/* A preview first, the raw picture in a directory below it, the rate in the first. */
static void cinema_dng(void **state)
{
    enum { RAW_WIDTH = 40, RAW_HEIGHT = 20, RAW_BYTES = RAW_WIDTH * RAW_HEIGHT * 12 / 8 };
    uint8_t bytes[512 + RAW_BYTES] = "MM\0*\0\0\0\10";
    uint8_t *at = bytes + 10;
    char line[128];
    (void)state;
    bytes[9] = 6;
    at = tiff_entry(at, 254, 4, 1, 1);
    at = tiff_entry(at, 256, 3, 1, 8);
    at = tiff_entry(at, 257, 3, 1, 4);
    at = tiff_entry(at, 330, 4, 1, 300);
    at = tiff_entry(at, 50706, 1, 4, 0x01040000);
    tiff_entry(at, 51044, 10, 1, 200);
    put(bytes + 200, 4, 24000);
    put(bytes + 204, 4, 1001);
    bytes[301] = 6;
    at = tiff_entry(bytes + 302, 254, 4, 1, 0);
    at = tiff_entry(at, 256, 4, 1, RAW_WIDTH);
    at = tiff_entry(at, 257, 4, 1, RAW_HEIGHT);
    at = tiff_entry(at, 258, 3, 1, 12);
    at = tiff_entry(at, 259, 3, 1, 1);
    tiff_entry(at, 277, 3, 1, 1);
    folder("dng");
    for (int i = 0; i < 4; i++) {
        char name[64];
        snprintf(name, sizeof name, "dng/A001C002_%06d.dng", i);
        write_file(clip_path(name), bytes, i == 2 ? 600 : sizeof bytes);
    }
    sc_probe *result = probe(clip_path("dng"));
    assert_int_equal(result->clip_count, 1);
    sc_clip_format(&result->clips[0], line, sizeof line);
    assert_string_equal(line, "CinemaDNG 12 40x20 23.976");
    assert_says(&result->clips[0], "short-frames", "A001C002_000002.dng (600)");
    sc_probe_free(&result);
}

/* ---- frames that ffmpeg writes ---- */

static const struct {
    const char *name, *arguments, *format, *codec;
    bool uncompressed;
    const char *chroma;
    int bit_depth;
} encoders[] = {
    {"f.%04d.dpx", "-pix_fmt gbrp10be", "DPX 10 320x180 24", "dpx", true, "RGB", 10},
    {"g.%04d.dpx", "-pix_fmt rgb48be", "DPX 16 320x180 24", "dpx", true, "RGB", 16},
    {"h.%04d.dpx", "-pix_fmt rgb24", "DPX 8 320x180 24", "dpx", true, "RGB", 8},
    {"i.%04d.dpx", "-pix_fmt gbrp12le", "DPX 12 320x180 24", "dpx", true, "RGB", 12},
    {"j.%04d.dpx", "-pix_fmt rgba", "DPX 8 RGBA 320x180 24", "dpx", true, "RGBA", 8},
    {"k.%04d.dpx", "-pix_fmt gray", "DPX 8 luma 320x180 24", "dpx", true, "4:0:0", 8},
    {"f.%04d.exr", "-format half", "EXR half 320x180 25", "exr", true, "", 16},
    {"g.%04d.exr", "-format float -compression zip1", "EXR float ZIPS 320x180 25", "exr", false, "",
     32},
    {"h.%04d.exr", "-format half -compression zip16", "EXR half ZIP 320x180 25", "exr", false, "",
     16},
    {"f.%04d.tif", "-compression_algo raw -pix_fmt rgb48le", "TIFF 16 320x180 24", "tiff", true, "",
     16},
    {"g.%04d.tif", "-compression_algo lzw -pix_fmt rgb24", "TIFF 8 LZW 320x180 24", "tiff", false,
     "", 8},
    {"f.%04d.jp2", "-c:v jpeg2000", "JPEG 2000 320x180 24", "jpeg2000", false, "", 0},
    {"f.%04d.j2k", "-c:v jpeg2000 -format j2k", "JPEG 2000 320x180 24", "jpeg2000", false, "", 0},
    {"f.%04d.j2c", "-c:v jpeg2000 -format j2k", "JPEG 2000 320x180 24", "jpeg2000", false, "", 0},
    {"f.%04d.png", "", "PNG 320x180 24", "png", false, "RGB", 8},
    {"f.%04d.tga", "-rle 0", "TGA 320x180 24", "targa", true, "RGB", 8},
    {"g.%04d.tga", "-rle 1", "TGA RLE 320x180 24", "targa", false, "RGB", 8},
    {"f.%04d.jpg", "", "JPEG 320x180 24", "mjpeg", false, "", 0},
};

static bool check_encoder(size_t i)
{
    char arguments[256], place[32], pattern[64], first[64], line[128];
    struct stat facts;
    snprintf(place, sizeof place, "ffmpeg%zu", i);
    folder(place);
    snprintf(pattern, sizeof pattern, "%s/%s", place, encoders[i].name);
    snprintf(arguments, sizeof arguments,
             "-f lavfi -i testsrc2=size=320x180:rate=25 -frames:v 10 %s -f image2",
             encoders[i].arguments);
    snprintf(first, sizeof first, "%s/%c.0001%s", place, encoders[i].name[0],
             strrchr(encoders[i].name, '.'));
    clip_make(pattern, arguments);
    if (stat(clip_path(first), &facts) != 0) {
        print_message("left out: this ffmpeg cannot make %s %s\n", encoders[i].name,
                      encoders[i].arguments);
        return false;
    }
    sc_probe *result = probe(clip_path(place));
    const sc_clip *clip = &result->clips[0];
    assert_int_equal(result->clip_count, 1);
    sc_clip_format(clip, line, sizeof line);
    assert_string_equal(line, encoders[i].format);
    assert_string_equal(clip->tracks[0].codec, encoders[i].codec);
    assert_string_equal(clip->tracks[0].chroma, encoders[i].chroma);
    assert_int_equal(clip->tracks[0].bit_depth, encoders[i].bit_depth);
    assert_int_equal(clip->sequence.files, 10);
    assert_null(finding(clip, "short-frames"));
    assert_null(finding(clip, "odd-frames"));
    assert_int_equal(clip->flags, 0);
    assert_in_range(clip->reads, 1, 4);
    if (encoders[i].uncompressed)
        assert_int_equal(clip->size_bytes, 10 * facts.st_size);
    sc_probe_free(&result);
    /* what is uncompressed is known to be cut off by a tenth */
    assert_int_equal(truncate(clip_path(first), facts.st_size * 9 / 10), 0);
    result = probe(clip_path(place));
    assert_int_equal(finding(&result->clips[0], "short-frames") != NULL, encoders[i].uncompressed);
    sc_probe_free(&result);
    return true;
}

static void real_frames(void **state)
{
    size_t done = 0;
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(encoders); i++)
        done += check_encoder(i);
    if (!done)
        skip();
}

static void read_picture(const char *name)
{
    sci_picture picture;
    sc_error error = {0};
    sci_control control;
    sci_file file = {.fd = -1, .max_bytes = -1};
    assert_int_equal(sci_file_open(&file, clip_path(name), &error), SC_OK);
    sci_control_start(&control, NULL, "probe");
    sci_file_start(&file, -1, -1, &control);
    if (sci_picture_read(&file, &picture)) {
        assert_in_range(picture.width, 1, SCI_PICTURE_SIDE_MAX);
        assert_in_range(picture.height, 1, SCI_PICTURE_SIDE_MAX);
        assert_in_range(picture.bit_depth, 0, 64);
        assert_true(picture.least_bytes >= 0);
    }
    sci_file_close(&file);
}

/* Every header cut short, and every byte of it changed: an error or a clip, no more. */
static void damage_header(struct bytes *bytes, const char *target)
{
    enum { MOST = 700 };
    for (size_t at = 0; at < MOST && at < bytes->size; at++) {
        const uint8_t kept = bytes->data[at];
        if (at > 0) { /* an empty frame is none */
            write_file(clip_path(target), bytes->data, at);
            read_picture(target);
        }
        bytes->data[at] = at % 3 ? 0xFF : (uint8_t)~kept;
        write_file(clip_path(target), bytes->data, bytes->size);
        read_picture(target);
        bytes->data[at] = kept;
    }
}

static void damaged_headers(void **state)
{
    size_t done = 0;
    (void)state;
    folder("damaged");
    for (size_t i = 0; i < SCI_COUNT(encoders); i++) {
        char name[64], target[64];
        const char *ending = strrchr(encoders[i].name, '.');
        snprintf(name, sizeof name, "ffmpeg%zu/%c.0002%s", i, encoders[i].name[0], ending);
        if (access(clip_path(name), R_OK) != 0)
            continue;
        struct bytes bytes = bytes_load(name);
        snprintf(target, sizeof target, "damaged/x%s", ending);
        damage_header(&bytes, target);
        free(bytes.data);
        done++;
    }
    if (!done)
        skip();
}

/* ---- with sound beside it ---- */

static void sound_beside_it_is_one_clip(void **state)
{
    (void)state;
    folder("one");
    write_frames("one/%04d.dpx", 1, 50, 25);
    if (!clip_make("one/sound.wav", "-f lavfi -i sine=sample_rate=48000 -t 2"))
        skip();
    const sc_probe_params params = {.as_one = true};
    sc_probe *result = probe_with(clip_path("one"), &params, SC_OK);
    assert_int_equal(result->clip_count, 1);
    const sc_clip *clip = &result->clips[0];
    assert_string_equal(clip->container, "image-sequence+wav");
    assert_int_equal(clip->part_count, 2);
    assert_int_equal(clip->sequence.files, 50);
    assert_int_equal(clip->track_count, 2);
    assert_in_range(clip->demand_bits_per_s, 8 * 25 * DPX_BYTES + 760000,
                    8 * 25 * DPX_BYTES + 780000);
    sc_probe_free(&result);
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(clips_folder) ? 0 : -1;
}

static int delete_folder(void **state)
{
    (void)state;
    return nftw(clips_folder, clip_delete, 16, FTW_DEPTH | FTW_PHYS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_folder_of_frames_is_one_clip),
        cmocka_unit_test(a_folder_may_hold_several),
        cmocka_unit_test(numbers_may_be_written_in_two_ways),
        cmocka_unit_test(a_pattern_names_its_frames),
        cmocka_unit_test(other_ways_to_write_a_pattern_are_told_of_this_one),
        cmocka_unit_test(a_frame_alone_is_a_single_picture),
        cmocka_unit_test(the_rate_is_that_of_the_header_or_the_one_given),
        cmocka_unit_test(missing_frames_take_time_but_no_bytes),
        cmocka_unit_test(long_lists_of_gaps_end),
        cmocka_unit_test(numbers_may_go_in_steps),
        cmocka_unit_test(odd_sizes_are_named),
        cmocka_unit_test(frames_that_are_all_cut_off_are_noticed),
        cmocka_unit_test(a_broken_first_frame_is_passed_over),
        cmocka_unit_test(no_frame_at_all_is_an_error),
        cmocka_unit_test(pipes_links_and_directories),
        cmocka_unit_test(frames_may_change_after_the_listing),
        cmocka_unit_test(limits_hold),
        cmocka_unit_test(thumbnails_of_cameras_are_no_clip),
        cmocka_unit_test(cinema_dng),
        cmocka_unit_test(real_frames),
        cmocka_unit_test(damaged_headers),
        cmocka_unit_test(sound_beside_it_is_one_clip),
    };
    return cmocka_run_group_tests(tests, make_folder, delete_folder);
}
