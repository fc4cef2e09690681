/* Streams without an index that are too long to be read: windows spread over the file. Time stamps and
   positions at both ends of what lies between two windows say how many bytes are due there in how many
   seconds; how they are spread over its frames is taken from the window before. */
#include "probe/media.h"

#include <stdlib.h>

enum {
    WINDOWS = 12,
    WHOLE_BYTES_MAX = 8 << 20, /* shorter files are read whole */
    SHARE = 200,               /* of a file that is read in windows */
    ENDS_SHARE = 50, /* of a file that may lie before the first or behind the last frame */
    WINDOW_BYTES_MIN = 256 << 10,
    WINDOW_FRAMES_MIN = 3, /* large frames make windows longer, up to this: */
    WINDOW_BYTES_MAX = 32 << 20,
    FACTS_BYTES = 1 << 20,
    ANCHORS_MAX = 4096, /* of one window */
    LEARN_MOST = 32     /* packets of sound that are decoded */
};

/* How much faster or slower than the file's mean a stretch may be before its time stamps are doubted. */
static const double RATE_RATIO_MAX = 50;

/* A frame of the main track: where it starts and when it is due. */
struct anchor {
    int64_t pos, ticks;
    bool ends_window;
    bool key;
};

struct anchors {
    struct anchor *items; /* malloc'ed */
    size_t count, capacity;
};

static bool matches(const sci_media *media)
{
    static const char *const names[] = {"mpegts", "mpeg"};
    for (size_t i = 0; i < SCI_COUNT(names); i++)
        if (sci_demuxer_is(media->format->iformat, names[i]))
            return !media->exact && media->file.size_bytes > WHOLE_BYTES_MAX;
    return false;
}

static int main_stream(const sci_media *media)
{
    return av_find_best_stream(media->format, AVMEDIA_TYPE_VIDEO, -1, -1, NULL, 0);
}

/* What the start of the file did not tell of its sound, packets further on do. */
static void learn(sci_media *media, const AVPacket *packet, int *learned)
{
    AVStream *stream = media->format->streams[packet->stream_index];
    if (*learned < LEARN_MOST && sci_sound_is_wanted(stream)) {
        sci_sound_learn(stream, packet);
        ++*learned;
    }
}

/* Frames of one window; those that do not go on in time and place are left out. */
static sc_status read_window(sci_media *media, int stream, int64_t start, int64_t bytes,
                             struct anchors *anchors, int *learned)
{
    AVPacket *packet = av_packet_alloc();
    size_t before = anchors->count;
    sc_status status = packet ? SC_OK : SC_NO_MEMORY;
    bool inside = packet &&
                  avformat_seek_file(media->format, -1, 0, start, INT64_MAX, AVSEEK_FLAG_BYTE) >= 0;
    while (inside && status == SC_OK && av_read_frame(media->format, packet) >= 0) {
        const struct anchor *last = anchors->count ? &anchors->items[anchors->count - 1] : NULL;
        struct anchor anchor = {
            .pos = packet->pos, .ticks = packet->dts, .key = packet->flags & AV_PKT_FLAG_KEY};
        const size_t frames = anchors->count - before;
        inside = frames < ANCHORS_MAX && !sci_file_stop(&media->file) &&
                 (packet->pos < start + bytes ||
                  (frames < WINDOW_FRAMES_MIN && packet->pos < start + WINDOW_BYTES_MAX));
        bool wanted = packet->stream_index == stream && packet->pos >= start &&
                      packet->dts != AV_NOPTS_VALUE &&
                      (!last || (anchor.pos > last->pos && anchor.ticks > last->ticks));
        learn(media, packet, learned);
        av_packet_unref(packet);
        if (!wanted)
            continue;
        if (!sci_grow(&anchors->items, anchors->count, &anchors->capacity, sizeof anchor))
            status = SC_NO_MEMORY;
        else
            anchors->items[anchors->count++] = anchor;
    }
    if (anchors->count > before)
        anchors->items[anchors->count - 1].ends_window = true;
    av_packet_free(&packet);
    return media->file.cancelled ? SC_CANCELLED : status;
}

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* What the fewest frames of a window take, going by the first one. At the end of the file they have to
   lie before it. */
static int64_t bytes_of_frames(const struct anchors *anchors)
{
    int64_t largest = 0;
    for (size_t i = 1; i < anchors->count; i++)
        largest = most(largest, anchors->items[i].pos - anchors->items[i - 1].pos);
    return WINDOW_FRAMES_MIN * largest < WINDOW_BYTES_MAX ? WINDOW_FRAMES_MIN * largest
                                                          : WINDOW_BYTES_MAX;
}

static sc_status read_windows(sci_media *media, int stream, struct anchors *anchors)
{
    const int64_t size = media->file.size_bytes;
    int64_t bytes = most(size / SHARE / WINDOWS, WINDOW_BYTES_MIN);
    sc_status status = SC_OK;
    int learned = 0;
    for (int i = 0; i < WINDOWS && status == SC_OK && !media->file.limited; i++) {
        status = read_window(media, stream, (size - bytes) / (WINDOWS - 1) * i, bytes, anchors,
                             &learned);
        if (i == 0)
            bytes = most(bytes, bytes_of_frames(anchors));
    }
    return status;
}

/* Ticks of a frame: what most neighbours in a window are apart. */
static int64_t frame_ticks(const sci_media *media, int stream, const struct anchors *anchors)
{
    const AVStream *video = media->format->streams[stream];
    const AVRational rate = video->r_frame_rate.num > 0 ? video->r_frame_rate
                                                        : video->avg_frame_rate;
    int64_t least = INT64_MAX;
    if (rate.num > 0 && rate.den > 0)
        return av_rescale_q(1, av_inv_q(rate), video->time_base);
    for (size_t i = 1; i < anchors->count; i++)
        if (!anchors->items[i - 1].ends_window &&
            anchors->items[i].ticks - anchors->items[i - 1].ticks < least)
            least = anchors->items[i].ticks - anchors->items[i - 1].ticks;
    return least < INT64_MAX ? least : 0;
}

/* ---- from frames that were seen to all frames ---- */

struct filling {
    sci_media *media;
    int stream;
    int64_t period;                /* ticks */
    size_t pattern, pattern_count; /* packets of the window before */
    sc_status status;
};

static void add(struct filling *filling, int64_t pos, int64_t ticks, int64_t bytes, bool key)
{
    if (filling->status != SC_OK)
        return;
    filling->status = sci_packets_add(
        &filling->media->packets,
        (sci_packet){.pos = pos,
                     .time = ticks,
                     .bytes = (int32_t)(bytes < INT32_MAX ? bytes : INT32_MAX),
                     .track = filling->stream,
                     .key = key});
}

static int64_t pattern_bytes(const struct filling *filling, int64_t k)
{
    const sci_packets *packets = &filling->media->packets;
    return filling->pattern_count
               ? packets->items[filling->pattern + (size_t)k % filling->pattern_count].bytes
               : 1;
}

/* What lies from one frame that was seen to the next one, which is not its neighbour. */
static void fill(struct filling *filling, const struct anchor *from, int64_t to_pos,
                 int64_t to_ticks)
{
    int64_t frames = (to_ticks - from->ticks + filling->period / 2) / filling->period;
    const int64_t bytes = to_pos - from->pos;
    double whole = 0, before = 0;
    frames = frames > 0 ? frames : 1;
    if (frames > SCI_PACKETS_MAX) {
        filling->status = SC_LIMIT;
        return;
    }
    for (int64_t k = 0; k < frames; k++)
        whole += (double)pattern_bytes(filling, k);
    for (int64_t k = 0; k < frames && filling->status == SC_OK; k++) {
        int64_t start = (int64_t)(before / whole * (double)bytes);
        before += (double)pattern_bytes(filling, k);
        int64_t end = k + 1 < frames ? (int64_t)(before / whole * (double)bytes) : bytes;
        add(filling, from->pos + start, from->ticks + av_rescale(to_ticks - from->ticks, k, frames),
            end - start, false);
    }
}

/* Time and place go on evenly, more or less, and that from one end of the file to the other. */
static bool plausible(const struct anchors *anchors, int64_t size)
{
    const struct anchor *first = &anchors->items[0], *last = &anchors->items[anchors->count - 1];
    const double mean = (double)(last->pos - first->pos) / (double)(last->ticks - first->ticks);
    if (first->pos > size / ENDS_SHARE || size - last->pos > size / ENDS_SHARE)
        return false;
    for (size_t i = 1; i < anchors->count; i++) {
        const struct anchor *a = &anchors->items[i - 1], *b = &anchors->items[i];
        double rate = (double)(b->pos - a->pos) / (double)(b->ticks - a->ticks);
        if (a->ends_window && (rate > mean * RATE_RATIO_MAX || rate < mean / RATE_RATIO_MAX))
            return false;
    }
    return true;
}

static sc_status fill_all(struct filling *filling, const struct anchors *anchors)
{
    const sci_packets *packets = &filling->media->packets;
    const struct anchor *last = &anchors->items[anchors->count - 1];
    size_t window = 0;
    for (size_t i = 0; i + 1 < anchors->count && filling->status == SC_OK; i++) {
        const struct anchor *anchor = &anchors->items[i], *next = anchor + 1;
        if (anchor->ends_window) {
            filling->pattern = window;
            filling->pattern_count = packets->count - window;
            fill(filling, anchor, next->pos, next->ticks);
            window = packets->count;
        } else {
            add(filling, anchor->pos, anchor->ticks, next->pos - anchor->pos, anchor->key);
        }
    }
    add(filling, last->pos, last->ticks, filling->media->file.size_bytes - last->pos, false);
    return filling->status;
}

static void tell(sci_media *media, int64_t bytes_read)
{
    for (size_t i = 0; i < media->track_count; i++)
        if (media->tracks[i].played) {
            media->tracks[i].told.set = true;
            media->tracks[i].told.packets = media->tracks[i].told.bytes = SC_UNKNOWN;
            media->tracks[i].told.source = SC_SOURCE_SAMPLED;
        }
    media->flags |= SC_CLIP_NO_INDEX | SC_CLIP_SAMPLED;
    sci_finding_add(&media->findings, "sampled", SC_SEVERITY_NOTE,
                    "%d windows, %.1f MB of %.1f MB, were read: the mean is exact, short bursts "
                    "between the windows are not seen; --exact reads all",
                    WINDOWS, (double)bytes_read / 1e6, (double)media->file.size_bytes / 1e6);
}

static sc_status collect(sci_media *media, sc_error *error)
{
    struct anchors anchors = {0};
    media->inform_bytes = FACTS_BYTES;
    sc_status status = sci_media_inform(media, error);
    const int stream = status == SC_OK ? main_stream(media) : -1;
    if (status != SC_OK || stream < 0)
        return status;
    status = read_windows(media, stream, &anchors);
    if (status == SC_OK) /* There may be more than at the start. */
        status = sci_media_find_tracks(media, error);
    struct filling filling = {
        .media = media, .stream = stream, .period = frame_ticks(media, stream, &anchors)};
    if (status == SC_OK && anchors.count >= WINDOWS / 2 && filling.period > 0 &&
        plausible(&anchors, media->file.size_bytes))
        status = fill_all(&filling, &anchors);
    free(anchors.items);
    if (status == SC_OK && media->packets.count)
        tell(media, media->file.bytes_read);
    else if (status == SC_OK) /* All will be read, from the start. */
        avformat_seek_file(media->format, -1, 0, 0, INT64_MAX, AVSEEK_FLAG_BYTE);
    if (status != SC_OK)
        return sci_fail(error, status, 0, "probe.sampled", media->file.path, "%s",
                        status == SC_CANCELLED ? "cancelled" : sc_status_text(status));
    return SC_OK;
}

static bool check(sci_media *media)
{
    return media->packets.count > 0;
}

const sci_strategy sci_strategy_sampled = {.source = SC_SOURCE_SAMPLED,
                                           .finds_only_what_is_there = true,
                                           .matches = matches,
                                           .collect = collect,
                                           .check = check};
