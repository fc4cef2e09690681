#include "plan/replay.h"

#include <math.h>

/* Of each draw, after the preroll; overloads too small to show in it are told by the means. */
static const double PLAYED_S = 20;
static const double STEP_S = 0.02;      /* where no series was measured */
static const double LATE_DRAWS = 0.05;  /* the share that may have a late frame */
static const double STAGGER_MOST_S = 1; /* as players start */
static const double HALF_A_BYTE = 0.5;
/* More streams are so many that stand for them: what one of them does to the sum is less than a
   step of the series. */
enum { STREAMS_MAX = SCI_REPLAY_TYPES_MAX };

/* ---- demand ---- */

static double frames_a_step(const sc_demand *demand)
{
    return sc_rational_value(demand->frame_rate) * demand->trace.step_s;
}

bool sci_cadence_make(sci_cadence *cadence, const sc_demand *demand, sci_arena *arena)
{
    const sc_trace *trace = &demand->trace;
    const double fps = sc_rational_value(demand->frame_rate);
    const bool traced = trace->count > 0 && trace->step_s > 0;
    *cadence = (sci_cadence){.step_s = traced ? trace->step_s : 1 / (fps > 0 ? fps : 25),
                             .count = traced ? trace->count : 1};
    cadence->coarse = traced && frames_a_step(demand) > 1.5;
    cadence->due_bytes = sci_arena_alloc(arena, cadence->count, sizeof *cadence->due_bytes);
    if (!cadence->due_bytes)
        return false;
    double due = 0;
    for (size_t i = 0; i < cadence->count; i++) {
        due += traced ? (double)trace->bytes[i] : (double)demand->bits_per_s / 8 * cadence->step_s;
        cadence->due_bytes[i] = due;
    }
    return true;
}

static double up_to(const sci_cadence *cadence, size_t step)
{
    return step ? cadence->due_bytes[step - 1] : 0;
}

double sci_cadence_due(const sci_cadence *cadence, size_t first, double t)
{
    if (t < 0)
        return 0;
    /* Times that are meant to be a frame's are not a rounding error before it. */
    const double steps = t / cadence->step_s + 1e-6;
    const double whole_steps = floor(steps);
    const size_t at = first + (size_t)whole_steps;
    const size_t loops = at / cadence->count, step = at % cadence->count;
    const double begun = up_to(cadence, step), ended = cadence->due_bytes[step];
    const double within = cadence->coarse ? begun + (ended - begun) * (steps - whole_steps) : ended;
    return (double)loops * cadence->due_bytes[cadence->count - 1] + within - up_to(cadence, first);
}

static double mean_bytes_per_s(const sci_cadence *cadence)
{
    return cadence->due_bytes[cadence->count - 1] / (cadence->step_s * (double)cadence->count);
}

/* ---- one draw ---- */

struct stream {
    const sci_type *type;
    const sci_cadence *cadence;
    size_t first;
    double stands_for; /* streams */
    double start_s, got_bytes, due_bytes, want_bytes;
};

struct run {
    const sci_mix *mix;
    int64_t total; /* streams that are stood for */
    int64_t n;     /* streams that are replayed */
    struct stream streams[STREAMS_MAX];
    double
        rates_bytes_per_s[STREAMS_MAX]; /* of as many as 1 to n of them stand for, all together */
    const sc_supply_point *point;       /* whose series is replayed; NULL: supply is steady */
    double step_s, buffer_s;
};

/* Small and seeded: splitmix64 (Steele, Lea and Flood 2014, public domain). */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

static double block_bytes(const struct run *run)
{
    return run->mix->player.mode == SC_READ_FRAME ? 0 : (double)run->mix->player.block_bytes;
}

static double whole_blocks(double bytes, double block)
{
    return block > 0 ? floor((bytes + HALF_A_BYTE) / block) * block : bytes;
}

/* How many of the streams that are replayed are of each type: at least one, the others where one
   stands for most. */
static void share_out(const struct run *run, int64_t replayed[STREAMS_MAX])
{
    const sci_mix *mix = run->mix;
    for (size_t t = 0; t < mix->type_count; t++)
        replayed[t] = 1;
    for (int64_t left = run->n - (int64_t)mix->type_count; left > 0; left--) {
        size_t most = 0;
        for (size_t t = 1; t < mix->type_count; t++)
            if (mix->types[t].count * replayed[most] > mix->types[most].count * replayed[t])
                most = t;
        replayed[most]++;
    }
}

/* Who is replayed; where each draw begins is set then. */
static void set_types(struct run *run, const sci_cadence *cadences)
{
    const sci_mix *mix = run->mix;
    int64_t replayed[STREAMS_MAX], i = 0;
    share_out(run, replayed);
    for (size_t t = 0; t < mix->type_count; t++) {
        const sci_type *type = &mix->types[t];
        const int64_t count = mix->type_count == 1 ? run->total : type->count;
        for (int64_t k = 0; k < replayed[t]; k++)
            run->streams[i++] = (struct stream){.type = type,
                                                .cadence = &cadences[t],
                                                .stands_for = (double)count / (double)replayed[t]};
    }
}

static void begin_streams(struct run *run, uint64_t *random)
{
    for (int64_t i = 0; i < run->n; i++) {
        struct stream *stream = &run->streams[i];
        const sci_type *type = stream->type;
        const double block_s = type->read_bytes * 8 / (double)type->demand->bits_per_s;
        stream->first = (size_t)(next_random(random) % stream->cadence->count);
        stream->start_s = fmin(STAGGER_MOST_S, block_s) / (double)run->n * (double)i;
        stream->got_bytes = run->mix->warm ? type->credit_bytes : 0;
    }
}

/* What is due of each by time t. */
static void fall_due(struct run *run, double t)
{
    for (int64_t i = 0; i < run->n; i++) {
        struct stream *stream = &run->streams[i];
        stream->due_bytes = sci_cadence_due(stream->cadence, stream->first,
                                            t - stream->start_s - run->mix->player.preroll_s);
    }
}

/* What each can take from time t on: as many reads as its buffer has room for, no faster than its own
   reads in flight allow. The number of streams that can take any. */
static double ask(struct run *run, double t)
{
    const double block = block_bytes(run);
    double active = 0;
    for (int64_t i = 0; i < run->n; i++) {
        struct stream *stream = &run->streams[i];
        const double buffer_bytes = stream->type->credit_bytes + stream->type->read_bytes;
        const double most = whole_blocks(stream->due_bytes + buffer_bytes, block);
        const double pipe = stream->type->pipe_bytes_per_s * run->step_s;
        stream->want_bytes = t >= stream->start_s ? fmin(pipe, fmax(0, most - stream->got_bytes))
                                                  : 0;
        active += stream->want_bytes > 0 ? stream->stands_for : 0;
    }
    return active;
}

/* Shared equally; what one has no room for goes to the others. */
static void give(struct run *run, double active, double bytes)
{
    while (active > 0 && bytes > HALF_A_BYTE) {
        const double share = bytes / active;
        bytes = 0;
        active = 0;
        for (int64_t i = 0; i < run->n; i++) {
            struct stream *stream = &run->streams[i];
            if (stream->want_bytes <= 0)
                continue;
            const double taken = fmin(stream->want_bytes, share);
            stream->got_bytes += taken;
            stream->want_bytes -= taken;
            bytes += (share - taken) * stream->stands_for;
            active += stream->want_bytes > 0 ? stream->stands_for : 0;
        }
        if (bytes < share * 1e-9)
            return;
    }
}

static bool any_late(const struct run *run)
{
    const double block = block_bytes(run);
    for (int64_t i = 0; i < run->n; i++) {
        const struct stream *stream = &run->streams[i];
        if (stream->due_bytes > whole_blocks(stream->got_bytes, block) + HALF_A_BYTE)
            return true;
    }
    return false;
}

/* What arrived in this step of the measured run, of its mean. */
static double swing(const struct run *run, size_t offset, size_t step)
{
    const sc_supply_point *point = run->point;
    if (!point)
        return 1;
    const double mean = point->mean_bytes_per_s * point->series_step_s;
    return (double)point->series_bytes[(offset + step) % point->series_count] / mean;
}

/* What so many streams get together. */
static double rate_bytes_per_s(const struct run *run, double active)
{
    const int64_t k = llround(active * (double)run->n / (double)run->total);
    return run->rates_bytes_per_s[k < 1 ? 0 : k < run->n ? k - 1 : run->n - 1];
}

static bool has_late_frame(struct run *run, size_t offset)
{
    const double end_s = PLAYED_S + run->mix->player.preroll_s;
    fall_due(run, 0);
    for (size_t step = 0; (double)step * run->step_s < end_s; step++) {
        const double t = (double)step * run->step_s;
        const double active = ask(run, t);
        if (active > 0)
            give(run, active,
                 rate_bytes_per_s(run, active) * run->step_s * swing(run, offset, step));
        fall_due(run, (double)(step + 1) * run->step_s);
        if (any_late(run))
            return true;
    }
    return false;
}

/* ---- all draws ---- */

/* The series of the point that is nearest in log2 n. */
static const sc_supply_point *nearest_point(const sci_supply_at *at)
{
    const sc_supply_point *point = at->share_b > 0.5 ? at->b : at->a;
    return point && !at->by_link && !at->supply->constant && point->series_count > 0 &&
                   point->series_step_s > 0 && point->mean_bytes_per_s > 0
               ? point
               : NULL;
}

static bool set_rates(struct run *run)
{
    sci_supply_at at;
    for (int64_t k = 1; k <= run->n; k++) {
        if (!sci_supply_seek(&run->mix->supply, k * run->total / run->n, &at))
            return false;
        run->rates_bytes_per_s[k - 1] = (double)at.bits_per_s / 8;
    }
    run->point = nearest_point(&at);
    run->step_s = run->point ? run->point->series_step_s : STEP_S;
    return true;
}

static bool means_fit(const struct run *run)
{
    double needed = 0;
    for (int64_t i = 0; i < run->n; i++)
        needed += run->streams[i].stands_for * mean_bytes_per_s(run->streams[i].cadence);
    return needed <= run->rates_bytes_per_s[run->n - 1] + HALF_A_BYTE;
}

/* Equal frames from a steady supply are the same in each draw. */
static bool is_drawn(const struct run *run)
{
    bool drawn = run->point != NULL;
    for (int64_t i = 0; i < run->n && !drawn; i++)
        drawn = run->streams[i].cadence->count > 1;
    return drawn;
}

bool sci_replay_sustains(const sci_replay *replay, int64_t n)
{
    struct run run = {.mix = replay->mix, .total = n, .n = n < STREAMS_MAX ? n : STREAMS_MAX};
    uint64_t random = replay->seed;
    int32_t late = 0;
    set_types(&run, replay->cadences);
    if (!set_rates(&run) || !means_fit(&run))
        return false;
    const int32_t draws = is_drawn(&run) ? replay->draws : 1;
    const int32_t most_late = (int32_t)floor(LATE_DRAWS * draws);
    for (int32_t draw = 0; draw < draws && late <= most_late; draw++) {
        begin_streams(&run, &random);
        const size_t series = run.point ? run.point->series_count : 1;
        late += has_late_frame(&run, (size_t)(next_random(&random) % series));
    }
    return late <= most_late;
}
