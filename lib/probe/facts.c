#include "probe/facts.h"

#include "probe/pixels.h"

#include <libavutil/intreadwrite.h>
#include <limits.h>
#include <string.h>

/* What one of the sources says; what an earlier one has said stays. */
static void learn(sci_picture_facts *picture, const char *chroma, int32_t bit_depth,
                  sc_scan_type scan)
{
    if (!*picture->chroma && chroma)
        picture->chroma = chroma;
    if (!picture->bit_depth)
        picture->bit_depth = bit_depth;
    if (picture->scan == SC_SCAN_UNKNOWN)
        picture->scan = scan;
}

/* ---- the container's word on fields ---- */

/* Where the two letters differ, first stored and first shown, QuickTime and Matroska store fields
   interleaved and mean the field with the first line by the first letter (Apple TN2162). */
static sc_scan_type scan_of_order(enum AVFieldOrder order)
{
    switch (order) {
    case AV_FIELD_PROGRESSIVE:
        return SC_SCAN_PROGRESSIVE;
    case AV_FIELD_TT:
    case AV_FIELD_TB:
        return SC_SCAN_TOP_FIRST;
    case AV_FIELD_BB:
    case AV_FIELD_BT:
        return SC_SCAN_BOTTOM_FIRST;
    default:
        return SC_SCAN_UNKNOWN;
    }
}

/* ---- DNxHD and DNxHR: the table of compression IDs in SMPTE ST 2019-1 ---- */

static const struct {
    int cid, profile; /* of DNxHD the profile tells nothing */
    const char *chroma;
    int32_t bit_depth; /* 0: the header of the frame says */
    sc_scan_type scan; /* of DNxHR the header says */
} dnx_pictures[] = {
    {1235, INT_MIN, "4:2:2", 10, SC_SCAN_PROGRESSIVE},
    {1237, INT_MIN, "4:2:2", 8, SC_SCAN_PROGRESSIVE},
    {1238, INT_MIN, "4:2:2", 8, SC_SCAN_PROGRESSIVE},
    {1241, INT_MIN, "4:2:2", 10, SC_SCAN_INTERLACED},
    {1242, INT_MIN, "4:2:2", 8, SC_SCAN_INTERLACED},
    {1243, INT_MIN, "4:2:2", 8, SC_SCAN_INTERLACED},
    {1244, INT_MIN, "4:2:2", 8, SC_SCAN_INTERLACED},
    {1250, INT_MIN, "4:2:2", 10, SC_SCAN_PROGRESSIVE},
    {1251, INT_MIN, "4:2:2", 8, SC_SCAN_PROGRESSIVE},
    {1252, INT_MIN, "4:2:2", 8, SC_SCAN_PROGRESSIVE},
    {1253, INT_MIN, "4:2:2", 8, SC_SCAN_PROGRESSIVE},
    {1256, INT_MIN, "4:4:4", 10, SC_SCAN_PROGRESSIVE},
    {1258, INT_MIN, "4:2:2", 8, SC_SCAN_PROGRESSIVE},
    {1259, INT_MIN, "4:2:2", 8, SC_SCAN_PROGRESSIVE},
    {1260, INT_MIN, "4:2:2", 8, SC_SCAN_INTERLACED},
    {1270, SCI_PROFILE(DNXHR_444), "4:4:4", 0, SC_SCAN_UNKNOWN},
    {1271, SCI_PROFILE(DNXHR_HQX), "4:2:2", 0, SC_SCAN_UNKNOWN},
    {1272, SCI_PROFILE(DNXHR_HQ), "4:2:2", 8, SC_SCAN_UNKNOWN},
    {1273, SCI_PROFILE(DNXHR_SQ), "4:2:2", 8, SC_SCAN_UNKNOWN},
    {1274, SCI_PROFILE(DNXHR_LB), "4:2:2", 8, SC_SCAN_UNKNOWN},
};

/* Of the frame or of the first of two fields; frames of interlaced compression IDs say "frame" where
   they are coded as one. */
static sc_scan_type dnx_scan(int code, sc_scan_type usual)
{
    switch (code) {
    case 1:
        return usual == SC_SCAN_UNKNOWN ? SC_SCAN_PROGRESSIVE : usual;
    case 2:
        return SC_SCAN_TOP_FIRST;
    case 3:
        return SC_SCAN_BOTTOM_FIRST;
    default:
        return usual;
    }
}

static void learn_from_dnx(const sci_codec_facts *facts, sci_picture_facts *picture)
{
    static const int32_t depths[] = {0, 8, 10, 12};
    const bool header = facts->head_size >= SCI_DNX_HEADER_BYTES && sci_dnx_cid(facts->head) != 0;
    for (size_t i = 0; i < SCI_COUNT(dnx_pictures); i++) {
        if (facts->cid ? dnx_pictures[i].cid != facts->cid
                       : dnx_pictures[i].profile != facts->profile)
            continue;
        const int32_t depth = header ? depths[facts->head[33] >> 5 & 3] : 0;
        const sc_scan_type scan = dnx_pictures[i].scan;
        learn(picture, dnx_pictures[i].chroma, depth ? depth : dnx_pictures[i].bit_depth,
              header ? dnx_scan(facts->head[5] & 3, scan) : scan);
    }
}

/* ---- ProRes: SMPTE RDD 36; Matroska leaves out the size and name of the frame ---- */

enum { PRORES_BOX_BYTES = 8, PRORES_HEADER_BYTES = 20, PRORES_HEADER_MOST = 256 };

static void learn_from_prores(const sci_codec_facts *facts, sci_picture_facts *picture)
{
    static const sc_scan_type scans[] = {SC_SCAN_PROGRESSIVE, SC_SCAN_TOP_FIRST,
                                         SC_SCAN_BOTTOM_FIRST, SC_SCAN_UNKNOWN};
    const uint8_t *header = facts->head;
    if (facts->head_size < PRORES_BOX_BYTES + PRORES_HEADER_BYTES)
        return;
    if (memcmp(header + 4, "icpf", 4) == 0)
        header += PRORES_BOX_BYTES;
    const int size = AV_RB16(header), chroma = header[12] >> 6;
    if (size < PRORES_HEADER_BYTES || size > PRORES_HEADER_MOST || AV_RB16(header + 2) > 1 ||
        AV_RB16(header + 8) != facts->width || chroma < 2)
        return;
    const bool alpha = header[17] & 15;
    learn(picture,
          chroma == 2 ? "4:2:2"
          : alpha     ? "4:4:4:4"
                      : "4:4:4",
          0, scans[header[12] >> 2 & 3]);
}

/* ---- pixel formats ---- */

static void learn_from_pixels(const sci_codec_facts *facts, sci_picture_facts *picture)
{
    const AVPixFmtDescriptor *pixels = facts->pixels;
    if (!pixels)
        return;
    const int room = pixels->comp[0].depth, counts = facts->sample_bits;
    const char *chroma = sci_chroma_of_pixels(pixels);
    learn(picture, chroma, *chroma ? (counts > 0 && counts < room ? counts : room) : 0,
          SC_SCAN_UNKNOWN);
}

/* ---- all sources, the most specific ones first ---- */

/* Of QuickTime: 32 is with alpha. Other writers may leave 24. */
static const char *with_alpha(const sci_codec_facts *facts, const char *chroma)
{
    return facts->codec == AV_CODEC_ID_PRORES && facts->tag && facts->tag_bits == 32 &&
                   strcmp(chroma, "4:4:4") == 0
               ? "4:4:4:4"
               : chroma;
}

static void learn_from_flavour(const sci_codec_facts *facts, sci_picture_facts *picture)
{
    const sci_flavour *flavour = sci_flavour_of(facts);
    if (flavour)
        learn(picture, with_alpha(facts, flavour->chroma), flavour->bit_depth, flavour->scan);
    /* Pixels of Animation are stored as they are; 16 bits are 5 a sample, fewer an index. */
    if (facts->codec == AV_CODEC_ID_QTRLE && (facts->tag_bits == 24 || facts->tag_bits == 32))
        learn(picture, facts->tag_bits == 32 ? "RGBA" : "RGB", 8, SC_SCAN_UNKNOWN);
    /* VP9 of profile 0 is nothing else. */
    if (facts->codec == AV_CODEC_ID_VP9 && facts->profile == SCI_PROFILE(VP9_0))
        learn(picture, "4:2:0", 8, SC_SCAN_UNKNOWN);
}

static void learn_from_parameters(const sci_codec_facts *facts, sci_picture_facts *picture)
{
    /* FFmpeg 5.1 does not know this tag of Dolby Vision. */
    const bool dolby = facts->tag == MKTAG('d', 'a', 'v', '1');
    sci_parameters parameters;
    sci_parameters_read(dolby ? AV_CODEC_ID_AV1 : facts->codec, facts->extradata,
                        facts->extradata_size, &parameters);
    memcpy(picture->level, parameters.level, sizeof picture->level);
    if (!*picture->level)
        sci_level_text(facts->codec, facts->profile, facts->level, picture->level);
    learn(picture, parameters.chroma, parameters.bit_depth, parameters.scan);
}

void sci_picture_facts_of(const sci_codec_facts *facts, sci_picture_facts *picture)
{
    *picture = (sci_picture_facts){.chroma = "", .scan = scan_of_order(facts->field_order)};
    learn_from_parameters(facts, picture);
    if (facts->codec == AV_CODEC_ID_DNXHD)
        learn_from_dnx(facts, picture);
    if (facts->codec == AV_CODEC_ID_PRORES)
        learn_from_prores(facts, picture);
    learn_from_flavour(facts, picture);
    learn_from_pixels(facts, picture);
    if (facts->descriptor)
        learn(picture, facts->descriptor->chroma, facts->descriptor->bit_depth,
              facts->descriptor->scan);
}
