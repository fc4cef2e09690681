#include "plan/plan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const sci_name kind_names[] = {{SC_LIMIT_NONE, "none"},     {SC_LIMIT_RATE, "rate"},
                                      {SC_LIMIT_BURST, "burst"},   {SC_LIMIT_LATENCY, "latency"},
                                      {SC_LIMIT_BUFFER, "buffer"}, {SC_LIMIT_PLAYED, "played"}};

const char *sc_limit_kind_name(sc_limit_kind kind)
{
    const char *name = sci_name_of(kind_names, SCI_COUNT(kind_names), (int)kind);
    return name ? name : "none";
}

sc_limit_kind sc_limit_kind_from_name(const char *name)
{
    return (sc_limit_kind)sci_value_of(kind_names, SCI_COUNT(kind_names), name, SC_LIMIT_NONE);
}

sc_limit sci_no_limit(int64_t streams)
{
    return (sc_limit){SC_LIMIT_NONE, "", -1, (int32_t)streams, -1, -1, -1, -1, ""};
}

/* ---- figures ---- */

enum { FIGURE_MAX = 48 };

static void print_figure(char figure[FIGURE_MAX], double value, int decimals)
{
    sci_print_trimmed(figure, FIGURE_MAX, fmin(value, 9e11), decimals);
}

static int decimals_of(double value)
{
    return value >= 100 ? 0 : value >= 10 ? 1 : 2;
}

/* Two figures in millions with three digits, or as many as it takes to tell them apart. */
static void print_pair(char needed[FIGURE_MAX], char available[FIGURE_MAX], double needed_bytes,
                       double available_bytes)
{
    double a = needed_bytes / 1e6, b = available_bytes / 1e6;
    int more = 0;
    do {
        print_figure(needed, a, decimals_of(a) + more);
        print_figure(available, b, decimals_of(b) + more);
    } while (++more <= 4 && strcmp(needed, available) == 0);
}

static void print_time(char figure[FIGURE_MAX], double seconds)
{
    char number[FIGURE_MAX];
    bool ms = seconds < 1;
    double value = ms ? seconds * 1000 : seconds;
    print_figure(number, value, decimals_of(value));
    snprintf(figure, FIGURE_MAX, "%.40s %s", number, ms ? "ms" : "s");
}

static void print_block(char figure[FIGURE_MAX], double bytes)
{
    const double kib = 1024, mib = 1048576;
    char number[FIGURE_MAX];
    bool binary = fmod(bytes, kib) == 0;
    double unit = !binary ? (bytes < 1e6 ? 1e3 : 1e6) : (fmod(bytes, mib) == 0 ? mib : kib);
    print_figure(number, bytes / unit, decimals_of(bytes / unit));
    snprintf(figure, FIGURE_MAX, "%.40s %s", number,
             binary ? (unit == mib ? "MiB" : "KiB") : (unit == 1e6 ? "MB" : "KB"));
}

/* The clip's file name, else the format: on one line, and no longer than a line. */
static void print_what(char figure[SC_NAME_MAX], const sc_demand *demand)
{
    const char *clip = demand->clip ? demand->clip : "";
    const char *slash = strrchr(clip, '/');
    const char *file = slash && slash[1] ? slash + 1 : clip;
    sci_copy(figure, SC_NAME_MAX, *file ? file : demand->name);
    for (char *c = figure; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            *c = '?';
}

/* ---- one line a kind ---- */

static const char *rate_text(const sci_breach *breach, sci_arena *arena)
{
    char needed[FIGURE_MAX], available[FIGURE_MAX];
    int streams = (int)breach->limit.streams;
    print_pair(needed, available, breach->limit.needed_bytes_per_s,
               breach->limit.available_bytes_per_s);
    return sci_arena_printf(arena, "rate: %d %s %s of %s MB/s of the %s", streams,
                            streams == 1 ? "stream needs" : "streams need", needed, available,
                            breach->limit.resource);
}

/* Of several formats together there is no one stream to speak of. */
static const char *mixed_burst_text(const sci_breach *breach, sci_arena *arena)
{
    char needed[FIGURE_MAX], available[FIGURE_MAX], window[FIGURE_MAX];
    const sc_limit *limit = &breach->limit;
    print_pair(needed, available, limit->needed_bytes / limit->window_s,
               limit->available_bytes / limit->window_s);
    print_time(window, limit->window_s);
    return sci_arena_printf(arena,
                            "burst: in %s %d streams need %s of %s MB/s of the %s and buffers",
                            window, (int)limit->streams, needed, available, limit->resource);
}

/* Per stream and second, buffers counted in: what a stream has to get, and what it would. */
static const char *burst_text(const sci_breach *breach, sci_arena *arena)
{
    static const char *const gets[] = {[SCI_SHARE_OF_ALL] = "each of them gets",
                                       [SCI_SHARE_ALONE] = "one reader gets",
                                       [SCI_SHARE_LEFT] = "the others leave"};
    char needed[FIGURE_MAX], available[FIGURE_MAX], window[FIGURE_MAX], what[SC_NAME_MAX];
    int32_t sharers = breach->share == SCI_SHARE_OF_ALL ? breach->limit.streams : 1;
    double per_stream = sharers * breach->limit.window_s;
    print_pair(needed, available, breach->limit.needed_bytes / per_stream,
               breach->limit.available_bytes / per_stream);
    print_time(window, breach->limit.window_s);
    print_what(what, breach->type->demand);
    return sci_arena_printf(arena, "burst: %s of %s %s %s of %s MB/s that %s", window, what,
                            strcmp(window, "1 s") == 0 ? "needs" : "need", needed, available,
                            gets[breach->share]);
}

static const char *latency_text(const sci_breach *breach, const sci_mix *mix, sci_arena *arena)
{
    char needed[FIGURE_MAX], available[FIGURE_MAX], block[FIGURE_MAX], latency[FIGURE_MAX];
    char window[FIGURE_MAX], what[SC_NAME_MAX], within[FIGURE_MAX + SC_NAME_MAX + 16] = "";
    const sc_limit *limit = &breach->limit;
    const sci_type *type = breach->type;
    int reads = (int)mix->player.in_flight;
    double rate = limit->needed_bytes_per_s;
    if (limit->window_s > 0) {
        rate = (limit->needed_bytes - limit->available_bytes) / limit->window_s +
               type->pipe_bytes_per_s;
        print_time(window, limit->window_s);
        print_what(what, type->demand);
        snprintf(within, sizeof within, " in %s of %s", window, what);
    }
    print_pair(needed, available, rate, type->pipe_bytes_per_s);
    print_block(block, type->read_bytes);
    print_time(latency, mix->supply.latency_s + mix->supply.rtt_s);
    return sci_arena_printf(arena, "latency: %d %s of %s in %s %s one stream %s MB/s of %s%s",
                            reads, reads == 1 ? "read" : "reads", block, latency,
                            reads == 1 ? "gives" : "give", available, needed, within);
}

static const char *buffer_text(const sci_breach *breach, sci_arena *arena)
{
    char needed[FIGURE_MAX], available[FIGURE_MAX];
    print_pair(needed, available, breach->limit.needed_bytes, breach->limit.available_bytes);
    return sci_arena_printf(arena, "buffer: a frame of %s MB in %s MB of buffer", needed,
                            available);
}

static const char *played_text(const sci_breach *breach, const sci_mix *mix, sci_arena *arena)
{
    const int streams = (int)breach->limit.streams;
    if (mix->type_count > 1 && breach->share == SCI_SHARE_ALONE)
        return sci_arena_printf(arena, "played: %d x %s alone %s not sustained", streams,
                                breach->type->demand->name, streams == 1 ? "was" : "were");
    return sci_arena_printf(arena, "played: %d stream%s not sustained when %s tried", streams,
                            streams == 1 ? " was" : "s were",
                            streams == 1 ? "it was" : "they were");
}

const char *sci_breach_text(const sci_breach *breach, const sci_mix *mix, sci_arena *arena)
{
    switch (breach->limit.kind) {
    case SC_LIMIT_RATE:
        return rate_text(breach, arena);
    case SC_LIMIT_BURST:
        return mix->type_count > 1 && breach->share == SCI_SHARE_OF_ALL
                   ? mixed_burst_text(breach, arena)
                   : burst_text(breach, arena);
    case SC_LIMIT_LATENCY:
        return latency_text(breach, mix, arena);
    case SC_LIMIT_PLAYED:
        return played_text(breach, mix, arena);
    case SC_LIMIT_BUFFER:
        return buffer_text(breach, arena);
    default:
        return sci_arena_printf(arena, "nothing known stops %d streams",
                                (int)breach->limit.streams);
    }
}
