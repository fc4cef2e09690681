#include "core/core.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

sc_status sci_status_from_errno(int os_errno)
{
    switch (os_errno) {
    case 0:
        return SC_OK;
    case ENOENT:
    case ENOTDIR:
    case ENXIO:
        return SC_NOT_FOUND;
    case EACCES:
    case EPERM:
        return SC_PERMISSION;
    case ENOMEM:
        return SC_NO_MEMORY;
    case EINVAL:
    case ENAMETOOLONG:
    case EISDIR:
    case ELOOP:
        return SC_INVALID_ARGUMENT;
    case EOPNOTSUPP:
    case ENOSYS:
        return SC_UNSUPPORTED;
    default:
        return SC_IO;
    }
}

/* Long paths keep their end: that is where the file's name is. */
static void copy_path(char *buffer, size_t size, const char *path)
{
    size_t length = strlen(path);
    if (length < size)
        memcpy(buffer, path, length + 1);
    else
        snprintf(buffer, size, "...%s", path + length - (size - 4));
}

/* What lifts the limits of a process. */
static const char *remedy_for(int os_errno)
{
    static const struct {
        int os_errno;
        const char *text;
    } remedies[] = {
        {EMFILE, "; ulimit -n shows how many this process may open, and raises it"},
        {EFBIG, "; ulimit -f shows how large files of this process may be, and raises it, unless "
                "it is the file system's limit"},
    };
    for (size_t i = 0; i < SCI_COUNT(remedies); i++)
        if (remedies[i].os_errno == os_errno)
            return remedies[i].text;
    return "";
}

sc_status sci_fail(sc_error *error, sc_status status, int os_errno, const char *where,
                   const char *path, const char *format, ...)
{
    if (!error || error->status != SC_OK)
        return status;
    error->status = status;
    error->os_errno = os_errno;
    sci_copy(error->where, sizeof error->where, where);
    copy_path(error->path, sizeof error->path, path ? path : "");

    char message[SC_TEXT_MAX * 4], reason[128];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(message, sizeof message, format, args);
    va_end(args);
    if (os_errno && length >= 0 && (size_t)length < sizeof message) {
        /* The POSIX form is not to be had under _GNU_SOURCE; the GNU one returns the text. */
        snprintf(message + length, sizeof message - (size_t)length, ": %s%s",
                 strerror_r(os_errno, reason, sizeof reason), remedy_for(os_errno));
    }
    sci_copy(error->message, sizeof error->message, message);
    for (char *c = error->message; *c; c++)
        if (*c == '\n' || *c == '\r')
            *c = ' ';
    return status;
}

void sci_fail_add(sc_error *error, const char *text)
{
    size_t used = strlen(error->message);
    sci_copy(error->message + used, sizeof error->message - used, text);
}

sc_status sci_error_keep(sc_error *error, const sc_error *fault)
{
    if (error && error->status == SC_OK && fault->status != SC_OK)
        *error = *fault;
    return fault->status;
}

static int lower(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

bool sci_same_letters(const char *a, const char *b, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (lower(a[i]) != lower(b[i]) || !a[i])
            return lower(a[i]) == lower(b[i]);
    return true;
}

char *sci_copy(char *buffer, size_t size, const char *text)
{
    size_t length = strlen(text);
    if (length >= size) {
        length = size - 1;
        while (length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80)
            length--;
    }
    memcpy(buffer, text, length);
    buffer[length] = '\0';
    return buffer;
}

void sc_string_free(char **text)
{
    if (!text)
        return;
    free(*text);
    *text = NULL;
}

const char *sc_version(void)
{
    return STREAMCALC_VERSION;
}
