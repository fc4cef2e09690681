#include "document.h"

#include "options.h"
#include "watch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
            char *larger = capacity <= 2 * SC_DOCUMENT_BYTES_MAX ? realloc(*text, capacity) : NULL;
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
    *text = NULL;
    *length = 0;
    watch_wait_for_caller(true); /* a pipe is open when its writer is there */
    int descriptor = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    sc_status status = descriptor < 0 ? read_failed(path, errno, error)
                                      : read_all(descriptor, standard ? "standard input" : path,
                                                 text, length, error);
    watch_wait_for_caller(false);
    if (!standard && descriptor >= 0)
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

/* As sc_<x>_from_json(): result is where that puts what it read. */
typedef sc_status (*from_json_fn)(const char *json, size_t length, void *result, sc_error *error);

static sc_status open_stream(const char *path, from_json_fn from_json, void *result,
                             sc_error *error)
{
    char *text;
    size_t length;
    sc_status status = read_stream(path, &text, &length, error);
    if (status == SC_OK)
        status = from_json(text, length, result, error);
    free(text);
    return status;
}

static sc_status storage_from_json(const char *json, size_t length, void *result, sc_error *error)
{
    return sc_storage_from_json(json, length, result, error);
}

static sc_status link_from_json(const char *json, size_t length, void *result, sc_error *error)
{
    return sc_link_from_json(json, length, result, error);
}

static sc_status probe_from_json(const char *json, size_t length, void *result, sc_error *error)
{
    return sc_probe_from_json(json, length, result, error);
}

sc_status document_open_storage(const char *expression, sc_storage **storage, sc_error *error)
{
    if (looks_like_rate(expression))
        return sc_storage_from_rate(expression, storage, error);
    return document_is_stream(expression)
               ? open_stream(expression, storage_from_json, storage, error)
               : sc_storage_open(expression, storage, error);
}

sc_status document_open_link(const char *expression, sc_link *link, sc_error *error)
{
    return document_is_stream(expression) ? open_stream(expression, link_from_json, link, error)
                                          : sc_link_open(expression, link, error);
}

sc_status document_open_probe(const char *path, sc_probe **probe, sc_error *error)
{
    return document_is_stream(path) ? open_stream(path, probe_from_json, probe, error)
                                    : sc_probe_open(path, probe, error);
}
