/* A measured storage as people read it. */
#ifndef STORAGE_TEXT_H
#define STORAGE_TEXT_H

#include <stdio.h>
#include <streamcalc/streamcalc.h>

/* "/mnt/nas   nfs4 from nas.local, read-only" */
void storage_print_facts(FILE *out, int width, const sc_storage *storage);
/* How it was read, and what each number of readers got. elapsed_s is how long the measurement took
   with its warm-ups and rests; 0: not known. */
void storage_print_summary(FILE *out, int width, const sc_storage *storage, double elapsed_s);
/* How it was read past the cache; `through` where it was not. */
const char *storage_cache_words(sc_cache_mode mode, bool cold, const char *through);
/* One row a point. */
void storage_print_points(FILE *out, int width, const sc_storage *storage);

#endif
