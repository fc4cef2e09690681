#include "formats/formats.h"

/* ---- DNxHD: frame sizes fixed for each compression ID (CID) ---- */

static const char hd_source[] =
    "VC-3 compression ID tables of FFmpeg (dnxhd) and ebu/bmx: bytes a frame, times the frame rate";

enum {
    HD_175X,
    HD_185X,
    HD_220X,
    HD_365X,
    HD_440X,
    HD_115,
    HD_120,
    HD_145,
    HD_240,
    HD_290,
    HD_175,
    HD_185,
    HD_220,
    HD_365,
    HD_440,
    HD_120_TR,
    HD_145_TR,
    HD_90X,
    HD_110X,
    HD_180X,
    HD_90,
    HD_110,
    HD_60,
    HD_75,
    HD_36,
    HD_45,
    HD_350X_444,
    HD_365X_444,
    HD_440X_444,
    HD_TR_720,
    HD_80_TRP,
    HD_85_TRP,
    HD_100_TRP,
    HD_KINDS
};

static const sci_format_kind hd_kinds[HD_KINDS] = {
    [HD_175X] = {"DNxHD 175x", "dnxhd", 10, "4:2:2", SC_RATE_EXACT, hd_source},
    [HD_185X] = {"DNxHD 185x", "dnxhd", 10, "4:2:2", SC_RATE_EXACT, hd_source},
    [HD_220X] = {"DNxHD 220x", "dnxhd", 10, "4:2:2", SC_RATE_EXACT, hd_source},
    [HD_365X] = {"DNxHD 365x", "dnxhd", 10, "4:2:2", SC_RATE_EXACT, hd_source},
    [HD_440X] = {"DNxHD 440x", "dnxhd", 10, "4:2:2", SC_RATE_EXACT, hd_source},
    [HD_115] = {"DNxHD 115", "dnxhd", 8, "4:2:2", SC_RATE_EXACT, hd_source},
    [HD_120] = {"DNxHD 120", "dnxhd", 8, "4:2:2", SC_RATE_EXACT, hd_source},
    [HD_145] = {"DNxHD 145", "dnxhd", 8, "4:2:2", SC_RATE_EXACT, hd_source},
    [HD_240] = {"DNxHD 240", "dnxhd", 8, "4:2:2", SC_RATE_EXACT, hd_source},
    [HD_290] = {"DNxHD 290", "dnxhd", 8, "4:2:2", SC_RATE_EXACT, hd_source},
    [HD_175] = {"DNxHD 175", "dnxhd", 8, "4:2:2", SC_RATE_EXACT, hd_source},
    [HD_185] = {"DNxHD 185", "dnxhd", 8, "4:2:2", SC_RATE_EXACT, hd_source},
    [HD_220] = {"DNxHD 220", "dnxhd", 8, "4:2:2", SC_RATE_EXACT, hd_source},
    [HD_365] = {"DNxHD 365", "dnxhd", 8, "4:2:2", SC_RATE_EXACT, hd_source},
    [HD_440] = {"DNxHD 440", "dnxhd", 8, "4:2:2", SC_RATE_EXACT, hd_source},
    [HD_120_TR] = {"DNxHD 120 TR", "dnxhd", 8, "4:2:2", SC_RATE_EXACT, hd_source},
    [HD_145_TR] = {"DNxHD 145 TR", "dnxhd", 8, "4:2:2", SC_RATE_EXACT, hd_source},
    [HD_90X] = {"DNxHD 90x", "dnxhd", 10, "4:2:2", SC_RATE_EXACT, hd_source},
    [HD_110X] = {"DNxHD 110x", "dnxhd", 10, "4:2:2", SC_RATE_EXACT, hd_source},
    [HD_180X] = {"DNxHD 180x", "dnxhd", 10, "4:2:2", SC_RATE_EXACT, hd_source},
    [HD_90] = {"DNxHD 90", "dnxhd", 8, "4:2:2", SC_RATE_EXACT, hd_source},
    [HD_110] = {"DNxHD 110", "dnxhd", 8, "4:2:2", SC_RATE_EXACT, hd_source},
    [HD_60] = {"DNxHD 60", "dnxhd", 8, "4:2:2", SC_RATE_EXACT, hd_source},
    [HD_75] = {"DNxHD 75", "dnxhd", 8, "4:2:2", SC_RATE_EXACT, hd_source},
    [HD_36] = {"DNxHD 36", "dnxhd", 8, "4:2:2", SC_RATE_EXACT, hd_source},
    [HD_45] = {"DNxHD 45", "dnxhd", 8, "4:2:2", SC_RATE_EXACT, hd_source},
    [HD_350X_444] = {"DNxHD 350x 444", "dnxhd", 10, "4:4:4", SC_RATE_EXACT, hd_source},
    [HD_365X_444] = {"DNxHD 365x 444", "dnxhd", 10, "4:4:4", SC_RATE_EXACT, hd_source},
    [HD_440X_444] = {"DNxHD 440x 444", "dnxhd", 10, "4:4:4", SC_RATE_EXACT, hd_source},
    [HD_TR_720] = {"DNxHD TR 720", "dnxhd", 8, "4:2:2", SC_RATE_EXACT, hd_source},
    [HD_80_TRP] = {"DNxHD 80 TR+", "dnxhd", 8, "4:2:2", SC_RATE_EXACT, hd_source},
    [HD_85_TRP] = {"DNxHD 85 TR+", "dnxhd", 8, "4:2:2", SC_RATE_EXACT, hd_source},
    [HD_100_TRP] = {"DNxHD 100 TR+", "dnxhd", 8, "4:2:2", SC_RATE_EXACT, hd_source},
};

static const sci_format_entry hd_entries[] = {
    /* CID 1235 */
    {HD_175X, SCI_FPS_23_976, SCI_SCAN_PROGRESSIVE, 1920, 1080, 917504, 0},
    {HD_175X, SCI_FPS_24, SCI_SCAN_PROGRESSIVE, 1920, 1080, 917504, 0},
    {HD_185X, SCI_FPS_25, SCI_SCAN_PROGRESSIVE, 1920, 1080, 917504, 0},
    {HD_220X, SCI_FPS_29_97, SCI_SCAN_PROGRESSIVE, 1920, 1080, 917504, 0},
    {HD_365X, SCI_FPS_50, SCI_SCAN_PROGRESSIVE, 1920, 1080, 917504, 0},
    {HD_440X, SCI_FPS_59_94, SCI_SCAN_PROGRESSIVE, 1920, 1080, 917504, 0},
    {HD_440X, SCI_FPS_60, SCI_SCAN_PROGRESSIVE, 1920, 1080, 917504, 0},
    /* CID 1237 */
    {HD_115, SCI_FPS_23_976, SCI_SCAN_PROGRESSIVE, 1920, 1080, 606208, 0},
    {HD_115, SCI_FPS_24, SCI_SCAN_PROGRESSIVE, 1920, 1080, 606208, 0},
    {HD_120, SCI_FPS_25, SCI_SCAN_PROGRESSIVE, 1920, 1080, 606208, 0},
    {HD_145, SCI_FPS_29_97, SCI_SCAN_PROGRESSIVE, 1920, 1080, 606208, 0},
    {HD_240, SCI_FPS_50, SCI_SCAN_PROGRESSIVE, 1920, 1080, 606208, 0},
    {HD_290, SCI_FPS_59_94, SCI_SCAN_PROGRESSIVE, 1920, 1080, 606208, 0},
    {HD_290, SCI_FPS_60, SCI_SCAN_PROGRESSIVE, 1920, 1080, 606208, 0},
    /* CID 1238 */
    {HD_175, SCI_FPS_23_976, SCI_SCAN_PROGRESSIVE, 1920, 1080, 917504, 0},
    {HD_175, SCI_FPS_24, SCI_SCAN_PROGRESSIVE, 1920, 1080, 917504, 0},
    {HD_185, SCI_FPS_25, SCI_SCAN_PROGRESSIVE, 1920, 1080, 917504, 0},
    {HD_220, SCI_FPS_29_97, SCI_SCAN_PROGRESSIVE, 1920, 1080, 917504, 0},
    {HD_365, SCI_FPS_50, SCI_SCAN_PROGRESSIVE, 1920, 1080, 917504, 0},
    {HD_440, SCI_FPS_59_94, SCI_SCAN_PROGRESSIVE, 1920, 1080, 917504, 0},
    {HD_440, SCI_FPS_60, SCI_SCAN_PROGRESSIVE, 1920, 1080, 917504, 0},
    /* CID 1241 */
    {HD_185X, SCI_FPS_25, SCI_SCAN_INTERLACED, 1920, 1080, 917504, 0},
    {HD_220X, SCI_FPS_29_97, SCI_SCAN_INTERLACED, 1920, 1080, 917504, 0},
    /* CID 1242 */
    {HD_120, SCI_FPS_25, SCI_SCAN_INTERLACED, 1920, 1080, 606208, 0},
    {HD_145, SCI_FPS_29_97, SCI_SCAN_INTERLACED, 1920, 1080, 606208, 0},
    /* CID 1243 */
    {HD_185, SCI_FPS_25, SCI_SCAN_INTERLACED, 1920, 1080, 917504, 0},
    {HD_220, SCI_FPS_29_97, SCI_SCAN_INTERLACED, 1920, 1080, 917504, 0},
    /* CID 1244 */
    {HD_120_TR, SCI_FPS_25, SCI_SCAN_INTERLACED, 1440, 1080, 606208, 0},
    {HD_145_TR, SCI_FPS_29_97, SCI_SCAN_INTERLACED, 1440, 1080, 606208, 0},
    /* CID 1250 */
    {HD_90X, SCI_FPS_23_976, SCI_SCAN_PROGRESSIVE, 1280, 720, 458752, 0},
    {HD_90X, SCI_FPS_25, SCI_SCAN_PROGRESSIVE, 1280, 720, 458752, 0},
    {HD_110X, SCI_FPS_29_97, SCI_SCAN_PROGRESSIVE, 1280, 720, 458752, 0},
    {HD_180X, SCI_FPS_50, SCI_SCAN_PROGRESSIVE, 1280, 720, 458752, 0},
    {HD_220X, SCI_FPS_59_94, SCI_SCAN_PROGRESSIVE, 1280, 720, 458752, 0},
    /* CID 1251 */
    {HD_90, SCI_FPS_23_976, SCI_SCAN_PROGRESSIVE, 1280, 720, 458752, 0},
    {HD_90, SCI_FPS_25, SCI_SCAN_PROGRESSIVE, 1280, 720, 458752, 0},
    {HD_110, SCI_FPS_29_97, SCI_SCAN_PROGRESSIVE, 1280, 720, 458752, 0},
    {HD_175, SCI_FPS_50, SCI_SCAN_PROGRESSIVE, 1280, 720, 458752, 0},
    {HD_220, SCI_FPS_59_94, SCI_SCAN_PROGRESSIVE, 1280, 720, 458752, 0},
    /* CID 1252 */
    {HD_60, SCI_FPS_23_976, SCI_SCAN_PROGRESSIVE, 1280, 720, 303104, 0},
    {HD_60, SCI_FPS_25, SCI_SCAN_PROGRESSIVE, 1280, 720, 303104, 0},
    {HD_75, SCI_FPS_29_97, SCI_SCAN_PROGRESSIVE, 1280, 720, 303104, 0},
    {HD_115, SCI_FPS_50, SCI_SCAN_PROGRESSIVE, 1280, 720, 303104, 0},
    {HD_145, SCI_FPS_59_94, SCI_SCAN_PROGRESSIVE, 1280, 720, 303104, 0},
    /* CID 1253 */
    {HD_36, SCI_FPS_23_976, SCI_SCAN_PROGRESSIVE, 1920, 1080, 188416, 0},
    {HD_36, SCI_FPS_24, SCI_SCAN_PROGRESSIVE, 1920, 1080, 188416, 0},
    {HD_36, SCI_FPS_25, SCI_SCAN_PROGRESSIVE, 1920, 1080, 188416, 0},
    {HD_45, SCI_FPS_29_97, SCI_SCAN_PROGRESSIVE, 1920, 1080, 188416, 0},
    {HD_75, SCI_FPS_50, SCI_SCAN_PROGRESSIVE, 1920, 1080, 188416, 0},
    {HD_90, SCI_FPS_59_94, SCI_SCAN_PROGRESSIVE, 1920, 1080, 188416, 0},
    {HD_90, SCI_FPS_60, SCI_SCAN_PROGRESSIVE, 1920, 1080, 188416, 0},
    /* CID 1256 */
    {HD_350X_444, SCI_FPS_23_976, SCI_SCAN_PROGRESSIVE, 1920, 1080, 1835008, 0},
    {HD_350X_444, SCI_FPS_24, SCI_SCAN_PROGRESSIVE, 1920, 1080, 1835008, 0},
    {HD_365X_444, SCI_FPS_25, SCI_SCAN_PROGRESSIVE, 1920, 1080, 1835008, 0},
    {HD_440X_444, SCI_FPS_29_97, SCI_SCAN_PROGRESSIVE, 1920, 1080, 1835008, 0},
    /* CID 1258 */
    {HD_TR_720, SCI_FPS_23_976, SCI_SCAN_PROGRESSIVE, 960, 720, 212992, 0},
    {HD_TR_720, SCI_FPS_50, SCI_SCAN_PROGRESSIVE, 960, 720, 212992, 0},
    {HD_TR_720, SCI_FPS_59_94, SCI_SCAN_PROGRESSIVE, 960, 720, 212992, 0},
    /* CID 1259 */
    {HD_80_TRP, SCI_FPS_23_976, SCI_SCAN_PROGRESSIVE, 1440, 1080, 417792, 0},
    {HD_85_TRP, SCI_FPS_25, SCI_SCAN_PROGRESSIVE, 1440, 1080, 417792, 0},
    {HD_100_TRP, SCI_FPS_29_97, SCI_SCAN_PROGRESSIVE, 1440, 1080, 417792, 0},
    /* CID 1260 */
    {HD_85_TRP, SCI_FPS_25, SCI_SCAN_INTERLACED, 1440, 1080, 417792, 0},
    {HD_100_TRP, SCI_FPS_29_97, SCI_SCAN_INTERLACED, 1440, 1080, 417792, 0},
};

const sci_format_family sci_family_dnxhd = {
    .name = "dnxhd",
    .title = "DNxHD",
    .kinds = hd_kinds,
    .kind_count = HD_KINDS,
    .count = SCI_COUNT(hd_entries),
    .row = sci_listed_row,
    .compute = sci_listed_neighbour,
    .entries = hd_entries,
    .computed_source = "computed from the frame size at the nearest listed rate (VC-3 compression "
                       "ID tables of FFmpeg and ebu/bmx)"};

/* ---- DNxHR: frame sizes by formula, for any raster ---- */

enum { HR_444, HR_HQX, HR_HQ, HR_SQ, HR_LB, HR_KINDS };

static const char hr_source[] =
    "VC-3 frame size formula as FFmpeg's dnxhd encoder applies it: max(8192, macroblocks * k / 255 "
    "rounded to 4096) bytes";
static const char hr_published[] =
    "Root6, DNxHR format support: published bytes a frame, equal to the VC-3 formula";
static const char hr_published_lower[] =
    "VC-3 frame size formula as FFmpeg's dnxhd encoder applies it; the published 2K sizes (Root6, "
    "DNxHR format support) are 0.6 to 0.8 % lower";

static const sci_format_kind hr_kinds[HR_KINDS] = {
    [HR_444] = {"DNxHR 444", "dnxhd", 12, "4:4:4", SC_RATE_EXACT, hr_source},
    [HR_HQX] = {"DNxHR HQX", "dnxhd", 12, "4:2:2", SC_RATE_EXACT, hr_source},
    [HR_HQ] = {"DNxHR HQ", "dnxhd", 8, "4:2:2", SC_RATE_EXACT, hr_source},
    [HR_SQ] = {"DNxHR SQ", "dnxhd", 8, "4:2:2", SC_RATE_EXACT, hr_source},
    [HR_LB] = {"DNxHR LB", "dnxhd", 8, "4:2:2", SC_RATE_EXACT, hr_source}};

static const sci_format_raster hr_rasters[] = {
    {1280, 720},  {1920, 1080}, {2048, 1080}, {2048, 1556}, {3840, 2160}, {4096, 2160},
    {4096, 3112}, {5120, 2700}, {6144, 3240}, {7680, 4320}, {8192, 4320}};

/* Published bytes a frame. */
static const struct {
    int16_t width, height;
    int32_t frame_bytes[HR_KINDS]; /* 0: none known */
} hr_sizes[] = {{2048, 1080, {1941504, 970752, 970752, 643072, 200704}},
                {3840, 2160, {7286784, 3641344, 3641344, 2408448, 749568}},
                {4096, 2160, {7770112, 3887104, 0, 0, 0}}};

static int64_t hr_frame_bytes(size_t kind, int64_t width, int64_t height)
{
    static const int64_t weights[HR_KINDS] = {57344, 28672, 28672, 18944, 5888};
    int64_t macroblocks = (width + 15) / 16 * ((height + 15) / 16);
    int64_t bytes = (macroblocks * weights[kind] / 255 + 2048) / 4096 * 4096;
    return bytes > 8192 ? bytes : 8192;
}

static void hr_name_source(sci_format_row *row)
{
    for (size_t i = 0; i < SCI_COUNT(hr_sizes); i++) {
        int64_t size = hr_sizes[i].frame_bytes[row->kind];
        if (hr_sizes[i].width != row->format.width || hr_sizes[i].height != row->format.height ||
            !size)
            continue;
        bool equal = size == row->format.frame_bytes;
        row->format.source = equal ? hr_published : hr_published_lower;
        row->format.origin = equal ? SC_SOURCE_CATALOGUE : SC_SOURCE_COMPUTED;
    }
}

static void hr_row(const sci_format_family *family, size_t i, sci_format_row *row)
{
    sci_formula_row(family, i, row);
    hr_name_source(row);
}

const sci_format_family sci_family_dnxhr = {.name = "dnxhr",
                                            .title = "DNxHR",
                                            .kinds = hr_kinds,
                                            .kind_count = HR_KINDS,
                                            .count = HR_KINDS * SCI_COUNT(hr_rasters) *
                                                     SCI_FPS_USUAL,
                                            .row = hr_row,
                                            .compute = sci_formula_compute,
                                            .rasters = hr_rasters,
                                            .raster_count = SCI_COUNT(hr_rasters),
                                            .frame_bytes = hr_frame_bytes};
