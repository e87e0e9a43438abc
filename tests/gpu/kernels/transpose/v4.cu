// v4: v2 with four elements per thread: blocks of 32 × 8 threads, four independent loads each.
#include "common.h"

extern "C" __global__ void
transpose_v4(const float *__restrict__ x, float *__restrict__ y, int rows, int cols)
{
    __shared__ float tile[32][33];
    int c = blockIdx.x * 32, r = blockIdx.y * 32, i = threadIdx.x, j = threadIdx.y;

#pragma unroll
    for (int k = 0; k < 32; k += 8)
        tile[j + k][i] = x[(size_t)(r + j + k) * cols + c + i];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 32; k += 8)
        y[(size_t)(c + j + k) * rows + r + i] = tile[i][j + k];
}

extern "C" void
run_version(const struct problem *p, cudaStream_t s)
{
    int rows = (int)p->dim[0], cols = (int)p->dim[1];
    transpose_v4<<<dim3(cols / 32, rows / 32), dim3(32, 8), 0, s>>>(
        (const float *)p->in[0], (float *)p->out, rows, cols);
}
