/**
 * streamcalc/report.h: every result as JSON and back. The JSON is the contract between the library,
 * the command line and Python: schemas are installed in share/streamcalc/schemas.
 *
 * Returned strings are UTF-8, end without a line end, hold no NaN or infinity, and are freed with
 * sc_string_free(). Bytes of paths that are no UTF-8 are written as U+FFFD, with a finding.
 */
#ifndef STREAMCALC_REPORT_H
#define STREAMCALC_REPORT_H

#include <streamcalc/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A "streamcalc.probe" document. */
SC_API sc_status sc_probe_to_json(const sc_probe *probe, char **json, sc_error *error);
SC_API sc_status sc_probe_from_json(const char *json, size_t length, sc_probe **probe,
                                    sc_error *error);

/** A "streamcalc.storage" document. */
SC_API sc_status sc_storage_to_json(const sc_storage *storage, char **json, sc_error *error);
SC_API sc_status sc_storage_from_json(const char *json, size_t length, sc_storage **storage,
                                      sc_error *error);

/** A "streamcalc.network" document of one link. */
SC_API sc_status sc_link_to_json(const sc_link *link, const char *made_at, char **json,
                                 sc_error *error);
SC_API sc_status sc_link_from_json(const char *json, size_t length, sc_link *link, sc_error *error);

/**
 * A "streamcalc.plan" document. probe and storage may be NULL; where given, their documents stand
 * in it under "probe" and "storage", and sc_probe_from_json() and sc_storage_from_json() find them
 * there.
 */
SC_API sc_status sc_plan_to_json(const sc_plan *plan, const sc_probe *probe,
                                 const sc_storage *storage, char **json, sc_error *error);
SC_API sc_status sc_plan_from_json(const char *json, size_t length, sc_plan **plan,
                                   sc_error *error);

/** Catalogues: {"schema": "streamcalc.formats", "formats": [...]} and "streamcalc.links". */
SC_API sc_status sc_formats_to_json(const sc_format *formats, size_t count, const char *made_at,
                                    char **json, sc_error *error);
SC_API sc_status sc_links_to_json(const char *made_at, char **json, sc_error *error);

/**
 * The document of a call that failed: the schema's name ("streamcalc.plan") and the "error" alone.
 */
SC_API sc_status sc_error_to_json(const char *schema, const char *made_at, const sc_error *failure,
                                  char **json, sc_error *error);

/* ---- expressions: what may stand where a measured file could ----------------------------------
 */

/** "83MB/s", or the path of a storage or plan document ("nas.json"). */
SC_API sc_status sc_storage_open(const char *expression, sc_storage **storage, sc_error *error);
/** "10gbe,mtu=9000", "437Mb/s", or the path of a network document. */
SC_API sc_status sc_link_open(const char *expression, sc_link *link, sc_error *error);
/** The path of a probe or plan document. Media files themselves are for sc_probe_many(). */
SC_API sc_status sc_probe_open(const char *path, sc_probe **probe, sc_error *error);

#ifdef __cplusplus
}
#endif
#endif
