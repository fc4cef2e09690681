#include "player/trace_files.h"

#include "player/trace_run.h"

#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES = 4096 };

static void file_free(struct sci_trace_file *file)
{
    sci_trace_file_clear(file);
    free(file);
}

void sci_trace_table_clear(struct sci_trace_table *table)
{
    for (size_t i = 0; i < table->file_count; i++)
        file_free(table->files[i]);
    *table = (struct sci_trace_table){0};
}

/* ---- files ---- */

/* Where each frame is a file of its own they are one: "shot.0001.dpx" is "shot.####.dpx". */
static void join_frames(char *path)
{
    static const char *const endings[] = {".dpx", ".exr", ".dng", ".tif",  ".tiff", ".tga", ".j2c",
                                          ".j2k", ".jp2", ".jpg", ".jpeg", ".png",  ".cin", ".ari"};
    char *ending = strrchr(path, '.');
    bool picture = false;
    for (size_t i = 0; ending && i < SCI_COUNT(endings); i++)
        picture = picture || (strlen(ending) == strlen(endings[i]) &&
                              sci_same_letters(ending, endings[i], strlen(endings[i])));
    if (!picture)
        return;
    while (ending > path && ending[-1] >= '0' && ending[-1] <= '9')
        *--ending = '#';
}

/* The one with the fewest bytes makes room, unless a call is at work on it. */
static void forget_file(struct sci_trace_table *table)
{
    size_t least = table->file_count;
    for (size_t i = 0; i < table->file_count; i++)
        if (table->files[i]->held == 0 &&
            (least == table->file_count || table->files[i]->bytes <= table->files[least]->bytes))
            least = i;
    if (least == table->file_count)
        return;
    struct sci_trace_file *file = table->files[least];
    for (size_t i = table->descriptor_count; i-- > 0;)
        if (table->descriptors[i].file == file)
            table->descriptors[i] = table->descriptors[--table->descriptor_count];
    table->latest = NULL;
    file_free(file);
    table->files[least] = table->files[--table->file_count];
}

static struct sci_trace_file *file_new(struct sci_trace_table *table, const char *path)
{
    if (table->file_count == SCI_TRACE_FILES)
        forget_file(table);
    if (table->file_count == SCI_TRACE_FILES)
        return NULL;
    struct sci_trace_file *file = calloc(1, sizeof *file);
    if (file)
        file->path = strdup(path);
    if (!file || !file->path) {
        free(file);
        table->no_memory = true;
        return NULL;
    }
    return table->files[table->file_count++] = file;
}

struct sci_trace_file *sci_trace_file_named(struct sci_trace_table *table, const char *path,
                                            size_t length)
{
    char text[PATH_BYTES];
    sci_trace_unescape(path, length, text, sizeof text);
    join_frames(text);
    if (table->latest && strcmp(table->latest->path, text) == 0)
        return table->latest;
    for (size_t i = table->file_count; i-- > 0;)
        if (strcmp(table->files[i]->path, text) == 0)
            return table->latest = table->files[i];
    return table->latest = file_new(table, text);
}

/* ---- descriptors ---- */

/* The thread's own, else that of the thread which opened it; -y tells whether it is the same file.
   NULL: there is none. */
struct sci_trace_descriptor *sci_trace_descriptor_find(struct sci_trace_table *table,
                                                       int64_t thread, int64_t number,
                                                       const struct sci_trace_file *file)
{
    struct sci_trace_descriptor *found = NULL, *all = table->descriptors;
    for (size_t i = 0; i < table->descriptor_count; i++) {
        if (all[i].number != number || (file && all[i].file != file))
            continue;
        if (all[i].thread == thread)
            return &all[i];
        if (!found)
            found = &all[i];
    }
    return found;
}

struct sci_trace_descriptor *sci_trace_descriptor_new(struct sci_trace_table *table, int64_t thread,
                                                      int64_t number, struct sci_trace_file *file)
{
    if (table->descriptor_count < SCI_TRACE_DESCRIPTORS)
        table->descriptor_count++;
    memmove(&table->descriptors[1], &table->descriptors[0],
            (table->descriptor_count - 1) * sizeof table->descriptors[0]);
    table->descriptors[0] = (struct sci_trace_descriptor){thread, number, 0, file};
    return &table->descriptors[0];
}

void sci_trace_descriptor_drop(struct sci_trace_table *table, int64_t thread, int64_t number)
{
    struct sci_trace_descriptor *gone = sci_trace_descriptor_find(table, thread, number, NULL);
    if (!gone)
        return;
    const size_t behind = table->descriptor_count - (size_t)(gone - table->descriptors) - 1;
    memmove(gone, gone + 1, behind * sizeof *gone);
    table->descriptor_count--;
}
