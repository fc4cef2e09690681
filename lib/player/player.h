/* Internal parts of player, for plan and play. */
#ifndef SCI_PLAYER_H
#define SCI_PLAYER_H

#include <streamcalc/player.h>

/* b of the model: bytes of one read. A player that reads by frame reads the largest frame in one
   piece; block_bytes stands in for it where no clip is known (largest_frame_bytes 0). */
int64_t sci_player_read_bytes(const sc_player *player, int64_t largest_frame_bytes);

#endif
