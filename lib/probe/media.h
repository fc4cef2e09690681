/* A file being probed: opened safely, its tracks and its packets. */
#ifndef SCI_PROBE_MEDIA_H
#define SCI_PROBE_MEDIA_H

#include "core/core.h"
#include "probe/arrival.h"
#include "probe/budget.h"
#include "probe/ffmpeg.h"
#include "probe/name.h"

/* ---- the file itself (file.c): read only, counted, bounded ---- */

typedef struct sci_file {
    const char *path;
    int fd;
    int64_t size_bytes, offset;
    uint8_t
        *ahead; /* malloc'ed: what was read beyond a request of a demuxer that reads on and on */
    int64_t ahead_start, ahead_size;
    int64_t run_bytes;    /* read by the demuxer without a jump */
    int64_t view_bytes;   /* as long as the demuxer takes the file to be: size_bytes at first */
    const uint8_t *shown; /* the demuxer gets these view_bytes instead; NULL: the file's */
    uint8_t *head;        /* its first head_bytes, read once; malloc'ed */
    int64_t head_bytes;
    int64_t bytes_read, reads;
    int64_t max_bytes;  /* negative: no limit */
    int64_t end_ns;     /* of reading; 0: no limit */
    int64_t give_up_ns; /* of working on what was read; 0: no limit */
    int64_t start_ns;
    int os_errno; /* of the first read that failed */
    bool limited; /* a limit stopped a read */
    bool cancelled;
    sci_control *control;
    sci_share *share; /* of memory; NULL: no other clip is worked on */
} sci_file;

/* Regular files only; never blocks on anything else. */
sc_status sci_file_open(sci_file *file, const char *path, sc_error *error);
/* The time begins to run. */
void sci_file_start(sci_file *file, int64_t max_bytes, double max_seconds, sci_control *control);
void sci_file_close(sci_file *file);
/* True when reading has to stop: cancelled, or out of time. Reports progress. */
bool sci_file_stop(sci_file *file);
/* The same while working on what was read: a limit that ended the reading is none for that. */
bool sci_file_give_up(sci_file *file);
sci_stop sci_file_stopper(sci_file *file);
/* The limit that stopped a read, and how to raise it: "the limit of 5 s (...)". */
enum { SCI_LIMIT_TEXT = 96 };
const char *sci_file_limit(const sci_file *file, char text[SCI_LIMIT_TEXT]);
/* The error after it said so. */
sc_status sci_file_gave_up(const sci_file *file, const char *where, sc_error *error);
/* Before memory is used that a hostile file may make large: waits until others leave that much, which
   counts for no limit of time. False when cancelled. */
bool sci_file_take_memory(sci_file *file, size_t bytes);
void sci_file_give_memory(sci_file *file, size_t bytes);
/* Read at a position of one's own, in one read, as much as the limit of bytes leaves. Bytes read, 0 at
   the end, -1 on failure or at a limit. */
int64_t sci_file_read_at(sci_file *file, int64_t offset, void *buffer, size_t size);
/* All of them in reads of a size that lets progress be told and limits hold. False when they are not
   all there, at a limit and on failure. */
bool sci_file_read_all(sci_file *file, int64_t offset, uint8_t *bytes, int64_t size);
/* The same of a few bytes, from the head where they are in it. */
bool sci_file_peek(sci_file *file, int64_t offset, void *bytes, int64_t size);
/* The same as callbacks of an AVIOContext. */
int sci_file_avio_read(void *opaque, uint8_t *buffer, int size);
int64_t sci_file_avio_seek(void *opaque, int64_t offset, int whence);
/* Bytes by which it grew since it was opened; negative when it shrank. */
int64_t sci_file_growth(const sci_file *file);

/* window.c: headers that are far from each other, read without what lies between them. */
enum { SCI_WINDOW_BYTES = 4096 };

typedef struct sci_window {
    sci_file *file;
    size_t ahead; /* bytes asked of the file at once, at least; 1 to SCI_WINDOW_BYTES */
    int64_t start;
    size_t size;
    uint8_t *wide; /* a buffer of the caller's in place of `bytes`; NULL: none */
    size_t wide_size;
    uint8_t bytes[SCI_WINDOW_BYTES];
} sci_window;

/* ahead 64 suits headers that lie a frame apart, SCI_WINDOW_BYTES those close together. */
void sci_window_open(sci_window *window, sci_file *file, size_t ahead);
/* The same with a buffer of one's own, all of which is read at once: for what lies close together and
   is long. */
void sci_window_open_wide(sci_window *window, sci_file *file, uint8_t *buffer, size_t size);
/* `need` bytes at offset, valid until the next call; NULL when they are not all there, when reading
   fails and at a limit (file->limited, cancelled and os_errno tell which). */
const uint8_t *sci_window_at(sci_window *window, int64_t offset, size_t need);
/* Keep the system from reading ahead of jumps. */
void sci_file_expect_jumps(sci_file *file);

/* ---- packets ---- */

enum { SCI_PACKETS_MAX = 1 << 24 }; /* 512 MiB of them; a day of 4K60 has 5 million frames */

typedef struct sci_packet {
    int64_t pos;   /* byte offset, negative when the demuxer does not say */
    int64_t time;  /* decoding time: AV_NOPTS_VALUE or ticks of the track, flicks once repaired */
    int32_t bytes; /* essence as the demuxer gives it; of a unit everything that it holds */
    int32_t duration; /* ticks, 0 when unknown */
    int32_t track;
    bool key; /* a player can begin here: a group of pictures starts; of units that may hold more
                 than one group, or where it is not known, false throughout */
} sci_packet;

typedef struct sci_packets {
    sci_packet *items; /* malloc'ed */
    size_t count, capacity;
    sci_file *file; /* whose share of memory they take; NULL: none */
} sci_packets;

/* SC_LIMIT: there are too many. */
sc_status sci_packets_add(sci_packets *packets, sci_packet packet);
/* Room for that many at once, where their number is known. */
sc_status sci_packets_reserve(sci_packets *packets, size_t count);
void sci_packets_free(sci_packets *packets);

/* ---- what is known of a track while the file is open ---- */

enum { SCI_HEAD_BYTES = 64 };

typedef struct sci_media_track {
    sc_track_kind kind;
    bool played;
    bool external;                /* its media lies in another file: positions mean nothing here */
    size_t first, count;          /* its packets, in decode order */
    int64_t bytes;                /* of its packets */
    int64_t duration;             /* flicks, 0 when unknown */
    sc_rational rate;             /* exact when constant, else of most frames or the mean; 0/0 when
                                     unknown */
    bool constant_rate;           /* every packet is where the rate says */
    uint8_t head[SCI_HEAD_BYTES]; /* the start of its first packet, when that was read anyway */
    size_t head_size;
    int64_t sample_pos; /* where the contents of its first packet lie, when not at that packet's own
                           position; 0: there */
    sci_descriptor descriptor; /* of MXF */
    bool
        encoded; /* the container compresses its packets: what lies in the file is not what it was */
    /* What its packets do not tell: where packets are units that hold other tracks too (edit units,
       clusters), and for the tracks that have none of their own then. A strategy sets it. */
    struct {
        bool set;
        int64_t packets, bytes; /* SC_UNKNOWN when not known */
        sc_source source;
    } told;
} sci_media_track;

/* sort.c: like qsort, asking now and then whether to stop. False when it was, and without memory:
   items are in no order then. stop NULL: none. */
bool sci_sort(void *items, size_t count, size_t size, int (*compare)(const void *, const void *),
              const sci_stop *stop);

/* ---- an opened file (open.c) ---- */

typedef struct sci_movie sci_movie;
typedef struct sci_avi sci_avi;

typedef struct sci_media {
    sci_file file;
    AVFormatContext *format;
    AVIOContext *avio;
    int64_t inform_bytes; /* most that looking for facts may read; 0: as much as a 4K GOP takes */
    bool informed;        /* avformat_find_stream_info() was called */
    bool exact; /* asked for: packets and bytes of every track, at the cost of more reading */
    uint32_t flags;
    const struct sci_describer *describer; /* (open.c) whose descriptions the demuxer is shown in
                                              place of the file; NULL: none */
    sci_movie *movie; /* of a MOV or MP4 file until its packets are collected; else NULL */
    sci_avi *avi;     /* of an AVI file until its packets are collected; else NULL */
    struct {
        int64_t moov_offset, moov_bytes; /* as it says; 0: none was found */
        int64_t unpacked_bytes;          /* of a compressed moov box, as it says; 0: it is not */
        int64_t media_bytes;             /* of mdat boxes */
        int64_t fragments;               /* before the moov box, or without one */
    } seen;
    const struct sci_strategy *strategy; /* that found the packets */
    sc_source source; /* for the result: the strategy's, unless it was cut short */
    sci_packets packets;
    sci_media_track *tracks;
    size_t track_count;
    int main_track; /* the longest played video track, else audio; -1: none */
    sci_arena *arena;
    sci_findings findings;
} sci_media;

typedef struct sci_media_limits {
    int64_t max_bytes;
    double max_seconds;
    bool exact;  /* more reading is wanted */
    bool frames; /* every frame is kept in the result */
    sc_rational
        frame_rate;   /* of sequences of pictures, whatever their headers say; 0/0: as those say */
    sci_share *share; /* of memory; NULL: no other clip is worked on */
} sci_media_limits;

/* Also on failure *media has to be closed. */
sc_status sci_media_open(sci_media *media, const char *path, sci_media_limits limits,
                         sci_control *control, sci_arena *arena, sc_error *error);
void sci_media_close(sci_media *media);
/* Read packets until codecs and rates are known; once. They are kept and not read again. */
sc_status sci_media_inform(sci_media *media, sc_error *error);
/* The demuxer begins again, and sees the file itself. */
sc_status sci_media_reopen(sci_media *media, sc_error *error);
/* Track kinds of all streams that the demuxer has found so far. */
sc_status sci_media_find_tracks(sci_media *media, sc_error *error);

/* ---- demuxers (demuxer.c) ---- */

/* SC_OK for containers and elementary streams of footage; else an error that says what it is. */
sc_status sci_demuxer_check(const AVInputFormat *demuxer, const char *path, sc_error *error);
bool sci_demuxer_is_mov(const AVInputFormat *demuxer);
/* One of the demuxer's names. */
bool sci_demuxer_is(const AVInputFormat *demuxer, const char *name);

/* ---- MOV and MP4 (movie.c) ---- */

/* Look for the index and read it; what was found of the file is in media->seen. True: media->movie is
   there, and the demuxer will see nothing but the descriptions in it. */
bool sci_movie_find(sci_media *media);
/* Which stream is which track, once the demuxer is open. False when it needs to see the file itself
   to tell what they are. */
bool sci_movie_match_streams(sci_media *media);
/* The demuxer sees the file again. */
void sci_movie_forget(sci_media *media);

/* ---- AVI (avi.c) ---- */

/* Read its headers. True: media->avi is there, and the demuxer will see nothing behind them. */
bool sci_avi_find(sci_media *media);
/* The demuxer found the same streams. */
bool sci_avi_match_streams(sci_media *media);
/* The demuxer sees the file again, and goes on where its media begins. */
void sci_avi_forget(sci_media *media);

/* ---- strategies (strategy.c): how the packets of a file are found ---- */

typedef struct sci_strategy {
    sc_source source;
    /* Its packets are entries of an index, which may name the same bytes more than once; else they
       were cut out of what was read, and bytes in two of them are there once. */
    bool samples_may_share_bytes;
    /* Its times are those that the container plays by; else those of a stream, which may jump. */
    bool times_are_the_containers;
    /* Its packets lie in the file as they are, at their positions. */
    bool positions_are_readable;
    /* It finds the packets that are there, not those that are promised. */
    bool finds_only_what_is_there;
    bool (*matches)(const sci_media *media);
    /* Fill media->packets, flags and findings. */
    sc_status (*collect)(sci_media *media, sc_error *error);
    /* Whether what was collected can be relied on; if not, the next strategy is tried. */
    bool (*check)(sci_media *media);
} sci_strategy;

extern const sci_strategy sci_strategy_movie;                            /* movie.c */
extern const sci_strategy sci_strategy_index;                            /* index.c */
extern const sci_strategy sci_strategy_mxf_units, sci_strategy_mxf_walk; /* mxf.c */
extern const sci_strategy sci_strategy_avi_index,
    sci_strategy_avi_walk;                       /* avi_index.c, avi_walk.c */
extern const sci_strategy sci_strategy_matroska; /* matroska.c */
extern const sci_strategy sci_strategy_constant; /* constant.c */
extern const sci_strategy sci_strategy_sampled;  /* sampled.c */
extern const sci_strategy sci_strategy_scan;     /* scan.c */
/* scan.c: say that a limit ended a scan or walk, and drop what it cut. */
sc_status sci_media_note_limit(sci_media *media);
/* scan.c: say that it ended at a part that cannot be read. code: FFmpeg's. */
void sci_media_note_unreadable(sci_media *media, int code);

/* sound.c: whether sample rate or channels are not known yet; find them from a packet, if it tells. */
bool sci_sound_is_wanted(const AVStream *stream);
void sci_sound_learn(AVStream *stream, const AVPacket *packet);

/* Where the last sample of an index ends: whether the file is shorter (index.c). */
void sci_index_note_end(sci_media *media);

sc_status sci_collect_packets(sci_media *media, sc_error *error);

/* ---- from packets to frames ---- */

/* tracks.c: bring the packets of each track together, drop those of no track, count them. */
sc_status sci_tracks_group(sci_media *media, sc_error *error);
/* timeline.c: repair times, turn them into flicks, find rates and durations, choose main_track. */
sc_status sci_timeline_build(sci_media *media, sc_error *error);
/* rate.c: the rate that at least nine in ten frames keep, of times in ticks; 0/0: there is none.
   stop NULL: none. */
sc_rational sci_rate_of_most(const sci_packet *packets, size_t count, double tick_s,
                             const sci_stop *stop);
/* The standard rate around which it lies, within 0.1 %; 0/0: none. */
sc_rational sci_rate_standard(sc_rational rate);
/* The nearest rate that footage has, else the same to three decimals; of more than 0. */
sc_rational sci_rate_near(double fps);
/* The whole rate, or an NTSC one, whose frames last that long but for rounding; 0/0: none. */
sc_rational sci_rate_of_period(int64_t period_ns);
/* Of footage: 1 to 1000 frames a second. */
bool sci_is_frame_rate(sc_rational rate);
/* When frame k is due at a constant rate of more than 0, in flicks. */
int64_t sci_rate_due(sc_rational rate, size_t k);
/* stored.c: from now on the bytes of played packets are those that a reader fetches for them: their
   own and the wrapper up to the next played packet. */
sc_status sci_packets_store(sci_media *media, sc_error *error);
/* frames.c: everything that is due at each frame of the main track. items are malloc'ed. The packets
   are freed: they are needed no more. */
sc_status sci_frames_build(sci_media *media, sci_frames *frames, sc_error *error);

/* ---- results ---- */

/* tracks.c: the public description of every track, once the timeline is built. */
sc_status sci_tracks_describe(sci_media *media, sc_clip *clip, sc_error *error);

/* A clip that was read and whose rates are still to be found: its frames, and the limits that the
   work on it has. */
typedef struct sci_reading {
    sci_file file; /* closed */
    sci_frames frames;
    bool keep_frames;       /* in the result */
    const int64_t *numbers; /* of the file of each frame, -1: none; NULL: no sequence */
} sci_reading;

/* clip.c: read one file: everything in *clip but what follows from its frames. path and all that is
   in *clip must live as long as the arena. Returns clip->error.status; *reading is to be freed. */
sc_status sci_clip_read(sc_clip *clip, const char *path, sci_media_limits limits,
                        sci_control *control, sci_arena *arena, sci_reading *reading);
/* Rates, curve and trace. Returns clip->error.status. */
sc_status sci_clip_measure(sc_clip *clip, sci_reading *reading, sci_arena *arena);
void sci_reading_free(sci_reading *reading);

#endif
