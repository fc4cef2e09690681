/* One whole disk: its kind, its bus, and how fast such a thing can be. */
#ifndef SCI_MEASURE_DISK_H
#define SCI_MEASURE_DISK_H

#include "measure/facts.h"

enum { SCI_DISK_TEXT = 128 };

typedef struct sci_disk {
    char model[SCI_DISK_TEXT];
    const char *transport; /* static */
    int32_t rotational;
    int64_t bus_bits_per_s;       /* SC_UNKNOWN */
    double plausible_bytes_per_s; /* as in sci_facts */
    char limited_by[SCI_DISK_TEXT];
    bool plausible_certain;
    char address[SCI_DISK_TEXT]; /* of the server of a network block device; "" */
} sci_disk;

/* directory is the canonical one of the whole disk below /sys/devices; its last part is the name. */
void sci_disk_look(const sci_facts_roots *roots, const char *directory, sci_disk *disk);

#endif
