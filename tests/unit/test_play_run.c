/* Streams played from a real file that is read fast enough, or cannot be. */
#include "directory.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <streamcalc/play.h>
#include <unistd.h>

static char file[128];

static int make_file(void **state)
{
    enum { MIB = 48 };
    static unsigned char block[1 << 20];
    assert_int_equal(make_directory(state), 0);
    snprintf(file, sizeof file, "%s/clip.mov", directory);
    int fd = open(file, O_CREAT | O_WRONLY | O_EXCL, 0600);
    assert_true(fd >= 0);
    uint32_t noise = 1;
    for (int i = 0; i < MIB; i++) {
        for (size_t k = 0; k < sizeof block; k++)
            block[k] = (unsigned char)((noise = noise * 1664525U + 1013904223U) >> 24);
        assert_int_equal(write(fd, block, sizeof block), sizeof block);
    }
    fsync(fd);
    close(fd);
    return 0;
}

static int remove_file(void **state)
{
    (void)state;
    unlink(file);
    return rmdir(directory);
}

static sc_demand demand_of(const char *text)
{
    sc_demand demand;
    assert_int_equal(sc_demand_parse(text, &demand, NULL), SC_OK);
    return demand;
}

static void what_is_slow_enough_is_sustained(void **state)
{
    (void)state;
    const sc_demand slow = demand_of("16Mb/s@25"), slower = demand_of("2Mb/s@50");
    const sc_play_item items[] = {{&slow, NULL, 2}, {&slower, NULL, 1}};
    const sc_play_params params = {.items = items, .item_count = 2, .seconds = 2, .seed = 7};
    sc_playback *playback = NULL;
    assert_int_equal(sc_play(file, &params, &playback, NULL), SC_OK);
    assert_true(playback->sustained);
    assert_int_equal(playback->stream_count, 3);
    assert_int_equal(playback->trial_count, 1);
    assert_int_equal(playback->late_frames, 0);
    assert_int_equal(playback->largest_sustained, SC_UNKNOWN);
    assert_string_equal(playback->player.name, "normal");
    for (size_t i = 0; i < 3; i++) {
        const sc_play_stream *stream = &playback->streams[i];
        assert_int_equal(stream->frames, i < 2 ? 50 : 100);
        assert_string_equal(stream->format, i < 2 ? "16Mb/s@25" : "2Mb/s@50");
        assert_true(stream->min_buffer_s > 0 && stream->min_buffer_s <= 1.05);
        assert_true(stream->sustained);
    }
    sc_playback_free(&playback);
    assert_null(playback);
}

static void frames_of_a_clip_keep_their_size_and_time(void **state)
{
    (void)state;
    enum { FRAMES = 30 };
    double due_s[FRAMES];
    int64_t bytes[FRAMES];
    for (int k = 0; k < FRAMES; k++) {
        due_s[k] = k * 0.04;
        bytes[k] = k % 15 ? 20000 : 400000; /* 10.8 Mb/s, in groups of 15 */
    }
    const sc_frames frames = {FRAMES, due_s, bytes, FRAMES * 0.04, NULL, NULL};
    sc_demand demand = demand_of("10Mb/s@25");
    demand.largest_frame_bytes = 400000;
    const sc_play_item item = {&demand, &frames, 4};
    const sc_play_params params = {.items = &item,
                                   .item_count = 1,
                                   .player = {.mode = SC_READ_FRAME, .in_flight = 1},
                                   .start = SC_START_ALIGNED,
                                   .seconds = 2};
    sc_playback *playback = NULL;
    assert_int_equal(sc_play(file, &params, &playback, NULL), SC_OK);
    assert_true(playback->sustained);
    assert_int_equal(playback->trials[0].frames, 4 * 50);
    sc_playback_free(&playback);
}

/* What the demand says of its frames is no bound of a buffer. */
static void frames_may_be_larger_than_the_demand_says(void **state)
{
    (void)state;
    const double due_s[] = {0, 0.2};
    const int64_t bytes[] = {5000, 3000000};
    const sc_frames frames = {2, due_s, bytes, 0.4, NULL, NULL};
    const sc_demand demand = demand_of("1Mb/s@5");
    const sc_play_item item = {&demand, &frames, 1};
    const sc_play_params params = {
        .items = &item, .item_count = 1, .player = {.mode = SC_READ_FRAME}, .seconds = 1};
    sc_playback *playback = NULL;
    assert_int_equal(sc_play(file, &params, &playback, NULL), SC_OK);
    assert_int_equal(playback->trials[0].frames, 5);
    sc_playback_free(&playback);
}

static void frames_that_cannot_be_played_are_refused(void **state)
{
    (void)state;
    const double ascending[] = {0, 0.04}, back[] = {0, -1}, never[] = {0, NAN};
    const int64_t some[] = {0, 7}, none[] = {0, 0}, less[] = {9, -1};
    const sc_frames wrong[] = {{2, back, some, 1, NULL, NULL},
                               {2, never, some, 1, NULL, NULL},
                               {2, ascending, none, 1, NULL, NULL},
                               {2, ascending, less, 1, NULL, NULL},
                               {2, ascending, some, 0.04, NULL, NULL},
                               {2, ascending, some, NAN, NULL, NULL},
                               {2, ascending, some, INFINITY, NULL, NULL}};
    const sc_demand slow = demand_of("8Mb/s");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const sc_play_item item = {&slow, &wrong[i], 1};
        const sc_play_params params = {.items = &item, .item_count = 1};
        sc_playback *playback = NULL;
        assert_int_equal(sc_play(file, &params, &playback, NULL), SC_INVALID_ARGUMENT);
        assert_null(playback);
    }
}

static void what_no_storage_delivers_falls_behind(void **state)
{
    (void)state;
    const sc_demand fast = demand_of("900Gb/s@25");
    const sc_play_item item = {&fast, NULL, 1};
    const sc_play_params params = {.items = &item, .item_count = 1, .seconds = 1};
    sc_playback *playback = NULL;
    assert_int_equal(sc_play(file, &params, &playback, NULL), SC_OK);
    assert_false(playback->sustained);
    assert_int_equal(playback->streams[0].frames, 25);
    assert_true(playback->streams[0].late_frames > 20);
    assert_true(playback->streams[0].stalls >= 1);
    assert_true(playback->streams[0].worst_lateness_s > 0.5);
    assert_true(playback->streams[0].min_buffer_s < 0);
    sc_playback_free(&playback);
}

static void the_largest_number_is_found(void **state)
{
    (void)state;
    const sc_demand slow = demand_of("8Mb/s"), fast = demand_of("900Gb/s");
    const sc_play_item few = {&slow, NULL, 2}, many = {&fast, NULL, 3};
    sc_play_params params = {
        .items = &few, .item_count = 1, .seconds = 1, .trial_s = 1, .max_streams = 3};
    sc_playback *playback = NULL;
    assert_int_equal(sc_play_find_max(file, &params, &playback, NULL), SC_OK);
    assert_int_equal(playback->largest_sustained, 3); /* all that were allowed */
    assert_int_equal(playback->trial_count, 3);
    assert_int_equal(playback->trials[0].streams, 2);
    assert_int_equal(playback->trials[1].streams, 3);
    assert_int_equal(playback->stream_count, 3);
    assert_true(playback->sustained);
    sc_playback_free(&playback);
    params.items = &many;
    assert_int_equal(sc_play_find_max(file, &params, &playback, NULL), SC_OK);
    assert_int_equal(playback->largest_sustained, 0);
    assert_false(playback->sustained);
    sc_playback_free(&playback);
}

/* 256 reads in flight are 256 threads a stream, of which a process takes 1024. */
static void what_does_not_fit_is_not_tried(void **state)
{
    (void)state;
    const sc_demand slow = demand_of("8Mb/s");
    const sc_play_item four = {&slow, NULL, 4}, five = {&slow, NULL, 5};
    sc_play_params params = {.items = &five,
                             .item_count = 1,
                             .player = {.block_bytes = 65536, .in_flight = 256},
                             .seconds = 1,
                             .trial_s = 1};
    sc_playback *playback = NULL;
    sc_error error = {0};
    assert_int_equal(sc_play(file, &params, &playback, &error), SC_LIMIT);
    assert_non_null(strstr(error.message, "5 streams"));
    params.items = &four;
    assert_int_equal(sc_play_find_max(file, &params, &playback, NULL), SC_OK);
    assert_int_equal(playback->largest_sustained, 4);
    assert_string_equal(playback->findings[0].code, "reader-limit");
    sc_playback_free(&playback);
}

static int cancel_late(void *opaque, const sc_progress *progress)
{
    return progress->elapsed_s > *(const double *)opaque;
}

static void a_search_that_is_cancelled_keeps_its_trials(void **state)
{
    (void)state;
    const sc_demand slow = demand_of("8Mb/s");
    const sc_play_item item = {&slow, NULL, 1};
    double limit_s = 3.5;
    const sc_play_params params = {.items = &item,
                                   .item_count = 1,
                                   .seconds = 30,
                                   .trial_s = 1,
                                   .control = {cancel_late, &limit_s, NULL, NULL, NULL}};
    sc_playback *playback = NULL;
    assert_int_equal(sc_play_find_max(file, &params, &playback, NULL), SC_CANCELLED);
    assert_non_null(playback);
    assert_int_equal(playback->error.status, SC_CANCELLED);
    assert_int_equal(playback->largest_sustained, SC_UNKNOWN);
    assert_in_range(playback->trial_count, 1, 2);
    sc_playback_free(&playback);
}

static void wrong_parameters_are_named(void **state)
{
    (void)state;
    const sc_demand slow = demand_of("8Mb/s");
    const sc_demand nothing = {.frame_rate = {25, 1}};
    const sc_play_item one = {&slow, NULL, 1}, none = {&slow, NULL, 0}, many = {&slow, NULL, 257},
                       empty = {&nothing, NULL, 1}, absent = {NULL, NULL, 1};
    const sc_play_params wrong[] = {
        {.items = NULL, .item_count = 1},
        {.items = &one, .item_count = 0},
        {.items = &none, .item_count = 1},
        {.items = &many, .item_count = 1},
        {.items = &empty, .item_count = 1},
        {.items = &absent, .item_count = 1},
        {.items = &one, .item_count = 1, .seconds = NAN},
        {.items = &one, .item_count = 1, .seconds = -1},
        {.items = &one, .item_count = 1, .max_streams = -1},
        {.items = &one, .item_count = 1, .start = (sc_play_start)9},
        {.items = &one, .item_count = 1, .cache = (sc_cache_mode)9},
        {.items = &one, .item_count = 1, .player = {.in_flight = 9999}}};
    sc_playback *playback = NULL;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        sc_error error = {0};
        assert_int_equal(sc_play(file, &wrong[i], &playback, &error), SC_INVALID_ARGUMENT);
        assert_true(error.message[0]);
        assert_null(playback);
    }
    sc_play_params good = {.items = &one, .item_count = 1};
    assert_int_equal(sc_play("/nowhere/at/all", &good, &playback, NULL), SC_NOT_FOUND);
    assert_int_equal(sc_play(NULL, &good, &playback, NULL), SC_INVALID_ARGUMENT);
    assert_int_equal(sc_play(file, NULL, &playback, NULL), SC_INVALID_ARGUMENT);
    assert_int_equal(sc_play(file, &good, NULL, NULL), SC_INVALID_ARGUMENT);
    good.vary = 1;
    assert_int_equal(sc_play_find_max(file, &good, &playback, NULL), SC_INVALID_ARGUMENT);
}

/* ---- sequences ---- */

enum { SHOTS = 60, SHOT_BYTES = 150000 };

static void shot_path(int number, char path[160])
{
    snprintf(path, 160, "%s/50%%.%03d.dpx", directory, number);
}

static void write_shots(void)
{
    static unsigned char bytes[SHOT_BYTES];
    char path[160];
    for (int i = 0; i < SHOTS; i++) {
        for (size_t k = 0; k < sizeof bytes; k++)
            bytes[k] = (unsigned char)(k * 2654435761U >> 20) ^ (unsigned char)i;
        shot_path(i, path);
        int fd = open(path, O_CREAT | O_WRONLY | O_EXCL, 0600);
        assert_true(fd >= 0);
        assert_int_equal(write(fd, bytes, sizeof bytes), sizeof bytes);
        fsync(fd);
        close(fd);
    }
}

static void remove_shots(void)
{
    char path[160];
    for (int i = 0; i < SHOTS; i++) {
        shot_path(i, path);
        unlink(path);
    }
}

static const sc_finding *finding_of(const sc_playback *playback, const char *code)
{
    for (size_t i = 0; i < playback->finding_count; i++)
        if (strcmp(playback->findings[i].code, code) == 0)
            return &playback->findings[i];
    return NULL;
}

struct shots {
    double due_s[SHOTS];
    int64_t bytes[SHOTS], numbers[SHOTS];
    char pattern[160];
    sc_frames frames;
};

/* 25 frames a second; the tenth has no file. */
static void tell_shots(struct shots *shots)
{
    for (int k = 0; k < SHOTS; k++) {
        shots->due_s[k] = k * 0.04;
        shots->bytes[k] = k == 10 ? 0 : SHOT_BYTES;
        shots->numbers[k] = k == 10 ? -1 : k;
    }
    snprintf(shots->pattern, sizeof shots->pattern, "%s/50%%%%.%%03d.dpx", directory);
    shots->frames = (sc_frames){SHOTS,        shots->due_s,   shots->bytes,
                                SHOTS * 0.04, shots->pattern, shots->numbers};
}

static sc_playback *play_shots(const struct shots *shots, const sc_player *player, int32_t streams,
                               double seconds)
{
    sc_demand demand = demand_of("30Mb/s@25");
    demand.largest_frame_bytes = SHOT_BYTES;
    const sc_play_item item = {&demand, &shots->frames, streams};
    const sc_play_params params = {
        .items = &item, .item_count = 1, .player = *player, .seconds = seconds};
    sc_playback *playback = NULL;
    assert_int_equal(sc_play(directory, &params, &playback, NULL), SC_OK);
    assert_int_equal(playback->stream_count, streams);
    return playback;
}

static const sc_player in_blocks = {.block_bytes = 65536, .in_flight = 3},
                       in_frames = {.mode = SC_READ_FRAME, .in_flight = 2};

static void a_sequence_is_played_from_its_own_files(void **state)
{
    (void)state;
    struct shots shots;
    write_shots();
    tell_shots(&shots);
    for (int i = 0; i < 2; i++) {
        sc_playback *playback = play_shots(&shots, i ? &in_frames : &in_blocks, 1, 1);
        assert_true(playback->streams[0].file_a_frame);
        assert_int_equal(playback->streams[0].frames, 25);
        assert_int_equal(playback->trials[0].failed_reads, 0);
        assert_null(finding_of(playback, "sequence-elsewhere"));
        assert_null(finding_of(playback, "sequence-read-again"));
        sc_playback_free(&playback);
    }
    remove_shots();
}

static void what_is_read_again_is_told(void **state)
{
    (void)state;
    struct shots shots;
    write_shots();
    tell_shots(&shots);
    sc_playback *playback = play_shots(&shots, &in_blocks, 3, 2);
    assert_int_equal(playback->trials[0].failed_reads, 0);
    assert_non_null(finding_of(playback, "sequence-read-again"));
    sc_playback_free(&playback);
    remove_shots();
}

static void missing_and_shorter_frames_are_failed_reads(void **state)
{
    (void)state;
    struct shots shots;
    char path[160];
    write_shots();
    tell_shots(&shots);
    shot_path(20, path);
    assert_int_equal(truncate(path, 100000), 0); /* within the second block */
    sc_playback *playback = play_shots(&shots, &in_frames, 1, 2.4);
    assert_in_range(playback->trials[0].failed_reads, 1, 2); /* the loop comes round */
    assert_int_equal(playback->trials[0].frames, SHOTS);
    assert_in_range(playback->trials[0].late_frames, 1, SHOTS - 1);
    assert_false(playback->sustained);
    assert_non_null(strstr(finding_of(playback, "read-errors")->message, path));
    sc_playback_free(&playback);
    assert_int_equal(unlink(path), 0);
    playback = play_shots(&shots, &in_frames, 1, 2.4);
    assert_in_range(playback->trials[0].failed_reads, 1, 2); /* the loop comes round */
    const char *message = finding_of(playback, "read-errors")->message;
    assert_non_null(strstr(message, path));
    assert_non_null(strstr(message, strerror(ENOENT)));
    sc_playback_free(&playback);
    remove_shots();
}

static void a_sequence_elsewhere_is_played_from_regions(void **state)
{
    (void)state;
    struct shots shots;
    tell_shots(&shots);
    snprintf(shots.pattern, sizeof shots.pattern, "/proc/self/fd/%%d");
    sc_playback *playback = play_shots(&shots, &in_blocks, 1, 1);
    assert_false(playback->streams[0].file_a_frame);
    assert_int_equal(playback->trials[0].failed_reads, 0);
    assert_non_null(finding_of(playback, "sequence-elsewhere"));
    sc_playback_free(&playback);
}

static void patterns_that_name_no_files_are_refused(void **state)
{
    (void)state;
    const sc_demand slow = demand_of("8Mb/s");
    struct shots shots;
    for (int i = 0; i < 3; i++) {
        const sc_play_item item = {&slow, &shots.frames, 1};
        const sc_play_params params = {.items = &item, .item_count = 1};
        sc_playback *playback = NULL;
        tell_shots(&shots);
        if (i == 0)
            shots.frames.pattern = "no number.dpx";
        else if (i == 1)
            shots.frames.numbers = NULL;
        else
            shots.numbers[3] = -1;
        assert_int_equal(sc_play(file, &params, &playback, NULL), SC_INVALID_ARGUMENT);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_slow_enough_is_sustained),
        cmocka_unit_test(frames_of_a_clip_keep_their_size_and_time),
        cmocka_unit_test(frames_may_be_larger_than_the_demand_says),
        cmocka_unit_test(frames_that_cannot_be_played_are_refused),
        cmocka_unit_test(what_no_storage_delivers_falls_behind),
        cmocka_unit_test(the_largest_number_is_found),
        cmocka_unit_test(what_does_not_fit_is_not_tried),
        cmocka_unit_test(a_search_that_is_cancelled_keeps_its_trials),
        cmocka_unit_test(wrong_parameters_are_named),
        cmocka_unit_test(a_sequence_is_played_from_its_own_files),
        cmocka_unit_test(what_is_read_again_is_told),
        cmocka_unit_test(missing_and_shorter_frames_are_failed_reads),
        cmocka_unit_test(a_sequence_elsewhere_is_played_from_regions),
        cmocka_unit_test(patterns_that_name_no_files_are_refused),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
