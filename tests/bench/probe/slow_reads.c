/* For LD_PRELOAD: every pread() takes 10 ms more, as over a network with such a round trip. Opening
   and everything else stays as it is. */
#include <dlfcn.h>
#include <sys/types.h>
#include <time.h>

ssize_t pread(int fd, void *buffer, size_t size, off_t offset);
ssize_t pread64(int fd, void *buffer, size_t size, off_t offset);

typedef ssize_t (*reader)(int fd, void *buffer, size_t size, off_t offset);

static ssize_t read_late(const char *name, int fd, void *buffer, size_t size, off_t offset)
{
    const struct timespec delay = {0, 10000000};
    reader real;
    *(void **)&real = dlsym(RTLD_NEXT, name);
    nanosleep(&delay, NULL);
    return real(fd, buffer, size, offset);
}

ssize_t pread(int fd, void *buffer, size_t size, off_t offset)
{
    return read_late("pread", fd, buffer, size, offset);
}

ssize_t pread64(int fd, void *buffer, size_t size, off_t offset)
{
    return read_late("pread64", fd, buffer, size, offset);
}
