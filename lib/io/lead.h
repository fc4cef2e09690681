/* Leads (due time minus arrival) against time: whether a player's buffers fill or shrink. Pure. */
#ifndef SCI_IO_LEAD_H
#define SCI_IO_LEAD_H

#include <stdbool.h>
#include <stdint.h>

typedef struct sci_lead {
    int64_t count;
    double sum_t, sum_l, sum_tt, sum_tl;
} sci_lead;
void sci_lead_add(sci_lead *lead, double t, double lead_s);
/* How fast the lead changes: seconds a second; and its value at t on the line through all. */
double sci_lead_slope(const sci_lead *lead);
double sci_lead_at(const sci_lead *lead, double t);
/* Whether a buffer that holds at end_s would be empty before 60 s more, or 20 times the read-ahead
   where that is longer: such a run is not sustained. */
bool sci_lead_runs_dry(const sci_lead *lead, double end_s, double read_ahead_s);

#endif
