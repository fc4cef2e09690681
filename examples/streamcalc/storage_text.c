#include "storage_text.h"

#include "table.h"
#include "text.h"

#include <string.h>

/* Add a piece behind what text holds, with a separator between the two. */
static void add(char *text, size_t size, const char *separator, const char *piece)
{
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%s", used ? separator : "", piece);
}

static void describe_facts(const sc_storage_facts *facts, char *text, size_t size)
{
    char free_space[64], number[40];
    *text = '\0';
    add(text, size, "", facts->file_system);
    if (*facts->server)
        add(text, size, " from ", facts->server);
    else if (*facts->device && strcmp(facts->device, facts->file_system) != 0)
        add(text, size, " on ", facts->device);
    if (facts->memory)
        add(text, size, ", ", "memory, not a disk");
    if (facts->rotational != SC_UNKNOWN)
        add(text, size, ", ", facts->rotational ? "spinning disk" : "no spinning disk");
    if (facts->read_only)
        add(text, size, ", ", "read-only");
    if (facts->free_bytes >= 0) {
        snprintf(free_space, sizeof free_space, "%s free",
                 text_bytes((double)facts->free_bytes, number, sizeof number));
        add(text, size, ", ", free_space);
    }
}

void storage_print_facts(FILE *out, int width, const sc_storage *storage)
{
    char facts[2048], clean[3 * sizeof facts], path[SC_PATH_MAX];
    text_clean_path(*storage->path ? storage->path : storage->name, (size_t)width, path,
                    sizeof path);
    describe_facts(&storage->facts, facts, sizeof facts);
    text_clean(facts, clean, sizeof clean);
    if (text_width(path) + 3 + text_width(clean) <= (size_t)width) {
        fprintf(out, "%s%s%s\n", path, *clean ? "   " : "", clean);
        return;
    }
    fprintf(out, "%s\n", path);
    text_wrap(out, width, "  ", clean);
}

static const char *describe_cache(const sc_storage *storage)
{
    bool cold = storage->cache_proven;
    for (size_t i = 0; i < storage->point_count; i++)
        cold = cold && storage->points[i].cold;
    switch (storage->cache_effective) {
    case SC_CACHE_DIRECT:
        return cold ? "cold (direct I/O)" : "with direct I/O, not shown to be cold";
    case SC_CACHE_DROPPED:
        return cold ? "cold (cache dropped)" : "with the cache dropped, not shown to be cold";
    default:
        return "through the cache: the figures may be the cache's";
    }
}

static void print_how(FILE *out, int width, const sc_storage *storage)
{
    char line[512], clean[3 * sizeof line], block[32], seconds[32];
    double total = 0;
    for (size_t i = 0; i < storage->point_count; i++)
        total += storage->points[i].seconds;
    if (storage->player.mode == SC_READ_FRAME)
        snprintf(block, sizeof block, "a frame a read");
    else
        text_block(storage->player.block_bytes, block, sizeof block);
    snprintf(line, sizeof line, "read %s, %s x %d in flight (player %s), %s measured",
             describe_cache(storage), block, (int)storage->player.in_flight, storage->player.name,
             text_seconds(total, seconds, sizeof seconds));
    text_wrap(out, width, "", text_clean(line, clean, sizeof clean));
}

static const sc_supply_point *fastest(const sc_storage *storage)
{
    const sc_supply_point *best = &storage->points[0];
    for (size_t i = 1; i < storage->point_count; i++)
        if (storage->points[i].mean_bytes_per_s > best->mean_bytes_per_s)
            best = &storage->points[i];
    return best;
}

static void add_readers(char *line, size_t size, const sc_supply_point *point)
{
    char piece[64], rate[40];
    snprintf(piece, sizeof piece, "%d reader%s %s", (int)point->readers,
             point->readers == 1 ? "" : "s",
             text_bytes_per_s(point->mean_bytes_per_s, rate, sizeof rate));
    add(line, size, ", ", piece);
}

static double longest_gap_s(const sc_storage *storage)
{
    double gap = -1;
    for (size_t i = 0; i < storage->point_count; i++)
        gap = storage->points[i].longest_gap_s > gap ? storage->points[i].longest_gap_s : gap;
    return gap;
}

static void print_best(FILE *out, int width, const sc_storage *storage)
{
    const sc_supply_point *first = &storage->points[0], *best = fastest(storage);
    const sc_supply_point *last = &storage->points[storage->point_count - 1];
    char line[512] = "", piece[64], seconds[32];
    add_readers(line, sizeof line, first);
    if (best != first)
        add_readers(line, sizeof line, best);
    if (last != best && last != first)
        add_readers(line, sizeof line, last);
    if (best->latency_p99_s >= 0) {
        snprintf(piece, sizeof piece, "99 %% of reads within %s",
                 text_seconds(best->latency_p99_s, seconds, sizeof seconds));
        add(line, sizeof line, "; ", piece);
    }
    if (longest_gap_s(storage) >= 0) {
        snprintf(piece, sizeof piece, "longest gap %s",
                 text_seconds(longest_gap_s(storage), seconds, sizeof seconds));
        add(line, sizeof line, "; ", piece);
    }
    text_wrap(out, width, "", line);
}

void storage_print_summary(FILE *out, int width, const sc_storage *storage)
{
    if (storage->point_count == 0)
        return;
    if (storage->source == SC_SOURCE_MEASURED)
        print_how(out, width, storage);
    print_best(out, width, storage);
}

/* ---- points ---- */

static void cell_readers(const void *row, char *cell, size_t size)
{
    snprintf(cell, size, "%d", (int)((const sc_supply_point *)row)->readers);
}

static void cell_mean(const void *row, char *cell, size_t size)
{
    text_number(((const sc_supply_point *)row)->mean_bytes_per_s / 1e6, cell, size);
}

static void cell_mean_bits(const void *row, char *cell, size_t size)
{
    text_number(((const sc_supply_point *)row)->mean_bytes_per_s / 125e3, cell, size);
}

static void cell_low(const void *row, char *cell, size_t size)
{
    double value = ((const sc_supply_point *)row)->p05_bytes_per_s;
    text_number(value < 0 ? -1 : value / 1e6, cell, size);
}

static void cell_p50(const void *row, char *cell, size_t size)
{
    text_seconds(((const sc_supply_point *)row)->latency_p50_s, cell, size);
}

static void cell_p99(const void *row, char *cell, size_t size)
{
    text_seconds(((const sc_supply_point *)row)->latency_p99_s, cell, size);
}

static void cell_worst(const void *row, char *cell, size_t size)
{
    text_seconds(((const sc_supply_point *)row)->latency_max_s, cell, size);
}

static void cell_gap(const void *row, char *cell, size_t size)
{
    text_seconds(((const sc_supply_point *)row)->longest_gap_s, cell, size);
}

static void cell_cold(const void *row, char *cell, size_t size)
{
    snprintf(cell, size, "%s", ((const sc_supply_point *)row)->cold ? "yes" : "no");
}

static void cell_samples(const void *row, char *cell, size_t size)
{
    snprintf(cell, size, "%lld", (long long)((const sc_supply_point *)row)->samples);
}

static const table_column columns[] = {
    {"readers", true, cell_readers, NULL, false}, {"MB/s", true, cell_mean, NULL, false},
    {"Mb/s", true, cell_mean_bits, NULL, false},  {"low MB/s", true, cell_low, NULL, false},
    {"p50", true, cell_p50, NULL, false},         {"p99", true, cell_p99, NULL, false},
    {"worst", true, cell_worst, NULL, false},     {"gap", true, cell_gap, NULL, false},
    {"cold", true, cell_cold, NULL, false},       {"reads", true, cell_samples, NULL, false}};

void storage_print_points(FILE *out, int width, const sc_storage *storage)
{
    text_table table = {
        columns, COUNT_OF(columns), storage->points, sizeof *storage->points, storage->point_count,
        NULL};
    table_print(out, &table, width);
}
