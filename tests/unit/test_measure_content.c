#include "io/noise.h"
#include "measure/content.h"
#include "test.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
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
        cmocka_unit_test(a_file_of_zeros_is_told_and_footage_is_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
