#include <streamcalc/player.h>

#include "core/core.h"

#include <stdio.h>

static void print_size(int64_t bytes, char *text, size_t size)
{
    const int64_t kib = 1024, mib = 1048576;
    if (bytes % mib == 0)
        snprintf(text, size, "%lldMiB", (long long)(bytes / mib));
    else if (bytes % kib == 0)
        snprintf(text, size, "%lldKiB", (long long)(bytes / kib));
    else
        snprintf(text, size, "%lldB", (long long)bytes);
}

sc_status sc_player_format(const sc_player *player, char *text, size_t size, sc_error *error)
{
    enum { DECIMALS = 9, NUMBER = 32 };
    char block[NUMBER], ahead[NUMBER], preroll[NUMBER], cap[NUMBER], buffer[NUMBER + 8] = "";
    sc_player checked;
    if (!player || !text)
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "player.format", NULL,
                        "player or text is NULL");
    checked = *player;
    if (player->block_bytes == 0 || sc_player_resolve(&checked, NULL) != SC_OK)
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "player.format", NULL,
                        "the player is not resolved");
    print_size(player->block_bytes, block, sizeof block);
    sci_print_trimmed(ahead, sizeof ahead, player->read_ahead_s, DECIMALS);
    sci_print_trimmed(preroll, sizeof preroll, player->preroll_s, DECIMALS);
    if (player->buffer_cap_bytes > 0) {
        print_size(player->buffer_cap_bytes, cap, sizeof cap);
        snprintf(buffer, sizeof buffer, ",buffer=%s", cap);
    }
    const int length = snprintf(
        text, size, "block=%s,in-flight=%d,read-ahead=%ss,preroll=%ss%s%s%s%s", block,
        (int)player->in_flight, ahead, preroll, player->mode == SC_READ_FRAME ? ",mode=frame" : "",
        buffer, player->io == SC_IO_ANY ? "" : ",io=",
        player->io == SC_IO_ANY ? "" : sc_io_name(player->io));
    if (length < 0 || (size_t)length >= size)
        return sci_fail(error, SC_INVALID_ARGUMENT, 0, "player.format", NULL,
                        "there is no room for the player's text");
    return SC_OK;
}
