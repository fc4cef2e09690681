#include "probe/media.h"

#include <stdlib.h>

/* Larger holes between played packets are not read: a player seeks over them. */
static const int64_t HOLE_BYTES = 1 << 20;

/* Keeps sums of positions and sizes within 64 bits. */
static const int64_t POSITION_MAX = INT64_MAX / 4;

/* ---- played packets in the order of their positions ---- */

struct order {
    sci_packet *packets;
    uint32_t *items; /* NULL: they lie in that order as they are, from `first` */
    size_t first, count;
};

static sci_packet *packet_at(const struct order *order, size_t i)
{
    return &order->packets[order->items ? order->items[i] : order->first + i];
}

static int64_t position(const sci_packet *packet)
{
    return packet->pos < 0 ? 0 : packet->pos < POSITION_MAX ? packet->pos : POSITION_MAX;
}

static bool is_read(const sci_media_track *track)
{
    return track->played && track->count > 0;
}

static bool ascends(const sci_media *media, const sci_media_track *track)
{
    const sci_packet *packets = media->packets.items + track->first;
    for (size_t k = 1; k < track->count; k++)
        if (position(&packets[k]) < position(&packets[k - 1]))
            return false;
    return true;
}

/* Of 12 bytes: there may be millions. */
struct place {
    uint32_t pos_high, pos_low, packet;
};

static struct place place_of(const sci_packet *packets, size_t packet)
{
    const uint64_t pos = (uint64_t)position(&packets[packet]);
    return (struct place){(uint32_t)(pos >> 32), (uint32_t)pos, (uint32_t)packet};
}

static int by_position(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->pos_high != y->pos_high)
        return x->pos_high < y->pos_high ? -1 : 1;
    if (x->pos_low != y->pos_low)
        return x->pos_low < y->pos_low ? -1 : 1;
    return x->packet < y->packet ? -1 : x->packet > y->packet;
}

static bool order_by_sorting(const sci_media *media, const sci_stop *stop, struct order *order)
{
    const sci_packet *packets = media->packets.items;
    struct place *places = sci_big_alloc(order->count, sizeof *places);
    size_t count = 0;
    for (size_t i = 0; places && i < media->packets.count; i++)
        if (media->tracks[packets[i].track].played)
            places[count++] = place_of(packets, i);
    if (places && sci_sort(places, count, sizeof *places, by_position, stop))
        order->items = sci_big_alloc(order->count, sizeof *order->items);
    for (size_t i = 0; order->items && i < count; i++)
        order->items[i] = places[i].packet;
    free(places);
    return order->items;
}

enum { MERGED_TRACKS_MAX = 16 };

struct run {
    size_t next, end;
};

static void order_by_merging(const struct run *runs, size_t run_count, struct order *order)
{
    struct run left[MERGED_TRACKS_MAX];
    for (size_t r = 0; r < run_count; r++)
        left[r] = runs[r];
    for (size_t i = 0; i < order->count; i++) {
        size_t first = run_count;
        for (size_t r = 0; r < run_count; r++)
            if (left[r].next < left[r].end &&
                (first == run_count || position(&order->packets[left[r].next]) <
                                           position(&order->packets[left[first].next])))
                first = r;
        order->items[i] = (uint32_t)left[first].next++;
    }
}

/* False when it was stopped, and without memory. */
static bool put_in_order(const sci_media *media, const sci_stop *stop, struct order *order)
{
    struct run runs[MERGED_TRACKS_MAX];
    size_t run_count = 0;
    bool mergeable = true;
    *order = (struct order){.packets = media->packets.items};
    for (size_t i = 0; i < media->track_count; i++) {
        const sci_media_track *track = &media->tracks[i];
        if (!is_read(track))
            continue;
        order->first = track->first;
        order->count += track->count;
        mergeable = mergeable && run_count < MERGED_TRACKS_MAX && ascends(media, track);
        if (mergeable)
            runs[run_count++] = (struct run){track->first, track->first + track->count};
    }
    if (mergeable && run_count == 1)
        return true;
    if (!mergeable)
        return order_by_sorting(media, stop, order);
    order->items = sci_big_alloc(order->count, sizeof *order->items);
    if (!order->items)
        return false;
    order_by_merging(runs, run_count, order);
    return true;
}

/* ---- bytes ---- */

/* Up to the next played packet, unless a hole lies between. */
static int64_t reach(const struct order *order, size_t next, int64_t end)
{
    int64_t pos = next < order->count ? position(packet_at(order, next)) : end;
    return pos > end && pos - end <= HOLE_BYTES ? pos : end;
}

static void set_bytes(sci_packet *packet, int64_t bytes)
{
    packet->bytes = (int32_t)(bytes < INT32_MAX ? bytes : INT32_MAX);
}

/* An index may let samples share their bytes, a picture that is held for instance: every one of
   them is read when its time comes. */
static void store_indexed(const struct order *order)
{
    int64_t end = 0;
    for (size_t i = 0; i < order->count; i++) {
        sci_packet *packet = packet_at(order, i);
        int64_t own_end = position(packet) + packet->bytes;
        end = own_end > end ? own_end : end;
        set_bytes(packet, packet->bytes + reach(order, i + 1, end) - end);
    }
}

/* Share stored bytes between packets in proportion to their own, to the last byte. */
static void share(const struct order *order, size_t from, size_t to, int64_t stored)
{
    int64_t essence = 0, before = 0, given = 0;
    for (size_t i = from; i < to; i++)
        essence += packet_at(order, i)->bytes;
    for (size_t i = from; i < to; i++) {
        sci_packet *packet = packet_at(order, i);
        before += packet->bytes;
        int64_t until = essence ? av_rescale(before, stored, essence) : stored;
        set_bytes(packet, until - given);
        given = until;
    }
}

/* Packets that a demuxer cut out of overlapping parts of the file (multiplexed packets of a
   transport stream, blocks compressed by the container, a DV frame and the sound within it) form
   one cluster: its bytes are those of the file, counted once. The packet behind it. */
static size_t cluster_end(const struct order *order, size_t from, int64_t *end)
{
    size_t to = from;
    *end = position(packet_at(order, from));
    do {
        const sci_packet *packet = packet_at(order, to);
        int64_t own_end = position(packet) + packet->bytes;
        *end = own_end > *end ? own_end : *end;
        to++;
    } while (to < order->count && position(packet_at(order, to)) < *end);
    return to;
}

static void store_scanned(const struct order *order, int64_t file_end)
{
    for (size_t i = 0; i < order->count;) {
        int64_t end, start = position(packet_at(order, i));
        size_t to = cluster_end(order, i, &end);
        if (end > file_end && start < file_end)
            end = file_end;
        share(order, i, to, reach(order, to, end) - start);
        i = to;
    }
}

sc_status sci_packets_store(sci_media *media, sc_error *error)
{
    const sci_stop stop = sci_file_stopper(&media->file);
    struct order order;
    bool ordered = put_in_order(media, &stop, &order);
    if (ordered && media->strategy->samples_may_share_bytes)
        store_indexed(&order);
    else if (ordered)
        store_scanned(&order, media->file.size_bytes);
    free(order.items);
    if (sci_file_give_up(&media->file))
        return sci_file_gave_up(&media->file, "probe.stored", error);
    return ordered ? SC_OK
                   : sci_fail(error, SC_NO_MEMORY, 0, "probe.stored", media->file.path,
                              "out of memory");
}
