// y = x / sqrt(mean(x²) + 1e-6) · w for each row of rows × 4096 bf16; x in [-2, 2), w in
// [0.5, 1.5). The limit is what rounding the result to bf16 costs (half a unit in the last place is
// 2^-9).
#include "op.h"

static size_t
in_bytes(const long long *d, int which)
{
    return (size_t)(which == 0 ? d[0] * d[1] : d[1]) * 2;
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
    in_chunks(which == 0 ? d[0] * d[1] : d[1], [=](long long b, long long e, int) {
        for (long long i = b; i < e; i++)
            x[i] = to_bf16(which == 0 ? noise_in(i, 3, -2, 2) : noise_in(i, 4, 0.5f, 1.5f));
    });
}
static error_sum
check(const long long *d, const void *const *in, const void *out)
{
    long long cols = d[1];
    return errors_of(d[0], [=](long long r, error_sum &err) {
        const uint16_t *x = (const uint16_t *)in[0] + r * cols, *w = (const uint16_t *)in[1],
                       *y = (const uint16_t *)out + r * cols;
        double sum = 0;
        for (long long c = 0; c < cols; c++)
            sum += (double)from_bf16(x[c]) * from_bf16(x[c]);
        double scale = 1 / sqrt(sum / (double)cols + 1e-6);
        for (long long c = 0; c < cols; c++)
            err.add(from_bf16(y[c]), from_bf16(x[c]) * scale * from_bf16(w[c]), 1e-6, 4e-3);
    });
}
const struct op the_op = {"rmsnorm", {{"rows", 8192, 8}, {"cols", 4096, 4096}}, 2, 1e-6, 4e-3,
    in_bytes, out_bytes, fill, check};
