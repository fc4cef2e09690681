/* Test data that a killed run left behind. */
#ifndef SCI_MEASURE_LEFTOVERS_H
#define SCI_MEASURE_LEFTOVERS_H

#include "io/watchdog.h"
#include <streamcalc/measure.h>

/* Look in the directory itself, and remove what is found where asked to. Only regular files of this
   user count that have the name and the first bytes of test data and that nobody needs any more;
   links are not followed. guard may be NULL. */
sc_status sci_leftovers_find(const char *directory, bool remove, sci_guard *guard,
                             sc_leftovers *found, sc_error *error);

#endif
