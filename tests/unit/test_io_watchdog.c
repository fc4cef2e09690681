#include "io/reader.h"
#include "io/watchdog.h"
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* A mount that hangs until it is let go. Shared with threads that outlive the call. */
struct hang {
    atomic_bool go;
    atomic_int abandoned;
};

static void nap(double seconds)
{
    usleep((useconds_t)(seconds * 1e6));
}

static void hang_on(void *opaque, sci_guard *guard)
{
    struct hang *hang = opaque;
    (void)guard;
    while (!atomic_load(&hang->go))
        nap(0.005);
}

static void count_abandoned(void *opaque)
{
    struct hang *hang = opaque;
    atomic_fetch_add(&hang->abandoned, 1);
}

static bool comes_true(atomic_int *value, int expected)
{
    for (int i = 0; i < 400 && atomic_load(value) != expected; i++)
        nap(0.005);
    return atomic_load(value) == expected;
}

static int stop_after_50_ms(void *opaque, const sc_progress *progress)
{
    (void)opaque;
    return progress->elapsed_s > 0.05;
}

static const sci_guarded hanging = {hang_on, count_abandoned, "test", "/mnt/nas", "testing", 0.2};

static void do_nothing(void *opaque, sci_guard *guard)
{
    (void)opaque;
    (void)guard;
}

/* Of many, so that a busy machine does not count. */
static void a_short_call_is_over_at_once(void **state)
{
    const sci_guarded work = {do_nothing, count_abandoned, "test", NULL, "testing", 1};
    double shortest_s = 1;
    sci_control control;
    (void)state;
    sci_control_start(&control, NULL, "test");
    for (int i = 0; i < 200; i++) {
        int64_t start = sci_now_ns();
        assert_int_equal(sci_guarded_run(&work, NULL, &control, 0, NULL), SC_OK);
        if (sci_seconds_since(start) < shortest_s)
            shortest_s = sci_seconds_since(start);
    }
    assert_true(shortest_s < 0.002);
}

static void a_call_that_hangs_is_left_behind(void **state)
{
    struct hang *hang = calloc(1, sizeof *hang);
    sc_error error = {0};
    sci_control control;
    (void)state;
    sci_control_start(&control, NULL, "test");
    int64_t start = sci_now_ns();
    assert_int_equal(sci_guarded_run(&hanging, hang, &control, 0, &error), SC_STALLED);
    assert_true(sci_seconds_since(start) >= 0.2 && sci_seconds_since(start) < 1);
    assert_int_equal(error.os_errno, ETIMEDOUT);
    assert_non_null(strstr(error.message, "no answer for 0.2 s"));
    assert_string_equal(error.path, "/mnt/nas");
    assert_int_equal(atomic_load(&hang->abandoned), 0);
    atomic_store(&hang->go, true);
    assert_true(comes_true(&hang->abandoned, 1));
    free(hang);
}

/* Stopped and let go again, both for longer than the silence that is a stall. */
static pid_t stop_and_continue(pid_t child)
{
    nap(0.3);
    kill(child, SIGSTOP);
    nap(1.2);
    return kill(child, SIGCONT);
}

static void work_in_silence(void *opaque, sci_guard *guard)
{
    const int64_t start = sci_now_ns();
    (void)opaque, (void)guard;
    while (sci_seconds_since(start) < 1.6)
        nap(0.02);
}

static void no_time_of_a_stopped_process_is_silence(void **state)
{
    const sci_guarded work = {work_in_silence, count_abandoned, "test", NULL, "testing", 0.7};
    int status;
    (void)state;
    pid_t child = fork();
    if (child == 0) {
        struct hang hang = {.go = false};
        sci_control control;
        sci_control_start(&control, NULL, "test");
        _exit(sci_guarded_run(&work, &hang, &control, 0, NULL) == SC_OK ? 0 : 1);
    }
    assert_int_equal(stop_and_continue(child), 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    const int64_t second = 1000000000;
    assert_int_equal(sci_awake_since(5, second, 5 * second, second / 100, 1), 5 * second);
    assert_int_equal(sci_awake_since(5, second, second + second / 50, second / 100, 1), 5);
}

static void a_call_that_hangs_can_be_cancelled(void **state)
{
    struct hang *hang = calloc(1, sizeof *hang);
    sc_control user = {.progress = stop_after_50_ms};
    sci_control control;
    (void)state;
    sci_control_start(&control, &user, "test");
    int64_t start = sci_now_ns();
    assert_int_equal(sci_guarded_run(&hanging, hang, &control, 0, NULL), SC_CANCELLED);
    assert_true(sci_seconds_since(start) < 0.25);
    atomic_store(&hang->go, true);
    assert_true(comes_true(&hang->abandoned, 1));
    free(hang);
}

static void slow_but_alive(void *opaque, sci_guard *guard)
{
    int *steps = opaque;
    for (; *steps < 6 && sci_guard_alive(guard); ++*steps)
        nap(0.05);
}

static void signs_of_life_keep_a_slow_call_going(void **state)
{
    static const sci_guarded work = {slow_but_alive, count_abandoned, "test", "", "testing", 0.2};
    sci_control control;
    int steps = 0;
    (void)state;
    sci_control_start(&control, NULL, "test");
    assert_int_equal(sci_guarded_run(&work, &steps, &control, 0, NULL), SC_OK);
    assert_int_equal(steps, 6);
}

/* ---- readers ---- */

struct store {
    int fd;
    atomic_int blocks, released;
    int fail_from, fail_to, hang_at; /* block numbers; 0: never */
    atomic_bool go;
};

static sc_status next_block(void *opaque, int32_t stream, sci_block *block, sc_error *error)
{
    struct store *store = opaque;
    int number = atomic_fetch_add(&store->blocks, 1) + 1;
    (void)stream;
    if (number >= store->fail_from && number < store->fail_to)
        return sci_fail(error, SC_IO, EIO, "test", "file", "block %d failed", number);
    while (number == store->hang_at && !atomic_load(&store->go))
        nap(0.005);
    block->fd = store->fd;
    block->bytes = 4096;
    block->path = "file";
    nap(0.001);
    return SC_OK;
}

static void block_done(void *opaque, int32_t stream, sci_block *block, bool read)
{
    (void)opaque, (void)stream, (void)block, (void)read;
}

static void release_store(void *opaque)
{
    struct store *store = opaque;
    atomic_fetch_add(&store->released, 1);
}

static struct store *store_new(void)
{
    static const unsigned char zeros[4096];
    char path[] = "/tmp/store.XXXXXX";
    struct store *store = calloc(1, sizeof *store);
    store->fd = mkstemp(path);
    assert_true(store->fd >= 0);
    assert_int_equal(write(store->fd, zeros, sizeof zeros), sizeof zeros);
    unlink(path);
    return store;
}

static void store_free(struct store *store)
{
    atomic_store(&store->go, true);
    assert_true(comes_true(&store->released, 1));
    close(store->fd);
    free(store);
}

static sc_status read_from(struct store *store, double seconds, double stall_s,
                           const sc_control *user, sci_recorder *copy, sci_read_faults *faults,
                           sc_error *error)
{
    const sci_readers_params params = {3, 2, 4096, 0.05, seconds};
    const sci_read_source source = {store, 1, next_block, block_done, release_store, NULL};
    sci_readers *readers;
    sci_control control;
    sci_control_start(&control, user, "test");
    assert_int_equal(sci_readers_start(&params, &source, &readers, error), SC_OK);
    sc_status status = sci_readers_wait(readers, stall_s, &control, 0, 1, error);
    if (copy)
        *copy = *sci_readers_recorder(readers);
    if (faults)
        *faults = sci_readers_faults(readers);
    sci_readers_release(&readers);
    return status;
}

static void readers_read_for_the_time_given(void **state)
{
    struct store *store = store_new();
    sci_recorder recorder;
    (void)state;
    int64_t start = sci_now_ns();
    assert_int_equal(read_from(store, 0.3, 5, NULL, &recorder, NULL, NULL), SC_OK);
    assert_true(sci_seconds_since(start) >= 0.35 && sci_seconds_since(start) < 1.5);
    assert_int_equal(recorder.step_count, 30);
    int64_t samples = sci_histogram_count(&recorder.latency);
    assert_true(samples > 30 && samples < atomic_load(&store->blocks));
    store_free(store);
}

/* Direct reads are of whole sectors, which may be larger than a page. */
static sc_status next_of_large_sectors(void *opaque, int32_t stream, sci_block *block,
                                       sc_error *error)
{
    sc_status status = next_block(opaque, stream, block, error);
    block->bytes = 6000;
    block->align = 256 << 10;
    return status;
}

static void buffers_have_room_for_whole_sectors(void **state)
{
    enum { SECTOR = 256 << 10, READERS = 6 };
    const sci_readers_params params = {3, 2, 6000, 0, 0.1};
    struct store *store = store_new();
    const sci_read_source source = {store,      SECTOR,        next_of_large_sectors,
                                    block_done, release_store, NULL};
    sci_readers *readers;
    sci_control control;
    (void)state;
    assert_int_equal(ftruncate(store->fd, SECTOR), 0);
    assert_int_equal(sci_readers_memory_bytes(3, 2, 6000, SECTOR), READERS * SECTOR);
    assert_int_equal(sci_readers_memory_bytes(3, 2, SECTOR + 1, SECTOR), READERS * 2 * SECTOR);
    assert_true(sci_readers_memory_bytes(3, 2, 6000, 3 << 16) >= READERS * (3 << 16));
    assert_int_equal(sci_readers_memory_bytes(1, 1, INT64_MAX - 1, SECTOR) > INT64_MAX / 2, 1);
    sci_control_start(&control, NULL, "test");
    assert_int_equal(sci_readers_start(&params, &source, &readers, NULL), SC_OK);
    assert_int_equal(sci_readers_wait(readers, 5, &control, 0, 1, NULL), SC_OK);
    sci_readers_release(&readers);
    store_free(store);
}

static void more_than_a_machine_may_spare_is_refused(void **state)
{
    static const sci_readers_params cases[] = {{256, 256, 4096, 0, 1},
                                               {1025, 1, 4096, 0, 1},
                                               {3, 1, INT64_C(1) << 30, 0, 1},
                                               {INT32_MAX, INT32_MAX, INT64_MAX, 0, 1}};
    struct store *store = store_new();
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(cases); i++) {
        const sci_read_source source = {store, 1, next_block, block_done, release_store, NULL};
        sci_readers *readers = (sci_readers *)&cases;
        sc_error error = {0};
        assert_int_equal(sci_readers_start(&cases[i], &source, &readers, &error), SC_LIMIT);
        assert_null(readers);
        assert_true(error.message[0]);
        assert_int_equal(atomic_load(&store->released), i + 1);
    }
    atomic_store(&store->released, 1);
    store_free(store);
}

static void an_error_of_one_read_lets_the_others_go_on(void **state)
{
    struct store *store = store_new();
    sci_recorder recorder;
    sci_read_faults faults;
    sc_error error = {0};
    (void)state;
    store->fail_from = 50;
    store->fail_to = 53;
    assert_int_equal(read_from(store, 0.3, 5, NULL, &recorder, &faults, &error), SC_OK);
    assert_int_equal(error.status, SC_OK);
    assert_int_equal(faults.failed.count, 3);
    assert_int_equal(faults.failed.first.os_errno, EIO);
    assert_string_equal(faults.failed.first.path, "file");
    assert_true(sci_histogram_count(&recorder.latency) > 30);
    store_free(store);
}

static void errors_of_all_reads_end_the_run(void **state)
{
    struct store *store = store_new();
    sci_read_faults faults;
    sc_error error = {0};
    (void)state;
    store->fail_from = 50;
    store->fail_to = INT_MAX;
    int64_t start = sci_now_ns();
    assert_int_equal(read_from(store, 30, 5, NULL, NULL, &faults, &error), SC_IO);
    assert_true(sci_seconds_since(start) < 2);
    assert_true(faults.failed.count >= 6 && faults.failed.count <= 6 * 64);
    assert_int_equal(error.os_errno, EIO);
    assert_string_equal(error.path, "file");
    store_free(store);
}

static void a_read_that_hangs_is_an_error_and_its_memory_lives_on(void **state)
{
    struct store *store = store_new();
    sc_error error = {0};
    (void)state;
    store->hang_at = 50;
    int64_t start = sci_now_ns();
    assert_int_equal(read_from(store, 30, 0.3, NULL, NULL, NULL, &error), SC_STALLED);
    assert_true(sci_seconds_since(start) < 2);
    assert_int_equal(error.os_errno, ETIMEDOUT);
    assert_int_equal(atomic_load(&store->released), 0);
    store_free(store);
}

static void readers_that_hang_can_be_cancelled(void **state)
{
    struct store *store = store_new();
    sc_control user = {.progress = stop_after_50_ms};
    (void)state;
    store->hang_at = 5;
    int64_t start = sci_now_ns();
    assert_int_equal(read_from(store, 30, 30, &user, NULL, NULL, NULL), SC_CANCELLED);
    assert_true(sci_seconds_since(start) < 0.35);
    store_free(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        /* Its child starts threads: it has to be made before there are others. */
        cmocka_unit_test(no_time_of_a_stopped_process_is_silence),
        cmocka_unit_test(a_short_call_is_over_at_once),
        cmocka_unit_test(a_call_that_hangs_is_left_behind),
        cmocka_unit_test(a_call_that_hangs_can_be_cancelled),
        cmocka_unit_test(signs_of_life_keep_a_slow_call_going),
        cmocka_unit_test(readers_read_for_the_time_given),
        cmocka_unit_test(buffers_have_room_for_whole_sectors),
        cmocka_unit_test(more_than_a_machine_may_spare_is_refused),
        cmocka_unit_test(an_error_of_one_read_lets_the_others_go_on),
        cmocka_unit_test(errors_of_all_reads_end_the_run),
        cmocka_unit_test(a_read_that_hangs_is_an_error_and_its_memory_lives_on),
        cmocka_unit_test(readers_that_hang_can_be_cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
