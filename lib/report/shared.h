/* What several documents have in common: findings, errors, players, and the frame of a document. */
#ifndef SCI_REPORT_SHARED_H
#define SCI_REPORT_SHARED_H

#include <streamcalc/report.h>

#include "report/field.h"

#define SCI_SCHEMA_PROBE   "streamcalc.probe"
#define SCI_SCHEMA_STORAGE "streamcalc.storage"
#define SCI_SCHEMA_NETWORK "streamcalc.network"
#define SCI_SCHEMA_PLAN    "streamcalc.plan"
#define SCI_SCHEMA_PLAY    "streamcalc.play"
#define SCI_SCHEMA_PLAYER  "streamcalc.player"

extern const struct sci_enum sci_source_enum, sci_link_kind_enum, sci_cache_mode_enum;
extern const struct sci_table sci_finding_table, sci_error_table, sci_player_table;
extern const struct sci_table sci_storage_table, sci_paced_run_table, sci_playback_table;
bool sci_error_present(const void *error);

/* ---- writing a document ---- */

/* Write "schema", "version" and "made_by" and open the document's object. */
void sci_document_begin(struct sci_writer *writer, const char *schema);
void sci_document_end(struct sci_writer *writer);
/* One document in one call. */
void sci_document_write(struct sci_writer *writer, const char *schema,
                        const struct sci_table *table, const void *base);
void sci_probe_write(struct sci_writer *writer, const sc_probe *probe);
void sci_network_write(struct sci_writer *writer, const sc_link *link, const char *made_at);
/* Whether a text, or what there is of it, is more than is read. */
bool sci_document_too_big(const char *json, size_t length);
/* What every function that writes checks first: json is nulled. */
sc_status sci_document_check(const void *object, char **json, sc_error *error);
/* Hand the text over, or free it and return why there is none. */
sc_status sci_document_finish(struct sci_writer *writer, char **json);
/* Copy a caller's time stamp; NULL is "". */
sc_status sci_document_time(char made_at[SC_TIME_MAX], const char *given, sc_error *error);

/* ---- reading a document ---- */

enum { SCI_DOCUMENT_VERSION = 1 };

/* A kind of document that is read into a result. */
struct sci_document_kind {
    const char *schema;
    const char *nested; /* the member that holds it in a document of several; NULL: none does */
    const char *list; /* with an entry here, a document with an error is still a result; or NULL */
    const struct sci_table *table;
};

/* Parse a text, find the document of this kind in it (the text itself, or a member of it) and read
   it into a new result, whose pointer goes to *result: NULL on failure. */
sc_status sci_document_read(const struct sci_document_kind *kind, const char *json, size_t length,
                            void *result, sc_error *error);

#endif
