#include "io/cache.h"

#include "io/os.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Where a look may fall: a second round of looks must not meet the pages that the first one
   brought in. */
enum phase { FIRST_LOOK, SECOND_LOOK };

/* Looking at a page starts to read it, so few are looked at, and without read-ahead. */
static double sampled_share(int fd, int64_t offset, int64_t bytes, int looks, enum phase phase)
{
    int found = 0, looked = 0;
    int64_t step = bytes / looks;
    sci_os_read_ahead(fd, false);
    for (; looked < looks && (step > 0 || looked == 0); looked++) {
        int64_t at = offset + looked * step + (phase == SECOND_LOOK ? step / 2 : 0);
        bool cached;
        if (sci_os_cached_at(fd, at, &cached)) {
            looked = 0;
            break;
        }
        found += cached;
    }
    sci_os_read_ahead(fd, true);
    return looked > 0 ? (double)found / looked : -1;
}

static double share_of(int fd, int64_t offset, int64_t bytes, int looks, enum phase phase)
{
    int64_t cached;
    if (bytes < 1)
        return 0;
    if (sci_os_cached_bytes(fd, offset, bytes, &cached))
        return sampled_share(fd, offset, bytes, looks, phase);
    return cached < bytes ? (double)cached / (double)bytes : 1;
}

double sci_cache_share(int fd, int64_t offset, int64_t bytes)
{
    return share_of(fd, offset, bytes, SCI_CACHE_LOOKS, FIRST_LOOK);
}

double sci_cache_drop(int fd, int64_t offset, int64_t bytes, int looks)
{
    sci_os_drop_cache(fd, offset, bytes);
    return share_of(fd, offset, bytes, looks, FIRST_LOOK);
}

/* ---- direct ---- */

static const int64_t usual_aligns[] = {512, 4096};

/* One read in the player's size; 0 or an errno. */
static int try_read(int fd, int64_t bytes, int64_t align)
{
    size_t want = (size_t)((bytes + align - 1) / align * align);
    void *buffer = sci_os_buffer(want, (size_t)align);
    if (!buffer)
        return ENOMEM;
    ssize_t count;
    do
        count = pread(fd, buffer, want, 0);
    while (count < 0 && errno == EINTR);
    int os_errno = count < 0 ? errno : 0;
    free(buffer);
    return os_errno;
}

static int find_align(int fd, const sci_os_info *info, int64_t bytes, int64_t block_bytes,
                      int64_t *align)
{
    int64_t told = info->direct_offset_align > info->direct_memory_align
                       ? info->direct_offset_align
                       : info->direct_memory_align;
    const int64_t *tries = told ? &told : usual_aligns;
    size_t count = told ? 1 : SCI_COUNT(usual_aligns);
    int os_errno = EINVAL;
    for (size_t i = 0; i < count && os_errno == EINVAL; i++) {
        *align = tries[i];
        if (block_bytes % *align == 0)
            os_errno = try_read(fd, bytes, *align);
    }
    return os_errno;
}

static void say_why_not(sci_cache_way *way, const sci_os_info *info, int os_errno,
                        int64_t block_bytes)
{
    if (info->direct_refused)
        snprintf(way->reason, sizeof way->reason, "the file system has no O_DIRECT");
    else if (os_errno == EINVAL && block_bytes % 512)
        snprintf(way->reason, sizeof way->reason,
                 "a block of %lld bytes is not a multiple of the sector", (long long)block_bytes);
    else
        snprintf(way->reason, sizeof way->reason, "O_DIRECT is refused (errno %d)", os_errno);
}

static void close_if_open(int fd)
{
    if (fd >= 0)
        close(fd);
}

/* True: direct reads work. Proven when what they read is not in the page cache afterwards. False
   with os_errno 0: they are not direct. */
static bool try_direct(const char *path, int64_t size_bytes, int64_t block_bytes,
                       sci_cache_way *way, int *os_errno)
{
    sci_os_info info;
    int fd = -1, cached_fd = -1; /* the page cache is seen through a second, buffered one */
    int64_t bytes = size_bytes < block_bytes ? size_bytes : block_bytes;
    *os_errno = sci_os_stat(path, &info);
    if (!*os_errno && info.direct_refused)
        *os_errno = EINVAL;
    if (!*os_errno)
        *os_errno = sci_os_open(path, true, &fd);
    if (!*os_errno)
        *os_errno = sci_os_open(path, false, &cached_fd);
    double before = -1, after = -1;
    if (!*os_errno) {
        before = sci_cache_drop(cached_fd, 0, bytes, SCI_CACHE_LOOKS);
        *os_errno = find_align(fd, &info, bytes, block_bytes, &way->align);
    }
    /* What could not be dropped before says nothing about the read. */
    if (!*os_errno && before >= 0 && before <= SCI_CACHE_COLD_SHARE)
        after = share_of(cached_fd, 0, bytes, SCI_CACHE_LOOKS, SECOND_LOOK);
    close_if_open(fd);
    close_if_open(cached_fd);
    if (*os_errno) {
        say_why_not(way, &info, *os_errno, block_bytes);
        return false;
    }
    way->mode = SC_CACHE_DIRECT;
    way->proven = after >= 0;
    if (after > SCI_CACHE_COLD_SHARE)
        snprintf(way->reason, sizeof way->reason, "O_DIRECT is accepted but fills the page cache");
    else
        snprintf(way->reason, sizeof way->reason, "O_DIRECT worked, aligned to %lld bytes%s",
                 (long long)way->align,
                 after < 0 ? "; whether it filled the page cache could not be seen"
                           : ", and left nothing in the page cache");
    return after <= SCI_CACHE_COLD_SHARE;
}

/* ---- dropped ---- */

static int try_dropped(const char *path, int64_t size_bytes, sci_cache_way *way)
{
    int fd = -1, os_errno = sci_os_open(path, false, &fd);
    if (os_errno)
        return os_errno;
    way->align = 1;
    way->cached_share = sci_cache_drop(fd, 0, size_bytes, SCI_CACHE_LOOKS);
    close(fd);
    way->proven = way->cached_share >= 0 && way->cached_share <= SCI_CACHE_COLD_SHARE;
    way->mode = way->proven ? SC_CACHE_DROPPED : SC_CACHE_WARM;
    size_t used = strlen(way->reason);
    const char *found = way->proven ? "dropped from the page cache and shown not to be in it"
                        : way->cached_share < 0
                            ? "the kernel does not tell what is in the page cache"
                            : "could not be dropped from the page cache";
    snprintf(way->reason + used, sizeof way->reason - used, "%s%s", used ? "; " : "", found);
    return 0;
}

static int try_warm(const char *path, int64_t size_bytes, sci_cache_way *way)
{
    int fd = -1, os_errno = sci_os_open(path, false, &fd);
    if (os_errno)
        return os_errno;
    way->align = 1;
    way->mode = SC_CACHE_WARM;
    way->cached_share = sci_cache_share(fd, 0, size_bytes);
    close(fd);
    snprintf(way->reason, sizeof way->reason, "read as it came, as asked for");
    return 0;
}

sc_status sci_cache_choose(const char *path, int64_t size_bytes, int64_t block_bytes,
                           sc_cache_mode requested, sci_cache_way *way, sc_error *error)
{
    int os_errno = 0;
    *way = (sci_cache_way){.align = 1, .cached_share = -1};
    if (requested == SC_CACHE_AUTO || requested == SC_CACHE_DIRECT) {
        if (try_direct(path, size_bytes, block_bytes, way, &os_errno))
            return SC_OK;
        if (requested == SC_CACHE_DIRECT)
            return sci_fail(error, SC_UNSUPPORTED, os_errno, "measure.cache", path,
                            "direct reads of %s do not work (%s): use the cache mode auto", path,
                            way->reason);
        way->proven = false;
    }
    os_errno = requested == SC_CACHE_WARM ? try_warm(path, size_bytes, way)
                                          : try_dropped(path, size_bytes, way);
    if (os_errno)
        return sci_fail(error, sci_status_from_errno(os_errno), os_errno, "measure.cache", path,
                        "cannot open %s", path);
    return SC_OK;
}
