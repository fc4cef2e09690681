/* Clips made by the ffmpeg program in a folder of their own, and changed byte by byte. */
#ifndef CLIPS_H
#define CLIPS_H

#include "test.h"

#include <ftw.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char clips_folder[] = "/tmp/sc-clips-XXXXXX";

static inline const char *clip_path(const char *name)
{
    static char paths[8][512];
    static int next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", clips_folder, name);
    return path;
}

/* False, and no file, where this ffmpeg cannot make it. */
static inline bool clip_make(const char *name, const char *arguments)
{
    char command[2048];
    if (access(clip_path(name), R_OK) == 0)
        return true;
    snprintf(command, sizeof command, "cd %s && ffmpeg -nostdin -v quiet -y %s -threads 2 '%s'",
             clips_folder, arguments, name);
    if (system(command) == 0)
        return true;
    unlink(clip_path(name));
    return false;
}

static inline int clip_delete(const char *path, const struct stat *facts, int type,
                              struct FTW *walk)
{
    (void)facts;
    (void)type;
    (void)walk;
    return remove(path);
}

/* ---- bytes ---- */

struct bytes {
    uint8_t *data;
    size_t size;
};

static inline struct bytes bytes_load(const char *name)
{
    struct bytes bytes = {0};
    FILE *file = fopen(clip_path(name), "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    bytes.size = (size_t)ftell(file);
    rewind(file);
    bytes.data = malloc(bytes.size + 1);
    assert_non_null(bytes.data);
    assert_int_equal(fread(bytes.data, 1, bytes.size, file), bytes.size);
    fclose(file);
    return bytes;
}

static inline void bytes_save(struct bytes *bytes, const char *name)
{
    FILE *file = fopen(clip_path(name), "wb");
    assert_non_null(file);
    if (bytes->size)
        assert_int_equal(fwrite(bytes->data, 1, bytes->size, file), bytes->size);
    assert_int_equal(fclose(file), 0);
    free(bytes->data);
    *bytes = (struct bytes){0};
}

static inline uint32_t bytes_u32(const struct bytes *bytes, size_t at)
{
    const uint8_t *p = bytes->data + at;
    assert_true(at + 4 <= bytes->size);
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static inline void bytes_put_u32(struct bytes *bytes, size_t at, uint32_t value)
{
    assert_true(at + 4 <= bytes->size);
    for (size_t i = 0; i < 4; i++)
        bytes->data[at + i] = (uint8_t)(value >> 8 * (3 - i));
}

/* Where the box of that type starts that is the nth (from 0) to be found by its name. */
static inline size_t box_find(const struct bytes *bytes, const char *type, int nth)
{
    for (size_t at = 4; at + 4 <= bytes->size; at++)
        if (memcmp(bytes->data + at, type, 4) == 0 && nth-- == 0)
            return at - 4;
    fail_msg("no box %s", type);
    return 0;
}

#endif
