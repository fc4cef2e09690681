/* Sample rate and channels of sound whose container and first packets did not tell them: HE-AAC, for
   instance, shows both only when it is decoded. */
#include "probe/media.h"

static bool is_known(const AVCodecParameters *codec)
{
    return codec->sample_rate > 0 && codec->ch_layout.nb_channels > 0;
}

/* False when it gave no sound. */
static bool decode(AVCodecContext *decoder, const AVPacket *packet, AVFrame *frame)
{
    return avcodec_send_packet(decoder, packet) >= 0 &&
           avcodec_receive_frame(decoder, frame) >= 0 && frame->sample_rate > 0 &&
           frame->ch_layout.nb_channels > 0;
}

bool sci_sound_is_wanted(const AVStream *stream)
{
    const AVCodecParameters *codec = stream->codecpar;
    return codec->codec_type == AVMEDIA_TYPE_AUDIO && !is_known(codec);
}

void sci_sound_learn(AVStream *stream, const AVPacket *packet)
{
    AVCodecParameters *codec = stream->codecpar;
    const AVCodec *kind = avcodec_find_decoder(codec->codec_id);
    AVCodecContext *decoder = kind ? avcodec_alloc_context3(kind) : NULL;
    AVFrame *frame = av_frame_alloc();
    if (decoder && frame && avcodec_parameters_to_context(decoder, codec) >= 0 &&
        avcodec_open2(decoder, kind, NULL) >= 0 && decode(decoder, packet, frame) &&
        av_channel_layout_copy(&codec->ch_layout, &frame->ch_layout) >= 0)
        codec->sample_rate = frame->sample_rate;
    av_frame_free(&frame);
    avcodec_free_context(&decoder);
}
