/* What the picture descriptors say: how the picture is coded and sampled, and which part of it is
   shown: the stored one is larger where a codec needs whole blocks of lines (1088 instead of 1080). */
#include "probe/mxf.h"

#include <libavutil/intreadwrite.h>
#include <stdlib.h>
#include <string.h>

enum {
    PICTURE_CODING = 0x3201,
    STORED_HEIGHT = 0x3202,
    DISPLAY_HEIGHT = 0x3208,
    FRAME_LAYOUT = 0x320c,
    FIELD_DOMINANCE = 0x3212,
    COMPONENT_DEPTH = 0x3301,
    HORIZONTAL_SUBSAMPLING = 0x3302,
    VERTICAL_SUBSAMPLING = 0x3308,
    PIXEL_LAYOUT = 0x3401,
    BLOCK_LINES = 16, /* more is blanking that was recorded */
    LAYOUT_BYTES = 16,
    METADATA_BYTES_MAX = 4 << 20
};

struct descriptor {
    int64_t stored, shown; /* lines */
    uint32_t depth, across, down;
    uint8_t layout[LAYOUT_BYTES]; /* pairs of a component's letter and its bits */
    int frame_layout, dominance;  /* -1: not given */
    uint8_t label[SCI_MXF_KEY_BYTES];
};

/* Generic picture, CDCI, RGBA and MPEG video descriptors. */
static bool is_picture_descriptor(const uint8_t *key)
{
    static const uint8_t set[] = {0x06, 0x0e, 0x2b, 0x34, 0x02, 0x53, 0x01,
                                  0x01, 0x0d, 0x01, 0x01, 0x01, 0x01, 0x01};
    return memcmp(key, set, sizeof set) == 0 &&
           (key[14] == 0x27 || key[14] == 0x28 || key[14] == 0x29 || key[14] == 0x51);
}

/* ---- what its values mean ---- */

static const char *chroma_of(uint32_t across, uint32_t down)
{
    static const struct {
        uint32_t across, down;
        const char *chroma;
    } kinds[] = {{1, 1, "4:4:4"}, {2, 1, "4:2:2"}, {2, 2, "4:2:0"}, {4, 1, "4:1:1"}};
    for (size_t i = 0; i < SCI_COUNT(kinds); i++)
        if (kinds[i].across == across && kinds[i].down == down)
            return kinds[i].chroma;
    return "";
}

/* Of components in a pixel: red tells for all; floating-point ones have numbers that are no counts. */
static void read_layout(const uint8_t layout[LAYOUT_BYTES], sci_descriptor *result)
{
    bool red = false, green = false, blue = false, alpha = false;
    for (int i = 0; i + 1 < LAYOUT_BYTES && layout[i]; i += 2) {
        red = red || layout[i] == 'R';
        green = green || layout[i] == 'G';
        blue = blue || layout[i] == 'B';
        alpha = alpha || layout[i] == 'A';
        if (layout[i] == 'R' && layout[i + 1] <= 32)
            result->bit_depth = layout[i + 1];
    }
    if (red && green && blue)
        result->chroma = alpha ? "RGBA" : "RGB";
}

static sc_scan_type scan_of(int frame_layout, int dominance)
{
    enum { FULL_FRAME, SEPARATE_FIELDS, ONE_FIELD, MIXED_FIELDS, SEGMENTED_FRAME };
    switch (frame_layout) {
    case FULL_FRAME:
    case SEGMENTED_FRAME:
        return SC_SCAN_PROGRESSIVE;
    case SEPARATE_FIELDS:
    case MIXED_FIELDS:
        return dominance == 1   ? SC_SCAN_TOP_FIRST
               : dominance == 2 ? SC_SCAN_BOTTOM_FIRST
                                : SC_SCAN_INTERLACED;
    default:
        return SC_SCAN_UNKNOWN;
    }
}

static sci_descriptor interpret(const struct descriptor *from)
{
    sci_descriptor result = {.set = true,
                             .chroma = chroma_of(from->across, from->down),
                             .bit_depth = from->depth <= 32 ? (int32_t)from->depth : 0,
                             .scan = scan_of(from->frame_layout, from->dominance)};
    memcpy(result.label, from->label, sizeof result.label);
    read_layout(from->layout, &result);
    return result;
}

/* ---- which tracks it describes ---- */

/* Heights may be those of one of two fields. */
static int64_t fields_of(const AVCodecParameters *codec, int64_t stored)
{
    return stored > 0 && codec->height == 2 * stored ? 2 : 1;
}

static bool fits(const AVCodecParameters *codec, int64_t stored)
{
    return codec->codec_type == AVMEDIA_TYPE_VIDEO && stored > 0 &&
           codec->height == fields_of(codec, stored) * stored;
}

/* What two descriptors that fit do not agree on is not known. */
static void note(sci_descriptor *known, const sci_descriptor *said)
{
    if (!known->set) {
        *known = *said;
        return;
    }
    if (memcmp(known->label, said->label, sizeof known->label) != 0)
        memset(known->label, 0, sizeof known->label);
    if (strcmp(known->chroma, said->chroma) != 0)
        known->chroma = "";
    if (known->bit_depth != said->bit_depth)
        known->bit_depth = 0;
    if (known->scan != said->scan)
        known->scan = SC_SCAN_UNKNOWN;
}

static void apply(sci_media *media, const struct descriptor *descriptor)
{
    const int64_t stored = descriptor->stored, shown = descriptor->shown;
    const sci_descriptor said = interpret(descriptor);
    for (unsigned i = 0; i < media->format->nb_streams && i < media->track_count; i++) {
        AVCodecParameters *codec = media->format->streams[i]->codecpar;
        if (!fits(codec, stored))
            continue;
        const int64_t fields = fields_of(codec, stored);
        note(&media->tracks[i].descriptor, &said);
        if (shown > 0 && shown < stored && (stored - shown) * fields < BLOCK_LINES)
            codec->height = (int)(fields * shown);
    }
}

/* ---- reading it ---- */

static void read_item(struct descriptor *descriptor, int tag, const uint8_t *value, size_t length)
{
    const uint32_t number = length == 4 ? AV_RB32(value) : 0;
    switch (tag) {
    case STORED_HEIGHT:
        descriptor->stored = number;
        break;
    case DISPLAY_HEIGHT:
        descriptor->shown = number;
        break;
    case COMPONENT_DEPTH:
        descriptor->depth = number;
        break;
    case HORIZONTAL_SUBSAMPLING:
        descriptor->across = number;
        break;
    case VERTICAL_SUBSAMPLING:
        descriptor->down = number;
        break;
    case FRAME_LAYOUT:
        descriptor->frame_layout = length == 1 ? value[0] : -1;
        break;
    case FIELD_DOMINANCE:
        descriptor->dominance = length == 1 ? value[0] : -1;
        break;
    case PIXEL_LAYOUT:
        memcpy(descriptor->layout, value, length < LAYOUT_BYTES ? length : LAYOUT_BYTES);
        break;
    case PICTURE_CODING:
        if (length == SCI_MXF_KEY_BYTES)
            memcpy(descriptor->label, value, length);
        break;
    default:
        break;
    }
}

static void read_descriptor(sci_media *media, const uint8_t *bytes, size_t size)
{
    struct descriptor descriptor = {.frame_layout = -1, .dominance = -1};
    for (size_t at = 0; at + 4 <= size;) {
        const size_t length = AV_RB16(bytes + at + 2);
        if (length > size - at - 4)
            break;
        read_item(&descriptor, AV_RB16(bytes + at), bytes + at + 4, length);
        at += 4 + length;
    }
    apply(media, &descriptor);
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
