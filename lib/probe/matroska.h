/* What a Matroska file says of itself before its clusters (RFC 9559). */
#ifndef SCI_PROBE_MATROSKA_H
#define SCI_PROBE_MATROSKA_H

#include "probe/ebml.h"

enum {
    SCI_MKV_EBML = 0x1A45DFA3,
    SCI_MKV_SEGMENT = 0x18538067,
    SCI_MKV_SEEK_HEAD = 0x114D9B74,
    SCI_MKV_INFO = 0x1549A966,
    SCI_MKV_TRACKS = 0x1654AE6B,
    SCI_MKV_CLUSTER = 0x1F43B675,
    SCI_MKV_CUES = 0x1C53BB6B,
    SCI_MKV_CHAPTERS = 0x1043A770,
    SCI_MKV_ATTACHMENTS = 0x1941A469,
    SCI_MKV_TAGS = 0x1254C367,
    SCI_MKV_TRACKS_MAX = 128,
    SCI_MKV_WINDOW_BYTES = 16384
};

typedef struct sci_mkv_track {
    uint64_t number;
    int stream;                      /* of the demuxer; -1: it has none for it */
    int64_t frame_ns;                /* DefaultDuration, 0 when not given */
    bool encoded;                    /* its blocks are compressed or stripped */
    int64_t blocks, frames, bytes;   /* counted in the walk */
    int64_t first_ticks, last_ticks; /* of those blocks, as far as the walk went */
    bool laced;
} sci_mkv_track;

typedef struct sci_mkv {
    sci_window window;
    uint8_t wide[SCI_MKV_WINDOW_BYTES]; /* its buffer */
    sci_element segment;
    uint64_t tick_ns;  /* TimestampScale */
    double duration_s; /* of Info, 0 when not given */
    int64_t cues;      /* where they are, 0 when not known */
    int64_t seek_more; /* where more of the index of elements is, 0: nowhere */
    int64_t first_cluster;
    sci_mkv_track tracks[SCI_MKV_TRACKS_MAX];
    int track_count;
} sci_mkv;

/* Read up to the first cluster. False when that fails or the demuxer found other tracks. */
bool sci_mkv_open(sci_mkv *mkv, sci_media *media);
/* NULL when it is not there. */
sci_mkv_track *sci_mkv_find_track(sci_mkv *mkv, uint64_t number);
/* Whether such an element ends a cluster of unknown size. */
bool sci_mkv_is_top_level(uint32_t id);

/* matroska_cues.c: units of the main video track from the index of clusters, in place of the packets
   that the walk found. False when the file has none that tells enough; those packets stay then. */
bool sci_mkv_read_cues(sci_mkv *mkv, sci_media *media);

#endif
