/* What a player needs when, when it may ask for it, and what came too late. */
#include "play/pacer.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>

/* Four frames of 25 a second, of unequal size: 10, 30, 0 and 60 bytes. */
static const double dues[] = {0, 0.04, 0.08, 0.12};
static const int64_t sizes[] = {10, 30, 0, 60};
static const sc_frames four = {4, dues, sizes, 0.16, NULL, NULL};

static bool near(double a, double b)
{
    return fabs(a - b) < 1e-9;
}

static void a_loop_goes_on_behind_its_end_from_any_frame(void **state)
{
    (void)state;
    sci_script *script = sci_script_new(NULL, &four);
    assert_non_null(script);
    const sci_script_place start = {script, 0}, second = {script, 1};
    assert_int_equal(sci_script_end(start, 0), 10);
    assert_int_equal(sci_script_end(start, 3), 100);
    assert_int_equal(sci_script_end(start, 4), 110);
    assert_int_equal(sci_script_end(second, 0), 30);
    assert_int_equal(sci_script_end(second, 2), 90);
    assert_int_equal(sci_script_end(second, 3), 100);
    assert_true(near(sci_script_due_s(start, 5), 0.2));
    assert_true(near(sci_script_due_s(second, 0), 0));
    assert_true(near(sci_script_due_s(second, 3), 0.12));
    assert_true(near(sci_script_due_s(second, 7), 0.28));
    for (int64_t byte = 0; byte < 350; byte++) {
        const int64_t frame = sci_script_frame_at(second, byte);
        assert_true(sci_script_end(second, frame) > byte);
        assert_true(frame == 0 || sci_script_end(second, frame - 1) <= byte);
    }
    sci_script_release(&script);
}

static void equal_frames_add_up_to_the_rate(void **state)
{
    (void)state;
    sc_demand demand;
    assert_int_equal(sc_demand_parse("100Mb/s@24000/1001", &demand, NULL), SC_OK);
    sci_script *script = sci_script_new(&demand, NULL);
    assert_non_null(script);
    const sci_script_place place = {script, 17};
    const int64_t frames = 240000; /* 10010 s */
    assert_true(near(sci_script_due_s(place, frames), 10010));
    assert_true(llabs(sci_script_end(place, frames - 1) - INT64_C(125125000000)) < 100);
    sci_script_release(&script);
}

/* 25 frames of 100 bytes a second, blocks of 150, a buffer of 450; starts at 1 s and prerolls
   0.2. */
static sci_pacer pacer_of(sci_script *script, sc_read_mode mode)
{
    const sci_pacer_params params = {
        .place = {script, 0},
        .player = {.block_bytes = 150, .in_flight = 2, .preroll_s = 0.2, .mode = mode},
        .buffer_bytes = 450,
        .start_s = 1,
        .end_s = 2};
    sci_pacer pacer;
    sci_pacer_start(&pacer, &params);
    return pacer;
}

static sci_script *even_script(void)
{
    sc_demand demand;
    assert_int_equal(sc_demand_parse("20kb/s@25", &demand, NULL), SC_OK);
    sci_script *script = sci_script_new(&demand, NULL);
    assert_non_null(script);
    return script;
}

static sci_pacer_read take(sci_pacer *pacer)
{
    sci_pacer_read read;
    assert_true(sci_pacer_take(pacer, sci_pacer_wants(pacer), 1, &read));
    return read;
}

static void a_block_is_asked_for_when_there_is_room(void **state)
{
    (void)state;
    sci_script *script = even_script();
    sci_pacer pacer = pacer_of(script, SC_READ_BLOCK);
    for (int i = 0; i < 3; i++)
        assert_true(near(take(&pacer).not_before_s, 1));
    /* up to byte 600: 150 bytes have to be gone, so that the second frame is shown, at 1.2 + 0.04 */
    assert_true(near(take(&pacer).not_before_s, 1.24));
    assert_true(near(take(&pacer).not_before_s, 1.28));
    sci_pacer_free(&pacer);
    sci_script_release(&script);
}

static void a_frame_is_there_with_the_last_of_its_reads(void **state)
{
    (void)state;
    sci_script *script = even_script();
    sci_pacer pacer = pacer_of(script, SC_READ_BLOCK);
    for (int i = 0; i < 3; i++)
        take(&pacer);
    /* Frame 0 and half of 1 lie in read 0, the rest of 1 and frame 2 in read 1. */
    sci_pacer_arrived(&pacer, 1, 1.1);
    assert_int_equal(pacer.score.frames, 0);
    sci_pacer_arrived(&pacer, 0, 1.25);
    assert_int_equal(pacer.score.frames, 3);
    assert_int_equal(pacer.score.late_frames, 2); /* due at 1.2 and 1.24 */
    assert_int_equal(pacer.score.stalls, 1);
    assert_true(near(pacer.score.worst_lateness_s, 0.05));
    assert_true(near(pacer.score.least_lead_s, -0.05));
    sci_pacer_arrived(&pacer, 2, 1.3); /* frames 3 (1.32) and, to its half, 4 */
    assert_int_equal(pacer.score.frames, 4);
    assert_int_equal(pacer.score.late_frames, 2);
    sci_pacer_free(&pacer);
    sci_script_release(&script);
}

/* Blocks of 150 of frames of 100: the second one has bytes of frames 1 and 2. */
static void what_failed_is_late_and_the_rest_goes_on(void **state)
{
    (void)state;
    sci_script *script = even_script();
    sci_pacer pacer = pacer_of(script, SC_READ_BLOCK);
    for (int i = 0; i < 4; i++)
        take(&pacer);
    sci_pacer_arrived(&pacer, 0, 1.01);
    sci_pacer_lost(&pacer, 1, 1.02);
    sci_pacer_arrived(&pacer, 2, 1.03);
    sci_pacer_arrived(&pacer, 3, 1.04);
    assert_int_equal(pacer.score.frames, 6);
    assert_int_equal(pacer.score.late_frames, 2);
    assert_int_equal(pacer.score.stalls, 1);
    assert_true(pacer.score.worst_lateness_s == 0);
    sci_pacer_free(&pacer);
    sci_script_release(&script);
}

static void what_never_comes_is_late_too(void **state)
{
    (void)state;
    sci_script *script = even_script();
    sci_pacer pacer = pacer_of(script, SC_READ_BLOCK);
    take(&pacer);
    sci_pacer_finish(&pacer, 5);
    assert_int_equal(pacer.score.frames, 20); /* due at 1.2 to 1.96 */
    assert_int_equal(pacer.score.late_frames, 20);
    assert_int_equal(pacer.score.stalls, 1);
    assert_true(near(pacer.score.worst_lateness_s, 3.8));
    sci_pacer_free(&pacer);
    sci_script_release(&script);
}

static void frames_are_read_one_by_one_by_a_player_that_does_so(void **state)
{
    (void)state;
    sci_script *script = sci_script_new(NULL, &four);
    assert_non_null(script);
    sci_pacer pacer = pacer_of(script, SC_READ_FRAME);
    const int64_t wanted[] = {10, 30, 60, 10, 30, 60};
    for (int i = 0; i < 6; i++) {
        assert_int_equal(sci_pacer_wants(&pacer), wanted[i]);
        take(&pacer);
    }
    /* What a read did not bring the next one asks for. */
    sci_pacer_read read;
    assert_true(sci_pacer_take(&pacer, 4, 1, &read));
    assert_int_equal(sci_pacer_wants(&pacer), 6);
    sci_pacer_free(&pacer);
    sci_script_release(&script);
}

static void many_reads_may_be_under_way(void **state)
{
    (void)state;
    sci_script *script = even_script();
    sci_pacer pacer = pacer_of(script, SC_READ_BLOCK);
    enum { READS = 100 };
    for (int i = 0; i < READS; i++)
        take(&pacer);
    for (int i = READS - 1; i >= 0; i--)
        sci_pacer_arrived(&pacer, i, 1);
    assert_int_equal(pacer.score.frames, 20);
    assert_int_equal(pacer.score.late_frames, 0);
    assert_true(near(pacer.score.least_lead_s, 0.2));
    assert_true(near(sci_lead_slope(&pacer.score.lead), 1)); /* all came at once */
    sci_pacer_free(&pacer);
    sci_script_release(&script);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loop_goes_on_behind_its_end_from_any_frame),
        cmocka_unit_test(equal_frames_add_up_to_the_rate),
        cmocka_unit_test(a_block_is_asked_for_when_there_is_room),
        cmocka_unit_test(a_frame_is_there_with_the_last_of_its_reads),
        cmocka_unit_test(what_failed_is_late_and_the_rest_goes_on),
        cmocka_unit_test(what_never_comes_is_late_too),
        cmocka_unit_test(frames_are_read_one_by_one_by_a_player_that_does_so),
        cmocka_unit_test(many_reads_may_be_under_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
