/**
 * streamcalc/player.h: how an editing program reads: the block, the reads in flight, the read-ahead
 * and the preroll. measure reads like it, plan counts with its buffer, play plays with it.
 */
#ifndef STREAMCALC_PLAYER_H
#define STREAMCALC_PLAYER_H

#include <streamcalc/core.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sc_read_mode {
    SC_READ_BLOCK = 0, /**< reads of block_bytes, in file order */
    SC_READ_FRAME = 1  /**< one read a frame, of the frame's own size */
} sc_read_mode;

/** Whether reads pass by the operating system's page cache. */
typedef enum sc_io {
    SC_IO_ANY = 0, /**< not known: measured directly where that works */
    SC_IO_DIRECT,  /**< O_DIRECT: every read goes to the storage as it is asked for */
    SC_IO_BUFFERED /**< through the page cache, so that the kernel's read-ahead counts */
} sc_io;

/** "any", "direct" or "buffered". */
SC_API const char *sc_io_name(sc_io io);

/** "block" or "frame". */
SC_API const char *sc_read_mode_name(sc_read_mode mode);

/**
 * A player profile. A value without pointers: copy it freely. All zero means the profile "normal";
 * with some fields set, the others mean the value in "normal" (preroll: min(read-ahead, 1 s)).
 */
typedef struct sc_player {
    char name[SC_NAME_MAX]; /**< "normal", ..., or "custom"; "normal,io=buffered" where io is set */
    int64_t block_bytes;    /**< bytes of one read; 4 KiB to 1 GiB; default 1 MiB. With
                                 SC_READ_FRAME it stands in where no clip is known */
    int32_t in_flight;      /**< reads in flight of one stream; 1 to 256; default 2 */
    double read_ahead_s;    /**< B, seconds held in the buffer; up to 3600; default 1 */
    double preroll_s;  /**< P, seconds buffered before the first frame is due; at most B; default
                            min(B, 1) */
    sc_read_mode mode; /**< default SC_READ_BLOCK */
    /** Upper bound of one stream's buffer, at least the reads in flight and a block; 0: none. */
    int64_t buffer_cap_bytes;
    sc_io io; /**< default SC_IO_ANY */
} sc_player;

/** The built-in profiles (docs of MODEL in the README); count receives their number. Static. */
SC_API const sc_player *sc_players(size_t *count);

/**
 * Parse "normal" or "block=256KiB,in-flight=1,read-ahead=1s,preroll=1s[,mode=frame][,buffer=8MiB][,io=buffered]";
 * a name may come first and be changed: "deep,in-flight=8". NULL or "" is "normal".
 * @return SC_OK; SC_NOT_FOUND for an unknown name; SC_INVALID_ARGUMENT for a bad key or value
 */
SC_API sc_status sc_player_parse(const char *text, sc_player *player, sc_error *error);
/**
 * Fill in defaults, of the built-in profile of that name where there is one, and check ranges; the
 * name becomes that of the profile with these values, else "custom", with ",io=buffered" or
 * ",io=direct" behind it where io is set; but a name of your own stays.
 * @return SC_OK or SC_INVALID_ARGUMENT
 */
SC_API sc_status sc_player_resolve(sc_player *player, sc_error *error);

/**
 * One stream's buffer in bytes: max(B m, F, q b) + b, never above buffer_cap_bytes where that is
 * set. b is the block, or F of a player that reads by frame. The player must be resolved.
 * @param bits_per_s           m, rate of the stream's busiest minute
 * @param largest_frame_bytes  F
 * @return SC_UNKNOWN for NULL
 */
SC_API int64_t sc_player_buffer_bytes(const sc_player *player, int64_t bits_per_s,
                                      int64_t largest_frame_bytes);

/**
 * Write a resolved player as sc_player_parse() reads it, every value of it:
 * "block=256KiB,in-flight=4,read-ahead=1.02s,preroll=1s,io=buffered"; times to the nanosecond.
 * 160 bytes are room enough.
 * @return SC_OK; SC_INVALID_ARGUMENT (NULL, not resolved, no room)
 */
SC_API sc_status sc_player_format(const sc_player *player, char *text, size_t size,
                                  sc_error *error);

/* ---- a player learned from a log of strace --------------------------------------------------
 */

/** A file that was read in the log. */
typedef struct sc_player_trace_file {
    const char *path; /**< digits that number the frames of a sequence are '#' */
    int64_t reads, bytes;
} sc_player_trace_file;

/** What a log shows of how a program reads, and the player that reads so. */
typedef struct sc_player_trace {
    char made_at[SC_TIME_MAX]; /**< when the log was read */
    sc_player player;          /**< resolved; its name is "from " and the log's own name */
    const char *expression;    /**< the same for sc_player_parse() */
    const char *path;          /**< of the log */
    const char *media;         /**< the file that the figures are of */
    int64_t reads, bytes;      /**< of it */
    double seconds;            /**< that its longest part took which was read forward */
    int64_t block_bytes;       /**< what most bytes were asked for by, or half of them by less */
    double block_share;        /**< of its bytes, those that were asked for by just this size */
    int32_t overlap;           /**< most reads of it that were seen in flight at once */
    int32_t threads;           /**< that read it; 64: or more */
    double in_order_share;     /**< of its bytes, those near the end of what was read before */
    double pace_bytes_per_s;   /**< that its reads settled to, negative: they did not */
    int64_t ahead_bytes;       /**< read ahead of that pace; SC_UNKNOWN where there is no pace */
    double ahead_s;            /**< the same by the pace, negative: not known */
    double read_p50_s;         /**< half of its reads took less, negative: not told */
    const sc_player_trace_file *files; /**< all that were read, most bytes first, at most 16 */
    size_t file_count;
    int64_t lines; /**< of the log */
    const sc_finding *findings;
    size_t finding_count;
} sc_player_trace;

/** All zero: the file of which most bytes were read, no progress, no cancel. */
typedef struct sc_player_trace_params {
    const char *media; /**< how the path of the file ends that is meant: "A003_C011.mov" */
    sc_control control;
} sc_player_trace_params;

/**
 * Learn a player from a log of strace 5 or newer, of the program that plays:
 *     strace -f -ttt -T -y -e trace=openat,read,readv,pread64,preadv,preadv2,lseek,close,mmap,\
 *         io_uring_enter,io_submit -o player.log PLAYER CLIP
 * -ttt, -tt, -t and -r tell the time, one of them has to; -f, -T and -y may lack, and so may calls.
 * It is read once, from its begin to the end that it has when it is opened, in some megabytes of
 * memory however long it is; a part of a line, or a call that lacks its end, is passed over.
 *
 * - block: the size that reads asked for where half of the bytes were asked for by that one; else,
 *   or where that is no multiple of 512 bytes, the mode is SC_READ_FRAME, and block the mean of the
 *   reads about the median.
 * - in_flight: the most reads that were begun and not ended at one time, seen at least twice.
 * - read_ahead_s: bytes read less those that playing took at the pace, in seconds of it, from
 *   the file's first read in this part of it on; the 95 % quantile of that after each read. The
 *   pace is a least squares line through bytes against time of the later half, or quarter, of the
 *   reads in the longest part of the file that is read forward. What plays later than it reads has
 *   more. Where reads never waited there is no pace, and where neither the file's opening nor reads
 *   that fill a buffer are in the log no begin: it is then that of the profile "normal".
 *   Frames are counted in place of bytes where the mode is SC_READ_FRAME; where it is not, a clip
 *   whose rate is another at its begin than later tells too much or too little.
 * - preroll_s: the default; no log tells when the picture began to move.
 * - io: as the file was opened.
 *
 * Findings say what is not known: "trace-short", "trace-unpaced", "trace-pace-varies",
 * "trace-cached", "trace-overlap-hidden", "trace-kernel-read-ahead", "trace-mapped",
 * "trace-hidden-reads", "trace-without-paths", "trace-no-open", "trace-random", "trace-clock",
 * "trace-other-files", "trace-preroll".
 * @param[out] trace  free with sc_player_trace_free(); NULL on failure
 * @return SC_OK; SC_NOT_FOUND (no such log, or no such file in it), SC_PERMISSION, SC_IO;
 *         SC_INVALID_ARGUMENT (NULL, a directory, no regular file); SC_INVALID_DATA (no log of
 *         strace, one without times, one in which no file is read); SC_CANCELLED; SC_NO_MEMORY
 */
SC_API sc_status sc_player_from_trace(const char *path, const sc_player_trace_params *params,
                                      sc_player_trace **trace, sc_error *error);
/** Free and null. NULL is accepted. */
SC_API void sc_player_trace_free(sc_player_trace **trace);

#ifdef __cplusplus
}
#endif
#endif
