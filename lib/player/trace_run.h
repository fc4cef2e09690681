/* One read of a file, added to what is known of that file. */
#ifndef SCI_TRACE_RUN_H
#define SCI_TRACE_RUN_H

#include "player/trace_reads.h"

struct sci_trace_read {
    double begin_s, end_s;
    bool timed; /* end_s is the read's own, not only that of a later line */
    int64_t thread, asked_bytes, offset, bytes;
    int32_t in_flight; /* when it began, itself counted */
};

/* False without memory. */
bool sci_trace_file_add(struct sci_trace_file *file, const struct sci_trace_read *read);
void sci_trace_file_clear(struct sci_trace_file *file);

#endif
