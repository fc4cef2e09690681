/* What a measurement is to do, for all of its parts. */
#ifndef SCI_MEASURE_SETTINGS_H
#define SCI_MEASURE_SETTINGS_H

#include "core/core.h"
#include <streamcalc/measure.h>

enum { SCI_MEASURE_READERS_MAX = 256 };

/* Parameters with all defaults filled in. */
typedef struct sci_measure_settings {
    const char *path;
    sc_player player;
    int64_t lowest_stream_bits_per_s;
    int32_t max_readers;
    double seconds, warm_up_s, stall_s;
    int64_t start_ns;    /* of `seconds` */
    double whole_s;      /* of all that is measured, for the progress */
    int32_t writers;     /* that write while the points are read */
    int64_t scrub_bytes; /* 0: jumps are not measured */
} sci_measure_settings;

/* How far all that is measured has come: 0 to 1. */
double sci_measured_share(const sci_measure_settings *params);

/* A parameter that must lie within its range. */
typedef struct sci_range {
    const char *name;
    double value, least, most;
} sci_range;
/* SC_INVALID_ARGUMENT names the first that does not, which NaN never does. */
sc_status sci_check_ranges(const char *path, const sci_range *ranges, size_t count,
                           sc_error *error);

/* SC_INVALID_ARGUMENT where the player reads one way (its io) and the cache mode another. */
sc_status sci_check_cache(const char *path, const sc_player *player, sc_cache_mode cache,
                          sc_error *error);

#endif
