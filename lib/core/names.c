#include "core/core.h"

#include <string.h>

#define STATUSES(X)                                                                                \
    X(SC_OK, "ok", "success")                                                                      \
    X(SC_INVALID_ARGUMENT, "invalid-argument", "a parameter or an expression is wrong")            \
    X(SC_NOT_FOUND, "not-found", "no such thing")                                                  \
    X(SC_PERMISSION, "permission", "the operating system refused access")                          \
    X(SC_IO, "io", "reading or writing failed")                                                    \
    X(SC_INVALID_DATA, "invalid-data", "a file or document is not what it claims to be")           \
    X(SC_UNSUPPORTED, "unsupported", "this build or platform cannot handle it")                    \
    X(SC_NO_MEMORY, "no-memory", "out of memory")                                                  \
    X(SC_CANCELLED, "cancelled", "cancelled by the caller")                                        \
    X(SC_LIMIT, "limit", "a limit set by the caller was reached")                                  \
    X(SC_INTERNAL, "internal", "a bug in streamcalc")                                              \
    X(SC_STALLED, "stalled", "a read or an open did not answer in time")

static const sci_name status_names[] = {
#define X(value, name, text) {value, name},
    STATUSES(X)
#undef X
};

static const sci_name status_texts[] = {
#define X(value, name, text) {value, text},
    STATUSES(X)
#undef X
};

static const sci_name severity_names[] = {
    {SC_SEVERITY_NOTE, "note"}, {SC_SEVERITY_WARNING, "warning"}, {SC_SEVERITY_PROBLEM, "problem"}};

static const sci_name source_names[] = {{SC_SOURCE_NONE, "none"},
                                        {SC_SOURCE_FILE_INDEX, "file-index"},
                                        {SC_SOURCE_EDIT_UNITS, "edit-units"},
                                        {SC_SOURCE_CLUSTERS, "clusters"},
                                        {SC_SOURCE_SCAN, "scan"},
                                        {SC_SOURCE_SAMPLED, "sampled"},
                                        {SC_SOURCE_HEADER_CLAIM, "header-claim"},
                                        {SC_SOURCE_CATALOGUE, "catalogue"},
                                        {SC_SOURCE_MEASURED, "measured"},
                                        {SC_SOURCE_IMPORTED, "imported"},
                                        {SC_SOURCE_COMPUTED, "computed"},
                                        {SC_SOURCE_GIVEN, "given"},
                                        {SC_SOURCE_HEADER_WALK, "header-walk"},
                                        {SC_SOURCE_DIRECTORY, "directory"},
                                        {SC_SOURCE_ESTIMATED, "estimated"}};

const char *sci_name_of(const sci_name *table, size_t count, int value)
{
    for (size_t i = 0; i < count; i++)
        if (table[i].value == value)
            return table[i].name;
    return NULL;
}

int sci_value_of(const sci_name *table, size_t count, const char *name, int fallback)
{
    for (size_t i = 0; name && i < count; i++)
        if (strcmp(table[i].name, name) == 0)
            return table[i].value;
    return fallback;
}

const char *sc_status_name(sc_status status)
{
    const char *name = sci_name_of(status_names, SCI_COUNT(status_names), status);
    return name ? name : "unknown";
}

const char *sc_status_text(sc_status status)
{
    const char *text = sci_name_of(status_texts, SCI_COUNT(status_texts), status);
    return text ? text : "unknown status";
}

sc_status sc_status_from_name(const char *name)
{
    return sci_value_of(status_names, SCI_COUNT(status_names), name, SC_INTERNAL);
}

const char *sc_severity_name(sc_severity severity)
{
    const char *name = sci_name_of(severity_names, SCI_COUNT(severity_names), (int)severity);
    return name ? name : "problem";
}

sc_severity sc_severity_from_name(const char *name)
{
    return (sc_severity)sci_value_of(severity_names, SCI_COUNT(severity_names), name,
                                     SC_SEVERITY_PROBLEM);
}

const char *sc_source_name(sc_source source)
{
    const char *name = sci_name_of(source_names, SCI_COUNT(source_names), (int)source);
    return name ? name : "none";
}

sc_source sc_source_from_name(const char *name)
{
    return (sc_source)sci_value_of(source_names, SCI_COUNT(source_names), name, SC_SOURCE_NONE);
}
