/* The formats that a plan is made for: found in media, asked for, and the usual ones. */
#ifndef WANTED_H
#define WANTED_H

#include <streamcalc/streamcalc.h>

enum wanted_origin { WANTED_FOUND, WANTED_ASKED, WANTED_USUAL };

struct wanted_note {
    enum wanted_origin origin;
    size_t clips; /* found: clips of this format; demands[] is of the most demanding one */
    bool family;  /* asked: one of several rows that one name gave */
};

/* Two arrays of one length: the library plans an array of demands. */
struct wanted {
    sc_demand *demands;
    struct wanted_note *notes;
    size_t count, capacity;
    size_t clip_count; /* clips behind the found ones */
};

/* One row a distinct format among the clips without an error: those with video before those
   without, then the format that most bytes are in first. Clips must outlive the list. */
sc_status wanted_add_clips(struct wanted *wanted, const sc_probe *probe, sc_error *error);
sc_status wanted_add_stream(struct wanted *wanted, const char *text, sc_error *error);
sc_status wanted_add_formats(struct wanted *wanted, const char *expression, sc_error *error);
/* What editors ask about most, at the most common frame rate of the clips found, else 25; without
   those that were found. */
sc_status wanted_add_usual(struct wanted *wanted, const sc_probe *probe, sc_error *error);
void wanted_free(struct wanted *wanted);

/* The lowest rate of what was found or asked for, else of all; 0 for an empty list. */
int64_t wanted_lowest_bits_per_s(const struct wanted *wanted);

#endif
