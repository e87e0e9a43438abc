/* This file avoids libm, because a capture library would load it into every program. A normal
 * variate is a sum of 12 uniform ones, and the exponential is a short series. Both are accurate
 * enough for the tests. */
#include "collectors/fake/model.h"

uint64_t
lore_fake_random_start(uint64_t seed, uint64_t sequence)
{
    uint64_t z = seed + (sequence + 1) * 0x9e3779b97f4a7c15u; /* splitmix64 */

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return z ? z : 1;
}

double
lore_fake_uniform(uint64_t *random)
{
    *random ^= *random >> 12; /* xorshift64* */
    *random ^= *random << 25;
    *random ^= *random >> 27;
    return (double)((*random * 0x2545f4914f6cdd1du) >> 11) / 9007199254740992.0;
}

double
lore_fake_normal(uint64_t *random)
{
    double sum = -6;

    for (int i = 0; i < 12; i++)
        sum += lore_fake_uniform(random);
    return sum;
}

static double
exponential(double x)
{
    double term = 1, sum = 1;

    if (x > 20 || x < -20)
        x = x > 0 ? 20 : -20;
    for (int i = 1; i < 20; i++) {
        term *= x / 32 / i;
        sum += term;
    }
    for (int i = 0; i < 5; i++) /* sum to the power of 32 */
        sum *= sum;
    return sum;
}

uint64_t
lore_fake_duration(const struct lore_fake_kernel *k, uint64_t i, uint64_t *random)
{
    double ns = k->base_ns;

    if (k->noise > 0)
        ns *= exponential(k->noise * lore_fake_normal(random));
    if (k->mode_share > 0 && lore_fake_uniform(random) < k->mode_share)
        ns *= k->mode_factor;
    ns *= 1 + k->drift * (double)i;
    if (i >= k->step_at)
        ns *= k->step_factor;
    if (i == 0)
        ns *= k->first;
    return ns < 1 ? 1 : ns > 1e15 ? (uint64_t)1e15 : (uint64_t)(ns + 0.5);
}
