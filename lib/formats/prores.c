#include "formats/formats.h"

#include <math.h>

enum { FLAVOURS = 6 };

static const char published[] = "Apple ProRes White Paper, target data rates (April 2022), as "
                                "transcribed in github.com/Flamerinus/Proxy-calc-Vue";
static const char computed[] =
    "computed in proportion to pixels and frames from the nearest mode of the Apple ProRes White "
    "Paper, target data rates (April 2022)";

static const sci_format_kind flavours[FLAVOURS] = {
    {"ProRes 422 Proxy", "prores", 10, "4:2:2", SC_RATE_TARGET, published},
    {"ProRes 422 LT", "prores", 10, "4:2:2", SC_RATE_TARGET, published},
    {"ProRes 422", "prores", 10, "4:2:2", SC_RATE_TARGET, published},
    {"ProRes 422 HQ", "prores", 10, "4:2:2", SC_RATE_TARGET, published},
    {"ProRes 4444", "prores", 12, "4:4:4", SC_RATE_TARGET, published},
    {"ProRes 4444 XQ", "prores", 12, "4:4:4", SC_RATE_TARGET, published}};

/* Apple's 24p, 30p and 60p are 23.976, 29.97 and 59.94; either_scan: "50i, 25p" and "60i, 30p". The
   rates of 4444 and 4444 XQ are without alpha. 0: the figure that we have contradicts its
   neighbours. */
static const struct {
    int16_t width, height;
    uint8_t fps;
    bool either_scan;
    uint16_t mbit_per_s[FLAVOURS];
} modes[] = {
    {720, 486, SCI_FPS_23_976, false, {10, 23, 34, 50, 75, 113}},
    {720, 486, SCI_FPS_29_97, true, {12, 29, 42, 63, 94, 141}},
    {720, 576, SCI_FPS_25, true, {12, 28, 41, 61, 92, 138}},
    {960, 720, SCI_FPS_23_976, false, {15, 35, 50, 75, 113, 170}},
    {960, 720, SCI_FPS_25, false, {16, 36, 52, 79, 118, 0}},
    {960, 720, SCI_FPS_29_97, false, {19, 44, 63, 94, 141, 212}},
    {960, 720, SCI_FPS_50, false, {32, 73, 105, 157, 236, 354}},
    {960, 720, SCI_FPS_59_94, false, {38, 87, 126, 189, 283, 424}},
    {1280, 720, SCI_FPS_23_976, false, {18, 41, 59, 88, 132, 198}},
    {1280, 720, SCI_FPS_25, false, {19, 42, 61, 92, 138, 206}},
    {1280, 720, SCI_FPS_29_97, false, {23, 51, 73, 110, 165, 247}},
    {1280, 720, SCI_FPS_50, false, {38, 84, 122, 184, 275, 413}},
    {1280, 720, SCI_FPS_59_94, false, {45, 101, 147, 220, 330, 495}},
    {1280, 1080, SCI_FPS_23_976, false, {31, 70, 101, 151, 226, 339}},
    {1280, 1080, SCI_FPS_29_97, true, {38, 87, 126, 189, 283, 424}},
    {1440, 1080, SCI_FPS_23_976, false, {31, 70, 101, 151, 226, 339}},
    {1440, 1080, SCI_FPS_25, true, {32, 73, 105, 157, 236, 354}},
    {1440, 1080, SCI_FPS_29_97, true, {38, 87, 126, 189, 283, 424}},
    {1920, 1080, SCI_FPS_23_976, false, {36, 82, 117, 176, 264, 396}},
    {1920, 1080, SCI_FPS_25, true, {38, 85, 122, 184, 275, 413}},
    {1920, 1080, SCI_FPS_29_97, true, {45, 102, 147, 220, 330, 495}},
    {1920, 1080, SCI_FPS_50, false, {76, 170, 245, 367, 551, 826}},
    {1920, 1080, SCI_FPS_59_94, false, {91, 204, 293, 440, 660, 990}},
    {2048, 1080, SCI_FPS_23_976, false, {41, 93, 134, 201, 302, 453}},
    {2048, 1080, SCI_FPS_25, false, {43, 97, 140, 210, 315, 472}},
    {2048, 1080, SCI_FPS_29_97, false, {52, 116, 168, 251, 377, 566}},
    {2048, 1080, SCI_FPS_50, false, {86, 194, 280, 419, 629, 944}},
    {2048, 1080, SCI_FPS_59_94, false, {103, 232, 335, 503, 754, 1131}},
    {2048, 1556, SCI_FPS_23_976, false, {56, 126, 181, 272, 407, 611}},
    {2048, 1556, SCI_FPS_25, false, {58, 131, 189, 283, 425, 637}},
    {2048, 1556, SCI_FPS_29_97, false, {70, 157, 226, 340, 509, 764}},
    {2048, 1556, SCI_FPS_50, false, {117, 262, 377, 567, 850, 1275}},
    {2048, 1556, SCI_FPS_59_94, false, {140, 314, 452, 679, 1019, 1528}},
    {3840, 2160, SCI_FPS_23_976, false, {145, 328, 471, 707, 1061, 1591}},
    {3840, 2160, SCI_FPS_25, false, {151, 342, 492, 737, 1106, 1659}},
    {3840, 2160, SCI_FPS_29_97, false, {182, 410, 589, 884, 1326, 1989}},
    {3840, 2160, SCI_FPS_50, false, {303, 684, 983, 1475, 2212, 3318}},
    {3840, 2160, SCI_FPS_59_94, false, {363, 821, 1178, 1768, 2652, 3977}},
    {4096, 2160, SCI_FPS_23_976, false, {155, 350, 503, 755, 1130, 1697}},
    {4096, 2160, SCI_FPS_25, false, {162, 365, 524, 787, 1179, 1769}},
    {4096, 2160, SCI_FPS_29_97, false, {194, 437, 629, 944, 1415, 2123}},
    {4096, 2160, SCI_FPS_50, false, {323, 730, 1048, 1573, 2359, 3546}},
    {4096, 2160, SCI_FPS_59_94, false, {388, 875, 1257, 1884, 2827, 4251}},
    {5120, 2700, SCI_FPS_23_976, false, {243, 547, 786, 1178, 1768, 2652}},
    {5120, 2700, SCI_FPS_25, false, {253, 570, 819, 1229, 1843, 2765}},
    {5120, 2700, SCI_FPS_29_97, false, {304, 684, 982, 1473, 2210, 3314}},
    {5120, 2700, SCI_FPS_50, false, {507, 1140, 1638, 2458, 3686, 5530}},
    {5120, 2700, SCI_FPS_59_94, false, {608, 1367, 1964, 2946, 4419, 6629}},
    {6144, 3240, SCI_FPS_23_976, false, {350, 788, 1131, 1697, 2545, 3818}},
    {6144, 3240, SCI_FPS_25, false, {365, 821, 1180, 1769, 2654, 3981}},
    {6144, 3240, SCI_FPS_29_97, false, {437, 985, 1414, 2121, 3182, 4772}},
    {6144, 3240, SCI_FPS_50, false, {730, 1643, 2359, 3539, 5308, 7962}},
    {6144, 3240, SCI_FPS_59_94, false, {875, 1969, 2828, 4242, 6364, 9545}},
    {8192, 4320, SCI_FPS_23_976, false, {622, 1400, 2011, 3017, 4525, 6788}},
    {8192, 4320, SCI_FPS_25, false, {649, 1460, 2097, 3146, 4719, 7078}},
    {8192, 4320, SCI_FPS_29_97, false, {778, 1750, 2514, 3771, 5657, 8485}},
    {8192, 4320, SCI_FPS_50, false, {1298, 2920, 4194, 6291, 9437, 14156}},
    {8192, 4320, SCI_FPS_59_94, false, {1556, 3500, 5028, 7542, 11313, 16970}},
};

/* Stored narrower than shown, at the rate of the full width: no measure for other rasters. */
static const sci_format_raster anamorphic[] = {{960, 720}, {1280, 1080}, {1440, 1080}};

static const sci_format_raster full_hd = {1920, 1080}, largest = {8192, 4320};

static int64_t pixels(sci_format_raster raster)
{
    return (int64_t)raster.width * raster.height;
}

static sci_format_raster raster_of(size_t mode)
{
    return (sci_format_raster){modes[mode].width, modes[mode].height};
}

static bool same_raster(sci_format_raster a, sci_format_raster b)
{
    return a.width == b.width && a.height == b.height;
}

static bool is_anamorphic(sci_format_raster raster)
{
    for (size_t i = 0; i < SCI_COUNT(anamorphic); i++)
        if (same_raster(anamorphic[i], raster))
            return true;
    return false;
}

/* The published raster to compute from: itself; above HD the largest, where bits a pixel are
   constant; else the next smaller, which errs upwards as smaller rasters get more bits a pixel. */
static bool reference_raster(sci_format_raster wanted, sci_format_raster *reference)
{
    *reference = (sci_format_raster){0, 0};
    for (size_t m = 0; m < SCI_COUNT(modes); m++) {
        sci_format_raster raster = raster_of(m);
        if (same_raster(raster, wanted)) {
            *reference = raster;
            return true;
        }
        if (!is_anamorphic(raster) && pixels(raster) <= pixels(wanted) &&
            pixels(raster) > pixels(*reference))
            *reference = raster;
    }
    if (pixels(wanted) > pixels(full_hd))
        *reference = largest;
    return reference->width > 0;
}

static bool compute(const sci_format_family *family, size_t kind, sci_format_raster raster,
                    sc_rational frame_rate, sci_format_row *row)
{
    sci_format_raster reference;
    double wanted = sc_rational_value(frame_rate), nearest = INFINITY, mbit_per_s = 0;
    if (!reference_raster(raster, &reference))
        return false;
    sci_row_of_kind(family, kind, row);
    for (size_t m = 0; m < SCI_COUNT(modes); m++) {
        double mode_rate = sc_rational_value(sci_fps[modes[m].fps]);
        if (!same_raster(raster_of(m), reference) || !modes[m].mbit_per_s[kind] ||
            fabs(mode_rate - wanted) >= nearest)
            continue;
        nearest = fabs(mode_rate - wanted);
        mbit_per_s = modes[m].mbit_per_s[kind] * wanted / mode_rate;
        row->either_scan = modes[m].either_scan;
    }
    sci_row_place(row, raster, frame_rate);
    row->format.bits_per_s = llround(mbit_per_s * 1e6 * (double)pixels(raster) /
                                     (double)pixels(reference));
    row->format.origin = SC_SOURCE_COMPUTED;
    row->format.source = computed;
    return true;
}

static void row_at(const sci_format_family *family, size_t i, sci_format_row *row)
{
    size_t mode = i % SCI_COUNT(modes), kind = i / SCI_COUNT(modes);
    sc_rational frame_rate = sci_fps[modes[mode].fps];
    if (!modes[mode].mbit_per_s[kind]) {
        compute(family, kind, raster_of(mode), frame_rate, row);
        return;
    }
    sci_row_of_kind(family, kind, row);
    sci_row_place(row, raster_of(mode), frame_rate);
    row->either_scan = modes[mode].either_scan;
    row->format.bits_per_s = modes[mode].mbit_per_s[kind] * INT64_C(1000000);
}

const sci_format_family sci_family_prores = {.name = "prores",
                                             .title = "ProRes",
                                             .kinds = flavours,
                                             .kind_count = FLAVOURS,
                                             .count = FLAVOURS * SCI_COUNT(modes),
                                             .row = row_at,
                                             .compute = compute};
