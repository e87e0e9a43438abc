// Softmax of each row of rows × 4096 floats; inputs in [-4, 4).
#include "op.h"

static size_t
bytes(const long long *d)
{
    return (size_t)(d[0] * d[1]) * 4;
}
static size_t
in_bytes(const long long *d, int)
{
    return bytes(d);
}
static void
fill(const long long *d, int, void *host)
{
    float *x = (float *)host;
    in_chunks(d[0] * d[1], [=](long long b, long long e, int) {
        for (long long i = b; i < e; i++)
            x[i] = noise_in(i, 2, -4, 4);
    });
}
static error_sum
check(const long long *d, const void *const *in, const void *out)
{
    long long cols = d[1];
    return errors_of(d[0], [=](long long r, error_sum &err) {
        const float *x = (const float *)in[0] + r * cols, *y = (const float *)out + r * cols;
        std::vector<double> e(cols);
        double m = -INFINITY, sum = 0;
        for (long long c = 0; c < cols; c++)
            m = fmax(m, x[c]);
        for (long long c = 0; c < cols; c++)
            sum += e[c] = exp(x[c] - m);
        for (long long c = 0; c < cols; c++)
            err.add(y[c], e[c] / sum, 1e-8, 1e-5);
    });
}
const struct op the_op = {"softmax", {{"rows", 8192, 8}, {"cols", 4096, 4096}}, 1, 1e-8, 1e-5,
    in_bytes, bytes, fill, check};
