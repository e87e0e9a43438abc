// v5_without_vector: v5 with one float per load and store: tiles of 64 × 64, padded, 16 elements
// per thread.
#include "common.h"

extern "C" __global__ void
transpose_v5_without_vector(const float *__restrict__ x, float *__restrict__ y, int rows, int cols)
{
    __shared__ float tile[64][65];
    int c = blockIdx.x * 64, r = blockIdx.y * 64, i = threadIdx.x, j = threadIdx.y;

#pragma unroll
    for (int k = 0; k < 64; k += 4)
        tile[j + k][i] = x[(size_t)(r + j + k) * cols + c + i];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 64; k += 4)
        y[(size_t)(c + j + k) * rows + r + i] = tile[i][j + k];
}

extern "C" void
run_version(const struct problem *p, cudaStream_t s)
{
    int rows = (int)p->dim[0], cols = (int)p->dim[1];
    transpose_v5_without_vector<<<dim3(cols / 64, rows / 64), dim3(64, 4), 0, s>>>(
        (const float *)p->in[0], (float *)p->out, rows, cols);
}
