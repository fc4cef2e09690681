#include "report/shared.h"

struct failure {
    char made_at[SC_TIME_MAX];
    sc_error error;
};

static const struct sci_field failure_fields[] = {
    {"made_at", SCI_TIME, .offset = offsetof(struct failure, made_at)},
    {"error", SCI_GROUP, .offset = offsetof(struct failure, error), .table = &sci_error_table},
};
static const struct sci_table failure_table = {failure_fields, SCI_COUNT(failure_fields),
                                               .size = sizeof(struct failure)};

sc_status sc_error_to_json(const char *schema, const char *made_at, const sc_error *failure,
                           char **json, sc_error *error)
{
    struct sci_writer writer = {.error = error};
    struct failure document;
    sc_status status = sci_document_check(failure, json, error);
    if (status != SC_OK)
        return status;
    if (failure->status == SC_OK)
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "report.write", NULL,
                        "there is no error to write: its status is ok");
    document.error = *failure;
    status = sci_document_time(document.made_at, made_at, error);
    if (status != SC_OK)
        return status;
    sci_document_write(&writer, schema, &failure_table, &document);
    return sci_document_finish(&writer, json);
}
