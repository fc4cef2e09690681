/**
 * streamcalc/probe.h: what storage must deliver so that a file plays, from the file's own index.
 *
 * Only the named local file, or frames of the named sequence, are opened: nothing that it refers to
 * (reference movies, playlists, external data) is followed, and no network protocol is available to
 * it.
 */
#ifndef STREAMCALC_PROBE_H
#define STREAMCALC_PROBE_H

#include <streamcalc/core.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sc_track_kind {
    SC_TRACK_UNKNOWN = 0,
    SC_TRACK_VIDEO,
    SC_TRACK_AUDIO,
    SC_TRACK_SUBTITLE, /**< subtitles and captions */
    SC_TRACK_TIMECODE,
    SC_TRACK_DATA,   /**< metadata, telemetry, hints */
    SC_TRACK_PICTURE /**< cover art, a still beside the programme */
} sc_track_kind;

/** "unknown", "video", "audio", "subtitle", "timecode", "data", "picture". */
SC_API const char *sc_track_kind_name(sc_track_kind kind);
SC_API sc_track_kind sc_track_kind_from_name(const char *name);

/** How the lines of a picture were taken, as the file says; never guessed. */
typedef enum sc_scan_type {
    SC_SCAN_UNKNOWN = 0,
    SC_SCAN_PROGRESSIVE,
    SC_SCAN_TOP_FIRST,    /**< interlaced, the field with the first line is the earlier one */
    SC_SCAN_BOTTOM_FIRST, /**< interlaced, the other one is */
    SC_SCAN_INTERLACED    /**< the order of the fields is not known */
} sc_scan_type;

/** "unknown", "progressive", "top-field-first", "bottom-field-first", "interlaced". */
SC_API const char *sc_scan_type_name(sc_scan_type scan);
SC_API sc_scan_type sc_scan_type_from_name(const char *name);

typedef struct sc_track {
    sc_track_kind kind;
    bool played;       /**< counted in the demand: video and audio */
    const char *codec; /**< FFmpeg's codec name, "prores"; "" when not recognised */
    const char
        *name; /**< the name that an editor uses: "ProRes 422 HQ", "DNxHR HQX", "PCM s24le" */
    /** Video: the level as the codec's standard writes it, "5.1" of HEVC, H.264 and AV1, "High" of
     * MPEG-2; "" where there is none or it is not known. Like scan, chroma and bit_depth it is told by
     * the container, the decoder configuration or headers that are read for the rates anyway. */
    const char *level;
    sc_scan_type scan;  /**< video */
    const char *chroma; /**< video: "4:2:2", "4:2:0", "4:4:4", "4:1:1", "4:1:0", "4:4:0", with alpha
                             a fourth number ("4:4:4:4"), "RGB", "RGBA", "4:0:0" of gray pictures;
                             "" when not known */
    int32_t bit_depth;  /**< video: bits a sample, 0 when not known */
    int32_t width, height;  /**< video raster in pixels, else 0 */
    sc_rational frame_rate; /**< video: exact; where it varies that of most frames, else the
                                 mean; 0/0 when unknown */
    int32_t sample_rate_hz; /**< audio, else 0 */
    int32_t channels;       /**< audio, else 0 */
    int64_t packets;        /**< SC_UNKNOWN when not counted, and of sound within the frames of DV;
                                 of PCM sound pieces of 1024 samples or more, as the probe cuts them,
                                 which are no property of the file */
    int64_t bytes;          /**< essence bytes as stored; SC_UNKNOWN when not known */
    int64_t bits_per_s;     /**< 8 x bytes / duration; SC_UNKNOWN when not known */
    double duration_s;      /**< negative when unknown */
    sc_source source;       /**< where packets and bytes came from */
    /** Video at a constant frame rate: the rate that is published for this name, raster and frame
     * rate (sc_format_at()), as an encoder's target or as the size of every frame; SC_UNKNOWN where
     * no row says, and with alpha, which the tables leave out. Figures in proportion to another
     * raster's do not count; of frames of a fixed size the rate follows, and a row for 24000/1001
     * frames stands for 24 too. */
    int64_t published_bits_per_s;
    double published_ratio;       /**< bits_per_s / published_bits_per_s; negative when unknown */
    const char *published_source; /**< who published it; "" */
} sc_track;

/**
 * An arrival curve: for each window the most bytes due in any window of that length, and the mean
 * and standard deviation over all windows that start at a frame and lie within the file. Windows
 * ascend: one frame, 20, 50, 100, 200, 500 ms, 1, 2, 4, 8, 16 s, the whole file; those longer than
 * the file are left out.
 * A closed window of W seconds holds floor(W x fps) + 1 frames at a constant rate (D-BIND, Knightly
 * and Zhang 1997).
 */
typedef struct sc_curve {
    int32_t count; /**< 0 when not known */
    double window_s[SC_WINDOWS_MAX];
    int64_t max_bytes[SC_WINDOWS_MAX];
    double mean_bytes[SC_WINDOWS_MAX];
    double stdev_bytes[SC_WINDOWS_MAX];
    sc_source source;
} sc_curve;

/** Bytes due in equal steps of time, at most 4096 steps; the bytes of all steps add up to the
 * clip's. */
typedef struct sc_trace {
    double step_s;
    size_t count;
    const int64_t *bytes;
    sc_source source;
} sc_trace;

/** Every frame of a clip, where sc_probe_params.frames asked for them; not part of the JSON. */
typedef struct sc_frames {
    size_t count;           /**< 0: not kept */
    const double *due_s;    /**< when each is due: seconds after the first one, ascending */
    const int64_t *bytes;   /**< due with it: all played tracks and the wrapper between them */
    double duration_s;      /**< to where the clip begins again when it is looped */
    const char *pattern;    /**< of a sequence of pictures its path, see sc_sequence; NULL: none */
    const int64_t *numbers; /**< with a pattern: the number in the name of each frame's file, which
                                 holds `bytes`; negative where there is no file, and no bytes */
} sc_frames;

/**
 * The constant delivery rate that a prefill needs: a leaky bucket over every frame, and never below
 * the rate of the busiest minute, which the clip takes when it is looped.
 */
typedef struct sc_required {
    double prefill_s;
    int64_t bits_per_s;
} sc_required;

enum { SC_REQUIRED_COUNT = 6 }; /**< prefills of 0.2, 0.35, 0.5, 1, 2 and 10 s */

/** Completeness of what was found; names in JSON: "truncated", "growing", "partial-index", ... */
typedef enum sc_clip_flag {
    SC_CLIP_TRUNCATED = 1 << 0,     /**< the file ends before its header or index says so; of a
                                         sequence: frames of it are empty or short */
    SC_CLIP_GROWING = 1 << 1,       /**< the file grew while it was looked at */
    SC_CLIP_PARTIAL_INDEX = 1 << 2, /**< the index covers part of the file */
    SC_CLIP_NO_INDEX = 1 << 3,      /**< no usable index: packets, or their headers, were read */
    SC_CLIP_SAMPLED = 1 << 4,       /**< figures are extrapolated from a part of the file */
    SC_CLIP_LIMITED = 1 << 5,       /**< a byte or time limit ended the scan */
    SC_CLIP_NO_VIDEO = 1 << 6,      /**< audio only */
    SC_CLIP_VARIABLE_FRAME_RATE = 1 << 7
} sc_clip_flag;

/** Number of flags, and the name of flag i (0 <= i < count), for bit 1 << i. */
SC_API int32_t sc_clip_flag_count(void);
SC_API const char *sc_clip_flag_name(int32_t i);

/**
 * Numbered pictures that are one clip, a frame each (DPX, EXR, TIFF, CinemaDNG, JPEG 2000, PNG, TGA,
 * JPEG). The clip's path is their pattern as in FFmpeg's image2, "shots/shot.%04d.dpx", a percent
 * sign of the names doubled. A player opens and reads one whole file for each frame.
 */
typedef struct sc_sequence {
    int64_t files; /**< frames that are there; 0: the clip is no sequence */
    int64_t first_number, last_number;
} sc_sequence;

/** One file, or a sequence of them. When error.status is not SC_OK only path, size_bytes and error
 * are meaningful. */
typedef struct sc_clip {
    const char *path;
    const char *container; /**< FFmpeg's name of the demuxer: "mov,mp4,m4a,3gp,3g2,mj2", "mxf"; of
                                numbered pictures "image-sequence" */
    sc_sequence sequence;  /**< of a clip of several files (as_one) that of its main part */
    int64_t size_bytes;
    double duration_s; /**< longest played video track (audio-only files: audio): of all that is
                            stored, which an edit list may play in part or twice */
    int64_t demand_bits_per_s; /**< 8 x (played tracks and the wrapper between them) / duration_s */
    /** m: mean rate of the busiest min(60 s, duration), never below demand_bits_per_s. Half-open
     * windows that start at a frame; at a constant frame rate the nearest whole number of frames,
     * so that the m of an even clip is its mean at 29.97 frames a second as well as at 25. */
    int64_t busiest_60s_bits_per_s;
    int64_t peak_1s_bits_per_s;  /**< the same for min(1 s, duration) */
    int64_t largest_frame_bytes; /**< F: the most bytes due at one frame, all played tracks */
    /** Groups of pictures of the main video track, its own bytes, each from a key frame to the next
     * in stored order; SC_UNKNOWN where the file does not say which frames are key frames. Where
     * every frame is one (ProRes, DNxHD) a group is a frame. What comes before the first key frame
     * is left out, and the last group where the file ends within it. */
    int64_t worst_gop_bits_per_s; /**< the most of 8 x bytes of a group / its duration */
    int64_t largest_gop_bytes;
    int64_t longest_gop_frames; /**< 1: every frame is a key frame */
    sc_required required[SC_REQUIRED_COUNT];
    sc_curve curve;
    sc_trace trace;
    sc_frames frames;
    uint32_t flags;     /**< sc_clip_flag bits */
    sc_source source;   /**< where the demand came from */
    int64_t bytes_read; /**< bytes that the probe asked of the file */
    int64_t reads;      /**< read calls: round trips on a network; listing directories and asking
                             for sizes is not among them */
    size_t track_count;
    const sc_track *tracks;
    size_t finding_count;
    const sc_finding *findings;
    size_t part_count;        /**< 0 but for a clip of several files (as_one) */
    const char *const *parts; /**< their paths, in order; tracks are in the same order */
    sc_error error;
} sc_clip;

/** Files in the order given; files of a directory sorted by name. */
typedef struct sc_probe {
    char made_at[SC_TIME_MAX];
    size_t clip_count;
    const sc_clip *clips;
    size_t finding_count;
    const sc_finding *findings; /**< about the call: directories without media, ... */
    sc_error error; /**< SC_CANCELLED, the error of the first clip that has one, or SC_OK */
} sc_probe;

/**
 * One clip, as soon as it is ready, in order of completion. Called on the calling thread of
 * sc_probe_many(), no lock held. The clip is valid during the call only.
 * @param path_index  which of the given paths it comes from; with as_one 0
 * @param place       its number among the files of that path, in the order of sc_probe.clips;
 *                    numbers are missing where files were skipped
 * @return 0; anything else cancels, and no more clips are given
 */
typedef int (*sc_clip_fn)(void *opaque, const sc_clip *clip, size_t path_index, size_t place);

typedef struct sc_probe_params {
    int64_t max_bytes;  /**< most bytes read of one file; 0: 256 MiB; negative: no limit */
    double max_seconds; /**< most wall-clock seconds for reading one file, and as many again for
                             working on what was read; 0: 60; negative: no limit */
    double stall_s;     /**< longest time without an answer of the storage, after which a file is
                             left behind with SC_STALLED; when that many files as are probed at once
                             do not answer one after the other the call ends; 0: max_seconds */
    int32_t max_depth;  /**< directory levels followed below a given directory, 1 to 64; 0: 16 */
    int32_t max_files;  /**< most files taken from directories, 1 or more; 0: 100000, with discard
                             as many as there are; a sequence counts as one, and so does a file that
                             turns out to be no media */
    bool exact;  /**< count packets and bytes of every track that has packets of its own, also
                     where the index tells the sum of several only: at the cost of more reading */
    bool frames; /**< keep every frame in sc_clip.frames: 16 bytes each */
    bool as_one; /**< all files are parts of one clip that start together, such as picture and sound
                      in files of their own (MXF OPAtom, IMF track files, a movie or a sequence with
                      WAV files): path, duration and frames are those of the part with the longest
                      video track, the rates those of all. A part that fails makes the clip fail */
    sc_rational frame_rate; /**< frames a second of sequences of pictures, 1 to 1000, as
                                 numbers up to 2^31 - 1; other files know theirs; num 0: what the
                                 header of a frame tells (DPX, EXR, CinemaDNG; 10 and more), else 24
                                 with the finding "frame-rate-assumed" */
    int32_t parallel;       /**< files probed at once, 1 to 64; 0: 8, which hides most of the round
                             trips of a network and is no load for a disk */
    sc_clip_fn on_clip;     /**< may be NULL */
    void *on_clip_opaque;
    bool discard; /**< free each clip after on_clip, which must be set: the result then holds no
                       clips, and a million files take no more memory than a few */
    sc_control control;
} sc_probe_params;

/**
 * Probe files and directories, several files at once. Played are all video and audio tracks; the
 * wrapper counts from the first of their packets in the file to the last, but holes of more than
 * 1 MiB between them do not: a player seeks over those.
 *
 * Directories are searched for regular files while the first of them are probed already. Passed
 * over in silence are names with a leading dot and what systems keep for themselves ("@eaDir",
 * "$RECYCLE.BIN", "lost+found", ...). Skipped and counted in a finding are sidecars of cameras (by
 * their names: ".xml", ".thm", and the small copies ".lrv" and ".lrf"), empty files, and files
 * that turn out to be no media, unless they are named like footage (".mov", ".mxf", ...): those get a
 * clip with an error. A path that was named itself always gets its clip, with an error
 * if need be. One bad file never stops the rest.
 *
 * Pictures of one directory whose names differ in a number only are one clip, a frame each
 * (sc_sequence): two or more in a directory that is searched, also one where the path is their
 * pattern itself, "shots/shot.%04d.dpx". Where there are several numbers in a name the one counts
 * around which there are most names. A single picture is none, and neither are photos and
 * thumbnails on the card of a camera (JPEG and PNG below DCIM, THMBNL and the like). Sizes come from
 * the directory and the format from the header of one frame, of up to five where the first ones
 * are damaged; a frame counts with all bytes of its file. Numbers that are missing are listed in a
 * finding, and take their time without bytes; where numbers go in even steps, or more than half of
 * them are missing, the frames are taken to follow each other instead. Empty frames are listed, and
 * those of an uncompressed sequence that are of another size than the rest.
 *
 * Files with millions of samples take turns: all that are probed at once take about 200 MB together
 * beside the largest one, and a file at most about 1 GB (16.7 million samples and an index of 256
 * MiB); with as_one the frames of all parts are kept beside that. Waiting for a turn counts for no
 * limit of time.
 *
 * All files are touched on threads of the library's own, because a server or disk that has gone may
 * never answer; the callbacks are called on the calling thread. A file that gives no sign of life
 * after max_seconds, or stall_s, is left behind: its clip gets SC_STALLED when its storage does not answer and
 * SC_LIMIT when its header keeps FFmpeg busy, and the others go on. The thread that was left ends
 * by itself, and frees its memory, when the storage answers or the process ends; when more than 128
 * are left the call ends with SC_STALLED. Without a limit of time only cancelling ends such a
 * wait. A call that is cancelled ends within half a second, whatever the storage does.
 * @param params  NULL: all defaults
 * @param[out] probe  owned by the caller; set on SC_OK, on SC_CANCELLED and SC_STALLED (what was
 *                    done so far) and when no file could be probed; else NULL
 * @return SC_OK when at least one file was probed; SC_CANCELLED; SC_INVALID_ARGUMENT (no path, an
 *         empty path, a limit out of range); SC_NO_MEMORY; SC_STALLED; otherwise the first failure,
 *         with each clip's own error in *probe
 * Thread-safe.
 */
SC_API sc_status sc_probe_many(const char *const *paths, size_t path_count,
                               const sc_probe_params *params, sc_probe **probe, sc_error *error);

SC_API void sc_probe_free(sc_probe **probe);

/**
 * Silence FFmpeg in the whole process: av_log_set_level(AV_LOG_QUIET). What FFmpeg has to say about
 * a damaged file goes to standard error, or to the application's av_log callback, as the
 * application's av_log settings have it; while a file is probed that callback is called on a thread
 * of the library. The library never changes those settings by itself: this call is for applications
 * that own the process and do not want to include FFmpeg's headers.
 */
SC_API void sc_probe_quiet_ffmpeg(void);

/**
 * The track that duration_s and the frames of a clip are those of: the longest played video track,
 * for audio-only files the longest audio track; of equals the first.
 * @return NULL when the clip is NULL or has no such track
 */
SC_API const sc_track *sc_clip_main_track(const sc_clip *clip);

/**
 * One line on a clip as people write formats: "ProRes 422 HQ 3840x2160 25". Of the main track.
 */
SC_API void sc_clip_format(const sc_clip *clip, char *buffer, size_t size);

#ifdef __cplusplus
}
#endif
#endif
