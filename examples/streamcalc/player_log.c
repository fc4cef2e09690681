#include "player_log.h"

#include "output.h"
#include "text.h"

#include <string.h>

static sc_status check(const cli_options *options, sc_error *error)
{
    if (options->player_from && *options->player.name)
        return option_fail(error, SC_INVALID_ARGUMENT,
                           "--player and --player-from exclude each other: give one of them");
    if (options->player_file && !options->player_from)
        return option_fail(error, SC_INVALID_ARGUMENT,
                           "--player-file names a file in the log of --player-from");
    return SC_OK;
}

sc_status player_log_take(struct cli *cli, sc_error *error)
{
    const sc_player_trace_params params = {.media = cli->options.player_file,
                                           .control = cli_control(cli)};
    const bool operand = cli->command->bit == FOR_PLAYER;
    sc_error cause = {0};
    if (operand)
        cli->options.player_from = cli->options.operands[0];
    sc_status status = check(&cli->options, error);
    if (status != SC_OK || !cli->options.player_from)
        return status;
    status = sc_player_from_trace(cli->options.player_from, &params, &cli->trace, &cause);
    progress_erase(&cli->progress);
    if (status == SC_OK) {
        cli->options.player = cli->trace->player;
        return SC_OK;
    }
    option_fail(error, status, "%s%s", operand ? "" : "--player-from: ", cause.message);
    error->os_errno = cause.os_errno;
    return status;
}

/* "183 reads, 48 MB in 5 s, 100 % in order; 100 % of it by reads of 256 KiB". */
static void describe_reads(const sc_player_trace *trace, char *text, size_t size)
{
    char bytes[32], block[32], seconds[32];
    text_bytes((double)trace->bytes, bytes, sizeof bytes);
    text_bytes((double)trace->block_bytes, block, sizeof block);
    text_seconds(trace->seconds, seconds, sizeof seconds);
    const int used = snprintf(text, size, "%lld read%s, %s in %s, %.0f %% in order; ",
                              (long long)trace->reads, trace->reads == 1 ? "" : "s", bytes, seconds,
                              trace->in_order_share * 100);
    if (trace->player.mode == SC_READ_FRAME)
        snprintf(text + used, size - (size_t)used, "of sizes of their own, some %s", block);
    else
        snprintf(text + used, size - (size_t)used, "%.0f %% of it by reads of %s",
                 trace->block_share * 100, block);
}

/* "; at most 4 at once, by 4 threads; 1.02 s (8.1 MB) ahead of a pace of 8 MB/s". */
static void describe_lead(const sc_player_trace *trace, char *text, size_t size)
{
    char ahead[32], bytes[32], rate[32];
    const int used = snprintf(text, size, "; at most %d at once, by %d thread%s; ",
                              (int)trace->overlap, (int)trace->threads,
                              trace->threads == 1 ? "" : "s");
    if (trace->ahead_s < 0) {
        snprintf(text + used, size - (size_t)used, "how far ahead is not known");
        return;
    }
    snprintf(text + used, size - (size_t)used, "%s (%s) ahead of a pace of %s",
             text_seconds(trace->ahead_s, ahead, sizeof ahead),
             text_bytes((double)trace->ahead_bytes, bytes, sizeof bytes),
             text_bytes_per_s(trace->pace_bytes_per_s, rate, sizeof rate));
}

void player_log_print(struct cli *cli)
{
    enum { PART = 320 };
    const sc_player_trace *trace = cli->trace;
    char reads[PART], lead[PART], line[4 * SC_PATH_MAX], clean[3 * sizeof line];
    if (!trace)
        return;
    snprintf(line, sizeof line, "player %s:", trace->player.name);
    text_wrap(cli->out, cli->width, "", text_clean(line, clean, sizeof clean));
    fprintf(cli->out, "  --player %s\n", trace->expression);
    describe_reads(trace, reads, sizeof reads);
    describe_lead(trace, lead, sizeof lead);
    snprintf(line, sizeof line, "%.*s: %s%s", SC_PATH_MAX, trace->media, reads, lead);
    text_wrap(cli->out, cli->width, "  ", text_clean(line, clean, sizeof clean));
    output_findings(cli->out, cli->width,
                    (struct finding_list){trace->findings, trace->finding_count, {NULL}});
}
