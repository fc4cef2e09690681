/* What the kernel tells of a path's storage, without being root and without running anything. */
#ifndef SCI_MEASURE_FACTS_H
#define SCI_MEASURE_FACTS_H

#include "core/core.h"
#include "io/os.h"
#include <streamcalc/measure.h>

/* Where the kernel's files are; tests have recorded ones. */
typedef struct sci_facts_roots {
    const char *mountinfo;  /* "/proc/self/mountinfo" */
    const char *sys;        /* "/sys" */
    const char *net;        /* "/proc/net" */
    const char *mountstats; /* "/proc/self/mountstats" */
    int (*wireless_rate)(const char *interface, int64_t *bits_per_s);
} sci_facts_roots;

extern const sci_facts_roots sci_facts_system;

/* What a page cache gives. */
#define SCI_MEMORY_BYTES_PER_S 8e9

typedef struct sci_facts {
    sc_storage_facts shown; /* free_bytes is not filled in */
    int32_t disks;          /* whole disks below, 0: none known */
    /* No such storage is faster: a figure above it came from a cache. */
    double plausible_bytes_per_s;
    const char *limited_by; /* what sets it: "USB at 480 Mb/s"; "" where it is memory's speed */
    bool plausible_certain; /* false: hardware that may hide several disks, or memory's speed */
} sci_facts;

/* All unknown, all strings "". */
sc_storage_facts sci_facts_unknown(void);

/* Facts of the mount that holds real_path (canonical). Strings lie in the arena. Never touches the
   mount. What is not known stays so; SC_NO_MEMORY is the one failure. */
sc_status sci_facts_read(const sci_facts_roots *roots, const sci_os_info *info,
                         const char *real_path, sci_arena *arena, sci_facts *facts,
                         sc_error *error);

#endif
