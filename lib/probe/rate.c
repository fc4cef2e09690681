#include "probe/media.h"

#include <math.h>
#include <stdlib.h>

/* Share of the frames that must keep the rate, and how near a standard rate is taken for it: 24 and
   24000/1001 are 0.1 % apart. */
static const double MOST_FRAMES = 0.9, NEAR_RATE = 0.0005, AROUND_RATE = 0.001;

/* Programs write a frame's length in nanoseconds, but some round it to a tenth of a microsecond. */
static const double PERIOD_ROUNDING_NS = 100;

static const double FRAMES_A_SECOND_MAX = 1000;

static const sc_rational standard_rates[] = {
    {24000, 1001}, {24, 1}, {25, 1},        {30000, 1001}, {30, 1},        {48000, 1001},
    {48, 1},       {50, 1}, {60000, 1001},  {60, 1},       {72, 1},        {90, 1},
    {100, 1},      {96, 1}, {120000, 1001}, {120, 1},      {240000, 1001}, {240, 1}};

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Mean of the steps that the median stands for: rounding makes them differ by a tick. 0 when they
   are not most of all, or when it was stopped. */
static double usual_step(int64_t *steps, size_t count, const sci_stop *stop)
{
    double sum = 0;
    size_t usual = 0;
    if (!sci_sort(steps, count, sizeof *steps, by_value, stop))
        return 0;
    int64_t median = steps[count / 2];
    for (size_t i = 0; i < count; i++)
        if (llabs(steps[i] - median) <= 1) {
            sum += (double)steps[i];
            usual++;
        }
    return (double)usual >= MOST_FRAMES * (double)count ? sum / (double)usual : 0;
}

static sc_rational nearest_standard(double fps, double distance)
{
    sc_rational nearest = {0, 0};
    for (size_t i = 0; i < SCI_COUNT(standard_rates); i++) {
        double off = fabs(sc_rational_value(standard_rates[i]) / fps - 1);
        if (off <= distance) {
            distance = off;
            nearest = standard_rates[i];
        }
    }
    return nearest;
}

sc_rational sci_rate_standard(sc_rational rate)
{
    return rate.num > 0 ? nearest_standard(sc_rational_value(rate), AROUND_RATE)
                        : (sc_rational){0, 0};
}

sc_rational sci_rate_near(double fps)
{
    sc_rational nearest = nearest_standard(fps, NEAR_RATE);
    if (nearest.num)
        return nearest;
    AVRational rate = {0, 1};
    av_reduce(&rate.num, &rate.den, llround(fps * 1000), 1000, INT32_MAX);
    return rate.num > 0 ? (sc_rational){rate.num, rate.den} : nearest;
}

/* Those that come from NTSC: 24, 30, 60, ... and their halves and multiples. */
static bool has_ntsc_rate(int frames)
{
    return frames % 3 == 0;
}

sc_rational sci_rate_of_period(int64_t period_ns)
{
    static const int dens[] = {1000, 1001};
    sc_rational nearest = {0, 0};
    double least = PERIOD_ROUNDING_NS;
    for (size_t i = 0; i < SCI_COUNT(dens) && period_ns > 0; i++) {
        const double frames = rint(1e6 * dens[i] / (double)period_ns);
        const double off = fabs(1e6 * dens[i] / frames - (double)period_ns);
        if (frames < 1 || frames > FRAMES_A_SECOND_MAX || off > least)
            continue;
        if (dens[i] == 1001 && !has_ntsc_rate((int)frames))
            continue;
        least = off;
        nearest = dens[i] == 1001 ? (sc_rational){1000 * (int)frames, 1001}
                                  : (sc_rational){(int)frames, 1};
    }
    return nearest;
}

bool sci_is_frame_rate(sc_rational rate)
{
    return rate.num > 0 && rate.den > 0 && rate.num / rate.den >= 1 &&
           sc_rational_value(rate) <= FRAMES_A_SECOND_MAX;
}

sc_rational sci_rate_of_most(const sci_packet *packets, size_t count, double tick_s,
                             const sci_stop *stop)
{
    sc_rational rate = {0, 0};
    if (count < 3 || !(tick_s > 0))
        return rate;
    int64_t *steps = malloc((count - 1) * sizeof *steps);
    if (!steps)
        return rate;
    for (size_t k = 1; k < count; k++)
        steps[k - 1] = packets[k].time - packets[k - 1].time;
    double step = usual_step(steps, count - 1, stop);
    free(steps);
    return step > 0 ? sci_rate_near(1 / (step * tick_s)) : rate;
}

int64_t sci_rate_due(sc_rational rate, size_t k)
{
    /* Whole flicks a frame, as at all rates in use, spare a division of 128 bits a frame. */
    if (rate.den < INT32_MAX && SCI_FLICKS * rate.den % rate.num == 0)
        return (int64_t)k * (SCI_FLICKS * rate.den / rate.num);
    return av_rescale((int64_t)k * rate.den, SCI_FLICKS, rate.num);
}
