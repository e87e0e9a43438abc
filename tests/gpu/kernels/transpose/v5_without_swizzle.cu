// v5_without_swizzle: v5 with the tile stored as it is; eight lanes meet in each group of banks.
#include "common.h"

extern "C" __global__ void
transpose_v5_without_swizzle(const float *__restrict__ x, float *__restrict__ y, int rows, int cols)
{
    __shared__ float4 tile[64][16]; // row: column of x, word: four rows of x
    int c = blockIdx.x * 64, r = blockIdx.y * 64;
    int i = threadIdx.x, j = threadIdx.y; // words of x, groups of four rows
    float4 in[4];

#pragma unroll
    for (int k = 0; k < 4; k++)
        in[k] = ((const float4 *)(x + (size_t)(r + 4 * j + k) * cols + c))[i];
    tile[4 * i + 0][j] = make_float4(in[0].x, in[1].x, in[2].x, in[3].x);
    tile[4 * i + 1][j] = make_float4(in[0].y, in[1].y, in[2].y, in[3].y);
    tile[4 * i + 2][j] = make_float4(in[0].z, in[1].z, in[2].z, in[3].z);
    tile[4 * i + 3][j] = make_float4(in[0].w, in[1].w, in[2].w, in[3].w);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 64; k += 16)
        ((float4 *)(y + (size_t)(c + j + k) * rows + r))[i] = tile[j + k][i];
}

extern "C" void
run_version(const struct problem *p, cudaStream_t s)
{
    int rows = (int)p->dim[0], cols = (int)p->dim[1];
    transpose_v5_without_swizzle<<<dim3(cols / 64, rows / 64), dim3(16, 16), 0, s>>>(
        (const float *)p->in[0], (float *)p->out, rows, cols);
}
