/* Picture and sound in files of their own as one clip. */
#include "test.h"

#include "probe/together.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const sci_media_limits no_limits = {.max_bytes = -1, .max_seconds = -1};
static sci_control control;

/* `count` frames of `bytes` each, `period` flicks apart. */
static sci_work *part_of(const char *path, sc_track_kind kind, size_t count, int64_t bytes,
                         int64_t period)
{
    sci_work *work = sci_work_new(path);
    assert_non_null(work);
    sc_track *track = sci_arena_alloc(work->arena, 1, sizeof *track);
    sci_frame *frames = calloc(count, sizeof *frames);
    assert_true(track && frames);
    for (size_t k = 0; k < count; k++)
        frames[k] = (sci_frame){(int64_t)k * period, bytes};
    double duration_s = (double)count * (double)period / SCI_FLICKS;
    *track = (sc_track){
        .kind = kind, .played = true, .codec = "", .name = path, .duration_s = duration_s};
    work->reading.frames = (sci_frames){.items = frames,
                                        .count = count,
                                        .duration = (int64_t)count * period,
                                        .rate = {SCI_FLICKS / period, 1}};
    work->clip.container = kind == SC_TRACK_VIDEO ? "mxf" : "wav";
    work->clip.size_bytes = (int64_t)count * bytes + 100;
    work->clip.bytes_read = 10;
    work->clip.reads = 2;
    work->clip.duration_s = duration_s;
    work->clip.tracks = track;
    work->clip.track_count = 1;
    work->clip.source = kind == SC_TRACK_VIDEO ? SC_SOURCE_EDIT_UNITS : SC_SOURCE_SCAN;
    work->clip.flags = kind == SC_TRACK_VIDEO ? SC_CLIP_TRUNCATED
                                              : SC_CLIP_NO_VIDEO | SC_CLIP_NO_INDEX;
    return work;
}

static sci_work *put_together(sci_work **parts, size_t count)
{
    const sc_control none = {0};
    sci_work *whole = NULL;
    sci_control_start(&control, &none, "probe");
    assert_int_equal(sci_together(parts, count, no_limits, &control, &whole), SC_OK);
    assert_non_null(whole);
    return whole;
}

static bool has_finding(const sc_clip *clip, const char *code)
{
    for (size_t i = 0; i < clip->finding_count; i++)
        if (strcmp(clip->findings[i].code, code) == 0)
            return true;
    return false;
}

enum { FRAME = SCI_FLICKS / 25 };

static void bytes_of_all_parts_are_due_at_their_own_times(void **state)
{
    (void)state;
    /* 10 frames, and sound at twice the rate, which lasts one frame longer. */
    sci_work *parts[] = {part_of("a.wav", SC_TRACK_AUDIO, 22, 7, FRAME / 2),
                         part_of("v.mxf", SC_TRACK_VIDEO, 10, 1000, FRAME)};
    sci_work *whole = put_together(parts, 2);
    const sc_clip *clip = &whole->clip;
    assert_int_equal(clip->error.status, SC_OK);
    assert_string_equal(clip->path, "v.mxf");
    assert_string_equal(clip->container, "mxf+wav");
    assert_int_equal(clip->part_count, 2);
    assert_string_equal(clip->parts[0], "a.wav");
    assert_string_equal(clip->parts[1], "v.mxf");
    assert_int_equal(clip->track_count, 2);
    assert_int_equal(clip->tracks[0].kind, SC_TRACK_AUDIO);
    assert_int_equal(clip->size_bytes, 22 * 7 + 10 * 1000 + 200);
    assert_int_equal(clip->bytes_read, 20);
    assert_int_equal(clip->reads, 4);
    assert_int_equal(clip->flags, SC_CLIP_TRUNCATED | SC_CLIP_NO_INDEX);
    assert_int_equal(clip->source, SC_SOURCE_EDIT_UNITS);
    assert_true(clip->duration_s == 0.4);
    assert_int_equal(clip->demand_bits_per_s, (10 * 1000 + 22 * 7) * 8 * 10 / 4);
    assert_int_equal(clip->largest_frame_bytes, 1014);
    /* What is due at the very end belongs to the trace's last step. */
    assert_int_equal(clip->trace.count, 10);
    for (size_t i = 0; i < 9; i++)
        assert_int_equal(clip->trace.bytes[i], 1014);
    assert_int_equal(clip->trace.bytes[9], 1014 + 14);
    sci_work_free(&whole);
}

static void the_longest_video_is_the_main_part(void **state)
{
    (void)state;
    sci_work *parts[] = {part_of("short.mxf", SC_TRACK_VIDEO, 5, 3000, FRAME),
                         part_of("sound.wav", SC_TRACK_AUDIO, 100, 7, FRAME),
                         part_of("long.mxf", SC_TRACK_VIDEO, 10, 1000, FRAME)};
    sci_work *whole = put_together(parts, 3);
    assert_string_equal(whole->clip.path, "long.mxf");
    assert_true(whole->clip.duration_s == 0.4);
    assert_int_equal(whole->clip.largest_frame_bytes, 4007);
    assert_true(has_finding(&whole->clip, "parts-differ"));
    assert_ptr_equal(sc_clip_main_track(&whole->clip), &whole->clip.tracks[2]);
    sci_work_free(&whole);
}

static void sound_alone_has_no_video(void **state)
{
    (void)state;
    sci_work *parts[] = {part_of("left.wav", SC_TRACK_AUDIO, 8, 7, FRAME),
                         part_of("right.wav", SC_TRACK_AUDIO, 8, 7, FRAME)};
    sci_work *whole = put_together(parts, 2);
    assert_true(whole->clip.flags & SC_CLIP_NO_VIDEO);
    assert_string_equal(whole->clip.container, "wav");
    assert_int_equal(whole->clip.largest_frame_bytes, 14);
    sci_work_free(&whole);
}

static void a_part_that_fails_makes_the_clip_fail(void **state)
{
    (void)state;
    sci_work *parts[] = {part_of("v.mxf", SC_TRACK_VIDEO, 10, 1000, FRAME),
                         sci_work_new("broken.wav")};
    sci_fail(&parts[1]->clip.error, SC_INVALID_DATA, 0, "probe.open", "broken.wav", "it is broken");
    sci_work *whole = put_together(parts, 2);
    assert_int_equal(whole->clip.error.status, SC_INVALID_DATA);
    assert_string_equal(whole->clip.path, "broken.wav");
    assert_string_equal(whole->clip.error.path, "broken.wav");
    assert_int_equal(whole->clip.part_count, 2);
    sci_work_free(&whole);
}

/* ---- the call ---- */

static char folder[] = "/tmp/sc-together-XXXXXX";

static const char *in_folder(const char *name)
{
    static char paths[4][512];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static int make_clips(void **state)
{
    char command[2048];
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(command, sizeof command,
             "ffmpeg -nostdin -v quiet -y -f lavfi -i testsrc2=s=320x180:r=25:d=2 -c:v prores_ks "
             "'%s/v.mov' -f lavfi -i sine=r=48000:d=2 -map 1 -c:a pcm_s24le '%s/a.wav'",
             folder, folder);
    return system(command) < 0 ? -1 : 0;
}

static int delete_clips(void **state)
{
    (void)state;
    remove(in_folder("v.mov"));
    remove(in_folder("a.wav"));
    return rmdir(folder);
}

static sc_probe *probe(const char *const *paths, size_t count, bool as_one, sc_status expected)
{
    const sc_probe_params params = {.as_one = as_one};
    sc_probe *result = NULL;
    sc_error error = {0};
    assert_int_equal(sc_probe_many(paths, count, &params, &result, &error), expected);
    assert_non_null(result);
    return result;
}

static int64_t total_bytes(const sc_clip *clip)
{
    return clip->curve.max_bytes[clip->curve.count - 1];
}

static int count_clip(void *opaque, const sc_clip *clip, size_t path_index, size_t place)
{
    ++*(int *)opaque;
    assert_int_equal(path_index + place, 0);
    assert_int_equal(clip->part_count, 2);
    return 0;
}

static void files_of_a_call_and_of_a_directory_are_one_clip(void **state)
{
    const char *paths[] = {in_folder("v.mov"), in_folder("a.wav")}, *directory = folder;
    (void)state;
    if (access(paths[1], R_OK) != 0)
        skip();
    sc_probe *apart = probe(paths, 2, false, SC_OK), *whole = probe(paths, 2, true, SC_OK);
    sc_probe *listed = probe(&directory, 1, true, SC_OK);
    assert_int_equal(apart->clips[0].part_count, 0);
    assert_int_equal(whole->clip_count, 1);
    const sc_clip *clip = &whole->clips[0], *video = &apart->clips[0], *sound = &apart->clips[1];
    assert_string_equal(clip->path, paths[0]);
    assert_int_equal(total_bytes(clip), total_bytes(video) + total_bytes(sound));
    assert_int_equal(clip->size_bytes, video->size_bytes + sound->size_bytes);
    assert_int_equal(clip->reads, video->reads + sound->reads);
    assert_true(clip->duration_s == video->duration_s);
    assert_int_equal(clip->worst_gop_bits_per_s, video->worst_gop_bits_per_s);
    assert_string_equal(listed->clips[0].path, clip->path);
    assert_string_equal(listed->clips[0].parts[0], paths[1]);
    assert_int_equal(listed->clips[0].demand_bits_per_s, clip->demand_bits_per_s);
    sc_probe_free(&apart);
    sc_probe_free(&whole);
    sc_probe_free(&listed);
    int clips = 0;
    const sc_probe_params params = {
        .as_one = true, .discard = true, .on_clip = count_clip, .on_clip_opaque = &clips};
    assert_int_equal(sc_probe_many(paths, 2, &params, &whole, NULL), SC_OK);
    assert_int_equal(clips, 1);
    sc_probe_free(&whole);
}

static void a_missing_file_fails_the_call(void **state)
{
    const char *paths[] = {in_folder("v.mov"), in_folder("missing.wav")};
    (void)state;
    if (access(paths[0], R_OK) != 0)
        skip();
    sc_probe *result = probe(paths, 2, true, SC_NOT_FOUND);
    assert_int_equal(result->clip_count, 1);
    assert_string_equal(result->clips[0].path, paths[1]);
    assert_int_equal(result->error.status, SC_NOT_FOUND);
    sc_probe_free(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_of_all_parts_are_due_at_their_own_times),
        cmocka_unit_test(the_longest_video_is_the_main_part),
        cmocka_unit_test(sound_alone_has_no_video),
        cmocka_unit_test(a_part_that_fails_makes_the_clip_fail),
        cmocka_unit_test(files_of_a_call_and_of_a_directory_are_one_clip),
        cmocka_unit_test(a_missing_file_fails_the_call),
    };
    return cmocka_run_group_tests(tests, make_clips, delete_clips);
}
