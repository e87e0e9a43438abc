// v1: v0 with 32 × 32 tiles of A and B in shared memory, each value loaded once per block.
#include "common.h"

extern "C" __global__ void
gemm_f32_v1(
    const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n, int k)
{
    __shared__ float as[32][32], bs[32][32];
    int tx = threadIdx.x, ty = threadIdx.y;
    int col = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    float sum = 0;

    for (int at = 0; at < k; at += 32) {
        as[ty][tx] = a[(size_t)row * k + at + tx];
        bs[ty][tx] = b[(size_t)(at + ty) * n + col];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 32; i++)
            sum += as[ty][i] * bs[i][tx];
        __syncthreads();
    }
    c[(size_t)row * n + col] = sum;
}

extern "C" void
run_version(const struct problem *p, cudaStream_t s)
{
    int m = (int)p->dim[0], n = (int)p->dim[1], k = (int)p->dim[2];
    gemm_f32_v1<<<dim3(n / 32, m / 32), dim3(32, 32), 0, s>>>(
        (const float *)p->in[0], (const float *)p->in[1], (float *)p->out, n, k);
}
