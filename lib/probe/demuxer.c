#include "probe/media.h"

#include <libavutil/avstring.h>

/* Containers and elementary streams of footage: one file that holds its own media. A demuxer that
   is not listed is not run, because it may open other files. */
static const char containers[] =
    "mov,mp4,matroska,webm,mxf,mpegts,mpeg,mpegvideo,avi,gxf,lxf,dv,flv,live_flv,asf,asf_o,ogg,rm,"
    "r3d,nut,ivf,yuv4mpegpipe,cine,wtv,"
    "h261,h263,h264,hevc,vvc,av1,obu,m4v,mjpeg,vc1,cavsvideo,dirac,dnxhd,"
    "wav,w64,aiff,caf,flac,mp3,aac,loas,ac3,eac3,dts,truehd,mlp,ape,wv,tta,au,dsf,iff";

static const struct {
    const char *names;
    const char *what;
} refused[] = {
    {"concat,hls,applehttp,dash,imf,sdp,rtsp,rtp,sap,webm_dash_manifest,ism",
     "a list that only names other files: give those files"},
    {"image2,image2pipe,bmp_pipe,dds_pipe,dpx_pipe,exr_pipe,gem_pipe,gif_pipe,hdr_pipe,j2k_pipe,"
     "jpeg_pipe,jpegls_pipe,jpegxl_pipe,pam_pipe,pbm_pipe,pcx_pipe,pgm_pipe,pgmyuv_pipe,pgx_pipe,"
     "phm_pipe,photocd_pipe,pictor_pipe,png_pipe,ppm_pipe,psd_pipe,qdraw_pipe,qoi_pipe,sgi_pipe,"
     "sunrast_pipe,svg_pipe,tiff_pipe,vbn_pipe,webp_pipe,xbm_pipe,xpm_pipe,xwd_pipe,gif,ico,apng,"
     "alias_pix,brender_pix,crw_pipe,cri_pipe",
     "a single picture: its folder, or a pattern such as name.%04d.dpx, is a sequence"},
};

/* Demuxers have several names: "mov,mp4,m4a,3gp,3g2,mj2". */
static bool named(const AVInputFormat *demuxer, const char *names)
{
    return av_match_list(demuxer->name, names, ',') > 0;
}

sc_status sci_demuxer_check(const AVInputFormat *demuxer, const char *path, sc_error *error)
{
    if (!demuxer)
        return sci_fail(error, SC_UNSUPPORTED, 0, "probe.open", path,
                        "not recognised as video or audio");
    if (named(demuxer, containers))
        return SC_OK;
    for (size_t i = 0; i < SCI_COUNT(refused); i++)
        if (named(demuxer, refused[i].names))
            return sci_fail(error, SC_UNSUPPORTED, 0, "probe.open", path, "%s (%s)",
                            refused[i].what, demuxer->name);
    return sci_fail(error, SC_UNSUPPORTED, 0, "probe.open", path,
                    "not a container of footage (FFmpeg takes it for \"%s\")", demuxer->name);
}

bool sci_demuxer_is_mov(const AVInputFormat *demuxer)
{
    return named(demuxer, "mov");
}

bool sci_demuxer_is(const AVInputFormat *demuxer, const char *name)
{
    return named(demuxer, name);
}
