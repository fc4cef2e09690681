#include "probe/boxes.h"

#include <libavutil/intreadwrite.h>

bool sci_boxes_next(sci_boxes *boxes, sci_box *box)
{
    const size_t left = (size_t)(boxes->end - boxes->at);
    *box = (sci_box){0};
    if (left < 8)
        return false;
    uint64_t size = AV_RB32(boxes->at), header = 8;
    if (size == 1 && left >= 16) {
        size = AV_RB64(boxes->at + 8);
        header = 16;
    } else if (size == 0) {
        size = left;
    }
    if (size < header)
        return false;
    if (size > left)
        size = left;
    *box = (sci_box){boxes->at + 4, boxes->at + header, boxes->at + size};
    boxes->at += size;
    return true;
}

bool sci_box_is(const sci_box *box, const char type[4])
{
    return memcmp(box->type, type, 4) == 0;
}

bool sci_box_find(const sci_box *parent, const char type[4], sci_box *box)
{
    sci_boxes children = sci_box_children(parent);
    while (sci_boxes_next(&children, box))
        if (sci_box_is(box, type))
            return true;
    return false;
}

bool sci_file_box_parse(const sci_file *file, int64_t offset, const uint8_t *bytes, size_t size,
                        sci_file_box *box)
{
    if (size < 8)
        return false;
    uint64_t length = AV_RB32(bytes), header = 8;
    if (length == 1) {
        header = SCI_BOX_HEADER_BYTES;
        length = size >= SCI_BOX_HEADER_BYTES ? AV_RB64(bytes + 8) : 0;
    } else if (length == 0) {
        length = (uint64_t)(file->size_bytes - offset);
    }
    if (length < header || length > (uint64_t)(INT64_MAX - offset))
        return false;
    memcpy(box->type, bytes + 4, 4);
    box->offset = offset;
    box->header_bytes = (int64_t)header;
    box->bytes = (int64_t)length;
    return true;
}
