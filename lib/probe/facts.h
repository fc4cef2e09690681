/* What the picture of a video track is: level, scan, chroma, bit depth. Pure. */
#ifndef SCI_PROBE_FACTS_H
#define SCI_PROBE_FACTS_H

#include "probe/name.h"
#include "probe/parameters.h"

typedef struct sci_picture_facts {
    char level[SCI_LEVEL_TEXT];
    sc_scan_type scan;
    const char *chroma; /* static; "" when not known */
    int32_t bit_depth;  /* 0 when not known */
} sci_picture_facts;

void sci_picture_facts_of(const sci_codec_facts *facts, sci_picture_facts *picture);

#endif
