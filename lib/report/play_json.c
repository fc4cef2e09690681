#include "report/shared.h"

enum { STREAMS_MAX = 4096, TRIALS_MAX = 4096 };

static const struct sci_field stream_fields[] = {
    {"format", SCI_TEXT, .offset = offsetof(sc_play_stream, format)},
    {"path", SCI_TEXT, .offset = offsetof(sc_play_stream, path), SCI_PATH},
    {"frames", SCI_INT64, .offset = offsetof(sc_play_stream, frames), SCI_REQUIRED},
    {"late_frames", SCI_INT64, .offset = offsetof(sc_play_stream, late_frames), SCI_REQUIRED},
    {"stalls", SCI_INT64, .offset = offsetof(sc_play_stream, stalls)},
    {"worst_lateness_s", SCI_DOUBLE, .offset = offsetof(sc_play_stream, worst_lateness_s)},
    {"min_buffer_s", SCI_DOUBLE, .offset = offsetof(sc_play_stream, min_buffer_s), SCI_SIGNED},
    {"lead_slope", SCI_DOUBLE, .offset = offsetof(sc_play_stream, lead_slope), SCI_SIGNED},
    {"file_a_frame", SCI_BOOL, .offset = offsetof(sc_play_stream, file_a_frame)},
    {"sustained", SCI_BOOL, .offset = offsetof(sc_play_stream, sustained)},
};
static const struct sci_table stream_table = {stream_fields, SCI_COUNT(stream_fields),
                                              .size = sizeof(sc_play_stream)};

static const struct sci_field cache_fields[] = {
    {"requested", SCI_ENUM, .offset = offsetof(sc_playback, cache_requested),
     .names = &sci_cache_mode_enum},
    {"effective", SCI_ENUM, .offset = offsetof(sc_playback, cache_effective),
     .names = &sci_cache_mode_enum},
};
static const struct sci_table cache_table = {cache_fields, SCI_COUNT(cache_fields),
                                             .size = sizeof(sc_playback)};

static const struct sci_field playback_fields[] = {
    {"made_at", SCI_TIME, .offset = offsetof(sc_playback, made_at)},
    {"path", SCI_TEXT, .offset = offsetof(sc_playback, path), SCI_PATH},
    {"player", SCI_GROUP, .offset = offsetof(sc_playback, player), .table = &sci_player_table},
    {"cache", SCI_GROUP, .table = &cache_table},
    {"cold", SCI_BOOL, .offset = offsetof(sc_playback, cold)},
    {"streams", SCI_LIST, .offset = offsetof(sc_playback, streams), SCI_REQUIRED,
     .size = STREAMS_MAX, .table = &stream_table,
     .count_offset = offsetof(sc_playback, stream_count)},
    {"late_frames", SCI_INT64, .offset = offsetof(sc_playback, late_frames), SCI_REQUIRED},
    {"sustained", SCI_BOOL, .offset = offsetof(sc_playback, sustained), SCI_REQUIRED},
    {"largest_sustained", SCI_INT32, .offset = offsetof(sc_playback, largest_sustained),
     SCI_NULLABLE, .max = 1000000},
    {"trials", SCI_LIST, .offset = offsetof(sc_playback, trials), .size = TRIALS_MAX,
     .table = &sci_paced_run_table, .count_offset = offsetof(sc_playback, trial_count)},
    {"findings", SCI_LIST, .offset = offsetof(sc_playback, findings), SCI_COLLECTS,
     .table = &sci_finding_table, .count_offset = offsetof(sc_playback, finding_count)},
    {"error", SCI_GROUP, .offset = offsetof(sc_playback, error), .table = &sci_error_table,
     .present = sci_error_present},
};
const struct sci_table sci_playback_table = {playback_fields, SCI_COUNT(playback_fields),
                                             .size = sizeof(sc_playback)};

sc_status sc_playback_to_json(const sc_playback *playback, char **json, sc_error *error)
{
    struct sci_writer writer = {.error = error};
    sc_status status = sci_document_check(playback, json, error);
    if (status != SC_OK)
        return status;
    sci_document_write(&writer, SCI_SCHEMA_PLAY, &sci_playback_table, playback);
    return sci_document_finish(&writer, json);
}

sc_status sc_playback_from_json(const char *json, size_t length, sc_playback **playback,
                                sc_error *error)
{
    const struct sci_document_kind kind = {SCI_SCHEMA_PLAY, "play", "trials", &sci_playback_table};
    return sci_document_read(&kind, json, length, playback, error);
}
