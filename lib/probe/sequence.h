/* A sequence of pictures: numbered files of one directory that are one clip, a frame each. */
#ifndef SCI_PROBE_SEQUENCE_H
#define SCI_PROBE_SEQUENCE_H

#include "probe/media.h"
#include "probe/numbered.h"
#include "probe/picture.h"

typedef struct sci_sequence {
    const char *directory; /* as it was given; "": the current one */
    sci_numbered frames;   /* count > 0 */
} sci_sequence;

/* Copies into the arena; NULL without memory. */
sci_sequence *sci_sequence_copy(const char *directory, const sci_numbered *frames,
                                sci_arena *arena);
/* "shots/shot.%04d.dpx", a percent sign of the names doubled; NULL without memory. */
char *sci_sequence_path(const sci_sequence *sequence, sci_arena *arena);

/* The same as sci_clip_read() for a sequence, which must live as long as the arena: sizes come from
   the directory, and no more than a few headers are read. clip->path is kept. */
sc_status sci_sequence_read(sc_clip *clip, const sci_sequence *sequence, sci_media_limits limits,
                            sci_control *control, sci_arena *arena, sci_reading *reading);

/* ---- what is known while it is looked at ---- */

enum { SCI_FRAME_GONE = -1, SCI_FRAME_BAD = -2 }; /* in place of a size: no file; none to read */

typedef struct sci_reel {
    const sci_sequence *sequence;
    int64_t *sizes;      /* of each frame; malloc'ed */
    size_t count;        /* frames looked at: all, unless a limit ended it */
    bool close;          /* numbers that are missing stand for no time */
    int64_t files;       /* frames that are there */
    int64_t bytes;       /* of all of them */
    int64_t usual_bytes; /* the most frequent size but 0, of equals the larger */
    const char *opened;  /* the file whose header was read */
    sci_picture picture;
    sc_rational rate;
    uint32_t flags;
    sci_file file; /* the one that is open, the time and the counts */
    sci_findings findings;
} sci_reel;

/* sequence_notes.c: what a person has to know of its frames. */
void sci_reel_note_frames(sci_reel *reel);
/* Choose the rate, and say when it is a guess. */
void sci_reel_choose_rate(sci_reel *reel, sc_rational given);

#endif
