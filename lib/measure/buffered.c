#include "measure/buffered.h"

static const double SHARE = 0.045;        /* of the whole time: 0.8 s of the usual 18.5 */
static const double WARM_UP_SHARE = 0.25; /* of that: read-ahead grows in the first reads */

double sci_buffered_s(const sci_measure_settings *params)
{
    return params->seconds * SHARE;
}

sc_status sci_buffered_measure(double *bytes_per_s, const sci_measure_settings *params,
                               sci_curve *curve, sci_dataset *data, sci_control *control,
                               sc_error *error)
{
    const sci_cache_way way = {.mode = SC_CACHE_DROPPED, .align = 1};
    const double seconds = sci_buffered_s(params);
    sci_measure_settings one = *params;
    sc_supply_point point = {0};
    one.warm_up_s = seconds * WARM_UP_SHARE;
    sci_dataset_switch(data, &way);
    const sci_curve_step step = {1, seconds - one.warm_up_s};
    sc_status status = sci_curve_point(curve, &one, data, NULL, step, control, &point, error);
    if (status == SC_OK && point.cold)
        *bytes_per_s = point.mean_bytes_per_s;
    return status;
}
