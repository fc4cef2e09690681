/* Calls that POSIX does not have or that differ between systems, and those that several modules
   need in one way: os_common.c, and os_linux.c or, elsewhere, os_posix.c. Other calls of POSIX
   stand where they are used. All that take a path or descriptor may hang on a dead mount: call
   them from a guarded thread only (watchdog.h). */
#ifndef SCI_IO_OS_H
#define SCI_IO_OS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sci_os_info {
    bool regular, directory;
    int64_t size_bytes;
    uint32_t device_major, device_minor; /* of the file system */
    uint64_t mount_id;                   /* as in mountinfo; 0: not known */
    uint32_t direct_memory_align;        /* what O_DIRECT needs; 0: the kernel does not tell */
    uint32_t direct_offset_align;
    bool direct_refused;     /* the kernel tells that O_DIRECT is not there */
    const char *file_system; /* by its magic number, where no mount tells more; "" unknown */
} sci_os_info;

/* A piece of a file as it lies on its file system. */
typedef struct sci_os_extent {
    int64_t physical, bytes;
    bool placed;  /* physical means something */
    bool shared;  /* with other files or other parts of this one */
    bool encoded; /* compressed */
} sci_os_extent;

/* Each returns 0 or an errno. */

/* Follows symbolic links. */
int sci_os_stat(const char *path, sci_os_info *info);
/* Read-only; never waits for a writer and leaves the access time alone where it may. */
int sci_os_open(const char *path, bool direct, int *fd);
/* A directory that stays the same one whatever becomes of its path: for openat() and unlinkat(). */
int sci_os_open_directory(const char *path, int *fd);
/* A new file of the directory that only its owner may read and write; EEXIST where the name is
   taken, also by a link. Buffered. */
int sci_os_create(int directory, const char *name, int *fd);
/* Write-only, an existing file; links are not followed, and nobody is waited for. */
int sci_os_open_write(const char *path, bool direct, int *fd);
/* Switch O_DIRECT of an open file on or off. */
int sci_os_set_direct(int fd, bool direct);
/* Bytes of the range in the page cache. EPERM for files of other users, ENOSYS on old kernels,
   EOPNOTSUPP where the count would be that of another file's pages. */
int sci_os_cached_bytes(int fd, int64_t offset, int64_t bytes, int64_t *cached);
/* Whether the byte at offset was in the page cache. Its page is read for that where the file system
   cannot tell without. */
int sci_os_cached_at(int fd, int64_t offset, bool *cached);
/* The pieces from *offset on, which moves behind them; *count 0: no more. EOPNOTSUPP and others
   where the file system does not tell. */
enum { SCI_OS_EXTENTS = 64 };
int sci_os_extents(int fd, int64_t *offset, sci_os_extent extents[SCI_OS_EXTENTS], size_t *count);
/* Not a byte of the file is stored. False also where the file system does not tell. */
bool sci_os_is_hole(int fd);
/* Ask the kernel to forget clean pages of the range. */
int sci_os_drop_cache(int fd, int64_t offset, int64_t bytes);
/* Switch the kernel's read-ahead of this descriptor off, or back to its default. */
void sci_os_read_ahead(int fd, bool wanted);
int sci_os_free_bytes(const char *path, int64_t *bytes);
/* The size of the file system; 0 where it does not tell. */
int sci_os_volume_bytes(const char *path, int64_t *bytes);
/* Device number of a device node, for file systems with a number of their own (btrfs). */
int sci_os_block_device(const char *path, uint32_t *device_major, uint32_t *device_minor);
/* The bit rate at which a wireless interface sends now. */
int sci_os_wireless_rate(const char *interface, int64_t *bits_per_s);

/* The name of this machine; "" when not known. */
void sci_os_host_name(char *name, size_t size);
/* A number made of this machine's identity, from which that cannot be had back: machine-id(5), or
   the identity of this boot where there is none. 0: not known. */
uint64_t sci_os_machine(void);

/* A number of the set of processes in which this one has its number; 0: not known. */
uint64_t sci_os_process_space(void);
/* Whether the process of this set is there no more, or has ended and only waits to be seen. */
bool sci_os_process_ended(int64_t pid);

size_t sci_os_page_bytes(void);
/* Where memory for O_DIRECT may begin: at multiples of this power of two, which is no less than a
   page or align. */
size_t sci_os_buffer_align(size_t align);
/* Memory that begins there, in large pages where the kernel has them: it takes less of the
   processor to hand them to a device. NULL when there is none; free() frees it. */
void *sci_os_buffer(size_t bytes, size_t align);
/* 0 when not known. */
int64_t sci_os_memory_bytes(void);

#endif
