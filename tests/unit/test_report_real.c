/* What the other modules make, as documents: written, read, planned with again. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <streamcalc/report.h>

#include "core/core.h"
#include "report_keep.h"
#include "test.h"

static sc_plan *plan_with(const sc_storage *storage, const sc_link *link)
{
    sc_demand demands[2];
    sc_plan *plan = NULL;
    sc_error error = {0};
    assert_int_equal(sc_demand_parse("168Mb/s", &demands[0], NULL), SC_OK);
    assert_int_equal(sc_demand_parse("336Mb/s@60", &demands[1], NULL), SC_OK);
    const sc_plan_params params = {.demands = demands,
                                   .demand_count = 2,
                                   .storage = storage,
                                   .link = link,
                                   .require = 2,
                                   .trust = true,
                                   .made_at = "2026-11-30T20:21:32Z"};
    if (sc_plan_solve(&params, &plan, &error) != SC_OK)
        fail_msg("%s", error.message);
    return plan;
}

/* A storage that went through its document gives the same answers as before. */
static void check_plan(const sc_storage *storage, const sc_link *link, const char *name)
{
    sc_plan *plan = plan_with(storage, link), *again;
    sc_storage *back = NULL;
    char *json = NULL, *json_again = NULL;
    sc_error error = {0};
    assert_int_equal(sc_plan_to_json(&(sc_plan_document){plan, .storage = storage}, &json, NULL),
                     SC_OK);
    if (sc_storage_from_json(json, strlen(json), &back, &error) != SC_OK)
        fail_msg("%s", error.message);
    again = plan_with(back, link);
    assert_int_equal(
        sc_plan_to_json(&(sc_plan_document){again, .storage = back}, &json_again, NULL), SC_OK);
    assert_string_equal(json, json_again);
    keep(name, json);
    sc_string_free(&json);
    sc_string_free(&json_again);
    sc_plan_free(&plan);
    sc_plan_free(&again);
    sc_storage_free(&back);
}

static void a_bare_rate_plans_as_before(void **state)
{
    sc_storage *storage = NULL;
    sc_link link;
    (void)state;
    assert_int_equal(sc_storage_from_rate("83MB/s", &storage, NULL), SC_OK);
    assert_int_equal(sc_link_parse("1gbe,rtt=15ms", &link, NULL), SC_OK);
    check_plan(storage, NULL, "report_plan_rate.json");
    check_plan(storage, &link, "report_plan_link.json");
    sc_storage_free(&storage);
}

static void links_of_every_kind_come_back(void **state)
{
    static const char *const texts[] = {"437Mb/s", "10gbe,mtu=9000", "1gbe,rtt=15ms", "wifi6"};
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(texts); i++) {
        sc_link link, back;
        char *json = NULL, *again = NULL;
        assert_int_equal(sc_link_parse(texts[i], &link, NULL), SC_OK);
        assert_int_equal(sc_link_to_json(&link, NULL, &json, NULL), SC_OK);
        assert_int_equal(sc_link_from_json(json, strlen(json), &back, NULL), SC_OK);
        assert_int_equal(sc_link_to_json(&back, NULL, &again, NULL), SC_OK);
        assert_int_equal(back.payload_bits_per_s, link.payload_bits_per_s);
        assert_string_equal(json, again);
        keep("report_link.json", json);
        sc_string_free(&json);
        sc_string_free(&again);
    }
}

static void write_media(const char *path)
{
    enum { BYTES = 8 << 20 };
    char *bytes = malloc(BYTES);
    unsigned dice = 1;
    assert_non_null(bytes);
    for (size_t i = 0; i < BYTES; i++)
        bytes[i] = (char)((dice = dice * 1664525u + 1013904223u) >> 24);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, BYTES, file), BYTES);
    assert_int_equal(fclose(file), 0);
    free(bytes);
}

/* On a busy machine no read may end within a second: then it is measured for longer, as the error
   says. */
static sc_storage *measure_patiently(const char *path)
{
    enum { SECONDS_MOST = 64 };
    sc_measure_params params = {.seconds = 1, .max_readers = 2};
    sc_storage *storage = NULL;
    sc_error error = {0};
    while (sc_measure(path, &params, &storage, &error) != SC_OK) {
        sc_storage_free(&storage);
        if (params.seconds >= SECONDS_MOST || !strstr(error.message, "measure for longer")) {
            print_message("%s\n", error.message);
            return NULL;
        }
        params.seconds *= 4;
        error = (sc_error){0};
    }
    return storage;
}

static void a_measurement_plans_as_before(void **state)
{
    char folder[] = "/var/tmp/streamcalc-report-XXXXXX", path[64];
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/clip.mov", folder);
    write_media(path);
    sc_storage *storage = measure_patiently(path);
    unlink(path);
    rmdir(folder);
    assert_non_null(storage);
    check_plan(storage, NULL, "report_plan_measured.json");
    sc_storage_free(&storage);
}

/* A line of NDJSON is a document of one clip, which is read like any other. */
static void a_clip_is_one_line(void **state)
{
    const sc_clip good = {.path = "a\nb.mov",
                          .container = "mov",
                          .size_bytes = 12,
                          .duration_s = 2,
                          .demand_bits_per_s = 48,
                          .source = SC_SOURCE_FILE_INDEX};
    const sc_clip bad = {.path = "bad.mov",
                         .container = "",
                         .size_bytes = SC_UNKNOWN,
                         .error = {.status = SC_STALLED, .message = "gone", .path = "bad.mov"}};
    sc_probe *probe = NULL;
    char *json = NULL;
    (void)state;
    assert_int_equal(sc_clip_to_json(NULL, NULL, &json, NULL), SC_INVALID_ARGUMENT);
    assert_int_equal(sc_clip_to_json(&good, "soon", &json, NULL), SC_INVALID_ARGUMENT);
    assert_null(json);
    assert_int_equal(sc_clip_to_json(&good, "2026-11-30T20:21:32Z", &json, NULL), SC_OK);
    assert_null(strchr(json, '\n'));
    keep("report_clip.json", json);
    assert_int_equal(sc_probe_from_json(json, strlen(json), &probe, NULL), SC_OK);
    assert_int_equal(probe->clip_count, 1);
    assert_string_equal(probe->clips[0].path, good.path);
    assert_int_equal(probe->clips[0].demand_bits_per_s, 48);
    assert_int_equal(probe->error.status, SC_OK);
    sc_probe_free(&probe);
    sc_string_free(&json);
    assert_int_equal(sc_clip_to_json(&bad, NULL, &json, NULL), SC_OK);
    assert_null(strchr(json, '\n'));
    keep("report_clip_error.json", json);
    assert_int_equal(sc_probe_from_json(json, strlen(json), &probe, NULL), SC_OK);
    assert_int_equal(probe->error.status, SC_STALLED);
    assert_int_equal(probe->clips[0].error.status, SC_STALLED);
    sc_probe_free(&probe);
    sc_string_free(&json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_clip_is_one_line),
        cmocka_unit_test(a_bare_rate_plans_as_before),
        cmocka_unit_test(links_of_every_kind_come_back),
        cmocka_unit_test(a_measurement_plans_as_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
