#include "measure/leftovers.h"

#include "measure/mark.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ENTRIES_MAX = 200000, NAMES_SHOWN = 3 };

/* ---- one file ---- */

static bool has_mark(int fd, sci_mark *mark)
{
    char bytes[SCI_MARK_BYTES];
    ssize_t count;
    do
        count = pread(fd, bytes, sizeof bytes, 0);
    while (count < 0 && errno == EINTR);
    return count == (ssize_t)sizeof bytes && sci_mark_read(bytes, mark);
}

static bool is_leftover(int directory, const char *name, struct stat *facts)
{
    sci_mark mark;
    if (!sci_mark_from_name(name, &mark))
        return false;
    int fd = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0)
        return false;
    bool ours = fstat(fd, facts) == 0 && S_ISREG(facts->st_mode) && facts->st_uid == geteuid() &&
                has_mark(fd, &mark) && sci_mark_is_over(&mark);
    close(fd);
    return ours;
}

/* The name may have come to mean another file since it was looked at. */
static bool remove_file(int directory, const char *name, const struct stat *facts)
{
    struct stat now;
    return fstatat(directory, name, &now, AT_SYMLINK_NOFOLLOW) == 0 &&
           now.st_dev == facts->st_dev && now.st_ino == facts->st_ino &&
           unlinkat(directory, name, 0) == 0;
}

static void count(sc_leftovers *found, const char *name, const struct stat *facts)
{
    size_t used = strlen(found->names), room = sizeof found->names - used;
    if (found->files < NAMES_SHOWN)
        snprintf(found->names + used, room, "%s%s", used ? ", " : "", name);
    else if (found->files == NAMES_SHOWN)
        snprintf(found->names + used, room, ", ...");
    found->files++;
    found->bytes += (int64_t)facts->st_size;
}

/* ---- all of them ---- */

sc_status sci_leftovers_find(const char *path, bool remove, sci_guard *guard, sc_leftovers *found,
                             sc_error *error)
{
    *found = (sc_leftovers){0};
    int directory = open(path, O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC);
    DIR *stream = directory < 0 ? NULL : fdopendir(directory);
    if (!stream) {
        const int os_errno = errno;
        if (directory >= 0)
            close(directory);
        return sci_fail(error, sci_status_from_errno(os_errno), os_errno, "measure.leftovers", path,
                        "cannot list %s", path);
    }
    int32_t entries = 0;
    for (struct dirent *entry; entries++ < ENTRIES_MAX && (entry = readdir(stream));) {
        struct stat facts;
        if (!sci_guard_alive(guard))
            break;
        if (!is_leftover(directory, entry->d_name, &facts))
            continue;
        if (!remove || remove_file(directory, entry->d_name, &facts))
            count(found, entry->d_name, &facts);
        else
            found->failed++;
    }
    closedir(stream);
    return SC_OK;
}

/* ---- the call ---- */

struct search {
    char *path;
    sc_leftovers found;
    sc_status status;
    sc_error error;
};

static void run_search(void *opaque, sci_guard *guard)
{
    struct search *search = opaque;
    search->status = sci_leftovers_find(search->path, true, guard, &search->found, &search->error);
}

static void free_search(void *opaque)
{
    struct search *search = opaque;
    free(search->path);
    free(search);
}

static sc_status say_what_stayed(const struct search *search, sc_error *error)
{
    if (search->found.failed == 0)
        return SC_OK;
    return sci_fail(error, SC_PERMISSION, 0, "measure.leftovers", search->path,
                    "%d files of test data in %s could not be removed", (int)search->found.failed,
                    search->path);
}

sc_status sc_measure_remove_leftovers(const char *path, const sc_measure_params *given,
                                      sc_leftovers *removed, sc_error *error)
{
    const sc_measure_params defaults = {0};
    sc_leftovers unused;
    sci_control control;
    given = given ? given : &defaults;
    removed = removed ? removed : &unused;
    *removed = (sc_leftovers){0};
    if (!path || !*path)
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "measure.leftovers", path, "no path");
    const double stall_s = given->stall_s != 0 ? given->stall_s : SCI_STALL_S;
    if (!(stall_s >= SCI_STALL_LEAST_S && stall_s <= SCI_STALL_MOST_S))
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "measure.leftovers", path,
                        "stall_s is %g: it must lie between %g and %g", stall_s, SCI_STALL_LEAST_S,
                        SCI_STALL_MOST_S);
    struct search *search = calloc(1, sizeof *search);
    if (search)
        search->path = strdup(path);
    if (!search || !search->path) {
        free(search);
        return sci_fail(error, SC_NO_MEMORY, 0, "measure.leftovers", path, "out of memory");
    }
    const sci_guarded work = {run_search, free_search,          "measure.leftovers",
                              path,       "removing test data", stall_s};
    sci_control_start(&control, &given->control, "removing test data");
    sc_status status = sci_guarded_run(&work, search, &control, -1, error);
    if (status != SC_OK)
        return status;
    *removed = search->found;
    status = search->status;
    if (status != SC_OK && error && error->status == SC_OK)
        *error = search->error;
    if (status == SC_OK)
        status = say_what_stayed(search, error);
    free_search(search);
    return status;
}
