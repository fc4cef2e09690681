#include "io/noise.h"

#include <string.h>

/* SplitMix64: G. Steele, D. Lea, C. Flood, "Fast Splittable Pseudorandom Number Generators",
   OOPSLA 2014. The increment is odd, so all 2^64 states come before one repeats. */
static uint64_t mix(uint64_t value)
{
    value = (value ^ value >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ value >> 27) * UINT64_C(0x94d049bb133111eb);
    return value ^ value >> 31;
}

uint64_t sci_noise_next(uint64_t *state)
{
    return mix(*state += UINT64_C(0x9e3779b97f4a7c15));
}

void sci_noise_fill(void *buffer, size_t bytes, uint64_t *state)
{
    unsigned char *at = buffer;
    for (; bytes >= sizeof(uint64_t); bytes -= sizeof(uint64_t), at += sizeof(uint64_t)) {
        uint64_t word = sci_noise_next(state);
        memcpy(at, &word, sizeof word);
    }
    if (bytes > 0) {
        uint64_t word = sci_noise_next(state);
        memcpy(at, &word, bytes);
    }
}

uint64_t sci_noise_state(uint64_t seed)
{
    return mix(mix(seed + 1) + seed);
}
