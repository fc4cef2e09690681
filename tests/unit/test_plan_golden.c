/* What published measurements carry. The read paths are from four accounts of editing over networks:
   "Breaking the Gigabit", "Slow network transfers between Mac and Synology NAS", "iSCSI vs CIFS" and
   one of a ZFS NAS with and without encryption; the plans from the manuals that they name. */
#include "plan_test.h"

#include <math.h>

struct counts {
    int64_t naive, safe;
};

static struct counts count(const char *storage, double reserve, const char *rate)
{
    struct bare bare;
    sc_demand demand = stream(rate);
    sc_plan_params params = {.demands = &demand,
                             .demand_count = 1,
                             .storage = bare_rate(&bare, storage),
                             .reserve = reserve};
    sc_plan *plan = solve(&params);
    struct counts counts = {plan->answers[0].naive, plan->answers[0].safe};
    assert_edge(&params, &plan->answers[0]);
    assert_false(plan->answers[0].upper_bound);
    sc_plan_free(&plan);
    return counts;
}

/* Streams of 136, 168, 336, 500 and 147 Mb/s; in the second row with 20 % kept back. */
static void every_measured_read_path(void **state)
{
    static const char *const rates[] = {"136Mb/s", "168Mb/s", "336Mb/s", "500Mb/s", "147Mb/s"};
    static const struct {
        const char *path, *storage;
        int streams[5], with_reserve[5];
    } rows[] = {
        {"CIFS GbE", "664Mb/s", {4, 3, 1, 1, 4}, {3, 3, 1, 1, 3}},
        {"iSCSI GbE", "880Mb/s", {6, 5, 2, 1, 5}, {5, 4, 2, 1, 4}},
        {"AFP GbE plain", "582Mb/s", {4, 3, 1, 1, 3}, {3, 2, 1, 0, 3}},
        {"AFP GbE GELI", "532Mb/s", {3, 3, 1, 1, 3}, {3, 2, 1, 0, 2}},
        {"AFP 802.11n plain", "138Mb/s", {1, 0, 0, 0, 0}, {0, 0, 0, 0, 0}},
        {"AFP 802.11n GELI", "131Mb/s", {0, 0, 0, 0, 0}, {0, 0, 0, 0, 0}},
        {"raidz2 local plain", "2470Mb/s", {18, 14, 7, 4, 16}, {14, 11, 5, 3, 13}},
        {"raidz2 local GELI", "1220Mb/s", {8, 7, 3, 2, 8}, {7, 5, 2, 1, 6}},
        {"HDD 8 TB local", "1912Mb/s", {14, 11, 5, 3, 13}, {11, 9, 4, 3, 10}},
        {"SSD local", "4152Mb/s", {30, 24, 12, 8, 28}, {24, 19, 9, 6, 22}},
        {"LaCie TB3", "1120Mb/s", {8, 6, 3, 2, 7}, {6, 5, 2, 1, 6}},
        {"WiFi 6 iperf", "437Mb/s", {3, 2, 1, 0, 2}, {2, 2, 1, 0, 2}},
        {"WiFi 6 derated", "400Mb/s", {2, 2, 1, 0, 2}, {2, 1, 0, 0, 2}},
        {"802.11ac", "336Mb/s", {2, 2, 1, 0, 2}, {1, 1, 0, 0, 1}},
        {"GbE jumbo theory", "984Mb/s", {7, 5, 2, 1, 6}, {5, 4, 2, 1, 5}},
        {"GbE implied", "896Mb/s", {6, 5, 2, 1, 6}, {5, 4, 2, 1, 4}},
        {"DS415+ MTU 9000", "520Mb/s", {3, 3, 1, 1, 3}, {3, 2, 1, 0, 2}},
    };
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(rows); i++)
        for (size_t k = 0; k < SCI_COUNT(rates); k++) {
            struct counts all = count(rows[i].storage, 0, rates[k]);
            struct counts kept = count(rows[i].storage, 0.2, rates[k]);
            if (all.naive != rows[i].streams[k] || all.safe != all.naive ||
                kept.naive != rows[i].with_reserve[k] || kept.safe != kept.naive)
                fail_msg("%s at %s: %d/%d (%d/%d)", rows[i].path, rates[k], (int)all.safe,
                         (int)all.naive, (int)kept.safe, (int)kept.naive);
        }
}

/* Vendors' plans that are pure division; they print MiB as MB. */
static void published_plans(void **state)
{
    static const struct {
        const char *plan, *storage, *rate;
        int streams;
    } rows[] = {
        {"EVS XT3, 1 GbE, DNxHD 120", "90MB/s", "14.8MB/s", 6},
        {"EVS XT3, ProRes 422 120 on 110 MB/s", "110MB/s", "16.6MB/s", 6},
        {"EVS XT3, ProRes 422 120 on 200 MB/s", "200MB/s", "16.6MB/s", 12},
        {"EVS XT3, ProRes 422 120 on 240 MB/s", "240MB/s", "16.6MB/s", 14},
        {"EVS XT4K, XAVC 4K 500 on 240 MB/s", "240MB/s", "66.6MB/s", 3},
        {"Avid ISIS engine, DNxHD 145", "240MB/s", "18MB/s", 13},
        {"Avid ISIS engine, DNxHD 120", "240MB/s", "16MB/s", 15},
        {"SPEC SFS2014 VDA", "69MB/s", "4.6MB/s", 15},
        {"frame.io, three cameras of ProRes 422 HQ 4K", "2202Mb/s", "734Mb/s", 3},
        {"CIFS, 4K 30p, no room at all", "83MB/s", "664Mb/s", 1},
    };
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(rows); i++) {
        struct counts counts = count(rows[i].storage, 0, rows[i].rate);
        if (counts.naive != rows[i].streams || counts.safe != counts.naive)
            fail_msg("%s: %d/%d", rows[i].plan, (int)counts.safe, (int)counts.naive);
    }
}

/* EVS XT3: 2 x 14.8 + 2 x 44.4 and 6 x 30.0 + 6 x 6.4 on 400 MB/s fit. */
static void published_mixes(void **state)
{
    static const struct {
        const char *one, *other, *storage;
        int64_t counts[2];
        bool fits;
    } rows[] = {{"14.8MB/s", "44.4MB/s", "400MB/s", {2, 2}, true},
                {"14.8MB/s", "44.4MB/s", "118.4MB/s", {2, 2}, true},
                {"14.8MB/s", "44.4MB/s", "118.3MB/s", {2, 2}, false},
                {"30MB/s", "6.4MB/s", "400MB/s", {6, 6}, true},
                {"30MB/s", "6.4MB/s", "218.4MB/s", {6, 6}, true},
                {"30MB/s", "6.4MB/s", "218.3MB/s", {6, 6}, false}};
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(rows); i++) {
        struct bare bare;
        sc_demand demands[] = {stream(rows[i].one), stream(rows[i].other)};
        sc_plan_params params = {
            .demands = demands, .demand_count = 2, .storage = bare_rate(&bare, rows[i].storage)};
        bool admitted;
        sc_limit limit;
        assert_int_equal(sc_plan_admits(&params, rows[i].counts, &admitted, &limit, NULL), SC_OK);
        assert_int_equal(admitted, rows[i].fits);
        assert_int_equal(limit.kind, admitted ? SC_LIMIT_NONE : SC_LIMIT_RATE);
    }
}

static void an_exact_fit_has_no_headroom(void **state)
{
    struct bare bare;
    sc_demand demand = stream("664Mb/s");
    sc_plan_params params = {
        .demands = &demand, .demand_count = 1, .storage = bare_rate(&bare, "83MB/s")};
    sc_plan *plan = solve(&params);
    const sc_answer *answer = &plan->answers[0];
    (void)state;
    assert_int_equal(answer->safe, 1);
    assert_int_equal(answer->naive, 1);
    assert_int_equal(answer->expected, 1);
    assert_true(answer->headroom == 0);
    assert_true(answer->refill_s < 0);
    assert_int_equal(answer->limit.kind, SC_LIMIT_RATE);
    assert_string_equal(answer->limit.resource, "storage");
    assert_string_equal(answer->limit.text, "rate: 2 streams need 166 of 83 MB/s of the storage");
    sc_plan_free(&plan);
}

/* Five of 168 Mb/s use 840 of 880: 4.55 % free, one second refills in 1 x 0.9545 / 0.0455 s. */
static void refill_follows_utilisation(void **state)
{
    struct bare bare;
    sc_demand demand = stream("168Mb/s");
    sc_plan_params params = {
        .demands = &demand, .demand_count = 1, .storage = bare_rate(&bare, "110MB/s")};
    sc_plan *plan = solve(&params);
    (void)state;
    assert_true(fabs(plan->answers[0].headroom - 40.0 / 880) < 1e-12);
    assert_true(fabs(plan->answers[0].refill_s - 21) < 1e-9);
    sc_plan_free(&plan);
}

static void a_long_way_starves_a_shallow_player(void **state)
{
    struct bare bare;
    sc_demand demand = stream("168Mb/s");
    sc_link link = link_of("1gbe,rtt=15ms");
    sc_plan_params params = {.demands = &demand,
                             .demand_count = 1,
                             .storage = bare_rate(&bare, "110MB/s"),
                             .link = &link,
                             .player = player_of("block=256KiB,in-flight=1,read-ahead=1s")};
    sc_plan *plan = solve(&params);
    const sc_answer *answer = &plan->answers[0];
    (void)state;
    assert_int_equal(answer->naive, 5);
    assert_int_equal(answer->safe, 0);
    assert_int_equal(answer->limit.kind, SC_LIMIT_LATENCY);
    assert_string_equal(answer->limit.resource, "link");
    assert_true(answer->limit.window_s < 0);
    assert_true(answer->limit.needed_bytes_per_s == 21e6);
    assert_true(fabs(answer->limit.available_bytes_per_s - 17476266.67) < 0.01);
    assert_string_equal(answer->limit.text, "latency: 1 read of 256 KiB in 15 ms gives one "
                                            "stream 17.5 MB/s of 21");
    assert_true(answer->upper_bound);
    assert_non_null(finding(plan, "composed-supply"));
    assert_edge(&params, answer);
    sc_plan_free(&plan);
    params.player = player_of("block=256KiB,in-flight=2,read-ahead=1s");
    plan = solve(&params);
    assert_int_equal(plan->answers[0].safe, 5);
    sc_plan_free(&plan);
}

static void links_carry_their_payload(void **state)
{
    static const struct {
        const char *link;
        int64_t safe; /* of 1 Mb/s */
    } rows[] = {{"1gbe", 941}, {"1gbe,mtu=9000", 990}, {"wifi6", 437}, {"437Mb/s", 437}};
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(rows); i++) {
        sc_demand demand = stream("1Mb/s");
        sc_link link = link_of(rows[i].link);
        sc_plan_params params = {.demands = &demand, .demand_count = 1, .link = &link};
        sc_plan *plan = solve(&params);
        assert_int_equal(plan->answers[0].naive, rows[i].safe);
        assert_int_equal(plan->answers[0].safe, rows[i].safe);
        assert_string_equal(plan->answers[0].limit.resource, "link");
        assert_string_equal(plan->answers[0].storage, "");
        assert_string_equal(plan->answers[0].link, rows[i].link);
        assert_true(plan->answers[0].upper_bound);
        assert_non_null(finding(plan, "link-alone"));
        assert_edge(&params, &plan->answers[0]);
        sc_plan_free(&plan);
    }
}

/* 100 Mb/s on average, but two seconds in every minute need 31 MB/s. */
static sc_demand long_gop_clip(void)
{
    static const struct {
        double window_s;
        int64_t bytes;
    } curve[] = {{0.02, 2400000}, {0.05, 3000000}, {0.1, 4600000}, {0.2, 7700000},
                 {0.5, 16500000}, {1, 32000000},   {2, 62000000},  {4, 100000000},
                 {8, 150000000},  {16, 250000000}, {60, 750000000}};
    sc_demand demand = {.name = "HEVC Main 10 3840x2160 59.94",
                        .clip = "/media/A003_C011.mov",
                        .mean_bits_per_s = 100000000,
                        .bits_per_s = 100000000,
                        .largest_frame_bytes = 2400000,
                        .frame_rate = {60000, 1001},
                        .duration_s = 60,
                        .found = true};
    for (size_t i = 0; i < SCI_COUNT(curve); i++) {
        demand.curve.window_s[i] = curve[i].window_s;
        demand.curve.max_bytes[i] = curve[i].bytes;
    }
    demand.curve.count = SCI_COUNT(curve);
    return demand;
}

static void busiest_seconds_cost_streams(void **state)
{
    struct bare bare;
    sc_demand demand = long_gop_clip();
    sc_plan_params params = {
        .demands = &demand, .demand_count = 1, .storage = bare_rate(&bare, "118MB/s")};
    sc_plan *plan = solve(&params);
    const sc_answer *answer = &plan->answers[0];
    (void)state;
    assert_int_equal(answer->naive, 9);
    /* 2 s, five streams: 62 MB of 118 x 2 / 5 + 12.5 MB of buffer = 59.7. */
    assert_int_equal(answer->safe, 4);
    assert_int_equal(answer->limit.kind, SC_LIMIT_BURST);
    assert_string_equal(answer->limit.resource, "storage");
    assert_true(answer->limit.window_s == 2);
    assert_true(fabs(answer->limit.needed_bytes - 5 * 62e6) < 1);
    assert_true(fabs(answer->limit.available_bytes - 5 * 59.7e6) < 1);
    assert_string_equal(answer->limit.text,
                        "burst: 2 s of A003_C011.mov need 31 of 29.9 MB/s that each of them gets");
    assert_string_equal(answer->clip, "/media/A003_C011.mov");
    assert_true(answer->found);
    assert_edge(&params, answer);
    sc_plan_free(&plan);
    /* Ten seconds of buffer swallow the bursts. */
    params.player = player_of("deep");
    params.warm_start = true;
    plan = solve(&params);
    assert_int_equal(plan->answers[0].safe, 9);
    sc_plan_free(&plan);
}

/* A seeking disk: 180 MB/s for one reader, 40 MB/s for eight. */
static void a_supply_that_falls_costs_streams(void **state)
{
    const sc_supply_point points[] = {steady_point(1, 180e6, 0.9), steady_point(2, 110e6, 0.9),
                                      steady_point(4, 60e6, 0.9), steady_point(8, 40e6, 0.9)};
    sc_storage storage = measured(points, SCI_COUNT(points));
    sc_demand demand = stream("168Mb/s");
    sc_plan_params params = {.demands = &demand, .demand_count = 1, .storage = &storage};
    sc_plan *plan = solve(&params);
    const sc_answer *answer = &plan->answers[0];
    (void)state;
    assert_int_equal(answer->naive, 8);
    /* Two need 42 of 110; three need 63 of 60 + (110 - 60) x (2 - log2 3) = 80.8; four 84 of 60. */
    assert_int_equal(answer->safe, 3);
    assert_int_equal(answer->limit.kind, SC_LIMIT_RATE);
    assert_false(answer->at_least);
    assert_false(answer->upper_bound);
    assert_edge(&params, answer);
    sc_plan_free(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_measured_read_path),
        cmocka_unit_test(published_plans),
        cmocka_unit_test(published_mixes),
        cmocka_unit_test(an_exact_fit_has_no_headroom),
        cmocka_unit_test(refill_follows_utilisation),
        cmocka_unit_test(a_long_way_starves_a_shallow_player),
        cmocka_unit_test(links_carry_their_payload),
        cmocka_unit_test(busiest_seconds_cost_streams),
        cmocka_unit_test(a_supply_that_falls_costs_streams),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
