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

/* Merge [from, middle) and [middle, to), of which the first one is copied out of the way. */
static void merge(const struct sorting *sorting, unsigned char *items, unsigned char *scratch,
                  size_t from, size_t middle, size_t to)
{
    const size_t size = sorting->size, a_count = middle - from;
    size_t a = 0, b = middle;
    memcpy(scratch, items + from * size, a_count * size);
    for (size_t k = from; a < a_count; k++) {
        const bool first = b >= to || sorting->compare(scratch + a * size, items + b * size) <= 0;
        memcpy(items + k * size, first ? scratch + a++ * size : items + b++ * size, size);
    }
}

/* The longest run that is the first one of a merge. */
static size_t longest_first(size_t count)
{
    size_t run = CHUNK;
    while (run * 2 < count)
        run *= 2;
    return run;
}

static bool merge_all(const struct sorting *sorting, unsigned char *items, unsigned char *scratch,
                      const sci_stop *stop)
{
    for (size_t run = CHUNK; run < sorting->count; run *= 2) {
        for (size_t from = 0; from + run < sorting->count; from += 2 * run) {
            if (sci_stop_now(stop))
                return false;
            merge(sorting, items, scratch, from, from + run, least(from + 2 * run, sorting->count));
        }
    }
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
    unsigned char *scratch = malloc(longest_first(count) * size);
    bool sorted = scratch && merge_all(&sorting, bytes, scratch, stop);
    free(scratch);
    return sorted;
}
