/* Internal parts of network. */
#ifndef SCI_NETWORK_H
#define SCI_NETWORK_H

#include <streamcalc/network.h>

/* The row of the catalogue with that name, whatever its case; NULL when there is none. */
const sc_link_row *sci_link_row_named(const char *name);
const sc_protocol_row *sci_protocol_row_named(const char *name);

#endif
