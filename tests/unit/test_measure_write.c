#include "directory.h"
#include "measure/content.h"
#include "measure/mark.h"
#include "measure/write.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const int64_t MIB = 1 << 20;
static const sc_control none = {0};

static int remove_directory(void **state)
{
    (void)state;
    return rmdir(directory); /* fails where something was left */
}

/* ---- the data set ---- */

static sci_test_data *create(sci_control *control, int64_t bytes, int64_t block_bytes)
{
    const sci_create_params wanted = {directory, bytes, block_bytes, 0, 30};
    sci_test_data *data = NULL;
    sci_control_start(control, &none, "measure");
    assert_int_equal(sci_test_data_create(&wanted, control, &data, NULL), SC_OK);
    return data;
}

static sci_measure_settings params_of(int64_t block_bytes)
{
    sci_measure_settings params = {.path = directory, .seconds = 1, .whole_s = 1, .stall_s = 30};
    assert_int_equal(sc_player_resolve(&params.player, NULL), SC_OK);
    params.player.block_bytes = block_bytes;
    params.start_ns = sci_now_ns();
    return params;
}

static void read_at(const char *path, int64_t offset, unsigned char *bytes, size_t size)
{
    int fd = open(path, O_RDONLY);
    assert_true(fd >= 0);
    assert_int_equal(pread(fd, bytes, size, offset), size);
    close(fd);
}

/* Each write is other noise, none of them is beyond the file's end, and the marks stay. */
static void check_written(int64_t block_bytes)
{
    enum { LOOK = 65536 };
    sci_control control;
    sci_test_data *created = create(&control, 32 * MIB, block_bytes);
    const sci_measure_settings params = params_of(block_bytes);
    sci_extents extents = {0};
    sci_write_points points = {.count = 0};
    sci_arena *arena = sci_arena_new();
    unsigned char *before = malloc(2 * LOOK), *after = malloc(2 * LOOK);
    assert_true(sci_test_data_extents(created, SCI_TEST_ALL, &extents));
    const sci_test_file *file = &extents.files[0];
    read_at(file->path, block_bytes, before, 2 * LOOK);
    sci_dataset *written = sci_write_dataset(created, SCI_TEST_ALL, &params, NULL);
    assert_non_null(written);
    assert_int_equal(sci_write_measure(&params, written, 1, arena, &control, &points, NULL), SC_OK);
    assert_int_equal(points.count, 2);
    assert_int_equal(points.points[0].readers, 1);
    assert_int_equal(points.points[1].readers, 2);
    for (size_t i = 0; i < points.count; i++) {
        const sc_supply_point *point = &points.points[i];
        assert_true(point->mean_bytes_per_s > 0 && point->samples > 0);
        assert_true(point->latency_p50_s > 0 && point->latency_p50_s <= point->latency_max_s);
    }
    read_at(file->path, block_bytes, after, 2 * LOOK);
    assert_memory_not_equal(before, after, LOOK);
    assert_memory_not_equal(after, after + LOOK, LOOK);
    assert_false(sci_content_repeats(after, LOOK));
    for (size_t i = 0; i < extents.file_count; i++) {
        char head[SCI_MARK_BYTES];
        sci_mark mark;
        read_at(extents.files[i].path, 0, (unsigned char *)head, sizeof head);
        assert_true(sci_mark_read(head, &mark));
        int fd = open(extents.files[i].path, O_RDONLY);
        assert_int_equal(lseek(fd, 0, SEEK_END), extents.files[i].bytes);
        close(fd);
    }
    free(before);
    free(after);
    sci_arena_free(&arena);
    sci_extents_clear(&extents);
    sci_dataset_release(&written);
    char left[SC_TEXT_MAX];
    sci_test_data_remove(&created, &(sc_error){0}, 30, &control, left);
    assert_string_equal(left, "");
    assert_int_equal(entries(directory), 0);
}

static void writes_are_new_noise_and_spare_the_marks(void **state)
{
    (void)state;
    check_written(MIB);
    check_written(300001); /* no whole sectors: synced */
}

static void too_little_data_for_the_block_is_said(void **state)
{
    sci_control control;
    sci_test_data *created = create(&control, 16 * MIB, 64 * MIB);
    const sci_measure_settings params = params_of(64 * MIB);
    sc_error error = {0};
    char left[SC_TEXT_MAX];
    (void)state;
    assert_null(sci_write_dataset(created, SCI_TEST_ALL, &params, &error));
    assert_int_equal(error.status, SC_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "too little"));
    sci_test_data_remove(&created, &(sc_error){0}, 30, &control, left);
}

static void halves_are_distinct_and_all_together(void **state)
{
    sci_control control;
    sci_test_data *created = create(&control, 16 * MIB, MIB);
    sci_extents halves = {0};
    char left[SC_TEXT_MAX];
    (void)state;
    assert_true(sci_test_data_extents(created, SCI_TEST_FIRST_HALF, &halves));
    assert_int_equal(halves.file_count, 2);
    assert_true(sci_test_data_extents(created, SCI_TEST_SECOND_HALF, &halves));
    assert_int_equal(halves.file_count, 4);
    for (size_t i = 0; i < 4; i++)
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(halves.files[i].path, halves.files[k].path);
    sci_extents_clear(&halves);
    sci_test_data_remove(&created, &(sc_error){0}, 30, &control, left);
}

/* ---- the whole measurement ---- */

static bool has(const sc_storage *storage, const char *code)
{
    for (size_t i = 0; i < storage->finding_count; i++)
        if (strcmp(storage->findings[i].code, code) == 0)
            return true;
    return false;
}

static void writes_are_part_of_the_result(void **state)
{
    static const struct {
        bool write;
        int32_t writers;
        int64_t block_bytes;
        bool synced;
    } cases[] = {{true, 0, 1 << 20, false},
                 {false, 2, 1 << 20, false},
                 {true, 1, 1 << 20, false},
                 {true, 0, 300001, true}};
    int before = entries("/proc/self/fd");
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(cases); i++) {
        sc_measure_params params = {.seconds = 2,
                                    .warm_up_s = 0.02,
                                    .max_readers = 1,
                                    .create_bytes = 64 << 20,
                                    .write = cases[i].write,
                                    .with_writers = cases[i].writers};
        sc_storage *storage = NULL;
        sc_error error = {0};
        params.player.block_bytes = cases[i].block_bytes;
        sc_status status = sc_measure(directory, &params, &storage, &error);
        if (status == SC_IO && error.os_errno == ENOSPC)
            skip();
        assert_int_equal(status, SC_OK);
        assert_int_equal(storage->point_count, 1);
        assert_int_equal(storage->write_point_count, cases[i].write ? 2 : 0);
        assert_int_equal(storage->with_writers, cases[i].writers);
        assert_int_equal(has(storage, "with-writers"), cases[i].writers > 0);
        for (size_t k = 0; k < storage->write_point_count; k++)
            assert_true(storage->write_points[k].mean_bytes_per_s > 0);
        if (cases[i].synced)
            assert_true(storage->write_synced);
        sc_storage_free(&storage);
        assert_int_equal(entries(directory), 0);
    }
    assert_int_equal(entries("/proc/self/fd"), before);
}

static void bad_numbers_of_writers_are_refused(void **state)
{
    static const int32_t cases[] = {-1, 65, INT32_MAX};
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(cases); i++) {
        const sc_measure_params params = {.with_writers = cases[i]};
        sc_storage *storage = NULL;
        sc_error error = {0};
        assert_int_equal(sc_measure(directory, &params, &storage, &error), SC_INVALID_ARGUMENT);
        assert_non_null(strstr(error.message, "with_writers"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_are_new_noise_and_spare_the_marks),
        cmocka_unit_test(too_little_data_for_the_block_is_said),
        cmocka_unit_test(halves_are_distinct_and_all_together),
        cmocka_unit_test(writes_are_part_of_the_result),
        cmocka_unit_test(bad_numbers_of_writers_are_refused),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
