/* What the reader of a measurement should know: its findings. */
#ifndef SCI_MEASURE_REVIEW_H
#define SCI_MEASURE_REVIEW_H

#include "measure/lanes.h"
#include "measure/prepare.h"

typedef struct sci_review {
    sci_findings *findings;
    const sc_storage *storage;
    const sci_preparation *prep;
    sci_dataset_state data;
    int64_t created_bytes;
    double listing_s; /* that the search for files took, where that was much; 0: it was not */
    const char *left; /* test data that could not be removed */
    sci_read_faults faults;
    sci_read_faults write_faults; /* of the load */
} sci_review;

/* False where a finding was lost for want of memory. */
bool sci_review_storage(const sci_review *review);

#endif
