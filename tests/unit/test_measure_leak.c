/* However a measurement ends, no descriptor, thread or file of it stays. */
#include "core/core.h"
#include "directory.h"
#include "test.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <streamcalc/play.h>
#include <string.h>
#include <unistd.h>

enum { FILE_MIB = 8 };
static const double LEAVE_S = 2; /* a thread that was told to end is awaited so long */

struct counts {
    int descriptors, threads, files;
};

static struct counts count_all(void)
{
    return (struct counts){entries("/proc/self/fd"), entries("/proc/self/task"),
                           entries(directory)};
}

static bool is_more(struct counts now, struct counts before)
{
    return now.descriptors > before.descriptors || now.threads > before.threads ||
           now.files > before.files;
}

static void check_nothing_stays(struct counts before)
{
    const int64_t start = sci_now_ns();
    struct counts now = count_all();
    while (is_more(now, before) && sci_seconds_since(start) < LEAVE_S) {
        usleep(5000);
        now = count_all();
    }
    assert_int_equal(now.descriptors, before.descriptors);
    assert_int_equal(now.threads, before.threads);
    assert_int_equal(now.files, before.files);
}

static const char *clip(void)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/clip.mov", directory);
    return path;
}

static void make_clip(void)
{
    static unsigned char bytes[1 << 20];
    int fd = open(clip(), O_CREAT | O_WRONLY | O_TRUNC, 0644);
    uint32_t noise = 1;
    assert_true(fd >= 0);
    for (int i = 0; i < FILE_MIB; i++) {
        for (size_t k = 0; k < sizeof bytes; k++)
            bytes[k] = (unsigned char)((noise = noise * 1664525 + 1013904223) >> 24);
        assert_int_equal(write(fd, bytes, sizeof bytes), sizeof bytes);
    }
    assert_int_equal(fsync(fd), 0);
    close(fd);
}

static void *do_nothing(void *opaque)
{
    return opaque;
}

/* Some sanitizers start a thread of their own with the first one, and keep it. */
static int set_up(void **state)
{
    pthread_t first;
    if (make_directory(state) || pthread_create(&first, NULL, do_nothing, NULL) ||
        pthread_join(first, NULL))
        return -1;
    make_clip();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    return unlink(clip()) || rmdir(directory);
}

/* ---- what happens at a call of the progress function ---- */

struct happening {
    int calls, when;
    int (*what)(void); /* non-zero cancels */
};

static int happen(void *opaque, const sc_progress *progress)
{
    struct happening *happening = opaque;
    (void)progress;
    return ++happening->calls == happening->when ? happening->what() : 0;
}

static int cancel(void)
{
    return 1;
}

static int cut_file(void)
{
    assert_int_equal(truncate(clip(), 1 << 20), 0);
    return 0;
}

static int delete_file(void)
{
    assert_int_equal(unlink(clip()), 0);
    return 0;
}

static sc_status measure(const sc_measure_params *given, struct happening *happening)
{
    sc_measure_params params = *given;
    sc_storage *storage = NULL;
    if (happening)
        params.control = (sc_control){.progress = happen, .progress_opaque = happening};
    sc_status status = sc_measure(directory, &params, &storage, NULL);
    sc_storage_free(&storage);
    return status;
}

static const sc_measure_params kinds[] = {
    {.seconds = 1, .warm_up_s = 0.02, .max_readers = 4},
    {.seconds = 1, .warm_up_s = 0.02, .max_readers = 2, .cache = SC_CACHE_DROPPED},
    {.seconds = 1, .warm_up_s = 0.02, .max_readers = 2, .create_bytes = 16 << 20, .write = true},
    {.seconds = 1,
     .warm_up_s = 0.02,
     .max_readers = 2,
     .create_bytes = 16 << 20,
     .with_writers = 1}};

static void nothing_stays_of_a_whole_measurement(void **state)
{
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(kinds); i++) {
        const struct counts before = count_all();
        assert_int_equal(measure(&kinds[i], NULL), SC_OK);
        check_nothing_stays(before);
    }
}

/* In every phase: opening, creating, jumping, reading, writing. Up to the end of the measurement. */
static void nothing_stays_when_it_is_cancelled(void **state)
{
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(kinds); i++) {
        sc_status status = SC_CANCELLED;
        for (int when = 1; status == SC_CANCELLED; when = 2 * when + 1) {
            struct happening happening = {0, when, cancel};
            const struct counts before = count_all();
            status = measure(&kinds[i], &happening);
            assert_int_equal(status, happening.calls < when ? SC_OK : SC_CANCELLED);
            check_nothing_stays(before);
        }
        assert_int_equal(status, SC_OK);
    }
}

static void nothing_stays_when_reads_fail(void **state)
{
    int (*const faults[])(void) = {cut_file, delete_file};
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(faults); i++)
        for (int when = 1; when < 60; when *= 4) {
            struct happening happening = {0, when, faults[i]};
            const struct counts before = count_all();
            const sc_status status = measure(&kinds[0], &happening);
            assert_true(status == SC_OK || status == SC_IO || status == SC_NOT_FOUND ||
                        status == SC_UNSUPPORTED);
            make_clip();
            check_nothing_stays(before);
        }
}

static void nothing_stays_of_what_cannot_begin(void **state)
{
    static const char *const paths[] = {"/var/tmp/streamcalc.is.not.there", "/dev/null",
                                        "/proc/self"};
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(paths); i++) {
        const struct counts before = count_all();
        sc_storage *storage = NULL;
        assert_int_not_equal(sc_measure(paths[i], &kinds[0], &storage, NULL), SC_OK);
        assert_null(storage);
        check_nothing_stays(before);
    }
}

static void nothing_stays_of_what_was_played(void **state)
{
    sc_status status = SC_CANCELLED;
    sc_demand demand;
    (void)state;
    assert_int_equal(sc_demand_parse("8Mb/s", &demand, NULL), SC_OK);
    const sc_play_item item = {.demand = &demand, .streams = 2};
    for (int when = 1; status == SC_CANCELLED; when = 2 * when + 1) {
        struct happening happening = {0, when, cancel};
        const sc_play_params params = {
            .items = &item,
            .item_count = 1,
            .seconds = 1,
            .control = {.progress = happen, .progress_opaque = &happening}};
        const struct counts before = count_all();
        sc_playback *playback;
        status = sc_play(directory, &params, &playback, NULL);
        sc_playback_free(&playback);
        assert_int_equal(status, happening.calls < when ? SC_OK : SC_CANCELLED);
        check_nothing_stays(before);
    }
    assert_int_equal(status, SC_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_stays_of_a_whole_measurement),
                                       cmocka_unit_test(nothing_stays_when_it_is_cancelled),
                                       cmocka_unit_test(nothing_stays_when_reads_fail),
                                       cmocka_unit_test(nothing_stays_of_what_cannot_begin),
                                       cmocka_unit_test(nothing_stays_of_what_was_played)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
