/* Writes a very long DNxHR HQX UHD clip as a sparse file: its index is real, its media are
 * holes. For probing only: holes are not read from a disk.
 *
 * usage: make_sparse mov|mxf SECONDS FILE [sound]
 */
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    WIDTH = 3840,
    HEIGHT = 2160,
    FRAMES_PER_S = 25,
    SAMPLE_RATE_HZ = 48000,
    CHANNELS = 2,
    SAMPLE_BYTES = 3,
    SOUND_BYTES = SAMPLE_RATE_HZ / FRAMES_PER_S * CHANNELS * SAMPLE_BYTES,
    BUFFER_BYTES = 64 * 1024
};

struct output {
    int fd;
    int64_t position;
    const uint8_t *zeros; /* the payload of all packets but the first */
    size_t zero_bytes;
};

static int fail(const char *what, int code)
{
    char reason[AV_ERROR_MAX_STRING_SIZE] = "";
    av_strerror(code, reason, sizeof reason);
    fprintf(stderr, "make_sparse: %s: %s\n", what, reason);
    return 1;
}

/* What comes from the empty payload becomes a hole. */
static int write_some(void *opaque, uint8_t *data, int size)
{
    struct output *output = opaque;
    bool hole = data >= output->zeros && data < output->zeros + output->zero_bytes;
    for (int done = 0; !hole && done < size;) {
        ssize_t put = pwrite(output->fd, data + done, (size_t)(size - done),
                             output->position + done);
        if (put < 0)
            return AVERROR(errno);
        done += (int)put;
    }
    output->position += size;
    return size;
}

static int64_t seek_to(void *opaque, int64_t offset, int whence)
{
    struct output *output = opaque;
    if (whence == AVSEEK_SIZE)
        return lseek(output->fd, 0, SEEK_END);
    return output->position = whence == SEEK_CUR ? output->position + offset : offset;
}

/* A grey frame of DNxHR HQX, so that the first one is real. */
static AVPacket *encode_frame(AVCodecContext *encoder)
{
    AVPacket *packet = av_packet_alloc();
    AVFrame *frame = av_frame_alloc();
    int code = packet && frame ? 0 : AVERROR(ENOMEM);
    if (code == 0) {
        frame->format = encoder->pix_fmt;
        frame->width = encoder->width;
        frame->height = encoder->height;
        code = av_frame_get_buffer(frame, 0);
    }
    for (int plane = 0; code == 0 && plane < 3; plane++)
        for (int y = 0; y < encoder->height; y++)
            for (int x = 0; x < encoder->width / (plane ? 2 : 1); x++)
                ((uint16_t *)(frame->data[plane] + y * frame->linesize[plane]))[x] = 512;
    if (code == 0)
        code = avcodec_send_frame(encoder, frame);
    if (code == 0)
        code = avcodec_receive_packet(encoder, packet);
    av_frame_free(&frame);
    if (code != 0) {
        fail("encoding a frame", code);
        av_packet_free(&packet);
    }
    return packet;
}

static AVCodecContext *open_encoder(void)
{
    AVDictionary *options = NULL;
    AVCodecContext *encoder = avcodec_alloc_context3(avcodec_find_encoder(AV_CODEC_ID_DNXHD));
    if (!encoder)
        return NULL;
    encoder->width = WIDTH;
    encoder->height = HEIGHT;
    encoder->pix_fmt = AV_PIX_FMT_YUV422P10;
    encoder->time_base = (AVRational){1, FRAMES_PER_S};
    encoder->framerate = (AVRational){FRAMES_PER_S, 1};
    av_dict_set(&options, "profile", "dnxhr_hqx", 0);
    int code = avcodec_open2(encoder, NULL, &options);
    av_dict_free(&options);
    if (code < 0) {
        fail("opening the DNxHR encoder", code);
        avcodec_free_context(&encoder);
    }
    return encoder;
}

static int add_video(AVFormatContext *format, const AVCodecContext *encoder)
{
    AVStream *video = avformat_new_stream(format, NULL);
    if (!video)
        return AVERROR(ENOMEM);
    video->time_base = encoder->time_base;
    video->avg_frame_rate = video->r_frame_rate = encoder->framerate;
    return avcodec_parameters_from_context(video->codecpar, encoder);
}

static int add_sound(AVFormatContext *format)
{
    AVStream *sound = avformat_new_stream(format, NULL);
    if (!sound)
        return AVERROR(ENOMEM);
    sound->codecpar->codec_type = AVMEDIA_TYPE_AUDIO;
    sound->codecpar->codec_id = AV_CODEC_ID_PCM_S24LE;
    sound->codecpar->sample_rate = SAMPLE_RATE_HZ;
    sound->codecpar->bits_per_coded_sample = SAMPLE_BYTES * 8;
    sound->codecpar->block_align = CHANNELS * SAMPLE_BYTES;
    av_channel_layout_default(&sound->codecpar->ch_layout, CHANNELS);
    sound->time_base = (AVRational){1, SAMPLE_RATE_HZ};
    return 0;
}

static int write_packet(AVFormatContext *format, int stream, uint8_t *data, int size, int64_t frame)
{
    AVPacket packet = {.data = data,
                       .size = size,
                       .pts = frame,
                       .dts = frame,
                       .duration = 1,
                       .pos = -1,
                       .flags = AV_PKT_FLAG_KEY,
                       .stream_index = stream};
    av_packet_rescale_ts(&packet, (AVRational){1, FRAMES_PER_S},
                         format->streams[stream]->time_base);
    return av_write_frame(format, &packet);
}

static int write_all(AVFormatContext *format, const AVPacket *first, int64_t frames,
                     struct output *output)
{
    uint8_t *zeros = calloc(1, (size_t)first->size);
    int code = zeros ? avformat_write_header(format, NULL) : AVERROR(ENOMEM);
    output->zeros = zeros;
    output->zero_bytes = (size_t)first->size;
    for (int64_t frame = 0; frame < frames && code >= 0; frame++) {
        code = write_packet(format, 0, frame ? zeros : first->data, first->size, frame);
        if (code >= 0 && format->nb_streams > 1)
            code = write_packet(format, 1, zeros, SOUND_BYTES, frame);
    }
    if (code >= 0)
        code = av_write_trailer(format);
    avio_flush(format->pb);
    free(zeros);
    return code;
}

static int make(const char *kind, int64_t frames, bool with_sound, int fd)
{
    struct output output = {.fd = fd};
    AVFormatContext *format = NULL;
    AVCodecContext *encoder = open_encoder();
    AVPacket *first = encoder ? encode_frame(encoder) : NULL;
    int code = first ? avformat_alloc_output_context2(&format, NULL, kind, NULL) : AVERROR_UNKNOWN;
    if (code >= 0) {
        format->pb = avio_alloc_context(av_malloc(BUFFER_BYTES), BUFFER_BYTES, 1, &output, NULL,
                                        write_some, seek_to);
        format->pb->direct = 1;
        format->flags |= AVFMT_FLAG_CUSTOM_IO;
        code = add_video(format, encoder);
    }
    if (code >= 0 && with_sound)
        code = add_sound(format);
    if (code >= 0)
        code = write_all(format, first, frames, &output);
    if (format) {
        av_freep(&format->pb->buffer);
        avio_context_free(&format->pb);
    }
    avformat_free_context(format);
    av_packet_free(&first);
    avcodec_free_context(&encoder);
    return code < 0 ? fail("writing", code) : 0;
}

int main(int argc, char **argv)
{
    long long seconds = argc >= 4 ? strtoll(argv[2], NULL, 10) : 0;
    bool with_sound = argc == 5 && strcmp(argv[4], "sound") == 0;
    if (seconds < 1 || argc != 4 + with_sound ||
        (strcmp(argv[1], "mov") != 0 && strcmp(argv[1], "mxf") != 0)) {
        fprintf(stderr, "usage: make_sparse mov|mxf SECONDS FILE [sound]\n");
        return 2;
    }
    int fd = open(argv[3], O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0) {
        perror(argv[3]);
        return 1;
    }
    av_log_set_level(AV_LOG_ERROR);
    int failed = make(argv[1], seconds * FRAMES_PER_S, with_sound, fd);
    if (!failed && ftruncate(fd, lseek(fd, 0, SEEK_END)) != 0)
        failed = 1;
    if (close(fd) != 0 && !failed) {
        perror(argv[3]);
        failed = 1;
    }
    return failed;
}
