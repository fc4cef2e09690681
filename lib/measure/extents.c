#include "measure/extents.h"

#include "measure/content.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    FILES_MAX = 128,
    ENTRIES_MAX = 200000,
    DEPTH_MAX = 32,
    REGIONS_MAX = 32768,
    REGIONS_PER_READER = 4,
    READ_AHEADS_PER_REGION = 8,
    FIT_BLOCKS = 64 /* with so many blocks in fit files, unfit ones are left out */
};
static const int64_t REGION_BYTES_MAX = INT64_C(64) << 20;

struct walk {
    sci_extents *extents;
    sci_guard *guard;
    dev_t device;
    int64_t entries;
    sc_status status; /* SC_NO_MEMORY, SC_CANCELLED */
};

/* ---- finding files ---- */

static bool is_sparse(const struct stat *status)
{
    /* Zero blocks is also what file systems say that do not know: see content.c. */
    return status->st_blocks > 0 && (double)status->st_blocks * 512 < 0.9 * (double)status->st_size;
}

sci_file_id sci_file_id_of(const struct stat *status)
{
    return (sci_file_id){.known = true,
                         .device = (uint64_t)status->st_dev,
                         .inode = (uint64_t)status->st_ino,
                         .bytes = (int64_t)status->st_size,
                         .changed_ns = (int64_t)status->st_mtim.tv_sec * 1000000000 +
                                       status->st_mtim.tv_nsec};
}

bool sci_file_is(const sci_file_id *id, const struct stat *status, bool exact)
{
    const sci_file_id now = sci_file_id_of(status);
    if (!S_ISREG(status->st_mode) || now.device != id->device)
        return false;
    return now.inode == id->inode ||
           (!exact && now.bytes == id->bytes && now.changed_ns == id->changed_ns);
}

static size_t smallest_file(const sci_extents *extents)
{
    size_t smallest = 0;
    for (size_t i = 1; i < extents->file_count; i++)
        if (extents->files[i].bytes < extents->files[smallest].bytes)
            smallest = i;
    return smallest;
}

/* Whether a file of this size is among the largest so far. */
static bool has_room(const sci_extents *extents, int64_t bytes)
{
    return extents->file_count < FILES_MAX || extents->files[smallest_file(extents)].bytes < bytes;
}

static bool is_readable(sci_extents *extents, const char *path)
{
    const bool readable = faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) == 0;
    extents->notes.unreadable |= !readable;
    return readable;
}

/* Takes the path over. What may not be read takes no place of what may. */
static bool keep_file(sci_extents *extents, char *path, const struct stat *status)
{
    if (!has_room(extents, (int64_t)status->st_size) || !is_readable(extents, path)) {
        free(path);
        return true;
    }
    sci_test_file file = {.path = path,
                          .bytes = (int64_t)status->st_size,
                          .sparse = is_sparse(status),
                          .id = sci_file_id_of(status)};
    for (size_t i = 0; i < extents->file_count; i++)
        if (extents->files[i].id.inode == file.id.inode) {
            free(path);
            return true;
        }
    if (extents->file_count < FILES_MAX) {
        if (!sci_grow(&extents->files, extents->file_count, &extents->file_capacity, sizeof file))
            return false;
        extents->files[extents->file_count++] = file;
        return true;
    }
    sci_test_file *smallest = &extents->files[smallest_file(extents)];
    free(smallest->path);
    *smallest = file;
    return true;
}

char *sci_path_in(const char *directory, const char *name)
{
    size_t size = strlen(directory) + strlen(name) + 2;
    char *path = malloc(size);
    bool slash = directory[0] && directory[strlen(directory) - 1] == '/';
    if (path)
        snprintf(path, size, "%s%s%s", directory, slash ? "" : "/", name);
    return path;
}

static void walk_directory(struct walk *walk, const char *directory, int depth);

static void walk_entry(struct walk *walk, const char *directory, const char *name, int depth)
{
    struct stat status;
    char *path = sci_path_in(directory, name);
    if (!path || !sci_guard_alive(walk->guard)) {
        walk->status = path ? SC_CANCELLED : SC_NO_MEMORY;
        goto done;
    }
    bool is_link = lstat(path, &status) == 0 && S_ISLNK(status.st_mode);
    if (stat(path, &status) || (is_link && S_ISDIR(status.st_mode)))
        goto done;
    if (status.st_dev != walk->device)
        walk->extents->notes.elsewhere |= S_ISDIR(status.st_mode) || S_ISREG(status.st_mode);
    else if (S_ISDIR(status.st_mode))
        walk_directory(walk, path, depth + 1);
    else if (S_ISREG(status.st_mode) && status.st_size > 0) {
        if (keep_file(walk->extents, path, &status))
            return;
        walk->status = SC_NO_MEMORY;
    }
done:
    free(path);
}

static void walk_directory(struct walk *walk, const char *directory, int depth)
{
    DIR *stream = depth < DEPTH_MAX ? opendir(directory) : NULL;
    if (!stream) {
        walk->extents->notes.walk_limited |= depth >= DEPTH_MAX;
        return;
    }
    for (struct dirent *entry; walk->status == SC_OK && (entry = readdir(stream));) {
        if (entry->d_name[0] == '.')
            continue;
        if (++walk->entries > ENTRIES_MAX) {
            walk->extents->notes.walk_limited = true;
            break;
        }
        walk_entry(walk, directory, entry->d_name, depth);
    }
    closedir(stream);
}

static int largest_first(const void *left, const void *right)
{
    const sci_test_file *a = left, *b = right;
    if (a->bytes != b->bytes)
        return a->bytes < b->bytes ? 1 : -1;
    return strcmp(a->path, b->path);
}

static sc_status find_below(sci_extents *extents, const char *path, const struct stat *status,
                            sci_guard *guard, sc_error *error)
{
    struct walk walk = {extents, guard, status->st_dev, 0, SC_OK};
    if (access(path, R_OK | X_OK))
        return sci_fail(error, sci_status_from_errno(errno), errno, "measure.find", path,
                        "cannot list %s", path);
    walk_directory(&walk, path, 0);
    if (walk.status != SC_OK)
        return sci_fail(error, walk.status, 0, "measure.find", path, "%s while listing %s",
                        sc_status_text(walk.status), path);
    if (extents->file_count == 0 && !extents->notes.unreadable)
        return sci_fail(
            error, SC_UNSUPPORTED, 0, "measure.find", path,
            extents->notes.elsewhere
                ? "all files with data below %s lie on other file systems: measure each "
                  "where it is mounted"
                : "no file with data in %s: put a few gigabytes of footage there, or have "
                  "test data created there",
            path);
    return SC_OK;
}

sc_status sci_extents_find(sci_extents *extents, const char *path, sci_guard *guard,
                           sc_error *error)
{
    struct stat status;
    if (stat(path, &status))
        return sci_fail(error, sci_status_from_errno(errno), errno, "measure.find", path,
                        "cannot measure %s", path);
    if (S_ISDIR(status.st_mode)) {
        sc_status found = find_below(extents, path, &status, guard, error);
        if (found != SC_OK)
            return found;
    } else if (!S_ISREG(status.st_mode)) {
        return sci_fail(error, SC_UNSUPPORTED, 0, "measure.find", path,
                        "%s is neither a file nor a directory", path);
    } else if (status.st_size == 0) {
        return sci_fail(error, SC_UNSUPPORTED, 0, "measure.find", path,
                        "%s is empty: there is nothing to read", path);
    } else {
        char *copy = strdup(path);
        if (!copy || !keep_file(extents, copy, &status)) {
            free(copy);
            return sci_fail(error, SC_NO_MEMORY, 0, "measure.find", path, "out of memory");
        }
    }
    if (extents->file_count == 0)
        return sci_fail(error, SC_PERMISSION, EACCES, "measure.find", path,
                        "no file of %s may be read", path);
    qsort(extents->files, extents->file_count, sizeof *extents->files, largest_first);
    if (!sci_content_look(extents, guard))
        return sci_fail(error, SC_NO_MEMORY, 0, "measure.find", path, "out of memory");
    return SC_OK;
}

/* ---- cutting ---- */

static bool add_region(sci_extents *extents, size_t file, int64_t offset, int64_t bytes)
{
    if (!sci_grow(&extents->regions, extents->region_count, &extents->region_capacity,
                  sizeof *extents->regions))
        return false;
    extents->regions[extents->region_count++] = (sci_region){
        .file = (uint32_t)file, .offset = offset, .bytes = bytes};
    extents->notes.regions = extents->region_count;
    extents->notes.bytes += bytes;
    return true;
}

/* Less is read of it from the storage than arrives, or may be. */
static bool is_unfit(const sci_test_file *file)
{
    return file->sparse || file->repeating;
}

static int64_t whole_blocks(const sci_extents *extents, bool with_unfit)
{
    int64_t blocks = 0;
    for (size_t i = 0; i < extents->file_count; i++)
        if (with_unfit || !is_unfit(&extents->files[i]))
            blocks += extents->files[i].bytes / extents->block_bytes;
    return blocks;
}

/* A player reads long files in order, and the kernel ahead of it: where a region ends what came in
   for the next bytes is lost. */
static int64_t longest_region_bytes(const sci_extents *extents)
{
    const int64_t most = INT64_MAX / READ_AHEADS_PER_REGION;
    const int64_t ahead = extents->read_ahead_bytes < most ? extents->read_ahead_bytes : most;
    const int64_t wanted = ahead * READ_AHEADS_PER_REGION;
    return wanted > REGION_BYTES_MAX ? wanted : REGION_BYTES_MAX;
}

/* Large enough that a region's start costs nothing, small enough that every reader gets some. */
static int64_t region_blocks(const sci_extents *extents, int64_t blocks, int32_t readers)
{
    const int64_t per_reader = extents->read_ahead_bytes > 0 ? 1 : REGIONS_PER_READER;
    int64_t size = longest_region_bytes(extents) / extents->block_bytes;
    int64_t share = blocks / (readers * per_reader);
    if (size > share)
        size = share;
    if (size < blocks / REGIONS_MAX + 1)
        size = blocks / REGIONS_MAX + 1;
    return size;
}

/* Equal pieces, so that none at the end of a file is short. */
static bool cut_file(sci_extents *extents, size_t file, int64_t size)
{
    int64_t blocks = extents->files[file].bytes / extents->block_bytes;
    const int64_t pieces = (blocks - extents->keep_head + size - 1) / size;
    if (pieces > 0)
        size = (blocks - extents->keep_head + pieces - 1) / pieces;
    for (int64_t at = extents->keep_head; at < blocks; at += size) {
        int64_t count = blocks - at < size ? blocks - at : size;
        if (!add_region(extents, file, at * extents->block_bytes, count * extents->block_bytes))
            return false;
    }
    return true;
}

sc_status sci_extents_cut(sci_extents *extents, int64_t block_bytes, int32_t readers,
                          sc_error *error)
{
    bool memory = true;
    extents->block_bytes = block_bytes;
    extents->region_count = 0;
    extents->notes.bytes = 0;
    bool use_unfit = whole_blocks(extents, false) < FIT_BLOCKS;
    int64_t blocks = whole_blocks(extents, use_unfit);
    int64_t size = region_blocks(extents, blocks, readers);
    extents->notes.small = blocks == 0;
    extents->notes.sparse = extents->notes.repeating = false;
    for (size_t i = 0; memory && i < extents->file_count; i++) {
        const sci_test_file *file = &extents->files[i];
        if (is_unfit(file) && !use_unfit)
            continue;
        extents->notes.sparse |= file->sparse;
        extents->notes.repeating |= file->repeating;
        memory = extents->notes.small ? add_region(extents, i, 0, file->bytes)
                                      : cut_file(extents, i, size);
    }
    extents->pass = 1;
    if (!memory)
        return sci_fail(error, SC_NO_MEMORY, 0, "measure.find", NULL, "out of memory");
    return SC_OK;
}

static bool is_free(const sci_region *region)
{
    return region->users == 0;
}

/* region_count when there is none that was not taken in this pass. */
static size_t find_region(const sci_extents *extents, size_t hint, bool free_only)
{
    for (size_t i = 0; i < extents->region_count; i++) {
        size_t at = (hint + i) % extents->region_count;
        const sci_region *region = &extents->regions[at];
        if (region->pass != extents->pass && (is_free(region) || !free_only))
            return at;
    }
    return extents->region_count;
}

static bool any_free(const sci_extents *extents)
{
    for (size_t i = 0; i < extents->region_count; i++)
        if (is_free(&extents->regions[i]))
            return true;
    return false;
}

size_t sci_extents_take(sci_extents *extents, size_t hint)
{
    bool free_only = any_free(extents);
    size_t at = find_region(extents, hint, free_only);
    if (at == extents->region_count) {
        extents->pass++;
        at = find_region(extents, hint, free_only);
    }
    extents->regions[at].pass = extents->pass;
    extents->regions[at].users++;
    return at;
}

void sci_extents_give_back(sci_extents *extents, size_t region)
{
    extents->regions[region].users--;
}

void sci_extents_clear(sci_extents *extents)
{
    for (size_t i = 0; i < extents->file_count; i++)
        free(extents->files[i].path);
    free(extents->files);
    free(extents->regions);
    *extents = (sci_extents){0};
}
