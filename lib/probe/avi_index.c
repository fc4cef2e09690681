/* The indexes of AVI: idx1 of the first files, and those of OpenDML, where a list for each stream
   names parts of the index that lie among the media. */
#include "probe/avi.h"

#include <libavutil/intreadwrite.h>
#include <stdlib.h>
#include <string.h>

enum {
    PART_BYTES_MAX = 64 << 20, /* of an index: 4 million chunks */
    IDX1_ROW_BYTES = 16,
    KEY_FLAG = 0x10,
    LIST_FLAG = 0x01,
    PART_HEADER_BYTES = 24, /* of an index of OpenDML, without the header of its chunk */
    INDEX_OF_INDEXES = 0,
    INDEX_OF_CHUNKS = 1,
    PART_ROW_BYTES = 16 /* of the list of parts */
};

static void unload(sci_media *media, uint8_t *data, int64_t bytes)
{
    if (data)
        sci_file_give_memory(&media->file, (size_t)bytes);
    free(data);
}

/* NULL when not all of them are there; else to be unloaded. */
static uint8_t *load(sci_media *media, int64_t offset, int64_t bytes)
{
    sci_file *file = &media->file;
    if (bytes <= 0 || bytes > PART_BYTES_MAX || offset < 0 || offset > file->size_bytes - bytes ||
        !sci_file_take_memory(file, (size_t)bytes))
        return NULL;
    uint8_t *data = malloc((size_t)bytes);
    if (data && sci_file_read_all(file, offset, data, bytes))
        return data;
    free(data);
    sci_file_give_memory(file, (size_t)bytes);
    return NULL;
}

/* A row that is not belongs to an index that is damaged, or to a file that was cut: both are walked. */
static bool is_inside(const sci_media *media, int64_t pos, int64_t bytes)
{
    return pos >= media->avi->movi && pos <= media->file.size_bytes - bytes;
}

/* ---- idx1 ---- */

struct row {
    const uint8_t *name;
    bool key;
    int64_t offset, bytes;
};

static struct row row_at(const uint8_t *rows, size_t i)
{
    const uint8_t *at = rows + i * IDX1_ROW_BYTES;
    return (struct row){at, AV_RL32(at + 4) & KEY_FLAG, AV_RL32(at + 8), AV_RL32(at + 12)};
}

static bool is_media(const sci_media *media, const uint8_t *rows, size_t i)
{
    return !(AV_RL32(rows + i * IDX1_ROW_BYTES + 4) & LIST_FLAG) &&
           sci_avi_stream_of(media->avi, rows + i * IDX1_ROW_BYTES) >= 0;
}

/* Whether the chunk of a row lies at its offset from `base`. Behind the end of a file that was cut
   nothing can be said. */
static bool is_chunk(sci_media *media, const struct row *row, int64_t base)
{
    uint8_t header[SCI_CHUNK_HEADER_BYTES];
    const int64_t pos = base + row->offset;
    return sci_file_read_at(&media->file, pos, header, sizeof header) == sizeof header &&
           memcmp(header, row->name, 4) == 0 && AV_RL32(header + 4) == row->bytes;
}

/* Offsets count from the word "movi", or from the start of the file. Asked of a row in the middle, for
   which both cannot be true. -1: neither. */
static int64_t base_of(sci_media *media, const uint8_t *rows, size_t count)
{
    const int64_t bases[] = {media->avi->movi - 4, 0};
    size_t i = count / 2;
    while (i < count && !is_media(media, rows, i))
        i++;
    for (size_t k = 0; k < SCI_COUNT(bases) && i < count; k++) {
        const struct row row = row_at(rows, i);
        if (is_chunk(media, &row, bases[k]))
            return bases[k];
    }
    return -1;
}

/* The first and the last one are where they should be. */
static bool holds(sci_media *media, const uint8_t *rows, size_t count, int64_t base)
{
    size_t first = 0, last = count;
    while (first < count && !is_media(media, rows, first))
        first++;
    while (last > first && !is_media(media, rows, last - 1))
        last--;
    if (last <= first)
        return false;
    const struct row a = row_at(rows, first), b = row_at(rows, last - 1);
    return is_chunk(media, &a, base) && is_chunk(media, &b, base);
}

static sc_status add_rows(sci_media *media, const uint8_t *rows, size_t count, int64_t base)
{
    sc_status status = sci_packets_reserve(&media->packets, count);
    for (size_t i = 0; i < count && status == SC_OK; i++) {
        const struct row row = row_at(rows, i);
        if ((i & 0xFFFF) == 0 && sci_file_give_up(&media->file))
            return SC_CANCELLED;
        const int64_t pos = base + row.offset + SCI_CHUNK_HEADER_BYTES;
        if (!is_media(media, rows, i))
            continue;
        if (!is_inside(media, pos, row.bytes)) {
            sci_avi_rewind(media);
            break;
        }
        status = sci_avi_add(media, sci_avi_stream_of(media->avi, row.name), pos, row.bytes,
                             row.key);
    }
    return status;
}

static sc_status read_idx1(sci_media *media)
{
    const sci_avi *avi = media->avi;
    uint8_t *rows = load(media, avi->idx1, avi->idx1_bytes);
    const size_t count = rows ? (size_t)avi->idx1_bytes / IDX1_ROW_BYTES : 0;
    const int64_t base = count ? base_of(media, rows, count) : -1;
    sc_status status = SC_OK;
    if (base >= 0 && holds(media, rows, count, base))
        status = add_rows(media, rows, count, base);
    unload(media, rows, avi->idx1_bytes);
    return status;
}

/* ---- OpenDML ---- */

struct part {
    const uint8_t *at; /* behind the header of its chunk */
    size_t bytes;
};

static int type_of(struct part part)
{
    return part.bytes >= PART_HEADER_BYTES ? part.at[3] : -1;
}

static size_t rows_of(struct part part, size_t row_bytes)
{
    const size_t there = (part.bytes - PART_HEADER_BYTES) / row_bytes;
    const uint32_t promised = AV_RL32(part.at + 4);
    return promised < there ? promised : there;
}

/* Rows of offset and size; with fields a third word follows. */
static sc_status add_part(sci_media *media, struct part part, int64_t *missing)
{
    const size_t row_bytes = 4 * (size_t)AV_RL16(part.at);
    const int stream = sci_avi_stream_of(media->avi, part.at + 8);
    const int64_t base = (int64_t)AV_RL64(part.at + 12);
    sc_status status = SC_OK;
    if (row_bytes < 8 || stream < 0 || base < 0 || base > media->file.size_bytes) {
        *missing += 1;
        return SC_OK;
    }
    const size_t count = rows_of(part, row_bytes);
    for (size_t i = 0; i < count && status == SC_OK; i++) {
        const uint8_t *row = part.at + PART_HEADER_BYTES + i * row_bytes;
        const uint32_t size = AV_RL32(row + 4);
        if ((i & 0xFFFF) == 0 && sci_file_give_up(&media->file))
            return SC_CANCELLED;
        const int64_t pos = base + AV_RL32(row), bytes = size & 0x7FFFFFFF;
        if (!is_inside(media, pos, bytes)) {
            *missing += 1;
            break;
        }
        status = sci_avi_add(media, stream, pos, bytes, !(size >> 31));
    }
    return status;
}

static sc_status read_part(sci_media *media, const uint8_t *row, int64_t *missing)
{
    const int64_t offset = (int64_t)AV_RL64(row), bytes = AV_RL32(row + 8);
    uint8_t *data = load(media, offset, bytes);
    const struct part part = {
        data ? data + SCI_CHUNK_HEADER_BYTES : NULL,
        bytes > SCI_CHUNK_HEADER_BYTES ? (size_t)bytes - SCI_CHUNK_HEADER_BYTES : 0};
    sc_status status = SC_OK;
    if (data && type_of(part) == INDEX_OF_CHUNKS)
        status = add_part(media, part, missing);
    else
        *missing += 1;
    unload(media, data, bytes);
    return status;
}

static sc_status read_stream_index(sci_media *media, const sci_avi_stream *stream, int64_t *missing)
{
    const struct part index = {stream->index, stream->index_bytes};
    sc_status status = SC_OK;
    if (type_of(index) == INDEX_OF_CHUNKS)
        return add_part(media, index, missing);
    if (type_of(index) != INDEX_OF_INDEXES) {
        *missing += 1;
        return SC_OK;
    }
    const size_t count = rows_of(index, PART_ROW_BYTES);
    for (size_t i = 0; i < count && status == SC_OK && *missing == 0; i++)
        status = read_part(media, index.at + PART_HEADER_BYTES + i * PART_ROW_BYTES, missing);
    return status;
}

static bool has_lists(const sci_avi *avi)
{
    for (size_t i = 0; i < avi->stream_count; i++)
        if (!avi->streams[i].index)
            return false;
    return avi->stream_count > 0;
}

static sc_status read_lists(sci_media *media)
{
    int64_t missing = 0;
    sc_status status = SC_OK;
    for (size_t i = 0; i < media->avi->stream_count && status == SC_OK; i++)
        status = read_stream_index(media, &media->avi->streams[i], &missing);
    if (missing)
        sci_avi_rewind(media);
    return status;
}

/* ---- the strategy ---- */

static sc_status read_index(sci_media *media)
{
    const sci_avi *avi = media->avi;
    sc_status status = has_lists(avi) ? read_lists(media) : SC_OK;
    if (status == SC_OK && media->packets.count == 0 && avi->idx1_bytes && !avi->goes_on)
        status = read_idx1(media);
    return status;
}

static sc_status collect(sci_media *media, sc_error *error)
{
    sc_status status = read_index(media);
    if (status == SC_OK && (media->packets.count == 0 || !sci_avi_covers_all(media)))
        sci_avi_rewind(media);
    if (status == SC_OK && sci_file_give_up(&media->file))
        status = SC_CANCELLED;
    return sci_avi_finish(media, status, error);
}

static bool check(sci_media *media)
{
    return media->packets.count > 0;
}

const sci_strategy sci_strategy_avi_index = {.source = SC_SOURCE_FILE_INDEX,
                                             .times_are_the_containers = true,
                                             .positions_are_readable = true,
                                             .matches = sci_avi_matches,
                                             .collect = collect,
                                             .check = check};
