/**
 * streamcalc/core.h: what every other module shares: status, error, cancel, progress, log,
 * findings, sources and the parsing of quantities.
 *
 * Conventions of the whole library
 *  - Everything that can fail returns an sc_status and takes a caller-owned sc_error, which may be
 *    NULL. The first error wins: a call never overwrites an sc_error that already holds one.
 *  - In every params struct zero means the documented default; a NULL params pointer means all
 *    defaults.
 *  - Results are plain structs behind one pointer, freed by sc_<x>_free(sc_<x> **), which nulls the
 *    pointer and accepts NULL. All pointers inside a result belong to the result.
 *  - Rates are decimal (1 MB/s = 10^6 bytes a second); units are in names.
 *  - An unknown count is SC_UNKNOWN, an unknown double is negative: both are null in JSON.
 *  - The library has no globals, never prints, exits, installs a signal handler, or changes
 *    FFmpeg's log level, the locale or the umask. FFmpeg's own messages follow the application's
 *    av_log settings; sc_probe_quiet_ffmpeg(), which only the application calls, silences them. Distinct objects may be used from distinct
 *    threads at once; one object by one thread at a time, unless its text says otherwise.
 *  - Paths are bytes as the operating system has them. Strings in results are UTF-8 where the
 *    source was.
 */
#ifndef STREAMCALC_CORE_H
#define STREAMCALC_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef SC_API
#define SC_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** Sizes and sentinels used in public structs. */
enum {
    SC_UNKNOWN = -1,     /**< a count that was not computed; null in JSON */
    SC_WINDOWS_MAX = 16, /**< capacity of every window array */
    SC_NAME_MAX = 128,   /**< capacity of a name, with its terminating zero */
    SC_TEXT_MAX = 512,   /**< capacity of a message or source text */
    SC_PATH_MAX =
        1024,        /**< capacity of the path in an sc_error; longer paths are cut at the front */
    SC_TIME_MAX = 24 /**< capacity of a time stamp, "2026-11-30T20:21:32Z" */
};

/** Outcome of a call. 0 is success, failures are negative. */
typedef enum sc_status {
    SC_OK = 0,
    SC_INVALID_ARGUMENT = -1, /**< a parameter or an expression is wrong; the message names it */
    SC_NOT_FOUND = -2,        /**< no such file, directory, format, link or player */
    SC_PERMISSION = -3,       /**< the operating system refused access */
    SC_IO = -4,               /**< a read, write or system call failed; see os_errno */
    SC_INVALID_DATA = -5,     /**< the file or document is not what it claims to be */
    SC_UNSUPPORTED = -6,      /**< valid, but not something this build or platform can handle */
    SC_NO_MEMORY = -7,        /**< an allocation failed */
    SC_CANCELLED = -8,        /**< cancelled by the progress callback or the cancel object */
    SC_LIMIT = -9,            /**< a time, byte or count limit set by the caller was reached */
    SC_INTERNAL = -10,        /**< a bug in streamcalc */
    SC_STALLED = -11          /**< a read or an open did not answer in time */
} sc_status;

/** Name of a status as it stands in JSON, for example "not-found". Never NULL. */
SC_API const char *sc_status_name(sc_status status);
/** One sentence on a status. Never NULL. */
SC_API const char *sc_status_text(sc_status status);
/** The status with the given name; SC_INTERNAL when there is none. */
SC_API sc_status sc_status_from_name(const char *name);

/** Details of a failure. Zero-initialise before the first use: `sc_error error = {0};`. */
typedef struct sc_error {
    sc_status status;          /**< SC_OK while there is no error */
    int os_errno;              /**< errno, or 0 when the operating system was not involved */
    char where[SC_NAME_MAX];   /**< the step that failed, for example "probe.open" */
    char message[SC_TEXT_MAX]; /**< one line that names the thing and, where there is one, the
                                  remedy */
    char path[SC_PATH_MAX];    /**< the file concerned, or "" */
} sc_error;

/** Library version, "MAJOR.MINOR.PATCH". */
SC_API const char *sc_version(void);

/* ---- cancel, progress, log ------------------------------------------------------------------ */

/** A flag that stops long calls. May be triggered from any thread and from a signal handler. */
typedef struct sc_cancel sc_cancel;

/** A new, untriggered cancel object, or NULL without memory. Free with sc_cancel_free(). */
SC_API sc_cancel *sc_cancel_create(void);
/** Ask every call that was given this object to stop. Async-signal-safe; NULL does nothing. */
SC_API void sc_cancel_trigger(sc_cancel *cancel);
/** Whether the object was triggered. NULL is never triggered. Thread-safe. */
SC_API bool sc_cancel_triggered(const sc_cancel *cancel);
/** Free and null. No call may still be using the object. */
SC_API void sc_cancel_free(sc_cancel **cancel);

/** How far a long call has come. Pointers are valid during the callback only. */
typedef struct sc_progress {
    const char *stage;               /**< "probe", "measure", ...: never NULL */
    const char *detail;              /**< what is being worked on, for example a path; never NULL */
    double fraction;                 /**< 0 to 1, or negative when the end is not known */
    double elapsed_s;                /**< seconds since the call began */
    double bytes_per_s;              /**< present rate of reading, or negative */
    int64_t files_done, files_found; /**< of many files: finished, and found so far; else 0 */
    int32_t streams;     /**< of playing: those of the present run; else 0, as all below */
    int64_t late_frames; /**< of the run so far, also those that are due and not there yet */
    double min_buffer_s; /**< least time so far between a frame's arrival and its due time;
                              negative: late; 0 before the first frame */
} sc_progress;

/** Called on the calling thread, at least ten times a second, no lock held. Non-zero cancels. */
typedef int (*sc_progress_fn)(void *opaque, const sc_progress *progress);

typedef enum sc_log_level {
    SC_LOG_ERROR = 0,
    SC_LOG_WARNING = 1,
    SC_LOG_INFO = 2,
    SC_LOG_DEBUG = 3
} sc_log_level;

/** Receives log lines (no line end). Called on any thread of the library, one call at a time. */
typedef void (*sc_log_fn)(void *opaque, sc_log_level level, const char *message);

/** What a caller hands to a long call. All zero: no progress, no cancel, no log. */
typedef struct sc_control {
    sc_progress_fn progress; /**< may be NULL */
    void *progress_opaque;
    const sc_cancel *cancel; /**< may be NULL; borrowed for the call */
    sc_log_fn log;           /**< may be NULL */
    void *log_opaque;
} sc_control;

/* ---- findings and sources ------------------------------------------------------------------- */

typedef enum sc_severity {
    SC_SEVERITY_NOTE = 0,    /**< worth knowing */
    SC_SEVERITY_WARNING = 1, /**< the answer is weaker than it looks */
    SC_SEVERITY_PROBLEM = 2  /**< the answer must not be relied on */
} sc_severity;

/** "note", "warning", "problem". */
SC_API const char *sc_severity_name(sc_severity severity);
/** The severity with that name; SC_SEVERITY_PROBLEM when there is none. */
SC_API sc_severity sc_severity_from_name(const char *name);

/** Something that the reader of a result has to know. */
typedef struct sc_finding {
    const char *code; /**< stable, machine-readable: "memory-filesystem" */
    sc_severity severity;
    const char *message; /**< one sentence for a person */
} sc_finding;

/** Where a figure came from. Names (sc_source_name) in JSON are lower case with hyphens. */
typedef enum sc_source {
    SC_SOURCE_NONE = 0,
    SC_SOURCE_FILE_INDEX,   /**< the container's own index of every packet */
    SC_SOURCE_EDIT_UNITS,   /**< MXF edit-unit offsets */
    SC_SOURCE_CLUSTERS,     /**< Matroska cluster positions */
    SC_SOURCE_SCAN,         /**< every packet was read */
    SC_SOURCE_SAMPLED,      /**< some windows of the file were read */
    SC_SOURCE_HEADER_CLAIM, /**< a header says so */
    SC_SOURCE_CATALOGUE,    /**< a published figure */
    SC_SOURCE_MEASURED,     /**< measured on the storage */
    SC_SOURCE_IMPORTED,     /**< read from another tool's result */
    SC_SOURCE_COMPUTED,     /**< by formula from other figures */
    SC_SOURCE_GIVEN,        /**< the user said so (a bare expression) */
    SC_SOURCE_HEADER_WALK,  /**< the header of every packet was read, its content not */
    SC_SOURCE_DIRECTORY,    /**< sizes of the files of a sequence */
    SC_SOURCE_ESTIMATED     /**< a share of an exact sum, by what is known of the parts */
} sc_source;

SC_API const char *sc_source_name(sc_source source);
/** The source with that name; SC_SOURCE_NONE when there is none. */
SC_API sc_source sc_source_from_name(const char *name);

/* ---- quantities ----------------------------------------------------------------------------- */

/** An exact ratio, for example 24000/1001 frames a second. 0/0 is unknown. */
typedef struct sc_rational {
    int64_t num;
    int64_t den;
} sc_rational;

/** num / den, or -1 when unknown. */
SC_API double sc_rational_value(sc_rational ratio);

/**
 * Parse a rate: "83MB/s", "664Mb/s", "1.5Gb/s", "100MiB/s", "800kb/s"; b is bits, B is bytes, also
 * "bit/s", "bps", "Mbps", "Mbit/s". Prefixes k M G T are decimal, Ki Mi Gi Ti binary. A number
 * without a unit is SC_INVALID_ARGUMENT, as are negative, infinite and zero rates and rates above
 * 10^15 bits a second.
 * @param[out] bits_per_s  rounded to the nearest bit a second; left alone on failure
 * @return SC_OK or SC_INVALID_ARGUMENT
 */
SC_API sc_status sc_parse_rate(const char *text, int64_t *bits_per_s, sc_error *error);
/** Parse a size: "256KiB", "1MiB", "4GB", "512B". Zero is allowed; a bare number is not.
 * @return SC_OK or SC_INVALID_ARGUMENT */
SC_API sc_status sc_parse_bytes(const char *text, int64_t *bytes, sc_error *error);
/** Parse a time: "15ms", "1s", "0.35s", "200us", "2min". Zero is allowed; a bare number is not.
 * @return SC_OK or SC_INVALID_ARGUMENT */
SC_API sc_status sc_parse_seconds(const char *text, double *seconds, sc_error *error);
/**
 * Parse a frame rate: "25", "24000/1001", and the usual decimals of NTSC rates ("23.976", "23.98",
 * "29.97", "47.95", "59.94", "119.88") as n*1000/1001; other decimals exactly. Here a bare number
 * is right: its unit is frames a second. 0 < rate <= 1000.
 * @param[out] frame_rate  left alone on failure
 * @return SC_OK or SC_INVALID_ARGUMENT
 */
SC_API sc_status sc_parse_frame_rate(const char *text, sc_rational *frame_rate, sc_error *error);
/** Write a frame rate as people do: "25", "23.976", "59.94", "14.587"; "?" when it is unknown or
 * above 10^9. At least 16 bytes of buffer. */
SC_API void sc_format_frame_rate(sc_rational frame_rate, char *buffer, size_t size);
/**
 * Print a size: "64 MiB" where it is 1 to 1023 whole KiB, MiB, GiB or TiB, else three digits of a
 * decimal unit, "1.06 GB", or "512 bytes". Negative (not known): "?". 32 bytes are room enough.
 * Thread-safe, independent of the locale.
 */
SC_API void sc_format_bytes(int64_t bytes, char *buffer, size_t size);

/** Now, in UTC, as every document writes it: "2026-11-30T20:21:32Z". */
SC_API void sc_time_now(char made_at[SC_TIME_MAX]);
/** Free a string that the library returned, and null the pointer. NULL is accepted. */
SC_API void sc_string_free(char **text);

#ifdef __cplusplus
}
#endif
#endif
