/* --help, made of the command table and the option table. */
#ifndef HELP_H
#define HELP_H

#include "cli.h"

void help_print(FILE *out, const struct command *command, int width);

#endif
