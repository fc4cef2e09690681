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

static const struct sci_field protocol_fields[] = {
    {"name", SCI_TEXT, .offset = offsetof(sc_protocol_row, name)},
    {"share_low", SCI_DOUBLE, .offset = offsetof(sc_protocol_row, share_low)},
    {"share_high", SCI_DOUBLE, .offset = offsetof(sc_protocol_row, share_high)},
    {"source", SCI_TEXT, .offset = offsetof(sc_protocol_row, source)},
};
static const struct sci_table protocol_table = {protocol_fields, SCI_COUNT(protocol_fields),
                                                .size = sizeof(sc_protocol_row)};

/* A catalogue of formats, or of links with protocols. */
struct catalogue {
    char made_at[SC_TIME_MAX];
    const sc_format *formats;
    size_t format_count;
    const sc_link_row *links;
    size_t link_count;
    const sc_protocol_row *protocols;
    size_t protocol_count;
};

#define LIST(key, member, count, of)                                                               \
    {                                                                                              \
        key, SCI_LIST, .offset = offsetof(struct catalogue, member), .table = (of),                \
                       .count_offset = offsetof(struct catalogue, count)                           \
    }

static const struct sci_field formats_fields[] = {
    {"made_at", SCI_TIME, .offset = offsetof(struct catalogue, made_at)},
    LIST("formats", formats, format_count, &format_table),
    {"findings", .type = SCI_NO_FINDINGS},
    {"error", .type = SCI_NOTHING},
};
static const struct sci_table formats_table = {formats_fields, SCI_COUNT(formats_fields),
                                               .size = sizeof(struct catalogue)};

static const struct sci_field links_fields[] = {
    {"made_at", SCI_TIME, .offset = offsetof(struct catalogue, made_at)},
    LIST("links", links, link_count, &link_table),
    LIST("protocols", protocols, protocol_count, &protocol_table),
    {"findings", .type = SCI_NO_FINDINGS},
    {"error", .type = SCI_NOTHING},
};
static const struct sci_table links_table = {links_fields, SCI_COUNT(links_fields),
                                             .size = sizeof(struct catalogue)};

static sc_status write_catalogue(const char *schema, const struct sci_table *table,
                                 struct catalogue *catalogue, const char *made_at, char **json,
                                 sc_error *error)
{
    struct sci_writer writer = {.error = error};
    sc_status status = sci_document_check(catalogue, json, error);
    if (status == SC_OK)
        status = sci_document_time(catalogue->made_at, made_at, error);
    if (status != SC_OK)
        return status;
    sci_document_write(&writer, schema, table, catalogue);
    return sci_document_finish(&writer, json);
}

sc_status sc_formats_to_json(const sc_format *formats, size_t count, const char *made_at,
                             char **json, sc_error *error)
{
    struct catalogue catalogue = {.formats = formats, .format_count = count};
    sc_status status = sci_document_check(formats || !count ? &catalogue : NULL, json, error);
    if (status != SC_OK)
        return status;
    return write_catalogue("streamcalc.formats", &formats_table, &catalogue, made_at, json, error);
}

sc_status sc_links_to_json(const char *made_at, char **json, sc_error *error)
{
    struct catalogue catalogue = {.made_at = ""};
    catalogue.links = sc_links(&catalogue.link_count);
    catalogue.protocols = sc_protocols(&catalogue.protocol_count);
    return write_catalogue("streamcalc.links", &links_table, &catalogue, made_at, json, error);
}
