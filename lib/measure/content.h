/* What is in the files: whether reading them reads as much from the storage as arrives. */
#ifndef SCI_MEASURE_CONTENT_H
#define SCI_MEASURE_CONTENT_H

#include "measure/extents.h"

/* Look at the files, the largest first: mark those that are one hole, compressed by the file
   system or repeating, and leave out those whose data on the storage is that of a larger one.
   What the file system does not tell is taken as sound. False without memory. */
bool sci_content_look(sci_extents *extents, sci_guard *guard);

/* ---- the pure parts ---- */

/* A piece of storage that the file system says is shared. */
typedef struct sci_shared_piece {
    int64_t physical, bytes;
    uint32_t file;
} sci_shared_piece;

/* Set copies[file] of every file that has a piece of storage in common with one of a lower number.
   Sorts the pieces. */
void sci_content_find_copies(sci_shared_piece *pieces, size_t count, bool *copies);

/* Whether the bytes are a pattern of at most half their number over and over. */
bool sci_content_repeats(const unsigned char *bytes, size_t count);

#endif
