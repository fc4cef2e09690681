#include "core/core.h"
#include "directory.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <streamcalc/measure.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FILE_MIB = 48 };

static const char *at(const char *name)
{
    static char path[2][128];
    static int turn;
    turn = !turn;
    snprintf(path[turn], sizeof path[turn], "%s/%s", directory, name);
    return path[turn];
}

static void make_file(const char *path, int mib)
{
    static unsigned char bytes[1 << 20];
    int fd = open(path, O_CREAT | O_WRONLY, 0644);
    assert_true(fd >= 0);
    for (int i = 0; i < mib; i++) {
        for (size_t k = 0; k < sizeof bytes; k++)
            bytes[k] = (unsigned char)(k * 31 + (size_t)i);
        assert_int_equal(write(fd, bytes, sizeof bytes), sizeof bytes);
    }
    assert_int_equal(fsync(fd), 0);
    close(fd);
}

static int make_files(void **state)
{
    assert_int_equal(make_directory(state), 0);
    chmod(directory, 0755);
    make_file(at("clip.mov"), FILE_MIB);
    assert_int_equal(mkdir(at("empty"), 0755), 0);
    assert_int_equal(mkdir(at("locked"), 0700), 0);
    make_file(at("zero"), 0);
    assert_int_equal(mkfifo(at("fifo"), 0644), 0);
    assert_int_equal(symlink("clip.mov", at("link")), 0);
    return 0;
}

static int remove_files(void **state)
{
    char command[128];
    (void)state;
    snprintf(command, sizeof command, "rm -r %s", directory);
    return system(command);
}

static const sc_finding *find(const sc_storage *storage, const char *code)
{
    for (size_t i = 0; i < storage->finding_count; i++)
        if (strcmp(storage->findings[i].code, code) == 0)
            return &storage->findings[i];
    return NULL;
}

static void check_point(const sc_supply_point *point)
{
    int64_t sum = 0;
    assert_true(point->mean_bytes_per_s > 0);
    assert_true(point->samples > 0);
    assert_true(point->samples < 20 || point->latency_p50_s <= point->latency_p95_s);
    assert_true(point->latency_p999_s <= point->latency_max_s);
    assert_true(point->series_step_s == 0.02);
    for (size_t i = 0; i < point->series_count; i++)
        sum += point->series_bytes[i];
    /* Reads across the ends count by their share: all those in flight of two of 1 MiB a reader. */
    const double in_flight = point->readers * 2 * 1048576.0;
    assert_true(fabs((double)sum - point->mean_bytes_per_s * point->seconds) <= in_flight);
    assert_true(point->seconds == (double)point->series_count * 0.02);
}

static void a_file_and_a_directory_are_measured(void **state)
{
    static const char *const names[] = {"", "clip.mov", "link"};
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(names); i++) {
        const char *path = at(names[i]);
        sc_measure_params params = {.seconds = 1, .warm_up_s = 0.02, .max_readers = 4};
        sc_storage *storage = NULL;
        sc_error error = {0};
        int64_t start = sci_now_ns();
        assert_int_equal(sc_measure(path, &params, &storage, &error), SC_OK);
        assert_true(sci_seconds_since(start) < 3);
        assert_string_equal(storage->path, path);
        assert_string_equal(storage->player.name, "normal");
        assert_int_equal(storage->source, SC_SOURCE_MEASURED);
        assert_int_equal(storage->error.status, SC_OK);
        assert_true(storage->point_count >= 1 && storage->point_count <= 3);
        for (size_t k = 0; k < storage->point_count; k++) {
            assert_int_equal(storage->points[k].readers, 1 << k);
            check_point(&storage->points[k]);
        }
        /* "" in a chroot, where no mount that can be seen holds the directory. */
        assert_true(storage->facts.mount_point[0] == '/' || !storage->facts.mount_point[0]);
        assert_string_not_equal(storage->facts.file_system, "");
        assert_true(storage->facts.free_bytes > 0);
        sc_storage_free(&storage);
        assert_null(storage);
    }
}

static void errors_name_the_path(void **state)
{
    static const struct {
        const char *name;
        sc_status status;
    } cases[] = {{"missing", SC_NOT_FOUND},
                 {"clip.mov/below", SC_NOT_FOUND},
                 {"empty", SC_UNSUPPORTED},
                 {"zero", SC_UNSUPPORTED},
                 {"fifo", SC_UNSUPPORTED}};
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(cases); i++) {
        sc_storage *storage = (sc_storage *)&cases;
        sc_error error = {0};
        int64_t start = sci_now_ns();
        assert_int_equal(sc_measure(at(cases[i].name), NULL, &storage, &error), cases[i].status);
        assert_true(sci_seconds_since(start) < 1);
        assert_null(storage);
        assert_non_null(strstr(error.message, cases[i].name));
        assert_non_null(strstr(error.path, cases[i].name));
    }
    assert_int_equal(sc_measure(NULL, NULL, NULL, NULL), SC_INVALID_ARGUMENT);
}

static void bad_parameters_are_refused(void **state)
{
    const sc_measure_params cases[] = {{.seconds = -1},     {.seconds = NAN},
                                       {.seconds = 1e6},    {.max_readers = 257},
                                       {.max_readers = -1}, {.lowest_stream_bits_per_s = -5},
                                       {.stall_s = -1},     {.warm_up_s = 13},
                                       {.cache = 9},        {.player = {.block_bytes = 5}}};
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(cases); i++) {
        sc_storage *storage = NULL;
        sc_error error = {0};
        assert_int_equal(sc_measure(directory, &cases[i], &storage, &error), SC_INVALID_ARGUMENT);
        assert_true(strlen(error.message) > 10);
    }
}

/* A thread that is at its end may hold a lock of the allocator, which nobody gives back in a child. */
static void await_other_threads(void)
{
    for (int i = 0; i < 500 && entries("/proc/self/task") > 1; i++)
        usleep(10000);
    assert_int_equal(entries("/proc/self/task"), 1);
}

/* As an ordinary user in a child; its exit code is the negated status, or 50 where a measurement
   contradicts itself about being cold. */
static int status_as_nobody(const char *path)
{
    sc_measure_params params = {.seconds = 1, .warm_up_s = 0.02, .max_readers = 1};
    await_other_threads();
    pid_t child = fork();
    if (child == 0) {
        sc_storage *storage = NULL;
        if (setgid(65534) || setuid(65534))
            _exit(100);
        sc_status status = sc_measure(path, &params, &storage, NULL);
        if (storage && storage->cache_proven == (find(storage, "not-proven-cold") != NULL))
            _exit(50);
        _exit(-status);
    }
    int result;
    assert_int_equal(waitpid(child, &result, 0), child);
    assert_true(WIFEXITED(result));
    return -WEXITSTATUS(result);
}

static void no_permission_is_said(void **state)
{
    (void)state;
    if (geteuid() != 0)
        skip();
    chmod(at("clip.mov"), 0600);
    assert_int_equal(status_as_nobody(at("locked")), SC_PERMISSION);
    assert_int_equal(status_as_nobody(at("clip.mov")), SC_PERMISSION);
    chmod(at("clip.mov"), 0644);
    assert_int_equal(status_as_nobody(at("clip.mov")), SC_OK);
}

static int times_told;

static int cancel_when_due(void *opaque, const sc_progress *progress)
{
    times_told++;
    assert_true(progress->fraction >= 0 && progress->fraction <= 1);
    return progress->elapsed_s > *(double *)opaque;
}

static void cancel_keeps_the_points_that_are_complete(void **state)
{
    double due_s = 1.6;
    sc_measure_params params = {
        .seconds = 6, .warm_up_s = 0.02, .control.progress = cancel_when_due};
    sc_storage *storage = NULL;
    sc_error error = {0};
    (void)state;
    params.control.progress_opaque = &due_s;
    int64_t start = sci_now_ns();
    times_told = 0;
    assert_int_equal(sc_measure(directory, &params, &storage, &error), SC_CANCELLED);
    assert_true(sci_seconds_since(start) < due_s + 0.5);
    assert_true(times_told >= 14); /* ten times a second, less what a busy machine takes */
    assert_int_equal(error.status, SC_CANCELLED);
    assert_non_null(storage);
    assert_int_equal(storage->error.status, SC_CANCELLED);
    assert_int_equal(storage->point_count, 1);
    sc_storage_free(&storage);

    due_s = 0.1;
    assert_int_equal(sc_measure(directory, &params, &storage, NULL), SC_CANCELLED);
    assert_null(storage);
}

static void each_cache_mode_says_what_it_proved(void **state)
{
    static const sc_cache_mode modes[] = {SC_CACHE_DROPPED, SC_CACHE_WARM, SC_CACHE_DIRECT};
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(modes); i++) {
        sc_measure_params params = {
            .seconds = 1, .warm_up_s = 0.02, .max_readers = 1, .cache = modes[i]};
        sc_storage *storage = NULL;
        sc_status status = sc_measure(at("clip.mov"), &params, &storage, NULL);
        if (modes[i] == SC_CACHE_DIRECT && status == SC_UNSUPPORTED)
            continue;
        assert_int_equal(status, SC_OK);
        assert_int_equal(storage->cache_requested, modes[i]);
        if (modes[i] == SC_CACHE_WARM) {
            assert_int_equal(storage->cache_effective, SC_CACHE_WARM);
            assert_false(storage->points[0].cold);
            assert_false(storage->cache_proven);
        }
        assert_int_equal(find(storage, "not-proven-cold") == NULL,
                         storage->cache_proven && storage->points[0].cold);
        sc_storage_free(&storage);
    }
}

static void cached_data_read_warm_is_a_problem(void **state)
{
    sc_measure_params params = {
        .seconds = 1, .warm_up_s = 0.02, .max_readers = 1, .cache = SC_CACHE_WARM};
    sc_storage *storage = NULL;
    char command[160];
    (void)state;
    snprintf(command, sizeof command, "cat %s > /dev/null", at("clip.mov"));
    assert_int_equal(system(command), 0);
    assert_int_equal(sc_measure(at("clip.mov"), &params, &storage, NULL), SC_OK);
    const sc_finding *finding = find(storage, "not-proven-cold");
    assert_non_null(finding);
    assert_int_equal(finding->severity, SC_SEVERITY_PROBLEM);
    sc_storage_free(&storage);
}

static void a_block_that_is_no_whole_sector_is_read_through_the_cache(void **state)
{
    sc_measure_params params = {.seconds = 1, .warm_up_s = 0.02, .max_readers = 1};
    sc_storage *storage = NULL;
    sc_error error = {0};
    (void)state;
    params.player.block_bytes = 300001;
    assert_int_equal(sc_measure(at("clip.mov"), &params, &storage, NULL), SC_OK);
    assert_int_not_equal(storage->cache_effective, SC_CACHE_DIRECT);
    assert_int_equal(storage->player.block_bytes, 300001);
    sc_storage_free(&storage);
    params.cache = SC_CACHE_DIRECT;
    assert_int_equal(sc_measure(at("clip.mov"), &params, &storage, &error), SC_UNSUPPORTED);
}

static void memory_and_holes_are_problems(void **state)
{
    static const long TMPFS = 0x01021994;
    sc_measure_params params = {.seconds = 1, .warm_up_s = 0.02, .max_readers = 1};
    sc_storage *storage = NULL;
    struct statfs volume;
    char path[] = "/dev/shm/measure.XXXXXX";
    (void)state;
    if (statfs("/dev/shm", &volume) || volume.f_type != TMPFS)
        skip();
    int fd = mkstemp(path);
    if (fd < 0)
        skip();
    assert_int_equal(ftruncate(fd, 20 << 20), 0);
    assert_int_equal(pwrite(fd, "x", 1, 0), 1);
    close(fd);
    sc_status status = sc_measure(path, &params, &storage, NULL);
    unlink(path);
    assert_int_equal(status, SC_OK);
    assert_true(storage->facts.memory);
    assert_false(storage->cache_proven);
    assert_false(storage->points[0].cold);
    assert_non_null(find(storage, "memory-filesystem"));
    assert_int_equal(find(storage, "memory-filesystem")->severity, SC_SEVERITY_PROBLEM);
    assert_non_null(find(storage, "sparse-data"));
    assert_int_equal(find(storage, "sparse-data")->severity, SC_SEVERITY_PROBLEM);
    sc_storage_free(&storage);
}

static void *measure_in_thread(void *opaque)
{
    sc_measure_params params = {.seconds = 1, .warm_up_s = 0.02, .max_readers = 4};
    sc_storage **storage = opaque;
    sc_measure(directory, &params, storage, NULL);
    return NULL;
}

static void two_measurements_may_run_at_once(void **state)
{
    sc_storage *storages[2] = {NULL, NULL};
    pthread_t threads[2];
    (void)state;
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, measure_in_thread, &storages[i]), 0);
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    for (size_t i = 0; i < 2; i++) {
        assert_non_null(storages[i]);
        check_point(&storages[i]->points[0]);
        sc_storage_free(&storages[i]);
    }
}

static void *trigger_soon(void *opaque)
{
    usleep(300000);
    sc_cancel_trigger(opaque);
    return NULL;
}

static void another_thread_may_cancel(void **state)
{
    sc_cancel *cancel = sc_cancel_create();
    sc_measure_params params = {.control.cancel = cancel};
    sc_storage *storage = NULL;
    pthread_t thread;
    (void)state;
    int64_t start = sci_now_ns();
    assert_int_equal(pthread_create(&thread, NULL, trigger_soon, cancel), 0);
    assert_int_equal(sc_measure(directory, &params, &storage, NULL), SC_CANCELLED);
    assert_true(sci_seconds_since(start) < 0.8);
    assert_null(storage);
    assert_int_equal(pthread_join(thread, NULL), 0);
    sc_cancel_free(&cancel);
}

static void a_bare_rate_is_constant_and_exact(void **state)
{
    sc_storage *storage = NULL;
    sc_error error = {0};
    (void)state;
    assert_int_equal(sc_storage_from_rate("664Mb/s", &storage, &error), SC_OK);
    assert_true(storage->constant);
    assert_int_equal(storage->source, SC_SOURCE_GIVEN);
    assert_string_equal(storage->name, "664Mb/s");
    assert_string_equal(storage->path, "");
    assert_int_equal(storage->point_count, 1);
    assert_true(storage->points[0].mean_bytes_per_s == 83e6);
    for (int32_t i = 0; i < storage->points[0].window_count; i++)
        assert_int_equal(storage->points[0].worst_window_bytes[i],
                         llround(83e6 * storage->points[0].window_s[i]));
    sc_storage_free(&storage);
    assert_int_equal(sc_storage_from_rate("664", &storage, &error), SC_INVALID_ARGUMENT);
    assert_null(storage);
    assert_true(error.message[0] != '\0');
    sc_storage_free(NULL);
}

static void cache_modes_have_names_that_lead_back(void **state)
{
    sc_error error = {0};
    (void)state;
    for (int mode = SC_CACHE_AUTO; mode <= SC_CACHE_WARM; mode++) {
        sc_cache_mode parsed;
        assert_int_equal(
            sc_cache_mode_parse(sc_cache_mode_name((sc_cache_mode)mode), &parsed, NULL), SC_OK);
        assert_int_equal(parsed, mode);
    }
    sc_cache_mode mode;
    assert_int_equal(sc_cache_mode_parse("cold", &mode, &error), SC_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "cold"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_and_a_directory_are_measured),
        cmocka_unit_test(errors_name_the_path),
        cmocka_unit_test(bad_parameters_are_refused),
        cmocka_unit_test(no_permission_is_said),
        cmocka_unit_test(cancel_keeps_the_points_that_are_complete),
        cmocka_unit_test(each_cache_mode_says_what_it_proved),
        cmocka_unit_test(cached_data_read_warm_is_a_problem),
        cmocka_unit_test(a_block_that_is_no_whole_sector_is_read_through_the_cache),
        cmocka_unit_test(memory_and_holes_are_problems),
        cmocka_unit_test(two_measurements_may_run_at_once),
        cmocka_unit_test(another_thread_may_cancel),
        cmocka_unit_test(a_bare_rate_is_constant_and_exact),
        cmocka_unit_test(cache_modes_have_names_that_lead_back),
    };
    return cmocka_run_group_tests(tests, make_files, remove_files);
}
