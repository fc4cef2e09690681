#include "report/fio.h"
#include "report/shared.h"

enum {
    POINTS_MAX = 4096,
    SERIES_MAX = 86400 * 50 /* a day of 20 ms steps */
};

static const struct sci_field disk_fields[] = {
    {"name", SCI_TEXT, .offset = offsetof(sc_disk_facts, name)},
    {"model", SCI_TEXT, .offset = offsetof(sc_disk_facts, model)},
    {"transport", SCI_TEXT, .offset = offsetof(sc_disk_facts, transport)},
    {"chain", SCI_TEXT, .offset = offsetof(sc_disk_facts, chain)},
    {"bus_bits_per_s", SCI_INT64, .offset = offsetof(sc_disk_facts, bus_bits_per_s), SCI_NULLABLE},
};
static const struct sci_table disk_table = {disk_fields, SCI_COUNT(disk_fields),
                                            .size = sizeof(sc_disk_facts)};

static const struct sci_field route_fields[] = {
    {"address", SCI_TEXT, .offset = offsetof(sc_route_facts, address)},
    {"this_machine", SCI_INT32, .offset = offsetof(sc_route_facts, this_machine), SCI_NULLABLE,
     .max = 1},
    {"interface", SCI_TEXT, .offset = offsetof(sc_route_facts, interface)},
    {"chain", SCI_TEXT, .offset = offsetof(sc_route_facts, chain)},
    {"bits_per_s", SCI_INT64, .offset = offsetof(sc_route_facts, bits_per_s), SCI_NULLABLE},
    {"duplex", SCI_TEXT, .offset = offsetof(sc_route_facts, duplex)},
    {"state", SCI_TEXT, .offset = offsetof(sc_route_facts, state)},
    {"mtu_bytes", SCI_INT32, .offset = offsetof(sc_route_facts, mtu_bytes), SCI_NULLABLE,
     .max = INT32_MAX},
    {"wireless", SCI_INT32, .offset = offsetof(sc_route_facts, wireless), SCI_NULLABLE, .max = 1},
};
static const struct sci_table route_table = {route_fields, SCI_COUNT(route_fields),
                                             .size = sizeof(sc_route_facts)};

static const struct sci_field facts_fields[] = {
    {"mount_point", SCI_TEXT, .offset = offsetof(sc_storage_facts, mount_point), SCI_PATH},
    {"file_system", SCI_TEXT, .offset = offsetof(sc_storage_facts, file_system)},
    {"device", SCI_TEXT, .offset = offsetof(sc_storage_facts, device), SCI_PATH},
    {"options", SCI_TEXT, .offset = offsetof(sc_storage_facts, options)},
    {"read_only", SCI_BOOL, .offset = offsetof(sc_storage_facts, read_only)},
    {"network", SCI_BOOL, .offset = offsetof(sc_storage_facts, network)},
    {"memory", SCI_BOOL, .offset = offsetof(sc_storage_facts, memory)},
    {"fuse", SCI_BOOL, .offset = offsetof(sc_storage_facts, fuse)},
    {"fuse_kind", SCI_TEXT, .offset = offsetof(sc_storage_facts, fuse_kind)},
    {"read_ahead_bytes", SCI_INT64, .offset = offsetof(sc_storage_facts, read_ahead_bytes),
     SCI_NULLABLE, .max = 9.3e18},
    {"read_request_bytes", SCI_INT64, .offset = offsetof(sc_storage_facts, read_request_bytes),
     SCI_NULLABLE, .max = 9.3e18},
    {"connections", SCI_INT32, .offset = offsetof(sc_storage_facts, connections), SCI_NULLABLE,
     .max = 65535},
    {"protocol", SCI_TEXT, .offset = offsetof(sc_storage_facts, protocol)},
    {"cache_option", SCI_TEXT, .offset = offsetof(sc_storage_facts, cache_option)},
    {"rotational", SCI_INT32, .offset = offsetof(sc_storage_facts, rotational), SCI_NULLABLE,
     .max = 1},
    {"cache_below", SCI_INT32, .offset = offsetof(sc_storage_facts, cache_below), SCI_NULLABLE,
     .max = 1},
    {"disk", SCI_GROUP, .offset = offsetof(sc_storage_facts, disk), .table = &disk_table},
    {"server", SCI_TEXT, .offset = offsetof(sc_storage_facts, server)},
    {"route", SCI_GROUP, .offset = offsetof(sc_storage_facts, route), .table = &route_table},
    {"free_bytes", SCI_INT64, .offset = offsetof(sc_storage_facts, free_bytes), SCI_NULLABLE,
     .max = 9.3e18},
};
static const struct sci_table facts_table = {facts_fields, SCI_COUNT(facts_fields),
                                             .size = sizeof(sc_storage_facts)};

/* These groups are of the document alone: their fields count from the struct around them. */
static const struct sci_field cache_fields[] = {
    {"requested", SCI_ENUM, .offset = offsetof(sc_storage, cache_requested),
     .names = &sci_cache_mode_enum},
    {"effective", SCI_ENUM, .offset = offsetof(sc_storage, cache_effective),
     .names = &sci_cache_mode_enum},
    {"proven", SCI_BOOL, .offset = offsetof(sc_storage, cache_proven)},
    {"reason", SCI_TEXT, .offset = offsetof(sc_storage, cache_reason)},
    {"buffered_bytes_per_s", SCI_DOUBLE, .offset = offsetof(sc_storage, buffered_bytes_per_s),
     SCI_NULL_ZERO},
};
static const struct sci_table cache_table = {cache_fields, SCI_COUNT(cache_fields),
                                             .size = sizeof(sc_storage)};

static const struct sci_field rate_fields[] = {
    {"mean", SCI_DOUBLE, .offset = offsetof(sc_supply_point, mean_bytes_per_s), SCI_REQUIRED},
    {"median", SCI_DOUBLE, .offset = offsetof(sc_supply_point, median_bytes_per_s), SCI_NULLABLE},
    {"p05", SCI_DOUBLE, .offset = offsetof(sc_supply_point, p05_bytes_per_s), SCI_NULLABLE},
};
static const struct sci_table rate_table = {rate_fields, SCI_COUNT(rate_fields),
                                            .size = sizeof(sc_supply_point)};

static const struct sci_field latency_fields[] = {
    {"p50", SCI_DOUBLE, .offset = offsetof(sc_supply_point, latency_p50_s), SCI_NULLABLE},
    {"p95", SCI_DOUBLE, .offset = offsetof(sc_supply_point, latency_p95_s), SCI_NULLABLE},
    {"p99", SCI_DOUBLE, .offset = offsetof(sc_supply_point, latency_p99_s), SCI_NULLABLE},
    {"p999", SCI_DOUBLE, .offset = offsetof(sc_supply_point, latency_p999_s), SCI_NULLABLE},
    {"max", SCI_DOUBLE, .offset = offsetof(sc_supply_point, latency_max_s), SCI_NULLABLE},
};
static const struct sci_table latency_table = {latency_fields, SCI_COUNT(latency_fields),
                                               .size = sizeof(sc_supply_point)};

static const struct sci_field series_fields[] = {
    {"step_s", SCI_DOUBLE, .offset = offsetof(sc_supply_point, series_step_s),
     SCI_REQUIRED | SCI_POSITIVE},
    {"bytes", SCI_INT64_LIST, .offset = offsetof(sc_supply_point, series_bytes), SCI_REQUIRED,
     .size = SERIES_MAX, .count_offset = offsetof(sc_supply_point, series_count)},
};
static const struct sci_table series_table = {series_fields, SCI_COUNT(series_fields),
                                              .size = sizeof(sc_supply_point)};

static bool series_present(const void *point)
{
    return ((const sc_supply_point *)point)->series_count > 0;
}

static const struct sci_field point_fields[] = {
    {"readers", SCI_INT32, .offset = offsetof(sc_supply_point, readers),
     SCI_REQUIRED | SCI_POSITIVE, .max = 1000000},
    {"bytes_per_s", SCI_GROUP, .flags = SCI_REQUIRED, .table = &rate_table},
    {"latency_s", SCI_GROUP, .table = &latency_table},
    {"longest_gap_s", SCI_DOUBLE, .offset = offsetof(sc_supply_point, longest_gap_s), SCI_NULLABLE},
    {"window_s", SCI_WINDOW_DOUBLES, .offset = offsetof(sc_supply_point, window_s),
     SCI_ASCENDING | SCI_POSITIVE, .count_offset = offsetof(sc_supply_point, window_count)},
    {"worst_window_bytes", SCI_WINDOW_INT64S,
     .offset = offsetof(sc_supply_point, worst_window_bytes),
     .count_offset = offsetof(sc_supply_point, window_count)},
    {"series", SCI_GROUP, .table = &series_table, .present = series_present},
    {"cold", SCI_BOOL, .offset = offsetof(sc_supply_point, cold)},
    {"samples", SCI_INT64, .offset = offsetof(sc_supply_point, samples), SCI_NULLABLE},
    {"seconds", SCI_DOUBLE, .offset = offsetof(sc_supply_point, seconds), SCI_NULLABLE},
    {"writers_bytes_per_s", SCI_DOUBLE, .offset = offsetof(sc_supply_point, writers_bytes_per_s),
     SCI_NULL_ZERO},
};
static const struct sci_table point_table = {point_fields, SCI_COUNT(point_fields),
                                             .size = sizeof(sc_supply_point)};

static const struct sci_field write_point_fields[] = {
    {"writers", SCI_INT32, .offset = offsetof(sc_supply_point, readers),
     SCI_REQUIRED | SCI_POSITIVE, .max = 1000000},
    {"bytes_per_s", SCI_GROUP, .flags = SCI_REQUIRED, .table = &rate_table},
    {"latency_s", SCI_GROUP, .table = &latency_table},
    {"longest_gap_s", SCI_DOUBLE, .offset = offsetof(sc_supply_point, longest_gap_s), SCI_NULLABLE},
    {"samples", SCI_INT64, .offset = offsetof(sc_supply_point, samples), SCI_NULLABLE},
    {"seconds", SCI_DOUBLE, .offset = offsetof(sc_supply_point, seconds), SCI_NULLABLE},
};
static const struct sci_table write_point_table = {
    write_point_fields, SCI_COUNT(write_point_fields), .size = sizeof(sc_supply_point)};

/* The windows and the series of writes are of no use to a plan: they are not written. */
static const struct sci_field write_fields[] = {
    {"synced", SCI_BOOL, .offset = offsetof(sc_storage, write_synced)},
    {"points", SCI_LIST, .offset = offsetof(sc_storage, write_points), .size = POINTS_MAX,
     .table = &write_point_table, .count_offset = offsetof(sc_storage, write_point_count)},
};
static const struct sci_table write_table = {write_fields, SCI_COUNT(write_fields),
                                             .size = sizeof(sc_storage)};

static bool writes_present(const void *storage)
{
    return ((const sc_storage *)storage)->write_point_count > 0;
}

static bool jumps_present(const void *times)
{
    return ((const sc_jump_times *)times)->samples > 0;
}

static const struct sci_field jump_fields[] = {
    {"readers", SCI_INT32, .offset = offsetof(sc_jump_times, readers), .max = 1000000},
    {"samples", SCI_INT64, .offset = offsetof(sc_jump_times, samples), SCI_REQUIRED | SCI_POSITIVE},
    {"p50_s", SCI_DOUBLE, .offset = offsetof(sc_jump_times, p50_s), SCI_NULLABLE},
    {"p95_s", SCI_DOUBLE, .offset = offsetof(sc_jump_times, p95_s), SCI_NULLABLE},
    {"p99_s", SCI_DOUBLE, .offset = offsetof(sc_jump_times, p99_s), SCI_NULLABLE},
    {"max_s", SCI_DOUBLE, .offset = offsetof(sc_jump_times, max_s), SCI_NULLABLE},
};
static const struct sci_table jump_table = {jump_fields, SCI_COUNT(jump_fields),
                                            .size = sizeof(sc_jump_times)};

static bool scrub_present(const void *scrub)
{
    return ((const sc_scrub *)scrub)->read_bytes > 0;
}

static const struct sci_field scrub_fields[] = {
    {"read_bytes", SCI_INT64, .offset = offsetof(sc_scrub, read_bytes),
     SCI_REQUIRED | SCI_POSITIVE},
    {"idle", SCI_GROUP, .offset = offsetof(sc_scrub, idle), .table = &jump_table,
     .present = jumps_present},
    {"again", SCI_GROUP, .offset = offsetof(sc_scrub, again), .table = &jump_table,
     .present = jumps_present},
    {"loaded", SCI_GROUP, .offset = offsetof(sc_scrub, loaded), .table = &jump_table,
     .present = jumps_present},
};
static const struct sci_table scrub_table = {scrub_fields, SCI_COUNT(scrub_fields),
                                             .size = sizeof(sc_scrub)};

static const struct sci_field jitter_fields[] = {
    {"p50", SCI_DOUBLE, .offset = offsetof(sc_play_jitter, p50_s)},
    {"p99", SCI_DOUBLE, .offset = offsetof(sc_play_jitter, p99_s)},
    {"max", SCI_DOUBLE, .offset = offsetof(sc_play_jitter, max_s)},
};
static const struct sci_table jitter_table = {jitter_fields, SCI_COUNT(jitter_fields),
                                              .size = sizeof(sc_play_jitter)};

static const struct sci_field paced_read_fields[] = {
    {"samples", SCI_INT64, .offset = offsetof(sc_paced_reads, samples)},
    {"mean_bytes", SCI_DOUBLE, .offset = offsetof(sc_paced_reads, mean_bytes)},
    {"mean_s", SCI_DOUBLE, .offset = offsetof(sc_paced_reads, mean_s)},
    {"p50_s", SCI_DOUBLE, .offset = offsetof(sc_paced_reads, p50_s)},
    {"p99_s", SCI_DOUBLE, .offset = offsetof(sc_paced_reads, p99_s)},
    {"max_s", SCI_DOUBLE, .offset = offsetof(sc_paced_reads, max_s)},
    {"busy", SCI_DOUBLE, .offset = offsetof(sc_paced_reads, busy), .max = 1},
};
static const struct sci_table paced_reads_table = {paced_read_fields, SCI_COUNT(paced_read_fields),
                                                   .size = sizeof(sc_paced_reads)};

static bool reads_present(const void *reads)
{
    return ((const sc_paced_reads *)reads)->samples > 0;
}

static const struct sci_field paced_fields[] = {
    {"streams", SCI_INT32, .offset = offsetof(sc_paced_run, streams), SCI_REQUIRED | SCI_POSITIVE,
     .max = 1000000},
    {"bits_per_s", SCI_INT64, .offset = offsetof(sc_paced_run, bits_per_s), SCI_NULL_ZERO},
    {"seconds", SCI_DOUBLE, .offset = offsetof(sc_paced_run, seconds)},
    {"frames", SCI_INT64, .offset = offsetof(sc_paced_run, frames)},
    {"late_frames", SCI_INT64, .offset = offsetof(sc_paced_run, late_frames)},
    {"failed_reads", SCI_INT64, .offset = offsetof(sc_paced_run, failed_reads)},
    {"worst_lateness_s", SCI_DOUBLE, .offset = offsetof(sc_paced_run, worst_lateness_s)},
    {"min_buffer_s", SCI_DOUBLE, .offset = offsetof(sc_paced_run, min_buffer_s), SCI_SIGNED},
    {"lead_slope", SCI_DOUBLE, .offset = offsetof(sc_paced_run, lead_slope), SCI_SIGNED},
    {"reads", SCI_GROUP, .offset = offsetof(sc_paced_run, reads), .table = &paced_reads_table,
     .present = reads_present},
    {"jitter_s", SCI_GROUP, .offset = offsetof(sc_paced_run, jitter), .table = &jitter_table},
    {"sustained", SCI_BOOL, .offset = offsetof(sc_paced_run, sustained), SCI_REQUIRED},
    {"cold", SCI_BOOL, .offset = offsetof(sc_paced_run, cold)},
};
const struct sci_table sci_paced_run_table = {paced_fields, SCI_COUNT(paced_fields),
                                              .size = sizeof(sc_paced_run)};

static const struct sci_field storage_fields[] = {
    {"made_at", SCI_TIME, .offset = offsetof(sc_storage, made_at)},
    {"path", SCI_TEXT, .offset = offsetof(sc_storage, path), SCI_PATH},
    {"name", SCI_TEXT, .offset = offsetof(sc_storage, name)},
    {"source", SCI_ENUM, .offset = offsetof(sc_storage, source), .names = &sci_source_enum},
    {"constant", SCI_BOOL, .offset = offsetof(sc_storage, constant)},
    {"facts", SCI_GROUP, .offset = offsetof(sc_storage, facts), .table = &facts_table},
    {"player", SCI_GROUP, .offset = offsetof(sc_storage, player), .table = &sci_player_table},
    {"cache", SCI_GROUP, .table = &cache_table},
    {"points", SCI_LIST, .offset = offsetof(sc_storage, points), SCI_REQUIRED, .size = POINTS_MAX,
     .table = &point_table, .count_offset = offsetof(sc_storage, point_count)},
    {"with_writers", SCI_INT32, .offset = offsetof(sc_storage, with_writers), .max = 1000000},
    {"write", SCI_GROUP, .table = &write_table, .present = writes_present},
    {"scrub", SCI_GROUP, .offset = offsetof(sc_storage, scrub), .table = &scrub_table,
     .present = scrub_present},
    {"paced", SCI_LIST, .offset = offsetof(sc_storage, paced), .size = POINTS_MAX,
     .table = &sci_paced_run_table, .count_offset = offsetof(sc_storage, paced_count)},
    {"findings", SCI_LIST, .offset = offsetof(sc_storage, findings), SCI_COLLECTS,
     .table = &sci_finding_table, .count_offset = offsetof(sc_storage, finding_count)},
    {"error", SCI_GROUP, .offset = offsetof(sc_storage, error), .table = &sci_error_table,
     .present = sci_error_present},
};

static bool check_storage(struct sci_reader *reader, const json_t *object, void *base)
{
    const sc_storage *storage = base;
    (void)object;
    if (storage->point_count == 0)
        return sci_refuse(reader, "points: has no entry: nothing was measured");
    for (size_t i = 1; i < storage->point_count; i++)
        if (storage->points[i].readers <= storage->points[i - 1].readers)
            return sci_refuse(reader, "points[%zu].readers: %d is not above the point before it", i,
                              storage->points[i].readers);
    return true;
}

const struct sci_table sci_storage_table = {storage_fields, SCI_COUNT(storage_fields),
                                            .size = sizeof(sc_storage), .check = check_storage};

sc_status sc_storage_to_json(const sc_storage *storage, char **json, sc_error *error)
{
    struct sci_writer writer = {.error = error};
    sc_status status = sci_document_check(storage, json, error);
    if (status != SC_OK)
        return status;
    sci_document_write(&writer, SCI_SCHEMA_STORAGE, &sci_storage_table, storage);
    return sci_document_finish(&writer, json);
}

sc_status sc_storage_from_json(const char *json, size_t length, sc_storage **storage,
                               sc_error *error)
{
    const struct sci_document_kind kind = {SCI_SCHEMA_STORAGE, "storage", "points",
                                           &sci_storage_table};
    if (storage && sci_fio_recognised(json, length))
        return sc_storage_from_fio(json, length, storage, error);
    return sci_document_read(&kind, json, length, storage, error);
}
