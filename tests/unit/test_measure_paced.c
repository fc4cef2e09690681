/* When a paced reader may ask and what is late, and runs on a file that is read fast enough. */
#include "measure/paced.h"
#include "test.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

/* 25 frames of 1000 bytes a second, a buffer of 5000 bytes. */
static const sci_pace pace = {
    .frame_bytes = 1000, .frames_per_s = 25, .preroll_s = 0.1, .buffer_bytes = 5000};

static void the_buffer_gives_room_as_frames_are_played(void **state)
{
    (void)state;
    assert_true(sci_pace_room_s(&pace, 4096) == 0);
    assert_true(sci_pace_room_s(&pace, 5000) == 0);
    /* a byte more has to wait for a whole frame to be gone */
    assert_true(fabs(sci_pace_room_s(&pace, 5001) - 0.14) < 1e-9);
    assert_true(fabs(sci_pace_room_s(&pace, 6000) - 0.14) < 1e-9);
    assert_true(fabs(sci_pace_room_s(&pace, 6001) - 0.18) < 1e-9);
}

static void a_block_is_due_with_the_first_frame_in_it(void **state)
{
    (void)state;
    assert_true(fabs(sci_pace_due_s(&pace, 0) - 0.1) < 1e-9);
    assert_true(fabs(sci_pace_due_s(&pace, 999) - 0.1) < 1e-9);
    assert_true(fabs(sci_pace_due_s(&pace, 1000) - 0.14) < 1e-9);
    assert_true(fabs(sci_pace_due_s(&pace, 25000) - 1.1) < 1e-9);
}

static void a_lead_that_shrinks_has_a_slope(void **state)
{
    sci_lead lead = {0};
    (void)state;
    assert_true(sci_lead_slope(&lead) == 0 && sci_lead_at(&lead, 5) == 0);
    for (int i = 0; i < 100; i++)
        sci_lead_add(&lead, i * 0.1, 2 - 0.03 * (i * 0.1) + (i % 2 ? 0.01 : -0.01));
    assert_true(fabs(sci_lead_slope(&lead) + 0.03) < 1e-3);
    assert_true(fabs(sci_lead_at(&lead, 20) - 1.4) < 0.02);
}

static void make_file(char *path, int64_t mib)
{
    static unsigned char block[1 << 20];
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    for (size_t i = 0; i < sizeof block; i++)
        block[i] = (unsigned char)(i * 2654435761U >> 13);
    for (int64_t i = 0; i < mib; i++)
        assert_int_equal(write(fd, block, sizeof block), sizeof block);
    fsync(fd);
    close(fd);
}

static void what_is_slow_enough_is_sustained(void **state)
{
    char path[] = "/tmp/paced.XXXXXX";
    const sc_paced_params params = {.streams = 3, .bits_per_s = 16000000, .seconds = 2};
    sc_paced_run run;
    (void)state;
    make_file(path, 32);
    assert_int_equal(sc_measure_paced(path, &params, &run, NULL), SC_OK);
    unlink(path);
    assert_int_equal(run.streams, 3);
    assert_int_equal(run.late_reads, 0);
    assert_int_equal(run.failed_reads, 0);
    assert_true(run.sustained);
    /* 2 s of 2 MB/s and the buffers of 4 MB: no more is read ahead */
    assert_in_range(run.reads, 3 * 3, 3 * 9);
    assert_true(run.least_lead_s > 0);
}

static void wrong_parameters_are_named(void **state)
{
    const sc_paced_params wrong[] = {{.bits_per_s = 1000000},
                                     {.streams = 1},
                                     {.streams = 257, .bits_per_s = 1000000},
                                     {.streams = 1, .bits_per_s = -5},
                                     {.streams = 1, .bits_per_s = 5, .seconds = NAN},
                                     {.streams = 1, .bits_per_s = 5, .frames_per_s = -1}};
    sc_paced_run run;
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(wrong); i++) {
        sc_error error = {0};
        assert_int_equal(sc_measure_paced("/", &wrong[i], &run, &error), SC_INVALID_ARGUMENT);
        assert_true(error.message[0]);
    }
    const sc_paced_params too_many = {
        .streams = 256, .bits_per_s = 8000, .player = {.in_flight = 256}};
    char path[] = "/tmp/paced.XXXXXX";
    make_file(path, 2);
    assert_int_equal(sc_measure_paced(path, &too_many, &run, NULL), SC_INVALID_ARGUMENT);
    unlink(path);
    assert_int_equal(sc_measure_paced("/nowhere/at/all",
                                      &(sc_paced_params){.streams = 1, .bits_per_s = 8000}, &run,
                                      NULL),
                     SC_NOT_FOUND);
    assert_int_equal(sc_measure_paced(NULL, &wrong[0], &run, NULL), SC_INVALID_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_buffer_gives_room_as_frames_are_played),
        cmocka_unit_test(a_block_is_due_with_the_first_frame_in_it),
        cmocka_unit_test(a_lead_that_shrinks_has_a_slope),
        cmocka_unit_test(what_is_slow_enough_is_sustained),
        cmocka_unit_test(wrong_parameters_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
