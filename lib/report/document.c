#include "report/shared.h"

#include <stdlib.h>
#include <string.h>

/* ---- writing ---- */

void sci_document_begin(struct sci_writer *writer, const char *schema)
{
    sci_put_open(writer, '{');
    sci_put_key(writer, "schema");
    sci_put_text(writer, schema);
    sci_put_key(writer, "version");
    sci_put_int(writer, SCI_DOCUMENT_VERSION);
    sci_put_key(writer, "made_by");
    sci_put_text(writer, "streamcalc " STREAMCALC_VERSION);
    writer->bad_paths = 0;
    writer->lean = false;
}

void sci_document_end(struct sci_writer *writer)
{
    sci_put_close(writer, '{');
}

void sci_document_write(struct sci_writer *writer, const char *schema,
                        const struct sci_table *table, const void *base)
{
    sci_document_begin(writer, schema);
    sci_write_fields(writer, table, base);
    sci_document_end(writer);
}

sc_status sci_document_check(const void *object, char **json, sc_error *error)
{
    if (json)
        *json = NULL;
    if (!object || !json)
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "report.write", NULL,
                        "a NULL pointer was given");
    return SC_OK;
}

sc_status sci_document_finish(struct sci_writer *writer, char **json)
{
    if (writer->no_memory && writer->status == SC_OK)
        writer->status = sci_fail(writer->error, SC_NO_MEMORY, 0, "report.write", NULL,
                                  "no memory for the document");
    if (writer->status != SC_OK)
        sc_string_free(&writer->text);
    *json = writer->text;
    return writer->status;
}

sc_status sci_document_time(char made_at[SC_TIME_MAX], const char *given, sc_error *error)
{
    char shown[48];
    if (given && !sci_is_time(given))
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "report.write", NULL,
                        "made_at: '%s' is no time stamp like 2026-11-30T20:21:32Z",
                        sci_shown(shown, sizeof shown, given));
    sci_copy(made_at, SC_TIME_MAX, given ? given : "");
    return SC_OK;
}

/* ---- reading ---- */

static sc_status refuse(sc_error *error, sc_status status, const char *message)
{
    return sci_fail(error, status, 0, "report.read", NULL, "%s", message);
}

/* A parsed value takes 40 to 300 bytes, and two bytes of text can hold one. Weighing what begins a
   value or a member bounds the memory, to about 2 GB, before anything is built. */
bool sci_document_too_big(const char *json, size_t length)
{
    static const unsigned char weights[256] = {
        ['{'] = 8, ['['] = 4, [':'] = 2, [','] = 1, ['"'] = 1};
    static const size_t MOST = 40 * 1000 * 1000;
    size_t weight = 0;
    for (size_t i = 0; i < length; i++)
        weight += weights[(unsigned char)json[i]];
    return length > SC_DOCUMENT_BYTES_MAX || weight > MOST;
}

static sc_status parse(const char *json, size_t length, json_t **root, sc_error *error)
{
    json_error_t at;
    if (!json)
        return refuse(error, SC_INVALID_ARGUMENT, "no document was given");
    if (length > SC_DOCUMENT_BYTES_MAX)
        return refuse(error, SC_LIMIT, "the document is too big: at most 200 MB");
    if (sci_document_too_big(json, length))
        return refuse(error, SC_LIMIT,
                      "the document holds too many values: at most 40 million in lists, or 8 "
                      "million with a key each");
    *root = json_loadb(json, length, JSON_REJECT_DUPLICATES, &at);
    if (*root)
        return SC_OK;
    if (json_error_code(&at) == json_error_out_of_memory)
        return refuse(error, SC_NO_MEMORY, "no memory for the document");
    char shown[JSON_ERROR_TEXT_LENGTH];
    return sci_fail(error, SC_INVALID_DATA, 0, "report.read", NULL,
                    "not valid JSON: line %d, column %d: %s", at.line, at.column,
                    sci_shown(shown, sizeof shown, at.text));
}

static const char *schema_of(const json_t *document)
{
    return json_string_value(json_object_get(document, "schema"));
}

static bool has_schema(const json_t *document, const char *schema)
{
    const char *name = schema_of(document);
    return name && strcmp(name, schema) == 0;
}

static sc_status check_version(const json_t *body, sc_error *error)
{
    const json_t *version = json_object_get(body, "version");
    if (!json_is_integer(version) || json_integer_value(version) < 1)
        return refuse(error, SC_INVALID_DATA, "version: is no whole number from 1");
    if (json_integer_value(version) > SCI_DOCUMENT_VERSION)
        return sci_fail(error, SC_UNSUPPORTED, 0, "report.read", NULL,
                        "the document has version %lld; streamcalc %s reads up to version %d: "
                        "use a newer streamcalc",
                        (long long)json_integer_value(version), STREAMCALC_VERSION,
                        SCI_DOCUMENT_VERSION);
    return SC_OK;
}

static sc_status check_no_error(const json_t *body, const char *list, sc_error *error)
{
    const json_t *failure = json_object_get(body, "error");
    char shown[SC_TEXT_MAX];
    if (!failure || json_is_null(failure) || (list && json_array_size(json_object_get(body, list))))
        return SC_OK;
    const char *message = json_string_value(json_object_get(failure, "message"));
    return sci_fail(error, SC_INVALID_DATA, 0, "report.read", NULL,
                    "the document holds an error, not a result: %s",
                    sci_shown(shown, sizeof shown, message ? message : "no message"));
}

static sc_status wrong_schema(const struct sci_document_kind *kind, const json_t *root,
                              sc_error *error)
{
    char shown[48];
    const char *name = schema_of(root);
    if (!name)
        return sci_fail(error, SC_INVALID_DATA, 0, "report.read", NULL,
                        "not a %s document: it has no \"schema\"", kind->schema);
    if (kind->nested && json_object_get(root, kind->nested))
        return sci_fail(error, SC_INVALID_DATA, 0, "report.read", NULL,
                        "this is a %s document without a %s document in it",
                        sci_shown(shown, sizeof shown, name), kind->schema);
    return sci_fail(error, SC_INVALID_DATA, 0, "report.read", NULL,
                    "this is a %s document, not a %s one", sci_shown(shown, sizeof shown, name),
                    kind->schema);
}

/* *body: what of root is the document of this kind. */
static sc_status find_body(const struct sci_document_kind *kind, const json_t *root,
                           const json_t **body, sc_error *error)
{
    const json_t *inner = kind->nested ? json_object_get(root, kind->nested) : NULL;
    if (has_schema(root, kind->schema))
        *body = root;
    else if (schema_of(root) && has_schema(inner, kind->schema))
        *body = inner;
    else
        return wrong_schema(kind, root, error);
    sc_status status = check_version(*body, error);
    return status == SC_OK ? check_no_error(*body, kind->list, error) : status;
}

static sc_status read_body(const struct sci_table *table, const json_t *body, void **result,
                           sc_error *error)
{
    *result = sci_result_new(table->size);
    if (!*result)
        return refuse(error, SC_NO_MEMORY, "no memory for the document");
    struct sci_reader reader = {.arena = sci_result_arena(*result), .error = error};
    if (!sci_read_fields(&reader, table, body, *result))
        sci_result_free(result);
    return reader.status;
}

sc_status sci_document_read(const struct sci_document_kind *kind, const char *json, size_t length,
                            void *result, sc_error *error)
{
    json_t *root = NULL;
    const json_t *body = NULL;
    void *read = NULL;
    if (!result)
        return refuse(error, SC_INVALID_ARGUMENT, "no place for the result was given");
    sc_status status = parse(json, length, &root, error);
    if (status == SC_OK)
        status = find_body(kind, root, &body, error);
    if (status == SC_OK)
        status = read_body(kind->table, body, &read, error);
    json_decref(root);
    memcpy(result, &read, sizeof read);
    return status;
}
