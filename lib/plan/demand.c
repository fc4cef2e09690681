#include "plan/plan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const int64_t RATE_MAX_BITS_PER_S = 1000000000000000;
static const int64_t BYTES_MAX = (int64_t)1 << 60;
static const sc_rational DEFAULT_FRAME_RATE = {25, 1};

static sc_status refuse(sc_error *error, const char *name, const char *reason)
{
    return sci_fail(error, SC_INVALID_ARGUMENT, 0, "plan.demand", NULL, "the stream '%.100s' %s",
                    name, reason);
}

/* Bytes of so many equal frames, rounded up once. */
static int64_t bytes_of_frames(sci_wide frames, const sc_demand *demand, int64_t frame_bytes)
{
    sci_wide num = demand->frame_rate.num, den = demand->frame_rate.den;
    if (frame_bytes)
        return (int64_t)(frames * frame_bytes);
    return (int64_t)((frames * demand->bits_per_s * den + 8 * num - 1) / (8 * num));
}

static void add_window(sc_demand *demand, double window_s, sci_wide frames, int64_t frame_bytes)
{
    sc_curve *curve = &demand->curve;
    int64_t bytes = bytes_of_frames(frames, demand, frame_bytes);
    curve->window_s[curve->count] = window_s;
    curve->max_bytes[curve->count] = bytes;
    curve->mean_bytes[curve->count] = (double)bytes;
    curve->count++;
}

/* A closed window of W seconds holds floor(W fps) + 1 frames (D-BIND). */
static void fill_curve(sc_demand *demand, int64_t frame_bytes)
{
    const sc_rational rate = demand->frame_rate;
    bool frame_window_due = true;
    for (size_t i = 0; i < SCI_WINDOW_COUNT; i++) {
        sci_wide scaled = (sci_wide)llround(sci_windows_s[i] * 1000) * rate.num;
        sci_wide one_frame = (sci_wide)1000 * rate.den;
        if (frame_window_due && one_frame <= scaled) {
            if (one_frame < scaled)
                add_window(demand, (double)rate.den / (double)rate.num, 2, frame_bytes);
            frame_window_due = false;
        }
        add_window(demand, sci_windows_s[i], scaled / one_frame + 1, frame_bytes);
    }
    demand->curve.source = demand->source;
}

sc_status sci_demand_fill(int64_t bits_per_s, int64_t frame_bytes, sc_rational frame_rate,
                          sc_demand *demand, sc_error *error)
{
    const int64_t most = 1000000000;
    if (frame_rate.num == 0 && frame_rate.den == 0)
        frame_rate = DEFAULT_FRAME_RATE;
    if (frame_rate.num <= 0 || frame_rate.den <= 0 || frame_rate.num > most ||
        frame_rate.den > most || sc_rational_value(frame_rate) > 1000 ||
        sc_rational_value(frame_rate) < 0.001)
        return refuse(error, demand->name, "needs a frame rate of 0.001 to 1000 a second");
    if (frame_bytes < 0 || frame_bytes > BYTES_MAX / 65536)
        return refuse(error, demand->name, "has frames of an impossible size");
    if (frame_bytes) {
        sci_wide bits = (sci_wide)frame_bytes * 8 * frame_rate.num;
        sci_wide rate = (bits + frame_rate.den - 1) / frame_rate.den;
        bits_per_s = rate > RATE_MAX_BITS_PER_S ? RATE_MAX_BITS_PER_S + 1 : (int64_t)rate;
    }
    if (bits_per_s <= 0 || bits_per_s > RATE_MAX_BITS_PER_S)
        return refuse(error, demand->name,
                      "needs a rate of more than 0 and at most 10^15 bits a second");
    demand->mean_bits_per_s = demand->bits_per_s = bits_per_s;
    demand->frame_rate = frame_rate;
    demand->duration_s = -1;
    demand->largest_frame_bytes = bytes_of_frames(1, demand, frame_bytes);
    fill_curve(demand, frame_bytes);
    return SC_OK;
}

/* "168Mb/s", "0.5Mb/s". */
static void name_rate(int64_t bits_per_s, char *buffer, size_t size)
{
    char number[64];
    sci_print_trimmed(number, sizeof number, (double)bits_per_s / 1e6, 6);
    snprintf(buffer, size, "%sMb/s", number);
}

sc_status sc_demand_constant(int64_t bits_per_s, sc_rational frame_rate, sc_demand *demand,
                             sc_error *error)
{
    if (!demand)
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "plan.demand", NULL, "demand is NULL");
    sc_demand made = {.clip = "", .source = SC_SOURCE_GIVEN};
    name_rate(bits_per_s > 0 && bits_per_s <= RATE_MAX_BITS_PER_S ? bits_per_s : 0, made.name,
              sizeof made.name);
    sc_status status = sci_demand_fill(bits_per_s, 0, frame_rate, &made, error);
    if (status == SC_OK)
        *demand = made;
    return status;
}

sc_status sc_demand_parse(const char *text, sc_demand *demand, sc_error *error)
{
    char rate[SC_NAME_MAX];
    int64_t bits_per_s;
    sc_rational frame_rate = DEFAULT_FRAME_RATE;
    size_t length = text ? strcspn(text, "@") : 0;
    if (!length || strlen(text) >= sizeof rate)
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "plan.demand", NULL,
                        "'%.40s' is not a stream; write it like 168Mb/s or 168Mb/s@60",
                        text ? text : "");
    memcpy(rate, text, length);
    rate[length] = '\0';
    sc_status status = sc_parse_rate(rate, &bits_per_s, error);
    if (status == SC_OK && text[length])
        status = sc_parse_frame_rate(text + length + 1, &frame_rate, error);
    if (status == SC_OK)
        status = sc_demand_constant(bits_per_s, frame_rate, demand, error);
    if (status == SC_OK)
        sci_copy(demand->name, sizeof demand->name, text);
    return status;
}

static bool curve_ascends(const sc_curve *curve)
{
    double window_s = 0;
    int64_t bytes = 0;
    if (curve->count < 0 || curve->count > SC_WINDOWS_MAX)
        return false;
    for (int32_t i = 0; i < curve->count; i++) {
        if (!(curve->window_s[i] > window_s && isfinite(curve->window_s[i])) ||
            curve->max_bytes[i] < bytes || curve->max_bytes[i] > BYTES_MAX)
            return false;
        window_s = curve->window_s[i];
        bytes = curve->max_bytes[i];
    }
    return true;
}

sc_status sci_demand_check(const sc_demand *demand, sc_error *error)
{
    if (!memchr(demand->name, '\0', sizeof demand->name))
        return refuse(error, "?", "has a name that does not end");
    if (demand->bits_per_s <= 0 || demand->bits_per_s > RATE_MAX_BITS_PER_S)
        return refuse(error, demand->name,
                      "needs a rate of more than 0 and at most 10^15 bits a second");
    if (demand->largest_frame_bytes < 0 || demand->largest_frame_bytes > BYTES_MAX)
        return refuse(error, demand->name, "has a largest frame of an impossible size");
    if (!curve_ascends(&demand->curve))
        return refuse(error, demand->name, "has an arrival curve that does not ascend");
    return SC_OK;
}

static double tiled_bytes(const sc_curve *curve, double window_s)
{
    double bytes = 0, rest = window_s;
    for (int32_t i = curve->count - 1; i >= 0; i--) {
        double times = floor(rest / curve->window_s[i] + 1e-9);
        bytes += times * (double)curve->max_bytes[i];
        rest -= times * curve->window_s[i];
    }
    return rest > 1e-9 * window_s ? bytes + (double)curve->max_bytes[0] : bytes;
}

double sci_demand_bytes(const sc_demand *demand, double window_s)
{
    const sc_curve *curve = &demand->curve;
    double longer = HUGE_VAL;
    if (curve->count == 0)
        return 0;
    for (int32_t i = 0; i < curve->count; i++)
        if (curve->window_s[i] >= window_s * (1 - 1e-9)) {
            longer = (double)curve->max_bytes[i];
            if (curve->window_s[i] <= window_s * (1 + 1e-9))
                return longer;
            break;
        }
    return fmin(longer, tiled_bytes(curve, window_s));
}
