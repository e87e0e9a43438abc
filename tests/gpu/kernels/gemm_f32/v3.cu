// v3: v2 with 16 bytes per global load and store: one load of A and one of B per thread and step.
#include "common.h"

extern "C" __global__ void __launch_bounds__(256) gemm_f32_v3(
    const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n, int k)
{
    __shared__ float as[8][128], bs[8][128];
    int t = threadIdx.x, tx = t % 16 * 8, ty = t / 16 * 8;
    float sum[8][8] = {};

    a += (size_t)blockIdx.y * 128 * k;
    b += blockIdx.x * 128;
    for (int at = 0; at < k; at += 8) {
        float4 x4 = *(const float4 *)(a + (size_t)(t / 2) * k + at + t % 2 * 4);
        float4 y4 = *(const float4 *)(b + (size_t)(at + t / 32) * n + t % 32 * 4);
        for (int j = 0; j < 4; j++)
            as[t % 2 * 4 + j][t / 2] = (&x4.x)[j];
        *(float4 *)&bs[t / 32][t % 32 * 4] = y4;
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
    for (int r = 0; r < 8; r++) {
        *(float4 *)(c + (size_t)r * n) = make_float4(sum[r][0], sum[r][1], sum[r][2], sum[r][3]);
        *(float4 *)(c + (size_t)r * n + 4) =
            make_float4(sum[r][4], sum[r][5], sum[r][6], sum[r][7]);
    }
}

extern "C" void
run_version(const struct problem *p, cudaStream_t s)
{
    int m = (int)p->dim[0], n = (int)p->dim[1], k = (int)p->dim[2];
    gemm_f32_v3<<<dim3(n / 128, m / 128), 256, 0, s>>>(
        (const float *)p->in[0], (const float *)p->in[1], (float *)p->out, n, k);
}
