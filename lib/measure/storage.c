#include "core/core.h"
#include "io/recorder.h"
#include "measure/facts.h"
#include "measure/scrub.h"

#include <math.h>
#include <stdio.h>
#include <streamcalc/measure.h>
#include <string.h>

static const sci_name cache_mode_names[] = {{SC_CACHE_AUTO, "auto"},
                                            {SC_CACHE_DIRECT, "direct"},
                                            {SC_CACHE_DROPPED, "dropped"},
                                            {SC_CACHE_WARM, "warm"}};

const char *sc_cache_mode_name(sc_cache_mode mode)
{
    const char *name = sci_name_of(cache_mode_names, SCI_COUNT(cache_mode_names), (int)mode);
    return name ? name : "auto";
}

sc_status sc_cache_mode_parse(const char *text, sc_cache_mode *mode, sc_error *error)
{
    int value = sci_value_of(cache_mode_names, SCI_COUNT(cache_mode_names), text, -1);
    if (value < 0)
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "measure.cache", NULL,
                        "'%s' is not a cache mode: use auto, direct, dropped or warm",
                        text ? text : "");
    *mode = (sc_cache_mode)value;
    return SC_OK;
}

/* bits x seconds / 8 rounded down, exact: windows are whole milliseconds. */
static int64_t bytes_in(int64_t bits_per_s, double seconds)
{
    int64_t ms = llround(seconds * 1000);
    return bits_per_s / 8000 * ms + bits_per_s % 8000 * ms / 8000;
}

static sc_supply_point constant_point(int64_t bits_per_s)
{
    double rate = (double)bits_per_s / 8;
    sc_supply_point point = {.readers = 1,
                             .mean_bytes_per_s = rate,
                             .median_bytes_per_s = rate,
                             .p05_bytes_per_s = rate,
                             .latency_p50_s = -1,
                             .latency_p95_s = -1,
                             .latency_p99_s = -1,
                             .latency_p999_s = -1,
                             .latency_max_s = -1,
                             .longest_gap_s = -1,
                             .series_step_s = SCI_SERIES_STEP_S,
                             .window_count = SCI_WINDOW_COUNT};
    for (size_t i = 0; i < SCI_WINDOW_COUNT; i++) {
        point.window_s[i] = sci_windows_s[i];
        point.worst_window_bytes[i] = bytes_in(bits_per_s, sci_windows_s[i]);
    }
    return point;
}

sc_status sc_storage_from_rate(const char *expression, sc_storage **storage, sc_error *error)
{
    int64_t bits_per_s;
    if (!storage)
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "storage", NULL, "storage is NULL");
    *storage = NULL;
    sc_status status = sc_parse_rate(expression, &bits_per_s, error);
    if (status != SC_OK)
        return status;
    sc_storage *made = sci_result_new(sizeof *made);
    sc_supply_point *point = made ? sci_arena_alloc(sci_result_arena(made), 1, sizeof *point)
                                  : NULL;
    const char *name = point ? sci_arena_strdup(sci_result_arena(made), expression) : NULL;
    if (!name) {
        sci_result_free(&made);
        return sci_fail(error, SC_NO_MEMORY, 0, "storage", NULL, "out of memory");
    }
    *point = constant_point(bits_per_s);
    made->path = "";
    made->name = name;
    made->source = SC_SOURCE_GIVEN;
    made->constant = true;
    made->facts = sci_facts_unknown();
    made->cache_reason = "";
    made->scrub = sci_scrub_unknown();
    made->points = point;
    made->point_count = 1;
    status = sc_player_resolve(&made->player, error);
    if (status == SC_OK)
        *storage = made;
    else
        sci_result_free(&made);
    return status;
}

sc_status sc_storage_keep_paced(sc_storage *storage, const sc_paced_run *run, sc_error *error)
{
    if (!storage || !run)
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "storage", NULL, "no storage or no run");
    sc_paced_run *runs = sci_arena_alloc(sci_result_arena(storage), storage->paced_count + 1,
                                         sizeof *runs);
    if (!runs)
        return sci_fail(error, SC_NO_MEMORY, 0, "storage", storage->path, "out of memory");
    if (storage->paced_count)
        memcpy(runs, storage->paced, storage->paced_count * sizeof *runs);
    runs[storage->paced_count++] = *run;
    storage->paced = runs;
    return SC_OK;
}

void sc_storage_free(sc_storage **storage)
{
    sci_result_free(storage);
}
