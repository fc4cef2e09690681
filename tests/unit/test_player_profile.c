#include "core/core.h"
#include "player/player.h"
#include "test.h"

#include <string.h>

enum { MIB = 1048576 };

static sc_player parse(const char *text)
{
    sc_player player = {0};
    sc_error error = {0};
    if (sc_player_parse(text, &player, &error) != SC_OK)
        fail_msg("%s: %s", text, error.message);
    return player;
}

static void built_in_profiles_are_those_of_the_model(void **state)
{
    static const sc_player expected[] = {
        {"tight", MIB, 1, 0.35, 0.35, SC_READ_BLOCK, 0, SC_IO_ANY},
        {"small-reads", MIB / 8, 2, 1, 1, SC_READ_BLOCK, 0, SC_IO_ANY},
        {"normal", MIB, 2, 1, 1, SC_READ_BLOCK, 0, SC_IO_ANY},
        {"large-reads", 4 * MIB, 2, 2, 1, SC_READ_BLOCK, 0, SC_IO_ANY},
        {"deep", MIB, 4, 10, 1, SC_READ_BLOCK, 0, SC_IO_ANY},
        {"frame-reads", MIB, 1, 1, 1, SC_READ_FRAME, 0, SC_IO_ANY},
    };
    size_t count;
    const sc_player *players = sc_players(&count);
    (void)state;
    assert_int_equal(count, SCI_COUNT(expected));
    for (size_t i = 0; i < count; i++) {
        sc_player by_name = {0}, parsed = parse(expected[i].name);
        strcpy(by_name.name, expected[i].name);
        assert_int_equal(sc_player_resolve(&by_name, NULL), SC_OK);
        const sc_player *all[] = {&players[i], &by_name, &parsed};
        for (size_t k = 0; k < SCI_COUNT(all); k++) {
            assert_string_equal(all[k]->name, expected[i].name);
            assert_int_equal(all[k]->block_bytes, expected[i].block_bytes);
            assert_int_equal(all[k]->in_flight, expected[i].in_flight);
            assert_true(all[k]->read_ahead_s == expected[i].read_ahead_s);
            assert_true(all[k]->preroll_s == expected[i].preroll_s);
            assert_int_equal(all[k]->mode, expected[i].mode);
            assert_int_equal(all[k]->buffer_cap_bytes, 0);
        }
    }
}

static void expressions_change_what_they_name(void **state)
{
    (void)state;
    sc_player player = parse("block=256KiB,in-flight=1,read-ahead=1s");
    assert_string_equal(player.name, "custom");
    assert_int_equal(player.block_bytes, 262144);
    assert_int_equal(player.in_flight, 1);
    assert_true(player.read_ahead_s == 1 && player.preroll_s == 1);
    player = parse("deep,in-flight=8,buffer=64MiB");
    assert_string_equal(player.name, "custom");
    assert_int_equal(player.in_flight, 8);
    assert_true(player.read_ahead_s == 10);
    assert_int_equal(player.buffer_cap_bytes, 64 * MIB);
    player = parse("mode=frame,read-ahead=0.2s");
    assert_int_equal(player.mode, SC_READ_FRAME);
    assert_true(player.preroll_s == 0.2);
    assert_int_equal(player.in_flight, 2);
    assert_string_equal(parse("block=1MiB,in-flight=2").name, "normal");
    assert_string_equal(parse("normal,io=buffered").name, "normal,io=buffered");
    assert_string_equal(parse("deep,io=direct").name, "deep,io=direct");
    assert_string_equal(parse("deep,io=any").name, "deep");
    assert_string_equal(parse("deep,in-flight=8,io=buffered").name, "custom,io=buffered");
    assert_string_equal(parse("").name, "normal");
    assert_string_equal(parse(NULL).name, "normal");
}

static void a_name_follows_the_values_that_change(void **state)
{
    sc_player player = parse("deep,io=buffered");
    (void)state;
    player.io = SC_IO_ANY;
    assert_int_equal(sc_player_resolve(&player, NULL), SC_OK);
    assert_string_equal(player.name, "deep");
    player = parse("deep,io=buffered");
    player.in_flight = 8;
    assert_int_equal(sc_player_resolve(&player, NULL), SC_OK);
    assert_string_equal(player.name, "custom,io=buffered");
    player.io = SC_IO_DIRECT;
    assert_int_equal(sc_player_resolve(&player, NULL), SC_OK);
    assert_string_equal(player.name, "custom,io=direct");
    player = (sc_player){.name = "deep,io=buffered", .io = SC_IO_BUFFERED};
    assert_int_equal(sc_player_resolve(&player, NULL), SC_OK);
    assert_int_equal(player.in_flight, 4);
    player = (sc_player){.name = "cut,io=fast", .in_flight = 3, .io = SC_IO_DIRECT};
    assert_int_equal(sc_player_resolve(&player, NULL), SC_OK);
    assert_string_equal(player.name, "cut,io=fast");
}

static void zero_means_normal_and_own_names_stay(void **state)
{
    (void)state;
    sc_player player = {0};
    assert_int_equal(sc_player_resolve(&player, NULL), SC_OK);
    assert_string_equal(player.name, "normal");
    player = (sc_player){.name = "edit-bay", .read_ahead_s = 4};
    assert_int_equal(sc_player_resolve(&player, NULL), SC_OK);
    assert_string_equal(player.name, "edit-bay");
    assert_int_equal(player.block_bytes, MIB);
    assert_true(player.preroll_s == 1);
    player.in_flight = 3;
    strcpy(player.name, "deep");
    assert_int_equal(sc_player_resolve(&player, NULL), SC_OK);
    assert_string_equal(player.name, "custom");
}

static void bad_expressions_name_the_option_and_list_the_valid_ones(void **state)
{
    static const struct {
        const char *text, *named;
        sc_status status;
    } bad[] = {
        {"premiere", "'premiere'", SC_NOT_FOUND},
        {"normal,", "''", SC_INVALID_ARGUMENT},
        {"normal,,block=1MiB", "''", SC_INVALID_ARGUMENT},
        {"normal,depth=3", "depth=3", SC_INVALID_ARGUMENT},
        {"block=1", "block=1", SC_INVALID_ARGUMENT},
        {"block=0B", "block=0B", SC_INVALID_ARGUMENT},
        {"block=", "block=", SC_INVALID_ARGUMENT},
        {"deep,block", "block", SC_INVALID_ARGUMENT},
        {"block=1MiB,block=2MiB", "twice", SC_INVALID_ARGUMENT},
        {"in-flight=0", "in-flight=0", SC_INVALID_ARGUMENT},
        {"in-flight=1.5", "in-flight=1.5", SC_INVALID_ARGUMENT},
        {"in-flight=257", "in-flight=257", SC_INVALID_ARGUMENT},
        {"in-flight=99999999999999999999", "in-flight=", SC_INVALID_ARGUMENT},
        {"read-ahead=1", "read-ahead=1", SC_INVALID_ARGUMENT},
        {"preroll=0s", "preroll=0s", SC_INVALID_ARGUMENT},
        {"mode=line", "mode=line", SC_INVALID_ARGUMENT},
    };
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(bad); i++) {
        sc_player player = {.in_flight = 77};
        sc_error error = {0};
        assert_int_equal(sc_player_parse(bad[i].text, &player, &error), bad[i].status);
        if (!strstr(error.message, bad[i].named) || !strstr(error.message, "block=256KiB"))
            fail_msg("%s: %s", bad[i].text, error.message);
        assert_int_equal(player.in_flight, 77);
    }
    static const char *const out_of_range[] = {"block=1KiB", "block=2GiB", "read-ahead=2h",
                                               "preroll=2s", "buffer=2MiB"};
    for (size_t i = 0; i < SCI_COUNT(out_of_range); i++) {
        sc_player player;
        sc_error error = {0};
        assert_int_equal(sc_player_parse(out_of_range[i], &player, &error), SC_INVALID_ARGUMENT);
        assert_non_null(strstr(error.message, " must "));
    }
    assert_int_equal(sc_player_parse("normal", NULL, NULL), SC_INVALID_ARGUMENT);
    assert_int_equal(sc_player_resolve(NULL, NULL), SC_INVALID_ARGUMENT);
}

static void long_and_hostile_texts_are_refused(void **state)
{
    char text[4096];
    (void)state;
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    for (size_t i = 0; i < sizeof text - 1; i += 97) {
        sc_player player;
        sc_error error = {0};
        text[i] = i % 2 ? '=' : ',';
        assert_true(sc_player_parse(text, &player, &error) != SC_OK);
        assert_true(error.message[0]);
    }
    sc_player unterminated;
    memset(&unterminated, 'x', sizeof unterminated);
    assert_int_equal(sc_player_resolve(&unterminated, NULL), SC_INVALID_ARGUMENT);
}

static void buffer_is_the_largest_need_and_one_block(void **state)
{
    sc_player player = parse("normal");
    (void)state;
    /* B m = 21 MB */
    assert_int_equal(sc_player_buffer_bytes(&player, 168000000, 840000), 21000000 + MIB);
    /* q b */
    assert_int_equal(sc_player_buffer_bytes(&player, 8000000, 40000), 2 * MIB + MIB);
    /* F */
    assert_int_equal(sc_player_buffer_bytes(&player, 8000000, 9000000), 9000000 + MIB);
    player = parse("normal,buffer=8MiB");
    assert_int_equal(sc_player_buffer_bytes(&player, 168000000, 840000), 8 * MIB);
    player = parse("tight");
    assert_int_equal(sc_player_buffer_bytes(&player, 168000000, 840000), 7350000 + MIB);
    /* Read by frame, a block is the largest frame. */
    player = parse("frame-reads");
    assert_int_equal(sci_player_read_bytes(&player, 840000), 840000);
    assert_int_equal(sci_player_read_bytes(&player, 0), MIB);
    assert_int_equal(sc_player_buffer_bytes(&player, 168000000, 840000), 21000000 + 840000);
    player = parse("normal");
    assert_int_equal(sc_player_buffer_bytes(&player, 1, INT64_MAX), INT64_MAX);
    assert_int_equal(sc_player_buffer_bytes(NULL, 1, 1), SC_UNKNOWN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(built_in_profiles_are_those_of_the_model),
        cmocka_unit_test(expressions_change_what_they_name),
        cmocka_unit_test(a_name_follows_the_values_that_change),
        cmocka_unit_test(zero_means_normal_and_own_names_stay),
        cmocka_unit_test(bad_expressions_name_the_option_and_list_the_valid_ones),
        cmocka_unit_test(long_and_hostile_texts_are_refused),
        cmocka_unit_test(buffer_is_the_largest_need_and_one_block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
