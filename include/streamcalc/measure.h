/**
 * streamcalc/measure.h: what a storage path really delivers to an editing program: throughput and
 * latency against the number of readers, read cold in the player's own read sizes.
 */
#ifndef STREAMCALC_MEASURE_H
#define STREAMCALC_MEASURE_H

#include <streamcalc/player.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sc_cache_mode {
    SC_CACHE_AUTO = 0, /**< as the player reads; where that is not known, the first of the next two
                            that works */
    SC_CACHE_DIRECT,   /**< O_DIRECT, proven with one read */
    SC_CACHE_DROPPED,  /**< buffered reads, dropped before and shown not to be in the page cache */
    SC_CACHE_WARM      /**< as it comes: figures may be the cache's */
} sc_cache_mode;

/** "auto", "direct", "dropped", "warm". */
SC_API const char *sc_cache_mode_name(sc_cache_mode mode);
/** @return SC_OK or SC_INVALID_ARGUMENT */
SC_API sc_status sc_cache_mode_parse(const char *text, sc_cache_mode *mode, sc_error *error);

/** The block devices below a path. Where there are several disks, texts name each that differs. */
typedef struct sc_disk_facts {
    const char *name;       /**< whole disks: "nvme0n1"; "sda, sdb, sdc" */
    const char *model;      /**< as the disk tells it */
    const char *transport;  /**< "nvme", "nvme-tcp", "nvme-rdma", "nvme-fc", "sata", "sas", "usb",
                                "virtio", "mmc", "scsi", "fc", "iscsi", "loop", "nbd", "rbd",
                                "drbd", "xen", "firewire", "hyperv", "memory" */
    const char *chain;      /**< "dm-0 (lvm) on md0 (raid5) on sda, sdb, sdc"; partitions are passed
                                over, and with several devices that have others below them each
                                stands in brackets */
    int64_t bus_bits_per_s; /**< raw speed of the slowest of their buses (USB, SATA, PCIe), where
                                 each tells; SC_UNKNOWN */
} sc_disk_facts;

/** The way to the server of a network mount or of a network block device. */
typedef struct sc_route_facts {
    const char *address;   /**< of the server, from the mount; names are not looked up */
    int32_t this_machine;  /**< 1: the server's address is one of this machine's; 0; SC_UNKNOWN */
    const char *interface; /**< that the route table leads through: "enp3s0". Routes by rule
                                 (policy routing) are not looked at */
    const char *chain;     /**< "bond0.20 (vlan) on bond0 (802.3ad) on eno1, eno2" */
    int64_t bits_per_s;    /**< speed of the link; of a wireless one its bit rate now, which moves;
                                 SC_UNKNOWN, also for tunnels and the like, whose figure is made
                                 up */
    const char *duplex;    /**< "full", "half" */
    const char *state;     /**< "up", "down" and others of RFC 2863, as the kernel shows them */
    int32_t mtu_bytes;     /**< SC_UNKNOWN */
    int32_t wireless;      /**< 1 yes, 0 no, SC_UNKNOWN */
} sc_route_facts;

/** What could be learned of the path without being root. Unknown strings are "". */
typedef struct sc_storage_facts {
    const char *mount_point;
    const char *file_system; /**< "ext4", "nfs4", "fuse.sshfs", "tmpfs" */
    const char *device;      /**< source of the mount: "/dev/sda1", "//nas/media" */
    const char *options;     /**< mount options as the kernel shows them */
    bool read_only;
    bool network; /**< a network file system; false also for what is not known: a FUSE mount of a
                       program not in the list, a loop device whose image lies on one */
    bool
        memory; /**< no storage at all: tmpfs and the like, what the kernel makes up (/proc, /sys), and
                       what lies on them: an image, a layer of an overlay, a RAM disk */
    bool fuse;
    const char *fuse_kind;    /**< program behind a FUSE mount: "sshfs", "rclone" */
    int64_t read_ahead_bytes; /**< of the kernel for this mount; 0: none; SC_UNKNOWN */
    int64_t
        read_request_bytes;   /**< largest read that the mount sends at once: rsize of NFS and SMB,
                                     msize of 9p, max_read of FUSE up to 1 MiB, beyond which the
                                     kernel splits it; SC_UNKNOWN */
    int32_t connections;      /**< to the server: nconnect of NFS, max_channels of SMB; SC_UNKNOWN
                                     where the options do not tell */
    const char *protocol;     /**< version of the network protocol: "4.2", "3.1.1" */
    const char *cache_option; /**< cache= of SMB and 9p; "fsc" where the mount keeps a copy on a
                                     local disk */
    int32_t rotational;       /**< 1 yes, 0 no, SC_UNKNOWN */
    int32_t cache_below;      /**< 1: a cache below the file system that no read bypasses (loop
                              device without direct I/O), 0 none known, SC_UNKNOWN */
    sc_disk_facts disk;
    const char *server; /**< of a network mount; "" where its source is a name that only the program
                             behind it knows (rclone, s3fs) */
    sc_route_facts route;
    int64_t free_bytes; /**< SC_UNKNOWN when not known */
} sc_storage_facts;

/** The supply for one number of concurrent readers. Unknown latencies are negative. */
typedef struct sc_supply_point {
    int32_t readers;
    /** X(n), all readers together; a multiple of 1/8. Reads that were under way when the timed part
     * began or ended count by their share of time. */
    double mean_bytes_per_s;
    double median_bytes_per_s; /**< of the 1 s windows; negative below 4 s: there are too few */
    double
        p05_bytes_per_s; /**< likewise; a plan then goes on as from the second longest window to the
                                longest */
    /** Of one read that began within the timed part; quantiles only where there are samples enough:
     * 20, 100 and 1000 for p95, p99 and p999. */
    double latency_p50_s, latency_p95_s, latency_p99_s, latency_p999_s, latency_max_s;
    double longest_gap_s; /**< longest time in which no reader received anything */
    int32_t window_count; /**< windows ascend, all at most a quarter of the run */
    double window_s[SC_WINDOWS_MAX];
    int64_t
        worst_window_bytes[SC_WINDOWS_MAX]; /**< S_n(W): fewest bytes delivered in any window; the
                                1 % quantile where there are 100 or more independent windows */
    double series_step_s;                   /**< 0.02 */
    size_t series_count;
    const int64_t *series_bytes; /**< c_n(t): bytes that arrived in each step, after the warm-up */
    bool cold;       /**< no byte of it came from this machine's cache, as far as shown */
    int64_t samples; /**< reads timed */
    double seconds;  /**< length of the timed part */
    /** What with_writers of the storage wrote in the timed part, all together; 0: there were none. */
    double writers_bytes_per_s;
} sc_supply_point;

/** How long single reads at scattered places took. Unknown times are negative: p95 takes 20
 * samples, p99 100. */
typedef struct sc_jump_times {
    int32_t readers; /**< that read flat out meanwhile; 0: none */
    int64_t samples; /**< 0: not measured */
    double p50_s, p95_s, p99_s, max_s;
} sc_jump_times;

/** Scrubbing: the time to the first frame after a jump, one read of read_bytes at a place that was
 * not read just before. Seen from one reader with one read in flight. */
typedef struct sc_scrub {
    int64_t read_bytes; /**< 0: not measured */
    sc_jump_times idle; /**< nothing else was read */
    /** The first of the same places a second time, still idle, where reads are direct. Much faster
     * ones came from a cache behind this path (of a server, controller or drive); equal ones: there
     * is none, or it held all of it before. */
    sc_jump_times again;
    sc_jump_times loaded; /**< as many readers as first reached 95 % of the best throughput */
} sc_scrub;

/** How late this machine asked for its reads, against when it could have: when the buffer had room and
 * one of the stream's reads in flight was free. What the storage takes is not in it. */
typedef struct sc_play_jitter {
    double p50_s, p99_s, max_s;
} sc_play_jitter;

/** The reads of streams that are played at their pace: what can be held against the assumptions of a
 * plan. */
typedef struct sc_paced_reads {
    int64_t samples;     /**< 0: not known */
    double mean_bytes;   /**< of a read */
    double mean_s;       /**< that a read took */
    double p50_s, p99_s; /**< the same, as quantiles */
    double max_s;
    double
        busy; /**< reads in flight, as a share of those that the player may have, on average, 0 to
                      1: near 1 all streams waited for data all the time, and together got as much as
                      there was */
} sc_paced_reads;

/** One run of so many streams that were played at their pace (streamcalc/play.h). Plans for such
 * streams count with those that a storage keeps. */
typedef struct sc_paced_run {
    int32_t streams;    /**< all together */
    int64_t bits_per_s; /**< of one stream, its busiest minute; 0: they were not of one kind */
    double seconds;     /**< that frames were due in */
    int64_t frames, late_frames;
    int64_t failed_reads;
    double worst_lateness_s; /**< 0: none was late */
    double min_buffer_s;     /**< the least time between a frame's arrival and its due time;
                                  negative: late */
    double lead_slope;       /**< seconds of that time a second in the later half, the lowest of a
                                  stream; negative: its buffer shrinks */
    sc_paced_reads reads;
    sc_play_jitter jitter; /**< finding "player-late": it is no less than the worst lateness */
    bool
        sustained; /**< no frame was late, no read failed, and at its slope no stream's buffer would
                         be empty within 60 s, or 20 times the read-ahead where that is longer */
    bool cold;     /**< as of a supply point */
} sc_paced_run;

/** A storage path as measured, imported, or given as a bare rate. */
typedef struct sc_storage {
    char made_at[SC_TIME_MAX];
    const char *path; /**< "" for a bare rate */
    const char *name; /**< label for people: the path, or the expression */
    sc_source source; /**< SC_SOURCE_MEASURED, _GIVEN, _IMPORTED */
    bool constant;    /**< true: X(n) = X(1) and S_n(W) = X W for every n (a bare rate) */
    sc_storage_facts facts;
    sc_player player; /**< what was read with */
    sc_cache_mode cache_requested;
    sc_cache_mode cache_effective;
    bool cache_proven;           /**< the effective mode was shown to bypass the cache */
    const char *cache_reason;    /**< how it is known, or why not */
    double buffered_bytes_per_s; /**< where points were read directly: what one reader gets through
                                    the page cache, dropped before, with the kernel's read-ahead;
                                    0: not measured */
    size_t point_count;          /**< ascending number of readers */
    const sc_supply_point *points;
    int32_t with_writers; /**< streams that wrote flat out while all points were read; 0: none */
    size_t write_point_count;            /**< 0: writes were not measured */
    const sc_supply_point *write_points; /**< of 1, 2, ... writers (in `readers`), without reads */
    bool write_synced; /**< each write was followed by fdatasync within its time; else O_DIRECT */
    sc_scrub scrub;
    size_t paced_count; /**< see sc_storage_keep_paced() */
    const sc_paced_run *paced;
    size_t finding_count;
    const sc_finding *findings;
    sc_error error; /**< why a measurement ended early (SC_CANCELLED, ...), or SC_OK */
} sc_storage;

typedef struct sc_measure_params {
    sc_player player;    /**< zero: "normal" */
    sc_cache_mode cache; /**< default SC_CACHE_AUTO: as the player's io says, else directly where
                            that works. One that contradicts the io is SC_INVALID_ARGUMENT */
    int64_t lowest_stream_bits_per_s; /**< lowest-rate format that will be asked for: points go on
                                    to its naive count, at most max_readers; 1 to 1e15; 0: 64
                                    Mb/s */
    int32_t max_readers;              /**< 0: 64; 1 to 256 */
    double seconds;                   /**< for the whole measurement; 0: 18.5; 1 to 86400 */
    int64_t scrub_bytes;              /**< of a read after a jump, a frame; 0: the player's block;
                                    at most 1 GiB; negative: jumps are not measured */
    double warm_up_s;     /**< discarded at the start of each point; 0: 0.5; at most half of
                                    `seconds`; negative: none */
    double stall_s;       /**< longest time without a byte of a read, or an answer; 0: 10; 0.05 to
                                    86400 */
    int64_t create_bytes; /**< measure test data of this size, made for it in the directory, and not
                                    what is there: 16 MiB to 16 TiB; 0: none */
    bool write; /**< measure writes, too: into test data of create_bytes, or 1 GiB of it, made for
                     that alone; takes the last quarter of `seconds` */
    int32_t with_writers; /**< so many streams write flat out while reads are measured, into the
                     second half of create_bytes, or 1 GiB made for that alone; 0: none; at most
                     64 */
    sc_control control;
} sc_measure_params;

/**
 * Measure a file or a directory: n = 1, 2, 4, ... readers, each on its own region of the largest
 * files there, through links to files but not to directories, and on the file system of the path
 * alone. Writes nothing unless create_bytes, write or with_writers ask for it. Where there is less
 * data than the run reads, it is read again: directly, or after it was dropped, with the finding
 * "data-read-again"; what could not be shown to be cold is marked so. A read that fails does not
 * end the others: the finding "read-errors", or "files-changed" where a file was deleted, cut or
 * replaced by another one, names the first one. Of `seconds` a quarter may go into finding the
 * files; more comes on top, with the finding "slow-listing". Writes beside
 * them that fail are the finding "write-errors"; where a writer gives up the measurement ends.
 * Storage that does not answer within stall_s ends the call with SC_STALLED; threads that are stuck
 * in the kernel are left behind and free what they hold when they come back.
 *
 * With create_bytes the path must be a directory. Noise is written into it, which neither
 * compresses nor repeats, in up to 128 files named ".streamcalc-test-PID-TIME-NUMBER.bin" that did
 * not exist before and that only their owner may read, and synced; only these are read. As much as
 * 1 GiB, or 5 % of the volume where that is more, must stay free beside them. `seconds` begins
 * after that. The files are removed whatever the result; what could not be, since the storage no
 * longer answers, is named in the finding "test-data-left" or at the end of the error's message.
 * What a run that was killed left in the directory is the finding "leftover-test-data", see
 * sc_measure_remove_leftovers().
 *
 * Writes are those of an export or ingest: the player's block with its number of writes in flight a
 * stream, one behind the other in a region, flat out, over the data that was created. What is
 * written is noise, new each time. O_DIRECT where that works and the block is whole 4 KiB, else
 * each write ends with its fdatasync, so that no page cache is measured. One writer, two, and where
 * `seconds` is 36 or more four.
 * @param[out] storage  owned by the caller; set on SC_OK, and on SC_CANCELLED and read errors when
 * at least one point is complete (storage->error says so); NULL else
 * @return SC_OK, SC_NOT_FOUND, SC_PERMISSION, SC_IO (no reader could go on), SC_STALLED,
 *         SC_INVALID_ARGUMENT, SC_UNSUPPORTED (nothing there that can be measured: an empty
 *         directory, a 0-byte file), SC_NO_MEMORY, SC_CANCELLED
 * Uses threads of its own; thread-safe, but two measurements at once measure each other.
 */
SC_API sc_status sc_measure(const char *path, const sc_measure_params *params, sc_storage **storage,
                            sc_error *error);

/** What sc_measure_remove_leftovers() removed. */
typedef struct sc_leftovers {
    int32_t files;
    int64_t bytes;
    int32_t failed;          /**< found, but could not be removed */
    char names[SC_TEXT_MAX]; /**< of the first ones, with commas between them */
} sc_leftovers;

/**
 * Remove test data that a killed measurement left in a directory (not in those below it). Removed
 * are regular files of the calling user alone that are named
 * ".streamcalc-test-PID-TIME-NUMBER.bin", begin with the bytes of such a file, and whose process
 * was one of this machine (by its host name and machine-id(5)) and of the same PID namespace (a
 * container has its own) and is gone, or that are older than seven days. Links are not followed.
 * @param params  its stall_s and control count; NULL: defaults
 * @param[out] removed  may be NULL; on SC_CANCELLED and SC_STALLED all zero, though files may have
 *         been removed
 * @return SC_OK, also when there was nothing; SC_NOT_FOUND; SC_PERMISSION, also when some files
 *         could not be removed; SC_INVALID_ARGUMENT, SC_IO, SC_STALLED, SC_NO_MEMORY, SC_CANCELLED
 * Thread-safe.
 */
SC_API sc_status sc_measure_remove_leftovers(const char *path, const sc_measure_params *params,
                                             sc_leftovers *removed, sc_error *error);

/**
 * Add a run to what is known of the storage. It is copied; storage->paced may move.
 * @return SC_OK, SC_INVALID_ARGUMENT (a NULL), SC_NO_MEMORY
 * Changes the storage: no other thread may use it meanwhile.
 */
SC_API sc_status sc_storage_keep_paced(sc_storage *storage, const sc_paced_run *run,
                                       sc_error *error);

/**
 * A storage that delivers a constant rate to any number of readers, from "83MB/s".
 * @param[out] storage  owned by the caller; NULL on failure
 * @return SC_OK, SC_INVALID_ARGUMENT (see sc_parse_rate()), SC_NO_MEMORY
 */
SC_API sc_status sc_storage_from_rate(const char *expression, sc_storage **storage,
                                      sc_error *error);

/** Free with all that it points to, and null; NULL and a NULL in it are fine. */
SC_API void sc_storage_free(sc_storage **storage);

#ifdef __cplusplus
}
#endif
#endif
