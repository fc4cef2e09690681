#include "frames.h"

#include "media.h"
#include "output.h"

#include <stdlib.h>

static sc_status keep(struct frames *all, sc_probe *probe, sc_error *error)
{
    sc_probe **grown = realloc(all->probes, (all->count + 1) * sizeof(*grown));
    if (!grown) {
        sc_probe_free(&probe);
        return option_fail(error, SC_NO_MEMORY, "%s", sc_status_text(SC_NO_MEMORY));
    }
    all->probes = grown;
    all->probes[all->count++] = probe;
    return SC_OK;
}

/* All the media that were named, or else the operands, are the clip. */
static sc_status probe_as_one(struct cli *cli, const sc_probe_params *params, sc_probe **probe,
                              sc_error *error)
{
    const cli_options *options = &cli->options;
    size_t count;
    const char **paths = media_named(options, &count);
    if (!paths)
        return option_fail(error, SC_NO_MEMORY, "%s", sc_status_text(SC_NO_MEMORY));
    const sc_status status = count ? sc_probe_many(paths, count, params, probe, error)
                                   : sc_probe_many(options->operands, options->operand_count,
                                                   params, probe, error);
    free(paths);
    return status;
}

sc_status frames_of_clip(struct frames *all, struct cli *cli, const sc_demand *demand,
                         const sc_frames **frames, sc_error *error)
{
    sc_probe_params params = cli_probe_params(cli);
    sc_probe *probe = NULL;
    sc_error cause = {0};
    *frames = NULL;
    if (!demand->clip || !*demand->clip)
        return SC_OK;
    params.frames = true;
    sc_status status = cli->options.as_one
                           ? probe_as_one(cli, &params, &probe, &cause)
                           : sc_probe_many(&demand->clip, 1, &params, &probe, &cause);
    progress_erase(&cli->progress);
    if (status == SC_CANCELLED || status == SC_NO_MEMORY || status == SC_STALLED) {
        sc_probe_free(&probe);
        *error = cause;
        return status;
    }
    if (status != SC_OK || probe->clip_count != 1 || probe->clips[0].frames.count == 0) {
        sc_probe_free(&probe);
        output_complain(cli, demand->clip,
                        "its frames are not known; equal ones of its rate are played");
        return SC_OK;
    }
    *frames = &probe->clips[0].frames;
    return keep(all, probe, error);
}

void frames_free(struct frames *all)
{
    for (size_t i = 0; i < all->count; i++)
        sc_probe_free(&all->probes[i]);
    free(all->probes);
    *all = (struct frames){0};
}
