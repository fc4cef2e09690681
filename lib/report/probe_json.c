#include "report/shared.h"

#include <string.h>

enum {
    TRACE_MAX = 4096,
    FILES_MAX = 200000, /* more than fit a document, less than hurts */
    /* Of all files together: at ten bytes a step less than what is read, 3900 whole traces. */
    TRACE_STEPS_MAX = 16 * 1000 * 1000
};

static const char *track_kind_name(int value)
{
    return sc_track_kind_name((sc_track_kind)value);
}

static const struct sci_enum track_kind_enum = {track_kind_name, SC_TRACK_UNKNOWN, SC_TRACK_PICTURE,
                                                true, SC_TRACK_UNKNOWN};

static const char *scan_name(int value)
{
    return sc_scan_type_name((sc_scan_type)value);
}

static const struct sci_enum scan_enum = {scan_name, SC_SCAN_UNKNOWN, SC_SCAN_INTERLACED, false,
                                          SC_SCAN_UNKNOWN};

static const struct sci_field track_fields[] = {
    {"kind", SCI_ENUM, .offset = offsetof(sc_track, kind), SCI_REQUIRED, .names = &track_kind_enum},
    {"played", SCI_BOOL, .offset = offsetof(sc_track, played)},
    {"codec", SCI_TEXT, .offset = offsetof(sc_track, codec)},
    {"name", SCI_TEXT, .offset = offsetof(sc_track, name)},
    {"level", SCI_TEXT, .offset = offsetof(sc_track, level)},
    {"scan", SCI_ENUM, .offset = offsetof(sc_track, scan), .names = &scan_enum},
    {"chroma", SCI_TEXT, .offset = offsetof(sc_track, chroma)},
    {"bit_depth", SCI_INT32, .offset = offsetof(sc_track, bit_depth), SCI_NULL_ZERO},
    {"width", SCI_INT32, .offset = offsetof(sc_track, width), SCI_NULL_ZERO},
    {"height", SCI_INT32, .offset = offsetof(sc_track, height), SCI_NULL_ZERO},
    {"frame_rate", SCI_RATIO, .offset = offsetof(sc_track, frame_rate)},
    {"sample_rate_hz", SCI_INT32, .offset = offsetof(sc_track, sample_rate_hz), SCI_NULL_ZERO},
    {"channels", SCI_INT32, .offset = offsetof(sc_track, channels), SCI_NULL_ZERO},
    {"packets", SCI_INT64, .offset = offsetof(sc_track, packets), SCI_NULLABLE},
    {"bytes", SCI_INT64, .offset = offsetof(sc_track, bytes), SCI_NULLABLE},
    {"bits_per_s", SCI_INT64, .offset = offsetof(sc_track, bits_per_s), SCI_NULLABLE},
    {"duration_s", SCI_DOUBLE, .offset = offsetof(sc_track, duration_s), SCI_NULLABLE},
    {"source", SCI_ENUM, .offset = offsetof(sc_track, source), .names = &sci_source_enum},
    {"published_bits_per_s", SCI_INT64, .offset = offsetof(sc_track, published_bits_per_s),
     SCI_NULLABLE},
    {"published_ratio", SCI_DOUBLE, .offset = offsetof(sc_track, published_ratio), SCI_NULLABLE},
    {"published_source", SCI_TEXT, .offset = offsetof(sc_track, published_source)},
};
static const struct sci_table track_table = {track_fields, SCI_COUNT(track_fields),
                                             .size = sizeof(sc_track)};

static const struct sci_field curve_fields[] = {
    {"window_s", SCI_WINDOW_DOUBLES, .offset = offsetof(sc_curve, window_s),
     SCI_REQUIRED | SCI_ASCENDING | SCI_POSITIVE, .count_offset = offsetof(sc_curve, count)},
    {"max_bytes", SCI_WINDOW_INT64S, .offset = offsetof(sc_curve, max_bytes), SCI_REQUIRED,
     .count_offset = offsetof(sc_curve, count)},
    {"mean_bytes", SCI_WINDOW_DOUBLES, .offset = offsetof(sc_curve, mean_bytes), SCI_REQUIRED,
     .count_offset = offsetof(sc_curve, count)},
    {"stdev_bytes", SCI_WINDOW_DOUBLES, .offset = offsetof(sc_curve, stdev_bytes), SCI_REQUIRED,
     .count_offset = offsetof(sc_curve, count)},
    {"source", SCI_ENUM, .offset = offsetof(sc_curve, source), .names = &sci_source_enum},
};
static const struct sci_table curve_table = {curve_fields, SCI_COUNT(curve_fields),
                                             .size = sizeof(sc_curve)};

static bool curve_present(const void *curve)
{
    return ((const sc_curve *)curve)->count > 0;
}

static const struct sci_field trace_fields[] = {
    {"step_s", SCI_DOUBLE, .offset = offsetof(sc_trace, step_s), SCI_REQUIRED | SCI_POSITIVE},
    {"bytes", SCI_INT64_LIST, .offset = offsetof(sc_trace, bytes), SCI_REQUIRED, .size = TRACE_MAX,
     .count_offset = offsetof(sc_trace, count)},
    {"source", SCI_ENUM, .offset = offsetof(sc_trace, source), .names = &sci_source_enum},
};
static const struct sci_table trace_table = {trace_fields, SCI_COUNT(trace_fields),
                                             .size = sizeof(sc_trace)};

static bool trace_present(const void *trace)
{
    return ((const sc_trace *)trace)->count > 0;
}

/* ---- what a prefill needs: an array of fixed length, shorter where nothing was computed ---- */

static const struct sci_field required_fields[] = {
    {"prefill_s", SCI_DOUBLE, .offset = offsetof(sc_required, prefill_s),
     SCI_REQUIRED | SCI_POSITIVE},
    {"bits_per_s", SCI_INT64, .offset = offsetof(sc_required, bits_per_s),
     SCI_REQUIRED | SCI_NULLABLE},
};
static const struct sci_table required_table = {required_fields, SCI_COUNT(required_fields),
                                                .size = sizeof(sc_required)};

static void write_required(struct sci_writer *writer, const void *base)
{
    const sc_clip *clip = base;
    sci_put_open(writer, '[');
    for (size_t i = 0; i < SC_REQUIRED_COUNT; i++)
        if (clip->required[i].prefill_s > 0)
            sci_write_object(writer, &required_table, &clip->required[i]);
    sci_put_close(writer, '[');
}

static bool read_one_required(struct sci_reader *reader, const json_t *value, sc_clip *clip,
                              size_t i)
{
    if (i >= SC_REQUIRED_COUNT)
        return sci_refuse(reader, "there are at most %d prefills", SC_REQUIRED_COUNT);
    if (!json_is_object(value))
        return sci_refuse(reader, "is %s, not an object", sci_json_type(value));
    if (!sci_read_fields(reader, &required_table, value, &clip->required[i]))
        return false;
    return i == 0 || clip->required[i].prefill_s > clip->required[i - 1].prefill_s ||
           sci_refuse(reader, "prefill_s is not above that of the entry before it");
}

static bool read_required(struct sci_reader *reader, const json_t *value, void *base)
{
    bool ok = true;
    if (value && !json_is_array(value))
        return sci_refuse(reader, "is %s, not an array", sci_json_type(value));
    for (size_t i = 0; ok && i < json_array_size(value); i++) {
        size_t mark = sci_trail_index(&reader->trail, i);
        ok = read_one_required(reader, json_array_get(value, i), base, i);
        sci_trail_cut(&reader->trail, mark);
    }
    return ok;
}

/* ---- flags: the bits by name; a name that is not known here is left out ---- */

static void write_flags(struct sci_writer *writer, const void *base)
{
    const sc_clip *clip = base;
    sci_put_open_line(writer);
    for (int32_t i = 0; i < sc_clip_flag_count(); i++)
        if (clip->flags & (1u << i))
            sci_put_text(writer, sc_clip_flag_name(i));
    sci_put_close(writer, '[');
}

static bool read_flags(struct sci_reader *reader, const json_t *value, void *base)
{
    sc_clip *clip = base;
    if (value && !json_is_array(value))
        return sci_refuse(reader, "is %s, not an array", sci_json_type(value));
    for (size_t i = 0; i < json_array_size(value); i++) {
        const char *name = json_string_value(json_array_get(value, i));
        if (!name)
            return sci_refuse(reader, "entry %zu is no string", i);
        for (int32_t bit = 0; bit < sc_clip_flag_count(); bit++)
            if (strcmp(sc_clip_flag_name(bit), name) == 0)
                clip->flags |= 1u << bit;
    }
    return true;
}

/* ---- the files of a clip that was put together of several; null for others ---- */

static void write_parts(struct sci_writer *writer, const void *base)
{
    const sc_clip *clip = base;
    if (!clip->part_count) {
        sci_put_null(writer);
        return;
    }
    sci_put_open_line(writer);
    for (size_t i = 0; i < clip->part_count; i++)
        writer->bad_paths += sci_put_text(writer, clip->parts[i]) > 0;
    sci_put_close(writer, '[');
}

static bool read_parts(struct sci_reader *reader, const json_t *value, void *base)
{
    sc_clip *clip = base;
    size_t count = json_array_size(value);
    if (value && !json_is_null(value) && !json_is_array(value))
        return sci_refuse(reader, "is %s, not an array", sci_json_type(value));
    const char **parts = sci_arena_alloc(reader->arena, count + 1, sizeof *parts);
    if (!parts)
        return sci_out_of_memory(reader);
    for (size_t i = 0; i < count; i++) {
        const char *path = json_string_value(json_array_get(value, i));
        if (!path)
            return sci_refuse(reader, "entry %zu is no string", i);
        if (!(parts[i] = sci_arena_strdup(reader->arena, path)))
            return sci_out_of_memory(reader);
    }
    clip->parts = count ? parts : NULL;
    clip->part_count = count;
    return true;
}

/* ---- numbered pictures; null for other clips ---- */

static const struct sci_field sequence_fields[] = {
    {"files", SCI_INT64, .offset = offsetof(sc_sequence, files), SCI_REQUIRED | SCI_POSITIVE},
    {"first_number", SCI_INT64, .offset = offsetof(sc_sequence, first_number), SCI_REQUIRED,
     .max = 1e18},
    {"last_number", SCI_INT64, .offset = offsetof(sc_sequence, last_number), SCI_REQUIRED,
     .max = 1e18},
};
static const struct sci_table sequence_table = {sequence_fields, SCI_COUNT(sequence_fields),
                                                .size = sizeof(sc_sequence)};

static bool sequence_present(const void *sequence)
{
    return ((const sc_sequence *)sequence)->files > 0;
}

/* ---- files and the document ---- */

static const struct sci_field clip_fields[] = {
    {"path", SCI_TEXT, .offset = offsetof(sc_clip, path), SCI_REQUIRED | SCI_ALWAYS | SCI_PATH},
    {"container", SCI_TEXT, .offset = offsetof(sc_clip, container)},
    {"sequence", SCI_GROUP, .offset = offsetof(sc_clip, sequence), .table = &sequence_table,
     .present = sequence_present},
    {"parts", SCI_CUSTOM, .flags = SCI_ALWAYS, .write = write_parts, .read = read_parts},
    /* A sparse file may claim to be bigger than any other count. */
    {"size_bytes", SCI_INT64, .offset = offsetof(sc_clip, size_bytes), SCI_NULLABLE | SCI_ALWAYS,
     .max = 9.3e18},
    {"duration_s", SCI_DOUBLE, .offset = offsetof(sc_clip, duration_s), SCI_NULLABLE},
    {"demand_bits_per_s", SCI_INT64, .offset = offsetof(sc_clip, demand_bits_per_s), SCI_NULLABLE},
    {"busiest_60s_bits_per_s", SCI_INT64, .offset = offsetof(sc_clip, busiest_60s_bits_per_s),
     SCI_NULLABLE},
    {"peak_1s_bits_per_s", SCI_INT64, .offset = offsetof(sc_clip, peak_1s_bits_per_s),
     SCI_NULLABLE},
    {"largest_frame_bytes", SCI_INT64, .offset = offsetof(sc_clip, largest_frame_bytes),
     SCI_NULLABLE},
    {"worst_gop_bits_per_s", SCI_INT64, .offset = offsetof(sc_clip, worst_gop_bits_per_s),
     SCI_NULLABLE},
    {"largest_gop_bytes", SCI_INT64, .offset = offsetof(sc_clip, largest_gop_bytes), SCI_NULLABLE},
    {"longest_gop_frames", SCI_INT64, .offset = offsetof(sc_clip, longest_gop_frames),
     SCI_NULLABLE},
    {"required_bits_per_s", SCI_CUSTOM, .write = write_required, .read = read_required},
    {"source", SCI_ENUM, .offset = offsetof(sc_clip, source), .names = &sci_source_enum},
    {"flags", SCI_CUSTOM, .write = write_flags, .read = read_flags},
    {"bytes_read", SCI_INT64, .offset = offsetof(sc_clip, bytes_read), SCI_NULLABLE},
    {"reads", SCI_INT64, .offset = offsetof(sc_clip, reads), SCI_NULLABLE},
    {"curve", SCI_GROUP, .offset = offsetof(sc_clip, curve), .table = &curve_table,
     .present = curve_present},
    {"trace", SCI_GROUP, .offset = offsetof(sc_clip, trace), SCI_BULKY, .table = &trace_table,
     .present = trace_present},
    {"tracks", SCI_LIST, .offset = offsetof(sc_clip, tracks), .table = &track_table,
     .count_offset = offsetof(sc_clip, track_count)},
    {"findings", SCI_LIST, .offset = offsetof(sc_clip, findings), SCI_ALWAYS,
     .table = &sci_finding_table, .count_offset = offsetof(sc_clip, finding_count)},
    {"error", SCI_GROUP, .offset = offsetof(sc_clip, error), SCI_ALWAYS, .table = &sci_error_table,
     .present = sci_error_present},
};

static bool clip_failed(const void *clip)
{
    return sci_error_present(&((const sc_clip *)clip)->error);
}

static const struct sci_table clip_table = {clip_fields, SCI_COUNT(clip_fields),
                                            .size = sizeof(sc_clip), .failed = clip_failed};

static const struct sci_field probe_fields[] = {
    {"made_at", SCI_TIME, .offset = offsetof(sc_probe, made_at)},
    {"files", SCI_LIST, .offset = offsetof(sc_probe, clips), SCI_REQUIRED, .size = FILES_MAX,
     .table = &clip_table, .count_offset = offsetof(sc_probe, clip_count)},
    {"findings", SCI_LIST, .offset = offsetof(sc_probe, findings), SCI_COLLECTS,
     .table = &sci_finding_table, .count_offset = offsetof(sc_probe, finding_count)},
    {"error", SCI_GROUP, .offset = offsetof(sc_probe, error), .table = &sci_error_table,
     .present = sci_error_present},
};
static const struct sci_table probe_table = {probe_fields, SCI_COUNT(probe_fields),
                                             .size = sizeof(sc_probe)};

void sci_probe_write(struct sci_writer *writer, const sc_probe *probe)
{
    size_t steps = 0;
    for (size_t i = 0; i < probe->clip_count; i++)
        steps += probe->clips[i].trace.count;
    sci_document_begin(writer, SCI_SCHEMA_PROBE);
    writer->lean = steps > TRACE_STEPS_MAX;
    sci_write_fields(writer, &probe_table, probe);
    sci_document_end(writer);
}

sc_status sc_probe_to_json(const sc_probe *probe, char **json, sc_error *error)
{
    struct sci_writer writer = {.error = error};
    sc_status status = sci_document_check(probe, json, error);
    if (status != SC_OK)
        return status;
    sci_probe_write(&writer, probe);
    return sci_document_finish(&writer, json);
}

sc_status sc_clip_to_json(const sc_clip *clip, const char *made_at, char **json, sc_error *error)
{
    struct sci_writer writer = {.error = error, .compact = true};
    sc_probe probe = {.clip_count = 1, .clips = clip};
    sc_status status = sci_document_check(clip, json, error);
    if (status == SC_OK)
        status = sci_document_time(probe.made_at, made_at, error);
    if (status != SC_OK)
        return status;
    probe.error = clip->error;
    sci_probe_write(&writer, &probe);
    return sci_document_finish(&writer, json);
}

sc_status sc_probe_from_json(const char *json, size_t length, sc_probe **probe, sc_error *error)
{
    const struct sci_document_kind kind = {SCI_SCHEMA_PROBE, "probe", "files", &probe_table};
    return sci_document_read(&kind, json, length, probe, error);
}
