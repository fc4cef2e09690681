/* The files of a measurement and the streams that read or write them. Shared by reference, since
   a thread that is stuck in a read may outlive the call that started it. */
#ifndef SCI_MEASURE_LANES_H
#define SCI_MEASURE_LANES_H

#include "io/cache.h"
#include "io/reader.h"
#include "measure/extents.h"

typedef struct sci_dataset sci_dataset;

/* Takes what the extents hold over and leaves them empty. NULL without memory. */
sci_dataset *sci_dataset_new(sci_extents *extents, const sci_cache_way *way);
/* The streams of this data write: directly where the way is direct, else synced after each
   block. */
void sci_dataset_write(sci_dataset *data);
/* Streams that begin later read this way; nothing was found out about it yet. */
void sci_dataset_switch(sci_dataset *data, const sci_cache_way *way);
void sci_dataset_release(sci_dataset **data);

/* What the readers found; thread-safe. */
typedef struct sci_dataset_state {
    uint32_t pass;       /* above 1: data was read again */
    double cached_share; /* largest share found cached where it had to be cold; negative: unknown */
    bool cold;           /* dropped and shown, each time; direct, where that was proven */
} sci_dataset_state;
sci_dataset_state sci_dataset_look(sci_dataset *data);

/* What offsets and sizes of direct reads are multiples of; 1 for others. */
int64_t sci_dataset_align(const sci_dataset *data);
/* Whether reads go through the page cache. */
bool sci_dataset_is_buffered(const sci_dataset *data);
/* Whether each write ends with its sync. */
bool sci_dataset_is_synced(const sci_dataset *data);

/* Begin a point: drop all files and look whether they are gone, on a thread that can be left
   behind. Does nothing for direct and warm reads. SC_OK, SC_CANCELLED, SC_STALLED, SC_NO_MEMORY. */
sc_status sci_dataset_drop_guarded(sci_dataset *data, const char *path, double stall_s,
                                   sci_control *control, double fraction, sc_error *error);

/* The source of n streams for the next point, at distinct places of the data. Blocks are of the
   size of the data's, or as large as the block that is to be filled in says. False without
   memory. */
bool sci_dataset_lanes(sci_dataset *data, int32_t streams, sci_read_source *source);

/* Single reads on the block grid at any place of the data. */
typedef struct sci_jumps {
    int64_t bytes;  /* of each; fewer where a file is smaller */
    uint64_t seed;  /* the same one makes the same places */
    int64_t period; /* after so many the first place comes again; 0: never */
} sci_jumps;

/* The source of one stream of jumps. False without memory. */
bool sci_dataset_jumps(sci_dataset *data, const sci_jumps *jumps, sci_read_source *source);

#endif
