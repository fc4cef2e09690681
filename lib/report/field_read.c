#include "report/field.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef bool (*read_fn)(struct sci_reader *, const struct sci_field *, const json_t *, void *base);

static const double DEFAULT_MAX = 1e18;

static void *at(void *base, size_t offset)
{
    return (unsigned char *)base + offset;
}

/* ---- messages ---- */

const char *sci_json_type(const json_t *value)
{
    static const char *const names[] = {
        [JSON_OBJECT] = "an object", [JSON_ARRAY] = "an array", [JSON_STRING] = "a string",
        [JSON_INTEGER] = "a number", [JSON_REAL] = "a number",  [JSON_TRUE] = "true",
        [JSON_FALSE] = "false",      [JSON_NULL] = "null"};
    return value ? names[json_typeof(value)] : "missing";
}

const char *sci_shown(char *buffer, size_t size, const char *text)
{
    bool whole = strlen(text) < size;
    sci_copy(buffer, whole ? size : size - 3, text);
    if (!whole)
        memcpy(buffer + strlen(buffer), "...", 4);
    for (char *c = buffer; *c; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7F)
            *c = '?';
    return buffer;
}

bool sci_refuse(struct sci_reader *reader, const char *format, ...)
{
    char message[SC_TEXT_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    if (reader->status == SC_OK)
        reader->status = sci_fail(reader->error, SC_INVALID_DATA, 0, "report.read", NULL, "%s%s%s",
                                  reader->trail.text, reader->trail.length > 0 ? ": " : "",
                                  message);
    return false;
}

bool sci_out_of_memory(struct sci_reader *reader)
{
    if (reader->status == SC_OK)
        reader->status = sci_fail(reader->error, SC_NO_MEMORY, 0, "report.read", NULL,
                                  "no memory for the document");
    return false;
}

static bool wrong_type(struct sci_reader *reader, const json_t *value, const char *wanted)
{
    return sci_refuse(reader, "is %s, not %s", sci_json_type(value), wanted);
}

/* ---- plain values: value NULL stands for "not there" ---- */

static double unknown_number(const struct sci_field *field)
{
    return field->flags & SCI_NULLABLE ? -1 : 0;
}

static bool in_range(struct sci_reader *reader, const struct sci_field *field, double value,
                     double most)
{
    char number[SCI_NUMBER_MAX], bound[SCI_NUMBER_MAX];
    double max = field->max > 0 ? field->max : most;
    double min = field->flags & SCI_SIGNED ? -max : 0;
    if (value >= min && value <= max && (value > 0 || !(field->flags & SCI_POSITIVE)))
        return true;
    const char *relation = value > max ? "above" : value < min ? "below" : "not above";
    return sci_refuse(reader, "%s is %s %s", sci_print_number(number, value), relation,
                      sci_print_number(bound, value > max ? max : min));
}

static bool read_double_value(struct sci_reader *reader, const struct sci_field *field,
                              const json_t *value, double *number)
{
    if (!json_is_number(value))
        return wrong_type(reader, value, "a number");
    *number = json_number_value(value);
    return in_range(reader, field, *number, DEFAULT_MAX);
}

/* 5.0 is a whole number too: some tools write every number so. */
static bool read_whole_value(struct sci_reader *reader, const struct sci_field *field,
                             const json_t *value, double most, int64_t *number)
{
    if (!json_is_number(value))
        return wrong_type(reader, value, "a whole number");
    char text[SCI_NUMBER_MAX];
    double real = json_number_value(value);
    if (!in_range(reader, field, real, most))
        return false;
    if (json_is_integer(value)) {
        *number = json_integer_value(value);
        return true;
    }
    if (real != floor(real) || fabs(real) > 9e15)
        return sci_refuse(reader, "%s is not a whole number", sci_print_number(text, real));
    *number = (int64_t)real;
    return true;
}

static bool read_double(struct sci_reader *reader, const struct sci_field *field,
                        const json_t *value, void *base)
{
    double number = unknown_number(field);
    if (value && !read_double_value(reader, field, value, &number))
        return false;
    memcpy(at(base, field->offset), &number, sizeof number);
    return true;
}

static bool read_int32(struct sci_reader *reader, const struct sci_field *field,
                       const json_t *value, void *base)
{
    int64_t number = (int64_t)unknown_number(field);
    if (value && !read_whole_value(reader, field, value, INT32_MAX, &number))
        return false;
    int32_t narrow = (int32_t)number;
    memcpy(at(base, field->offset), &narrow, sizeof narrow);
    return true;
}

static bool read_int64(struct sci_reader *reader, const struct sci_field *field,
                       const json_t *value, void *base)
{
    int64_t number = (int64_t)unknown_number(field);
    if (value && !read_whole_value(reader, field, value, DEFAULT_MAX, &number))
        return false;
    memcpy(at(base, field->offset), &number, sizeof number);
    return true;
}

static bool read_bool(struct sci_reader *reader, const struct sci_field *field, const json_t *value,
                      void *base)
{
    bool truth = json_is_true(value);
    if (value && !json_is_boolean(value))
        return wrong_type(reader, value, "true or false");
    memcpy(at(base, field->offset), &truth, sizeof truth);
    return true;
}

/* NULL for a wrong type. */
static const char *text_of(struct sci_reader *reader, const json_t *value)
{
    if (!value)
        return "";
    if (!json_is_string(value))
        wrong_type(reader, value, "a string");
    return json_string_value(value);
}

static bool read_text(struct sci_reader *reader, const struct sci_field *field, const json_t *value,
                      void *base)
{
    const char *text = text_of(reader, value);
    if (!text)
        return false;
    const char *copy = sci_arena_strdup(reader->arena, text);
    if (!copy)
        return sci_out_of_memory(reader);
    memcpy(at(base, field->offset), &copy, sizeof copy);
    return true;
}

static bool read_chars(struct sci_reader *reader, const struct sci_field *field,
                       const json_t *value, void *base)
{
    const char *text = text_of(reader, value);
    if (!text)
        return false;
    sci_copy(at(base, field->offset), field->size, text);
    return true;
}

bool sci_is_time(const char *text)
{
    static const char pattern[] = "0000-00-00T00:00:00Z";
    if (!*text)
        return true;
    for (size_t i = 0; i < sizeof pattern; i++) {
        bool digit = pattern[i] == '0';
        if (digit ? text[i] < '0' || text[i] > '9' : text[i] != pattern[i])
            return false;
    }
    return true;
}

static bool read_time(struct sci_reader *reader, const struct sci_field *field, const json_t *value,
                      void *base)
{
    char shown[48];
    const char *text = text_of(reader, value);
    if (!text)
        return false;
    if (!sci_is_time(text))
        return sci_refuse(reader, "'%s' is no time stamp like 2026-11-30T20:21:32Z",
                          sci_shown(shown, sizeof shown, text));
    sci_copy(at(base, field->offset), SC_TIME_MAX, text);
    return true;
}

static bool unknown_name(struct sci_reader *reader, const struct sci_enum *names, const char *text)
{
    char shown[48], list[256] = "";
    for (int i = names->first; i <= names->last; i++) {
        size_t length = strlen(list);
        snprintf(list + length, sizeof list - length, "%s%s", length > 0 ? ", " : "",
                 names->name(i));
    }
    return sci_refuse(reader, "'%s' is none of %s", sci_shown(shown, sizeof shown, text), list);
}

static bool read_enum(struct sci_reader *reader, const struct sci_field *field, const json_t *value,
                      void *base)
{
    const struct sci_enum *names = field->names;
    const char *text = text_of(reader, value);
    if (!text)
        return false;
    int found = value ? names->fallback : 0;
    bool known = !value;
    for (int i = names->first; i <= names->last && !known; i++)
        if (strcmp(names->name(i), text) == 0) {
            found = i;
            known = true;
        }
    if (!known && names->strict)
        return unknown_name(reader, names, text);
    memcpy(at(base, field->offset), &found, sizeof found);
    return true;
}

/* Kept as written, not reduced: what was read is written again. */
static bool parse_ratio(const char *text, sc_rational *ratio)
{
    int decimals, none = 0;
    if (!sci_parse_decimal(&text, &ratio->num, &decimals) || decimals)
        return false;
    ratio->den = 1;
    if (*text == '/') {
        text++;
        if (!sci_parse_decimal(&text, &ratio->den, &none) || none)
            return false;
    }
    return !*text && ratio->num > 0 && ratio->den > 0;
}

static bool read_ratio(struct sci_reader *reader, const struct sci_field *field,
                       const json_t *value, void *base)
{
    sc_rational ratio = {0, 0};
    char shown[48];
    const char *text = text_of(reader, value);
    if (!text)
        return false;
    if (value && !parse_ratio(text, &ratio) && sc_parse_frame_rate(text, &ratio, NULL) != SC_OK)
        return sci_refuse(reader, "'%s' is no frame rate like 25 or 24000/1001",
                          sci_shown(shown, sizeof shown, text));
    memcpy(at(base, field->offset), &ratio, sizeof ratio);
    return true;
}

/* ---- arrays ---- */

/* An array that may be absent: its length, or false. */
static bool array_length(struct sci_reader *reader, const json_t *value, size_t most, size_t *count)
{
    *count = 0;
    if (!value)
        return true;
    if (!json_is_array(value))
        return wrong_type(reader, value, "an array");
    *count = json_array_size(value);
    if (most > 0 && *count > most)
        return sci_refuse(reader, "has %zu entries, more than %zu", *count, most);
    return true;
}

/* The first array of a curve sets the count; the others have to have it. */
static bool window_length(struct sci_reader *reader, const struct sci_field *field,
                          const json_t *value, void *base, size_t *count)
{
    int32_t wanted;
    if (!array_length(reader, value, SC_WINDOWS_MAX, count))
        return false;
    memcpy(&wanted, at(base, field->count_offset), sizeof wanted);
    if (field->flags & SCI_ASCENDING) {
        wanted = (int32_t)*count;
        memcpy(at(base, field->count_offset), &wanted, sizeof wanted);
    }
    if (*count != (size_t)wanted)
        return sci_refuse(reader, "has %zu entries where window_s has %d", *count, (int)wanted);
    return true;
}

static bool read_window_doubles(struct sci_reader *reader, const struct sci_field *field,
                                const json_t *value, void *base)
{
    double *values = at(base, field->offset);
    size_t count;
    bool ok = window_length(reader, field, value, base, &count);
    for (size_t i = 0; ok && i < count; i++) {
        size_t mark = sci_trail_index(&reader->trail, i);
        ok = read_double_value(reader, field, json_array_get(value, i), &values[i]);
        if (ok && (field->flags & SCI_ASCENDING) && i > 0 && values[i] <= values[i - 1])
            ok = sci_refuse(reader, "is not above the entry before it");
        sci_trail_cut(&reader->trail, mark);
    }
    return ok;
}

static bool read_whole_values(struct sci_reader *reader, const struct sci_field *field,
                              const json_t *value, int64_t *values, size_t count)
{
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++) {
        size_t mark = sci_trail_index(&reader->trail, i);
        ok = read_whole_value(reader, field, json_array_get(value, i), DEFAULT_MAX, &values[i]);
        sci_trail_cut(&reader->trail, mark);
    }
    return ok;
}

static bool read_window_int64s(struct sci_reader *reader, const struct sci_field *field,
                               const json_t *value, void *base)
{
    size_t count;
    return window_length(reader, field, value, base, &count) &&
           read_whole_values(reader, field, value, at(base, field->offset), count);
}

/* Room for a list: its pointer and count are set once every entry was read. */
static void *new_list(struct sci_reader *reader, const struct sci_field *field, const json_t *value,
                      size_t item_size, size_t *count)
{
    if (!array_length(reader, value, field->size, count))
        return NULL;
    void *items = sci_arena_alloc(reader->arena, *count, item_size);
    if (!items)
        sci_out_of_memory(reader);
    return items;
}

static void set_list(const struct sci_field *field, void *base, const void *items, size_t count)
{
    const void *pointer = count > 0 ? items : NULL;
    memcpy(at(base, field->offset), &pointer, sizeof pointer);
    memcpy(at(base, field->count_offset), &count, sizeof count);
}

static bool read_int64_list(struct sci_reader *reader, const struct sci_field *field,
                            const json_t *value, void *base)
{
    size_t count;
    int64_t *items = new_list(reader, field, value, sizeof *items, &count);
    if (!items || !read_whole_values(reader, field, value, items, count))
        return false;
    set_list(field, base, items, count);
    return true;
}

/* ---- structs ---- */

static bool read_object(struct sci_reader *reader, const struct sci_table *table,
                        const json_t *value, void *base)
{
    if (value && !json_is_object(value))
        return wrong_type(reader, value, "an object");
    return sci_read_fields(reader, table, value, base);
}

static bool read_list(struct sci_reader *reader, const struct sci_field *field, const json_t *value,
                      void *base)
{
    size_t count, size = field->table->size;
    unsigned char *items = new_list(reader, field, value, size, &count);
    bool ok = items != NULL;
    for (size_t i = 0; ok && i < count; i++) {
        size_t mark = sci_trail_index(&reader->trail, i);
        ok = read_object(reader, field->table, json_array_get(value, i), items + i * size);
        sci_trail_cut(&reader->trail, mark);
    }
    if (ok)
        set_list(field, base, items, count);
    return ok;
}

static bool read_group(struct sci_reader *reader, const struct sci_field *field,
                       const json_t *value, void *base)
{
    return read_object(reader, field->table, value, at(base, field->offset));
}

static bool read_custom(struct sci_reader *reader, const struct sci_field *field,
                        const json_t *value, void *base)
{
    return field->read(reader, value, base);
}

static bool read_nothing(struct sci_reader *reader, const struct sci_field *field,
                         const json_t *value, void *base)
{
    (void)reader;
    (void)field;
    (void)value;
    (void)base;
    return true;
}

static const read_fn readers[] = {[SCI_TEXT] = read_text,
                                  [SCI_CHARS] = read_chars,
                                  [SCI_TIME] = read_time,
                                  [SCI_BOOL] = read_bool,
                                  [SCI_INT32] = read_int32,
                                  [SCI_INT64] = read_int64,
                                  [SCI_DOUBLE] = read_double,
                                  [SCI_ENUM] = read_enum,
                                  [SCI_RATIO] = read_ratio,
                                  [SCI_WINDOW_DOUBLES] = read_window_doubles,
                                  [SCI_WINDOW_INT64S] = read_window_int64s,
                                  [SCI_INT64_LIST] = read_int64_list,
                                  [SCI_GROUP] = read_group,
                                  [SCI_LIST] = read_list,
                                  [SCI_CUSTOM] = read_custom,
                                  [SCI_NOTHING] = read_nothing,
                                  [SCI_NO_FINDINGS] = read_nothing};

/* Whether null means "unknown" here, as a missing key does. */
static bool takes_null(const struct sci_field *field)
{
    return (field->flags & (SCI_NULLABLE | SCI_NULL_ZERO)) || field->present ||
           field->type == SCI_TEXT || field->type == SCI_CHARS || field->type == SCI_RATIO;
}

static bool read_field(struct sci_reader *reader, const struct sci_field *field,
                       const json_t *object, void *base)
{
    const json_t *value = object ? json_object_get(object, field->key) : NULL;
    size_t mark = sci_trail_key(&reader->trail, field->key);
    bool ok = true;
    if (!value && object && (field->flags & SCI_REQUIRED))
        ok = sci_refuse(reader, "is missing");
    else if (json_is_null(value) && takes_null(field))
        value = NULL;
    ok = ok && readers[field->type](reader, field, value, base);
    sci_trail_cut(&reader->trail, mark);
    return ok;
}

/* An object that failed holds nothing but nulls beside its error. */
static const json_t *source_of(const struct sci_table *table, const struct sci_field *field,
                               const json_t *object)
{
    bool failed = table->failed && json_is_object(json_object_get(object, "error"));
    return failed && !(field->flags & SCI_ALWAYS) ? NULL : object;
}

bool sci_read_fields(struct sci_reader *reader, const struct sci_table *table, const json_t *object,
                     void *base)
{
    for (size_t i = 0; i < table->count; i++) {
        const struct sci_field *field = &table->fields[i];
        if (!read_field(reader, field, source_of(table, field, object), base))
            return false;
    }
    return !table->check || table->check(reader, object, base);
}
