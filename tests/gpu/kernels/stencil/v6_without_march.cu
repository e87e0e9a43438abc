// v6_without_march: v6 with one cell along z per thread: nothing is carried from plane to plane.
#include "common.h"

static __device__ float
cell(float c, float w, float e, float n, float s, float b, float a)
{
    return 0.4f * c + 0.1f * (w + e + n + s + b + a);
}

extern "C" __global__ void
stencil_v6_without_march(
    const float *__restrict__ x, float *__restrict__ out, int nz, int ny, int nx)
{
    const float4 *x4 = (const float4 *)x;
    int i = blockIdx.x * 32 + threadIdx.x, j = blockIdx.y * 8 + threadIdx.y, k = blockIdx.z;
    int plane = ny * nx / 4, at = (k * ny + j) * nx / 4 + i;
    bool inside = j > 0 && j < ny - 1;
    float4 zero = {0, 0, 0, 0}, below = k > 0 ? x4[at - plane] : zero, here = x4[at];

#pragma unroll 4
    for (int end = k + 1; k < end; k++, at += plane) {
        float4 above = k < nz - 1 ? x4[at + plane] : zero, v = here;
        if (inside && k > 0 && k < nz - 1) {
            float4 north = x4[at - nx / 4], south = x4[at + nx / 4];
            float west = i > 0 ? x[4 * at - 1] : 0, east = 4 * i + 4 < nx ? x[4 * at + 4] : 0;
            if (i > 0)
                v.x = cell(here.x, west, here.y, north.x, south.x, below.x, above.x);
            v.y = cell(here.y, here.x, here.z, north.y, south.y, below.y, above.y);
            v.z = cell(here.z, here.y, here.w, north.z, south.z, below.z, above.z);
            if (4 * i + 4 < nx)
                v.w = cell(here.w, here.z, east, north.w, south.w, below.w, above.w);
        }
        ((float4 *)out)[at] = v;
        below = here, here = above;
    }
}

extern "C" void
run_version(const struct problem *p, cudaStream_t s)
{
    int nz = (int)p->dim[0], ny = (int)p->dim[1], nx = (int)p->dim[2];
    stencil_v6_without_march<<<dim3(nx / 128, ny / 8, nz), dim3(32, 8), 0, s>>>(
        (const float *)p->in[0], (float *)p->out, nz, ny, nx);
}
