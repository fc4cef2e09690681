#include "report_golden.h"

#include <jansson.h>

/* The version of the library may differ from the one that made the document. */
static void same_but_for_made_by(const char *a, const char *b)
{
    while (*a && *b) {
        size_t a_length = strcspn(a, "\n"), b_length = strcspn(b, "\n");
        const char *made_by = strstr(a, "\"made_by\": \"streamcalc ");
        if (!made_by || made_by > a + a_length) {
            assert_int_equal(a_length, b_length);
            assert_memory_equal(a, b, a_length);
        }
        a += a_length + (a[a_length] == '\n');
        b += b_length + (b[b_length] == '\n');
    }
    assert_string_equal(a, b);
}

static void golden_documents_come_back_byte_for_byte(void **state)
{
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(goldens); i++) {
        char *json = load_golden(goldens[i].file), *again;
        sc_error error = {0};
        assert_int_equal(rewrite(goldens[i].kind, json, strlen(json), &again, &error), SC_OK);
        same_but_for_made_by(json, again);
        sc_string_free(&again);
        free(json);
    }
}

/* ---- one edit of a good document ---- */

/* The value at a path like "files.0.curve"; *last receives its last part. */
static json_t *parent_of(json_t *root, const char *path, char last[64])
{
    json_t *at = root;
    for (const char *dot; (dot = strchr(path, '.')); path = dot + 1) {
        char part[64] = "";
        memcpy(part, path, (size_t)(dot - path));
        at = json_is_array(at) ? json_array_get(at, (size_t)atoi(part)) : json_object_get(at, part);
        assert_non_null(at);
    }
    snprintf(last, 64, "%s", path);
    return at;
}

/* value NULL removes. */
static char *edited(const char *file, const char *path, const char *value)
{
    char last[64], *text = load_golden(file);
    json_t *root = json_loads(text, 0, NULL);
    json_t *new_value = value ? json_loads(value, JSON_DECODE_ANY, NULL) : NULL;
    json_t *parent = parent_of(root, path, last);
    assert_true(!value || new_value);
    if (!value)
        assert_int_equal(json_object_del(parent, last), 0);
    else if (json_is_array(parent))
        assert_int_equal(json_array_set_new(parent, (size_t)atoi(last), new_value), 0);
    else
        assert_int_equal(json_object_set_new(parent, last, new_value), 0);
    free(text);
    text = json_dumps(root, JSON_REAL_PRECISION(17));
    json_decref(root);
    return text;
}

struct edit {
    size_t golden;
    const char *path, *value;
    sc_status status;
    const char *message;
};

enum {
    G_PROBE = 0,
    G_EMPTY = 1,
    G_STORAGE = 2,
    G_CANCELLED = 3,
    G_RATE = 4,
    G_NETWORK = 5,
    G_PLAN = 7,
    G_WHOLE
};

static void run_edits(const struct edit *edits, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct golden *golden = &goldens[edits[i].golden];
        char *json = edited(golden->file, edits[i].path, edits[i].value), *again;
        sc_error error = {0};
        sc_status status = rewrite(golden->kind, json, strlen(json), &again, &error);
        if (status != edits[i].status || !strstr(error.message, edits[i].message))
            fail_msg("%s %s: status %d, message '%s'", edits[i].path,
                     edits[i].value ? edits[i].value : "removed", status, error.message);
        assert_int_equal(error.status, status);
        sc_string_free(&again);
        free(json);
    }
}

static void wrong_documents_name_the_place(void **state)
{
    static const struct edit edits[] = {
        {G_PROBE, "schema", "\"streamcalc.links\"", SC_INVALID_DATA,
         "this is a streamcalc.links document, not a streamcalc.probe one"},
        {G_PROBE, "schema", NULL, SC_INVALID_DATA, "it has no \"schema\""},
        {G_PROBE, "schema", "7", SC_INVALID_DATA, "it has no \"schema\""},
        {G_PROBE, "version", "2", SC_UNSUPPORTED, "use a newer streamcalc"},
        {G_PROBE, "version", "0", SC_INVALID_DATA, "version: "},
        {G_PROBE, "version", "\"1\"", SC_INVALID_DATA, "version: "},
        {G_PROBE, "version", NULL, SC_INVALID_DATA, "version: "},
        {G_PROBE, "made_at", "\"2026\"", SC_INVALID_DATA, "made_at: '2026' is no time stamp"},
        {G_EMPTY, "files", NULL, SC_INVALID_DATA, "files: is missing"},
        {G_EMPTY, "files", "{}", SC_INVALID_DATA, "files: is an object, not an array"},
        {G_PROBE, "files.1", "3", SC_INVALID_DATA, "files[1]: is a number, not an object"},
        {G_PROBE, "files.1.path", NULL, SC_INVALID_DATA, "files[1].path: is missing"},
        {G_PROBE, "files.0.tracks.1.frame_rate", "\"24000/0\"", SC_INVALID_DATA,
         "files[0].tracks[1].frame_rate: '24000/0' is no frame rate"},
        {G_PROBE, "files.0.tracks.1.frame_rate", "25", SC_INVALID_DATA,
         "files[0].tracks[1].frame_rate: is a number, not a string"},
        {G_PROBE, "files.0.tracks.0.kind", "\"film\"", SC_INVALID_DATA,
         "files[0].tracks[0].kind: 'film' is none of unknown, video, audio"},
        {G_PROBE, "files.0.tracks.0.played", "1", SC_INVALID_DATA,
         "is a number, not true or false"},
        {G_PROBE, "files.0.tracks.0.packets", "-1", SC_INVALID_DATA, "packets: -1 is below 0"},
        {G_PROBE, "files.0.tracks.0.width", "3000000000", SC_INVALID_DATA, "is above 2147483647"},
        {G_PROBE, "files.0.demand_bits_per_s", "1.5", SC_INVALID_DATA, "1.5 is not a whole number"},
        {G_PROBE, "files.0.demand_bits_per_s", "1e300", SC_INVALID_DATA, "1e+300 is above 1e+18"},
        {G_PROBE, "files.0.demand_bits_per_s", "\"5\"", SC_INVALID_DATA,
         "is a string, not a whole"},
        {G_PROBE, "files.0.duration_s", "[]", SC_INVALID_DATA, "is an array, not a number"},
        {G_PROBE, "files.0.curve.window_s", NULL, SC_INVALID_DATA, "curve.window_s: is missing"},
        {G_PROBE, "files.0.curve.window_s.1", "0.01", SC_INVALID_DATA,
         "files[0].curve.window_s[1]: is not above the entry before it"},
        {G_PROBE, "files.0.curve.window_s.0", "0", SC_INVALID_DATA,
         "window_s[0]: 0 is not above 0"},
        {G_PROBE, "files.0.curve.window_s", "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17]",
         SC_INVALID_DATA, "has 17 entries, more than 16"},
        {G_PROBE, "files.0.curve.max_bytes", "[1, 2, 3]", SC_INVALID_DATA,
         "files[0].curve.max_bytes: has 3 entries where window_s has 4"},
        {G_PROBE, "files.0.curve.max_bytes.2", "null", SC_INVALID_DATA, "max_bytes[2]: is null"},
        {G_PROBE, "files.0.curve.mean_bytes.2", "-1", SC_INVALID_DATA,
         "mean_bytes[2]: -1 is below"},
        {G_PROBE, "files.0.trace.step_s", "0", SC_INVALID_DATA, "trace.step_s: 0 is not above 0"},
        {G_PROBE, "files.0.trace.bytes.3", "-5", SC_INVALID_DATA, "trace.bytes[3]: -5 is below 0"},
        {G_PROBE, "files.0.required_bits_per_s.1.prefill_s", "0.1", SC_INVALID_DATA,
         "files[0].required_bits_per_s[1]: prefill_s is not above"},
        {G_PROBE, "files.0.flags", "[3]", SC_INVALID_DATA, "files[0].flags: entry 0 is no string"},
        {G_PROBE, "files.2.error.status", "\"ok\"", SC_INVALID_DATA, "files[2].error: the status"},
        {G_EMPTY, "error", "{\"message\": \"disk\\u001b gone\"}", SC_INVALID_DATA,
         "the document holds an error, not a result: disk? gone"},
        {G_EMPTY, "error", "true", SC_INVALID_DATA, "holds an error, not a result: no message"},
        {G_PROBE, "files", "[]", SC_INVALID_DATA, "not a result: 'broken.mov' is no media file"},
        {G_PROBE, "error", "true", SC_INVALID_DATA, "error: is true, not an object"},
        {G_PROBE, "error.status", NULL, SC_INVALID_DATA, "error.status: is missing"},
        {G_PROBE, "error.status", "\"ok\"", SC_INVALID_DATA, "error: the status of an error"},
        {G_WHOLE, "answers", "[]", SC_INVALID_DATA, "not a result: 'broken.mov' is no media file"},
        {G_STORAGE, "points", "[]", SC_INVALID_DATA, "points: has no entry"},
        {G_STORAGE, "points.1.readers", "1", SC_INVALID_DATA, "points[1].readers: 1 is not above"},
        {G_STORAGE, "points.0.readers", "0", SC_INVALID_DATA,
         "points[0].readers: 0 is not above 0"},
        {G_STORAGE, "points.0.bytes_per_s", NULL, SC_INVALID_DATA, "bytes_per_s: is missing"},
        {G_STORAGE, "points.0.bytes_per_s.mean", "null", SC_INVALID_DATA, "mean: is null, not a"},
        {G_STORAGE, "points.0.worst_window_bytes", NULL, SC_INVALID_DATA, "has 0 entries where"},
        {G_STORAGE, "cache.effective", "\"cold\"", SC_INVALID_DATA,
         "'cold' is none of auto, direct"},
        {G_STORAGE, "player.in_flight", "257", SC_INVALID_DATA,
         "player.in_flight: 257 is above 256"},
        {G_STORAGE, "facts.rotational", "2", SC_INVALID_DATA, "facts.rotational: 2 is above 1"},
        {G_CANCELLED, "points", "[]", SC_INVALID_DATA,
         "holds an error, not a result: cancelled by the caller"},
        {G_NETWORK, "payload_bits_per_s", "0", SC_INVALID_DATA,
         "payload_bits_per_s: 0 is not above"},
        {G_NETWORK, "mtu_bytes", "70000", SC_INVALID_DATA, "mtu_bytes: 70000 is above 65535"},
        {G_PLAN, "answers.0.headroom", "1.5", SC_INVALID_DATA,
         "answers[0].headroom: 1.5 is above 1"},
        {G_PLAN, "answers.0.safe", NULL, SC_INVALID_DATA, "answers[0].safe: is missing"},
        {G_PLAN, "answers.0.limit.kind", "null", SC_INVALID_DATA, "limit.kind: is null"},
    };
    (void)state;
    run_edits(edits, SCI_COUNT(edits));
}

static void documents_may_say_more_or_less(void **state)
{
    static const struct edit edits[] = {
        {G_PROBE, "new_key", "{\"a\": [1]}", SC_OK, ""},
        {G_PROBE, "files.0.new_key", "null", SC_OK, ""},
        {G_PROBE, "files.0.curve.new_key", "5", SC_OK, ""},
        {G_PROBE, "made_by", "\"notebook\"", SC_OK, ""},
        {G_PROBE, "made_at", NULL, SC_OK, ""},
        {G_PROBE, "error", NULL, SC_OK, ""},
        {G_PROBE, "files.0.curve", NULL, SC_OK, ""},
        {G_PROBE, "files.0.flags", "[\"from-the-future\"]", SC_OK, ""},
        {G_PROBE, "files.0.source", "\"from-the-future\"", SC_OK, ""},
        {G_PROBE, "files.0.demand_bits_per_s", "5.0", SC_OK, ""},
        {G_PROBE, "files.0.tracks.0.frame_rate", "\"23.976\"", SC_OK, ""},
        {G_STORAGE, "facts", NULL, SC_OK, ""},
        {G_STORAGE, "player", "{}", SC_OK, ""},
        {G_STORAGE, "scrub", "{\"read_bytes\": 4096, \"first_frame_s\": 0.1}", SC_OK, ""},
        {G_STORAGE, "scrub", "null", SC_OK, ""},
        {G_STORAGE, "points.0.latency_s", NULL, SC_OK, ""},
    };
    (void)state;
    run_edits(edits, SCI_COUNT(edits));
}

static void what_is_missing_is_unknown(void **state)
{
    char *json = edited(goldens[G_PROBE].file, "files.0.demand_bits_per_s", NULL);
    sc_probe *probe = NULL;
    (void)state;
    assert_int_equal(sc_probe_from_json(json, strlen(json), &probe, NULL), SC_OK);
    assert_int_equal(probe->clips[0].demand_bits_per_s, SC_UNKNOWN);
    assert_true(probe->clips[1].duration_s < 0);
    assert_int_equal(probe->clips[2].error.status, SC_INVALID_DATA);
    assert_string_equal(probe->clips[2].container, "");
    sc_probe_free(&probe);
    free(json);
}

static void a_plan_gives_out_what_it_holds(void **state)
{
    char *whole = load_golden("plan-whole.json"), *bare = load_golden("plan.json");
    sc_probe *probe = NULL;
    sc_storage *storage = NULL;
    sc_error error = {0};
    sc_link link;
    (void)state;
    assert_int_equal(sc_probe_from_json(whole, strlen(whole), &probe, NULL), SC_OK);
    assert_int_equal(sc_storage_from_json(whole, strlen(whole), &storage, NULL), SC_OK);
    assert_string_equal(probe->clips[0].path, "/mnt/nas/broken.mov");
    assert_int_equal(probe->error.status, SC_INVALID_DATA);
    assert_string_equal(storage->name, "83MB/s");
    assert_int_equal(sc_link_from_json(whole, strlen(whole), &link, NULL), SC_OK);
    assert_true(link.payload_bits_per_s > 0);
    sc_probe_free(&probe);
    sc_storage_free(&storage);
    assert_int_equal(sc_storage_from_json(bare, strlen(bare), &storage, &error), SC_INVALID_DATA);
    assert_string_equal(error.message, "this is a streamcalc.plan document without a "
                                       "streamcalc.storage document in it");
    free(whole);
    free(bare);
}

/* ---- hostile texts ---- */

static void no_text_of_any_kind_is_taken_for_a_document(void **state)
{
    static const struct {
        const char *text;
        size_t length; /* 0: strlen */
    } texts[] = {{"", 0},
                 {" \n", 0},
                 {"null", 0},
                 {"[]", 0},
                 {"{}", 0},
                 {"{\"schema\": \"streamcalc.probe\", \"version\": 1", 0},
                 {"{\"schema\": \"streamcalc.probe\", \"schema\": \"streamcalc.probe\"}", 0},
                 {"{\"schema\": \"streamcalc.probe\", \"version\": 99999999999999999999}", 0},
                 {"{\"schema\": \"streamcalc.probe\", \"version\": 1e999}", 0},
                 {"{\"schema\": \"streamcalc.probe\", \"version\": NaN}", 0},
                 {"{\"schema\": \"streamcalc.probe\\u0000\"}", 0},
                 {"{\"schema\": \"\xFF\"}", 0},
                 {"{\"schema\": \"streamcalc.\x1b[31mprobe\"}", 0},
                 {"{\0}", 3},
                 {"{} {}", 0}};
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(texts); i++)
        for (int kind = 0; kind < KIND_COUNT; kind++) {
            size_t length = texts[i].length ? texts[i].length : strlen(texts[i].text);
            char *again;
            sc_error error = {0};
            assert_int_equal(rewrite((enum kind)kind, texts[i].text, length, &again, &error),
                             SC_INVALID_DATA);
            assert_null(again);
            assert_true(strlen(error.message) > 20);
            assert_null(strchr(error.message, 0x1b));
        }
}

static void nothing_is_no_document(void **state)
{
    sc_probe *probe = NULL;
    (void)state;
    assert_int_equal(sc_probe_from_json(NULL, 0, &probe, NULL), SC_INVALID_ARGUMENT);
    assert_null(probe);
}

static void a_tower_of_brackets_is_refused(void **state)
{
    enum { HEIGHT = 1000000 };
    char *text = malloc(HEIGHT), *again;
    sc_error error = {0};
    (void)state;
    memset(text, '[', HEIGHT);
    assert_int_equal(rewrite(PROBE, text, HEIGHT, &again, &error), SC_INVALID_DATA);
    assert_non_null(strstr(error.message, "depth"));
    free(text);
}

static void too_many_values_are_refused_before_they_are_built(void **state)
{
    enum { LENGTH = 40000000 };
    char *text = malloc(LENGTH), *again;
    sc_error error = {0};
    (void)state;
    for (size_t i = 0; i < LENGTH; i++)
        text[i] = i ? "{},"[i % 3] : '[';
    assert_int_equal(rewrite(PROBE, text, LENGTH, &again, &error), SC_LIMIT);
    assert_int_equal(rewrite(PROBE, text, SC_DOCUMENT_BYTES_MAX + 1, &again, NULL), SC_LIMIT);
    free(text);
}

/* ---- mutations: whatever is taken can be written and is taken again ---- */

static uint64_t roll(uint64_t *state, uint64_t below)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state % below;
}

static size_t put(char *text, size_t length, size_t at, size_t gone, const char *piece)
{
    size_t size = strlen(piece);
    if (at + gone > length)
        gone = length - at;
    memmove(text + at + size, text + at + gone, length - at - gone);
    memcpy(text + at, piece, size);
    return length - gone + size;
}

static size_t mutate(char *text, size_t length, uint64_t *dice)
{
    static const char *const pieces[] = {"null", "-1",   "0",    "1e308", "9223372036854775807",
                                         "\"\"", "[]",   "{}",   "true",  "\"\\u0000\"",
                                         ",",    "\xFF", "1e-9", "-0.5",  "[[[["};
    size_t at = (size_t)roll(dice, length);
    switch (roll(dice, 5)) {
    case 0:
        return at;
    case 1:
        text[at] = (char)(text[at] ^ (1 << roll(dice, 8)));
        return length;
    case 2:
        return put(text, length, at, (size_t)roll(dice, 40), "");
    case 3: {
        /* A value in place of another: most documents then still parse. */
        char *colon = strchr(text + at, ':');
        if (colon) {
            at = (size_t)(colon - text) + 1;
            size_t gone = strcspn(text + at, ",\n");
            return put(text, length, at, gone, pieces[roll(dice, SCI_COUNT(pieces))]);
        }
        return length;
    }
    default:
        return put(text, length, at, (size_t)roll(dice, 3), pieces[roll(dice, SCI_COUNT(pieces))]);
    }
}

static bool check_mutant(enum kind kind, const char *text, size_t length)
{
    char *written, *again;
    sc_error error = {0};
    sc_status status = rewrite(kind, text, length, &written, &error);
    if (status != SC_OK) {
        assert_null(written);
        assert_int_equal(error.status, status);
        assert_true(error.message[0]);
        return false;
    }
    assert_int_equal(rewrite(kind, written, strlen(written), &again, &error), SC_OK);
    assert_string_equal(written, again);
    sc_string_free(&written);
    sc_string_free(&again);
    return true;
}

static void mutants_are_taken_whole_or_refused(void **state)
{
    enum { MUTANTS = 2000 };
    uint64_t dice = 88172645463325252u;
    size_t taken = 0, refused = 0;
    (void)state;
    for (size_t g = 0; g < SCI_COUNT(goldens); g++) {
        char *json = load_golden(goldens[g].file);
        size_t whole = strlen(json);
        char *mutant = malloc(whole + 256);
        for (size_t i = 0; i < MUTANTS; i++) {
            size_t length = whole;
            memcpy(mutant, json, whole + 1);
            for (uint64_t n = roll(&dice, 3) + 1; n > 0 && length > 0; n--) {
                length = mutate(mutant, length, &dice);
                mutant[length] = '\0';
            }
            if (check_mutant(goldens[g].kind, mutant, length))
                taken++;
            else
                refused++;
        }
        free(mutant);
        free(json);
    }
    /* The mutations are worth something only where both happen. */
    assert_true(taken > 500 && refused > 5000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_documents_come_back_byte_for_byte),
        cmocka_unit_test(wrong_documents_name_the_place),
        cmocka_unit_test(documents_may_say_more_or_less),
        cmocka_unit_test(what_is_missing_is_unknown),
        cmocka_unit_test(a_plan_gives_out_what_it_holds),
        cmocka_unit_test(no_text_of_any_kind_is_taken_for_a_document),
        cmocka_unit_test(nothing_is_no_document),
        cmocka_unit_test(a_tower_of_brackets_is_refused),
        cmocka_unit_test(too_many_values_are_refused_before_they_are_built),
        cmocka_unit_test(mutants_are_taken_whole_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
