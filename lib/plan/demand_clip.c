#include "plan/plan.h"

static sc_rational frame_rate_of(const sc_clip *clip)
{
    const sc_track *track = sc_clip_main_track(clip);
    return track ? track->frame_rate : (sc_rational){0, 0};
}

sc_status sc_demand_from_clip(const sc_clip *clip, sc_demand *demand, sc_error *error)
{
    if (!clip || !demand)
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "plan.demand", NULL,
                        "clip or demand is NULL");
    if (clip->error.status != SC_OK)
        return sci_fail(error, SC_INVALID_DATA, 0, "plan.demand", clip->path,
                        "the clip was not probed: %s", clip->error.message);
    sc_demand made = {
        .clip = clip->path ? clip->path : "",
        .mean_bits_per_s = clip->demand_bits_per_s,
        .bits_per_s = clip->busiest_60s_bits_per_s > clip->demand_bits_per_s
                          ? clip->busiest_60s_bits_per_s
                          : clip->demand_bits_per_s,
        .largest_frame_bytes = clip->largest_frame_bytes,
        .frame_rate = frame_rate_of(clip),
        .duration_s = clip->duration_s,
        .curve = clip->curve,
        .trace = clip->trace,
        .source = clip->source,
        .found = true,
    };
    sc_clip_format(clip, made.name, sizeof made.name);
    sc_error reason = {0};
    if (sci_demand_check(&made, &reason) != SC_OK)
        return sci_fail(error, SC_INVALID_DATA, 0, "plan.demand", clip->path, "%s", reason.message);
    *demand = made;
    return SC_OK;
}
