/* The names that editors use for codecs. Pure. */
#ifndef SCI_PROBE_NAME_H
#define SCI_PROBE_NAME_H

#include "core/core.h"
#include "probe/ffmpeg.h"

typedef struct sci_codec_facts {
    enum AVCodecID codec;
    uint32_t tag; /* four characters, the first one lowest; 0: none */
    int profile;  /* SCI_PROFILE(UNKNOWN) when not known */
    int cid;      /* compression ID of a DNx frame, 0 when not known */
    int32_t width, height;
    sc_rational rate;
    int64_t bits_per_s;       /* SC_UNKNOWN when not known */
    const uint8_t *extradata; /* may be NULL */
    size_t extradata_size;
} sci_codec_facts;

/* Never empty. Returns buffer. */
char *sci_codec_name(const sci_codec_facts *facts, char *buffer, size_t size);

enum { SCI_DNX_HEADER_BYTES = 44 };

/* The compression ID in the header of a DNxHD or DNxHR frame; 0 when it is none. */
int sci_dnx_cid(const uint8_t header[SCI_DNX_HEADER_BYTES]);

#endif
