/* What the files of the command share: one run, its result, and how it ends. */
#ifndef CLI_H
#define CLI_H

#include "options.h"
#include "progress.h"

/* How the process ends. */
enum { EXIT_ANSWERED = 0, EXIT_REQUIREMENT = 1, EXIT_FAILED = 2, EXIT_INTERRUPTED = 130 };

/* One run of the command. */
struct cli {
    const struct command *command;
    cli_options options;
    sc_cancel *cancel;
    FILE *out;    /* the result, in memory until output_finish() */
    char *result; /* what `out` collects */
    size_t result_size;
    int write_errno; /* of a line written before */
    int width;       /* of the terminal on standard output, or 80 */
    struct progress progress;
    sc_player_trace *trace; /* of --player-from; NULL without one */
    double measured_in_s;   /* wall-clock time of the measurement; 0 without one */
    char made_at[SC_TIME_MAX];
};

/* A command is a row of a table (commands.c). */
struct command {
    const char *name;
    unsigned bit;
    const char *usage;   /* what stands behind "streamcalc" */
    const char *summary; /* one line */
    const char *detail;  /* a paragraph, or NULL */
    const char *schema;  /* of the document that --json prints */
    size_t least_operands;
    size_t most_operands;
    int (*run)(struct cli *cli);
    const char *examples[6][2]; /* command line, what it answers */
};

/* Row i; NULL behind the last. Row 0 is the whole job, which runs without a name. */
const struct command *command_at(size_t i);
const struct command *command_find(const char *name);
/* The command whose name is nearest to a word, or NULL when none is near. */
const struct command *command_near(const char *word);

int cmd_run(struct cli *cli);
int cmd_probe(struct cli *cli);
int cmd_measure(struct cli *cli);
int cmd_plan(struct cli *cli);
int cmd_play(struct cli *cli);
int cmd_player(struct cli *cli);
int cmd_formats(struct cli *cli);
int cmd_links(struct cli *cli);

/* --stall, or its default. */
double cli_stall_s(const struct cli *cli);
/* What the library's long calls are given. */
sc_control cli_control(struct cli *cli);
sc_probe_params cli_probe_params(struct cli *cli);
sc_measure_params cli_measure_params(struct cli *cli);
/* sc_measure(), timed, and its progress erased. */
sc_status cli_measure(struct cli *cli, const char *path, const sc_measure_params *params,
                      sc_storage **storage, sc_error *error);

#endif
