#include "plan/plan.h"

#include <math.h>

/* Less than what the constraints take for rounding, so that a range never passes by rounding what
   one of its numbers would not. */
static const double QUARTER_OF_A_BYTE = 0.25;

/* Numbers of streams between which supply rises or falls, not both: the poorest is at an end. */
struct range {
    const sci_mix *mix;
    int64_t low, high;
    sci_supply_at at_low, at_high, one;
    int64_t bits_per_s; /* the least X(n) */
    double fair_bytes;  /* the least P X(n) / n */
};

static bool open_range(struct range *range, const sci_mix *mix, int64_t low, int64_t high)
{
    *range = (struct range){.mix = mix, .low = low, .high = high};
    if (!sci_supply_seek(&mix->supply, low, &range->at_low) ||
        !sci_supply_seek(&mix->supply, high, &range->at_high) ||
        !sci_supply_seek(&mix->supply, 1, &range->one))
        return false;
    range->bits_per_s = range->at_low.bits_per_s < range->at_high.bits_per_s
                            ? range->at_low.bits_per_s
                            : range->at_high.bits_per_s;
    range->fair_bytes = mix->player.preroll_s * (double)range->bits_per_s / 8 / (double)high;
    return true;
}

/* ---- constraint (2) ---- */

/* E(W) - c of all streams that need more than their credit. */
static double all_surplus_bytes(const sci_mix *mix)
{
    double sum = 0;
    for (size_t i = 0; i < mix->type_count; i++) {
        const sci_need *need = &mix->needs[i];
        sum += (double)need->type->count * fmax(0, need->due_bytes - need->credit_bytes);
    }
    return sum;
}

/* The largest sum of E(W) - c that low to high streams come to. */
static double worst_surplus_bytes(const struct range *range)
{
    const sci_mix *mix = range->mix;
    double sum = 0;
    int64_t taken = 0;
    sci_mix_sort_needs(mix);
    for (size_t i = 0; i < mix->type_count; i++) {
        const sci_need *need = &mix->needs[i];
        const double surplus = need->due_bytes - need->credit_bytes;
        const int64_t left = (surplus > 0 ? range->high : range->low) - taken;
        if (left <= 0)
            break;
        const int64_t take = need->type->count < left ? need->type->count : left;
        sum += (double)take * surplus;
        taken += take;
    }
    return sum;
}

static bool fit_together(const struct range *range, size_t window, bool *by_odds)
{
    const double window_s = range->mix->window_s[window];
    const sci_supply_at *low = &range->at_low, *high = &range->at_high;
    const bool same = low->a == high->a && low->share_b == high->share_b && low->part == high->part;
    double bytes = sci_supply_window(high, window_s).bytes;
    if (!same)
        bytes = fmin(bytes, sci_supply_window(low, window_s).bytes);
    bytes += QUARTER_OF_A_BYTE;
    *by_odds = *by_odds ||
               (all_surplus_bytes(range->mix) > bytes && worst_surplus_bytes(range) > bytes);
    return !*by_odds ||
           sci_odds_allow(range->mix, window, INT64_MAX, range->high, bytes - QUARTER_OF_A_BYTE);
}

/* ---- constraint (3) ---- */

static bool each_fits(const struct range *range, double window_s, sci_wide top,
                      sci_wide top_but_one)
{
    const sci_mix *mix = range->mix;
    const double idle = sci_supply_window(&range->one, window_s).bytes;
    for (size_t i = 0; i < mix->type_count; i++) {
        const sci_need *need = &mix->needs[i];
        const sci_type *type = need->type;
        const sci_wide others = type->before < range->high ? top - type->demand->bits_per_s
                                                           : top_but_one;
        const double left = fmax(0, (double)range->bits_per_s - (double)others) / 8 * window_s;
        const double least = fmin(fmin(idle, left), type->pipe_bytes_per_s * window_s);
        if (need->due_bytes > least + need->credit_bytes + QUARTER_OF_A_BYTE)
            return false;
    }
    return true;
}

/* ---- a range ---- */

/* Whether the most that is needed of any number in the range fits the least that there is. What
   does not depend on the number has been looked at. */
static bool clears(const sci_mix *mix, int64_t low, int64_t high)
{
    struct range range;
    if (!open_range(&range, mix, low, high))
        return false;
    const sci_wide top = sci_mix_top_bits_per_s(mix, high);
    const sci_wide top_but_one = sci_mix_top_bits_per_s(mix, high - 1);
    bool fits = top <= range.bits_per_s, by_odds = false;
    for (size_t w = 0; fits && w < mix->window_count; w++) {
        sci_mix_fill_needs(mix, w, range.fair_bytes);
        fits = fit_together(&range, w, &by_odds) &&
               each_fits(&range, mix->window_s[w], top, top_but_one);
    }
    return fits;
}

/* What is not clear is halved, down to one number, of which the constraints themselves decide. */
static bool holds_in(const sci_mix *mix, int64_t low, int64_t high, sci_breach *breach)
{
    if (low == high)
        return sci_mix_holds_at(mix, low, breach);
    if (clears(mix, low, high))
        return true;
    const int64_t middle = low + (high - low) / 2;
    return holds_in(mix, low, middle, breach) && holds_in(mix, middle + 1, high, breach);
}

/* The last number of the range that begins with low: up to the next measured point. */
static int64_t end_of_range(const sci_supply *supply, int64_t low, int64_t total)
{
    for (size_t i = 0; !supply->constant && i < supply->point_count; i++)
        if (supply->points[i].readers >= low)
            return supply->points[i].readers < total ? supply->points[i].readers : total;
    return total;
}

bool sci_mix_admits(const sci_mix *mix, int64_t total, sci_breach *breach)
{
    bool holds = total < 1 || sci_mix_holds_at(mix, 1, breach);
    if (holds && total > 1 && !breach)
        holds = sci_mix_holds_at(mix, total, NULL);
    for (int64_t low = 2, high; holds && low <= total; low = high + 1) {
        high = end_of_range(&mix->supply, low, total);
        holds = holds_in(mix, low, high, breach);
    }
    return holds;
}
