/* Which files a path stands for. */
#ifndef SCI_PROBE_WALK_H
#define SCI_PROBE_WALK_H

#include "core/core.h"

typedef struct sci_walk {
    sci_arena *arena;
    sci_findings *findings;
    sci_control *control;
    int32_t max_depth, max_files;
    const char **paths; /* malloc'ed; the texts lie in the arena */
    size_t count, capacity;
    size_t empty; /* files of 0 bytes that are named as footage: passed over */
    bool full;    /* max_files was reached */
} sci_walk;

/* Append the regular files below a directory, in order of names. Fails only when the directory
   itself cannot be read, without memory, or when cancelled. */
sc_status sci_walk_directory(sci_walk *walk, const char *path, sc_error *error);

/* Whether the name ends as those of footage do: its failure is worth a line of its own. */
bool sci_is_media_name(const char *path);

#endif
