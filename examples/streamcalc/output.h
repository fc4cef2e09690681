/* Where results go: standard output, standard error, a saved file. */
#ifndef OUTPUT_H
#define OUTPUT_H

#include "cli.h"

/* One line on standard error: "streamcalc: path: message". path may be "". */
void output_complain(struct cli *cli, const char *path, const char *message);

/* Report a failure, with --json as a document too, and give the exit code for it. Nothing may have
   been printed to cli->out. */
int output_fail(struct cli *cli, const sc_error *failure);

/* The same for a failure that was complained of already: the document and the exit code alone. */
int output_fail_quietly(struct cli *cli, const sc_error *failure);

/* Print what an sc_<x>_to_json() call gave, or report its failure. Frees *json. */
int output_json(struct cli *cli, sc_status status, char **json, const sc_error *failure);

/* Write a line to standard output at once, before the result. False when it cannot be written:
   output_finish() says why. */
bool output_line(struct cli *cli, const char *text);

/* Write the result to standard output; the exit code, which a write error changes. */
int output_finish(struct cli *cli, int code);

/* Severities, the gravest first. */
enum { SEVERITY_COUNT = 3 };
extern const sc_severity severity_order[SEVERITY_COUNT];

struct finding_list {
    const sc_finding *items;
    size_t count;
    const char *without[2]; /* codes that are not printed; NULL: none */
};
/* Print findings of one severity, each once. */
void output_findings_of(FILE *out, int width, sc_severity severity,
                        const struct finding_list *lists, size_t list_count);
/* All of one list, the gravest first. */
void output_findings(FILE *out, int width, struct finding_list list);

/* Create `path` with this text; an existing file is an error unless overwrite is set. */
sc_status output_write(const char *path, const char *text, bool overwrite, sc_error *error);
/* Create streamcalc-NAME.json, or -2, -3, ... of it, in the current directory. */
sc_status output_save_new(const char *name, const char *text, char *path, size_t size,
                          sc_error *error);

#endif
