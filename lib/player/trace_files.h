/* The files of a log, and which of them a thread's descriptor stands for. */
#ifndef SCI_TRACE_FILES_H
#define SCI_TRACE_FILES_H

#include "player/trace_reads.h"

enum { SCI_TRACE_FILES = 512, SCI_TRACE_DESCRIPTORS = 256 };

struct sci_trace_descriptor {
    int64_t thread, number, position;
    struct sci_trace_file *file;
};

/* Zero it first. */
struct sci_trace_table {
    struct sci_trace_file *files[SCI_TRACE_FILES];
    size_t file_count;
    struct sci_trace_descriptor descriptors[SCI_TRACE_DESCRIPTORS]; /* the latest first */
    size_t descriptor_count;
    struct sci_trace_file *latest; /* the one that was named last; most lines name it again */
    bool no_memory;                /* stays set */
};

void sci_trace_table_clear(struct sci_trace_table *table);

/* The file of that name, with strace's escapes, a new one where it is not known; the frames of a
   sequence are one. NULL without memory, or where there are too many. */
struct sci_trace_file *sci_trace_file_named(struct sci_trace_table *table, const char *path,
                                            size_t length);

/* The thread's own, else that of the thread which opened it. file: the one that it has to stand
   for; NULL: any. NULL where there is none. */
struct sci_trace_descriptor *sci_trace_descriptor_find(struct sci_trace_table *table,
                                                       int64_t thread, int64_t number,
                                                       const struct sci_trace_file *file);
/* In place of the one that is unused longest, where there are too many. */
struct sci_trace_descriptor *sci_trace_descriptor_new(struct sci_trace_table *table, int64_t thread,
                                                      int64_t number, struct sci_trace_file *file);
void sci_trace_descriptor_drop(struct sci_trace_table *table, int64_t thread, int64_t number);

#endif
