/* Clips in a folder of their own, and the packets that the probe finds in them. */
#ifndef PROBING_H
#define PROBING_H

#include "probe/media.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/test_probe.XXXXXX";

static inline const char *in_folder(const char *name)
{
    static char paths[4][256];
    static unsigned next;
    char *path = paths[next++ & 3];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

struct recipe {
    const char *name, *arguments;
};

/* Three seconds of moving picture and a tone; what this machine's ffmpeg cannot make is not there. */
static inline int make_clips(const struct recipe *recipes, size_t count)
{
    char command[1024];
    if (!mkdtemp(folder))
        return -1;
    for (size_t i = 0; i < count; i++) {
        snprintf(command, sizeof command,
                 "ffmpeg -v quiet -y -f lavfi -i testsrc=size=320x180:rate=30000/1001 -f lavfi -i "
                 "sine=sample_rate=48000 -t 3 %s %s </dev/null",
                 recipes[i].arguments, in_folder(recipes[i].name));
        if (system(command) != 0) {
            print_message("left out: no ffmpeg program that can make %s\n", recipes[i].name);
            unlink(in_folder(recipes[i].name));
        }
    }
    return 0;
}

static inline int remove_clips(void **state)
{
    char command[256];
    (void)state;
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

static inline bool is_there(const char *name)
{
    return access(in_folder(name), R_OK) == 0;
}

struct probing {
    sci_media media;
    sci_arena *arena;
    sci_control control;
    sc_status status;
};

static inline void collect(struct probing *probing, const char *path, bool exact, int64_t max_bytes)
{
    sc_error error = {0};
    const sci_media_limits limits = {.max_bytes = max_bytes, .max_seconds = 60, .exact = exact};
    probing->arena = sci_arena_new();
    sci_control_start(&probing->control, NULL, "probe");
    probing->status = sci_media_open(&probing->media, path, limits, &probing->control,
                                     probing->arena, &error);
    if (probing->status == SC_OK)
        probing->status = sci_collect_packets(&probing->media, &error);
}

static inline void release(struct probing *probing)
{
    sci_media_close(&probing->media);
    sci_arena_free(&probing->arena);
}

static inline const sci_packet *next_of(const sci_packets *packets, int track, size_t *next)
{
    while (*next < packets->count && packets->items[*next].track != track)
        ++*next;
    assert_true(*next < packets->count);
    return &packets->items[(*next)++];
}

static inline void copy_part(const char *from, const char *to, long bytes)
{
    char source[256], *buffer = malloc((size_t)bytes);
    snprintf(source, sizeof source, "%s", in_folder(from));
    FILE *in = fopen(source, "rb"), *out = fopen(in_folder(to), "wb");
    assert_true(in && out && buffer);
    assert_int_equal(fread(buffer, 1, (size_t)bytes, in), bytes);
    assert_int_equal(fwrite(buffer, 1, (size_t)bytes, out), bytes);
    fclose(in);
    fclose(out);
    free(buffer);
}

#endif
