// v3: v2 with the plane in shared memory, with a halo of one cell: neighbours in x and y are read
// there instead of through the L1.
#include "common.h"

extern "C" __global__ void
stencil_v3(const float *__restrict__ x, float *__restrict__ out, int nz, int ny, int nx)
{
    __shared__ float tile[2][6][130]; // for even and odd planes
    int i = blockIdx.x * 128 + threadIdx.x, j = blockIdx.y * 4 + threadIdx.y, k = blockIdx.z * 32;
    int plane = ny * nx, at = (k * ny + j) * nx + i, tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    bool inside = i > 0 && i < nx - 1 && j > 0 && j < ny - 1;
    float below = k > 0 ? x[at - plane] : 0, here = x[at];

    for (int end = k + 32; k < end; k++, at += plane) {
        float above = k < nz - 1 ? x[at + plane] : 0, v = here, (*t)[130] = tile[k & 1];
        t[ty][tx] = here;
        if (tx == 1 && i > 0)
            t[ty][0] = x[at - 1];
        if (tx == 128 && i < nx - 1)
            t[ty][129] = x[at + 1];
        if (ty == 1 && j > 0)
            t[0][tx] = x[at - nx];
        if (ty == 4 && j < ny - 1)
            t[5][tx] = x[at + nx];
        __syncthreads();
        if (inside && k > 0 && k < nz - 1)
            v = 0.4f * v + 0.1f * (t[ty][tx - 1] + t[ty][tx + 1] + t[ty - 1][tx] + t[ty + 1][tx] +
                                      below + above);
        out[at] = v;
        below = here, here = above;
    }
}

extern "C" void
run_version(const struct problem *p, cudaStream_t s)
{
    int nz = (int)p->dim[0], ny = (int)p->dim[1], nx = (int)p->dim[2];
    stencil_v3<<<dim3(nx / 128, ny / 4, nz / 32), dim3(128, 4), 0, s>>>(
        (const float *)p->in[0], (float *)p->out, nz, ny, nx);
}
