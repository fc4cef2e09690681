#include "plan_test.h"

static const sc_track tracks[] = {
    {.kind = SC_TRACK_TIMECODE, .frame_rate = {24, 1}},
    {.kind = SC_TRACK_VIDEO,
     .played = true,
     .codec = "prores",
     .name = "ProRes 422 HQ",
     .width = 3840,
     .height = 2160,
     .frame_rate = {25, 1}},
    {.kind = SC_TRACK_AUDIO, .played = true, .codec = "pcm_s24le", .name = "PCM s24le"},
};

static sc_clip clip_of(const char *path)
{
    static const int64_t trace[] = {100, 200};
    return (sc_clip){
        .path = path,
        .container = "mov",
        .duration_s = 30,
        .demand_bits_per_s = 700000000,
        .busiest_60s_bits_per_s = 741000000,
        .largest_frame_bytes = 4000000,
        .curve = {.count = 2, .window_s = {0.04, 1}, .max_bytes = {8000000, 100000000}},
        .trace = {.step_s = 0.04, .count = 2, .bytes = trace},
        .source = SC_SOURCE_FILE_INDEX,
        .track_count = SCI_COUNT(tracks),
        .tracks = tracks};
}

static void a_clip_is_what_was_probed(void **state)
{
    sc_clip clip = clip_of("/media/A001.mov");
    sc_demand demand;
    (void)state;
    assert_int_equal(sc_demand_from_clip(&clip, &demand, NULL), SC_OK);
    assert_string_equal(demand.name, "ProRes 422 HQ 3840x2160 25");
    assert_ptr_equal(demand.clip, clip.path);
    assert_int_equal(demand.bits_per_s, 741000000);
    assert_int_equal(demand.mean_bits_per_s, 700000000);
    assert_int_equal(demand.largest_frame_bytes, 4000000);
    assert_int_equal(demand.frame_rate.num, 25);
    assert_true(demand.duration_s == 30);
    assert_int_equal(demand.curve.count, 2);
    assert_true(demand.trace.bytes == clip.trace.bytes);
    assert_int_equal(demand.source, SC_SOURCE_FILE_INDEX);
    assert_true(demand.found);
}

static void a_long_path_can_be_opened_by_its_answer(void **state)
{
    char path[3 * SC_PATH_MAX];
    sc_storage *storage = NULL;
    sc_plan *plan = NULL;
    sc_demand demand;
    (void)state;
    memset(path, 'd', sizeof path);
    strcpy(path + sizeof path - 10, "/A001.mov");
    sc_clip clip = clip_of(path);
    assert_int_equal(sc_demand_from_clip(&clip, &demand, NULL), SC_OK);
    assert_int_equal(sc_storage_from_rate("1GB/s", &storage, NULL), SC_OK);
    sc_plan_params params = {.demands = &demand, .demand_count = 1, .storage = storage};
    assert_int_equal(sc_plan_solve(&params, &plan, NULL), SC_OK);
    assert_string_equal(plan->answers[0].clip, path);
    sc_plan_free(&plan);
    sc_storage_free(&storage);
}

static void clips_that_cannot_be_planned_are_refused(void **state)
{
    sc_demand demand = {.bits_per_s = 7};
    sc_error error = {0};
    sc_clip clip = clip_of("/media/broken.mov");
    (void)state;
    clip.error.status = SC_INVALID_DATA;
    strcpy(clip.error.message, "moov atom not found");
    assert_int_equal(sc_demand_from_clip(&clip, &demand, &error), SC_INVALID_DATA);
    assert_non_null(strstr(error.message, "moov atom not found"));
    assert_string_equal(error.path, "/media/broken.mov");
    clip = clip_of("/media/still.mov");
    clip.demand_bits_per_s = clip.busiest_60s_bits_per_s = SC_UNKNOWN;
    assert_int_equal(sc_demand_from_clip(&clip, &demand, NULL), SC_INVALID_DATA);
    clip = clip_of("/media/curve.mov");
    clip.curve.max_bytes[1] = 1;
    assert_int_equal(sc_demand_from_clip(&clip, &demand, NULL), SC_INVALID_DATA);
    assert_int_equal(sc_demand_from_clip(NULL, &demand, NULL), SC_INVALID_ARGUMENT);
    assert_int_equal(sc_demand_from_clip(&clip, NULL, NULL), SC_INVALID_ARGUMENT);
    assert_int_equal(demand.bits_per_s, 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_clip_is_what_was_probed),
        cmocka_unit_test(a_long_path_can_be_opened_by_its_answer),
        cmocka_unit_test(clips_that_cannot_be_planned_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
