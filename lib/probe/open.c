#include "probe/media.h"

#include <stdlib.h>
#include <string.h>

enum {
    BUFFER_BYTES = 32 * 1024,
    PROBE_BYTES_MAX = 64 << 20, /* a 4K random-access GOP is 10 MB and more */
    DOUBTFUL_SCORE = AVPROBE_SCORE_MAX / 4,
    UNPACKED_BYTES_MAX = 64 << 20 /* a day of samples at 24 frames a second takes 17 MB */
};

/* Whatever the file names stays closed. */
static int refuse_to_open(AVFormatContext *format, AVIOContext **io, const char *url, int flags,
                          AVDictionary **options)
{
    (void)format;
    (void)io;
    (void)url;
    (void)flags;
    (void)options;
    return AVERROR(EPERM);
}

static int interrupted(void *opaque)
{
    return sci_file_stop(opaque);
}

void sc_probe_quiet_ffmpeg(void)
{
    av_log_set_level(AV_LOG_QUIET);
}

static sc_status prepare(sci_media *media, sc_error *error)
{
    uint8_t *buffer = av_malloc(BUFFER_BYTES);
    media->format = avformat_alloc_context();
    if (buffer && media->format)
        media->avio = avio_alloc_context(buffer, BUFFER_BYTES, 0, &media->file, sci_file_avio_read,
                                         NULL, sci_file_avio_seek);
    if (!media->avio) {
        av_free(buffer);
        return sci_fail(error, SC_NO_MEMORY, 0, "probe.open", media->file.path, "out of memory");
    }
    media->format->pb = media->avio;
    media->format->flags |= AVFMT_FLAG_CUSTOM_IO;
    media->format->io_open = refuse_to_open;
    media->format->interrupt_callback = (AVIOInterruptCB){interrupted, &media->file};
    media->format->skip_estimate_duration_from_pts = 1;
    return SC_OK;
}

static sc_status explain_movie(const sci_media *media, sc_error *error)
{
    const sci_file *file = &media->file;
    const int64_t offset = media->seen.moov_offset, bytes = media->seen.moov_bytes;
    if (bytes > file->size_bytes - offset)
        return sci_fail(error, SC_INVALID_DATA, 0, "probe.open", file->path,
                        "the index (moov) is cut off: %lld of its %lld bytes are there; copy the "
                        "file again",
                        (long long)(file->size_bytes - offset), (long long)bytes);
    if (bytes)
        return sci_fail(error, SC_INVALID_DATA, 0, "probe.open", file->path,
                        "the index (moov) is damaged");
    if (media->seen.fragments)
        return sci_fail(error, SC_INVALID_DATA, 0, "probe.open", file->path,
                        "fragments without the index (moov) that describes them: an initialisation "
                        "segment has to come first");
    return sci_fail(error, SC_INVALID_DATA, 0, "probe.open", file->path,
                    "unfinished recording or truncated: no index (moov) in its %lld bytes",
                    (long long)file->size_bytes);
}

/* Why reading the header failed, in terms of the file. */
static sc_status explain(sci_media *media, const AVInputFormat *demuxer, int code, sc_error *error)
{
    sci_file *file = &media->file;
    char reason[AV_ERROR_MAX_STRING_SIZE] = "", limit[SCI_LIMIT_TEXT];
    if (file->cancelled)
        return sci_fail(error, SC_CANCELLED, 0, "probe.open", file->path, "cancelled");
    if (file->limited)
        return sci_fail(error, SC_LIMIT, 0, "probe.open", file->path,
                        "%s ended the reading of the header: raise it",
                        sci_file_limit(file, limit));
    if (file->os_errno)
        return sci_fail(error, SC_IO, file->os_errno, "probe.open", file->path,
                        "reading the header failed");
    if (code == AVERROR(ENOMEM))
        return sci_fail(error, SC_NO_MEMORY, 0, "probe.open", file->path,
                        "the header asks for more memory than there is");
    if (demuxer && sci_demuxer_is_mov(demuxer))
        return explain_movie(media, error);
    av_strerror(code, reason, sizeof reason);
    return sci_fail(error, SC_INVALID_DATA, 0, "probe.open", file->path,
                    "the header is damaged, cut off or of another kind than it says (%s: %s)",
                    demuxer ? demuxer->name : "unknown", reason);
}

/* The name only helps to recognise raw streams by their ending: nothing is opened by it. */
static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static AVDictionary *open_options(void)
{
    AVDictionary *options = NULL;
    /* Edit lists repeat samples; what is stored, once each, is what counts here. Chapters cost a
       read each. */
    av_dict_set(&options, "advanced_editlist", "0", 0);
    av_dict_set(&options, "ignore_chapters", "1", 0);
    av_dict_set(&options, "use_odml", "0", 0);
    av_dict_set(&options, "enable_drefs", "0", 0);
    av_dict_set(&options, "use_absolute_path", "0", 0);
    av_dict_set(&options, "protocol_whitelist", "none", 0);
    return options;
}

static void release_demuxer(sci_media *media)
{
    avformat_close_input(&media->format);
    if (media->avio)
        av_freep(&media->avio->buffer);
    avio_context_free(&media->avio);
}

/* Containers whose own reader tells the demuxer what it needs to see of the file. */
struct sci_describer {
    const char *demuxer;
    bool (*find)(sci_media *media); /* the demuxer will see the descriptions only */
    bool (*match_streams)(sci_media *media);
    void (*forget)(sci_media *media); /* the demuxer sees the file again; also when it was before */
};

static const struct sci_describer describers[] = {
    {"mov", sci_movie_find, sci_movie_match_streams, sci_movie_forget},
    {"avi", sci_avi_find, sci_avi_match_streams, sci_avi_forget}};

static void describe(sci_media *media)
{
    for (size_t i = 0; i < SCI_COUNT(describers) && !media->describer; i++)
        if (describers[i].find(media))
            media->describer = &describers[i];
}

static sc_status recognise(sci_media *media, const AVInputFormat **demuxer, sc_error *error)
{
    const char *name = base_name(media->file.path);
    if (media->describer && (*demuxer = av_find_input_format(media->describer->demuxer)))
        return SC_OK;
    int code = av_probe_input_buffer2(media->avio, demuxer, name, media->format, 0, 0);
    /* Text and noise look a little like many raw streams. */
    if (code >= 0 && code < DOUBTFUL_SCORE && !av_match_ext(name, (*demuxer)->extensions))
        code = AVERROR_INVALIDDATA;
    if (code < 0 && (media->file.cancelled || media->file.limited || media->file.os_errno))
        return explain(media, NULL, code, error);
    return sci_demuxer_check(code < 0 ? NULL : *demuxer, media->file.path, error);
}

static sc_status open_demuxer(sci_media *media, sc_error *error)
{
    const AVInputFormat *demuxer = NULL;
    sc_status status = prepare(media, error);
    if (status == SC_OK)
        status = recognise(media, &demuxer, error);
    if (status != SC_OK)
        return status;
    AVDictionary *options = open_options();
    int code = avformat_open_input(&media->format, base_name(media->file.path), demuxer, &options);
    av_dict_free(&options);
    return code < 0 ? explain(media, demuxer, code, error) : SC_OK;
}

static sc_status open_again(sci_media *media, sc_error *error)
{
    release_demuxer(media);
    if (media->describer)
        media->describer->forget(media);
    media->describer = NULL;
    media->file.offset = 0;
    return open_demuxer(media, error);
}

/* Its descriptions are enough for the demuxer, and else the file itself. */
static sc_status open_described(sci_media *media, sc_error *error)
{
    sc_error ignored = {0};
    return open_demuxer(media, &ignored) == SC_OK && media->describer->match_streams(media)
               ? SC_OK
               : open_again(media, error);
}

/* A compressed index is unpacked by the demuxer, as large as it says. */
static sc_status allow_unpacking(sci_media *media, sc_error *error)
{
    const int64_t bytes = media->seen.unpacked_bytes;
    if (bytes > UNPACKED_BYTES_MAX)
        return sci_fail(error, SC_INVALID_DATA, 0, "probe.open", media->file.path,
                        "the index (moov) is damaged: it says that it has %lld bytes without "
                        "compression, and %lld with it",
                        (long long)bytes, (long long)media->seen.moov_bytes);
    return sci_file_take_memory(&media->file, (size_t)bytes)
               ? SC_OK
               : sci_fail(error, SC_CANCELLED, 0, "probe.open", media->file.path, "cancelled");
}

static sc_status open_any(sci_media *media, sc_error *error)
{
    describe(media);
    if (media->describer)
        return open_described(media, error);
    sc_status status = allow_unpacking(media, error);
    return status == SC_OK ? open_demuxer(media, error) : status;
}

sc_status sci_media_open(sci_media *media, const char *path, sci_media_limits limits,
                         sci_control *control, sci_arena *arena, sc_error *error)
{
    *media = (sci_media){.file = {.fd = -1, .size_bytes = SC_UNKNOWN},
                         .exact = limits.exact,
                         .arena = arena,
                         .findings = {.arena = arena},
                         .main_track = -1};
    sc_status status = sci_file_open(&media->file, path, error);
    if (status != SC_OK)
        return status;
    media->packets.file = &media->file;
    media->file.share = limits.share;
    sci_file_start(&media->file, limits.max_bytes, limits.max_seconds, control);
    status = open_any(media, error);
    if (status == SC_OK)
        status = sci_media_find_tracks(media, error);
    return status;
}

sc_status sci_media_reopen(sci_media *media, sc_error *error)
{
    const sc_status status = open_again(media, error);
    return status == SC_OK ? sci_media_find_tracks(media, error) : status;
}

void sci_media_close(sci_media *media)
{
    release_demuxer(media);
    if (media->describer)
        media->describer->forget(media);
    sci_packets_free(&media->packets);
    sci_file_close(&media->file);
}

/* Of transport and program streams FFmpeg reads what it looked at a second time. */
static int64_t probe_bytes(const sci_file *file)
{
    int64_t limit = file->max_bytes < 0 ? PROBE_BYTES_MAX : file->max_bytes / 4;
    return limit < PROBE_BYTES_MAX ? (limit > 4096 ? limit : 4096) : PROBE_BYTES_MAX;
}

sc_status sci_media_inform(sci_media *media, sc_error *error)
{
    media->format->probesize = media->inform_bytes ? media->inform_bytes
                                                   : probe_bytes(&media->file);
    /* Rates are found from all packets, not from a few. */
    if (media->inform_bytes)
        media->format->fps_probe_size = 0;
    /* Its failure is no failure of the probe: packets count, whether or not a decoder likes them. */
    avformat_find_stream_info(media->format, NULL);
    media->informed = true;
    if (media->file.cancelled)
        return sci_fail(error, SC_CANCELLED, 0, "probe.open", media->file.path, "cancelled");
    return sci_media_find_tracks(media, error);
}
