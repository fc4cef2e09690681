/* What Linux does as POSIX says. */
#include "io/os.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* Not opened with O_DIRECT: where that is refused the file would be there all the same. */
int sci_os_create(int directory, const char *name, int *fd)
{
    *fd = openat(directory, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY,
                 0600);
    return *fd < 0 ? errno : 0;
}

/* 0 or an errno. */
static int bytes_of(uint64_t blocks, uint64_t block_bytes, int64_t *bytes)
{
    return __builtin_mul_overflow(blocks, block_bytes, bytes) ? EOVERFLOW : 0;
}

int sci_os_free_bytes(const char *path, int64_t *bytes)
{
    struct statvfs volume;
    if (statvfs(path, &volume))
        return errno;
    /* A volume of no blocks: FUSE programs that do not tell. */
    return volume.f_blocks ? bytes_of(volume.f_bavail, volume.f_frsize, bytes) : ENODATA;
}

int sci_os_volume_bytes(const char *path, int64_t *bytes)
{
    struct statvfs volume;
    return statvfs(path, &volume) ? errno : bytes_of(volume.f_blocks, volume.f_frsize, bytes);
}

void sci_os_host_name(char *name, size_t size)
{
    if (gethostname(name, size))
        name[0] = '\0';
    name[size - 1] = '\0';
}

/* FNV-1a (draft-eastlake-fnv), begun with this program's name, so that no other has the number. */
static uint64_t hash(uint64_t state, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        state = (state ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
    return state;
}

uint64_t sci_os_machine(void)
{
    static const char *const files[] = {"/etc/machine-id", "/var/lib/dbus/machine-id",
                                        "/proc/sys/kernel/random/boot_id"};
    static const char program[] = "streamcalc";
    enum { LEAST = 32 }; /* "uninitialized" stands there during a first boot */
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char text[64];
        int fd = open(files[i], O_RDONLY | O_CLOEXEC);
        ssize_t count = fd < 0 ? -1 : read(fd, text, sizeof text);
        if (fd >= 0)
            close(fd);
        if (count >= LEAST)
            return hash(hash(UINT64_C(0xcbf29ce484222325), program, sizeof program - 1), text,
                        (size_t)count);
    }
    return 0;
}

size_t sci_os_page_bytes(void)
{
    long bytes = sysconf(_SC_PAGESIZE);
    return bytes > 0 ? (size_t)bytes : 4096;
}

size_t sci_os_buffer_align(size_t align)
{
    size_t unit = sci_os_page_bytes();
    while (unit < align && unit <= SIZE_MAX / 2)
        unit *= 2;
    return unit;
}
