#include "probe/media.h"

#include <stdlib.h>
#include <string.h>

/* In the order in which they are tried; the last one takes every file. */
static const sci_strategy *const strategies[] = {&sci_strategy_movie,     &sci_strategy_index,
                                                 &sci_strategy_mxf_units, &sci_strategy_mxf_walk,
                                                 &sci_strategy_matroska,  &sci_strategy_avi_index,
                                                 &sci_strategy_avi_walk,  &sci_strategy_constant,
                                                 &sci_strategy_sampled,   &sci_strategy_scan};

/* A packet and what is made of it: its place in the order of the file while that is sorted. */
enum { PACKET_COST_BYTES = 48 };

static bool take_memory(const sci_packets *packets, size_t count)
{
    return !packets->file || count <= packets->capacity ||
           sci_file_take_memory(packets->file, (count - packets->capacity) * PACKET_COST_BYTES);
}

static sc_status grow(sci_packets *packets)
{
    if (!take_memory(packets, 2 * packets->capacity))
        return SC_CANCELLED;
    return sci_grow(&packets->items, packets->count, &packets->capacity, sizeof *packets->items)
               ? SC_OK
               : SC_NO_MEMORY;
}

sc_status sci_packets_add(sci_packets *packets, sci_packet packet)
{
    sc_status status = SC_OK;
    if (packets->count >= SCI_PACKETS_MAX)
        return SC_LIMIT;
    if (packets->count == packets->capacity && (status = grow(packets)) != SC_OK)
        return status;
    packets->items[packets->count++] = packet;
    return SC_OK;
}

sc_status sci_packets_reserve(sci_packets *packets, size_t count)
{
    if (count > SCI_PACKETS_MAX)
        return SC_LIMIT;
    if (count <= packets->capacity)
        return SC_OK;
    if (!take_memory(packets, count))
        return SC_CANCELLED;
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

void sci_packets_free(sci_packets *packets)
{
    free(packets->items);
    packets->items = NULL;
    packets->count = packets->capacity = 0;
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
    char limit[SCI_LIMIT_TEXT];
    if (media->file.limited)
        return sci_fail(
            error, SC_LIMIT, 0, "probe.collect", media->file.path,
            "%s ended the reading before a packet of video or audio was found: raise it",
            sci_file_limit(&media->file, limit));
    return sci_fail(error, SC_INVALID_DATA, 0, "probe.collect", media->file.path,
                    "the file holds no packets of video or audio");
}
