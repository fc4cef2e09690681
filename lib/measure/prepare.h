/* Everything that touches the path before anything is measured: facts, files, the way around the
   page cache. It runs on a thread that may hang. */
#ifndef SCI_MEASURE_PREPARE_H
#define SCI_MEASURE_PREPARE_H

#include "io/cache.h"
#include "measure/create.h"
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

typedef struct sci_prepare_params {
    const char *path;
    sc_player player; /* resolved */
    int32_t max_readers;
    sc_cache_mode cache; /* where it is left open the player decides */
    double stall_s;
    const sci_test_data *created; /* to be read instead of what is there; NULL: none */
    sci_test_part part;           /* of the created data */
} sci_prepare_params;

/* SC_OK: *prepared is the caller's. */
sc_status sci_prepare(const sci_prepare_params *params, sci_control *control,
                      sci_preparation **prepared, sc_error *error);
void sci_preparation_free(sci_preparation **prep);

#endif
