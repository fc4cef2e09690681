#include "report/shared.h"

static const char *source_name(int value)
{
    return sc_source_name((sc_source)value);
}

static const char *severity_name(int value)
{
    return sc_severity_name((sc_severity)value);
}

static const char *status_name(int value)
{
    return sc_status_name((sc_status)value);
}

static const char *read_mode_name(int value)
{
    return sc_read_mode_name((sc_read_mode)value);
}

static const char *cache_mode_name(int value)
{
    return sc_cache_mode_name((sc_cache_mode)value);
}

const struct sci_enum sci_source_enum = {source_name, SC_SOURCE_NONE, SC_SOURCE_ESTIMATED, false,
                                         SC_SOURCE_NONE};
const struct sci_enum sci_cache_mode_enum = {cache_mode_name, SC_CACHE_AUTO, SC_CACHE_WARM, true,
                                             SC_CACHE_AUTO};
static const struct sci_enum severity_enum = {severity_name, SC_SEVERITY_NOTE, SC_SEVERITY_PROBLEM,
                                              false, SC_SEVERITY_PROBLEM};
static const struct sci_enum status_enum = {status_name, SC_STALLED, SC_OK, false, SC_INTERNAL};
static const struct sci_enum read_mode_enum = {read_mode_name, SC_READ_BLOCK, SC_READ_FRAME, true,
                                               0};

static const struct sci_field finding_fields[] = {
    {"code", SCI_TEXT, .offset = offsetof(sc_finding, code), SCI_REQUIRED},
    {"severity", SCI_ENUM, .offset = offsetof(sc_finding, severity), SCI_REQUIRED,
     .names = &severity_enum},
    {"message", SCI_TEXT, .offset = offsetof(sc_finding, message)},
};
const struct sci_table sci_finding_table = {finding_fields, SCI_COUNT(finding_fields),
                                            .size = sizeof(sc_finding)};

static const struct sci_field error_fields[] = {
    {"status", SCI_ENUM, .offset = offsetof(sc_error, status), SCI_REQUIRED, .names = &status_enum},
    {"where", SCI_CHARS, .offset = offsetof(sc_error, where), .size = SC_NAME_MAX},
    {"message", SCI_CHARS, .offset = offsetof(sc_error, message), .size = SC_TEXT_MAX},
    {"path", SCI_CHARS, .offset = offsetof(sc_error, path), SCI_PATH, .size = SC_PATH_MAX},
    {"errno", SCI_INT32, .offset = offsetof(sc_error, os_errno)},
};

/* An error that is there is no success: "ok" would make a failed object look complete. */
static bool check_error(struct sci_reader *reader, const json_t *object, void *base)
{
    const sc_error *error = base;
    return !object || error->status != SC_OK || sci_refuse(reader, "the status of an error is ok");
}

const struct sci_table sci_error_table = {error_fields, SCI_COUNT(error_fields),
                                          .size = sizeof(sc_error), .check = check_error};

bool sci_error_present(const void *error)
{
    return ((const sc_error *)error)->status != SC_OK;
}

static const char *io_name(int value)
{
    return sc_io_name((sc_io)value);
}

static const struct sci_enum io_enum = {io_name, SC_IO_ANY, SC_IO_BUFFERED, true, SC_IO_ANY};

static const struct sci_field player_fields[] = {
    {"name", SCI_CHARS, .offset = offsetof(sc_player, name), .size = SC_NAME_MAX},
    {"block_bytes", SCI_INT64, .offset = offsetof(sc_player, block_bytes), .max = 1 << 30},
    {"in_flight", SCI_INT32, .offset = offsetof(sc_player, in_flight), .max = 256},
    {"read_ahead_s", SCI_DOUBLE, .offset = offsetof(sc_player, read_ahead_s), .max = 3600},
    {"preroll_s", SCI_DOUBLE, .offset = offsetof(sc_player, preroll_s), .max = 3600},
    {"mode", SCI_ENUM, .offset = offsetof(sc_player, mode), .names = &read_mode_enum},
    {"buffer_cap_bytes", SCI_INT64, .offset = offsetof(sc_player, buffer_cap_bytes), SCI_NULL_ZERO},
    {"io", SCI_ENUM, .offset = offsetof(sc_player, io), .names = &io_enum},
};
const struct sci_table sci_player_table = {player_fields, SCI_COUNT(player_fields),
                                           .size = sizeof(sc_player)};
