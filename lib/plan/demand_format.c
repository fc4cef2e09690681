#include "plan/plan.h"

sc_status sc_demand_from_format(const sc_format *format, sc_demand *demand, sc_error *error)
{
    if (!format || !demand)
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "plan.demand", NULL,
                        "format or demand is NULL");
    sc_demand made = {.clip = "", .source = format->origin};
    sc_format_label(format, made.name, sizeof made.name);
    sc_status status = sci_demand_fill(format->bits_per_s, format->frame_bytes, format->frame_rate,
                                       &made, error);
    if (status == SC_OK)
        *demand = made;
    return status;
}
