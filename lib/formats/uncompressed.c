#include "formats/formats.h"

enum { V210, UYVY, DPX10, DPX16, EXR_HALF, KINDS };

static const sci_format_kind kinds[KINDS] = {
    [V210] = {"v210", "v210", 10, "4:2:2", SC_RATE_EXACT,
              "Apple, QuickTime uncompressed Y'CbCr: ceil(width / 48) * 128 * height bytes"},
    [UYVY] = {"2vuy", "rawvideo", 8, "4:2:2", SC_RATE_EXACT,
              "Apple, QuickTime uncompressed Y'CbCr (2vuy, UYVY): width * height * 2 bytes"},
    [DPX10] =
        {"DPX 10", "dpx", 10, "4:4:4", SC_RATE_EXACT,
         "SMPTE ST 268, RGB filled to 32 bits: width * height * 4 bytes and a header of 2048; "
         "writers use longer or shorter headers (FFmpeg 1664)"},
    [DPX16] =
        {"DPX 16", "dpx", 16, "4:4:4", SC_RATE_EXACT,
         "SMPTE ST 268, 16 bit RGB: width * height * 6 bytes and a header of 2048; writers use "
         "longer or shorter headers (FFmpeg 1664)"},
    [EXR_HALF] = {"EXR half", "exr", 16, "4:4:4", SC_RATE_EXACT,
                  "OpenEXR file layout, uncompressed scan lines of half RGB: height * (16 + 6 * "
                  "width) bytes; the attributes, some 400 bytes, are not counted"}};

static const sci_format_raster rasters[] = {
    {1280, 720}, {1920, 1080}, {2048, 1080}, {3840, 2160}, {4096, 2160}};

static int64_t frame_bytes(size_t kind, int64_t width, int64_t height)
{
    static const struct {
        int64_t group_pixels, group_bytes; /* of a line, in whole groups */
        int64_t line_bytes, file_bytes;    /* besides the pixels */
    } layouts[KINDS] = {[V210] = {48, 128, 0, 0},
                        [UYVY] = {2, 4, 0, 0},
                        [DPX10] = {1, 4, 0, 2048},
                        [DPX16] = {1, 6, 0, 2048},
                        [EXR_HALF] = {1, 6, 16, 0}};
    int64_t groups = (width + layouts[kind].group_pixels - 1) / layouts[kind].group_pixels;
    return layouts[kind].file_bytes +
           height * (layouts[kind].line_bytes + groups * layouts[kind].group_bytes);
}

const sci_format_family sci_family_uncompressed = {.name = "uncompressed",
                                                   .title = "uncompressed",
                                                   .kinds = kinds,
                                                   .kind_count = KINDS,
                                                   .count = KINDS * SCI_COUNT(rasters) *
                                                            SCI_FPS_USUAL,
                                                   .row = sci_formula_row,
                                                   .compute = sci_formula_compute,
                                                   .rasters = rasters,
                                                   .raster_count = SCI_COUNT(rasters),
                                                   .frame_bytes = frame_bytes,
                                                   .either_scan = true};
