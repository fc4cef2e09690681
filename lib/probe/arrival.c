#include "probe/arrival.h"

#include "probe/ffmpeg.h"

#include <math.h>

/* One microsecond: time stamps that differ by less are the same instant. */
static const int64_t TOLERANCE = SCI_FLICKS / 1000000;
/* Of rounding: frames within it are at even distances. */
static const double EVEN_TOLERANCE = 2;

static const double prefills_s[SC_REQUIRED_COUNT] = {0.2, 0.35, 0.5, 1, 2, 10};

bool sci_stop_now(const sci_stop *stop)
{
    return stop && stop->now(stop->opaque);
}

/* ceil or nearest of bytes a time in bits a second, without overflow. */
static int64_t rate_of(int64_t bytes, int64_t flicks, enum AVRounding rounding)
{
    return av_rescale_rnd(bytes, 8 * (int64_t)SCI_FLICKS, flicks, rounding);
}

static bool constant(const sci_frames *frames)
{
    return frames->rate.num > 0 && frames->rate.den > 0;
}

static int64_t last_due(const sci_frames *frames)
{
    return frames->items[frames->count - 1].due;
}

static int64_t period(const sci_frames *frames)
{
    int64_t flicks = constant(frames) ? av_rescale(SCI_FLICKS, frames->rate.den, frames->rate.num)
                                      : frames->duration / (int64_t)frames->count;
    return flicks > 0 ? flicks : 1;
}

/* Late audio can lie beyond the programme's end. */
static int64_t span(const sci_frames *frames)
{
    int64_t end = last_due(frames) + 1;
    return end > frames->duration ? end : frames->duration;
}

int64_t sci_frames_loop(const sci_frames *frames)
{
    const int64_t end = last_due(frames) + period(frames);
    return end > frames->duration ? end : frames->duration;
}

/* ---- even frames: of uncompressed media, where no frame has to be looked at ---- */

/* Frames of one size at one distance; the last one may be smaller. */
struct even {
    int64_t bytes, last_bytes; /* of a frame; 0: they are not even */
    double flicks;             /* from one to the next */
};

static struct even find_even(const sci_frames *frames)
{
    const sci_frame *items = frames->items;
    const size_t last = frames->count - 1;
    if (last < 2 || items[0].due != 0 || items[last].bytes > items[0].bytes)
        return (struct even){0};
    const double flicks = (double)items[last].due / (double)last;
    for (size_t k = 1; k < last; k++)
        if (items[k].bytes != items[0].bytes ||
            fabs((double)items[k].due - (double)k * flicks) > EVEN_TOLERANCE)
            return (struct even){0};
    return (struct even){items[0].bytes, items[last].bytes, flicks};
}

static bool is_even(const struct even *even)
{
    return even->bytes > 0 && even->flicks > EVEN_TOLERANCE;
}

/* Bytes of so many frames, the last ones or any others. */
static int64_t even_bytes(const sci_frames *frames, const struct even *even, int64_t count)
{
    const int64_t all = (int64_t)frames->count;
    return count < all ? count * even->bytes : (all - 1) * even->bytes + even->last_bytes;
}

/* Frames whose distance from the first of them is at most that. */
static int64_t even_count(const sci_frames *frames, const struct even *even, double distance)
{
    const double count = 1 + floor(distance / even->flicks);
    return count < (double)frames->count ? (int64_t)count : (int64_t)frames->count;
}

/* ---- arrival curve ---- */

/* Sums over windows of their distance from the first one: of even frames that is nothing, so that
   large numbers do not cancel. */
struct slide {
    int64_t max, first, windows;
    double distances, squares;
};

/* Closed windows that start at a frame. Only those that lie within the file enter the statistics;
   the maximum takes all, because a cut window is part of a whole one. */
static struct slide slide_closed(const sci_frames *frames, int64_t window)
{
    struct slide slide = {0};
    const sci_frame *items = frames->items;
    int64_t sum = 0, last = last_due(frames);
    for (size_t start = 0, end = 0; start < frames->count; start++) {
        while (end < frames->count && items[end].due - items[start].due <= window + TOLERANCE)
            sum += items[end++].bytes;
        if (sum > slide.max)
            slide.max = sum;
        if (start == 0)
            slide.first = sum;
        if (start == 0 || items[start].due + window <= last + TOLERANCE) {
            double distance = (double)(sum - slide.first);
            slide.distances += distance;
            slide.squares += distance * distance;
            slide.windows++;
        }
        sum -= items[start].bytes;
    }
    return slide;
}

/* The same of even frames: all windows hold the same, but for one that ends with the last frame. */
static struct slide slide_even(const sci_frames *frames, const struct even *even, int64_t window)
{
    const int64_t all = (int64_t)frames->count;
    const int64_t count = even_count(frames, even, (double)(window + TOLERANCE));
    const int64_t bytes = even_bytes(frames, even, count);
    const double rest = (double)(last_due(frames) + TOLERANCE - window);
    struct slide slide = {.max = bytes,
                          .first = bytes,
                          .windows = rest > 0 ? 1 + (int64_t)floor(rest / even->flicks) : 1};
    if (count < all && slide.windows > all - count) {
        slide.distances = (double)(even->last_bytes - even->bytes);
        slide.squares = slide.distances * slide.distances;
    }
    return slide;
}

static void add_window(const sci_frames *frames, const struct even *even, int64_t window,
                       sc_curve *curve)
{
    struct slide slide = is_even(even) ? slide_even(frames, even, window)
                                       : slide_closed(frames, window);
    double mean = slide.distances / (double)slide.windows;
    int32_t i = curve->count++;
    curve->window_s[i] = (double)window / SCI_FLICKS;
    curve->max_bytes[i] = slide.max;
    curve->mean_bytes[i] = (double)slide.first + mean;
    curve->stdev_bytes[i] = sqrt(fmax(0, slide.squares / (double)slide.windows - mean * mean));
}

static bool compute_curve(const sci_frames *frames, const struct even *even, const sci_stop *stop,
                          sc_curve *curve)
{
    int64_t whole = span(frames), frame = period(frames), previous = 0;
    size_t i = 0;
    while (previous < whole - TOLERANCE || curve->count == 0) {
        if (sci_stop_now(stop))
            return false;
        int64_t next = i < SCI_WINDOW_COUNT ? llround(sci_windows_s[i] * SCI_FLICKS) : whole;
        if (frame > previous + TOLERANCE && frame < next)
            next = frame;
        else
            i++;
        if (next > whole)
            next = whole;
        if (next > previous + TOLERANCE || next == whole)
            add_window(frames, even, next, curve);
        previous = next;
    }
    return true;
}

/* ---- busiest windows ---- */

/* At a constant rate the window is the nearest whole number of frames, so that the busiest window
   of an even clip is its mean at 29.97 frames a second as well as at 25. */
static int64_t whole_frames(const sci_frames *frames, int64_t window)
{
    int64_t n = av_rescale(window, frames->rate.num, frames->rate.den * (int64_t)SCI_FLICKS);
    return av_rescale(n > 0 ? n : 1, frames->rate.den * (int64_t)SCI_FLICKS, frames->rate.num);
}

/* Half-open windows that start at a frame. */
static int64_t busiest_bytes(const sci_frames *frames, int64_t window)
{
    const sci_frame *items = frames->items;
    int64_t sum = 0, max = 0;
    for (size_t start = 0, end = 0; start < frames->count; start++) {
        while (end < frames->count && items[end].due - items[start].due < window - TOLERANCE)
            sum += items[end++].bytes;
        if (sum > max)
            max = sum;
        sum -= items[start].bytes;
    }
    return max;
}

/* Never below the mean: late sound or a gap at the window's edge can hide bytes from every window, but
   they have to flow. */
static int64_t busiest_bits_per_s(const sci_frames *frames, const struct even *even,
                                  int64_t seconds, int64_t mean)
{
    int64_t window = seconds * SCI_FLICKS;
    if (window >= frames->duration)
        return mean;
    if (constant(frames))
        window = whole_frames(frames, window);
    const int64_t bytes = is_even(even) ? even_bytes(frames, even,
                                                     even_count(frames, even,
                                                                (double)(window - TOLERANCE - 1)))
                                        : busiest_bytes(frames, window);
    const int64_t busiest = rate_of(bytes, window, AV_ROUND_NEAR_INF);
    return busiest > mean ? busiest : mean;
}

/* ---- required rate ---- */

struct interval {
    int64_t bytes, flicks;
};

/* The run of frames whose bytes exceed most what the rate delivers between the first and the last
   of them: the fullest moment of a queue that is drained at that rate. */
static struct interval fullest_queue(const sci_frames *frames, int64_t bits_per_s)
{
    const double bytes_per_flick = (double)bits_per_s / 8 / SCI_FLICKS;
    struct interval fullest = {0};
    double queue = 0, most = -1;
    int64_t bytes = 0, since = 0, previous = 0;
    for (size_t k = 0; k < frames->count; k++) {
        const sci_frame *frame = &frames->items[k];
        queue -= bytes_per_flick * (double)(frame->due - previous);
        previous = frame->due;
        if (queue <= 0) {
            queue = 0;
            bytes = 0;
            since = frame->due;
        }
        queue += (double)frame->bytes;
        bytes += frame->bytes;
        if (queue > most) {
            most = queue;
            fullest = (struct interval){bytes, frame->due - since};
        }
    }
    return fullest;
}

/* A bucket of r B bytes that starts full, refilled at r, is never overdrawn when and only when r is
   at least bytes / (time + B) of every run of frames. Raising r to the ratio of the run that is
   worst at r (Dinkelbach's method) reaches the largest ratio in a few passes. Negative when it was
   stopped. */
static int64_t required_bits_per_s(const sci_frames *frames, double prefill_s, const sci_stop *stop)
{
    const int64_t prefill = llrint(prefill_s * SCI_FLICKS);
    int64_t rate = 0;
    for (;;) {
        if (sci_stop_now(stop))
            return -1;
        struct interval run = fullest_queue(frames, rate);
        int64_t ratio = rate_of(run.bytes, run.flicks + prefill, AV_ROUND_UP);
        if (ratio <= rate)
            return rate;
        rate = ratio;
    }
}

/* Of even frames the ratio of a run grows with its length, or shrinks: one of the ends is the largest. */
static int64_t required_of_even(const sci_frames *frames, const struct even *even, double prefill_s)
{
    const int64_t all = (int64_t)frames->count, counts[] = {1, all - 1, all};
    int64_t largest = 0;
    for (size_t i = 0; i < SCI_COUNT(counts); i++) {
        const int64_t flicks = frames->items[counts[i] - 1].due + llrint(prefill_s * SCI_FLICKS);
        const int64_t ratio = rate_of(even_bytes(frames, even, counts[i]), flicks, AV_ROUND_UP);
        largest = ratio > largest ? ratio : largest;
    }
    return largest;
}

/* A prefill that holds much of a short clip would hide what the clip takes when it is looped. */
static bool compute_required(const sci_frames *frames, const struct even *even,
                             const sci_stop *stop, sci_arrival *arrival)
{
    const int64_t busiest = arrival->busiest_60s_bits_per_s;
    for (int i = 0; i < SC_REQUIRED_COUNT; i++) {
        int64_t bits_per_s = is_even(even) ? required_of_even(frames, even, prefills_s[i])
                                           : required_bits_per_s(frames, prefills_s[i], stop);
        if (bits_per_s < 0)
            return false;
        arrival->required[i] = (sc_required){prefills_s[i],
                                             bits_per_s > busiest ? bits_per_s : busiest};
    }
    return true;
}

/* ---- trace ---- */

/* Length of a step in flicks. At a constant rate it is a whole number of frames: other steps would
   beat against the frames. */
static double trace_step(const sci_frames *frames)
{
    const int64_t whole = span(frames);
    const int64_t frames_a_step = (whole / period(frames) + SCI_TRACE_MAX - 1) / SCI_TRACE_MAX;
    if (constant(frames))
        return (double)(frames_a_step > 0 ? frames_a_step : 1) * SCI_FLICKS *
               (double)frames->rate.den / (double)frames->rate.num;
    return (double)whole / (frames->count < SCI_TRACE_MAX ? (double)frames->count : SCI_TRACE_MAX);
}

static sc_status compute_trace(const sci_frames *frames, sci_arena *arena, sc_trace *trace)
{
    const double step = trace_step(frames);
    const double wanted = ceil((double)(span(frames) - TOLERANCE) / step);
    const size_t steps = (size_t)fmin(fmax(wanted, 1), SCI_TRACE_MAX);
    int64_t *bytes = sci_arena_alloc(arena, steps, sizeof *bytes);
    if (!bytes)
        return SC_NO_MEMORY;
    for (size_t k = 0; k < frames->count; k++) {
        size_t i = (size_t)((double)(frames->items[k].due + TOLERANCE) / step);
        bytes[i < steps ? i : steps - 1] += frames->items[k].bytes;
    }
    *trace = (sc_trace){step / SCI_FLICKS, steps, bytes, SC_SOURCE_NONE};
    return SC_OK;
}

sc_status sci_arrival_compute(const sci_frames *frames, sci_arena *arena, const sci_stop *stop,
                              sci_arrival *arrival)
{
    int64_t total = 0;
    *arrival = (sci_arrival){0};
    for (size_t k = 0; k < frames->count; k++) {
        total += frames->items[k].bytes;
        if (frames->items[k].bytes > arrival->largest_frame_bytes)
            arrival->largest_frame_bytes = frames->items[k].bytes;
    }
    const struct even even = find_even(frames);
    const int64_t mean = rate_of(total, frames->duration, AV_ROUND_NEAR_INF);
    arrival->mean_bits_per_s = mean;
    arrival->busiest_60s_bits_per_s = busiest_bits_per_s(frames, &even, 60, mean);
    arrival->peak_1s_bits_per_s = busiest_bits_per_s(frames, &even, 1, mean);
    if (!compute_required(frames, &even, stop, arrival) ||
        !compute_curve(frames, &even, stop, &arrival->curve))
        return SC_CANCELLED;
    return compute_trace(frames, arena, &arrival->trace);
}
