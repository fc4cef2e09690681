#include "probe/media.h"

#include <stdlib.h>
#include <string.h>

/* In the order in which they are tried; the last one takes every file. */
static const sci_strategy *const strategies[] = {&sci_strategy_movie,     &sci_strategy_index,
                                                 &sci_strategy_mxf_units, &sci_strategy_mxf_walk,
                                                 &sci_strategy_matroska,  &sci_strategy_avi_index,
                                                 &sci_strategy_avi_walk,  &sci_strategy_constant,
                                                 &sci_strategy_sampled,   &sci_strategy_scan};

sc_status sci_packets_add(sci_packets *packets, sci_packet packet)
{
    if (packets->count >= SCI_PACKETS_MAX)
        return SC_LIMIT;
    if (!sci_grow(&packets->items, packets->count, &packets->capacity, sizeof packet))
        return SC_NO_MEMORY;
    packets->items[packets->count++] = packet;
    return SC_OK;
}

sc_status sci_packets_reserve(sci_packets *packets, size_t count)
{
    if (count > SCI_PACKETS_MAX)
        return SC_LIMIT;
    if (count <= packets->capacity)
        return SC_OK;
    sci_packet *items = sci_big_alloc(count, sizeof *items);
    if (!items)
        return SC_NO_MEMORY;
    if (packets->count)
        memcpy(items, packets->items, packets->count * sizeof *items);
    free(packets->items);
    packets->items = items;
    packets->capacity = count;
    return SC_OK;
}

sc_status sci_collect_packets(sci_media *media, sc_error *error)
{
    for (size_t i = 0; i < SCI_COUNT(strategies); i++) {
        const sci_strategy *strategy = strategies[i];
        if (!strategy->matches(media))
            continue;
        media->packets.count = 0;
        media->strategy = strategy;
        media->source = strategy->source;
        sc_status status = strategy->collect(media, error);
        if (status != SC_OK || strategy->check(media))
            return status;
    }
    return sci_fail(error, SC_INVALID_DATA, 0, "probe.collect", media->file.path,
                    "the file holds no packets of video or audio");
}
