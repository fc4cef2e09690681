#include <streamcalc/player.h>

#include "player/trace_line.h"
#include "player/trace_profile.h"
#include "player/trace_reads.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char WHERE[] = "player.trace";

enum {
    BUFFER_BYTES = 256 << 10,
    LINE_PART_BYTES = 16 << 10, /* kept of the begin and of the end of a line that does not fit */
    FILES_SHOWN = 16,
    BYTES_LEAST = 64 << 10 /* of a file that was played */
};

/* A log begins with calls: what has none in so many bytes is something else. */
static const int64_t HOPELESS_BYTES = 32 << 20;

static const char TRACE_SO[] = "trace with strace -f -ttt -T -y -e "
                               "trace=openat,read,pread64,preadv,lseek,mmap,io_uring_enter -o FILE";

struct log {
    const char *path;
    int file;
    int64_t size, done;
    char *buffer;
    size_t used;
    struct sci_trace_reads *reads;
    sci_control control;
};

static sc_status no_memory(sc_error *error)
{
    return sci_fail(error, SC_NO_MEMORY, 0, WHERE, NULL, "%s", sc_status_text(SC_NO_MEMORY));
}

/* ---- lines ---- */

static bool take_lines(struct log *log)
{
    char *line = log->buffer, *end = log->buffer + log->used, *stop;
    bool ok = true;
    while (ok && (stop = memchr(line, '\n', (size_t)(end - line)))) {
        *stop = '\0';
        ok = sci_trace_reads_add(log->reads, line);
        line = stop + 1;
    }
    log->used = (size_t)(end - line);
    memmove(log->buffer, line, log->used);
    return ok;
}

/* The data of a read may be long (-s); what it asked for stands behind it. */
static void shorten_line(struct log *log)
{
    if (log->used < BUFFER_BYTES - 1)
        return;
    memmove(log->buffer + LINE_PART_BYTES, log->buffer + log->used - LINE_PART_BYTES,
            LINE_PART_BYTES);
    log->used = 2 * LINE_PART_BYTES;
}

/* Whether reading has to stop; *status says why where that is a failure. */
static bool at_end(struct log *log, sc_status *status, sc_error *error)
{
    const struct sci_trace_totals *totals = sci_trace_reads_totals(log->reads);
    const double fraction = log->size > 0 ? (double)log->done / (double)log->size : -1;
    if (sci_control_poll(&log->control, log->path, fraction, -1))
        *status = sci_fail(error, SC_CANCELLED, 0, WHERE, log->path, "interrupted");
    return *status != SC_OK || log->done >= log->size ||
           (totals->calls == 0 && log->done > HOPELESS_BYTES);
}

static sc_status read_lines(struct log *log, sc_error *error)
{
    sc_status status = SC_OK;
    while (!at_end(log, &status, error)) {
        size_t room = BUFFER_BYTES - 1 - log->used;
        if ((int64_t)room > log->size - log->done)
            room = (size_t)(log->size - log->done);
        const ssize_t got = read(log->file, log->buffer + log->used, room);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return sci_fail(error, sci_status_from_errno(errno), errno, WHERE, log->path,
                            "cannot read '%s'", log->path);
        if (got == 0)
            break; /* it was cut meanwhile */
        log->done += got;
        log->used += (size_t)got;
        if (!take_lines(log))
            return no_memory(error);
        shorten_line(log);
    }
    log->buffer[log->used] = '\0';
    if (status == SC_OK && log->used && !sci_trace_reads_add(log->reads, log->buffer))
        return no_memory(error);
    return status;
}

/* ---- opening ---- */

static sc_status check_file(struct log *log, sc_error *error)
{
    const int64_t unsized = 1 << 20; /* files of /proc tell no size */
    struct stat facts;
    if (fstat(log->file, &facts) != 0)
        return sci_fail(error, sci_status_from_errno(errno), errno, WHERE, log->path,
                        "cannot look at it");
    if (!S_ISREG(facts.st_mode))
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, WHERE, log->path,
                        "'%s' is %s, not a log that strace wrote with -o FILE", log->path,
                        S_ISDIR(facts.st_mode) ? "a directory" : "no regular file");
    log->size = facts.st_size > 0 ? facts.st_size : unsized;
    return SC_OK;
}

static sc_status open_log(struct log *log, sc_error *error)
{
    /* A FIFO without a writer must not hold the call up. */
    log->file = open(log->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (log->file < 0 && (errno == ENOENT || errno == ENOTDIR))
        return sci_fail(error, SC_NOT_FOUND, 0, WHERE, log->path,
                        "there is no log '%s'; strace writes one with -o FILE (not with -ff, which "
                        "makes one a thread)",
                        log->path);
    if (log->file < 0)
        return sci_fail(error, sci_status_from_errno(errno), errno, WHERE, log->path,
                        "cannot open '%s'", log->path);
    sc_status status = check_file(log, error);
    if (status != SC_OK)
        return status;
    log->buffer = malloc(BUFFER_BYTES);
    log->reads = sci_trace_reads_new();
    return log->buffer && log->reads ? SC_OK : no_memory(error);
}

static void close_log(struct log *log)
{
    if (log->file >= 0)
        close(log->file);
    free(log->buffer);
    sci_trace_reads_free(&log->reads);
}

/* ---- the file that was played ---- */

static sc_status nothing_read(const struct log *log, const struct sci_trace_totals *totals,
                              sc_error *error)
{
    if (totals->calls == 0)
        return sci_fail(error, SC_INVALID_DATA, 0, WHERE, log->path,
                        "'%s' is no log of strace, or one without reads: %s", log->path, TRACE_SO);
    if (totals->unstamped == totals->calls)
        return sci_fail(error, SC_INVALID_DATA, 0, WHERE, log->path,
                        "'%s' has no times, which tell how far reads run ahead: %s", log->path,
                        TRACE_SO);
    if (totals->hidden > 0)
        return sci_fail(error, SC_INVALID_DATA, 0, WHERE, log->path,
                        "'%s' shows no reading of a clip but by %s, of which strace tells no "
                        "sizes: describe the player with its block and reads in flight",
                        log->path, totals->hidden_name);
    if (totals->anonymous > 0)
        return sci_fail(error, SC_INVALID_DATA, 0, WHERE, log->path,
                        "'%s' does not tell which files were read: trace with -y", log->path);
    return sci_fail(error, SC_INVALID_DATA, 0, WHERE, log->path,
                    "'%s' shows no reading of a clip, of no file as much as 64 KiB: does -e have "
                    "the calls that the player reads by, and -f its threads? %s",
                    log->path, TRACE_SO);
}

/* A file that is mapped and hardly read is played by mmap; every program maps its libraries. */
static const struct sci_trace_file *mapped_instead(const struct sci_trace_file *const *files,
                                                   size_t count)
{
    const struct sci_trace_file *largest = NULL;
    for (size_t i = 0; i < count; i++)
        if (files[i]->mapped_bytes >= BYTES_LEAST && !strstr(files[i]->path, ".so") &&
            strncmp(files[i]->path, "/usr/", 5) != 0 &&
            files[i]->bytes < files[i]->mapped_bytes / 100 &&
            (!largest || files[i]->mapped_bytes > largest->mapped_bytes))
            largest = files[i];
    return largest;
}

static sc_status choose(struct log *log, const char *media, const struct sci_trace_file **chosen,
                        sc_error *error)
{
    size_t count;
    const struct sci_trace_totals *totals = sci_trace_reads_totals(log->reads);
    const struct sci_trace_file *const *files = sci_trace_reads_files(log->reads, &count);
    const struct sci_trace_file *mapped = mapped_instead(files, count);
    *chosen = NULL;
    for (size_t i = 0; i < count && !*chosen; i++)
        if (!media || sci_trace_ends_with(files[i]->path, media))
            *chosen = files[i];
    if (media && !*chosen)
        return sci_fail(error, SC_NOT_FOUND, 0, WHERE, log->path,
                        "no file whose path ends with '%.200s' is read in '%.200s'%s%.200s", media,
                        log->path, count ? "; most was read of " : "", count ? files[0]->path : "");
    const bool little = !*chosen || (*chosen)->bytes < BYTES_LEAST;
    if (mapped && (little || mapped == *chosen))
        return sci_fail(error, SC_INVALID_DATA, 0, WHERE, log->path,
                        "'%.300s' was mapped into memory (mmap), and what is read so does not show "
                        "in a log of strace: describe the player with its block and reads in "
                        "flight",
                        mapped->path);
    return little ? nothing_read(log, totals, error) : SC_OK;
}

/* ---- the result ---- */

static sc_status take_files(sc_player_trace *result, struct log *log, sc_error *error)
{
    size_t count;
    sci_arena *arena = sci_result_arena(result);
    const struct sci_trace_file *const *files = sci_trace_reads_files(log->reads, &count);
    sc_player_trace_file *list = sci_arena_alloc(arena, FILES_SHOWN, sizeof *list);
    bool ok = list != NULL;
    for (size_t i = 0; ok && i < count && i < FILES_SHOWN && files[i]->bytes > 0; i++) {
        list[i] = (sc_player_trace_file){sci_arena_strdup(arena, files[i]->path), files[i]->reads,
                                         files[i]->bytes};
        ok = list[i].path != NULL;
        result->file_count = i + 1;
    }
    result->files = list;
    return ok ? SC_OK : no_memory(error);
}

static sc_status make_result(struct log *log, const char *media, sc_player_trace *result,
                             sc_error *error)
{
    const struct sci_trace_file *file;
    sci_arena *arena = sci_result_arena(result);
    sc_status status = choose(log, media, &file, error);
    if (status != SC_OK)
        return status;
    result->path = sci_arena_strdup(arena, log->path);
    result->media = sci_arena_strdup(arena, file->path);
    sc_time_now(result->made_at);
    result->lines = sci_trace_reads_totals(log->reads)->lines;
    if (!result->path || !result->media)
        return no_memory(error);
    status = take_files(result, log, error);
    return status == SC_OK
               ? sci_trace_profile(result, file, sci_trace_reads_totals(log->reads), error)
               : status;
}

sc_status sc_player_from_trace(const char *path, const sc_player_trace_params *params,
                               sc_player_trace **trace, sc_error *error)
{
    struct log log = {.path = path, .file = -1};
    if (trace)
        *trace = NULL;
    if (!trace || !path || !*path)
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, WHERE, NULL, "no log of strace was given");
    sci_control_start(&log.control, params ? &params->control : NULL, "trace");
    sc_status status = open_log(&log, error);
    if (status == SC_OK)
        status = read_lines(&log, error);
    sc_player_trace *result = status == SC_OK ? sci_result_new(sizeof *result) : NULL;
    if (status == SC_OK)
        status = result ? make_result(&log, params ? params->media : NULL, result, error)
                        : no_memory(error);
    if (status == SC_OK)
        *trace = result;
    else
        sci_result_free(&result);
    close_log(&log);
    return status;
}

void sc_player_trace_free(sc_player_trace **trace)
{
    sci_result_free(trace);
}
