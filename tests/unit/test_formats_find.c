#include "core/core.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <streamcalc/formats.h>
#include <string.h>

static void full_expressions_have_one_answer(void **state)
{
    static const struct {
        const char *expression, *label;
        int64_t bits_per_s;
    } cases[] = {{"ProRes 422 HQ 3840x2160 25", "ProRes 422 HQ 3840x2160 25", 737000000},
                 {"DNxHR SQ 1920x1080 25", "DNxHR SQ 1920x1080 25", 121241600},
                 {"dnxhr hqx uhd 25", "DNxHR HQX 3840x2160 25", 728268800},
                 {"DNXHR_HQX UHD 25P", "DNxHR HQX 3840x2160 25", 728268800},
                 {"dnxhrhqx 4k 25fps", "DNxHR HQX 3840x2160 25", 728268800},
                 {"DNxHR HQX dci 4k @25", "DNxHR HQX 4096x2160 25", 777420800},
                 {"DNxHR HQX 4k dci 25", "DNxHR HQX 4096x2160 25", 777420800},
                 {"DNxHR HQX 8k 25", "DNxHR HQX 7680x4320 25", 2914713600},
                 {"ProRes 422 HQ 8k 25", "ProRes 422 HQ 8192x4320 25", 3146000000},
                 {"prores hq 1080 25", "ProRes 422 HQ 1920x1080 25", 184000000},
                 {"prores proxy, 2k, 23.976", "ProRes 422 Proxy 2048x1080 23.976", 41000000},
                 {"prores 4444 hd 24000/1001", "ProRes 4444 1920x1080 23.976", 264000000},
                 {"prores 4444 xq hd 23.98", "ProRes 4444 XQ 1920x1080 23.976", 396000000},
                 {"ProRes 422 1280x720 59.94", "ProRes 422 1280x720 59.94", 147000000},
                 {"ProRes 422 720p 59.94", "ProRes 422 1280x720 59.94", 147000000},
                 {"ProRes 422 25 uhd", "ProRes 422 3840x2160 25", 492000000},
                 {"  ProRes\t422  25   uhd ", "ProRes 422 3840x2160 25", 492000000},
                 {"ProRes 422 HQ 1080 24", "ProRes 422 HQ 1920x1080 24", 176176000},
                 {"ProRes 422 HQ uhd 48", "ProRes 422 HQ 3840x2160 48", 1416000000},
                 {"ProRes 422 HQ 1080i50", "ProRes 422 HQ 1920x1080 50i", 184000000},
                 {"ProRes 422 HQ 1080 60i", "ProRes 422 HQ 1920x1080 59.94i", 220000000},
                 {"ProRes 422 HQ 1080i 29.97", "ProRes 422 HQ 1920x1080 59.94i", 220000000},
                 {"ProRes 422 576 50i", "ProRes 422 720x576 50i", 41000000},
                 {"DNxHD 185x 1920x1080 25", "DNxHD 185x 1920x1080 25", 183500800},
                 {"DNxHD 185x 1920x1080 25p", "DNxHD 185x 1920x1080 25", 183500800},
                 {"DNxHD 185x 1080 50i", "DNxHD 185x 1920x1080 50i", 183500800},
                 {"DNxHD 185x 1920x1080i25", "DNxHD 185x 1920x1080 50i", 183500800},
                 {"DNxHD 185x 1920x1080p25", "DNxHD 185x 1920x1080 25", 183500800},
                 {"DNxHD 90 720 25", "DNxHD 90 1280x720 25", 91750400},
                 {"DNxHD 120 TR 1080i", "DNxHD 120 TR 1440x1080 50i", 121241600},
                 {"AVC-Intra 50 1080 25", "AVC-Intra 50 1440x1080 25", 56217600},
                 {"avcintra 100 1080i 50", "AVC-Intra 100 1920x1080 50i", 113766400},
                 {"braw 3:1 6048x4032 30", "Blackmagic RAW 3:1 6048x4032 30", 2960000000},
                 {"Blackmagic RAW 12:1 hd 60", "Blackmagic RAW 12:1 1920x1080 60", 144000000},
                 {"v210 1080 25", "v210 1920x1080 25", 1105920000},
                 {"uncompressed dpx 10 2k 24", "DPX 10 2048x1080 24", 1699086336},
                 {"arriraw 3414x2198 24", "ARRIRAW 12 bit 3414x2198 24", 2161143936},
                 {"iPhone ProRes 422 HQ 4K 30", "iPhone ProRes 422 HQ 4K 3840x2160 30", 800000000},
                 {"XAVC S 4K 100M 25", "XAVC S 4K 100M 3840x2160 25", 100000000},
                 {"XAVC S 4K 60M 4k 29.97", "XAVC S 4K 60M 3840x2160 29.97", 60000000},
                 {"xdcam hd422 1080i50", "XDCAM HD422 50 1920x1080 50i", 50000000},
                 {"DVCPRO HD 1080 25", "DVCPRO HD 1440x1080 25", 115200000},
                 {"dv 576 25", "DV 25 720x576 25", 28800000},
                 {"avchd fx 60i", "AVCHD FX 1920x1080 59.94i", 24000000},
                 {"xavc-i uhd", "XAVC-I Class 300 3840x2160 59.94", 599546000}};
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(cases); i++) {
        sc_format *found = NULL;
        size_t count = 0;
        sc_error error = {0};
        char label[SC_NAME_MAX];
        if (sc_formats_find(cases[i].expression, &found, &count, &error) != SC_OK)
            fail_msg("%s: %s", cases[i].expression, error.message);
        if (count != 1)
            fail_msg("%s: %zu rows", cases[i].expression, count);
        sc_format_label(&found[0], label, sizeof label);
        assert_string_equal(label, cases[i].label);
        assert_int_equal(found[0].bits_per_s, cases[i].bits_per_s);
        sc_formats_free(&found);
        assert_null(found);
        sc_formats_free(&found);
    }
    sc_formats_free(NULL);
}

static void families_and_names_have_all_their_rows(void **state)
{
    static const struct {
        const char *expression;
        size_t count;
    } cases[] = {{"prores", 348},          {"PRORES", 348},
                 {"ProRes 422", 58},       {"ProRes 422 HQ", 58},
                 {"prores422hq", 58},      {"prores 4444", 58},
                 {"prores 1080", 30},      {"prores uhd 25", 6},
                 {"prores uhd 24", 6},     {"ProRes 422 HQ 1920x1080", 5},
                 {"ProRes 422 HQ 25", 12}, {"dnxhd", 63},
                 {"dnxhd 185x", 2},        {"dnxhd 1080i", 6},
                 {"dnxhd 444", 4},         {"dnxhr", 440},
                 {"dnxhr sq", 88},         {"dnxhr uhd", 40},
                 {"AVC-Intra", 30},        {"Blackmagic RAW", 20},
                 {"canon-raw", 28},        {"redcode", 6},
                 {"xavc-s 4k", 6},         {"uncompressed dpx uhd 25", 2}};
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(cases); i++) {
        sc_format *found = NULL;
        size_t count = 0;
        sc_error error = {0};
        if (sc_formats_find(cases[i].expression, &found, &count, &error) != SC_OK)
            fail_msg("%s: %s", cases[i].expression, error.message);
        if (count != cases[i].count)
            fail_msg("%s: %zu rows, expected %zu", cases[i].expression, count, cases[i].count);
        sc_formats_free(&found);
    }
}

static void what_is_not_understood_is_named(void **state)
{
    static const struct {
        const char *expression;
        sc_status status;
        const char *says[2];
    } cases[] = {
        {NULL, SC_INVALID_ARGUMENT, {"no format is named", "ProRes 422 HQ 3840x2160 25"}},
        {"", SC_INVALID_ARGUMENT, {"no format is named", ""}},
        {" \t,", SC_INVALID_ARGUMENT, {"no format is named", ""}},
        {"hq", SC_NOT_FOUND, {"'hq'", "ProRes 422 HQ"}},
        {"hq uhd 25", SC_NOT_FOUND, {"'hq uhd 25'", "ProRes 422 HQ"}},
        {"prorez 422 HQ", SC_NOT_FOUND, {"'prorez 422 HQ'", "ProRes 422 HQ"}},
        {"DNxHT SQ", SC_NOT_FOUND, {"DNxHR SQ", ""}},
        {"DPX", SC_NOT_FOUND, {"DPX 10", "DPX 16"}},
        {"Betacam SP", SC_NOT_FOUND, {"the families are prores", "uncompressed"}},
        {"25", SC_NOT_FOUND, {"'25'", ""}},
        {"ProRes 422 HX 25", SC_INVALID_ARGUMENT, {"'HX'", "nearest: ProRes 422 HQ"}},
        {"ProRes 422 HQ uhdx 25", SC_INVALID_ARGUMENT, {"'uhdx'", "raster"}},
        {"prores 444 uhd", SC_INVALID_ARGUMENT, {"'444'", "ProRes 4444"}},
        {"ProRes 422 HQ 25x", SC_INVALID_ARGUMENT, {"'25x'", ""}},
        {"ProRes 422 HQ 0x1080 25", SC_INVALID_ARGUMENT, {"'0x1080'", ""}},
        {"ProRes 422 HQ 99999x1080 25", SC_INVALID_ARGUMENT, {"'99999x1080'", ""}},
        {"ProRes 422 HQ uhd -25", SC_INVALID_ARGUMENT, {"'-25'", ""}},
        {"ProRes 422 HQ uhd 0", SC_INVALID_ARGUMENT, {"'0'", ""}},
        {"ProRes 422 HQ uhd 1e2", SC_INVALID_ARGUMENT, {"'1e2'", ""}},
        {"ProRes 422 HQ uhd hd 25", SC_INVALID_ARGUMENT, {"'hd'", "second raster"}},
        {"ProRes 422 HQ uhd 25 50", SC_INVALID_ARGUMENT, {"'50'", "second frame rate"}},
        {"ProRes 422 HQ 1080p 50i", SC_INVALID_ARGUMENT, {"'50i'", "second"}},
        {"ProRes 422 HQ 24", SC_NOT_FOUND, {"1920x1080 23.976", "raster and a frame rate"}},
        {"DNxHD 185x 1080 24", SC_NOT_FOUND, {"nearest: DNxHD 185x 1920x1080 25", ""}},
        {"DNxHR SQ uhd 50i", SC_NOT_FOUND, {"nearest: DNxHR SQ 3840x2160", ""}},
        {"XAVC S 4K 100M 50", SC_NOT_FOUND, {"nearest: XAVC S 4K 100M 3840x2160 29.97", ""}}};
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(cases); i++) {
        sc_format *found = (sc_format *)&found;
        size_t count = 7;
        sc_error error = {0};
        sc_status status = sc_formats_find(cases[i].expression, &found, &count, &error);
        if (status != cases[i].status || !strstr(error.message, cases[i].says[0]) ||
            !strstr(error.message, cases[i].says[1]))
            fail_msg("'%s': %s, %s", cases[i].expression ? cases[i].expression : "(null)",
                     sc_status_name(status), error.message);
        assert_null(found);
        assert_int_equal(count, 0);
    }
    assert_int_equal(sc_formats_find("prores", NULL, NULL, NULL), SC_INVALID_ARGUMENT);
}

static void an_overlong_expression_is_refused(void **state)
{
    char expression[100000];
    sc_format *found;
    size_t count;
    sc_error error = {0};
    (void)state;
    memset(expression, 'x', sizeof expression - 1);
    expression[sizeof expression - 1] = '\0';
    memcpy(expression, "ProRes 422 HQ ", 14);
    assert_int_equal(sc_formats_find(expression, &found, &count, &error), SC_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "longer than 256 bytes"));
}

/* The label of a row names that row, and no other one. */
static void every_label_leads_back_to_its_row(void **state)
{
    size_t rows = sc_format_count();
    (void)state;
    for (size_t i = 0; i < rows; i++) {
        sc_format row, *found = NULL;
        size_t count = 0;
        sc_error error = {0};
        char label[SC_NAME_MAX];
        assert_int_equal(sc_format_get(i, &row), SC_OK);
        sc_format_label(&row, label, sizeof label);
        if (sc_formats_find(label, &found, &count, &error) != SC_OK || count != 1)
            fail_msg("%s: %zu rows, %s", label, count, error.message);
        assert_ptr_equal(found[0].name, row.name);
        assert_int_equal(found[0].width, row.width);
        assert_int_equal(found[0].height, row.height);
        assert_int_equal(found[0].frame_rate.num, row.frame_rate.num);
        assert_int_equal(found[0].interlaced, row.interlaced);
        assert_int_equal(found[0].bits_per_s, row.bits_per_s);
        assert_int_equal(found[0].origin, row.origin);
        sc_formats_free(&found);
    }
}

static void try_expression(const char *expression)
{
    sc_format *found = NULL;
    size_t count = 0;
    sc_error error = {0};
    sc_status status = sc_formats_find(expression, &found, &count, &error);
    if (status == SC_OK) {
        assert_true(count > 0 && count <= 348 + 440);
        for (size_t i = 0; i < count; i++)
            assert_true(found[i].bits_per_s > 0 && found[i].frame_rate.den > 0);
    } else {
        assert_true(status == SC_NOT_FOUND || status == SC_INVALID_ARGUMENT);
        assert_int_equal(count, 0);
        assert_true(strlen(error.message) > 20);
        assert_null(strchr(error.message, '\n'));
    }
    sc_formats_free(&found);
}

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static void random_bytes_do_no_harm(void **state)
{
    uint32_t seed = 1;
    (void)state;
    for (int round = 0; round < 3000; round++) {
        char expression[300];
        size_t length = next_random(&seed) % sizeof expression;
        for (size_t i = 0; i < length; i++)
            expression[i] = (char)(1 + next_random(&seed) % 255);
        expression[length < sizeof expression ? length : sizeof expression - 1] = '\0';
        try_expression(expression);
    }
}

/* Words that mean something, in any order and cut anywhere. */
static void random_words_do_no_harm(void **state)
{
    static const char *const words[] = {"ProRes",
                                        "422",
                                        "HQ",
                                        "4444",
                                        "XQ",
                                        "dnxhd",
                                        "185x",
                                        "dnxhr",
                                        "SQ",
                                        "444",
                                        "braw",
                                        "3:1",
                                        "hd",
                                        "1080i",
                                        "1920x1080",
                                        "uhd",
                                        "dci",
                                        "4k",
                                        "25",
                                        "23.976",
                                        "24000/1001",
                                        "50i",
                                        "59.94p",
                                        "@",
                                        "x",
                                        "i",
                                        "p",
                                        "-",
                                        "_",
                                        ",",
                                        "0",
                                        "99999999999999999999",
                                        "1/999999999999999999",
                                        "999999999999999999/1",
                                        "0.000001",
                                        "32767x32767",
                                        "1x1",
                                        "16x16i",
                                        "300",
                                        "720",
                                        "2160p1000"};
    uint32_t seed = 7;
    (void)state;
    for (int round = 0; round < 20000; round++) {
        char expression[512] = "";
        size_t count = 1 + next_random(&seed) % 6, used = 0;
        if (next_random(&seed) % 2)
            used = (size_t)snprintf(expression, sizeof expression, "%s ",
                                    next_random(&seed) % 2 ? "ProRes 422 HQ" : "DNxHR LB");
        for (size_t w = 0; w < count; w++)
            used += (size_t)snprintf(expression + used, sizeof expression - used, "%s%s",
                                     words[next_random(&seed) % SCI_COUNT(words)],
                                     next_random(&seed) % 4 ? " " : "");
        if (next_random(&seed) % 8 == 0)
            expression[next_random(&seed) % used] = '\0';
        try_expression(expression);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(full_expressions_have_one_answer),
        cmocka_unit_test(families_and_names_have_all_their_rows),
        cmocka_unit_test(what_is_not_understood_is_named),
        cmocka_unit_test(an_overlong_expression_is_refused),
        cmocka_unit_test(every_label_leads_back_to_its_row),
        cmocka_unit_test(random_bytes_do_no_harm),
        cmocka_unit_test(random_words_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
