#include "io/noise.h"
#include "io/os.h"
#include "measure/content.h"
#include "test.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void patterns_repeat_and_noise_does_not(void **state)
{
    enum { SIZE = 65536 };
    static const size_t periods[] = {1, 2, 18, 511, 4096, SIZE / 2};
    unsigned char *bytes = malloc(SIZE), *pattern = malloc(SIZE);
    uint64_t noise = sci_noise_state(5);
    (void)state;
    sci_noise_fill(pattern, SIZE, &noise);
    for (size_t i = 0; i < SCI_COUNT(periods); i++) {
        for (size_t k = 0; k < SIZE; k++)
            bytes[k] = pattern[k % periods[i]];
        assert_true(sci_content_repeats(bytes, SIZE));
        assert_true(sci_content_repeats(bytes, SIZE - 7) || periods[i] > SIZE / 2 - 7);
        bytes[SIZE - 3] ^= 1;
        assert_false(sci_content_repeats(bytes, SIZE));
    }
    assert_false(sci_content_repeats(pattern, SIZE));
    assert_false(sci_content_repeats(pattern, 0));
    assert_false(sci_content_repeats(bytes, 1));
    memset(bytes, 0, SIZE); /* zeros before content are no repetition */
    memcpy(bytes + SIZE / 2, pattern, SIZE / 2);
    assert_false(sci_content_repeats(bytes, SIZE));
    free(bytes);
    free(pattern);
}

static void of_files_that_share_the_first_stays(void **state)
{
    static const struct {
        size_t count;
        sci_shared_piece pieces[5];
        bool copies[4];
    } cases[] = {
        {0, {{0}}, {0}},
        {1, {{100, 50, 3}}, {0}},
        {2, {{100, 50, 0}, {150, 50, 1}}, {0}},       /* side by side */
        {2, {{100, 50, 0}, {100, 50, 1}}, {0, 1}},    /* the same */
        {2, {{149, 50, 0}, {100, 50, 2}}, {0, 0, 1}}, /* one byte */
        {2, {{100, 50, 1}, {120, 10, 1}}, {0}},       /* within a file */
        {3, {{100, 50, 2}, {100, 50, 0}, {100, 50, 1}}, {0, 1, 1}},
        {3, {{0, 1000, 1}, {10, 5, 1}, {900, 10, 3}}, {0, 0, 0, 1}},
        {4, {{0, 10, 0}, {0, 10, 2}, {50, 10, 1}, {50, 10, 3}}, {0, 0, 1, 1}},
        {3, {{0, 10, 0}, {5, 195, 0}, {50, 10, 1}}, {0, 1}}, /* the second reaches further */
        {4, {{0, 10, 0}, {5, 195, 0}, {50, 10, 0}, {190, 10, 1}}, {0, 1}},
        {3, {{0, 10, 0}, {5, INT64_MAX, 0}, {INT64_MAX - 1, 1, 1}}, {0, 1}},
        {3, {{0, 10, 0}, {5, 15, 0}, {20, 10, 1}}, {0}},
        {2, {{INT64_MAX - 5, 5, 0}, {INT64_MAX - 3, 3, 1}}, {0, 1}},
    };
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(cases); i++) {
        sci_shared_piece pieces[5];
        bool copies[4] = {0};
        memcpy(pieces, cases[i].pieces, sizeof pieces);
        sci_content_find_copies(pieces, cases[i].count, copies);
        assert_memory_equal(copies, cases[i].copies, sizeof copies);
    }
}

/* A file system of compressed pieces of 128 KiB, in place of the real one. */
static int64_t encoded_to;
static int64_t pieces_told;

int __wrap_sci_os_extents(int fd, int64_t *offset, sci_os_extent extents[SCI_OS_EXTENTS],
                          size_t *count);
int __wrap_sci_os_extents(int fd, int64_t *offset, sci_os_extent extents[SCI_OS_EXTENTS],
                          size_t *count)
{
    enum { PIECE = 128 << 10 };
    struct stat facts;
    assert_int_equal(fstat(fd, &facts), 0);
    for (*count = 0; *count < SCI_OS_EXTENTS && *offset < facts.st_size; (*count)++) {
        extents[*count] = (sci_os_extent){.bytes = PIECE, .encoded = *offset < encoded_to};
        *offset += PIECE;
        pieces_told++;
    }
    return 0;
}

/* Of the largest more pieces lie there than are looked at. */
static void a_file_that_is_compressed_is_told_whatever_its_size(void **state)
{
    static const struct {
        int64_t bytes;
        double encoded_share;
        bool sparse;
    } cases[] = {{64 << 20, 1, true},          {64 << 20, 0, false},
                 {64 << 20, 0.05, false},      {64 << 20, 0.2, true},
                 {INT64_C(20) << 30, 1, true}, {INT64_C(20) << 30, 0, false}};
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(cases); i++) {
        sci_extents extents = {0};
        char path[] = "/var/tmp/streamcalc-content-XXXXXX";
        int fd = mkstemp(path);
        assert_true(fd >= 0);
        assert_int_equal(ftruncate(fd, cases[i].bytes), 0);
        assert_true(sci_grow(&extents.files, 0, &extents.file_capacity, sizeof *extents.files));
        extents.files[extents.file_count++] = (sci_test_file){.path = strdup(path),
                                                              .bytes = cases[i].bytes};
        assert_int_equal(pwrite(fd, "x", 1, 0), 1); /* no whole hole */
        encoded_to = (int64_t)((double)cases[i].bytes * cases[i].encoded_share);
        pieces_told = 0;
        assert_true(sci_content_look(&extents, NULL));
        assert_true(pieces_told > 0 && pieces_told <= 4096);
        assert_int_equal(extents.files[0].sparse, cases[i].sparse);
        encoded_to = 0;
        sci_extents_clear(&extents);
        close(fd);
        unlink(path);
    }
}

static void a_file_of_zeros_is_told_and_footage_is_not(void **state)
{
    enum { BYTES = 1 << 20 };
    char path[] = "/var/tmp/streamcalc-content-XXXXXX";
    unsigned char *bytes = calloc(1, BYTES);
    uint64_t noise = sci_noise_state(9);
    (void)state;
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    for (int sound = 0; sound < 2; sound++) {
        sci_extents extents = {0};
        if (sound)
            sci_noise_fill(bytes, BYTES, &noise);
        assert_int_equal(pwrite(fd, bytes, BYTES, 0), BYTES);
        assert_int_equal(fsync(fd), 0);
        assert_int_equal(sci_extents_find(&extents, path, NULL, NULL), SC_OK);
        assert_int_equal(extents.files[0].repeating, !sound);
        assert_int_equal(extents.notes.shared, 0);
        sci_extents_clear(&extents);
    }
    close(fd);
    unlink(path);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns_repeat_and_noise_does_not),
        cmocka_unit_test(of_files_that_share_the_first_stays),
        cmocka_unit_test(a_file_that_is_compressed_is_told_whatever_its_size),
        cmocka_unit_test(a_file_of_zeros_is_told_and_footage_is_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
