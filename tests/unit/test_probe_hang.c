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
    assert_null(probe);
    assert_string_equal(error.path, dead);
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
    const sc_probe_params params = {.control = {.progress = answer_after_cancelling}};
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dead_mount_is_left_behind),
        cmocka_unit_test(a_mount_that_answers_hands_over_what_was_done),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
