/* Reproducible random numbers: SplitMix64 (Steele, Lea and Flood 2014). The sequence must never
 * change, because stored decisions name only their seed. Not for secrets. */
#ifndef LORE_STATS_RANDOM_H
#define LORE_STATS_RANDOM_H

#include <stdint.h>

/* The next number of the sequence; *state starts as the seed: s += 0x9e3779b97f4a7c15;
 * z = (s ^ s >> 30) * 0xbf58476d1ce4e5b9; z = (z ^ z >> 27) * 0x94d049bb133111eb; z ^ z >> 31. */
uint64_t lore_random_next(uint64_t *state);
/* Uniform in [0, n), n >= 1, without bias: numbers below 2^64 mod n are drawn again. */
uint64_t lore_random_below(uint64_t *state, uint64_t n);

#endif
