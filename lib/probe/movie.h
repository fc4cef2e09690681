/* The index of a QuickTime movie or an MP4 file (ISO/IEC 14496-12): its moov box, read at once, and
   what it says of every track. */
#ifndef SCI_PROBE_MOVIE_H
#define SCI_PROBE_MOVIE_H

#include "probe/boxes.h"

/* A table of the index; its rows are there, however many it promises. */
typedef struct sci_rows {
    const uint8_t *at;
    uint32_t count;
} sci_rows;

typedef struct sci_movie_track {
    uint32_t id;
    uint32_t ticks_per_s;
    bool described;                     /* it has a sample description */
    bool elsewhere;                     /* its media lies in another file */
    sci_rows times;                     /* stts: of 8 bytes */
    sci_rows offsets_of_time;           /* ctts: of 8 bytes */
    sci_rows runs;                      /* stsc: of 12 bytes */
    sci_rows sizes;                     /* stsz, stz2: of size_bits */
    sci_rows chunks;                    /* stco, co64: of chunk_bytes */
    sci_rows keys, partial_keys;        /* stss, stps: of 4 bytes */
    sci_rows random_access;             /* sbgp of "rap ": of 8 bytes */
    uint32_t size_bits, constant_bytes; /* of a sample; constant 0: the table says */
    uint32_t chunk_bytes;
    uint32_t samples; /* as promised */
    bool has_keys;    /* there is a table of them: otherwise every sample is one */
    /* Of version 1 sound descriptions of QuickTime; 0 when not given. */
    uint32_t samples_a_frame, bytes_a_frame;
    int64_t edit_ticks; /* what the edit list adds to every time of the media */
    /* trex: for fragments. */
    uint32_t description, fragment_duration, fragment_bytes, fragment_flags;
    /* While packets are collected. */
    int stream;  /* of the demuxer, -1: none */
    int64_t end; /* ticks of the media, after its last sample so far */
} sci_movie_track;

struct sci_movie {
    uint8_t *bytes; /* malloc'ed: what the demuxer sees, ftyp and moov */
    size_t size, room;
    uint8_t *moov;    /* in these bytes */
    sci_file_box box; /* where it is in the file */
    uint32_t ticks_per_s;
    bool fragmented; /* it has an mvex box */
    sci_movie_track *tracks;
    size_t track_count;
    size_t undescribed; /* tracks without a sample description: the demuxer does not see them */
};

/* Tracks and tables of the moov box of movie->bytes. What the demuxer has no use for is made free
   space for it: it would build an index of its own, and trust every count in it. False when the
   demuxer knows more about this one. */
bool sci_movie_parse(sci_movie *movie, sci_arena *arena);

/* samples.c: how many samples the table of times counts, how long they last, and the step that all of
   them keep, 0 when there is none. */
void sci_movie_count_times(const sci_movie_track *track, uint64_t *frames, uint64_t *ticks,
                           uint32_t *constant);
/* Packets of the samples that the moov box lists. */
sc_status sci_movie_samples(sci_media *media, sc_error *error);

/* fragments.c: packets of the fragments behind it. */
sc_status sci_movie_fragments(sci_media *media, sc_error *error);

#endif
