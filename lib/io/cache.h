/* Ways around the page cache, tried from the best to the worst, and how far each was proven. */
#ifndef SCI_IO_CACHE_H
#define SCI_IO_CACHE_H

#include "core/core.h"
#include <streamcalc/measure.h>

typedef struct sci_cache_way {
    sc_cache_mode mode; /* SC_CACHE_DIRECT, _DROPPED or _WARM */
    bool proven;
    int64_t align;       /* of direct reads; 1 for others */
    double cached_share; /* found in the cache after dropping; negative: not known */
    char reason[SC_TEXT_MAX];
} sci_cache_way;

/* Share of the range in the page cache, 0 to 1; negative when the kernel does not tell. */
double sci_cache_share(int fd, int64_t offset, int64_t bytes);
/* Drop the range and look: the share that is still there. Where the kernel does not count, at no
   more places than looks, each of which may cost a read. */
enum { SCI_CACHE_LOOKS = 32 };
double sci_cache_drop(int fd, int64_t offset, int64_t bytes, int looks);

/* A share up to which a file counts as not cached: the kernel reads ahead of what is asked. */
#define SCI_CACHE_COLD_SHARE 0.01

/* Find the way for reads of block_bytes from the file, a regular one of size_bytes: one read of it
   is made. SC_UNSUPPORTED when O_DIRECT was asked for and does not work. */
sc_status sci_cache_choose(const char *path, int64_t size_bytes, int64_t block_bytes,
                           sc_cache_mode requested, sci_cache_way *way, sc_error *error);

#endif
