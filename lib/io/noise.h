/* Bytes that neither compress nor repeat. */
#ifndef SCI_IO_NOISE_H
#define SCI_IO_NOISE_H

#include <stddef.h>
#include <stdint.h>

/* Fill with the next bytes of the state's sequence, which repeats after 2^67 bytes. Two states are
   far apart where they come from sci_noise_state. */
void sci_noise_fill(void *buffer, size_t bytes, uint64_t *state);
uint64_t sci_noise_state(uint64_t seed);
uint64_t sci_noise_next(uint64_t *state);

#endif
