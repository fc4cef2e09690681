/* FFmpeg as this module sees it: the includes, and every difference between its versions under the
   name of the feature. Builds with FFmpeg 5.1 and newer. */
#ifndef SCI_PROBE_FFMPEG_H
#define SCI_PROBE_FFMPEG_H

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libavutil/mathematics.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>

#if LIBAVFORMAT_VERSION_INT < AV_VERSION_INT(59, 27, 100)
#error "FFmpeg 5.1 or newer is needed"
#endif

/* Profiles were renamed in FFmpeg 6.1; the old names left with FFmpeg 8. */
#ifdef AV_PROFILE_UNKNOWN
#define SCI_PROFILE(name) AV_PROFILE_##name
#define SCI_LEVEL_UNKNOWN AV_LEVEL_UNKNOWN
#else
#define SCI_PROFILE(name) FF_PROFILE_##name
#define SCI_LEVEL_UNKNOWN FF_LEVEL_UNKNOWN
#endif

#endif
