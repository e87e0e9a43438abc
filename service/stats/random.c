/* SplitMix64 and unbiased reduction. A change here would change what recorded seeds mean, so the
 * test pins the published sequence. */
#include "service/stats/random.h"

uint64_t
lore_random_next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

uint64_t
lore_random_below(uint64_t *state, uint64_t n)
{
    uint64_t biased = (0 - n) % n, x; /* 2^64 mod n */

    do
        x = lore_random_next(state);
    while (x < biased);
    return x % n;
}
