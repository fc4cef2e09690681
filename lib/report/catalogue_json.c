#include "report/shared.h"

static const char *rate_basis_name(int value)
{
    return sc_rate_basis_name((sc_rate_basis)value);
}

static const struct sci_enum rate_basis_enum = {rate_basis_name, SC_RATE_EXACT, SC_RATE_NOMINAL,
                                                true, SC_RATE_NOMINAL};

static const struct sci_field format_fields[] = {
    {"family", SCI_TEXT, .offset = offsetof(sc_format, family)},
    {"name", SCI_TEXT, .offset = offsetof(sc_format, name)},
    {"codec", SCI_TEXT, .offset = offsetof(sc_format, codec)},
    {"width", SCI_INT32, .offset = offsetof(sc_format, width)},
    {"height", SCI_INT32, .offset = offsetof(sc_format, height)},
    {"frame_rate", SCI_RATIO, .offset = offsetof(sc_format, frame_rate)},
    {"interlaced", SCI_BOOL, .offset = offsetof(sc_format, interlaced)},
    {"bits", SCI_INT32, .offset = offsetof(sc_format, bits), SCI_NULL_ZERO},
    {"chroma", SCI_TEXT, .offset = offsetof(sc_format, chroma)},
    {"bits_per_s", SCI_INT64, .offset = offsetof(sc_format, bits_per_s)},
    {"frame_bytes", SCI_INT64, .offset = offsetof(sc_format, frame_bytes), SCI_NULL_ZERO},
    {"basis", SCI_ENUM, .offset = offsetof(sc_format, basis), .names = &rate_basis_enum},
    {"origin", SCI_ENUM, .offset = offsetof(sc_format, origin), .names = &sci_source_enum},
    {"source", SCI_TEXT, .offset = offsetof(sc_format, source)},
};
static const struct sci_table format_table = {format_fields, SCI_COUNT(format_fields),
                                              .size = sizeof(sc_format)};

static const struct sci_field link_fields[] = {
    {"name", SCI_TEXT, .offset = offsetof(sc_link_row, name)},
    {"title", SCI_TEXT, .offset = offsetof(sc_link_row, title)},
    {"kind", SCI_ENUM, .offset = offsetof(sc_link_row, kind), .names = &sci_link_kind_enum},
    {"line_bits_per_s", SCI_INT64, .offset = offsetof(sc_link_row, line_bits_per_s)},
    {"payload_share_low", SCI_DOUBLE, .offset = offsetof(sc_link_row, payload_share_low),
     SCI_NULL_ZERO},
    {"payload_share_high", SCI_DOUBLE, .offset = offsetof(sc_link_row, payload_share_high),
     SCI_NULL_ZERO},
    {"source", SCI_TEXT, .offset = offsetof(sc_link_row, source)},
};
static const struct sci_table link_table = {link_fields, SCI_COUNT(link_fields),
                                            .size = sizeof(sc_link_row)};

struct catalogue {
    char made_at[SC_TIME_MAX];
    const void *rows;
    size_t count;
};

static sc_status write_catalogue(const char *schema, const char *key, const struct sci_table *table,
                                 struct catalogue *catalogue, const char *made_at, char **json,
                                 sc_error *error)
{
    const struct sci_field fields[] = {
        {"made_at", SCI_TIME, .offset = offsetof(struct catalogue, made_at)},
        {key, SCI_LIST, .offset = offsetof(struct catalogue, rows), .table = table,
         .count_offset = offsetof(struct catalogue, count)},
        {"findings", .type = SCI_NO_FINDINGS},
        {"error", .type = SCI_NOTHING},
    };
    const struct sci_table document = {fields, SCI_COUNT(fields), .size = sizeof *catalogue};
    struct sci_writer writer = {.error = error};
    sc_status status = sci_document_check(catalogue, json, error);
    if (status == SC_OK)
        status = sci_document_time(catalogue->made_at, made_at, error);
    if (status != SC_OK)
        return status;
    sci_document_write(&writer, schema, &document, catalogue);
    return sci_document_finish(&writer, json);
}

sc_status sc_formats_to_json(const sc_format *formats, size_t count, const char *made_at,
                             char **json, sc_error *error)
{
    struct catalogue catalogue = {.rows = formats, .count = count};
    sc_status status = sci_document_check(formats || !count ? &catalogue : NULL, json, error);
    if (status != SC_OK)
        return status;
    return write_catalogue("streamcalc.formats", "formats", &format_table, &catalogue, made_at,
                           json, error);
}

sc_status sc_links_to_json(const char *made_at, char **json, sc_error *error)
{
    struct catalogue catalogue = {{0}, NULL, 0};
    catalogue.rows = sc_links(&catalogue.count);
    return write_catalogue("streamcalc.links", "links", &link_table, &catalogue, made_at, json,
                           error);
}
