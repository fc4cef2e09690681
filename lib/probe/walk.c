#include "probe/walk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const media_endings[] = {
    "mov", "mp4",  "m4v", "m4a",  "m4b",  "mp4v", "qt",   "3gp",  "3g2",  "mj2", "mxf", "mkv",
    "mka", "webm", "ts",  "mts",  "m2ts", "m2t",  "mpg",  "mpeg", "vob",  "mod", "tod", "avi",
    "dv",  "dif",  "gxf", "lxf",  "wmv",  "asf",  "flv",  "f4v",  "ogv",  "ogg", "rm",  "rmvb",
    "r3d", "braw", "crm", "nut",  "ivf",  "y4m",  "h264", "264",  "hevc", "265", "obu", "wav",
    "w64", "bwf",  "aif", "aiff", "caf",  "flac", "mp3",  "aac",  "ac3",  "m2v", "mpv"};

struct entry {
    char *name;
    bool directory;
};

struct listing {
    struct entry *items;
    size_t count, capacity;
};

bool sci_is_media_name(const char *path)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    for (size_t i = 0; dot && i < SCI_COUNT(media_endings); i++)
        if (strcasecmp(dot + 1, media_endings[i]) == 0)
            return true;
    return false;
}

static int by_name(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    return strcmp(x->name, y->name);
}

/* A link to a file counts as that file; a link to a directory is not followed: it may be a loop. */
static bool wanted(int directory, const char *name, bool *is_directory, bool *is_empty)
{
    struct stat facts;
    *is_directory = *is_empty = false;
    if (name[0] == '.' || fstatat(directory, name, &facts, AT_SYMLINK_NOFOLLOW) != 0)
        return false;
    if (S_ISDIR(facts.st_mode))
        return *is_directory = true;
    if (S_ISLNK(facts.st_mode) && fstatat(directory, name, &facts, 0) != 0)
        return false;
    *is_empty = S_ISREG(facts.st_mode) && facts.st_size == 0;
    return S_ISREG(facts.st_mode) && facts.st_size > 0;
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
    for (struct dirent *found; status == SC_OK && (found = readdir(stream));) {
        bool is_directory, is_empty;
        if (sci_control_poll(walk->control, path, -1, -1))
            status = sci_fail(error, SC_CANCELLED, 0, "probe.walk", path, "cancelled");
        else if (wanted(directory, found->d_name, &is_directory, &is_empty))
            status = add_entry(listing, found->d_name, is_directory);
        else if (is_empty && sci_is_media_name(found->d_name))
            walk->empty++;
    }
    closedir(stream);
    if (listing->count)
        qsort(listing->items, listing->count, sizeof *listing->items, by_name);
    return status == SC_NO_MEMORY ? sci_fail(error, status, 0, "probe.walk", path, "out of memory")
                                  : status;
}

static sc_status add_path(sci_walk *walk, const char *path)
{
    if (!sci_grow(&walk->paths, walk->count, &walk->capacity, sizeof *walk->paths))
        return SC_NO_MEMORY;
    walk->paths[walk->count++] = path;
    return SC_OK;
}

static sc_status walk_level(sci_walk *walk, const char *path, int32_t depth, sc_error *error);

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
    if (status == SC_OK || status == SC_NO_MEMORY || status == SC_CANCELLED)
        return status;
    sci_finding_add(walk->findings, "unreadable-directory", SC_SEVERITY_WARNING,
                    "%s was not searched: %s", path, error.message);
    return SC_OK;
}

static sc_status walk_entry(sci_walk *walk, const char *path, const struct entry *entry,
                            int32_t depth)
{
    size_t length = strlen(path);
    const char *separator = length && path[length - 1] == '/' ? "" : "/";
    char *full = sci_arena_printf(walk->arena, "%s%s%s", path, separator, entry->name);
    if (!full)
        return SC_NO_MEMORY;
    if (entry->directory)
        return walk_below(walk, full, depth);
    if (walk->count < (size_t)walk->max_files)
        return add_path(walk, full);
    if (!walk->full)
        sci_finding_add(walk->findings, "too-many-files", SC_SEVERITY_WARNING,
                        "only the first %d files of the directories were taken", walk->max_files);
    walk->full = true;
    return SC_OK;
}

static sc_status walk_level(sci_walk *walk, const char *path, int32_t depth, sc_error *error)
{
    struct listing listing = {0};
    sc_status status = list(walk, path, &listing, error);
    for (size_t i = 0; i < listing.count && status == SC_OK && !walk->full; i++)
        status = walk_entry(walk, path, &listing.items[i], depth);
    free_listing(&listing);
    if (status == SC_NO_MEMORY || status == SC_CANCELLED)
        sci_fail(error, status, 0, "probe.walk", path, "%s", sc_status_text(status));
    return status;
}

sc_status sci_walk_directory(sci_walk *walk, const char *path, sc_error *error)
{
    return walk_level(walk, path, 0, error);
}
