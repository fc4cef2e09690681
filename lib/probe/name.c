#include "probe/name.h"

#include <libavutil/intreadwrite.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

/* ---- by tag: the fourcc of QuickTime says more than the codec; `length` characters count ---- */

static const struct {
    char tag[5];
    int length;
    const char *name;
} tag_names[] = {
    {"apco", 4, "ProRes 422 Proxy"},
    {"apcs", 4, "ProRes 422 LT"},
    {"apcn", 4, "ProRes 422"},
    {"apch", 4, "ProRes 422 HQ"},
    {"ap4h", 4, "ProRes 4444"},
    {"ap4x", 4, "ProRes 4444 XQ"},
    {"aprn", 4, "ProRes RAW"},
    {"aprh", 4, "ProRes RAW HQ"},
    {"xdv", 3, "XDCAM HD"},
    {"xdh", 3, "XDCAM HD"},
    {"xd5", 3, "XDCAM HD422"},
    {"hdv", 3, "HDV"},
    {"mx3", 3, "IMX 30"},
    {"mx4", 3, "IMX 40"},
    {"mx5", 3, "IMX 50"},
    {"ai1", 3, "AVC-Intra 100"},
    {"ai5", 3, "AVC-Intra 50"},
    {"dvcp", 4, "DV"},
    {"dvc ", 4, "DV"},
    {"dvpp", 4, "DVCPRO"},
    {"dv5", 3, "DVCPRO50"},
    {"dvh5", 4, "DVCPRO HD"},
    {"dvh6", 4, "DVCPRO HD"},
    {"dvhp", 4, "DVCPRO HD"},
    {"dvhq", 4, "DVCPRO HD"},
    {"dvh3", 4, "DVCPRO HD"},
    {"dvh2", 4, "DVCPRO HD"},
    {"CFHD", 4, "CineForm"},
    {"icod", 4, "Apple Intermediate Codec"},
    {"dav1", 4, "AV1 (Dolby Vision)"},
    {"brxq", 4, "Blackmagic RAW"},
    {"brst", 4, "Blackmagic RAW"},
    {"brvn", 4, "Blackmagic RAW"},
    {"brs2", 4, "Blackmagic RAW"},
    {"brxh", 4, "Blackmagic RAW"},
    {"CRAW", 4, "Canon Cinema RAW"},
    {"v210", 4, "Uncompressed 10-bit 4:2:2"},
    {"2vuy", 4, "Uncompressed 8-bit 4:2:2"},
    {"UYVY", 4, "Uncompressed 8-bit 4:2:2"},
    {"v308", 4, "Uncompressed 8-bit 4:4:4"},
    {"v410", 4, "Uncompressed 10-bit 4:4:4"},
    {"r210", 4, "Uncompressed 10-bit RGB"},
    {"b64a", 4, "Uncompressed 16-bit ARGB"},
};

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
    const char *name;
} prores_profiles[] = {
    {SCI_PROFILE(PRORES_PROXY), "ProRes 422 Proxy"}, {SCI_PROFILE(PRORES_LT), "ProRes 422 LT"},
    {SCI_PROFILE(PRORES_STANDARD), "ProRes 422"},    {SCI_PROFILE(PRORES_HQ), "ProRes 422 HQ"},
    {SCI_PROFILE(PRORES_4444), "ProRes 4444"},       {SCI_PROFILE(PRORES_XQ), "ProRes 4444 XQ"},
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

static bool name_by_tag(const sci_codec_facts *facts, char *buffer, size_t size)
{
    char tag[4] = {(char)(facts->tag & 0xFF), (char)(facts->tag >> 8 & 0xFF),
                   (char)(facts->tag >> 16 & 0xFF), (char)(facts->tag >> 24)};
    for (size_t i = 0; i < SCI_COUNT(tag_names); i++)
        if (memcmp(tag, tag_names[i].tag, (size_t)tag_names[i].length) == 0)
            return snprintf(buffer, size, "%s", tag_names[i].name) > 0;
    return false;
}

static bool name_prores(const sci_codec_facts *facts, char *buffer, size_t size)
{
    for (size_t i = 0; facts->codec == AV_CODEC_ID_PRORES && i < SCI_COUNT(prores_profiles); i++)
        if (prores_profiles[i].profile == facts->profile)
            return snprintf(buffer, size, "%s", prores_profiles[i].name) > 0;
    return false;
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

/* ---- profiles from the decoder configuration, without a decoder ---- */

static int avc_profile(const uint8_t *data, size_t size)
{
    /* An avcC record, or a sequence parameter set behind a start code. */
    size_t at = size >= 4 && data[0] == 1                                  ? 1
                : size >= 8 && AV_RB32(data) == 1 && (data[4] & 0x1F) == 7 ? 5
                : size >= 7 && AV_RB24(data) == 1 && (data[3] & 0x1F) == 7 ? 4
                                                                           : 0;
    if (!at)
        return SCI_PROFILE(UNKNOWN);
    int profile = data[at], constraints = data[at + 1];
    if (profile == SCI_PROFILE(H264_BASELINE) && constraints & 0x40)
        return SCI_PROFILE(H264_CONSTRAINED_BASELINE);
    if (profile >= SCI_PROFILE(H264_HIGH_10) && constraints & 0x10)
        return profile | SCI_PROFILE(H264_INTRA);
    return profile;
}

static int profile_of(const sci_codec_facts *facts)
{
    const uint8_t *data = facts->extradata;
    size_t size = data ? facts->extradata_size : 0;
    if (facts->profile != SCI_PROFILE(UNKNOWN))
        return facts->profile;
    switch (facts->codec) {
    case AV_CODEC_ID_H264:
        return avc_profile(data, size);
    case AV_CODEC_ID_HEVC:
        return size >= 13 && data[0] == 1 ? data[1] & 0x1F : SCI_PROFILE(UNKNOWN);
    case AV_CODEC_ID_AV1:
        return size >= 4 && data[0] == 0x81 ? data[1] >> 5 : SCI_PROFILE(UNKNOWN);
    default:
        return SCI_PROFILE(UNKNOWN);
    }
}

static bool name_by_codec(const sci_codec_facts *facts, char *buffer, size_t size)
{
    for (size_t i = 0; i < SCI_COUNT(codec_names); i++) {
        if (codec_names[i].codec != facts->codec)
            continue;
        const char *profile = codec_names[i].with_profile
                                  ? avcodec_profile_name(facts->codec, profile_of(facts))
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
        name_dnx, name_by_tag, name_prores, name_imx, name_pcm, name_by_codec};
    for (size_t i = 0; i < SCI_COUNT(ways); i++)
        if (ways[i](facts, buffer, size))
            return buffer;
    name_unknown(facts, buffer, size);
    return buffer;
}
