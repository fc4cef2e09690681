/* Throughput beyond the last point: laws are found again in curves that were made by them, and what
   is carried on stays near the truth or says that it is a lower bound. */
#include "plan_scenarios.h"

#include <math.h>

enum { CURVES = 2000, DOUBLINGS_MAX = 8 };

/* n / X(n) = a + b (n - 1) + c n (n - 1) */
struct truth {
    sc_supply_law law;
    double a, b, c;
};

struct curve {
    sc_supply_point points[DOUBLINGS_MAX];
    sc_storage storage;
    sci_law law;
};

static double true_rate(const struct truth *truth, double n)
{
    return n / (truth->a + truth->b * (n - 1) + truth->c * n * (n - 1));
}

static struct truth truth_of(sc_supply_law law, struct dice *dice)
{
    const double a = 1 / real(dice, 5e6, 1e9);
    switch (law) {
    case SC_LAW_LATENCY:
        return (struct truth){law, a, 0, 0};
    case SC_LAW_SEEK: /* b/R = a, t = (b - a) block */
        return (struct truth){law, a, a * real(dice, 1.3, 20), 0};
    case SC_LAW_CONTENTION:
        return (struct truth){law, a, a * real(dice, 0.05, 0.7), 0};
    default:
        return (struct truth){law, a, a * real(dice, 0, 0.7), a * real(dice, 0.003, 0.1)};
    }
}

/* Points of 1, 2, 4, ... readers, each off by up to the noise. */
static void measure(struct curve *curve, const struct truth *truth, size_t count, double noise,
                    struct dice *dice)
{
    for (size_t i = 0; i < count; i++) {
        const int32_t n = 1 << i;
        const double rate = true_rate(truth, n) * real(dice, 1 - noise, 1 + noise);
        curve->points[i] = steady_point(n, rate, 0.8);
    }
    curve->storage = measured(curve->points, count);
    curve->law = sci_law_find(&curve->storage);
}

static double carried_rate(const struct curve *curve, int64_t n, bool *capped)
{
    const sc_supply_point *last = &curve->points[curve->storage.point_count - 1];
    return last->mean_bytes_per_s * sci_law_part(&curve->law, n, capped);
}

static void a_law_is_found_in_its_own_curve(void **state)
{
    struct dice dice = {1};
    int found[SC_LAW_COHERENCY + 1] = {0};
    (void)state;
    for (int i = 0; i < CURVES; i++)
        for (sc_supply_law law = SC_LAW_LATENCY; law <= SC_LAW_COHERENCY; law++) {
            struct curve curve;
            const struct truth truth = truth_of(law, &dice);
            measure(&curve, &truth, 6, 0, &dice);
            assert_int_not_equal(curve.law.kind, SC_LAW_NONE);
            found[law] += curve.law.kind == law;
        }
    /* Some are flat, or near to a law of fewer parameters. */
    assert_int_equal(found[SC_LAW_LATENCY], CURVES);
    for (sc_supply_law law = SC_LAW_SEEK; law <= SC_LAW_COHERENCY; law++)
        if (found[law] < CURVES * 7 / 10)
            fail_msg("%s: %d of %d", sc_supply_law_name(law), found[law], CURVES);
}

struct miss {
    int points, above; /* of more than 10 % */
    double before;
};

static void look_beyond(const struct curve *curve, const struct truth *truth, int64_t n,
                        struct miss *miss)
{
    bool capped;
    const double rate = carried_rate(curve, n, &capped);
    const double ratio = rate / true_rate(truth, (double)n);
    miss->points++;
    miss->above += ratio > 1.1;
    if (ratio < 0.9 && !capped)
        fail_msg("%s by %s: %.3f at %d of %d", sc_supply_law_name(truth->law),
                 sc_supply_law_name(curve->law.kind), ratio, (int)n, (int)curve->law.last);
    assert_true(rate <= miss->before);
    miss->before = rate;
}

/* Noise of 2 %: no law promises more than 10 % above the truth, and none less than 10 % below it but
   as a lower bound. A flat curve can be the top of one that falls. */
static void what_is_carried_on_stays_near_the_truth(void **state)
{
    struct dice dice = {2};
    struct miss misses[SC_LAW_COHERENCY + 1] = {0};
    (void)state;
    for (int i = 0; i < 4 * CURVES; i++) {
        struct curve curve;
        const struct truth truth = truth_of(
            (sc_supply_law)between(&dice, SC_LAW_LATENCY, SC_LAW_COHERENCY), &dice);
        measure(&curve, &truth, (size_t)between(&dice, 3, 7), 0.02, &dice);
        struct miss *miss = &misses[curve.law.kind];
        miss->before = HUGE_VAL;
        for (int64_t n = curve.law.last + 1; n <= 4 * curve.law.last && n <= curve.law.reach; n++)
            look_beyond(&curve, &truth, n, miss);
    }
    assert_int_equal(misses[SC_LAW_NONE].points, 0);
    for (sc_supply_law law = SC_LAW_FLAT; law <= SC_LAW_COHERENCY; law++) {
        assert_true(misses[law].points > 10000);
        if (misses[law].above > (law == SC_LAW_FLAT ? misses[law].points / 200 : 0))
            fail_msg("%s: %d of %d", sc_supply_law_name(law), misses[law].above,
                     misses[law].points);
    }
}

static void what_fits_no_law_is_not_carried_on(void **state)
{
    static const struct {
        double rates[6];
        size_t count;
    } curves[] = {{{100e6, 200e6, 400e6, 110e6}, 4},                /* a cliff */
                  {{100e6, 200e6, 300e6, 300e6}, 4},                /* a wall */
                  {{100e6, 140e6, 100e6, 140e6, 100e6, 140e6}, 6},  /* to and fro */
                  {{100e6, 100e6, 100e6, 100e6, 100e6, 70e6}, 6},   /* flat, but for the last */
                  {{50e6, 120e6, 300e6, 800e6, 2000e6, 5000e6}, 6}, /* more than its part each */
                  {{400e6, 100e6, 90e6}, 3},                        /* a seeking disk, too short */
                  {{100e6, 180e6, 300e6, 450e6}, 4}, /* contention, too short to tell its top */
                  {{100e6, 200e6}, 2},
                  {{100e6}, 1},
                  {{0, 0, 0, 0, 0, 0}, 6}};
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(curves); i++) {
        sc_supply_point points[6];
        for (size_t p = 0; p < curves[i].count; p++)
            points[p] = steady_point(1 << p, curves[i].rates[p], 0.8);
        const sc_storage storage = measured(points, curves[i].count);
        const sci_law law = sci_law_find(&storage);
        if (law.kind != SC_LAW_NONE || law.reach != law.last)
            fail_msg("curve %d: %s", (int)i, sc_supply_law_name(law.kind));
    }
}

static sc_plan *plan_beyond(struct curve *curve, const char *rate, const sc_link *link)
{
    static sc_demand demand;
    demand = stream(rate);
    const sc_plan_params params = {
        .demands = &demand, .demand_count = 1, .storage = &curve->storage, .link = link};
    sc_plan *plan = solve(&params);
    assert_edge(&params, &plan->answers[0]);
    return plan;
}

/* 1 MiB at 200 MB/s and 10 ms between readers: 1, 2, 4, 8 of them get 200, 102, 82, 75 MB/s. */
static void a_seeking_disk_is_carried_on_to_its_limit(void **state)
{
    const double block = 1048576;
    const struct truth truth = {SC_LAW_SEEK, 1 / 200e6, 1 / 200e6 + 0.01 / block, 0};
    struct dice dice = {3};
    struct curve curve;
    (void)state;
    measure(&curve, &truth, 4, 0, &dice);
    for (size_t i = 0; i < 4; i++) /* the rate alone shall bind */
        curve.points[i] = steady_point(1 << i, curve.points[i].mean_bytes_per_s, 1);
    sc_plan *plan = plan_beyond(&curve, "40Mb/s", NULL);
    const sc_answer *answer = &plan->answers[0];
    /* 14 need 70 of 72.2 MB/s, and 15 need 75. */
    assert_true(14 * 5e6 <= true_rate(&truth, 14) && 15 * 5e6 > true_rate(&truth, 15));
    assert_int_equal(answer->safe, 14);
    assert_true(answer->extrapolated && !answer->at_least);
    assert_int_equal(answer->limit.kind, SC_LIMIT_RATE);
    assert_int_equal(plan->law, SC_LAW_SEEK);
    assert_string_equal(finding(plan, "extrapolated")->message,
                        "beyond 8 readers, the most that were measured, throughput is taken to go "
                        "on falling as that of a disk that seeks from reader to reader");
    sc_plan_free(&plan);
    /* Four times as far as was measured, and no farther. */
    plan = plan_beyond(&curve, "8Mb/s", NULL);
    assert_int_equal(plan->answers[0].safe, 32);
    assert_true(plan->answers[0].at_least);
    sc_plan_free(&plan);
    /* Within what was measured no law is asked. */
    plan = plan_beyond(&curve, "200Mb/s", NULL);
    assert_null(finding(plan, "extrapolated"));
    assert_int_equal(plan->law, SC_LAW_SEEK);
    sc_plan_free(&plan);
}

/* Each reader waits for 20 MB/s of its own: so do more of them, but nobody saw more than 160. */
static void what_rises_gives_lower_bounds(void **state)
{
    const struct truth truth = {SC_LAW_LATENCY, 1 / 20e6, 0, 0};
    const sc_link link = link_of("100MB/s");
    struct dice dice = {4};
    struct curve curve;
    (void)state;
    measure(&curve, &truth, 4, 0, &dice);
    sc_plan *plan = plan_beyond(&curve, "80Mb/s", NULL);
    const sc_answer *answer = &plan->answers[0];
    assert_int_equal(plan->law, SC_LAW_LATENCY);
    assert_true(answer->safe > 8 && answer->safe <= answer->naive);
    assert_int_equal(answer->naive, 16);
    assert_true(answer->at_least && answer->extrapolated);
    assert_int_equal(answer->limit.kind, SC_LIMIT_NONE);
    assert_int_equal(answer->limit.streams, answer->safe + 1);
    sc_plan_free(&plan);
    /* A link is a limit. */
    plan = plan_beyond(&curve, "80Mb/s", &link);
    answer = &plan->answers[0];
    assert_int_equal(answer->safe, 10);
    assert_true(answer->extrapolated && !answer->at_least);
    assert_string_equal(answer->limit.resource, "link");
    sc_plan_free(&plan);
}

static void a_flat_curve_says_when_it_goes_far(void **state)
{
    struct curve curve;
    (void)state;
    for (size_t i = 0; i < 3; i++)
        curve.points[i] = steady_point(1 << i, 100e6, 1);
    curve.storage = measured(curve.points, 3);
    sc_plan *plan = plan_beyond(&curve, "60Mb/s", NULL);
    assert_int_equal(plan->law, SC_LAW_FLAT);
    assert_int_equal(plan->answers[0].safe, 13);
    assert_int_equal(finding(plan, "extrapolated")->severity, SC_SEVERITY_NOTE);
    sc_plan_free(&plan);
    plan = plan_beyond(&curve, "20Mb/s", NULL);
    assert_true(plan->answers[0].safe > 16);
    assert_int_equal(finding(plan, "extrapolated")->severity, SC_SEVERITY_WARNING);
    sc_plan_free(&plan);
}

/* S_n(W) keeps its share of X(n) W. */
static void windows_keep_their_share(void **state)
{
    const struct truth truth = {SC_LAW_SEEK, 1e-8, 3e-8, 0};
    struct dice dice = {5};
    struct curve curve;
    sci_supply supply;
    (void)state;
    measure(&curve, &truth, 5, 0, &dice);
    assert_int_equal(sci_supply_init(&supply, &curve.storage, NULL, 0, NULL), SC_OK);
    for (int64_t n = 17; n <= 64; n++) {
        sci_supply_at at;
        assert_true(sci_supply_seek(&supply, n, &at));
        const double rate = (double)at.bits_per_s / 8;
        assert_true(fabs(rate / true_rate(&truth, (double)n) - 1) < 1e-6);
        for (double window_s = 0.02; window_s < 20; window_s *= 2)
            assert_true(sci_supply_window(&at, window_s).bytes <= 0.8 * rate * window_s + 1);
        assert_true(fabs(sci_supply_window(&at, 1).bytes / (0.8 * rate) - 1) < 1e-6);
    }
    sci_supply_at at;
    assert_false(sci_supply_seek(&supply, 65, &at));
}

static void laws_have_names(void **state)
{
    (void)state;
    for (sc_supply_law law = SC_LAW_NONE; law <= SC_LAW_COHERENCY; law++)
        assert_int_equal(sc_supply_law_from_name(sc_supply_law_name(law)), law);
    assert_int_equal(sc_supply_law_from_name("gravity"), SC_LAW_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_law_is_found_in_its_own_curve),
        cmocka_unit_test(what_is_carried_on_stays_near_the_truth),
        cmocka_unit_test(what_fits_no_law_is_not_carried_on),
        cmocka_unit_test(a_seeking_disk_is_carried_on_to_its_limit),
        cmocka_unit_test(what_rises_gives_lower_bounds),
        cmocka_unit_test(a_flat_curve_says_when_it_goes_far),
        cmocka_unit_test(windows_keep_their_share),
        cmocka_unit_test(laws_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
