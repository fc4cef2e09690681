/* MOV and MP4 files put together box by box, for what no program at hand writes. */
#ifndef MOVIES_H
#define MOVIES_H

#include "test.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOVIE_TICKS_PER_S = 12800, MOVIE_DEPTH_MAX = 16 };

struct movie {
    uint8_t *data;
    size_t size, room;
    size_t open[MOVIE_DEPTH_MAX]; /* where boxes start that are not yet closed */
    int depth;
};

static inline void movie_put(struct movie *movie, const void *bytes, size_t size)
{
    while (movie->size + size > movie->room) {
        movie->room = movie->room ? 2 * movie->room : 4096;
        movie->data = realloc(movie->data, movie->room);
        assert_non_null(movie->data);
    }
    if (bytes)
        memcpy(movie->data + movie->size, bytes, size);
    else
        memset(movie->data + movie->size, 0, size);
    movie->size += size;
}

static inline void movie_zeroes(struct movie *movie, size_t size)
{
    movie_put(movie, NULL, size);
}

static inline void movie_number(struct movie *movie, uint64_t value, int bytes)
{
    for (int i = bytes - 1; i >= 0; i--)
        movie_put(movie, &(uint8_t){(uint8_t)(value >> 8 * i)}, 1);
}

static inline void movie_16(struct movie *movie, uint32_t value)
{
    movie_number(movie, value, 2);
}

static inline void movie_32(struct movie *movie, uint32_t value)
{
    movie_number(movie, value, 4);
}

static inline void movie_64(struct movie *movie, uint64_t value)
{
    movie_number(movie, value, 8);
}

static inline void movie_set_32(struct movie *movie, size_t at, uint32_t value)
{
    assert_true(at + 4 <= movie->size);
    for (size_t i = 0; i < 4; i++)
        movie->data[at + i] = (uint8_t)(value >> 8 * (3 - i));
}

static inline void movie_begin(struct movie *movie, const char *type)
{
    assert_true(movie->depth < MOVIE_DEPTH_MAX);
    movie->open[movie->depth++] = movie->size;
    movie_32(movie, 0);
    movie_put(movie, type, 4);
}

/* With version and flags. */
static inline void movie_begin_full(struct movie *movie, const char *type, uint32_t version_flags)
{
    movie_begin(movie, type);
    movie_32(movie, version_flags);
}

static inline void movie_end(struct movie *movie)
{
    const size_t at = movie->open[--movie->depth];
    movie_set_32(movie, at, (uint32_t)(movie->size - at));
}

static inline void movie_ends(struct movie *movie, int boxes)
{
    while (boxes-- > 0)
        movie_end(movie);
}

static inline void movie_type(struct movie *movie)
{
    movie_begin(movie, "ftyp");
    movie_put(movie, "qt  \0\0\0\0qt  ", 12);
    movie_end(movie);
}

static inline void movie_matrix(struct movie *movie)
{
    const uint32_t unit[9] = {0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000};
    for (int i = 0; i < 9; i++)
        movie_32(movie, unit[i]);
}

/* Opens moov. */
static inline void movie_header(struct movie *movie)
{
    movie_begin(movie, "moov");
    movie_begin_full(movie, "mvhd", 0);
    movie_zeroes(movie, 8);
    movie_32(movie, MOVIE_TICKS_PER_S);
    movie_32(movie, MOVIE_TICKS_PER_S);
    movie_32(movie, 0x10000);
    movie_zeroes(movie, 12);
    movie_matrix(movie);
    movie_zeroes(movie, 24);
    movie_32(movie, 100);
    movie_end(movie);
}

static inline void movie_describe(struct movie *movie, const char *handler, const char *codec)
{
    movie_begin_full(movie, "stsd", 0);
    movie_32(movie, 1);
    movie_begin(movie, codec);
    movie_zeroes(movie, 6);
    movie_16(movie, 1);
    if (memcmp(handler, "vide", 4) == 0) {
        movie_zeroes(movie, 16);
        movie_16(movie, 64);
        movie_16(movie, 64);
        movie_32(movie, 72 << 16);
        movie_32(movie, 72 << 16);
        movie_zeroes(movie, 4);
        movie_16(movie, 1);
        movie_zeroes(movie, 32);
        movie_16(movie, 24);
        movie_16(movie, 0xFFFF);
    } else if (memcmp(handler, "tmcd", 4) == 0) {
        movie_zeroes(movie, 8);
        movie_32(movie, MOVIE_TICKS_PER_S);
        movie_32(movie, MOVIE_TICKS_PER_S / 25);
        movie_16(movie, 25 << 8);
    }
    movie_end(movie);
    movie_end(movie);
}

/* Opens trak, mdia, minf and stbl: movie_ends(movie, 4). */
static inline void movie_track(struct movie *movie, uint32_t id, const char *handler,
                               const char *codec)
{
    const bool picture = memcmp(handler, "vide", 4) == 0;
    movie_begin(movie, "trak");
    movie_begin_full(movie, "tkhd", 3);
    movie_zeroes(movie, 8);
    movie_32(movie, id);
    movie_zeroes(movie, 4);
    movie_32(movie, MOVIE_TICKS_PER_S);
    movie_zeroes(movie, 16);
    movie_matrix(movie);
    movie_32(movie, 64 << 16);
    movie_32(movie, 64 << 16);
    movie_end(movie);
    movie_begin(movie, "mdia");
    movie_begin_full(movie, "mdhd", 0);
    movie_zeroes(movie, 8);
    movie_32(movie, MOVIE_TICKS_PER_S);
    movie_32(movie, MOVIE_TICKS_PER_S);
    movie_zeroes(movie, 4);
    movie_end(movie);
    movie_begin_full(movie, "hdlr", 0);
    movie_put(movie, "mhlr", 4);
    movie_put(movie, handler, 4);
    movie_zeroes(movie, 13);
    movie_end(movie);
    movie_begin(movie, "minf");
    movie_begin_full(movie, picture ? "vmhd" : "gmhd", picture);
    movie_zeroes(movie, picture ? 8 : 0);
    movie_end(movie);
    movie_begin(movie, "dinf");
    movie_begin_full(movie, "dref", 0);
    movie_32(movie, 1);
    movie_begin_full(movie, "url ", 1);
    movie_ends(movie, 3);
    movie_begin(movie, "stbl");
    movie_describe(movie, handler, codec);
}

/* A table with one row of two numbers, or of one. */
static inline void movie_times(struct movie *movie, uint32_t samples, uint32_t ticks)
{
    movie_begin_full(movie, "stts", 0);
    movie_32(movie, samples > 0);
    if (samples) {
        movie_32(movie, samples);
        movie_32(movie, ticks);
    }
    movie_end(movie);
}

/* All chunks hold that many samples. */
static inline void movie_runs(struct movie *movie, uint32_t samples)
{
    movie_begin_full(movie, "stsc", 0);
    movie_32(movie, samples > 0);
    if (samples) {
        movie_32(movie, 1);
        movie_32(movie, samples);
        movie_32(movie, 1);
    }
    movie_end(movie);
}

static inline void movie_chunks(struct movie *movie, const uint32_t *positions, uint32_t count)
{
    movie_begin_full(movie, "stco", 0);
    movie_32(movie, count);
    for (uint32_t i = 0; i < count; i++)
        movie_32(movie, positions[i]);
    movie_end(movie);
}

/* samples of `bytes` each, or 0: `sizes` say. */
static inline void movie_sizes(struct movie *movie, uint32_t bytes, const uint32_t *sizes,
                               uint32_t samples)
{
    movie_begin_full(movie, "stsz", 0);
    movie_32(movie, bytes);
    movie_32(movie, samples);
    for (uint32_t i = 0; i < samples && !bytes; i++)
        movie_32(movie, sizes[i]);
    movie_end(movie);
}

static inline void movie_save(struct movie *movie, const char *path)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(movie->depth, 0);
    assert_int_equal(fwrite(movie->data, 1, movie->size, file), movie->size);
    assert_int_equal(fclose(file), 0);
    free(movie->data);
    *movie = (struct movie){0};
}

#endif
