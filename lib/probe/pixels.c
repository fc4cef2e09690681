#include "probe/pixels.h"

#include "core/core.h"

const char *sci_chroma_of_pixels(const AVPixFmtDescriptor *pixels)
{
    static const struct {
        uint8_t across, down; /* halvings */
        const char *chroma, *with_alpha;
    } kinds[] = {{0, 0, "4:4:4", "4:4:4:4"}, {1, 0, "4:2:2", "4:2:2:4"},
                 {1, 1, "4:2:0", "4:2:0:4"}, {2, 0, "4:1:1", "4:1:1:4"},
                 {2, 2, "4:1:0", "4:1:0:4"}, {0, 1, "4:4:0", "4:4:0:4"}};
    const bool alpha = pixels->flags & AV_PIX_FMT_FLAG_ALPHA;
    if (pixels->flags & (AV_PIX_FMT_FLAG_BAYER | AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BITSTREAM))
        return "";
    if (pixels->flags & AV_PIX_FMT_FLAG_RGB)
        return alpha ? "RGBA" : "RGB";
    if (pixels->nb_components < 3)
        return "4:0:0";
    for (size_t i = 0; i < SCI_COUNT(kinds); i++)
        if (kinds[i].across == pixels->log2_chroma_w && kinds[i].down == pixels->log2_chroma_h)
            return alpha ? kinds[i].with_alpha : kinds[i].chroma;
    return "";
}
