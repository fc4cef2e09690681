/* TIFF 6.0 and DNG: directories of tagged values, anywhere in the file. */
#include "probe/picture.h"

#include <libavutil/intreadwrite.h>
#include <stdio.h>
#include <string.h>

enum { ENTRY_BYTES = 12, ENTRIES_MAX = 1024, DIRECTORIES_MAX = 16 };

enum tag {
    TAG_REDUCED = 254, /* bit 0 of its value: a smaller copy of another picture of the file */
    TAG_WIDTH = 256,
    TAG_HEIGHT = 257,
    TAG_BITS = 258,
    TAG_COMPRESSION = 259,
    TAG_SAMPLES = 277,
    TAG_SUB_DIRECTORIES = 330,
    TAG_DNG_VERSION = 50706,
    TAG_FRAME_RATE = 51044 /* CinemaDNG */
};

enum type { TYPE_SHORT = 3, TYPE_LONG = 4, TYPE_RATIONAL = 5, TYPE_SRATIONAL = 10, TYPE_IFD = 13 };

struct tiff {
    sci_window *window;
    bool little, dng;
    sc_rational rate;
    int64_t directories[DIRECTORIES_MAX]; /* offsets of those that are to be read */
    size_t count;
};

struct directory {
    int64_t width, height, bits, samples, compression;
    bool reduced;
};

static const struct {
    int compression;
    const char *suffix;
} compressions[] = {
    {5, " LZW"},          {6, " JPEG"},        {7, " JPEG"},           {8, " Deflate"},
    {32773, " RLE"},      {32946, " Deflate"}, {34892, " lossy JPEG"}, {34925, " LZMA"},
    {50000, " Zstandard"}};

static uint32_t u32(const struct tiff *tiff, const uint8_t *bytes)
{
    return tiff->little ? AV_RL32(bytes) : AV_RB32(bytes);
}

static uint16_t u16(const struct tiff *tiff, const uint8_t *bytes)
{
    return tiff->little ? AV_RL16(bytes) : AV_RB16(bytes);
}

/* The first value of an entry of whole numbers: in the entry, or where that points to. */
static int64_t value_of(const struct tiff *tiff, const uint8_t entry[ENTRY_BYTES])
{
    const uint32_t type = u16(tiff, entry + 2), count = u32(tiff, entry + 4);
    const bool is_short = type == TYPE_SHORT;
    if (count == 0 || (!is_short && type != TYPE_LONG && type != TYPE_IFD))
        return -1;
    const uint8_t *bytes = entry + 8;
    if (count > (is_short ? 2 : 1))
        bytes = sci_window_at(tiff->window, u32(tiff, entry + 8), 4);
    return !bytes ? -1 : is_short ? (int64_t)u16(tiff, bytes) : (int64_t)u32(tiff, bytes);
}

static void read_rate(struct tiff *tiff, const uint8_t entry[ENTRY_BYTES])
{
    const uint32_t type = u16(tiff, entry + 2);
    if (type != TYPE_RATIONAL && type != TYPE_SRATIONAL)
        return;
    const uint8_t *bytes = sci_window_at(tiff->window, u32(tiff, entry + 8), 8);
    const double den = bytes ? u32(tiff, bytes + 4) : 0;
    if (den > 0)
        tiff->rate = sci_picture_rate(u32(tiff, bytes) / den);
}

static void add_directory(struct tiff *tiff, int64_t offset)
{
    if (tiff->count < DIRECTORIES_MAX)
        tiff->directories[tiff->count++] = offset;
}

static void add_sub_directories(struct tiff *tiff, const uint8_t entry[ENTRY_BYTES])
{
    const uint32_t count = u32(tiff, entry + 4);
    if (count == 1)
        add_directory(tiff, u32(tiff, entry + 8));
    for (uint32_t i = 0; count > 1 && i < count && i < DIRECTORIES_MAX; i++) {
        const uint8_t *bytes = sci_window_at(tiff->window, u32(tiff, entry + 8) + 4 * (int64_t)i,
                                             4);
        if (bytes)
            add_directory(tiff, u32(tiff, bytes));
    }
}

static void read_entry(struct tiff *tiff, const uint8_t entry[ENTRY_BYTES],
                       struct directory *directory)
{
    switch (u16(tiff, entry)) {
    case TAG_REDUCED:
        directory->reduced = value_of(tiff, entry) & 1;
        break;
    case TAG_WIDTH:
        directory->width = value_of(tiff, entry);
        break;
    case TAG_HEIGHT:
        directory->height = value_of(tiff, entry);
        break;
    case TAG_BITS:
        directory->bits = value_of(tiff, entry);
        break;
    case TAG_COMPRESSION:
        directory->compression = value_of(tiff, entry);
        break;
    case TAG_SAMPLES:
        directory->samples = value_of(tiff, entry);
        break;
    case TAG_SUB_DIRECTORIES:
        add_sub_directories(tiff, entry);
        break;
    case TAG_DNG_VERSION:
        tiff->dng = true;
        break;
    case TAG_FRAME_RATE:
        read_rate(tiff, entry);
        break;
    default:
        break;
    }
}

static bool read_directory(struct tiff *tiff, int64_t at, struct directory *directory)
{
    const uint8_t *bytes = sci_window_at(tiff->window, at, 2);
    const int count = bytes ? u16(tiff, bytes) : 0;
    *directory = (struct directory){.bits = 1, .samples = 1, .compression = 1};
    for (int i = 0; i < count && i < ENTRIES_MAX; i++) {
        uint8_t entry[ENTRY_BYTES];
        if (!(bytes = sci_window_at(tiff->window, at + 2 + (int64_t)ENTRY_BYTES * i, ENTRY_BYTES)))
            return false;
        memcpy(entry, bytes, ENTRY_BYTES);
        read_entry(tiff, entry, directory);
    }
    return directory->width > 0 && directory->width <= SCI_PICTURE_SIDE_MAX &&
           directory->height > 0 && directory->height <= SCI_PICTURE_SIDE_MAX;
}

/* The whole picture before a small copy of it, then the larger one. */
static bool beats(const struct directory *directory, const struct directory *best)
{
    if (!best->width || directory->reduced != best->reduced)
        return !best->width || best->reduced;
    return directory->width > best->width;
}

static void describe(const struct tiff *tiff, const struct directory *main, sci_picture *picture)
{
    const char *suffix = "";
    for (size_t i = 0; i < SCI_COUNT(compressions); i++)
        if (compressions[i].compression == main->compression)
            suffix = compressions[i].suffix;
    /* In DNG it is the lossless process of JPEG. */
    if (tiff->dng && main->compression == 7)
        suffix = " lossless JPEG";
    picture->codec = AV_CODEC_ID_TIFF;
    picture->width = (int32_t)main->width;
    picture->height = (int32_t)main->height;
    picture->rate = tiff->rate;
    const bool counted = main->bits >= 1 && main->bits <= 64;
    char bits[8] = "";
    if (counted) {
        picture->bit_depth = (int32_t)main->bits;
        snprintf(bits, sizeof bits, " %d", picture->bit_depth);
    }
    picture->uncompressed = main->compression == 1;
    if (picture->uncompressed && counted && main->samples >= 1 && main->samples <= 64)
        picture->least_bytes = main->height * ((main->width * main->samples * main->bits + 7) / 8);
    snprintf(picture->name, sizeof picture->name, "%s%s%s", tiff->dng ? "CinemaDNG" : "TIFF", bits,
             suffix);
}

bool sci_picture_tiff(sci_window *window, sci_picture *picture)
{
    struct tiff tiff = {.window = window};
    struct directory main = {0}, directory;
    const uint8_t *bytes = sci_window_at(window, 0, 8);
    if (!bytes)
        return false;
    tiff.little = bytes[0] == 'I';
    add_directory(&tiff, u32(&tiff, bytes + 4));
    for (size_t i = 0; i < tiff.count; i++)
        if (read_directory(&tiff, tiff.directories[i], &directory) && beats(&directory, &main))
            main = directory;
    if (!main.width)
        return false;
    describe(&tiff, &main, picture);
    return true;
}
