/* What is said of a measurement, from figures that are made up here. */
#include "measure/review.h"
#include "test.h"

#include <errno.h>
#include <string.h>

struct made_up {
    sc_supply_point point;
    sc_storage storage;
    sci_preparation prep;
    sci_findings findings;
    sci_review review;
};

/* One sound point of one reader; nothing is to be said of it. */
static void make_up(struct made_up *made)
{
    static const sc_jump_times none = {.p50_s = -1, .p95_s = -1, .p99_s = -1, .max_s = -1};
    *made = (struct made_up){.point = {.readers = 1,
                                       .mean_bytes_per_s = 100e6,
                                       .median_bytes_per_s = 100e6,
                                       .p05_bytes_per_s = 100e6,
                                       .latency_p50_s = 0.02,
                                       .latency_p95_s = 0.03,
                                       .latency_p99_s = 0.03,
                                       .latency_p999_s = -1,
                                       .latency_max_s = 0.04,
                                       .cold = true,
                                       .samples = 500,
                                       .seconds = 5}};
    made->storage = (sc_storage){.path = "/footage",
                                 .name = "/footage",
                                 .player = {.block_bytes = 1 << 20, .in_flight = 2},
                                 .cache_effective = SC_CACHE_DIRECT,
                                 .cache_proven = true,
                                 .cache_reason = "",
                                 .scrub = {0, none, none, none},
                                 .point_count = 1,
                                 .points = &made->point};
    made->prep.facts.plausible_bytes_per_s = 8e9;
    made->prep.facts.limited_by = "";
    made->prep.notes.regions = 8;
    made->prep.notes.bytes = 1 << 30;
    made->findings.arena = sci_arena_new();
    made->review = (sci_review){.findings = &made->findings,
                                .storage = &made->storage,
                                .prep = &made->prep,
                                .data = {.pass = 1, .cold = true},
                                .left = ""};
}

static const sc_finding *find(const struct made_up *made, const char *code)
{
    for (size_t i = 0; i < made->findings.count; i++)
        if (strcmp(made->findings.items[i].code, code) == 0)
            return &made->findings.items[i];
    return NULL;
}

static void of_a_sound_measurement_nothing_is_said(void **state)
{
    struct made_up made;
    (void)state;
    make_up(&made);
    assert_true(sci_review_storage(&made.review));
    assert_int_equal(made.findings.count, 0);
    sci_arena_free(&made.findings.arena);
}

static void a_median_that_is_not_known_is_no_fast_one(void **state)
{
    static const struct {
        double p50_s;
        bool implausible;
    } cases[] = {{-1, false}, {5e-7, true}, {2e-6, false}};
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(cases); i++) {
        struct made_up made;
        make_up(&made);
        made.point.samples = cases[i].p50_s < 0 ? 1 : 500;
        made.point.latency_p50_s = cases[i].p50_s;
        assert_true(sci_review_storage(&made.review));
        assert_int_equal(find(&made, "implausible-speed") != NULL, cases[i].implausible);
        sci_arena_free(&made.findings.arena);
    }
}

static void a_second_read_tells_where_the_first_is_known(void **state)
{
    static const struct {
        double idle_p50_s, again_p50_s;
        const char *says;
        bool cached;
    } cases[] = {{-1, 0.01, "may have helped", false},
                 {0.01, 0.01, "no faster than the first", false},
                 {5e-5, 1e-5, "no faster than the first", false},
                 {0.01, 0.002, "a cache behind has helped", true}};
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(cases); i++) {
        struct made_up made;
        make_up(&made);
        made.review.data.pass = 2;
        made.storage.scrub.read_bytes = 1 << 20;
        made.storage.scrub.idle.samples = cases[i].idle_p50_s < 0 ? 1 : 50;
        made.storage.scrub.idle.p50_s = cases[i].idle_p50_s;
        made.storage.scrub.again.samples = 50;
        made.storage.scrub.again.p50_s = cases[i].again_p50_s;
        assert_true(sci_review_storage(&made.review));
        assert_non_null(find(&made, "data-read-again"));
        assert_non_null(strstr(find(&made, "data-read-again")->message, cases[i].says));
        assert_int_equal(find(&made, "cache-behind") != NULL, cases[i].cached);
        sci_arena_free(&made.findings.arena);
    }
}

static void warm_reads_are_not_said_to_be_past_the_cache(void **state)
{
    (void)state;
    for (int cold = 0; cold < 2; cold++) {
        struct made_up made;
        make_up(&made);
        made.review.data.pass = 13;
        made.point.cold = cold;
        assert_true(sci_review_storage(&made.review));
        const char *message = find(&made, "data-read-again")->message;
        assert_int_equal(strstr(message, "past this machine's cache") != NULL, cold);
        assert_int_equal(strstr(message, ": this machine's cache may have") != NULL, !cold);
        assert_int_equal(find(&made, "not-proven-cold") != NULL, !cold);
        sci_arena_free(&made.findings.arena);
    }
}

static void faults_are_told_by_what_failed(void **state)
{
    static const struct {
        sc_status status;
        int os_errno;
        const char *code;
        sc_severity severity;
    } cases[] = {{SC_IO, 0, "files-changed", SC_SEVERITY_WARNING},
                 {SC_NOT_FOUND, ENOENT, "files-changed", SC_SEVERITY_WARNING},
                 {SC_IO, ESTALE, "files-changed", SC_SEVERITY_WARNING},
                 {SC_IO, EIO, "read-errors", SC_SEVERITY_PROBLEM},
                 {SC_NO_MEMORY, 0, "read-errors", SC_SEVERITY_PROBLEM},
                 {SC_PERMISSION, EACCES, "read-errors", SC_SEVERITY_PROBLEM}};
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(cases); i++) {
        struct made_up made;
        make_up(&made);
        const sc_error fault = {.status = cases[i].status, .os_errno = cases[i].os_errno};
        for (int k = 0; k < 3; k++)
            sci_faults_keep(&made.review.faults, &fault);
        assert_true(sci_review_storage(&made.review));
        assert_int_equal(made.findings.count, 1);
        assert_non_null(find(&made, cases[i].code));
        assert_int_equal(find(&made, cases[i].code)->severity, cases[i].severity);
        sci_arena_free(&made.findings.arena);
    }
}

static void a_file_that_is_gone_hides_no_error_of_the_storage(void **state)
{
    const sc_error gone = {.status = SC_NOT_FOUND, .os_errno = ENOENT, .message = "gone"};
    const sc_error broken = {.status = SC_IO, .os_errno = EIO, .message = "broken"};
    struct made_up made;
    (void)state;
    make_up(&made);
    sci_faults_keep(&made.review.faults, &gone);
    sci_faults_keep(&made.review.faults, &broken);
    assert_string_equal(sci_faults_first(&made.review.faults)->message, "broken");
    assert_int_equal(sci_faults_count(&made.review.faults), 2);
    assert_true(sci_review_storage(&made.review));
    assert_non_null(strstr(find(&made, "read-errors")->message, "1 reads failed"));
    assert_non_null(strstr(find(&made, "files-changed")->message, "gone"));
    sci_arena_free(&made.findings.arena);
}

static void writes_that_fail_are_no_reads(void **state)
{
    struct made_up made;
    (void)state;
    make_up(&made);
    const sc_error full = {.status = SC_IO, .os_errno = ENOSPC, .message = "no space"};
    sci_faults_keep(&made.review.write_faults, &full);
    assert_true(sci_review_storage(&made.review));
    assert_int_equal(made.findings.count, 1);
    assert_non_null(find(&made, "write-errors"));
    assert_int_equal(find(&made, "write-errors")->severity, SC_SEVERITY_PROBLEM);
    assert_non_null(strstr(find(&made, "write-errors")->message, "no space"));
    sci_arena_free(&made.findings.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_a_sound_measurement_nothing_is_said),
        cmocka_unit_test(a_median_that_is_not_known_is_no_fast_one),
        cmocka_unit_test(a_second_read_tells_where_the_first_is_known),
        cmocka_unit_test(warm_reads_are_not_said_to_be_past_the_cache),
        cmocka_unit_test(faults_are_told_by_what_failed),
        cmocka_unit_test(a_file_that_is_gone_hides_no_error_of_the_storage),
        cmocka_unit_test(writes_that_fail_are_no_reads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
