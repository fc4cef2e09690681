/**
 * streamcalc/play.h: the answer proven: streams that are read at their own pace from the storage,
 * and the frames counted that came too late.
 */
#ifndef STREAMCALC_PLAY_H
#define STREAMCALC_PLAY_H

#include <streamcalc/measure.h>
#include <streamcalc/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/** When the streams begin. */
typedef enum sc_play_start {
    SC_START_STAGGERED = 0, /**< one after the other within one block's time, at most a second, as
                                 those of several people do */
    SC_START_ALIGNED        /**< all at once, as the angles of a multicam group do */
} sc_play_start;

/** "staggered", "aligned". */
SC_API const char *sc_play_start_name(sc_play_start start);

/** So many streams of one clip or format. Everything is borrowed for the call. */
typedef struct sc_play_item {
    const sc_demand *demand;
    const sc_frames
        *frames;     /**< of the clip, see sc_probe_params.frames; NULL or none: equal frames
                                  at the demand's rate */
    int32_t streams; /**< 0 or more */
} sc_play_item;

/** How one stream went. */
typedef struct sc_play_stream {
    const char *format;      /**< name of its demand */
    const char *path;        /**< the clip that its frames are those of; "" for equal frames */
    int64_t frames;          /**< due within the run */
    int64_t late_frames;     /**< whose last byte came after their due time, or never, as where a
                                  read failed */
    int64_t stalls;          /**< runs of late frames */
    double worst_lateness_s; /**< 0: none was late */
    double min_buffer_s;     /**< least time between a frame's arrival and its due time; negative:
                                  late; 0 where no frame was due */
    double
        lead_slope; /**< seconds of that time a second in the later half: negative where the buffer
                            shrinks */
    bool
        file_a_frame; /**< of a sequence: each frame was a file that was opened, read whole and closed */
    bool sustained;
} sc_play_stream;

/** What was played. */
typedef struct sc_playback {
    char made_at[SC_TIME_MAX];
    const char *path; /**< the storage */
    sc_player player;
    sc_cache_mode cache_requested, cache_effective;
    bool cold; /**< no byte came from this machine's cache, as far as shown */
    size_t stream_count;
    const sc_play_stream *streams; /**< of the run that is reported: the only one, or the longest of
                                        the largest number that was sustained */
    int64_t late_frames;           /**< of that run */
    bool sustained;
    int32_t largest_sustained; /**< of sc_play_find_max(); SC_UNKNOWN else */
    size_t trial_count;        /**< in the order in which they were run */
    const sc_paced_run *trials;
    size_t finding_count;
    const sc_finding *findings;
    sc_error error; /**< why it ended early, or SC_OK */
} sc_playback;

typedef struct sc_play_params {
    const sc_play_item *items;
    size_t item_count;
    sc_player player;    /**< zero: "normal" */
    sc_cache_mode cache; /**< default SC_CACHE_AUTO */
    double seconds;      /**< that frames are due in, after the preroll; 0: 20; 1 to 86400 */
    sc_play_start start;
    uint64_t seed; /**< of the frame that each stream begins with; the same seed, the same frames */
    double stall_s; /**< as of sc_measure_params */
    /* Of sc_play_find_max() alone. */
    size_t vary;         /**< item whose streams are varied, its `streams` being where to begin */
    int32_t max_streams; /**< of all; 0: 256, which is the most */
    double trial_s;      /**< of the shorter runs; 0: 6, and up to 4 more for a longer read-ahead */
    sc_control control;
} sc_play_params;

/**
 * Play streams from a file or directory, each on its own region of the largest files there, as
 * sc_measure() reads: a read as soon as the player's buffer (sc_player_buffer_bytes()) has room for
 * it. A frame leaves the buffer when it is due: on an absolute grid that begins with the stream's
 * start and its preroll, and that no lateness moves. Clips are looped, each stream from a frame of
 * its own. With a player that reads by frame each read is one frame, rounded up to the sectors of
 * direct I/O.
 *
 * Of a sequence of pictures (sc_frames.pattern) that lies on the file system of the path the files of
 * the frames themselves are played: each is opened when its turn has come, read whole in the player's
 * blocks, several in flight where the player has them, and closed; streams of one sequence begin as
 * far apart as they can. A file that is missing or shorter is a failed read, and its frame is late.
 * Where frames had to be read again the finding "sequence-read-again" says so; a sequence that lies
 * elsewhere is played from regions, with the finding "sequence-elsewhere".
 * @param[out] playback  owned by the caller; set on SC_OK; NULL else
 * @return as sc_measure(); SC_INVALID_ARGUMENT also for no stream at all or more than 256, and
 *         for frames that do not ascend in time or hold no bytes
 * Uses threads of its own; thread-safe, but what plays at once shares the storage.
 */
SC_API sc_status sc_play(const char *path, const sc_play_params *params, sc_playback **playback,
                         sc_error *error);

/**
 * The largest number of streams of one item that is sustained beside those of the others: runs of
 * trial_s from items[vary].streams on, by steps that double until one run is sustained and one is
 * not, and then halve; the number found is run for `seconds`, and one less where that is not
 * sustained, and so on. Numbers below are taken to be sustained. More streams than this machine has
 * threads and memory for are not tried: the finding "reader-limit" says where it was for that.
 * @param[out] playback  also set on SC_CANCELLED when one run at least is complete
 * @return as sc_play()
 */
SC_API sc_status sc_play_find_max(const char *path, const sc_play_params *params,
                                  sc_playback **playback, sc_error *error);

SC_API void sc_playback_free(sc_playback **playback);

#ifdef __cplusplus
}
#endif
#endif
