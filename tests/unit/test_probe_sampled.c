/* Windows of a stream without an index against a reading of all of it. */
#include "probing.h"

#include <streamcalc/probe.h>

static const struct recipe clips[] = {
    {"long.ts", "-s 1280x720 -r 25 -c:v mpeg2video -b:v 40M -minrate 40M -maxrate 40M -bufsize 8M "
                "-g 12 -bf 2 -c:a mp2 -t 8"},
    {"long.vob", "-s 1280x720 -r 25 -c:v mpeg2video -b:v 40M -minrate 40M -maxrate 40M -bufsize "
                 "1800k -g 12 -c:a mp2 -t 8"},
    /* A frame is longer than a window, and the first megabyte holds no whole frame of sound. */
    {"large.ts",
     "-s 1280x720 -r 25 -c:v mpeg2video -b:v 80M -minrate 80M -maxrate 80M -bufsize 10M "
     "-g 12 -bf 2 -c:a aac -ac 2 -t 6"},
};

static int set_up(void **state)
{
    (void)state;
    return make_clips(clips, SCI_COUNT(clips));
}

static sc_probe *probe(const char *path, bool exact)
{
    const sc_probe_params params = {.exact = exact};
    sc_probe *result = NULL;
    assert_int_equal(sc_probe_many(&path, 1, &params, &result, NULL), SC_OK);
    return result;
}

static void expect_near(int64_t value, int64_t right, double share)
{
    if ((double)llabs(value - right) > share * (double)right)
        print_message("%lld instead of %lld\n", (long long)value, (long long)right);
    assert_true((double)llabs(value - right) <= share * (double)right);
}

static void windows_stand_for_the_whole(void **state)
{
    (void)state;
    size_t done = 0;
    for (size_t i = 0; i < SCI_COUNT(clips); i++) {
        struct stat facts;
        /* Shorter ones are read whole. */
        if (stat(in_folder(clips[i].name), &facts) != 0 || facts.st_size < 9000000)
            continue;
        sc_probe *sampled = probe(in_folder(clips[i].name), false);
        sc_probe *whole = probe(in_folder(clips[i].name), true);
        const sc_clip *a = &sampled->clips[0], *b = &whole->clips[0];
        assert_int_equal(a->flags, SC_CLIP_NO_INDEX | SC_CLIP_SAMPLED);
        assert_int_equal(a->source, SC_SOURCE_SAMPLED);
        assert_int_equal(b->flags, SC_CLIP_NO_INDEX);
        assert_true(a->bytes_read < b->bytes_read * 6 / 10);
        expect_near(a->demand_bits_per_s, b->demand_bits_per_s, 0.005);
        expect_near(a->peak_1s_bits_per_s, b->peak_1s_bits_per_s, 0.1);
        expect_near((int64_t)(a->duration_s * 1000), (int64_t)(b->duration_s * 1000), 0.005);
        sc_probe_free(&sampled);
        sc_probe_free(&whole);
        done++;
    }
    if (!done)
        skip();
}

static void sound_that_begins_late_is_described(void **state)
{
    (void)state;
    if (!is_there("large.ts"))
        skip();
    sc_probe *sampled = probe(in_folder("large.ts"), false);
    const sc_clip *clip = &sampled->clips[0];
    assert_int_equal(clip->source, SC_SOURCE_SAMPLED);
    assert_int_equal(clip->track_count, 2);
    assert_string_equal(clip->tracks[1].codec, "aac");
    assert_int_equal(clip->tracks[1].sample_rate_hz, 48000);
    assert_int_equal(clip->tracks[1].channels, 2);
    sc_probe_free(&sampled);
}

/* The kept pictures of a loop that was recorded twice: time goes back in the middle. */
static void time_that_jumps_is_read_whole(void **state)
{
    char command[1024];
    (void)state;
    if (!is_there("long.ts"))
        skip();
    snprintf(command, sizeof command, "cat %s %s > %s", in_folder("long.ts"), in_folder("long.ts"),
             in_folder("twice.ts"));
    assert_int_equal(system(command), 0);
    sc_probe *twice = probe(in_folder("twice.ts"), false);
    sc_probe *once = probe(in_folder("long.ts"), true);
    expect_near(twice->clips[0].demand_bits_per_s, once->clips[0].demand_bits_per_s, 0.02);
    sc_probe_free(&twice);
    sc_probe_free(&once);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(windows_stand_for_the_whole),
                                       cmocka_unit_test(sound_that_begins_late_is_described),
                                       cmocka_unit_test(time_that_jumps_is_read_whole)};
    av_log_set_level(AV_LOG_QUIET);
    return cmocka_run_group_tests(tests, set_up, remove_clips);
}
