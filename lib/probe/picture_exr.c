/* OpenEXR file layout: a magic number, the version, attributes up to an empty name. */
#include "probe/picture.h"

#include <libavutil/intreadwrite.h>
#include <stdio.h>
#include <string.h>

enum {
    NAME_MAX_BYTES = 256, /* a name or a type with its zero */
    ATTRIBUTES_MAX = 4096,
    CHANNELS_MAX = 1024,
    MULTIPART = 1 << 12,
    DEEP = 1 << 11,
    TILED = 1 << 9
};

struct exr {
    sci_window *window;
    sci_picture *picture;
    uint32_t version;
    int64_t pixel_bytes; /* of all channels; 0: they are subsampled, or not known */
    int types;           /* bit n: a channel is of type n */
    int compression;
    int32_t data_width, data_height;
};

static const char *const compressions[] = {"",       " RLE", " ZIPS", " ZIP",  " PIZ",
                                           " PXR24", " B44", " B44A", " DWAA", " DWAB"};

/* The text at an offset, which is moved past its zero; NULL: it has none within reach. */
static const char *text_at(const struct exr *exr, int64_t *offset)
{
    const int64_t left = exr->window->file->size_bytes - *offset;
    const size_t most = left < NAME_MAX_BYTES ? (size_t)(left > 0 ? left : 0) : NAME_MAX_BYTES;
    const char *text = most ? (const char *)sci_window_at(exr->window, *offset, most) : NULL;
    const char *end = text ? memchr(text, 0, most) : NULL;
    if (!end)
        return NULL;
    *offset += end - text + 1;
    return text;
}

static void read_channels(struct exr *exr, int64_t at, int64_t size)
{
    static const int type_bytes[] = {4, 2, 4}; /* uint, half, float */
    const int64_t end = at + size;
    const char *name;
    for (int i = 0; i < CHANNELS_MAX && at < end && (name = text_at(exr, &at)) && *name; i++) {
        const uint8_t *channel = sci_window_at(exr->window, at, 16);
        uint32_t type = channel ? AV_RL32(channel) : 3;
        if (type > 2)
            return;
        exr->types |= 1 << type;
        if (AV_RL32(channel + 8) != 1 || AV_RL32(channel + 12) != 1) {
            exr->pixel_bytes = 0;
            return;
        }
        exr->pixel_bytes += type_bytes[type];
        at += 16;
    }
}

static bool read_box(const uint8_t *box, int32_t *width, int32_t *height)
{
    int64_t wide = (int64_t)(int32_t)AV_RL32(box + 8) - (int32_t)AV_RL32(box) + 1;
    int64_t high = (int64_t)(int32_t)AV_RL32(box + 12) - (int32_t)AV_RL32(box + 4) + 1;
    if (wide < 1 || high < 1 || wide > SCI_PICTURE_SIDE_MAX || high > SCI_PICTURE_SIDE_MAX)
        return false;
    *width = (int32_t)wide;
    *height = (int32_t)high;
    return true;
}

/* The picture that is shown is the display window's; the data window's is what is stored. */
static void read_attribute(struct exr *exr, const char *name, int64_t at, int64_t size)
{
    const uint8_t *value = size >= 1 && size <= 16 ? sci_window_at(exr->window, at, (size_t)size)
                                                   : NULL;
    if (strcmp(name, "channels") == 0)
        read_channels(exr, at, size);
    else if (!value)
        return;
    else if (strcmp(name, "compression") == 0)
        exr->compression = value[0];
    else if (strcmp(name, "displayWindow") == 0 && size == 16)
        read_box(value, &exr->picture->width, &exr->picture->height);
    else if (strcmp(name, "dataWindow") == 0 && size == 16)
        read_box(value, &exr->data_width, &exr->data_height);
    else if (strcmp(name, "framesPerSecond") == 0 && size == 8 && AV_RL32(value + 4))
        exr->picture->rate = sci_picture_rate((double)(int32_t)AV_RL32(value) / AV_RL32(value + 4));
}

/* The first header; where it ends, negative where it does not. */
static int64_t read_header(struct exr *exr)
{
    int64_t at = 8;
    for (int i = 0; i < ATTRIBUTES_MAX; i++) {
        char name[NAME_MAX_BYTES];
        const char *text = text_at(exr, &at);
        if (!text)
            return -1;
        if (!*text)
            return at;
        snprintf(name, sizeof name, "%s", text);
        const uint8_t *bytes = text_at(exr, &at) ? sci_window_at(exr->window, at, 4) : NULL;
        if (!bytes)
            return -1;
        const int64_t size = AV_RL32(bytes);
        at += 4;
        read_attribute(exr, name, at, size);
        at += size;
    }
    return -1;
}

/* Each line has an offset in a table, and its number and length before it. */
static int64_t least_bytes(const struct exr *exr, int64_t header_bytes)
{
    return exr->pixel_bytes > 0 && exr->pixel_bytes < 4096 &&
                   !(exr->version & (MULTIPART | DEEP | TILED))
               ? header_bytes + exr->data_height * (16 + exr->data_width * exr->pixel_bytes)
               : 0;
}

bool sci_picture_exr(sci_window *window, sci_picture *picture)
{
    struct exr exr = {.window = window, .picture = picture, .compression = -1};
    const uint8_t *bytes = sci_window_at(window, 0, 8);
    if (!bytes)
        return false;
    exr.version = AV_RL32(bytes + 4);
    int64_t header_bytes = read_header(&exr);
    if (header_bytes < 0)
        return false;
    const bool known = exr.compression >= 0 && exr.compression < (int)SCI_COUNT(compressions);
    const char *type = exr.types == 1 << 1 ? " half" : exr.types == 1 << 2 ? " float" : "";
    picture->codec = AV_CODEC_ID_EXR;
    picture->bit_depth = exr.types == 1 << 1 ? 16 : exr.types == 1 << 2 ? 32 : 0;
    /* A data window of its own may differ from frame to frame. */
    picture->uncompressed = exr.compression == 0 && !(exr.version & DEEP) &&
                            exr.data_width == picture->width && exr.data_height == picture->height;
    if (picture->uncompressed)
        picture->least_bytes = least_bytes(&exr, header_bytes);
    snprintf(picture->name, sizeof picture->name, "EXR%s%s", type,
             known ? compressions[exr.compression] : "");
    return true;
}
