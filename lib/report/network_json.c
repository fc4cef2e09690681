#include "report/iperf3.h"
#include "report/shared.h"

static const char *link_kind_name(int value)
{
    return sc_link_kind_name((sc_link_kind)value);
}

const struct sci_enum sci_link_kind_enum = {link_kind_name, SC_LINK_RATE, SC_LINK_BUS, true,
                                            SC_LINK_RATE};

struct network {
    char made_at[SC_TIME_MAX];
    sc_link link;
};

static const struct sci_field network_fields[] = {
    {"made_at", SCI_TIME, .offset = offsetof(struct network, made_at)},
    {"name", SCI_CHARS, .offset = offsetof(struct network, link.name), .size = SC_NAME_MAX},
    {"kind", SCI_ENUM, .offset = offsetof(struct network, link.kind), SCI_REQUIRED,
     .names = &sci_link_kind_enum},
    {"line_bits_per_s", SCI_INT64, .offset = offsetof(struct network, link.line_bits_per_s),
     SCI_REQUIRED},
    {"payload_bits_per_s", SCI_INT64, .offset = offsetof(struct network, link.payload_bits_per_s),
     SCI_REQUIRED | SCI_POSITIVE},
    {"rtt_s", SCI_DOUBLE, .offset = offsetof(struct network, link.rtt_s), .max = 3600},
    {"mtu_bytes", SCI_INT32, .offset = offsetof(struct network, link.mtu_bytes), SCI_NULL_ZERO,
     .max = 65535},
    {"timestamps", SCI_BOOL, .offset = offsetof(struct network, link.timestamps)},
    {"vlan", SCI_BOOL, .offset = offsetof(struct network, link.vlan)},
    {"ipv6", SCI_BOOL, .offset = offsetof(struct network, link.ipv6)},
    {"members", SCI_INT32, .offset = offsetof(struct network, link.members), SCI_NULL_ZERO,
     .max = 256},
    {"window_bytes", SCI_INT64, .offset = offsetof(struct network, link.window_bytes),
     SCI_NULL_ZERO},
    {"protocol", SCI_CHARS, .offset = offsetof(struct network, link.protocol),
     .size = sizeof((sc_link *)NULL)->protocol},
    {"protocol_share", SCI_DOUBLE, .offset = offsetof(struct network, link.protocol_share),
     SCI_NULL_ZERO, .max = 1},
    {"window_s", SCI_WINDOW_DOUBLES, .offset = offsetof(struct network, link.window_s),
     SCI_POSITIVE | SCI_ASCENDING, .count_offset = offsetof(struct network, link.window_count)},
    {"worst_window_bytes", SCI_WINDOW_INT64S,
     .offset = offsetof(struct network, link.worst_window_bytes),
     .count_offset = offsetof(struct network, link.window_count)},
    {"origin", SCI_ENUM, .offset = offsetof(struct network, link.origin),
     .names = &sci_source_enum},
    {"source", SCI_CHARS, .offset = offsetof(struct network, link.source), .size = SC_TEXT_MAX},
    {"findings", .type = SCI_NO_FINDINGS},
    {"error", .type = SCI_NOTHING},
};
static const struct sci_table network_table = {network_fields, SCI_COUNT(network_fields),
                                               .size = sizeof(struct network)};

void sci_network_write(struct sci_writer *writer, const sc_link *link, const char *made_at)
{
    struct network network = {.link = *link};
    sci_copy(network.made_at, sizeof network.made_at, made_at);
    sci_document_write(writer, SCI_SCHEMA_NETWORK, &network_table, &network);
}

sc_status sc_link_to_json(const sc_link *link, const char *made_at, char **json, sc_error *error)
{
    struct sci_writer writer = {.error = error};
    char time[SC_TIME_MAX];
    sc_status status = sci_document_check(link, json, error);
    if (status == SC_OK)
        status = sci_document_time(time, made_at, error);
    if (status != SC_OK)
        return status;
    sci_network_write(&writer, link, time);
    return sci_document_finish(&writer, json);
}

sc_status sc_link_from_json(const char *json, size_t length, sc_link *link, sc_error *error)
{
    const struct sci_document_kind kind = {SCI_SCHEMA_NETWORK, "link", NULL, &network_table};
    struct network *network;
    if (!link)
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "report.read", NULL,
                        "no place for the result was given");
    if (sci_iperf3_recognised(json, length))
        return sc_link_from_iperf3(json, length, link, error);
    sc_status status = sci_document_read(&kind, json, length, &network, error);
    if (status == SC_OK)
        *link = network->link;
    sci_result_free(&network);
    return status;
}
