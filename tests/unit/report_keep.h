/* Documents kept in the build tree, wherever the test is run, for the check against the schemas. */
#ifndef REPORT_KEEP_H
#define REPORT_KEEP_H

#include <stdio.h>

#include "test.h"

static inline void keep(const char *name, const char *json)
{
    char path[4096];
    assert_true(snprintf(path, sizeof path, "%s/%s", TEST_OUTPUT_DIR, name) < (int)sizeof path);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(json, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

#endif
