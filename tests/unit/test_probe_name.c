/* Editors' names of codecs. */
#include "test.h"

#include "probe/name.h"

#include <stdio.h>
#include <streamcalc/probe.h>
#include <string.h>

static uint32_t tag(const char *text)
{
    return text ? MKTAG(text[0], text[1], text[2], text[3]) : 0;
}

static const sc_rational r24 = {24000, 1001}, r25 = {25, 1}, r30 = {30000, 1001}, r50 = {50, 1},
                         r60 = {60000, 1001};

static void check(sci_codec_facts facts, const char *expected)
{
    char name[SC_NAME_MAX] = "";
    sci_codec_name(&facts, name, sizeof name);
    assert_string_equal(name, expected);
}

static void prores_by_tag_and_by_profile(void **state)
{
    static const struct {
        const char *tag;
        int profile;
        const char *name;
    } cases[] = {{"apco", 0, "ProRes 422 Proxy"}, {"apcs", 1, "ProRes 422 LT"},
                 {"apcn", 2, "ProRes 422"},       {"apch", 3, "ProRes 422 HQ"},
                 {"ap4h", 4, "ProRes 4444"},      {"ap4x", 5, "ProRes 4444 XQ"}};
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(cases); i++) {
        check((sci_codec_facts){.codec = AV_CODEC_ID_PRORES,
                                .tag = tag(cases[i].tag),
                                .profile = SCI_PROFILE(UNKNOWN)},
              cases[i].name);
        check((sci_codec_facts){.codec = AV_CODEC_ID_PRORES, .profile = cases[i].profile},
              cases[i].name);
    }
    check((sci_codec_facts){.codec = AV_CODEC_ID_PRORES, .profile = SCI_PROFILE(UNKNOWN)},
          "ProRes");
    /* A codec that this FFmpeg does not know. */
    check((sci_codec_facts){.codec = AV_CODEC_ID_NONE, .tag = tag("aprn")}, "ProRes RAW");
    check((sci_codec_facts){.codec = AV_CODEC_ID_NONE, .tag = tag("aprh")}, "ProRes RAW HQ");
}

static void dnxhd_carries_the_megabits_of_its_rate(void **state)
{
    const struct {
        int cid;
        sc_rational rate;
        const char *name;
    } cases[] = {{1235, r25, "DNxHD 185x"},      {1235, r24, "DNxHD 175x"},
                 {1235, r60, "DNxHD 440x"},      {1238, r30, "DNxHD 220"},
                 {1237, r25, "DNxHD 120"},       {1237, r50, "DNxHD 240"},
                 {1242, r30, "DNxHD 145"},       {1243, r25, "DNxHD 185"},
                 {1251, r60, "DNxHD 220"},       {1253, r25, "DNxHD 36"},
                 {1258, r50, "DNxHD TR 720"},    {1260, r30, "DNxHD 100 TR+"},
                 {1256, r25, "DNxHD 365x 444"},  {1243, r50, "DNxHD (CID 1243)"},
                 {1299, r25, "DNxHD (CID 1299)"}};
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(cases); i++)
        check((sci_codec_facts){.codec = AV_CODEC_ID_DNXHD,
                                .profile = SCI_PROFILE(DNXHD),
                                .cid = cases[i].cid,
                                .rate = cases[i].rate},
              cases[i].name);
    check((sci_codec_facts){.codec = AV_CODEC_ID_DNXHD, .profile = SCI_PROFILE(UNKNOWN)}, "DNxHD");
}

static void dnxhr_by_profile_and_by_compression_id(void **state)
{
    static const char *const names[] = {"DNxHR 444", "DNxHR HQX", "DNxHR HQ", "DNxHR SQ",
                                        "DNxHR LB"};
    (void)state;
    for (int i = 0; i < 5; i++) {
        check((sci_codec_facts){.codec = AV_CODEC_ID_DNXHD,
                                .profile = SCI_PROFILE(UNKNOWN),
                                .cid = 1270 + i},
              names[i]);
        check((sci_codec_facts){.codec = AV_CODEC_ID_DNXHD, .profile = SCI_PROFILE(DNXHR_444) - i},
              names[i]);
    }
}

static void the_compression_id_lies_in_the_frame_header(void **state)
{
    uint8_t header[SCI_DNX_HEADER_BYTES] = {0, 0, 2, 0x80, 1};
    (void)state;
    header[42] = 1238 >> 8;
    header[43] = 1238 & 0xFF;
    assert_int_equal(sci_dnx_cid(header), 1238);
    header[0] = 1;
    assert_int_equal(sci_dnx_cid(header), 0);
    header[0] = 0;
    header[40] = 1;
    assert_int_equal(sci_dnx_cid(header), 0);
}

static void profiles_from_the_decoder_configuration(void **state)
{
    static const uint8_t avcc[] = {1, 122, 0x10, 51}, high[] = {1, 100, 0, 40},
                         baseline[] = {1, 66, 0xC0, 30},
                         annex_b[] = {0, 0, 0, 1, 0x67, 110, 0, 41, 0}, hvcc[13] = {1, 0x22},
                         av1c[] = {0x81, 0x20, 0, 0};
    static const struct {
        enum AVCodecID codec;
        const uint8_t *data;
        size_t size;
        const char *name;
    } cases[] = {{AV_CODEC_ID_H264, avcc, 4, "H.264 High 4:2:2 Intra"},
                 {AV_CODEC_ID_H264, high, 4, "H.264 High"},
                 {AV_CODEC_ID_H264, baseline, 4, "H.264 Constrained Baseline"},
                 {AV_CODEC_ID_H264, annex_b, 9, "H.264 High 10"},
                 {AV_CODEC_ID_H264, avcc, 3, "H.264"},
                 {AV_CODEC_ID_H264, NULL, 100, "H.264"},
                 {AV_CODEC_ID_HEVC, hvcc, 13, "HEVC Main 10"},
                 {AV_CODEC_ID_HEVC, hvcc, 12, "HEVC"},
                 {AV_CODEC_ID_AV1, av1c, 4, "AV1 High"}};
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(cases); i++)
        check((sci_codec_facts){.codec = cases[i].codec,
                                .profile = SCI_PROFILE(UNKNOWN),
                                .extradata = cases[i].data,
                                .extradata_size = cases[i].size},
              cases[i].name);
}

static void cameras_and_sound(void **state)
{
    const sci_codec_facts d10 = {.codec = AV_CODEC_ID_MPEG2VIDEO,
                                 .profile = 0,
                                 .width = 720,
                                 .height = 608,
                                 .bits_per_s = 50000000};
    (void)state;
    check(d10, "IMX 50");
    check((sci_codec_facts){.codec = AV_CODEC_ID_MPEG2VIDEO, .profile = 0}, "MPEG-2 4:2:2");
    check((sci_codec_facts){.codec = AV_CODEC_ID_MPEG2VIDEO, .tag = tag("xd5c")}, "XDCAM HD422");
    check((sci_codec_facts){.codec = AV_CODEC_ID_MPEG2VIDEO, .tag = tag("xdv7")}, "XDCAM HD");
    check((sci_codec_facts){.codec = AV_CODEC_ID_MPEG2VIDEO, .tag = tag("xdvb")}, "XDCAM EX");
    check((sci_codec_facts){.codec = AV_CODEC_ID_H264, .tag = tag("ai13")}, "AVC-Intra 100");
    check((sci_codec_facts){.codec = AV_CODEC_ID_H264, .tag = tag("aivx")}, "XAVC Intra");
    check((sci_codec_facts){.codec = AV_CODEC_ID_QTRLE, .tag = tag("rle ")}, "Animation");
    check((sci_codec_facts){.codec = AV_CODEC_ID_CFHD}, "CineForm");
    check((sci_codec_facts){.codec = AV_CODEC_ID_PCM_S24LE, .profile = SCI_PROFILE(UNKNOWN)},
          "PCM s24le");
    check((sci_codec_facts){.codec = AV_CODEC_ID_PCM_S16BE}, "PCM s16be");
    check((sci_codec_facts){.codec = AV_CODEC_ID_AAC, .profile = 1}, "AAC");
    check((sci_codec_facts){.codec = AV_CODEC_ID_V210}, "Uncompressed 10-bit 4:2:2");
}

static sci_descriptor labelled(const char *hex)
{
    sci_descriptor descriptor = {.set = true, .chroma = ""};
    for (size_t i = 0; i < sizeof descriptor.label; i++) {
        unsigned byte = 0;
        assert_int_equal(sscanf(hex + 2 * i, "%2x", &byte), 1);
        descriptor.label[i] = (uint8_t)byte;
    }
    return descriptor;
}

static void labels_of_mxf(void **state)
{
    static const struct {
        enum AVCodecID codec;
        const char *label, *maker;
        int profile;
        int64_t bits_per_s;
        const char *name;
    } cases[] = {
        {AV_CODEC_ID_MPEG2VIDEO, "060e2b34040101010401020201020101", "", 0, 50000000, "IMX 50"},
        {AV_CODEC_ID_MPEG2VIDEO, "060e2b34040101010401020201020106", "", 0, 30000000, "IMX 30"},
        {AV_CODEC_ID_MPEG2VIDEO, "060e2b34040101030401020201040300", "", 0, 50000000,
         "XDCAM HD422"},
        {AV_CODEC_ID_MPEG2VIDEO, "060e2b34040101030401020201040300", "", 0, 80000000,
         "MPEG-2 4:2:2"},
        {AV_CODEC_ID_MPEG2VIDEO, "060e2b34040101030401020201030300", "", 4, 35000000,
         "MPEG-2 Main"},
        {AV_CODEC_ID_H264, "060e2b340401010a0401020201322104", "", 110, 50000000, "AVC-Intra 50"},
        {AV_CODEC_ID_H264, "060e2b340401010a0401020201323101", "", 122, 100000000, "AVC-Intra 100"},
        {AV_CODEC_ID_H264, "060e2b340401010d0401020201323203", "", 122, 200000000, "AVC-Intra 200"},
        {AV_CODEC_ID_H264, "060e2b340401010a0401020201323101", "Sony", 122, 100000000,
         "XAVC Intra"},
        {AV_CODEC_ID_H264, "060e2b340401010d0401020201316001", "Sony", 122, 50000000,
         "XAVC Long GOP"},
        {AV_CODEC_ID_H264, "060e2b340401010d0401020201316001", "FFmpeg", 122, 50000000,
         "H.264 High 4:2:2"},
        {AV_CODEC_ID_DVVIDEO, "060e2b34040101010401020202020400", "", 0, 57600000, "DVCPRO50"},
        {AV_CODEC_ID_DVVIDEO, "060e2b34040101010401020202010200", "", 0, 28800000, "DV"},
        {AV_CODEC_ID_JPEG2000, "060e2b34040101090401020203010103", "", -99, 0,
         "JPEG 2000 Cinema 2K"},
        {AV_CODEC_ID_JPEG2000, "060e2b340401010d0401020203010115", "", -99, 0,
         "JPEG 2000 Broadcast"},
        {AV_CODEC_ID_JPEG2000, "060e2b340401010d0401020203010610", "", -99, 0, "JPEG 2000 IMF 4K"},
        {AV_CODEC_ID_JPEG2000, "060e2b340401010d0401020203010801", "", -99, 0, "HTJ2K"},
        {AV_CODEC_ID_JPEG2000, "060e2b340401010d040102020301017f", "", -99, 0, "JPEG 2000"},
        {AV_CODEC_ID_PRORES, "060e2b340401010d0401020203060400", "", -99, 0, "ProRes 422 HQ"},
        {AV_CODEC_ID_H264, "00000000000000000000000000000000", "", 100, 0, "H.264 High"},
    };
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(cases); i++) {
        const sci_descriptor descriptor = labelled(cases[i].label);
        check((sci_codec_facts){.codec = cases[i].codec,
                                .descriptor = &descriptor,
                                .maker = cases[i].maker,
                                .profile = cases[i].profile,
                                .width = 1920,
                                .height = 1080,
                                .bits_per_s = cases[i].bits_per_s},
              cases[i].name);
    }
}

static void brands_of_mp4(void **state)
{
    static const struct {
        enum AVCodecID codec;
        int profile;
        const char *brand, *name;
    } cases[] = {{AV_CODEC_ID_H264, 100, "XAVC", "XAVC S"},
                 {AV_CODEC_ID_H264, 122 | SCI_PROFILE(H264_INTRA), "XAVC", "XAVC S-I"},
                 {AV_CODEC_ID_HEVC, 2, "XAVC", "XAVC HS"},
                 {AV_CODEC_ID_AAC, 1, "XAVC", "AAC"},
                 {AV_CODEC_ID_H264, 100, "mp42", "H.264 High"},
                 {AV_CODEC_ID_H264, 100, NULL, "H.264 High"}};
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(cases); i++)
        check((sci_codec_facts){.codec = cases[i].codec,
                                .profile = cases[i].profile,
                                .brand = cases[i].brand,
                                .maker = "Sony"},
              cases[i].name);
}

static void uncompressed_pixels(void **state)
{
    static const struct {
        const char *tag, *name;
    } cases[] = {{"v210", "Uncompressed 10-bit 4:2:2"},
                 {"2vuy", "Uncompressed 8-bit 4:2:2"},
                 {"v408", "Uncompressed 8-bit 4:4:4:4"},
                 {"b64a", "Uncompressed 16-bit ARGB"}};
    (void)state;
    for (size_t i = 0; i < SCI_COUNT(cases); i++)
        check((sci_codec_facts){.codec = AV_CODEC_ID_RAWVIDEO, .tag = tag(cases[i].tag)},
              cases[i].name);
    check((sci_codec_facts){.codec = AV_CODEC_ID_RAWVIDEO,
                            .pixels = av_pix_fmt_desc_get(AV_PIX_FMT_YUV420P)},
          "Uncompressed 8-bit 4:2:0");
    check((sci_codec_facts){.codec = AV_CODEC_ID_RAWVIDEO}, "Uncompressed");
}

static void the_unknown_has_a_name_too(void **state)
{
    (void)state;
    check((sci_codec_facts){.codec = AV_CODEC_ID_NONE}, "unknown");
    check((sci_codec_facts){.codec = AV_CODEC_ID_NONE, .tag = tag("qqqq")}, "unknown (qqqq)");
    check((sci_codec_facts){.codec = AV_CODEC_ID_SVQ3, .profile = SCI_PROFILE(UNKNOWN)},
          "Sorenson Vector Quantizer 3 / Sorenson Video 3 / SVQ3");
}

static void kinds_and_flags_have_names(void **state)
{
    (void)state;
    for (int kind = SC_TRACK_UNKNOWN; kind <= SC_TRACK_PICTURE; kind++)
        assert_int_equal(sc_track_kind_from_name(sc_track_kind_name((sc_track_kind)kind)), kind);
    assert_string_equal(sc_track_kind_name((sc_track_kind)99), "unknown");
    assert_int_equal(sc_track_kind_from_name(NULL), SC_TRACK_UNKNOWN);
    assert_int_equal(sc_clip_flag_count(), 8);
    for (int32_t i = 0; i < sc_clip_flag_count(); i++)
        assert_string_not_equal(sc_clip_flag_name(i), "unknown");
    assert_string_equal(sc_clip_flag_name(2), "partial-index");
    assert_string_equal(sc_clip_flag_name(-1), "unknown");
    assert_string_equal(sc_clip_flag_name(31), "unknown");
}

static void a_clip_in_one_line(void **state)
{
    sc_track tracks[] = {{.kind = SC_TRACK_AUDIO,
                          .played = true,
                          .name = "PCM s24le",
                          .sample_rate_hz = 48000,
                          .channels = 2},
                         {.kind = SC_TRACK_VIDEO,
                          .played = true,
                          .name = "ProRes 422 HQ",
                          .width = 3840,
                          .height = 2160,
                          .frame_rate = {24000, 1001}}};
    sc_clip clip = {.tracks = tracks, .track_count = 2};
    char line[64];
    (void)state;
    sc_clip_format(&clip, line, sizeof line);
    assert_string_equal(line, "ProRes 422 HQ 3840x2160 23.976");
    tracks[1].frame_rate = (sc_rational){0, 0};
    sc_clip_format(&clip, line, sizeof line);
    assert_string_equal(line, "ProRes 422 HQ 3840x2160");
    clip.track_count = 1;
    sc_clip_format(&clip, line, sizeof line);
    assert_string_equal(line, "PCM s24le 48000 Hz 2 ch");
    clip.track_count = 0;
    sc_clip_format(&clip, line, sizeof line);
    assert_string_equal(line, "");
    sc_clip_format(NULL, line, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prores_by_tag_and_by_profile),
        cmocka_unit_test(dnxhd_carries_the_megabits_of_its_rate),
        cmocka_unit_test(dnxhr_by_profile_and_by_compression_id),
        cmocka_unit_test(the_compression_id_lies_in_the_frame_header),
        cmocka_unit_test(profiles_from_the_decoder_configuration),
        cmocka_unit_test(cameras_and_sound),
        cmocka_unit_test(labels_of_mxf),
        cmocka_unit_test(brands_of_mp4),
        cmocka_unit_test(uncompressed_pixels),
        cmocka_unit_test(the_unknown_has_a_name_too),
        cmocka_unit_test(kinds_and_flags_have_names),
        cmocka_unit_test(a_clip_in_one_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
