#include "plan/plan.h"

#include <math.h>

static const double RATE_MAX_BYTES_PER_S = 1.25e14;
static const int64_t PPB = 1000000000;

/* ---- checks ---- */

static sc_status refuse(sc_error *error, const sc_storage *storage, const char *reason)
{
    return sci_fail(error, SC_INVALID_DATA, 0, "plan.supply", storage->path, "the storage '%s' %s",
                    storage->name ? storage->name : "", reason);
}

static bool windows_ascend(int32_t count, const double *window_s, const int64_t *worst_bytes)
{
    double last_s = 0;
    int64_t last_bytes = 0;
    if (count < 0 || count > SC_WINDOWS_MAX)
        return false;
    for (int32_t i = 0; i < count; i++) {
        if (!(window_s[i] > last_s && isfinite(window_s[i])) || worst_bytes[i] < last_bytes)
            return false;
        last_s = window_s[i];
        last_bytes = worst_bytes[i];
    }
    return true;
}

/* Bytes come in lumps, so the worst window may be a little above the mean, but not twice. */
static bool windows_fit_mean(const sc_supply_point *point)
{
    for (int32_t i = 0; i < point->window_count; i++)
        if ((double)point->worst_window_bytes[i] >
            2 * point->mean_bytes_per_s * point->window_s[i] + 1)
            return false;
    return true;
}

static sc_status check_point(const sc_storage *storage, size_t i, sc_error *error)
{
    const sc_supply_point *point = &storage->points[i];
    if (point->readers < 1 || point->readers > SCI_READERS_MAX)
        return refuse(error, storage, "has a point with less than 1 or more than 65536 readers");
    if (i && point->readers <= storage->points[i - 1].readers)
        return refuse(error, storage, "has points whose readers do not ascend");
    if (!(point->mean_bytes_per_s >= 0 && point->mean_bytes_per_s <= RATE_MAX_BYTES_PER_S))
        return refuse(error, storage, "has a throughput that is no number or out of range");
    if (isnan(point->p05_bytes_per_s) || isnan(point->latency_p50_s) ||
        isinf(point->latency_p50_s) || !(point->series_step_s >= 0 && point->series_step_s <= 1))
        return refuse(error, storage,
                      "has a low throughput, latency or step that is no number or out of range");
    if (!windows_ascend(point->window_count, point->window_s, point->worst_window_bytes))
        return refuse(error, storage, "has windows or worst windows that do not ascend");
    if (!storage->constant && !windows_fit_mean(point))
        return refuse(error, storage, "has a worst window that is above twice its mean");
    return SC_OK;
}

static sc_status check_link(const sc_link *link, sc_error *error)
{
    bool sound = link->payload_bits_per_s > 0 && link->rtt_s >= 0 && isfinite(link->rtt_s);
    if (sound && windows_ascend(link->window_count, link->window_s, link->worst_window_bytes))
        return SC_OK;
    if (sound)
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "plan.supply", NULL,
                        "the link '%.100s' has windows or worst windows that do not ascend",
                        link->name);
    return sci_fail(error, SC_INVALID_ARGUMENT, 0, "plan.supply", NULL,
                    "the link '%.100s' has no payload rate, or a round trip that is no number",
                    link->name);
}

/* ---- what it is made of ---- */

static int64_t point_bits_per_s(const sc_supply_point *point)
{
    return (int64_t)floor(8 * point->mean_bytes_per_s);
}

static int64_t kept(const sci_supply *supply, int64_t bits_per_s)
{
    return (int64_t)((sci_wide)bits_per_s * supply->kept_ppb / PPB);
}

/* L_1. By Little's law the mean latency is q b / X(1): where that is shorter than the median, the
   median would contradict the throughput that was measured beside it. */
static double one_reader_latency_s(const sc_storage *storage)
{
    const sc_supply_point *one = &storage->points[0];
    double in_flight_bytes = (double)storage->player.in_flight *
                             (double)storage->player.block_bytes;
    if (storage->constant || one->readers != 1 || one->latency_p50_s < 0)
        return 0;
    if (in_flight_bytes > 0 && one->mean_bytes_per_s > 0)
        return fmin(one->latency_p50_s, in_flight_bytes / one->mean_bytes_per_s);
    return one->latency_p50_s;
}

static void take_storage(sci_supply *supply, const sc_storage *storage)
{
    int64_t peak = 0;
    supply->points = storage->points;
    supply->point_count = storage->constant ? 1 : storage->point_count;
    supply->constant = storage->constant;
    if (!storage->constant)
        supply->law = sci_law_find(storage);
    for (size_t i = 0; i < supply->point_count; i++) {
        const sc_supply_point *point = &storage->points[i];
        int64_t bits_per_s = point_bits_per_s(point);
        peak = bits_per_s > peak ? bits_per_s : peak;
        if (!storage->constant)
            supply->step_s = fmax(supply->step_s, point->series_step_s);
    }
    supply->latency_s = one_reader_latency_s(storage);
    supply->peak_bits_per_s = peak;
}

sc_status sci_supply_init(sci_supply *supply, const sc_storage *storage, const sc_link *link,
                          double reserve, sc_error *error)
{
    sc_status status = SC_OK;
    *supply = (sci_supply){.link_bits_per_s = INT64_MAX,
                           .peak_bits_per_s = INT64_MAX,
                           .kept_ppb = PPB - llround(reserve * (double)PPB)};
    if (storage && (storage->point_count == 0 || !storage->points))
        return refuse(error, storage, "holds no measured point");
    for (size_t i = 0; storage && status == SC_OK && i < storage->point_count; i++)
        status = check_point(storage, i, error);
    if (status == SC_OK && link)
        status = check_link(link, error);
    if (status != SC_OK)
        return status;
    if (storage)
        take_storage(supply, storage);
    if (link) {
        supply->link = link;
        supply->link_bits_per_s = link->payload_bits_per_s;
        supply->rtt_s = link->rtt_s;
    }
    if (supply->link_bits_per_s < supply->peak_bits_per_s)
        supply->peak_bits_per_s = supply->link_bits_per_s;
    supply->peak_bits_per_s = kept(supply, supply->peak_bits_per_s);
    return SC_OK;
}

int64_t sci_supply_measured(const sci_supply *supply)
{
    if (supply->constant || supply->point_count == 0)
        return 0;
    return supply->points[supply->point_count - 1].readers;
}

/* ---- X(n) and S_n(W) ---- */

static void place(const sci_supply *supply, int64_t n, sci_supply_at *at)
{
    const sc_supply_point *points = supply->points;
    size_t next = 0;
    if (supply->constant) {
        at->a = at->b = points;
        return;
    }
    while (next < supply->point_count && points[next].readers < n)
        next++;
    if (next == supply->point_count) {
        at->a = at->b = &points[next - 1];
        at->part = sci_law_part(&supply->law, n, &at->capped);
    } else if (points[next].readers == n) {
        at->a = at->b = &points[next];
    } else if (next == 0) {
        /* Fewer readers than were ever measured get at least their own part, as far as known. */
        at->a = at->b = points;
        at->part = (double)n / points->readers;
    } else {
        at->a = &points[next - 1];
        at->b = &points[next];
        at->share_b = log2((double)n / at->a->readers) /
                      log2((double)at->b->readers / at->a->readers);
    }
}

static int64_t storage_bits_per_s(const sci_supply_at *at)
{
    int64_t a = point_bits_per_s(at->a), b = point_bits_per_s(at->b);
    if (a == b && at->part == 1)
        return a;
    return (int64_t)floor(((double)a + (double)(b - a) * at->share_b) * at->part);
}

sci_supply_at sci_supply_of_link(const sci_supply *supply)
{
    return (sci_supply_at){.supply = supply,
                           .part = 1,
                           .bits_per_s = kept(supply, supply->link_bits_per_s),
                           .by_link = true};
}

bool sci_supply_seek(const sci_supply *supply, int64_t n, sci_supply_at *at)
{
    *at = sci_supply_of_link(supply);
    if (n < 1 || (sci_supply_measured(supply) && n > supply->law.reach))
        return false;
    int64_t bits_per_s = INT64_MAX;
    if (supply->point_count) {
        place(supply, n, at);
        bits_per_s = storage_bits_per_s(at);
    }
    at->by_link = supply->link_bits_per_s < bits_per_s;
    at->all_bits_per_s = at->by_link ? supply->link_bits_per_s : bits_per_s;
    at->bits_per_s = kept(supply, at->all_bits_per_s);
    return true;
}

/* Superadditive: a window of W + V delivers at least the worst W and the worst V. */
static double tiled_bytes(const sc_supply_point *point, double window_s)
{
    double bytes = 0, rest = window_s;
    for (int32_t i = point->window_count - 1; i >= 0; i--) {
        if (point->window_s[i] < point->series_step_s * (1 - 1e-9))
            break;
        double times = floor(rest / point->window_s[i] + 1e-9);
        bytes += times * (double)point->worst_window_bytes[i];
        rest -= times * point->window_s[i];
    }
    return bytes;
}

/* At which windows beyond the longest one go on: X_p05; in runs too short for it as from the second longest
   window to the longest, so that the end of a read that one window just missed is missed once and not by
   each. Negative: not known. */
static double rate_beyond(const sc_supply_point *point)
{
    const int32_t count = point->window_count;
    if (point->p05_bytes_per_s >= 0 || count < 2)
        return point->p05_bytes_per_s;
    return (double)(point->worst_window_bytes[count - 1] - point->worst_window_bytes[count - 2]) /
           (point->window_s[count - 1] - point->window_s[count - 2]);
}

static double point_window(const sc_supply_point *point, double window_s)
{
    double mean_bytes = point->mean_bytes_per_s * window_s;
    double longest_s = 0, longest_bytes = 0;
    if (point->window_count) {
        longest_s = point->window_s[point->window_count - 1];
        longest_bytes = (double)point->worst_window_bytes[point->window_count - 1];
    } else if (point->p05_bytes_per_s < 0) {
        return mean_bytes;
    }
    const double rate = rate_beyond(point);
    if (window_s <= longest_s * (1 + 1e-9) || rate < 0)
        return fmin(mean_bytes, tiled_bytes(point, window_s));
    return fmin(mean_bytes, longest_bytes + rate * (window_s - longest_s));
}

static double storage_window(const sci_supply_at *at, double window_s)
{
    if (at->supply->constant)
        return at->a->mean_bytes_per_s * window_s;
    double a = point_window(at->a, window_s);
    if (at->share_b > 0)
        a += (point_window(at->b, window_s) - a) * at->share_b;
    return a * at->part;
}

/* The worst windows of a link one behind the other, longest first, and a rest at the pace of the worst of
   the shortest ones. */
static double worst_link_bytes(const sc_link *link, double window_s)
{
    double bytes = 0, rest = window_s;
    for (int32_t i = link->window_count - 1; i >= 0; i--) {
        const double times = floor(rest / link->window_s[i] + 1e-9);
        bytes += times * (double)link->worst_window_bytes[i];
        rest -= times * link->window_s[i];
    }
    if (link->window_count && rest > 0)
        bytes += (double)link->worst_window_bytes[0] * rest / link->window_s[0];
    return bytes;
}

static double link_window(const sci_supply *supply, double window_s)
{
    const double busy_s = fmax(0, window_s - supply->rtt_s);
    double bytes = HUGE_VAL;
    if (supply->link)
        bytes = (double)supply->link_bits_per_s / 8 * busy_s;
    if (supply->link && supply->link->window_count)
        bytes = fmin(bytes, worst_link_bytes(supply->link, busy_s));
    return bytes;
}

sci_supplied sci_supply_window(const sci_supply_at *at, double window_s)
{
    const sci_supply *supply = at->supply;
    double bytes = supply->point_count ? storage_window(at, window_s) : HUGE_VAL;
    const double link_bytes = link_window(supply, window_s);
    bool by_link = link_bytes < bytes;
    return (sci_supplied){(by_link ? link_bytes : bytes) * ((double)supply->kept_ppb / (double)PPB),
                          by_link};
}
