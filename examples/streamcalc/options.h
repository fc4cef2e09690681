/* The one table of options: it feeds parsing, --help, and whatever else lists options. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdio.h>
#include <streamcalc/streamcalc.h>

/* A bit for each command, for the options that it takes. */
enum {
    FOR_RUN = 1 << 0,
    FOR_PROBE = 1 << 1,
    FOR_MEASURE = 1 << 2,
    FOR_PLAN = 1 << 3,
    FOR_FORMATS = 1 << 4,
    FOR_LINKS = 1 << 5,
    FOR_PLAY = 1 << 6,
    FOR_PLAYER = 1 << 7,
    FOR_ALL = (1 << 8) - 1
};

/* What a plan is asked about, in the order of the command line. */
typedef enum wish_kind { WISH_STREAM, WISH_FORMAT, WISH_MEDIA } wish_kind;
typedef struct cli_wish {
    wish_kind kind;
    const char *text;
} cli_wish;

/* "4" or "4,2". */
enum { COUNTS_MAX = 64 };
typedef struct cli_counts {
    size_t count; /* 0: not given */
    int32_t items[COUNTS_MAX];
} cli_counts;

/* What the command line said. Zero: not given, the library's default. Texts belong to argv. */
typedef struct cli_options {
    bool help, version, json, ndjson, no_save, no_confirm, force, trust, warm_start, exact, as_one;
    bool remove_leftovers, write, find_max, aligned, verify, frontier;
    const char *storage, *output, *player_from, *player_file;
    sc_link link; /* link.name is "" without --link */
    sc_player player;
    sc_rational frame_rate;
    sc_cache_mode cache;
    double reserve, seconds, max_seconds, stall_s;
    int64_t require, max_readers, max_bytes, max_files, parallel;
    int64_t create, with_writers, seed;
    cli_counts streams;
    cli_wish *wishes;
    size_t wish_count;
    const char **operands;
    size_t operand_count;
    uint64_t given; /* options with a value that were given, a bit a row */
} cli_options;

typedef enum option_kind {
    OPTION_FLAG,
    OPTION_TEXT,
    OPTION_COUNT,    /* a whole number */
    OPTION_COUNTS,   /* one or several, with commas between; 0 counts, too */
    OPTION_SHARE,    /* 0.2 or 20% */
    OPTION_DURATION, /* 30s, 2min */
    OPTION_SECONDS,  /* the same; a bare number is seconds, the option's name says so */
    OPTION_BYTES,    /* 64MiB */
    OPTION_LINK,
    OPTION_PLAYER,
    OPTION_FRAME_RATE,
    OPTION_CACHE,
    OPTION_STREAM, /* the three kinds of wishes */
    OPTION_FORMAT,
    OPTION_MEDIA
} option_kind;

typedef struct option_row {
    const char *name; /* without the dashes */
    char letter;      /* short form, or 0 */
    option_kind kind;
    size_t offset; /* of the field in struct cli_options */
    unsigned commands;
    const char *value; /* as --help shows it; NULL for a flag */
    const char *help;
    double least, most; /* of a count, a time in seconds or a size in bytes */
} option_row;

/* The rows that a command takes, in the order of --help; NULL after the last. */
const option_row *option_next(const option_row *previous, unsigned command);

/* Parse argv (argv[0] is skipped). free with options_free(), on failure too. Options that are not
   for `command` are errors. @return SC_OK, SC_INVALID_ARGUMENT, SC_NOT_FOUND, SC_NO_MEMORY */
sc_status options_parse(int argc, char **argv, unsigned command, cli_options *options,
                        sc_error *error);
void options_free(cli_options *options);

/* The "Options:" part of a command's help. */
void options_print(FILE *out, unsigned command, int width);

/* Number of edits between two words, for suggestions. Words over 63 bytes are never near. */
size_t edit_distance(const char *a, const char *b);

/* Fill *error unless it holds one, and return status. */
sc_status option_fail(sc_error *error, sc_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
