#include "probe/media.h"

#include <stdlib.h>

/* Larger holes between played packets are not read: a player seeks over them. */
static const int64_t HOLE_BYTES = 1 << 20;

struct place {
    int64_t pos, size;
    size_t packet;
};

static int by_position(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->pos != y->pos)
        return x->pos < y->pos ? -1 : 1;
    return x->packet < y->packet ? -1 : x->packet > y->packet;
}

static size_t find_places(const sci_media *media, struct place *places)
{
    size_t count = 0;
    for (size_t i = 0; i < media->packets.count; i++) {
        const sci_packet *packet = &media->packets.items[i];
        int64_t pos = packet->pos < 0 ? 0 : packet->pos;
        if (media->tracks[packet->track].played)
            places[count++] = (struct place){pos < INT64_MAX / 4 ? pos : INT64_MAX / 4,
                                             packet->bytes, i};
    }
    return count;
}

/* Share stored bytes between packets in proportion to their own, to the last byte. */
static void share(const struct place *places, size_t count, int64_t stored, int64_t *result)
{
    int64_t essence = 0, before = 0, given = 0;
    for (size_t i = 0; i < count; i++)
        essence += places[i].size;
    for (size_t i = 0; i < count; i++) {
        before += places[i].size;
        int64_t until = essence ? av_rescale(before, stored, essence) : stored;
        result[places[i].packet] = until - given;
        given = until;
    }
}

/* Up to the next played packet, unless a hole lies between. */
static int64_t reach(const struct place *next, const struct place *stop, int64_t end)
{
    return next < stop && next->pos > end && next->pos - end <= HOLE_BYTES ? next->pos : end;
}

/* An index may let samples share their bytes, a picture that is held for instance: every one of
   them is read when its time comes. */
static void store_indexed(const struct place *places, size_t count, int64_t *stored)
{
    int64_t end = 0;
    for (size_t i = 0; i < count; i++) {
        const struct place *place = &places[i];
        int64_t own_end = place->pos + place->size;
        end = own_end > end ? own_end : end;
        int64_t wrapper = reach(place + 1, places + count, end) - end;
        stored[place->packet] = place->size + wrapper;
    }
}

/* Packets that a demuxer cut out of overlapping parts of the file (multiplexed packets of a
   transport stream, blocks compressed by the container, a DV frame and the sound within it) form
   one cluster: its bytes are those of the file, counted once. */
static size_t cluster_length(const struct place *places, size_t count, int64_t *end)
{
    size_t n = 1;
    *end = places[0].pos + places[0].size;
    while (n < count && places[n].pos < *end) {
        if (places[n].pos + places[n].size > *end)
            *end = places[n].pos + places[n].size;
        n++;
    }
    return n;
}

static void store_scanned(const struct place *places, size_t count, int64_t file_end,
                          int64_t *stored)
{
    for (size_t i = 0; i < count;) {
        int64_t end, start = places[i].pos;
        size_t n = cluster_length(places + i, count - i, &end);
        if (end > file_end && start < file_end)
            end = file_end;
        share(places + i, n, reach(places + i + n, places + count, end) - start, stored);
        i += n;
    }
}

sc_status sci_stored_bytes(sci_media *media, int64_t *stored, sc_error *error)
{
    const sci_stop stop = sci_file_stopper(&media->file);
    struct place *places = malloc((media->packets.count + 1) * sizeof *places);
    if (!places)
        return sci_fail(error, SC_NO_MEMORY, 0, "probe.stored", media->file.path, "out of memory");
    size_t count = find_places(media, places);
    bool sorted = sci_sort(places, count, sizeof *places, by_position, &stop);
    if (sorted && media->strategy->samples_may_share_bytes)
        store_indexed(places, count, stored);
    else if (sorted)
        store_scanned(places, count, media->file.size_bytes, stored);
    free(places);
    if (sci_file_give_up(&media->file))
        return sci_file_gave_up(&media->file, "probe.stored", error);
    return sorted ? SC_OK
                  : sci_fail(error, SC_NO_MEMORY, 0, "probe.stored", media->file.path,
                             "out of memory");
}
