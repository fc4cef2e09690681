/* Internal parts of the catalogue: what a family of formats is made of.
   A new family is one new file with a const sci_format_family, declared below, and one line in the
   table of families in formats.c. */
#ifndef SCI_FORMATS_H
#define SCI_FORMATS_H

#include "core/core.h"

#include <streamcalc/formats.h>

/* Frame rates of the tables. Those before SCI_FPS_USUAL are what formula families are listed at. */
enum {
    SCI_FPS_23_976,
    SCI_FPS_24,
    SCI_FPS_25,
    SCI_FPS_29_97,
    SCI_FPS_30,
    SCI_FPS_50,
    SCI_FPS_59_94,
    SCI_FPS_60,
    SCI_FPS_USUAL,
    SCI_FPS_100 = SCI_FPS_USUAL,
    SCI_FPS_119_88,
    SCI_FPS_COUNT
};
extern const sc_rational sci_fps[SCI_FPS_COUNT];

typedef enum sci_scan {
    SCI_SCAN_ANY, /* of a row: the figure holds for progressive and interlaced material */
    SCI_SCAN_PROGRESSIVE,
    SCI_SCAN_INTERLACED
} sci_scan;

/* What all rows of one name share. */
typedef struct sci_format_kind {
    const char *name, *codec;
    int32_t bits;
    const char *chroma;
    sc_rate_basis basis;
    const char *source;
} sci_format_kind;

/* One published row. Either frame_bytes or kbit_per_s is given. */
typedef struct sci_format_entry {
    uint8_t kind, fps, scan;
    int16_t width, height;
    int32_t frame_bytes;
    int32_t kbit_per_s;
} sci_format_entry;

typedef struct sci_format_raster {
    int16_t width, height;
} sci_format_raster;

typedef struct sci_format_row {
    sc_format format;
    size_t kind;
    bool either_scan;
} sci_format_row;

typedef struct sci_format_family sci_format_family;
struct sci_format_family {
    const char *name;  /* "braw" */
    const char *title; /* "Blackmagic RAW": serves like the name in an expression */
    const sci_format_kind *kinds;
    size_t kind_count; /* at most 64 */
    size_t count;      /* rows */
    void (*row)(const sci_format_family *family, size_t i, sci_format_row *row);
    /* The row of a kind at a raster and rate that has none. NULL or false: cannot be computed. */
    bool (*compute)(const sci_format_family *family, size_t kind, sci_format_raster raster,
                    sc_rational frame_rate, sci_format_row *row);
    /* Of a family with listed rows. */
    const sci_format_entry *entries;
    const char *computed_source;
    /* Of a family with a formula: rows are kinds x rasters x usual rates. */
    const sci_format_raster *rasters;
    size_t raster_count;
    int64_t (*frame_bytes)(size_t kind, int64_t width, int64_t height);
    bool either_scan;
};

extern const sci_format_family sci_family_prores, sci_family_dnxhd, sci_family_dnxhr,
    sci_family_avc_intra, sci_family_dv, sci_family_imx, sci_family_xavc_i, sci_family_xavc_s,
    sci_family_avchd, sci_family_xdcam, sci_family_iphone, sci_family_braw, sci_family_canon_raw,
    sci_family_redcode, sci_family_arriraw, sci_family_uncompressed;

/* ---- tables.c: what families are put together from ---- */

void sci_row_of_kind(const sci_format_family *family, size_t kind, sci_format_row *row);
/* Set raster and rate. */
void sci_row_place(sci_format_row *row, sci_format_raster raster, sc_rational frame_rate);
/* Set the exact frame size and the rate that follows from it. The row has its frame rate. */
void sci_row_frame_bytes(sci_format_row *row, int64_t frame_bytes);

void sci_listed_row(const sci_format_family *family, size_t i, sci_format_row *row);
/* From the listed row of the same raster whose rate differs by 1000/1001: the same frames. */
bool sci_listed_neighbour(const sci_format_family *family, size_t kind, sci_format_raster raster,
                          sc_rational frame_rate, sci_format_row *row);
/* From a listed row of the same raster, in proportion to frames. */
bool sci_listed_proportion(const sci_format_family *family, size_t kind, sci_format_raster raster,
                           sc_rational frame_rate, sci_format_row *row);
void sci_formula_row(const sci_format_family *family, size_t i, sci_format_row *row);
bool sci_formula_compute(const sci_format_family *family, size_t kind, sci_format_raster raster,
                         sc_rational frame_rate, sci_format_row *row);

sc_rational sci_rational_reduce(sc_rational ratio);
bool sci_rational_equal(sc_rational a, sc_rational b); /* of reduced ratios */

/* ---- formats.c ---- */

/* NULL behind the last. */
const sci_format_family *sci_format_family_at(size_t i);

/* ---- query.c: the text of an expression ---- */

typedef struct sci_format_query {
    const sci_format_family *family;
    uint64_t kinds;           /* bit k: kind k of the family is wanted */
    bool by_name;             /* the subject was a full name, not a family */
    sci_format_raster raster; /* 0x0: any */
    bool any_width;           /* raster was a height: other widths do where this one has no row */
    sc_rational frame_rate;   /* 0/0: any */
    sci_scan scan;
} sci_format_query;

sc_status sci_format_query_parse(const char *expression, sci_format_query *query, sc_error *error);
/* How much of text spells name, ignoring case and the separators within, up to the end of a word;
   0 when it does not. */
size_t sci_match_words(const char *text, const char *name);

/* ---- suggest.c ---- */

/* "; nearest: A, B, C" for what text begins with, else the list of families. With subject_known,
   text begins with a name or family, and what follows it was not understood: names that differ in
   one letter, or nothing. */
void sci_format_suggest(const char *text, bool subject_known, char *buffer, size_t size);

#endif
