/* Documents from files, and from what the library does not open: pipes, and - for standard input. */
#ifndef DOCUMENT_H
#define DOCUMENT_H

#include <streamcalc/streamcalc.h>

/* Whether a path is "-" or leads to a pipe or another stream. */
bool document_is_stream(const char *path);

/* As sc_storage_open(), sc_link_open() and sc_probe_open(), and from streams too. Waiting for a
   stream ends with SC_CANCELLED when a signal arrives. */
sc_status document_open_storage(const char *expression, sc_storage **storage, sc_error *error);
sc_status document_open_link(const char *expression, sc_link *link, sc_error *error);
sc_status document_open_probe(const char *path, sc_probe **probe, sc_error *error);

#endif
