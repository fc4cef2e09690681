/* Which number of streams to try next. Pure. */
#ifndef SCI_PLAY_SEARCH_H
#define SCI_PLAY_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

typedef struct sci_search {
    int32_t least, most; /* that can be tried */
    int32_t next;        /* to be tried */
    int32_t step;
    int32_t held;    /* the most that was sustained; least - 1: none yet */
    int32_t failed;  /* the fewest that were not; most + 1: none yet */
    bool confirming; /* `held` is to be tried for long */
    bool over;       /* `held` is the answer */
} sci_search;

/* least <= start <= most. Fewer than least are taken to be sustained. */
void sci_search_begin(sci_search *search, int32_t start, int32_t least, int32_t most);
/* How the trial of search->next went. */
void sci_search_tell(sci_search *search, bool sustained);

#endif
