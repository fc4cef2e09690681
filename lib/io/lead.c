#include "io/lead.h"

#include <math.h>

static const double SUSTAINED_S = 60, SUSTAINED_BUFFERS = 20;

void sci_lead_add(sci_lead *lead, double t, double lead_s)
{
    lead->count++;
    lead->sum_t += t;
    lead->sum_l += lead_s;
    lead->sum_tt += t * t;
    lead->sum_tl += t * lead_s;
}

double sci_lead_slope(const sci_lead *lead)
{
    const double n = (double)lead->count;
    const double spread = n * lead->sum_tt - lead->sum_t * lead->sum_t;
    return spread > 0 ? (n * lead->sum_tl - lead->sum_t * lead->sum_l) / spread : 0;
}

double sci_lead_at(const sci_lead *lead, double t)
{
    const double n = (double)lead->count;
    return n > 0 ? lead->sum_l / n + sci_lead_slope(lead) * (t - lead->sum_t / n) : 0;
}

bool sci_lead_runs_dry(const sci_lead *lead, double end_s, double read_ahead_s)
{
    const double slope = sci_lead_slope(lead);
    const double ahead_s = fmax(SUSTAINED_S, SUSTAINED_BUFFERS * read_ahead_s);
    return slope < 0 && sci_lead_at(lead, end_s) + slope * ahead_s < 0;
}
