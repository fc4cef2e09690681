/* Boxes of ISO/IEC 14496-12, which QuickTime calls atoms: each begins with its size and type. */
#ifndef SCI_PROBE_BOXES_H
#define SCI_PROBE_BOXES_H

#include "probe/media.h"

#include <string.h>

/* ---- in memory ---- */

typedef struct sci_boxes {
    uint8_t *at, *end; /* those that are still to come */
} sci_boxes;

typedef struct sci_box {
    uint8_t *type; /* four characters */
    uint8_t *body, *end;
} sci_box;

/* One that is cut off ends where the others do. False when there is no more. */
bool sci_boxes_next(sci_boxes *boxes, sci_box *box);
bool sci_box_is(const sci_box *box, const char type[4]);
/* The first one of a type; all of *box NULL when there is none. */
bool sci_box_find(const sci_box *parent, const char type[4], sci_box *box);

static inline size_t sci_box_size(const sci_box *box)
{
    return (size_t)(box->end - box->body);
}

static inline sci_boxes sci_box_children(const sci_box *box)
{
    return (sci_boxes){box->body, box->end};
}

/* ---- in the file ---- */

enum { SCI_BOX_HEADER_BYTES = 16 };

typedef struct sci_file_box {
    char type[4];
    int64_t offset, header_bytes, bytes; /* bytes: with the header, as it says */
} sci_file_box;

/* From the 8 to 16 bytes at offset; a box without a size goes on to the end of the file. False when
   it is none. */
bool sci_file_box_parse(const sci_file *file, int64_t offset, const uint8_t *bytes, size_t size,
                        sci_file_box *box);

static inline bool sci_file_box_is(const sci_file_box *box, const char type[4])
{
    return memcmp(box->type, type, 4) == 0;
}

#endif
