// Counts of the 256 values of n bytes. Exact. Uniform data: the kindest case for atomics.
#include "op.h"

static size_t
in_bytes(const long long *d, int)
{
    return (size_t)d[0];
}
static size_t
out_bytes(const long long *)
{
    return 256 * 4;
}
static void
fill(const long long *d, int, void *host)
{
    uint8_t *x = (uint8_t *)host;
    in_chunks(d[0], [=](long long b, long long e, int) {
        for (long long i = b; i < e; i++)
            x[i] = (uint8_t)(noise(i, 6) >> 16);
    });
}
static error_sum
check(const long long *d, const void *const *in, const void *out)
{
    std::vector<std::vector<long long>> part(64, std::vector<long long>(256));
    in_chunks(d[0], [&](long long b, long long e, int k) {
        for (long long i = b; i < e; i++)
            part[k][((const uint8_t *)in[0])[i]]++;
    });
    error_sum err;
    for (int v = 0; v < 256; v++) {
        long long n = 0;
        for (auto &p : part)
            n += p[v];
        err.add(((const uint32_t *)out)[v], (double)n, 0, 0);
    }
    return err;
}
const struct op the_op = {
    "histogram", {{"n", 1 << 28, 1 << 16}}, 1, 0, 0, in_bytes, out_bytes, fill, check};
