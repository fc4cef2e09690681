#include "probe/name.h"

#include "probe/parameters.h"
#include "probe/pixels.h"

#include <libavutil/intreadwrite.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

/* ---- by tag: the fourcc of QuickTime says more than the codec; `length` characters count ---- */

#define PROGRESSIVE SC_SCAN_PROGRESSIVE
#define INTERLACED  SC_SCAN_INTERLACED

static const struct {
    char tag[5];
    int length;
    sci_flavour flavour;
} tag_flavours[] = {
    {"apco", 4, {"ProRes 422 Proxy", "4:2:2", 10, 0}},
    {"apcs", 4, {"ProRes 422 LT", "4:2:2", 10, 0}},
    {"apcn", 4, {"ProRes 422", "4:2:2", 10, 0}},
    {"apch", 4, {"ProRes 422 HQ", "4:2:2", 10, 0}},
    {"ap4h", 4, {"ProRes 4444", "4:4:4", 12, 0}},
    {"ap4x", 4, {"ProRes 4444 XQ", "4:4:4", 12, 0}},
    {"aprn", 4, {"ProRes RAW", "", 0, 0}},
    {"aprh", 4, {"ProRes RAW HQ", "", 0, 0}},
    /* XDCAM: 720p30, 24, 25, 60 and 50, then 1080i60 and i50, then 1080p24, 25 and 30. The disc
       format (HD) has its 1080 modes in other places than the card format (EX). */
    {"xdv1", 4, {"XDCAM EX", "4:2:0", 8, PROGRESSIVE}},
    {"xdv2", 4, {"XDCAM HD", "4:2:0", 8, INTERLACED}},
    {"xdv3", 4, {"XDCAM HD", "4:2:0", 8, INTERLACED}},
    {"xdv4", 4, {"XDCAM EX", "4:2:0", 8, PROGRESSIVE}},
    {"xdv5", 4, {"XDCAM EX", "4:2:0", 8, PROGRESSIVE}},
    {"xdv6", 4, {"XDCAM HD", "4:2:0", 8, PROGRESSIVE}},
    {"xdv7", 4, {"XDCAM HD", "4:2:0", 8, PROGRESSIVE}},
    {"xdv8", 4, {"XDCAM HD", "4:2:0", 8, PROGRESSIVE}},
    {"xdv9", 4, {"XDCAM EX", "4:2:0", 8, PROGRESSIVE}},
    {"xdva", 4, {"XDCAM EX", "4:2:0", 8, PROGRESSIVE}},
    {"xdvb", 4, {"XDCAM EX", "4:2:0", 8, INTERLACED}},
    {"xdvc", 4, {"XDCAM EX", "4:2:0", 8, INTERLACED}},
    {"xdvd", 4, {"XDCAM EX", "4:2:0", 8, PROGRESSIVE}},
    {"xdve", 4, {"XDCAM EX", "4:2:0", 8, PROGRESSIVE}},
    {"xdvf", 4, {"XDCAM EX", "4:2:0", 8, PROGRESSIVE}},
    {"xdv", 3, {"XDCAM", "4:2:0", 8, 0}},
    {"xdh2", 4, {"XDCAM HD422", "4:2:2", 8, 0}},
    {"xdh", 3, {"XDCAM HD", "4:2:0", 8, 0}},
    {"xd5b", 4, {"XDCAM HD422", "4:2:2", 8, INTERLACED}},
    {"xd5c", 4, {"XDCAM HD422", "4:2:2", 8, INTERLACED}},
    {"xd51", 4, {"XDCAM HD422", "4:2:2", 8, PROGRESSIVE}},
    {"xd54", 4, {"XDCAM HD422", "4:2:2", 8, PROGRESSIVE}},
    {"xd55", 4, {"XDCAM HD422", "4:2:2", 8, PROGRESSIVE}},
    {"xd59", 4, {"XDCAM HD422", "4:2:2", 8, PROGRESSIVE}},
    {"xd5a", 4, {"XDCAM HD422", "4:2:2", 8, PROGRESSIVE}},
    {"xd5d", 4, {"XDCAM HD422", "4:2:2", 8, PROGRESSIVE}},
    {"xd5e", 4, {"XDCAM HD422", "4:2:2", 8, PROGRESSIVE}},
    {"xd5f", 4, {"XDCAM HD422", "4:2:2", 8, PROGRESSIVE}},
    {"xd5", 3, {"XDCAM HD422", "4:2:2", 8, 0}},
    {"hdv2", 4, {"HDV", "4:2:0", 8, INTERLACED}},
    {"hdv3", 4, {"HDV", "4:2:0", 8, INTERLACED}},
    {"hdv", 3, {"HDV", "4:2:0", 8, 0}},
    {"mx3", 3, {"IMX 30", "4:2:2", 8, INTERLACED}},
    {"mx4", 3, {"IMX 40", "4:2:2", 8, INTERLACED}},
    {"mx5", 3, {"IMX 50", "4:2:2", 8, INTERLACED}},
    {"ai15", 4, {"AVC-Intra 100", "4:2:2", 10, INTERLACED}},
    {"ai16", 4, {"AVC-Intra 100", "4:2:2", 10, INTERLACED}},
    {"ai1", 3, {"AVC-Intra 100", "4:2:2", 10, 0}},
    {"ai55", 4, {"AVC-Intra 50", "4:2:0", 10, INTERLACED}},
    {"ai56", 4, {"AVC-Intra 50", "4:2:0", 10, INTERLACED}},
    {"ai5", 3, {"AVC-Intra 50", "4:2:0", 10, 0}},
    {"AVin", 4, {"AVC-Intra", "", 0, 0}},
    {"aivx", 4, {"XAVC Intra", "4:2:2", 10, 0}},
    {"xalg", 4, {"XAVC Long GOP", "4:2:2", 0, 0}},
    {"avlg", 4, {"AVC-LongG", "", 0, 0}},
    {"dvcp", 4, {"DV", "4:2:0", 8, 0}},
    {"dvc ", 4, {"DV", "4:1:1", 8, 0}},
    {"dvpp", 4, {"DVCPRO", "4:1:1", 8, 0}},
    {"dv5", 3, {"DVCPRO50", "4:2:2", 8, 0}},
    {"dvh5", 4, {"DVCPRO HD", "4:2:2", 8, INTERLACED}},
    {"dvh6", 4, {"DVCPRO HD", "4:2:2", 8, INTERLACED}},
    {"dvhp", 4, {"DVCPRO HD", "4:2:2", 8, PROGRESSIVE}},
    {"dvhq", 4, {"DVCPRO HD", "4:2:2", 8, PROGRESSIVE}},
    {"dvh3", 4, {"DVCPRO HD", "4:2:2", 8, 0}},
    {"dvh2", 4, {"DVCPRO HD", "4:2:2", 8, 0}},
    {"CFHD", 4, {"CineForm", "", 0, 0}},
    {"icod", 4, {"Apple Intermediate Codec", "4:2:0", 8, 0}},
    {"dav1", 4, {"AV1 (Dolby Vision)", "", 0, 0}},
    {"brxq", 4, {"Blackmagic RAW", "", 0, 0}},
    {"brst", 4, {"Blackmagic RAW", "", 0, 0}},
    {"brvn", 4, {"Blackmagic RAW", "", 0, 0}},
    {"brs2", 4, {"Blackmagic RAW", "", 0, 0}},
    {"brxh", 4, {"Blackmagic RAW", "", 0, 0}},
    {"CRAW", 4, {"Canon Cinema RAW", "", 0, 0}},
    {"v210", 4, {"Uncompressed 10-bit 4:2:2", "4:2:2", 10, 0}},
    {"v216", 4, {"Uncompressed 16-bit 4:2:2", "4:2:2", 16, 0}},
    {"2vuy", 4, {"Uncompressed 8-bit 4:2:2", "4:2:2", 8, 0}},
    {"UYVY", 4, {"Uncompressed 8-bit 4:2:2", "4:2:2", 8, 0}},
    {"yuv2", 4, {"Uncompressed 8-bit 4:2:2", "4:2:2", 8, 0}},
    {"YUY2", 4, {"Uncompressed 8-bit 4:2:2", "4:2:2", 8, 0}},
    {"v308", 4, {"Uncompressed 8-bit 4:4:4", "4:4:4", 8, 0}},
    {"v408", 4, {"Uncompressed 8-bit 4:4:4:4", "4:4:4:4", 8, 0}},
    {"v410", 4, {"Uncompressed 10-bit 4:4:4", "4:4:4", 10, 0}},
    {"r210", 4, {"Uncompressed 10-bit RGB", "RGB", 10, 0}},
    {"R10k", 4, {"Uncompressed 10-bit RGB", "RGB", 10, 0}},
    {"b48r", 4, {"Uncompressed 16-bit RGB", "RGB", 16, 0}},
    {"b64a", 4, {"Uncompressed 16-bit ARGB", "RGBA", 16, 0}},
    {"mjpa", 4, {"Motion JPEG A", "", 8, 0}},
    {"mjpb", 4, {"Motion JPEG B", "", 8, 0}},
};

/* ---- by the label of the coding in MXF, from its ninth byte; those before name the registry ---- */

enum { LABEL_FROM = 8, LABEL_BYTES = 8 };

static const struct {
    uint8_t bytes[LABEL_BYTES];
    size_t length;
    sci_flavour flavour;
} label_flavours[] = {
    /* MPEG-2 of SMPTE ST 356 (D-10). */
    {{4, 1, 2, 2, 1, 2, 1, 1}, 8, {"IMX 50", "4:2:2", 8, 0}},
    {{4, 1, 2, 2, 1, 2, 1, 2}, 8, {"IMX 50", "4:2:2", 8, 0}},
    {{4, 1, 2, 2, 1, 2, 1, 3}, 8, {"IMX 40", "4:2:2", 8, 0}},
    {{4, 1, 2, 2, 1, 2, 1, 4}, 8, {"IMX 40", "4:2:2", 8, 0}},
    {{4, 1, 2, 2, 1, 2, 1, 5}, 8, {"IMX 30", "4:2:2", 8, 0}},
    {{4, 1, 2, 2, 1, 2, 1, 6}, 8, {"IMX 30", "4:2:2", 8, 0}},
    /* H.264 of SMPTE RP 2027. */
    {{4, 1, 2, 2, 1, 0x32, 0x21}, 7, {"AVC-Intra 50", "4:2:0", 10, 0}},
    {{4, 1, 2, 2, 1, 0x32, 0x31}, 7, {"AVC-Intra 100", "4:2:2", 10, 0}},
    {{4, 1, 2, 2, 1, 0x32, 0x32}, 7, {"AVC-Intra 200", "4:2:2", 10, 0}},
    /* DV of IEC 61834, and of SMPTE ST 314 and ST 370. */
    {{4, 1, 2, 2, 2, 1, 1}, 7, {"DV", "4:1:1", 8, 0}},
    {{4, 1, 2, 2, 2, 1, 2}, 7, {"DV", "4:2:0", 8, 0}},
    {{4, 1, 2, 2, 2, 2, 1}, 7, {"DVCPRO", "4:1:1", 8, 0}},
    {{4, 1, 2, 2, 2, 2, 2}, 7, {"DVCPRO", "4:1:1", 8, 0}},
    {{4, 1, 2, 2, 2, 2, 3}, 7, {"DVCPRO50", "4:2:2", 8, 0}},
    {{4, 1, 2, 2, 2, 2, 4}, 7, {"DVCPRO50", "4:2:2", 8, 0}},
    {{4, 1, 2, 2, 2, 2, 5}, 7, {"DVCPRO HD", "4:2:2", 8, INTERLACED}},
    {{4, 1, 2, 2, 2, 2, 6}, 7, {"DVCPRO HD", "4:2:2", 8, INTERLACED}},
    {{4, 1, 2, 2, 2, 2, 7}, 7, {"DVCPRO HD", "4:2:2", 8, PROGRESSIVE}},
    {{4, 1, 2, 2, 2, 2, 8}, 7, {"DVCPRO HD", "4:2:2", 8, PROGRESSIVE}},
    /* JPEG 2000: digital cinema, broadcast contribution, SMPTE ST 2067-20 and -21, ISO/IEC 15444-15. */
    {{4, 1, 2, 2, 3, 1, 1, 3}, 8, {"JPEG 2000 Cinema 2K", "", 0, 0}},
    {{4, 1, 2, 2, 3, 1, 1, 4}, 8, {"JPEG 2000 Cinema 4K", "", 0, 0}},
    {{4, 1, 2, 2, 3, 1, 1, 0x11}, 8, {"JPEG 2000 Broadcast", "", 0, 0}},
    {{4, 1, 2, 2, 3, 1, 1, 0x12}, 8, {"JPEG 2000 Broadcast", "", 0, 0}},
    {{4, 1, 2, 2, 3, 1, 1, 0x13}, 8, {"JPEG 2000 Broadcast", "", 0, 0}},
    {{4, 1, 2, 2, 3, 1, 1, 0x14}, 8, {"JPEG 2000 Broadcast", "", 0, 0}},
    {{4, 1, 2, 2, 3, 1, 1, 0x15}, 8, {"JPEG 2000 Broadcast", "", 0, 0}},
    {{4, 1, 2, 2, 3, 1, 1, 0x16}, 8, {"JPEG 2000 Broadcast", "", 0, 0}},
    {{4, 1, 2, 2, 3, 1, 1, 0x17}, 8, {"JPEG 2000 Broadcast", "", 0, 0}},
    {{4, 1, 2, 2, 3, 1, 2}, 7, {"JPEG 2000 IMF 2K", "", 0, 0}},
    {{4, 1, 2, 2, 3, 1, 5}, 7, {"JPEG 2000 IMF 2K", "", 0, 0}},
    {{4, 1, 2, 2, 3, 1, 3}, 7, {"JPEG 2000 IMF 4K", "", 0, 0}},
    {{4, 1, 2, 2, 3, 1, 6}, 7, {"JPEG 2000 IMF 4K", "", 0, 0}},
    {{4, 1, 2, 2, 3, 1, 8, 1}, 8, {"HTJ2K", "", 0, 0}},
    /* SMPTE RDD 44. */
    {{4, 1, 2, 2, 3, 6, 1}, 7, {"ProRes 422 Proxy", "4:2:2", 10, 0}},
    {{4, 1, 2, 2, 3, 6, 2}, 7, {"ProRes 422 LT", "4:2:2", 10, 0}},
    {{4, 1, 2, 2, 3, 6, 3}, 7, {"ProRes 422", "4:2:2", 10, 0}},
    {{4, 1, 2, 2, 3, 6, 4}, 7, {"ProRes 422 HQ", "4:2:2", 10, 0}},
    {{4, 1, 2, 2, 3, 6, 5}, 7, {"ProRes 4444", "4:4:4", 12, 0}},
    {{4, 1, 2, 2, 3, 6, 6}, 7, {"ProRes 4444 XQ", "4:4:4", 12, 0}},
};

static const uint8_t label_of_mpeg2_422_hl_long_gop[] = {4, 1, 2, 2, 1, 4, 3},
                     label_of_avc_intra[] = {4, 1, 2, 2, 1, 0x32};

static bool has_label(const sci_codec_facts *facts, const uint8_t *bytes, size_t length)
{
    return facts->descriptor && memcmp(facts->descriptor->label + LABEL_FROM, bytes, length) == 0;
}

/* ---- by codec ---- */

static const struct {
    enum AVCodecID codec;
    bool with_profile; /* "HEVC Main 10" */
    const char *name;
} codec_names[] = {
    {AV_CODEC_ID_H264, true, "H.264"},
    {AV_CODEC_ID_HEVC, true, "HEVC"},
    {AV_CODEC_ID_VVC, true, "VVC"},
    {AV_CODEC_ID_AV1, true, "AV1"},
    {AV_CODEC_ID_VP8, false, "VP8"},
    {AV_CODEC_ID_VP9, true, "VP9"},
    {AV_CODEC_ID_MPEG1VIDEO, false, "MPEG-1"},
    {AV_CODEC_ID_MPEG2VIDEO, true, "MPEG-2"},
    {AV_CODEC_ID_MPEG4, true, "MPEG-4 Visual"},
    {AV_CODEC_ID_MJPEG, false, "Motion JPEG"},
    {AV_CODEC_ID_JPEG2000, false, "JPEG 2000"},
    {AV_CODEC_ID_DVVIDEO, false, "DV"},
    {AV_CODEC_ID_CFHD, false, "CineForm"},
    {AV_CODEC_ID_QTRLE, false, "Animation"},
    {AV_CODEC_ID_AIC, false, "Apple Intermediate Codec"},
    {AV_CODEC_ID_V210, false, "Uncompressed 10-bit 4:2:2"},
    {AV_CODEC_ID_V308, false, "Uncompressed 8-bit 4:4:4"},
    {AV_CODEC_ID_V410, false, "Uncompressed 10-bit 4:4:4"},
    {AV_CODEC_ID_R210, false, "Uncompressed 10-bit RGB"},
    {AV_CODEC_ID_RAWVIDEO, false, "Uncompressed"},
    {AV_CODEC_ID_FFV1, false, "FFV1"},
    {AV_CODEC_ID_HUFFYUV, false, "HuffYUV"},
    {AV_CODEC_ID_FFVHUFF, false, "HuffYUV"},
    {AV_CODEC_ID_UTVIDEO, false, "Ut Video"},
    {AV_CODEC_ID_MAGICYUV, false, "MagicYUV"},
    {AV_CODEC_ID_HAP, false, "Hap"},
    {AV_CODEC_ID_PRORES, false, "ProRes"},
    {AV_CODEC_ID_DNXHD, false, "DNxHD"},
    {AV_CODEC_ID_AAC, false, "AAC"},
    {AV_CODEC_ID_MP2, false, "MPEG Layer 2"},
    {AV_CODEC_ID_MP3, false, "MP3"},
    {AV_CODEC_ID_AC3, false, "Dolby Digital (AC-3)"},
    {AV_CODEC_ID_EAC3, false, "Dolby Digital Plus (E-AC-3)"},
    {AV_CODEC_ID_ALAC, false, "Apple Lossless"},
    {AV_CODEC_ID_FLAC, false, "FLAC"},
    {AV_CODEC_ID_OPUS, false, "Opus"},
    {AV_CODEC_ID_VORBIS, false, "Vorbis"},
};

static const struct {
    int profile;
    sci_flavour flavour;
} prores_profiles[] = {
    {SCI_PROFILE(PRORES_PROXY), {"ProRes 422 Proxy", "4:2:2", 10, 0}},
    {SCI_PROFILE(PRORES_LT), {"ProRes 422 LT", "4:2:2", 10, 0}},
    {SCI_PROFILE(PRORES_STANDARD), {"ProRes 422", "4:2:2", 10, 0}},
    {SCI_PROFILE(PRORES_HQ), {"ProRes 422 HQ", "4:2:2", 10, 0}},
    {SCI_PROFILE(PRORES_4444), {"ProRes 4444", "4:4:4", 12, 0}},
    {SCI_PROFILE(PRORES_XQ), {"ProRes 4444 XQ", "4:4:4", 12, 0}},
};

/* ---- DNx: Avid's names carry the rate at 23.976 or 24, 25, 29.97, 50 and 59.94 or 60 ---- */

enum { RATES = 5 };

static const struct {
    int cid;
    int16_t megabits[RATES]; /* 0: Avid has no such mode */
    const char *suffix;
} dnxhd_modes[] = {
    {1235, {175, 185, 220, 365, 440}, "x"}, {1237, {115, 120, 145, 240, 290}, ""},
    {1238, {175, 185, 220, 365, 440}, ""},  {1241, {0, 185, 220, 0, 0}, "x"},
    {1242, {0, 120, 145, 0, 0}, ""},        {1243, {0, 185, 220, 0, 0}, ""},
    {1244, {0, 120, 145, 0, 0}, " TR"},     {1250, {90, 90, 110, 180, 220}, "x"},
    {1251, {90, 90, 110, 175, 220}, ""},    {1252, {60, 60, 75, 115, 145}, ""},
    {1253, {36, 36, 45, 75, 90}, ""},       {1256, {350, 365, 440, 0, 0}, "x 444"},
    {1259, {80, 85, 100, 0, 0}, " TR+"},    {1260, {0, 85, 100, 0, 0}, " TR+"},
};

/* Those without a rate in the name; of DNxHD the profile tells nothing. */
static const struct {
    int cid, profile;
    const char *name;
} dnx_names[] = {
    {1270, SCI_PROFILE(DNXHR_444), "DNxHR 444"}, {1271, SCI_PROFILE(DNXHR_HQX), "DNxHR HQX"},
    {1272, SCI_PROFILE(DNXHR_HQ), "DNxHR HQ"},   {1273, SCI_PROFILE(DNXHR_SQ), "DNxHR SQ"},
    {1274, SCI_PROFILE(DNXHR_LB), "DNxHR LB"},   {1258, INT_MIN, "DNxHD TR 720"},
};

int sci_dnx_cid(const uint8_t header[SCI_DNX_HEADER_BYTES])
{
    uint32_t cid = AV_RB32(header + 40);
    return header[0] == 0 && header[1] == 0 && cid >= 1235 && cid <= 1300 ? (int)cid : 0;
}

static int rate_column(sc_rational rate)
{
    static const double nominal[RATES] = {24, 25, 30, 50, 60};
    double value = sc_rational_value(rate);
    for (int i = 0; i < RATES; i++)
        if (value <= nominal[i] * 1.0001 && value >= nominal[i] * 0.9985)
            return i;
    return -1;
}

static bool name_dnx(const sci_codec_facts *facts, char *buffer, size_t size)
{
    int column = rate_column(facts->rate);
    if (facts->codec != AV_CODEC_ID_DNXHD)
        return false;
    for (size_t i = 0; i < SCI_COUNT(dnx_names); i++)
        if (facts->cid ? dnx_names[i].cid == facts->cid : dnx_names[i].profile == facts->profile)
            return snprintf(buffer, size, "%s", dnx_names[i].name) > 0;
    for (size_t i = 0; i < SCI_COUNT(dnxhd_modes); i++)
        if (dnxhd_modes[i].cid == facts->cid && column >= 0 && dnxhd_modes[i].megabits[column])
            return snprintf(buffer, size, "DNxHD %d%s", dnxhd_modes[i].megabits[column],
                            dnxhd_modes[i].suffix) > 0;
    return facts->cid && snprintf(buffer, size, "DNxHD (CID %d)", facts->cid) > 0;
}

static const sci_flavour *flavour_of_tag(const sci_codec_facts *facts)
{
    char tag[4] = {(char)(facts->tag & 0xFF), (char)(facts->tag >> 8 & 0xFF),
                   (char)(facts->tag >> 16 & 0xFF), (char)(facts->tag >> 24)};
    for (size_t i = 0; i < SCI_COUNT(tag_flavours); i++)
        if (memcmp(tag, tag_flavours[i].tag, (size_t)tag_flavours[i].length) == 0)
            return &tag_flavours[i].flavour;
    return NULL;
}

static const sci_flavour *flavour_of_label(const sci_codec_facts *facts)
{
    for (size_t i = 0; i < SCI_COUNT(label_flavours); i++)
        if (has_label(facts, label_flavours[i].bytes, label_flavours[i].length))
            return &label_flavours[i].flavour;
    return NULL;
}

static const sci_flavour *flavour_of_profile(const sci_codec_facts *facts)
{
    for (size_t i = 0; facts->codec == AV_CODEC_ID_PRORES && i < SCI_COUNT(prores_profiles); i++)
        if (prores_profiles[i].profile == facts->profile)
            return &prores_profiles[i].flavour;
    return NULL;
}

const sci_flavour *sci_flavour_of(const sci_codec_facts *facts)
{
    const sci_flavour *flavour = flavour_of_tag(facts);
    if (!flavour)
        flavour = flavour_of_label(facts);
    return flavour ? flavour : flavour_of_profile(facts);
}

static bool name_by_flavour(const sci_codec_facts *facts, char *buffer, size_t size)
{
    const sci_flavour *flavour = sci_flavour_of(facts);
    return flavour && snprintf(buffer, size, "%s", flavour->name) > 0;
}

static bool is(const char *text, const char *wanted)
{
    return text && strcmp(text, wanted) == 0;
}

/* Sony's cameras: their brand of MP4, and H.264 in MXF, which of theirs is SMPTE RDD 32. The classes
   of XAVC Intra share the labels of AVC-Intra. */
static bool name_xavc(const sci_codec_facts *facts, char *buffer, size_t size)
{
    const bool avc = facts->codec == AV_CODEC_ID_H264;
    const bool intra = sci_profile_of(facts) & SCI_PROFILE(H264_INTRA) ||
                       has_label(facts, label_of_avc_intra, sizeof label_of_avc_intra);
    const char *name = NULL;
    if (is(facts->brand, "XAVC") && facts->codec == AV_CODEC_ID_HEVC)
        name = "XAVC HS";
    else if (is(facts->brand, "XAVC") && avc)
        name = intra ? "XAVC S-I" : "XAVC S";
    else if (facts->descriptor && is(facts->maker, "Sony") && avc)
        name = intra ? "XAVC Intra" : "XAVC Long GOP";
    return name && snprintf(buffer, size, "%s", name) > 0;
}

/* The label is that of every MPEG-2 4:2:2 in groups of pictures; XDCAM HD422 has 50 Mb/s of it. */
static bool name_xdcam(const sci_codec_facts *facts, char *buffer, size_t size)
{
    const bool raster = (facts->width == 1920 && facts->height >= 1080 && facts->height <= 1088) ||
                        (facts->width == 1280 && facts->height == 720);
    return facts->codec == AV_CODEC_ID_MPEG2VIDEO && raster &&
           has_label(facts, label_of_mpeg2_422_hl_long_gop,
                     sizeof label_of_mpeg2_422_hl_long_gop) &&
           facts->bits_per_s >= 45000000 && facts->bits_per_s <= 52000000 &&
           snprintf(buffer, size, "XDCAM HD422") > 0;
}

/* D-10 in MXF: 4:2:2 intra with 32 lines of blanking, at one of three constant rates. */
static bool name_imx(const sci_codec_facts *facts, char *buffer, size_t size)
{
    int64_t tens = (facts->bits_per_s + 5000000) / 10000000;
    if (facts->codec != AV_CODEC_ID_MPEG2VIDEO || facts->width != 720 ||
        (facts->height != 608 && facts->height != 512) || tens < 3 || tens > 5)
        return false;
    return snprintf(buffer, size, "IMX %d", (int)tens * 10) > 0;
}

/* "pcm_s24le" is "PCM s24le". */
static bool name_pcm(const sci_codec_facts *facts, char *buffer, size_t size)
{
    const char *name = avcodec_get_name(facts->codec);
    return strncmp(name, "pcm_", 4) == 0 && snprintf(buffer, size, "PCM %s", name + 4) > 0;
}

int sci_profile_of(const sci_codec_facts *facts)
{
    sci_parameters parameters;
    if (facts->profile != SCI_PROFILE(UNKNOWN))
        return facts->profile;
    sci_parameters_read(facts->codec, facts->extradata, facts->extradata_size, &parameters);
    return parameters.profile;
}

/* Those of FFmpeg are longer, or numbers. */
static bool name_jpeg_2000(const sci_codec_facts *facts, char *buffer, size_t size)
{
    const int high_throughput = 1 << 14;
    if (facts->codec != AV_CODEC_ID_JPEG2000 || facts->profile < 0)
        return false;
    const char *name = facts->profile == SCI_PROFILE(JPEG2000_DCINEMA_2K)   ? "JPEG 2000 Cinema 2K"
                       : facts->profile == SCI_PROFILE(JPEG2000_DCINEMA_4K) ? "JPEG 2000 Cinema 4K"
                       : facts->profile == high_throughput                  ? "HTJ2K"
                                                                            : NULL;
    return name && snprintf(buffer, size, "%s", name) > 0;
}

/* "Uncompressed 8-bit 4:2:0", where the pixels are known. */
static bool name_uncompressed(const sci_codec_facts *facts, char *buffer, size_t size)
{
    const char *chroma = facts->pixels ? sci_chroma_of_pixels(facts->pixels) : "";
    return facts->codec == AV_CODEC_ID_RAWVIDEO && *chroma &&
           snprintf(buffer, size, "Uncompressed %d-bit %s", facts->pixels->comp[0].depth, chroma) >
               0;
}

static bool name_by_codec(const sci_codec_facts *facts, char *buffer, size_t size)
{
    for (size_t i = 0; i < SCI_COUNT(codec_names); i++) {
        if (codec_names[i].codec != facts->codec)
            continue;
        const char *profile = codec_names[i].with_profile
                                  ? avcodec_profile_name(facts->codec, sci_profile_of(facts))
                                  : NULL;
        return snprintf(buffer, size, profile ? "%s %s" : "%s", codec_names[i].name, profile) > 0;
    }
    return false;
}

static void name_unknown(const sci_codec_facts *facts, char *buffer, size_t size)
{
    const AVCodecDescriptor *codec = avcodec_descriptor_get(facts->codec);
    char tag[AV_FOURCC_MAX_STRING_SIZE];
    if (codec)
        snprintf(buffer, size, "%s", codec->long_name ? codec->long_name : codec->name);
    else if (facts->tag)
        snprintf(buffer, size, "unknown (%s)", av_fourcc_make_string(tag, facts->tag));
    else
        snprintf(buffer, size, "unknown");
}

char *sci_codec_name(const sci_codec_facts *facts, char *buffer, size_t size)
{
    static bool (*const ways[])(const sci_codec_facts *, char *, size_t) = {
        name_dnx, name_xavc,      name_by_flavour,   name_xdcam,   name_imx,
        name_pcm, name_jpeg_2000, name_uncompressed, name_by_codec};
    for (size_t i = 0; i < SCI_COUNT(ways); i++)
        if (ways[i](facts, buffer, size))
            return buffer;
    name_unknown(facts, buffer, size);
    return buffer;
}
