#include "cli.h"
#include "output.h"
#include "player_log.h"

int cmd_player(struct cli *cli)
{
    if (cli->options.json) {
        char *json = NULL;
        sc_error error = {0};
        const sc_status status = sc_player_trace_to_json(cli->trace, &json, &error);
        return output_json(cli, status, &json, &error);
    }
    player_log_print(cli);
    return EXIT_ANSWERED;
}
