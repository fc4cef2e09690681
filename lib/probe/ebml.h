/* Elements of EBML (RFC 8794), the layer below Matroska: headers only, contents are not read. */
#ifndef SCI_PROBE_EBML_H
#define SCI_PROBE_EBML_H

#include "probe/media.h"

enum { SCI_ELEMENT_HEADER_BYTES = 4 + 8 }; /* at most: identifier and size */

typedef struct sci_element {
    uint32_t id;      /* with its length marker, as the standards write it */
    int64_t start;    /* of the header */
    int64_t contents; /* behind the header */
    int64_t end;      /* never beyond the parent's; of an unknown size the parent's */
    bool size_unknown;
    bool cut; /* its size reaches beyond its parent */
} sci_element;

/* The element at offset, inside a parent that ends at `end`. False at the end, on what is no element
   and where reading stops. */
bool sci_ebml_at(sci_window *window, int64_t offset, int64_t end, sci_element *element);

/* A number of up to 8 bytes with a length marker, at most `room` bytes there; its length, 0 when it
   is none. all_ones: the reserved value, "unknown" for sizes. */
int sci_ebml_number(const uint8_t *bytes, size_t room, uint64_t *value, bool *all_ones);

/* The contents of an element of unsigned integers. */
bool sci_ebml_unsigned(sci_window *window, const sci_element *element, uint64_t *value);
/* Of floating point, 4 or 8 bytes. */
bool sci_ebml_float(sci_window *window, const sci_element *element, double *value);

#endif
