/* From the demuxer's time stamps to one clock: gaps filled, jumps closed, rates found. */
#include "probe/media.h"

#include <math.h>

static const double SECONDS_MAX = 1e9;             /* keeps flicks within 64 bits */
static const double TICKS_MAX = 9007199254740992.; /* 2^53, exact as double */
static const double JUMP_S = 60;                   /* a longer pause in a stream is a break in it */
static const double FALLBACK_RATE = 25;            /* FFmpeg's for raw streams without a rate */
static const double FALLBACK_AUDIO_RATE = 48000. / 1024;

struct line {
    sci_packet *packets;
    size_t count;
    const AVStream *stream;
    double tick_s;
    double period;    /* ticks a packet, for filling in */
    bool of_a_stream; /* else its times are the container's */
    const sci_stop *stop;
};

static double max_ticks(const struct line *line)
{
    double ticks = SECONDS_MAX / line->tick_s;
    return ticks < TICKS_MAX ? ticks : TICKS_MAX;
}

static int64_t clamp_ticks(const struct line *line, double ticks)
{
    double most = max_ticks(line);
    return (int64_t)(ticks > most ? most : ticks < -most ? -most : rint(ticks));
}

static bool positive(AVRational rate)
{
    return rate.num > 0 && rate.den > 0;
}

static double fallback_rate(const AVStream *stream)
{
    const AVCodecParameters *codec = stream->codecpar;
    if (codec->codec_type == AVMEDIA_TYPE_VIDEO)
        return FALLBACK_RATE;
    if (codec->frame_size > 0 && codec->sample_rate > 0)
        return (double)codec->sample_rate / codec->frame_size;
    return FALLBACK_AUDIO_RATE;
}

static double filling_period(const struct line *line)
{
    const AVStream *stream = line->stream;
    double durations = 0;
    if (positive(stream->avg_frame_rate))
        return 1 / av_q2d(stream->avg_frame_rate) / line->tick_s;
    if (positive(stream->r_frame_rate))
        return 1 / av_q2d(stream->r_frame_rate) / line->tick_s;
    for (size_t k = 0; k < line->count; k++)
        durations += line->packets[k].duration;
    if (durations > 0)
        return durations / (double)line->count;
    return 1 / fallback_rate(stream) / line->tick_s;
}

/* ---- missing times ---- */

static bool known(const sci_packet *packet)
{
    return packet->time != AV_NOPTS_VALUE;
}

/* Packets [from, to) lie between two known ones, or beyond the only one. */
static void fill(struct line *line, size_t from, size_t to)
{
    sci_packet *packets = line->packets;
    bool before = from > 0, after = to < line->count;
    double start = before  ? (double)packets[from - 1].time
                   : after ? (double)packets[to].time - (double)(to + 1) * line->period
                           : -line->period;
    double step = before && after ? ((double)packets[to].time - start) / (double)(to - from + 1)
                                  : line->period;
    for (size_t k = from; k < to; k++)
        packets[k].time = clamp_ticks(line, start + (double)(k - from + 1) * step);
}

static void fill_missing(struct line *line)
{
    for (size_t k = 0; k < line->count; k++)
        if (known(&line->packets[k]))
            line->packets[k].time = clamp_ticks(line, (double)line->packets[k].time);
    for (size_t k = 0; k < line->count; k++) {
        size_t from = k;
        while (k < line->count && !known(&line->packets[k]))
            k++;
        if (k > from)
            fill(line, from, k);
    }
}

/* Times that step back, and in streams those that jump, go on one period later instead. The number
   of such places. */
static size_t close_jumps(struct line *line)
{
    const double jump = line->of_a_stream ? JUMP_S / line->tick_s : 2 * TICKS_MAX;
    double offset = 0, previous = line->count ? (double)line->packets[0].time : 0;
    size_t jumps = 0;
    for (size_t k = 0; k < line->count; k++) {
        double raw = (double)line->packets[k].time, time = raw + offset;
        if (time < previous || time - previous > jump) {
            time = previous + line->period;
            offset = time - raw;
            jumps++;
        }
        line->packets[k].time = clamp_ticks(line, time);
        previous = (double)line->packets[k].time;
    }
    return jumps;
}

/* ---- rates ---- */

/* Every packet within one tick of where the rate says: then the ticks are rounded, the rate is
   exact. */
static bool fits(const struct line *line, sc_rational rate)
{
    double period = (double)rate.den / (double)rate.num / line->tick_s;
    double first = (double)line->packets[0].time;
    for (size_t k = 1; k < line->count; k++)
        if (fabs((double)line->packets[k].time - first - (double)k * period) > 1.0001)
            return false;
    return true;
}

static sc_rational rational(AVRational rate)
{
    return positive(rate) ? (sc_rational){rate.num, rate.den} : (sc_rational){0, 0};
}

static sc_rational rate_of_ticks(const struct line *line)
{
    int64_t delta = line->count > 1 ? line->packets[1].time - line->packets[0].time : 0;
    AVRational rate = {0, 1}, tick = line->stream->time_base;
    if (delta > 0 && delta < INT32_MAX)
        av_reduce(&rate.num, &rate.den, tick.den, delta * tick.num, INT32_MAX);
    return rational(rate);
}

static sc_rational mean_rate(const struct line *line)
{
    double ticks = (double)(line->packets[line->count - 1].time - line->packets[0].time);
    if (positive(line->stream->avg_frame_rate))
        return rational(line->stream->avg_frame_rate);
    if (line->count < 2 || ticks <= 0)
        return rational(line->stream->r_frame_rate);
    return rational(av_d2q((double)(line->count - 1) / (ticks * line->tick_s), 1000000));
}

static void find_rate(const struct line *line, sci_media_track *track)
{
    const sc_rational mean = mean_rate(line);
    const sc_rational candidates[] = {rational(line->stream->r_frame_rate), sci_rate_standard(mean),
                                      rate_of_ticks(line), mean};
    for (size_t i = 0; i < SCI_COUNT(candidates) && !track->constant_rate; i++)
        if (!sci_stop_now(line->stop) && candidates[i].num > 0 && fits(line, candidates[i])) {
            track->rate = candidates[i];
            track->constant_rate = true;
        }
    if (track->constant_rate)
        return;
    track->rate = sci_rate_of_most(line->packets, line->count, line->tick_s, line->stop);
    if (!track->rate.num)
        track->rate = mean_rate(line);
}

/* ---- flicks ---- */

static int64_t to_flicks(const struct line *line, double ticks)
{
    return av_rescale_q(clamp_ticks(line, ticks), line->stream->time_base,
                        (AVRational){1, SCI_FLICKS});
}

/* Where the ticks are as coarse as a second a packet lasts a part of one. */
static int64_t fraction_to_flicks(const struct line *line, double ticks)
{
    return llrint(fmin(fmax(ticks, 0), max_ticks(line)) * line->tick_s * SCI_FLICKS);
}

static double last_packet_ticks(const struct line *line)
{
    const sci_packet *packets = line->packets;
    double span = (double)(packets[line->count - 1].time - packets[0].time);
    double promised = line->stream->duration == AV_NOPTS_VALUE ? 0 : (double)line->stream->duration;
    if (packets[line->count - 1].duration > 0)
        return packets[line->count - 1].duration;
    if (!line->of_a_stream && promised > span)
        return promised - span;
    return span > 0 ? span / (double)(line->count - 1) : line->period;
}

static void convert(struct line *line, sci_media_track *track)
{
    int64_t last = fraction_to_flicks(line, last_packet_ticks(line));
    double span = (double)(line->packets[line->count - 1].time - line->packets[0].time);
    int64_t first = to_flicks(line, (double)line->packets[0].time);
    bool by_rate = track->constant_rate && track->kind == SC_TRACK_VIDEO;
    track->duration = by_rate ? sci_rate_due(track->rate, line->count)
                              : to_flicks(line, span) + last;
    if (track->duration < 1)
        track->duration = 1;
    for (size_t k = 0; k < line->count; k++)
        line->packets[k].time = track->constant_rate
                                    ? first + sci_rate_due(track->rate, k)
                                    : to_flicks(line, (double)line->packets[k].time);
}

static size_t build_track(sci_media *media, size_t index, const sci_stop *stop)
{
    sci_media_track *track = &media->tracks[index];
    const AVStream *stream = media->format->streams[index];
    struct line line = {.packets = media->packets.items + track->first,
                        .count = track->count,
                        .stream = stream,
                        .of_a_stream = !media->strategy->times_are_the_containers,
                        .stop = stop};
    line.tick_s = positive(stream->time_base) ? av_q2d(stream->time_base) : 1.0 / AV_TIME_BASE;
    line.period = filling_period(&line);
    fill_missing(&line);
    size_t jumps = close_jumps(&line);
    find_rate(&line, track);
    convert(&line, track);
    return jumps;
}

/* ---- the file ---- */

static bool beats(const sci_media_track *track, const sci_media_track *best)
{
    if (!best || track->kind != best->kind)
        return !best || track->kind == SC_TRACK_VIDEO;
    return track->duration > best->duration;
}

static void choose_main(sci_media *media)
{
    const sci_media_track *best = NULL;
    for (size_t i = 0; i < media->track_count; i++) {
        const sci_media_track *track = &media->tracks[i];
        if (track->played && track->count > 0 && beats(track, best)) {
            best = track;
            media->main_track = (int)i;
        }
    }
}

/* A header that promises clearly more than a whole scan found. */
static void note_missing_end(sci_media *media)
{
    const AVFormatContext *format = media->format;
    double found = 0;
    if (!media->strategy->finds_only_what_is_there ||
        media->flags & (SC_CLIP_SAMPLED | SC_CLIP_TRUNCATED) ||
        format->duration == AV_NOPTS_VALUE ||
        format->duration_estimation_method != AVFMT_DURATION_FROM_STREAM)
        return;
    double promised = (double)format->duration / AV_TIME_BASE;
    for (size_t i = 0; i < media->track_count; i++)
        if (media->tracks[i].played && media->tracks[i].count > 0)
            found = fmax(found, (double)media->tracks[i].duration / SCI_FLICKS);
    if (promised < found * 1.1 + 1)
        return;
    media->flags |= SC_CLIP_TRUNCATED;
    sci_finding_add(&media->findings, "truncated", SC_SEVERITY_WARNING,
                    "the header promises %.0f s but %.0f s are there: an unfinished copy; figures "
                    "are of the part that is there",
                    promised, found);
}

/* All bytes count over the picture's length: right where sound and picture go together. */
static void note_length(sci_media *media, const sci_media_track *main)
{
    const double seconds = (double)main->duration / SCI_FLICKS;
    double longest = 0;
    for (size_t i = 0; i < media->track_count; i++)
        if (media->tracks[i].played && media->tracks[i].count > 0)
            longest = fmax(longest, (double)media->tracks[i].duration / SCI_FLICKS);
    if (longest > seconds * 1.1 + 1)
        sci_finding_add(
            &media->findings, "tracks-differ", SC_SEVERITY_WARNING,
            "sound lasts %.0f ms but the picture %.0f ms: the rate is that of all bytes "
            "over the picture's length, and too high",
            longest * 1000, seconds * 1000);
}

static void note_main(sci_media *media)
{
    const sci_media_track *track = &media->tracks[media->main_track];
    note_length(media, track);
    if (track->kind == SC_TRACK_AUDIO)
        media->flags |= SC_CLIP_NO_VIDEO;
    else if (!track->constant_rate)
        media->flags |= SC_CLIP_VARIABLE_FRAME_RATE;
}

sc_status sci_timeline_build(sci_media *media, sc_error *error)
{
    const sci_stop stop = sci_file_stopper(&media->file);
    size_t jumps = 0;
    for (size_t i = 0; i < media->track_count; i++) {
        const AVStream *stream = media->format->streams[i];
        if (sci_stop_now(&stop))
            break;
        if (media->tracks[i].played && media->tracks[i].count > 0)
            jumps += build_track(media, i, &stop);
        else if (stream->duration > 0 && positive(stream->time_base))
            media->tracks[i].duration = av_rescale_q(stream->duration, stream->time_base,
                                                     (AVRational){1, SCI_FLICKS});
    }
    if (sci_stop_now(&stop))
        return sci_file_gave_up(&media->file, "probe.tracks", error);
    choose_main(media);
    if (media->main_track < 0)
        return sci_fail(error, SC_INVALID_DATA, 0, "probe.tracks", media->file.path,
                        "no video or audio in it that plays (%zu tracks)", media->track_count);
    note_main(media);
    note_missing_end(media);
    if (jumps)
        sci_finding_add(&media->findings, "time-jumps", SC_SEVERITY_NOTE,
                        "time stamps step back or jump at %zu places; playback is taken to go on "
                        "without a pause there",
                        jumps);
    return SC_OK;
}
