#include "player/trace_line.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct sci_trace_event parse(const char *line)
{
    struct sci_trace_event event;
    sci_trace_line_parse(line, &event);
    return event;
}

struct expected {
    const char *line;
    enum sci_call call;
    enum sci_phase phase;
    int64_t thread, descriptor, asked_bytes, offset, result;
    const char *path;
};

/* Lines of strace 6.1 unless a comment says otherwise. */
static const struct expected lines[] = {
    {"23379 1796290508.620417 read(3</a/clip.mov>, \"\\0\\24ftyp\"..., 32768) = 32768",
     SCI_CALL_READ, SCI_PHASE_WHOLE, 23379, 3, 32768, -1, 32768, "/a/clip.mov"},
    {"[pid 23432] 1796290517.104224 pread64(3</a/clip.mov>, \"\"..., 262144, 786432) = 262144 "
     "<0.000099>",
     SCI_CALL_PREAD, SCI_PHASE_WHOLE, 23432, 3, 262144, 786432, 262144, "/a/clip.mov"},
    {"09:31:22.104224 pread64(3, \"x) = 5, 6\"..., 4096, 8192) = 100", SCI_CALL_PREAD,
     SCI_PHASE_WHOLE, -1, 3, 4096, 8192, 100, NULL},
    {"     0.000123 read(4</a/b>, \"\", 4096)      = 0", SCI_CALL_READ, SCI_PHASE_WHOLE, -1, 4,
     4096, -1, 0, "/a/b"},
    {"7 1796290517.1 close(3)                                = 0", SCI_CALL_CLOSE, SCI_PHASE_WHOLE,
     7, 3, -1, -1, 0, NULL},
    {"7 1796290517.1 pread64(3</a/b>,  <unfinished ...>", SCI_CALL_PREAD, SCI_PHASE_BEGUN, 7, 3, -1,
     -1, -1, "/a/b"},
    {"7 1796290517.2 <... pread64 resumed>\"\\20H#\"..., 262144, 2097152) = 262144 <0.000638>",
     SCI_CALL_PREAD, SCI_PHASE_RESUMED, 7, -1, 262144, 2097152, 262144, NULL},
    {"7 1796290517.2 <... read resumed> <unfinished ...>) = ?", SCI_CALL_READ, SCI_PHASE_RESUMED, 7,
     -1, -1, -1, -1, NULL},
    {"1796290517.2 preadv(3, [{iov_base=\"\"..., iov_len=524288}], 1, 4194304) = 524288",
     SCI_CALL_PREAD, SCI_PHASE_WHOLE, -1, 3, -1, 4194304, 524288, NULL},
    {"1796290517.2 preadv2(3, [{iov_base=\"\"..., iov_len=9}], 1, 77, RWF_NOWAIT) = 9",
     SCI_CALL_PREAD, SCI_PHASE_WHOLE, -1, 3, -1, 77, 9, NULL},
    {"1796290517.2 readv(3, [{iov_base=\"\"..., iov_len=5}, {iov_base=\"\", iov_len=4}], 2) = 9",
     SCI_CALL_READ, SCI_PHASE_WHOLE, -1, 3, -1, -1, 9, NULL},
    {"1796290517.2 lseek(3</a/b>, 36, SEEK_SET) = 36", SCI_CALL_SEEK, SCI_PHASE_WHOLE, -1, 3, -1,
     -1, 36, "/a/b"},
    {"1796290517.2 openat(AT_FDCWD</home>, \"clip.mov\", O_RDONLY) = 3</home/clip.mov>",
     SCI_CALL_OPEN, SCI_PHASE_WHOLE, -1, -1, -1, -1, 3, "/home/clip.mov"},
    {"1796290517.2 openat(AT_FDCWD, \"a \\\"b\\\") = 4.mov\", O_RDONLY) = 5", SCI_CALL_OPEN,
     SCI_PHASE_WHOLE, -1, -1, -1, -1, 5, "a \\\"b\\\") = 4.mov"},
    {"1796290517.2 openat(AT_FDCWD, \"x\", O_RDONLY) = -1 ENOENT (No such file or directory)",
     SCI_CALL_OPEN, SCI_PHASE_WHOLE, -1, -1, -1, -1, -1, "x"},
    {"1796290517.2 read(3</a/b>, 0x7ffe, 100) = ? ERESTARTSYS (To be restarted if SA_RESTART is set)",
     SCI_CALL_READ, SCI_PHASE_WHOLE, -1, 3, 100, -1, -1, "/a/b"},
    {"1796290517.2 read(3</a/b>, 0x7ffe, 100) = -1 EINTR (Interrupted system call)", SCI_CALL_READ,
     SCI_PHASE_WHOLE, -1, 3, 100, -1, -1, "/a/b"},
    {"1796290517.2 mmap(NULL, 48979124, PROT_READ, MAP_SHARED, 6</a, b.mov>, 0) = 0x7f5969000000",
     SCI_CALL_MAP, SCI_PHASE_WHOLE, -1, 6, 48979124, -1, -1, "/a, b.mov"},
    {"7 1796290517.2 io_uring_enter(4<anon_inode:[io_uring]>, 1, 1, 0, NULL, 8) = 1",
     SCI_CALL_HIDDEN, SCI_PHASE_WHOLE, 7, 4, -1, -1, 1, "io_uring_enter"},
    {"7 1796290517.2 +++ exited with 0 +++", SCI_CALL_EXIT, SCI_PHASE_WHOLE, 7, -1, -1, -1, -1,
     NULL},
    {"7 1796290517.2 --- SIGCHLD {si_signo=SIGCHLD} ---", SCI_CALL_NONE, SCI_PHASE_WHOLE, 7, -1, -1,
     -1, -1, NULL},
    /* Truncated, and what no strace prints. */
    {"7 1796290517.2 read(3</a/clip", SCI_CALL_READ, SCI_PHASE_WHOLE, 7, 3, -1, -1, -1, "/a/clip"},
    {"7 1796290517.2 read(3, \"\", 99999999999999999999999) = 1", SCI_CALL_READ, SCI_PHASE_WHOLE, 7,
     3, -1, -1, 1, NULL},
    {"7 1796290517.2 read(-3, \"\", -5) = -9", SCI_CALL_READ, SCI_PHASE_WHOLE, 7, -1, -1, -1, -1,
     NULL},
    {"7 1796290517.2 reading(3, 4) = 4", SCI_CALL_NONE, SCI_PHASE_WHOLE, 7, -1, -1, -1, -1, NULL},
    {"read", SCI_CALL_NONE, SCI_PHASE_WHOLE, -1, -1, -1, -1, -1, NULL},
    {"", SCI_CALL_NONE, SCI_PHASE_WHOLE, -1, -1, -1, -1, -1, NULL},
    {"\x80\xff\x01 \"", SCI_CALL_NONE, SCI_PHASE_WHOLE, -1, -1, -1, -1, -1, NULL},
};

static void check(const struct expected *expected)
{
    const struct sci_trace_event event = parse(expected->line);
    const bool path = expected->path
                          ? event.path && event.path_length == strlen(expected->path) &&
                                memcmp(event.path, expected->path, event.path_length) == 0
                          : !event.path;
    if (event.call != expected->call || event.phase != expected->phase ||
        event.thread != expected->thread || event.descriptor != expected->descriptor ||
        event.asked_bytes != expected->asked_bytes || event.offset != expected->offset ||
        event.result != expected->result || !path)
        fail_msg("%s: call %d phase %d thread %lld fd %lld asked %lld at %lld = %lld, path %.*s",
                 expected->line, (int)event.call, (int)event.phase, (long long)event.thread,
                 (long long)event.descriptor, (long long)event.asked_bytes, (long long)event.offset,
                 (long long)event.result, (int)event.path_length, event.path ? event.path : "");
}

static void lines_are_read_as_strace_prints_them(void **state)
{
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(lines); i++)
        check(&lines[i]);
}

static void every_cut_of_a_line_is_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(lines); i++)
        for (size_t length = 0; length < strlen(lines[i].line); length++) {
            char *cut = strndup(lines[i].line, length);
            const struct sci_trace_event event = parse(cut);
            assert_true(event.path_length <= length);
            assert_true(event.result >= SC_UNKNOWN && event.asked_bytes >= SC_UNKNOWN);
            free(cut);
        }
}

static void times_of_every_option_are_read(void **state)
{
    static const struct {
        const char *prefix;
        enum sci_stamp stamp;
        double time_s;
    } times[] = {
        {"12 1796290517.250000 ", SCI_STAMP_EPOCH, 1796290517.25},
        {"1796290517.5 ", SCI_STAMP_EPOCH, 1796290517.5},
        {"12 1796290517 ", SCI_STAMP_SECONDS, 1796290517},
        {"01:02:03.500000 ", SCI_STAMP_CLOCK, 3723.5},
        {"12 01:02:03 ", SCI_STAMP_SECONDS, 3723},
        {"     0.250000 ", SCI_STAMP_SINCE, 0.25},
        {"12 ", SCI_STAMP_NONE, -1},
        {"", SCI_STAMP_NONE, -1},
        {"99:99:99 ", SCI_STAMP_NONE, -1},
        {"123456789012345678901234567890.5 ", SCI_STAMP_NONE, -1},
    };
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(times); i++) {
        char line[128];
        snprintf(line, sizeof line, "%sread(3, \"\", 4) = 4", times[i].prefix);
        const struct sci_trace_event event = parse(line);
        if (event.stamp != times[i].stamp || event.time_s < times[i].time_s - 1e-6 ||
            event.time_s > times[i].time_s + 1e-6)
            fail_msg("%s: %d %f", line, (int)event.stamp, event.time_s);
    }
    assert_true(parse("1.5 read(3, \"\", 4) = 4 <0.250000>").took_s == 0.25);
    assert_true(parse("1.5 read(3, \" <0.5>\", 4) = 4").took_s < 0);
}

static void only_o_direct_is_direct(void **state)
{
    (void)state;
    assert_true(parse("1.5 openat(AT_FDCWD, \"a\", O_RDONLY|O_DIRECT) = 3").direct);
    assert_true(parse("1.5 openat(AT_FDCWD, \"a\", O_DIRECT|O_CLOEXEC) = 3").direct);
    assert_false(parse("1.5 openat(AT_FDCWD, \"a\", O_RDONLY|O_DIRECTORY) = 3").direct);
    assert_false(parse("1.5 openat(AT_FDCWD, \"O_DIRECT\", O_RDONLY) = 3").direct);
}

static void submitted_reads_are_read_one_by_one(void **state)
{
    static const char line[] =
        "25134 1796291303.816822 io_submit(0x7f46c5c6a000, 2, [{aio_data=0, "
        "aio_lio_opcode=IOCB_CMD_PREAD, aio_fildes=6</a/b.mov>, aio_buf=0x7f46bc6d0000, "
        "aio_nbytes=262144, aio_offset=524288}, {aio_data=0, aio_lio_opcode=IOCB_CMD_PWRITE, "
        "aio_fildes=7}, {aio_data=0, aio_lio_opcode=IOCB_CMD_PREAD, aio_fildes=6</a/b.mov>, "
        "aio_buf=0x1, aio_nbytes=4096, aio_offset=786432}]) = 2 <0.000222>";
    const struct sci_trace_event event = parse(line);
    const char *at = event.arguments;
    struct sci_trace_event read;
    (void)state;
    assert_int_equal(event.call, SCI_CALL_SUBMIT);
    assert_true(sci_trace_submitted(&at, &event, &read));
    assert_int_equal(read.descriptor, 6);
    assert_int_equal(read.asked_bytes, 262144);
    assert_int_equal(read.offset, 524288);
    assert_true(sci_trace_submitted(&at, &event, &read));
    assert_int_equal(read.asked_bytes, 4096);
    assert_int_equal(read.offset, 786432);
    assert_false(sci_trace_submitted(&at, &event, &read));
}

static void names_lose_their_escapes(void **state)
{
    static const char escaped[] = "/a\\303\\251/\\\"b\\\\\\t\\76\\0x";
    char text[32], little[4];
    (void)state;
    sci_trace_unescape(escaped, strlen(escaped), text, sizeof text);
    assert_memory_equal(text, "/a\303\251/\"b\\\t>\0x", 12);
    sci_trace_unescape("/abcdef", 7, little, sizeof little);
    assert_string_equal(little, "/ab");
    sci_trace_unescape("\\", 1, little, sizeof little);
    assert_string_equal(little, "\\");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_read_as_strace_prints_them),
        cmocka_unit_test(every_cut_of_a_line_is_read),
        cmocka_unit_test(times_of_every_option_are_read),
        cmocka_unit_test(only_o_direct_is_direct),
        cmocka_unit_test(submitted_reads_are_read_one_by_one),
        cmocka_unit_test(names_lose_their_escapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
