/* Everything that touches the path before anything is measured: facts, files, the way around the
   page cache. It runs on a thread that may hang. */
#ifndef SCI_MEASURE_PREPARE_H
#define SCI_MEASURE_PREPARE_H

#include "io/cache.h"
#include "measure/create.h"
#include "measure/curve.h"
#include "measure/extents.h"
#include "measure/facts.h"

typedef struct sci_preparation {
    char *path; /* as given */
    char *real_path;
    int64_t block_bytes;
    int32_t max_readers;
    sc_cache_mode cache;
    sci_arena *arena; /* of the facts */
    sci_facts facts;
    sci_extents extents;
    sci_extents_notes notes;
    sci_cache_way way;
    sc_leftovers leftovers;
    sc_status status;
    sc_error error;
} sci_preparation;

/* Created data may be NULL. SC_OK: *prepared is the caller's. */
sc_status sci_prepare(const sci_curve_params *params, sc_cache_mode cache,
                      const sci_test_data *created, sci_control *control,
                      sci_preparation **prepared, sc_error *error);
void sci_preparation_free(sci_preparation **prep);

#endif
