/* The block devices below a mount: partitions, LVM, RAID, images and the disks at the bottom. */
#ifndef SCI_MEASURE_DEVICES_H
#define SCI_MEASURE_DEVICES_H

#include "measure/facts.h"
#include "measure/mounts.h"

typedef struct sci_devices {
    sc_disk_facts shown;
    int32_t rotational, cache_below; /* as in sc_storage_facts */
    int32_t count;                   /* whole disks, 0: none known */
    bool memory;                     /* one of them, or where its image lies, is none but memory */
    int64_t read_ahead_bytes;        /* of the device that the file system lies on; SC_UNKNOWN */
    double plausible_bytes_per_s;    /* as in sci_facts */
    const char *limited_by;
    bool plausible_certain;
    const char *address; /* of the one server of network block devices; "" */
} sci_devices;

sc_disk_facts sci_disk_facts_unknown(void);
/* False without memory. Strings lie in the arena. */
bool sci_devices_find(const sci_facts_roots *roots, const sci_mount *mount, sci_arena *arena,
                      sci_devices *devices);

#endif
