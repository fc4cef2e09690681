#include "player/trace_line.h"

#include <string.h>

/* How the arguments end. */
enum tail { TAIL_NONE, TAIL_SIZE, TAIL_SIZE_OFFSET, TAIL_OFFSET, TAIL_OFFSET_FLAGS };

struct call {
    const char *name;
    enum sci_call call;
    enum tail tail;
};

/* As strace(1) 6.1 prints them, which decodes the arguments alike for all of one kind. */
static const struct call calls[] = {
    {"read", SCI_CALL_READ, TAIL_SIZE},
    {"pread64", SCI_CALL_PREAD, TAIL_SIZE_OFFSET},
    {"pread", SCI_CALL_PREAD, TAIL_SIZE_OFFSET},
    {"readv", SCI_CALL_READ, TAIL_NONE},
    {"preadv", SCI_CALL_PREAD, TAIL_OFFSET},
    {"preadv2", SCI_CALL_PREAD, TAIL_OFFSET_FLAGS},
    {"openat", SCI_CALL_OPEN, TAIL_NONE},
    {"openat2", SCI_CALL_OPEN, TAIL_NONE},
    {"open", SCI_CALL_OPEN, TAIL_NONE},
    {"close", SCI_CALL_CLOSE, TAIL_NONE},
    {"lseek", SCI_CALL_SEEK, TAIL_NONE},
    {"mmap", SCI_CALL_MAP, TAIL_NONE},
    {"io_uring_enter", SCI_CALL_HIDDEN, TAIL_NONE},
    {"io_submit", SCI_CALL_SUBMIT, TAIL_NONE},
    {"io_getevents", SCI_CALL_COLLECT, TAIL_NONE},
    {"io_pgetevents", SCI_CALL_COLLECT, TAIL_NONE},
    {"sendfile", SCI_CALL_HIDDEN, TAIL_NONE},
    {"splice", SCI_CALL_HIDDEN, TAIL_NONE},
    {"copy_file_range", SCI_CALL_HIDDEN, TAIL_NONE},
};

static const char begun[] = "<unfinished ...>";
static const char resumed[] = "<... ";

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Digits at *at, which is moved past them. SC_UNKNOWN: none, or more than 18. */
static int64_t take_number(const char **at)
{
    const char *digit = *at;
    int64_t number = 0;
    while (is_digit(*digit) && digit - *at < 18)
        number = number * 10 + (*digit++ - '0');
    const bool fits = digit > *at && !is_digit(*digit);
    *at = digit;
    return fits ? number : SC_UNKNOWN;
}

static const char *skip_spaces(const char *at)
{
    return at + strspn(at, " \t");
}

/* The digits behind a point, as a share of one. */
static double take_fraction(const char **at)
{
    double value = 0, unit = 0.1;
    for (; is_digit(**at); (*at)++, unit /= 10)
        value += unit * (**at - '0');
    return value;
}

/* ---- what stands before the call ---- */

/* "09:31:22.104224", of which the hours were taken. */
static const char *take_clock(const char *at, int64_t hours, struct sci_trace_event *event)
{
    int64_t parts[2];
    for (size_t i = 0; i < SCI_COUNT(parts); i++) {
        if (*at++ != ':' || (parts[i] = take_number(&at)) < 0 || parts[i] > 60)
            return NULL;
    }
    if (hours > 24)
        return NULL;
    event->time_s = (double)(hours * 3600 + parts[0] * 60 + parts[1]);
    event->stamp = *at == '.' ? SCI_STAMP_CLOCK : SCI_STAMP_SECONDS;
    if (*at == '.') {
        at++;
        event->time_s += take_fraction(&at);
    }
    return at;
}

/* "1796290517.104224", "0.000123", "09:31:22"; what follows it, or NULL where `at` is none. */
static const char *take_stamp(const char *at, struct sci_trace_event *event)
{
    const int64_t epoch_least_s = 100000000, epoch_most_s = 100000000000;
    const int64_t number = take_number(&at);
    if (number < 0 || number > epoch_most_s)
        return NULL;
    if (*at == ':')
        at = take_clock(at, number, event);
    else if (*at == '.') {
        at++;
        event->time_s = (double)number + take_fraction(&at);
        event->stamp = number >= epoch_least_s ? SCI_STAMP_EPOCH : SCI_STAMP_SINCE;
    } else if (number >= epoch_least_s) {
        event->time_s = (double)number;
        event->stamp = SCI_STAMP_SECONDS;
    } else {
        return NULL;
    }
    return at && *at == ' ' ? skip_spaces(at) : NULL;
}

/* "[pid 23432] ", "23432 ", which -f puts first. */
static const char *take_thread(const char *at, struct sci_trace_event *event)
{
    static const char bracket[] = "[pid ";
    const bool in_brackets = strncmp(at, bracket, sizeof bracket - 1) == 0;
    const char *number = in_brackets ? skip_spaces(at + sizeof bracket - 1) : at;
    const int64_t thread = take_number(&number);
    if (thread < 0 || *number != (in_brackets ? ']' : ' '))
        return at;
    event->thread = thread;
    return skip_spaces(number + 1);
}

static const char *take_prefix(const char *line, struct sci_trace_event *event)
{
    const char *at = skip_spaces(line);
    const char *behind = take_stamp(at, event);
    if (behind)
        return behind;
    at = take_thread(at, event);
    behind = take_stamp(at, event);
    return behind ? behind : at;
}

/* ---- the call ---- */

/* "3</mnt/clip.mov>": strace escapes < and > in names. Sockets and pipes have no path. */
static const char *take_descriptor(const char *at, struct sci_trace_event *event)
{
    event->descriptor = take_number(&at);
    if (*at != '<')
        return at;
    at++;
    const size_t length = strcspn(at, "<>");
    event->no_file = *at != '/';
    event->of_descriptor = *at == '/';
    if (*at == '/') {
        event->path = at;
        event->path_length = length;
        event->named = false;
    }
    return at + length;
}

/* The first ")" at or behind `at` with a result: ") = 5", or ")     = 5" where strace lines them
   up. NULL: there is none. */
static const char *arguments_end(const char *at, const char **result)
{
    while ((at = strchr(at, ')'))) {
        const char *equals = skip_spaces(at + 1);
        if (equals > at + 1 && equals[0] == '=' && equals[1] == ' ') {
            *result = equals + 2;
            return at;
        }
        at++;
    }
    return NULL;
}

/* The last one: what was read may look like anything. */
static const char *last_arguments_end(const char *arguments, const char **result)
{
    const char *last = NULL;
    for (const char *at = arguments; (at = arguments_end(at, result)); at++)
        last = at;
    if (last)
        arguments_end(last, result);
    return last;
}

static const char *last_of(const char *text, const char *piece)
{
    const char *found = NULL;
    for (const char *at = text; (at = strstr(at, piece)); at++)
        found = at;
    return found;
}

/* The number of bytes and the offset are read from the end, too. */
static void take_tail(const char *arguments, const char *end, enum tail tail,
                      struct sci_trace_event *event)
{
    int64_t last[3] = {SC_UNKNOWN, SC_UNKNOWN, SC_UNKNOWN};
    for (size_t i = 0; i < SCI_COUNT(last); i++) {
        const char *at = end;
        while (at > arguments && at[-1] != ' ')
            at--;
        if (at == arguments || at - arguments < 2 || at[-2] != ',')
            break;
        const char *rest = at;
        last[i] = take_number(&rest);
        if (rest != end)
            last[i] = SC_UNKNOWN;
        end = at - 2;
    }
    if (tail == TAIL_SIZE)
        event->asked_bytes = last[0];
    if (tail == TAIL_SIZE_OFFSET)
        event->asked_bytes = last[1];
    if (tail == TAIL_SIZE_OFFSET || tail == TAIL_OFFSET)
        event->offset = last[0];
    if (tail == TAIL_OFFSET_FLAGS)
        event->offset = last[1];
}

/* "<0.000123>" of -T at the line's end. */
static void take_duration(const char *at, struct sci_trace_event *event)
{
    const char *mark = last_of(at, " <");
    if (!mark || !is_digit(mark[2]))
        return;
    mark += 2;
    const int64_t seconds = take_number(&mark);
    if (seconds < 0 || *mark++ != '.')
        return;
    const double fraction = take_fraction(&mark);
    if (*mark == '>')
        event->took_s = (double)seconds + fraction;
}

static void take_result(const char *at, struct sci_trace_event *event)
{
    take_duration(at, event);
    if (!is_digit(*at))
        return;
    event->result = take_number(&at);
    if (event->call != SCI_CALL_OPEN || *at != '<' || at[1] != '/')
        return;
    event->path = ++at;
    event->path_length = strcspn(at, "<>");
    event->named = false;
}

/* Behind the name's closing quote; NULL where it has none. */
static const char *skip_quoted(const char *at)
{
    for (; *at && *at != '"'; at++)
        if (*at == '\\' && at[1])
            at++;
    return *at ? at + 1 : NULL;
}

/* "O_DIRECT", but not in "O_DIRECTORY". */
static bool has_flag(const char *flags, const char *end, const char *flag)
{
    const size_t length = strlen(flag);
    for (const char *at = flags; (at = strstr(at, flag)) && (!end || at < end); at += length)
        if (at[length] < 'A' || at[length] > 'Z')
            return true;
    return false;
}

/* `openat(AT_FDCWD</home>, "clip.mov", O_RDONLY) = 3</home/clip.mov>` */
static void take_open(const char *arguments, struct sci_trace_event *event)
{
    const char *name = strchr(arguments, '"'), *rest = arguments;
    const char *result = NULL, *end = arguments_end(arguments, &result);
    if (name && (!end || name < end)) {
        rest = skip_quoted(name + 1);
        if (!rest)
            return;
        event->path = name + 1;
        event->path_length = (size_t)(rest - name) - 2;
        event->named = true;
        end = arguments_end(rest, &result);
        event->direct = has_flag(rest, end, "O_DIRECT");
    }
    if (arguments_end(rest, &result))
        take_result(result, event);
}

/* `mmap(NULL, 48979124, PROT_READ, MAP_SHARED, 3</clip.mov>, 0) = 0x7f06...` */
static void take_map(const char *arguments, struct sci_trace_event *event)
{
    const char *at = arguments;
    for (int i = 0; i < 4 && at; i++) {
        at = strstr(at, ", ");
        at = at ? at + 2 : NULL;
        if (i == 0 && at) {
            const char *size = at;
            event->asked_bytes = take_number(&size);
        }
    }
    if (at)
        take_descriptor(at, event);
}

static void take_arguments(const struct call *call, const char *arguments,
                           struct sci_trace_event *event)
{
    if (event->call == SCI_CALL_OPEN) {
        take_open(arguments, event);
        return;
    }
    if (event->call == SCI_CALL_MAP) {
        take_map(arguments, event);
        return;
    }
    if (event->phase != SCI_PHASE_RESUMED && event->call != SCI_CALL_SUBMIT)
        take_descriptor(arguments, event);
    if (event->phase == SCI_PHASE_BEGUN)
        return;
    const char *result, *end = last_arguments_end(arguments, &result);
    if (!end)
        return;
    take_tail(arguments, end, call->tail, event);
    take_result(result, event);
}

static const struct call *call_named(const char *name, size_t length)
{
    for (size_t i = 0; i < SCI_COUNT(calls); i++)
        if (strlen(calls[i].name) == length && memcmp(calls[i].name, name, length) == 0)
            return &calls[i];
    return NULL;
}

bool sci_trace_ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), wanted = strlen(end);
    return length >= wanted && strcmp(text + length - wanted, end) == 0;
}

static void take_call(const char *at, struct sci_trace_event *event)
{
    const bool is_resumed = strncmp(at, resumed, sizeof resumed - 1) == 0;
    const char *name = is_resumed ? at + sizeof resumed - 1 : at;
    const size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_");
    const struct call *call = call_named(name, length);
    const char *rest = name + length;
    static const char mark[] = " resumed>";
    if (!call || (is_resumed ? strncmp(rest, mark, sizeof mark - 1) != 0 : *rest != '('))
        return;
    event->call = call->call;
    event->phase = is_resumed                         ? SCI_PHASE_RESUMED
                   : sci_trace_ends_with(rest, begun) ? SCI_PHASE_BEGUN
                                                      : SCI_PHASE_WHOLE;
    /* "<... read resumed> <unfinished ...>": the thread was killed in it. */
    event->arguments = rest + (is_resumed ? sizeof mark - 1 : 1);
    take_arguments(call, event->arguments, event);
    if (event->call == SCI_CALL_HIDDEN) {
        event->path = name;
        event->path_length = length;
    }
}

void sci_trace_line_parse(const char *line, struct sci_trace_event *event)
{
    *event = (struct sci_trace_event){.time_s = -1,
                                      .took_s = -1,
                                      .thread = SC_UNKNOWN,
                                      .descriptor = SC_UNKNOWN,
                                      .asked_bytes = SC_UNKNOWN,
                                      .offset = SC_UNKNOWN,
                                      .result = SC_UNKNOWN};
    const char *at = take_prefix(line, event);
    if (strncmp(at, "+++ ", 4) == 0)
        event->call = SCI_CALL_EXIT;
    else
        take_call(at, event);
}

/* ---- reads that were submitted ---- */

/* The number behind "name=", before `end`. */
static int64_t number_of(const char *entry, const char *end, const char *name)
{
    const char *at = strstr(entry, name);
    if (!at || at > end)
        return SC_UNKNOWN;
    at += strlen(name);
    return take_number(&at);
}

bool sci_trace_submitted(const char **at, const struct sci_trace_event *event,
                         struct sci_trace_event *read)
{
    static const char kind[] = "aio_lio_opcode=IOCB_CMD_PREAD", file[] = "aio_fildes=";
    const char *entry = *at ? strstr(*at, kind) : NULL;
    const char *descriptor = entry ? strstr(entry, file) : NULL;
    const char *offset = descriptor ? strstr(descriptor, "aio_offset=") : NULL;
    *read = *event;
    if (!offset)
        return false;
    *at = offset + 1;
    read->call = SCI_CALL_PREAD;
    take_descriptor(descriptor + sizeof file - 1, read);
    read->asked_bytes = read->result = number_of(descriptor, offset, "aio_nbytes=");
    read->offset = number_of(offset, offset, "aio_offset=");
    return true;
}
