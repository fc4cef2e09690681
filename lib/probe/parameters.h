/* What decoder configurations and sequence headers say of the picture, without a decoder. Pure. */
#ifndef SCI_PROBE_PARAMETERS_H
#define SCI_PROBE_PARAMETERS_H

#include "core/core.h"
#include "probe/ffmpeg.h"

#include <streamcalc/probe.h>

enum { SCI_LEVEL_TEXT = 12 };

typedef struct sci_parameters {
    int profile; /* SCI_PROFILE(UNKNOWN) when not known */
    char level[SCI_LEVEL_TEXT];
    sc_scan_type scan;
    const char *chroma; /* static; "" when not known */
    int32_t bit_depth;  /* 0 when not known */
} sci_parameters;

/* data: a record of ISO/IEC 14496-15 (avcC, hvcC), av1C, or headers behind start codes. NULL is of
   size 0. What it does not tell stays unknown. */
void sci_parameters_read(enum AVCodecID codec, const uint8_t *data, size_t size,
                         sci_parameters *result);

/* Levels as they are written, of the numbers in headers; "" for those that the codec does not have. */
void sci_level_text(enum AVCodecID codec, int profile, int level, char text[SCI_LEVEL_TEXT]);

#endif
