#include "report_data.h"

#include <locale.h>
#include <math.h>

enum { ROUNDS = 100 };

static void probes_come_back_as_they_were(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        sc_probe *probe = any_probe(seed), *back = NULL;
        char *json = NULL, *again = NULL;
        sc_error error = {0};
        assert_int_equal(sc_probe_to_json(probe, &json, &error), SC_OK);
        assert_int_equal(sc_probe_from_json(json, strlen(json), &back, &error), SC_OK);
        same_probe(probe, back);
        assert_int_equal(sc_probe_to_json(back, &again, &error), SC_OK);
        assert_string_equal(json, again);
        sc_string_free(&json);
        sc_string_free(&again);
        sc_probe_free(&probe);
        sc_probe_free(&back);
    }
}

static void storages_come_back_as_they_were(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        sc_storage *storage = any_storage(seed), *back = NULL;
        char *json = NULL, *again = NULL;
        sc_error error = {0};
        assert_int_equal(sc_storage_to_json(storage, &json, &error), SC_OK);
        assert_int_equal(sc_storage_from_json(json, strlen(json), &back, &error), SC_OK);
        same_storage(storage, back);
        assert_int_equal(sc_storage_to_json(back, &again, &error), SC_OK);
        assert_string_equal(json, again);
        sc_string_free(&json);
        sc_string_free(&again);
        sc_storage_free(&storage);
        sc_storage_free(&back);
    }
}

static void playbacks_come_back_as_they_were(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        sc_playback *playback = any_playback(seed), *back = NULL;
        char *json = NULL, *again = NULL;
        sc_error error = {0};
        assert_int_equal(sc_playback_to_json(playback, &json, &error), SC_OK);
        assert_int_equal(sc_playback_from_json(json, strlen(json), &back, &error), SC_OK);
        same_playback(playback, back);
        assert_int_equal(sc_playback_to_json(back, &again, &error), SC_OK);
        assert_string_equal(json, again);
        sc_string_free(&json);
        sc_string_free(&again);
        sc_playback_free(&playback);
        sc_playback_free(&back);
    }
}

static void links_come_back_as_they_were(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        sc_link link = any_link(seed), back;
        char *json = NULL, *again = NULL;
        assert_int_equal(sc_link_to_json(&link, "2026-11-30T20:21:32Z", &json, NULL), SC_OK);
        assert_int_equal(sc_link_from_json(json, strlen(json), &back, NULL), SC_OK);
        same_link(&link, &back);
        assert_int_equal(sc_link_to_json(&back, "2026-11-30T20:21:32Z", &again, NULL), SC_OK);
        assert_string_equal(json, again);
        sc_string_free(&json);
        sc_string_free(&again);
    }
}

/* A plan that holds its probe, storage, link and playback gives all of them back. */
static void plans_come_back_with_what_they_were_made_of(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        sc_plan *plan = any_plan(seed), *plan_back = NULL;
        sc_probe *probe = any_probe(seed), *probe_back = NULL;
        sc_storage *storage = any_storage(seed), *storage_back = NULL;
        sc_playback *playback = any_playback(seed), *playback_back = NULL;
        char *json = NULL, *again = NULL;
        sc_link link = any_link(seed), link_back;
        const sc_plan_document made = {plan, probe, storage, &link, playback};
        assert_int_equal(sc_plan_to_json(&made, &json, NULL), SC_OK);
        size_t length = strlen(json);
        assert_int_equal(sc_plan_from_json(json, length, &plan_back, NULL), SC_OK);
        assert_int_equal(sc_probe_from_json(json, length, &probe_back, NULL), SC_OK);
        assert_int_equal(sc_storage_from_json(json, length, &storage_back, NULL), SC_OK);
        assert_int_equal(sc_link_from_json(json, length, &link_back, NULL), SC_OK);
        assert_int_equal(sc_playback_from_json(json, length, &playback_back, NULL), SC_OK);
        same_playback(playback, playback_back);
        same_link(&link, &link_back);
        same_plan(plan, plan_back);
        same_probe(probe, probe_back);
        same_storage(storage, storage_back);
        const sc_plan_document read = {plan_back, probe_back, storage_back, &link_back,
                                       playback_back};
        assert_int_equal(sc_plan_to_json(&read, &again, NULL), SC_OK);
        assert_string_equal(json, again);
        sc_string_free(&json);
        sc_string_free(&again);
        sc_plan_free(&plan);
        sc_plan_free(&plan_back);
        sc_probe_free(&probe);
        sc_probe_free(&probe_back);
        sc_storage_free(&storage);
        sc_storage_free(&storage_back);
        sc_playback_free(&playback);
        sc_playback_free(&playback_back);
    }
}

static sc_storage one_point(sc_supply_point *point)
{
    *point = (sc_supply_point){.readers = 1, .mean_bytes_per_s = 83000000.125};
    return (sc_storage){
        .path = "", .name = "", .cache_reason = "", .points = point, .point_count = 1};
}

static void numbers_are_written_as_people_would(void **state)
{
    static const struct {
        double rate;
        const char *text;
    } cases[] = {{83000000, "\"mean\": 83000000,"},
                 {83000000.125, "\"mean\": 83000000.125,"},
                 {0.1, "\"mean\": 0.1,"},
                 {-0.0, "\"mean\": 0,"},
                 {123456789012.625, "123456789012.625,"},
                 {1.0 / 3, "0.3333333333333333,"},
                 {1e17, "\"mean\": 1e+17,"},
                 {5e-324, "\"mean\": 4.94065645841247e-324,"}};
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(cases); i++) {
        sc_supply_point point;
        sc_storage storage = one_point(&point);
        char *json = NULL;
        point.mean_bytes_per_s = cases[i].rate;
        assert_int_equal(sc_storage_to_json(&storage, &json, NULL), SC_OK);
        assert_non_null(strstr(json, cases[i].text));
        sc_string_free(&json);
    }
}

static void what_is_not_finite_is_null_or_an_error(void **state)
{
    const double bad[] = {NAN, INFINITY, -INFINITY};
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(bad); i++) {
        sc_supply_point point;
        sc_storage storage = one_point(&point);
        sc_error error = {0};
        char *json = NULL;
        point.median_bytes_per_s = bad[i];
        assert_int_equal(sc_storage_to_json(&storage, &json, &error), SC_OK);
        assert_non_null(strstr(json, "\"median\": null"));
        sc_string_free(&json);
        point.mean_bytes_per_s = bad[i];
        assert_int_equal(sc_storage_to_json(&storage, &json, &error), SC_INVALID_DATA);
        assert_null(json);
        assert_non_null(strstr(error.message, "points[0].bytes_per_s.mean: "));
    }
}

static void bytes_that_are_no_utf8_are_replaced_and_told(void **state)
{
    static const struct {
        const char *path, *written;
    } cases[] = {{"a\xFF.mov", "a\xEF\xBF\xBD.mov"},
                 {"\xC3", "\xEF\xBF\xBD"},
                 {"\xC0\xAF", "\xEF\xBF\xBD\xEF\xBF\xBD"},
                 {"\xED\xA0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},
                 {"\xF4\x90\x80\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},
                 {"\xE2\x82x", "\xEF\xBF\xBD\xEF\xBF\xBDx"}};
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(cases); i++) {
        sc_clip clip = {.path = cases[i].path, .container = ""};
        sc_probe probe = {.clips = &clip, .clip_count = 1}, *back = NULL;
        char *json = NULL, *again = NULL;
        assert_int_equal(sc_probe_to_json(&probe, &json, NULL), SC_OK);
        assert_int_equal(sc_probe_from_json(json, strlen(json), &back, NULL), SC_OK);
        assert_string_equal(back->clips[0].path, cases[i].written);
        assert_int_equal(back->finding_count, 1);
        assert_string_equal(back->findings[0].code, "path-not-utf8");
        assert_int_equal(sc_probe_to_json(back, &again, NULL), SC_OK);
        assert_string_equal(json, again);
        sc_string_free(&json);
        sc_string_free(&again);
        sc_probe_free(&back);
    }
}

static void each_document_counts_its_own_paths(void **state)
{
    sc_clip clip = {.path = "\xFF", .container = ""};
    sc_probe probe = {.clips = &clip, .clip_count = 1}, *probe_back = NULL;
    sc_supply_point point;
    sc_storage storage = one_point(&point), *storage_back = NULL;
    sc_plan plan = {0}, *plan_back = NULL;
    char *json = NULL;
    (void)state;
    assert_int_equal(
        sc_plan_to_json(&(sc_plan_document){.plan = &plan, .probe = &probe, .storage = &storage},
                        &json, NULL),
        SC_OK);
    assert_int_equal(sc_probe_from_json(json, strlen(json), &probe_back, NULL), SC_OK);
    assert_int_equal(sc_storage_from_json(json, strlen(json), &storage_back, NULL), SC_OK);
    assert_int_equal(sc_plan_from_json(json, strlen(json), &plan_back, NULL), SC_OK);
    assert_int_equal(probe_back->finding_count, 1);
    assert_int_equal(storage_back->finding_count, 0);
    assert_int_equal(plan_back->finding_count, 0);
    sc_string_free(&json);
    sc_probe_free(&probe_back);
    sc_storage_free(&storage_back);
    sc_plan_free(&plan_back);
}

/* So many steps that the document could not be read back with them. */
static void traces_of_too_many_files_are_left_out(void **state)
{
    enum { FILES = 4000, STEPS = 4096 };
    static sc_clip clips[FILES];
    static int64_t bytes[STEPS];
    const sc_probe probe = {.clips = clips, .clip_count = FILES};
    sc_probe few = {.clips = clips, .clip_count = 3000}, *back = NULL;
    char *json = NULL;
    (void)state;
    for (size_t i = 0; i < STEPS; i++)
        bytes[i] = 1000000 + (int64_t)i;
    for (size_t i = 0; i < FILES; i++)
        clips[i] = (sc_clip){.path = "a.mov", .container = "mov", .trace = {0.04, STEPS, bytes, 0}};
    assert_int_equal(sc_probe_to_json(&probe, &json, NULL), SC_OK);
    assert_int_equal(sc_probe_from_json(json, strlen(json), &back, NULL), SC_OK);
    assert_int_equal(back->clip_count, FILES);
    assert_int_equal(back->clips[0].trace.count, 0);
    assert_int_equal(back->finding_count, 1);
    assert_string_equal(back->findings[0].code, "traces-left-out");
    sc_probe_free(&back);
    sc_string_free(&json);
    assert_int_equal(sc_probe_to_json(&few, &json, NULL), SC_OK);
    assert_null(strstr(json, "traces-left-out"));
    assert_null(strstr(json, "too-big-to-read"));
    assert_true(strlen(json) < SC_DOCUMENT_BYTES_MAX);
    sc_string_free(&json);
}

static void what_is_too_big_to_read_says_so(void **state)
{
    enum { LENGTH = 45000000 };
    char *path = calloc(1, LENGTH + 1);
    sc_clip clip = {.path = path, .container = ""};
    const sc_probe probe = {.clips = &clip, .clip_count = 1};
    sc_probe *back = NULL;
    char *json = NULL;
    (void)state;
    assert_non_null(path);
    memset(path, ',', LENGTH); /* weighs as much as so many values */
    assert_int_equal(sc_probe_to_json(&probe, &json, NULL), SC_OK);
    assert_non_null(strstr(json, "too-big-to-read"));
    assert_int_equal(sc_probe_from_json(json, strlen(json), &back, NULL), SC_LIMIT);
    sc_string_free(&json);
    free(path);
}

static void time_stamps_are_time_stamps(void **state)
{
    sc_link link = any_link(1);
    sc_error error = {0};
    char *json = NULL;
    (void)state;
    assert_int_equal(sc_link_to_json(&link, "yesterday", &json, &error), SC_INVALID_ARGUMENT);
    assert_null(json);
    assert_non_null(strstr(error.message, "'yesterday'"));
    assert_int_equal(sc_link_to_json(&link, NULL, &json, NULL), SC_OK);
    assert_non_null(strstr(json, "\"made_at\": \"\""));
    sc_string_free(&json);
}

static void a_failure_is_a_document_too(void **state)
{
    sc_error failure = {SC_NOT_FOUND, 2, "measure.open", "no 'x'", "x"}, error = {0};
    sc_plan *plan = NULL;
    char *json = NULL;
    (void)state;
    assert_int_equal(sc_error_to_json("streamcalc.plan", NULL, &failure, &json, NULL), SC_OK);
    assert_int_equal(sc_plan_from_json(json, strlen(json), &plan, &error), SC_INVALID_DATA);
    assert_null(plan);
    assert_string_equal(error.message, "the document holds an error, not a result: no 'x'");
    sc_string_free(&json);
    failure.status = SC_OK;
    assert_int_equal(sc_error_to_json("streamcalc.plan", NULL, &failure, &json, NULL),
                     SC_INVALID_ARGUMENT);
}

static void null_pointers_are_refused(void **state)
{
    sc_probe probe = {0};
    char *json = NULL;
    (void)state;
    assert_int_equal(sc_probe_to_json(NULL, &json, NULL), SC_INVALID_ARGUMENT);
    assert_int_equal(sc_probe_to_json(&probe, NULL, NULL), SC_INVALID_ARGUMENT);
    assert_int_equal(sc_storage_to_json(NULL, &json, NULL), SC_INVALID_ARGUMENT);
    assert_int_equal(sc_link_to_json(NULL, NULL, &json, NULL), SC_INVALID_ARGUMENT);
    assert_int_equal(sc_plan_to_json(NULL, &json, NULL), SC_INVALID_ARGUMENT);
    assert_int_equal(sc_plan_to_json(&(sc_plan_document){.probe = &probe}, &json, NULL),
                     SC_INVALID_ARGUMENT);
    assert_int_equal(sc_links_to_json(NULL, NULL, NULL), SC_INVALID_ARGUMENT);
    assert_int_equal(sc_error_to_json("streamcalc.plan", NULL, NULL, &json, NULL),
                     SC_INVALID_ARGUMENT);
    assert_int_equal(sc_probe_from_json("{}", 2, NULL, NULL), SC_INVALID_ARGUMENT);
    assert_int_equal(sc_link_from_json("{}", 2, NULL, NULL), SC_INVALID_ARGUMENT);
    assert_int_equal(sc_storage_open("83MB/s", NULL, NULL), SC_INVALID_ARGUMENT);
    assert_null(json);
}

static void the_locale_does_not_matter(void **state)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8"};
    const char *found = NULL;
    char *plain = NULL, *foreign = NULL;
    sc_storage *storage = any_storage(3), *back = NULL;
    (void)state;
    assert_int_equal(sc_storage_to_json(storage, &plain, NULL), SC_OK);
    for (size_t i = 0; i < SCI_COUNT(names) && !found; i++)
        found = setlocale(LC_ALL, names[i]);
    if (found) {
        assert_int_equal(sc_storage_to_json(storage, &foreign, NULL), SC_OK);
        assert_int_equal(sc_storage_from_json(foreign, strlen(foreign), &back, NULL), SC_OK);
        same_storage(storage, back);
        setlocale(LC_ALL, "C");
        assert_string_equal(plain, foreign);
    }
    sc_string_free(&plain);
    sc_string_free(&foreign);
    sc_storage_free(&storage);
    sc_storage_free(&back);
    if (!found) {
        print_message("skipped: no locale with a decimal comma is installed\n");
        skip();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(probes_come_back_as_they_were),
        cmocka_unit_test(storages_come_back_as_they_were),
        cmocka_unit_test(playbacks_come_back_as_they_were),
        cmocka_unit_test(links_come_back_as_they_were),
        cmocka_unit_test(plans_come_back_with_what_they_were_made_of),
        cmocka_unit_test(numbers_are_written_as_people_would),
        cmocka_unit_test(what_is_not_finite_is_null_or_an_error),
        cmocka_unit_test(bytes_that_are_no_utf8_are_replaced_and_told),
        cmocka_unit_test(each_document_counts_its_own_paths),
        cmocka_unit_test(traces_of_too_many_files_are_left_out),
        cmocka_unit_test(what_is_too_big_to_read_says_so),
        cmocka_unit_test(time_stamps_are_time_stamps),
        cmocka_unit_test(a_failure_is_a_document_too),
        cmocka_unit_test(null_pointers_are_refused),
        cmocka_unit_test(the_locale_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
