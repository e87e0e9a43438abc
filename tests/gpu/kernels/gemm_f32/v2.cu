// v2: v1 with 8 × 8 elements of C per thread: blocks of 256 threads compute 128 × 128 in steps of 8
// along k; A's tile is stored transposed.
#include "common.h"

extern "C" __global__ void __launch_bounds__(256) gemm_f32_v2(
    const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n, int k)
{
    __shared__ float as[8][128], bs[8][128];
    int t = threadIdx.x, tx = t % 16 * 8, ty = t / 16 * 8;
    float sum[8][8] = {};

    a += (size_t)blockIdx.y * 128 * k;
    b += blockIdx.x * 128;
    for (int at = 0; at < k; at += 8) {
        for (int i = t; i < 1024; i += 256) {
            as[i % 8][i / 8] = a[(size_t)(i / 8) * k + at + i % 8];
            bs[i / 128][i % 128] = b[(size_t)(at + i / 128) * n + i % 128];
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 8; i++) {
            float x[8], y[8];
#pragma unroll
            for (int j = 0; j < 8; j++)
                x[j] = as[i][ty + j], y[j] = bs[i][tx + j];
#pragma unroll
            for (int r = 0; r < 8; r++)
#pragma unroll
                for (int j = 0; j < 8; j++)
                    sum[r][j] += x[r] * y[j];
        }
        __syncthreads();
    }
    c += (size_t)(blockIdx.y * 128 + ty) * n + blockIdx.x * 128 + tx;
#pragma unroll
    for (int r = 0; r < 8; r++)
#pragma unroll
        for (int j = 0; j < 8; j++)
            c[(size_t)r * n + j] = sum[r][j];
}

extern "C" void
run_version(const struct problem *p, cudaStream_t s)
{
    int m = (int)p->dim[0], n = (int)p->dim[1], k = (int)p->dim[2];
    gemm_f32_v2<<<dim3(n / 128, m / 128), 256, 0, s>>>(
        (const float *)p->in[0], (const float *)p->in[1], (float *)p->out, n, k);
}
