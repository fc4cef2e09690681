/* The header of one picture of a sequence: what it is, and how large it has to be. */
#ifndef SCI_PROBE_PICTURE_H
#define SCI_PROBE_PICTURE_H

#include "probe/media.h"

enum { SCI_PICTURE_SIDE_MAX = 1 << 20 }; /* pixels: a header that says more is damaged */

typedef struct sci_picture {
    enum AVCodecID codec;
    char name[SC_NAME_MAX]; /* as in the catalogue of formats: "DPX 10", "EXR half ZIP" */
    const char *chroma;     /* as in sc_track; NULL: not known */
    int32_t bit_depth;      /* 0: not known */
    int32_t width, height;  /* 1 to SCI_PICTURE_SIDE_MAX */
    sc_rational rate;       /* frames a second; 0/0: it does not tell */
    bool uncompressed;      /* all pictures like it are of one size */
    int64_t least_bytes;    /* what the pixels and the header take; 0: not known */
} sci_picture;

/* Read the header of an opened file, a few kilobytes. False when it is none that is known, damaged
   or cut off (file->limited, cancelled and os_errno tell which). */
bool sci_picture_read(sci_file *file, sci_picture *picture);

/* One kind of picture each, told by its first bytes; *picture is zeroed before. False: damaged. */
bool sci_picture_exr(sci_window *window, sci_picture *picture);  /* picture_exr.c */
bool sci_picture_tiff(sci_window *window, sci_picture *picture); /* picture_tiff.c: DNG too */

/* Frames a second as a header has it; 0/0 where that is none of footage. */
sc_rational sci_picture_rate(double fps);

#endif
