/* The parts that long work is made of: sorting, stopping, findings, the choice of the main track. */
#include "test.h"

#include "probe/media.h"

#include <stdlib.h>
#include <string.h>

struct item {
    int64_t key;
    size_t place;
};

static int by_key(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    return x->key < y->key ? -1 : x->key > y->key;
}

static struct item *scrambled(size_t count, uint64_t seed)
{
    struct item *items = calloc(count + 1, sizeof *items);
    assert_non_null(items);
    for (size_t i = 0; i < count; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        items[i] = (struct item){(int64_t)(seed >> 40) % 5000, i};
    }
    return items;
}

static void sorting_puts_everything_in_order(void **state)
{
    static const size_t counts[] = {0, 1, 2, 100, 32767, 32768, 32769, 65536, 98305, 300000};
    (void)state;
    for (size_t k = 0; k < SCI_COUNT(counts); k++) {
        size_t count = counts[k], places = 0;
        struct item *items = scrambled(count, k);
        assert_true(sci_sort(items, count, sizeof *items, by_key, NULL));
        for (size_t i = 0; i < count; i++) {
            assert_true(i == 0 || items[i - 1].key <= items[i].key);
            places += items[i].place;
        }
        assert_int_equal(places, count ? count * (count - 1) / 2 : 0);
        free(items);
    }
}

struct patience {
    int asked, most;
};

static bool out_of_patience(void *opaque)
{
    struct patience *patience = opaque;
    return ++patience->asked > patience->most;
}

static void sorting_can_be_stopped(void **state)
{
    struct patience patience = {0, 12};
    const sci_stop stop = {out_of_patience, &patience};
    struct item *items = scrambled(300000, 7);
    (void)state;
    assert_false(sci_sort(items, 300000, sizeof *items, by_key, &stop));
    assert_int_equal(patience.asked, 13);
    patience = (struct patience){0, 1000};
    assert_true(sci_sort(items, 300000, sizeof *items, by_key, &stop));
    assert_true(patience.asked > 12);
    free(items);
}

static void the_arrival_curve_can_be_stopped_at_every_pass(void **state)
{
    enum { FRAMES = 500 };
    sci_frame items[FRAMES];
    sci_arena *arena = sci_arena_new();
    sci_arrival arrival;
    sc_status status = SC_CANCELLED;
    int stops = -1;
    (void)state;
    for (int k = 0; k < FRAMES; k++)
        items[k] = (sci_frame){k * (int64_t)(SCI_FLICKS / 25), 1000 + k % 7};
    const sci_frames frames = {items, FRAMES, FRAMES * (int64_t)(SCI_FLICKS / 25), {25, 1}};
    while (status == SC_CANCELLED) {
        struct patience patience = {0, ++stops};
        const sci_stop stop = {out_of_patience, &patience};
        status = sci_arrival_compute(&frames, arena, &stop, &arrival);
    }
    assert_int_equal(status, SC_OK);
    assert_true(stops > SC_REQUIRED_COUNT + 10);
    sci_arena_free(&arena);
}

static void a_lost_finding_is_remembered(void **state)
{
    sci_findings findings = {.arena = sci_arena_new()};
    (void)state;
    assert_non_null(findings.arena);
    assert_true(sci_finding_add(&findings, "one", SC_SEVERITY_NOTE, "%d", 1));
    assert_false(findings.no_memory);
    size_t count = findings.count, capacity = findings.capacity;
    findings.count = findings.capacity = SIZE_MAX / 4; /* room for more is not to be had */
    assert_false(sci_finding_add(&findings, "two", SC_SEVERITY_NOTE, "%d", 2));
    assert_true(findings.no_memory);
    findings.count = count;
    findings.capacity = capacity;
    assert_true(sci_finding_add(&findings, "three", SC_SEVERITY_NOTE, "%d", 3));
    assert_true(findings.no_memory);
    assert_string_equal(findings.items[1].code, "three");
    sci_arena_free(&findings.arena);
}

static void the_longest_played_video_is_the_main_track(void **state)
{
    const sc_track tracks[] = {
        {.kind = SC_TRACK_AUDIO, .played = true, .name = "PCM", .duration_s = 90},
        {.kind = SC_TRACK_VIDEO, .played = true, .name = "short", .duration_s = 1},
        {.kind = SC_TRACK_VIDEO, .name = "unplayed", .duration_s = 99},
        {.kind = SC_TRACK_VIDEO,
         .played = true,
         .name = "long",
         .width = 16,
         .height = 9,
         .frame_rate = {25, 1},
         .duration_s = 9},
        {.kind = SC_TRACK_VIDEO, .played = true, .name = "as long", .duration_s = 9}};
    sc_clip clip = {.tracks = tracks, .track_count = SCI_COUNT(tracks)};
    char format[SC_TEXT_MAX];
    (void)state;
    assert_ptr_equal(sc_clip_main_track(&clip), &tracks[3]);
    sc_clip_format(&clip, format, sizeof format);
    assert_string_equal(format, "long 16x9 25");
    clip.track_count = 1;
    assert_ptr_equal(sc_clip_main_track(&clip), &tracks[0]);
    clip.track_count = 0;
    assert_null(sc_clip_main_track(&clip));
    assert_null(sc_clip_main_track(NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sorting_puts_everything_in_order),
        cmocka_unit_test(sorting_can_be_stopped),
        cmocka_unit_test(the_arrival_curve_can_be_stopped_at_every_pass),
        cmocka_unit_test(a_lost_finding_is_remembered),
        cmocka_unit_test(the_longest_played_video_is_the_main_track),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
