#include "text.h"

#include <math.h>
#include <streamcalc/core.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define REPLACEMENT "\xEF\xBF\xBD" /* U+FFFD */

/* Ranges of characters that take two columns (East Asian wide and emoji). */
static const struct {
    uint32_t first, last;
} wide[] = {{0x1100, 0x115F}, {0x2E80, 0xA4CF},   {0xAC00, 0xD7A3},
            {0xF900, 0xFAFF}, {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},
            {0xFFE0, 0xFFE6}, {0x1F300, 0x1FAFF}, {0x20000, 0x3FFFD}};

/* Length of the UTF-8 character at text and its code point; 0 when it is none. */
static size_t decode(const char *text, uint32_t *code)
{
    const unsigned char *c = (const unsigned char *)text;
    size_t length = c[0] < 0x80                   ? 1
                    : c[0] >= 0xC2 && c[0] < 0xE0 ? 2
                    : c[0] >= 0xE0 && c[0] < 0xF0 ? 3
                    : c[0] >= 0xF0 && c[0] < 0xF5 ? 4
                                                  : 0;
    if (length <= 1) {
        *code = c[0];
        return length;
    }
    *code = c[0] & (0x7Fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((c[i] & 0xC0) != 0x80)
            return 0;
        *code = *code << 6 | (c[i] & 0x3F);
    }
    bool overlong = (length == 3 && *code < 0x800) || (length == 4 && *code < 0x10000);
    bool surrogate = *code >= 0xD800 && *code < 0xE000;
    return overlong || surrogate || *code > 0x10FFFF ? 0 : length;
}

static size_t columns_of(uint32_t code)
{
    for (size_t i = 0; i < COUNT_OF(wide); i++)
        if (code >= wide[i].first && code <= wide[i].last)
            return 2;
    return 1;
}

size_t text_cut(const char *text, size_t columns)
{
    size_t bytes = 0, used = 0;
    while (text[bytes]) {
        uint32_t code;
        size_t length = decode(text + bytes, &code);
        size_t step = length ? columns_of(code) : 1;
        if (used + step > columns)
            break;
        used += step;
        bytes += length ? length : 1;
    }
    return bytes;
}

size_t text_width(const char *text)
{
    size_t width = 0;
    while (*text) {
        uint32_t code;
        size_t length = decode(text, &code);
        width += length ? columns_of(code) : 1;
        text += length ? length : 1;
    }
    return width;
}

const char *text_tail(const char *text, size_t columns)
{
    size_t width = text_width(text);
    while (width > columns) {
        uint32_t code;
        size_t length = decode(text, &code);
        width -= length ? columns_of(code) : 1;
        text += length ? length : 1;
    }
    return text;
}

const char *text_clean(const char *text, char *buffer, size_t size)
{
    size_t used = 0;
    while (*text) {
        uint32_t code;
        size_t length = decode(text, &code);
        bool control = code < 0x20 || (code >= 0x7F && code < 0xA0);
        const char *piece = !length || control ? REPLACEMENT : text;
        size_t piece_length = piece == text ? length : strlen(REPLACEMENT);
        if (used + piece_length + 1 > size)
            break;
        memcpy(buffer + used, piece, piece_length);
        used += piece_length;
        text += length ? length : 1;
    }
    buffer[used] = '\0';
    return buffer;
}

const char *text_clean_path(const char *path, size_t columns, char *buffer, size_t size)
{
    static const char dots[] = "...";
    text_clean(path, buffer, size);
    if (text_width(buffer) <= columns || columns <= strlen(dots))
        return buffer;
    const char *rest = text_tail(buffer, columns - strlen(dots));
    /* At least three columns went, but one character may hold fewer bytes than the dots. */
    size_t length = strlen(rest);
    if (length + sizeof dots > size)
        return buffer;
    memmove(buffer + strlen(dots), rest, length + 1);
    memcpy(buffer, dots, strlen(dots));
    return buffer;
}

int text_terminal_width(int descriptor)
{
    struct winsize window;
    if (!isatty(descriptor) || ioctl(descriptor, TIOCGWINSZ, &window) != 0 || window.ws_col == 0)
        return 80;
    return window.ws_col < 20 ? 20 : window.ws_col;
}

void text_wrap(FILE *out, int width, const char *first, const char *text)
{
    enum { NARROW_INDENT = 6 };
    size_t indent = text_width(first), used = indent;
    bool line_is_empty = true;
    if (2 * indent > (size_t)width) {
        size_t length = strlen(first);
        while (length > 0 && first[length - 1] == ' ')
            length--;
        indent = used = NARROW_INDENT;
        fprintf(out, "%.*s\n%*s", (int)length, first, NARROW_INDENT, "");
    } else {
        fputs(first, out);
    }
    while (*(text += strspn(text, " "))) {
        char word[512];
        size_t length = strcspn(text, " ");
        if (length >= sizeof word)
            length = sizeof word - 1;
        memcpy(word, text, length);
        word[length] = '\0';
        text += length;
        size_t columns = text_width(word);
        if (!line_is_empty && used + 1 + columns > (size_t)width) {
            fprintf(out, "\n%*s", (int)indent, "");
            used = indent;
            line_is_empty = true;
        }
        fprintf(out, "%s%s", line_is_empty ? "" : " ", word);
        used += columns + !line_is_empty;
        line_is_empty = false;
    }
    fputc('\n', out);
}

const char *text_number(double value, char *buffer, size_t size)
{
    if (value < 0 || !isfinite(value))
        snprintf(buffer, size, "-");
    else
        snprintf(buffer, size, "%.*f",
                 value >= 99.95    ? 0
                 : value >= 9.995  ? 1
                 : value >= 0.0995 ? 2
                                   : 3,
                 value);
    return buffer;
}

const char *text_bytes_per_s(double bytes_per_s, char *buffer, size_t size)
{
    char number[32];
    snprintf(buffer, size, "%s MB/s", text_number(bytes_per_s / 1e6, number, sizeof number));
    return buffer;
}

const char *text_rate(double bits_per_s, char *buffer, size_t size)
{
    char bits[32], bytes[32];
    if (bits_per_s < 0)
        snprintf(buffer, size, "-");
    else
        snprintf(buffer, size, "%s Mb/s  %s MB/s", text_number(bits_per_s / 1e6, bits, sizeof bits),
                 text_number(bits_per_s / 8e6, bytes, sizeof bytes));
    return buffer;
}

const char *text_bytes(double bytes, char *buffer, size_t size)
{
    if (bytes < 0)
        snprintf(buffer, size, "-");
    else
        sc_format_bytes(bytes < 9e18 ? llround(bytes) : INT64_MAX, buffer, size);
    return buffer;
}

const char *text_seconds(double seconds, char *buffer, size_t size)
{
    char number[32];
    if (seconds < 0 || !isfinite(seconds) || seconds > 1e9)
        snprintf(buffer, size, "-");
    else if (seconds < 0.0009995)
        snprintf(buffer, size, "%.0f us", seconds * 1e6);
    else if (seconds < 0.0995)
        snprintf(buffer, size, "%s ms", text_number(seconds * 1e3, number, sizeof number));
    else if (seconds < 99.95)
        snprintf(buffer, size, "%s s", text_number(seconds, number, sizeof number));
    else
        snprintf(buffer, size, "%lld min %lld s", llround(seconds) / 60, llround(seconds) % 60);
    return buffer;
}

const char *text_ordinal(int64_t number)
{
    int64_t tens = number / 10 % 10;
    if (tens == 1)
        return "th";
    switch (number % 10) {
    case 1:
        return "st";
    case 2:
        return "nd";
    case 3:
        return "rd";
    default:
        return "th";
    }
}
