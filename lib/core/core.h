/* Internal parts of core, for every module. Internal names begin with sci_. */
#ifndef SCI_CORE_H
#define SCI_CORE_H

#include <stdarg.h>
#include <streamcalc/core.h>

#define SCI_COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ---- errors ---- */

/* Fill *error unless it holds an error already, and return status. os_errno 0: none; path NULL:
   none. error may be NULL. With an os_errno the text of it is appended to the message. */
sc_status sci_fail(sc_error *error, sc_status status, int os_errno, const char *where,
                   const char *path, const char *format, ...) __attribute__((format(printf, 6, 7)));
/* Put more behind the message, as far as there is room. */
void sci_fail_add(sc_error *error, const char *text);
/* Copy the fault, unless it is SC_OK or *error holds an error already, and return its status. error
   may be NULL. */
sc_status sci_error_keep(sc_error *error, const sc_error *fault);
/* The status that an errno stands for: ENOENT is SC_NOT_FOUND, EACCES is SC_PERMISSION, ... */
sc_status sci_status_from_errno(int os_errno);

/* ---- memory: one arena a result ---- */

typedef struct sci_arena sci_arena;

/* A zeroed result object with an arena of its own behind it; NULL without memory. */
void *sci_result_new(size_t size);
sci_arena *sci_result_arena(void *result);
/* Free *result with all that its arena gave out, and null it. */
void sci_result_free(void *result_pointer);

/* A bare arena for scratch memory. */
sci_arena *sci_arena_new(void);
void sci_arena_free(sci_arena **arena);
/* Everything that *from gave out belongs to `into` from now on; *from is nulled. */
void sci_arena_adopt(sci_arena *into, sci_arena **from);
/* Zeroed, aligned for any type; NULL without memory or when count * size overflows. */
void *sci_arena_alloc(sci_arena *arena, size_t count, size_t size);
/* Copies; a NULL text gives "". NULL without memory. */
char *sci_arena_strdup(sci_arena *arena, const char *text);
char *sci_arena_printf(sci_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Make room for one more item in a malloc'ed array that doubles. items is the address of the array
   pointer. False without memory, the array then stays as it was. */
bool sci_grow(void *items, size_t count, size_t *capacity, size_t item_size);
/* malloc() for arrays of which all is used at once: where the system has pages of megabytes, large
   ones take those, since a fault for every 4 KiB costs more than the work on them. NULL without
   memory. */
void *sci_big_alloc(size_t count, size_t item_size);

/* ---- findings ---- */

/* A growing list in an arena. Zero it but for the arena. */
typedef struct sci_findings {
    sci_arena *arena;
    sc_finding *items;
    size_t count, capacity;
    bool
        no_memory; /* a finding got lost; stays set, so that it can be looked at once, at the end */
} sci_findings;

/* False without memory, and list->no_memory is set. code must be static; the message is copied. */
bool sci_finding_add(sci_findings *list, const char *code, sc_severity severity, const char *format,
                     ...) __attribute__((format(printf, 4, 5)));

/* ---- time and control ---- */

/* Monotonic nanoseconds. */
int64_t sci_now_ns(void);
double sci_seconds_since(int64_t start_ns);

/* A running call's side of sc_control: throttles progress to 20 calls a second. */
typedef struct sci_control {
    sc_control user;
    const char *stage;
    int64_t start_ns, last_ns;
    int64_t files_done, files_found;                   /* for sc_progress */
    void (*fill)(void *opaque, sc_progress *progress); /* adds what it knows; NULL: nothing */
    void *fill_opaque;
    bool cancelled;
} sci_control;

void sci_control_start(sci_control *control, const sc_control *user, const char *stage);
/* Report progress when it is due. True when the call has to stop; stays true from then on.
   Call it at least ten times a second where there is one to report to, on the calling thread only. detail NULL: "". */
bool sci_control_poll(sci_control *control, const char *detail, double fraction,
                      double bytes_per_s);
void sci_log(const sc_control *control, sc_log_level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- names: one table gives enum, name and text ---- */

typedef struct sci_name {
    int value;
    const char *name;
} sci_name;

/* NULL when absent. */
const char *sci_name_of(const sci_name *table, size_t count, int value);
/* fallback when absent or NULL. */
int sci_value_of(const sci_name *table, size_t count, const char *name, int fallback);

/* ---- the windows of the model ---- */

/* Ascending, each a whole number of milliseconds. Demand and supply are compared in these and in
   one frame and the whole file. */
enum { SCI_WINDOW_COUNT = 10 };
extern const double sci_windows_s[SCI_WINDOW_COUNT];

/* ---- text ---- */

/* ASCII letters of both cases are the same, whatever the locale; at most `size` characters count. */
bool sci_same_letters(const char *a, const char *b, size_t size);
/* Copy with the end cut at a UTF-8 character; returns buffer. */
char *sci_copy(char *buffer, size_t size, const char *text);
/* Parse a plain decimal ("12", "0.35") at *text, independent of the locale, and move past it: the
   value is mantissa / 10^decimals. False when there is none or it has more than 18 digits. */
bool sci_parse_decimal(const char **text, int64_t *mantissa, int *decimals);

/* A decimal with 0 to 9 decimals and a point, whatever the locale. |value| x 10^decimals < 9e18. */
void sci_print_decimal(char *buffer, size_t size, double value, int decimals);
/* The same with at most so many decimals: no zeros at the end, and no point without decimals. */
void sci_print_trimmed(char *buffer, size_t size, double value, int decimals);

#endif
