/* What a pixel format tells. Pure. */
#ifndef SCI_PROBE_PIXELS_H
#define SCI_PROBE_PIXELS_H

#include <libavutil/pixdesc.h>

/* Static; "" for those that have none of the usual kinds. */
const char *sci_chroma_of_pixels(const AVPixFmtDescriptor *pixels);

#endif
