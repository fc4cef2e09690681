/* A read-only view of a directory that refuses O_DIRECT, as some network and FUSE file systems do.
   It keeps no cache of its own: nodirect_fuse SOURCE [FUSE options] MOUNTPOINT */
#define FUSE_USE_VERSION 31

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fuse.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ALIGN = 4096 };

/* "" without room. */
static const char *below_source(const char *path, char *full, size_t size)
{
    const char *source = fuse_get_context()->private_data;
    return (size_t)snprintf(full, size, "%s%s", source, path) < size ? full : "";
}

static int get_attributes(const char *path, struct stat *status, struct fuse_file_info *info)
{
    char full[PATH_MAX];
    (void)info;
    return lstat(below_source(path, full, sizeof full), status) ? -errno : 0;
}

static int list(const char *path, void *buffer, fuse_fill_dir_t fill, off_t offset,
                struct fuse_file_info *info, enum fuse_readdir_flags flags)
{
    char full[PATH_MAX];
    DIR *stream = opendir(below_source(path, full, sizeof full));
    (void)offset, (void)info, (void)flags;
    if (!stream)
        return -errno;
    for (struct dirent *entry; (entry = readdir(stream));)
        fill(buffer, entry->d_name, NULL, 0, 0);
    closedir(stream);
    return 0;
}

static int open_file(const char *path, struct fuse_file_info *info)
{
    char full[PATH_MAX];
    if (info->flags & O_DIRECT)
        return -EINVAL;
    int fd = open(below_source(path, full, sizeof full), O_RDONLY | O_CLOEXEC | O_DIRECT);
    if (fd < 0)
        return -errno;
    info->fh = (uint64_t)fd;
    return 0;
}

static int read_file(const char *path, char *buffer, size_t size, off_t offset,
                     struct fuse_file_info *info)
{
    off_t start = offset / ALIGN * ALIGN;
    size_t skip = (size_t)(offset - start);
    size_t want = (skip + size + ALIGN - 1) / ALIGN * ALIGN;
    char *aligned = aligned_alloc(ALIGN, want);
    (void)path;
    if (!aligned)
        return -ENOMEM;
    ssize_t count = pread((int)info->fh, aligned, want, start);
    int result = count < 0 ? -errno : (size_t)count > skip ? (int)((size_t)count - skip) : 0;
    if (result > (int)size)
        result = (int)size;
    if (result > 0)
        memcpy(buffer, aligned + skip, (size_t)result);
    free(aligned);
    return result;
}

static int release_file(const char *path, struct fuse_file_info *info)
{
    (void)path;
    close((int)info->fh);
    return 0;
}

int main(int argc, char **argv)
{
    static const struct fuse_operations operations = {.getattr = get_attributes,
                                                      .readdir = list,
                                                      .open = open_file,
                                                      .read = read_file,
                                                      .release = release_file};
    if (argc < 3) {
        fprintf(stderr, "usage: nodirect_fuse SOURCE [options] MOUNTPOINT\n");
        return 2;
    }
    char *source = argv[1];
    argv[1] = argv[0];
    return fuse_main(argc - 1, argv + 1, &operations, source);
}
