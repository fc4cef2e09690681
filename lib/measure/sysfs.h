/* Small files of /sys, one value each, and the texts that are made of them. */
#ifndef SCI_MEASURE_SYSFS_H
#define SCI_MEASURE_SYSFS_H

#include "core/core.h"

/* "directory/name"; false where it is too long. */
bool sci_sysfs_path(char *path, size_t size, const char *directory, const char *name);
/* The first line without the spaces around it; "" and false when it cannot be read. */
bool sci_sysfs_text(const char *directory, const char *name, char *text, size_t size);
/* A whole number, 0 or more; SC_UNKNOWN. */
int64_t sci_sysfs_number(const char *directory, const char *name);
bool sci_sysfs_exists(const char *directory, const char *name);
/* The last part of where a link leads; "" and false where there is none. */
bool sci_sysfs_link(const char *directory, const char *name, char *text, size_t size);

/* A whole number, 0 or more, and nothing else; SC_UNKNOWN. */
int64_t sci_whole_number(const char *text);
bool sci_begins(const char *text, const char *start);

/* A directory's entries in order of their names. */
enum { SCI_ENTRIES_MAX = 256 };
typedef struct sci_entries {
    char (*names)[256];
    size_t count;
} sci_entries;

/* Those that begin with `start`, or as many of them as are kept; none where the directory is not
   there. False without memory. Free with sci_entries_free. */
bool sci_entries_read(const char *directory, const char *start, sci_entries *entries);
void sci_entries_free(sci_entries *entries);

/* "480 Mb/s", "2.5 Gb/s". Returns text. */
const char *sci_bits_text(char *text, size_t size, int64_t bits_per_s);
/* Add text behind what the list holds, with the separator between the two. What does not fit
   becomes "...", which ends the list; false then. */
bool sci_add_text(char *list, size_t size, const char *separator, const char *text);
bool sci_list_holds(const char *list, const char *separator, const char *text);

#endif
