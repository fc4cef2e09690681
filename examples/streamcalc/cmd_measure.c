#include "cli.h"
#include "output.h"
#include "player_log.h"
#include "storage_text.h"
#include "text.h"

static void print_text(const sc_storage *storage, struct cli *cli)
{
    struct finding_list findings = {storage->findings, storage->finding_count, {NULL}};
    storage_print_facts(cli->out, cli->width, storage);
    storage_print_summary(cli->out, cli->width, storage, cli->measured_in_s);
    fputc('\n', cli->out);
    storage_print_points(cli->out, cli->width, storage);
    fputc('\n', cli->out);
    player_log_print(cli);
    output_findings(cli->out, cli->width, findings);
    if (storage->error.status == SC_CANCELLED)
        fputs("interrupted: the points above are complete, those with more readers are missing\n",
              cli->out);
}

/* Removing measures nothing: whoever gives an option of a measurement expects something else. */
static sc_status check_removal(const cli_options *options, sc_error *error)
{
    const struct {
        const char *name;
        bool given;
    } others[] = {{"json", options->json},
                  {"create", options->create > 0},
                  {"write", options->write},
                  {"with-writers", options->with_writers > 0},
                  {"duration", options->seconds > 0},
                  {"max-readers", options->max_readers > 0},
                  {"player-from", options->player_from != NULL},
                  {"player", *options->player.name},
                  {"cache", options->cache != SC_CACHE_AUTO}};
    for (size_t i = 0; i < COUNT_OF(others); i++)
        if (others[i].given)
            return option_fail(error, SC_INVALID_ARGUMENT,
                               "--remove-leftovers and --%s exclude each other", others[i].name);
    return SC_OK;
}

static int remove_leftovers(struct cli *cli)
{
    const sc_measure_params params = cli_measure_params(cli);
    sc_leftovers removed;
    sc_error error = {0};
    char size[40], clean[3 * sizeof removed.names];
    sc_status status = check_removal(&cli->options, &error);
    if (status != SC_OK)
        return output_fail(cli, &error);
    status = sc_measure_remove_leftovers(cli->options.operands[0], &params, &removed, &error);
    progress_erase(&cli->progress);
    if (removed.files > 0)
        fprintf(cli->out, "removed %d file%s of test data, %s: %s\n", (int)removed.files,
                removed.files == 1 ? "" : "s", text_bytes((double)removed.bytes, size, sizeof size),
                text_clean(removed.names, clean, sizeof clean));
    else if (status == SC_OK)
        fputs("no test data of a killed run is here\n", cli->out);
    return status == SC_OK ? EXIT_ANSWERED : output_fail(cli, &error);
}

int cmd_measure(struct cli *cli)
{
    if (cli->options.remove_leftovers)
        return remove_leftovers(cli);
    sc_measure_params params = cli_measure_params(cli);
    sc_storage *storage = NULL;
    sc_error error = {0};
    sc_status status = cli_measure(cli, cli->options.operands[0], &params, &storage, &error);
    if (!storage)
        return output_fail(cli, &error);
    int code = EXIT_ANSWERED;
    if (cli->options.json) {
        char *json = NULL;
        sc_error cause = {0};
        sc_status written = sc_storage_to_json(storage, &json, &cause);
        code = output_json(cli, written, &json, &cause);
    } else {
        print_text(storage, cli);
    }
    if (status != SC_OK && status != SC_CANCELLED) {
        output_complain(cli, error.path, error.message);
        code = EXIT_FAILED;
    }
    sc_storage_free(&storage);
    return status == SC_CANCELLED ? EXIT_INTERRUPTED : code;
}
