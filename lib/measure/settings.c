#include "measure/settings.h"

#include <math.h>

double sci_measured_share(const sci_measure_settings *params)
{
    return fmin(1, sci_seconds_since(params->start_ns) / params->whole_s);
}

static bool in_range(double value, double least, double most)
{
    return value >= least && value <= most; /* false for NaN */
}

sc_status sci_check_ranges(const char *path, const sci_range *ranges, size_t count, sc_error *error)
{
    for (size_t i = 0; i < count; i++)
        if (!in_range(ranges[i].value, ranges[i].least, ranges[i].most))
            return sci_fail(error, SC_INVALID_ARGUMENT, 0, "measure", path,
                            "%s is %g: it must lie between %g and %g", ranges[i].name,
                            ranges[i].value, ranges[i].least, ranges[i].most);
    return SC_OK;
}

sc_status sci_check_cache(const char *path, const sc_player *player, sc_cache_mode cache,
                          sc_error *error)
{
    const bool through_cache = cache == SC_CACHE_DROPPED || cache == SC_CACHE_WARM;
    const bool differ = (player->io == SC_IO_DIRECT && through_cache) ||
                        (player->io == SC_IO_BUFFERED && cache == SC_CACHE_DIRECT);
    if (!differ)
        return SC_OK;
    return sci_fail(error, SC_INVALID_ARGUMENT, 0, "measure", path,
                    "a player of io=%s does not read as the cache mode '%s' does: leave one of the "
                    "two out",
                    sc_io_name(player->io), sc_cache_mode_name(cache));
}
