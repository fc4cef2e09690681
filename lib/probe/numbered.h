/* Names that differ in a number only: the frames of a sequence. Pure. */
#ifndef SCI_PROBE_NUMBERED_H
#define SCI_PROBE_NUMBERED_H

#include "core/core.h"

enum { SCI_NUMBER_DIGITS = 18, SCI_WIDTH_MAX = 63 };

/* What all names have in common: "shot.%04d.dpx" is "shot.", 4 and ".dpx". */
typedef struct sci_numbering {
    const char *name; /* the prefix is its first prefix_length characters */
    size_t prefix_length;
    const char *suffix;
    int width; /* digits at least, filled with zeros, to SCI_WIDTH_MAX; 0: no zeros */
} sci_numbering;

typedef struct sci_numbered {
    sci_numbering numbering; /* points into the names that were given */
    size_t first;            /* the first one of them in the list that was given */
    int64_t *numbers;        /* ascending, each once; at most SCI_NUMBER_DIGITS digits */
    size_t count;            /* 2 or more */
} sci_numbered;

typedef struct sci_numbered_list {
    sci_numbered *items; /* malloc'ed; in the order of `first` */
    size_t count;
    int64_t *numbers; /* of all of them; malloc'ed */
    bool *taken;      /* for each name: whether it is in one; malloc'ed */
} sci_numbered_list;

/* Sort names into sequences. Of several numbers in a name that one counts which has the most names
   around it, of equals the last; names with and without leading zeros ("1", "0001") are different
   sequences. What is left over belongs to none. names with usable[i] false are left alone. False
   without memory or when it was stopped; the list is to be freed in any case. stop NULL: never. */
bool sci_numbered_find(const char *const *names, const bool *usable, size_t count,
                       bool (*stop)(void *opaque), void *opaque, sci_numbered_list *list);
void sci_numbered_free(sci_numbered_list *list);

/* "shot.%04d.dpx": one %d or %0Nd in a name, %% is a percent sign, as FFmpeg's image2 has it. The
   numbering points into buffer, which holds as many characters as the pattern. False for any other
   name. */
bool sci_pattern_read(const char *pattern, char *buffer, sci_numbering *numbering);
/* Whether the name is the numbering's of some number. */
bool sci_pattern_matches(const sci_numbering *numbering, const char *name, int64_t *number);
/* The name of a frame; the length as snprintf() has it. */
int sci_frame_name(const sci_numbering *numbering, int64_t number, char *buffer, size_t size);

#endif
