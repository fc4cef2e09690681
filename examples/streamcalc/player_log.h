/* --player-from: the player of a log of strace, and what the log showed. */
#ifndef PLAYER_LOG_H
#define PLAYER_LOG_H

#include "cli.h"

/* Where --player-from is given, or the command's operand is such a log, its player becomes that of
   the options. */
sc_status player_log_take(struct cli *cli, sc_error *error);
/* What the log showed, and what it does not tell; nothing without --player-from. */
void player_log_print(struct cli *cli);

#endif
