// v1: v0 through a 32 × 32 tile in shared memory, so that loads and stores both run along rows. The
// column reads of the tile all fall into one bank.
#include "common.h"

extern "C" __global__ void
transpose_v1(const float *__restrict__ x, float *__restrict__ y, int rows, int cols)
{
    __shared__ float tile[32][32];
    int c = blockIdx.x * 32, r = blockIdx.y * 32, i = threadIdx.x, j = threadIdx.y;

    tile[j][i] = x[(size_t)(r + j) * cols + c + i];
    __syncthreads();
    y[(size_t)(c + j) * rows + r + i] = tile[i][j];
}

extern "C" void
run_version(const struct problem *p, cudaStream_t s)
{
    int rows = (int)p->dim[0], cols = (int)p->dim[1];
    transpose_v1<<<dim3(cols / 32, rows / 32), dim3(32, 32), 0, s>>>(
        (const float *)p->in[0], (float *)p->out, rows, cols);
}
