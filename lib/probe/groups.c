#include "probe/groups.h"

struct group {
    int64_t bytes, packets, flicks;
};

static double rate_of(struct group group)
{
    return group.flicks > 0 ? (double)group.bytes / (double)group.flicks : 0;
}

static void count_group(sci_groups *groups, struct group *worst, struct group group)
{
    if (!worst->packets || rate_of(group) > rate_of(*worst))
        *worst = group;
    if (group.bytes > groups->largest_bytes)
        groups->largest_bytes = group.bytes;
    if (group.packets > groups->longest_packets)
        groups->longest_packets = group.packets;
}

sci_groups sci_groups_of(const sci_packet *packets, size_t count, int64_t end, bool cut_off)
{
    sci_groups groups = {SC_UNKNOWN, SC_UNKNOWN, SC_UNKNOWN};
    struct group group = {0}, before = {0}, worst = {0};
    size_t start = 0;
    while (start < count && !packets[start].key)
        start++;
    for (size_t k = start; k < count; k++) {
        if (k > start && packets[k].key) {
            group.flicks = packets[k].time - packets[start].time;
            count_group(&groups, &worst, group);
            before = group;
            group = (struct group){0};
            start = k;
        }
        group.bytes += packets[k].bytes;
        group.packets++;
    }
    if (start == count)
        return groups;
    group.flicks = end - packets[start].time;
    if (!before.packets || (!cut_off && group.packets >= before.packets))
        count_group(&groups, &worst, group);
    groups.worst_bits_per_s = worst.flicks > 0
                                  ? av_rescale(worst.bytes, 8 * (int64_t)SCI_FLICKS, worst.flicks)
                                  : 0;
    return groups;
}

/* Units may hold several frames: a cluster does. */
static bool packets_are_frames(const sci_media_track *track)
{
    return !track->told.set || track->told.packets == (int64_t)track->count;
}

void sci_groups_describe(const sci_media *media, sc_clip *clip)
{
    const sci_media_track *track = &media->tracks[media->main_track];
    const sci_packet *packets = media->packets.items + track->first;
    /* An index tells of the whole clip, also where the file ends before it does. */
    const bool cut_off = media->flags & (SC_CLIP_LIMITED | SC_CLIP_SAMPLED) ||
                         (media->flags & SC_CLIP_TRUNCATED &&
                          media->strategy->finds_only_what_is_there);
    sci_groups groups = {SC_UNKNOWN, SC_UNKNOWN, SC_UNKNOWN};
    if (track->kind == SC_TRACK_VIDEO)
        groups = sci_groups_of(packets, track->count, packets[0].time + track->duration, cut_off);
    clip->worst_gop_bits_per_s = groups.worst_bits_per_s;
    clip->largest_gop_bytes = groups.largest_bytes;
    clip->longest_gop_frames = packets_are_frames(track) ? groups.longest_packets : SC_UNKNOWN;
}
