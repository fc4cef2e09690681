/**
 * streamcalc/report.h: every result as JSON and back. The JSON is the contract between the library,
 * the command line and Python: schemas are installed in share/streamcalc/schemas.
 *
 * Writing: strings are UTF-8, end without a line end, hold no NaN or infinity, do not depend on the
 * locale, and are freed with sc_string_free(). Bytes that are no UTF-8 are written as U+FFFD, for
 * paths with the finding "path-not-utf8". What is unknown is null; so is a value that is not finite
 * where the unknown is allowed, and elsewhere it is SC_INVALID_DATA. A made_at of NULL is "".
 * @return SC_OK; SC_INVALID_ARGUMENT (a NULL pointer, a made_at that is no time stamp);
 *         SC_INVALID_DATA; SC_NO_MEMORY. *json is NULL on failure
 *
 * Reading: keys that are not known are ignored, missing ones mean unknown, types and ranges are
 * strict, and messages name the place ("files[3].tracks[0].frame_rate: ..."). A document that holds
 * an error in place of a result is refused with that error's message; one that holds files, points
 * or answers beside its error is a result of which a part is missing. At most 200 MB of text and
 * about 2 GB of memory; what is written stays below as far as it can: the traces of a probe are left
 * out where there are too many, with the finding "traces-left-out", and a document that is too big
 * all the same says so with "too-big-to-read".
 * @return SC_OK; SC_INVALID_ARGUMENT (a NULL pointer); SC_INVALID_DATA; SC_UNSUPPORTED (a newer
 *         version of the document); SC_LIMIT (too big); SC_NO_MEMORY. *result is NULL on failure,
 *         and a link is left as it was
 *
 * All functions are thread-safe.
 */
#ifndef STREAMCALC_REPORT_H
#define STREAMCALC_REPORT_H

#include <streamcalc/plan.h>
#include <streamcalc/play.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { SC_DOCUMENT_BYTES_MAX = 200 * 1000 * 1000 }; /**< most bytes of a document that is read */

/** A "streamcalc.probe" document. */
SC_API sc_status sc_probe_to_json(const sc_probe *probe, char **json, sc_error *error);
SC_API sc_status sc_probe_from_json(const char *json, size_t length, sc_probe **probe,
                                    sc_error *error);

/**
 * A "streamcalc.probe" document of this clip alone, without any line end: a line of NDJSON for
 * sc_clip_fn, which is read like any other. Its "error" is that of the clip.
 */
SC_API sc_status sc_clip_to_json(const sc_clip *clip, const char *made_at, char **json,
                                 sc_error *error);

/** A "streamcalc.storage" document. */
SC_API sc_status sc_storage_to_json(const sc_storage *storage, char **json, sc_error *error);
/** A result of fio is read as by sc_storage_from_fio(). */
SC_API sc_status sc_storage_from_json(const char *json, size_t length, sc_storage **storage,
                                      sc_error *error);

/**
 * What fio (3, or 2 where it tells total_ios) printed with --output-format=json or json+, as a
 * storage: notes and the report for people around it are passed over, and of several results, as
 * --status-interval prints them, the last is read.
 *
 * Jobs of one groupid, which fio runs together, are a point: their readers (numjobs, or an entry a
 * job), bytes read over the longest run, latencies from submission to completion. Quantiles are
 * exact where one entry or the bins of json+ tell them, else the worst job's; without
 * lat_percentiles=1 they are those of the completion and the mean time of submission. The player is
 * bs and iodepth, or one read in flight with an ioengine that has no more.
 *
 * Groups that cannot be points of one curve are left out, with the finding "fio-group-left-out":
 * those that only wrote, failed, ran for no time or read no storage (ioengine=null); of others those
 * unlike the rest, where reads in order are preferred to random ones, then direct to buffered ones,
 * the way with most groups, the larger block; of as many readers all but the longest run, of runs
 * as long within a tenth the slowest.
 *
 * No window, series or low throughput is known ("fio-no-windows"): plans with it are upper bounds.
 * cache_requested is what fio was told, and nothing is proven cold ("not-proven-cold"). What makes
 * figures mean something else is a finding: "fio-rate-limited", "fio-random", "fio-mixed-writes",
 * "fio-block-mixed", "fio-uneven-jobs", "fio-groups-overlap", "fio-compressible",
 * "fio-wide-spread", "fio-readers-estimated" (jobs of several sections reported as one),
 * "fio-no-options", "data-read-again", "memory-filesystem", "implausible-speed",
 * "short-measurement". Source of the meaning of members and options: fio(1) of fio 3.33.
 * @return as for reading; SC_INVALID_DATA also when no group is a point
 */
SC_API sc_status sc_storage_from_fio(const char *json, size_t length, sc_storage **storage,
                                     sc_error *error);

/** A "streamcalc.network" document of one link. */
SC_API sc_status sc_link_to_json(const sc_link *link, const char *made_at, char **json,
                                 sc_error *error);
SC_API sc_status sc_link_from_json(const char *json, size_t length, sc_link *link, sc_error *error);

/**
 * A link from what `iperf3 -J` printed, of TCP: the bytes a second that were received, of a test in
 * both directions (--bidir) those towards the machine that ran it. Tests in the other direction,
 * without -R, say so in `source`. rtt_s is the shortest that a connection saw, where the side that
 * sent told it; windows are those of its intervals, where one of them was more than 5 % below the
 * mean. sc_link_from_json() takes such text, too.
 * @return SC_OK; SC_INVALID_ARGUMENT; SC_LIMIT; SC_NO_MEMORY; SC_INVALID_DATA also for a test that
 *         failed, of UDP, or limited by -b
 */
SC_API sc_status sc_link_from_iperf3(const char *json, size_t length, sc_link *link,
                                     sc_error *error);

/** A "streamcalc.player" document: what a log of strace shows of a player, and that player. */
SC_API sc_status sc_player_trace_to_json(const sc_player_trace *trace, char **json,
                                         sc_error *error);
SC_API sc_status sc_player_trace_from_json(const char *json, size_t length, sc_player_trace **trace,
                                           sc_error *error);

/** A "streamcalc.play" document. */
SC_API sc_status sc_playback_to_json(const sc_playback *playback, char **json, sc_error *error);
SC_API sc_status sc_playback_from_json(const char *json, size_t length, sc_playback **playback,
                                       sc_error *error);

/** A plan, what it was made of, and how it was proved. All but the plan may be NULL. */
typedef struct sc_plan_document {
    const sc_plan *plan;
    const sc_probe *probe;
    const sc_storage *storage;
    const sc_link *link;
    const sc_playback *playback;
} sc_plan_document;

/**
 * A "streamcalc.plan" document, from which the plan can be made again: the documents of its probe,
 * storage, link and playback stand in it under "probe", "storage", "link" and "play", where
 * sc_probe_from_json(), sc_storage_from_json(), sc_link_from_json() and sc_playback_from_json() find
 * them.
 */
SC_API sc_status sc_plan_to_json(const sc_plan_document *document, char **json, sc_error *error);
SC_API sc_status sc_plan_from_json(const char *json, size_t length, sc_plan **plan,
                                   sc_error *error);

/** Catalogues: {"schema": "streamcalc.formats", "formats": [...]} and "streamcalc.links". formats
 * may be NULL when count is 0. */
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

/**
 * "83MB/s", or the path of a storage or plan document or a result of fio ("nas.json"): what
 * parses as a rate is one.
 * @return as for reading; SC_NOT_FOUND, SC_PERMISSION, SC_IO; SC_INVALID_ARGUMENT for a number
 *         without a unit, a directory and what is no regular file
 */
SC_API sc_status sc_storage_open(const char *expression, sc_storage **storage, sc_error *error);
/** "10gbe,mtu=9000", "437Mb/s", or the path of a network document or a result of iperf3; returns as
 * sc_storage_open(). */
SC_API sc_status sc_link_open(const char *expression, sc_link *link, sc_error *error);
/**
 * The path of a probe or plan document. Media files themselves are for sc_probe_many(). Returns as
 * sc_storage_open().
 */
SC_API sc_status sc_probe_open(const char *path, sc_probe **probe, sc_error *error);

#ifdef __cplusplus
}
#endif
#endif
