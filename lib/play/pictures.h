/* Streams of sequences of pictures: for each frame a file is opened, read whole and closed. Shared by
   reference, since a thread that is stuck in a file may outlive the call that started it. */
#ifndef SCI_PLAY_PICTURES_H
#define SCI_PLAY_PICTURES_H

#include "io/cache.h"
#include "io/reader.h"
#include <streamcalc/probe.h>

typedef struct sci_pictures sci_pictures;

/* Frames say which file each of them is: all that hold bytes. */
bool sci_pictures_are_sound(const sc_frames *frames);
/* Of frames that are sound. NULL without memory. */
sci_pictures *sci_pictures_new(const sc_frames *frames);
void sci_pictures_release(sci_pictures **pictures);

/* Whether they lie on the file system of the path, looked at on a thread that can be left behind.
   SC_OK, SC_CANCELLED, SC_STALLED, SC_NO_MEMORY. */
sc_status sci_pictures_find(sci_pictures *pictures, const char *path, double stall_s,
                            sci_control *control, bool *here, sc_error *error);
/* How they are read. */
void sci_pictures_use(sci_pictures *pictures, const sci_cache_way *way);

/* What the readers found; thread-safe. */
typedef struct sci_pictures_state {
    int64_t opened; /* files, as often as they were */
    int64_t again;  /* of them such as had been opened before */
    bool cold;      /* each was shown not to be cached; direct, where that was proven */
} sci_pictures_state;
sci_pictures_state sci_pictures_look(sci_pictures *pictures);

typedef struct sci_pictures_stream {
    sci_pictures *pictures; /* NULL: what the inner source reads is as good */
    size_t first;           /* frame */
} sci_pictures_stream;

/* One source for all streams; the inner one, for those without pictures, is taken over, also on
   failure. False without memory. */
bool sci_pictures_source(const sci_pictures_stream *streams, int32_t count,
                         const sci_read_source *inner, sci_read_source *source);

#endif
