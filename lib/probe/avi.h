/* AVI (RIFF): its headers, and the chunks that its indexes or the file itself name. */
#ifndef SCI_PROBE_AVI_H
#define SCI_PROBE_AVI_H

#include "probe/media.h"

#include <string.h>

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
    uint8_t *headers; /* malloc'ed */
    sci_avi_stream streams[SCI_AVI_STREAMS_MAX];
    size_t stream_count;
    int64_t riff_end;         /* as it says; 0: it does not say */
    int64_t movi, movi_end;   /* where the first chunk lies; where they end, as it says */
    int64_t idx1, idx1_bytes; /* contents; 0: none was found */
    bool goes_on;             /* there is more behind the first RIFF (OpenDML) */
};

static inline bool sci_avi_is(const uint8_t *bytes, const char *name)
{
    return memcmp(bytes, name, 4) == 0;
}

static inline int64_t sci_avi_even(int64_t bytes)
{
    return bytes + (bytes & 1);
}

/* "01wb", "ix00", "00__", "JUNK": four letters, digits or fillers. */
bool sci_avi_is_name(const uint8_t *name);
/* The stream that a chunk's name numbers; -1: it is none of a stream's media. */
int sci_avi_stream_of(const sci_avi *avi, const uint8_t name[4]);

/* A chunk of a stream; pos is that of its contents. One without contents is a packet of 0 bytes up to
   the last step. */
sc_status sci_avi_add(sci_media *media, int stream, int64_t pos, int64_t bytes, bool key);
/* Forget what was added. */
void sci_avi_rewind(sci_media *media);

/* avi_cover.c: the packets lie one behind the other, and there is no media between them, before or
   behind them that they leave out. False also when that cannot be read. */
bool sci_avi_covers_all(sci_media *media);

bool sci_avi_matches(const sci_media *media);
/* The last step of both strategies, with how the others ended: learn what the headers did not tell. */
sc_status sci_avi_finish(sci_media *media, sc_status status, sc_error *error);

#endif
