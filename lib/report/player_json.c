#include "report/shared.h"

enum { FILES_MAX = 4096 };

static const struct sci_field file_fields[] = {
    {"path", SCI_TEXT, .offset = offsetof(sc_player_trace_file, path), SCI_PATH},
    {"reads", SCI_INT64, .offset = offsetof(sc_player_trace_file, reads)},
    {"bytes", SCI_INT64, .offset = offsetof(sc_player_trace_file, bytes)},
};
static const struct sci_table file_table = {file_fields, SCI_COUNT(file_fields),
                                            .size = sizeof(sc_player_trace_file)};

#define AT(member) .offset = offsetof(sc_player_trace, member)

static const struct sci_field trace_fields[] = {
    {"made_at", SCI_TIME, AT(made_at)},
    {"player", SCI_GROUP, AT(player), .table = &sci_player_table},
    {"expression", SCI_TEXT, AT(expression), SCI_REQUIRED},
    {"path", SCI_TEXT, AT(path), SCI_PATH},
    {"media", SCI_TEXT, AT(media), SCI_PATH},
    {"reads", SCI_INT64, AT(reads), SCI_REQUIRED},
    {"bytes", SCI_INT64, AT(bytes), SCI_REQUIRED},
    {"seconds", SCI_DOUBLE, AT(seconds)},
    {"block_bytes", SCI_INT64, AT(block_bytes)},
    {"block_share", SCI_DOUBLE, AT(block_share), .max = 1},
    {"overlap", SCI_INT32, AT(overlap)},
    {"threads", SCI_INT32, AT(threads)},
    {"in_order_share", SCI_DOUBLE, AT(in_order_share), .max = 1},
    {"pace_bytes_per_s", SCI_DOUBLE, AT(pace_bytes_per_s), SCI_NULLABLE},
    {"ahead_bytes", SCI_INT64, AT(ahead_bytes), SCI_NULLABLE},
    {"ahead_s", SCI_DOUBLE, AT(ahead_s), SCI_NULLABLE},
    {"read_p50_s", SCI_DOUBLE, AT(read_p50_s), SCI_NULLABLE},
    {"lines", SCI_INT64, AT(lines)},
    {"files", SCI_LIST, AT(files), .size = FILES_MAX, .table = &file_table,
     .count_offset = offsetof(sc_player_trace, file_count)},
    {"findings", SCI_LIST, AT(findings), SCI_COLLECTS, .table = &sci_finding_table,
     .count_offset = offsetof(sc_player_trace, finding_count)},
    {"error", .type = SCI_NOTHING},
};
static const struct sci_table trace_table = {trace_fields, SCI_COUNT(trace_fields),
                                             .size = sizeof(sc_player_trace)};

sc_status sc_player_trace_to_json(const sc_player_trace *trace, char **json, sc_error *error)
{
    struct sci_writer writer = {.error = error};
    sc_status status = sci_document_check(trace, json, error);
    if (status != SC_OK)
        return status;
    sci_document_write(&writer, SCI_SCHEMA_PLAYER, &trace_table, trace);
    return sci_document_finish(&writer, json);
}

sc_status sc_player_trace_from_json(const char *json, size_t length, sc_player_trace **trace,
                                    sc_error *error)
{
    const struct sci_document_kind kind = {SCI_SCHEMA_PLAYER, NULL, NULL, &trace_table};
    return sci_document_read(&kind, json, length, trace, error);
}
