/* Test data that streamcalc makes itself: files of noise in one directory, removed again whatever
   happens, and known again by name and first bytes where this process cannot (mark.h). */
#ifndef SCI_MEASURE_CREATE_H
#define SCI_MEASURE_CREATE_H

#include "io/watchdog.h"
#include "measure/extents.h"

/* Shared by reference: a thread that is stuck in a write may outlive the call that started it. */
typedef struct sci_test_data sci_test_data;

typedef struct sci_create_params {
    const char *directory;
    int64_t bytes;        /* of all files together, rounded up to whole MiB a file */
    int64_t block_bytes;  /* of the reads to come: every file has some */
    int64_t margin_bytes; /* of the volume that stay free; negative: SCI_CREATE_MARGIN or
                             SCI_CREATE_MARGIN_SHARE of the volume, whichever is more */
    double stall_s;
} sci_create_params;

#define SCI_CREATE_MARGIN       (INT64_C(1) << 30)
#define SCI_CREATE_MARGIN_SHARE 0.05
#define SCI_CREATE_ALIGN        4096
#define SCI_CREATE_LEAST        (INT64_C(16) << 20)
#define SCI_CREATE_MOST         (INT64_C(1) << 44)

/* Write and sync the files and drop them from the page cache. On any failure nothing is left, or
   the message names what could not be removed. */
sc_status sci_test_data_create(const sci_create_params *params, sci_control *control,
                               sci_test_data **data, sc_error *error);

/* Which of the files: where some are read and others written, half of them each. */
typedef enum sci_test_part {
    SCI_TEST_ALL,
    SCI_TEST_FIRST_HALF,
    SCI_TEST_SECOND_HALF
} sci_test_part;

/* Put the files where the readers look for theirs. False without memory. */
bool sci_test_data_extents(const sci_test_data *data, sci_test_part part, sci_extents *extents);
/* Whether they could be written with O_DIRECT, in blocks of SCI_CREATE_ALIGN bytes. */
bool sci_test_data_is_direct(const sci_test_data *data);
int64_t sci_test_data_bytes(const sci_test_data *data);

/* Remove the files, however the measurement ended: `why` is its error, or SC_OK. Nulls *data, which
   may be NULL. The text names what could not be removed, or is "". */
void sci_test_data_remove(sci_test_data **data, const sc_error *why, double stall_s,
                          const sci_control *control, char left[SC_TEXT_MAX]);

/* The same where there is no result that could say what was left: the message says it. */
void sci_test_data_discard(sci_test_data **data, double stall_s, const sci_control *control,
                           sc_error *fault);

/* The pure part: how long one removal may take after such an end. A slow one on a storage that
   answers has all of stall_s. */
double sci_removal_limit_s(const sc_error *why, double stall_s);

#endif
