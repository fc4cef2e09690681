#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/fio.h"
#include "report/shared.h"

static const char WHERE[] = "report.open";

/* ---- files ---- */

static sc_status check_file(int file, const char *path, size_t *size, sc_error *error)
{
    struct stat facts;
    if (fstat(file, &facts) != 0)
        return sci_fail(error, sci_status_from_errno(errno), errno, WHERE, path,
                        "cannot look at it");
    if (S_ISDIR(facts.st_mode))
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, WHERE, path,
                        "'%s' is a directory, not a saved document: measure or probe it, and give "
                        "the document of that",
                        path);
    if (!S_ISREG(facts.st_mode))
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, WHERE, path, "'%s' is no regular file",
                        path);
    if (facts.st_size > SC_DOCUMENT_BYTES_MAX)
        return sci_fail(error, SC_LIMIT, 0, WHERE, path,
                        "'%s' is too big for a document: at most 200 MB", path);
    *size = (size_t)facts.st_size;
    return SC_OK;
}

/* Up to size bytes: a file that shrinks meanwhile ends early. */
static sc_status read_all(int file, const char *path, char *text, size_t size, size_t *length,
                          sc_error *error)
{
    *length = 0;
    while (*length < size) {
        ssize_t got = read(file, text + *length, size - *length);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return sci_fail(error, sci_status_from_errno(errno), errno, WHERE, path,
                            "cannot read '%s'", path);
        if (got == 0)
            break;
        *length += (size_t)got;
    }
    return SC_OK;
}

/* Media handed over in place of a document gets a better word than "line 1, column 1". */
static sc_status check_text(const char *path, const char *text, size_t length, sc_error *error)
{
    size_t i = 0;
    while (i < length && strchr(" \t\r\n", text[i]) && text[i])
        i++;
    if ((i < length && text[i] == '{') || sci_fio_recognised(text, length))
        return SC_OK;
    return sci_fail(error, SC_INVALID_DATA, 0, WHERE, path, "'%s' is no JSON document%s", path,
                    length == 0 ? ": it is empty" : " saved by streamcalc");
}

static sc_status read_file(const char *path, const char *what, char **text, size_t *length,
                           sc_error *error)
{
    size_t size = 0;
    /* A FIFO without a writer must not hold the call up. */
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0 && (errno == ENOENT || errno == ENOTDIR))
        return sci_fail(error, SC_NOT_FOUND, 0, WHERE, path, "no file '%s'; %s", path, what);
    if (file < 0)
        return sci_fail(error, sci_status_from_errno(errno), errno, WHERE, path, "cannot open '%s'",
                        path);
    sc_status status = check_file(file, path, &size, error);
    *text = status == SC_OK ? malloc(size + 1) : NULL;
    if (status == SC_OK && !*text)
        status = sci_fail(error, SC_NO_MEMORY, 0, WHERE, path, "no memory for '%s'", path);
    if (status == SC_OK)
        status = read_all(file, path, *text, size, length, error);
    if (status == SC_OK)
        status = check_text(path, *text, *length, error);
    close(file);
    return status;
}

typedef sc_status (*from_json_fn)(const char *json, size_t length, void *result, sc_error *error);

static sc_status open_document(const char *path, const char *what, from_json_fn from_json,
                               void *result, sc_error *error)
{
    char *text = NULL;
    size_t length = 0;
    sc_error inner = {0};
    sc_status status = read_file(path, what, &text, &length, error);
    if (status == SC_OK) {
        status = from_json(text, length, result, &inner);
        if (status != SC_OK)
            sci_fail(error, status, 0, inner.where, path, "%s: %s", path, inner.message);
    }
    free(text);
    return status;
}

static bool is_file(const char *path)
{
    struct stat facts;
    return stat(path, &facts) == 0;
}

static sc_status check_given(const char *expression, const void *result, const char *what,
                             sc_error *error)
{
    if (!result)
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, WHERE, NULL,
                        "no place for the result was given");
    if (expression && *expression)
        return SC_OK;
    return sci_fail(error, SC_INVALID_ARGUMENT, 0, WHERE, NULL, "nothing was given; %s", what);
}

/* ---- expressions ---- */

static const char STORAGE_IS[] = "a storage is a rate with its unit (83MB/s) or the saved JSON "
                                 "document of a measurement, a plan or fio (nas.json)";
static const char LINK_IS[] = "a link is a name of the catalogue (10gbe, 1gbe,rtt=15ms), a rate "
                              "with its unit (437Mb/s), a saved JSON document or what iperf3 -J "
                              "printed (iperf3.json)";
static const char PROBE_IS[] = "the saved JSON document of a probe or plan is wanted here";

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

/* A number with or without a unit behind it, as against a file's name. */
static bool is_quantity(const char *text)
{
    int64_t mantissa, bits_per_s;
    int decimals;
    const char *rest = text;
    if (sc_parse_rate(text, &bits_per_s, NULL) == SC_OK)
        return true;
    return sci_parse_decimal(&rest, &mantissa, &decimals) && !*rest && !is_file(text);
}

sc_status sc_storage_open(const char *expression, sc_storage **storage, sc_error *error)
{
    sc_status status = check_given(expression, storage, STORAGE_IS, error);
    if (storage)
        *storage = NULL;
    if (status != SC_OK)
        return status;
    if (is_quantity(expression))
        return sc_storage_from_rate(expression, storage, error);
    return open_document(expression, STORAGE_IS, storage_from_json, storage, error);
}

sc_status sc_link_open(const char *expression, sc_link *link, sc_error *error)
{
    sc_error unknown = {0};
    sc_status status = check_given(expression, link, LINK_IS, error);
    if (status != SC_OK)
        return status;
    status = sc_link_parse(expression, link, &unknown);
    if (status == SC_OK)
        return status;
    if (is_file(expression) || strchr(expression, '/') || strstr(expression, ".json"))
        return open_document(expression, LINK_IS, link_from_json, link, error);
    return sci_fail(error, status, 0, unknown.where, NULL, "%s", unknown.message);
}

sc_status sc_probe_open(const char *path, sc_probe **probe, sc_error *error)
{
    sc_status status = check_given(path, probe, PROBE_IS, error);
    if (probe)
        *probe = NULL;
    if (status != SC_OK)
        return status;
    return open_document(path, PROBE_IS, probe_from_json, probe, error);
}
