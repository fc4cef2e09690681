#include "probe/picture.h"

#include <libavutil/intreadwrite.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

sc_rational sci_picture_rate(double fps)
{
    sc_rational rate = {0, 0};
    if (fps >= 1 && fps <= 1000)
        rate = sci_rate_near(fps);
    return rate;
}

static void set_name(sci_picture *picture, const char *name)
{
    snprintf(picture->name, sizeof picture->name, "%s", name);
}

static bool possible(const sci_picture *picture)
{
    return picture->width > 0 && picture->width <= SCI_PICTURE_SIDE_MAX && picture->height > 0 &&
           picture->height <= SCI_PICTURE_SIDE_MAX;
}

/* ---- DPX: SMPTE ST 268 ---- */

enum {
    DPX_IMAGE_OFFSET = 4,
    DPX_ELEMENTS = 770,
    DPX_WIDTH = 772,
    DPX_HEIGHT = 776,
    DPX_DESCRIPTOR = 800, /* of the first element, as all that follow up to the offset */
    DPX_BITS = 803,
    DPX_PACKING = 804,
    DPX_ENCODING = 806,
    DPX_GENERIC_BYTES = 1408, /* file, image and orientation headers; the next two are optional */
    DPX_FILM_RATE = 1724,
    DPX_VIDEO_RATE = 1940
};

static const struct {
    uint8_t descriptor;
    int components;
    const char *suffix, *chroma;
} dpx_elements[] = {
    {1, 1, " red", NULL},       {2, 1, " green", NULL},      {3, 1, " blue", NULL},
    {4, 1, " alpha", NULL},     {6, 1, " luma", "4:0:0"},    {50, 3, "", "RGB"},
    {51, 4, " RGBA", "RGBA"},   {52, 4, " ABGR", "RGBA"},    {100, 2, " 4:2:2", "4:2:2"},
    {101, 3, " 4:2:2:4", NULL}, {102, 3, " YCbCr", "4:4:4"}, {103, 4, " YCbCrA", "4:4:4:4"}};

struct dpx {
    const uint8_t *bytes;
    size_t size;
    bool little;
};

static uint32_t dpx_u32(const struct dpx *dpx, size_t at)
{
    return dpx->little ? AV_RL32(dpx->bytes + at) : AV_RB32(dpx->bytes + at);
}

static uint16_t dpx_u16(const struct dpx *dpx, size_t at)
{
    return dpx->little ? AV_RL16(dpx->bytes + at) : AV_RB16(dpx->bytes + at);
}

/* Undefined fields hold all ones, which is no number. */
static sc_rational dpx_rate(const struct dpx *dpx, size_t at)
{
    union {
        uint32_t bits;
        float fps;
    } field = {0};
    if (at + 4 <= dpx->size && dpx_u32(dpx, DPX_IMAGE_OFFSET) >= at + 4)
        field.bits = dpx_u32(dpx, at);
    return sci_picture_rate(field.fps);
}

/* Bytes of a line of that many components, without the filling at its end that some writers leave out;
   0 where packing is not told apart here. */
static int64_t dpx_line_bytes(int64_t components, int bits, int packing)
{
    const bool filled = packing == 1 || packing == 2;
    switch (bits) {
    case 8:
        return components;
    case 10:
        return filled ? (components + 2) / 3 * 4 : (components * 10 + 7) / 8;
    case 12:
        return filled ? components * 2 : (components * 12 + 7) / 8;
    case 16:
        return components * 2;
    default:
        return 0;
    }
}

static int64_t dpx_least_bytes(const struct dpx *dpx, const sci_picture *picture, int components)
{
    const int64_t line = dpx_line_bytes((int64_t)picture->width * components, dpx->bytes[DPX_BITS],
                                        dpx_u16(dpx, DPX_PACKING));
    const bool known = picture->uncompressed && line > 0;
    return known ? dpx_u32(dpx, DPX_IMAGE_OFFSET) + line * picture->height : 0;
}

static bool read_dpx(sci_window *window, sci_picture *picture)
{
    struct dpx dpx = {.size = DPX_VIDEO_RATE + 4};
    const char *suffix = "";
    int components = 0;
    if (!(dpx.bytes = sci_window_at(window, 0, dpx.size))) {
        dpx.size = DPX_GENERIC_BYTES;
        if (!(dpx.bytes = sci_window_at(window, 0, dpx.size)))
            return false;
    }
    dpx.little = dpx.bytes[0] == 'X';
    picture->codec = AV_CODEC_ID_DPX;
    picture->bit_depth = dpx.bytes[DPX_BITS];
    picture->width = (int32_t)dpx_u32(&dpx, DPX_WIDTH);
    picture->height = (int32_t)dpx_u32(&dpx, DPX_HEIGHT);
    if (picture->bit_depth < 1 || picture->bit_depth > 64)
        return false;
    picture->uncompressed = dpx_u16(&dpx, DPX_ENCODING) == 0;
    picture->rate = dpx_rate(&dpx, DPX_FILM_RATE);
    if (!picture->rate.num)
        picture->rate = dpx_rate(&dpx, DPX_VIDEO_RATE);
    for (size_t i = 0; i < SCI_COUNT(dpx_elements); i++)
        if (dpx_elements[i].descriptor == dpx.bytes[DPX_DESCRIPTOR]) {
            suffix = dpx_elements[i].suffix;
            picture->chroma = dpx_elements[i].chroma;
            components = dpx_u16(&dpx, DPX_ELEMENTS) == 1 ? dpx_elements[i].components : 0;
        }
    if (possible(picture))
        picture->least_bytes = dpx_least_bytes(&dpx, picture, components);
    snprintf(picture->name, sizeof picture->name, "DPX %d%s%s", dpx.bytes[DPX_BITS], suffix,
             picture->uncompressed ? "" : " RLE");
    return true;
}

/* ---- JPEG 2000: ISO/IEC 15444-1, a codestream or one in boxes ---- */

static void name_jpeg2000(sci_picture *picture)
{
    picture->codec = AV_CODEC_ID_JPEG2000;
    set_name(picture, "JPEG 2000");
}

static bool read_codestream(sci_window *window, sci_picture *picture)
{
    /* SOC and SIZ: the size of the reference grid, and where on it the picture begins. */
    const uint8_t *bytes = sci_window_at(window, 0, 42);
    if (!bytes)
        return false;
    name_jpeg2000(picture);
    picture->width = (int32_t)(AV_RB32(bytes + 8) - AV_RB32(bytes + 16));
    picture->height = (int32_t)(AV_RB32(bytes + 12) - AV_RB32(bytes + 20));
    return true;
}

static bool read_boxes(sci_window *window, sci_picture *picture)
{
    enum { BOXES_MAX = 32 };
    const uint8_t *bytes = sci_window_at(window, 0, 12);
    if (!bytes || AV_RB32(bytes + 4) != MKBETAG('j', 'P', ' ', ' '))
        return false;
    name_jpeg2000(picture);
    int64_t at = 12;
    for (int i = 0; i < BOXES_MAX; i++) {
        if (!(bytes = sci_window_at(window, at, 8)))
            return false;
        uint32_t size = AV_RB32(bytes), type = AV_RB32(bytes + 4);
        bool inside = type == MKBETAG('j', 'p', '2', 'h');
        if (type == MKBETAG('i', 'h', 'd', 'r') && (bytes = sci_window_at(window, at + 8, 8))) {
            picture->height = (int32_t)AV_RB32(bytes);
            picture->width = (int32_t)AV_RB32(bytes + 4);
            return true;
        }
        if (size < 8)
            return false;
        at += inside ? 8 : size;
    }
    return false;
}

/* ---- PNG: ISO/IEC 15948 ---- */

static bool read_png(sci_window *window, sci_picture *picture)
{
    static const char *const chroma[] = {"4:0:0", NULL, "RGB", NULL, NULL, NULL, "RGBA"};
    const uint8_t *bytes = sci_window_at(window, 0, 26);
    if (!bytes || AV_RB32(bytes + 4) != 0x0D0A1A0A ||
        AV_RB32(bytes + 12) != MKBETAG('I', 'H', 'D', 'R'))
        return false;
    picture->codec = AV_CODEC_ID_PNG;
    picture->width = (int32_t)AV_RB32(bytes + 16);
    picture->height = (int32_t)AV_RB32(bytes + 20);
    if (bytes[25] < SCI_COUNT(chroma) && chroma[bytes[25]] && bytes[24] <= 16) {
        picture->chroma = chroma[bytes[25]];
        picture->bit_depth = bytes[24];
    }
    set_name(picture, "PNG");
    return true;
}

/* ---- JPEG: ITU-T T.81, from marker to marker up to the start of the frame ---- */

static bool starts_frame(int marker)
{
    return marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
}

static bool read_jpeg(sci_window *window, sci_picture *picture)
{
    enum { MARKERS_MAX = 200 };
    const uint8_t *bytes = NULL;
    picture->codec = AV_CODEC_ID_MJPEG;
    set_name(picture, "JPEG");
    int64_t at = 2;
    for (int i = 0; i < MARKERS_MAX; i++) {
        if (!(bytes = sci_window_at(window, at, 9)) || bytes[0] != 0xFF)
            return false;
        if (starts_frame(bytes[1])) {
            picture->height = AV_RB16(bytes + 5);
            picture->width = AV_RB16(bytes + 7);
            return true;
        }
        at += bytes[1] == 0xFF ? 1 : 2 + AV_RB16(bytes + 2);
    }
    return false;
}

/* ---- TGA: Truevision TGA 2.0; without a mark at its start, so by its ending ---- */

static bool read_tga(sci_window *window, sci_picture *picture)
{
    const char *dot = strrchr(window->file->path, '.');
    const bool named = dot && sci_same_letters(dot, ".tga", SIZE_MAX);
    const uint8_t *bytes = named ? sci_window_at(window, 0, 18) : NULL;
    if (!bytes)
        return false;
    const int type = bytes[2], depth = bytes[16];
    const bool whole = type >= 1 && type <= 3, packed = type >= 9 && type <= 11;
    const bool plain = depth == 8 || depth == 15 || depth == 16 || depth == 24 || depth == 32;
    if ((!whole && !packed) || !plain || bytes[1] > 1)
        return false;
    picture->codec = AV_CODEC_ID_TARGA;
    picture->width = AV_RL16(bytes + 12);
    picture->height = AV_RL16(bytes + 14);
    picture->uncompressed = whole;
    if (whole)
        picture->least_bytes = 18 + bytes[0] +
                               (int64_t)picture->width * picture->height * ((depth + 7) / 8);
    if (depth >= 24) {
        picture->chroma = depth == 24 ? "RGB" : "RGBA";
        picture->bit_depth = 8;
    }
    set_name(picture, whole ? "TGA" : "TGA RLE");
    return true;
}

/* ---- any of them ---- */

static const struct {
    uint32_t magic, mask; /* of its first four bytes */
    bool (*read)(sci_window *window, sci_picture *picture);
} kinds[] = {
    {MKBETAG('S', 'D', 'P', 'X'), 0xFFFFFFFF, read_dpx},
    {MKBETAG('X', 'P', 'D', 'S'), 0xFFFFFFFF, read_dpx},
    {0x762F3101, 0xFFFFFFFF, sci_picture_exr},
    {MKBETAG('I', 'I', 42, 0), 0xFFFFFFFF, sci_picture_tiff},
    {MKBETAG('M', 'M', 0, 42), 0xFFFFFFFF, sci_picture_tiff},
    {0xFF4FFF51, 0xFFFFFFFF, read_codestream},
    {12, 0xFFFFFFFF, read_boxes},
    {0x89504E47, 0xFFFFFFFF, read_png},
    {0xFFD8FF00, 0xFFFFFF00, read_jpeg},
    {0, 0, read_tga},
};

bool sci_picture_read(sci_file *file, sci_picture *picture)
{
    sci_window window;
    sci_window_open(&window, file, SCI_WINDOW_BYTES);
    const uint8_t *bytes = sci_window_at(&window, 0, 4);
    const uint32_t magic = bytes ? AV_RB32(bytes) : 0;
    for (size_t i = 0; bytes && i < SCI_COUNT(kinds); i++) {
        if ((magic & kinds[i].mask) != kinds[i].magic)
            continue;
        *picture = (sci_picture){0};
        if (kinds[i].read(&window, picture))
            return possible(picture);
        if (file->limited || file->cancelled || file->os_errno)
            return false;
    }
    return false;
}
