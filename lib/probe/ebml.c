#include "probe/ebml.h"

#include <libavutil/intfloat.h>
#include <libavutil/intreadwrite.h>

enum { ID_BYTES_MAX = 4, NUMBER_BYTES_MAX = 8 };

int sci_ebml_number(const uint8_t *bytes, size_t room, uint64_t *value, bool *all_ones)
{
    int length = 1;
    if (room == 0 || bytes[0] == 0)
        return 0;
    while (!(bytes[0] & (0x80 >> (length - 1))))
        length++;
    if ((size_t)length > room)
        return 0;
    uint64_t number = bytes[0] & (0xFF >> length);
    for (int i = 1; i < length; i++)
        number = number << 8 | bytes[i];
    *value = number;
    *all_ones = number == (UINT64_C(1) << 7 * length) - 1;
    return length;
}

/* Identifiers keep their marker. */
static int read_id(const uint8_t *bytes, size_t room, uint32_t *id)
{
    uint64_t number;
    bool all_ones;
    int length = sci_ebml_number(bytes, room, &number, &all_ones);
    if (length == 0 || length > ID_BYTES_MAX || all_ones)
        return 0;
    *id = (uint32_t)(number | UINT64_C(1) << 7 * length);
    return length;
}

bool sci_ebml_at(sci_window *window, int64_t offset, int64_t end, sci_element *element)
{
    uint64_t size;
    if (offset < 0 || offset >= end)
        return false;
    size_t room = end - offset < SCI_ELEMENT_HEADER_BYTES ? (size_t)(end - offset)
                                                          : SCI_ELEMENT_HEADER_BYTES;
    const uint8_t *bytes = sci_window_at(window, offset, room);
    int id_length = bytes ? read_id(bytes, room, &element->id) : 0;
    int size_length = id_length ? sci_ebml_number(bytes + id_length, room - (size_t)id_length,
                                                  &size, &element->size_unknown)
                                : 0;
    if (!size_length)
        return false;
    element->start = offset;
    element->contents = offset + id_length + size_length;
    element->cut = !element->size_unknown && size > (uint64_t)(end - element->contents);
    element->end = element->size_unknown || element->cut ? end : element->contents + (int64_t)size;
    return true;
}

static const uint8_t *contents(sci_window *window, const sci_element *element, int64_t *size)
{
    *size = element->end - element->contents;
    if (*size < 0 || *size > NUMBER_BYTES_MAX || element->cut || element->size_unknown)
        return NULL;
    return sci_window_at(window, element->contents, (size_t)*size);
}

bool sci_ebml_unsigned(sci_window *window, const sci_element *element, uint64_t *value)
{
    int64_t size;
    const uint8_t *bytes = contents(window, element, &size);
    *value = 0;
    for (int64_t i = 0; bytes && i < size; i++)
        *value = *value << 8 | bytes[i];
    return bytes;
}

bool sci_ebml_float(sci_window *window, const sci_element *element, double *value)
{
    int64_t size;
    const uint8_t *bytes = contents(window, element, &size);
    if (!bytes || (size != 4 && size != 8))
        return false;
    *value = size == 4 ? (double)av_int2float(AV_RB32(bytes)) : av_int2double(AV_RB64(bytes));
    return true;
}
