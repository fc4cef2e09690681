#include "probe/media.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *kind_of(mode_t mode)
{
    if (S_ISDIR(mode))
        return "a directory";
    if (S_ISFIFO(mode))
        return "a pipe";
    if (S_ISSOCK(mode))
        return "a socket";
    return "a device";
}

/* A name that a shell, or another program's way to write frame numbers, left as it is. */
static const char *remedy_for(const char *path, int error_number)
{
    if (error_number == ENOENT && path[strcspn(path, "*?#%@")])
        return " (a numbered sequence is given by its directory, or by one %d or %04d in the name)";
    return "";
}

/* O_NONBLOCK: opening a pipe without a writer must not wait. It means nothing for regular files. */
sc_status sci_file_open(sci_file *file, const char *path, sc_error *error)
{
    struct stat facts;
    file->path = path;
    file->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (file->fd < 0 && errno == ENXIO)
        return sci_fail(error, SC_UNSUPPORTED, 0, "probe.open", path,
                        "a socket or device, not a regular file");
    if (file->fd < 0)
        return sci_fail(error, sci_status_from_errno(errno), errno, "probe.open", path,
                        "cannot open the file%s", remedy_for(path, errno));
    if (fstat(file->fd, &facts) != 0) {
        sci_fail(error, SC_IO, errno, "probe.open", path, "cannot look at the file");
    } else if (!S_ISREG(facts.st_mode)) {
        sci_fail(error, SC_UNSUPPORTED, 0, "probe.open", path, "%s, not a regular file",
                 kind_of(facts.st_mode));
    } else if (facts.st_size == 0) {
        file->size_bytes = 0;
        sci_fail(error, SC_INVALID_DATA, 0, "probe.open", path,
                 "the file is empty (0 bytes): nothing was recorded or the copy failed");
    } else {
        file->size_bytes = file->view_bytes = facts.st_size;
        return SC_OK;
    }
    sci_file_close(file);
    return error->status;
}

void sci_file_start(sci_file *file, int64_t max_bytes, double max_seconds, sci_control *control)
{
    file->control = control;
    file->start_ns = sci_now_ns();
    file->max_bytes = max_bytes;
    if (max_seconds < 0 || max_seconds >= 1e9)
        return;
    int64_t allowed_ns = (int64_t)(max_seconds * 1e9);
    file->end_ns = file->start_ns + allowed_ns;
    file->give_up_ns = file->end_ns + allowed_ns;
}

void sci_file_close(sci_file *file)
{
    if (file->fd >= 0)
        close(file->fd);
    file->fd = -1;
    free(file->ahead);
    free(file->head);
    file->ahead = file->head = NULL;
    file->ahead_size = file->head_bytes = 0;
}

bool sci_file_stop(sci_file *file)
{
    double seconds = sci_seconds_since(file->start_ns);
    double fraction = (double)file->bytes_read / (double)file->size_bytes;
    if (sci_control_poll(file->control, file->path, fraction < 1 ? fraction : 1,
                         seconds > 0 ? (double)file->bytes_read / seconds : -1))
        return file->cancelled = true;
    if (file->end_ns && sci_now_ns() > file->end_ns)
        file->limited = true;
    return file->limited;
}

bool sci_file_give_up(sci_file *file)
{
    sci_file_stop(file);
    return file->cancelled || (file->give_up_ns && sci_now_ns() > file->give_up_ns);
}

static bool stop_now(void *file)
{
    return sci_file_give_up(file);
}

sci_stop sci_file_stopper(sci_file *file)
{
    return (sci_stop){stop_now, file};
}

/* The time begins to run that much later. */
static void put_off(sci_file *file, int64_t ns)
{
    file->start_ns += ns;
    file->end_ns += file->end_ns ? ns : 0;
    file->give_up_ns += file->give_up_ns ? ns : 0;
}

bool sci_file_take_memory(sci_file *file, size_t bytes)
{
    const int64_t poll_ns = 20000000, start_ns = sci_now_ns();
    bool taken = !file->share || sci_share_take(file->share, bytes, poll_ns);
    while (!taken && !file->cancelled) {
        file->cancelled = sci_control_poll(file->control, file->path, -1, -1);
        taken = sci_share_take(file->share, bytes, poll_ns);
    }
    put_off(file, sci_now_ns() - start_ns);
    return taken && !file->cancelled;
}

void sci_file_give_memory(sci_file *file, size_t bytes)
{
    if (file->share)
        sci_share_give(file->share, bytes);
}

static double limit_seconds(const sci_file *file)
{
    return (double)(file->end_ns - file->start_ns) / 1e9;
}

const char *sci_file_limit(const sci_file *file, char text[SCI_LIMIT_TEXT])
{
    if (file->max_bytes >= 0 && file->bytes_read >= file->max_bytes)
        snprintf(text, SCI_LIMIT_TEXT, "the limit of %lld bytes (max_bytes, --max-bytes)",
                 (long long)file->max_bytes);
    else
        snprintf(text, SCI_LIMIT_TEXT, "the limit of %g s (max_seconds, --max-seconds)",
                 limit_seconds(file));
    return text;
}

sc_status sci_file_gave_up(const sci_file *file, const char *where, sc_error *error)
{
    return file->cancelled
               ? sci_fail(error, SC_CANCELLED, 0, where, file->path, "cancelled")
               : sci_fail(error, SC_LIMIT, 0, where, file->path,
                          "twice the limit of %g s (max_seconds, --max-seconds) ended the work on "
                          "the packets of the file: raise it",
                          limit_seconds(file));
}

/* How much of a request is there and allowed. */
static int64_t within_limits(sci_file *file, int64_t offset, int64_t size)
{
    int64_t there = file->size_bytes > offset ? file->size_bytes - offset : 0;
    int64_t allowed = file->max_bytes < 0 ? size : file->max_bytes - file->bytes_read;
    int64_t most = size < there ? size : there;
    if (most > 0 && allowed <= 0)
        file->limited = true;
    return most < allowed ? most : allowed;
}

int64_t sci_file_read_at(sci_file *file, int64_t offset, void *buffer, size_t size)
{
    ssize_t got;
    if (sci_file_stop(file))
        return -1;
    int64_t most = within_limits(file, offset, (int64_t)size);
    if (most <= 0)
        return file->limited ? -1 : 0;
    do
        got = pread(file->fd, buffer, (size_t)most, offset);
    while (got < 0 && errno == EINTR);
    file->reads++;
    if (got > 0)
        file->bytes_read += got;
    if (got < 0 && !file->os_errno)
        file->os_errno = errno;
    return got;
}

/* ---- for the demuxer ---- */

/* A long index is read in few round trips: the longer a demuxer has read on, the more is fetched at
   once, so that at most half as much again is read as is used. */
enum {
    AHEAD_BYTES = 1 << 20,
    AHEAD_SHARE = 2,
    PART_BYTES = 4 << 20 /* of a long read */
};

bool sci_file_peek(sci_file *file, int64_t offset, void *bytes, int64_t size)
{
    if (offset < 0)
        return false;
    if (offset + size > file->head_bytes)
        return sci_file_read_at(file, offset, bytes, (size_t)size) == size;
    memcpy(bytes, file->head + offset, (size_t)size);
    return true;
}

bool sci_file_read_all(sci_file *file, int64_t offset, uint8_t *bytes, int64_t size)
{
    while (size > 0) {
        int64_t got = sci_file_read_at(file, offset, bytes,
                                       (size_t)(size < PART_BYTES ? size : PART_BYTES));
        if (got <= 0)
            return false;
        offset += got;
        bytes += got;
        size -= got;
    }
    return true;
}

/* How much to fetch for a request; as asked when reading ahead does not pay, or without memory. */
static int64_t fetch_size(sci_file *file, int64_t size)
{
    int64_t fetch = file->run_bytes / AHEAD_SHARE;
    fetch = fetch < AHEAD_BYTES ? fetch : AHEAD_BYTES;
    if (fetch <= size)
        return size;
    if (!file->ahead)
        file->ahead = malloc(AHEAD_BYTES);
    return file->ahead ? fetch : size;
}

static int64_t copy_part(const uint8_t *bytes, int64_t there, uint8_t *buffer, int64_t size)
{
    const int64_t most = there < size ? there : size;
    memcpy(buffer, bytes, (size_t)most);
    return most;
}

static int64_t read_on(sci_file *file, uint8_t *buffer, int64_t size)
{
    int64_t inside = file->offset - file->ahead_start;
    int64_t left = file->view_bytes - file->offset;
    if (file->shown)
        return copy_part(file->shown + file->offset, left, buffer, size);
    if (file->offset < file->head_bytes)
        return copy_part(file->head + file->offset, file->head_bytes - file->offset, buffer, size);
    if (inside >= 0 && inside < file->ahead_size) {
        return copy_part(file->ahead + inside, file->ahead_size - inside, buffer, size);
    }
    int64_t fetch = fetch_size(file, size);
    fetch = fetch < left ? fetch : left;
    if (fetch <= size)
        return sci_file_read_at(file, file->offset, buffer, (size_t)fetch);
    file->ahead_start = file->offset;
    file->ahead_size = sci_file_read_at(file, file->offset, file->ahead, (size_t)fetch);
    if (file->ahead_size <= 0)
        return file->ahead_size;
    return copy_part(file->ahead, file->ahead_size, buffer, size);
}

int sci_file_avio_read(void *opaque, uint8_t *buffer, int size)
{
    sci_file *file = opaque;
    if (file->offset >= file->view_bytes)
        return AVERROR_EOF;
    int64_t got = read_on(file, buffer, size);
    if (got < 0)
        return file->limited || file->cancelled ? AVERROR_EXIT : AVERROR(EIO);
    if (got == 0)
        return AVERROR_EOF;
    file->offset += got;
    file->run_bytes += got;
    return (int)got;
}

int64_t sci_file_avio_seek(void *opaque, int64_t offset, int whence)
{
    sci_file *file = opaque;
    /* A demuxer that may no longer read must not go on seeking either. */
    if (file->limited || file->cancelled)
        return AVERROR_EXIT;
    switch (whence & ~AVSEEK_FORCE) {
    case AVSEEK_SIZE:
        return file->view_bytes;
    case SEEK_SET:
        break;
    case SEEK_CUR:
        offset += file->offset;
        break;
    case SEEK_END:
        offset += file->view_bytes;
        break;
    default:
        return AVERROR(EINVAL);
    }
    if (offset < 0)
        return AVERROR(EINVAL);
    if (offset != file->offset)
        file->run_bytes = 0;
    return file->offset = offset;
}

int64_t sci_file_growth(const sci_file *file)
{
    struct stat facts;
    return fstat(file->fd, &facts) == 0 ? (int64_t)facts.st_size - file->size_bytes : 0;
}
