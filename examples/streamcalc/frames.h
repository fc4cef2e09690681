/* Every frame of clips that are to be played. */
#ifndef FRAMES_H
#define FRAMES_H

#include "cli.h"

struct frames {
    sc_probe **probes;
    size_t count;
};

/* The frames of the clip that a demand was made from; *frames is NULL where it was made from none, or
   where the clip is no longer there, of which a line on standard error tells: equal frames stand for
   it then. They belong to all. */
sc_status frames_of_clip(struct frames *all, struct cli *cli, const sc_demand *demand,
                         const sc_frames **frames, sc_error *error);
void frames_free(struct frames *all);

#endif
