/* Internal parts of plan: demand and supply as the constraints of the model see them. */
#ifndef SCI_PLAN_H
#define SCI_PLAN_H

#include "core/core.h"

#include <streamcalc/plan.h>

__extension__ typedef __int128 sci_wide;

enum {
    SCI_STREAMS_MAX = 1000000, /* no count goes beyond it; answers there say "at least" */
    SCI_READERS_MAX = 65536    /* most readers of a supply point */
};

/* ---- demand ---- */

/* Constant, in equal frames of exactly frame_bytes where that is not 0. name is left alone. */
sc_status sci_demand_fill(int64_t bits_per_s, int64_t frame_bytes, sc_rational frame_rate,
                          sc_demand *demand, sc_error *error);
/* Whether the figures can be planned with. */
sc_status sci_demand_check(const sc_demand *demand, sc_error *error);
/* E(W) for any W, from above: the next window of the curve that is as long, or several shorter ones
   that cover it (any window is covered by closed windows that touch). */
double sci_demand_bytes(const sc_demand *demand, double window_s);

/* ---- supply ---- */

/* How throughput goes on beyond the last point. */
typedef struct sci_law {
    sc_supply_law kind;
    int64_t last;      /* readers of the last point */
    int64_t reach;     /* it is carried on up to so many */
    double weights[3]; /* n / X(n) = weights[0] + weights[1] (n - 1) + weights[2] n (n - 1) */
    double part;       /* X(last) by the law, of what was measured; 1 where that is more */
} sci_law;

/* Of a storage with points. */
sci_law sci_law_find(const sc_storage *storage);
/* X(n) of X at the last point, for n from there up to the reach. It never rises, since nobody saw what
   the storage can do beyond. capped: the law says clearly more. */
double sci_law_part(const sci_law *law, int64_t n, bool *capped);

typedef struct sci_supply {
    size_t point_count; /* 0: the link alone */
    const sc_supply_point *points;
    bool constant;           /* the first point holds for every n and is exact for any window */
    sci_law law;             /* where it is not constant */
    int64_t link_bits_per_s; /* C; INT64_MAX without a link */
    double rtt_s;
    const sc_link *link; /* NULL: none */
    int64_t kept_ppb;    /* share of supply that may be used, in 10^-9: decimal shares are exact */
    double latency_s;    /* L_1: of one reader, 0 when not known */
    double step_s;       /* windows shorter than it are not used */
    int64_t peak_bits_per_s; /* max over n of X(n), for the naive count */
} sci_supply;

/* Supply for one number of streams: between the points a and b, or a alone. */
typedef struct sci_supply_at {
    const sci_supply *supply;
    const sc_supply_point *a, *b;
    double share_b;         /* 0 to 1: how far in log2 n between a and b */
    double part;            /* below the first point, and beyond the last: share of it, else 1 */
    bool capped;            /* X(n) is the last point's, where its law says more */
    int64_t bits_per_s;     /* X(n) */
    int64_t all_bits_per_s; /* the same with nothing kept back */
    bool by_link;           /* the link makes X(n) */
} sci_supply_at;

/* Bytes of a window, and whether the link makes them. */
typedef struct sci_supplied {
    double bytes;
    bool by_link;
} sci_supplied;

/* storage or link may be NULL. @return SC_OK or SC_INVALID_DATA, SC_INVALID_ARGUMENT */
sc_status sci_supply_init(sci_supply *supply, const sc_storage *storage, const sc_link *link,
                          double reserve, sc_error *error);
/* The last n that was measured; 0 where supply is the same for every n. */
int64_t sci_supply_measured(const sci_supply *supply);
/* False when nothing is known of n streams but that the link is not exceeded. */
bool sci_supply_seek(const sci_supply *supply, int64_t n, sci_supply_at *at);
/* The same with no more known than the link. */
sci_supply_at sci_supply_of_link(const sci_supply *supply);
/* S_n(W). */
sci_supplied sci_supply_window(const sci_supply_at *at, double window_s);

/* ---- admission ---- */

/* Streams that need the same. */
typedef struct sci_type {
    const sc_demand *demand;
    int64_t count;
    int64_t before; /* streams of the types in front of it */
    double credit_bytes;
    double read_bytes;       /* bytes of one read, on average */
    double pipe_bytes_per_s; /* q b / (L_1 + rtt); HUGE_VAL without a latency */
} sci_type;

/* What one stream of a type needs in the window that is being looked at. */
typedef struct sci_need {
    const sci_type *type;
    double due_bytes, credit_bytes;
} sci_need;

/* How bytes due in a window are spread, of streams that begin anywhere in their clips: Chernoff's
   bound on what needs more than a supply. */
typedef struct sci_odds {
    double *log_moments; /* ln E exp(s D(W)), of each window, type and scale s */
    double log_tries;    /* of how many windows none may break it, and how seldom: of one stream */
} sci_odds;

typedef struct sci_mix {
    sci_supply supply;
    sc_player player;
    bool warm;
    size_t window_count;
    double *window_s;     /* of all curves, ascending */
    double *due_bytes;    /* E(W): type_count of each window, in the order of types */
    size_t type_count;    /* those of which there are any */
    sci_type *types;      /* by falling rate */
    sci_need *needs;      /* scratch of type_count */
    const sci_odds *odds; /* (2) may be broken as seldom as they say; NULL: never */
} sci_mix;

/* Whose bytes stand on both sides of an inequality. */
typedef enum sci_share {
    SCI_SHARE_OF_ALL, /* of the n streams together */
    SCI_SHARE_ALONE,  /* one stream's, on an idle storage */
    SCI_SHARE_LEFT    /* one stream's, beside the others */
} sci_share;

/* A constraint that is broken, with what it takes to say so. */
typedef struct sci_breach {
    sc_limit limit; /* text is "" */
    const sci_type *type;
    sci_share share;
} sci_breach;

/* mix->supply, player and warm are set already; counts NULL: no bound on any. What it allocates
   belongs to the arena. */
sc_status sci_mix_init(sci_mix *mix, const sc_demand *demands, size_t count, const int64_t *counts,
                       sci_arena *arena, sc_error *error);
/* The numbers of the types; each at least 1. */
void sci_mix_recount(sci_mix *mix);
/* Sum of the rates of the n streams of highest rate. */
sci_wide sci_mix_top_bits_per_s(const sci_mix *mix, int64_t n);
/* Fill mix->needs for a window, in the order of types, where a cold player was given fair_bytes
   before the first frame was due. */
void sci_mix_fill_needs(const sci_mix *mix, size_t window, double fair_bytes);
/* By falling E(W) - c. */
void sci_mix_sort_needs(const sci_mix *mix);
/* Constraints (1) to (4) for the worst n streams of the mix. */
bool sci_mix_holds_at(const sci_mix *mix, int64_t n, sci_breach *breach);
/* The same for every n up to total, which is the sum of the counts. breach is of the first n that
   is broken; NULL: that does not matter, and a broken total is found out at once. */
bool sci_mix_admits(const sci_mix *mix, int64_t total, sci_breach *breach);

/* Whether any stream of the mix has a trace to tell the odds from. */
bool sci_odds_known(const sci_mix *mix);
/* Of a mix that is made, so that (2) is kept for SC_LIKELY_S with this probability. False without
   memory. */
bool sci_odds_make(sci_odds *odds, const sci_mix *mix, double probability, sci_arena *arena);
/* Whether so many streams of mix->needs, in their order, and any fewer of them, lack more in a window
   of so many bytes than the buffer of one of them holds as seldom as the odds of n streams say. False
   without odds. From the first window on that is too short for their worst moments all longer ones have to
   be allowed: streams that share equally catch up only when nobody lacks anything. */
bool sci_odds_allow(const sci_mix *mix, size_t window, int64_t streams, int64_t n, double bytes);

/* Supply, player and demands of the call, checked; findings of the storage are not looked at. */
sc_status sci_plan_prepare(const sc_plan_params *params, sci_mix *mix, sc_error *error);
/* The first problem of the storage, unless it is trusted; NULL when there is none. */
const sc_finding *sci_plan_problem(const sc_plan_params *params);

/* Whether the storage was measured and played with as this player reads. */
bool sci_plan_was_read_so(const sc_storage *storage, const sc_player *player);
/* Share of supply that so many streams leave free, and how long their buffers, of credit_bytes all
   together, take to fill with that: buf rho / (1 - rho). What is not known is left alone. */
void sci_plan_headroom(const sci_mix *mix, int64_t streams, sci_wide used_bits_per_s,
                       double credit_bytes, double *headroom, double *refill_s);
/* Draws of the replay, 0 where none is to be made. */
int32_t sci_plan_draws(const sc_plan_params *params);
double sci_plan_likely_probability(const sc_plan_params *params);

/* ---- what was played ---- */

/* Of runs of streams of one rate: the most that were sustained below the fewest that were not;
   SC_UNKNOWN where none were. Where supply is kept back, or was shared with writers, sustained runs
   do not count. */
typedef struct sci_played_edge {
    int64_t sustained, late;
} sci_played_edge;

sci_played_edge sci_played_find(const sc_plan_params *params, const sc_demand *demand);
/* Take the storage's paced runs of this demand into the answer, whose counts are computed. */
void sci_played_apply(sc_answer *answer, const sc_plan_params *params, const sc_demand *demand);

/* Findings on which assumption failed where runs of this demand contradict what was computed of it, the
   answer before sci_played_apply(); "assumption-..." as sc_plan_solve() has them. False without memory. */
bool sci_calibrate(sci_findings *findings, const sci_mix *mix, const sc_storage *storage,
                   const sc_answer *computed, const sci_played_edge *edge);

/* ---- search ---- */

typedef bool (*sci_holds_fn)(void *data, int64_t n);
/* The largest n up to `most` that holds, where what holds for n holds for less; 0 where none does.
   It is looked for outwards from `near`. */
int64_t sci_largest(sci_holds_fn holds, void *data, int64_t near, int64_t most);
/* The largest n of which every n' up to it holds, of a mix of one type. breach: of n + 1, where n is
   below SCI_STREAMS_MAX. */
int64_t sci_mix_largest(const sci_mix *mix, sci_breach *breach);

/* ---- mixes ---- */

/* Whether params->mix and params->frontier can be answered. */
sc_status sci_plan_check_mix(const sc_plan_params *params, sc_error *error);
/* plan->mix and plan->frontiers; base has the supply and the player. */
sc_status sci_plan_add_mix(sc_plan *plan, const sc_plan_params *params, const sci_mix *base,
                           sci_findings *findings, sc_error *error);
sc_status sci_plan_add_frontiers(sc_plan *plan, const sc_plan_params *params, const sci_mix *base,
                                 sci_findings *findings, sc_error *error);

/* plan->law, and a finding where counts stand on it. */
bool sci_plan_add_law(sc_plan *plan, const sci_law *law, sci_findings *findings);

/* ---- words ---- */

/* No constraint at so many streams. */
sc_limit sci_no_limit(int64_t streams);
/* One line for a person; NULL without memory. */
const char *sci_breach_text(const sci_breach *breach, const sci_mix *mix, sci_arena *arena);

#endif
