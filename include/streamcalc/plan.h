/**
 * streamcalc/plan.h: how many streams a storage and a link sustain, and what stops the next one.
 * Pure: no I/O, no clock, no randomness. The model is in the README.
 */
#ifndef STREAMCALC_PLAN_H
#define STREAMCALC_PLAN_H

#include <streamcalc/formats.h>
#include <streamcalc/measure.h>
#include <streamcalc/network.h>
#include <streamcalc/player.h>
#include <streamcalc/probe.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What one stream needs. A value; clip and trace.bytes are borrowed from the clip it was made from.
 */
typedef struct sc_demand {
    char name[SC_NAME_MAX];      /**< "ProRes 422 HQ 3840x2160 25", "168Mb/s" */
    const char *clip;            /**< path of the file that it was probed from; "" or NULL: none */
    int64_t mean_bits_per_s;     /**< over the whole clip */
    int64_t bits_per_s;          /**< m: of the busiest minute; what the counts use */
    int64_t largest_frame_bytes; /**< F */
    sc_rational frame_rate;      /**< 0/0 when unknown */
    double duration_s;           /**< negative: endless */
    sc_curve curve;              /**< E(W) */
    sc_trace trace;              /**< count 0 where there is none */
    sc_source source;
    bool found; /**< of a file that was probed, not of the catalogue */
} sc_demand;

/** A constant rate in equal frames, 25 a second for 0/0. @return SC_OK or SC_INVALID_ARGUMENT */
SC_API sc_status sc_demand_constant(int64_t bits_per_s, sc_rational frame_rate, sc_demand *demand,
                                    sc_error *error);
/** Parse "168Mb/s" (25 frames a second) or "168Mb/s@60". */
SC_API sc_status sc_demand_parse(const char *text, sc_demand *demand, sc_error *error);
/** From a catalogue row: constant, frames of frame_bytes where those are exact. */
SC_API sc_status sc_demand_from_format(const sc_format *format, sc_demand *demand, sc_error *error);
/** From a probed clip, which must outlive the demand. SC_INVALID_DATA for a clip with an error. */
SC_API sc_status sc_demand_from_clip(const sc_clip *clip, sc_demand *demand, sc_error *error);

/** What kind of constraint stops the next stream. */
typedef enum sc_limit_kind {
    SC_LIMIT_NONE = 0, /**< supply ran out of points before anything bound */
    SC_LIMIT_RATE,     /**< constraint (1): mean rates against throughput */
    SC_LIMIT_BURST,    /**< (2), (3): bytes due in a window against bytes delivered in one */
    SC_LIMIT_LATENCY,  /**< (3): one stream's reads in flight x block / round trip */
    SC_LIMIT_BUFFER,   /**< (4): a frame does not fit the buffer cap; window_s is 0 */
    SC_LIMIT_PLAYED    /**< none of them: so many were played, and were not sustained */
} sc_limit_kind;

/** "none", "rate", "burst", "latency", "buffer", "played". */
SC_API const char *sc_limit_kind_name(sc_limit_kind kind);
SC_API sc_limit_kind sc_limit_kind_from_name(const char *name);

typedef struct sc_limit {
    sc_limit_kind kind;
    const char *resource; /**< "storage", "link", "player"; "" for SC_LIMIT_NONE */
    double window_s;      /**< window at which it binds; negative: the long run */
    int32_t streams;      /**< number of streams at which it is broken: safe + 1 */
    /* The two sides of the inequality, of all streams that stand in it. Negative: not meant. */
    double needed_bytes;          /**< burst, buffer, and latency within a window */
    double available_bytes;       /**< the same */
    double needed_bytes_per_s;    /**< rate, and latency in the long run */
    double available_bytes_per_s; /**< the same */
    const char *text; /**< one line for a person: "rate: 2 streams need 166 of 83 MB/s of the
                               link" */
} sc_limit;

/** One format against one storage and one link. */
typedef struct sc_answer {
    const char *format;
    const char *clip; /**< the file it was probed from, or "" */
    bool found;       /**< see sc_demand.found */
    int64_t stream_bits_per_s;
    const char *storage;
    const char *link; /**< "" without a link */
    const char *player;
    int64_t safe;     /**< SC_UNKNOWN when not computed; at most 10^6 (then at_least) */
    int64_t likely;   /**< safe but for a small chance, see sc_plan.likely_probability; SC_UNKNOWN
                           for a stream without a trace, and when not computed */
    int64_t expected; /**< SC_UNKNOWN when not computed; at most 10^6 */
    int64_t naive;
    /** By the storage's paced runs of such streams, read as this player reads: the most that were
     * sustained, below the fewest that were not; SC_UNKNOWN where none were. They go before what is
     * computed: safe, likely and expected lie within them. With a reserve, and of a storage that was
     * measured beside writers, runs that were sustained do not count: they had all of the supply. */
    int64_t played_sustained, played_late;
    bool at_least;     /**< safe is a lower bound: supply ran out of points */
    bool extrapolated; /**< safe lies beyond the last measured point */
    bool upper_bound;  /**< supply was composed, measured with another player, or has
                            points without windows */
    bool required_met; /**< safe >= params.require */
    sc_limit limit;
    double headroom; /**< share of supply free at `safe` streams, 0 to 1, what was kept back
                          included; negative: unknown */
    double refill_s; /**< time to refill the buffers after a stall; negative: never */
} sc_answer;

/** Whether streams play together. */
typedef enum sc_verdict {
    SC_VERDICT_UNKNOWN =
        0, /**< not computed, or supply ran out of points before anything was broken */
    SC_VERDICT_HOLDS,
    SC_VERDICT_BREAKS
} sc_verdict;

/** "unknown", "holds", "breaks". */
SC_API const char *sc_verdict_name(sc_verdict verdict);
SC_API sc_verdict sc_verdict_from_name(const char *name);

/** One format of a mix: how many of it play, and how many more could. */
typedef struct sc_mix_part {
    const char *format;
    const char *clip; /**< see sc_answer */
    int64_t stream_bits_per_s;
    int64_t playing;
    int64_t
        more; /**< safe: so many more beside the mix; 0 where the mix breaks; SC_UNKNOWN where it
                       is unknown whether it holds */
    int64_t more_expected; /**< the same by replay; also SC_UNKNOWN where it is not computed */
    int64_t fewer;     /**< where the mix breaks: the least number of streams of this format that
                                have to go for the others to play; SC_UNKNOWN: not even all of them
                                are enough; 0 where the mix holds or is unknown */
    bool at_least;     /**< more is a lower bound: supply ran out of points */
    bool extrapolated; /**< the mix with `more` lies beyond the last measured point */
    sc_limit limit;    /**< what stops one more than `more`; of a mix that breaks, what breaks it */
} sc_mix_part;

/** Streams of several formats that play at the same time. */
typedef struct sc_mix {
    size_t part_count; /**< in the order of the demands; 0: none was asked about */
    const sc_mix_part *parts;
    int64_t streams; /**< all together */
    sc_verdict safe;
    sc_verdict likely; /**< holds where safe does, else see sc_plan.likely_probability; unknown
                            also where no stream has a trace */
    sc_verdict expected;
    sc_verdict played; /**< params.mix_played, which goes before what is computed */
    bool extrapolated; /**< the mix lies beyond the last measured point */
    bool upper_bound;  /**< see sc_answer */
    sc_limit limit;    /**< what is broken: with all streams, or else with the fewest of them with
                            which anything is; SC_LIMIT_NONE where it holds */
    double shortfall;  /**< by how much: needed / available - 1 of the limit; 0 where the mix holds;
                            negative: not known */
    double headroom;   /**< as of sc_answer, with the mix; negative: unknown */
    double refill_s;
} sc_mix;

/** So many of two formats that play together, and one more of neither does. */
typedef struct sc_frontier_pair {
    int64_t first, second;
    bool at_least; /**< supply ran out of points: more may play */
    /** What stops one more of each; SC_LIMIT_NONE where supply ran out, and in `expected`. */
    sc_limit_kind first_limit, second_limit;
} sc_frontier_pair;

/** What two formats leave each other: all pairs of which neither number can grow. */
typedef struct sc_frontier {
    const char *first, *second; /**< formats */
    size_t safe_count;          /**< by rising `first`; 0 where not even the others play */
    const sc_frontier_pair *safe;
    size_t expected_count; /**< by replay; 0 also where it is not computed */
    const sc_frontier_pair *expected;
} sc_frontier;

/** Most formats, and most pairs of two of them, that a frontier is found for. */
#define SC_FRONTIER_FORMATS_MAX 8
#define SC_FRONTIER_PAIRS_MAX   4096

/**
 * By which law throughput is carried on beyond the last measured point, that of n readers: the first
 * of these that fits. All but the flat one must foretell within 5 % the points of the last doubling
 * of readers from those before it, of which there have to be more than the law has parameters
 * (for contention more than three), and have every point within 5 % when it is fitted to all
 * of them, by least squares of the relative errors. They are carried on up to 4 n readers, and
 * throughput is never taken to rise above that of the last point: where the law says more, counts
 * are lower bounds unless a link ends them. Worst windows keep their share of the mean.
 */
typedef enum sc_supply_law {
    SC_LAW_NONE = 0, /**< none fits, or it is a bare rate or a link alone, the same for any n */
    SC_LAW_FLAT,     /**< within 5 % over two doublings; carried on without end */
    SC_LAW_LATENCY,  /**< X(n) = n q b / L_1: every reader waits for its own reads only */
    SC_LAW_SEEK,     /**< X(n) = b / (b/R + (1 - 1/n) t): a disk that seeks for t between readers */
    SC_LAW_CONTENTION, /**< as the next one with k = 0, which is Amdahl's law: it rises */
    /** X(n) = X(1) n / (1 + s (n - 1) + k n (n - 1)): Gunther's universal scalability law (Guerrilla
     * Capacity Planning, 2007), which falls in the end */
    SC_LAW_COHERENCY
} sc_supply_law;

/** "none", "flat", "latency", "seek", "contention", "coherency". */
SC_API const char *sc_supply_law_name(sc_supply_law law);
SC_API sc_supply_law sc_supply_law_from_name(const char *name);

/** Seconds of play that sc_plan.likely_probability is of. */
#define SC_LIKELY_S 60

typedef struct sc_plan {
    char made_at[SC_TIME_MAX];
    size_t answer_count; /**< in the order of the demands */
    const sc_answer *answers;
    sc_player player;
    double reserve;  /**< the headroom share that was kept back */
    int64_t require; /**< streams of every format that were asked for; 0: none */
    bool holds;      /**< every format reaches `require`, and the mix holds if there is one */
    sc_mix mix;      /**< of params.mix */
    /** Of params.frontier: of each two formats, (0, 1), (0, 2), ..., (1, 2), ... */
    size_t frontier_count;
    const sc_frontier *frontiers;
    /**
     * The statistical form of constraint (2), for streams that begin at places of their clips that
     * have nothing to do with each other, each place as likely as any, and are looped. With so many
     * as are `likely` this is at least the probability that in SC_LIKELY_S seconds of play no window
     * of the model, anywhere in them, leaves the streams together more short of the storage's worst
     * window of that length than the buffer of one of them, c, holds: sum of D_i(W) <= S_n(W) + c.
     * Streams share equally, so one of them may be short of all of it, and buffers that are not full
     * at the start count against c. Windows so short that the streams' worst moments fit are not
     * asked; all longer ones are. All other constraints are kept as in `safe`.
     *
     * By Chernoff's bound, ln P(sum of D_i > A) <= sum of ln E exp(s D_i) - s A for any s > 0, with
     * D(W) the bytes due in a window that begins anywhere in the clip's trace, never above E(W)
     * (effective bandwidths: Kelly, Notes on Effective Bandwidths, 1996), summed over all windows that
     * begin at a frame of any stream. For many streams it is the sum of means and a multiple of the
     * root of the summed variances (Knightly, Second Moment Resource Allocation, 1997); of few it
     * stays a bound. Streams without a trace are taken to need E(W) at all times.
     */
    double likely_probability;
    sc_supply_law law; /**< of the storage; the finding "extrapolated" where counts stand on it */
    size_t finding_count;
    const sc_finding *findings;
    sc_error error; /**< SC_OK from sc_plan_solve(). A caller that could not read all that it was
                         to plan for, or was cancelled, sets it before the plan is written */
} sc_plan;

typedef struct sc_plan_params {
    const sc_demand *demands;
    size_t demand_count;
    const sc_storage *storage; /**< NULL only where link is set: the link alone is the supply */
    const sc_link *link;       /**< NULL: no link between (or it was measured through) */
    sc_player player;          /**< zero: the storage's own where measured, else "normal" */
    double reserve;            /**< share of supply kept back, 0 to 0.95; default 0 */
    int64_t require;           /**< see sc_plan.require */
    const int64_t *mix;        /**< streams of each demand that play together, demand_count numbers,
                                    at most 10^6 in all: does it hold, and how many more of each?
                                    NULL: no mix */
    sc_verdict mix_played;     /**< what playing just this mix has shown; default unknown */
    bool frontier;             /**< find what each two of the demands leave each other, beside what
                                    `mix` says of the others, or none of them; of 2 to 8 demands */
    bool warm_start;           /**< buffers full at the start; default cold */
    bool trust;                /**< plan with supply that carries a problem finding */
    double likely_probability; /**< see sc_plan; 0.5 to 0.999999; 0: 0.99 */
    int32_t draws; /**< of the replay that gives the expected count, 1 to 10000; 0: 20; negative:
                        it is not computed, which is a thousand times faster */
    uint64_t seed; /**< of the draws: the same seed, the same count */
    const char *made_at; /**< time stamp of the document; NULL: "" */
} sc_plan_params;

/**
 * Safe, likely, expected and naive counts of each demand alone.
 *
 * Expected: the largest number whose streams, begun at places that are drawn, have no late frame for
 * 20 s in 95 % of the draws. Bytes come as they came in the measured run of the nearest number of
 * readers, from a place in it that is drawn; in each step as many as so many readers got as have room
 * in their buffers, shared equally among them, and of use only in whole blocks. At most the link's.
 * @return SC_OK; SC_INVALID_ARGUMENT; SC_INVALID_DATA for a storage whose curves contradict
 *         themselves; SC_NO_MEMORY
 * A supply that carries a problem finding gives null counts with that finding unless trust is set.
 * Findings: "composed-supply", "link-alone" and "other-player" (each makes the counts upper
 * bounds), "extrapolated", "partial-measurement", "no-single-reader", "no-windows", "no-curve", "frame-mode",
 * "count-capped", one of "assumption-latency", "assumption-seeks", "assumption-throughput",
 * "assumption-depth", "assumption-burst" and "assumption-unknown" where the storage's paced runs
 * contradict what was computed (by their `reads`: under that load reads took longer or less long
 * than what was measured says; the same of a storage that seeks; more came than was measured; one
 * stream's reads in flight brought less than by the latency of one reader; the worst windows were
 * worse than those seen, or did not meet; or what the run saw does not tell), "mix-not-replayed" (more than 64 formats), "frontier-too-long" (more than 4096
 * pairs: they are left out), "frontier-not-replayed" (more than 64), and the problems of the
 * storage under their own codes.
 *
 * A mix is safe where sc_plan_admits() says so. More than 64 streams are replayed by 64 that stand
 * for them, at least one of each format. The storage's paced runs are of one rate alone: they go
 * before what is computed in a mix whose streams all have that rate; of any other mix they only say
 * that it breaks, where it has as many of that rate as were not sustained alone.
 * Thread-safe.
 */
SC_API sc_status sc_plan_solve(const sc_plan_params *params, sc_plan **plan, sc_error *error);

/**
 * Whether a mix of streams is admitted: constraints (1) to (4) for every sub-mix that the model
 * names. counts[i] streams of params->demands[i], together at most 10^6.
 * @param[out] limit  the constraint that is broken, or SC_LIMIT_NONE; may be NULL. text is "".
 * @return as sc_plan_solve(); SC_INVALID_DATA also for a problem of the storage without trust. A
 *         mix beyond the last point of a supply that cannot be carried on is not admitted, with
 *         SC_LIMIT_NONE.
 */
SC_API sc_status sc_plan_admits(const sc_plan_params *params, const int64_t *counts, bool *admitted,
                                sc_limit *limit, sc_error *error);

SC_API void sc_plan_free(sc_plan **plan);

#ifdef __cplusplus
}
#endif
#endif
