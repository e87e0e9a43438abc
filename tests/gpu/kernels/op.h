// What the harness must know of an operator: dims, inputs, and a float64 reference. Inputs come
// from a hash of the element's index, so they are the same everywhere and need no generator state.
#pragma once
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <thread>
#include <vector>

struct dim {
    const char *name;
    long long value, multiple; // default; the kernels are written for multiples of this
};
struct error_sum { // of an output against its reference
    double max_abs = 0, diff2 = 0, ref2 = 0;
    long long bad = 0, n = 0;
    void
    add(double got, double ref, double abs_tol, double rel_tol)
    {
        double d = fabs(got - ref);
        n++;
        if (!(d <= abs_tol + rel_tol * fabs(ref))) // NaN is bad too
            bad++;
        if (d > max_abs)
            max_abs = d;
        diff2 += d * d;
        ref2 += ref * ref;
    }
    void
    merge(const error_sum &o)
    {
        max_abs = fmax(max_abs, o.max_abs);
        diff2 += o.diff2, ref2 += o.ref2, bad += o.bad, n += o.n;
    }
};
struct op {
    const char *name;
    struct dim dims[4];
    int inputs;
    double abs_tol, rel_tol;
    size_t (*in_bytes)(const long long *d, int which);
    size_t (*out_bytes)(const long long *d);
    void (*fill)(const long long *d, int which, void *host);
    error_sum (*check)(const long long *d, const void *const *in, const void *out);
};
extern const struct op the_op;

// Uniform 24-bit number of element i: [0, 2^24).
static inline uint32_t
noise(uint64_t i, uint32_t seed)
{
    uint32_t x = (uint32_t)i * 0x9e3779b1u + seed * 0x85ebca6bu;
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return (x ^ x >> 16) >> 8;
}
// The same in [lo, hi).
static inline float
noise_in(uint64_t i, uint32_t seed, float lo, float hi)
{
    return lo + (hi - lo) * (float)(noise(i, seed) / 16777216.0);
}
static inline uint16_t
to_bf16(float f) // nearest, ties to even; no NaN comes here
{
    uint32_t u;
    memcpy(&u, &f, 4);
    return (uint16_t)((u + 0x7fff + (u >> 16 & 1)) >> 16);
}
static inline float
from_bf16(uint16_t h)
{
    uint32_t u = (uint32_t)h << 16;
    float f;
    memcpy(&f, &u, 4);
    return f;
}

// f(begin, end, chunk) for 64 chunks of [0, n), so that sums do not depend on the number of cores.
template <class F>
static void
in_chunks(long long n, F f)
{
    enum { CHUNKS = 64 };
    int cores = (int)std::thread::hardware_concurrency();
    std::vector<std::thread> all;
    for (int c = 0; c < (cores < 1 ? 1 : cores); c++)
        all.emplace_back([=] {
            for (int k = c; k < CHUNKS; k += cores < 1 ? 1 : cores)
                f(n * k / CHUNKS, n * (k + 1) / CHUNKS, k);
        });
    for (auto &t : all)
        t.join();
}
// Sum of the errors that f(i, error) adds for every i in [0, n), in a fixed order.
template <class F>
static error_sum
errors_of(long long n, F f)
{
    std::vector<error_sum> part(64);
    in_chunks(n, [&](long long b, long long e, int k) {
        for (long long i = b; i < e; i++)
            f(i, part[k]);
    });
    error_sum all;
    for (auto &p : part)
        all.merge(p);
    return all;
}
