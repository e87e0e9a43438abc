// The 8 largest of each row of rows × 8192 floats, in falling order: values, then their columns as
// int32, rows × 8 each. Values must be exact; of equal values any column may come first.
#include "op.h"
#include <algorithm>

enum { K = 8 };

static size_t
in_bytes(const long long *d, int)
{
    return (size_t)(d[0] * d[1]) * 4;
}
static size_t
out_bytes(const long long *d)
{
    return (size_t)d[0] * K * 8;
}
static void
fill(const long long *d, int, void *host)
{
    float *x = (float *)host;
    in_chunks(d[0] * d[1], [=](long long b, long long e, int) {
        for (long long i = b; i < e; i++)
            x[i] = noise_in(i, 8, -1, 1);
    });
}
static error_sum
check(const long long *d, const void *const *in, const void *out)
{
    long long rows = d[0], cols = d[1];
    return errors_of(rows, [=](long long r, error_sum &err) {
        const float *x = (const float *)in[0] + r * cols, *value = (const float *)out + r * K;
        const int32_t *at = (const int32_t *)((const float *)out + rows * K) + r * K;
        std::vector<float> best(K);
        std::partial_sort_copy(x, x + cols, best.begin(), best.end(), std::greater<float>());
        for (int k = 0; k < K; k++) {
            bool valid = at[k] >= 0 && at[k] < cols && std::count(at, at + K, at[k]) == 1;
            err.add(value[k], best[k], 0, 0);
            err.add(valid ? x[at[k]] : NAN, best[k], 0, 0);
        }
    });
}
const struct op the_op = {"topk", {{"rows", 4096, 8}, {"cols", 8192, 8192}, {"k", 8, 8}}, 1, 0, 0,
    in_bytes, out_bytes, fill, check};
