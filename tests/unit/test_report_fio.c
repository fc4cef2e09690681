#include "report_golden.h"

#include <math.h>
#include <streamcalc/plan.h>

/* ---- reading ---- */

static char *load(const char *name, size_t *length)
{
    char path[1024], *text = calloc(1, 1 << 16);
    assert_non_null(text);
    snprintf(path, sizeof path, "%s/fio/%s", TEST_DATA_DIR, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    *length = fread(text, 1, (1 << 16) - 1, file);
    fclose(file);
    return text;
}

static sc_storage *import_text(const char *text)
{
    sc_storage *storage = NULL;
    sc_error error = {0};
    if (sc_storage_from_fio(text, strlen(text), &storage, &error) != SC_OK)
        fail_msg("%s\n%s", error.message, text);
    assert_non_null(storage);
    return storage;
}

static sc_storage *import_file(const char *name)
{
    size_t length;
    char *text = load(name, &length);
    sc_storage *storage = import_text(text);
    free(text);
    return storage;
}

static const sc_finding *finding(const sc_storage *storage, const char *code)
{
    for (size_t i = 0; i < storage->finding_count; i++)
        if (strcmp(storage->findings[i].code, code) == 0)
            return &storage->findings[i];
    return NULL;
}

static void near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-9 * fmax(1, fabs(expected))))
        fail_msg("%.12g is not %.12g", value, expected);
}

/* ---- what fio 3.33 printed ---- */

static void groups_with_ascending_readers_are_a_curve(void **state)
{
    sc_storage *storage = import_file("groups.json");
    const sc_supply_point *point = storage->points;
    (void)state;
    assert_int_equal(storage->point_count, 3);
    assert_int_equal(point[0].readers, 1);
    assert_int_equal(point[1].readers, 2);
    assert_int_equal(point[2].readers, 4);
    assert_true(point[0].mean_bytes_per_s == 766025580);
    assert_true(point[1].mean_bytes_per_s == 1411705612);
    assert_true(point[2].mean_bytes_per_s == 954718860);
    /* completion, and the mean time of submission: 2723965.6 - 2625266.0 ns */
    near(point[0].latency_p50_s, (1302528 + 2723965.614754 - 2625266.04235) * 1e-9);
    near(point[0].latency_p95_s, (5931008 + 2723965.614754 - 2625266.04235) * 1e-9);
    near(point[0].latency_max_s, 64478977e-9);
    assert_true(point[0].latency_p999_s < 0); /* of 732 reads */
    near(point[1].latency_p999_s, (38010880 + 2964192.13195 - 2865409.059303) * 1e-9);
    assert_int_equal(point[0].samples, 732);
    near(point[2].seconds, 1.039);
    assert_int_equal(point[0].window_count, 0);
    assert_true(point[0].p05_bytes_per_s < 0 && point[0].median_bytes_per_s < 0);
    assert_false(point[0].cold);
    sc_storage_free(&storage);
}

static void who_and_how_is_told(void **state)
{
    sc_storage *storage = import_file("groups.json");
    (void)state;
    assert_string_equal(storage->path, "/mnt/raid/test.bin");
    assert_string_equal(storage->name, "/mnt/raid/test.bin (fio-3.33)");
    assert_string_equal(storage->made_at, "2026-12-02T16:39:23Z");
    assert_int_equal(storage->source, SC_SOURCE_IMPORTED);
    assert_int_equal(storage->player.block_bytes, 1 << 20);
    assert_int_equal(storage->player.in_flight, 2);
    assert_int_equal(storage->cache_requested, SC_CACHE_DIRECT);
    assert_false(storage->cache_proven);
    assert_int_equal(storage->facts.rotational, SC_UNKNOWN);
    assert_int_equal(finding(storage, "fio-no-windows")->severity, SC_SEVERITY_NOTE);
    assert_int_equal(finding(storage, "not-proven-cold")->severity, SC_SEVERITY_WARNING);
    /* 767 MB of a file of 64 MiB */
    assert_int_equal(finding(storage, "data-read-again")->severity, SC_SEVERITY_WARNING);
    sc_storage_free(&storage);
}

static void jobs_reported_one_by_one_are_summed_between_two_reports(void **state)
{
    sc_storage *storage = import_file("clones.txt");
    const sc_supply_point *point = storage->points;
    (void)state;
    assert_int_equal(storage->point_count, 1);
    assert_int_equal(point->readers, 2);
    near(point->mean_bytes_per_s, 322638768.125); /* all bytes in the 104 ms of the longer */
    /* by the bins of both, taken from the file with a program of another language */
    near(point->latency_p50_s, 12474545.1875e-9);
    near(point->latency_p95_s, 18254545.375e-9);
    assert_true(point->latency_p99_s < 0); /* of 32 reads */
    near(point->latency_max_s, 18614195e-9);
    assert_int_equal(point->samples, 32);
    assert_non_null(finding(storage, "fio-uneven-jobs"));
    assert_null(finding(storage, "data-read-again"));
    assert_int_equal(finding(storage, "short-measurement")->severity, SC_SEVERITY_WARNING);
    sc_storage_free(&storage);
}

static void what_was_imported_is_written_and_read_again(void **state)
{
    sc_storage *storage = import_file("groups.json"), *again = NULL;
    char *first = NULL, *second = NULL;
    (void)state;
    assert_int_equal(sc_storage_to_json(storage, &first, NULL), SC_OK);
    assert_int_equal(sc_storage_from_json(first, strlen(first), &again, NULL), SC_OK);
    assert_int_equal(again->source, SC_SOURCE_IMPORTED);
    assert_int_equal(sc_storage_to_json(again, &second, NULL), SC_OK);
    assert_string_equal(first, second);
    sc_string_free(&first);
    sc_string_free(&second);
    sc_storage_free(&storage);
    sc_storage_free(&again);
}

static void a_result_stands_where_a_storage_document_may(void **state)
{
    static const char *const names[] = {"groups.json", "clones.txt"};
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(names); i++) {
        char path[1024], *text;
        size_t length;
        sc_storage *storage = NULL;
        snprintf(path, sizeof path, "%s/fio/%s", TEST_DATA_DIR, names[i]);
        assert_int_equal(sc_storage_open(path, &storage, NULL), SC_OK);
        assert_int_equal(storage->source, SC_SOURCE_IMPORTED);
        sc_storage_free(&storage);
        text = load(names[i], &length);
        assert_int_equal(sc_storage_from_json(text, length, &storage, NULL), SC_OK);
        assert_int_equal(storage->source, SC_SOURCE_IMPORTED);
        sc_storage_free(&storage);
        free(text);
    }
}

static void a_plan_with_it_is_an_upper_bound(void **state)
{
    sc_storage *storage = import_file("groups.json");
    sc_plan *plan = NULL;
    sc_demand demands[2];
    (void)state;
    assert_int_equal(sc_demand_parse("2Gb/s", &demands[0], NULL), SC_OK);
    assert_int_equal(sc_demand_parse("4Gb/s", &demands[1], NULL), SC_OK);
    const sc_plan_params params = {.demands = demands, .demand_count = 2, .storage = storage};
    assert_int_equal(sc_plan_solve(&params, &plan, NULL), SC_OK);
    /* 6.13, 11.29 and 7.64 Gb/s for 1, 2 and 4; three get what lies between */
    assert_int_equal(plan->answers[0].naive, 5);
    assert_int_equal(plan->answers[0].safe, 3);
    assert_int_equal(plan->answers[1].safe, 2);
    assert_true(plan->answers[0].upper_bound);
    sc_plan_free(&plan);
    sc_storage_free(&storage);
}

/* ---- documents of one's own ---- */

#define READ(rate, run, reads)                                                                     \
    "\"read\": {\"bw_bytes\": " #rate ", \"runtime\": " #run ", \"total_ios\": " #reads "}"
#define JOB(name, group, options, rest)                                                            \
    "{\"jobname\": \"" name "\", \"groupid\": " #group ", \"job options\": {" options "}, " rest "}"
#define FIO(jobs) "{\"fio version\": \"fio-3.36\", \"jobs\": [" jobs "]}"
#define WAY       "\"rw\": \"read\", \"bs\": \"1m\", \"direct\": \"1\""
#define GOOD      JOB("g", 0, WAY, READ(100000000, 5000, 500))

static void readers_are_counted(void **state)
{
    static const struct {
        const char *jobs;
        int32_t readers;
        bool guessed;
    } cases[] = {
        {JOB("a", 0, WAY, READ(1000000, 5000, 5)), 1, false},
        {JOB("a", 0, WAY ", \"numjobs\": \"8\"", READ(1000000, 5000, 5)), 8, false},
        {JOB("a", 0, WAY ", \"numjobs\": \"2\"", READ(1000000, 5000, 5)) "," /* clones */
         JOB("a", 0, WAY ", \"numjobs\": \"2\"", READ(1000000, 5000, 5)),
         2, false},
        {JOB("a", 0, WAY ", \"numjobs\": \"2\"", READ(1000000, 5000, 5)) "," /* two sections */
         JOB("b", 0, WAY ", \"numjobs\": \"3\"", READ(1000000, 5000, 5)),
         5, false},
        /* two sections, reported together: the second left its running time alone */
        {JOB("a", 0, WAY ", \"numjobs\": \"2\"", READ(1000000, 5000, 5) ", \"job_runtime\": 24990"),
         5, true},
        {JOB("a", 0, WAY, READ(1000000, 5000, 5)) "," /* a writer beside it is no reader */
         JOB("w", 0, WAY, READ(0, 0, 0) ", \"write\": {\"total_ios\": 7}"),
         1, false},
    };
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(cases); i++) {
        char text[4096];
        snprintf(text, sizeof text, FIO("%s"), cases[i].jobs);
        sc_storage *storage = import_text(text);
        assert_int_equal(storage->point_count, 1);
        assert_int_equal(storage->points[0].readers, cases[i].readers);
        assert_int_equal(finding(storage, "fio-readers-estimated") != NULL, cases[i].guessed);
        sc_storage_free(&storage);
    }
}

static void old_versions_count_in_kib_and_microseconds(void **state)
{
    static const char text[] =
        "{\"fio version\": \"fio-2.2.10\", \"jobs\": [{\"jobname\": \"old\", \"groupid\": 0, "
        "\"error\": 0, \"read\": {\"io_bytes\": 1024000, \"bw\": 102400, \"iops\": 100.0, "
        "\"runtime\": 10000, \"total_ios\": 1000, "
        "\"slat\": {\"min\": 10, \"max\": 50, \"mean\": 20.0}, "
        "\"clat\": {\"min\": 900, \"max\": 90000, \"mean\": 39980.0, \"percentile\": "
        "{\"50.000000\": 38000, \"95.000000\": 60000, \"99.000000\": 70000, \"99.900000\": 80000}, "
        "\"bins\": {\"FIO_IO_U_PLAT_BITS\": 6, \"0\": 1000}}, "
        "\"lat\": {\"min\": 920, \"max\": 90020, \"mean\": 40000.0}}}]}";
    sc_storage *storage = import_text(text);
    const sc_supply_point *point = storage->points;
    (void)state;
    assert_true(point->mean_bytes_per_s == 102400 * 1024.0);
    near(point->latency_p50_s, 0.03802);
    near(point->latency_p999_s, 0.08002);
    near(point->latency_max_s, 0.09002);
    assert_int_equal(storage->player.block_bytes, 1024 * 1024);
    assert_int_equal(storage->player.in_flight, 4); /* 100 reads a second of 40 ms each */
    assert_non_null(finding(storage, "fio-no-options"));
    assert_int_equal(storage->cache_requested, SC_CACHE_WARM);
    sc_storage_free(&storage);
}

static void lat_percentiles_are_taken_as_they_are(void **state)
{
    static const char text[] = FIO(
        JOB("a", 0, WAY ", \"ioengine\": \"io_uring\", \"iodepth\": \"4\"",
            "\"read\": {\"bw_bytes\": 1000000, \"runtime\": 5000, \"total_ios\": 500, "
            "\"clat_ns\": {\"mean\": 900}, \"lat_ns\": {\"mean\": 1000000, \"max\": 9000000, "
            "\"percentile\": {\"50.000000\": 2000000, \"99\": 7000000}}}"));
    sc_storage *storage = import_text(text);
    (void)state;
    near(storage->points[0].latency_p50_s, 0.002);
    near(storage->points[0].latency_p99_s, 0.007);
    assert_true(storage->points[0].latency_p95_s < 0); /* not in percentile_list */
    assert_int_equal(storage->player.in_flight, 4);
    sc_storage_free(&storage);
}

static void options_of_all_jobs_count_too(void **state)
{
    sc_storage *storage = import_text(
        "{\"fio version\": \"fio-3.1\", \"global options\": {\"directory\": \"/srv/a\", "
        "\"filename\": \"x\\\\:y:z\", \"ioengine\": \"libaio\", \"iodepth\": \"2\", \"bs\": "
        "\"128k\"}, \"jobs\": [" JOB("a", 0, "\"iodepth\": \"8\"", READ(1000000, 5000, 500)) "]}");
    (void)state;
    assert_int_equal(storage->player.in_flight, 8);
    assert_int_equal(storage->player.block_bytes, 128 << 10);
    assert_string_equal(storage->path, "/srv/a/x:y");
    assert_int_equal(storage->cache_requested, SC_CACHE_DROPPED);
    sc_storage_free(&storage);
}

static void an_engine_with_one_read_has_no_depth(void **state)
{
    sc_storage *storage = import_text(FIO(JOB(
        "a", 0, WAY ", \"ioengine\": \"psync\", \"iodepth\": \"32\"", READ(1000000, 5000, 500))));
    (void)state;
    assert_int_equal(storage->player.in_flight, 1);
    sc_storage_free(&storage);
}

static void jobs_that_ended_early_count_over_the_longest_run(void **state)
{
    sc_storage *storage = import_text(FIO(
        JOB("a", 0, WAY, READ(4000000, 4000, 16)) "," JOB("b", 0, WAY, READ(4000000, 8000, 32))));
    (void)state;
    near(storage->points[0].mean_bytes_per_s, 6e6); /* 16 and 32 MB in 8 s */
    assert_non_null(finding(storage, "fio-uneven-jobs"));
    sc_storage_free(&storage);
}

static void the_cache_is_what_fio_was_told(void **state)
{
    static const struct {
        const char *options;
        sc_cache_mode mode;
    } cases[] = {
        {"\"direct\": \"1\"", SC_CACHE_DIRECT},
        {"\"direct\": \"1\", \"invalidate\": \"0\"", SC_CACHE_DIRECT},
        {"\"buffered\": \"0\"", SC_CACHE_DIRECT},
        {"\"buffered\": \"1\"", SC_CACHE_DROPPED},
        {"\"direct\": \"0\"", SC_CACHE_DROPPED},
        {"\"rw\": \"read\"", SC_CACHE_DROPPED},
        {"\"direct\": \"0\", \"invalidate\": \"0\"", SC_CACHE_WARM},
        {"\"direct\": \"1\", \"ioengine\": \"mmap\"", SC_CACHE_DROPPED},
    };
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(cases); i++) {
        char text[1024];
        snprintf(text, sizeof text, FIO(JOB("a", 0, "%s", READ(1000000, 5000, 5))),
                 cases[i].options);
        sc_storage *storage = import_text(text);
        assert_int_equal(storage->cache_requested, cases[i].mode);
        assert_int_equal(storage->cache_effective, cases[i].mode);
        assert_false(storage->cache_proven);
        sc_storage_free(&storage);
    }
}

/* ---- which groups ---- */

#define DEEP     WAY ", \"ioengine\": \"libaio\", \"iodepth\": \"32\""
#define RANDOM   "\"rw\": \"randread\", \"bs\": \"1m\", \"direct\": \"1\""
#define BUFFERED "\"rw\": \"read\", \"bs\": \"1m\""

static void one_way_of_reading_makes_the_curve(void **state)
{
    static const struct {
        const char *jobs;
        size_t points;
        double first; /* throughput of its first point */
    } cases[] = {
        {GOOD "," JOB("deep", 1, DEEP, READ(7000000, 5000, 500)) "," JOB(
             "d2", 2, DEEP ", \"numjobs\": \"2\"", READ(8000000, 5000, 500)),
         2, 7e6},
        {JOB("r", 0, RANDOM, READ(7000000, 5000, 500)) "," JOB(
             "r2", 1, RANDOM ", \"numjobs\": \"2\"",
             READ(8000000, 5000, 500)) "," JOB("s", 2, WAY, READ(9000000, 5000, 500)),
         1, 9e6},
        {JOB("b", 0, BUFFERED, READ(7000000, 5000, 500)) "," JOB("s", 1, WAY,
                                                                 READ(9000000, 5000, 500)),
         1, 9e6},
        {JOB("w", 0, "\"rw\": \"write\"", READ(0, 0, 0) ", \"write\": {\"total_ios\": 9}") "," JOB(
             "s", 1, WAY, READ(9000000, 5000, 500)),
         1, 9e6},
        {JOB("e", 0, WAY, "\"error\": 5, " READ(9900000, 9000, 500)) "," JOB(
             "s", 1, WAY, READ(9000000, 5000, 500)),
         1, 9e6},
        /* as many points: the larger block */
        {JOB("k", 0, "\"bs\": \"128k\", \"direct\": \"1\"", READ(7000000, 5000, 267)) "," JOB(
             "m", 1, WAY,
             "\"read\": {\"bw_bytes\": 9000000, \"io_bytes\": 45088768, \"runtime\": "
             "5000, \"total_ios\": 43}"),
         1, 9e6},
        /* as many readers: the longer run, whichever is faster */
        {JOB("s", 0, WAY, READ(9000000, 5000, 500)) "," JOB("l", 1, WAY, READ(9500000, 9000, 500)),
         1, 9.5e6},
        {JOB("s", 0, WAY, READ(9500000, 5000, 500)) "," JOB("l", 1, WAY, READ(9000000, 5100, 500)),
         1, 9e6},
        /* descending readers are sorted */
        {JOB("two", 0, WAY ", \"numjobs\": \"2\"",
             READ(8000000, 5000, 500)) "," JOB("one", 1, WAY, READ(5000000, 5000, 500)),
         2, 5e6},
    };
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(cases); i++) {
        char text[4096];
        snprintf(text, sizeof text, FIO("%s"), cases[i].jobs);
        sc_storage *storage = import_text(text);
        assert_int_equal(storage->point_count, cases[i].points);
        near(storage->points[0].mean_bytes_per_s, cases[i].first);
        assert_int_equal(finding(storage, "fio-group-left-out") != NULL, i + 1 < SCI_COUNT(cases));
        sc_storage_free(&storage);
    }
}

/* ---- findings ---- */

static void what_changes_the_meaning_is_a_finding(void **state)
{
#define WITH(option) JOB("a", 0, WAY ", " option, READ(1000000, 5000, 500))
    static const struct {
        const char *jobs, *code; /* NULL: none but those of every import */
        sc_severity severity;
    } cases[] = {
        {WITH("\"name\": \"a\""), NULL, 0},
        {WITH("\"rate\": \"50m\""), "fio-rate-limited", SC_SEVERITY_WARNING},
        {WITH("\"rate\": \"50m,10m\""), "fio-rate-limited", SC_SEVERITY_WARNING},
        {WITH("\"rate\": \",10m\""), NULL, 0}, /* of writes */
        {WITH("\"rate\": \"0\""), NULL, 0},
        {WITH("\"rate_iops\": \"50\""), "fio-rate-limited", SC_SEVERITY_WARNING},
        {WITH("\"thinktime\": \"5ms\""), "fio-rate-limited", SC_SEVERITY_WARNING},
        {WITH("\"bssplit\": \"4k/50:1m/50\""), "fio-block-mixed", SC_SEVERITY_WARNING},
        {WITH("\"buffer_compress_percentage\": \"50\""), "fio-compressible", SC_SEVERITY_WARNING},
        {WITH("\"filename\": \"/dev/shm/x\""), "memory-filesystem", SC_SEVERITY_PROBLEM},
        {JOB("a", 0, RANDOM, READ(1000000, 5000, 500)), "fio-random", SC_SEVERITY_WARNING},
        {JOB("a", 0, WAY, READ(1000000, 5000, 500) ", \"write\": {\"total_ios\": 9}"),
         "fio-mixed-writes", SC_SEVERITY_WARNING},
        {JOB("a", 0, WAY, READ(1000000, 500, 500)), "short-measurement", SC_SEVERITY_WARNING},
        {JOB("a", 0, WAY, READ(1000000, 5000, 500) ", \"job_start\": 1700000000000") "," JOB(
             "b", 1, WAY ", \"numjobs\": \"2\"",
             READ(1000000, 5000, 500) ", \"job_start\": 1700000002000"),
         "fio-groups-overlap", SC_SEVERITY_WARNING},
        {JOB("a", 0, WAY, READ(1000000, 5000, 500) ", \"job_start\": 1700000000000") "," JOB(
             "b", 1, WAY ", \"numjobs\": \"2\"",
             READ(1000000, 5000, 500) ", \"job_start\": 1700000005001"),
         NULL, 0},
        {JOB("a", 0, BUFFERED ", \"size\": \"1m\"",
             "\"read\": {\"bw_bytes\": 2097152, \"io_bytes\": 10485760, \"runtime\": 5000, "
             "\"total_ios\": 10}"),
         "not-proven-cold", SC_SEVERITY_PROBLEM},
        {JOB("a", 0, WAY ", \"ioengine\": \"mmap\", \"size\": \"1m\"",
             "\"read\": {\"bw_bytes\": 2097152, \"io_bytes\": 10485760, \"runtime\": 5000, "
             "\"total_ios\": 10}"),
         "not-proven-cold", SC_SEVERITY_PROBLEM},
        {JOB("a", 0, WAY,
             "\"read\": {\"bw_bytes\": 1000000, \"runtime\": 5000, \"total_ios\": 500, "
             "\"bw_mean\": 1000, \"bw_dev\": 200, \"bw_samples\": 10}"),
         "fio-wide-spread", SC_SEVERITY_WARNING},
        {JOB("a", 0, WAY,
             "\"read\": {\"bw_bytes\": 1000000, \"runtime\": 5000, \"total_ios\": 500, "
             "\"lat_ns\": {\"percentile\": {\"50.0\": 900}}}"),
         "implausible-speed", SC_SEVERITY_PROBLEM},
    };
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(cases); i++) {
        char text[4096];
        bool found = false;
        snprintf(text, sizeof text, FIO("%s"), cases[i].jobs);
        sc_storage *storage = import_text(text);
        for (size_t k = 0; k < storage->finding_count; k++)
            found = found ||
                    (cases[i].code && strcmp(storage->findings[k].code, cases[i].code) == 0 &&
                     storage->findings[k].severity == cases[i].severity);
        if (found != (cases[i].code != NULL) || (!found && storage->finding_count != 2))
            fail_msg("%s: %zu findings, the last '%s'", cases[i].jobs, storage->finding_count,
                     storage->findings[storage->finding_count - 1].code);
        sc_storage_free(&storage);
    }
}

/* ---- around the document ---- */

static void several_results_are_as_good_as_the_last(void **state)
{
    sc_storage *storage = import_text(
        "fio: this platform does not support process shared mutexes\n"
        "{ \"some\": \"other object\" }\n" FIO(JOB("a", 0, WAY, READ(1000000, 1000, 500))) "\n" FIO(
            JOB("a", 0, WAY, READ(2000000, 2000, 500))) "\n\na: (groupid=0, jobs=1): {\n");
    (void)state;
    assert_true(storage->points[0].mean_bytes_per_s == 2000000);
    sc_storage_free(&storage);
}

static void the_order_of_members_is_of_no_importance(void **state)
{
    sc_storage *storage = import_text(" \n{\"jobs\": [" GOOD
                                      "], \"fio version\": \"fio-3.36\", \"timestamp\": 0}");
    (void)state;
    assert_string_equal(storage->made_at, "");
    sc_storage_free(&storage);
}

/* ---- what is refused ---- */

static void expect_refusal(const char *text, size_t length, sc_status status, const char *message)
{
    sc_storage *storage = (sc_storage *)1;
    sc_error error = {0};
    sc_status got = sc_storage_from_fio(text, length, &storage, &error);
    if (got != status || !strstr(error.message, message))
        fail_msg("status %d, message '%s', expected '%s' for %.300s", got, error.message, message,
                 text);
    assert_null(storage);
}

static void broken_results_are_refused_with_a_word(void **state)
{
#define RUN(read) FIO(JOB("a", 0, WAY, "\"read\": {" read "}"))
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "not a result of fio"},
        {"fio: nothing to run\n", "not a result of fio"},
        {"{}", "it has no \"fio version\""},
        {"{\"fio version\": 3}", "it has no \"fio version\""},
        {"{\"fio version\": \"fio-3.36\"}", "jobs: is missing, not an array"},
        {"{\"fio version\": \"fio-3.36\", \"jobs\": {}}", "jobs: is an object, not an array"},
        {"{\"fio version\": \"fio-3.36\", \"jobs\": [", "not valid JSON: line 1"},
        {"{\"fio version\": \"fio-3.36\", \"client_stats\": []}", "client_stats: results of fio's"},
        {FIO(""), "jobs: has no entry"},
        {FIO("7"), "jobs[0]: is a number, not an object"},
        {FIO(GOOD ", null"), "jobs[1]: is null, not an object"},
        {FIO(JOB("a", -1, WAY, READ(1, 1, 1))), "jobs[0].groupid: is out of range"},
        {FIO(JOB("a", 1, WAY, READ(1, 1, 1)) "," JOB("a", 0, WAY, READ(1, 1, 1))),
         "groupid 0 stands behind a higher one"},
        {FIO("{\"job options\": []}"), "jobs[0]: job options: is an array, not an object"},
        {FIO("{\"read\": 5}"), "jobs[0]: read: is a number, not an object"},
        {FIO("{\"error\": \"none\"}"), "jobs[0]: error: is a string"},
        {RUN("\"total_ios\": \"5\""), "jobs[0].read.total_ios: is a string, not a number"},
        {RUN("\"total_ios\": -5"), "jobs[0].read.total_ios: is out of range"},
        {RUN("\"total_ios\": 5, \"runtime\": 1e300"), "jobs[0].read.runtime: is out of range"},
        {RUN("\"total_ios\": 5, \"bw_bytes\": 1e30"), "jobs[0].read.bw_bytes: is out of range"},
        {RUN("\"total_ios\": 5, \"runtime\": 5"), "jobs[0].read: has neither bw_bytes nor bw"},
        {RUN("\"total_ios\": NaN"), "not valid JSON"},
        {RUN("\"total_ios\": 5, \"bw_bytes\": 5, \"bw_mean\": \"nan\""), "bw_mean: is a string"},
        {RUN("\"total_ios\": 99999999999999999999"), "not valid JSON"},
        {RUN("\"total_ios\": 1e999"), "not valid JSON"},
        {RUN("\"total_ios\": 5, \"runtime\": 0, \"bw_bytes\": 0"), "it ran for no time"},
        {RUN("\"total_ios\": 0"), "it read nothing"},
        {RUN("\"total_ios\": 5, \"bw_bytes\": 5, \"runtime\": 9, \"lat_ns\": {\"max\": -1}"),
         "max: is out of range"},
        {RUN("\"total_ios\": 5, \"bw_bytes\": 5, \"runtime\": 9, \"clat_ns\": {\"percentile\": "
             "{\"50.0\": \"x\"}}"),
         "percentile: that of 50 is no latency"},
        {RUN("\"total_ios\": 5, \"bw_bytes\": 5, \"runtime\": 9, \"clat_ns\": {\"bins\": "
             "{\"1e9\": 4}}"),
         "bins: '1e9' is no latency"},
        {FIO(JOB("w\\u001b[2J", 0, "\"rw\": \"write\"",
                 READ(0, 0, 0) ", \"write\": {\"total_ios\": 9}")),
         "of 'w?[2J', it only wrote"},
        {FIO(JOB("a", 0, WAY, "\"error\": 5, " READ(1, 1, 1))), "it ended with error 5"},
        {FIO(JOB("a", 0, WAY ", \"ioengine\": \"null\"", READ(1000000, 5000, 5))),
         "reads no storage"},
        {FIO(JOB("a", 0, "\"bs\": \"512\"", READ(1000000, 5000, 5))), "below 4 KiB"},
        {FIO(JOB("a", 0, DEEP "0", READ(1000000, 5000, 5))), "not valid JSON"},
        {FIO(JOB("a", 0, WAY ", \"ioengine\": \"libaio\", \"iodepth\": \"512\"",
                 READ(1000000, 5000, 5))),
         "more than 256 reads in flight"},
        {FIO(JOB("a", 0, WAY ", \"numjobs\": \"99999999999\"", READ(1000000, 5000, 5))),
         "more than 65536 readers"},
        {FIO(JOB("a", 0, WAY, READ(1, 5000, 5)) "," JOB("b", 0, RANDOM, READ(1, 5000, 5))),
         "its jobs read in different ways"},
    };
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(cases); i++)
        expect_refusal(cases[i].text, strlen(cases[i].text), SC_INVALID_DATA, cases[i].message);
    expect_refusal(NULL, 0, SC_INVALID_ARGUMENT, "NULL");
    assert_int_equal(sc_storage_from_fio("{}", 2, NULL, NULL), SC_INVALID_ARGUMENT);
}

static void a_result_cut_anywhere_is_refused(void **state)
{
    static const char *const names[] = {"groups.json", "clones.txt"};
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(names); i++) {
        size_t length;
        char *text = load(names[i], &length);
        const char *begin = strchr(text, '{'), *end = strstr(text, "\n}");
        assert_non_null(begin);
        assert_non_null(end);
        for (size_t cut = 0; cut <= (size_t)(end - text); cut += cut < 200 ? 1 : 37) {
            char *part = malloc(cut + 1); /* of that size, for the sanitizer */
            assert_non_null(part);
            memcpy(part, text, cut);
            expect_refusal(part, cut, SC_INVALID_DATA, "fio");
            free(part);
        }
        free(text);
    }
}

/* One byte changed at every place: a result or an error, and what comes out can be written. */
static void a_changed_byte_never_breaks_the_import(void **state)
{
    static const char bytes[] = "\"{}[]:,-9.e\\ n\xff";
    size_t length, imported = 0;
    char *text = load("clones.txt", &length);
    (void)state;
    for (size_t at = 0; at < length; at++) {
        char before = text[at];
        text[at] = bytes[at % (sizeof bytes - 1)];
        sc_storage *storage = NULL;
        sc_error error = {0};
        sc_status status = sc_storage_from_json(text, length, &storage, &error);
        assert_int_equal(status == SC_OK, storage != NULL);
        assert_int_equal(status, error.status);
        char *json = NULL;
        if (storage && sc_storage_to_json(storage, &json, &error) != SC_OK)
            fail_msg("byte %zu: %s", at, error.message);
        imported += storage != NULL;
        sc_string_free(&json);
        sc_storage_free(&storage);
        text[at] = before;
    }
    assert_in_range(imported, 1, length - 1);
    free(text);
}

static char *many(const char *before, const char *item, int count, const char *behind)
{
    char *text = malloc(strlen(before) + (size_t)count * (strlen(item) + 12) + strlen(behind) + 1);
    assert_non_null(text);
    char *at = stpcpy(text, before);
    for (int i = 0; i < count; i++) {
        at += sprintf(at, item, i);
        *at++ = ',';
    }
    at[count ? -1 : 0] = '\0';
    strcat(text, behind);
    return text;
}

static void a_hundred_thousand_jobs(void **state)
{
    static const char before[] = "{\"fio version\": \"fio-3.36\", \"jobs\": [";
    static const char item[] = "{\"groupid\": 0, \"jobname\": \"j%d\", \"job options\": {\"bs\": "
                               "\"1m\"}, " READ(1000, 5000, 5) "}";
    char *text = many(before, item, 100000, "]}");
    (void)state;
    expect_refusal(text, strlen(text), SC_INVALID_DATA, "more than 65536 readers");
    free(text);
    text = many(before, item, 60000, "]}");
    sc_storage *storage = import_text(text);
    assert_int_equal(storage->points[0].readers, 60000);
    near(storage->points[0].mean_bytes_per_s, 6e7);
    sc_storage_free(&storage);
    free(text);
    text = many(before, "{\"groupid\": %d, " READ(1000, 5000, 5) "}", 100000, "]}");
    expect_refusal(text, strlen(text), SC_INVALID_DATA, "more than 4096 groups");
    free(text);
}

static void deep_and_doubled_junk(void **state)
{
    char *text = many("{\"fio version\": \"fio-3.36\", \"jobs\": [", "[[[[[[[[[[[[[[[%d", 1000, "");
    (void)state;
    expect_refusal(text, strlen(text), SC_INVALID_DATA, "not valid JSON");
    free(text);
    text = many("x\n", "{\n{\"fio versio%d\"", 100000, "");
    expect_refusal(text, strlen(text), SC_INVALID_DATA, "not a result of fio");
    free(text);
    /* fio repeats an option that was given twice; the last one took effect */
    sc_storage *storage = import_text(FIO(
        JOB("a", 0, "\"bs\": \"4k\", \"bs\": \"1m\", \"size\": \"8m\"", READ(1000000, 5000, 5))));
    assert_int_equal(storage->player.block_bytes, 1 << 20);
    sc_storage_free(&storage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_with_ascending_readers_are_a_curve),
        cmocka_unit_test(who_and_how_is_told),
        cmocka_unit_test(jobs_reported_one_by_one_are_summed_between_two_reports),
        cmocka_unit_test(what_was_imported_is_written_and_read_again),
        cmocka_unit_test(a_result_stands_where_a_storage_document_may),
        cmocka_unit_test(a_plan_with_it_is_an_upper_bound),
        cmocka_unit_test(readers_are_counted),
        cmocka_unit_test(old_versions_count_in_kib_and_microseconds),
        cmocka_unit_test(lat_percentiles_are_taken_as_they_are),
        cmocka_unit_test(options_of_all_jobs_count_too),
        cmocka_unit_test(an_engine_with_one_read_has_no_depth),
        cmocka_unit_test(jobs_that_ended_early_count_over_the_longest_run),
        cmocka_unit_test(the_cache_is_what_fio_was_told),
        cmocka_unit_test(one_way_of_reading_makes_the_curve),
        cmocka_unit_test(what_changes_the_meaning_is_a_finding),
        cmocka_unit_test(several_results_are_as_good_as_the_last),
        cmocka_unit_test(the_order_of_members_is_of_no_importance),
        cmocka_unit_test(broken_results_are_refused_with_a_word),
        cmocka_unit_test(a_result_cut_anywhere_is_refused),
        cmocka_unit_test(a_changed_byte_never_breaks_the_import),
        cmocka_unit_test(a_hundred_thousand_jobs),
        cmocka_unit_test(deep_and_doubled_junk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
