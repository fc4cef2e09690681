#include "output.h"

#include "text.h"
#include "watch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void output_complain(struct cli *cli, const char *path, const char *message)
{
    char clean_path[3 * SC_PATH_MAX], clean_message[3 * SC_TEXT_MAX];
    bool named = *path && !strstr(message, path);
    progress_erase(&cli->progress);
    text_clean(path, clean_path, sizeof clean_path);
    text_clean(message, clean_message, sizeof clean_message);
    fprintf(stderr, "streamcalc: %s%s%s\n", named ? clean_path : "", named ? ": " : "",
            clean_message);
}

int output_fail_quietly(struct cli *cli, const sc_error *failure)
{
    if (cli->options.json) {
        char *json = NULL;
        sc_error error = {0};
        if (sc_error_to_json(cli->command->schema, cli->made_at, failure, &json, &error) == SC_OK)
            fprintf(cli->out, "%s\n", json);
        else
            output_complain(cli, "", error.message);
        sc_string_free(&json);
    }
    return failure->status == SC_CANCELLED ? EXIT_INTERRUPTED : EXIT_FAILED;
}

int output_fail(struct cli *cli, const sc_error *failure)
{
    if (failure->status == SC_CANCELLED)
        output_complain(cli, "", "interrupted before there was an answer");
    else
        output_complain(cli, failure->path, failure->message);
    return output_fail_quietly(cli, failure);
}

int output_json(struct cli *cli, sc_status status, char **json, const sc_error *failure)
{
    if (status != SC_OK)
        return output_fail(cli, failure);
    fprintf(cli->out, "%s\n", *json);
    sc_string_free(json);
    return EXIT_ANSWERED;
}

/* 0, or the errno that stopped it. */
static int write_all(int descriptor, const char *text, size_t size)
{
    while (size > 0) {
        ssize_t written = write(descriptor, text, size);
        if (written < 0)
            return errno;
        text += written;
        size -= (size_t)written;
    }
    return 0;
}

/* Standard output may be a pipe that nobody empties for a while. */
static int write_result(const char *text, size_t size)
{
    watch_wait_for_caller(true);
    int failed = write_all(STDOUT_FILENO, text, size);
    watch_wait_for_caller(false);
    return failed;
}

/* In one piece, so that whoever ends this process finds whole lines. */
bool output_line(struct cli *cli, const char *text)
{
    size_t length = strlen(text);
    char *line = malloc(length + 1);
    progress_erase(&cli->progress);
    if (!line) {
        cli->write_errno = ENOMEM;
        return false;
    }
    memcpy(line, text, length);
    line[length] = '\n';
    cli->write_errno = write_result(line, length + 1);
    free(line);
    return !cli->write_errno;
}

int output_finish(struct cli *cli, int code)
{
    progress_erase(&cli->progress);
    int closed = fclose(cli->out) == 0 ? 0 : ENOMEM;
    int failed = cli->write_errno ? cli->write_errno : closed;
    cli->out = NULL;
    if (!failed && cli->result_size > 0)
        failed = write_result(cli->result, cli->result_size);
    if (!failed && close(STDOUT_FILENO) != 0)
        failed = errno;
    free(cli->result);
    cli->result = NULL;
    if (failed == EPIPE) {
        /* Nobody reads any more: end as any other program in a pipe does. */
        signal(SIGPIPE, SIG_DFL);
        raise(SIGPIPE);
    }
    if (failed == EINTR)
        return EXIT_INTERRUPTED;
    if (failed) {
        fprintf(stderr, "streamcalc: cannot write to standard output: %s\n", strerror(failed));
        return EXIT_FAILED;
    }
    return code;
}

/* ---- findings ---- */

static bool printed_before(const struct finding_list *lists, size_t list, size_t item)
{
    const char *message = lists[list].items[item].message;
    for (size_t l = 0; l <= list; l++)
        for (size_t i = 0; i < (l == list ? item : lists[l].count); i++)
            if (strcmp(lists[l].items[i].message, message) == 0)
                return true;
    return false;
}

static bool left_out(const struct finding_list *list, const sc_finding *finding)
{
    for (size_t i = 0; i < COUNT_OF(list->without); i++)
        if (list->without[i] && strcmp(list->without[i], finding->code) == 0)
            return true;
    return false;
}

/* What the library cannot say: the commands that help. */
static const struct {
    const char *code, *hint;
} hints[] = {
    {"test-data-left", "; streamcalc measure DIRECTORY --remove-leftovers does it later"},
    {"leftover-test-data", "; streamcalc measure DIRECTORY --remove-leftovers removes them"},
};

static const char *hint_for(const char *code)
{
    for (size_t i = 0; i < COUNT_OF(hints); i++)
        if (strcmp(hints[i].code, code) == 0)
            return hints[i].hint;
    return "";
}

static void print_finding(FILE *out, int width, const sc_finding *finding)
{
    char first[32], clean[2048], message[sizeof clean + 128];
    snprintf(first, sizeof first, "%s: ", sc_severity_name(finding->severity));
    snprintf(message, sizeof message, "%s%s", text_clean(finding->message, clean, sizeof clean),
             hint_for(finding->code));
    text_wrap(out, width, first, message);
}

const sc_severity severity_order[SEVERITY_COUNT] = {SC_SEVERITY_PROBLEM, SC_SEVERITY_WARNING,
                                                    SC_SEVERITY_NOTE};

void output_findings_of(FILE *out, int width, sc_severity severity,
                        const struct finding_list *lists, size_t list_count)
{
    for (size_t l = 0; l < list_count; l++)
        for (size_t i = 0; i < lists[l].count; i++)
            if (lists[l].items[i].severity == severity &&
                !left_out(&lists[l], &lists[l].items[i]) && !printed_before(lists, l, i))
                print_finding(out, width, &lists[l].items[i]);
}

void output_findings(FILE *out, int width, struct finding_list list)
{
    for (size_t s = 0; s < SEVERITY_COUNT; s++)
        output_findings_of(out, width, severity_order[s], &list, 1);
}

/* ---- saved files ---- */

static sc_status file_failed(sc_error *error, int os_errno, const char *path, const char *what)
{
    option_fail(error, SC_IO, "%s: %s", what, strerror(os_errno));
    error->os_errno = os_errno;
    snprintf(error->path, sizeof error->path, "%s", path);
    return SC_IO;
}

static int create(const char *path, const char *text, int flags)
{
    int descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0666);
    if (descriptor < 0)
        return errno;
    int failed = write_all(descriptor, text, strlen(text));
    if (!failed)
        failed = write_all(descriptor, "\n", 1);
    if (close(descriptor) != 0 && !failed)
        failed = errno;
    if (failed && (flags & O_EXCL))
        unlink(path);
    return failed;
}

sc_status output_write(const char *path, const char *text, bool overwrite, sc_error *error)
{
    int failed = create(path, text, overwrite ? O_TRUNC : O_EXCL);
    if (failed == EEXIST)
        return file_failed(error, failed, path, "not overwritten; --force does that");
    return failed ? file_failed(error, failed, path, "cannot save the result") : SC_OK;
}

sc_status output_save_new(const char *name, const char *text, char *path, size_t size,
                          sc_error *error)
{
    enum { TRIES = 999 };
    int failed = EEXIST;
    for (int i = 1; i <= TRIES && failed == EEXIST; i++) {
        char number[16] = "";
        if (i > 1)
            snprintf(number, sizeof number, "-%d", i);
        snprintf(path, size, "streamcalc-%s%s.json", name, number);
        failed = create(path, text, O_EXCL);
    }
    if (failed)
        return option_fail(
            error, SC_IO, "the current directory takes no file (%s); --output FILE says where else",
            strerror(failed));
    return SC_OK;
}
