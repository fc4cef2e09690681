#include "options.h"

#include "document.h"
#include "text.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FIELD(name) offsetof(cli_options, name)

enum {
    FOR_PLANS = FOR_RUN | FOR_PLAN,
    FOR_READS = FOR_RUN | FOR_MEASURE,
    FOR_CLIPS = FOR_RUN | FOR_PROBE | FOR_PLAN | FOR_PLAY,
    FOR_STALLS = FOR_CLIPS | FOR_MEASURE
};

enum { COUNT_MOST = 1000000, DAY_S = 86400 };

#define MIB      1048576.0
#define TIB      1099511627776.0
#define NO_RANGE 0, 0
#define PLAYER_HELP                                                                                  \
    "how the editing program reads: tight, small-reads, normal, large-reads, deep, frame-reads, or " \
    "block=256KiB,in-flight=1,read-ahead=1s,preroll=1s"

static const option_row rows[] = {
    {"storage", 0, OPTION_TEXT, FIELD(storage), FOR_PLAN, "RATE|FILE",
     "storage to plan with: a rate (83MB/s, 664Mb/s), a document that measure or the whole job wrote "
     "(nas.json), or what fio printed with --output-format=json or json+; - is standard input",
     NO_RANGE},
    {"link", 0, OPTION_LINK, FIELD(link), FOR_PLANS, "LINK",
     "network between: a name of the links command with options (1gbe, 10gbe,mtu=9000, "
     "1gbe,rtt=15ms, wifi6), a payload rate (437Mb/s), a document, or what iperf3 -J printed",
     NO_RANGE},
    {"player", 0, OPTION_PLAYER, FIELD(player), FOR_PLAN, "PLAYER",
     PLAYER_HELP "; default: as the storage was measured, else normal", NO_RANGE},
    {"player", 0, OPTION_PLAYER, FIELD(player), FOR_READS | FOR_PLAY, "PLAYER",
     PLAYER_HELP "; default: normal", NO_RANGE},
    {"player-from", 0, OPTION_TEXT, FIELD(player_from), FOR_PLANS | FOR_MEASURE | FOR_PLAY, "TRACE",
     "learn in place of --player how your own player reads, from a log of strace -f -ttt -T -y -o TRACE "
     "of it playing a clip for half a minute; what was found is shown as a --player, too",
     NO_RANGE},
    {"player-file", 0, OPTION_TEXT, FIELD(player_file),
     FOR_PLANS | FOR_MEASURE | FOR_PLAY | FOR_PLAYER, "NAME",
     "of the files in the log the one whose path ends with NAME; default: the one "
     "of which most was read",
     NO_RANGE},
    {"media", 0, OPTION_MEDIA, 0, FOR_PLAN | FOR_PLAY, "PATH",
     "the formats of a clip, a directory or a probe document (- is standard input); repeatable",
     NO_RANGE},
    {"format", 0, OPTION_FORMAT, 0, FOR_PLANS | FOR_PLAY, "FORMAT",
     "a published format, 'ProRes 422 HQ 3840x2160 25', or a family, prores; repeatable", NO_RANGE},
    {"stream", 0, OPTION_STREAM, 0, FOR_PLANS | FOR_PLAY, "RATE[@FPS]",
     "a constant rate, 168Mb/s (25 frames a second) or 168Mb/s@60; repeatable", NO_RANGE},
    {"streams", 'n', OPTION_COUNTS, FIELD(streams), FOR_PLAY, "N[,N]...",
     "how many streams: of each that --media, --format and --stream name, or of the first, second, "
     "... of them; without these of the format that most bytes here are in; with --find-max where "
     "the search begins",
     NO_RANGE},
    {"streams", 'n', OPTION_COUNTS, FIELD(streams), FOR_PLANS, "N[,N]...",
     "do so many play together? Of the first, second, ... row of the table, or one number of all that was "
     "asked for; exit code 1 unless they are safe (the whole job then leaves the usual formats out)",
     NO_RANGE},
    {"frontier", 0, OPTION_FLAG, FIELD(frontier), FOR_PLANS, NULL,
     "what each two of the formats (2 to 8) leave each other, beside what --streams says of the others",
     NO_RANGE},
    {"find-max", 0, OPTION_FLAG, FIELD(find_max), FOR_PLAY, NULL,
     "find the most streams of the first format that are sustained beside those of the others",
     NO_RANGE},
    {"aligned", 0, OPTION_FLAG, FIELD(aligned), FOR_PLAY, NULL,
     "all streams start at once, as the angles of a multicam clip do; default: one after the other",
     NO_RANGE},
    {"seed", 0, OPTION_COUNT, FIELD(seed), FOR_PLAY, "N",
     "the frames that streams begin with are drawn by this number; default 0", 0, COUNT_MOST},
    {"duration", 0, OPTION_DURATION, FIELD(seconds), FOR_PLAY, "TIME",
     "time that is played, after the preroll; of --find-max the last run, which confirms; default "
     "20s",
     1, DAY_S},
    {"headroom", 0, OPTION_SHARE, FIELD(reserve), FOR_PLANS, "SHARE",
     "keep this share of the supply free: 0.2 or 20%; default 0", NO_RANGE},
    {"require", 0, OPTION_COUNT, FIELD(require), FOR_PLANS, "N",
     "exit with 1 unless N streams of every format asked about are safe (the whole job then leaves "
     "the usual formats out)",
     1, COUNT_MOST},
    {"require", 0, OPTION_COUNT, FIELD(require), FOR_PLAY, "N",
     "with --find-max: exit with 1 unless N streams are sustained; default 1", 1, COUNT_MOST},
    {"trust", 0, OPTION_FLAG, FIELD(trust), FOR_PLANS, NULL,
     "count with storage figures that carry a problem, for example a memory file system's",
     NO_RANGE},
    {"warm-start", 0, OPTION_FLAG, FIELD(warm_start), FOR_PLANS, NULL,
     "the players' buffers are full at the start; default: empty", NO_RANGE},
    {"duration", 0, OPTION_DURATION, FIELD(seconds), FOR_READS, "TIME",
     "length of the whole measurement, warm-ups and rests included: 60s, 2min; default 19s; below "
     "10s the time for each number of readers gets short; making the test data of --create, --write "
     "and --with-writers, and removing it, takes time of its own before and after",
     1, DAY_S},
    {"seconds", 0, OPTION_SECONDS, FIELD(seconds), FOR_READS, "N",
     "the same in seconds; the unit may be left out", 1, DAY_S},
    {"cache", 0, OPTION_CACHE, FIELD(cache), FOR_READS | FOR_PLAY, "MODE",
     "how to read past this machine's cache: auto, direct, dropped, or warm (do not); default auto",
     NO_RANGE},
    {"stall", 0, OPTION_DURATION, FIELD(stall_s), FOR_STALLS, "TIME",
     "longest time without an answer of the storage, after which it is given up; default 10s", 0.05,
     DAY_S},
    {"max-readers", 0, OPTION_COUNT, FIELD(max_readers), FOR_RUN, "N",
     "most readers at once, 1 to 256; default 64, or N of --require N", 1, 256},
    {"max-readers", 0, OPTION_COUNT, FIELD(max_readers), FOR_MEASURE, "N",
     "most readers at once, 1 to 256; default 64", 1, 256},
    {"create", 0, OPTION_BYTES, FIELD(create), FOR_READS, "SIZE",
     "read test data of this size, 16MiB to 16TiB, which is made in the directory first and removed "
     "in the end, instead of what is there; the size needs a unit (4GB); default: read what is there",
     16 * MIB, 16 * TIB},
    {"write", 0, OPTION_FLAG, FIELD(write), FOR_READS, NULL,
     "measure writes, too, into the test data of --create, or 1 GiB of it", NO_RANGE},
    {"with-writers", 0, OPTION_COUNT, FIELD(with_writers), FOR_READS, "N",
     "measure reads while N streams (1 to 64) write as fast as they can, into the second half of "
     "the test data of --create, or 1 GiB of it",
     1, 64},
    {"remove-leftovers", 0, OPTION_FLAG, FIELD(remove_leftovers), FOR_MEASURE, NULL,
     "do not measure: remove test data that a killed run left in the directory", NO_RANGE},
    {"max-bytes", 0, OPTION_BYTES, FIELD(max_bytes), FOR_CLIPS, "SIZE",
     "most bytes read of one clip to learn its rate, with a unit; default 256MiB", 1, 9e18},
    {"max-seconds", 0, OPTION_SECONDS, FIELD(max_seconds), FOR_CLIPS, "N",
     "most seconds spent on one clip to learn its rate; the unit may be left out; default 60",
     0.001, 1e9},
    {"max-files", 0, OPTION_COUNT, FIELD(max_files), FOR_CLIPS, "N",
     "most files taken from directories, a sequence of pictures being one; default 100000", 1,
     COUNT_MOST},
    {"parallel", 0, OPTION_COUNT, FIELD(parallel), FOR_CLIPS, "N",
     "files probed at once, 1 to 64; default 8", 1, 64},
    {"exact", 0, OPTION_FLAG, FIELD(exact), FOR_CLIPS, NULL,
     "count packets and bytes of every track, at the cost of reading more", NO_RANGE},
    {"as-one", 0, OPTION_FLAG, FIELD(as_one), FOR_CLIPS, NULL,
     "all files play together as one clip: picture and sound in files of their own", NO_RANGE},
    {"frame-rate", 0, OPTION_FRAME_RATE, FIELD(frame_rate), FOR_CLIPS, "FPS",
     "frame rate of sequences of pictures: 25, 23.976, 24000/1001; default what the header of "
     "a frame tells, else 24",
     NO_RANGE},
    {"verify", 0, OPTION_FLAG, FIELD(verify), FOR_RUN, NULL,
     "find out by playing how many streams of the first format are sustained, and show it beside what "
     "was predicted; takes a minute or two more",
     NO_RANGE},
    {"no-confirm", 0, OPTION_FLAG, FIELD(no_confirm), FOR_RUN, NULL,
     "do not play the count that the first line promises, and one more, or fewer where they fall "
     "behind, for 6 s each; then it stands on what was measured alone",
     NO_RANGE},
    {"output", 'o', OPTION_TEXT, FIELD(output), FOR_RUN, "FILE",
     "save the result as this file; default: streamcalc-NAME.json in the current directory, never "
     "inside PATH; with --json nothing is saved unless this says where",
     NO_RANGE},
    {"force", 'f', OPTION_FLAG, FIELD(force), FOR_RUN, NULL, "let --output overwrite a file",
     NO_RANGE},
    {"no-save", 0, OPTION_FLAG, FIELD(no_save), FOR_RUN, NULL, "do not save the result", NO_RANGE},
    {"json", 'j', OPTION_FLAG, FIELD(json), FOR_ALL, NULL,
     "print one JSON document instead of text, after an error too", NO_RANGE},
    {"ndjson", 0, OPTION_FLAG, FIELD(ndjson), FOR_PROBE, NULL,
     "print one JSON document a clip, each on a line of its own as soon as it is ready and in that "
     "order; any number of files takes little memory",
     NO_RANGE},
    {"help", 'h', OPTION_FLAG, FIELD(help), FOR_ALL, NULL, "print this help", NO_RANGE},
    {"version", 'V', OPTION_FLAG, FIELD(version), FOR_ALL, NULL, "print the version", NO_RANGE}};

const option_row *option_next(const option_row *previous, unsigned command)
{
    for (size_t i = previous ? (size_t)(previous - rows) + 1 : 0; i < COUNT_OF(rows); i++)
        if (rows[i].commands & command)
            return &rows[i];
    return NULL;
}

sc_status option_fail(sc_error *error, sc_status status, const char *format, ...)
{
    if (!error || error->status != SC_OK)
        return status;
    va_list args;
    va_start(args, format);
    vsnprintf(error->message, sizeof error->message, format, args);
    va_end(args);
    error->status = status;
    snprintf(error->where, sizeof error->where, "command line");
    return status;
}

size_t edit_distance(const char *a, const char *b)
{
    enum { LONGEST = 63 };
    size_t row[LONGEST + 1], width = strlen(b);
    if (width > LONGEST || strlen(a) > LONGEST)
        return SIZE_MAX;
    for (size_t j = 0; j <= width; j++)
        row[j] = j;
    for (size_t i = 0; a[i]; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < width; j++) {
            size_t change = diagonal + (a[i] != b[j]);
            size_t insert = (row[j] < row[j + 1] ? row[j] : row[j + 1]) + 1;
            diagonal = row[j + 1];
            row[j + 1] = change < insert ? change : insert;
        }
    }
    return row[width];
}

/* ---- values ---- */

/* Digits with at most one point; the C library's own parser also takes hex, inf and nan. */
static bool plain_number(const char *text, const char **rest, double *value)
{
    size_t length = strspn(text, "0123456789.");
    char *end;
    *value = strtod(text, &end);
    *rest = text + length;
    return length > 0 && length < 32 && end == *rest;
}

static bool bare_number(const char *text)
{
    const char *rest;
    double value;
    return plain_number(text, &rest, &value) && !*rest;
}

static sc_status parse_count(const char *text, const option_row *row, int64_t *count,
                             sc_error *error)
{
    const char *rest;
    double value;
    if (!plain_number(text, &rest, &value) || *rest || strchr(text, '.') || value < row->least ||
        value > row->most)
        return option_fail(error, SC_INVALID_ARGUMENT,
                           "'%s' is not a whole number from %.0f to %.0f", text, row->least,
                           row->most);
    *count = (int64_t)value;
    return SC_OK;
}

static sc_status parse_counts(const char *text, cli_counts *counts, sc_error *error)
{
    enum { MOST = 256 };
    const char *at = text;
    counts->count = 0;
    for (bool more = true; more; at++) {
        char *end;
        const bool digit = *at >= '0' && *at <= '9';
        const long number = digit ? strtol(at, &end, 10) : -1;
        if (number < 0 || number > MOST || (*end && *end != ','))
            return option_fail(error, SC_INVALID_ARGUMENT,
                               "'%s' is not a number of streams, 0 to %d, or several like 4,2",
                               text, MOST);
        if (counts->count == COUNTS_MAX)
            return option_fail(error, SC_INVALID_ARGUMENT, "at most %d numbers", COUNTS_MAX);
        counts->items[counts->count++] = (int32_t)number;
        more = *end == ',';
        at = end;
    }
    return SC_OK;
}

static sc_status parse_share(const char *text, double *share, sc_error *error)
{
    const char *rest;
    double value;
    bool number = plain_number(text, &rest, &value);
    if (number && strcmp(rest, "%") == 0)
        value /= 100;
    else if (!number || *rest)
        return option_fail(error, SC_INVALID_ARGUMENT,
                           "'%s' is not a share; write it like 0.2 or 20%%", text);
    if (value > 0.95)
        return option_fail(error, SC_INVALID_ARGUMENT,
                           "'%s' is out of range, which is 0 to 0.95, or 95%%%s%s%s", text,
                           *rest ? "" : "; did you mean ", *rest ? "" : text, *rest ? "" : "%?");
    *share = value;
    return SC_OK;
}

/* Where the option's name holds the unit, a bare number is right. */
static sc_status parse_seconds(const char *text, bool bare, const option_row *row, double *seconds,
                               sc_error *error)
{
    char with_unit[64];
    const char *whole = text;
    if (bare && bare_number(text)) {
        snprintf(with_unit, sizeof with_unit, "%ss", text);
        whole = with_unit;
    }
    sc_status status = sc_parse_seconds(whole, seconds, error);
    if (status == SC_OK && (*seconds < row->least || *seconds > row->most))
        return option_fail(error, SC_INVALID_ARGUMENT, "'%s' is out of range, which is %gs to %gs",
                           text, row->least, row->most);
    return status;
}

static sc_status parse_bytes(const char *text, const option_row *row, int64_t *bytes,
                             sc_error *error)
{
    char least[32], most[32];
    sc_status status = sc_parse_bytes(text, bytes, error);
    if (status != SC_OK || ((double)*bytes >= row->least && (double)*bytes <= row->most))
        return status;
    sc_format_bytes((int64_t)row->least, least, sizeof least);
    sc_format_bytes((int64_t)row->most, most, sizeof most);
    return option_fail(error, SC_INVALID_ARGUMENT,
                       "'%s' is %lld bytes, but the range is %s (%.0f bytes) to %s", text,
                       (long long)*bytes, least, row->least, most);
}

static sc_status add_wish(cli_options *options, option_kind kind, const char *text)
{
    options->wishes[options->wish_count++] = (cli_wish){kind == OPTION_STREAM   ? WISH_STREAM
                                                        : kind == OPTION_FORMAT ? WISH_FORMAT
                                                                                : WISH_MEDIA,
                                                        text};
    return SC_OK;
}

static sc_status parse_value(cli_options *options, const option_row *row, const char *text,
                             sc_error *error)
{
    void *field = (char *)options + row->offset;
    switch (row->kind) {
    case OPTION_FLAG:
        *(bool *)field = true;
        return SC_OK;
    case OPTION_TEXT:
        *(const char **)field = text;
        return *text ? SC_OK : option_fail(error, SC_INVALID_ARGUMENT, "the value is empty");
    case OPTION_COUNT:
        return parse_count(text, row, field, error);
    case OPTION_COUNTS:
        return parse_counts(text, field, error);
    case OPTION_SHARE:
        return parse_share(text, field, error);
    case OPTION_DURATION:
    case OPTION_SECONDS:
        return parse_seconds(text, row->kind == OPTION_SECONDS, row, field, error);
    case OPTION_BYTES:
        return parse_bytes(text, row, field, error);
    case OPTION_LINK:
        return document_open_link(text, field, error);
    case OPTION_PLAYER:
        return sc_player_parse(text, field, error);
    case OPTION_FRAME_RATE:
        return sc_parse_frame_rate(text, field, error);
    case OPTION_CACHE:
        return sc_cache_mode_parse(text, field, error);
    case OPTION_STREAM:
    case OPTION_FORMAT:
    case OPTION_MEDIA:
        return add_wish(options, row->kind, text);
    }
    return option_fail(error, SC_INTERNAL, "no parser");
}

/* Of two values only the last could count, and nobody sees which one that was. */
static bool take_once(cli_options *options, const option_row *row, sc_error *error)
{
    bool repeatable = row->kind == OPTION_FLAG || row->kind == OPTION_STREAM ||
                      row->kind == OPTION_FORMAT || row->kind == OPTION_MEDIA;
    for (size_t i = 0; i < COUNT_OF(rows) && !repeatable; i++) {
        bool same = rows[i].kind != OPTION_FLAG && rows[i].offset == row->offset;
        if (!same || !(options->given & UINT64_C(1) << i))
            continue;
        if (&rows[i] == row)
            option_fail(error, SC_INVALID_ARGUMENT, "--%s is given twice; give it once", row->name);
        else
            option_fail(error, SC_INVALID_ARGUMENT, "--%s and --%s say the same; give one of them",
                        rows[i].name, row->name);
        return false;
    }
    options->given |= UINT64_C(1) << (row - rows);
    return true;
}

/* Parse one value; what the library says about it is put behind the option's name. */
static sc_status set_value(cli_options *options, const option_row *row, const char *text,
                           sc_error *error)
{
    sc_error cause = {0};
    if (!take_once(options, row, error))
        return SC_INVALID_ARGUMENT;
    sc_status status = parse_value(options, row, text, &cause);
    if (status == SC_OK)
        return SC_OK;
    option_fail(error, status, "--%s: %s", row->name, cause.message);
    error->os_errno = cause.os_errno;
    snprintf(error->path, sizeof error->path, "%s", cause.path);
    return status;
}

/* ---- names ---- */

/* The command's own row of this name, else that of another. */
static const option_row *find_long(const char *name, size_t length, unsigned command)
{
    const option_row *found = NULL;
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (strlen(rows[i].name) == length && memcmp(rows[i].name, name, length) == 0 &&
            (!found || rows[i].commands & command))
            found = &rows[i];
    return found;
}

static const option_row *find_short(char letter)
{
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (rows[i].letter == letter)
            return &rows[i];
    return NULL;
}

/* "-take-1.mov" is a file far more often than an option. */
static bool looks_like_file(const char *argument)
{
    return argument[1] != '-' && (strpbrk(argument, "./") || access(argument, F_OK) == 0);
}

static sc_status unknown_option(const char *argument, unsigned command, sc_error *error)
{
    if (looks_like_file(argument))
        return option_fail(error, SC_INVALID_ARGUMENT,
                           "there is no option %s; a file of that name is written ./%s", argument,
                           argument);
    char name[64];
    const option_row *best = NULL;
    size_t best_distance = 4;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(argument, "="), argument);
    for (const option_row *row = NULL; (row = option_next(row, command));) {
        size_t distance = edit_distance(name + strspn(name, "-"), row->name);
        if (distance < best_distance && distance < strlen(row->name)) {
            best = row;
            best_distance = distance;
        }
    }
    if (best)
        return option_fail(error, SC_INVALID_ARGUMENT, "there is no option %s; did you mean --%s?",
                           name, best->name);
    return option_fail(error, SC_INVALID_ARGUMENT,
                       "there is no option %s; --help lists the options", name);
}

static sc_status check_command(const option_row *row, unsigned command, sc_error *error)
{
    if (row->commands & command)
        return SC_OK;
    return option_fail(error, SC_INVALID_ARGUMENT,
                       "--%s is no option of this command; --help lists its options", row->name);
}

static sc_status parse_short(int argc, char **argv, int *i, unsigned command, cli_options *options,
                             sc_error *error)
{
    const char *argument = argv[*i];
    const option_row *row = find_short(argument[1]);
    if (!row)
        return unknown_option(argument, command, error);
    sc_status status = check_command(row, command, error);
    if (status != SC_OK)
        return status;
    const char *value = argument[2] ? argument + 2 : NULL;
    if (row->kind == OPTION_FLAG && value)
        return unknown_option(argument, command, error);
    if (row->kind != OPTION_FLAG && !value && ++*i >= argc)
        return option_fail(error, SC_INVALID_ARGUMENT, "-%c needs a value: %s", row->letter,
                           row->value);
    return set_value(options, row, value ? value : argv[*i], error);
}

static sc_status parse_long(int argc, char **argv, int *i, unsigned command, cli_options *options,
                            sc_error *error)
{
    const char *argument = argv[*i] + 2;
    size_t length = strcspn(argument, "=");
    const option_row *row = find_long(argument, length, command);
    if (!row)
        return unknown_option(argv[*i], command, error);
    sc_status status = check_command(row, command, error);
    if (status != SC_OK)
        return status;
    const char *value = argument[length] ? argument + length + 1 : NULL;
    if (row->kind == OPTION_FLAG && value)
        return option_fail(error, SC_INVALID_ARGUMENT, "--%s takes no value", row->name);
    if (row->kind != OPTION_FLAG && !value && ++*i >= argc)
        return option_fail(error, SC_INVALID_ARGUMENT, "--%s needs a value: %s", row->name,
                           row->value);
    return set_value(options, row, value ? value : argv[*i], error);
}

sc_status options_parse(int argc, char **argv, unsigned command, cli_options *options,
                        sc_error *error)
{
    sc_status status = SC_OK;
    bool only_operands = false;
    *options = (struct cli_options){0};
    options->wishes = calloc((size_t)argc + 1, sizeof *options->wishes);
    options->operands = calloc((size_t)argc + 1, sizeof *options->operands);
    if (!options->wishes || !options->operands)
        return option_fail(error, SC_NO_MEMORY, "%s", sc_status_text(SC_NO_MEMORY));
    for (int i = 1; i < argc && status == SC_OK; i++) {
        if (only_operands || argv[i][0] != '-' || !argv[i][1])
            options->operands[options->operand_count++] = argv[i];
        else if (strcmp(argv[i], "--") == 0)
            only_operands = true;
        else if (argv[i][1] == '-')
            status = parse_long(argc, argv, &i, command, options, error);
        else
            status = parse_short(argc, argv, &i, command, options, error);
    }
    return status;
}

void options_free(cli_options *options)
{
    free(options->wishes);
    free(options->operands);
    *options = (struct cli_options){0};
}

/* ---- help ---- */

void options_print(FILE *out, unsigned command, int width)
{
    enum { NAME_COLUMNS = 26 };
    fputs("Options:\n", out);
    for (const option_row *row = NULL; (row = option_next(row, command));) {
        char name[64], first[96], letter[8] = "";
        if (row->letter)
            snprintf(letter, sizeof letter, "-%c, ", row->letter);
        snprintf(name, sizeof name, "%s--%s%s%s", letter, row->name, row->value ? " " : "",
                 row->value ? row->value : "");
        snprintf(first, sizeof first, "  %-*s", NAME_COLUMNS, name);
        text_wrap(out, width, first, row->help);
    }
}
