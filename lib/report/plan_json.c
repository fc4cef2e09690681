#include "report/shared.h"

static const char *limit_kind_name(int value)
{
    return sc_limit_kind_name((sc_limit_kind)value);
}

static const struct sci_enum limit_kind_enum = {limit_kind_name, SC_LIMIT_NONE, SC_LIMIT_PLAYED,
                                                true, SC_LIMIT_NONE};

static const struct sci_field limit_fields[] = {
    {"kind", SCI_ENUM, .offset = offsetof(sc_limit, kind), SCI_REQUIRED, .names = &limit_kind_enum},
    {"resource", SCI_TEXT, .offset = offsetof(sc_limit, resource)},
    {"window_s", SCI_DOUBLE, .offset = offsetof(sc_limit, window_s), SCI_NULLABLE},
    {"streams", SCI_INT32, .offset = offsetof(sc_limit, streams)},
    {"needed_bytes", SCI_DOUBLE, .offset = offsetof(sc_limit, needed_bytes), SCI_NULLABLE},
    {"available_bytes", SCI_DOUBLE, .offset = offsetof(sc_limit, available_bytes), SCI_NULLABLE},
    {"needed_bytes_per_s", SCI_DOUBLE, .offset = offsetof(sc_limit, needed_bytes_per_s),
     SCI_NULLABLE},
    {"available_bytes_per_s", SCI_DOUBLE, .offset = offsetof(sc_limit, available_bytes_per_s),
     SCI_NULLABLE},
    {"text", SCI_TEXT, .offset = offsetof(sc_limit, text)},
};
static const struct sci_table limit_table = {limit_fields, SCI_COUNT(limit_fields),
                                             .size = sizeof(sc_limit)};

static const struct sci_field answer_fields[] = {
    {"format", SCI_TEXT, .offset = offsetof(sc_answer, format), SCI_REQUIRED},
    {"clip", SCI_TEXT, .offset = offsetof(sc_answer, clip), SCI_PATH},
    {"found", SCI_BOOL, .offset = offsetof(sc_answer, found)},
    {"stream_bits_per_s", SCI_INT64, .offset = offsetof(sc_answer, stream_bits_per_s),
     SCI_REQUIRED},
    {"storage", SCI_TEXT, .offset = offsetof(sc_answer, storage), SCI_PATH},
    {"link", SCI_TEXT, .offset = offsetof(sc_answer, link)},
    {"player", SCI_TEXT, .offset = offsetof(sc_answer, player)},
    {"safe", SCI_INT64, .offset = offsetof(sc_answer, safe), SCI_REQUIRED | SCI_NULLABLE},
    {"likely", SCI_INT64, .offset = offsetof(sc_answer, likely), SCI_NULLABLE},
    {"expected", SCI_INT64, .offset = offsetof(sc_answer, expected), SCI_REQUIRED | SCI_NULLABLE},
    {"naive", SCI_INT64, .offset = offsetof(sc_answer, naive), SCI_REQUIRED | SCI_NULLABLE},
    {"played_sustained", SCI_INT64, .offset = offsetof(sc_answer, played_sustained), SCI_NULLABLE},
    {"played_late", SCI_INT64, .offset = offsetof(sc_answer, played_late), SCI_NULLABLE},
    {"at_least", SCI_BOOL, .offset = offsetof(sc_answer, at_least)},
    {"extrapolated", SCI_BOOL, .offset = offsetof(sc_answer, extrapolated)},
    {"upper_bound", SCI_BOOL, .offset = offsetof(sc_answer, upper_bound)},
    {"required_met", SCI_BOOL, .offset = offsetof(sc_answer, required_met)},
    {"limit", SCI_GROUP, .offset = offsetof(sc_answer, limit), .table = &limit_table},
    {"headroom", SCI_DOUBLE, .offset = offsetof(sc_answer, headroom), SCI_NULLABLE, .max = 1},
    {"refill_s", SCI_DOUBLE, .offset = offsetof(sc_answer, refill_s), SCI_NULLABLE},
};
static const struct sci_table answer_table = {answer_fields, SCI_COUNT(answer_fields),
                                              .size = sizeof(sc_answer)};

static const char *verdict_name(int value)
{
    return sc_verdict_name((sc_verdict)value);
}

static const struct sci_enum verdict_enum = {verdict_name, SC_VERDICT_UNKNOWN, SC_VERDICT_BREAKS,
                                             true, SC_VERDICT_UNKNOWN};

static const struct sci_field part_fields[] = {
    {"format", SCI_TEXT, .offset = offsetof(sc_mix_part, format), SCI_REQUIRED},
    {"clip", SCI_TEXT, .offset = offsetof(sc_mix_part, clip), SCI_PATH},
    {"stream_bits_per_s", SCI_INT64, .offset = offsetof(sc_mix_part, stream_bits_per_s)},
    {"playing", SCI_INT64, .offset = offsetof(sc_mix_part, playing), SCI_REQUIRED},
    {"more", SCI_INT64, .offset = offsetof(sc_mix_part, more), SCI_REQUIRED | SCI_NULLABLE},
    {"more_expected", SCI_INT64, .offset = offsetof(sc_mix_part, more_expected), SCI_NULLABLE},
    {"fewer", SCI_INT64, .offset = offsetof(sc_mix_part, fewer), SCI_NULLABLE},
    {"at_least", SCI_BOOL, .offset = offsetof(sc_mix_part, at_least)},
    {"extrapolated", SCI_BOOL, .offset = offsetof(sc_mix_part, extrapolated)},
    {"limit", SCI_GROUP, .offset = offsetof(sc_mix_part, limit), .table = &limit_table},
};
static const struct sci_table part_table = {part_fields, SCI_COUNT(part_fields),
                                            .size = sizeof(sc_mix_part)};

static const struct sci_field mix_fields[] = {
    {"parts", SCI_LIST, .offset = offsetof(sc_mix, parts), SCI_REQUIRED, .table = &part_table,
     .count_offset = offsetof(sc_mix, part_count)},
    {"streams", SCI_INT64, .offset = offsetof(sc_mix, streams)},
    {"safe", SCI_ENUM, .offset = offsetof(sc_mix, safe), SCI_REQUIRED, .names = &verdict_enum},
    {"likely", SCI_ENUM, .offset = offsetof(sc_mix, likely), .names = &verdict_enum},
    {"expected", SCI_ENUM, .offset = offsetof(sc_mix, expected), .names = &verdict_enum},
    {"played", SCI_ENUM, .offset = offsetof(sc_mix, played), .names = &verdict_enum},
    {"extrapolated", SCI_BOOL, .offset = offsetof(sc_mix, extrapolated)},
    {"upper_bound", SCI_BOOL, .offset = offsetof(sc_mix, upper_bound)},
    {"limit", SCI_GROUP, .offset = offsetof(sc_mix, limit), .table = &limit_table},
    {"shortfall", SCI_DOUBLE, .offset = offsetof(sc_mix, shortfall), SCI_NULLABLE},
    {"headroom", SCI_DOUBLE, .offset = offsetof(sc_mix, headroom), SCI_NULLABLE, .max = 1},
    {"refill_s", SCI_DOUBLE, .offset = offsetof(sc_mix, refill_s), SCI_NULLABLE},
};
static const struct sci_table mix_table = {mix_fields, SCI_COUNT(mix_fields),
                                           .size = sizeof(sc_mix)};

static bool mix_present(const void *base)
{
    return ((const sc_mix *)base)->part_count > 0;
}

static const struct sci_field pair_fields[] = {
    {"first", SCI_INT64, .offset = offsetof(sc_frontier_pair, first), SCI_REQUIRED},
    {"second", SCI_INT64, .offset = offsetof(sc_frontier_pair, second), SCI_REQUIRED},
    {"at_least", SCI_BOOL, .offset = offsetof(sc_frontier_pair, at_least)},
    {"first_limit", SCI_ENUM, .offset = offsetof(sc_frontier_pair, first_limit),
     .names = &limit_kind_enum},
    {"second_limit", SCI_ENUM, .offset = offsetof(sc_frontier_pair, second_limit),
     .names = &limit_kind_enum},
};
static const struct sci_table pair_table = {pair_fields, SCI_COUNT(pair_fields),
                                            .size = sizeof(sc_frontier_pair)};

static const struct sci_field frontier_fields[] = {
    {"first", SCI_TEXT, .offset = offsetof(sc_frontier, first), SCI_REQUIRED},
    {"second", SCI_TEXT, .offset = offsetof(sc_frontier, second), SCI_REQUIRED},
    {"safe", SCI_LIST, .offset = offsetof(sc_frontier, safe), SCI_REQUIRED, .table = &pair_table,
     .count_offset = offsetof(sc_frontier, safe_count), .size = SC_FRONTIER_PAIRS_MAX},
    {"expected", SCI_LIST, .offset = offsetof(sc_frontier, expected), .table = &pair_table,
     .count_offset = offsetof(sc_frontier, expected_count), .size = SC_FRONTIER_PAIRS_MAX},
};
static const struct sci_table frontier_table = {frontier_fields, SCI_COUNT(frontier_fields),
                                                .size = sizeof(sc_frontier)};

static const char *law_name(int value)
{
    return sc_supply_law_name((sc_supply_law)value);
}

static const struct sci_enum law_enum = {law_name, SC_LAW_NONE, SC_LAW_COHERENCY, true,
                                         SC_LAW_NONE};

static const struct sci_field plan_fields[] = {
    {"made_at", SCI_TIME, .offset = offsetof(sc_plan, made_at)},
    {"answers", SCI_LIST, .offset = offsetof(sc_plan, answers), SCI_REQUIRED,
     .table = &answer_table, .count_offset = offsetof(sc_plan, answer_count)},
    {"player", SCI_GROUP, .offset = offsetof(sc_plan, player), .table = &sci_player_table},
    {"reserve", SCI_DOUBLE, .offset = offsetof(sc_plan, reserve), .max = 1},
    {"require", SCI_INT64, .offset = offsetof(sc_plan, require), SCI_NULL_ZERO},
    {"holds", SCI_BOOL, .offset = offsetof(sc_plan, holds)},
    {"mix", SCI_GROUP, .offset = offsetof(sc_plan, mix), .table = &mix_table,
     .present = mix_present},
    {"frontier", SCI_LIST, .offset = offsetof(sc_plan, frontiers), .table = &frontier_table,
     .count_offset = offsetof(sc_plan, frontier_count)},
    {"likely_probability", SCI_DOUBLE, .offset = offsetof(sc_plan, likely_probability), .max = 1},
    {"law", SCI_ENUM, .offset = offsetof(sc_plan, law), .names = &law_enum},
    {"findings", SCI_LIST, .offset = offsetof(sc_plan, findings), SCI_COLLECTS,
     .table = &sci_finding_table, .count_offset = offsetof(sc_plan, finding_count)},
    {"error", SCI_GROUP, .offset = offsetof(sc_plan, error), .table = &sci_error_table,
     .present = sci_error_present},
};
static const struct sci_table plan_table = {plan_fields, SCI_COUNT(plan_fields),
                                            .size = sizeof(sc_plan)};

/* Null where there is none. */
static void write_document(struct sci_writer *writer, const char *key, const char *schema,
                           const struct sci_table *table, const void *base)
{
    sci_put_key(writer, key);
    if (base)
        sci_document_write(writer, schema, table, base);
    else
        sci_put_null(writer);
}

static void write_nested(struct sci_writer *writer, const sc_plan_document *document)
{
    sci_put_key(writer, "probe");
    if (document->probe)
        sci_probe_write(writer, document->probe);
    else
        sci_put_null(writer);
    write_document(writer, "storage", SCI_SCHEMA_STORAGE, &sci_storage_table, document->storage);
    sci_put_key(writer, "link");
    if (document->link)
        sci_network_write(writer, document->link, document->plan->made_at);
    else
        sci_put_null(writer);
    write_document(writer, "play", SCI_SCHEMA_PLAY, &sci_playback_table, document->playback);
}

sc_status sc_plan_to_json(const sc_plan_document *document, char **json, sc_error *error)
{
    struct sci_writer writer = {.error = error};
    sc_status status = sci_document_check(document ? document->plan : NULL, json, error);
    if (status != SC_OK)
        return status;
    sci_document_begin(&writer, SCI_SCHEMA_PLAN);
    sci_write_fields(&writer, &plan_table, document->plan);
    write_nested(&writer, document);
    sci_document_end(&writer);
    return sci_document_finish(&writer, json);
}

sc_status sc_plan_from_json(const char *json, size_t length, sc_plan **plan, sc_error *error)
{
    const struct sci_document_kind kind = {SCI_SCHEMA_PLAN, NULL, "answers", &plan_table};
    return sci_document_read(&kind, json, length, plan, error);
}
