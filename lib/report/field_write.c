#include "report/shared.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef void (*write_fn)(struct sci_writer *, const struct sci_field *, const void *base);

static const void *at(const void *base, size_t offset)
{
    return (const unsigned char *)base + offset;
}

static size_t count_of(const struct sci_field *field, const void *base)
{
    size_t count;
    memcpy(&count, at(base, field->count_offset), sizeof count);
    return count;
}

static size_t window_count(const struct sci_field *field, const void *base)
{
    int32_t count;
    memcpy(&count, at(base, field->count_offset), sizeof count);
    return count < 0 ? 0 : count > SC_WINDOWS_MAX ? SC_WINDOWS_MAX : (size_t)count;
}

static const void *pointer_of(const struct sci_field *field, const void *base)
{
    const void *pointer;
    memcpy(&pointer, at(base, field->offset), sizeof pointer);
    return pointer;
}

static void note(struct sci_writer *writer, const char *problem)
{
    if (writer->status == SC_OK)
        writer->status = sci_fail(writer->error, SC_INVALID_DATA, 0, "report.write", NULL,
                                  "%s: %s, which no document may hold", writer->trail.text,
                                  problem);
}

static bool is_null(const struct sci_field *field, double value)
{
    return ((field->flags & SCI_NULLABLE) && !(value >= 0)) ||
           ((field->flags & SCI_NULL_ZERO) && value == 0);
}

static void write_int(struct sci_writer *writer, const struct sci_field *field, int64_t value)
{
    if (is_null(field, (double)value))
        sci_put_null(writer);
    else
        sci_put_int(writer, value);
}

static void put_finite(struct sci_writer *writer, double value)
{
    if (!isfinite(value)) {
        note(writer, "the value is not finite");
        value = 0;
    }
    sci_put_double(writer, value);
}

static void write_double(struct sci_writer *writer, const struct sci_field *field, const void *base)
{
    double value;
    memcpy(&value, at(base, field->offset), sizeof value);
    bool unknown = (field->flags & SCI_NULLABLE) && !isfinite(value);
    if (unknown || is_null(field, value))
        sci_put_null(writer);
    else
        put_finite(writer, value);
}

static void write_int32(struct sci_writer *writer, const struct sci_field *field, const void *base)
{
    int32_t value;
    memcpy(&value, at(base, field->offset), sizeof value);
    write_int(writer, field, value);
}

static void write_int64(struct sci_writer *writer, const struct sci_field *field, const void *base)
{
    int64_t value;
    memcpy(&value, at(base, field->offset), sizeof value);
    write_int(writer, field, value);
}

static void put_counted_text(struct sci_writer *writer, const struct sci_field *field,
                             const char *text)
{
    size_t bad = sci_put_text(writer, text);
    if (bad > 0 && (field->flags & SCI_PATH))
        writer->bad_paths++;
}

static void write_text(struct sci_writer *writer, const struct sci_field *field, const void *base)
{
    put_counted_text(writer, field, pointer_of(field, base));
}

static void write_chars(struct sci_writer *writer, const struct sci_field *field, const void *base)
{
    put_counted_text(writer, field, at(base, field->offset));
}

static void write_time(struct sci_writer *writer, const struct sci_field *field, const void *base)
{
    const char *text = at(base, field->offset);
    if (!sci_is_time(text))
        note(writer, "the value is no time stamp");
    sci_put_text(writer, text);
}

static void write_bool(struct sci_writer *writer, const struct sci_field *field, const void *base)
{
    bool value;
    memcpy(&value, at(base, field->offset), sizeof value);
    sci_put_bool(writer, value);
}

static void write_enum(struct sci_writer *writer, const struct sci_field *field, const void *base)
{
    int value;
    memcpy(&value, at(base, field->offset), sizeof value);
    sci_put_text(writer, field->names->name(value));
}

static void write_ratio(struct sci_writer *writer, const struct sci_field *field, const void *base)
{
    sc_rational ratio;
    char text[48];
    memcpy(&ratio, at(base, field->offset), sizeof ratio);
    if (ratio.num <= 0 || ratio.den <= 0) {
        sci_put_null(writer);
        return;
    }
    if (ratio.den == 1)
        snprintf(text, sizeof text, "%lld", (long long)ratio.num);
    else
        snprintf(text, sizeof text, "%lld/%lld", (long long)ratio.num, (long long)ratio.den);
    sci_put_text(writer, text);
}

static void write_window_doubles(struct sci_writer *writer, const struct sci_field *field,
                                 const void *base)
{
    const double *values = at(base, field->offset);
    sci_put_open_line(writer);
    for (size_t i = 0; i < window_count(field, base); i++)
        put_finite(writer, values[i]);
    sci_put_close(writer, '[');
}

static void write_window_int64s(struct sci_writer *writer, const struct sci_field *field,
                                const void *base)
{
    const int64_t *values = at(base, field->offset);
    sci_put_open_line(writer);
    for (size_t i = 0; i < window_count(field, base); i++)
        sci_put_int(writer, values[i]);
    sci_put_close(writer, '[');
}

static void write_int64_list(struct sci_writer *writer, const struct sci_field *field,
                             const void *base)
{
    const int64_t *values = pointer_of(field, base);
    size_t count = values ? count_of(field, base) : 0;
    sci_put_open_line(writer);
    for (size_t i = 0; i < count; i++)
        sci_put_int(writer, values[i]);
    sci_put_close(writer, '[');
}

static void write_group(struct sci_writer *writer, const struct sci_field *field, const void *base)
{
    const void *group = at(base, field->offset);
    bool left_out = writer->lean && (field->flags & SCI_BULKY);
    if (left_out || (field->present && !field->present(group)))
        sci_put_null(writer);
    else
        sci_write_object(writer, field->table, group);
}

static void write_finding(struct sci_writer *writer, const char *code, sc_severity severity,
                          const char *message)
{
    const sc_finding finding = {code, severity, message};
    sci_write_object(writer, &sci_finding_table, &finding);
}

static void write_findings_of_writing(struct sci_writer *writer)
{
    char message[SC_TEXT_MAX];
    if (writer->bad_paths > 0) {
        snprintf(message, sizeof message,
                 "%zu path(s) hold bytes that are no UTF-8; U+FFFD stands for them here, so that "
                 "the files cannot be opened by these names",
                 writer->bad_paths);
        write_finding(writer, "path-not-utf8", SC_SEVERITY_WARNING, message);
    }
    if (writer->lean)
        write_finding(writer, "traces-left-out", SC_SEVERITY_NOTE,
                      "the traces of so many files would make a document that is too big to be "
                      "read back: they are left out, the counts do not need them");
    if (writer->text && sci_document_too_big(writer->text, writer->length))
        write_finding(writer, "too-big-to-read", SC_SEVERITY_WARNING,
                      "streamcalc does not read back documents as big as this one: probe fewer "
                      "files at a time");
}

static void write_list(struct sci_writer *writer, const struct sci_field *field, const void *base)
{
    const unsigned char *items = pointer_of(field, base);
    size_t count = items ? count_of(field, base) : 0;
    sci_put_open(writer, '[');
    for (size_t i = 0; i < count; i++) {
        size_t mark = sci_trail_index(&writer->trail, i);
        sci_write_object(writer, field->table, items + i * field->table->size);
        sci_trail_cut(&writer->trail, mark);
    }
    if (field->flags & SCI_COLLECTS)
        write_findings_of_writing(writer);
    sci_put_close(writer, '[');
}

static void write_custom(struct sci_writer *writer, const struct sci_field *field, const void *base)
{
    field->write(writer, base);
}

static void write_nothing(struct sci_writer *writer, const struct sci_field *field,
                          const void *base)
{
    (void)field;
    (void)base;
    sci_put_null(writer);
}

static void write_no_findings(struct sci_writer *writer, const struct sci_field *field,
                              const void *base)
{
    (void)field;
    (void)base;
    sci_put_open(writer, '[');
    write_findings_of_writing(writer);
    sci_put_close(writer, '[');
}

static const write_fn writers[] = {[SCI_TEXT] = write_text,
                                   [SCI_CHARS] = write_chars,
                                   [SCI_TIME] = write_time,
                                   [SCI_BOOL] = write_bool,
                                   [SCI_INT32] = write_int32,
                                   [SCI_INT64] = write_int64,
                                   [SCI_DOUBLE] = write_double,
                                   [SCI_ENUM] = write_enum,
                                   [SCI_RATIO] = write_ratio,
                                   [SCI_WINDOW_DOUBLES] = write_window_doubles,
                                   [SCI_WINDOW_INT64S] = write_window_int64s,
                                   [SCI_INT64_LIST] = write_int64_list,
                                   [SCI_GROUP] = write_group,
                                   [SCI_LIST] = write_list,
                                   [SCI_CUSTOM] = write_custom,
                                   [SCI_NOTHING] = write_nothing,
                                   [SCI_NO_FINDINGS] = write_no_findings};

/* What an object that failed has in place of a value: lists stay lists, for those who walk them. */
static void write_absent(struct sci_writer *writer, const struct sci_field *field)
{
    if (field->type != SCI_LIST && field->type != SCI_CUSTOM) {
        sci_put_null(writer);
        return;
    }
    sci_put_open_line(writer);
    sci_put_close(writer, '[');
}

void sci_write_fields(struct sci_writer *writer, const struct sci_table *table, const void *base)
{
    bool failed = table->failed && table->failed(base);
    for (size_t i = 0; i < table->count; i++) {
        const struct sci_field *field = &table->fields[i];
        size_t mark = sci_trail_key(&writer->trail, field->key);
        sci_put_key(writer, field->key);
        if (failed && !(field->flags & SCI_ALWAYS))
            write_absent(writer, field);
        else
            writers[field->type](writer, field, base);
        sci_trail_cut(&writer->trail, mark);
    }
}

void sci_write_object(struct sci_writer *writer, const struct sci_table *table, const void *base)
{
    sci_put_open(writer, '{');
    sci_write_fields(writer, table, base);
    sci_put_close(writer, '{');
}
