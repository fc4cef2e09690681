#include "plan_test.h"

#include <math.h>
#include <streamcalc/plan.h>

/* 160 Mb/s, 20 MB/s. */
enum { STREAM_BYTES_PER_S = 20000000 };

struct tried {
    sc_supply_point points[3];
    sc_paced_run runs[2];
    sc_storage storage;
    sc_demand demand;
};

/* Readers 1, 2 and 4 get so much, each of its own reads after that median. */
static void begin(struct tried *tried, double one, double two, double four, double p50_s)
{
    const double rates[] = {one, two, four};
    *tried = (struct tried){0};
    for (size_t i = 0; i < SCI_COUNT(rates); i++) {
        tried->points[i] = steady_point(1 << i, rates[i], 1);
        tried->points[i].latency_p50_s = p50_s;
        tried->points[i].latency_max_s = 0.05;
    }
    tried->storage = measured(tried->points, SCI_COUNT(tried->points));
    tried->storage.player = player_of("normal");
    tried->storage.paced = tried->runs;
    assert_int_equal(sc_demand_parse("160Mb/s", &tried->demand, NULL), SC_OK);
}

static sc_paced_run *play(struct tried *tried, int32_t streams, bool sustained)
{
    sc_paced_run *run = &tried->runs[tried->storage.paced_count++];
    *run = (sc_paced_run){.streams = streams,
                          .bits_per_s = 8 * STREAM_BYTES_PER_S,
                          .seconds = 6,
                          .late_frames = !sustained,
                          .reads = {.samples = 1000,
                                    .mean_bytes = 1 << 20,
                                    .mean_s = 0.02,
                                    .p50_s = 0.02,
                                    .p99_s = 0.03,
                                    .max_s = 0.05,
                                    .busy = 0.5},
                          .sustained = sustained};
    return run;
}

/* The code of the finding on an assumption, "" for none; its text has to hold those words. */
static const char *verdict(struct tried *tried, const char *word)
{
    static char code[64];
    sc_plan *plan = NULL;
    sc_error error = {0};
    const sc_plan_params params = {
        .demands = &tried->demand, .demand_count = 1, .storage = &tried->storage};
    if (sc_plan_solve(&params, &plan, &error) != SC_OK)
        fail_msg("%s", error.message);
    code[0] = '\0';
    for (size_t i = 0; i < plan->finding_count; i++) {
        if (strncmp(plan->findings[i].code, "assumption-", 11) != 0)
            continue;
        assert_string_equal(code, "");
        sci_copy(code, sizeof code, plan->findings[i].code);
        if (!strstr(plan->findings[i].message, word))
            fail_msg("%s", plan->findings[i].message);
    }
    sc_plan_free(&plan);
    return code;
}

/* Three streams of 20 MB/s fit 68 MB/s. Two in flight of each, 1 MiB at 0.121 s: 52 MB/s. */
static void paced_reads_that_got_less_of_a_disk_that_seeks(void **state)
{
    struct tried tried;
    (void)state;
    begin(&tried, 200e6, 68e6, 68e6, -1);
    sc_paced_run *run = play(&tried, 3, false);
    run->reads.busy = 0.99;
    run->reads.mean_s = 0.121;
    assert_string_equal(verdict(&tried, "got 52.0 MB/s, and 68.0 was measured"),
                        "assumption-seeks");
    /* Of as much as was measured nothing is explained. */
    run->reads.mean_s = 0.0925;
    assert_string_equal(verdict(&tried, "does not tell"), "assumption-unknown");
}

static void reads_that_took_longer_under_load(void **state)
{
    struct tried tried;
    (void)state;
    begin(&tried, 100e6, 100e6, 100e6, -1);
    sc_paced_run *run = play(&tried, 4, false);
    run->reads.busy = 0.99;
    run->reads.mean_s = 0.14;
    assert_string_equal(verdict(&tried, "took 140.0 ms under that load"), "assumption-latency");
}

/* 2 MiB in 20 ms are 104 MB/s by the latency of one reader; in 0.2 s beside others 10.5. */
static void reads_in_flight_that_brought_one_stream_less(void **state)
{
    struct tried tried;
    (void)state;
    begin(&tried, 100e6, 100e6, 100e6, 0.02);
    sc_paced_run *run = play(&tried, 4, false);
    run->reads.p50_s = 0.2;
    assert_string_equal(verdict(&tried, "brought one stream 10.5 MB/s"), "assumption-depth");
}

static void stalls_that_were_not_measured(void **state)
{
    struct tried tried;
    (void)state;
    begin(&tried, 100e6, 100e6, 100e6, -1);
    play(&tried, 4, false)->reads.max_s = 1.2;
    assert_string_equal(verdict(&tried, "took 1.20 s"), "assumption-burst");
    tried.runs[0].reads.max_s = 0.07;
    assert_string_equal(verdict(&tried, "does not tell why"), "assumption-unknown");
}

static void more_than_was_promised(void **state)
{
    struct tried tried;
    (void)state;
    begin(&tried, 100e6, 100e6, 100e6, -1);
    play(&tried, 6, true);
    assert_string_equal(verdict(&tried, "6 streams played at 120.0 MB/s, and 100.0"),
                        "assumption-throughput");
    begin(&tried, 200e6, 68e6, 68e6, -1);
    play(&tried, 4, true);
    assert_string_equal(verdict(&tried, "4 streams played at 80.0 MB/s"), "assumption-seeks");
    /* 2 MiB in 0.2 s are 10.5 MB/s: not even one stream by what was measured. */
    begin(&tried, 10.4e6, 100e6, 100e6, 0.2);
    tried.points[0].readers = 1;
    play(&tried, 1, true);
    assert_string_equal(verdict(&tried, "half of the reads took 20.0 ms"), "assumption-latency");
    /* The worst windows hold next to nothing, which did not happen meanwhile. */
    begin(&tried, 100e6, 100e6, 100e6, -1);
    for (size_t i = 0; i < SCI_COUNT(tried.points); i++)
        for (int32_t w = 0; w < tried.points[i].window_count; w++)
            tried.points[i].worst_window_bytes[w] /= 100;
    play(&tried, 4, true);
    assert_string_equal(verdict(&tried, "did not meet while 4 streams"), "assumption-burst");
}

static void nothing_is_said_where_both_agree_or_nothing_is_known(void **state)
{
    struct tried tried;
    (void)state;
    begin(&tried, 100e6, 100e6, 100e6, -1);
    play(&tried, 5, true);
    play(&tried, 6, false)->reads.busy = 1;
    assert_string_equal(verdict(&tried, ""), "");
    begin(&tried, 100e6, 100e6, 100e6, -1);
    sc_paced_run *run = play(&tried, 4, false);
    run->reads.samples = 0;
    assert_string_equal(verdict(&tried, ""), "");
    run->reads.samples = 1000;
    run->failed_reads = 1;
    assert_string_equal(verdict(&tried, ""), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paced_reads_that_got_less_of_a_disk_that_seeks),
        cmocka_unit_test(reads_that_took_longer_under_load),
        cmocka_unit_test(reads_in_flight_that_brought_one_stream_less),
        cmocka_unit_test(stalls_that_were_not_measured),
        cmocka_unit_test(more_than_was_promised),
        cmocka_unit_test(nothing_is_said_where_both_agree_or_nothing_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
