/* A file out of the page cache, and the proof of it. */
#ifndef COLD_H
#define COLD_H

#include <fcntl.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_cachestat
#define SYS_cachestat 451
#endif

/* Pages of the file that are in the cache after it was asked to leave; -1: nobody can tell. */
static int64_t make_cold(const char *path)
{
    struct {
        uint64_t offset, length;
    } whole = {0, 0};
    struct {
        uint64_t cached, dirty, writeback, evicted, recently_evicted;
    } pages = {0, 0, 0, 0, 0};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    fdatasync(fd);
    posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
    long failed = syscall(SYS_cachestat, fd, &whole, &pages, 0u);
    close(fd);
    return failed ? -1 : (int64_t)pages.cached;
}

#endif
