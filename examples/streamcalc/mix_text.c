#include "mix_text.h"

#include "table.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

static void print_clean(FILE *out, int width, const char *first, const char *line)
{
    char clean[3 * 4096];
    text_wrap(out, width, first, text_clean(line, clean, sizeof clean));
}

static const char *limit_text(const sc_limit *limit)
{
    return limit->text && *limit->text ? limit->text : sc_limit_kind_name(limit->kind);
}

/* ---- headline ---- */

/* "3 x DNxHR SQ 1920x1080 25 and 2 x 168Mb/s", the first few. */
static void list_parts(const sc_mix *mix, char *text, size_t size)
{
    enum { MOST = 6 };
    size_t listed = 0, playing = 0, used = 0;
    for (size_t i = 0; i < mix->part_count; i++)
        playing += mix->parts[i].playing > 0;
    *text = '\0';
    for (size_t i = 0; i < mix->part_count && listed < MOST; i++) {
        const sc_mix_part *part = &mix->parts[i];
        if (part->playing == 0)
            continue;
        const char *before = listed == 0 ? "" : listed + 1 == playing ? " and " : ", ";
        snprintf(text + used, size - used, "%s%lld x %s", before, (long long)part->playing,
                 part->format);
        used = strlen(text);
        listed++;
    }
    if (playing > listed)
        snprintf(text + used, size - used, " and %zu formats more", playing - listed);
}

void mix_print_headline(FILE *out, int width, const sc_mix *mix, const char *place)
{
    char parts[1024], line[4096];
    const char *verb = mix->streams == 1 ? "plays" : "play";
    list_parts(mix, parts, sizeof parts);
    if (mix->safe == SC_VERDICT_HOLDS)
        snprintf(line, sizeof line, "%s %s safely from %s.", parts, verb, place);
    else if (mix->safe == SC_VERDICT_BREAKS)
        snprintf(line, sizeof line, "%s do%s not play safely from %s: %s.", parts,
                 mix->streams == 1 ? "es" : "", place, limit_text(&mix->limit));
    else
        snprintf(line, sizeof line,
                 "Whether %s %s from %s is not known: the measurement ended before so many, or the "
                 "notes below say why.",
                 parts, verb, place);
    print_clean(out, width, "", line);
}

/* ---- table ---- */

static const sc_mix_part *part_of(const void *row)
{
    return row;
}

static void print_count(char *cell, size_t size, int64_t count, bool at_least)
{
    if (count == SC_UNKNOWN || (at_least && count == 0))
        snprintf(cell, size, "-");
    else
        snprintf(cell, size, "%s%lld", at_least ? ">=" : "", (long long)count);
}

static void cell_format(const void *row, char *cell, size_t size)
{
    snprintf(cell, size, "%s", part_of(row)->format);
}

static void cell_playing(const void *row, char *cell, size_t size)
{
    print_count(cell, size, part_of(row)->playing, false);
}

static void cell_more(const void *row, char *cell, size_t size)
{
    print_count(cell, size, part_of(row)->more, part_of(row)->at_least);
}

static void cell_expected(const void *row, char *cell, size_t size)
{
    print_count(cell, size, part_of(row)->more_expected, part_of(row)->at_least);
}

static void cell_fewer(const void *row, char *cell, size_t size)
{
    const sc_mix_part *part = part_of(row);
    if (part->playing == 0)
        snprintf(cell, size, "-");
    else if (part->fewer == SC_UNKNOWN)
        snprintf(cell, size, "all are not enough");
    else
        snprintf(cell, size, "%lld", (long long)part->fewer);
}

static void cell_limit(const void *row, char *cell, size_t size)
{
    const sc_limit *limit = &part_of(row)->limit;
    snprintf(cell, size, "%s", limit->kind == SC_LIMIT_NONE ? "-" : limit_text(limit));
}

static void cell_limit_kind(const void *row, char *cell, size_t size)
{
    const sc_limit *limit = &part_of(row)->limit;
    snprintf(cell, size, "%s",
             limit->kind == SC_LIMIT_NONE ? "-" : sc_limit_kind_name(limit->kind));
}

/* What could be added to a mix that holds, and what would have to leave one that does not. */
static const table_column more_columns[] = {
    {"together", false, cell_format, NULL, 3, false},
    {"playing", true, cell_playing, NULL, 3, false},
    {"more: safe", true, cell_more, NULL, 3, false},
    {"expected", true, cell_expected, NULL, 2, true},
    {"stopped by", false, cell_limit, cell_limit_kind, 3, true}};
static const table_column fewer_columns[] = {
    {"together", false, cell_format, NULL, 3, false},
    {"playing", true, cell_playing, NULL, 3, false},
    {"to leave out, of this one alone", true, cell_fewer, NULL, 3, false}};

void mix_print_table(FILE *out, int width, const sc_mix *mix)
{
    const bool breaks = mix->safe == SC_VERDICT_BREAKS;
    const text_table table = {breaks ? fewer_columns : more_columns,
                              breaks ? COUNT_OF(fewer_columns) : COUNT_OF(more_columns),
                              mix->parts,
                              sizeof *mix->parts,
                              mix->part_count,
                              NULL};
    table_print(out, &table, width);
    fputc('\n', out);
}

void mix_print_headroom(FILE *out, int width, const sc_mix *mix)
{
    char line[256], refill[32];
    if (mix->safe != SC_VERDICT_HOLDS || mix->headroom < 0)
        return;
    if (mix->refill_s < 0)
        snprintf(line, sizeof line,
                 "Together they leave %.0f %% of the supply free: after a stall the buffers never "
                 "fill again.",
                 mix->headroom * 100);
    else
        snprintf(
            line, sizeof line,
            "Together they leave %.0f %% of the supply free: after a stall the buffers need %s "
            "to fill again.",
            mix->headroom * 100, text_seconds(mix->refill_s, refill, sizeof refill));
    text_wrap(out, width, "  ", line);
}

/* ---- frontier ---- */

static const sc_frontier_pair *pair_of(const void *row)
{
    return row;
}

static void cell_first(const void *row, char *cell, size_t size)
{
    print_count(cell, size, pair_of(row)->first, pair_of(row)->at_least);
}

static void cell_second(const void *row, char *cell, size_t size)
{
    print_count(cell, size, pair_of(row)->second, pair_of(row)->at_least);
}

static void cell_first_limit(const void *row, char *cell, size_t size)
{
    const sc_limit_kind kind = pair_of(row)->first_limit;
    snprintf(cell, size, "%s", kind == SC_LIMIT_NONE ? "-" : sc_limit_kind_name(kind));
}

static const table_column pair_columns[] = {{"of the first", true, cell_first, NULL, 3, false},
                                            {"of the second", true, cell_second, NULL, 3, false},
                                            {"stopped by", false, cell_first_limit, NULL, 1, true}};

/* All of a short list; of a long one its ends and so many in between. */
static void print_pairs(FILE *out, int width, const sc_frontier *frontier)
{
    enum { MOST = 16 };
    const size_t count = frontier->safe_count, shown = count < MOST ? count : MOST;
    sc_frontier_pair rows[MOST];
    for (size_t i = 0; i < shown; i++)
        rows[i] = frontier->safe[shown > 1 ? i * (count - 1) / (shown - 1) : 0];
    const text_table table = {pair_columns, COUNT_OF(pair_columns), rows, sizeof *rows, shown,
                              NULL};
    table_print(out, &table, width);
    if (shown < count)
        fprintf(out, "  %zu of %zu pairs; --json has all\n", shown, count);
}

void mix_print_frontiers(FILE *out, int width, const sc_plan *plan)
{
    char line[1024];
    for (size_t i = 0; i < plan->frontier_count; i++) {
        const sc_frontier *frontier = &plan->frontiers[i];
        snprintf(line, sizeof line, "%s (first) beside %s (second)%s", frontier->first,
                 frontier->second,
                 frontier->safe_count ? ", most that are safe together:"
                                      : ": no number of them, not even the others play");
        fputc('\n', out);
        print_clean(out, width, "", line);
        if (frontier->safe_count)
            print_pairs(out, width, frontier);
    }
}
