#include "probe/published.h"

#include "probe/media.h"

#include <streamcalc/formats.h>
#include <string.h>

/* A target is a ceiling: material lies 5 to 10 % below it, and other encoders than Apple's some
   percent above. Frames of a fixed size leave no room. */
static const struct {
    sc_rate_basis basis;
    double least, most; /* of the ratio; beyond them it is worth a note */
} usual[] = {{SC_RATE_TARGET, 0.75, 1.1}, {SC_RATE_EXACT, 0.99, 1.01}};

static bool find(const sc_track *track, sc_rational rate, sc_format *format)
{
    return sc_format_at(track->name, track->width, track->height, rate, format, NULL) == SC_OK;
}

static bool is_published(const sc_format *format)
{
    return format->basis == SC_RATE_EXACT ||
           (format->basis == SC_RATE_TARGET && format->origin == SC_SOURCE_CATALOGUE);
}

/* "24p", "30p" and "60p" of a table are 1000/1001 of that, and stand for both. */
static bool is_nearly_published(const sc_track *track, sc_rational rate, sc_format *format)
{
    const sc_rational slower = {rate.num * 1000, rate.den * 1001};
    sc_format row;
    return rate.den == 1 && find(track, slower, &row) && is_published(&row) &&
           find(track, rate, format);
}

static bool find_published(const sc_track *track, sc_format *format)
{
    const sc_rational standard = sci_rate_standard(track->frame_rate);
    const sc_rational rate = standard.num ? standard : track->frame_rate;
    if (track->kind != SC_TRACK_VIDEO || rate.num <= 0 || rate.num > INT32_MAX)
        return false;
    return find(track, rate, format) &&
           (is_published(format) || is_nearly_published(track, rate, format));
}

void sci_published_find(sc_track *track, bool even)
{
    sc_format format;
    track->published_bits_per_s = SC_UNKNOWN;
    track->published_ratio = -1;
    track->published_source = "";
    /* The rates of ProRes 4444 are without alpha. */
    if (!even || strcmp(track->chroma, "4:4:4:4") == 0 || !find_published(track, &format) ||
        format.bits_per_s <= 0)
        return;
    track->published_bits_per_s = format.bits_per_s;
    track->published_source = format.source;
    if (track->bits_per_s >= 0)
        track->published_ratio = (double)track->bits_per_s / (double)format.bits_per_s;
}

static void label(const sc_track *track, char *buffer, size_t size)
{
    const sc_format format = {.name = track->name,
                              .width = track->width,
                              .height = track->height,
                              .frame_rate = track->frame_rate,
                              .interlaced = track->scan >= SC_SCAN_TOP_FIRST};
    sc_format_label(&format, buffer, size);
}

void sci_published_note(const sc_track *track, sci_findings *findings)
{
    sc_format format;
    char name[SC_NAME_MAX];
    if (track->published_ratio < 0 || !find_published(track, &format))
        return;
    for (size_t i = 0; i < SCI_COUNT(usual); i++) {
        const double ratio = track->published_ratio;
        if (usual[i].basis != format.basis || (ratio >= usual[i].least && ratio <= usual[i].most))
            continue;
        label(track, name, sizeof name);
        const bool above = ratio > usual[i].most;
        sci_finding_add(
            findings, above ? "above-published-rate" : "below-published-rate", SC_SEVERITY_NOTE,
            above
                ? "the picture has %.0f %% of the published rate of %s (%.1f of %.1f Mb/s): tables "
                  "of rates are too low for it"
                : "the picture has %.0f %% of the published rate of %s (%.1f of %.1f Mb/s): other "
                  "clips of this format may need all of it",
            ratio * 100, name, (double)track->bits_per_s / 1e6,
            (double)track->published_bits_per_s / 1e6);
    }
}
