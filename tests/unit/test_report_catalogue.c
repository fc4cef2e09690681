#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <streamcalc/report.h>

#include "core/core.h"
#include "report_keep.h"
#include "test.h"

static void formats_are_written_row_by_row(void **state)
{
    static const sc_format rows[] = {{"prores",
                                      "ProRes 422 HQ",
                                      "prores",
                                      3840,
                                      2160,
                                      {24000, 1001},
                                      false,
                                      10,
                                      "4:2:2",
                                      707000000,
                                      0,
                                      SC_RATE_TARGET,
                                      SC_SOURCE_CATALOGUE,
                                      "Apple \"ProRes\" paper"},
                                     {"dnxhd",
                                      "DNxHD 185x",
                                      "dnxhd",
                                      1920,
                                      1080,
                                      {25, 1},
                                      true,
                                      0,
                                      "",
                                      183500800,
                                      917504,
                                      SC_RATE_EXACT,
                                      SC_SOURCE_COMPUTED,
                                      "SMPTE"}};
    static const char *const expected[] = {"\"schema\": \"streamcalc.formats\"",
                                           "\"made_at\": \"2026-11-30T20:21:32Z\"",
                                           "\"name\": \"ProRes 422 HQ\"",
                                           "\"frame_rate\": \"24000/1001\"",
                                           "\"frame_rate\": \"25\"",
                                           "\"frame_bytes\": null",
                                           "\"frame_bytes\": 917504",
                                           "\"bits\": 10",
                                           "\"bits\": null",
                                           "\"basis\": \"target\"",
                                           "\"origin\": \"computed\"",
                                           "Apple \\\"ProRes\\\" paper"};
    char *json = NULL;
    (void)state;
    assert_int_equal(sc_formats_to_json(rows, SCI_COUNT(rows), "2026-11-30T20:21:32Z", &json, NULL),
                     SC_OK);
    for (size_t i = 0; i < SCI_COUNT(expected); i++)
        if (!strstr(json, expected[i]))
            fail_msg("%s is not in %s", expected[i], json);
    keep("report_formats.json", json);
    sc_string_free(&json);
    assert_int_equal(sc_formats_to_json(NULL, 0, NULL, &json, NULL), SC_OK);
    assert_non_null(strstr(json, "\"formats\": []"));
    sc_string_free(&json);
    assert_int_equal(sc_formats_to_json(NULL, 5, NULL, &json, NULL), SC_INVALID_ARGUMENT);
    assert_null(json);
}

static void every_format_of_the_catalogue_is_written(void **state)
{
    size_t count = sc_format_count(), found = 0;
    sc_format *rows = calloc(count, sizeof *rows);
    char *json = NULL;
    (void)state;
    assert_true(count > 100);
    assert_non_null(rows);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(sc_format_get(i, &rows[i]), SC_OK);
    assert_int_equal(sc_formats_to_json(rows, count, NULL, &json, NULL), SC_OK);
    for (const char *at = json; (at = strstr(at, "\"bits_per_s\": ")); at++)
        found++;
    assert_int_equal(found, count);
    keep("report_catalogue.json", json);
    sc_string_free(&json);
    free(rows);
}

static void every_link_of_the_catalogue_is_written(void **state)
{
    size_t count, found = 0;
    const sc_link_row *rows = sc_links(&count);
    char *json = NULL;
    (void)state;
    assert_int_equal(sc_links_to_json(NULL, &json, NULL), SC_OK);
    for (size_t i = 0; i < count; i++) {
        char name[SC_NAME_MAX];
        snprintf(name, sizeof name, "\"name\": \"%s\"", rows[i].name);
        found += strstr(json, name) != NULL;
    }
    assert_int_equal(found, count);
    assert_true(count > 3);
    keep("report_links.json", json);
    sc_string_free(&json);
}

static void a_failure_is_written_alone(void **state)
{
    static const sc_error failure = {SC_NOT_FOUND, 2, "probe.open", "no file 'x'", "x"};
    char *json = NULL;
    (void)state;
    assert_int_equal(sc_error_to_json("streamcalc.probe", NULL, &failure, &json, NULL), SC_OK);
    assert_non_null(strstr(json, "\"status\": \"not-found\""));
    assert_non_null(strstr(json, "\"errno\": 2"));
    keep("report_failure.json", json);
    sc_string_free(&json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats_are_written_row_by_row),
        cmocka_unit_test(every_format_of_the_catalogue_is_written),
        cmocka_unit_test(every_link_of_the_catalogue_is_written),
        cmocka_unit_test(a_failure_is_written_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
