/* The names that editors use for codecs. Pure. */
#ifndef SCI_PROBE_NAME_H
#define SCI_PROBE_NAME_H

#include "core/core.h"
#include "probe/ffmpeg.h"

#include <streamcalc/probe.h>

/* What a picture descriptor of MXF says. */
typedef struct sci_descriptor {
    bool set;
    uint8_t label[16];  /* of the coding; zeros: none */
    const char *chroma; /* static; "" when not known */
    int32_t bit_depth;  /* 0 when not known */
    sc_scan_type scan;
} sci_descriptor;

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
    int level;                        /* the codec's number, SCI_LEVEL_UNKNOWN when not known */
    enum AVFieldOrder field_order;    /* of the container, or a decoder's */
    const AVPixFmtDescriptor *pixels; /* a decoder's; NULL when not known */
    int sample_bits;                  /* those that count of a sample in there; 0: all */
    int tag_bits;                     /* of a pixel, as QuickTime counts them: 32 with alpha */
    const uint8_t *head;              /* the start of the first packet; NULL: it was not read */
    size_t head_size;
    const sci_descriptor *descriptor; /* of MXF, NULL: none */
    const char *brand, *maker; /* of MP4: the major brand; of MXF: the company; may be NULL */
} sci_codec_facts;

/* What is always so with a kind of a codec. */
typedef struct sci_flavour {
    const char *name, *chroma; /* chroma "": it varies */
    int32_t bit_depth;         /* 0: it varies */
    sc_scan_type scan;
} sci_flavour;

/* By tag, label or profile; NULL: none is known. */
const sci_flavour *sci_flavour_of(const sci_codec_facts *facts);
/* FFmpeg's number, also from a decoder configuration; SCI_PROFILE(UNKNOWN) when not known. */
int sci_profile_of(const sci_codec_facts *facts);

/* Never empty. Returns buffer. */
char *sci_codec_name(const sci_codec_facts *facts, char *buffer, size_t size);

enum { SCI_DNX_HEADER_BYTES = 44 };

/* The compression ID in the header of a DNxHD or DNxHR frame; 0 when it is none. */
int sci_dnx_cid(const uint8_t header[SCI_DNX_HEADER_BYTES]);

#endif
