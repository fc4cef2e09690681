/* AVI (RIFF): its headers, and the chunks that its indexes or the file itself name. */
#ifndef SCI_PROBE_AVI_H
#define SCI_PROBE_AVI_H

#include "probe/media.h"

enum {
    SCI_AVI_STREAMS_MAX = 100, /* two digits number them */
    SCI_CHUNK_HEADER_BYTES = 8,
    SCI_LIST_HEADER_BYTES = 12
};

typedef struct sci_avi_stream {
    bool is_video, is_pcm;
    bool keys_only;       /* a player can begin at every chunk, whatever the index says */
    uint32_t start;       /* ticks before its first chunk */
    uint32_t sample_size; /* bytes of a tick of sound; 0: chunks are counted */
    uint32_t block_bytes; /* of compressed sound that is counted in blocks; 0: a chunk is one */
    const uint8_t *index; /* contents of its indx chunk; NULL: none */
    size_t index_bytes;
    int64_t ticks; /* of the chunks so far: bytes of samples, or blocks */
} sci_avi_stream;

struct sci_avi {
    sci_avi_stream *streams;
    size_t stream_count;
    int64_t riff_end;         /* as it says; 0: it does not say */
    int64_t movi, movi_end;   /* where the first chunk lies; where they end, as it says */
    int64_t idx1, idx1_bytes; /* contents; 0: none was found */
    bool goes_on;             /* there is more behind the first RIFF (OpenDML) */
};

/* A chunk of a stream; pos is that of its contents. */
sc_status sci_avi_add(sci_media *media, int stream, int64_t pos, int64_t bytes, bool key);
/* The stream that a chunk's name numbers; -1: it is none of a stream's media. */
int sci_avi_stream_of(const sci_avi *avi, const uint8_t name[4]);

/* avi_index.c: packets of the chunks that the index lists. None are left where it cannot be relied
   on. */
sc_status sci_avi_read_index(sci_media *media);

#endif
