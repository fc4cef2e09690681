/* Players learned from logs that strace 6.1 wrote of real programs (data/trace), whose ways of
   reading are known, and from logs of no program at all. */
#include "core/core.h"
#include "test.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <streamcalc/player.h>
#include <streamcalc/report.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { KIB = 1024, MIB = 1048576 };

static char log_path[256];

static FILE *new_log(const char *name)
{
    snprintf(log_path, sizeof log_path, "%s/trace-%s.log", TEST_OUTPUT_DIR, name);
    FILE *log = fopen(log_path, "w");
    assert_non_null(log);
    return log;
}

static sc_player_trace *learn_from(const char *path, const char *media)
{
    const sc_player_trace_params params = {.media = media};
    sc_player_trace *trace = NULL;
    sc_error error = {0};
    if (sc_player_from_trace(path, &params, &trace, &error) != SC_OK)
        fail_msg("%s: %s", path, error.message);
    return trace;
}

static sc_player_trace *learn(FILE *log)
{
    assert_int_equal(fclose(log), 0);
    sc_player_trace *trace = learn_from(log_path, NULL);
    unlink(log_path);
    return trace;
}

static bool finds(const sc_player_trace *trace, const char *code)
{
    for (size_t i = 0; i < trace->finding_count; i++)
        if (strcmp(trace->findings[i].code, code) == 0)
            return true;
    return false;
}

/* ---- real programs ---- */

struct real {
    const char *name; /* of the log */
    int64_t block_bytes;
    int32_t in_flight, threads;
    double least_s, most_s; /* read-ahead */
    sc_read_mode mode;
    sc_io io;
    int64_t reads;
    const char *finding;
};

static const struct real reals[] = {
    /* A program that holds 1 s by 4 threads of 256 KiB, at 8 MB/s, from the page cache, which
       answers most reads before the next one. */
    {"threads", 256 * KIB, 2, 4, 0.95, 1.1, SC_READ_BLOCK, SC_IO_BUFFERED, 274,
     "trace-overlap-hidden"},
    /* 2 s, 2 threads of 1 MiB with O_DIRECT, without -T. */
    {"direct", MIB, 2, 2, 1.95, 2.1, SC_READ_BLOCK, SC_IO_DIRECT, 167, "trace-preroll"},
    /* 0.5 s, 3 threads, preadv, without -y, -tt in place of -ttt. */
    {"nopaths", 512 * KIB, 2, 3, 0.47, 0.55, SC_READ_BLOCK, SC_IO_BUFFERED, 228,
     "trace-without-paths"},
    /* Fills up to 4 s, waits until 2 s are left. */
    {"deep", MIB, 1, 1, 3.6, 4.1, SC_READ_BLOCK, SC_IO_BUFFERED, 210, "trace-kernel-read-ahead"},
    /* ffmpeg -re -c copy: packet by packet when they are due. */
    {"ffmpeg", 236293, 1, 1, 0.03, 0.1, SC_READ_FRAME, SC_IO_BUFFERED, 202, "trace-cached"},
    /* ffplay holds about a second of frames. */
    {"ffplay", 210759, 1, 1, 0.7, 1.2, SC_READ_FRAME, SC_IO_BUFFERED, 460, "trace-cached"},
    /* fio with libaio and a depth of 4, as fast as it can. */
    {"libaio", 256 * KIB, 4, 1, 1, 1, SC_READ_BLOCK, SC_IO_DIRECT, 101, "trace-unpaced"},
};

static void check_real(const struct real *real)
{
    char path[512];
    snprintf(path, sizeof path, "%s/trace/%s.log", TEST_DATA_DIR, real->name);
    sc_player_trace *trace = learn_from(path, NULL);
    const sc_player *player = &trace->player;
    if (player->block_bytes != real->block_bytes || player->in_flight != real->in_flight ||
        trace->threads != real->threads || player->read_ahead_s < real->least_s ||
        player->read_ahead_s > real->most_s || player->mode != real->mode ||
        player->io != real->io || trace->reads != real->reads)
        fail_msg("%s: %s, %d threads, %lld reads", real->name, trace->expression,
                 (int)trace->threads, (long long)trace->reads);
    if (!finds(trace, real->finding))
        fail_msg("%s: no finding %s", real->name, real->finding);
    assert_string_equal(trace->media, "/footage/A003_C011.mov");
    assert_true(trace->in_order_share > 0.99);
    sc_player_trace_free(&trace);
    assert_null(trace);
}

static void real_programs_are_told_as_they_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(reals); i++)
        check_real(&reals[i]);
}

static void the_expression_is_the_player(void **state)
{
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(reals); i++) {
        char path[512];
        sc_player parsed = {0};
        snprintf(path, sizeof path, "%s/trace/%s.log", TEST_DATA_DIR, reals[i].name);
        sc_player_trace *trace = learn_from(path, NULL);
        assert_int_equal(sc_player_parse(trace->expression, &parsed, NULL), SC_OK);
        snprintf(parsed.name, sizeof parsed.name, "from %s.log", reals[i].name);
        assert_string_equal(parsed.name, trace->player.name);
        assert_int_equal(parsed.block_bytes, trace->player.block_bytes);
        assert_int_equal(parsed.in_flight, trace->player.in_flight);
        assert_true(parsed.read_ahead_s == trace->player.read_ahead_s);
        assert_true(parsed.preroll_s == trace->player.preroll_s);
        assert_int_equal(parsed.mode, trace->player.mode);
        assert_int_equal(parsed.io, trace->player.io);
        sc_player_trace_free(&trace);
    }
}

static void documents_are_read_back(void **state)
{
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(reals); i++) {
        char path[512], *json = NULL, *again = NULL;
        sc_player_trace *read = NULL;
        snprintf(path, sizeof path, "%s/trace/%s.log", TEST_DATA_DIR, reals[i].name);
        sc_player_trace *trace = learn_from(path, NULL);
        assert_int_equal(sc_player_trace_to_json(trace, &json, NULL), SC_OK);
        assert_int_equal(sc_player_trace_from_json(json, strlen(json), &read, NULL), SC_OK);
        assert_int_equal(sc_player_trace_to_json(read, &again, NULL), SC_OK);
        assert_string_equal(json, again);
        assert_string_equal(read->expression, trace->expression);
        assert_int_equal(read->finding_count, trace->finding_count);
        sc_string_free(&json);
        sc_string_free(&again);
        sc_player_trace_free(&read);
        sc_player_trace_free(&trace);
    }
}

static void players_are_written_as_they_are_read(void **state)
{
    char text[160], little[20];
    sc_player player = {0};
    (void)state;
    assert_int_equal(sc_player_format(&player, text, sizeof text, NULL), SC_INVALID_ARGUMENT);
    assert_int_equal(sc_player_parse("tight,buffer=8MiB,mode=frame,io=direct", &player, NULL),
                     SC_OK);
    assert_int_equal(sc_player_format(&player, text, sizeof text, NULL), SC_OK);
    assert_string_equal(text, "block=1MiB,in-flight=1,read-ahead=0.35s,preroll=0.35s,mode=frame,"
                              "buffer=8MiB,io=direct");
    assert_int_equal(sc_player_format(&player, little, sizeof little, NULL), SC_INVALID_ARGUMENT);
    assert_int_equal(sc_player_parse("block=10001B,read-ahead=0.001s", &player, NULL), SC_OK);
    assert_int_equal(sc_player_format(&player, text, sizeof text, NULL), SC_OK);
    assert_string_equal(text, "block=10001B,in-flight=2,read-ahead=0.001s,preroll=0.001s");
}

static void what_cannot_be_seen_is_refused_by_name(void **state)
{
    static const struct {
        const char *name, *word;
    } hidden[] = {{"mmap", "mmap"}, {"io_uring", "io_uring_enter"}};
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(hidden); i++) {
        char path[512];
        sc_error error = {0};
        sc_player_trace *trace = NULL;
        snprintf(path, sizeof path, "%s/trace/%s.log", TEST_DATA_DIR, hidden[i].name);
        assert_int_equal(sc_player_from_trace(path, NULL, &trace, &error), SC_INVALID_DATA);
        assert_null(trace);
        assert_non_null(strstr(error.message, hidden[i].word));
    }
}

/* ---- players that are made up ---- */

struct paced {
    const char *path;
    int64_t block_bytes;
    double bytes_per_s, ahead_s, seconds, begin_s;
};

static void put_open(FILE *log, const char *path)
{
    fprintf(log, "1 1000000000.000000 openat(AT_FDCWD, \"%s\", O_RDONLY) = 3<%s>\n", path, path);
}

/* Reads that are ahead of the pace from the begin on, a burst first. */
static void put_paced(FILE *log, struct paced p)
{
    double free_s = 0;
    for (int64_t k = 0;; k++) {
        const double due_s = (double)((k + 1) * p.block_bytes) / p.bytes_per_s - p.ahead_s;
        const double at_s = due_s > free_s ? due_s : free_s;
        if (at_s > p.seconds)
            return;
        fprintf(log, "1 %.6f pread64(3<%s>, \"\"..., %lld, %lld) = %lld <0.002000>\n",
                1000000000 + p.begin_s + at_s, p.path, (long long)p.block_bytes,
                (long long)(k * p.block_bytes), (long long)p.block_bytes);
        free_s = at_s + 0.0021;
    }
}

static void the_read_ahead_is_found_whatever_it_is(void **state)
{
    static const struct paced paced[] = {
        {"/m/a.mov", MIB, 92.6e6, 1, 30, 0},        {"/m/a.mov", MIB, 92.6e6, 0.1, 30, 0},
        {"/m/a.mov", 4 * MIB, 92.6e6, 2, 20, 0},    {"/m/a.mov", 128 * KIB, 6e6, 0.5, 10, 0},
        {"/m/a.mov", 256 * KIB, 15.2e6, 10, 60, 0}, {"/m/a.mov", 64 * KIB, 15.2e6, 0.35, 10, 0},
        {"/m/a.mov", MIB, 15.2e6, 5, 3600, 0},
    };
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(paced); i++) {
        FILE *log = new_log("paced");
        put_open(log, paced[i].path);
        put_paced(log, paced[i]);
        sc_player_trace *trace = learn(log);
        if (trace->ahead_s < paced[i].ahead_s * 0.95 - 0.01 ||
            trace->ahead_s > paced[i].ahead_s * 1.05 + 0.01)
            fail_msg("%zu: %f s", i, trace->ahead_s);
        assert_true(trace->pace_bytes_per_s > paced[i].bytes_per_s * 0.98 &&
                    trace->pace_bytes_per_s < paced[i].bytes_per_s * 1.02);
        assert_int_equal(trace->block_bytes, paced[i].block_bytes);
        assert_false(finds(trace, "trace-pace-varies") || finds(trace, "trace-short"));
        sc_player_trace_free(&trace);
    }
}

static void frames_count_where_their_sizes_differ(void **state)
{
    FILE *log = new_log("sizes");
    int64_t offset = 0;
    (void)state;
    put_open(log, "/m/a.mov");
    for (int k = 0; k < 750; k++) { /* 25 frames ahead; the first 50 are four times as large */
        const int64_t bytes = (k < 50 ? 400000 : 100000) + 37 * k;
        fprintf(log, "1 %.6f read(3</m/a.mov>, \"\"..., %lld) = %lld <0.001>\n",
                1e9 + (k < 25 ? 0.002 * k : (k - 24) / 25.0), (long long)bytes, (long long)bytes);
        offset += bytes;
    }
    sc_player_trace *trace = learn(log);
    assert_int_equal(trace->bytes, offset);
    assert_int_equal(trace->player.mode, SC_READ_FRAME);
    assert_true(trace->ahead_s > 0.9 && trace->ahead_s < 1.1);
    sc_player_trace_free(&trace);
}

static void a_jump_begins_anew(void **state)
{
    FILE *log = new_log("jump");
    (void)state;
    put_open(log, "/m/a.mov");
    for (int64_t k = 0; k < 40; k++) /* elsewhere first, as if it had played there */
        fprintf(log, "1 %.6f pread64(3</m/a.mov>, \"\"..., 1048576, %lld) = 1048576 <0.001>\n",
                1000000000 + 0.1 * (double)k, (long long)(INT64_C(50000000000) + k * MIB));
    put_paced(log, (struct paced){"/m/a.mov", MIB, 20e6, 2, 30, 10});
    sc_player_trace *trace = learn(log);
    assert_true(trace->ahead_s > 1.95 && trace->ahead_s < 2.1);
    assert_true(trace->in_order_share > 0.99);
    sc_player_trace_free(&trace);
}

static void a_log_that_begins_while_it_plays_tells_no_read_ahead(void **state)
{
    FILE *log = new_log("attached");
    (void)state;
    for (int k = 0; k < 160; k++)
        fprintf(log, "1 %.6f read(3</m/a.mov>, \"\"..., 1048576) = 1048576 <0.001>\n",
                1e9 + k * 0.131);
    sc_player_trace *trace = learn(log);
    assert_true(trace->pace_bytes_per_s > 7.9e6 && trace->pace_bytes_per_s < 8.1e6);
    assert_true(trace->ahead_s < 0 && trace->ahead_bytes == SC_UNKNOWN);
    assert_true(trace->player.read_ahead_s == 1 && finds(trace, "trace-no-open"));
    assert_false(finds(trace, "trace-unpaced"));
    sc_player_trace_free(&trace);
}

static void reads_in_flight_are_those_begun_and_not_ended(void **state)
{
    FILE *log = new_log("flight");
    (void)state;
    put_open(log, "/m/a.mov");
    for (int k = 0; k < 40; k++) {
        for (int thread = 1; thread <= 3; thread++)
            fprintf(log, "%d %.3f pread64(3</m/a.mov>,  <unfinished ...>\n", thread,
                    1e9 + k + 0.001 * thread);
        for (int thread = 1; thread <= 3; thread++)
            fprintf(log, "%d %.3f <... pread64 resumed>\"\"..., 65536, %d) = 65536\n", thread,
                    1e9 + k + 0.1, (3 * k + thread - 1) * 65536);
    }
    fputs("4 1000000050.0 pread64(3</m/a.mov>,  <unfinished ...>\n4 1000000050.1 +++ exited with 0 "
          "+++\n",
          log);
    sc_player_trace *trace = learn(log);
    assert_int_equal(trace->overlap, 3);
    assert_int_equal(trace->threads, 3);
    assert_int_equal(trace->reads, 120);
    assert_true(trace->read_p50_s > 0.05 && trace->read_p50_s < 0.2);
    sc_player_trace_free(&trace);
}

static void interrupted_calls_are_no_reads(void **state)
{
    FILE *log = new_log("interrupted");
    (void)state;
    put_open(log, "/m/a.mov");
    for (int k = 0; k < 60; k++) {
        fprintf(log, "1 %.3f read(3</m/a.mov>, 0x7f, 65536) = ? ERESTARTSYS (To be restarted)\n",
                1e9 + k);
        fprintf(log, "1 %.3f read(3</m/a.mov>, 0x7f, 65536) = -1 EAGAIN (Try again)\n", 1e9 + k);
        fprintf(log, "1 %.3f read(3</m/a.mov>, \"\"..., 65536) = 65536\n", 1e9 + k);
    }
    fputs("1 1000000099.0 read(3</m/a.mov>, \"\", 65536) = 0\n1 1000000099.5 read(3</m/a.m", log);
    sc_player_trace *trace = learn(log);
    assert_int_equal(trace->reads, 60);
    assert_int_equal(trace->overlap, 1);
    assert_true(trace->in_order_share > 0.99);
    sc_player_trace_free(&trace);
}

static void the_busiest_file_is_taken_unless_one_is_named(void **state)
{
    FILE *log = new_log("two");
    (void)state;
    put_paced(log, (struct paced){"/m/proxy \\303\\251.mov", 128 * KIB, 9e6, 1, 20, 0});
    put_paced(log, (struct paced){"/m/a.mov", MIB, 20e6, 2, 20, 0});
    assert_int_equal(fclose(log), 0);
    sc_player_trace *trace = learn_from(log_path, NULL);
    assert_string_equal(trace->media, "/m/a.mov");
    assert_int_equal(trace->file_count, 2);
    assert_string_equal(trace->files[1].path, "/m/proxy \303\251.mov");
    assert_true(finds(trace, "trace-other-files") && finds(trace, "trace-no-open"));
    assert_int_equal(trace->player.io, SC_IO_ANY);
    sc_player_trace_free(&trace);
    trace = learn_from(log_path, "proxy \303\251.mov");
    assert_int_equal(trace->block_bytes, 128 * KIB);
    assert_true(trace->ahead_s > 0.95 && trace->ahead_s < 1.05);
    sc_player_trace_free(&trace);
    sc_error error = {0};
    const sc_player_trace_params params = {.media = "b.mov"};
    assert_int_equal(sc_player_from_trace(log_path, &params, &trace, &error), SC_NOT_FOUND);
    assert_non_null(strstr(error.message, "/m/a.mov"));
    unlink(log_path);
}

static void frames_that_are_files_are_one(void **state)
{
    FILE *log = new_log("frames");
    (void)state;
    for (int k = 0; k < 100; k++)
        fprintf(log,
                "1 %.3f openat(AT_FDCWD, \"/m/s.%04d.dpx\", O_RDONLY) = 3</m/s.%04d.dpx>\n"
                "1 %.3f read(3</m/s.%04d.dpx>, \"\"..., 8294408) = 8294408\n"
                "1 %.3f close(3</m/s.%04d.dpx>) = 0\n",
                1e9 + k / 25.0, k, k, 1e9 + k / 25.0, k, 1e9 + k / 25.0, k);
    sc_player_trace *trace = learn(log);
    assert_string_equal(trace->media, "/m/s.####.dpx");
    assert_int_equal(trace->reads, 100);
    assert_int_equal(trace->player.mode, SC_READ_FRAME);
    assert_int_equal(trace->player.block_bytes, 8294408);
    sc_player_trace_free(&trace);
}

/* ---- hostile logs ---- */

static void long_lines_keep_their_ends(void **state)
{
    FILE *log = new_log("long");
    (void)state;
    put_open(log, "/m/a.mov");
    for (int k = 0; k < 30; k++) {
        fprintf(log, "1 %.3f pread64(3</m/a.mov>, \"", 1e9 + k);
        for (int i = 0; i < 1000000; i++)
            fputc(i % 97 == 0 ? '\\' : 'x', log);
        fprintf(log, "\", 1000000, %d) = 1000000\n", k * 1000000);
    }
    sc_player_trace *trace = learn(log);
    assert_int_equal(trace->reads, 30);
    assert_int_equal(trace->block_bytes, 1000000);
    sc_player_trace_free(&trace);
}

static void clocks_that_go_back_are_told(void **state)
{
    FILE *log = new_log("clock");
    (void)state;
    for (int k = 0; k < 100; k++)
        fprintf(log, "1 %.3f pread64(3</m/a.mov>, \"\"..., 65536, %d) = 65536\n",
                1e9 + (k < 50 ? k : k - 40), k * 65536);
    sc_player_trace *trace = learn(log);
    assert_true(finds(trace, "trace-clock"));
    assert_true(trace->seconds > 80 && trace->seconds < 100);
    sc_player_trace_free(&trace);
}

static void midnight_is_no_jump(void **state)
{
    FILE *log = new_log("midnight");
    (void)state;
    for (int k = 0; k < 100; k++)
        fprintf(log, "1 %02d:%02d:%02d.500000 pread64(3</m/a.mov>, \"\"..., 65536, %d) = 65536\n",
                k < 50 ? 23 : 0, k < 50 ? 59 : 0, k < 50 ? 10 + k : k - 50, k * 65536);
    sc_player_trace *trace = learn(log);
    assert_false(finds(trace, "trace-clock"));
    assert_true(trace->seconds > 98 && trace->seconds < 100);
    sc_player_trace_free(&trace);
}

static void sizes_that_cannot_be_are_passed_over(void **state)
{
    FILE *log = new_log("sizes");
    (void)state;
    for (int k = 0; k < 60; k++)
        fprintf(log, "1 %.3f pread64(3</m/a.mov>, \"\"..., 65536, %d) = 65536\n", 1e9 + k,
                k * 65536);
    fputs("1 1000000060.0 pread64(3</m/a.mov>, \"\", 999999999999999999, 999999999999999999) = "
          "999999999999999999\n"
          "1 1000000060.1 pread64(3</m/a.mov>, \"\", 10, 5) = 20\n"
          "1 1000000060.2 pread64(3</m/a.mov>, \"\", -10, -5) = -20\n"
          "1 99999999999.9 lseek(3</m/a.mov>, 0, SEEK_SET) = 999999999999999999\n",
          log);
    sc_player_trace *trace = learn(log);
    assert_int_equal(trace->block_bytes, 65536);
    assert_true(trace->bytes >= 60 * 65536);
    sc_player_trace_free(&trace);
}

static void thousands_of_files_and_threads_are_borne(void **state)
{
    FILE *log = new_log("many");
    (void)state;
    for (int k = 0; k < 20000; k++)
        fprintf(log,
                "%d 1000000000.5 openat(AT_FDCWD, \"/m/%d.mov\", O_RDONLY) = %d\n"
                "%d 1000000000.5 read(%d,  <unfinished ...>\n"
                "%d 1000000000.5 read(7</m/%d.mxf>, \"\"..., %d) = 4096\n",
                k, k, k, k, k, 100000 + k, k, 4096 + k);
    put_paced(log, (struct paced){"/m/a.mov", MIB, 20e6, 2, 20, 1});
    sc_player_trace *trace = learn(log);
    assert_string_equal(trace->media, "/m/a.mov");
    assert_int_equal(trace->block_bytes, MIB);
    sc_player_trace_free(&trace);
}

/* ---- mutations ---- */

static uint64_t drawn = 1;

static size_t below(size_t limit)
{
    drawn = drawn * 6364136223846793005u + 1442695040888963407u;
    return (size_t)((drawn >> 33) % limit);
}

/* Put what logs are made of anywhere, overwrite, leave out. Returns the new size. */
static size_t mutate(char *text, size_t size, size_t room)
{
    static const char *const pieces[] = {
        "999999999999999999", "-1",        "\"", "<", ">", ") = ", "\n", "?", "\\",
        "<unfinished ...>",   " resumed>", "{",  ", "};
    const char *piece = pieces[below(SCI_COUNT(pieces))];
    const size_t at = below(size), length = strlen(piece), cut = below(60);
    switch (below(4)) {
    case 0:
        text[at] = (char)below(256);
        return size;
    case 1:
        if (at + cut >= size)
            return size;
        memmove(text + at, text + at + cut, size - at - cut);
        return size - cut;
    default:
        if (size + length >= room)
            return size;
        memmove(text + at + length, text + at, size - at);
        memcpy(text + at, piece, length);
        return size + length;
    }
}

static void a_mutation_is_learned_from_or_refused(const char *text, size_t size)
{
    sc_player_trace *trace = NULL;
    sc_error error = {0};
    sc_player parsed;
    FILE *log = new_log("mutated");
    assert_int_equal(fwrite(text, 1, size, log), size);
    assert_int_equal(fclose(log), 0);
    const sc_status status = sc_player_from_trace(log_path, NULL, &trace, &error);
    if (status == SC_OK)
        assert_int_equal(sc_player_parse(trace->expression, &parsed, NULL), SC_OK);
    else
        assert_true(status == SC_INVALID_DATA && *error.message && !trace);
    sc_player_trace_free(&trace);
}

static void mutations_are_learned_from_or_refused(void **state)
{
    enum { ROOM = 128 * KIB, MUTATIONS = 60, EDITS = 200 };
    char *text = malloc(ROOM), path[512];
    (void)state;
    assert_non_null(text);
    for (size_t i = 0; i < SCI_COUNT(reals); i++)
        for (int k = 0; k < MUTATIONS; k++) {
            snprintf(path, sizeof path, "%s/trace/%s.log", TEST_DATA_DIR, reals[i].name);
            FILE *log = fopen(path, "r");
            assert_non_null(log);
            size_t size = fread(text, 1, ROOM, log);
            fclose(log);
            for (size_t edits = 1 + below(EDITS); edits > 0; edits--)
                size = mutate(text, size, ROOM);
            a_mutation_is_learned_from_or_refused(text, size);
        }
    unlink(log_path);
    free(text);
}

static sc_status refused(const char *path, const char *word)
{
    sc_error error = {0};
    sc_player_trace *trace = NULL;
    const sc_status status = sc_player_from_trace(path, NULL, &trace, &error);
    assert_null(trace);
    if (word && !strstr(error.message, word))
        fail_msg("%s: %s", path, error.message);
    return status;
}

static void what_is_no_log_is_refused(void **state)
{
    static const struct {
        const char *text, *word;
    } texts[] = {
        {"", "no log of strace"},
        {"\n\n\n", "no log of strace"},
        {"{\"schema\": \"streamcalc.storage\"}", "no log of strace"},
        {"1 read(3</m/a.mov>, \"\"..., 65536) = 65536\n", "-ttt"},
        {"1 1000000000.5 read(3, \"\"..., 65536) = 65536\n", "-y"},
        {"1 1000000000.5 read(3</m/a.mov>, \"\"..., 4096) = 4096\n", "no reading of a clip"},
        {"1 1000000000.5 io_submit(0x7f, 1, [...]) = 1\n", "io_submit"},
    };
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(texts); i++) {
        FILE *log = new_log("none");
        fputs(texts[i].text, log);
        assert_int_equal(fclose(log), 0);
        assert_int_equal(refused(log_path, texts[i].word), SC_INVALID_DATA);
        unlink(log_path);
    }
    FILE *log = new_log("binary");
    for (unsigned i = 0; i < 3000000; i++)
        fputc((int)(i * 7919 + i / 251) & 255, log);
    assert_int_equal(fclose(log), 0);
    assert_int_equal(refused(log_path, "no log of strace"), SC_INVALID_DATA);
    unlink(log_path);
}

static void what_is_no_file_does_not_hang(void **state)
{
    char fifo[256];
    (void)state;
    snprintf(fifo, sizeof fifo, "%s/trace.fifo", TEST_OUTPUT_DIR);
    unlink(fifo);
    assert_int_equal(mkfifo(fifo, 0600), 0);
    assert_int_equal(refused(fifo, "no regular file"), SC_INVALID_ARGUMENT);
    unlink(fifo);
    assert_int_equal(refused("/dev/zero", "no regular file"), SC_INVALID_ARGUMENT);
    assert_int_equal(refused(TEST_OUTPUT_DIR, "a directory"), SC_INVALID_ARGUMENT);
    assert_int_equal(refused("/nonexistent.log", "/nonexistent.log"), SC_NOT_FOUND);
    assert_int_equal(refused("", NULL), SC_INVALID_ARGUMENT);
    assert_int_equal(refused(NULL, NULL), SC_INVALID_ARGUMENT);
    assert_int_equal(sc_player_from_trace("x", NULL, NULL, NULL), SC_INVALID_ARGUMENT);
}

static int cancel(void *opaque, const sc_progress *progress)
{
    (void)opaque;
    assert_string_equal(progress->stage, "trace");
    return 1;
}

static void it_can_be_cancelled(void **state)
{
    char path[512];
    sc_player_trace *trace = NULL;
    const sc_player_trace_params params = {.control = {.progress = cancel}};
    (void)state;
    snprintf(path, sizeof path, "%s/trace/deep.log", TEST_DATA_DIR);
    assert_int_equal(sc_player_from_trace(path, &params, &trace, NULL), SC_CANCELLED);
    assert_null(trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(real_programs_are_told_as_they_read),
        cmocka_unit_test(the_expression_is_the_player),
        cmocka_unit_test(documents_are_read_back),
        cmocka_unit_test(players_are_written_as_they_are_read),
        cmocka_unit_test(what_cannot_be_seen_is_refused_by_name),
        cmocka_unit_test(the_read_ahead_is_found_whatever_it_is),
        cmocka_unit_test(frames_count_where_their_sizes_differ),
        cmocka_unit_test(a_jump_begins_anew),
        cmocka_unit_test(a_log_that_begins_while_it_plays_tells_no_read_ahead),
        cmocka_unit_test(reads_in_flight_are_those_begun_and_not_ended),
        cmocka_unit_test(interrupted_calls_are_no_reads),
        cmocka_unit_test(the_busiest_file_is_taken_unless_one_is_named),
        cmocka_unit_test(frames_that_are_files_are_one),
        cmocka_unit_test(long_lines_keep_their_ends),
        cmocka_unit_test(clocks_that_go_back_are_told),
        cmocka_unit_test(midnight_is_no_jump),
        cmocka_unit_test(sizes_that_cannot_be_are_passed_over),
        cmocka_unit_test(thousands_of_files_and_threads_are_borne),
        cmocka_unit_test(mutations_are_learned_from_or_refused),
        cmocka_unit_test(what_is_no_log_is_refused),
        cmocka_unit_test(what_is_no_file_does_not_hang),
        cmocka_unit_test(it_can_be_cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
