/* Where playing contradicts what was computed: which assumption of the model failed, by what the run saw. Only
   what the figures show is said. */
#include "plan/plan.h"

#include <math.h>
#include <stdio.h>

/* Reads are so seldom not in flight where all streams wait for data. */
static const double STARVED = 0.9;
/* What differs by less does not explain anything. */
static const double CLEAR = 0.95;
/* Reads that took so much longer than any that was measured are stalls that the measurement did not see. */
static const double STALL = 1.5;

struct case_of {
    const sci_mix *mix; /* of this demand alone */
    const sci_type *type;
    const sc_paced_run *run;
    sci_supply_at at; /* supply of as many streams as were played */
    sci_findings *findings;
};

static double megabytes(double bytes)
{
    return bytes / 1e6;
}

static double pipe_bytes_per_s(const struct case_of *c)
{
    const sc_paced_reads *reads = &c->run->reads;
    return reads->p50_s > 0 ? c->mix->player.in_flight * reads->mean_bytes / reads->p50_s
                            : HUGE_VAL;
}

/* What so many reads in flight bring at the time that each took (Little's law): all that there was, where
   they always were. */
static double delivered_bytes_per_s(const struct case_of *c)
{
    const sc_paced_reads *reads = &c->run->reads;
    return c->run->streams * c->mix->player.in_flight * reads->mean_bytes / reads->mean_s;
}

/* Several readers get less than one: a head moves between them. */
static bool seeks(const sci_supply *supply)
{
    const sc_supply_point *first = supply->points, *last = first + supply->point_count - 1;
    return supply->point_count > 1 && first->readers == 1 &&
           last->mean_bytes_per_s < CLEAR * first->mean_bytes_per_s;
}

static bool add(const struct case_of *c, const char *code, const char *what)
{
    return sci_finding_add(c->findings, code, SC_SEVERITY_NOTE, "%s: %s", c->type->demand->name,
                           what);
}

/* ---- more was promised than played ---- */

static bool throughput_was_less(const struct case_of *c, char *what, size_t size)
{
    const double measured = (double)c->at.all_bits_per_s / 8, got = delivered_bytes_per_s(c);
    if (c->run->reads.busy < STARVED || got >= CLEAR * measured)
        return false;
    snprintf(
        what, size,
        "%d streams that waited for data all the time got %.1f MB/s, and %.1f was measured with as "
        "many readers: a read took %.1f ms under that load",
        (int)c->run->streams, megabytes(got), megabytes(measured), c->run->reads.mean_s * 1e3);
    return true;
}

/* A window of the clip needs more than one stream's own reads brought, and would not have by what was
   measured of one reader. */
static bool depth_was_less(const struct case_of *c, char *what, size_t size)
{
    const sc_curve *curve = &c->type->demand->curve;
    const double pipe = pipe_bytes_per_s(c), assumed = c->type->pipe_bytes_per_s;
    for (int32_t i = 0; i < curve->count && pipe < CLEAR * assumed; i++) {
        const double window_s = curve->window_s[i], due = (double)curve->max_bytes[i];
        if (due <= pipe * window_s + c->type->credit_bytes ||
            due > assumed * window_s + c->type->credit_bytes)
            continue;
        snprintf(
            what, size,
            "%d reads of %.0f kB in flight brought one stream %.1f MB/s beside the others, and %.1f "
            "by the latency of one reader: %.2g s of it need %.1f MB",
            (int)c->mix->player.in_flight, c->run->reads.mean_bytes / 1e3, megabytes(pipe),
            megabytes(assumed), window_s, megabytes(due));
        return true;
    }
    return false;
}

static double slowest_measured_s(const sci_supply *supply)
{
    double slowest = 0;
    for (size_t i = 0; i < supply->point_count; i++)
        slowest = fmax(slowest, supply->points[i].latency_max_s);
    return slowest;
}

static bool stalls_were_longer(const struct case_of *c, char *what, size_t size)
{
    const double measured_s = slowest_measured_s(&c->mix->supply), seen_s = c->run->reads.max_s;
    if (measured_s <= 0 || seen_s < STALL * measured_s || seen_s < c->mix->player.preroll_s / 2)
        return false;
    snprintf(
        what, size,
        "a read took %.2f s while it was played, and none more than %.2f s while it was measured: "
        "worse windows than were seen",
        seen_s, measured_s);
    return true;
}

static bool explain_late(const struct case_of *c)
{
    char what[256];
    if (throughput_was_less(c, what, sizeof what))
        return add(c, seeks(&c->mix->supply) ? "assumption-seeks" : "assumption-latency", what);
    if (depth_was_less(c, what, sizeof what))
        return add(c, "assumption-depth", what);
    if (stalls_were_longer(c, what, sizeof what))
        return add(c, "assumption-burst", what);
    snprintf(
        what, sizeof what,
        "%d streams fell behind though they were counted as safe, and what the run saw does not tell why",
        (int)c->run->streams);
    return add(c, "assumption-unknown", what);
}

/* ---- more was played than promised ---- */

static bool explain_more(const struct case_of *c, const sc_limit *limit)
{
    const double needed = (double)c->type->demand->bits_per_s / 8 * c->run->streams;
    const double measured = (double)c->at.all_bits_per_s / 8;
    char what[256];
    if (limit->kind == SC_LIMIT_LATENCY &&
        pipe_bytes_per_s(c) * CLEAR > c->type->pipe_bytes_per_s) {
        snprintf(
            what, sizeof what,
            "half of the reads took %.1f ms or less while it was played: %d in flight bring a stream "
            "%.1f MB/s, and %.1f by the latency that was measured",
            c->run->reads.p50_s * 1e3, (int)c->mix->player.in_flight,
            megabytes(pipe_bytes_per_s(c)), megabytes(c->type->pipe_bytes_per_s));
        return add(c, "assumption-latency", what);
    }
    if (limit->kind == SC_LIMIT_RATE && needed > measured) {
        snprintf(what, sizeof what,
                 "%d streams played at %.1f MB/s, and %.1f was measured with as many readers",
                 (int)c->run->streams, megabytes(needed), megabytes(measured));
        return add(c, seeks(&c->mix->supply) ? "assumption-seeks" : "assumption-throughput", what);
    }
    if (limit->kind == SC_LIMIT_BURST) {
        snprintf(
            what, sizeof what,
            "the worst %.2g s of the measurement and of the clips did not meet while %d streams were "
            "played for %.0f s",
            fmax(0, limit->window_s), (int)c->run->streams, c->run->seconds);
        return add(c, "assumption-burst", what);
    }
    return true;
}

/* ---- the call ---- */

static const sc_paced_run *run_of(const sc_storage *storage, const sc_demand *demand,
                                  int64_t streams)
{
    for (size_t i = 0; i < storage->paced_count; i++) {
        const sc_paced_run *run = &storage->paced[i];
        if (run->bits_per_s == demand->bits_per_s && run->streams == streams)
            return run;
    }
    return NULL;
}

bool sci_calibrate(sci_findings *findings, const sci_mix *mix, const sc_storage *storage,
                   const sc_answer *computed, const sci_played_edge *edge)
{
    struct case_of c = {.mix = mix, .type = &mix->types[0], .findings = findings};
    const bool promised_too_many = edge->late != SC_UNKNOWN && computed->safe >= edge->late;
    const bool promised_too_few = edge->sustained != SC_UNKNOWN &&
                                  computed->safe < edge->sustained &&
                                  computed->limit.kind != SC_LIMIT_NONE;
    if (!promised_too_many && !promised_too_few)
        return true;
    c.run = run_of(storage, c.type->demand, promised_too_many ? edge->late : edge->sustained);
    if (!c.run || c.run->failed_reads > 0 || c.run->reads.samples == 0 ||
        c.run->reads.mean_s <= 0 || !sci_supply_seek(&mix->supply, c.run->streams, &c.at))
        return true;
    return promised_too_many ? explain_late(&c) : explain_more(&c, &computed->limit);
}
