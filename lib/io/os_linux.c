#include "io/os.h"

#if defined(__linux__) && !defined(SCI_OS_POSIX)

#include <errno.h>
#include <fcntl.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <linux/wireless.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <unistd.h>

/* The C library's headers may be older than the kernel: numbers of the system call interface. */
enum { CACHESTAT_CALL = 451, POPULATE_READ = 22 };
#define WANT_MNT_ID   0x00001000U
#define WANT_DIOALIGN 0x00002000U

/* struct statx as the kernel fills it: fields that older headers lack lie behind stx_dev_minor. */
union statx_reply {
    struct statx fields;
    struct {
        unsigned char older[0x90];
        uint64_t mount_id;
        uint32_t direct_memory_align;
        uint32_t direct_offset_align;
    } newer;
    unsigned char room[256];
};

struct cachestat_range {
    uint64_t offset, bytes;
};

struct cachestat_reply {
    uint64_t cached, dirty, writeback, evicted, recently_evicted;
};

/* Magic numbers are part of the system call interface: statfs(2) lists them. */
static const struct {
    uint32_t magic;
    const char *name;
} file_systems[] = {{0x01021994, "tmpfs"},      {0x858458f6, "ramfs"},   {0x958458f6, "hugetlbfs"},
                    {0x00006969, "nfs"},        {0xfe534d42, "cifs"},    {0xff534d42, "cifs"},
                    {0x0000517b, "smbfs"},      {0x65735546, "fuse"},    {0x01021997, "9p"},
                    {0x00c36400, "ceph"},       {0x794c7630, "overlay"}, {0x0000ef53, "ext4"},
                    {0x62656572, "sysfs"},      {0x00009fa0, "proc"},    {0x63677270, "cgroup2"},
                    {0x0027e0eb, "cgroup"},     {0x64626720, "debugfs"}, {0x74726163, "tracefs"},
                    {0x73636673, "securityfs"}, {0x58465342, "xfs"},     {0x9123683e, "btrfs"},
                    {0x2fc12fc1, "zfs"}};

static const char *file_system_of(const char *path)
{
    struct statfs volume;
    if (statfs(path, &volume))
        return "";
    for (size_t i = 0; i < sizeof file_systems / sizeof *file_systems; i++)
        if (file_systems[i].magic == (uint32_t)volume.f_type)
            return file_systems[i].name;
    return "";
}

int sci_os_stat(const char *path, sci_os_info *info)
{
    union statx_reply reply = {0};
    *info = (sci_os_info){.file_system = ""};
    if (statx(AT_FDCWD, path, 0, STATX_BASIC_STATS | WANT_MNT_ID | WANT_DIOALIGN, &reply.fields))
        return errno;
    info->regular = S_ISREG(reply.fields.stx_mode);
    info->directory = S_ISDIR(reply.fields.stx_mode);
    info->size_bytes = (int64_t)reply.fields.stx_size;
    info->device_major = reply.fields.stx_dev_major;
    info->device_minor = reply.fields.stx_dev_minor;
    if (reply.fields.stx_mask & WANT_MNT_ID)
        info->mount_id = reply.newer.mount_id;
    if (reply.fields.stx_mask & WANT_DIOALIGN) {
        info->direct_memory_align = reply.newer.direct_memory_align;
        info->direct_offset_align = reply.newer.direct_offset_align;
        info->direct_refused = info->regular && reply.newer.direct_offset_align == 0;
    }
    info->file_system = file_system_of(path);
    return 0;
}

int sci_os_open(const char *path, bool direct, int *fd)
{
    int flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (direct ? O_DIRECT : 0);
    *fd = open(path, flags | O_NOATIME);
    /* Only the owner of a file may leave its access time alone. */
    if (*fd < 0 && errno == EPERM)
        *fd = open(path, flags);
    return *fd < 0 ? errno : 0;
}

int sci_os_open_write(const char *path, bool direct, int *fd)
{
    int flags = O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | (direct ? O_DIRECT : 0);
    *fd = open(path, flags);
    return *fd < 0 ? errno : 0;
}

/* O_PATH: the file system hears nothing of it, so that closing it cannot hang. */
int sci_os_open_directory(const char *path, int *fd)
{
    *fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    return *fd < 0 ? errno : 0;
}

int sci_os_set_direct(int fd, bool direct)
{
    int flags = fcntl(fd, F_GETFL);
    if (flags < 0 || fcntl(fd, F_SETFL, direct ? flags | O_DIRECT : flags & ~O_DIRECT))
        return errno;
    return 0;
}

/* Their pages are kept for the file that lies below: cachestat looks at another, empty cache. */
static bool keeps_pages_below(int fd)
{
    static const uint32_t magics[] = {0x794c7630, 0x61756673}; /* overlay, aufs */
    struct statfs volume;
    if (fstatfs(fd, &volume))
        return false;
    for (size_t i = 0; i < sizeof magics / sizeof *magics; i++)
        if (magics[i] == (uint32_t)volume.f_type)
            return true;
    return false;
}

int sci_os_cached_bytes(int fd, int64_t offset, int64_t bytes, int64_t *cached)
{
    struct cachestat_range range = {(uint64_t)offset, (uint64_t)bytes};
    struct cachestat_reply reply = {0};
    if (keeps_pages_below(fd))
        return EOPNOTSUPP;
    if (syscall(CACHESTAT_CALL, fd, &range, &reply, 0))
        return errno;
    *cached = (int64_t)reply.cached * (int64_t)sci_os_page_bytes();
    return 0;
}

/* 0 or an errno, also where a touch would be SIGBUS. *waited: a page had to be read for it. */
static int touch_page(void *page, size_t bytes, bool *waited)
{
    struct rusage before, after;
    madvise(page, bytes, MADV_RANDOM); /* no pages around it */
    getrusage(RUSAGE_THREAD, &before);
    if (madvise(page, bytes, POPULATE_READ))
        return errno;
    getrusage(RUSAGE_THREAD, &after);
    *waited = after.ru_majflt > before.ru_majflt;
    return 0;
}

/* A page that is in the cache is mapped without a major fault, whoever asks. */
static int mapped_at(int fd, int64_t offset, bool *cached)
{
    const size_t bytes = sci_os_page_bytes();
    const int64_t start = offset / (int64_t)bytes * (int64_t)bytes;
    bool waited = true;
    void *page = mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, start);
    if (page == MAP_FAILED && errno != ENODEV)
        return errno;
    int os_errno = page == MAP_FAILED ? 0 : touch_page(page, bytes, &waited);
    if (page != MAP_FAILED)
        munmap(page, bytes);
    *cached = !waited; /* ENODEV: such a file has no pages in any cache */
    return os_errno;
}

int sci_os_cached_at(int fd, int64_t offset, bool *cached)
{
    char byte;
    struct iovec vector = {&byte, 1};
    ssize_t count = preadv2(fd, &vector, 1, offset, RWF_NOWAIT);
    if (count < 0 && (errno == EOPNOTSUPP || errno == ENOSYS))
        return mapped_at(fd, offset, cached);
    if (count < 0 && errno != EAGAIN)
        return errno;
    *cached = count == 1;
    return 0;
}

static sci_os_extent extent_of(const struct fiemap_extent *from)
{
    const uint32_t nowhere = FIEMAP_EXTENT_UNKNOWN | FIEMAP_EXTENT_DELALLOC |
                             FIEMAP_EXTENT_DATA_INLINE | FIEMAP_EXTENT_NOT_ALIGNED;
    bool encrypted = from->fe_flags & FIEMAP_EXTENT_DATA_ENCRYPTED;
    return (sci_os_extent){.physical = (int64_t)from->fe_physical,
                           .bytes = (int64_t)from->fe_length,
                           .placed = !(from->fe_flags & nowhere),
                           .shared = from->fe_flags & FIEMAP_EXTENT_SHARED,
                           .encoded = from->fe_flags & FIEMAP_EXTENT_ENCODED && !encrypted};
}

int sci_os_extents(int fd, int64_t *offset, sci_os_extent extents[SCI_OS_EXTENTS], size_t *count)
{
    union {
        struct fiemap head;
        unsigned char room[sizeof(struct fiemap) + SCI_OS_EXTENTS * sizeof(struct fiemap_extent)];
    } map = {.head = {.fm_start = (uint64_t)*offset,
                      .fm_length = FIEMAP_MAX_OFFSET - (uint64_t)*offset,
                      .fm_extent_count = SCI_OS_EXTENTS}};
    if (ioctl(fd, FS_IOC_FIEMAP, &map))
        return errno;
    *count = map.head.fm_mapped_extents;
    for (size_t i = 0; i < *count; i++) {
        const struct fiemap_extent *from = &map.head.fm_extents[i];
        extents[i] = extent_of(from);
        *offset = (int64_t)(from->fe_logical + from->fe_length);
    }
    return 0;
}

/* File systems that do not know say that all of it is data. */
bool sci_os_is_hole(int fd)
{
    return lseek(fd, 0, SEEK_DATA) < 0 && errno == ENXIO;
}

int sci_os_drop_cache(int fd, int64_t offset, int64_t bytes)
{
    return posix_fadvise(fd, offset, bytes, POSIX_FADV_DONTNEED);
}

void sci_os_read_ahead(int fd, bool wanted)
{
    posix_fadvise(fd, 0, 0, wanted ? POSIX_FADV_NORMAL : POSIX_FADV_RANDOM);
}

int sci_os_block_device(const char *path, uint32_t *device_major, uint32_t *device_minor)
{
    struct stat node;
    if (stat(path, &node))
        return errno;
    if (!S_ISBLK(node.st_mode))
        return ENOTBLK;
    *device_major = major(node.st_rdev);
    *device_minor = minor(node.st_rdev);
    return 0;
}

int sci_os_wireless_rate(const char *interface, int64_t *bits_per_s)
{
    struct iwreq request = {0};
    size_t length = strlen(interface);
    if (length >= sizeof request.ifr_name)
        return ENAMETOOLONG;
    memcpy(request.ifr_name, interface, length);
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return errno;
    int os_errno = ioctl(fd, SIOCGIWRATE, &request) ? errno : 0;
    close(fd);
    *bits_per_s = request.u.bitrate.value;
    return os_errno;
}

/* "pid:[4026531836]" */
uint64_t sci_os_process_space(void)
{
    static const char start[] = "pid:[";
    char text[64];
    ssize_t count = readlink("/proc/self/ns/pid", text, sizeof text - 1);
    text[count > 0 ? count : 0] = '\0';
    return strncmp(text, start, sizeof start - 1) == 0 ? strtoull(text + sizeof start - 1, NULL, 10)
                                                       : 0;
}

/* Whether proc(5) shows a process that ended and whose parent did not look yet. One of which the
   first thread alone ended looks the same but for its threads: "PID (name) Z ... threads ...". */
static bool is_zombie(int64_t pid)
{
    enum { THREADS_BEHIND_STATE = 17 };
    char path[64], text[1024], *save;
    snprintf(path, sizeof path, "/proc/%lld/stat", (long long)pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t count = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    text[count > 0 ? count : 0] = '\0';
    char *field = strrchr(text, ')');
    field = field ? strtok_r(field + 1, " ", &save) : NULL;
    if (!field || !strchr("ZX", *field))
        return false;
    for (int i = 0; field && i < THREADS_BEHIND_STATE; i++)
        field = strtok_r(NULL, " ", &save);
    return field && strtol(field, NULL, 10) <= 1;
}

bool sci_os_process_ended(int64_t pid)
{
    return (kill((pid_t)pid, 0) && errno == ESRCH) || is_zombie(pid);
}

int64_t sci_os_memory_bytes(void)
{
    long pages = sysconf(_SC_PHYS_PAGES);
    return pages > 0 ? (int64_t)pages * (int64_t)sci_os_page_bytes() : 0;
}

void *sci_os_buffer(size_t bytes, size_t align)
{
    enum { LARGE_PAGE_BYTES = 2 << 20 };
    const bool large = bytes >= LARGE_PAGE_BYTES;
    const size_t page = sci_os_buffer_align(large && align < LARGE_PAGE_BYTES ? LARGE_PAGE_BYTES
                                                                              : align);
    if (bytes > SIZE_MAX - page)
        return NULL;
    bytes = (bytes + page - 1) / page * page;
    void *buffer = aligned_alloc(page, bytes);
    if (buffer && large)
        madvise(buffer, bytes, MADV_HUGEPAGE); /* a kernel without them has small ones */
    return buffer;
}

#else
typedef int sci_os_linux_is_not_used;
#endif
