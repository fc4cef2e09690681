#include "core/core.h"

#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { CHUNK_BYTES = 16 * 1024 };

struct chunk {
    struct chunk *next;
    size_t used, size;
    alignas(max_align_t) unsigned char bytes[];
};

struct sci_arena {
    struct chunk *chunks; /* the newest first */
};

struct result {
    sci_arena arena;
    alignas(max_align_t) unsigned char body[];
};

static struct result *result_of(void *body)
{
    return (struct result *)(void *)((unsigned char *)body - offsetof(struct result, body));
}

static void free_chunks(sci_arena *arena)
{
    while (arena->chunks) {
        struct chunk *next = arena->chunks->next;
        free(arena->chunks);
        arena->chunks = next;
    }
}

void *sci_result_new(size_t size)
{
    struct result *result = calloc(1, sizeof *result + size);
    return result ? result->body : NULL;
}

sci_arena *sci_result_arena(void *result)
{
    return &result_of(result)->arena;
}

void sci_result_free(void *result_pointer)
{
    void *body = NULL;
    if (!result_pointer)
        return;
    memcpy(&body, result_pointer, sizeof body);
    if (!body)
        return;
    free_chunks(&result_of(body)->arena);
    free(result_of(body));
    memset(result_pointer, 0, sizeof body);
}

sci_arena *sci_arena_new(void)
{
    return calloc(1, sizeof(sci_arena));
}

void sci_arena_free(sci_arena **arena)
{
    if (!arena || !*arena)
        return;
    free_chunks(*arena);
    free(*arena);
    *arena = NULL;
}

void sci_arena_adopt(sci_arena *into, sci_arena **from)
{
    struct chunk **end = &(*from)->chunks;
    while (*end)
        end = &(*end)->next;
    /* Behind the chunk that still has room. */
    struct chunk **place = into->chunks ? &into->chunks->next : &into->chunks;
    *end = *place;
    *place = (*from)->chunks;
    (*from)->chunks = NULL;
    sci_arena_free(from);
}

void *sci_arena_alloc(sci_arena *arena, size_t count, size_t size)
{
    const size_t align = alignof(max_align_t);
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX / 2)
        return NULL;
    bytes = (bytes + align - 1) / align * align;
    struct chunk *chunk = arena->chunks;
    if (!chunk || chunk->size - chunk->used < bytes) {
        size_t room = bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES;
        chunk = calloc(1, sizeof *chunk + room);
        if (!chunk)
            return NULL;
        chunk->size = room;
        chunk->next = arena->chunks;
        arena->chunks = chunk;
    }
    void *memory = chunk->bytes + chunk->used;
    chunk->used += bytes;
    return memory;
}

char *sci_arena_strdup(sci_arena *arena, const char *text)
{
    size_t size = strlen(text ? text : "") + 1;
    char *copy = sci_arena_alloc(arena, size, 1);
    if (copy && text)
        memcpy(copy, text, size);
    return copy;
}

static char *arena_vprintf(sci_arena *arena, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    char *text = length < 0 ? NULL : sci_arena_alloc(arena, (size_t)length + 1, 1);
    if (text)
        vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

char *sci_arena_printf(sci_arena *arena, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = arena_vprintf(arena, format, args);
    va_end(args);
    return text;
}

bool sci_grow(void *items, size_t count, size_t *capacity, size_t item_size)
{
    void *old, *grown;
    size_t bytes, room = *capacity ? *capacity * 2 : 16;
    if (count < *capacity)
        return true;
    if (room < *capacity || __builtin_mul_overflow(room, item_size, &bytes))
        return false;
    memcpy(&old, items, sizeof old);
    grown = realloc(old, bytes);
    if (!grown)
        return false;
    memcpy(items, &grown, sizeof grown);
    *capacity = room;
    return true;
}

void *sci_big_alloc(size_t count, size_t item_size)
{
    const size_t page = 2 << 20;
    void *items = NULL;
    size_t bytes;
    if (__builtin_mul_overflow(count, item_size, &bytes))
        return NULL;
#ifdef MADV_HUGEPAGE
    if (bytes >= page) {
        if (posix_memalign(&items, page, bytes) != 0)
            return NULL;
        /* Advice only. */
        (void)madvise(items, bytes, MADV_HUGEPAGE);
        return items;
    }
#else
    (void)page;
#endif
    return malloc(bytes ? bytes : 1);
}
