/* A mount that does not answer: stat() of this program waits until it is told to go on. */
/* As the library is compiled: stat() has another name inside then. */
#define _FILE_OFFSET_BITS 64
#include "test.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <streamcalc/probe.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char dead[] = "/mnt/dead-server/clip.mov";
static atomic_bool answers;
static atomic_int waiting, answered;

/* Takes the place of the C library's. */
int stat(const char *path, struct stat *facts)
{
    if (strcmp(path, dead) == 0) {
        atomic_fetch_add(&waiting, 1);
        while (!atomic_load(&answers))
            usleep(1000);
        atomic_fetch_add(&answered, 1);
    }
    return fstatat(AT_FDCWD, path, facts, 0);
}

static const char hanging[] = "/dev/zero/hangs", spinning[] = "/dev/zero/spins";

int open(const char *path, int flags, ...)
{
    if (strcmp(path, hanging) == 0 || strcmp(path, spinning) == 0) {
        while (!atomic_load(&answers))
            if (strcmp(path, hanging) == 0)
                usleep(1000);
        atomic_fetch_add(&answered, 1);
    }
    return openat(AT_FDCWD, path, flags);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

struct user {
    pthread_t thread;
    int reports;
    bool saw_path;
};

static int cancel_when_it_hangs(void *opaque, const sc_progress *progress)
{
    struct user *user = opaque;
    assert_true(pthread_equal(user->thread, pthread_self()));
    user->reports++;
    user->saw_path = user->saw_path || strcmp(progress->detail, dead) == 0;
    return atomic_load(&waiting) > 0 && user->reports > 3;
}

static void a_dead_mount_is_left_behind(void **state)
{
    struct user user = {.thread = pthread_self()};
    const sc_probe_params params = {
        .control = {.progress = cancel_when_it_hangs, .progress_opaque = &user}};
    const char *paths[] = {"/dev/null", dead};
    sc_probe *probe = (sc_probe *)state;
    sc_error error = {0};
    double start = now();
    atomic_store(&answers, false);
    atomic_store(&waiting, 0);
    assert_int_equal(sc_probe_many(paths, 2, &params, &probe, &error), SC_CANCELLED);
    assert_true(now() - start < 5);
    assert_string_equal(error.path, dead);
    assert_int_equal(probe->clip_count, 1);
    assert_string_equal(probe->clips[0].path, "/dev/null");
    sc_probe_free(&probe);
    assert_true(user.saw_path);
    /* What was left behind ends by itself, without its caller. */
    int reports = user.reports, before = atomic_load(&answered);
    atomic_store(&answers, true);
    for (int i = 0; i < 5000 && atomic_load(&answered) == before; i++)
        usleep(1000);
    assert_int_equal(atomic_load(&answered), before + 1);
    usleep(100000);
    assert_int_equal(user.reports, reports);
}

static int answer_after_cancelling(void *opaque, const sc_progress *progress)
{
    (void)opaque;
    (void)progress;
    if (!atomic_load(&waiting))
        return 0;
    atomic_store(&answers, true);
    return 1;
}

static void a_mount_that_answers_hands_over_what_was_done(void **state)
{
    const sc_probe_params params = {.parallel = 1,
                                    .control = {.progress = answer_after_cancelling}};
    const char *paths[] = {"/dev/null", dead, "/dev/null"};
    sc_probe *probe = NULL;
    sc_error error = {0};
    (void)state;
    atomic_store(&answers, false);
    atomic_store(&waiting, 0);
    assert_int_equal(sc_probe_many(paths, 3, &params, &probe, &error), SC_CANCELLED);
    assert_non_null(probe);
    assert_int_equal(probe->clip_count, 1);
    assert_string_equal(probe->clips[0].path, "/dev/null");
    sc_probe_free(&probe);
}

/* The dead one gets an error of its own after the limit of time; all others are delivered. */
static void one_dead_mount_does_not_stop_the_others(void **state)
{
    const sc_probe_params params = {.max_seconds = 0.1};
    const char *paths[20];
    sc_probe *probe = NULL;
    sc_error error = {0};
    double start = now();
    (void)state;
    atomic_store(&answers, false);
    int before = atomic_load(&answered);
    for (size_t i = 0; i < 20; i++)
        paths[i] = i % 5 == 2 ? dead : "/dev/null";
    assert_int_equal(sc_probe_many(paths, 20, &params, &probe, &error), SC_UNSUPPORTED);
    assert_true(now() - start > 2 && now() - start < 10);
    assert_int_equal(probe->clip_count, 20);
    for (size_t i = 0; i < 20; i++) {
        const sc_clip *clip = &probe->clips[i];
        assert_string_equal(clip->path, paths[i]);
        assert_int_equal(clip->error.status, i % 5 == 2 ? SC_STALLED : SC_UNSUPPORTED);
        if (i % 5 == 2)
            assert_non_null(strstr(clip->error.message, "max_seconds"));
    }
    sc_probe_free(&probe);
    atomic_store(&answers, true);
    for (int i = 0; i < 5000 && atomic_load(&answered) < before + 4; i++)
        usleep(1000);
    assert_int_equal(atomic_load(&answered), before + 4);
    usleep(50000); /* the threads that were left end now, which a memory checker sees */
}

/* The longest silence is a limit of its own; what is busy is not silent, and where nobody answers the
   call ends. */
static void storage_may_be_silent_for_so_long_only(void **state)
{
    const sc_probe_params params = {.stall_s = 0.3, .parallel = 2, .max_seconds = 3};
    const char *some[] = {dead, "/dev/null", spinning, "/dev/null"};
    const char *all[] = {dead, dead, dead, dead, dead, dead};
    sc_probe *probe = NULL;
    (void)state;
    atomic_store(&answers, false);
    int before = atomic_load(&answered);
    assert_int_equal(sc_probe_many(some, 4, &params, &probe, NULL), SC_STALLED);
    assert_int_equal(probe->clips[0].error.status, SC_STALLED);
    assert_int_equal(probe->clips[2].error.status, SC_LIMIT);
    sc_probe_free(&probe);
    double start = now();
    assert_int_equal(sc_probe_many(all, 6, &params, &probe, NULL), SC_STALLED);
    assert_true(now() - start < 2);
    assert_true(probe->clip_count < 6);
    sc_probe_free(&probe);
    atomic_store(&answers, true);
    for (int i = 0; i < 5000 && atomic_load(&answered) < before + 3; i++)
        usleep(1000);
    usleep(50000);
}

/* A read in the middle of a file that does not come back, and one that spins. */
static void a_file_that_hangs_or_spins_is_left_behind(void **state)
{
    const sc_probe_params params = {.max_seconds = 0.1};
    const char *paths[] = {hanging, "/dev/null", spinning, "/dev/null"};
    static const sc_status statuses[] = {SC_STALLED, SC_UNSUPPORTED, SC_LIMIT, SC_UNSUPPORTED};
    sc_probe *probe = NULL;
    (void)state;
    atomic_store(&answers, false);
    int before = atomic_load(&answered);
    assert_int_equal(sc_probe_many(paths, 4, &params, &probe, NULL), SC_STALLED);
    assert_int_equal(probe->clip_count, 4);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(probe->clips[i].error.status, statuses[i]);
    sc_probe_free(&probe);
    atomic_store(&answers, true);
    for (int i = 0; i < 5000 && atomic_load(&answered) < before + 2; i++)
        usleep(1000);
    assert_int_equal(atomic_load(&answered), before + 2);
    usleep(50000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dead_mount_is_left_behind),
        cmocka_unit_test(a_mount_that_answers_hands_over_what_was_done),
        cmocka_unit_test(one_dead_mount_does_not_stop_the_others),
        cmocka_unit_test(storage_may_be_silent_for_so_long_only),
        cmocka_unit_test(a_file_that_hangs_or_spins_is_left_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
