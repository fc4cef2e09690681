#include "formats/formats.h"

#include <math.h>

const sc_rational sci_fps[SCI_FPS_COUNT] = {
    [SCI_FPS_23_976] = {24000, 1001}, [SCI_FPS_24] = {24, 1}, [SCI_FPS_25] = {25, 1},
    [SCI_FPS_29_97] = {30000, 1001},  [SCI_FPS_30] = {30, 1}, [SCI_FPS_50] = {50, 1},
    [SCI_FPS_59_94] = {60000, 1001},  [SCI_FPS_60] = {60, 1}, [SCI_FPS_100] = {100, 1},
    [SCI_FPS_119_88] = {120000, 1001}};

sc_rational sci_rational_reduce(sc_rational ratio)
{
    int64_t a = ratio.num, b = ratio.den;
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a > 0 ? (sc_rational){ratio.num / a, ratio.den / a} : ratio;
}

bool sci_rational_equal(sc_rational a, sc_rational b)
{
    return a.num == b.num && a.den == b.den;
}

void sci_row_of_kind(const sci_format_family *family, size_t kind, sci_format_row *row)
{
    const sci_format_kind *k = &family->kinds[kind];
    *row = (sci_format_row){.kind = kind,
                            .either_scan = family->either_scan,
                            .format = {.family = family->name,
                                       .name = k->name,
                                       .codec = k->codec,
                                       .bits = k->bits,
                                       .chroma = k->chroma,
                                       .basis = k->basis,
                                       .origin = SC_SOURCE_CATALOGUE,
                                       .source = k->source}};
}

void sci_row_place(sci_format_row *row, sci_format_raster raster, sc_rational frame_rate)
{
    row->format.width = raster.width;
    row->format.height = raster.height;
    row->format.frame_rate = frame_rate;
}

void sci_row_frame_bytes(sci_format_row *row, int64_t frame_bytes)
{
    sc_rational rate = row->format.frame_rate;
    row->format.frame_bytes = frame_bytes;
    row->format.bits_per_s = llround((double)frame_bytes * 8 * (double)rate.num / (double)rate.den);
}

void sci_listed_row(const sci_format_family *family, size_t i, sci_format_row *row)
{
    const sci_format_entry *entry = &family->entries[i];
    sci_row_of_kind(family, entry->kind, row);
    sci_row_place(row, (sci_format_raster){entry->width, entry->height}, sci_fps[entry->fps]);
    row->either_scan = entry->scan == SCI_SCAN_ANY;
    row->format.interlaced = entry->scan == SCI_SCAN_INTERLACED;
    if (entry->frame_bytes)
        sci_row_frame_bytes(row, entry->frame_bytes);
    else
        row->format.bits_per_s = (int64_t)entry->kbit_per_s * 1000;
}

static bool neighbours(sc_rational listed, sc_rational wanted)
{
    sc_rational slower = sci_rational_reduce((sc_rational){listed.num * 1000, listed.den * 1001});
    sc_rational faster = sci_rational_reduce((sc_rational){listed.num * 1001, listed.den * 1000});
    return sci_rational_equal(slower, wanted) || sci_rational_equal(faster, wanted);
}

static bool from_listed(const sci_format_family *family, size_t kind, sci_format_raster raster,
                        sc_rational frame_rate, bool only_neighbours, sci_format_row *row)
{
    for (size_t i = 0; i < family->count; i++) {
        const sci_format_entry *entry = &family->entries[i];
        sc_rational listed = sci_fps[entry->fps];
        if (entry->kind != kind || entry->width != raster.width || entry->height != raster.height ||
            (only_neighbours && !neighbours(listed, frame_rate)))
            continue;
        sci_listed_row(family, i, row);
        row->format.frame_rate = frame_rate;
        row->format.origin = SC_SOURCE_COMPUTED;
        row->format.source = family->computed_source;
        if (entry->frame_bytes)
            sci_row_frame_bytes(row, entry->frame_bytes);
        else
            row->format.bits_per_s = llround(entry->kbit_per_s * 1e3 *
                                             sc_rational_value(frame_rate) /
                                             sc_rational_value(listed));
        return true;
    }
    return false;
}

bool sci_listed_neighbour(const sci_format_family *family, size_t kind, sci_format_raster raster,
                          sc_rational frame_rate, sci_format_row *row)
{
    return from_listed(family, kind, raster, frame_rate, true, row);
}

bool sci_listed_proportion(const sci_format_family *family, size_t kind, sci_format_raster raster,
                           sc_rational frame_rate, sci_format_row *row)
{
    return from_listed(family, kind, raster, frame_rate, false, row);
}

void sci_formula_row(const sci_format_family *family, size_t i, sci_format_row *row)
{
    size_t kind = i / SCI_FPS_USUAL / family->raster_count;
    sci_format_raster raster = family->rasters[i / SCI_FPS_USUAL % family->raster_count];
    sci_formula_compute(family, kind, raster, sci_fps[i % SCI_FPS_USUAL], row);
}

bool sci_formula_compute(const sci_format_family *family, size_t kind, sci_format_raster raster,
                         sc_rational frame_rate, sci_format_row *row)
{
    sci_row_of_kind(family, kind, row);
    sci_row_place(row, raster, frame_rate);
    sci_row_frame_bytes(row, family->frame_bytes(kind, raster.width, raster.height));
    row->format.origin = SC_SOURCE_COMPUTED;
    return true;
}
