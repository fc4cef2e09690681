#include "cli.h"
#include "output.h"
#include "storage_text.h"

static void print_text(const sc_storage *storage, struct cli *cli)
{
    struct finding_list findings = {storage->findings, storage->finding_count, {NULL}};
    storage_print_facts(cli->out, cli->width, storage);
    storage_print_summary(cli->out, cli->width, storage, cli->measured_in_s);
    fputc('\n', cli->out);
    storage_print_points(cli->out, cli->width, storage);
    fputc('\n', cli->out);
    output_findings(cli->out, cli->width, findings);
    if (storage->error.status == SC_CANCELLED)
        fputs("interrupted: the points above are complete, those with more readers are missing\n",
              cli->out);
}

int cmd_measure(struct cli *cli)
{
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
