#include "plan_test.h"

#include <math.h>

static void exact_frames_make_the_rate(void **state)
{
    sc_format format;
    sc_demand demand;
    (void)state;
    for (size_t i = 0; i < sc_format_count(); i++) {
        char label[SC_NAME_MAX];
        assert_int_equal(sc_format_get(i, &format), SC_OK);
        assert_int_equal(sc_demand_from_format(&format, &demand, NULL), SC_OK);
        sc_format_label(&format, label, sizeof label);
        assert_string_equal(demand.name, label);
        assert_int_equal(demand.source, format.origin);
        assert_false(demand.found);
        assert_true(demand.frame_rate.num == format.frame_rate.num &&
                    demand.frame_rate.den == format.frame_rate.den);
        double fps = sc_rational_value(format.frame_rate);
        if (format.frame_bytes) {
            assert_int_equal(demand.largest_frame_bytes, format.frame_bytes);
            assert_true(demand.bits_per_s == (int64_t)ceil(8 * format.frame_bytes * fps - 1e-6));
        } else {
            assert_int_equal(demand.bits_per_s, format.bits_per_s);
            assert_true(fabs((double)demand.largest_frame_bytes - format.bits_per_s / 8 / fps) < 2);
        }
    }
    assert_int_equal(sc_demand_from_format(NULL, &demand, NULL), SC_INVALID_ARGUMENT);
    assert_int_equal(sc_demand_from_format(&format, NULL, NULL), SC_INVALID_ARGUMENT);
    format.frame_rate = (sc_rational){0, 1};
    sc_error error = {0};
    assert_int_equal(sc_demand_from_format(&format, &demand, &error), SC_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "frame rate"));
}

static void a_family_plans_in_one_call(void **state)
{
    sc_format *formats = NULL;
    size_t count = 0;
    sc_demand demands[64];
    struct bare bare;
    (void)state;
    assert_int_equal(sc_formats_find("prores 3840x2160 25", &formats, &count, NULL), SC_OK);
    assert_in_range(count, 4, SCI_COUNT(demands));
    for (size_t i = 0; i < count; i++)
        assert_int_equal(sc_demand_from_format(&formats[i], &demands[i], NULL), SC_OK);
    sc_plan_params params = {
        .demands = demands, .demand_count = count, .storage = bare_rate(&bare, "10GB/s")};
    sc_plan *plan = solve(&params);
    assert_int_equal(plan->answer_count, count);
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(plan->answers[i].format, demands[i].name);
        assert_int_equal(plan->answers[i].safe, 80000000000 / demands[i].bits_per_s);
    }
    sc_plan_free(&plan);
    sc_formats_free(&formats);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_frames_make_the_rate),
        cmocka_unit_test(a_family_plans_in_one_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
