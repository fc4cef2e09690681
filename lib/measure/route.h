/* The interface through which a server is reached, and what its link carries. */
#ifndef SCI_MEASURE_ROUTE_H
#define SCI_MEASURE_ROUTE_H

#include "measure/facts.h"

typedef struct sci_route {
    sc_route_facts shown;
    double link_bytes_per_s; /* no more than this passes the link; 0: not known */
} sci_route;

sc_route_facts sci_route_facts_unknown(void);
/* address: an IPv4 or IPv6 address, with or without "%scope"; all stays unknown where it is none of
   these. False without memory. Strings lie in the arena. */
bool sci_route_find(const sci_facts_roots *roots, const char *address, sci_arena *arena,
                    sci_route *route);

#endif
