#include "probe/mxf.h"

#include <libavutil/intreadwrite.h>
#include <stdlib.h>
#include <string.h>

enum {
    RUN_IN_BYTES_MAX = 65536,
    PACK_BYTES = 80, /* up to and with BodySID */
    RIP_ENTRY_BYTES = 4 + 8,
    RIP_BYTES_MAX = SCI_MXF_PARTITIONS_MAX * RIP_ENTRY_BYTES
};

static const uint8_t smpte[4] = {0x06, 0x0e, 0x2b, 0x34};

/* ---- keys ---- */

static bool has(const uint8_t *key, int from, const uint8_t *bytes, size_t count)
{
    return memcmp(key + from, bytes, count) == 0;
}

static sci_mxf_item essence_item(uint8_t type)
{
    switch (type) {
    case 0x04:
    case 0x14:
        return SCI_MXF_SYSTEM;
    case 0x05:
    case 0x15:
        return SCI_MXF_VIDEO;
    case 0x06:
    case 0x16:
        return SCI_MXF_SOUND;
    default:
        return SCI_MXF_DATA;
    }
}

/* The byte of the registry's version does not count. */
sci_mxf_item sci_mxf_item_of(const uint8_t key[SCI_MXF_KEY_BYTES])
{
    static const uint8_t structure[] = {0x0d, 0x01, 0x02, 0x01, 0x01};
    static const uint8_t essence[] = {0x0d, 0x01, 0x03, 0x01};
    static const uint8_t avid_essence[] = {0x0e, 0x04, 0x03, 0x01};
    static const uint8_t fill[] = {0x03, 0x01, 0x02, 0x10, 0x01};
    static const uint8_t encrypted[] = {0x0d, 0x01, 0x03, 0x01, 0x02, 0x7e, 0x01};
    if (has(key, 8, fill, sizeof fill))
        return SCI_MXF_FILL;
    if (has(key, 8, structure, sizeof structure))
        return key[13] == 0x10                      ? SCI_MXF_INDEX
               : key[13] >= 0x02 && key[13] <= 0x04 ? SCI_MXF_PARTITION
                                                    : SCI_MXF_OTHER;
    if (has(key, 8, encrypted, sizeof encrypted))
        return SCI_MXF_ENCRYPTED;
    if ((has(key, 8, essence, sizeof essence) || has(key, 8, avid_essence, sizeof avid_essence)) &&
        (key[4] == 1 || key[4] == 2))
        return essence_item(key[12]);
    return SCI_MXF_OTHER;
}

bool sci_mxf_is_footer(const uint8_t key[SCI_MXF_KEY_BYTES])
{
    return sci_mxf_item_of(key) == SCI_MXF_PARTITION && key[13] == 0x04;
}

bool sci_mxf_klv_in(const uint8_t *bytes, size_t room, int64_t *value, int64_t *end)
{
    if (room < SCI_MXF_KEY_BYTES + 1 || !has(bytes, 0, smpte, sizeof smpte))
        return false;
    size_t used = SCI_MXF_KEY_BYTES + 1;
    uint64_t length = bytes[SCI_MXF_KEY_BYTES];
    if (length & 0x80) {
        size_t count = length & 0x7F;
        if (count == 0 || count > 8 || used + count > room)
            return false;
        length = 0;
        for (size_t i = 0; i < count; i++)
            length = length << 8 | bytes[used++];
    }
    if (length > (uint64_t)(INT64_MAX / 4))
        return false;
    *value = (int64_t)used;
    *end = (int64_t)(used + length);
    return true;
}

bool sci_mxf_klv_at(sci_mxf *mxf, int64_t offset, sci_klv *klv)
{
    const int64_t left = mxf->media->file.size_bytes - offset;
    int64_t value, end;
    if (offset < 0 || left < SCI_MXF_KEY_BYTES + 1)
        return false;
    size_t room = left < SCI_MXF_KLV_BYTES_MAX ? (size_t)left : SCI_MXF_KLV_BYTES_MAX;
    const uint8_t *bytes = sci_window_at(&mxf->window, offset, room);
    if (!bytes || !sci_mxf_klv_in(bytes, room, &value, &end))
        return false;
    memcpy(klv->key, bytes, SCI_MXF_KEY_BYTES);
    klv->start = offset;
    klv->value = offset + value;
    klv->end = offset + end;
    return true;
}

/* ---- partitions ---- */

/* Header metadata and index tables are counted from behind the fill that follows the pack. */
static void place_contents(sci_mxf *mxf, int64_t pack_end, int64_t header_bytes,
                           sci_mxf_partition *partition)
{
    sci_klv fill;
    int64_t at = pack_end;
    if (sci_mxf_klv_at(mxf, at, &fill) && sci_mxf_item_of(fill.key) == SCI_MXF_FILL)
        at = fill.end;
    partition->metadata = at;
    partition->index = at + header_bytes;
    partition->essence = partition->index + partition->index_bytes;
}

static bool read_partition(sci_mxf *mxf, int64_t start, sci_mxf_partition *partition)
{
    sci_klv pack;
    const int64_t size = mxf->media->file.size_bytes;
    if (!sci_mxf_klv_at(mxf, start, &pack) || sci_mxf_item_of(pack.key) != SCI_MXF_PARTITION ||
        pack.end - pack.value < PACK_BYTES)
        return false;
    const uint8_t *bytes = sci_window_at(&mxf->window, pack.value, PACK_BYTES);
    if (!bytes)
        return false;
    const uint64_t header_bytes = AV_RB64(bytes + 32), index_bytes = AV_RB64(bytes + 40);
    const uint64_t body_offset = AV_RB64(bytes + 52);
    if (header_bytes > (uint64_t)size || index_bytes > (uint64_t)size ||
        body_offset > (uint64_t)(INT64_MAX / 4))
        return false;
    *partition = (sci_mxf_partition){.start = start,
                                     .previous = (int64_t)AV_RB64(bytes + 16),
                                     .footer = (int64_t)AV_RB64(bytes + 24),
                                     .index_bytes = (int64_t)index_bytes,
                                     .index_sid = AV_RB32(bytes + 48),
                                     .body_offset = (int64_t)body_offset,
                                     .body_sid = AV_RB32(bytes + 60),
                                     .open = pack.key[14] & 1};
    place_contents(mxf, pack.end, (int64_t)header_bytes, partition);
    return true;
}

bool sci_mxf_skip_partition(sci_mxf *mxf, const sci_klv *pack, int64_t *essence)
{
    sci_mxf_partition partition;
    bool read = read_partition(mxf, pack->start, &partition);
    *essence = read ? partition.essence : pack->end;
    return read;
}

static bool add_partition(sci_mxf *mxf, const sci_mxf_partition *partition)
{
    if (mxf->partition_count >= SCI_MXF_PARTITIONS_MAX ||
        !sci_grow(&mxf->partitions, mxf->partition_count, &mxf->partition_capacity,
                  sizeof *partition))
        return false;
    mxf->partitions[mxf->partition_count++] = *partition;
    return true;
}

/* Behind a run-in of up to 64 KiB. */
static bool find_header(sci_mxf *mxf, sci_mxf_partition *header)
{
    static const uint8_t key[] = {0x06, 0x0e, 0x2b, 0x34, 0x02, 0x05, 0x01,
                                  0x01, 0x0d, 0x01, 0x02, 0x01, 0x01, 0x02};
    for (int64_t at = 0; at < RUN_IN_BYTES_MAX; at++) {
        const uint8_t *bytes = sci_window_at(&mxf->window, at, sizeof key);
        if (!bytes)
            return false;
        if (memcmp(bytes, key, sizeof key) == 0)
            return read_partition(mxf, at, header);
    }
    return false;
}

/* The last item of a finished file lists the partitions; offsets do not count the run-in. */
static bool read_random_index(sci_mxf *mxf, int64_t run_in)
{
    static const uint8_t tail[] = {0x0d, 0x01, 0x02, 0x01, 0x01, 0x11, 0x01, 0x00};
    const int64_t size = mxf->media->file.size_bytes;
    sci_klv pack;
    const uint8_t *bytes = sci_window_at(&mxf->window, size - 4, 4);
    int64_t length = bytes ? AV_RB32(bytes) : 0;
    if (length < SCI_MXF_KEY_BYTES + 1 + 4 || length > size || length > RIP_BYTES_MAX ||
        !sci_mxf_klv_at(mxf, size - length, &pack) || memcmp(pack.key + 8, tail, sizeof tail) != 0)
        return false;
    for (int64_t at = pack.value; at + RIP_ENTRY_BYTES <= size - 4; at += RIP_ENTRY_BYTES) {
        sci_mxf_partition partition;
        bytes = sci_window_at(&mxf->window, at, RIP_ENTRY_BYTES);
        uint64_t start = bytes ? AV_RB64(bytes + 4) : UINT64_MAX;
        if (start > (uint64_t)size - (uint64_t)run_in)
            return false;
        /* The list is read on afterwards. */
        sci_window list = mxf->window;
        sci_window_open(&mxf->window, &mxf->media->file, SCI_WINDOW_BYTES);
        bool read = read_partition(mxf, (int64_t)start + run_in, &partition) &&
                    add_partition(mxf, &partition);
        mxf->window = list;
        if (!read)
            return false;
    }
    return mxf->partition_count > 0;
}

/* From the footer backwards; each partition says where the one before it starts. */
static bool read_chain(sci_mxf *mxf, int64_t run_in, const sci_mxf_partition *header)
{
    int64_t at = header->footer;
    sci_mxf_partition partition;
    if (at <= 0)
        return false;
    while (at > 0) {
        if (!read_partition(mxf, at + run_in, &partition) || !add_partition(mxf, &partition) ||
            partition.previous >= at)
            return false;
        at = partition.previous;
    }
    return add_partition(mxf, header);
}

/* What follows the header, where nothing says more: the first body partition may. */
static bool read_beginning(sci_mxf *mxf, const sci_mxf_partition *header)
{
    enum { ITEMS_MAX = 16 };
    sci_mxf_partition partition;
    sci_klv klv;
    int64_t at = header->essence;
    mxf->partition_count = 0;
    if (!add_partition(mxf, header))
        return false;
    for (int i = 0; i < ITEMS_MAX && sci_mxf_klv_at(mxf, at, &klv); i++) {
        sci_mxf_item item = sci_mxf_item_of(klv.key);
        at = klv.end;
        if (item == SCI_MXF_PARTITION && read_partition(mxf, klv.start, &partition)) {
            if (!add_partition(mxf, &partition))
                return false;
            at = partition.essence;
            if (partition.body_sid)
                break;
        } else if (item != SCI_MXF_FILL && item != SCI_MXF_INDEX) {
            break;
        }
    }
    return true;
}

static int by_start(const void *a, const void *b)
{
    const sci_mxf_partition *x = a, *y = b;
    return x->start < y->start ? -1 : x->start > y->start;
}

bool sci_mxf_find_partitions(sci_mxf *mxf)
{
    sci_mxf_partition header;
    sci_window_open(&mxf->window, &mxf->media->file, SCI_WINDOW_BYTES);
    if (!find_header(mxf, &header))
        return false;
    const int64_t run_in = header.start;
    if (header.footer > 0 && header.footer < INT64_MAX / 4)
        mxf->footer = header.footer + run_in;
    mxf->complete = read_random_index(mxf, run_in);
    if (!mxf->complete) {
        mxf->partition_count = 0;
        mxf->complete = read_chain(mxf, run_in, &header);
    }
    if (!mxf->complete && !read_beginning(mxf, &header))
        return false;
    qsort(mxf->partitions, mxf->partition_count, sizeof *mxf->partitions, by_start);
    for (size_t i = 0; i < mxf->partition_count; i++)
        mxf->partitions[i].end = i + 1 < mxf->partition_count ? mxf->partitions[i + 1].start
                                                              : mxf->media->file.size_bytes;
    return true;
}

void sci_mxf_close(sci_mxf *mxf)
{
    for (size_t i = 0; i < mxf->index_count; i++)
        free(mxf->indexes[i].units);
    free(mxf->partitions);
}
