/* One table of fields a struct drives writing it as JSON and reading it back: a new member of a
   result is one more row. */
#ifndef SCI_REPORT_FIELD_H
#define SCI_REPORT_FIELD_H

#include <jansson.h>

#include "core/core.h"

enum sci_type {
    SCI_TEXT,           /* const char *, never NULL once read */
    SCI_CHARS,          /* char[size]; longer text is cut at a character */
    SCI_TIME,           /* char[SC_TIME_MAX]: "" or "2026-11-30T20:21:32Z" */
    SCI_BOOL,           /* bool */
    SCI_INT32,          /* int32_t */
    SCI_INT64,          /* int64_t */
    SCI_DOUBLE,         /* double */
    SCI_ENUM,           /* an enum, by its names */
    SCI_RATIO,          /* sc_rational as "24000/1001", null when unknown */
    SCI_WINDOW_DOUBLES, /* double[SC_WINDOWS_MAX] with an int32_t count */
    SCI_WINDOW_INT64S,  /* int64_t[SC_WINDOWS_MAX] with the same count */
    SCI_INT64_LIST,     /* const int64_t * with a size_t count, at most size entries */
    SCI_GROUP,          /* an object; its table counts offsets from the field's own */
    SCI_LIST,           /* an array of structs with a size_t count */
    SCI_CUSTOM,         /* an array, by write and read */
    SCI_NOTHING,        /* always null when written, ignored when read */
    SCI_NO_FINDINGS     /* of a struct without findings: empty but for those of writing */
};

enum {
    SCI_NULLABLE = 1 << 0,  /* a negative number is unknown: null */
    SCI_NULL_ZERO = 1 << 1, /* zero means "does not apply": null */
    SCI_REQUIRED = 1 << 2,  /* a document without the key is refused */
    SCI_SIGNED = 1 << 3,    /* negative numbers are numbers */
    SCI_POSITIVE = 1 << 4,  /* above zero */
    SCI_ALWAYS = 1 << 5,    /* stands in an object that failed, too */
    SCI_PATH = 1 << 6,      /* bytes that are no UTF-8 are worth a finding */
    SCI_ASCENDING = 1 << 7, /* each entry above the one before; this array sets the count */
    SCI_COLLECTS = 1 << 8,  /* the document's findings: those of writing are added */
    SCI_BULKY = 1 << 9      /* null where the writer leaves out what is bulky */
};

struct sci_reader;
struct sci_writer;

/* The names of an enum's values first to last. An unknown name is refused when strict, else it
   means fallback. */
struct sci_enum {
    const char *(*name)(int value);
    int first, last;
    bool strict;
    int fallback;
};

struct sci_table;

struct sci_field {
    const char *key;
    enum sci_type type;
    size_t offset;
    unsigned flags;
    double max;                    /* 0: 10^18, so that eight times a count of bytes fits 64 bits */
    size_t size;                   /* SCI_CHARS: capacity; lists: most entries, 0 for any */
    size_t count_offset;           /* of windows and lists */
    const struct sci_table *table; /* SCI_GROUP, SCI_LIST */
    const struct sci_enum *names;  /* SCI_ENUM */
    bool (*present)(const void *base); /* SCI_GROUP: false is null; NULL: always there */
    void (*write)(struct sci_writer *writer, const void *base);
    bool (*read)(struct sci_reader *reader, const json_t *value,
                 void *base); /* value may be NULL */
};

struct sci_table {
    const struct sci_field *fields;
    size_t count;
    size_t size;                      /* of the struct, for lists */
    bool (*failed)(const void *base); /* only SCI_ALWAYS fields mean something; NULL: never */
    /* After all fields; object is NULL where there was none. NULL: nothing to check. */
    bool (*check)(struct sci_reader *reader, const json_t *object, void *base);
};

/* Where in the document: "files[3].tracks[0].frame_rate". */
struct sci_trail {
    char text[192];
    size_t length;
};

/* Both return what sci_trail_cut needs to step back. */
size_t sci_trail_key(struct sci_trail *trail, const char *key);
size_t sci_trail_index(struct sci_trail *trail, size_t index);
void sci_trail_cut(struct sci_trail *trail, size_t length);

/* "" or "2026-11-30T20:21:32Z". */
bool sci_is_time(const char *text);

/* The shortest decimal that reads back as the same double, in every locale. */
enum { SCI_NUMBER_MAX = 64 };
const char *sci_print_number(char text[SCI_NUMBER_MAX], double value);

/* ---- writing ---- */

struct sci_writer {
    char *text; /* malloc'ed */
    size_t length, capacity;
    int depth;
    bool comma;     /* a value stands before the next one */
    bool after_key; /* the next value follows its key */
    bool on_one_line;
    bool compact; /* no line ends and no spaces */
    bool no_memory;
    size_t bad_paths; /* paths of this document with bytes that are no UTF-8 */
    bool lean;        /* SCI_BULKY groups of this document are left out */
    sc_status status;
    sc_error *error;
    struct sci_trail trail;
};

void sci_put_key(struct sci_writer *writer, const char *key);
void sci_put_null(struct sci_writer *writer);
void sci_put_bool(struct sci_writer *writer, bool value);
void sci_put_int(struct sci_writer *writer, int64_t value);
/* value must be finite, as for sci_print_number. */
void sci_put_double(struct sci_writer *writer, double value);
/* Bytes that are no UTF-8 become U+FFFD, one each. Returns how many. */
size_t sci_put_text(struct sci_writer *writer, const char *text);
/* bracket is '{' or '['. */
void sci_put_open(struct sci_writer *writer, char bracket);
/* A list of plain values, all on one line. */
void sci_put_open_line(struct sci_writer *writer);
void sci_put_close(struct sci_writer *writer, char bracket);

/* Write the members of the struct at base, without braces. */
void sci_write_fields(struct sci_writer *writer, const struct sci_table *table, const void *base);
/* The same between braces. */
void sci_write_object(struct sci_writer *writer, const struct sci_table *table, const void *base);

/* ---- reading ---- */

struct sci_reader {
    sci_arena *arena; /* where text and lists go; NULL where the table has neither */
    sc_status status;
    sc_error *error;
    struct sci_trail trail;
};

/* Note "<trail>: <message>" as SC_INVALID_DATA and return false. */
bool sci_refuse(struct sci_reader *reader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
bool sci_out_of_memory(struct sci_reader *reader);
/* object NULL: every field gets its value for "unknown". */
bool sci_read_fields(struct sci_reader *reader, const struct sci_table *table, const json_t *object,
                     void *base);
/* What a JSON value is, for messages: "a string". */
const char *sci_json_type(const json_t *value);
/* Text of a document as it may stand in a message: short and without control characters. */
const char *sci_shown(char *buffer, size_t size, const char *text);

#endif
