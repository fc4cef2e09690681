/* Names of files as strace writes them. */
#include "player/trace_line.h"

#include <string.h>

static int escaped(char letter)
{
    static const char letters[] = "abefnrtv", meanings[] = "\a\b\033\f\n\r\t\v";
    const char *found = letter ? strchr(letters, letter) : NULL;
    return found ? meanings[found - letters] : letter;
}

void sci_trace_unescape(const char *path, size_t length, char *text, size_t size)
{
    size_t used = 0;
    for (size_t i = 0; i < length && used + 1 < size; i++) {
        int value = (unsigned char)path[i];
        if (value == '\\' && i + 1 < length) {
            value = 0;
            size_t digits = 0;
            while (digits < 3 && i + 1 < length && path[i + 1] >= '0' && path[i + 1] <= '7') {
                value = value * 8 + (path[++i] - '0');
                digits++;
            }
            if (digits == 0)
                value = escaped(path[++i]);
        }
        text[used++] = (char)value;
    }
    text[used] = '\0';
}
