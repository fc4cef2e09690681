/* Systems other than Linux: no direct I/O and no look into the page cache, so that a measurement
   there says "not proven cold". */
#include "io/os.h"

#if !defined(__linux__) || defined(SCI_OS_POSIX)

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

int sci_os_stat(const char *path, sci_os_info *info)
{
    struct stat status;
    *info = (sci_os_info){.direct_refused = true, .file_system = ""};
    if (stat(path, &status))
        return errno;
    info->regular = S_ISREG(status.st_mode);
    info->directory = S_ISDIR(status.st_mode);
    info->size_bytes = (int64_t)status.st_size;
    return 0;
}

int sci_os_open(const char *path, bool direct, int *fd)
{
    *fd = -1;
    if (direct)
        return EINVAL;
    *fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    return *fd < 0 ? errno : 0;
}

int sci_os_open_write(const char *path, bool direct, int *fd)
{
    *fd = direct ? -1 : open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    return direct ? EINVAL : *fd < 0 ? errno : 0;
}

int sci_os_open_directory(const char *path, int *fd)
{
    *fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return *fd < 0 ? errno : 0;
}

uint64_t sci_os_process_space(void)
{
    return 1; /* there is one */
}

bool sci_os_process_ended(int64_t pid)
{
    return kill((pid_t)pid, 0) && errno == ESRCH;
}

int sci_os_set_direct(int fd, bool direct)
{
    (void)fd;
    return direct ? EINVAL : 0;
}

int sci_os_cached_bytes(int fd, int64_t offset, int64_t bytes, int64_t *cached)
{
    (void)fd, (void)offset, (void)bytes, (void)cached;
    return ENOSYS;
}

int sci_os_cached_at(int fd, int64_t offset, bool *cached)
{
    (void)fd, (void)offset, (void)cached;
    return ENOSYS;
}

int sci_os_extents(int fd, int64_t *offset, sci_os_extent extents[SCI_OS_EXTENTS], size_t *count)
{
    (void)fd, (void)offset, (void)extents, (void)count;
    return ENOSYS;
}

bool sci_os_is_hole(int fd)
{
#ifdef SEEK_DATA
    return lseek(fd, 0, SEEK_DATA) < 0 && errno == ENXIO;
#else
    (void)fd;
    return false;
#endif
}

int sci_os_drop_cache(int fd, int64_t offset, int64_t bytes)
{
#ifdef POSIX_FADV_DONTNEED
    return posix_fadvise(fd, (off_t)offset, (off_t)bytes, POSIX_FADV_DONTNEED);
#else
    (void)fd, (void)offset, (void)bytes;
    return ENOSYS;
#endif
}

void sci_os_read_ahead(int fd, bool wanted)
{
#ifdef POSIX_FADV_RANDOM
    posix_fadvise(fd, 0, 0, wanted ? POSIX_FADV_NORMAL : POSIX_FADV_RANDOM);
#else
    (void)fd, (void)wanted;
#endif
}

int sci_os_block_device(const char *path, uint32_t *device_major, uint32_t *device_minor)
{
    (void)path, (void)device_major, (void)device_minor;
    return ENOSYS;
}

int sci_os_wireless_rate(const char *interface, int64_t *bits_per_s)
{
    (void)interface, (void)bits_per_s;
    return ENOSYS;
}

int64_t sci_os_memory_bytes(void)
{
    return 0;
}

void *sci_os_buffer(size_t bytes, size_t align)
{
    const size_t page = sci_os_buffer_align(align);
    return bytes > SIZE_MAX - page ? NULL : aligned_alloc(page, (bytes + page - 1) / page * page);
}

#else
typedef int sci_os_posix_is_not_used;
#endif
