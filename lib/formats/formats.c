#include "formats/formats.h"

#include <stdio.h>

/* In the order in which a list of all formats is read: editing codecs first. */
static const sci_format_family *const families[] = {
    &sci_family_prores,    &sci_family_dnxhd,   &sci_family_dnxhr,   &sci_family_avc_intra,
    &sci_family_xavc_i,    &sci_family_xdcam,   &sci_family_imx,     &sci_family_dv,
    &sci_family_xavc_s,    &sci_family_avchd,   &sci_family_iphone,  &sci_family_braw,
    &sci_family_canon_raw, &sci_family_redcode, &sci_family_arriraw, &sci_family_uncompressed,
};

static const sci_name basis_names[] = {{SC_RATE_EXACT, "exact"},
                                       {SC_RATE_TARGET, "target"},
                                       {SC_RATE_MAXIMUM, "maximum"},
                                       {SC_RATE_AVERAGE, "average"},
                                       {SC_RATE_NOMINAL, "nominal"}};

const char *sc_rate_basis_name(sc_rate_basis basis)
{
    const char *name = sci_name_of(basis_names, SCI_COUNT(basis_names), (int)basis);
    return name ? name : "nominal";
}

const sci_format_family *sci_format_family_at(size_t i)
{
    return i < SCI_COUNT(families) ? families[i] : NULL;
}

size_t sc_format_count(void)
{
    size_t count = 0;
    for (size_t f = 0; f < SCI_COUNT(families); f++)
        count += families[f]->count;
    return count;
}

sc_status sc_format_get(size_t i, sc_format *format)
{
    if (!format)
        return SC_INVALID_ARGUMENT;
    for (size_t f = 0; f < SCI_COUNT(families); i -= families[f++]->count)
        if (i < families[f]->count) {
            sci_format_row row;
            families[f]->row(families[f], i, &row);
            *format = row.format;
            return SC_OK;
        }
    return SC_INVALID_ARGUMENT;
}

void sc_format_label(const sc_format *format, char *buffer, size_t size)
{
    char rate[24];
    if (!buffer || size == 0)
        return;
    buffer[0] = '\0';
    if (!format)
        return;
    sc_rational shown = format->frame_rate;
    if (format->interlaced && shown.num <= INT64_MAX / 2)
        shown.num *= 2;
    sc_format_frame_rate(shown, rate, sizeof rate);
    snprintf(buffer, size, "%s %dx%d %s%s", format->name, (int)format->width, (int)format->height,
             rate, format->interlaced ? "i" : "");
}
