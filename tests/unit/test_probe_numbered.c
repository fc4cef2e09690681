/* Names that differ in a number: which of them are frames of one sequence, and patterns. */
#include "test.h"

#include "probe/numbered.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 32 };

/* "shot.%04d.dpx 1,2,5; ..." of all sequences in those names. */
static const char *sorted_into(const char *const *names)
{
    static char text[2048];
    bool usable[MOST];
    sci_numbered_list list;
    size_t count = 0;
    for (; names[count]; count++)
        usable[count] = true;
    assert_true(sci_numbered_find(names, usable, count, NULL, NULL, &list));
    text[0] = '\0';
    for (size_t i = 0; i < list.count; i++) {
        const sci_numbering *numbering = &list.items[i].numbering;
        size_t used = strlen(text);
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%.*s<%d>%s ", i ? "; " : "",
                                 (int)numbering->prefix_length, numbering->name, numbering->width,
                                 numbering->suffix);
        for (size_t k = 0; k < list.items[i].count; k++)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%lld", k ? "," : "",
                                     (long long)list.items[i].numbers[k]);
    }
    sci_numbered_free(&list);
    return text;
}

static void names_become_sequences(void **state)
{
    static const struct {
        const char *names[MOST], *sequences;
    } cases[] = {
        {{"a.0001.dpx", "a.0002.dpx", "a.0004.dpx"}, "a.<4>.dpx 1,2,4"},
        {{"0001.tif", "0002.tif"}, "<4>.tif 1,2"},
        {{"1.tif", "10.tif", "2.tif"}, "<0>.tif 1,2,10"},
        {{"A001C002_000123.dng", "A001C002_000124.dng"}, "A001C002_<6>.dng 123,124"},
        {{"a_1.exr", "b_1.exr", "c_2.exr"}, ""},
        {{"a.1001.exr", "a.1002.exr"}, "a.<4>.exr 1001,1002"},
        {{"a.0999.exr", "a.1000.exr", "a.10000.exr"}, "a.<4>.exr 999,1000,10000"},
        {{"a.1.dpx", "a.2.dpx", "b.1.dpx", "b.2.dpx"}, "a.<0>.dpx 1,2; b.<0>.dpx 1,2"},
        {{"a.0001.dpx", "a.0001.exr", "a.0002.dpx", "a.0002.exr"}, "a.<4>.dpx 1,2; a.<4>.exr 1,2"},
        /* the same numbers written in two ways */
        {{"0001.dpx", "0002.dpx", "1.dpx", "2.dpx"}, "<4>.dpx 1,2; <0>.dpx 1,2"},
        {{"0001.dpx", "1.dpx"}, ""},
        /* a number that counts before others that do not */
        {{"s.0001_v1.exr", "s.0002_v1.exr", "s.0003_v1.exr"}, "s.<4>_v1.exr 1,2,3"},
        {{"s_0001_v1.exr", "s_0001_v2.exr", "s_0002_v1.exr", "s_0002_v2.exr", "s_0003_v1.exr",
          "s_0003_v2.exr"},
         "s_<4>_v1.exr 1,2,3; s_<4>_v2.exr 1,2,3"},
        {{"1_1920x1080.exr", "2_1920x1080.exr"}, "<0>_1920x1080.exr 1,2"},
        /* digits of the ending are no number, those beyond 18 none that is known */
        {{"a.jp2", "b.jp2"}, ""},
        {{"1.jp2", "2.jp2"}, "<0>.jp2 1,2"},
        {{"9999999999999999991.dpx", "9999999999999999992.dpx"}, ""},
        {{"000000000000000000001.dpx", "000000000000000000002.dpx"}, "<21>.dpx 1,2"},
        {{"999999999999999998.dpx", "999999999999999999.dpx"},
         "<18>.dpx 999999999999999998,999999999999999999"},
        {{"", "0.dpx", "1.dpx", "noname", "x.y"}, "<0>.dpx 0,1"},
    };
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(cases); i++)
        assert_string_equal(sorted_into(cases[i].names), cases[i].sequences);
}

/* Every frame has the name that it was found by. */
static void names_come_back(void **state)
{
    static const char *const names[] = {"a.0001.dpx", "a.0100.dpx", "a.10000.dpx", "b7.exr",
                                        "b8.exr",     "c000.tif",   "c001.tif"};
    bool usable[SCI_COUNT(names)];
    sci_numbered_list list;
    size_t found = 0;
    (void)state;
    memset(usable, true, sizeof usable);
    assert_true(sci_numbered_find(names, usable, SCI_COUNT(names), NULL, NULL, &list));
    assert_int_equal(list.count, 3);
    for (size_t i = 0; i < list.count; i++)
        for (size_t k = 0; k < list.items[i].count; k++, found++) {
            char name[64];
            int64_t number;
            sci_frame_name(&list.items[i].numbering, list.items[i].numbers[k], name, sizeof name);
            assert_string_equal(name, names[found]);
            assert_true(sci_pattern_matches(&list.items[i].numbering, name, &number));
            assert_true(number == list.items[i].numbers[k]);
            assert_true(list.taken[found]);
        }
    assert_int_equal(found, SCI_COUNT(names));
    sci_numbered_free(&list);
}

static void unusable_names_are_left_alone(void **state)
{
    static const char *const names[] = {"a.1.dpx", "a.2.dpx", "a.3.dpx"};
    static const bool usable[] = {true, false, true};
    sci_numbered_list list;
    (void)state;
    assert_true(sci_numbered_find(names, usable, 3, NULL, NULL, &list));
    assert_int_equal(list.count, 1);
    assert_int_equal(list.items[0].count, 2);
    assert_false(list.taken[1]);
    sci_numbered_free(&list);
}

static bool stop_at_once(void *opaque)
{
    ++*(int *)opaque;
    return true;
}

static void it_can_be_stopped(void **state)
{
    static const char *const names[] = {"a.1.dpx", "a.2.dpx"};
    static const bool usable[] = {true, true};
    sci_numbered_list list;
    int asked = 0;
    (void)state;
    assert_false(sci_numbered_find(names, usable, 2, stop_at_once, &asked, &list));
    assert_int_equal(asked, 1);
    sci_numbered_free(&list);
}

/* A million names, every one with three numbers that could be the one. */
static void a_million_names(void **state)
{
    enum { COUNT = 1000000, BYTES = 40 };
    char *text = malloc((size_t)COUNT * BYTES);
    const char **names = malloc(COUNT * sizeof *names);
    bool *usable = malloc(COUNT);
    sci_numbered_list list;
    (void)state;
    assert_true(text && names && usable);
    for (size_t i = 0; i < COUNT; i++) {
        char *name = text + i * BYTES;
        snprintf(name, BYTES, "%07u_%07u_%07u.exr", (unsigned)i, (unsigned)(i * 7919 % COUNT),
                 (unsigned)(i / 2));
        names[i] = name;
        usable[i] = true;
    }
    assert_true(sci_numbered_find(names, usable, COUNT, NULL, NULL, &list));
    assert_int_equal(list.count, 0);
    sci_numbered_free(&list);
    for (size_t i = 0; i < COUNT; i++)
        snprintf(text + i * BYTES, BYTES, "shot_2_%07u.exr", (unsigned)(COUNT - i));
    assert_true(sci_numbered_find(names, usable, COUNT, NULL, NULL, &list));
    assert_int_equal(list.count, 1);
    assert_int_equal(list.items[0].count, COUNT);
    assert_int_equal(list.items[0].numbers[0], 1);
    assert_int_equal(list.items[0].numbers[COUNT - 1], COUNT);
    sci_numbered_free(&list);
    free(usable);
    free(names);
    free(text);
}

static void patterns_are_read(void **state)
{
    static const struct {
        const char *pattern, *prefix, *suffix; /* prefix NULL: none */
        int width;
    } cases[] = {
        {"shot.%04d.dpx", "shot.", ".dpx", 4},
        {"%d.exr", "", ".exr", 0},
        {"100%%_%06d", "100%_", "", 6},
        {"a%03d%%.tif", "a", "%.tif", 3},
        {"shot.dpx", NULL, NULL, 0},
        {"%s.dpx", NULL, NULL, 0},
        {"%4d.dpx", NULL, NULL, 0},
        {"%d_%d.dpx", NULL, NULL, 0},
        {"%064d.dpx", NULL, NULL, 0},
        {"%099999999999999999999d.dpx", NULL, NULL, 0},
        {"%", NULL, NULL, 0},
        {"%0", NULL, NULL, 0},
        {"", NULL, NULL, 0},
    };
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(cases); i++) {
        char buffer[64];
        sci_numbering numbering;
        bool read = sci_pattern_read(cases[i].pattern, buffer, &numbering);
        assert_int_equal(read, cases[i].prefix != NULL);
        if (!read)
            continue;
        assert_int_equal(numbering.prefix_length, strlen(cases[i].prefix));
        assert_memory_equal(numbering.name, cases[i].prefix, numbering.prefix_length);
        assert_string_equal(numbering.suffix, cases[i].suffix);
        assert_int_equal(numbering.width, cases[i].width);
    }
}

static void patterns_match_what_they_print(void **state)
{
    static const struct {
        const char *name;
        int64_t number; /* negative: no match */
    } cases[] = {{"s.0001.x", 1},
                 {"s.9999.x", 9999},
                 {"s.10000.x", 10000},
                 {"s.001.x", -1},
                 {"s.00001.x", -1},
                 {"s..x", -1},
                 {"s.0001.xx", -1},
                 {"t.0001.x", -1},
                 {"s.00a1.x", -1},
                 {"s.-001.x", -1},
                 {"s.x", -1},
                 {"", -1},
                 {"s.12345678901234567890.x", -1}};
    char buffer[16];
    sci_numbering numbering;
    (void)state;
    assert_true(sci_pattern_read("s.%04d.x", buffer, &numbering));
    for (size_t i = 0; i < SCI_COUNT(cases); i++) {
        int64_t number = -1;
        bool matches = sci_pattern_matches(&numbering, cases[i].name, &number);
        assert_int_equal(matches, cases[i].number >= 0);
        assert_true(number == cases[i].number);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_become_sequences),
        cmocka_unit_test(names_come_back),
        cmocka_unit_test(unusable_names_are_left_alone),
        cmocka_unit_test(it_can_be_stopped),
        cmocka_unit_test(a_million_names),
        cmocka_unit_test(patterns_are_read),
        cmocka_unit_test(patterns_match_what_they_print),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
