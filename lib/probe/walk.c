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

static sc_status consider_frame(int directory, const struct dirent *found,
                                const sci_numbering *numbering, struct listing *listing)
{
    int64_t number;
    if (!sci_pattern_matches(numbering, found->d_name, &number) ||
        kind_of(directory, found) != ENTRY_FILE)
        return SC_OK;
    return add_entry(listing, found->d_name, false);
}

/* An entry that is wanted goes into the listing. only: frames of a numbering; NULL: any. */
static sc_status consider(sci_walk *walk, int directory, const struct dirent *found,
                          const sci_numbering *only, struct listing *listing)
{
    if (only)
        return consider_frame(directory, found, only, listing);
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

static sc_status list(sci_walk *walk, const char *path, const sci_numbering *only,
                      struct listing *listing, sc_error *error)
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
                     : consider(walk, directory, found, only, listing);
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

/* ---- sequences ---- */

static bool stop_now(void *control)
{
    return sci_control_poll(control, NULL, -1, -1);
}

static sc_status find_sequences(sci_walk *walk, const char *path, const struct listing *listing,
                                sci_numbered_list *sequences)
{
    const char **names = malloc((listing->count + 1) * sizeof *names);
    bool *usable = malloc((listing->count + 1) * sizeof *usable);
    const bool stills = sci_filename_is_still_place(path);
    sc_status status = SC_NO_MEMORY;
    for (size_t i = 0; names && usable && i < listing->count; i++) {
        names[i] = listing->items[i].name;
        usable[i] = !listing->items[i].directory && sci_filename_is_frame(names[i]) &&
                    !(stills && sci_filename_may_be_still(names[i]));
    }
    if (names && usable &&
        sci_numbered_find(names, usable, listing->count, stop_now, walk->control, sequences))
        status = SC_OK;
    else if (sci_control_poll(walk->control, path, -1, -1))
        status = SC_CANCELLED;
    free(names);
    free(usable);
    return status;
}

static sc_status walk_entries(sci_walk *walk, const char *path, const struct listing *listing,
                              int32_t depth)
{
    sci_numbered_list sequences = {0};
    size_t next = 0;
    sc_status status = find_sequences(walk, path, listing, &sequences);
    for (size_t i = 0; i < listing->count && status == SC_OK; i++) {
        if (next < sequences.count && sequences.items[next].first == i)
            status = walk->take_sequence(walk->opaque, path, &sequences.items[next++]);
        else if (!sequences.taken[i])
            status = walk_entry(walk, path, &listing->items[i], depth);
    }
    sci_numbered_free(&sequences);
    return status;
}

static sc_status walk_level(sci_walk *walk, const char *path, int32_t depth, sc_error *error)
{
    struct listing listing = {0};
    walk->enter(walk->opaque, path);
    sc_status status = list(walk, path, NULL, &listing, error);
    if (status == SC_OK)
        status = walk_entries(walk, path, &listing, depth);
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

/* ---- a pattern ---- */

/* The directory of a path ("" where it names none) and what follows; malloc'ed. */
static char *directory_of(const char *path, const char **name)
{
    const char *slash = strrchr(path, '/');
    *name = slash ? slash + 1 : path;
    const size_t length = !slash ? 0 : slash == path ? 1 : (size_t)(slash - path);
    return strndup(path, length);
}

/* As it was given; where there is no such directory, with percent signs halved as in the name. */
static void choose_directory(char *directory)
{
    char *out = directory;
    if (!*directory || access(directory, F_OK) == 0)
        return;
    for (const char *in = directory; *in; in++) {
        *out++ = *in;
        if (in[0] == '%' && in[1] == '%')
            in++;
    }
    *out = '\0';
}

bool sci_walk_is_pattern(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char *buffer = malloc(strlen(name) + 1);
    sci_numbering numbering;
    bool is_pattern = buffer && sci_pattern_read(name, buffer, &numbering);
    free(buffer);
    return is_pattern;
}

static int by_number(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

static sc_status take_listing(sci_walk *walk, const char *directory, const sci_numbering *numbering,
                              const struct listing *listing)
{
    sci_numbered frames = {.numbering = *numbering, .count = listing->count};
    frames.numbers = malloc(listing->count * sizeof *frames.numbers);
    if (!frames.numbers)
        return SC_NO_MEMORY;
    for (size_t i = 0; i < listing->count; i++)
        sci_pattern_matches(numbering, listing->items[i].name, &frames.numbers[i]);
    qsort(frames.numbers, frames.count, sizeof *frames.numbers, by_number);
    sc_status status = walk->take_sequence(walk->opaque, directory, &frames);
    free(frames.numbers);
    return status;
}

static sc_status walk_numbering(sci_walk *walk, const char *directory, const char *pattern,
                                const sci_numbering *numbering, sc_error *error)
{
    struct listing listing = {0};
    walk->enter(walk->opaque, pattern);
    sc_status status = list(walk, *directory ? directory : ".", numbering, &listing, error);
    if (status == SC_OK)
        status = listing.count ? take_listing(walk, directory, numbering, &listing)
                               : sci_fail(error, SC_NOT_FOUND, 0, "probe.walk", pattern,
                                          "no file of the directory has a name of this pattern");
    free_listing(&listing);
    return status;
}

sc_status sci_walk_pattern(sci_walk *walk, const char *pattern, sc_error *error)
{
    const char *name = pattern;
    char *directory = directory_of(pattern, &name), *buffer = malloc(strlen(name) + 1);
    sci_numbering numbering;
    sc_status status = SC_NO_MEMORY;
    if (directory && buffer) {
        choose_directory(directory);
        status = sci_pattern_read(name, buffer, &numbering)
                     ? walk_numbering(walk, directory, pattern, &numbering, error)
                     : sci_fail(error, SC_INVALID_ARGUMENT, 0, "probe.walk", pattern,
                                "no pattern of numbered files");
    }
    free(directory);
    free(buffer);
    return status;
}
