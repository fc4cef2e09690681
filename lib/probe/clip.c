#include "probe/groups.h"
#include "probe/media.h"

#include <stdlib.h>

static void fill_arrival(sc_clip *clip, const sci_arrival *arrival)
{
    clip->demand_bits_per_s = arrival->mean_bits_per_s;
    clip->busiest_60s_bits_per_s = arrival->busiest_60s_bits_per_s;
    clip->peak_1s_bits_per_s = arrival->peak_1s_bits_per_s;
    clip->largest_frame_bytes = arrival->largest_frame_bytes;
    for (int i = 0; i < SC_REQUIRED_COUNT; i++)
        clip->required[i] = arrival->required[i];
    clip->curve = arrival->curve;
    clip->trace = arrival->trace;
    clip->curve.source = clip->trace.source = clip->source;
}

static void note_growth(sci_media *media)
{
    int64_t growth = sci_file_growth(&media->file);
    if (growth < 0) {
        media->flags |= SC_CLIP_TRUNCATED;
        sci_finding_add(&media->findings, "shrunk", SC_SEVERITY_WARNING,
                        "the file became shorter while it was looked at; figures are of what was "
                        "there at first");
    }
    if (growth <= 0)
        return;
    media->flags |= SC_CLIP_GROWING;
    sci_finding_add(&media->findings, "growing", SC_SEVERITY_WARNING,
                    "the file grew while it was looked at: a recording or copy in progress; "
                    "figures are of what was there at first");
}

static sc_status analyse(sci_media *media, sc_clip *clip, sci_frames *frames, sc_error *error)
{
    sc_status status = sci_collect_packets(media, error);
    if (status == SC_OK)
        status = sci_tracks_group(media, error);
    if (status == SC_OK)
        status = sci_timeline_build(media, error);
    if (status == SC_OK)
        status = sci_tracks_describe(media, clip, error);
    if (status == SC_OK) {
        sci_groups_describe(media, clip);
        status = sci_packets_store(media, error);
    }
    if (status == SC_OK)
        status = sci_frames_build(media, frames, error);
    if (status != SC_OK)
        return status;
    note_growth(media);
    clip->source = media->source;
    clip->container = media->format->iformat->name;
    clip->duration_s = (double)media->tracks[media->main_track].duration / SCI_FLICKS;
    return SC_OK;
}

sc_status sci_clip_read(sc_clip *clip, const char *path, sci_media_limits limits,
                        sci_control *control, sci_arena *arena, sci_reading *reading)
{
    sci_media media;
    *clip = (sc_clip){.path = path, .container = "", .duration_s = -1, .size_bytes = SC_UNKNOWN};
    *reading = (sci_reading){.file = {.fd = -1}, .keep_frames = limits.frames};
    sc_status status = sci_media_open(&media, path, limits, control, arena, &clip->error);
    if (status == SC_OK)
        status = analyse(&media, clip, &reading->frames, &clip->error);
    if (status == SC_OK && media.findings.no_memory)
        status = sci_fail(&clip->error, SC_NO_MEMORY, 0, "probe.clip", path, "out of memory");
    clip->size_bytes = media.file.size_bytes;
    clip->flags = media.flags;
    clip->bytes_read = media.file.bytes_read;
    clip->reads = media.file.reads;
    clip->findings = media.findings.items;
    clip->finding_count = media.findings.count;
    sci_media_close(&media);
    reading->file = media.file;
    return status;
}

static bool keep_frames(const sci_frames *frames, sci_arena *arena, sc_frames *kept)
{
    double *due_s = sci_arena_alloc(arena, frames->count, sizeof *due_s);
    int64_t *bytes = sci_arena_alloc(arena, frames->count, sizeof *bytes);
    if (!due_s || !bytes)
        return false;
    for (size_t k = 0; k < frames->count; k++) {
        due_s[k] = (double)frames->items[k].due / SCI_FLICKS;
        bytes[k] = frames->items[k].bytes;
    }
    *kept = (sc_frames){.count = frames->count,
                        .due_s = due_s,
                        .bytes = bytes,
                        .duration_s = (double)sci_frames_loop(frames) / SCI_FLICKS};
    return true;
}

sc_status sci_clip_measure(sc_clip *clip, sci_reading *reading, sci_arena *arena)
{
    const sci_stop stop = sci_file_stopper(&reading->file);
    sci_arrival arrival;
    sc_status status = sci_arrival_compute(&reading->frames, arena, &stop, &arrival);
    if (status == SC_CANCELLED)
        return sci_file_gave_up(&reading->file, "probe.clip", &clip->error);
    if (status != SC_OK)
        return sci_fail(&clip->error, status, 0, "probe.clip", clip->path, "out of memory");
    if (arrival.mean_bits_per_s == 0)
        return sci_fail(&clip->error, SC_INVALID_DATA, 0, "probe.clip", clip->path,
                        "its video and audio packets hold no bytes");
    fill_arrival(clip, &arrival);
    if (reading->keep_frames && !keep_frames(&reading->frames, arena, &clip->frames))
        return sci_fail(&clip->error, SC_NO_MEMORY, 0, "probe.clip", clip->path, "out of memory");
    if (reading->numbers) {
        clip->frames.pattern = clip->path;
        clip->frames.numbers = reading->numbers;
    }
    return SC_OK;
}

void sci_reading_free(sci_reading *reading)
{
    free(reading->frames.items);
    reading->frames = (sci_frames){0};
}
