/* What is read: the largest files, cut into regions that are handed out once each. */
#ifndef SCI_MEASURE_EXTENTS_H
#define SCI_MEASURE_EXTENTS_H

#include "core/core.h"
#include "io/watchdog.h"

struct stat;

/* What tells a file from another one that has come to have its path. */
typedef struct sci_file_id {
    bool known;
    uint64_t device, inode;
    int64_t bytes, changed_ns; /* where a file system makes up inodes they change */
} sci_file_id;

sci_file_id sci_file_id_of(const struct stat *status);
/* Whether these are of one regular file; exact: by its number alone. */
bool sci_file_is(const sci_file_id *id, const struct stat *status, bool exact);

typedef struct sci_test_file {
    char *path;
    int64_t bytes;
    bool sparse;    /* holes or compression: fewer bytes are stored than the file has */
    sci_file_id id; /* hard links and symbolic links of one file are one */
    bool repeating; /* one byte or a short pattern over and over, as far as looked at */
} sci_test_file;

typedef struct sci_region {
    uint32_t file;
    int64_t offset, bytes;
    uint32_t pass;  /* the last pass that took it */
    uint32_t point; /* the last point that took it */
    uint32_t users; /* streams that have it now: more than one only where regions are scarce */
} sci_region;

/* What the reader of a result should know. */
typedef struct sci_extents_notes {
    bool walk_limited; /* more entries than are looked at */
    bool unreadable;   /* some files may not be read */
    bool sparse;       /* sparse files had to be used */
    bool repeating;    /* repeating files had to be used */
    size_t shared;     /* files left out, whose data on the storage is that of others */
    bool small;        /* all files are smaller than a block */
    bool elsewhere;    /* some files lie on another file system */
    size_t regions;
    int64_t bytes; /* of all regions */
} sci_extents_notes;

/* Not thread-safe. Zero it, then find (or fill in files), then cut. */
typedef struct sci_extents {
    sci_test_file *files; /* the largest first */
    size_t file_count, file_capacity;
    sci_region *regions; /* in file order */
    size_t region_count, region_capacity;
    uint32_t pass; /* 1 is the first: no byte was read before */
    int64_t block_bytes;
    bool keep_head; /* the first block of each file is in no region */
    /* Of buffered reads, for which regions are as long as there is data for; 0: direct ones, or it
       is not known. */
    int64_t read_ahead_bytes;
    sci_extents_notes notes;
} sci_extents;

/* Collect the file, or the largest regular files below the directory, through symbolic links to
   files but not to directories; hidden ones and other file systems are left out. guard may be
   NULL (no watchdog). */
sc_status sci_extents_find(sci_extents *extents, const char *path, sci_guard *guard,
                           sc_error *error);

/* Choose among the files and cut them for `readers` concurrent ones: whole blocks, on the block
   grid of each file; a file smaller than a block only where there are no others. May be called
   again. */
sc_status sci_extents_cut(sci_extents *extents, int64_t block_bytes, int32_t readers,
                          sc_error *error);

/* Take the next region at or behind the hint, going round, that was not taken in this pass and that
   nobody has; when there is none a new pass begins. A region is shared only where there are fewer
   than streams. region_count must not be 0. */
size_t sci_extents_take(sci_extents *extents, size_t hint);
void sci_extents_give_back(sci_extents *extents, size_t region);

void sci_extents_clear(sci_extents *extents);

/* The path of a name in a directory; malloc'ed, NULL without memory. */
char *sci_path_in(const char *directory, const char *name);

#endif
