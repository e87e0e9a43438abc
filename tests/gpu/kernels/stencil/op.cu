// One step of a 7-point stencil on nz × ny × nx floats: inside, c0·centre + c1·(six neighbours);
// cells of the border are copied.
#include "op.h"

static size_t
bytes(const long long *d)
{
    return (size_t)(d[0] * d[1] * d[2]) * 4;
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
    in_chunks(d[0] * d[1] * d[2], [=](long long b, long long e, int) {
        for (long long i = b; i < e; i++)
            x[i] = noise_in(i, 7, -1, 1);
    });
}
static error_sum
check(const long long *d, const void *const *in, const void *out)
{
    long long nz = d[0], ny = d[1], nx = d[2], plane = ny * nx;
    return errors_of(nz * ny, [=](long long row, error_sum &err) {
        long long z = row / ny, y = row % ny;
        const float *x = (const float *)in[0], *got = (const float *)out;
        for (long long i = 0; i < nx; i++) {
            long long at = row * nx + i;
            double v = x[at];
            if (z > 0 && z < nz - 1 && y > 0 && y < ny - 1 && i > 0 && i < nx - 1)
                v = 0.4 * v + 0.1 * ((double)x[at - 1] + x[at + 1] + x[at - nx] + x[at + nx] +
                                        x[at - plane] + x[at + plane]);
            err.add(got[at], v, 1e-6, 1e-6);
        }
    });
}
const struct op the_op = {"stencil", {{"nz", 512, 32}, {"ny", 512, 16}, {"nx", 512, 128}}, 1, 1e-6,
    1e-6, in_bytes, bytes, fill, check};
