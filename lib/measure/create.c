#include "measure/create.h"

#include "io/noise.h"
#include "io/os.h"
#include "measure/mark.h"

#include <errno.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILES_LEAST = 4, FILES_MOST = 128, BLOCKS_A_FILE = 4, NAME_TRIES = 10000 };
static const int64_t MIB = 1 << 20;
static const int64_t FILE_BYTES = INT64_C(64) << 20;
static const int64_t WRITE_BYTES = INT64_C(4) << 20;
/* So that neither a cancel nor the watchdog waits for a cache full of data to reach the storage. */
static const int64_t SYNC_BYTES = INT64_C(16) << 20;
/* After a cancel: for what is under way. A storage that does not answer is not worth much
   waiting. */
static const double CANCELLED_S = 5, SILENT_S = 1;

struct sci_test_data {
    atomic_int users;
    char *directory; /* as given */
    int opened;      /* the directory, which stays this one if it is moved; -1: not yet */
    char *real_path; /* of the directory: the caller may change its own */
    int64_t file_bytes, margin_bytes;
    size_t file_count;
    sci_mark mark;                /* of the next file: the thread's that creates */
    char stem[SCI_MARK_NAME_MAX]; /* of all names */
    bool direct;
    uint64_t noise;
    unsigned char *buffer;
    atomic_int_least64_t written;
    atomic_bool settled; /* the thread that creates is done, and has removed what it must */
    atomic_size_t there; /* files that were created and not removed */
    size_t made_count;
    struct made {
        char *name; /* NULL once it is removed */
        sci_file_id id;
    } files[FILES_MOST];
    sc_status status;
    sc_error error;
};

static void data_release(sci_test_data *data)
{
    if (!data || atomic_fetch_sub(&data->users, 1) != 1)
        return;
    for (size_t i = 0; i < data->made_count; i++)
        free(data->files[i].name);
    if (data->opened >= 0)
        close(data->opened);
    free(data->buffer);
    free(data->real_path);
    free(data->directory);
    free(data);
}

static void abandon_data(void *opaque)
{
    data_release(opaque);
}

/* ---- sizes ---- */

static size_t file_count_of(const sci_create_params *params)
{
    int64_t count = params->bytes / FILE_BYTES;
    int64_t most = params->bytes / (params->block_bytes * BLOCKS_A_FILE);
    count = count < FILES_LEAST ? FILES_LEAST : count > FILES_MOST ? FILES_MOST : count;
    count = count > most ? most : count;
    return count < 2 ? 2 : (size_t)count;
}

static sci_test_data *data_new(const sci_create_params *params)
{
    sci_test_data *data = calloc(1, sizeof *data);
    if (!data)
        return NULL;
    atomic_store(&data->users, 2); /* the caller and the thread that creates */
    data->opened = -1;
    data->mark = sci_mark_now();
    sci_mark_name(&data->mark, data->stem);
    *strrchr(data->stem, '-') = '\0';
    data->noise = sci_noise_state((uint64_t)sci_now_ns() ^ (uint64_t)data->mark.pid << 40);
    data->margin_bytes = params->margin_bytes;
    data->file_count = file_count_of(params);
    int64_t count = (int64_t)data->file_count;
    data->file_bytes = ((params->bytes + count - 1) / count + MIB - 1) / MIB * MIB;
    data->buffer = aligned_alloc(sci_os_page_bytes(), (size_t)WRITE_BYTES);
    data->directory = strdup(params->directory);
    if (data->buffer && data->directory)
        return data;
    atomic_store(&data->users, 1);
    data_release(data);
    return NULL;
}

int64_t sci_test_data_bytes(const sci_test_data *data)
{
    return data->file_bytes * (int64_t)data->file_count;
}

/* ---- creating: on a thread that may hang ---- */

static sc_status fail_create(sci_test_data *data, int os_errno)
{
    sc_status status = os_errno == ECANCELED ? SC_CANCELLED : sci_status_from_errno(os_errno);
    char bytes[32];
    if (status == SC_CANCELLED)
        return sci_fail(&data->error, status, 0, "measure.create", data->directory, "cancelled");
    sc_format_bytes(sci_test_data_bytes(data), bytes, sizeof bytes);
    sci_fail(&data->error, status, os_errno, "measure.create", data->directory,
             "cannot create %s of test data in %s", bytes, data->directory);
    if (os_errno == EACCES || os_errno == EPERM || os_errno == EROFS)
        sci_fail_add(&data->error, "; choose a directory that can be written, or measure the files "
                                   "that are there without test data");
    return status;
}

static sc_status open_directory(sci_test_data *data)
{
    sci_os_info info;
    int os_errno = sci_os_stat(data->directory, &info);
    if (os_errno)
        return fail_create(data, os_errno);
    if (!info.directory)
        return sci_fail(&data->error, SC_INVALID_ARGUMENT, 0, "measure.create", data->directory,
                        "test data is created in a directory, and %s is none", data->directory);
    os_errno = sci_os_open_directory(data->directory, &data->opened);
    if (os_errno)
        return fail_create(data, os_errno);
    data->real_path = realpath(data->directory, NULL);
    return data->real_path ? SC_OK : fail_create(data, errno);
}

static sc_status check_space(sci_test_data *data)
{
    int64_t spare, volume, bytes = sci_test_data_bytes(data);
    char sizes[3][32];
    if (sci_os_free_bytes(data->directory, &spare) ||
        sci_os_volume_bytes(data->directory, &volume) || volume <= 0)
        return SC_OK; /* not known: writing finds out */
    int64_t margin = data->margin_bytes;
    if (margin < 0)
        margin = (int64_t)fmax((double)SCI_CREATE_MARGIN, (double)volume * SCI_CREATE_MARGIN_SHARE);
    if (spare - margin >= bytes)
        return SC_OK;
    sc_format_bytes(spare, sizes[0], sizeof sizes[0]);
    sc_format_bytes(bytes, sizes[1], sizeof sizes[1]);
    sc_format_bytes(margin, sizes[2], sizeof sizes[2]);
    return sci_fail(&data->error, SC_IO, ENOSPC, "measure.create", data->directory,
                    "%s are free in %s: %s of test data and %s to be left free do not fit",
                    sizes[0], data->directory, sizes[1], sizes[2]);
}

/* Names that are taken, by a run of the same second, are passed over. */
static int open_next(sci_test_data *data, int *fd)
{
    int os_errno = EEXIST;
    for (int tries = 0; os_errno == EEXIST && tries < NAME_TRIES; tries++) {
        char name[SCI_MARK_NAME_MAX];
        sci_mark_name(&data->mark, name);
        data->mark.number++;
        char *kept = strdup(name);
        if (!kept)
            return ENOMEM;
        os_errno = sci_os_create(data->opened, name, fd);
        if (os_errno) {
            free(kept);
            continue;
        }
        data->files[data->made_count++].name = kept;
        atomic_fetch_add(&data->there, 1);
    }
    return os_errno;
}

static int write_buffer(sci_test_data *data, int fd, int64_t offset, int64_t bytes)
{
    int64_t done = 0;
    while (done < bytes) {
        ssize_t count = pwrite(fd, data->buffer + done, (size_t)(bytes - done), offset + done);
        if (count > 0) {
            done += count;
        } else if (count < 0 && errno == EINVAL && data->direct) {
            data->direct = false;
            if (sci_os_set_direct(fd, false))
                return EINVAL;
        } else if (count == 0) {
            return ENOSPC;
        } else if (errno != EINTR) {
            return errno;
        }
    }
    return 0;
}

static int fill_file(sci_test_data *data, int fd, sci_guard *guard)
{
    int os_errno = 0;
    data->direct = sci_os_set_direct(fd, true) == 0;
    for (int64_t at = 0, bytes; !os_errno && at < data->file_bytes; at += bytes) {
        bytes = data->file_bytes - at < WRITE_BYTES ? data->file_bytes - at : WRITE_BYTES;
        sci_noise_fill(data->buffer, (size_t)bytes, &data->noise);
        if (at == 0)
            sci_mark_write(&data->mark, (char *)data->buffer);
        os_errno = write_buffer(data, fd, at, bytes);
        if (!os_errno && (at + bytes) % SYNC_BYTES == 0 && !data->direct && fdatasync(fd))
            os_errno = errno;
        atomic_fetch_add(&data->written, os_errno ? 0 : bytes);
        if (!os_errno && !sci_guard_alive(guard))
            os_errno = ECANCELED;
    }
    return os_errno;
}

static int create_file(sci_test_data *data, sci_guard *guard)
{
    int fd, os_errno = open_next(data, &fd);
    if (os_errno)
        return os_errno;
    os_errno = fill_file(data, fd, guard);
    if (!os_errno && fsync(fd))
        os_errno = errno;
    sci_os_drop_cache(fd, 0, data->file_bytes);
    struct stat facts;
    if (!os_errno && fstat(fd, &facts))
        os_errno = errno;
    if (!os_errno)
        data->files[data->made_count - 1].id = sci_file_id_of(&facts);
    /* Where the server counts, closing is what says that there was no room. */
    if (close(fd) && !os_errno)
        os_errno = errno;
    return os_errno;
}

static sc_status create_files(sci_test_data *data, sci_guard *guard)
{
    sc_status status = open_directory(data);
    sci_guard_alive(guard);
    if (status == SC_OK)
        status = check_space(data);
    for (size_t i = 0; status == SC_OK && i < data->file_count; i++) {
        int os_errno = sci_guard_alive(guard) ? create_file(data, guard) : ECANCELED;
        if (os_errno)
            status = fail_create(data, os_errno);
    }
    return status;
}

/* What cannot be removed stays in the list. What is no longer in the very directory somebody else
   has removed. */
static void remove_files(sci_test_data *data, sci_guard *guard)
{
    for (size_t i = 0; i < data->made_count; i++) {
        struct made *file = &data->files[i];
        if (!file->name || (unlinkat(data->opened, file->name, 0) && errno != ENOENT))
            continue;
        free(file->name);
        file->name = NULL;
        atomic_fetch_sub(&data->there, 1);
        sci_guard_alive(guard);
    }
}

static void run_create(void *opaque, sci_guard *guard)
{
    sci_test_data *data = opaque;
    data->status = create_files(data, guard);
    if (data->status != SC_OK || !sci_guard_alive(guard))
        remove_files(data, guard);
    free(data->buffer);
    data->buffer = NULL;
    atomic_store(&data->settled, true);
}

/* ---- progress with the bytes that are written ---- */

struct shown {
    const sc_control *user;
    const sci_test_data *data;
    int64_t start_ns;
};

static int show_created(void *opaque, const sc_progress *progress)
{
    const struct shown *shown = opaque;
    sc_progress now = *progress;
    double written = (double)atomic_load(&shown->data->written);
    now.fraction = written / (double)sci_test_data_bytes(shown->data);
    now.bytes_per_s = written / fmax(1e-3, sci_seconds_since(shown->start_ns));
    return shown->user->progress(shown->user->progress_opaque, &now);
}

static sc_status run_shown(sci_test_data *data, double stall_s, sci_control *control,
                           sc_error *error)
{
    const sci_guarded work = {run_create,      abandon_data,         "measure.create",
                              data->directory, "creating test data", stall_s};
    struct shown shown = {&control->user, data, sci_now_ns()};
    sci_control inner = *control;
    inner.stage = "creating test data";
    if (inner.user.progress) {
        inner.user.progress = show_created;
        inner.user.progress_opaque = &shown;
    }
    sc_status status = sci_guarded_run(&work, data, &inner, 0, error);
    control->cancelled = inner.cancelled;
    control->last_ns = inner.last_ns;
    return status;
}

sc_status sci_test_data_create(const sci_create_params *params, sci_control *control,
                               sci_test_data **created, sc_error *error)
{
    sc_error fault = {0};
    sci_test_data *data = data_new(params);
    *created = NULL;
    if (!data)
        return sci_fail(error, SC_NO_MEMORY, 0, "measure.create", params->directory,
                        "out of memory");
    sc_status status = run_shown(data, params->stall_s, control, &fault);
    if (status == SC_NO_MEMORY)
        atomic_store(&data->settled, true); /* there is no thread */
    if (status == SC_OK) {
        data_release(data); /* the thread's, which came back */
        status = data->status;
        fault = data->error;
    }
    if (status == SC_OK) {
        *created = data;
        return SC_OK;
    }
    sci_test_data_discard(&data, params->stall_s, control, &fault);
    if (error && error->status == SC_OK)
        *error = fault;
    return status;
}

bool sci_test_data_is_direct(const sci_test_data *data)
{
    return data->direct;
}

bool sci_test_data_extents(const sci_test_data *data, sci_test_part part, sci_extents *extents)
{
    size_t half = data->made_count / 2;
    size_t from = part == SCI_TEST_SECOND_HALF ? half : 0;
    size_t to = part == SCI_TEST_FIRST_HALF ? half : data->made_count;
    for (size_t i = from; i < to; i++) {
        char *path = sci_path_in(data->real_path, data->files[i].name);
        if (!path || !sci_grow(&extents->files, extents->file_count, &extents->file_capacity,
                               sizeof *extents->files)) {
            free(path);
            return false;
        }
        extents->files[extents->file_count++] = (sci_test_file){
            .path = path, .bytes = data->file_bytes, .id = data->files[i].id};
    }
    return true;
}

/* ---- removing ---- */

/* Progress goes on, but nothing stops the removal. */
static int only_show(void *opaque, const sc_progress *progress)
{
    const sc_control *user = opaque;
    user->progress(user->progress_opaque, progress);
    return 0;
}

static void run_remove(void *opaque, sci_guard *guard)
{
    remove_files(opaque, guard);
}

/* For the thread that creates to come back and clear up. */
static bool await_settled(const sci_test_data *data, double seconds, sci_control *control)
{
    int64_t start = sci_now_ns();
    while (!atomic_load(&data->settled) && sci_seconds_since(start) < seconds) {
        sci_control_poll(control, data->directory, -1, -1);
        sci_nap();
    }
    return atomic_load(&data->settled);
}

static void name_what_is_left(const sci_test_data *data, char left[SC_TEXT_MAX])
{
    size_t there = atomic_load(&data->there);
    if (there > 0)
        snprintf(left, SC_TEXT_MAX, "%s/%s-*.bin (files: %zu)", data->directory, data->stem, there);
}

double sci_removal_limit_s(const sc_error *why, double stall_s)
{
    const bool silent = why->status == SC_STALLED || why->os_errno == EIO ||
                        why->os_errno == ETIMEDOUT;
    return fmin(stall_s, silent ? SILENT_S : why->status == SC_CANCELLED ? CANCELLED_S : stall_s);
}

void sci_test_data_remove(sci_test_data **owned, const sc_error *why, double stall_s,
                          const sci_control *control, char left[SC_TEXT_MAX])
{
    sci_test_data *data = *owned;
    sc_control user = control->user;
    sci_control quiet;
    *owned = NULL;
    *left = '\0';
    if (!data)
        return;
    user.cancel = NULL;
    if (user.progress) {
        user.progress = only_show;
        user.progress_opaque = (void *)&control->user;
    }
    sci_control_start(&quiet, &user, "removing test data");
    quiet.start_ns = control->start_ns;
    const double limit_s = sci_removal_limit_s(why, stall_s);
    const sci_guarded work = {run_remove,      abandon_data,         "measure.create",
                              data->directory, "removing test data", limit_s};
    if (await_settled(data, limit_s, &quiet) && atomic_load(&data->there) > 0) {
        atomic_fetch_add(&data->users, 1);
        if (sci_guarded_run(&work, data, &quiet, -1, NULL) == SC_OK)
            data_release(data);
    }
    name_what_is_left(data, left);
    data_release(data);
}

void sci_test_data_discard(sci_test_data **owned, double stall_s, const sci_control *control,
                           sc_error *fault)
{
    char left[SC_TEXT_MAX];
    sci_test_data_remove(owned, fault, stall_s, control, left);
    if (*left) {
        sci_fail_add(fault, "; left there: ");
        sci_fail_add(fault, left);
    }
}
