/* Groups of pictures: from a key packet to the next one, in decode order. Pure. */
#ifndef SCI_PROBE_GROUPS_H
#define SCI_PROBE_GROUPS_H

#include "probe/media.h"

typedef struct sci_groups {
    int64_t worst_bits_per_s; /* all SC_UNKNOWN when no packet is marked as key */
    int64_t largest_bytes;
    int64_t longest_packets;
} sci_groups;

/* Packets of one track, with times in flicks; end: when the last one is over. Bytes before the first
   key packet belong to no group. The last group ends with the file, not with a key packet: it counts
   when it has at least as many packets as the one before it, or is the only one; cut_off: never
   beside others. */
sci_groups sci_groups_of(const sci_packet *packets, size_t count, int64_t end, bool cut_off);

/* Those of the main track. */
void sci_groups_describe(const sci_media *media, sc_clip *clip);

#endif
