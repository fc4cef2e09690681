/* Points and jumps where reads or writes fail, and how long the writers beside a point go on. Reads,
   writes and new threads pass by here first. */
#include "directory.h"
#include "measure/curve.h"
#include "measure/scrub.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

enum { FILE_BYTES = 8 << 20, BLOCK_BYTES = 1 << 18 };

static atomic_int_least64_t last_read_ns, last_write_ns;
static atomic_int failing_writes; /* so many more of them fail */
static atomic_bool threads_are_slow;

static void *real(const char *name)
{
    void *function = dlsym(RTLD_NEXT, name);
    if (!function)
        abort();
    return function;
}

ssize_t pread64(int fd, void *bytes, size_t count, off64_t offset)
{
    ssize_t (*next)(int, void *, size_t, off64_t);
    *(void **)&next = real("pread64");
    atomic_store(&last_read_ns, sci_now_ns());
    return next(fd, bytes, count, offset);
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t offset)
{
    ssize_t (*next)(int, const void *, size_t, off64_t);
    *(void **)&next = real("pwrite64");
    atomic_store(&last_write_ns, sci_now_ns());
    if (atomic_load(&failing_writes) > 0 && atomic_fetch_sub(&failing_writes, 1) > 0) {
        errno = EIO;
        return -1;
    }
    return next(fd, bytes, count, offset);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                   void *argument)
{
    int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    *(void **)&next = real("pthread_create");
    if (atomic_load(&threads_are_slow))
        usleep(20000);
    return next(thread, attributes, start, argument);
}

/* ---- data ---- */

static const char *at(char *path, const char *name)
{
    sprintf(path, "%s/%s", directory, name);
    return path;
}

static int make_files(void **state)
{
    static const char *const names[] = {"read", "written", "gone"};
    char path[128];
    make_directory(state);
    for (size_t i = 0; i < SCI_COUNT(names); i++) {
        int fd = open(at(path, names[i]), O_CREAT | O_WRONLY, 0600);
        if (fd < 0 || posix_fallocate(fd, 0, FILE_BYTES) || close(fd))
            return -1;
    }
    return 0;
}

static int remove_files(void **state)
{
    char command[128];
    (void)state;
    sprintf(command, "rm -r %s", directory);
    return system(command);
}

/* Of the files that are named; "gone" is taken away when the regions are cut. */
static sci_dataset *data_of(const char *const *names, size_t count)
{
    const sci_cache_way way = {.mode = SC_CACHE_WARM, .align = 1, .cached_share = -1};
    sci_extents extents = {0};
    char path[128];
    extents.files = calloc(count, sizeof *extents.files);
    for (; extents.file_count < count; extents.file_count++)
        extents.files[extents.file_count] = (sci_test_file){
            .path = strdup(at(path, names[extents.file_count])), .bytes = FILE_BYTES};
    assert_int_equal(sci_extents_cut(&extents, BLOCK_BYTES, 4, NULL), SC_OK);
    unlink(at(path, "gone"));
    sci_dataset *data = sci_dataset_new(&extents, &way);
    assert_non_null(data);
    return data;
}

static const char *const sound[] = {"read"}, *const written[] = {"written"},
                         *const half_gone[] = {"read", "gone"};

struct measuring {
    sci_measure_settings params;
    sci_control control;
    sci_findings findings;
    sci_curve curve;
    sc_supply_point point;
};

static void begin(struct measuring *measuring, int32_t writers)
{
    static const sc_control none = {0};
    *measuring = (struct measuring){.params = {.path = directory,
                                               .max_readers = 4,
                                               .seconds = 1,
                                               .whole_s = 1,
                                               .warm_up_s = -1,
                                               .stall_s = 30,
                                               .scrub_bytes = BLOCK_BYTES,
                                               .writers = writers,
                                               .start_ns = sci_now_ns()}};
    assert_int_equal(sc_player_resolve(&measuring->params.player, NULL), SC_OK);
    measuring->params.player.block_bytes = BLOCK_BYTES;
    sci_control_start(&measuring->control, &none, "measure");
    measuring->findings.arena = measuring->curve.arena = sci_arena_new();
    measuring->curve.findings = &measuring->findings;
}

static void end(struct measuring *measuring)
{
    sci_arena_free(&measuring->curve.arena);
}

/* ---- tests ---- */

static sc_status point_beside(struct measuring *measuring, sci_curve_step step, sc_error *error)
{
    sci_dataset *data = data_of(sound, 1), *load = data_of(written, 1);
    sci_dataset_write(load);
    sc_status status = sci_curve_point(&measuring->curve, &measuring->params, data, load, step,
                                       &measuring->control, &measuring->point, error);
    sci_dataset_release(&data);
    sci_dataset_release(&load);
    return status;
}

static void writers_go_on_until_the_readers_have_ended(void **state)
{
    const sci_curve_step step = {8, 0.3}; /* 16 threads: they start 0.3 s after the writers */
    struct measuring measuring;
    (void)state;
    begin(&measuring, 1);
    atomic_store(&threads_are_slow, true);
    sc_status status = point_beside(&measuring, step, NULL);
    atomic_store(&threads_are_slow, false);
    assert_int_equal(status, SC_OK);
    assert_true(measuring.point.samples > 0);
    assert_true(atomic_load(&last_read_ns) > 0);
    assert_true(atomic_load(&last_write_ns) > atomic_load(&last_read_ns) - 100000000);
    assert_int_equal(sci_faults_count(&measuring.curve.write_faults), 0);
    end(&measuring);
}

static void failed_writes_are_kept_apart(void **state)
{
    const sci_curve_step step = {1, 0.3};
    struct measuring measuring;
    (void)state;
    begin(&measuring, 2);
    atomic_store(&failing_writes, 3);
    assert_int_equal(point_beside(&measuring, step, NULL), SC_OK);
    assert_int_equal(sci_faults_count(&measuring.curve.faults), 0);
    assert_int_equal(measuring.curve.write_faults.failed.count, 3);
    assert_int_equal(measuring.curve.write_faults.gave_up, 0);
    assert_int_equal(measuring.curve.write_faults.failed.first.os_errno, EIO);
    end(&measuring);
}

/* Of four threads that write one gives up or more, and one goes on at least. */
static void a_point_beside_fewer_writers_is_none(void **state)
{
    const sci_curve_step step = {1, 0.5};
    struct measuring measuring;
    sc_error error = {0};
    (void)state;
    begin(&measuring, 2);
    atomic_store(&failing_writes, 4 * 63 + 1);
    assert_int_equal(point_beside(&measuring, step, &error), SC_IO);
    assert_int_equal(error.os_errno, EIO);
    assert_true(measuring.curve.write_faults.gave_up >= 1);
    atomic_store(&failing_writes, 0);
    end(&measuring);
}

static void jumps_that_fail_are_faults(void **state)
{
    sc_scrub scrub = sci_scrub_unknown();
    struct measuring measuring;
    char path[128];
    (void)state;
    begin(&measuring, 0);
    close(open(at(path, "gone"), O_CREAT | O_WRONLY, 0600));
    sci_dataset *data = data_of(half_gone, 2);
    assert_int_equal(
        sci_scrub_idle(&scrub, &measuring.params, &measuring.curve, data, &measuring.control, NULL),
        SC_OK);
    const int64_t idle = measuring.curve.faults.changed.count;
    assert_true(scrub.idle.samples > 0);
    assert_true(idle > 0);
    assert_int_equal(measuring.curve.faults.changed.first.os_errno, ENOENT);
    measuring.curve.points = &(sc_supply_point){.readers = 1, .mean_bytes_per_s = 1};
    measuring.curve.count = 1;
    assert_int_equal(sci_scrub_loaded(&scrub, &measuring.params, &measuring.curve, data,
                                      &measuring.control, NULL),
                     SC_OK);
    assert_true(measuring.curve.faults.changed.count > idle);
    sci_dataset_release(&data);
    end(&measuring);
}

/* Found, opened once, and then another file, a link to elsewhere, a pipe, or a longer one. */
static void a_file_that_was_replaced_is_not_read(void **state)
{
    static const struct {
        const char *command;
        bool other;
    } cases[] = {{"cp -p read other; printf x >>other; mv other clip", true},
                 {"rm clip; ln -s /bin/sh clip", true},
                 {"rm clip; mkfifo clip", true},
                 {"mv clip away; ln -s away clip", false},
                 {"printf x >>clip", false}};
    char path[128], command[256];
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(cases); i++) {
        const sci_cache_way way = {.mode = SC_CACHE_WARM, .align = 1, .cached_share = -1};
        sci_extents extents = {0};
        sci_read_source source;
        sci_block block = {.align = 1};
        sc_error error = {0};
        snprintf(command, sizeof command, "cd %s && cp read clip", directory);
        assert_int_equal(system(command), 0);
        assert_int_equal(sci_extents_find(&extents, at(path, "clip"), NULL, NULL), SC_OK);
        assert_int_equal(sci_extents_cut(&extents, BLOCK_BYTES, 1, NULL), SC_OK);
        sci_dataset *data = sci_dataset_new(&extents, &way);
        assert_true(sci_dataset_lanes(data, 1, &source));
        snprintf(command, sizeof command, "cd %s && %s", directory, cases[i].command);
        assert_int_equal(system(command), 0);
        const sc_status status = source.next(source.opaque, 0, &block, &error);
        assert_int_equal(status, cases[i].other ? SC_IO : SC_OK);
        if (cases[i].other)
            assert_non_null(strstr(error.message, "was replaced while it was read"));
        else
            source.done(source.opaque, 0, &block, true);
        source.release(source.opaque);
        sci_dataset_release(&data);
        snprintf(command, sizeof command, "cd %s && rm -f clip away", directory);
        assert_int_equal(system(command), 0);
    }
}

static void direct_reads_are_cold_where_that_was_proven(void **state)
{
    (void)state;
    for (int proven = 0; proven < 2; proven++) {
        const sci_cache_way way = {.mode = SC_CACHE_DIRECT, .align = 4096, .proven = proven};
        sci_dataset *data = data_of(sound, 1);
        assert_false(sci_dataset_look(data).cold);
        sci_dataset_switch(data, &way);
        assert_int_equal(sci_dataset_look(data).cold, proven);
        sci_dataset_release(&data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writers_go_on_until_the_readers_have_ended),
        cmocka_unit_test(failed_writes_are_kept_apart),
        cmocka_unit_test(a_point_beside_fewer_writers_is_none),
        cmocka_unit_test(jumps_that_fail_are_faults),
        cmocka_unit_test(a_file_that_was_replaced_is_not_read),
        cmocka_unit_test(direct_reads_are_cold_where_that_was_proven),
    };
    return cmocka_run_group_tests(tests, make_files, remove_files);
}
