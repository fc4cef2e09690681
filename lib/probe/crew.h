/* The threads of one call: some look for files, others probe them. All of them may wait for storage
   that never answers, so each can be left behind with what it may still touch. */
#ifndef SCI_PROBE_CREW_H
#define SCI_PROBE_CREW_H

#include "probe/sequence.h"

enum {
    SCI_PARALLEL_MAX = 64,
    SCI_MAX_DEPTH = 64 /* directories are searched on a small stack */
};

/* What one clip comes from, and then the clip: it goes from who finds it through a queue to who
   probes it and on to the caller. */
typedef struct sci_work {
    struct sci_work *next;
    sci_arena *arena;             /* holds the work itself and everything in its clip */
    size_t path_index;            /* which of the given paths it comes from */
    size_t place;                 /* its number among the files of that path */
    bool named;                   /* given by name: it gets its clip, whatever it is */
    const sci_sequence *sequence; /* NULL: a file */
    sc_clip clip;                 /* clip.path is set from the start */
    sci_reading reading;          /* frames of a clip that is to be put together with others */
} sci_work;

/* NULL without memory. */
sci_work *sci_work_new(const char *path);

void sci_work_free(sci_work **work);

typedef struct sci_crew sci_crew;

typedef struct sci_crew_params {
    const char *const *paths; /* copied */
    size_t path_count;
    int parallel;
    int32_t max_depth, max_files;
    sci_media_limits limits;
    double stall_s; /* 0: no limit of its own */
    bool as_one;    /* the clips are parts of one: they keep their frames, and no rates are found */
} sci_crew_params;

/* NULL without memory or threads. The caller's side is for one thread. */
sci_crew *sci_crew_start(const sci_crew_params *params);
/* The next finished work, now the caller's; NULL when there is none after wait_ns, or no more. */
sci_work *sci_crew_next(sci_crew *crew, int64_t wait_ns);
/* Whether there is or will be finished work. */
bool sci_crew_busy(sci_crew *crew);
/* Whether anything is being done right now: false soon after sci_crew_stop(), unless storage does
   not answer. */
bool sci_crew_working(sci_crew *crew);
/* Leave behind what takes longer than the limits of time without a sign of life. */
void sci_crew_watch(sci_crew *crew);
/* Ask everybody to stop. */
void sci_crew_stop(sci_crew *crew);
/* The caller has done: threads that still wait for storage are left behind. */
void sci_crew_leave(sci_crew **crew);

typedef struct sci_crew_state {
    int64_t found;            /* files so far */
    bool all_found;           /* there will be no more */
    double fraction;          /* of the file below */
    double bytes_per_s;       /* of all files together */
    char detail[SC_PATH_MAX]; /* what is worked on for the longest */
} sci_crew_state;

void sci_crew_look(sci_crew *crew, sci_crew_state *state);

/* What was found out while looking for files. */
typedef struct sci_crew_summary {
    sc_status status; /* SC_OK, or what ended all: SC_NO_MEMORY, SC_STALLED */
    size_t sidecars;
    bool full; /* max_files was reached */
} sci_crew_summary;

void sci_crew_summary_of(sci_crew *crew, sci_crew_summary *summary);
/* Findings about one of the paths; copied into the list's arena. False
   for a path that is no directory. */
bool sci_crew_take_findings(sci_crew *crew, size_t path_index, sci_findings *list);

#endif
