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

#ifdef __cplusplus
}
#endif
#endif
