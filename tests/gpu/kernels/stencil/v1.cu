// v1: v0 with its loads marked read-only (__ldg).
#include "common.h"

extern "C" __global__ void
stencil_v1(const float *__restrict__ x, float *__restrict__ out, int nz, int ny, int nx)
{
    int i = blockIdx.x * 128 + threadIdx.x, j = blockIdx.y * 4 + threadIdx.y, k = blockIdx.z;
    int at = (k * ny + j) * nx + i, plane = ny * nx;
    float v = __ldg(x + at);

    if (i > 0 && i < nx - 1 && j > 0 && j < ny - 1 && k > 0 && k < nz - 1)
        v = 0.4f * v +
            0.1f * (__ldg(x + at - 1) + __ldg(x + at + 1) + __ldg(x + at - nx) +
                       __ldg(x + at + nx) + __ldg(x + at - plane) + __ldg(x + at + plane));
    out[at] = v;
}

extern "C" void
run_version(const struct problem *p, cudaStream_t s)
{
    int nz = (int)p->dim[0], ny = (int)p->dim[1], nx = (int)p->dim[2];
    stencil_v1<<<dim3(nx / 128, ny / 4, nz), dim3(128, 4), 0, s>>>(
        (const float *)p->in[0], (float *)p->out, nz, ny, nx);
}
