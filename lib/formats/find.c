#include "formats/formats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct list {
    sc_format *items;
    size_t count, capacity;
};

static bool add(struct list *list, const sci_format_row *row, sci_scan scan)
{
    if (!sci_grow(&list->items, list->count, &list->capacity, sizeof *list->items))
        return false;
    sc_format *format = &list->items[list->count++];
    *format = row->format;
    if (row->either_scan)
        format->interlaced = scan == SCI_SCAN_INTERLACED;
    return true;
}

static bool scan_fits(const sci_format_row *row, sci_scan scan)
{
    return scan == SCI_SCAN_ANY || row->either_scan ||
           row->format.interlaced == (scan == SCI_SCAN_INTERLACED);
}

static bool fits(const sci_format_query *query, const sci_format_row *row, bool any_width)
{
    const sc_format *format = &row->format;
    return (query->kinds >> row->kind & 1) && scan_fits(row, query->scan) &&
           (!query->raster.height || query->raster.height == format->height) &&
           (!query->raster.width || any_width || query->raster.width == format->width) &&
           (!query->frame_rate.den || sci_rational_equal(query->frame_rate, format->frame_rate));
}

static bool collect(const sci_format_query *query, bool any_width, struct list *list)
{
    for (size_t i = 0; i < query->family->count; i++) {
        sci_format_row row;
        query->family->row(query->family, i, &row);
        if (fits(query, &row, any_width) && !add(list, &row, query->scan))
            return false;
    }
    return true;
}

static bool compute(const sci_format_query *query, struct list *list)
{
    const sci_format_family *family = query->family;
    if (!family->compute || !query->raster.width || !query->frame_rate.den)
        return true;
    for (size_t k = 0; k < family->kind_count; k++) {
        sci_format_row row;
        if ((query->kinds >> k & 1) &&
            family->compute(family, k, query->raster, query->frame_rate, &row) &&
            row.format.bits_per_s > 0 && scan_fits(&row, query->scan) &&
            !add(list, &row, query->scan))
            return false;
    }
    return true;
}

static bool same_but_scan(const sc_format *a, const sc_format *b)
{
    return a->name == b->name && a->width == b->width && a->height == b->height &&
           sci_rational_equal(a->frame_rate, b->frame_rate) && a->bits_per_s == b->bits_per_s;
}

/* A full expression that does not say how the picture is scanned has one answer. */
static void drop_interlaced_twins(struct list *list)
{
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        bool twin = false;
        for (size_t j = 0; j < list->count && list->items[i].interlaced; j++)
            twin |= !list->items[j].interlaced && same_but_scan(&list->items[i], &list->items[j]);
        if (!twin)
            list->items[kept++] = list->items[i];
    }
    list->count = kept;
}

/* Published rows of the raster, else of its height, else computed ones. */
static bool answer(const sci_format_query *query, struct list *list)
{
    return collect(query, false, list) &&
           (list->count || !query->any_width || collect(query, true, list)) &&
           (list->count || compute(query, list));
}

/* The label of the row of the wanted kinds that differs least from what was asked for. */
static void nearest_label(const sci_format_query *query, char *buffer, size_t size)
{
    double least = INFINITY;
    for (size_t i = 0; i < query->family->count; i++) {
        sci_format_row row;
        query->family->row(query->family, i, &row);
        if (!(query->kinds >> row.kind & 1))
            continue;
        double pixels = (double)row.format.width * row.format.height;
        double away = query->raster.width
                          ? 1e3 * fabs(log(pixels / query->raster.width / query->raster.height))
                          : 1e-3 * fabs(log(pixels / 1920 / 1080));
        if (query->frame_rate.den)
            away += fabs(sc_rational_value(row.format.frame_rate) -
                         sc_rational_value(query->frame_rate));
        away += !scan_fits(&row, query->scan);
        if (away >= least)
            continue;
        least = away;
        sc_format_label(&row.format, buffer, size);
    }
}

static sc_status no_such_row(const sci_format_query *query, const char *expression, sc_error *error)
{
    char label[SC_NAME_MAX];
    bool complete = query->raster.width && query->frame_rate.den;
    nearest_label(query, label, sizeof label);
    return sci_fail(error, SC_NOT_FOUND, 0, "formats.find", NULL,
                    "the catalogue has no '%s'; nearest: %s%s", expression, label,
                    query->family->compute && !complete
                        ? "; with a raster and a frame rate it may be computed"
                        : "");
}

sc_status sc_formats_find(const char *expression, sc_format **formats, size_t *count,
                          sc_error *error)
{
    sci_format_query query;
    struct list list = {NULL, 0, 0};
    if (!formats || !count)
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "formats.find", NULL,
                        "formats and count are needed for the result");
    *formats = NULL;
    *count = 0;
    sc_status status = sci_format_query_parse(expression, &query, error);
    if (status != SC_OK)
        return status;
    if (!answer(&query, &list)) {
        free(list.items);
        return sci_fail(error, SC_NO_MEMORY, 0, "formats.find", NULL, "out of memory");
    }
    if (!list.count)
        return no_such_row(&query, expression, error);
    if (query.raster.width && query.frame_rate.den && query.scan == SCI_SCAN_ANY)
        drop_interlaced_twins(&list);
    *formats = list.items;
    *count = list.count;
    return SC_OK;
}

void sc_formats_free(sc_format **formats)
{
    if (!formats)
        return;
    free(*formats);
    *formats = NULL;
}

/* The kind of this name; false when there is none. */
static bool find_name(const char *name, sci_format_query *query)
{
    const sci_format_family *family;
    for (size_t f = 0; (family = sci_format_family_at(f)); f++)
        for (size_t k = 0; k < family->kind_count; k++)
            if (*name && sci_match_words(name, family->kinds[k].name) == strlen(name)) {
                *query = (sci_format_query){.family = family, .kinds = UINT64_C(1) << k};
                return true;
            }
    return false;
}

/* The progressive row before the interlaced one, else a computed one. */
static bool row_at(const sci_format_query *query, sci_format_row *row)
{
    const sci_format_family *family = query->family;
    sci_format_query wanted = *query;
    for (int scan = SCI_SCAN_PROGRESSIVE; scan <= SCI_SCAN_INTERLACED; scan++) {
        wanted.scan = (sci_scan)scan;
        for (size_t i = 0; i < family->count; i++) {
            family->row(family, i, row);
            if (fits(&wanted, row, false))
                return true;
        }
    }
    for (size_t k = 0; k < family->kind_count; k++)
        if (query->kinds >> k & 1)
            return family->compute &&
                   family->compute(family, k, query->raster, query->frame_rate, row) &&
                   row->format.bits_per_s > 0;
    return false;
}

sc_status sc_format_at(const char *name, int32_t width, int32_t height, sc_rational frame_rate,
                       sc_format *format, sc_error *error)
{
    sci_format_query query;
    sci_format_row row;
    double rate = frame_rate.num > 0 && frame_rate.den > 0 ? sc_rational_value(frame_rate) : -1;
    if (!name || !format)
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "formats.at", NULL,
                        "a name is needed, and a format for the result");
    if (width < 1 || height < 1 || width > INT16_MAX || height > INT16_MAX)
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "formats.at", NULL,
                        "%dx%d is not a raster; each side is 1 to %d", (int)width, (int)height,
                        INT16_MAX);
    if (rate <= 0 || rate > 1000)
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "formats.at", NULL,
                        "%lld/%lld is not a frame rate; it is above 0 and at most 1000",
                        (long long)frame_rate.num, (long long)frame_rate.den);
    if (!find_name(name, &query)) {
        char hint[SC_TEXT_MAX / 2];
        sci_format_suggest(name, false, hint, sizeof hint);
        return sci_fail(error, SC_NOT_FOUND, 0, "formats.at", NULL, "no format is named '%.80s'%s",
                        name, hint);
    }
    query.raster = (sci_format_raster){(int16_t)width, (int16_t)height};
    query.frame_rate = sci_rational_reduce(frame_rate);
    if (!row_at(&query, &row)) {
        char wanted[SC_NAME_MAX];
        sc_format asked = {
            .name = name, .width = width, .height = height, .frame_rate = query.frame_rate};
        sc_format_label(&asked, wanted, sizeof wanted);
        return no_such_row(&query, wanted, error);
    }
    *format = row.format;
    return SC_OK;
}
