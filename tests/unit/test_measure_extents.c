#include "measure/extents.h"
#include "test.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const int64_t MIB = 1 << 20;

static void add_file(sci_extents *extents, int64_t bytes, bool sparse)
{
    assert_true(sci_grow(&extents->files, extents->file_count, &extents->file_capacity,
                         sizeof *extents->files));
    extents->files[extents->file_count++] = (sci_test_file){
        .path = strdup("f"), .bytes = bytes, .sparse = sparse};
}

static void check_regions(const sci_extents *extents)
{
    for (size_t i = 0; i < extents->region_count; i++) {
        const sci_region *region = &extents->regions[i];
        assert_true(region->bytes > 0);
        assert_true(region->offset % extents->block_bytes == 0);
        assert_true(region->bytes % extents->block_bytes == 0 || extents->notes.small);
        assert_true(region->offset + region->bytes <= extents->files[region->file].bytes);
        if (i == 0)
            continue;
        const sci_region *before = region - 1;
        assert_true(
            region->file > before->file ||
            (region->file == before->file && region->offset >= before->offset + before->bytes));
    }
}

static void regions_never_overlap_and_are_taken_once_a_pass(void **state)
{
    uint32_t seed = 7;
    (void)state;
    for (int trial = 0; trial < 200; trial++) {
        sci_extents extents = {0};
        seed = seed * 1664525 + 1013904223;
        int files = 1 + (int)(seed >> 24) % 5;
        int64_t block = (int64_t)4096 << (seed >> 20) % 9;
        for (int i = 0; i < files; i++) {
            seed = seed * 1664525 + 1013904223;
            add_file(&extents, 1 + (int64_t)(seed >> 4) * (trial % 10 == 0 ? 400 : 1), false);
        }
        assert_int_equal(sci_extents_cut(&extents, block, 1 + trial % 64, NULL), SC_OK);
        check_regions(&extents);
        for (uint32_t pass = 1; pass <= 3; pass++) {
            for (size_t i = 0; i < extents.region_count; i++) {
                seed = seed * 1664525 + 1013904223;
                size_t at = sci_extents_take(&extents, seed >> 8);
                assert_true(at < extents.region_count);
                /* A region taken twice in a pass would leave another one with the old pass. */
                assert_int_equal(extents.regions[at].pass, pass);
                sci_extents_give_back(&extents, at);
            }
            for (size_t i = 0; i < extents.region_count; i++)
                assert_int_equal(extents.regions[i].pass, pass);
            assert_int_equal(extents.pass, pass);
        }
        sci_extents_clear(&extents);
    }
}

static void streams_have_distinct_regions_also_where_passes_meet(void **state)
{
    enum { STREAMS = 16 };
    size_t has[STREAMS];
    uint32_t seed = 3;
    sci_extents extents = {0};
    (void)state;
    add_file(&extents, 100 * MIB, false);
    assert_int_equal(sci_extents_cut(&extents, MIB, STREAMS, NULL), SC_OK);
    assert_true(extents.region_count > 2 * STREAMS);
    for (size_t i = 0; i < STREAMS; i++)
        has[i] = sci_extents_take(&extents, i * extents.region_count / STREAMS);
    for (int trial = 0; trial < 2000; trial++) {
        seed = seed * 1664525 + 1013904223;
        size_t i = (seed >> 16) % STREAMS;
        sci_extents_give_back(&extents, has[i]);
        has[i] = sci_extents_take(&extents, has[i] + 1);
        assert_int_equal(extents.regions[has[i]].users, 1);
    }
    assert_true(extents.pass > 20);
    sci_extents_clear(&extents);
}

static void every_reader_gets_regions_and_every_block_is_in_one(void **state)
{
    sci_extents extents = {0};
    int64_t sum = 0;
    (void)state;
    add_file(&extents, 1000 * MIB + 5, false);
    assert_int_equal(sci_extents_cut(&extents, MIB, 64, NULL), SC_OK);
    assert_true(extents.region_count >= 256);
    for (size_t i = 0; i < extents.region_count; i++)
        sum += extents.regions[i].bytes;
    assert_true(sum == 1000 * MIB);
    assert_true(extents.notes.bytes == sum);
    assert_false(extents.notes.small);
    sci_extents_clear(&extents);
}

static void regions_of_buffered_reads_are_long_against_the_read_ahead(void **state)
{
    static const struct {
        int files;
        int64_t bytes, read_ahead_bytes;
        int32_t readers;
        int64_t shortest_bytes;
    } cases[] = {{1, INT64_C(8) << 30, 8 << 20, 64, 64 << 20},
                 {1, INT64_C(80) << 30, 16 << 20, 64, 126 << 20},
                 {1, INT64_C(4) << 30, 8 << 20, 64, 62 << 20},
                 {59, 65 << 20, 8 << 20, 64, 31 << 20},
                 {4, 100 << 20, 128 << 10, 2, 50 << 20}};
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(cases); i++) {
        sci_extents extents = {0};
        int64_t shortest = INT64_MAX;
        for (int file = 0; file < cases[i].files; file++)
            add_file(&extents, cases[i].bytes, false);
        assert_int_equal(sci_extents_cut(&extents, MIB, cases[i].readers, NULL), SC_OK);
        extents.read_ahead_bytes = cases[i].read_ahead_bytes;
        assert_int_equal(sci_extents_cut(&extents, MIB, cases[i].readers, NULL), SC_OK);
        check_regions(&extents);
        for (size_t region = 0; region < extents.region_count; region++)
            if (extents.regions[region].bytes < shortest)
                shortest = extents.regions[region].bytes;
        assert_true(shortest >= cases[i].shortest_bytes);
        assert_true(extents.region_count >= (size_t)cases[i].readers);
        assert_true(extents.notes.bytes == cases[i].files * cases[i].bytes);
        sci_extents_clear(&extents);
    }
}

static void huge_files_give_a_bounded_number_of_regions(void **state)
{
    sci_extents extents = {0};
    (void)state;
    add_file(&extents, INT64_C(1) << 50, false);
    add_file(&extents, INT64_C(1) << 50, false);
    assert_int_equal(sci_extents_cut(&extents, 4096, 256, NULL), SC_OK);
    assert_true(extents.region_count <= 40000);
    check_regions(&extents);
    sci_extents_clear(&extents);
}

static void small_and_sparse_files_are_used_only_without_better_ones(void **state)
{
    sci_extents extents = {0};
    (void)state;
    add_file(&extents, 1000 * MIB, true);
    add_file(&extents, 100 * MIB, false);
    add_file(&extents, 1000, false);
    assert_int_equal(sci_extents_cut(&extents, MIB, 4, NULL), SC_OK);
    assert_false(extents.notes.sparse);
    assert_false(extents.notes.small);
    assert_true(extents.notes.bytes == 100 * MIB);
    sci_extents_clear(&extents);

    add_file(&extents, 1000 * MIB, true);
    add_file(&extents, 10 * MIB, false);
    assert_int_equal(sci_extents_cut(&extents, MIB, 4, NULL), SC_OK);
    assert_true(extents.notes.sparse);
    sci_extents_clear(&extents);

    add_file(&extents, 1000, false);
    add_file(&extents, 10, false);
    assert_int_equal(sci_extents_cut(&extents, MIB, 4, NULL), SC_OK);
    assert_true(extents.notes.small);
    assert_int_equal(extents.region_count, 2);
    check_regions(&extents);
    sci_extents_clear(&extents);
}

static void repeating_files_are_used_only_without_better_ones(void **state)
{
    sci_extents extents = {0};
    (void)state;
    add_file(&extents, 1000 * MIB, false);
    add_file(&extents, 100 * MIB, false);
    extents.files[0].repeating = true;
    assert_int_equal(sci_extents_cut(&extents, MIB, 4, NULL), SC_OK);
    assert_false(extents.notes.repeating);
    assert_true(extents.notes.bytes == 100 * MIB);
    extents.files[1].repeating = true;
    assert_int_equal(sci_extents_cut(&extents, MIB, 4, NULL), SC_OK);
    assert_true(extents.notes.repeating);
    assert_true(extents.notes.bytes == 1100 * MIB);
    sci_extents_clear(&extents);
}

static void make_file(const char *directory, const char *name, off_t bytes)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    int fd = open(path, O_CREAT | O_WRONLY, 0600);
    assert_true(fd >= 0);
    assert_int_equal(ftruncate(fd, bytes), 0);
    close(fd);
}

static void the_largest_files_of_a_tree_are_found(void **state)
{
    char directory[] = "/tmp/extents.XXXXXX", path[512], target[512], command[600];
    sci_extents extents = {0};
    (void)state;
    assert_non_null(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/sub", directory);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(path, sizeof path, "%s/.hidden", directory);
    assert_int_equal(mkdir(path, 0700), 0);
    make_file(path, "hidden", 9000);
    make_file(directory, ".dot", 9000);
    make_file(directory, "empty", 0);
    make_file(directory, "sub/second", 2000);
    make_file(directory, "first", 3000);
    snprintf(path, sizeof path, "%s/fifo", directory);
    assert_int_equal(mkfifo(path, 0600), 0);
    snprintf(target, sizeof target, "%s/loop", directory);
    assert_int_equal(symlink(directory, target), 0);
    /* Other names of one file. */
    snprintf(path, sizeof path, "%s/first", directory);
    snprintf(target, sizeof target, "%s/again", directory);
    assert_int_equal(link(path, target), 0);
    snprintf(target, sizeof target, "%s/sub/pointer", directory);
    assert_int_equal(symlink("../first", target), 0);
    for (int i = 0; i < 200; i++) {
        snprintf(path, sizeof path, "sub/clip%03d", i);
        make_file(directory, path, 100 + i);
    }
    assert_int_equal(sci_extents_find(&extents, directory, NULL, NULL), SC_OK);
    assert_int_equal(extents.file_count, 128);
    assert_int_equal(extents.files[0].bytes, 3000);
    assert_int_equal(extents.files[1].bytes, 2000);
    for (size_t i = 1; i < extents.file_count; i++)
        assert_true(extents.files[i].bytes <= extents.files[i - 1].bytes);
    assert_int_equal(extents.files[127].bytes, 100 + 200 - 126);
    sci_extents_clear(&extents);
    snprintf(command, sizeof command, "rm -r %s", directory);
    assert_int_equal(system(command), 0);
}

static void files_that_may_not_be_read_hide_none(void **state)
{
    char directory[] = "/tmp/extents.XXXXXX", path[512], command[600];
    sci_extents extents = {0};
    const bool root = geteuid() == 0;
    (void)state;
    assert_non_null(mkdtemp(directory));
    assert_int_equal(chmod(directory, 0755), 0);
    for (int i = 0; i < 140; i++) {
        snprintf(path, sizeof path, "large%03d", i);
        make_file(directory, path, 5000 + i);
        snprintf(path, sizeof path, "%s/large%03d", directory, i);
        assert_int_equal(chmod(path, 0), 0);
    }
    make_file(directory, "small", 100);
    snprintf(path, sizeof path, "%s/small", directory);
    assert_int_equal(chmod(path, 0644), 0);
    assert_int_equal(root ? seteuid(65534) : 0, 0);
    const sc_status status = sci_extents_find(&extents, directory, NULL, NULL);
    assert_int_equal(root ? seteuid(0) : 0, 0);
    assert_int_equal(status, SC_OK);
    assert_int_equal(extents.file_count, 1);
    assert_int_equal(extents.files[0].bytes, 100);
    assert_true(extents.notes.unreadable);
    sci_extents_clear(&extents);
    snprintf(command, sizeof command, "rm -rf %s", directory);
    assert_int_equal(system(command), 0);
}

static void a_file_of_one_hole_is_sparse(void **state)
{
    char path[] = "/var/tmp/streamcalc-hole-XXXXXX";
    sci_extents extents = {0};
    (void)state;
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(ftruncate(fd, 1 << 24), 0);
    close(fd);
    assert_int_equal(sci_extents_find(&extents, path, NULL, NULL), SC_OK);
    assert_true(extents.files[0].sparse);
    sci_extents_clear(&extents);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(regions_never_overlap_and_are_taken_once_a_pass),
        cmocka_unit_test(streams_have_distinct_regions_also_where_passes_meet),
        cmocka_unit_test(every_reader_gets_regions_and_every_block_is_in_one),
        cmocka_unit_test(regions_of_buffered_reads_are_long_against_the_read_ahead),
        cmocka_unit_test(huge_files_give_a_bounded_number_of_regions),
        cmocka_unit_test(small_and_sparse_files_are_used_only_without_better_ones),
        cmocka_unit_test(repeating_files_are_used_only_without_better_ones),
        cmocka_unit_test(the_largest_files_of_a_tree_are_found),
        cmocka_unit_test(files_that_may_not_be_read_hide_none),
        cmocka_unit_test(a_file_of_one_hole_is_sparse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
