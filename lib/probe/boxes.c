#include "probe/media.h"

#include <libavutil/intreadwrite.h>
#include <string.h>

enum { HEADER_BYTES = 16 };

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
