/* Arrival curves and required rates of hand-made frames, and against brute force. */
#include "test.h"

#include "probe/arrival.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const int64_t S = SCI_FLICKS;
enum { FRAMES_MAX = 1000000 };

struct made {
    sci_frames frames;
    sci_arena *arena;
    sci_arrival arrival;
};

static int64_t due_at(size_t k, int64_t num, int64_t den)
{
    return (int64_t)llround((double)k * (double)den / (double)num * (double)S);
}

/* count frames of `bytes` each at a constant rate. */
static struct made constant_frames(size_t count, int64_t bytes, int64_t num, int64_t den)
{
    struct made made = {.arena = sci_arena_new()};
    made.frames = (sci_frames){
        calloc(count, sizeof(sci_frame)), count, due_at(count, num, den), {num, den}};
    assert_non_null(made.arena);
    assert_non_null(made.frames.items);
    for (size_t k = 0; k < count; k++)
        made.frames.items[k] = (sci_frame){due_at(k, num, den), bytes};
    return made;
}

static void compute(struct made *made)
{
    assert_int_equal(sci_arrival_compute(&made->frames, made->arena, NULL, &made->arrival), SC_OK);
}

static void dispose(struct made *made)
{
    free(made->frames.items);
    sci_arena_free(&made->arena);
}

static int window_index(const sc_curve *curve, double window_s)
{
    for (int i = 0; i < curve->count; i++)
        if (fabs(curve->window_s[i] - window_s) < 1e-6)
            return i;
    return -1;
}

static int64_t most(const sci_arrival *arrival, double window_s)
{
    int i = window_index(&arrival->curve, window_s);
    assert_true(i >= 0);
    return arrival->curve.max_bytes[i];
}

static int64_t trace_sum(const sc_trace *trace)
{
    int64_t sum = 0;
    for (size_t i = 0; i < trace->count; i++)
        sum += trace->bytes[i];
    return sum;
}

static void a_constant_clip_has_one_rate(void **state)
{
    static const struct {
        size_t count;
        int64_t num, den;
    } cases[] = {{2500, 25, 1}, {3600, 24000, 1001}, {3000, 30000, 1001}, {9000, 60000, 1001},
                 {10, 25, 1},   {20, 14587, 1000},   {5000, 14587, 1000}};
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(cases); i++) {
        struct made made = constant_frames(cases[i].count, 917504, cases[i].num, cases[i].den);
        compute(&made);
        int64_t rate = llround(917504. * 8 * (double)cases[i].num / (double)cases[i].den);
        assert_int_equal(made.arrival.mean_bits_per_s, rate);
        assert_int_equal(made.arrival.busiest_60s_bits_per_s, rate);
        assert_int_equal(made.arrival.peak_1s_bits_per_s, rate);
        assert_int_equal(made.arrival.largest_frame_bytes, 917504);
        assert_int_equal(trace_sum(&made.arrival.trace), (int64_t)cases[i].count * 917504);
        dispose(&made);
    }
}

static void closed_windows_hold_one_frame_more(void **state)
{
    struct made made = constant_frames(500, 1000, 25, 1);
    const sc_curve *curve = &made.arrival.curve;
    static const double windows[] = {0.02, 0.04, 0.05, 0.1, 0.2, 0.5, 1, 2, 4, 8, 16, 20};
    (void)state;
    compute(&made);
    assert_int_equal(curve->count, SCI_COUNT(windows));
    for (int i = 0; i < curve->count; i++) {
        int64_t frames = (int64_t)floor(windows[i] * 25 + 1e-9) + 1;
        frames = frames > 500 ? 500 : frames;
        assert_true(fabs(curve->window_s[i] - windows[i]) < 1e-9);
        assert_int_equal(curve->max_bytes[i], frames * 1000);
        assert_true(fabs(curve->mean_bytes[i] - (double)frames * 1000) < 1e-6);
        assert_true(curve->stdev_bytes[i] < 1e-6);
    }
    dispose(&made);
    made = constant_frames(3000, 1000, 30000, 1001);
    compute(&made);
    assert_int_equal(most(&made.arrival, 1), 30 * 1000);
    assert_int_equal(most(&made.arrival, 1001. / 30000), 2 * 1000);
    dispose(&made);
}

static void windows_longer_than_the_file_are_left_out(void **state)
{
    struct made made = constant_frames(1, 5000, 25, 1);
    const sc_curve *curve = &made.arrival.curve;
    (void)state;
    compute(&made);
    assert_int_equal(curve->count, 2);
    assert_true(fabs(curve->window_s[0] - 0.02) < 1e-9);
    assert_true(fabs(curve->window_s[1] - 0.04) < 1e-9);
    assert_int_equal(curve->max_bytes[1], 5000);
    assert_int_equal(made.arrival.mean_bits_per_s, 1000000);
    assert_int_equal(made.arrival.peak_1s_bits_per_s, 1000000);
    assert_int_equal(made.arrival.trace.count, 1);
    /* 5000 bytes from a bucket of 0.2 s are 200,000 bits a second: less than it takes in a loop. */
    assert_int_equal(made.arrival.required[0].bits_per_s, 1000000);
    dispose(&made);
}

/* A header may say that a frame lasts a nanosecond. */
static void a_clip_of_next_to_no_length_has_all_figures(void **state)
{
    static const int64_t lengths[] = {1, 704, 705, 706, 1411, 1412};
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(lengths); i++) {
        struct made made = constant_frames(1, 1000, 25, 1);
        made.frames.rate = (sc_rational){0, 0};
        made.frames.duration = lengths[i];
        compute(&made);
        assert_int_equal(made.arrival.curve.count, 1);
        assert_int_equal(made.arrival.curve.max_bytes[0], 1000);
        assert_int_equal(made.arrival.trace.count, 1);
        assert_int_equal(made.arrival.trace.bytes[0], 1000);
        dispose(&made);
    }
}

static void one_burst(void **state)
{
    /* 10 s of 1000 bytes a frame with one frame of a million. */
    struct made made = constant_frames(250, 1000, 25, 1);
    (void)state;
    made.frames.items[100].bytes = 1000000;
    compute(&made);
    assert_int_equal(made.arrival.largest_frame_bytes, 1000000);
    assert_int_equal(most(&made.arrival, 0.02), 1000000);
    assert_int_equal(most(&made.arrival, 1), 1000000 + 25 * 1000);
    assert_int_equal(made.arrival.peak_1s_bits_per_s, 8 * (1000000 + 24 * 1000));
    assert_int_equal(made.arrival.busiest_60s_bits_per_s, made.arrival.mean_bits_per_s);
    /* The burst alone decides, at 0.2 s of prefill and at 10 s. */
    assert_int_equal(made.arrival.required[0].bits_per_s, 40000000);
    /* 800,000 at 10 s, but 998,000 in the long run. */
    assert_int_equal(made.arrival.required[5].bits_per_s, made.arrival.mean_bits_per_s);
    /* Windows of 1 s that hold the burst: 26 of the 225 that lie within the file. */
    int i = window_index(&made.arrival.curve, 1);
    assert_true(fabs(made.arrival.curve.mean_bytes[i] - (26000 + 999000. * 26 / 225)) < 0.01);
    double share = 26. / 225;
    assert_true(fabs(made.arrival.curve.stdev_bytes[i] - 999000 * sqrt(share * (1 - share))) < 0.1);
    dispose(&made);
}

static void a_long_gop_needs_more_than_its_mean(void **state)
{
    /* 25 frames a GOP: one of 500,000 and 24 of 20,000 bytes: 980,000 a second. */
    struct made made = constant_frames(2500, 20000, 25, 1);
    (void)state;
    for (size_t k = 0; k < 2500; k += 25)
        made.frames.items[k].bytes = 500000;
    compute(&made);
    assert_int_equal(made.arrival.mean_bits_per_s, 7840000);
    assert_int_equal(made.arrival.busiest_60s_bits_per_s, 7840000);
    assert_int_equal(made.arrival.peak_1s_bits_per_s, 7840000);
    assert_int_equal(made.arrival.required[0].bits_per_s, 20000000);
    /* At 1 s of prefill: (n + 1) x 500,000 + n x 480,000 in n + 1 seconds tends to the mean. */
    assert_int_equal(made.arrival.required[3].bits_per_s, 7840000);
    assert_int_equal(most(&made.arrival, 1), 1480000);
    dispose(&made);
}

static void the_busiest_minute_of_a_longer_clip(void **state)
{
    /* Three minutes of 1 MB/s with a middle minute of 3 MB/s. */
    struct made made = constant_frames(180 * 25, 40000, 25, 1);
    (void)state;
    for (size_t k = 60 * 25; k < 120 * 25; k++)
        made.frames.items[k].bytes = 120000;
    compute(&made);
    assert_int_equal(made.arrival.busiest_60s_bits_per_s, 24000000);
    assert_int_equal(made.arrival.mean_bits_per_s, llround(8e6 * 5 / 3));
    assert_true(made.arrival.trace.count <= SCI_TRACE_MAX);
    assert_true(fabs(made.arrival.trace.step_s - 0.08) < 1e-9);
    assert_int_equal(trace_sum(&made.arrival.trace), 180LL * 1000000 + 60LL * 2000000);
    dispose(&made);
}

static void variable_rates_have_windows_in_time(void **state)
{
    /* Ten frames within 90 ms, a pause, ten more: 10,000 bytes each, over 10 s. */
    struct made made = constant_frames(20, 10000, 25, 1);
    (void)state;
    made.frames.rate = (sc_rational){0, 0};
    made.frames.duration = 10 * S;
    for (size_t k = 0; k < 20; k++)
        made.frames.items[k].due = (int64_t)(k < 10 ? 0 : 5) * S + (int64_t)(k % 10) * S / 100;
    compute(&made);
    assert_int_equal(most(&made.arrival, 0.1), 100000);
    assert_int_equal(most(&made.arrival, 0.05), 60000);
    assert_int_equal(most(&made.arrival, 4), 100000);
    assert_int_equal(most(&made.arrival, 8), 200000);
    assert_int_equal(made.arrival.peak_1s_bits_per_s, 800000);
    assert_int_equal(made.arrival.mean_bits_per_s, 160000);
    assert_int_equal(trace_sum(&made.arrival.trace), 200000);
    dispose(&made);
}

/* ---- against brute force ---- */

static struct made random_frames(unsigned *seed)
{
    bool constant = rand_r(seed) % 2;
    size_t count = 1 + (size_t)rand_r(seed) % 120;
    struct made made = constant_frames(count, 0, constant && rand_r(seed) % 2 ? 24000 : 25, 1);
    if (made.frames.rate.num == 24000)
        made.frames.rate.den = 1001;
    int64_t due = 0;
    for (size_t k = 0; k < count; k++) {
        made.frames.items[k].due = constant ? due_at(k, made.frames.rate.num, made.frames.rate.den)
                                            : due;
        made.frames.items[k].bytes = rand_r(seed) % 10 ? rand_r(seed) % 5000
                                                       : rand_r(seed) % 500000;
        due += 1 + (rand_r(seed) % 20 ? rand_r(seed) % (S / 10) : rand_r(seed) % (3 * S));
    }
    made.frames.items[0].bytes++;
    made.frames.duration = constant ? due_at(count, made.frames.rate.num, made.frames.rate.den)
                                    : due;
    if (!constant)
        made.frames.rate = (sc_rational){0, 0};
    return made;
}

static int64_t brute_window(const sci_frames *frames, double window_s)
{
    int64_t max = 0, window = llround(window_s * (double)S) + S / 1000000;
    for (size_t i = 0; i < frames->count; i++) {
        int64_t sum = 0;
        for (size_t j = i; j < frames->count; j++)
            if (frames->items[j].due - frames->items[i].due <= window)
                sum += frames->items[j].bytes;
        max = sum > max ? sum : max;
    }
    return max;
}

static double brute_required(const sci_frames *frames, double prefill_s)
{
    double max = 0;
    for (size_t i = 0; i < frames->count; i++) {
        int64_t sum = 0;
        for (size_t j = i; j < frames->count; j++) {
            sum += frames->items[j].bytes;
            double s = (double)(frames->items[j].due - frames->items[i].due) / (double)S +
                       prefill_s;
            max = fmax(max, 8 * (double)sum / s);
        }
    }
    return max;
}

/* Does a bucket that starts full last, by its plain definition? */
static bool bucket_lasts(const sci_frames *frames, double prefill_s, double bits_per_s)
{
    const double capacity = bits_per_s * prefill_s;
    double level = capacity;
    for (size_t k = 0; k < frames->count; k++) {
        int64_t passed = k ? frames->items[k].due - frames->items[k - 1].due : 0;
        level = fmin(capacity, level + bits_per_s * (double)passed / (double)S);
        level -= 8 * (double)frames->items[k].bytes;
        if (level < -1e-3)
            return false;
    }
    return true;
}

static void check_against_brute_force(struct made *made)
{
    int64_t total = 0;
    compute(made);
    for (size_t k = 0; k < made->frames.count; k++)
        total += made->frames.items[k].bytes;
    const sc_curve *curve = &made->arrival.curve;
    for (int i = 0; i < curve->count; i++) {
        assert_int_equal(curve->max_bytes[i], brute_window(&made->frames, curve->window_s[i]));
        assert_true(i == 0 || curve->window_s[i] > curve->window_s[i - 1]);
        assert_true(curve->mean_bytes[i] <= (double)curve->max_bytes[i] + 1e-6);
    }
    assert_int_equal(curve->max_bytes[curve->count - 1], total);
    assert_int_equal(trace_sum(&made->arrival.trace), total);
    for (int i = 0; i < SC_REQUIRED_COUNT; i++) {
        const sc_required *required = &made->arrival.required[i];
        double bucket = brute_required(&made->frames, required->prefill_s);
        double busiest = (double)made->arrival.busiest_60s_bits_per_s;
        double exact = bucket > busiest ? bucket : busiest;
        assert_true((double)required->bits_per_s >= exact - 1e-3);
        assert_true((double)required->bits_per_s < exact + 1.001);
        assert_true(bucket_lasts(&made->frames, required->prefill_s, (double)required->bits_per_s));
        assert_false(bucket_lasts(&made->frames, required->prefill_s, bucket * 0.999 - 1));
    }
}

static void random_frames_equal_brute_force(void **state)
{
    unsigned seed = 20261130;
    (void)state;
    for (int i = 0; i < 300; i++) {
        struct made made = random_frames(&seed);
        check_against_brute_force(&made);
        dispose(&made);
    }
}

static struct made even_frames(unsigned *seed)
{
    static const sc_rational rates[] = {{25, 1},       {24000, 1001}, {30000, 1001},
                                        {60000, 1001}, {50, 1},       {48000, 2048}};
    const sc_rational rate = rates[(unsigned)rand_r(seed) % SCI_COUNT(rates)];
    const size_t count = 3 + (size_t)rand_r(seed) % 400;
    struct made made = constant_frames(count, 1 + rand_r(seed) % 100000, rate.num, rate.den);
    if (rand_r(seed) % 2)
        made.frames.items[count - 1].bytes = rand_r(seed) % (int)made.frames.items[0].bytes;
    return made;
}

/* Three flicks are no even distance, but within the same instant. */
static void check_against_uneven(struct made *even)
{
    struct made uneven = {.arena = sci_arena_new(), .frames = even->frames};
    uneven.frames.items[1].due += 3;
    compute(&uneven);
    uneven.frames.items[1].due -= 3;
    const sci_arrival *a = &even->arrival, *b = &uneven.arrival;
    assert_int_equal(a->mean_bits_per_s, b->mean_bits_per_s);
    assert_int_equal(a->peak_1s_bits_per_s, b->peak_1s_bits_per_s);
    assert_int_equal(a->busiest_60s_bits_per_s, b->busiest_60s_bits_per_s);
    assert_int_equal(a->curve.count, b->curve.count);
    for (int i = 0; i < a->curve.count; i++) {
        assert_int_equal(a->curve.max_bytes[i], b->curve.max_bytes[i]);
        assert_true(fabs(a->curve.mean_bytes[i] - b->curve.mean_bytes[i]) < 1e-6);
        assert_true(fabs(a->curve.stdev_bytes[i] - b->curve.stdev_bytes[i]) < 1e-3);
    }
    for (int i = 0; i < SC_REQUIRED_COUNT; i++)
        assert_true(llabs(a->required[i].bits_per_s - b->required[i].bits_per_s) <= 1);
    sci_arena_free(&uneven.arena);
}

static void even_frames_equal_brute_force(void **state)
{
    unsigned seed = 20261202;
    (void)state;
    for (int i = 0; i < 200; i++) {
        struct made made = even_frames(&seed);
        check_against_brute_force(&made);
        check_against_uneven(&made);
        dispose(&made);
    }
}

static void a_million_frames_are_quick(void **state)
{
    unsigned seed = 7;
    struct made made = constant_frames(FRAMES_MAX, 0, 60000, 1001);
    struct timespec start, end;
    (void)state;
    for (size_t k = 0; k < FRAMES_MAX; k++)
        made.frames.items[k].bytes = 1000 + rand_r(&seed) % 1000000;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
    compute(&made);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    double seconds = (double)(end.tv_sec - start.tv_sec) +
                     (double)(end.tv_nsec - start.tv_nsec) / 1e9;
    print_message("1000000 frames in %.3f s of CPU time\n", seconds);
    /* Ten times what a debug build needs: this is about the order of growth. */
    assert_true(seconds < 10);
    assert_true(made.arrival.trace.count <= SCI_TRACE_MAX);
    dispose(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_constant_clip_has_one_rate),
        cmocka_unit_test(closed_windows_hold_one_frame_more),
        cmocka_unit_test(windows_longer_than_the_file_are_left_out),
        cmocka_unit_test(a_clip_of_next_to_no_length_has_all_figures),
        cmocka_unit_test(one_burst),
        cmocka_unit_test(a_long_gop_needs_more_than_its_mean),
        cmocka_unit_test(the_busiest_minute_of_a_longer_clip),
        cmocka_unit_test(variable_rates_have_windows_in_time),
        cmocka_unit_test(random_frames_equal_brute_force),
        cmocka_unit_test(even_frames_equal_brute_force),
        cmocka_unit_test(a_million_frames_are_quick),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
