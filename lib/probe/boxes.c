#include "probe/media.h"

#include <libavutil/intreadwrite.h>
#include <string.h>

enum { HEADER_BYTES = 16, BOXES_MAX = 10000 };

struct box {
    int64_t start, end;
    int64_t inside; /* where its contents start */
};

/* Size of the box at offset, with its header; 0 when there is none. */
static int64_t box_at(sci_file *file, int64_t offset, char type[4])
{
    uint8_t header[HEADER_BYTES] = {0};
    int64_t got = sci_file_read_at(file, offset, header, sizeof header);
    if (got < 8)
        return 0;
    uint64_t size = AV_RB32(header);
    memcpy(type, header + 4, 4);
    if (size == 1)
        size = got == HEADER_BYTES ? AV_RB64(header + 8) : 0;
    else if (size == 0)
        size = (uint64_t)(file->size_bytes - offset);
    return size < 8 || size > (uint64_t)(INT64_MAX - offset) ? 0 : (int64_t)size;
}

/* The first box of that type in [from, end) at that level. */
static bool find_box(sci_file *file, int64_t from, int64_t end, const char type[4], struct box *box)
{
    char found[4];
    for (int i = 0; i < BOXES_MAX && from < end; i++) {
        int64_t size = box_at(file, from, found);
        if (!size)
            return false;
        /* A size of 64 bits follows where the one of 32 cannot hold it. */
        *box = (struct box){from, from + size, from + (size > UINT32_MAX ? 16 : 8)};
        if (memcmp(found, type, 4) == 0)
            return true;
        from += size;
    }
    return false;
}

/* Version and flags, then the number of descriptions: ISO/IEC 14496-12, 8.5.2. */
static bool is_bare(sci_file *file, struct box track)
{
    static const char path[][5] = {"mdia", "minf", "stbl", "stsd"};
    uint8_t head[8];
    struct box box = track;
    for (size_t i = 0; i < SCI_COUNT(path); i++)
        if (!find_box(file, box.inside, box.end, path[i], &box))
            return false;
    return sci_file_read_at(file, box.inside, head, sizeof head) == sizeof head &&
           AV_RB32(head + 4) == 0;
}

bool sci_boxes_hide_bare_tracks(sci_file *file)
{
    struct box movie, track;
    if (!find_box(file, 0, file->size_bytes, "moov", &movie))
        return false;
    for (int64_t from = movie.inside;
         file->hidden_count < SCI_HIDDEN_MAX && find_box(file, from, movie.end, "trak", &track);
         from = track.end)
        if (is_bare(file, track))
            file->hidden[file->hidden_count++] = track.start + 4;
    return file->hidden_count > 0;
}

bool sci_boxes_find(sci_file *file, int64_t offset, const char type[4], int most)
{
    char found[4];
    for (int i = 0; i < most && offset < file->size_bytes; i++) {
        int64_t size = box_at(file, offset, found);
        if (size && memcmp(found, type, 4) == 0)
            return true;
        if (!size)
            return false;
        offset += size;
    }
    return false;
}
