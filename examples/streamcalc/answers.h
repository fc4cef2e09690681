/* The answer as people read it: a headline, a table, and what lies behind the numbers. */
#ifndef ANSWERS_H
#define ANSWERS_H

#include "wanted.h"

#include <stdio.h>

/* place is where the streams play from: "here". */
void answers_print_headline(FILE *out, int width, const struct wanted *wanted, const sc_plan *plan,
                            const char *place);
/* Whether every format reaches what --require asked for, or which do not; nothing without it. */
void answers_print_requirement(FILE *out, int width, const sc_plan *plan);
void answers_print_table(FILE *out, int width, const struct wanted *wanted, const sc_plan *plan);
/* Limits that the table had no room for. */
void answers_print_details(FILE *out, int width, const struct wanted *wanted, const sc_plan *plan);
/* What is likely but not safe: the mix, or else the formats; nothing where there is no such count. */
void answers_print_likely(FILE *out, int width, const sc_plan *plan);
/* What stays free at the first format. */
void answers_print_headroom(FILE *out, int width, const struct wanted *wanted, const sc_plan *plan);

/* Whether every format reaches the required count. */
bool answers_hold(const sc_plan *plan, int64_t require);

#endif
