/* Supplies and demands made by hand, for the tests of plan. */
#ifndef PLAN_TEST_H
#define PLAN_TEST_H

#include "core/core.h"
#include "plan/plan.h"
#include "test.h"

#include <string.h>

/* A bare rate, as "83MB/s" gives. */
struct bare {
    sc_supply_point point;
    sc_storage storage;
};

static inline const sc_storage *bare_rate(struct bare *bare, const char *text)
{
    int64_t bits_per_s;
    assert_int_equal(sc_parse_rate(text, &bits_per_s, NULL), SC_OK);
    double bytes_per_s = (double)bits_per_s / 8;
    bare->point = (sc_supply_point){.readers = 1,
                                    .mean_bytes_per_s = bytes_per_s,
                                    .median_bytes_per_s = bytes_per_s,
                                    .p05_bytes_per_s = bytes_per_s,
                                    .latency_p50_s = -1};
    bare->storage = (sc_storage){.path = "",
                                 .name = text,
                                 .source = SC_SOURCE_GIVEN,
                                 .constant = true,
                                 .point_count = 1,
                                 .points = &bare->point};
    return &bare->storage;
}

/* A steady point: its worst windows are share of the mean. */
static inline sc_supply_point steady_point(int32_t readers, double bytes_per_s, double share)
{
    static const double windows[] = {0.02, 0.05, 0.1, 0.2, 0.5, 1, 2};
    sc_supply_point point = {.readers = readers,
                             .mean_bytes_per_s = bytes_per_s,
                             .median_bytes_per_s = bytes_per_s,
                             .p05_bytes_per_s = bytes_per_s * share,
                             .latency_p50_s = -1,
                             .series_step_s = 0.02,
                             .window_count = SCI_COUNT(windows)};
    for (size_t i = 0; i < SCI_COUNT(windows); i++) {
        point.window_s[i] = windows[i];
        point.worst_window_bytes[i] = (int64_t)(bytes_per_s * windows[i] * share);
    }
    return point;
}

static inline sc_storage measured(const sc_supply_point *points, size_t count)
{
    return (sc_storage){.path = "/mnt/nas",
                        .name = "/mnt/nas",
                        .source = SC_SOURCE_MEASURED,
                        .point_count = count,
                        .points = points};
}

static inline sc_demand stream(const char *text)
{
    sc_demand demand;
    sc_error error = {0};
    if (sc_demand_parse(text, &demand, &error) != SC_OK)
        fail_msg("%s: %s", text, error.message);
    return demand;
}

static inline sc_link link_of(const char *text)
{
    sc_link link;
    assert_int_equal(sc_link_parse(text, &link, NULL), SC_OK);
    return link;
}

static inline sc_player player_of(const char *text)
{
    sc_player player;
    assert_int_equal(sc_player_parse(text, &player, NULL), SC_OK);
    return player;
}

static inline sc_plan *solve(const sc_plan_params *params)
{
    sc_plan *plan = NULL;
    sc_error error = {0};
    if (sc_plan_solve(params, &plan, &error) != SC_OK)
        fail_msg("%s", error.message);
    return plan;
}

static inline const sc_finding *finding(const sc_plan *plan, const char *code)
{
    for (size_t i = 0; i < plan->finding_count; i++)
        if (strcmp(plan->findings[i].code, code) == 0)
            return &plan->findings[i];
    return NULL;
}

/* The answer must agree with the constraints looked at one by one: N holds, N + 1 does not. */
static inline void assert_edge(const sc_plan_params *params, const sc_answer *answer)
{
    bool admitted;
    int64_t counts[1] = {answer->safe};
    sc_limit limit;
    assert_int_equal(params->demand_count, 1);
    assert_int_equal(sc_plan_admits(params, counts, &admitted, NULL, NULL), SC_OK);
    assert_true(admitted);
    if (answer->safe == SCI_STREAMS_MAX)
        return;
    counts[0]++;
    assert_int_equal(sc_plan_admits(params, counts, &admitted, &limit, NULL), SC_OK);
    assert_false(admitted);
    assert_int_equal(limit.kind, answer->limit.kind);
    assert_int_equal(limit.streams, answer->safe + 1);
}

#endif
