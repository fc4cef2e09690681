/* Random scenarios from fixed seeds, for what must be true of any. */
#ifndef PLAN_SCENARIOS_H
#define PLAN_SCENARIOS_H

#include "plan_test.h"

#include <math.h>

enum { SCENARIOS = 3000, POINTS_MAX = 7 };

/* splitmix64 */
struct dice {
    uint64_t state;
};

static inline uint64_t roll(struct dice *dice)
{
    uint64_t z = dice->state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static inline int64_t between(struct dice *dice, int64_t low, int64_t high)
{
    return low + (int64_t)(roll(dice) % (uint64_t)(high - low + 1));
}

static inline double real(struct dice *dice, double low, double high)
{
    return low + (high - low) * (double)(roll(dice) >> 11) / 9007199254740992.0;
}

struct scenario {
    sc_supply_point points[POINTS_MAX];
    sc_storage storage;
    sc_link link;
    sc_demand demands[3];
    sc_plan_params params; /* of the first demand alone */
};

static inline sc_demand constant(struct dice *dice)
{
    static const int64_t rates[] = {24, 25, 30, 50, 60, 120};
    sc_demand demand;
    int64_t bits_per_s = between(dice, 1000000, 1000000000);
    sc_rational rate = {rates[between(dice, 0, 5)], 1};
    if (between(dice, 0, 1))
        rate = (sc_rational){rate.num * 1000, 1001};
    assert_int_equal(sc_demand_constant(bits_per_s, rate, &demand, NULL), SC_OK);
    return demand;
}

/* Bursts of up to three times the mean, subadditive as every real curve is. */
static inline sc_demand bursty(struct dice *dice)
{
    sc_demand demand = constant(dice);
    double burst = real(dice, 0, 3) * (double)demand.bits_per_s / 8 * real(dice, 0.02, 4);
    double peak = real(dice, 1, 3);
    for (int32_t i = 0; i < demand.curve.count; i++) {
        double window_s = demand.curve.window_s[i];
        double extra = fmin(burst, (peak - 1) * (double)demand.bits_per_s / 8 * window_s);
        demand.curve.max_bytes[i] += llround(extra);
    }
    demand.largest_frame_bytes += (int64_t)(demand.largest_frame_bytes * real(dice, 0, 1.5));
    if (demand.curve.max_bytes[0] < demand.largest_frame_bytes)
        for (int32_t i = 0; i < demand.curve.count; i++)
            if (demand.curve.max_bytes[i] < demand.largest_frame_bytes)
                demand.curve.max_bytes[i] = demand.largest_frame_bytes;
    return demand;
}

static inline void make_storage(struct dice *dice, struct scenario *s)
{
    size_t count = (size_t)between(dice, 1, POINTS_MAX);
    double rate = real(dice, 5e6, 1.2e9), latency_s = real(dice, 0.0001, 0.02);
    int32_t readers = 1;
    for (size_t i = 0; i < count; i++) {
        rate = floor(rate * 8) / 8;
        s->points[i] = steady_point(readers, rate, real(dice, 0, 1));
        s->points[i].latency_p50_s = latency_s;
        readers *= 2;
        rate *= between(dice, 0, 1) ? real(dice, 0.96, 1.03) : real(dice, 0.4, 2);
    }
    s->storage = measured(s->points, count);
    s->storage.constant = between(dice, 0, 3) == 0;
}

static inline void make_player(struct dice *dice, sc_player *player)
{
    *player = (sc_player){.block_bytes = 65536 << between(dice, 0, 6),
                          .in_flight = (int32_t)between(dice, 1, 8),
                          .read_ahead_s = real(dice, 0.1, 10),
                          .mode = between(dice, 0, 4) ? SC_READ_BLOCK : SC_READ_FRAME};
    if (between(dice, 0, 5) == 0)
        player->buffer_cap_bytes = player->block_bytes * (player->in_flight + between(dice, 1, 40));
    assert_int_equal(sc_player_resolve(player, NULL), SC_OK);
}

/* In place, since its parts point at each other. */
static inline void make_scenario(struct dice *dice, struct scenario *s)
{
    memset(s, 0, sizeof *s);
    make_storage(dice, s);
    s->link = link_of("10gbe");
    s->link.payload_bits_per_s = between(dice, 50000000, 20000000000);
    s->link.rtt_s = between(dice, 0, 1) ? 0 : real(dice, 0, 0.03);
    for (size_t i = 0; i < SCI_COUNT(s->demands); i++)
        s->demands[i] = between(dice, 0, 1) ? bursty(dice) : constant(dice);
    s->params = (sc_plan_params){.demands = s->demands, .demand_count = 1, .draws = -1};
    int64_t parts = between(dice, 0, 2);
    s->params.storage = parts == 1 ? NULL : &s->storage;
    s->params.link = parts == 0 ? NULL : &s->link;
    make_player(dice, &s->params.player);
    s->params.warm_start = between(dice, 0, 2) == 0;
    s->params.reserve = between(dice, 0, 2) ? 0 : real(dice, 0, 0.5);
}

static inline bool admits(const sc_plan_params *params, const int64_t *counts)
{
    bool admitted;
    sc_error error = {0};
    if (sc_plan_admits(params, counts, &admitted, NULL, &error) != SC_OK)
        fail_msg("%s", error.message);
    return admitted;
}

#endif
