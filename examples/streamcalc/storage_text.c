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

/* "1 Gb/s", "433.3 Mb/s". */
static const char *bits_per_s(int64_t rate, char *text, size_t size)
{
    bool giga = rate >= 1000000000;
    snprintf(text, size, "%.4g %s", (double)rate / (giga ? 1e9 : 1e6), giga ? "Gb/s" : "Mb/s");
    return text;
}

/* "SMB 3.1.1 from nas.local", "ext4 on /dev/sda1". */
static void describe_mount(const sc_storage_facts *facts, char *text, size_t size)
{
    static const struct {
        const char *file_system, *shown;
    } names[] = {{"cifs", "SMB"}, {"smb3", "SMB"}, {"nfs", "NFS"}, {"nfs4", "NFS"}};
    const char *name = facts->file_system;
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (strcmp(facts->file_system, names[i].file_system) == 0)
            name = names[i].shown;
    add(text, size, "", name);
    if (*facts->protocol)
        add(text, size, " ", facts->protocol);
    if (facts->network && *facts->server)
        add(text, size, " from ", facts->server);
    else if (*facts->device && strcmp(facts->device, facts->file_system) != 0)
        add(text, size, " on ", facts->device);
}

/* " through enp3s0 (1 Gb/s, MTU 1500)". */
static void describe_route(const sc_route_facts *route, char *text, size_t size)
{
    char link[256] = "", number[48];
    if (route->this_machine == 1)
        add(text, size, ", ", "which is this machine");
    if (route->this_machine == 1 || !*route->interface)
        return;
    add(text, size, " through ", *route->chain ? route->chain : route->interface);
    if (route->wireless == 1)
        add(link, sizeof link, "", "wireless");
    if (route->bits_per_s != SC_UNKNOWN)
        add(link, sizeof link, route->wireless == 1 ? ", now " : "",
            bits_per_s(route->bits_per_s, number, sizeof number));
    if (strcmp(route->duplex, "half") == 0)
        add(link, sizeof link, ", ", "half duplex");
    if (route->mtu_bytes != SC_UNKNOWN) {
        snprintf(number, sizeof number, "MTU %d", (int)route->mtu_bytes);
        add(link, sizeof link, ", ", number);
    }
    if (*link) {
        add(text, size, " (", link);
        add(text, size, "", ")");
    }
}

/* ", dm-0 (lvm) on md0 (raid5) on sda, sdb, sdc: WDC WD40EFRX by SATA at 6 Gb/s". */
static void describe_disk(const sc_storage_facts *facts, char *text, size_t size)
{
    const sc_disk_facts *disk = &facts->disk;
    char number[48];
    bool layers = strcmp(disk->chain, disk->name) != 0;
    if (layers)
        add(text, size, ", ", disk->chain);
    if (*disk->model)
        add(text, size, layers ? ": " : ", ", disk->model);
    if (*disk->transport)
        add(text, size, *disk->model ? " by " : layers ? ": " : ", ", disk->transport);
    if (disk->bus_bits_per_s != SC_UNKNOWN)
        add(text, size, " at ", bits_per_s(disk->bus_bits_per_s, number, sizeof number));
    if (!facts->network && *facts->server)
        add(text, size, " from ", facts->server);
}

/* ", reads of 1 MiB, 4 connections, cache=none, read-ahead 128 KiB". */
static void describe_reading(const sc_storage_facts *facts, char *text, size_t size)
{
    char piece[96], block[32];
    if (facts->read_request_bytes > 0) {
        snprintf(piece, sizeof piece, "reads of %s",
                 text_bytes((double)facts->read_request_bytes, block, sizeof block));
        add(text, size, ", ", piece);
    }
    if (facts->connections > 1) {
        snprintf(piece, sizeof piece, "%d connections", (int)facts->connections);
        add(text, size, ", ", piece);
    }
    if (*facts->cache_option) {
        snprintf(piece, sizeof piece, "cache %.64s", facts->cache_option);
        add(text, size, ", ", piece);
    }
    if (facts->read_ahead_bytes >= 0) {
        snprintf(piece, sizeof piece, "read-ahead %s",
                 facts->read_ahead_bytes
                     ? text_bytes((double)facts->read_ahead_bytes, block, sizeof block)
                     : "off");
        add(text, size, ", ", piece);
    }
}

static void describe_facts(const sc_storage_facts *facts, char *text, size_t size)
{
    char free_space[64], number[40];
    *text = '\0';
    describe_mount(facts, text, size);
    if (facts->network)
        describe_route(&facts->route, text, size);
    describe_disk(facts, text, size);
    if (!facts->network)
        describe_route(&facts->route, text, size);
    if (facts->memory)
        add(text, size, ", ", "memory, not a disk");
    if (facts->rotational != SC_UNKNOWN)
        add(text, size, ", ", facts->rotational ? "spinning disk" : "no spinning disk");
    describe_reading(facts, text, size);
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

const char *storage_cache_words(sc_cache_mode mode, bool cold, const char *through)
{
    switch (mode) {
    case SC_CACHE_DIRECT:
        return cold ? "cold (direct I/O)" : "with direct I/O, not shown to be cold";
    case SC_CACHE_DROPPED:
        return cold ? "cold (cache dropped)" : "with the cache dropped, not shown to be cold";
    default:
        return through;
    }
}

static const char *describe_cache(const sc_storage *storage)
{
    bool cold = true;
    for (size_t i = 0; i < storage->point_count; i++)
        cold = cold && storage->points[i].cold;
    return storage_cache_words(storage->cache_effective, cold,
                               "through the cache: the figures may be the cache's");
}

static void print_how(FILE *out, int width, const sc_storage *storage, double elapsed_s)
{
    char line[512], clean[3 * sizeof line], block[32], seconds[32], elapsed[32], in[48] = "";
    double total = 0;
    for (size_t i = 0; i < storage->point_count; i++)
        total += storage->points[i].seconds;
    if (storage->player.mode == SC_READ_FRAME)
        snprintf(block, sizeof block, "a frame a read");
    else
        text_bytes((double)storage->player.block_bytes, block, sizeof block);
    if (elapsed_s > 0)
        snprintf(in, sizeof in, " in %s", text_seconds(elapsed_s, elapsed, sizeof elapsed));
    snprintf(line, sizeof line, "read %s, %s x %d in flight (player %s), %s measured%s",
             describe_cache(storage), block, (int)storage->player.in_flight, storage->player.name,
             text_seconds(total, seconds, sizeof seconds), in);
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

enum { POINTS_MAX = 32, NUMBER = 40 }; /* shown side by side; bytes of a number's text */

static void number_cell(const sc_supply_point *point, bool rate, char *cell)
{
    if (rate)
        text_number(point->mean_bytes_per_s / 1e6, cell, NUMBER);
    else
        snprintf(cell, NUMBER, "%d", (int)point->readers);
}

static int cell_columns(const sc_supply_point *point)
{
    char readers[NUMBER], rate[NUMBER];
    number_cell(point, false, readers);
    number_cell(point, true, rate);
    return 2 + (int)(strlen(readers) > strlen(rate) ? strlen(readers) : strlen(rate));
}

/* The points that fit: the first, the fastest and the last stay longest. Returns their number. */
static size_t choose_points(const sc_storage *storage, int columns, const sc_supply_point **kept)
{
    size_t points = storage->point_count;
    size_t count = points < POINTS_MAX ? points : POINTS_MAX;
    int used = 0;
    for (size_t i = 0; i < count; i++) {
        kept[i] = &storage->points[count > 1 ? i * (points - 1) / (count - 1) : 0];
        used += cell_columns(kept[i]);
    }
    while (used > columns && count > 1) {
        size_t out = count / 2;
        if (count > 3 && kept[out] == fastest(storage))
            out--;
        used -= cell_columns(kept[out]);
        memmove(&kept[out], &kept[out + 1], (--count - out) * sizeof *kept);
    }
    return count;
}

static void print_rates(FILE *out, int width, const sc_storage *storage)
{
    static const char *const titles[] = {"readers", "MB/s"};
    enum { TITLE = 7 };
    const sc_supply_point *kept[POINTS_MAX];
    size_t count = choose_points(storage, width - TITLE, kept);
    for (int rate = 0; rate < 2; rate++) {
        fprintf(out, "%-*s", TITLE, titles[rate]);
        for (size_t i = 0; i < count; i++) {
            char cell[NUMBER];
            number_cell(kept[i], rate, cell);
            fprintf(out, "%*s", cell_columns(kept[i]), cell);
        }
        fputc('\n', out);
    }
}

static double longest_gap_s(const sc_storage *storage)
{
    double gap = -1;
    for (size_t i = 0; i < storage->point_count; i++)
        gap = storage->points[i].longest_gap_s > gap ? storage->points[i].longest_gap_s : gap;
    return gap;
}

static void print_delays(FILE *out, int width, const sc_storage *storage)
{
    const sc_supply_point *best = fastest(storage);
    char line[512] = "", piece[96], seconds[32];
    if (best->latency_p99_s >= 0) {
        snprintf(piece, sizeof piece, "99 %% of reads within %s with %d reader%s",
                 text_seconds(best->latency_p99_s, seconds, sizeof seconds), (int)best->readers,
                 best->readers == 1 ? "" : "s");
        add(line, sizeof line, "; ", piece);
    }
    if (longest_gap_s(storage) >= 0) {
        snprintf(piece, sizeof piece, "longest gap %s",
                 text_seconds(longest_gap_s(storage), seconds, sizeof seconds));
        add(line, sizeof line, "; ", piece);
    }
    if (*line)
        text_wrap(out, width, "", line);
}

static void print_writes(FILE *out, int width, const sc_storage *storage)
{
    char line[512] = "", piece[96], rate[NUMBER], seconds[32];
    if (storage->write_point_count == 0)
        return;
    for (size_t i = 0; i < storage->write_point_count; i++) {
        const sc_supply_point *point = &storage->write_points[i];
        snprintf(piece, sizeof piece, "%d writer%s %s MB/s", (int)point->readers,
                 point->readers == 1 ? "" : "s",
                 text_number(point->mean_bytes_per_s / 1e6, rate, sizeof rate));
        add(line, sizeof line, ", ", piece);
    }
    add(line, sizeof line, "", storage->write_synced ? " (each write synced)" : " (direct I/O)");
    double p99_s = storage->write_points[0].latency_p99_s;
    if (p99_s >= 0) {
        snprintf(piece, sizeof piece, "99 %% of one writer's writes within %s",
                 text_seconds(p99_s, seconds, sizeof seconds));
        add(line, sizeof line, "; ", piece);
    }
    text_wrap(out, width, "written: ", line);
}

/* The load of the first point and of the last. */
static void print_load(FILE *out, int width, const sc_storage *storage)
{
    char line[256] = "", piece[96], rate[NUMBER];
    const size_t last = storage->point_count - 1;
    for (size_t i = 0; i <= last; i += last ? last : 1) {
        const sc_supply_point *point = &storage->points[i];
        snprintf(piece, sizeof piece, "%s beside %d reader%s",
                 text_bytes_per_s(point->writers_bytes_per_s, rate, sizeof rate),
                 (int)point->readers, point->readers == 1 ? "" : "s");
        add(line, sizeof line, ", ", piece);
    }
    if (storage->with_writers == 0 || storage->points[0].writers_bytes_per_s <= 0)
        return;
    snprintf(piece, sizeof piece, "%d writer%s meanwhile: ", (int)storage->with_writers,
             storage->with_writers == 1 ? "" : "s");
    text_wrap(out, width, piece, line);
}

/* What people feel: below a tenth of a second an answer is instant. */
static const char *feeling_of(double seconds)
{
    return seconds < 0.1 ? "instant" : seconds < 0.25 ? "good" : seconds < 1 ? "slow" : "bad";
}

static void describe_jumps(const sc_jump_times *times, char *text, size_t size)
{
    char usual[32], most[32], beside[48] = "idle";
    const bool has_most = times->p95_s >= 0;
    if (times->readers > 0)
        snprintf(beside, sizeof beside, "beside %d reader%s", (int)times->readers,
                 times->readers == 1 ? "" : "s");
    snprintf(text, size, "%s %s (%s %s: %s)", text_seconds(times->p50_s, usual, sizeof usual),
             beside, has_most ? "95 % within" : "at most",
             text_seconds(has_most ? times->p95_s : times->max_s, most, sizeof most),
             feeling_of(has_most ? times->p95_s : times->max_s));
}

static void print_jumps(FILE *out, int width, const sc_scrub *scrub)
{
    const sc_jump_times *all[] = {&scrub->idle, &scrub->loaded};
    char line[512] = "", piece[160], block[32];
    for (size_t i = 0; i < COUNT_OF(all); i++) {
        if (all[i]->samples == 0)
            continue;
        describe_jumps(all[i], piece, sizeof piece);
        add(line, sizeof line, ", ", piece);
    }
    if (!*line)
        return;
    snprintf(piece, sizeof piece, "first frame after a jump (%s): ",
             text_bytes((double)scrub->read_bytes, block, sizeof block));
    text_wrap(out, width, piece, line);
}

void storage_print_summary(FILE *out, int width, const sc_storage *storage, double elapsed_s)
{
    if (storage->point_count == 0)
        return;
    if (storage->source == SC_SOURCE_MEASURED)
        print_how(out, width, storage, elapsed_s);
    print_rates(out, width, storage);
    print_delays(out, width, storage);
    print_load(out, width, storage);
    print_writes(out, width, storage);
    print_jumps(out, width, &storage->scrub);
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

static void cell_writers(const void *row, char *cell, size_t size)
{
    const double rate = ((const sc_supply_point *)row)->writers_bytes_per_s;
    text_number(rate > 0 ? rate / 1e6 : -1, cell, size);
}

static void cell_samples(const void *row, char *cell, size_t size)
{
    snprintf(cell, size, "%lld", (long long)((const sc_supply_point *)row)->samples);
}

static const table_column columns[] = {{"readers", true, cell_readers, NULL, 0, false},
                                       {"MB/s", true, cell_mean, NULL, 0, false},
                                       {"Mb/s", true, cell_mean_bits, NULL, 0, false},
                                       {"low MB/s", true, cell_low, NULL, 0, false},
                                       {"p50", true, cell_p50, NULL, 0, false},
                                       {"p99", true, cell_p99, NULL, 0, false},
                                       {"worst", true, cell_worst, NULL, 0, false},
                                       {"gap", true, cell_gap, NULL, 0, false},
                                       {"cold", true, cell_cold, NULL, 0, false},
                                       {"reads", true, cell_samples, NULL, 0, false},
                                       {"writers MB/s", true, cell_writers, NULL, 0, true}};

void storage_print_points(FILE *out, int width, const sc_storage *storage)
{
    text_table table = {
        columns, COUNT_OF(columns), storage->points, sizeof *storage->points, storage->point_count,
        NULL};
    table_print(out, &table, width);
}
