#include "probe/parameters.h"

#include <libavutil/intreadwrite.h>
#include <stdio.h>
#include <string.h>

/* ---- levels ---- */

static const struct {
    bool professional; /* the 4:2:2 profile has numbers of its own */
    int level;
    const char *text;
} mpeg2_levels[] = {{false, 10, "Low"}, {false, 8, "Main"}, {false, 6, "High 1440"},
                    {false, 4, "High"}, {true, 5, "Main"},  {true, 2, "High"}};

static void mpeg2_level(int profile, int level, char text[SCI_LEVEL_TEXT])
{
    const bool professional = profile == SCI_PROFILE(MPEG2_422);
    for (size_t i = 0; i < SCI_COUNT(mpeg2_levels); i++)
        if (mpeg2_levels[i].professional == professional && mpeg2_levels[i].level == level)
            snprintf(text, SCI_LEVEL_TEXT, "%s", mpeg2_levels[i].text);
}

static void print_level(char text[SCI_LEVEL_TEXT], int whole, int tenth)
{
    snprintf(text, SCI_LEVEL_TEXT, tenth ? "%d.%d" : "%d", whole, tenth);
}

void sci_level_text(enum AVCodecID codec, int profile, int level, char text[SCI_LEVEL_TEXT])
{
    text[0] = '\0';
    if (level < 0 || level > 255)
        return;
    switch (codec) {
    case AV_CODEC_ID_H264:
        if (level == 9)
            snprintf(text, SCI_LEVEL_TEXT, "1b");
        else if (level >= 10 && level <= 62)
            print_level(text, level / 10, level % 10);
        break;
    case AV_CODEC_ID_HEVC:
        if (level >= 30 && level % 3 == 0)
            print_level(text, level / 30, level % 30 / 3);
        break;
    case AV_CODEC_ID_VVC:
        if (level >= 16 && level % 16 % 3 == 0)
            print_level(text, level / 16, level % 16 / 3);
        break;
    case AV_CODEC_ID_AV1:
        if (level < 24)
            snprintf(text, SCI_LEVEL_TEXT, "%d.%d", 2 + (level >> 2), level & 3);
        break;
    case AV_CODEC_ID_VP9:
        if (level >= 10 && level <= 62)
            print_level(text, level / 10, level % 10);
        break;
    case AV_CODEC_ID_MPEG2VIDEO:
        mpeg2_level(profile, level, text);
        break;
    case AV_CODEC_ID_MPEG4:
        if (profile == SCI_PROFILE(MPEG4_SIMPLE) || profile == SCI_PROFILE(MPEG4_ADVANCED_SIMPLE))
            if (level <= 6)
                print_level(text, level, 0);
        break;
    default:
        break;
    }
}

/* ---- bits ---- */

enum { HEADER_BYTES = 512 }; /* of a parameter set; what counts here lies at its beginning */

struct bits {
    uint8_t bytes[HEADER_BYTES];
    size_t count, at; /* in bits */
};

/* The contents of a NAL unit, without the bytes that keep start codes out of it. */
static void open_bits(struct bits *bits, const uint8_t *data, size_t size)
{
    size_t used = 0, zeros = 0;
    for (size_t i = 0; i < size && used < HEADER_BYTES; i++) {
        if (zeros >= 2 && data[i] == 3) {
            zeros = 0;
            continue;
        }
        zeros = data[i] ? 0 : zeros + 1;
        bits->bytes[used++] = data[i];
    }
    bits->count = used * 8;
    bits->at = 0;
}

/* Zeros behind the end, where `at` goes beyond `count`. */
static uint32_t read_bits(struct bits *bits, size_t count)
{
    uint32_t value = 0;
    for (size_t i = 0; i < count; i++, bits->at++)
        value = value << 1 |
                (bits->at < bits->count ? bits->bytes[bits->at / 8] >> (7 - bits->at % 8) & 1u : 0);
    return value;
}

static void skip_bits(struct bits *bits, size_t count)
{
    bits->at += count;
}

static bool ran_out(const struct bits *bits)
{
    return bits->at > bits->count;
}

/* Exp-Golomb codes, ue(v) and se(v). */
static uint32_t read_unsigned(struct bits *bits)
{
    size_t zeros = 0;
    while (zeros < 31 && !ran_out(bits) && !read_bits(bits, 1))
        zeros++;
    return (1u << zeros) - 1 + read_bits(bits, zeros);
}

static int32_t read_signed(struct bits *bits)
{
    const uint32_t code = read_unsigned(bits);
    return code & 1 ? (int32_t)(code / 2 + 1) : -(int32_t)(code / 2);
}

/* ---- NAL units ---- */

struct unit {
    const uint8_t *data;
    size_t size;
};

typedef bool (*is_wanted_fn)(const uint8_t *unit);

/* The first wanted unit behind a start code. */
static struct unit find_unit(const uint8_t *data, size_t size, is_wanted_fn is_wanted)
{
    for (size_t at = 0; at + 5 < size; at++)
        if (AV_RB24(data + at) == 1 && is_wanted(data + at + 3))
            return (struct unit){data + at + 3, size - at - 3};
    return (struct unit){NULL, 0};
}

static const char *chroma_of_format(uint32_t chroma_format_idc)
{
    static const char *const names[] = {"4:0:0", "4:2:0", "4:2:2", "4:4:4"};
    return chroma_format_idc < SCI_COUNT(names) ? names[chroma_format_idc] : "";
}

static int32_t depth_of(uint32_t above_8)
{
    return above_8 <= 8 ? (int32_t)above_8 + 8 : 0;
}

/* ---- H.264 ---- */

static bool is_avc_parameters(const uint8_t *unit)
{
    return (unit[0] & 0x1F) == 7;
}

static struct unit avc_parameters(const uint8_t *data, size_t size)
{
    if (size >= 8 && data[0] == 1) {
        const size_t length = data[5] & 0x1F ? AV_RB16(data + 6) : 0;
        if (length < 4 || length > size - 8 || !is_avc_parameters(data + 8))
            return (struct unit){NULL, 0};
        return (struct unit){data + 8, length};
    }
    return find_unit(data, size, is_avc_parameters);
}

static bool has_chroma_format(uint32_t profile)
{
    static const uint8_t profiles[] = {100, 110, 122, 244, 44,  83, 86,
                                       118, 128, 138, 139, 134, 135};
    for (size_t i = 0; i < SCI_COUNT(profiles); i++)
        if (profiles[i] == profile)
            return true;
    return false;
}

static void skip_scaling_lists(struct bits *bits, int lists)
{
    for (int list = 0; list < lists; list++) {
        int32_t next = 8;
        for (int i = 0, last = 8, present = (int)read_bits(bits, 1);
             present && next && i < (list < 6 ? 16 : 64); i++) {
            next = (last + read_signed(bits) % 256 + 256) % 256;
            last = next ? next : last;
        }
    }
}

static void read_avc_chroma(struct bits *bits, sci_parameters *result)
{
    const uint32_t chroma = read_unsigned(bits);
    if (chroma == 3)
        skip_bits(bits, 1);
    const uint32_t depth = read_unsigned(bits);
    read_unsigned(bits);
    skip_bits(bits, 1);
    if (read_bits(bits, 1))
        skip_scaling_lists(bits, chroma == 3 ? 12 : 8);
    if (!ran_out(bits)) {
        result->chroma = chroma_of_format(chroma);
        result->bit_depth = depth_of(depth);
    }
}

/* From the count of frame numbers up to frame_mbs_only_flag (ISO/IEC 14496-10, 7.3.2.1.1). */
static bool read_avc_frames_only(struct bits *bits)
{
    read_unsigned(bits);
    const uint32_t order = read_unsigned(bits);
    if (order == 0) {
        read_unsigned(bits);
    } else if (order == 1) {
        skip_bits(bits, 1);
        read_signed(bits);
        read_signed(bits);
        for (uint32_t n = read_unsigned(bits), i = 0; i < n && i < 256; i++)
            read_signed(bits);
    }
    read_unsigned(bits);
    skip_bits(bits, 1);
    read_unsigned(bits);
    read_unsigned(bits);
    return read_bits(bits, 1);
}

static void name_avc(uint32_t profile, uint32_t constraints, int level, sci_parameters *result)
{
    result->profile = (int)profile;
    if (profile == SCI_PROFILE(H264_BASELINE) && constraints & 0x40)
        result->profile = SCI_PROFILE(H264_CONSTRAINED_BASELINE);
    if (profile >= SCI_PROFILE(H264_HIGH_10) && constraints & 0x10)
        result->profile = (int)profile | SCI_PROFILE(H264_INTRA);
    const bool old = profile == SCI_PROFILE(H264_BASELINE) || profile == SCI_PROFILE(H264_MAIN) ||
                     profile == SCI_PROFILE(H264_EXTENDED);
    sci_level_text(AV_CODEC_ID_H264, (int)profile,
                   level == 11 && old && constraints & 0x10 ? 9 : level, result->level);
}

static void read_avc(const uint8_t *data, size_t size, sci_parameters *result)
{
    struct bits bits;
    const struct unit unit = avc_parameters(data, size);
    if (!unit.data) {
        if (size >= 4 && data[0] == 1)
            name_avc(data[1], data[2], data[3], result);
        return;
    }
    open_bits(&bits, unit.data + 1, unit.size - 1);
    const uint32_t profile = read_bits(&bits, 8), constraints = read_bits(&bits, 8);
    name_avc(profile, constraints, (int)read_bits(&bits, 8), result);
    read_unsigned(&bits);
    if (has_chroma_format(profile)) {
        read_avc_chroma(&bits, result);
    } else {
        result->chroma = "4:2:0";
        result->bit_depth = 8;
    }
    /* Without the flag pictures may be fields, or frames all the same. */
    if (read_avc_frames_only(&bits) && !ran_out(&bits))
        result->scan = SC_SCAN_PROGRESSIVE;
}

/* ---- HEVC ---- */

/* Of the base layer. */
static bool is_hevc_parameters(const uint8_t *unit)
{
    return (unit[0] >> 1 & 0x3F) == 33 && (unit[0] & 1) == 0 && unit[1] >> 3 == 0;
}

static struct unit hevc_parameters(const uint8_t *data, size_t size)
{
    const struct unit none = {NULL, 0};
    if (size < 4 || data[0] != 1)
        return find_unit(data, size, is_hevc_parameters);
    size_t at = 23;
    for (int arrays = size > 22 ? data[22] : 0; arrays > 0 && at + 3 <= size; arrays--) {
        int units = AV_RB16(data + at + 1);
        for (at += 3; units > 0 && at + 2 <= size; units--) {
            const size_t length = AV_RB16(data + at);
            at += 2;
            if (length > size - at)
                return none;
            if (length > 4 && is_hevc_parameters(data + at))
                return (struct unit){data + at, length};
            at += length;
        }
    }
    return none;
}

/* general_progressive_source_flag and general_interlaced_source_flag; both: each picture tells. */
static sc_scan_type hevc_scan(uint32_t flags)
{
    return flags == 2 ? SC_SCAN_PROGRESSIVE : flags == 1 ? SC_SCAN_INTERLACED : SC_SCAN_UNKNOWN;
}

static void skip_hevc_layers(struct bits *bits, uint32_t layers)
{
    uint32_t present[8];
    for (uint32_t i = 0; i < layers; i++)
        present[i] = read_bits(bits, 2);
    if (layers > 0)
        skip_bits(bits, 2 * (8 - layers));
    for (uint32_t i = 0; i < layers; i++)
        skip_bits(bits, (present[i] & 2 ? 88 : 0) + (present[i] & 1 ? 8 : 0));
}

/* ISO/IEC 23008-2, 7.3.2.2 and 7.3.3. */
static void read_hevc_parameters(struct unit unit, sci_parameters *result)
{
    struct bits bits;
    open_bits(&bits, unit.data + 2, unit.size - 2);
    skip_bits(&bits, 4);
    const uint32_t layers = read_bits(&bits, 3);
    skip_bits(&bits, 1 + 3);
    result->profile = (int)read_bits(&bits, 5);
    skip_bits(&bits, 32);
    result->scan = hevc_scan(read_bits(&bits, 2));
    skip_bits(&bits, 46);
    sci_level_text(AV_CODEC_ID_HEVC, result->profile, (int)read_bits(&bits, 8), result->level);
    skip_hevc_layers(&bits, layers);
    read_unsigned(&bits);
    const uint32_t chroma = read_unsigned(&bits);
    if (chroma == 3)
        skip_bits(&bits, 1);
    read_unsigned(&bits);
    read_unsigned(&bits);
    for (int i = 0, cropped = (int)read_bits(&bits, 1); cropped && i < 4; i++)
        read_unsigned(&bits);
    const uint32_t depth = read_unsigned(&bits);
    if (!ran_out(&bits)) {
        result->chroma = chroma_of_format(chroma);
        result->bit_depth = depth_of(depth);
    }
}

/* Recorders are known to leave the chroma format of the record at zero, so it is not taken. */
static void read_hevc_record(const uint8_t *data, sci_parameters *result)
{
    result->profile = data[1] & 0x1F;
    result->scan = hevc_scan(data[6] >> 6);
    sci_level_text(AV_CODEC_ID_HEVC, result->profile, data[12], result->level);
}

static void read_hevc(const uint8_t *data, size_t size, sci_parameters *result)
{
    const struct unit unit = hevc_parameters(data, size);
    if (size >= 13 && data[0] == 1)
        read_hevc_record(data, result);
    if (unit.data)
        read_hevc_parameters(unit, result);
}

/* ---- the others ---- */

/* AV1 Codec ISO Media File Format Binding, 2.3.3. */
static void read_av1(const uint8_t *data, size_t size, sci_parameters *result)
{
    if (size < 4 || data[0] != 0x81)
        return;
    const bool high = data[2] & 0x40, twelve = data[2] & 0x20, gray = data[2] & 0x10;
    const int halved = data[2] >> 2 & 3; /* across, down */
    result->profile = data[1] >> 5;
    sci_level_text(AV_CODEC_ID_AV1, result->profile, data[1] & 0x1F, result->level);
    result->bit_depth = high ? (twelve ? 12 : 10) : 8;
    result->chroma = gray          ? "4:0:0"
                     : halved == 3 ? "4:2:0"
                     : halved == 2 ? "4:2:2"
                     : halved == 0 ? "4:4:4"
                                   : "";
}

/* ISO/IEC 13818-2, 6.2.2.3: the sequence extension; without it the stream is MPEG-1. */
static bool is_mpeg2_extension(const uint8_t *unit)
{
    return unit[0] == 0xB5 && unit[1] >> 4 == 1;
}

static void read_mpeg2(const uint8_t *data, size_t size, sci_parameters *result)
{
    const struct unit unit = find_unit(data, size, is_mpeg2_extension);
    result->bit_depth = 8;
    if (unit.size < 4)
        return;
    const int level = unit.data[2] >> 4;
    result->profile = unit.data[1] & 7;
    result->scan = unit.data[2] & 8 ? SC_SCAN_PROGRESSIVE : SC_SCAN_UNKNOWN;
    result->chroma = unit.data[2] & 6 ? chroma_of_format(unit.data[2] >> 1 & 3) : "";
    sci_level_text(AV_CODEC_ID_MPEG2VIDEO, result->profile, level, result->level);
}

static bool is_mpeg4_sequence(const uint8_t *unit)
{
    return unit[0] == 0xB0;
}

static void read_mpeg4(const uint8_t *data, size_t size, sci_parameters *result)
{
    const struct unit unit = find_unit(data, size, is_mpeg4_sequence);
    if (unit.size < 2)
        return;
    const int profile = unit.data[1] >> 4, level = unit.data[1] & 15;
    result->profile = profile;
    /* Level 0 of the simple profile came later. */
    sci_level_text(AV_CODEC_ID_MPEG4, profile,
                   profile == SCI_PROFILE(MPEG4_SIMPLE) && level == 8 ? 0 : level, result->level);
}

void sci_parameters_read(enum AVCodecID codec, const uint8_t *data, size_t size,
                         sci_parameters *result)
{
    static const struct {
        enum AVCodecID codec;
        void (*read)(const uint8_t *data, size_t size, sci_parameters *result);
    } readers[] = {{AV_CODEC_ID_H264, read_avc},
                   {AV_CODEC_ID_HEVC, read_hevc},
                   {AV_CODEC_ID_AV1, read_av1},
                   {AV_CODEC_ID_MPEG2VIDEO, read_mpeg2},
                   {AV_CODEC_ID_MPEG4, read_mpeg4}};
    *result = (sci_parameters){.profile = SCI_PROFILE(UNKNOWN), .chroma = ""};
    for (size_t i = 0; i < SCI_COUNT(readers); i++)
        if (readers[i].codec == codec)
            readers[i].read(data, data ? size : 0, result);
}
