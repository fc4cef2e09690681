#include "report/field.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put_bytes(struct sci_writer *writer, const char *bytes, size_t count)
{
    while (!writer->no_memory && writer->capacity - writer->length < count + 1)
        writer->no_memory = !sci_grow(&writer->text, writer->capacity, &writer->capacity, 1);
    if (writer->no_memory)
        return;
    memcpy(writer->text + writer->length, bytes, count);
    writer->length += count;
    writer->text[writer->length] = '\0';
}

static void put_string(struct sci_writer *writer, const char *text)
{
    put_bytes(writer, text, strlen(text));
}

static void put_line(struct sci_writer *writer)
{
    if (writer->compact)
        return;
    put_string(writer, "\n");
    for (int i = 0; i < writer->depth; i++)
        put_string(writer, "  ");
}

/* What stands between the value before and the next key or value. */
static void put_separator(struct sci_writer *writer)
{
    if (writer->after_key) {
        writer->after_key = false;
        return;
    }
    if (writer->comma)
        put_string(writer, writer->on_one_line && !writer->compact ? ", " : ",");
    if (!writer->on_one_line && writer->depth > 0)
        put_line(writer);
    writer->comma = true;
}

static void put_plain(struct sci_writer *writer, const char *text)
{
    put_separator(writer);
    put_string(writer, text);
}

void sci_put_key(struct sci_writer *writer, const char *key)
{
    sci_put_text(writer, key);
    put_string(writer, writer->compact ? ":" : ": ");
    writer->after_key = true;
}

void sci_put_null(struct sci_writer *writer)
{
    put_plain(writer, "null");
}

void sci_put_bool(struct sci_writer *writer, bool value)
{
    put_plain(writer, value ? "true" : "false");
}

void sci_put_int(struct sci_writer *writer, int64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRId64, value);
    put_plain(writer, text);
}

/* printf and strtod follow the locale; the document does not. */
static void make_point(char *text)
{
    char *end = text;
    for (char *c = text; *c; c++) {
        bool number = (*c >= '0' && *c <= '9') || *c == '-' || *c == '+' || *c == 'e';
        if (number)
            *end++ = *c;
        else if (end == text || end[-1] != '.')
            *end++ = '.';
    }
    *end = '\0';
}

const char *sci_print_number(char text[SCI_NUMBER_MAX], double value)
{
    double rounded = value == 0 ? 0 : value; /* no "-0" */
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, SCI_NUMBER_MAX, "%.*g", digits, rounded);
        if (strtod(text, NULL) == rounded)
            break;
    }
    make_point(text);
    return text;
}

void sci_put_double(struct sci_writer *writer, double value)
{
    char text[SCI_NUMBER_MAX];
    put_plain(writer, sci_print_number(text, value));
}

/* Length of the UTF-8 character at s, 0 for a byte that does not begin one. */
static size_t utf8_length(const unsigned char *s)
{
    if (s[0] < 0x80)
        return 1;
    if (s[0] < 0xC2 || s[0] > 0xF4)
        return 0;
    size_t length = s[0] >= 0xF0 ? 4 : s[0] >= 0xE0 ? 3 : 2;
    /* No overlong form, no surrogate, nothing above U+10FFFF. */
    unsigned low = s[0] == 0xE0 ? 0xA0 : s[0] == 0xF0 ? 0x90 : 0x80;
    unsigned high = s[0] == 0xED ? 0x9F : s[0] == 0xF4 ? 0x8F : 0xBF;
    if (s[1] < low || s[1] > high)
        return 0;
    for (size_t i = 2; i < length; i++)
        if ((s[i] & 0xC0) != 0x80)
            return 0;
    return length;
}

static void put_escaped(struct sci_writer *writer, unsigned char c)
{
    static const struct {
        unsigned char byte;
        const char *escape;
    } escapes[] = {{'"', "\\\""}, {'\\', "\\\\"}, {'\n', "\\n"}, {'\r', "\\r"}, {'\t', "\\t"}};
    char text[8];
    for (size_t i = 0; i < SCI_COUNT(escapes); i++)
        if (escapes[i].byte == c) {
            put_string(writer, escapes[i].escape);
            return;
        }
    snprintf(text, sizeof text, "\\u%04x", (unsigned)c);
    put_string(writer, text);
}

size_t sci_put_text(struct sci_writer *writer, const char *text)
{
    const unsigned char *c = (const unsigned char *)(text ? text : "");
    size_t bad = 0, length;
    put_separator(writer);
    put_string(writer, "\"");
    for (; *c; c += length) {
        length = utf8_length(c);
        if (length == 0) {
            put_string(writer, "\xEF\xBF\xBD");
            bad++;
            length = 1;
        } else if (*c < 0x20 || *c == 0x7F || *c == '"' || *c == '\\') {
            put_escaped(writer, *c);
        } else {
            put_bytes(writer, (const char *)c, length);
        }
    }
    put_string(writer, "\"");
    return bad;
}

void sci_put_open(struct sci_writer *writer, char bracket)
{
    put_separator(writer);
    put_bytes(writer, &bracket, 1);
    writer->depth++;
    writer->comma = false;
}

void sci_put_open_line(struct sci_writer *writer)
{
    sci_put_open(writer, '[');
    writer->on_one_line = true;
}

void sci_put_close(struct sci_writer *writer, char bracket)
{
    bool empty = !writer->comma;
    writer->depth--;
    if (!empty && !writer->on_one_line)
        put_line(writer);
    put_string(writer, bracket == '{' ? "}" : "]");
    writer->on_one_line = false;
    writer->comma = true;
}
