// v0: one element of C per thread, everything from global memory; neighbouring threads take
// neighbouring columns.
#include "common.h"

extern "C" __global__ void
gemm_f32_v0(
    const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n, int k)
{
    int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    float sum = 0;

    for (int i = 0; i < k; i++)
        sum += a[(size_t)row * k + i] * b[(size_t)i * n + col];
    c[(size_t)row * n + col] = sum;
}

extern "C" void
run_version(const struct problem *p, cudaStream_t s)
{
    int m = (int)p->dim[0], n = (int)p->dim[1], k = (int)p->dim[2];
    gemm_f32_v0<<<dim3(n / 32, m / 32), dim3(32, 32), 0, s>>>(
        (const float *)p->in[0], (const float *)p->in[1], (float *)p->out, n, k);
}
