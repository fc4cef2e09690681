#include "formats/formats.h"

/* ---- Panasonic AVC-Intra ---- */

enum { CLASS_50, CLASS_100, CLASS_200, CLASSES };

static const char source[] =
    "ebu/bmx, AVC-Intra descriptor table: bytes a frame with 512 of sequence and picture "
    "parameters, times the frame rate";

static const sci_format_kind classes[CLASSES] = {
    [CLASS_50] = {"AVC-Intra 50", "h264", 10, "4:2:0", SC_RATE_EXACT, source},
    [CLASS_100] = {"AVC-Intra 100", "h264", 10, "4:2:2", SC_RATE_EXACT, source},
    [CLASS_200] = {"AVC-Intra 200", "h264", 10, "4:2:2", SC_RATE_EXACT, source}};

/* Class 50 is stored at three quarters of the width. */
static const sci_format_entry entries[] = {
    {CLASS_100, SCI_FPS_25, SCI_SCAN_ANY, 1920, 1080, 568832, 0},
    {CLASS_100, SCI_FPS_50, SCI_SCAN_PROGRESSIVE, 1920, 1080, 568832, 0},
    {CLASS_100, SCI_FPS_23_976, SCI_SCAN_PROGRESSIVE, 1920, 1080, 472576, 0},
    {CLASS_100, SCI_FPS_29_97, SCI_SCAN_ANY, 1920, 1080, 472576, 0},
    {CLASS_100, SCI_FPS_59_94, SCI_SCAN_PROGRESSIVE, 1920, 1080, 472576, 0},
    {CLASS_100, SCI_FPS_25, SCI_SCAN_PROGRESSIVE, 1280, 720, 284672, 0},
    {CLASS_100, SCI_FPS_50, SCI_SCAN_PROGRESSIVE, 1280, 720, 284672, 0},
    {CLASS_100, SCI_FPS_23_976, SCI_SCAN_PROGRESSIVE, 1280, 720, 236544, 0},
    {CLASS_100, SCI_FPS_29_97, SCI_SCAN_PROGRESSIVE, 1280, 720, 236544, 0},
    {CLASS_100, SCI_FPS_59_94, SCI_SCAN_PROGRESSIVE, 1280, 720, 236544, 0},
    {CLASS_50, SCI_FPS_25, SCI_SCAN_ANY, 1440, 1080, 281088, 0},
    {CLASS_50, SCI_FPS_50, SCI_SCAN_PROGRESSIVE, 1440, 1080, 281088, 0},
    {CLASS_50, SCI_FPS_23_976, SCI_SCAN_PROGRESSIVE, 1440, 1080, 232960, 0},
    {CLASS_50, SCI_FPS_29_97, SCI_SCAN_ANY, 1440, 1080, 232960, 0},
    {CLASS_50, SCI_FPS_59_94, SCI_SCAN_PROGRESSIVE, 1440, 1080, 232960, 0},
    {CLASS_50, SCI_FPS_25, SCI_SCAN_PROGRESSIVE, 960, 720, 140800, 0},
    {CLASS_50, SCI_FPS_50, SCI_SCAN_PROGRESSIVE, 960, 720, 140800, 0},
    {CLASS_50, SCI_FPS_23_976, SCI_SCAN_PROGRESSIVE, 960, 720, 116736, 0},
    {CLASS_50, SCI_FPS_29_97, SCI_SCAN_PROGRESSIVE, 960, 720, 116736, 0},
    {CLASS_50, SCI_FPS_59_94, SCI_SCAN_PROGRESSIVE, 960, 720, 116736, 0},
    {CLASS_200, SCI_FPS_25, SCI_SCAN_ANY, 1920, 1080, 1144320, 0},
    {CLASS_200, SCI_FPS_50, SCI_SCAN_PROGRESSIVE, 1920, 1080, 1144320, 0},
    {CLASS_200, SCI_FPS_23_976, SCI_SCAN_PROGRESSIVE, 1920, 1080, 952832, 0},
    {CLASS_200, SCI_FPS_29_97, SCI_SCAN_ANY, 1920, 1080, 952832, 0},
    {CLASS_200, SCI_FPS_59_94, SCI_SCAN_PROGRESSIVE, 1920, 1080, 952832, 0},
    {CLASS_200, SCI_FPS_25, SCI_SCAN_PROGRESSIVE, 1280, 720, 572416, 0},
    {CLASS_200, SCI_FPS_50, SCI_SCAN_PROGRESSIVE, 1280, 720, 572416, 0},
    {CLASS_200, SCI_FPS_23_976, SCI_SCAN_PROGRESSIVE, 1280, 720, 476672, 0},
    {CLASS_200, SCI_FPS_29_97, SCI_SCAN_PROGRESSIVE, 1280, 720, 476672, 0},
    {CLASS_200, SCI_FPS_59_94, SCI_SCAN_PROGRESSIVE, 1280, 720, 476672, 0},
};

const sci_format_family sci_family_avc_intra = {
    .name = "avc-intra",
    .title = "AVC-Intra",
    .kinds = classes,
    .kind_count = CLASSES,
    .count = SCI_COUNT(entries),
    .row = sci_listed_row,
    .compute = sci_listed_neighbour,
    .entries = entries,
    .computed_source =
        "computed from the frame size at the nearest listed rate (ebu/bmx, AVC-Intra "
        "descriptor table)"};

/* ---- Sony XAVC Intra ---- */

static const sci_format_kind xavc_kinds[] = {
    {"XAVC-I Class 300", "h264", 10, "4:2:2", SC_RATE_MAXIMUM,
     "AMD, Multimedia User Guide UG1449 (XAVC record pipeline): at most 10002432 bits a picture"}};

/* The rates of the other frame rates have no source. */
static const sci_format_entry xavc_entries[] = {
    {0, SCI_FPS_59_94, SCI_SCAN_PROGRESSIVE, 3840, 2160, 0, 599546},
};

const sci_format_family sci_family_xavc_i = {
    .name = "xavc-i",
    .title = "XAVC-I",
    .kinds = xavc_kinds,
    .kind_count = SCI_COUNT(xavc_kinds),
    .count = SCI_COUNT(xavc_entries),
    .row = sci_listed_row,
    .compute = sci_listed_neighbour,
    .entries = xavc_entries,
    .computed_source =
        "computed in proportion to frames from the nearest listed rate (AMD, Multimedia "
        "User Guide UG1449)"};
