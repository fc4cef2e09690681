#include "document.h"

#include "options.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DOCUMENT_BYTES_MAX = 100000000 };

bool document_is_stream(const char *path)
{
    struct stat facts;
    if (strcmp(path, "-") == 0)
        return true;
    return stat(path, &facts) == 0 && !S_ISREG(facts.st_mode) && !S_ISDIR(facts.st_mode);
}

static sc_status read_failed(const char *path, int os_errno, sc_error *error)
{
    if (os_errno == EINTR)
        return option_fail(error, SC_CANCELLED, "interrupted");
    option_fail(error, SC_IO, "cannot read '%s': %s", path, strerror(os_errno));
    if (error)
        error->os_errno = os_errno;
    return SC_IO;
}

static sc_status read_all(int descriptor, const char *path, char **text, size_t *length,
                          sc_error *error)
{
    size_t capacity = 0;
    for (;;) {
        if (*length == capacity) {
            capacity = capacity ? 2 * capacity : 65536;
            char *larger = capacity <= 2 * DOCUMENT_BYTES_MAX ? realloc(*text, capacity) : NULL;
            if (!larger)
                return option_fail(error, SC_LIMIT, "'%s' is too big for a document", path);
            *text = larger;
        }
        ssize_t got = read(descriptor, *text + *length, capacity - *length);
        if (got < 0)
            return read_failed(path, errno, error);
        if (got == 0)
            return *length ? SC_OK
                           : option_fail(error, SC_INVALID_DATA,
                                         "'%s' is no JSON document: it is empty", path);
        *length += (size_t)got;
    }
}

/* Free *text, on failure too. */
static sc_status read_stream(const char *path, char **text, size_t *length, sc_error *error)
{
    bool standard = strcmp(path, "-") == 0;
    int descriptor = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    *text = NULL;
    *length = 0;
    if (descriptor < 0)
        return read_failed(path, errno, error);
    sc_status status = read_all(descriptor, standard ? "standard input" : path, text, length,
                                error);
    if (!standard)
        close(descriptor);
    return status;
}

/* "83mb/s" is a rate with a mistake, not a file that is missing. */
static bool looks_like_rate(const char *expression)
{
    const char *digits = expression + strspn(expression, "+-.");
    return *digits >= '0' && *digits <= '9' && !strstr(expression, ".json") &&
           access(expression, F_OK) != 0;
}

sc_status document_open_storage(const char *expression, sc_storage **storage, sc_error *error)
{
    char *text;
    size_t length;
    if (looks_like_rate(expression))
        return sc_storage_from_rate(expression, storage, error);
    if (!document_is_stream(expression))
        return sc_storage_open(expression, storage, error);
    sc_status status = read_stream(expression, &text, &length, error);
    if (status == SC_OK)
        status = sc_storage_from_json(text, length, storage, error);
    free(text);
    return status;
}

sc_status document_open_link(const char *expression, sc_link *link, sc_error *error)
{
    char *text;
    size_t length;
    if (!document_is_stream(expression))
        return sc_link_open(expression, link, error);
    sc_status status = read_stream(expression, &text, &length, error);
    if (status == SC_OK)
        status = sc_link_from_json(text, length, link, error);
    free(text);
    return status;
}

sc_status document_open_probe(const char *path, sc_probe **probe, sc_error *error)
{
    char *text;
    size_t length;
    if (!document_is_stream(path))
        return sc_probe_open(path, probe, error);
    sc_status status = read_stream(path, &text, &length, error);
    if (status == SC_OK)
        status = sc_probe_from_json(text, length, probe, error);
    free(text);
    return status;
}
