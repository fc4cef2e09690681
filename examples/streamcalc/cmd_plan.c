#include "document.h"
#include "job.h"
#include "output.h"

static sc_status open_inputs(struct job *job, struct cli *cli, sc_error *error)
{
    const char *storage = cli->options.storage;
    sc_status status = SC_OK;
    if (!storage && !*cli->options.link.name)
        return option_fail(error, SC_INVALID_ARGUMENT,
                           "nothing to plan with: give --storage, --link or both");
    if (cli->options.wish_count == 0)
        return option_fail(error, SC_INVALID_ARGUMENT,
                           "nothing to plan: give --media, --format or --stream");
    if (storage)
        status = document_open_storage(storage, &job->storage, error);
    if (status == SC_OK)
        status = job_open_media(job, cli, error);
    if (status == SC_OK)
        status = job_take_clips(job, cli, error);
    if (status == SC_OK)
        status = job_add_asked(job, cli, error);
    if (status == SC_OK)
        status = job_check_wanted(job, "there are no clips in what --media names", error);
    return status == SC_OK ? job_make_mix(job, cli, error) : status;
}

static void print_text(const struct job *job, struct cli *cli)
{
    char place[2 * SC_PATH_MAX];
    const char *link = cli->options.link.name;
    const char *storage = job->storage ? job->storage->name : "";
    snprintf(place, sizeof place, "%s%s%s", storage, *storage && *link ? " over " : "", link);
    job_print_text(job, cli, place);
}

int cmd_plan(struct cli *cli)
{
    struct job job = {0};
    sc_error error = {0};
    int code;
    sc_status status = open_inputs(&job, cli, &error);
    if (status == SC_OK)
        status = job_solve(&job, cli, &error);
    if (status != SC_OK) {
        code = job_fail(&job, cli, &error);
        goto done;
    }
    code = EXIT_ANSWERED;
    if (cli->options.json) {
        char *json = NULL;
        status = job_to_json(&job, cli, &json, &error);
        code = output_json(cli, status, &json, &error);
    } else {
        print_text(&job, cli);
    }
    if (code == EXIT_ANSWERED)
        code = job_exit_code(&job, cli);
done:
    job_free(&job);
    return code;
}
