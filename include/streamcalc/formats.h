/**
 * streamcalc/formats.h: the catalogue of published stream rates, each row with its source.
 */
#ifndef STREAMCALC_FORMATS_H
#define STREAMCALC_FORMATS_H

#include <streamcalc/core.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a published figure means. */
typedef enum sc_rate_basis {
    SC_RATE_EXACT = 0, /**< every frame has frame_bytes */
    SC_RATE_TARGET,    /**< the encoder's target; material stays below (Apple ProRes: 5 to 10 %) */
    SC_RATE_MAXIMUM,
    SC_RATE_AVERAGE,
    SC_RATE_NOMINAL /**< a name on the box */
} sc_rate_basis;

/** "exact", "target", "maximum", "average", "nominal". */
SC_API const char *sc_rate_basis_name(sc_rate_basis basis);

/** One format at one raster and frame rate. A value; its strings are static. Video essence only. */
typedef struct sc_format {
    const char
        *family;       /**< "prores", "dnxhd", "dnxhr", "xavc", ...: what `--format FAMILY` takes */
    const char *name;  /**< "ProRes 422 HQ", "DNxHD 185x", "DNxHR HQX" */
    const char *codec; /**< FFmpeg's codec name, or "" */
    int32_t width, height;
    sc_rational frame_rate; /**< frames a second; for interlaced formats too */
    bool interlaced;
    int32_t bits;        /**< bits a sample, 0 when the source does not say */
    const char *chroma;  /**< "4:2:2", or "" */
    int64_t bits_per_s;  /**< rate of the video essence */
    int64_t frame_bytes; /**< exact size of a frame, or 0 */
    sc_rate_basis basis;
    sc_source origin; /**< SC_SOURCE_CATALOGUE, or SC_SOURCE_COMPUTED where no row was published */
    const char *source; /**< who published the figure */
} sc_format;

/** Number of rows of the catalogue. */
SC_API size_t sc_format_count(void);
/** Row i. @return SC_OK or SC_INVALID_ARGUMENT */
SC_API sc_status sc_format_get(size_t i, sc_format *format);

/**
 * The rows that an expression names: "prores" (a family), "ProRes 422 HQ" (a name: exactly that one),
 * "prores hq" (a family and words of a name), followed by any of a raster ("3840x2160", "1080",
 * "uhd", "dci 4k") and a frame rate ("25", "23.976", "24000/1001"; "25p" is progressive, "50i" is
 * interlaced with 25 frames). Case does not matter. A height or a word such as "4k" stands for the
 * usual raster of that height, and for others of the height where that one has no row. With raster
 * and rate but no row, families with a formula give computed rows; with raster and rate and no word
 * on the scan, an interlaced row that differs from a progressive one in nothing else is left out.
 * @param[out] formats  array owned by the caller, freed with sc_formats_free()
 * @return SC_OK with at least one row; SC_NOT_FOUND with the nearest names in the message;
 *         SC_INVALID_ARGUMENT naming the part that was not understood; SC_NO_MEMORY
 */
SC_API sc_status sc_formats_find(const char *expression, sc_format **formats, size_t *count,
                                 sc_error *error);
SC_API void sc_formats_free(sc_format **formats);

/**
 * The format with this exact name at a raster and rate: a published row, else computed (frame bytes
 * by the family's formula or in proportion to pixels and frames), else SC_NOT_FOUND. Where there is
 * a progressive and an interlaced row it is the progressive one. Width and height are at most 32767.
 */
SC_API sc_status sc_format_at(const char *name, int32_t width, int32_t height,
                              sc_rational frame_rate, sc_format *format, sc_error *error);

/** "ProRes 422 HQ 3840x2160 25", or for an interlaced one by its fields: "DNxHD 185x 1920x1080 50i".
 *  sc_formats_find() of the label gives the row. "" for NULL. */
SC_API void sc_format_label(const sc_format *format, char *buffer, size_t size);

#ifdef __cplusplus
}
#endif
#endif
