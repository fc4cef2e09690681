#include "plan/replay.h"

#include <math.h>

enum { SCALES = 40, BINS = 64 };

/* Chernoff's bound holds for any scale s: enough of them lie between sums of very many streams,
   whose spread is that of their variance, and of a few, which is their largest bytes. */
static double scale_of(int k, double most_bytes)
{
    return exp2(0.5 * k - 8) / most_bytes;
}

/* ---- bytes due in a window, wherever in the clip it begins ---- */

struct spread {
    double least_bytes, most_bytes;
    double shares[BINS]; /* of the places, by bytes, from the least on */
};

/* Steps that a closed window can touch. */
static size_t steps_of(const sci_cadence *cadence, const sc_demand *demand, double window_s)
{
    const double frames_a_step = sc_rational_value(demand->frame_rate) * cadence->step_s;
    const size_t whole = (size_t)(window_s / cadence->step_s + 1e-6);
    return whole + (fabs(frames_a_step - 1) < 1e-3 ? 1 : 2);
}

static double up_to(const sci_cadence *cadence, size_t step)
{
    const double loop_bytes = cadence->due_bytes[cadence->count - 1];
    const size_t within = step % cadence->count;
    return (double)(step / cadence->count) * loop_bytes +
           (within ? cadence->due_bytes[within - 1] : 0);
}

static double bytes_at(const sci_cadence *cadence, size_t first, size_t steps, double most_bytes)
{
    return fmin(most_bytes, up_to(cadence, first + steps) - up_to(cadence, first));
}

/* No place is taken to need more than E(W), and each is rounded up to its bin. */
static void fill_spread(struct spread *spread, const sci_cadence *cadence, size_t steps,
                        double most_bytes)
{
    *spread = (struct spread){.least_bytes = most_bytes};
    for (size_t i = 0; i < cadence->count; i++) {
        const double bytes = bytes_at(cadence, i, steps, most_bytes);
        spread->least_bytes = fmin(spread->least_bytes, bytes);
        spread->most_bytes = fmax(spread->most_bytes, bytes);
    }
    const double bin_bytes = (spread->most_bytes - spread->least_bytes) / BINS;
    for (size_t i = 0; i < cadence->count; i++) {
        const double above = bytes_at(cadence, i, steps, most_bytes) - spread->least_bytes;
        const int bin = bin_bytes > 0 ? (int)ceil(above / bin_bytes) - 1 : BINS - 1;
        spread->shares[bin < 0 ? 0 : bin < BINS ? bin : BINS - 1] += 1 / (double)cadence->count;
    }
}

/* ln E exp(s D), from above. */
static double log_moment(const struct spread *spread, double scale)
{
    const double bin_bytes = (spread->most_bytes - spread->least_bytes) / BINS;
    double sum = 0;
    for (int bin = 0; bin < BINS; bin++)
        if (spread->shares[bin] > 0)
            sum += spread->shares[bin] * exp(-scale * bin_bytes * (BINS - 1 - bin));
    return scale * spread->most_bytes + log(sum);
}

/* ---- making it ---- */

static double frames_per_s(const sc_demand *demand)
{
    const double fps = sc_rational_value(demand->frame_rate);
    return fps > 0 ? fps : demand->trace.count ? 1 / demand->trace.step_s : 25;
}

static double most_due_bytes(const sci_mix *mix, size_t window)
{
    double most = 1;
    for (size_t i = 0; i < mix->type_count; i++)
        most = fmax(most, mix->due_bytes[window * mix->type_count + i]);
    return most;
}

static double *moments_at(const sci_mix *mix, const sci_odds *odds, size_t window, size_t type)
{
    return odds->log_moments + (window * mix->type_count + type) * SCALES;
}

/* What has no trace is taken to need the most at all times. */
static bool fill_type(sci_odds *odds, const sci_mix *mix, size_t type, sci_arena *arena)
{
    const sc_demand *demand = mix->types[type].demand;
    const bool traced = demand->trace.count > 0;
    sci_cadence cadence;
    if (traced && !sci_cadence_make(&cadence, demand, arena))
        return false;
    for (size_t w = 0; w < mix->window_count; w++) {
        const double due_bytes = mix->due_bytes[w * mix->type_count + type];
        const double most_bytes = most_due_bytes(mix, w);
        struct spread spread;
        if (traced)
            fill_spread(&spread, &cadence, steps_of(&cadence, demand, mix->window_s[w]), due_bytes);
        for (int k = 0; k < SCALES; k++) {
            const double scale = scale_of(k, most_bytes);
            moments_at(mix, odds, w, type)[k] = traced ? log_moment(&spread, scale)
                                                       : scale * due_bytes;
        }
    }
    return true;
}

bool sci_odds_known(const sci_mix *mix)
{
    for (size_t i = 0; i < mix->type_count; i++)
        if (mix->types[i].demand->trace.count > 0)
            return true;
    return false;
}

bool sci_odds_make(sci_odds *odds, const sci_mix *mix, double probability, sci_arena *arena)
{
    double frames = 0;
    odds->log_moments = sci_arena_alloc(arena, mix->window_count * mix->type_count * SCALES + 1,
                                        sizeof *odds->log_moments);
    for (size_t i = 0; i < mix->type_count; i++) {
        if (!odds->log_moments || !fill_type(odds, mix, i, arena))
            return false;
        frames = fmax(frames, frames_per_s(mix->types[i].demand));
    }
    odds->log_tries = log(SC_LIKELY_S * frames * (double)mix->window_count / (1 - probability));
    return true;
}

/* ---- the constraint ---- */

/* What all of them may lack together for none to be late: they share equally, so that one of them
   may lack all of it. Buffers that are not full at the start lack that already. */
static double most_lack_bytes(const sci_mix *mix, int64_t streams)
{
    double least_credit = HUGE_VAL, lack = 0;
    for (size_t i = 0; i < mix->type_count && streams > 0; i++) {
        const sci_need *need = &mix->needs[i];
        const int64_t take = need->type->count < streams ? need->type->count : streams;
        least_credit = fmin(least_credit, need->type->credit_bytes);
        lack += (double)take * (need->type->credit_bytes - need->credit_bytes);
        streams -= take;
    }
    return least_credit - lack;
}

static double sum_moments(const sci_mix *mix, size_t window, int k, int64_t streams)
{
    double sum = 0;
    for (size_t i = 0; i < mix->type_count && streams > 0; i++) {
        const sci_type *type = mix->needs[i].type;
        const int64_t take = type->count < streams ? type->count : streams;
        sum += (double)take * moments_at(mix, mix->odds, window, (size_t)(type - mix->types))[k];
        streams -= take;
    }
    return sum;
}

bool sci_odds_allow(const sci_mix *mix, size_t window, int64_t streams, int64_t n, double bytes)
{
    if (!mix->odds)
        return false;
    const double most_bytes = most_due_bytes(mix, window);
    const double available = bytes + most_lack_bytes(mix, streams);
    const double tries = mix->odds->log_tries + log((double)n);
    for (int k = 0; k < SCALES; k++)
        if (sum_moments(mix, window, k, streams) + tries <= scale_of(k, most_bytes) * available)
            return true;
    return false;
}
