/* The likely count: its probability is kept in play that is drawn, and it is worth asking for. */
#include "plan_scenarios.h"

#include <math.h>

enum { FRAMES = 1500, GROUP = 12, DRAWS = 400, STREAMS_MOST = 200 };
static const double FPS = 25;

/* A clip of a minute, its windows counted where it is looped. */
struct clip {
    int64_t bytes[FRAMES];
    int64_t up_to[3 * FRAMES + 1]; /* three loops */
    sc_demand demand;
};

static void finish(struct clip *clip)
{
    static const double windows[] = {0.04, 0.1, 0.2, 0.5, 1, 2, 4, 8, 16};
    sc_curve curve = {.count = SCI_COUNT(windows)};
    int64_t largest = 0;
    for (int i = 0; i < 3 * FRAMES; i++)
        clip->up_to[i + 1] = clip->up_to[i] + clip->bytes[i % FRAMES];
    for (int w = 0; w < curve.count; w++) {
        const int frames = (int)(windows[w] * FPS + 1e-6) + 1;
        curve.window_s[w] = windows[w];
        for (int i = 0; i < FRAMES; i++) {
            const int64_t due = clip->up_to[i + frames] - clip->up_to[i];
            curve.max_bytes[w] = due > curve.max_bytes[w] ? due : curve.max_bytes[w];
        }
    }
    for (int i = 0; i < FRAMES; i++)
        largest = clip->bytes[i] > largest ? clip->bytes[i] : largest;
    const int64_t rate = (int64_t)((double)clip->up_to[FRAMES] * 8 * FPS / FRAMES);
    clip->demand = (sc_demand){.name = "clip",
                               .clip = "clip.mov",
                               .mean_bits_per_s = rate,
                               .bits_per_s = rate,
                               .largest_frame_bytes = largest,
                               .frame_rate = {25, 1},
                               .duration_s = FRAMES / FPS,
                               .curve = curve,
                               .trace = {.step_s = 1 / FPS, .count = FRAMES, .bytes = clip->bytes}};
}

/* Scenes of half a second to six, each of its own rate; a key frame in twelve takes five times more. */
static void make_long_gop(struct clip *clip, uint64_t seed)
{
    struct dice dice = {seed};
    double rate = 1;
    memset(clip, 0, sizeof *clip);
    for (int i = 0, ends = 0; i < FRAMES; i++) {
        if (i == ends) {
            ends = i + (int)between(&dice, 12, 150);
            rate = exp(real(&dice, -0.9, 0.9));
        }
        clip->bytes[i] = (int64_t)(rate * real(&dice, 3e5, 4e5) * (i % GROUP ? 1 : 5));
    }
    finish(clip);
}

/* Still, but for two seconds of five times the rate. */
static void make_still(struct clip *clip)
{
    memset(clip, 0, sizeof *clip);
    for (int i = 0; i < FRAMES; i++)
        clip->bytes[i] = i < 50 ? 2000000 : 400000;
    finish(clip);
}

static sc_plan *plan_of(const struct clip *clip, const sc_storage *storage, double probability)
{
    const sc_plan_params params = {.demands = &clip->demand,
                                   .demand_count = 1,
                                   .storage = storage,
                                   .player = player_of("normal"),
                                   .likely_probability = probability,
                                   .draws = -1};
    return solve(&params);
}

static sc_answer answer_of(const struct clip *clip, const sc_storage *storage, double probability)
{
    sc_plan *plan = plan_of(clip, storage, probability);
    const sc_answer answer = plan->answers[0];
    sc_plan_free(&plan);
    return answer;
}

static double credit_of(const struct clip *clip)
{
    const sc_player player = player_of("normal");
    return (double)(sc_player_buffer_bytes(&player, clip->demand.bits_per_s,
                                           clip->demand.largest_frame_bytes) -
                    player.block_bytes);
}

/* ---- playing: a minute in steps of a frame, buffers filled as far as a preroll of 1 s goes ---- */

struct player {
    int64_t first; /* frame */
    double level, room;
};

/* Shared equally; what one has no room for goes to the others. */
static void share_out(struct player *players, int n, double bytes)
{
    int active = n;
    while (active > 0 && bytes > 0.5) {
        const double share = bytes / active;
        bytes = active = 0;
        for (int k = 0; k < n; k++) {
            const double taken = fmin(players[k].room, share);
            if (players[k].room <= 0)
                continue;
            players[k].level += taken;
            players[k].room -= taken;
            bytes += share - taken;
            active += players[k].room > 0;
        }
    }
}

static bool has_late_frame(const struct clip *clip, double bytes_per_s, int n, struct dice *dice)
{
    static struct player players[STREAMS_MOST];
    const double credit = credit_of(clip);
    for (int k = 0; k < n; k++)
        players[k] = (struct player){between(dice, 0, FRAMES - 1), fmin(credit, bytes_per_s / n),
                                     0};
    for (int frame = 0; frame < FRAMES; frame++) {
        for (int k = 0; k < n; k++) {
            const double due = (double)clip->bytes[(players[k].first + frame) % FRAMES];
            if (due > players[k].level + 0.5)
                return true;
            players[k].level -= due;
            players[k].room = credit - players[k].level;
        }
        share_out(players, n, bytes_per_s / FPS);
    }
    return false;
}

static double late_share(const struct clip *clip, double bytes_per_s, int64_t n, uint64_t seed)
{
    struct dice dice = {seed};
    int late = 0;
    assert_true(n <= STREAMS_MOST);
    for (int draw = 0; draw < DRAWS; draw++)
        late += has_late_frame(clip, bytes_per_s, (int)n, &dice);
    return (double)late / DRAWS;
}

/* ---- the probability ---- */

static const char *const rates[] = {"150MB/s", "300MB/s", "600MB/s", "1200MB/s"};
enum { CLIPS = 4 };

static void make_clip(struct clip *clip, int i)
{
    if (i)
        make_long_gop(clip, (uint64_t)i);
    else
        make_still(clip);
}

static void the_probability_is_kept_and_more_streams_play(void **state)
{
    static struct clip clip;
    int more = 0;
    (void)state;
    for (int i = 0; i < CLIPS; i++)
        for (size_t r = 0; make_clip(&clip, i), r < SCI_COUNT(rates); r++) {
            struct bare bare;
            const sc_answer answer = answer_of(&clip, bare_rate(&bare, rates[r]), 0);
            const double share = late_share(&clip, bare.point.mean_bytes_per_s, answer.likely, 1);
            assert_true(answer.likely >= answer.safe && answer.likely <= answer.naive);
            if (share > 0.01)
                fail_msg("clip %d at %s: %d were late in %.4f of the draws", i, rates[r],
                         (int)answer.likely, share);
            more += answer.likely > answer.safe;
        }
    assert_true(more >= 8);
}

/* The draws can tell. */
static void what_division_promises_is_late(void **state)
{
    static struct clip clip;
    struct bare bare;
    (void)state;
    for (int i = 0; i < CLIPS; i++) {
        make_clip(&clip, i);
        const sc_answer answer = answer_of(&clip, bare_rate(&bare, rates[0]), 0);
        assert_true(late_share(&clip, bare.point.mean_bytes_per_s, answer.naive, 1) > 0.9);
    }
}

static void a_surer_count_is_no_larger(void **state)
{
    static const double sure[] = {0.5, 0.9, 0.99, 0.9999, 0.999999};
    static struct clip clip;
    struct bare bare;
    const sc_storage *storage = bare_rate(&bare, "600MB/s");
    int64_t before = INT64_MAX;
    (void)state;
    make_long_gop(&clip, 1);
    for (size_t i = 0; i < SCI_COUNT(sure); i++) {
        sc_plan *plan = plan_of(&clip, storage, sure[i]);
        assert_true(plan->likely_probability == sure[i]);
        assert_true(plan->answers[0].likely <= before);
        before = plan->answers[0].likely;
        sc_plan_free(&plan);
    }
    assert_true(before > answer_of(&clip, storage, 0).safe);
    assert_true(answer_of(&clip, storage, 0).likely == answer_of(&clip, storage, 0.99).likely);
}

/* ---- traces ---- */

static void even_streams_have_no_luck(void **state)
{
    static struct clip clip;
    struct bare bare;
    const sc_storage *storage = bare_rate(&bare, "600MB/s");
    (void)state;
    for (int i = 0; i < FRAMES; i++)
        clip.bytes[i] = 400000;
    finish(&clip);
    const sc_answer even = answer_of(&clip, storage, 0);
    assert_int_equal(even.likely, even.safe);
    clip.demand.trace.count = 0;
    assert_int_equal(answer_of(&clip, storage, 0).likely, SC_UNKNOWN);
}

/* Each window takes in all of the steps that it touches. */
static void coarse_steps_promise_less(void **state)
{
    enum { A_STEP = 6 };
    static struct clip clip;
    static int64_t steps[FRAMES / A_STEP];
    (void)state;
    for (int i = 0; i < CLIPS; i++)
        for (size_t r = 0; make_clip(&clip, i), r < SCI_COUNT(rates); r++) {
            struct bare bare;
            const sc_storage *storage = bare_rate(&bare, rates[r]);
            const sc_answer fine = answer_of(&clip, storage, 0);
            for (int k = 0; k < FRAMES / A_STEP; k++)
                steps[k] = clip.up_to[(k + 1) * A_STEP] - clip.up_to[k * A_STEP];
            clip.demand.trace = (sc_trace){A_STEP / FPS, FRAMES / A_STEP, steps, SC_SOURCE_GIVEN};
            const sc_answer coarse = answer_of(&clip, storage, 0);
            assert_true(coarse.likely >= coarse.safe && coarse.likely <= fine.likely);
        }
}

/* ---- any storage, and mixes ---- */

static void it_lies_between_safe_and_naive(void **state)
{
    struct dice dice = {11};
    struct scenario s;
    static struct clip clip;
    int more = 0;
    (void)state;
    for (int i = 0; i < 300; i++) {
        make_scenario(&dice, &s);
        make_clip(&clip, i % CLIPS);
        s.params.demands = &clip.demand;
        sc_plan *plan = solve(&s.params);
        const sc_answer answer = plan->answers[0];
        sc_plan_free(&plan);
        assert_true(answer.safe <= answer.likely && answer.likely <= answer.naive);
        more += answer.likely > answer.safe;
    }
    assert_true(more > 20);
}

static sc_verdict likely_verdict(const sc_plan_params *params, const int64_t *counts)
{
    sc_plan_params asked = *params;
    asked.mix = counts;
    sc_plan *plan = solve(&asked);
    const sc_verdict verdict = plan->mix.likely;
    assert_true(plan->mix.safe != SC_VERDICT_HOLDS || verdict == SC_VERDICT_HOLDS);
    sc_plan_free(&plan);
    return verdict;
}

/* A mix of one clip in two parts is as likely as the clip alone. */
static void mixes_have_odds_too(void **state)
{
    static struct clip clip;
    struct bare bare;
    const sc_storage *storage = bare_rate(&bare, "600MB/s");
    (void)state;
    make_long_gop(&clip, 1);
    const sc_answer answer = answer_of(&clip, storage, 0);
    const sc_demand demands[] = {clip.demand, clip.demand, stream("80Mb/s")};
    const sc_plan_params params = {.demands = demands,
                                   .demand_count = 3,
                                   .storage = storage,
                                   .player = player_of("normal"),
                                   .draws = -1};
    const int64_t part = answer.likely / 3;
    int64_t counts[] = {part, answer.likely - part, 0};
    assert_true(answer.likely > answer.safe);
    assert_int_equal(likely_verdict(&params, counts), SC_VERDICT_HOLDS);
    counts[0]++;
    assert_int_equal(likely_verdict(&params, counts), SC_VERDICT_BREAKS);
    /* What never varies takes its part, and has no odds alone. */
    counts[0] = part - 4;
    counts[2] = 2;
    assert_int_equal(likely_verdict(&params, counts), SC_VERDICT_HOLDS);
    counts[2] = 20;
    assert_int_equal(likely_verdict(&params, counts), SC_VERDICT_BREAKS);
    counts[0] = counts[1] = 0;
    counts[2] = 1000;
    assert_int_equal(likely_verdict(&params, counts), SC_VERDICT_UNKNOWN);
}

/* Ranges of streams are cleared at once only where each of their numbers holds. */
static void ranges_hold_as_their_numbers_do(void **state)
{
    static struct clip clips[2];
    struct dice dice = {12};
    int held = 0, late = 0;
    (void)state;
    make_still(&clips[0]);
    make_long_gop(&clips[1], 1);
    const sc_demand demands[] = {clips[0].demand, clips[1].demand, stream("80Mb/s")};
    for (int i = 0; i < 300; i++) {
        sci_mix mix = {0};
        sci_odds odds;
        sci_arena *arena = sci_arena_new();
        const int64_t counts[] = {between(&dice, 1, 20), between(&dice, 1, 20),
                                  between(&dice, 0, 2)};
        const int64_t total = counts[0] + counts[1] + counts[2];
        double needed = 0;
        for (int k = 0; k < 3; k++)
            needed += (double)(counts[k] * demands[k].bits_per_s) / 8;
        sc_supply_point points[7];
        for (int k = 0; k < 7; k++)
            points[k] = steady_point(1 << k, needed * real(&dice, 1.1, 2), 0.98);
        const sc_storage storage = measured(points, 7);
        const sc_plan_params params = {.demands = demands,
                                       .demand_count = 3,
                                       .storage = &storage,
                                       .player = player_of("normal")};
        assert_int_equal(sci_plan_prepare(&params, &mix, NULL), SC_OK);
        assert_int_equal(sci_mix_init(&mix, demands, 3, counts, arena, NULL), SC_OK);
        assert_true(sci_odds_make(&odds, &mix, 0.99, arena));
        const bool safe = sci_mix_admits(&mix, total, NULL);
        mix.odds = &odds;
        bool each = true;
        for (int64_t n = 1; n <= total && each; n++)
            each = sci_mix_holds_at(&mix, n, NULL);
        assert_int_equal(sci_mix_admits(&mix, total, NULL), each);
        assert_true(each || !safe);
        held += each && !safe;
        late += !each;
        sci_arena_free(&arena);
    }
    assert_true(held > 5 && late > 30);
}

static void an_impossible_probability_is_refused(void **state)
{
    static const double odd[] = {-0.5, 0.4999, 1, 1e9, NAN, INFINITY};
    struct bare bare;
    const sc_demand demand = stream("80Mb/s");
    sc_plan_params params = {
        .demands = &demand, .demand_count = 1, .storage = bare_rate(&bare, "100MB/s")};
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(odd); i++) {
        sc_plan *plan = NULL;
        sc_error error = {0};
        params.likely_probability = odd[i];
        assert_int_equal(sc_plan_solve(&params, &plan, &error), SC_INVALID_ARGUMENT);
        assert_non_null(strstr(error.message, "likely"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_probability_is_kept_and_more_streams_play),
        cmocka_unit_test(what_division_promises_is_late),
        cmocka_unit_test(a_surer_count_is_no_larger),
        cmocka_unit_test(even_streams_have_no_luck),
        cmocka_unit_test(coarse_steps_promise_less),
        cmocka_unit_test(it_lies_between_safe_and_naive),
        cmocka_unit_test(mixes_have_odds_too),
        cmocka_unit_test(ranges_hold_as_their_numbers_do),
        cmocka_unit_test(an_impossible_probability_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
