#include "core/core.h"
#include "test.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void rates_are_exact_bits_a_second(void **state)
{
    static const struct {
        const char *text;
        int64_t bits_per_s;
    } cases[] = {{"83MB/s", 664000000},    {"664Mb/s", 664000000},     {"1.5Gb/s", 1500000000},
                 {"100MiB/s", 838860800},  {"0.001kb/s", 1},           {"174.71MB/s", 1397680000},
                 {"110 MB/s", 880000000},  {"168Mbit/s", 168000000},   {"168Mbps", 168000000},
                 {"1Tb/s", 1000000000000}, {"437000001b/s", 437000001}};
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(cases); i++) {
        int64_t value = 0;
        sc_error error = {0};
        assert_int_equal(sc_parse_rate(cases[i].text, &value, &error), SC_OK);
        assert_int_equal(value, cases[i].bits_per_s);
    }
}

static void bad_quantities_name_the_text_and_the_remedy(void **state)
{
    static const char *const bad[] = {"",
                                      "83",
                                      "MB/s",
                                      "-3MB/s",
                                      "0MB/s",
                                      "nanMB/s",
                                      "1e9b/s",
                                      "inf",
                                      "83 MB",
                                      ".Mb/s",
                                      "1..2Mb/s",
                                      "9999999Tb/s",
                                      "1234567890123456789b/s",
                                      "83MB/sx"};
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(bad); i++) {
        int64_t value = 7;
        sc_error error = {0};
        assert_int_equal(sc_parse_rate(bad[i], &value, &error), SC_INVALID_ARGUMENT);
        assert_int_equal(error.status, SC_INVALID_ARGUMENT);
        assert_true(strlen(error.message) > 20);
        assert_int_equal(value, 7);
    }
    assert_int_equal(sc_parse_rate(NULL, NULL, NULL), SC_INVALID_ARGUMENT);
}

static void times_and_sizes(void **state)
{
    double seconds;
    int64_t bytes;
    (void)state;
    assert_int_equal(sc_parse_seconds("0.35s", &seconds, NULL), SC_OK);
    assert_true(seconds == 0.35);
    assert_int_equal(sc_parse_seconds("15ms", &seconds, NULL), SC_OK);
    assert_true(seconds == 0.015);
    assert_int_equal(sc_parse_seconds("2min", &seconds, NULL), SC_OK);
    assert_true(seconds == 120);
    assert_int_equal(sc_parse_seconds("15", &seconds, NULL), SC_INVALID_ARGUMENT);
    assert_int_equal(sc_parse_bytes("256KiB", &bytes, NULL), SC_OK);
    assert_int_equal(bytes, 262144);
    assert_int_equal(sc_parse_bytes("0B", &bytes, NULL), SC_OK);
    assert_int_equal(bytes, 0);
}

static void frame_rates_there_and_back(void **state)
{
    static const struct {
        const char *text;
        int64_t num, den;
        const char *printed;
    } cases[] = {{"25", 25, 1, "25"},
                 {"23.976", 24000, 1001, "23.976"},
                 {"23.98", 24000, 1001, "23.976"},
                 {"24000/1001", 24000, 1001, "23.976"},
                 {"59.94", 60000, 1001, "59.94"},
                 {"14.587", 14587, 1000, "14.587"},
                 {"1199/50", 1199, 50, "23.98"},
                 {"100", 100, 1, "100"},
                 {"0.5", 1, 2, "0.5"}};
    static const char *const bad[] = {"", "0", "-25", "25p", "1/0", "1001", "2.5/3", "25/"};
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(cases); i++) {
        sc_rational rate;
        char text[16];
        assert_int_equal(sc_parse_frame_rate(cases[i].text, &rate, NULL), SC_OK);
        assert_int_equal(rate.num, cases[i].num);
        assert_int_equal(rate.den, cases[i].den);
        sc_format_frame_rate(rate, text, sizeof text);
        assert_string_equal(text, cases[i].printed);
    }
    for (size_t i = 0; i < SCI_COUNT(bad); i++) {
        sc_rational rate = {7, 9};
        assert_int_equal(sc_parse_frame_rate(bad[i], &rate, NULL), SC_INVALID_ARGUMENT);
        assert_true(rate.num == 7 && rate.den == 9);
    }
}

static void frame_rates_that_no_one_has_are_question_marks(void **state)
{
    static const sc_rational rates[] = {
        {0, 0}, {-25, 1}, {INT64_MAX, 1}, {INT64_MIN, 1}, {1000000001, 1}};
    char text[16];
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(rates); i++) {
        sc_format_frame_rate(rates[i], text, sizeof text);
        assert_string_equal(text, "?");
    }
    sc_format_frame_rate((sc_rational){1000000000, 1}, text, sizeof text);
    assert_string_equal(text, "1000000000");
}

static void sizes_read_as_they_were_made(void **state)
{
    static const struct {
        int64_t bytes;
        const char *printed;
    } cases[] = {{-1, "?"},
                 {0, "0 bytes"},
                 {1, "1 byte"},
                 {999, "999 bytes"},
                 {1000, "1.00 kB"},
                 {1024, "1 KiB"},
                 {1 << 20, "1 MiB"},
                 {64 << 20, "64 MiB"},
                 {512 << 20, "512 MiB"},
                 {1055916032, "1007 MiB"},
                 {INT64_C(1024) << 20, "1 GiB"},
                 {INT64_C(1025) << 20, "1.07 GB"},
                 {3844230, "3.84 MB"},
                 {16000000, "16.0 MB"},
                 {999600000, "1.00 GB"},
                 {INT64_C(16) << 40, "16 TiB"},
                 {INT64_MAX, "9223372 TB"}};
    char text[32];
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(cases); i++) {
        sc_format_bytes(cases[i].bytes, text, sizeof text);
        assert_string_equal(text, cases[i].printed);
    }
}

static void zeros_behind_the_point_are_trimmed(void **state)
{
    static const struct {
        double value;
        int decimals;
        const char *text;
    } cases[] = {
        {100, 0, "100"}, {100, 3, "100"}, {0.5, 6, "0.5"}, {0.0004, 3, "0"}, {-2.50, 2, "-2.5"}};
    char text[32];
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(cases); i++) {
        sci_print_trimmed(text, sizeof text, cases[i].value, cases[i].decimals);
        assert_string_equal(text, cases[i].text);
    }
}

static void decimals_have_a_point_in_every_locale(void **state)
{
    char text[32];
    (void)state;
    sci_print_decimal(text, sizeof text, 0.05, 1);
    assert_string_equal(text, "0.1");
    sci_print_decimal(text, sizeof text, -0.04, 1);
    assert_string_equal(text, "0.0");
    sci_print_decimal(text, sizeof text, -12.345, 2);
    assert_string_equal(text, "-12.35");
    sci_print_decimal(text, sizeof text, 1234567.5, 0);
    assert_string_equal(text, "1234568");
}

static void the_first_error_wins_and_stays_on_one_line(void **state)
{
    sc_error error = {0};
    char path[3000];
    (void)state;
    memset(path, 'a', sizeof path - 1);
    memcpy(path + sizeof path - 9, "clip.mov", 9);
    assert_int_equal(sci_fail(&error, SC_IO, ENOENT, "test", path, "line\n%d", 1), SC_IO);
    assert_string_equal(error.message, "line 1: No such file or directory");
    assert_string_equal(error.path + strlen(error.path) - 8, "clip.mov");
    assert_int_equal(sci_fail(&error, SC_LIMIT, 0, "later", NULL, "other"), SC_LIMIT);
    assert_int_equal(error.status, SC_IO);
    assert_int_equal(sci_fail(NULL, SC_LIMIT, 0, "later", NULL, "other"), SC_LIMIT);
}

static void text_is_cut_at_a_character(void **state)
{
    char buffer[4];
    (void)state;
    assert_string_equal(sci_copy(buffer, sizeof buffer, "ab\xC3\xA4"), "ab");
    assert_string_equal(sci_copy(buffer, sizeof buffer, "abc"), "abc");
}

static void every_status_and_source_has_a_name_that_leads_back(void **state)
{
    (void)state;
    for (int status = SC_STALLED; status <= SC_OK; status++) {
        assert_string_not_equal(sc_status_name(status), "unknown");
        assert_string_not_equal(sc_status_text(status), "unknown status");
        assert_int_equal(sc_status_from_name(sc_status_name(status)), status);
    }
    for (int source = SC_SOURCE_NONE; source <= SC_SOURCE_ESTIMATED; source++)
        assert_int_equal(sc_source_from_name(sc_source_name((sc_source)source)), source);
    assert_string_equal(sc_status_name(-99), "unknown");
}

static void an_arena_gives_out_zeroed_memory_and_frees_all(void **state)
{
    struct thing {
        int value;
    } *thing = sci_result_new(sizeof *thing);
    (void)state;
    assert_non_null(thing);
    for (size_t i = 1; i < 2000; i++) {
        unsigned char *bytes = sci_arena_alloc(sci_result_arena(thing), i, 3);
        assert_non_null(bytes);
        assert_int_equal((uintptr_t)bytes % 16, 0);
        assert_int_equal(bytes[i * 3 - 1], 0);
        memset(bytes, 0xFF, i * 3);
    }
    assert_null(sci_arena_alloc(sci_result_arena(thing), SIZE_MAX, 2));
    sci_result_free(&thing);
    assert_null(thing);
    sci_result_free(&thing);
}

static int stop_at_once(void *opaque, const sc_progress *progress)
{
    int *calls = opaque;
    assert_string_equal(progress->stage, "test");
    ++*calls;
    return 1;
}

static void progress_and_cancel_stop_a_call(void **state)
{
    int calls = 0;
    sc_control user = {.progress = stop_at_once, .progress_opaque = &calls};
    sci_control control;
    (void)state;
    sci_control_start(&control, &user, "test");
    assert_true(sci_control_poll(&control, NULL, 0, -1));
    assert_true(sci_control_poll(&control, NULL, 0, -1));
    assert_int_equal(calls, 1);

    sc_cancel *cancel = sc_cancel_create();
    user = (sc_control){.cancel = cancel};
    sci_control_start(&control, &user, "test");
    assert_false(sci_control_poll(&control, NULL, 0, -1));
    sc_cancel_trigger(cancel);
    assert_true(sci_control_poll(&control, NULL, 0, -1));
    sc_cancel_free(&cancel);
    sc_cancel_free(&cancel);
    sc_cancel_trigger(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rates_are_exact_bits_a_second),
        cmocka_unit_test(bad_quantities_name_the_text_and_the_remedy),
        cmocka_unit_test(times_and_sizes),
        cmocka_unit_test(frame_rates_there_and_back),
        cmocka_unit_test(frame_rates_that_no_one_has_are_question_marks),
        cmocka_unit_test(sizes_read_as_they_were_made),
        cmocka_unit_test(zeros_behind_the_point_are_trimmed),
        cmocka_unit_test(decimals_have_a_point_in_every_locale),
        cmocka_unit_test(the_first_error_wins_and_stays_on_one_line),
        cmocka_unit_test(text_is_cut_at_a_character),
        cmocka_unit_test(every_status_and_source_has_a_name_that_leads_back),
        cmocka_unit_test(an_arena_gives_out_zeroed_memory_and_frees_all),
        cmocka_unit_test(progress_and_cancel_stop_a_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
