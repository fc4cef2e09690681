/*
 * What does a storage deliver to 1, 2, 4, ... readers? With progress on a terminal; a callback
 * that returned non-zero would end the measurement early.
 *
 *     measure_path PATH [SECONDS]
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <streamcalc/streamcalc.h>
#include <unistd.h>

static int show_progress(void *opaque, const sc_progress *progress)
{
    (void)opaque;
    if (progress->fraction >= 0)
        fprintf(stderr, "\r%3.0f %%", progress->fraction * 100);
    return 0;
}

/* False where text is no number above 0. */
static bool parse_seconds(const char *text, double *seconds)
{
    char *end;
    *seconds = strtod(text, &end);
    return end != text && !*end && *seconds > 0;
}

int main(int argc, char **argv)
{
    double seconds = 0; /* the default */
    if (argc < 2 || argc > 3 || (argc == 3 && !parse_seconds(argv[2], &seconds))) {
        fprintf(stderr, "usage: measure_path PATH [SECONDS]\n");
        return 2;
    }
    bool terminal = isatty(STDERR_FILENO);
    sc_error error = {0};
    sc_storage *storage = NULL;
    sc_measure_params params = {.seconds = seconds,
                                .control = {.progress = terminal ? show_progress : NULL}};
    sc_status status = sc_measure(argv[1], &params, &storage, &error);
    fputs(terminal ? "\n" : "", stderr);
    if (status != SC_OK)
        fprintf(stderr, "measure_path: %s: %s\n", argv[1], error.message);
    /* After a read error the points before it are still there. */
    for (size_t i = 0; storage && i < storage->point_count; i++) {
        const sc_supply_point *point = &storage->points[i];
        printf("%2d readers %8.1f MB/s  p99 %6.1f ms  %s\n", (int)point->readers,
               point->mean_bytes_per_s / 1e6, point->latency_p99_s * 1e3,
               point->cold ? "cold" : "not shown to be cold");
    }
    sc_storage_free(&storage);
    return status == SC_OK ? 0 : 2;
}
