#include "probe/media.h"

#include <stdlib.h>
#include <string.h>

/* A chunk is sorted in a few milliseconds. */
static const size_t CHUNK = 1 << 15;

struct sorting {
    size_t count, size;
    int (*compare)(const void *, const void *);
};

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Merge [from, middle) and [middle, to). */
static void merge(const struct sorting *sorting, const unsigned char *source, unsigned char *target,
                  size_t from, size_t middle, size_t to)
{
    const size_t size = sorting->size;
    size_t a = from, b = middle;
    for (size_t k = from; k < to; k++) {
        bool first = b >= to ||
                     (a < middle && sorting->compare(source + a * size, source + b * size) <= 0);
        memcpy(target + k * size, source + (first ? a++ : b++) * size, size);
    }
}

static bool merge_all(const struct sorting *sorting, unsigned char *items, unsigned char *scratch,
                      const sci_stop *stop)
{
    unsigned char *source = items, *target = scratch;
    for (size_t run = CHUNK; run < sorting->count; run *= 2) {
        for (size_t from = 0; from < sorting->count; from += 2 * run) {
            if (sci_stop_now(stop))
                return false;
            merge(sorting, source, target, from, least(from + run, sorting->count),
                  least(from + 2 * run, sorting->count));
        }
        unsigned char *sorted = target;
        target = source;
        source = sorted;
    }
    if (source != items)
        memcpy(items, source, sorting->count * sorting->size);
    return true;
}

bool sci_sort(void *items, size_t count, size_t size, int (*compare)(const void *, const void *),
              const sci_stop *stop)
{
    const struct sorting sorting = {count, size, compare};
    unsigned char *bytes = items;
    for (size_t from = 0; from < count; from += CHUNK) {
        if (sci_stop_now(stop))
            return false;
        qsort(bytes + from * size, least(CHUNK, count - from), size, compare);
    }
    if (count <= CHUNK)
        return true;
    unsigned char *scratch = malloc(count * size);
    bool sorted = scratch && merge_all(&sorting, bytes, scratch, stop);
    free(scratch);
    return sorted;
}
