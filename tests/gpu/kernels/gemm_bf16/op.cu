// C = A · Bᵀ with bf16 in and out and float32 sums: A is m × k, B is n × k, C is m × n, all
// row-major (a linear layer). Checked on 64 rows and 32 columns of C (all when m is at most 512),
// spread over every position in a tile; the limit is what rounding C to bf16 costs.
#include "op.h"

static size_t
in_bytes(const long long *d, int which)
{
    return (size_t)(d[which] * d[2]) * 2;
}
static size_t
out_bytes(const long long *d)
{
    return (size_t)(d[0] * d[1]) * 2;
}
static void
fill(const long long *d, int which, void *host)
{
    uint16_t *x = (uint16_t *)host;
    in_chunks(d[which] * d[2], [=](long long b, long long e, int) {
        for (long long i = b; i < e; i++)
            x[i] = to_bf16(noise_in(i, 11 + which, -1, 1));
    });
}
static std::vector<double>
row_of(const void *x, long long r, long long k)
{
    std::vector<double> row(k);
    for (long long i = 0; i < k; i++)
        row[i] = from_bf16(((const uint16_t *)x)[r * k + i]);
    return row;
}
static double
dot(const std::vector<double> &a, const void *x, long long r)
{
    const uint16_t *b = (const uint16_t *)x + r * (long long)a.size();
    double sum = 0;
    for (size_t i = 0; i < a.size(); i++)
        sum += a[i] * from_bf16(b[i]);
    return sum;
}
static error_sum
check(const long long *d, const void *const *in, const void *out)
{
    long long m = d[0], n = d[1], k = d[2], rows = m <= 512 ? m : 64, cols = m <= 512 ? 0 : 32;
    const uint16_t *c = (const uint16_t *)out;
    error_sum err = errors_of(rows, [=](long long s, error_sum &e) {
        long long r = s * (m / rows) + s * 37 % (m / rows);
        std::vector<double> a = row_of(in[0], r, k);
        for (long long j = 0; j < n; j++)
            e.add(from_bf16(c[r * n + j]), dot(a, in[1], j), 0.02, 5e-3);
    });
    err.merge(errors_of(cols, [=](long long s, error_sum &e) {
        long long j = s * (n / 32) + s * 53 % (n / 32);
        std::vector<double> b = row_of(in[1], j, k);
        for (long long r = 0; r < m; r++)
            e.add(from_bf16(c[r * n + j]), dot(b, in[0], r), 0.02, 5e-3);
    }));
    return err;
}
const struct op the_op = {"gemm", {{"m", 4096, 256}, {"n", 4096, 256}, {"k", 4096, 256}}, 2, 0.02,
    5e-3, in_bytes, out_bytes, fill, check};
