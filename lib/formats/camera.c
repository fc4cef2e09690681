#include "formats/formats.h"

/* ---- Sony XAVC S and AVCHD ---- */

/* Sony's 24p, 30p, 60p and 60i are 23.976, 29.97 and 59.94. */
#define SONY_GUIDE                                                                                 \
    "Sony Help Guide, bit rate and recording pixels (helpguide.sony.net/cam/1720), with audio: "

enum { XAVC_S_4K_100, XAVC_S_4K_60, XAVC_S_HD_100, XAVC_S_HD_60, XAVC_S_HD_50 };

static const sci_format_kind xavc_s_kinds[] = {
    [XAVC_S_4K_100] = {"XAVC S 4K 100M", "h264", 8, "4:2:0", SC_RATE_AVERAGE,
                       SONY_GUIDE "about 100 Mb/s"},
    [XAVC_S_4K_60] = {"XAVC S 4K 60M", "h264", 8, "4:2:0", SC_RATE_AVERAGE,
                      SONY_GUIDE "about 60 Mb/s"},
    [XAVC_S_HD_100] = {"XAVC S HD 100M", "h264", 8, "4:2:0", SC_RATE_NOMINAL,
                       SONY_GUIDE "about 100 Mb/s"},
    [XAVC_S_HD_60] = {"XAVC S HD 60M", "h264", 8, "4:2:0", SC_RATE_NOMINAL,
                      SONY_GUIDE "about 60 Mb/s"},
    [XAVC_S_HD_50] = {"XAVC S HD 50M", "h264", 8, "4:2:0", SC_RATE_NOMINAL,
                      SONY_GUIDE "about 50 Mb/s"}};

static const sci_format_entry xavc_s_entries[] = {
    {XAVC_S_4K_100, SCI_FPS_23_976, SCI_SCAN_PROGRESSIVE, 3840, 2160, 0, 100000},
    {XAVC_S_4K_100, SCI_FPS_25, SCI_SCAN_PROGRESSIVE, 3840, 2160, 0, 100000},
    {XAVC_S_4K_100, SCI_FPS_29_97, SCI_SCAN_PROGRESSIVE, 3840, 2160, 0, 100000},
    {XAVC_S_4K_60, SCI_FPS_23_976, SCI_SCAN_PROGRESSIVE, 3840, 2160, 0, 60000},
    {XAVC_S_4K_60, SCI_FPS_25, SCI_SCAN_PROGRESSIVE, 3840, 2160, 0, 60000},
    {XAVC_S_4K_60, SCI_FPS_29_97, SCI_SCAN_PROGRESSIVE, 3840, 2160, 0, 60000},
    {XAVC_S_HD_100, SCI_FPS_100, SCI_SCAN_PROGRESSIVE, 1920, 1080, 0, 100000},
    {XAVC_S_HD_100, SCI_FPS_119_88, SCI_SCAN_PROGRESSIVE, 1920, 1080, 0, 100000},
    {XAVC_S_HD_60, SCI_FPS_100, SCI_SCAN_PROGRESSIVE, 1920, 1080, 0, 60000},
    {XAVC_S_HD_60, SCI_FPS_119_88, SCI_SCAN_PROGRESSIVE, 1920, 1080, 0, 60000},
    {XAVC_S_HD_50, SCI_FPS_23_976, SCI_SCAN_PROGRESSIVE, 1920, 1080, 0, 50000},
    {XAVC_S_HD_50, SCI_FPS_25, SCI_SCAN_PROGRESSIVE, 1920, 1080, 0, 50000},
    {XAVC_S_HD_50, SCI_FPS_29_97, SCI_SCAN_PROGRESSIVE, 1920, 1080, 0, 50000},
    {XAVC_S_HD_50, SCI_FPS_50, SCI_SCAN_PROGRESSIVE, 1920, 1080, 0, 50000},
    {XAVC_S_HD_50, SCI_FPS_59_94, SCI_SCAN_PROGRESSIVE, 1920, 1080, 0, 50000},
};

const sci_format_family sci_family_xavc_s = {.name = "xavc-s",
                                             .title = "XAVC S",
                                             .kinds = xavc_s_kinds,
                                             .kind_count = SCI_COUNT(xavc_s_kinds),
                                             .count = SCI_COUNT(xavc_s_entries),
                                             .row = sci_listed_row,
                                             .entries = xavc_s_entries};

enum { AVCHD_PS, AVCHD_FX, AVCHD_FH, AVCHD_HQ, AVCHD_LP };

static const sci_format_kind avchd_kinds[] = {
    [AVCHD_PS] = {"AVCHD PS", "h264", 8, "4:2:0", SC_RATE_MAXIMUM, SONY_GUIDE "at most 28 Mb/s"},
    [AVCHD_FX] = {"AVCHD FX", "h264", 8, "4:2:0", SC_RATE_MAXIMUM, SONY_GUIDE "at most 24 Mb/s"},
    [AVCHD_FH] = {"AVCHD FH", "h264", 8, "4:2:0", SC_RATE_AVERAGE, SONY_GUIDE "about 17 Mb/s"},
    [AVCHD_HQ] = {"AVCHD HQ", "h264", 8, "4:2:0", SC_RATE_AVERAGE, SONY_GUIDE "about 9 Mb/s"},
    [AVCHD_LP] = {"AVCHD LP", "h264", 8, "4:2:0", SC_RATE_AVERAGE, SONY_GUIDE "about 5 Mb/s"}};

static const sci_format_entry avchd_entries[] = {
    {AVCHD_PS, SCI_FPS_50, SCI_SCAN_PROGRESSIVE, 1920, 1080, 0, 28000},
    {AVCHD_PS, SCI_FPS_59_94, SCI_SCAN_PROGRESSIVE, 1920, 1080, 0, 28000},
    {AVCHD_FX, SCI_FPS_23_976, SCI_SCAN_PROGRESSIVE, 1920, 1080, 0, 24000},
    {AVCHD_FX, SCI_FPS_25, SCI_SCAN_ANY, 1920, 1080, 0, 24000},
    {AVCHD_FX, SCI_FPS_29_97, SCI_SCAN_INTERLACED, 1920, 1080, 0, 24000},
    {AVCHD_FH, SCI_FPS_23_976, SCI_SCAN_PROGRESSIVE, 1920, 1080, 0, 17000},
    {AVCHD_FH, SCI_FPS_25, SCI_SCAN_ANY, 1920, 1080, 0, 17000},
    {AVCHD_FH, SCI_FPS_29_97, SCI_SCAN_INTERLACED, 1920, 1080, 0, 17000},
    {AVCHD_HQ, SCI_FPS_25, SCI_SCAN_INTERLACED, 1440, 1080, 0, 9000},
    {AVCHD_HQ, SCI_FPS_29_97, SCI_SCAN_INTERLACED, 1440, 1080, 0, 9000},
    {AVCHD_LP, SCI_FPS_25, SCI_SCAN_INTERLACED, 1440, 1080, 0, 5000},
    {AVCHD_LP, SCI_FPS_29_97, SCI_SCAN_INTERLACED, 1440, 1080, 0, 5000},
};

const sci_format_family sci_family_avchd = {.name = "avchd",
                                            .title = "AVCHD",
                                            .kinds = avchd_kinds,
                                            .kind_count = SCI_COUNT(avchd_kinds),
                                            .count = SCI_COUNT(avchd_entries),
                                            .row = sci_listed_row,
                                            .entries = avchd_entries};

/* ---- phones ---- */

enum { IPHONE_H264, IPHONE_PRORES_4K, IPHONE_PRORES_HD };

static const sci_format_kind iphone_kinds[] = {
    [IPHONE_H264] = {"iPhone 6s H.264", "h264", 8, "4:2:0", SC_RATE_AVERAGE,
                     "9to5Mac, iPhone 6s 4K video size (2015): 375 MB a minute"},
    [IPHONE_PRORES_4K] = {"iPhone ProRes 422 HQ 4K", "prores", 10, "4:2:2", SC_RATE_AVERAGE,
                          "PetaPixel, iPhone ProRes (September 2021): 6 GB a minute"},
    [IPHONE_PRORES_HD] = {"iPhone ProRes 422 HQ HD", "prores", 10, "4:2:2", SC_RATE_AVERAGE,
                          "install7.com, iPhone ProRes: 1.7 GB a minute"}};

static const sci_format_entry iphone_entries[] = {
    {IPHONE_H264, SCI_FPS_30, SCI_SCAN_PROGRESSIVE, 3840, 2160, 0, 50000},
    {IPHONE_PRORES_4K, SCI_FPS_30, SCI_SCAN_PROGRESSIVE, 3840, 2160, 0, 800000},
    {IPHONE_PRORES_HD, SCI_FPS_30, SCI_SCAN_PROGRESSIVE, 1920, 1080, 0, 226700},
};

const sci_format_family sci_family_iphone = {.name = "iphone",
                                             .title = "iPhone",
                                             .kinds = iphone_kinds,
                                             .kind_count = SCI_COUNT(iphone_kinds),
                                             .count = SCI_COUNT(iphone_entries),
                                             .row = sci_listed_row,
                                             .entries = iphone_entries};

/* ---- camera raw ---- */

#define BRAW_SOURCE                                                                                            \
    "unconfirmed third-party transcription of Blackmagic Design's published constant bitrates (whole MB/s at " \
    "30 frames a second)"

enum { BRAW_3, BRAW_5, BRAW_8, BRAW_12 };

static const sci_format_kind braw_kinds[] = {
    [BRAW_3] = {"Blackmagic RAW 3:1", "", 0, "", SC_RATE_NOMINAL, BRAW_SOURCE},
    [BRAW_5] = {"Blackmagic RAW 5:1", "", 0, "", SC_RATE_NOMINAL, BRAW_SOURCE},
    [BRAW_8] = {"Blackmagic RAW 8:1", "", 0, "", SC_RATE_NOMINAL, BRAW_SOURCE},
    [BRAW_12] = {"Blackmagic RAW 12:1", "", 0, "", SC_RATE_NOMINAL, BRAW_SOURCE}};

static const sci_format_entry braw_entries[] = {
    {BRAW_3, SCI_FPS_30, SCI_SCAN_PROGRESSIVE, 6048, 4032, 0, 2960000},
    {BRAW_5, SCI_FPS_30, SCI_SCAN_PROGRESSIVE, 6048, 4032, 0, 1784000},
    {BRAW_8, SCI_FPS_30, SCI_SCAN_PROGRESSIVE, 6048, 4032, 0, 1120000},
    {BRAW_12, SCI_FPS_30, SCI_SCAN_PROGRESSIVE, 6048, 4032, 0, 752000},
    {BRAW_3, SCI_FPS_30, SCI_SCAN_PROGRESSIVE, 6048, 3200, 0, 2360000},
    {BRAW_5, SCI_FPS_30, SCI_SCAN_PROGRESSIVE, 6048, 3200, 0, 1416000},
    {BRAW_8, SCI_FPS_30, SCI_SCAN_PROGRESSIVE, 6048, 3200, 0, 888000},
    {BRAW_12, SCI_FPS_30, SCI_SCAN_PROGRESSIVE, 6048, 3200, 0, 600000},
    {BRAW_3, SCI_FPS_30, SCI_SCAN_PROGRESSIVE, 6048, 2520, 0, 1864000},
    {BRAW_5, SCI_FPS_30, SCI_SCAN_PROGRESSIVE, 6048, 2520, 0, 1120000},
    {BRAW_8, SCI_FPS_30, SCI_SCAN_PROGRESSIVE, 6048, 2520, 0, 704000},
    {BRAW_12, SCI_FPS_30, SCI_SCAN_PROGRESSIVE, 6048, 2520, 0, 472000},
    {BRAW_3, SCI_FPS_30, SCI_SCAN_PROGRESSIVE, 4096, 2160, 0, 1088000},
    {BRAW_5, SCI_FPS_30, SCI_SCAN_PROGRESSIVE, 4096, 2160, 0, 656000},
    {BRAW_8, SCI_FPS_30, SCI_SCAN_PROGRESSIVE, 4096, 2160, 0, 416000},
    {BRAW_12, SCI_FPS_30, SCI_SCAN_PROGRESSIVE, 4096, 2160, 0, 280000},
    {BRAW_3, SCI_FPS_30, SCI_SCAN_PROGRESSIVE, 1920, 1080, 0, 264000},
    {BRAW_5, SCI_FPS_30, SCI_SCAN_PROGRESSIVE, 1920, 1080, 0, 160000},
    {BRAW_8, SCI_FPS_30, SCI_SCAN_PROGRESSIVE, 1920, 1080, 0, 104000},
    {BRAW_12, SCI_FPS_30, SCI_SCAN_PROGRESSIVE, 1920, 1080, 0, 72000},
};

const sci_format_family sci_family_braw = {
    .name = "braw",
    .title = "Blackmagic RAW",
    .kinds = braw_kinds,
    .kind_count = SCI_COUNT(braw_kinds),
    .count = SCI_COUNT(braw_entries),
    .row = sci_listed_row,
    .compute = sci_listed_proportion,
    .entries = braw_entries,
    .computed_source = "in proportion to frames from a " BRAW_SOURCE};

#define CANON_SOURCE                                                                               \
    "unconfirmed third-party transcription of Canon's published rates of the EOS C400"

enum { CRM_HQ, CRM_ST, CRM_LT };

static const sci_format_kind canon_raw_kinds[] = {
    [CRM_HQ] = {"Cinema RAW Light HQ", "", 0, "", SC_RATE_NOMINAL, CANON_SOURCE},
    [CRM_ST] = {"Cinema RAW Light ST", "", 0, "", SC_RATE_NOMINAL, CANON_SOURCE},
    [CRM_LT] = {"Cinema RAW Light LT", "", 0, "", SC_RATE_NOMINAL, CANON_SOURCE}};

static const sci_format_entry canon_raw_entries[] = {
    {CRM_HQ, SCI_FPS_23_976, SCI_SCAN_PROGRESSIVE, 6000, 3164, 0, 1730000},
    {CRM_HQ, SCI_FPS_25, SCI_SCAN_PROGRESSIVE, 6000, 3164, 0, 1800000},
    {CRM_HQ, SCI_FPS_29_97, SCI_SCAN_PROGRESSIVE, 6000, 3164, 0, 2160000},
    {CRM_ST, SCI_FPS_23_976, SCI_SCAN_PROGRESSIVE, 6000, 3164, 0, 850000},
    {CRM_ST, SCI_FPS_25, SCI_SCAN_PROGRESSIVE, 6000, 3164, 0, 886000},
    {CRM_ST, SCI_FPS_29_97, SCI_SCAN_PROGRESSIVE, 6000, 3164, 0, 1070000},
    {CRM_ST, SCI_FPS_50, SCI_SCAN_PROGRESSIVE, 6000, 3164, 0, 1780000},
    {CRM_ST, SCI_FPS_59_94, SCI_SCAN_PROGRESSIVE, 6000, 3164, 0, 2130000},
    {CRM_LT, SCI_FPS_23_976, SCI_SCAN_PROGRESSIVE, 6000, 3164, 0, 552000},
    {CRM_LT, SCI_FPS_25, SCI_SCAN_PROGRESSIVE, 6000, 3164, 0, 576000},
    {CRM_LT, SCI_FPS_29_97, SCI_SCAN_PROGRESSIVE, 6000, 3164, 0, 690000},
    {CRM_LT, SCI_FPS_50, SCI_SCAN_PROGRESSIVE, 6000, 3164, 0, 1160000},
    {CRM_LT, SCI_FPS_59_94, SCI_SCAN_PROGRESSIVE, 6000, 3164, 0, 1380000},
    {CRM_HQ, SCI_FPS_23_976, SCI_SCAN_PROGRESSIVE, 4368, 2304, 0, 915000},
    {CRM_HQ, SCI_FPS_25, SCI_SCAN_PROGRESSIVE, 4368, 2304, 0, 954000},
    {CRM_HQ, SCI_FPS_29_97, SCI_SCAN_PROGRESSIVE, 4368, 2304, 0, 1150000},
    {CRM_HQ, SCI_FPS_50, SCI_SCAN_PROGRESSIVE, 4368, 2304, 0, 1910000},
    {CRM_HQ, SCI_FPS_59_94, SCI_SCAN_PROGRESSIVE, 4368, 2304, 0, 2290000},
    {CRM_ST, SCI_FPS_23_976, SCI_SCAN_PROGRESSIVE, 4368, 2304, 0, 451000},
    {CRM_ST, SCI_FPS_25, SCI_SCAN_PROGRESSIVE, 4368, 2304, 0, 470000},
    {CRM_ST, SCI_FPS_29_97, SCI_SCAN_PROGRESSIVE, 4368, 2304, 0, 563000},
    {CRM_ST, SCI_FPS_50, SCI_SCAN_PROGRESSIVE, 4368, 2304, 0, 939000},
    {CRM_ST, SCI_FPS_59_94, SCI_SCAN_PROGRESSIVE, 4368, 2304, 0, 1130000},
    {CRM_LT, SCI_FPS_23_976, SCI_SCAN_PROGRESSIVE, 4368, 2304, 0, 293000},
    {CRM_LT, SCI_FPS_25, SCI_SCAN_PROGRESSIVE, 4368, 2304, 0, 306000},
    {CRM_LT, SCI_FPS_29_97, SCI_SCAN_PROGRESSIVE, 4368, 2304, 0, 366000},
    {CRM_LT, SCI_FPS_50, SCI_SCAN_PROGRESSIVE, 4368, 2304, 0, 611000},
    {CRM_LT, SCI_FPS_59_94, SCI_SCAN_PROGRESSIVE, 4368, 2304, 0, 732000},
};

const sci_format_family sci_family_canon_raw = {
    .name = "canon-raw",
    .title = "Cinema RAW Light",
    .kinds = canon_raw_kinds,
    .kind_count = SCI_COUNT(canon_raw_kinds),
    .count = SCI_COUNT(canon_raw_entries),
    .row = sci_listed_row,
    .compute = sci_listed_neighbour,
    .entries = canon_raw_entries,
    .computed_source = "in proportion to frames from a " CANON_SOURCE};

#define RED_SOURCE                                                                                          \
    "unconfirmed third-party transcription of RED's published minutes on a 660 GB card (V-RAPTOR X 8K VV, " \
    "KOMODO-X 6K)"

enum { RED_LQ, RED_MQ, RED_HQ };

static const sci_format_kind redcode_kinds[] = {
    [RED_LQ] = {"REDCODE RAW LQ", "", 0, "", SC_RATE_AVERAGE, RED_SOURCE},
    [RED_MQ] = {"REDCODE RAW MQ", "", 0, "", SC_RATE_AVERAGE, RED_SOURCE},
    [RED_HQ] = {"REDCODE RAW HQ", "", 0, "", SC_RATE_AVERAGE, RED_SOURCE}};

static const sci_format_entry redcode_entries[] = {
    {RED_LQ, SCI_FPS_24, SCI_SCAN_PROGRESSIVE, 8192, 4320, 0, 1571400},
    {RED_MQ, SCI_FPS_24, SCI_SCAN_PROGRESSIVE, 8192, 4320, 0, 2514300},
    {RED_HQ, SCI_FPS_24, SCI_SCAN_PROGRESSIVE, 8192, 4320, 0, 3666700},
    {RED_LQ, SCI_FPS_24, SCI_SCAN_PROGRESSIVE, 6144, 3240, 0, 862700},
    {RED_MQ, SCI_FPS_24, SCI_SCAN_PROGRESSIVE, 6144, 3240, 0, 1375000},
    {RED_HQ, SCI_FPS_24, SCI_SCAN_PROGRESSIVE, 6144, 3240, 0, 2000000},
};

const sci_format_family sci_family_redcode = {
    .name = "redcode",
    .title = "REDCODE RAW",
    .kinds = redcode_kinds,
    .kind_count = SCI_COUNT(redcode_kinds),
    .count = SCI_COUNT(redcode_entries),
    .row = sci_listed_row,
    .compute = sci_listed_neighbour,
    .entries = redcode_entries,
    .computed_source = "in proportion to frames from a " RED_SOURCE};

/* The last raster has no published figure. */
static const sci_format_raster arriraw_rasters[] = {
    {2880, 1620}, {2880, 2160}, {3414, 2198}, {4448, 3096}};

static const sci_format_kind arriraw_kinds[] = {
    {"ARRIRAW 12 bit", "", 12, "", SC_RATE_EXACT,
     "12 bits a photosite without the file header, which agrees with ARRI's published 7, 9.3 and "
     "11.3 MB a frame (ALEXA XT: 2.8K 16:9, 2.8K 4:3, 3.4K)"}};

static int64_t arriraw_frame_bytes(size_t kind, int64_t width, int64_t height)
{
    (void)kind;
    return (width * height * 12 + 7) / 8;
}

const sci_format_family sci_family_arriraw = {.name = "arriraw",
                                              .title = "ARRIRAW",
                                              .kinds = arriraw_kinds,
                                              .kind_count = SCI_COUNT(arriraw_kinds),
                                              .count = SCI_COUNT(arriraw_rasters) * SCI_FPS_USUAL,
                                              .row = sci_formula_row,
                                              .compute = sci_formula_compute,
                                              .rasters = arriraw_rasters,
                                              .raster_count = SCI_COUNT(arriraw_rasters),
                                              .frame_bytes = arriraw_frame_bytes};
