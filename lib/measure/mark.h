/* How a file of test data is told from everything else: by its name and by its first bytes. */
#ifndef SCI_MEASURE_MARK_H
#define SCI_MEASURE_MARK_H

#include "core/core.h"

enum { SCI_MARK_BYTES = 512, SCI_MARK_NAME_MAX = 96 };

/* Who made a file, and when. */
typedef struct sci_mark {
    int64_t pid;
    int64_t made_s; /* of the UTC clock, since 1970 */
    int32_t number; /* of several */
    /* In the first bytes alone. */
    char host[64];    /* "" not known */
    uint64_t machine; /* as of sci_os_machine(); 0: not known */
    uint64_t space;   /* as of sci_os_process_space(): of which the pid is one; 0: not known */
} sci_mark;

/* Of this process, now. */
sci_mark sci_mark_now(void);

/* ".streamcalc-test-PID-TIME-NUMBER.bin"; TIME in seconds since 1970. */
void sci_mark_name(const sci_mark *mark, char name[SCI_MARK_NAME_MAX]);
/* False where it is not exactly such a name. Sets what stands in the name. */
bool sci_mark_from_name(const char *name, sci_mark *mark);

/* The first bytes: a line of text that says what the file is, and who made it. */
void sci_mark_write(const sci_mark *mark, char bytes[SCI_MARK_BYTES]);
/* False where these are not the first bytes of such a file. Sets the host, the machine and the space,
   which older ones do not have. */
bool sci_mark_read(const char bytes[SCI_MARK_BYTES], sci_mark *mark);

/* Whether nobody needs the file any more: its process was one of this machine, and of
   those that are seen from here, and is gone, or the
   file is older than seven days, in which 16 TiB are written at 30 MB/s. */
bool sci_mark_is_over(const sci_mark *mark);

#endif
