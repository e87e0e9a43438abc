// v6_without_vector: v6 with one cell along x per thread, blocks of 128 × 8 cells.
#include "common.h"

extern "C" __global__ void
stencil_v6_without_vector(
    const float *__restrict__ x, float *__restrict__ out, int nz, int ny, int nx)
{
    int i = blockIdx.x * 128 + threadIdx.x, j = blockIdx.y * 8 + threadIdx.y, k = blockIdx.z * 8;
    int plane = ny * nx, at = (k * ny + j) * nx + i;
    bool inside = i > 0 && i < nx - 1 && j > 0 && j < ny - 1;
    float below = k > 0 ? x[at - plane] : 0, here = x[at];

#pragma unroll 4
    for (int end = k + 8; k < end; k++, at += plane) {
        float above = k < nz - 1 ? x[at + plane] : 0, v = here;
        if (inside && k > 0 && k < nz - 1)
            v = 0.4f * v + 0.1f * (x[at - 1] + x[at + 1] + x[at - nx] + x[at + nx] + below + above);
        out[at] = v;
        below = here, here = above;
    }
}

extern "C" void
run_version(const struct problem *p, cudaStream_t s)
{
    int nz = (int)p->dim[0], ny = (int)p->dim[1], nx = (int)p->dim[2];
    stencil_v6_without_vector<<<dim3(nx / 128, ny / 8, nz / 8), dim3(128, 8), 0, s>>>(
        (const float *)p->in[0], (float *)p->out, nz, ny, nx);
}
