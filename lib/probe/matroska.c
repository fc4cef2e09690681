/* Matroska and WebM (RFC 9559): the headers of all blocks, without their contents. */
#include "probe/matroska.h"

#include <stdlib.h>

enum {
    TIMESTAMP = 0xE7,
    SIMPLE_BLOCK = 0xA3,
    BLOCK_GROUP = 0xA0,
    BLOCK = 0xA1,
    BLOCK_DURATION = 0x9B,
    REFERENCE_BLOCK = 0xFB,
    BLOCK_HEADER_BYTES = 8 + 2 + 1, /* track number, time, flags; then lacing */
    WINDOW_BYTES_MIN = 64,
    WINDOW_SHARE = 128, /* of the distance between headers */
    CLOSE_HEADERS_BYTES = 2048,
    LARGE_BYTES = SCI_MKV_WINDOW_BYTES, /* of an element that is not read on the way */
    RUN_SHARE = 64,                     /* of the distance between large ones, that may be read */
    RUN_FADES = 8,
    GLANCE_READS = 16 /* before it is judged how long the whole walk takes */
};

/* A walk that takes longer gives way to the index of clusters, if there is one. One slow read must
   not decide. */
static const double PATIENCE_S = 1, GLANCE_S = 0.25;

struct walk {
    sci_mkv *mkv;
    sci_media *media;
    int64_t cluster_ticks, elements, start_ns;
    int64_t large, run, run_start;      /* elements; bytes between two of them, lately; its start */
    int64_t reads_before, bytes_before; /* of the file, when the walk began */
    int64_t found_end;                  /* of the last element that is all there */
    size_t damaged_clusters;            /* known to end: the walk went on behind them */
    bool damaged;                       /* what follows is no Matroska */
    bool by_cues;                       /* the index of clusters took over */
    sc_status status;
};

static bool matches(const sci_media *media)
{
    return sci_demuxer_is(media->format->iformat, "matroska");
}

/* ---- blocks ---- */

/* Bytes of the header of a lace and the frames in it; false when they cannot be. */
static bool read_lacing(sci_window *window, const sci_element *block, int64_t at, int lacing,
                        int64_t *header, int *frames)
{
    enum { NONE, XIPH, FIXED, EBML };
    *header = 0;
    *frames = 1;
    if (lacing == NONE)
        return true;
    int64_t room = block->end - at;
    size_t there = room < SCI_MKV_WINDOW_BYTES ? (size_t)(room > 0 ? room : 0)
                                               : SCI_MKV_WINDOW_BYTES;
    const uint8_t *bytes = there ? sci_window_at(window, at, there) : NULL;
    if (!bytes)
        return false;
    size_t used = 1;
    *frames = bytes[0] + 1;
    for (int sizes = lacing == FIXED ? 0 : *frames - 1; sizes > 0; sizes--) {
        uint64_t size;
        bool all_ones;
        if (lacing == EBML) {
            int length = sci_ebml_number(bytes + used, there - used, &size, &all_ones);
            used = length ? used + (size_t)length : there + 1;
        } else {
            while (used < there && bytes[used] == 255)
                used++;
            used++;
        }
        if (used > there)
            return false;
    }
    *header = (int64_t)used;
    return true;
}

static void count_block(sci_mkv_track *track, int frames, int64_t bytes, int64_t ticks)
{
    if (track->blocks == 0 || ticks < track->first_ticks)
        track->first_ticks = ticks;
    if (track->blocks == 0 || ticks > track->last_ticks)
        track->last_ticks = ticks;
    track->blocks++;
    track->frames += frames;
    track->bytes += bytes;
    track->laced = track->laced || frames > 1;
}

static void add_block(struct walk *walk, const sci_element *block, bool key, int64_t duration)
{
    sci_window *window = &walk->mkv->window;
    int64_t room = block->end - block->contents, lace;
    size_t there = room < BLOCK_HEADER_BYTES ? (size_t)room : BLOCK_HEADER_BYTES;
    const uint8_t *bytes = room > 0 ? sci_window_at(window, block->contents, there) : NULL;
    uint64_t number;
    bool all_ones;
    int frames, length = bytes ? sci_ebml_number(bytes, there, &number, &all_ones) : 0;
    if (!length || (size_t)length + 3 > there)
        return;
    int16_t time = (int16_t)(bytes[length] << 8 | bytes[length + 1]);
    int flags = bytes[length + 2];
    sci_mkv_track *track = sci_mkv_find_track(walk->mkv, number);
    int64_t at = block->contents + length + 3;
    if (!track || track->stream < 0 ||
        !read_lacing(window, block, at, flags >> 1 & 3, &lace, &frames))
        return;
    int64_t bytes_stored = block->end - at - lace;
    if (bytes_stored < 0 || bytes_stored > INT32_MAX)
        return;
    count_block(track, frames, bytes_stored, walk->cluster_ticks + time);
    walk->status = sci_packets_add(
        &walk->media->packets,
        (sci_packet){.pos = at + lace,
                     .time = walk->cluster_ticks + time,
                     .bytes = (int32_t)bytes_stored,
                     .duration = (int32_t)(duration < INT32_MAX ? duration : 0),
                     .track = track->stream,
                     .key = block->id == SIMPLE_BLOCK ? flags & 0x80 : key});
}

static void add_group(struct walk *walk, const sci_element *group)
{
    enum { CHILDREN_MAX = 256 };
    sci_element child, block = {0};
    uint64_t duration = 0;
    bool key = true;
    int64_t at = group->contents;
    for (int i = 0; i < CHILDREN_MAX && sci_ebml_at(&walk->mkv->window, at, group->end, &child);
         i++) {
        if (child.id == BLOCK)
            block = child;
        else if (child.id == BLOCK_DURATION)
            sci_ebml_unsigned(&walk->mkv->window, &child, &duration);
        else if (child.id == REFERENCE_BLOCK)
            key = false;
        at = child.end;
    }
    if (block.id && !block.cut)
        add_block(walk, &block, key, duration < INT32_MAX ? (int64_t)duration : 0);
}

/* ---- clusters ---- */

/* Between large elements, which are pictures, lie runs of small ones, such as sound. */
static void learn_run(struct walk *walk, const sci_element *element)
{
    if (element->end - element->start < LARGE_BYTES)
        return;
    if (walk->large++) {
        const int64_t run = element->start - walk->run_start;
        const int64_t before = walk->run - walk->run / RUN_FADES;
        walk->run = run > before ? run : before;
    }
    walk->run_start = element->end;
}

/* As much at once as pays: a run and the header behind it share a read, or headers that lie close
   together, else little more than the header is read. */
static void adapt_window(struct walk *walk, const sci_element *element)
{
    const int64_t walked = element->end - walk->mkv->first_cluster;
    const int64_t apart = walked / ++walk->elements;
    int64_t ahead = apart < CLOSE_HEADERS_BYTES ? SCI_WINDOW_BYTES : apart / WINDOW_SHARE;
    if (ahead < WINDOW_BYTES_MIN)
        ahead = WINDOW_BYTES_MIN;
    if (ahead > SCI_WINDOW_BYTES)
        ahead = SCI_WINDOW_BYTES;
    learn_run(walk, element);
    const int64_t reach = walk->run + WINDOW_BYTES_MIN;
    if (walk->large > 1 && reach > ahead && reach <= SCI_MKV_WINDOW_BYTES &&
        reach <= walked / walk->large / RUN_SHARE)
        ahead = reach;
    walk->mkv->window.ahead = (size_t)ahead;
}

/* By what the part up to `at` took: longer than one waits, or more than may be read. */
static bool is_too_long(const struct walk *walk, int64_t at)
{
    const sci_file *file = &walk->media->file;
    const double whole = (double)(walk->mkv->segment.end - walk->mkv->first_cluster);
    const double part = (double)(at - walk->mkv->first_cluster) / whole;
    const int64_t bytes = file->bytes_read - walk->bytes_before;
    if (file->reads - walk->reads_before < GLANCE_READS)
        return false;
    if (file->max_bytes >= 0 &&
        (double)bytes > part * (double)(file->max_bytes - walk->bytes_before))
        return true;
    const double seconds = sci_seconds_since(walk->start_ns);
    return seconds > PATIENCE_S || (seconds > GLANCE_S && seconds > part * PATIENCE_S);
}

/* True when the index of clusters took over. */
static bool take_cues(struct walk *walk, int64_t at)
{
    if (!walk->mkv->cues || walk->media->exact || !is_too_long(walk, at))
        return false;
    walk->by_cues = sci_mkv_read_cues(walk->mkv, walk->media);
    walk->mkv->cues = 0;
    return walk->by_cues;
}

static bool stopped(const struct walk *walk)
{
    const sci_file *file = &walk->media->file;
    return walk->by_cues || walk->status != SC_OK || file->limited || file->cancelled ||
           file->os_errno;
}

/* Inside a cluster that is all there, something is no element of it: what follows is found again
   behind the cluster. */
static int64_t leave_damaged(struct walk *walk, const sci_element *cluster)
{
    if (stopped(walk) || cluster->cut || cluster->size_unknown)
        return -1;
    walk->damaged_clusters++;
    return cluster->end;
}

/* Whether a header would have had room where none was found: else the file was cut off in it. */
static bool has_room(int64_t at, int64_t end)
{
    return end - at >= SCI_ELEMENT_HEADER_BYTES;
}

/* Where the cluster ends; negative when the walk is over. */
static int64_t walk_cluster(struct walk *walk, const sci_element *cluster)
{
    sci_element child;
    uint64_t ticks;
    int64_t at = cluster->contents;
    while (sci_ebml_at(&walk->mkv->window, at, cluster->end, &child)) {
        if (cluster->size_unknown && sci_mkv_is_top_level(child.id))
            return at;
        if (child.cut || child.size_unknown)
            return leave_damaged(walk, cluster);
        if (child.id == TIMESTAMP && sci_ebml_unsigned(&walk->mkv->window, &child, &ticks))
            walk->cluster_ticks = ticks < INT64_MAX / 2 ? (int64_t)ticks : 0;
        else if (child.id == SIMPLE_BLOCK)
            add_block(walk, &child, false, 0);
        else if (child.id == BLOCK_GROUP)
            add_group(walk, &child);
        walk->found_end = at = child.end;
        adapt_window(walk, &child);
        if (take_cues(walk, at) || walk->status != SC_OK || sci_file_give_up(&walk->media->file))
            return -1;
    }
    if (at == cluster->end)
        return at;
    walk->damaged = !stopped(walk) && (cluster->cut || cluster->size_unknown) &&
                    has_room(at, cluster->end);
    return leave_damaged(walk, cluster);
}

static void walk_segment(struct walk *walk)
{
    const sci_element *segment = &walk->mkv->segment;
    sci_element element;
    int64_t at = walk->mkv->first_cluster;
    while (at >= 0 && sci_ebml_at(&walk->mkv->window, at, segment->end, &element)) {
        if (element.id == SCI_MKV_SEGMENT || element.id == SCI_MKV_EBML)
            return;
        walk->damaged = !sci_mkv_is_top_level(element.id) && element.id != 0xEC &&
                        element.id != 0xBF; /* Void, CRC-32 */
        if (walk->damaged || (element.cut && element.id != SCI_MKV_CLUSTER))
            return;
        if (element.id == SCI_MKV_CUES)
            walk->mkv->cues = element.start;
        at = element.id == SCI_MKV_CLUSTER ? walk_cluster(walk, &element) : element.end;
        if (at == element.end && !element.cut)
            walk->found_end = at;
    }
    if (at >= 0)
        walk->damaged = !stopped(walk) && at < segment->end &&
                        (!segment->cut || has_room(at, segment->end));
}

/* ---- from blocks to packets in time ---- */

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Where a file was cut off, pictures are missing that would be shown before the last ones: those are
   due no later for that. step: ticks a frame, 0 when not known. */
static void close_last_gap(int64_t *times, size_t count, double step)
{
    enum { REORDERED_MAX = 16 };
    if (count < 2 || (step <= 0 && count < 2 * REORDERED_MAX))
        return;
    const size_t from = count > REORDERED_MAX ? count - REORDERED_MAX : 1;
    if (step <= 0)
        step = (double)(times[from - 1] - times[0]) / (double)(from - 1);
    for (size_t k = from; k < count; k++) {
        int64_t most = times[k - 1] + (int64_t)(1.5 * step) + 1;
        if (times[k] > most)
            times[k] = times[k - 1] + (int64_t)(step + 0.5);
    }
}

/* Blocks carry the times at which pictures are shown. They are decoded in the order in which they
   are stored: the k-th one is due when the k-th picture is shown, but for a constant lead. */
static bool set_decoding_times(sci_media *media, int stream, bool cut, double step)
{
    const sci_stop stop = sci_file_stopper(&media->file);
    sci_packets *packets = &media->packets;
    int64_t *times = sci_big_alloc(packets->count, sizeof *times);
    size_t count = 0, next = 0;
    bool ascending = true;
    for (size_t i = 0; times && i < packets->count; i++)
        if (packets->items[i].track == stream) {
            ascending = ascending && (count == 0 || packets->items[i].time >= times[count - 1]);
            times[count++] = packets->items[i].time;
        }
    bool sorted = times && (ascending || sci_sort(times, count, sizeof *times, by_value, &stop));
    if (sorted && !ascending && cut)
        close_last_gap(times, count, step);
    for (size_t i = 0; sorted && !ascending && i < packets->count; i++)
        if (packets->items[i].track == stream)
            packets->items[i].time = times[next++];
    free(times);
    return sorted;
}

static bool set_all_decoding_times(struct walk *walk)
{
    const sci_media *media = walk->media;
    const bool cut = media->flags & (SC_CLIP_TRUNCATED | SC_CLIP_LIMITED | SC_CLIP_SAMPLED);
    for (int i = 0; i < walk->mkv->track_count; i++) {
        const sci_mkv_track *track = &walk->mkv->tracks[i];
        double step = (double)track->frame_ns / (double)walk->mkv->tick_ns;
        if (track->stream >= 0 && media->tracks[track->stream].kind == SC_TRACK_VIDEO &&
            !set_decoding_times(walk->media, track->stream, cut, step))
            return false;
    }
    return true;
}

/* A lace is stored as one, and counts as many packets as a reader makes of it. */
static void tell_laced(const sci_mkv *mkv, sci_media *media)
{
    for (int i = 0; i < mkv->track_count; i++) {
        const sci_mkv_track *track = &mkv->tracks[i];
        if (track->stream < 0 || !track->laced || media->flags & SC_CLIP_SAMPLED)
            continue;
        sci_media_track *told = &media->tracks[track->stream];
        told->told.set = true;
        told->told.packets = track->frames;
        told->told.bytes = track->bytes;
        told->told.source = SC_SOURCE_HEADER_WALK;
    }
}

static void note_encoded(const sci_mkv *mkv, sci_media *media)
{
    size_t encoded = 0;
    for (int i = 0; i < mkv->track_count; i++) {
        if (mkv->tracks[i].stream < 0)
            continue;
        sci_media_track *track = &media->tracks[mkv->tracks[i].stream];
        track->encoded = mkv->tracks[i].encoded;
        encoded += track->encoded && track->played;
    }
    if (encoded)
        sci_finding_add(&media->findings, "encoded-blocks", SC_SEVERITY_NOTE,
                        "the container compresses %zu %s; bytes are those in the file, which "
                        "are fewer than a decoder gets",
                        encoded, encoded == 1 ? "track" : "tracks");
}

static sc_status note_end(struct walk *walk)
{
    sci_media *media = walk->media;
    if (walk->damaged_clusters)
        sci_finding_add(&media->findings, "damaged-clusters", SC_SEVERITY_WARNING,
                        "%zu %s of the file damaged inside: the frames behind the damage, up to "
                        "the next part, are not in the figures",
                        walk->damaged_clusters,
                        walk->damaged_clusters == 1 ? "part is" : "parts are");
    if (media->file.limited)
        return sci_media_note_limit(media);
    if (media->file.os_errno) {
        sci_media_note_unreadable(media, AVERROR(media->file.os_errno));
        return SC_OK;
    }
    if (!walk->mkv->segment.cut && walk->found_end >= walk->mkv->segment.end)
        return SC_OK;
    media->flags |= SC_CLIP_TRUNCATED;
    sci_finding_add(&media->findings, "truncated", SC_SEVERITY_WARNING,
                    "the file ends before its segment does: an unfinished copy or recording; "
                    "figures are of the part that is there");
    return SC_OK;
}

static bool lacks_facts(const sci_media *media)
{
    for (size_t i = 0; i < media->track_count; i++) {
        const AVCodecParameters *codec = media->format->streams[i]->codecpar;
        if (media->tracks[i].kind == SC_TRACK_VIDEO &&
            (codec->width <= 0 || codec->codec_id == AV_CODEC_ID_NONE))
            return true;
    }
    return false;
}

static sc_status finish_walk(struct walk *walk)
{
    sci_media *media = walk->media;
    if (walk->status != SC_OK)
        return walk->status;
    if (media->file.cancelled)
        return SC_CANCELLED;
    if (walk->damaged)
        media->packets.count = 0;
    if (media->packets.count == 0)
        return SC_OK;
    sc_status status = note_end(walk);
    if (status == SC_OK && !set_all_decoding_times(walk))
        status = SC_NO_MEMORY;
    tell_laced(walk->mkv, media);
    return status;
}

static sc_status finish(struct walk *walk, sc_error *error)
{
    sci_media *media = walk->media;
    sc_status status = walk->by_cues ? SC_OK : finish_walk(walk);
    if (status == SC_CANCELLED || (status == SC_NO_MEMORY && sci_file_give_up(&media->file)))
        return sci_file_gave_up(&media->file, "probe.matroska", error);
    if (status != SC_OK)
        return sci_fail(error, status, 0, "probe.matroska", media->file.path,
                        status == SC_LIMIT ? "more packets than are kept" : "out of memory");
    if (media->packets.count == 0)
        return SC_OK;
    note_encoded(walk->mkv, media);
    return lacks_facts(media) ? sci_media_inform(media, error) : SC_OK;
}

/* What the demuxer made of DefaultDuration is that of the rounded one. */
static void tell_rates(const sci_mkv *mkv, const sci_media *media)
{
    for (int i = 0; i < mkv->track_count; i++) {
        const sc_rational rate = sci_rate_of_period(mkv->tracks[i].frame_ns);
        if (mkv->tracks[i].stream < 0 || !rate.num)
            continue;
        AVStream *stream = media->format->streams[mkv->tracks[i].stream];
        if (stream->codecpar->codec_type == AVMEDIA_TYPE_VIDEO)
            stream->r_frame_rate = stream->avg_frame_rate = (AVRational){rate.num, rate.den};
    }
}

static sc_status collect(sci_media *media, sc_error *error)
{
    sci_mkv *mkv = malloc(sizeof *mkv);
    if (!mkv)
        return sci_fail(error, SC_NO_MEMORY, 0, "probe.matroska", media->file.path,
                        "out of memory");
    sc_status status = SC_OK;
    sci_file_expect_jumps(&media->file);
    if (sci_mkv_open(mkv, media)) {
        tell_rates(mkv, media);
        struct walk walk = {.mkv = mkv,
                            .media = media,
                            .start_ns = sci_now_ns(),
                            .reads_before = media->file.reads,
                            .bytes_before = media->file.bytes_read,
                            .found_end = mkv->first_cluster};
        walk_segment(&walk);
        status = finish(&walk, error);
    }
    free(mkv);
    return status;
}

static bool check(sci_media *media)
{
    return media->packets.count > 0;
}

const sci_strategy sci_strategy_matroska = {.source = SC_SOURCE_HEADER_WALK,
                                            .times_are_the_containers = true,
                                            .positions_are_readable = true,
                                            .finds_only_what_is_there = true,
                                            .matches = matches,
                                            .collect = collect,
                                            .check = check};
