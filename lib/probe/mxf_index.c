/* Index table segments (SMPTE ST 377-1, clause 11). */
#include "probe/mxf.h"

#include <libavutil/intreadwrite.h>
#include <stdlib.h>
#include <string.h>

enum {
    EDIT_RATE = 0x3F0B,
    START_POSITION = 0x3F0C,
    DURATION = 0x3F0D,
    UNIT_BYTES = 0x3F05,
    BODY_SID = 0x3F07,
    ENTRIES = 0x3F0A,
    ENTRY_BYTES_MIN = 1 + 1 + 1 + 8, /* temporal and key-frame offset, flags, stream offset */
    /* Of the flags of an entry. */
    RANDOM_ACCESS = 0x80,
    PREDICTED = 0x30,
    INDEX_BYTES_MAX = 256 << 20
};

struct segment {
    int64_t start, duration, unit_bytes;
    sc_rational rate;
    uint32_t body_sid;
    const uint8_t *entries;
    uint32_t entry_count, entry_bytes;
};

static void read_item(struct segment *segment, int tag, const uint8_t *value, size_t size,
                      size_t room)
{
    if (tag == EDIT_RATE && size >= 8)
        segment->rate = (sc_rational){AV_RB32(value), AV_RB32(value + 4)};
    else if (tag == START_POSITION && size >= 8)
        segment->start = (int64_t)AV_RB64(value);
    else if (tag == DURATION && size >= 8)
        segment->duration = (int64_t)AV_RB64(value);
    else if (tag == UNIT_BYTES && size >= 4)
        segment->unit_bytes = AV_RB32(value);
    else if (tag == BODY_SID && size >= 4)
        segment->body_sid = AV_RB32(value);
    else if (tag == ENTRIES && room >= 8) {
        uint32_t count = AV_RB32(value), bytes = AV_RB32(value + 4);
        if (bytes >= ENTRY_BYTES_MIN && (uint64_t)count * bytes <= room - 8)
            segment->entries = value + 8, segment->entry_count = count,
            segment->entry_bytes = bytes;
    }
}

/* Of a local set with tags and lengths of two bytes. The array of entries may be longer than its
   length of 16 bits can say; its own count says it then. */
static struct segment read_segment(const uint8_t *bytes, size_t size)
{
    struct segment segment = {0};
    size_t at = 0;
    while (at + 4 <= size) {
        int tag = AV_RB16(bytes + at);
        size_t length = AV_RB16(bytes + at + 2), room = size - at - 4;
        if (length > room)
            break;
        read_item(&segment, tag, bytes + at + 4, length, room);
        if (tag == ENTRIES && segment.entries &&
            (uint64_t)segment.entry_count * segment.entry_bytes + 8 > UINT16_MAX)
            break;
        at += 4 + length;
    }
    return segment;
}

static sci_mxf_index *find_index(sci_mxf *mxf, const struct segment *segment, uint32_t body_sid)
{
    for (size_t i = 0; i < mxf->index_count; i++)
        if (mxf->indexes[i].body_sid == body_sid)
            return &mxf->indexes[i];
    if (mxf->index_count == SCI_MXF_INDEXES_MAX)
        return NULL;
    sci_mxf_index *index = &mxf->indexes[mxf->index_count++];
    *index = (sci_mxf_index){.body_sid = body_sid, .rate = segment->rate};
    return index;
}

/* Segments are often repeated, in every partition or at the end. */
static bool add_units(sci_mxf_index *index, const struct segment *segment)
{
    if (segment->start < 0 || segment->start > SCI_PACKETS_MAX ||
        segment->entry_count > SCI_PACKETS_MAX - (uint32_t)segment->start)
        return true;
    if ((uint64_t)segment->start > index->unit_count) {
        index->holes = true;
        return true;
    }
    for (uint32_t i = (uint32_t)(index->unit_count - (size_t)segment->start);
         i < segment->entry_count; i++) {
        const uint8_t *entry = segment->entries + (size_t)i * segment->entry_bytes;
        if (!sci_grow(&index->units, index->unit_count, &index->unit_capacity,
                      sizeof *index->units))
            return false;
        index->units[index->unit_count++] = (sci_mxf_unit){
            .offset = (int64_t)(AV_RB64(entry + 3) & INT64_MAX),
            .key = entry[2] & RANDOM_ACCESS || !(entry[2] & PREDICTED)};
    }
    return true;
}

static bool add_segment(sci_mxf *mxf, const struct segment *segment, uint32_t partition_body_sid)
{
    uint32_t body_sid = segment->body_sid ? segment->body_sid : partition_body_sid;
    sci_mxf_index *index = find_index(mxf, segment, body_sid);
    if (!index || segment->start < 0 || segment->duration < 0)
        return true;
    if (segment->unit_bytes > 0)
        index->unit_bytes = segment->unit_bytes;
    if (segment->start < INT64_MAX / 2 && segment->duration < INT64_MAX / 2 &&
        segment->start + segment->duration > index->duration)
        index->duration = segment->start + segment->duration;
    return segment->entries ? add_units(index, segment) : true;
}

static bool read_segments(sci_mxf *mxf, const sci_mxf_partition *partition)
{
    const size_t size = (size_t)partition->index_bytes;
    int64_t at = 0, value, end;
    bool kept = true;
    uint8_t *bytes = malloc(size);
    int64_t got = bytes ? sci_file_read_at(&mxf->media->file, partition->index, bytes, size) : -1;
    while (kept && at < got && sci_mxf_klv_in(bytes + at, (size_t)(got - at), &value, &end) &&
           end <= got - at) {
        if (sci_mxf_item_of(bytes + at) == SCI_MXF_INDEX) {
            struct segment segment = read_segment(bytes + at + value, (size_t)(end - value));
            kept = add_segment(mxf, &segment, partition->body_sid);
        }
        at += end;
    }
    free(bytes);
    return kept && got >= 0;
}

static int by_offset(const void *a, const void *b)
{
    const sci_mxf_unit *x = a, *y = b;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static bool sort_units(sci_mxf *mxf, sci_mxf_index *index)
{
    const sci_stop stop = sci_file_stopper(&mxf->media->file);
    for (size_t k = 1; k < index->unit_count; k++)
        if (index->units[k].offset < index->units[k - 1].offset)
            return sci_sort(index->units, index->unit_count, sizeof *index->units, by_offset,
                            &stop);
    return true;
}

bool sci_mxf_read_indexes(sci_mxf *mxf)
{
    for (size_t i = 0; i < mxf->partition_count; i++) {
        const sci_mxf_partition *partition = &mxf->partitions[i];
        if (partition->index_bytes > 0 && partition->index_bytes < INDEX_BYTES_MAX &&
            !read_segments(mxf, partition))
            return false;
    }
    for (size_t i = 0; i < mxf->index_count; i++)
        if (!sort_units(mxf, &mxf->indexes[i]))
            return false;
    return true;
}
