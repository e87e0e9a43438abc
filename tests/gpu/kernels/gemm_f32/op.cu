// C = A · B in float32, all row-major: A is m × k, B is k × n. Checked on 64 rows and 32 columns of
// C (all of them when m is at most 512), spread over every position in a tile.
#include "op.h"

static size_t
in_bytes(const long long *d, int which)
{
    return (size_t)(which == 0 ? d[0] * d[2] : d[2] * d[1]) * 4;
}
static size_t
out_bytes(const long long *d)
{
    return (size_t)(d[0] * d[1]) * 4;
}
static void
fill(const long long *d, int which, void *host)
{
    float *x = (float *)host;
    in_chunks(which == 0 ? d[0] * d[2] : d[2] * d[1], [=](long long b, long long e, int) {
        for (long long i = b; i < e; i++)
            x[i] = noise_in(i, 9 + which, -1, 1);
    });
}
static error_sum
check(const long long *d, const void *const *in, const void *out)
{
    long long m = d[0], n = d[1], k = d[2], rows = m <= 512 ? m : 64, cols = m <= 512 ? 0 : 32;
    const float *a = (const float *)in[0], *b = (const float *)in[1], *c = (const float *)out;
    error_sum err = errors_of(rows, [=](long long s, error_sum &e) {
        long long r = s * (m / rows) + s * 37 % (m / rows);
        std::vector<double> ref(n);
        for (long long i = 0; i < k; i++)
            for (long long j = 0; j < n; j++)
                ref[j] += (double)a[r * k + i] * b[i * n + j];
        for (long long j = 0; j < n; j++)
            e.add(c[r * n + j], ref[j], 2e-3, 1e-5);
    });
    err.merge(errors_of(cols, [=](long long s, error_sum &e) {
        long long j = s * (n / 32) + s * 53 % (n / 32);
        std::vector<double> column(k);
        for (long long i = 0; i < k; i++)
            column[i] = b[i * n + j];
        for (long long r = 0; r < m; r++) {
            double ref = 0;
            for (long long i = 0; i < k; i++)
                ref += a[r * k + i] * column[i];
            e.add(c[r * n + j], ref, 2e-3, 1e-5);
        }
    }));
    return err;
}
const struct op the_op = {"gemm", {{"m", 4096, 256}, {"n", 4096, 256}, {"k", 4096, 64}}, 2, 2e-3,
    1e-5, in_bytes, out_bytes, fill, check};
