#include "formats/formats.h"

/* ---- DV: every frame has the same size, with its audio and subcode ---- */

static const char dv_source[] =
    "FFmpeg, DV profile table: bytes a frame with audio and subcode, times the frame rate";

enum { DV_25, DV_50, DV_HD };

static const sci_format_kind dv_kinds[] = {
    [DV_25] = {"DV 25", "dvvideo", 8, "", SC_RATE_EXACT, dv_source},
    [DV_50] = {"DVCPRO 50", "dvvideo", 8, "4:2:2", SC_RATE_EXACT, dv_source},
    [DV_HD] = {"DVCPRO HD", "dvvideo", 8, "4:2:2", SC_RATE_EXACT, dv_source}};

static const sci_format_entry dv_entries[] = {
    {DV_25, SCI_FPS_29_97, SCI_SCAN_ANY, 720, 480, 120000, 0},
    {DV_25, SCI_FPS_25, SCI_SCAN_ANY, 720, 576, 144000, 0},
    {DV_50, SCI_FPS_29_97, SCI_SCAN_ANY, 720, 480, 240000, 0},
    {DV_50, SCI_FPS_25, SCI_SCAN_ANY, 720, 576, 288000, 0},
    {DV_HD, SCI_FPS_29_97, SCI_SCAN_ANY, 1280, 1080, 480000, 0},
    {DV_HD, SCI_FPS_25, SCI_SCAN_ANY, 1440, 1080, 576000, 0},
    {DV_HD, SCI_FPS_59_94, SCI_SCAN_PROGRESSIVE, 960, 720, 240000, 0},
    {DV_HD, SCI_FPS_50, SCI_SCAN_PROGRESSIVE, 960, 720, 288000, 0},
};

const sci_format_family sci_family_dv = {.name = "dv",
                                         .title = "DV",
                                         .kinds = dv_kinds,
                                         .kind_count = SCI_COUNT(dv_kinds),
                                         .count = SCI_COUNT(dv_entries),
                                         .row = sci_listed_row,
                                         .entries = dv_entries};

/* ---- MPEG IMX (SMPTE D-10) ---- */

static const char imx_source[] =
    "FFmpeg, table of QuickTime codec tags: MPEG-2 IMX 30, 40 and 50 Mb/s for 525/60 and 625/50";

enum { IMX_30, IMX_40, IMX_50 };

static const sci_format_kind imx_kinds[] = {
    [IMX_30] = {"IMX 30", "mpeg2video", 8, "4:2:2", SC_RATE_NOMINAL, imx_source},
    [IMX_40] = {"IMX 40", "mpeg2video", 8, "4:2:2", SC_RATE_NOMINAL, imx_source},
    [IMX_50] = {"IMX 50", "mpeg2video", 8, "4:2:2", SC_RATE_NOMINAL, imx_source}};

/* With the lines of the vertical blanking that are stored. */
static const sci_format_entry imx_entries[] = {
    {IMX_30, SCI_FPS_25, SCI_SCAN_INTERLACED, 720, 608, 0, 30000},
    {IMX_30, SCI_FPS_29_97, SCI_SCAN_INTERLACED, 720, 512, 0, 30000},
    {IMX_40, SCI_FPS_25, SCI_SCAN_INTERLACED, 720, 608, 0, 40000},
    {IMX_40, SCI_FPS_29_97, SCI_SCAN_INTERLACED, 720, 512, 0, 40000},
    {IMX_50, SCI_FPS_25, SCI_SCAN_INTERLACED, 720, 608, 0, 50000},
    {IMX_50, SCI_FPS_29_97, SCI_SCAN_INTERLACED, 720, 512, 0, 50000},
};

const sci_format_family sci_family_imx = {.name = "imx",
                                          .title = "D-10",
                                          .kinds = imx_kinds,
                                          .kind_count = SCI_COUNT(imx_kinds),
                                          .count = SCI_COUNT(imx_entries),
                                          .row = sci_listed_row,
                                          .entries = imx_entries};

/* ---- XDCAM ---- */

enum { XDCAM_HD422, XDCAM_EX };

static const sci_format_kind xdcam_kinds[] = {
    [XDCAM_HD422] = {"XDCAM HD422 50", "mpeg2video", 8, "4:2:2", SC_RATE_NOMINAL,
                     "FilmTechApp, Recording Format XDCAM HD422: 50 Mb/s; modes of FFmpeg's table "
                     "of QuickTime codec tags"},
    [XDCAM_EX] = {"XDCAM EX 35", "mpeg2video", 8, "4:2:0", SC_RATE_MAXIMUM,
                  "Sony, PMW-EX1R user manual: HQ, variable, 35 Mb/s; modes of Tech with Mike "
                  "First, XDCAM format updates (2007)"}};

static const sci_format_entry xdcam_entries[] = {
    {XDCAM_HD422, SCI_FPS_23_976, SCI_SCAN_PROGRESSIVE, 1920, 1080, 0, 50000},
    {XDCAM_HD422, SCI_FPS_25, SCI_SCAN_ANY, 1920, 1080, 0, 50000},
    {XDCAM_HD422, SCI_FPS_29_97, SCI_SCAN_ANY, 1920, 1080, 0, 50000},
    {XDCAM_HD422, SCI_FPS_50, SCI_SCAN_PROGRESSIVE, 1280, 720, 0, 50000},
    {XDCAM_HD422, SCI_FPS_59_94, SCI_SCAN_PROGRESSIVE, 1280, 720, 0, 50000},
    {XDCAM_EX, SCI_FPS_25, SCI_SCAN_ANY, 1920, 1080, 0, 35000},
    {XDCAM_EX, SCI_FPS_29_97, SCI_SCAN_ANY, 1920, 1080, 0, 35000},
};

const sci_format_family sci_family_xdcam = {.name = "xdcam",
                                            .title = "XDCAM",
                                            .kinds = xdcam_kinds,
                                            .kind_count = SCI_COUNT(xdcam_kinds),
                                            .count = SCI_COUNT(xdcam_entries),
                                            .row = sci_listed_row,
                                            .entries = xdcam_entries};
