#include "help.h"

#include "text.h"

#include <string.h>

static bool is_whole_job(const struct command *command)
{
    return command == command_at(0);
}

/* "streamcalc plan", or "streamcalc" for the whole job. */
static void print_name(FILE *out, const struct command *command)
{
    fprintf(out, "  streamcalc%s%s", is_whole_job(command) ? "" : " ",
            is_whole_job(command) ? "" : command->name);
}

static void print_examples(FILE *out, const struct command *command)
{
    fputs("Examples:\n", out);
    for (size_t i = 0; i < COUNT_OF(command->examples) && command->examples[i][0]; i++) {
        fprintf(out, "  # %s\n", command->examples[i][1]);
        print_name(out, command);
        fprintf(out, "%s%s\n", *command->examples[i][0] ? " " : "", command->examples[i][0]);
    }
}

static void print_commands(FILE *out, int width)
{
    const struct command *command;
    char first[32];
    fputs("\nOne part of the job (streamcalc COMMAND --help):\n", out);
    for (size_t i = 1; (command = command_at(i)); i++) {
        snprintf(first, sizeof first, "  %-9s ", command->name);
        text_wrap(out, width, first, command->summary);
    }
}

/* Those that the command has. */
static void print_exit_codes(FILE *out, const struct command *command, int width)
{
    enum { FOR_CLIPS = FOR_RUN | FOR_PROBE | FOR_PLAN };
    static const struct {
        unsigned commands;
        const char *text;
    } codes[] = {
        {FOR_ALL, "0 answered"},
        {FOR_RUN | FOR_PLAN, "1 a requirement or a mix is not safe"},
        {FOR_PLAY, "1 not sustained"},
        {FOR_CLIPS, "2 an error, or a clip that could not be read beside those that are answered"},
        {FOR_ALL & ~FOR_CLIPS, "2 an error"},
        {FOR_ALL, "130 interrupted"},
    };
    char line[256] = "Exit code:";
    for (size_t i = 0; i < COUNT_OF(codes); i++) {
        size_t used = strlen(line);
        if (codes[i].commands & command->bit)
            snprintf(line + used, sizeof line - used, "%s %s", i > 0 ? "," : "", codes[i].text);
    }
    size_t used = strlen(line);
    snprintf(line + used, sizeof line - used, ".");
    text_wrap(out, width, "", line);
}

void help_print(FILE *out, const struct command *command, int width)
{
    print_examples(out, command);
    fputs("\nUsage:\n", out);
    print_name(out, command);
    fprintf(out, " %s\n\n", command->usage);
    char summary[256];
    snprintf(summary, sizeof summary, "%s.", command->summary);
    summary[0] = (char)(summary[0] - 'a' + 'A');
    text_wrap(out, width, "", summary);
    if (command->detail)
        text_wrap(out, width, "", command->detail);
    if (is_whole_job(command))
        print_commands(out, width);
    fputc('\n', out);
    options_print(out, command->bit, width);
    fputc('\n', out);
    print_exit_codes(out, command, width);
    if (is_whole_job(command))
        text_wrap(out, width, "",
                  "Rates need a unit: 83MB/s is bytes, 664Mb/s is bits; k, M and G are decimal. A "
                  "path named like a command is written ./plan.");
}
