#include "probe/media.h"

#include <stdlib.h>

/* What is due after the programme: frames of its own, on the grid that goes on behind it. */
struct late {
    sci_frame *items; /* malloc'ed */
    size_t count, capacity;
    int64_t start, period; /* flicks: the programme's end, and the grid */
};

static int by_due(const void *a, const void *b)
{
    const sci_frame *x = a, *y = b;
    return x->due < y->due ? -1 : x->due > y->due;
}

/* Append, or add to the last frame when due at the same time. */
static void append(sci_frame *items, size_t *count, sci_frame frame)
{
    if (*count && items[*count - 1].due >= frame.due)
        items[*count - 1].bytes += frame.bytes;
    else
        items[(*count)++] = frame;
}

static void add_main(const sci_media *media, sci_frames *frames)
{
    const sci_media_track *track = &media->tracks[media->main_track];
    const sci_packet *packets = media->packets.items;
    for (size_t k = track->first; k < track->first + track->count; k++)
        append(frames->items, &frames->count,
               (sci_frame){packets[k].time - packets[track->first].time, packets[k].bytes});
}

static bool add_late(struct late *late, int64_t due, int64_t bytes)
{
    int64_t steps = (due - late->start) / late->period;
    if (!sci_grow(&late->items, late->count, &late->capacity, sizeof *late->items))
        return false;
    late->items[late->count++] = (sci_frame){late->start + steps * late->period, bytes};
    return true;
}

/* Each packet goes to the frame during which it is due; what is due before the first frame goes to
   the first one. */
static bool add_track(const sci_media *media, const sci_media_track *track, sci_frames *frames,
                      struct late *late)
{
    const int64_t zero = media->packets.items[media->tracks[media->main_track].first].time;
    size_t frame = 0;
    for (size_t k = track->first; k < track->first + track->count; k++) {
        const sci_packet *packet = &media->packets.items[k];
        int64_t due = packet->time - zero;
        if (due >= late->start) {
            if (!add_late(late, due, packet->bytes))
                return false;
            continue;
        }
        while (frame + 1 < frames->count && frames->items[frame + 1].due <= due)
            frame++;
        frames->items[frame].bytes += packet->bytes;
    }
    return true;
}

/* False when it was stopped, and without memory. */
static bool append_late(sci_frames *frames, struct late *late, const sci_stop *stop)
{
    size_t count = 0;
    if (!late->count)
        return true;
    if (!sci_sort(late->items, late->count, sizeof *late->items, by_due, stop))
        return false;
    for (size_t k = 0; k < late->count; k++)
        append(late->items, &count, late->items[k]);
    late->count = count;
    sci_frame *items = realloc(frames->items, (frames->count + late->count) * sizeof *items);
    if (!items)
        return false;
    frames->items = items;
    for (size_t k = 0; k < late->count; k++)
        append(frames->items, &frames->count, late->items[k]);
    return true;
}

static bool add_others(sci_media *media, sci_frames *frames, struct late *late)
{
    const sci_stop stop = sci_file_stopper(&media->file);
    for (size_t i = 0; i < media->track_count && !sci_stop_now(&stop); i++)
        if ((int)i != media->main_track && media->tracks[i].played &&
            !add_track(media, &media->tracks[i], frames, late))
            return false;
    sci_packets_free(&media->packets);
    return append_late(frames, late, &stop);
}

sc_status sci_frames_build(sci_media *media, sci_frames *frames, sc_error *error)
{
    const sci_media_track *track = &media->tracks[media->main_track];
    struct late late = {0};
    *frames = (sci_frames){.items = sci_big_alloc(track->count, sizeof *frames->items),
                           .duration = track->duration};
    if (!frames->items)
        return sci_fail(error, SC_NO_MEMORY, 0, "probe.frames", media->file.path, "out of memory");
    if (track->constant_rate)
        frames->rate = track->rate;
    add_main(media, frames);
    int64_t last = frames->items[frames->count - 1].due;
    if (frames->duration <= last)
        frames->duration = last + 1;
    late.start = frames->duration;
    late.period = frames->duration / (int64_t)track->count;
    if (late.period < 1)
        late.period = 1;
    bool added = add_others(media, frames, &late);
    free(late.items);
    if (sci_file_give_up(&media->file))
        return sci_file_gave_up(&media->file, "probe.frames", error);
    return added ? SC_OK
                 : sci_fail(error, SC_NO_MEMORY, 0, "probe.frames", media->file.path,
                            "out of memory");
}
