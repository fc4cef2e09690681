/* Memory that the clips of one call share while they are worked on. Small ones are free; a common pool
   serves larger ones side by side; a clip that needs more than is left of it waits to be the only
   large one, which takes what it needs beside the pool. So every clip gets what it would get alone,
   none waits for one that waits, and the most that all take together is the pool and one clip. */
#ifndef SCI_PROBE_BUDGET_H
#define SCI_PROBE_BUDGET_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sci_share sci_share;

/* Of every clip, beside the pool. */
enum { SCI_SHARE_FREE_BYTES = 2 << 20 };

typedef struct sci_budget {
    pthread_mutex_t lock;
    pthread_cond_t freed;
    size_t left;      /* bytes of the pool; guarded by the lock, as all of every share */
    sci_share *large; /* NULL: none */
} sci_budget;

/* Of the clip that a thread works on. */
struct sci_share {
    sci_budget *budget;
    size_t used;       /* bytes */
    int64_t waited_ns; /* for memory, since the clip was begun */
    bool lost;         /* given up by sci_share_lose(): takes from nobody */
};

void sci_budget_open(sci_budget *budget, size_t pool_bytes);
void sci_budget_close(sci_budget *budget);

/* True: the bytes are its own. False: not within wait_ns. */
bool sci_share_take(sci_share *share, size_t bytes, int64_t wait_ns);
/* No longer needed; of a large share nothing is given back before its end. */
void sci_share_give(sci_share *share, size_t bytes);
/* The clip is done: all of it goes back. */
void sci_share_end(sci_share *share);
/* Its thread was left behind: others need not wait for it any more. */
void sci_share_lose(sci_share *share);
int64_t sci_share_waited_ns(const sci_share *share);

#endif
