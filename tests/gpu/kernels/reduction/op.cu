// Sum of n floats. The inputs are odd multiples of 1/512 in (-1, 1), of mean 0: every partial sum
// is exact in float32 in any order, so atomics may not change a bit, and a lost element cannot hide
// in rounding.
#include "op.h"

static float
element(uint64_t i)
{
    return (float)((int)(noise(i, 1) >> 15) * 2 - 511) / 512.0f;
}
static size_t
in_bytes(const long long *d, int)
{
    return (size_t)d[0] * 4;
}
static size_t
out_bytes(const long long *)
{
    return 4;
}
static void
fill(const long long *d, int, void *host)
{
    float *x = (float *)host;
    in_chunks(d[0], [=](long long b, long long e, int) {
        for (long long i = b; i < e; i++)
            x[i] = element(i);
    });
}
static error_sum
check(const long long *d, const void *const *in, const void *out)
{
    const float *x = (const float *)in[0];
    std::vector<double> part(64);
    in_chunks(d[0], [&](long long b, long long e, int k) {
        for (long long i = b; i < e; i++)
            part[k] += x[i];
    });
    double sum = 0;
    for (double v : part)
        sum += v;
    error_sum err;
    err.add(*(const float *)out, sum, 0, 0);
    return err;
}
const struct op the_op = {
    "reduction", {{"n", 1 << 26, 1 << 16}}, 1, 0, 0, in_bytes, out_bytes, fill, check};
