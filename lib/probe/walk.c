#include "probe/walk.h"

#include "probe/filename.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct entry {
    char *name;
    bool directory;
};

struct listing {
    struct entry *items;
    size_t count, capacity;
};

static int by_name(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    return strcmp(x->name, y->name);
}

enum entry_kind { ENTRY_OTHER, ENTRY_FILE, ENTRY_DIRECTORY };

/* A link to a file counts as that file; a link to a directory is not followed: it may be a loop. */
static enum entry_kind ask_kind(int directory, const char *name)
{
    struct stat facts;
    if (fstatat(directory, name, &facts, AT_SYMLINK_NOFOLLOW) != 0)
        return ENTRY_OTHER;
    if (S_ISDIR(facts.st_mode))
        return ENTRY_DIRECTORY;
    if (S_ISLNK(facts.st_mode) && fstatat(directory, name, &facts, 0) != 0)
        return ENTRY_OTHER;
    return S_ISREG(facts.st_mode) ? ENTRY_FILE : ENTRY_OTHER;
}

/* Most file systems tell with the name, which saves a round trip for each file. */
static enum entry_kind kind_of(int directory, const struct dirent *found)
{
#ifdef DT_UNKNOWN
    if (found->d_type == DT_REG)
        return ENTRY_FILE;
    if (found->d_type == DT_DIR)
        return ENTRY_DIRECTORY;
    if (found->d_type != DT_UNKNOWN && found->d_type != DT_LNK)
        return ENTRY_OTHER;
#endif
    return ask_kind(directory, found->d_name);
}

static sc_status add_entry(struct listing *listing, const char *name, bool directory)
{
    if (!sci_grow(&listing->items, listing->count, &listing->capacity, sizeof *listing->items))
        return SC_NO_MEMORY;
    char *copy = strdup(name);
    if (!copy)
        return SC_NO_MEMORY;
    listing->items[listing->count++] = (struct entry){copy, directory};
    return SC_OK;
}

static void free_listing(struct listing *listing)
{
    for (size_t i = 0; i < listing->count; i++)
        free(listing->items[i].name);
    free(listing->items);
}

/* An entry that is wanted goes into the listing. */
static sc_status consider(sci_walk *walk, int directory, const struct dirent *found,
                          struct listing *listing)
{
    if (sci_filename_is_housekeeping(found->d_name))
        return SC_OK;
    enum entry_kind kind = kind_of(directory, found);
    if (kind == ENTRY_OTHER)
        return SC_OK;
    if (kind == ENTRY_FILE && sci_filename_is_sidecar(found->d_name)) {
        walk->sidecars++;
        return SC_OK;
    }
    return add_entry(listing, found->d_name, kind == ENTRY_DIRECTORY);
}

static sc_status list(sci_walk *walk, const char *path, struct listing *listing, sc_error *error)
{
    int directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *stream = directory < 0 ? NULL : fdopendir(directory);
    sc_status status = SC_OK;
    if (!stream) {
        status = sci_fail(error, sci_status_from_errno(errno), errno, "probe.walk", path,
                          "cannot read the directory");
        if (directory >= 0)
            close(directory);
        return status;
    }
    struct dirent *found = NULL;
    for (errno = 0; status == SC_OK && (found = readdir(stream)); errno = 0)
        status = sci_control_poll(walk->control, path, -1, -1)
                     ? SC_CANCELLED
                     : consider(walk, directory, found, listing);
    if (status == SC_OK && errno)
        sci_finding_add(walk->findings, "unreadable-directory", SC_SEVERITY_WARNING,
                        "%s was listed in part only: %s", path, strerror(errno));
    closedir(stream);
    if (listing->count)
        qsort(listing->items, listing->count, sizeof *listing->items, by_name);
    return status;
}

static sc_status walk_level(sci_walk *walk, const char *path, int32_t depth, sc_error *error);

/* Whether a failure is one of the whole walk. */
static bool ends_walk(sc_status status)
{
    return status == SC_NO_MEMORY || status == SC_CANCELLED || status == SC_LIMIT;
}

static sc_status walk_below(sci_walk *walk, const char *path, int32_t depth)
{
    sc_error error = {0};
    if (depth >= walk->max_depth) {
        sci_finding_add(walk->findings, "too-deep", SC_SEVERITY_WARNING,
                        "%s lies more than %d directories deep and was not searched", path,
                        walk->max_depth);
        return SC_OK;
    }
    sc_status status = walk_level(walk, path, depth + 1, &error);
    if (status == SC_OK || ends_walk(status))
        return status;
    sci_finding_add(walk->findings, "unreadable-directory", SC_SEVERITY_WARNING,
                    "%s was not searched: %s", path, error.message);
    return SC_OK;
}

static sc_status walk_entry(sci_walk *walk, const char *path, const struct entry *entry,
                            int32_t depth)
{
    size_t length = strlen(path), size = length + strlen(entry->name) + 2;
    const char *separator = length && path[length - 1] == '/' ? "" : "/";
    char *full = malloc(size);
    if (!full)
        return SC_NO_MEMORY;
    snprintf(full, size, "%s%s%s", path, separator, entry->name);
    sc_status status = entry->directory ? walk_below(walk, full, depth)
                                        : walk->take(walk->opaque, full);
    free(full);
    return status;
}

static sc_status walk_level(sci_walk *walk, const char *path, int32_t depth, sc_error *error)
{
    struct listing listing = {0};
    walk->enter(walk->opaque, path);
    sc_status status = list(walk, path, &listing, error);
    for (size_t i = 0; i < listing.count && status == SC_OK; i++)
        status = walk_entry(walk, path, &listing.items[i], depth);
    free_listing(&listing);
    if (ends_walk(status))
        sci_fail(error, status, 0, "probe.walk", path, "%s", sc_status_text(status));
    return status;
}

sc_status sci_walk_directory(sci_walk *walk, const char *path, sc_error *error)
{
    sc_status status = walk_level(walk, path, 0, error);
    return status == SC_LIMIT ? SC_OK : status;
}
