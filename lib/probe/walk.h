/* Which files a directory stands for. */
#ifndef SCI_PROBE_WALK_H
#define SCI_PROBE_WALK_H

#include "core/core.h"
#include "probe/numbered.h"

typedef struct sci_walk {
    sci_findings *findings;
    sci_control *control;
    int32_t max_depth;
    /* A directory is going to be listed. */
    void (*enter)(void *opaque, const char *path);
    /* A file, in order of names; the path is valid during the call. What is not SC_OK ends the
       walk: SC_LIMIT quietly. */
    sc_status (*take)(void *opaque, const char *path);
    /* Pictures of a directory that are frames of one sequence, in the place of the first of their
       names; valid during the call. */
    sc_status (*take_sequence)(void *opaque, const char *directory, const sci_numbered *frames);
    void *opaque;
    size_t sidecars; /* files passed over because of their names */
} sci_walk;

/* Whether a path reads as a pattern of numbered frames. */
bool sci_walk_is_pattern(const char *path);
/* Take the sequence that it names, also of a single frame. */
sc_status sci_walk_pattern(sci_walk *walk, const char *pattern, sc_error *error);

/* Take the regular files below a directory. Fails only when the directory itself cannot be read,
   without memory, or when cancelled. */
sc_status sci_walk_directory(sci_walk *walk, const char *path, sc_error *error);

#endif
