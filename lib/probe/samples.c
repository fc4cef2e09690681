/* Samples of a track by the tables of its moov box: ISO/IEC 14496-12, 8.6 and 8.7. */
#include "probe/movie.h"

#include <libavutil/intreadwrite.h>

/* Of sound whose samples are a few bytes; 43 ms at 48 kHz: a frame's length at most rates. */
enum { PIECE_SAMPLES = 2048 };

/* Packets that a byte of the index may stand for: samples of one size have no rows. */
enum { PACKETS_A_BYTE = 16 };

/* ---- times ---- */

void sci_movie_count_times(const sci_movie_track *track, uint64_t *frames, uint64_t *ticks,
                           uint32_t *constant)
{
    const sci_rows *rows = &track->times;
    *frames = *ticks = 0;
    *constant = 0;
    for (uint32_t i = 0; i < rows->count; i++) {
        const uint32_t count = AV_RB32(rows->at + 8 * (size_t)i);
        const uint32_t step = AV_RB32(rows->at + 8 * (size_t)i + 4);
        *frames += count;
        *ticks += (uint64_t)count * step;
        if (*ticks > INT64_MAX / 4)
            *ticks = 0;
    }
    /* The last sample may last longer or shorter. */
    if (rows->count == 1 || (rows->count == 2 && AV_RB32(rows->at + 8) == 1))
        *constant = AV_RB32(rows->at + 4);
}

/* Rows of (count, value), one sample after the other; the last value goes on. */
struct runs {
    sci_rows rows;
    uint32_t left;
    int32_t value;
};

static int32_t next_of(struct runs *runs)
{
    while (runs->left == 0 && runs->rows.count > 0) {
        runs->left = AV_RB32(runs->rows.at);
        runs->value = (int32_t)AV_RB32(runs->rows.at + 4);
        runs->rows.at += 8;
        runs->rows.count--;
    }
    if (runs->left > 0)
        runs->left--;
    return runs->value;
}

/* Negative offsets move presentation before decoding; demuxers decode earlier by the largest. */
static int64_t lead_ticks(const sci_movie_track *track)
{
    int64_t lead = 0;
    for (uint32_t i = 0; i < track->offsets_of_time.count; i++) {
        const int32_t offset = (int32_t)AV_RB32(track->offsets_of_time.at + 8 * (size_t)i + 4);
        if (offset < -lead)
            lead = -(int64_t)offset;
    }
    return lead;
}

/* ---- key samples ---- */

struct keys {
    bool all;
    sci_rows full, partial;
    struct runs groups;
};

static bool is_listed(sci_rows *rows, uint32_t number)
{
    while (rows->count > 0 && AV_RB32(rows->at) < number) {
        rows->at += 4;
        rows->count--;
    }
    return rows->count > 0 && AV_RB32(rows->at) == number;
}

static bool is_key(struct keys *keys, uint32_t number)
{
    if (keys->all)
        return true;
    const bool in_group = keys->groups.rows.at && next_of(&keys->groups) > 0;
    return is_listed(&keys->full, number) || is_listed(&keys->partial, number) || in_group;
}

/* ---- chunks ---- */

static int64_t chunk_position(const sci_movie_track *track, uint32_t chunk)
{
    const uint8_t *at = track->chunks.at + (size_t)chunk * track->chunk_bytes;
    const uint64_t position = track->chunk_bytes == 8 ? AV_RB64(at) : AV_RB32(at);
    return position < INT64_MAX / 2 ? (int64_t)position : -1;
}

/* Chunks that follow each other and hold the same number of samples. */
struct stretch {
    uint32_t first, end; /* chunks */
    uint32_t samples;    /* of each */
};

/* Advances; begins with all of it zero. A row that does not come after the one before it is for no
   chunk. */
static bool next_stretch(const sci_movie_track *track, sci_rows *rows, struct stretch *stretch)
{
    while (rows->count > 0) {
        const uint32_t first = AV_RB32(rows->at) > 0 ? AV_RB32(rows->at) - 1 : 0;
        const uint32_t samples = AV_RB32(rows->at + 4);
        rows->at += 12;
        rows->count--;
        const uint32_t next = rows->count > 0 ? AV_RB32(rows->at) : 0;
        const uint32_t end = rows->count == 0                          ? track->chunks.count
                             : next > 0 && next <= track->chunks.count ? next - 1
                             : next == 0                               ? first
                                                                       : track->chunks.count;
        if (first < stretch->end || first >= end)
            continue;
        *stretch = (struct stretch){first, end, samples};
        return true;
    }
    return false;
}

/* ---- sound in chunks ---- */

struct frame_size {
    uint32_t samples, bytes;
};

/* How much the samples of sound take that is not kept packet by packet. 0, 0: it is. */
static struct frame_size frame_of(const sci_movie_track *track, const AVCodecParameters *codec)
{
    static const struct {
        enum AVCodecID codec;
        struct frame_size mono;
    } fixed[] = {{AV_CODEC_ID_MACE3, {6, 2}},
                 {AV_CODEC_ID_MACE6, {6, 1}},
                 {AV_CODEC_ID_ADPCM_IMA_QT, {64, 34}}};
    const int bits = av_get_bits_per_sample(codec->codec_id);
    const uint32_t channels = (uint32_t)codec->ch_layout.nb_channels;
    if (codec->codec_type != AVMEDIA_TYPE_AUDIO || channels < 1 || channels > 1024)
        return (struct frame_size){0, 0};
    if (track->samples_a_frame > 1 && track->samples_a_frame <= PIECE_SAMPLES &&
        track->bytes_a_frame > 0 && track->bytes_a_frame <= 1 << 20)
        return (struct frame_size){track->samples_a_frame, track->bytes_a_frame};
    for (size_t i = 0; i < SCI_COUNT(fixed); i++)
        if (codec->codec_id == fixed[i].codec)
            return (struct frame_size){fixed[i].mono.samples, fixed[i].mono.bytes * channels};
    if (codec->codec_id == AV_CODEC_ID_GSM)
        return (struct frame_size){160, 33};
    if (bits >= 8)
        return (struct frame_size){1, (uint32_t)bits / 8 * channels};
    if (track->constant_bytes > 0 && track->constant_bytes <= 1 << 16)
        return (struct frame_size){1, track->constant_bytes};
    return (struct frame_size){0, 0};
}

/* Samples are then those of the sound, a tick each. */
static bool is_chunked(const sci_movie_track *track, struct frame_size frame)
{
    return frame.samples > 0 && track->times.count == 1 && AV_RB32(track->times.at + 4) == 1;
}

static uint32_t piece_samples(struct frame_size frame)
{
    return PIECE_SAMPLES / frame.samples * frame.samples;
}

/* ---- packets ---- */

struct collecting {
    sci_media *media;
    sci_movie_track *track;
    struct frame_size frame;
    bool chunked;
    int64_t shift; /* ticks: from the times of the media to those of the track */
    struct runs steps;
    struct keys keys;
    uint32_t sample;
};

static void add(struct collecting *collecting, int64_t position, uint32_t bytes, uint32_t ticks,
                bool key)
{
    sci_movie_track *track = collecting->track;
    sci_packets *packets = &collecting->media->packets;
    packets->items[packets->count++] = (sci_packet){
        .pos = position,
        .time = track->end + collecting->shift,
        .bytes = bytes <= INT32_MAX ? (int32_t)bytes : INT32_MAX,
        .duration = ticks <= INT32_MAX ? (int32_t)ticks : 0,
        .track = track->stream,
        .key = key};
    track->end += (int32_t)ticks;
}

static void add_pieces(struct collecting *collecting, int64_t position, uint32_t samples)
{
    const struct frame_size frame = collecting->frame;
    const uint32_t most = piece_samples(frame);
    for (uint32_t left = samples; left > 0;) {
        const uint32_t piece = left < most ? left : most;
        const uint32_t bytes = piece / frame.samples * frame.bytes;
        add(collecting, position, bytes, piece, true);
        position = position < 0 ? position : position + bytes;
        left -= piece;
    }
}

static uint32_t sample_bytes(const sci_movie_track *track, uint32_t sample)
{
    if (track->constant_bytes)
        return track->constant_bytes;
    switch (track->size_bits) {
    case 4:
        return track->sizes.at[sample / 2] >> (sample % 2 ? 0 : 4) & 15;
    case 8:
        return track->sizes.at[sample];
    case 16:
        return AV_RB16(track->sizes.at + 2 * (size_t)sample);
    default:
        return AV_RB32(track->sizes.at + 4 * (size_t)sample);
    }
}

static void add_samples(struct collecting *collecting, int64_t position, uint32_t samples)
{
    const sci_movie_track *track = collecting->track;
    for (uint32_t i = 0; i < samples && collecting->sample < track->samples; i++) {
        const uint32_t bytes = sample_bytes(track, collecting->sample++);
        add(collecting, position, bytes, (uint32_t)next_of(&collecting->steps),
            is_key(&collecting->keys, collecting->sample));
        position = position < 0 ? position : position + bytes;
    }
}

/* Packets of all chunks, at most those of the table of sizes. */
static uint64_t count_packets(const struct collecting *collecting)
{
    const sci_movie_track *track = collecting->track;
    struct stretch stretch = {0};
    sci_rows rows = track->runs;
    uint64_t packets = 0;
    while (next_stretch(track, &rows, &stretch)) {
        const uint32_t most = collecting->chunked ? piece_samples(collecting->frame) : 1;
        const uint64_t a_chunk = ((uint64_t)stretch.samples + most - 1) / most;
        packets += (stretch.end - stretch.first) * a_chunk;
        if (packets > UINT32_MAX)
            return packets;
    }
    return collecting->chunked || packets < track->samples ? packets : track->samples;
}

/* A damaged index may count more than there can be. */
static sc_status check_count(const struct collecting *collecting, uint64_t packets, sc_error *error)
{
    const sci_media *media = collecting->media;
    const uint64_t bytes = collecting->chunked
                               ? piece_samples(collecting->frame) / collecting->frame.samples *
                                     collecting->frame.bytes
                               : collecting->track->constant_bytes;
    const uint64_t possible = (uint64_t)media->movie->size * PACKETS_A_BYTE +
                              (bytes ? (uint64_t)media->file.size_bytes / bytes : 0);
    if (packets <= possible)
        return SC_OK;
    return sci_fail(error, SC_INVALID_DATA, 0, "probe.index", media->file.path,
                    "the index (moov) is damaged: it counts %llu samples of %llu bytes in a file "
                    "of %lld bytes",
                    (unsigned long long)packets, (unsigned long long)bytes,
                    (long long)media->file.size_bytes);
}

static sc_status collect_chunks(struct collecting *collecting, sc_error *error)
{
    const sci_movie_track *track = collecting->track;
    struct stretch stretch = {0};
    sci_rows rows = track->runs;
    while (next_stretch(track, &rows, &stretch)) {
        for (uint32_t chunk = stretch.first; chunk < stretch.end; chunk++) {
            const int64_t position = chunk_position(track, chunk);
            if ((chunk & 0xFFFF) == 0 && sci_file_give_up(&collecting->media->file))
                return sci_file_gave_up(&collecting->media->file, "probe.index", error);
            if (collecting->chunked)
                add_pieces(collecting, position, stretch.samples);
            else
                add_samples(collecting, position, stretch.samples);
        }
    }
    return SC_OK;
}

/* Of tracks that are not played only what they hold is told. */
static void tell(sci_media_track *told, const sci_movie_track *track)
{
    int64_t bytes = 0;
    for (uint32_t i = 0; i < track->sizes.count && !track->constant_bytes; i++)
        bytes += sample_bytes(track, i);
    told->told.set = true;
    told->told.packets = track->samples;
    told->told.bytes = track->constant_bytes ? (int64_t)track->constant_bytes * track->samples
                                             : bytes;
    told->told.source = SC_SOURCE_FILE_INDEX;
}

static bool is_played(const sci_media *media, const sci_movie_track *track)
{
    return track->stream >= 0 && media->tracks[track->stream].played;
}

static struct collecting begin(sci_media *media, sci_movie_track *track)
{
    const AVCodecParameters *codec = media->format->streams[track->stream]->codecpar;
    const bool sound = codec->codec_type == AVMEDIA_TYPE_AUDIO;
    const struct frame_size frame = frame_of(track, codec);
    return (struct collecting){.media = media,
                               .track = track,
                               .frame = frame,
                               .chunked = is_chunked(track, frame),
                               .shift = track->edit_ticks - lead_ticks(track),
                               .steps = {.rows = track->times},
                               .keys = {.all = sound || !track->has_keys,
                                        .full = track->keys,
                                        .partial = track->partial_keys,
                                        .groups = {.rows = track->random_access}}};
}

static sc_status make_room(sci_media *media, sc_error *error)
{
    const sci_movie *movie = media->movie;
    uint64_t total = media->packets.count;
    for (size_t i = 0; i < movie->track_count; i++) {
        if (!is_played(media, &movie->tracks[i]))
            continue;
        const struct collecting collecting = begin(media, &movie->tracks[i]);
        const uint64_t packets = count_packets(&collecting);
        sc_status status = check_count(&collecting, packets, error);
        if (status != SC_OK)
            return status;
        total += packets;
    }
    sc_status status = total <= SCI_PACKETS_MAX
                           ? sci_packets_reserve(&media->packets, (size_t)total)
                           : SC_LIMIT;
    return status == SC_OK
               ? SC_OK
               : sci_fail(error, status, 0, "probe.index", media->file.path,
                          "an index of %llu samples does not fit", (unsigned long long)total);
}

sc_status sci_movie_samples(sci_media *media, sc_error *error)
{
    sci_movie *movie = media->movie;
    sc_status status = make_room(media, error);
    for (size_t i = 0; i < movie->track_count && status == SC_OK; i++) {
        sci_movie_track *track = &movie->tracks[i];
        if (is_played(media, track)) {
            struct collecting collecting = begin(media, track);
            status = collect_chunks(&collecting, error);
        } else if (track->stream >= 0) {
            tell(&media->tracks[track->stream], track);
        }
    }
    return status;
}
