/* Level, scan, chroma and bit depth: of headers made here, and of real files where STREAMCALC_MEDIA
   names a folder of them. */
#include "test.h"

#include "probe/facts.h"
#include "probe/published.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <streamcalc/formats.h>
#include <string.h>

static sci_codec_facts unknown(enum AVCodecID codec)
{
    return (sci_codec_facts){.codec = codec,
                             .profile = SCI_PROFILE(UNKNOWN),
                             .level = SCI_LEVEL_UNKNOWN,
                             .bits_per_s = SC_UNKNOWN};
}

static void check(sci_codec_facts facts, const char *level, sc_scan_type scan, const char *chroma,
                  int32_t bit_depth)
{
    sci_picture_facts picture;
    sci_picture_facts_of(&facts, &picture);
    assert_string_equal(picture.level, level);
    assert_string_equal(sc_scan_type_name(picture.scan), sc_scan_type_name(scan));
    assert_string_equal(picture.chroma, chroma);
    assert_int_equal(picture.bit_depth, bit_depth);
}

/* ---- decoder configurations, the hexadecimal ones from files of encoders ---- */

static size_t from_hex(const char *hex, uint8_t *bytes)
{
    size_t count = 0;
    for (unsigned byte; sscanf(hex + 2 * count, "%2x", &byte) == 1; count++)
        bytes[count] = (uint8_t)byte;
    return count;
}

static const struct {
    enum AVCodecID codec;
    const char *hex, *level;
    sc_scan_type scan;
    const char *chroma;
    int32_t bit_depth;
} configurations[] = {
    {AV_CODEC_ID_H264, "01640033ffe1001367640033acb401e0021f4ac1418141b4284d40", "5.1",
     SC_SCAN_PROGRESSIVE, "4:2:0", 8},
    {AV_CODEC_ID_H264, "01f4000bffe1001967f4000b919640507ec044000003000400000300503c50a92001",
     "1.1", SC_SCAN_PROGRESSIVE, "4:4:4", 8},
    {AV_CODEC_ID_H264, "014d0041ffe10009674d0029f402802dc8", "4.1", SC_SCAN_PROGRESSIVE, "4:2:0",
     8},
    /* The same behind a start code. */
    {AV_CODEC_ID_H264, "0000000109f0000000016764002aacb401e0021f4ac1418141b4284d40", "4.2",
     SC_SCAN_PROGRESSIVE, "4:2:0", 8},
    /* Of x264: level 1b, and interlaced with the scaling matrices of the standard. */
    {AV_CODEC_ID_H264, "0142d00bffe100176742d00bd9020db0110000030001000003000a0f12264801", "1b",
     SC_SCAN_PROGRESSIVE, "4:2:0", 8},
    {AV_CODEC_ID_H264, "017a0029ffe1001a677a0029b6cd941433f3e022000003000200000300643e2c5b2c01",
     "4.1", SC_SCAN_UNKNOWN, "4:2:2", 10},
    /* Cut off within the parameters, and without any. */
    {AV_CODEC_ID_H264, "01640033ffe1000467640033", "5.1", SC_SCAN_UNKNOWN, "", 0},
    {AV_CODEC_ID_H264, "01640033", "5.1", SC_SCAN_UNKNOWN, "", 0},
    {AV_CODEC_ID_H264, "01640033ffe1ffff67", "5.1", SC_SCAN_UNKNOWN, "", 0},
    {AV_CODEC_ID_H264, "016400ffffe1", "", SC_SCAN_UNKNOWN, "", 0},
    {AV_CODEC_ID_H264, "01", "", SC_SCAN_UNKNOWN, "", 0},
    /* Records without parameters: what stands for chroma there is not believed. */
    {AV_CODEC_ID_HEVC, "010220000000b0000000000099f000fcfdfafa00000b00", "5.1", SC_SCAN_PROGRESSIVE,
     "", 0},
    {AV_CODEC_ID_HEVC, "01022000000060000000000078f000fcfdfafa00000b00", "4", SC_SCAN_INTERLACED,
     "", 0},
    {AV_CODEC_ID_HEVC, "010220000000f0000000000078f000fcfdfafa00000b00", "4", SC_SCAN_UNKNOWN, "",
     0},
    /* Of x265: range extensions, with the sequence's parameters alone. */
    {AV_CODEC_ID_HEVC,
     "0104080000009d08000000003cf000fcfefafa00000f01210001002a4201010408000003009d0800000300003cb0"
     "0a080b9f2b65959a4932bc05a02000000300200000030321",
     "2", SC_SCAN_PROGRESSIVE, "4:2:2", 10},
    {AV_CODEC_ID_HEVC,
     "0104080000009808000000003cf000fcfffcfc00000f01210001002a420101040800000300980800000300003c90"
     "01410173e5294b2b349265780b4040000003004000000642",
     "2", SC_SCAN_PROGRESSIVE, "4:4:4", 12},
    {AV_CODEC_ID_HEVC, "010220000000900000000000", "", SC_SCAN_UNKNOWN, "", 0},
    {AV_CODEC_ID_HEVC, "01022000000090000000000078f000fcfdfafa00000fff21ffffffff42", "4",
     SC_SCAN_PROGRESSIVE, "", 0},
    {AV_CODEC_ID_AV1, "810d0d00", "5.1", SC_SCAN_UNKNOWN, "4:2:0", 8},
    {AV_CODEC_ID_AV1, "810c4d00", "5.0", SC_SCAN_UNKNOWN, "4:2:0", 10},
    {AV_CODEC_ID_AV1, "814c6800", "5.0", SC_SCAN_UNKNOWN, "4:2:2", 12},
    {AV_CODEC_ID_AV1, "812c0000", "5.0", SC_SCAN_UNKNOWN, "4:4:4", 8},
    {AV_CODEC_ID_AV1, "81", "", SC_SCAN_UNKNOWN, "", 0},
    /* Main at High 1440, 4:2:2 at High and at Main, progressive sequence or not. */
    {AV_CODEC_ID_MPEG2VIDEO, "000001b35a043837000001b51462000000", "High 1440", SC_SCAN_UNKNOWN,
     "4:2:0", 8},
    {AV_CODEC_ID_MPEG2VIDEO, "000001b378043812000001b5182c000000", "High", SC_SCAN_PROGRESSIVE,
     "4:2:2", 8},
    {AV_CODEC_ID_MPEG2VIDEO, "000001b32d026013000001b51854000000", "Main", SC_SCAN_UNKNOWN, "4:2:2",
     8},
    {AV_CODEC_ID_MPEG2VIDEO, "000001b32d026013", "", SC_SCAN_UNKNOWN, "", 8},
    {AV_CODEC_ID_MPEG4, "000001b001000001b5", "1", SC_SCAN_UNKNOWN, "", 0},
    {AV_CODEC_ID_MPEG4, "000001b008000001b5", "0", SC_SCAN_UNKNOWN, "", 0},
    {AV_CODEC_ID_MPEG4, "000001b0f5000001b5", "5", SC_SCAN_UNKNOWN, "", 0},
};

static void headers_tell_the_picture(void **state)
{
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(configurations); i++) {
        uint8_t bytes[128] = {0};
        sci_codec_facts facts = unknown(configurations[i].codec);
        facts.extradata_size = from_hex(configurations[i].hex, bytes);
        facts.extradata = bytes;
        print_message("%s\n", configurations[i].hex);
        check(facts, configurations[i].level, configurations[i].scan, configurations[i].chroma,
              configurations[i].bit_depth);
    }
}

/* Whatever they hold they are read without a read behind their end. */
static void headers_of_noise(void **state)
{
    static const enum AVCodecID codecs[] = {AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_AV1,
                                            AV_CODEC_ID_MPEG2VIDEO, AV_CODEC_ID_MPEG4};
    unsigned seed = 1;
    (void)state;
    for (int round = 0; round < 20000; round++) {
        const size_t size = (size_t)rand_r(&seed) % 96;
        uint8_t *bytes = malloc(size + 1);
        assert_non_null(bytes);
        uint8_t start[128];
        const size_t pattern = (size_t)rand_r(&seed) % SCI_COUNT(configurations);
        const size_t known = from_hex(configurations[pattern].hex, start);
        for (size_t i = 0; i < size; i++)
            bytes[i] = i < known && rand_r(&seed) % 8 ? start[i] : (uint8_t)rand_r(&seed);
        for (size_t i = 0; i < SCI_COUNT(codecs); i++) {
            sci_codec_facts facts = unknown(codecs[i]);
            sci_picture_facts picture;
            facts.extradata = bytes;
            facts.extradata_size = size;
            sci_picture_facts_of(&facts, &picture);
            assert_true(picture.bit_depth >= 0 && picture.bit_depth <= 16);
        }
        free(bytes);
    }
}

static void levels_of_decoders(void **state)
{
    static const struct {
        enum AVCodecID codec;
        int profile, level;
        const char *text;
    } cases[] = {{AV_CODEC_ID_H264, 100, 52, "5.2"},
                 {AV_CODEC_ID_H264, 66, 9, "1b"},
                 {AV_CODEC_ID_HEVC, 1, 153, "5.1"},
                 {AV_CODEC_ID_HEVC, 1, 120, "4"},
                 {AV_CODEC_ID_HEVC, 1, 0, ""},
                 {AV_CODEC_ID_AV1, 0, 13, "5.1"},
                 {AV_CODEC_ID_AV1, 0, 31, ""},
                 {AV_CODEC_ID_VP9, 0, 41, "4.1"},
                 {AV_CODEC_ID_VP9, 0, 0, ""},
                 {AV_CODEC_ID_VVC, 1, 83, "5.1"},
                 {AV_CODEC_ID_MPEG2VIDEO, 4, 4, "High"},
                 {AV_CODEC_ID_MPEG2VIDEO, 4, 8, "Main"},
                 {AV_CODEC_ID_MPEG2VIDEO, 0, 2, "High"},
                 {AV_CODEC_ID_MPEG2VIDEO, 0, 5, "Main"},
                 {AV_CODEC_ID_MPEG2VIDEO, 4, 5, ""},
                 {AV_CODEC_ID_MPEG2VIDEO, 0, 8, ""},
                 {AV_CODEC_ID_PRORES, 3, 3, ""},
                 {AV_CODEC_ID_H264, 100, -99, ""},
                 {AV_CODEC_ID_H264, 100, 1000000000, ""},
                 {AV_CODEC_ID_MPEG4, 0, 1, "1"}};
    char text[SCI_LEVEL_TEXT];
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(cases); i++) {
        sci_level_text(cases[i].codec, cases[i].profile, cases[i].level, text);
        assert_string_equal(text, cases[i].text);
    }
}

static void fields_as_containers_name_them(void **state)
{
    static const struct {
        enum AVFieldOrder order;
        sc_scan_type scan;
    } cases[] = {{AV_FIELD_UNKNOWN, SC_SCAN_UNKNOWN}, {AV_FIELD_PROGRESSIVE, SC_SCAN_PROGRESSIVE},
                 {AV_FIELD_TT, SC_SCAN_TOP_FIRST},    {AV_FIELD_TB, SC_SCAN_TOP_FIRST},
                 {AV_FIELD_BB, SC_SCAN_BOTTOM_FIRST}, {AV_FIELD_BT, SC_SCAN_BOTTOM_FIRST}};
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(cases); i++) {
        sci_codec_facts facts = unknown(AV_CODEC_ID_CFHD);
        facts.field_order = cases[i].order;
        check(facts, "", cases[i].scan, "", 0);
    }
}

static void flavours_tell_the_picture(void **state)
{
    static const struct {
        enum AVCodecID codec;
        const char *tag;
        int profile, tag_bits;
        sc_scan_type scan;
        const char *chroma;
        int32_t bit_depth;
    } cases[] = {
        {AV_CODEC_ID_PRORES, "apch", 3, 24, SC_SCAN_UNKNOWN, "4:2:2", 10},
        {AV_CODEC_ID_PRORES, NULL, 0, 0, SC_SCAN_UNKNOWN, "4:2:2", 10},
        {AV_CODEC_ID_PRORES, "ap4h", 4, 24, SC_SCAN_UNKNOWN, "4:4:4", 12},
        {AV_CODEC_ID_PRORES, "ap4x", 5, 32, SC_SCAN_UNKNOWN, "4:4:4:4", 12},
        {AV_CODEC_ID_PRORES, NULL, SCI_PROFILE(UNKNOWN), 0, SC_SCAN_UNKNOWN, "", 0},
        {AV_CODEC_ID_NONE, "aprn", SCI_PROFILE(UNKNOWN), 24, SC_SCAN_UNKNOWN, "", 0},
        {AV_CODEC_ID_MPEG2VIDEO, "xd5b", SCI_PROFILE(UNKNOWN), 24, SC_SCAN_INTERLACED, "4:2:2", 8},
        {AV_CODEC_ID_MPEG2VIDEO, "xdve", SCI_PROFILE(UNKNOWN), 24, SC_SCAN_PROGRESSIVE, "4:2:0", 8},
        {AV_CODEC_ID_MPEG2VIDEO, "hdv3", SCI_PROFILE(UNKNOWN), 24, SC_SCAN_INTERLACED, "4:2:0", 8},
        {AV_CODEC_ID_MPEG2VIDEO, "mx5p", SCI_PROFILE(UNKNOWN), 24, SC_SCAN_INTERLACED, "4:2:2", 8},
        {AV_CODEC_ID_H264, "ai56", SCI_PROFILE(UNKNOWN), 24, SC_SCAN_INTERLACED, "4:2:0", 10},
        {AV_CODEC_ID_H264, "ai12", SCI_PROFILE(UNKNOWN), 24, SC_SCAN_UNKNOWN, "4:2:2", 10},
        {AV_CODEC_ID_DVVIDEO, "dvc ", SCI_PROFILE(UNKNOWN), 24, SC_SCAN_UNKNOWN, "4:1:1", 8},
        {AV_CODEC_ID_DVVIDEO, "dv5p", SCI_PROFILE(UNKNOWN), 24, SC_SCAN_UNKNOWN, "4:2:2", 8},
        {AV_CODEC_ID_DVVIDEO, "dvhp", SCI_PROFILE(UNKNOWN), 24, SC_SCAN_PROGRESSIVE, "4:2:2", 8},
        {AV_CODEC_ID_V210, "v210", SCI_PROFILE(UNKNOWN), 24, SC_SCAN_UNKNOWN, "4:2:2", 10},
        {AV_CODEC_ID_CFHD, "CFHD", SCI_PROFILE(UNKNOWN), 24, SC_SCAN_UNKNOWN, "", 0},
        {AV_CODEC_ID_QTRLE, "rle ", SCI_PROFILE(UNKNOWN), 24, SC_SCAN_UNKNOWN, "RGB", 8},
        {AV_CODEC_ID_QTRLE, "rle ", SCI_PROFILE(UNKNOWN), 32, SC_SCAN_UNKNOWN, "RGBA", 8},
        {AV_CODEC_ID_QTRLE, "rle ", SCI_PROFILE(UNKNOWN), 16, SC_SCAN_UNKNOWN, "", 0},
        {AV_CODEC_ID_VP9, NULL, 0, 0, SC_SCAN_UNKNOWN, "4:2:0", 8},
        {AV_CODEC_ID_VP9, NULL, 2, 0, SC_SCAN_UNKNOWN, "", 0},
    };
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(cases); i++) {
        const char *tag = cases[i].tag;
        sci_codec_facts facts = unknown(cases[i].codec);
        facts.tag = tag ? MKTAG(tag[0], tag[1], tag[2], tag[3]) : 0;
        facts.profile = cases[i].profile;
        facts.tag_bits = cases[i].tag_bits;
        check(facts, "", cases[i].scan, cases[i].chroma, cases[i].bit_depth);
    }
}

static void the_header_of_a_dnx_frame(void **state)
{
    static const struct {
        int cid, fields, depth; /* as the header has them */
        sc_scan_type scan;
        const char *chroma;
        int32_t bit_depth;
    } cases[] = {{1235, 1, 2, SC_SCAN_PROGRESSIVE, "4:2:2", 10},
                 {1241, 2, 2, SC_SCAN_TOP_FIRST, "4:2:2", 10},
                 {1242, 3, 1, SC_SCAN_BOTTOM_FIRST, "4:2:2", 8},
                 {1260, 1, 1, SC_SCAN_INTERLACED, "4:2:2", 8},
                 {1270, 1, 3, SC_SCAN_PROGRESSIVE, "4:4:4", 12},
                 {1271, 1, 2, SC_SCAN_PROGRESSIVE, "4:2:2", 10},
                 {1271, 0, 3, SC_SCAN_UNKNOWN, "4:2:2", 12},
                 {1274, 1, 1, SC_SCAN_PROGRESSIVE, "4:2:2", 8},
                 {1299, 1, 1, SC_SCAN_UNKNOWN, "", 0}};
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(cases); i++) {
        uint8_t head[64] = {0, 0, 2, 0x80, 1};
        sci_codec_facts facts = unknown(AV_CODEC_ID_DNXHD);
        head[5] = (uint8_t)cases[i].fields;
        head[33] = (uint8_t)(cases[i].depth << 5 | 0x18);
        head[42] = (uint8_t)(cases[i].cid >> 8);
        head[43] = (uint8_t)cases[i].cid;
        facts.cid = cases[i].cid;
        facts.head = head;
        facts.head_size = sizeof head;
        check(facts, "", cases[i].scan, cases[i].chroma, cases[i].bit_depth);
    }
    /* Without it: the depth of HQX and 444 is not known. */
    sci_codec_facts facts = unknown(AV_CODEC_ID_DNXHD);
    facts.profile = SCI_PROFILE(DNXHR_HQX);
    check(facts, "", SC_SCAN_UNKNOWN, "4:2:2", 0);
    facts.profile = SCI_PROFILE(DNXHR_SQ);
    check(facts, "", SC_SCAN_UNKNOWN, "4:2:2", 8);
    facts.profile = SCI_PROFILE(DNXHD);
    check(facts, "", SC_SCAN_UNKNOWN, "", 0);
}

static void the_header_of_a_prores_frame(void **state)
{
    uint8_t head[64] = {0, 1,   0,   0,   'i', 'c',       'p',        'f',       0,          148, 0,
                        0, 'a', 'p', 'l', '0', 1920 >> 8, 1920 & 255, 1080 >> 8, 1080 & 255, 0x84};
    sci_codec_facts facts = unknown(AV_CODEC_ID_PRORES);
    (void)state;
    facts.width = 1920;
    facts.head = head;
    facts.head_size = sizeof head;
    check(facts, "", SC_SCAN_TOP_FIRST, "4:2:2", 0);
    facts.profile = SCI_PROFILE(PRORES_HQ);
    check(facts, "", SC_SCAN_TOP_FIRST, "4:2:2", 10);
    facts.head = head + 8;
    facts.head_size -= 8;
    head[20] = 0xC8;
    head[25] = 2;
    facts.profile = SCI_PROFILE(PRORES_4444);
    check(facts, "", SC_SCAN_BOTTOM_FIRST, "4:4:4:4", 12);
    /* Of another raster, so something else. */
    facts.width = 1280;
    check(facts, "", SC_SCAN_UNKNOWN, "4:4:4", 12);
}

static void pixels_and_descriptors(void **state)
{
    static const struct {
        enum AVPixelFormat format;
        int sample_bits;
        const char *chroma;
        int32_t bit_depth;
    } cases[] = {
        {AV_PIX_FMT_YUV420P, 0, "4:2:0", 8},         {AV_PIX_FMT_YUV422P10LE, 10, "4:2:2", 10},
        {AV_PIX_FMT_YUVA444P12LE, 0, "4:4:4:4", 12}, {AV_PIX_FMT_YUV411P, 0, "4:1:1", 8},
        {AV_PIX_FMT_RGB48LE, 12, "RGB", 12},         {AV_PIX_FMT_ARGB, 0, "RGBA", 8},
        {AV_PIX_FMT_GRAY16LE, 0, "4:0:0", 16},       {AV_PIX_FMT_PAL8, 8, "", 0},
        {AV_PIX_FMT_BAYER_RGGB16LE, 0, "", 0},       {AV_PIX_FMT_NONE, 0, "", 0}};
    const sci_descriptor said = {
        .set = true, .chroma = "RGB", .bit_depth = 12, .scan = SC_SCAN_PROGRESSIVE};
    sci_codec_facts facts = unknown(AV_CODEC_ID_JPEG2000);
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(cases); i++) {
        facts.pixels = av_pix_fmt_desc_get(cases[i].format);
        facts.sample_bits = cases[i].sample_bits;
        check(facts, "", SC_SCAN_UNKNOWN, cases[i].chroma, cases[i].bit_depth);
    }
    facts.descriptor = &said;
    check(facts, "", SC_SCAN_PROGRESSIVE, "RGB", 12);
}

/* ---- published rates ---- */

static sc_track track(const char *name, int32_t width, int32_t height, sc_rational rate,
                      int64_t bits_per_s)
{
    return (sc_track){.kind = SC_TRACK_VIDEO,
                      .name = name,
                      .level = "",
                      .chroma = "",
                      .width = width,
                      .height = height,
                      .frame_rate = rate,
                      .bits_per_s = bits_per_s};
}

static void rates_that_are_published(void **state)
{
    static const struct {
        const char *name;
        int32_t width, height;
        sc_rational rate;
        int64_t published; /* SC_UNKNOWN: not at all */
    } cases[] = {
        {"ProRes 422 HQ", 1920, 1080, {25, 1}, 184000000},
        {"ProRes 422 HQ", 1920, 1080, {2997, 100}, 220000000},
        {"ProRes 422 HQ", 1920, 1080, {24000, 1001}, 176000000},
        {"ProRes 422 HQ", 1920, 1080, {24, 1}, 176176000},
        {"ProRes 422 HQ", 1920, 1080, {48, 1}, SC_UNKNOWN},
        {"ProRes 422 HQ", 1918, 1080, {25, 1}, SC_UNKNOWN},
        {"ProRes", 1920, 1080, {25, 1}, SC_UNKNOWN},
        {"ProRes RAW HQ", 1920, 1080, {25, 1}, SC_UNKNOWN},
        {"DNxHD 185x", 1920, 1080, {25, 1}, 183500800},
        {"DNxHD 120", 1920, 1080, {25, 1}, 121241600},
        {"DNxHD (CID 1299)", 1920, 1080, {25, 1}, SC_UNKNOWN},
        {"DNxHR HQX", 3840, 2160, {25, 1}, 728268800},
        {"DNxHR 444", 1920, 839, {24, 1}, 274464768},
        {"HEVC Main 10", 3840, 2160, {25, 1}, SC_UNKNOWN},
        {"XAVC S", 3840, 2160, {25, 1}, SC_UNKNOWN},
        {"IMX 50", 720, 608, {25, 1}, SC_UNKNOWN},
        {"ProRes 422 HQ", 0, 0, {25, 1}, SC_UNKNOWN},
        {"ProRes 422 HQ", 1920, 1080, {0, 0}, SC_UNKNOWN},
        {"ProRes 422 HQ", 1920, 1080, {INT64_MAX, 1}, SC_UNKNOWN},
    };
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(cases); i++) {
        sc_track one = track(cases[i].name, cases[i].width, cases[i].height, cases[i].rate,
                             cases[i].published / 2);
        print_message("%s %d\n", cases[i].name, (int)cases[i].width);
        sci_published_find(&one, true);
        assert_int_equal(one.published_bits_per_s, cases[i].published);
        if (cases[i].published > 0) {
            assert_true(one.published_ratio > 0.499 && one.published_ratio < 0.501);
            assert_true(strlen(one.published_source) > 10);
        } else {
            assert_true(one.published_ratio < 0);
            assert_string_equal(one.published_source, "");
        }
    }
}

static void rates_that_cannot_be_compared(void **state)
{
    sc_track one = track("ProRes 4444", 1920, 1080, (sc_rational){25, 1}, 200000000);
    (void)state;
    sci_published_find(&one, true);
    assert_int_equal(one.published_bits_per_s, 275000000);
    sci_published_find(&one, false);
    assert_int_equal(one.published_bits_per_s, SC_UNKNOWN);
    one.chroma = "4:4:4:4";
    sci_published_find(&one, true);
    assert_int_equal(one.published_bits_per_s, SC_UNKNOWN);
    one.chroma = "4:4:4";
    one.bits_per_s = SC_UNKNOWN;
    sci_published_find(&one, true);
    assert_int_equal(one.published_bits_per_s, 275000000);
    assert_true(one.published_ratio < 0);
}

static void a_rate_far_off_is_told(void **state)
{
    static const struct {
        const char *name;
        double ratio;
        const char *code; /* NULL: none */
    } cases[] = {{"ProRes 422 HQ", 0.96, NULL},
                 {"ProRes 422 HQ", 1.05, NULL},
                 {"ProRes 422 HQ", 1.2, "above-published-rate"},
                 {"ProRes 422 HQ", 0.4, "below-published-rate"},
                 {"DNxHD 185x", 1.0, NULL},
                 {"DNxHD 185x", 0.5, "below-published-rate"},
                 {"DNxHD 185x", 1.05, "above-published-rate"}};
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(cases); i++) {
        sci_findings findings = {.arena = sci_arena_new()};
        sc_track one = track(cases[i].name, 1920, 1080, (sc_rational){25, 1}, 0);
        sci_published_find(&one, true);
        one.bits_per_s = (int64_t)((double)one.published_bits_per_s * cases[i].ratio);
        sci_published_find(&one, true);
        sci_published_note(&one, &findings);
        assert_int_equal(findings.count, cases[i].code != NULL);
        if (cases[i].code) {
            assert_string_equal(findings.items[0].code, cases[i].code);
            assert_int_equal(findings.items[0].severity, SC_SEVERITY_NOTE);
            assert_non_null(strstr(findings.items[0].message, cases[i].name));
        }
        sci_arena_free(&findings.arena);
    }
}

/* ---- real files: as ffprobe and MediaInfo tell them, where these agree ---- */

static const struct {
    const char *ending, *name, *level;
    sc_scan_type scan;
    const char *chroma;
    int32_t bit_depth;
} files[] = {
    {"HT__IMP__VIDEO_6ed567b7-c030-46d6-9c1c-0f09bab4b962.mxf", "HTJ2K", "", SC_SCAN_PROGRESSIVE,
     "RGB", 12},
    {"edts.mp4", "H.264 High", "3", SC_SCAN_PROGRESSIVE, "4:2:0", 8},
    /* Of HEVC the scan is what the parameters of the sequence say; ffprobe does not show them. */
    {"hevc.ts", "HEVC Main", "4", SC_SCAN_PROGRESSIVE, "4:2:0", 8},
    {"video-h265.mp4", "HEVC Main", "4", SC_SCAN_PROGRESSIVE, "4:2:0", 8},
    {"dolbyVision-hdr.MOV", "HEVC Main 10", "3.1", SC_SCAN_PROGRESSIVE, "4:2:0", 10},
    {"h265_with_metadata_track.mp4", "HEVC Main", "5.1", SC_SCAN_PROGRESSIVE, "4:2:0", 8},
    {"hdr10-video-with-sdr-container.mp4", "HEVC Main 10", "5", SC_SCAN_PROGRESSIVE, "4:2:0", 10},
    {"pixel-motion-photo-2-hevc-tracks.mp4", "HEVC Main", "5.1", SC_SCAN_UNKNOWN, "4:2:0", 8},
    {"water_180_mvhevc_5frames.mov", "HEVC Main", "5.2", SC_SCAN_PROGRESSIVE, "4:2:0", 8},
    {"h265_10bits.mp4", "HEVC Main 10", "2", SC_SCAN_PROGRESSIVE, "4:2:0", 10},
    {"hdr10tags-both.mkv", "HEVC Main 10", "3.1", SC_SCAN_PROGRESSIVE, "4:2:0", 10},
    {"long_4k_av1.mp4", "AV1 Main", "5.1", SC_SCAN_PROGRESSIVE, "4:2:0", 8},
    {"dovi_3840x2160_30fps_dav1_10.mp4", "AV1 (Dolby Vision)", "5.0", SC_SCAN_UNKNOWN, "4:2:0", 10},
    {"pixel7_videoOnly_cleaned.mp4", "H.264 High", "4.1", SC_SCAN_PROGRESSIVE, "4:2:0", 8},
    {"portrait_4k60.mp4", "H.264 High", "5.1", SC_SCAN_PROGRESSIVE, "4:2:0", 8},
    {"sample_empty_track.mp4", "H.264 High", "5.2", SC_SCAN_PROGRESSIVE, "4:2:0", 8},
    {"max-heromode.mp4", "H.264 Main", "4.2", SC_SCAN_PROGRESSIVE, "4:2:0", 8},
    {"crop-to-container-dims-canon.mp4", "H.264 Constrained Baseline", "5", SC_SCAN_PROGRESSIVE,
     "4:2:0", 8},
    {"empty_edit_5s.mp4", "H.264 High 4:4:4 Predictive", "1.1", SC_SCAN_PROGRESSIVE, "4:4:4", 8},
    {"test_iibbibb_neg_ctts.mp4", "H.264 High 4:4:4 Predictive", "2.2", SC_SCAN_PROGRESSIVE,
     "4:4:4", 8},
    {"fake-gp-media-with-real-gpmf.mp4", "H.264 High", "1", SC_SCAN_PROGRESSIVE, "4:2:0", 8},
    {"mov-frag-encrypted.mp4", "H.264 Main", "1.1", SC_SCAN_PROGRESSIVE, "4:2:0", 8},
    {"1242-small.mkv", "H.264 High", "3.1", SC_SCAN_PROGRESSIVE, "4:2:0", 8},
    {"earth.avi", "H.264 High", "2.1", SC_SCAN_PROGRESSIVE, "4:2:0", 8},
    {"Sony_ILCE-7M3_(A7M3).mts", "H.264 High", "4", SC_SCAN_TOP_FIRST, "4:2:0", 8},
    {"SonyXAVC_LongGOP_green_pixelation_early_Frames.mp4", "XAVC Long GOP", "4.1",
     SC_SCAN_TOP_FIRST, "4:2:2", 10},
    {"d10_qt_klv__sample.mxf", "IMX 50", "Main", SC_SCAN_TOP_FIRST, "4:2:2", 8},
    {"Sony-00001.mp4", "IMX 50", "Main", SC_SCAN_TOP_FIRST, "4:2:2", 8},
    {"xdcam8mp2-1s_small.mp4", "MPEG-2 4:2:2", "Main", SC_SCAN_PROGRESSIVE, "4:2:2", 8},
    {"hdv-1080i50.mov", "HDV", "", SC_SCAN_TOP_FIRST, "4:2:0", 8},
    {"mpeg-imx-525-60.mov", "IMX 30", "", SC_SCAN_BOTTOM_FIRST, "4:2:2", 8},
    {"xdcam-hd-1080i50.mov", "XDCAM HD", "", SC_SCAN_TOP_FIRST, "4:2:0", 8},
    {"xdcam-hd422-720p50.mov", "XDCAM HD422", "", SC_SCAN_PROGRESSIVE, "4:2:2", 8},
    {"extended_atom_size_probe.mp4", "MPEG-4 Visual Simple Profile", "1", SC_SCAN_UNKNOWN, "4:2:0",
     8},
    {"dv-pal-interlaced.mov", "DV", "", SC_SCAN_BOTTOM_FIRST, "4:2:0", 8},
    /* Only frames tell, and none is read. */
    {"cfhd_422.avi", "CineForm", "", SC_SCAN_UNKNOWN, "", 0},
    {"cfhd_odd.mp4", "CineForm", "", SC_SCAN_PROGRESSIVE, "", 0},
    {"cineform_yuv10b_hd.mp4", "CineForm", "", SC_SCAN_PROGRESSIVE, "", 0},
    /* MediaInfo tells the coding of the frame; the compression ID is one of interlaced pictures. */
    {"dnxhd100_cid1260.mp4", "DNxHD 100 TR+", "", SC_SCAN_INTERLACED, "4:2:2", 8},
    {"dnxhr444_cid1270.mp4", "DNxHR 444", "", SC_SCAN_PROGRESSIVE, "4:4:4", 10},
    {"dnxhr_cid1271_12bit.mp4", "DNxHR HQX", "", SC_SCAN_PROGRESSIVE, "4:2:2", 12},
    {"multiple_components.mp4", "DNxHR LB", "", SC_SCAN_PROGRESSIVE, "4:2:2", 8},
    {"Meridian-Apple_ProResProxy-HDR10.mp4", "ProRes 422 Proxy", "", SC_SCAN_PROGRESSIVE, "4:2:2",
     10},
    {"Sequence_1-Apple_ProRes_422.mp4", "ProRes 422", "", SC_SCAN_BOTTOM_FIRST, "4:2:2", 10},
    {"Sequence_1-Apple_ProRes_422_LT.mp4", "ProRes 422 LT", "", SC_SCAN_BOTTOM_FIRST, "4:2:2", 10},
    {"Sequence_1-Apple_ProRes_with_Alpha.mp4", "ProRes 4444", "", SC_SCAN_BOTTOM_FIRST, "4:4:4",
     12},
    {"prores4444_with_transparency.mp4", "ProRes 4444", "", SC_SCAN_PROGRESSIVE, "4:4:4:4", 12},
    {"apple-prores-422-hq.mov", "ProRes 422 HQ", "", SC_SCAN_PROGRESSIVE, "4:2:2", 10},
    {"apple-intermediate-codec.mov", "Apple Intermediate Codec", "", SC_SCAN_PROGRESSIVE, "4:2:0",
     8},
    {"animation.mov", "Animation", "", SC_SCAN_UNKNOWN, "RGBA", 8},
    {"MVI_4823.AVI", "Motion JPEG", "", SC_SCAN_UNKNOWN, "", 0},
};

static char *found[SCI_COUNT(files)];

static int find_file(const char *path, const struct stat *facts, int type, struct FTW *walk)
{
    const size_t length = strlen(path);
    (void)facts;
    (void)walk;
    for (size_t i = 0; type == FTW_F && i < SCI_COUNT(files); i++) {
        const size_t ending = strlen(files[i].ending);
        if (!found[i] && length > ending && strcmp(path + length - ending, files[i].ending) == 0 &&
            strchr("_/", path[length - ending - 1]))
            found[i] = strdup(path);
    }
    return 0;
}

static void check_file(size_t i)
{
    const char *path = found[i];
    sc_probe *probe = NULL;
    assert_int_equal(sc_probe_many(&path, 1, NULL, &probe, NULL), SC_OK);
    const sc_track *one = sc_clip_main_track(&probe->clips[0]);
    assert_non_null(one);
    print_message("%s\n", path);
    assert_string_equal(one->name, files[i].name);
    assert_string_equal(one->level, files[i].level);
    assert_string_equal(sc_scan_type_name(one->scan), sc_scan_type_name(files[i].scan));
    assert_string_equal(one->chroma, files[i].chroma);
    assert_int_equal(one->bit_depth, files[i].bit_depth);
    sc_probe_free(&probe);
}

static void real_files(void **state)
{
    const char *folder = getenv("STREAMCALC_MEDIA");
    size_t count = 0;
    (void)state;
    if (!folder || nftw(folder, find_file, 16, FTW_PHYS) != 0) {
        print_message("skipped: STREAMCALC_MEDIA names no folder of media\n");
        skip();
    }
    sc_probe_quiet_ffmpeg();
    for (size_t i = 0; i < SCI_COUNT(files); i++) {
        if (!found[i])
            continue;
        check_file(i);
        free(found[i]);
        count++;
    }
    print_message("%zu of %zu known files\n", count, SCI_COUNT(files));
}

static void scan_types_have_names(void **state)
{
    (void)state;
    for (int scan = SC_SCAN_UNKNOWN; scan <= SC_SCAN_INTERLACED; scan++)
        assert_int_equal(sc_scan_type_from_name(sc_scan_type_name((sc_scan_type)scan)), scan);
    assert_string_equal(sc_scan_type_name((sc_scan_type)99), "unknown");
    assert_int_equal(sc_scan_type_from_name(NULL), SC_SCAN_UNKNOWN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(headers_tell_the_picture),
        cmocka_unit_test(headers_of_noise),
        cmocka_unit_test(levels_of_decoders),
        cmocka_unit_test(fields_as_containers_name_them),
        cmocka_unit_test(flavours_tell_the_picture),
        cmocka_unit_test(the_header_of_a_dnx_frame),
        cmocka_unit_test(the_header_of_a_prores_frame),
        cmocka_unit_test(pixels_and_descriptors),
        cmocka_unit_test(rates_that_are_published),
        cmocka_unit_test(rates_that_cannot_be_compared),
        cmocka_unit_test(a_rate_far_off_is_told),
        cmocka_unit_test(real_files),
        cmocka_unit_test(scan_types_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
