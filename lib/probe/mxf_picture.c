/* The picture that is shown, from the picture descriptors: the stored one is larger where a codec
   needs whole blocks of lines (1088 instead of 1080). */
#include "probe/mxf.h"

#include <libavutil/intreadwrite.h>
#include <stdlib.h>
#include <string.h>

enum {
    STORED_HEIGHT = 0x3202,
    DISPLAY_HEIGHT = 0x3208,
    BLOCK_LINES = 16, /* more is blanking that was recorded */
    METADATA_BYTES_MAX = 4 << 20
};

/* Generic picture, CDCI, RGBA and MPEG video descriptors. */
static bool is_picture_descriptor(const uint8_t *key)
{
    static const uint8_t set[] = {0x06, 0x0e, 0x2b, 0x34, 0x02, 0x53, 0x01,
                                  0x01, 0x0d, 0x01, 0x01, 0x01, 0x01, 0x01};
    return memcmp(key, set, sizeof set) == 0 &&
           (key[14] == 0x27 || key[14] == 0x28 || key[14] == 0x29 || key[14] == 0x51);
}

static void apply(sci_media *media, int64_t stored, int64_t shown)
{
    for (unsigned i = 0; i < media->format->nb_streams; i++) {
        AVCodecParameters *codec = media->format->streams[i]->codecpar;
        /* Heights may be those of one of two fields. */
        int64_t fields = stored > 0 && codec->height == 2 * stored ? 2 : 1;
        if (codec->codec_type == AVMEDIA_TYPE_VIDEO && codec->height == fields * stored &&
            shown > 0 && shown < stored && (stored - shown) * fields < BLOCK_LINES)
            codec->height = (int)(fields * shown);
    }
}

static void read_descriptor(sci_media *media, const uint8_t *bytes, size_t size)
{
    int64_t stored = 0, shown = 0;
    for (size_t at = 0; at + 8 <= size;) {
        int tag = AV_RB16(bytes + at);
        size_t length = AV_RB16(bytes + at + 2);
        if (tag == STORED_HEIGHT && length == 4)
            stored = AV_RB32(bytes + at + 4);
        else if (tag == DISPLAY_HEIGHT && length == 4)
            shown = AV_RB32(bytes + at + 4);
        at += 4 + length;
    }
    apply(media, stored, shown);
}

void sci_mxf_read_picture(sci_mxf *mxf)
{
    const sci_mxf_partition *header = &mxf->partitions[0];
    int64_t size = header->index - header->metadata;
    if (size <= 0 || size > METADATA_BYTES_MAX)
        return;
    uint8_t *bytes = malloc((size_t)size);
    int64_t got = bytes ? sci_file_read_at(&mxf->media->file, header->metadata, bytes, (size_t)size)
                        : 0;
    for (int64_t at = 0; at < got;) {
        int64_t value, end;
        if (!sci_mxf_klv_in(bytes + at, (size_t)(got - at), &value, &end) || end > got - at)
            break;
        if (is_picture_descriptor(bytes + at))
            read_descriptor(mxf->media, bytes + at + value, (size_t)(end - value));
        at += end;
    }
    free(bytes);
}
