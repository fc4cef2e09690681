#include "report/fio.h"
#include "report/shared.h"

#include <string.h>

static const char KEY[] = "\"fio version\"";

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static size_t skip_spaces(const char *text, size_t at, size_t length)
{
    while (at < length && is_space(text[at]))
        at++;
    return at;
}

static bool contains(const char *text, size_t length, const char *word)
{
    return memmem(text, length, word, strlen(word)) != NULL;
}

/* Where an object begins whose first member is the version, as fio writes it: behind notes, a report
   for people, or another result. length when there is none. */
static size_t find_result(const char *text, size_t from, size_t length)
{
    const size_t key_length = sizeof KEY - 1;
    for (size_t at = from; at < length; at++) {
        const char *brace = memchr(text + at, '{', length - at);
        if (!brace)
            return length;
        at = (size_t)(brace - text);
        size_t inner = skip_spaces(text, at + 1, length);
        if (length - inner >= key_length && memcmp(text + inner, KEY, key_length) == 0)
            return at;
        at = inner > at + 1 ? inner - 1 : at;
    }
    return length;
}

/* Where to parse first: a document whose keys another program has sorted begins with its brace. */
static size_t find_first(const char *text, size_t length)
{
    size_t begin = skip_spaces(text, 0, length);
    return begin < length && text[begin] == '{' ? begin : find_result(text, 0, length);
}

bool sci_fio_recognised(const char *text, size_t length)
{
    size_t begin = text ? skip_spaces(text, 0, length) : length;
    if (begin < length && text[begin] == '{')
        return contains(text, length, KEY) && !contains(text, length, "\"schema\"");
    return begin < length && find_result(text, 0, length) < length;
}

static sc_status fail(sc_error *error, sc_status status, const char *message)
{
    return sci_fail(error, status, 0, "report.fio", NULL, "%s", message);
}

static sc_status parse_one(const char *text, size_t length, size_t *at, json_t **root,
                           sc_error *error)
{
    json_error_t fault;
    char shown[JSON_ERROR_TEXT_LENGTH];
    json_t *one = json_loadb(text + *at, length - *at, JSON_DISABLE_EOF_CHECK, &fault);
    if (!one && json_error_code(&fault) == json_error_out_of_memory)
        return fail(error, SC_NO_MEMORY, "no memory for the result of fio");
    if (!one)
        return sci_fail(error, SC_INVALID_DATA, 0, "report.fio", NULL,
                        "the result of fio is not valid JSON: line %d, column %d of it: %s",
                        fault.line, fault.column, sci_shown(shown, sizeof shown, fault.text));
    json_decref(*root);
    *root = one;
    *at += (size_t)fault.position;
    return SC_OK;
}

sc_status sci_fio_parse(const char *text, size_t length, json_t **root, sc_error *error)
{
    sc_status status = SC_OK;
    *root = NULL;
    if (length > SC_DOCUMENT_BYTES_MAX || sci_document_too_big(text, length))
        return fail(error, SC_LIMIT, "the result of fio is too big: at most 200 MB");
    size_t at = find_first(text, length);
    if (at >= length)
        return fail(error, SC_INVALID_DATA,
                    "not a result of fio: run fio with --output-format=json or json+");
    for (; status == SC_OK && at < length; at = find_result(text, at, length))
        status = parse_one(text, length, &at, root, error);
    if (status == SC_OK && !json_is_string(json_object_get(*root, "fio version")))
        status = fail(error, SC_INVALID_DATA, "not a result of fio: it has no \"fio version\"");
    if (status != SC_OK) {
        json_decref(*root);
        *root = NULL;
    }
    return status;
}
