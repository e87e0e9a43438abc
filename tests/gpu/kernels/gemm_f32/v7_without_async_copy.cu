// v7_without_async_copy: v7 with the next tile in registers on its way (this is v6).
#include "common.h"

enum { BK = 16, PAD = 4 };

extern "C" __global__ void __launch_bounds__(256, 2) gemm_f32_v7_without_async_copy(
    const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n, int k)
{
    __shared__ __align__(16) float as[2][BK][128 + PAD], bs[2][BK][128];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    int tx = warp % 2 * 64 + lane % 8 * 4, ty = warp / 2 * 32 + lane / 8 * 4;
    float sum[8][8] = {};
    float4 x4[BK / 8], y4[BK / 8];

    a += (size_t)blockIdx.y * 128 * k + (size_t)(t / 2) * k + t % 2 * 4;
    b += (size_t)(t / 32) * n + blockIdx.x * 128 + t % 32 * 4;
    for (int at = -BK, cur = 1; at < k; at += BK, cur ^= 1) {
        if (at + BK < k) // tile n + 1 on its way while tile n is multiplied
#pragma unroll
            for (int i = 0; i < BK / 8; i++) {
                x4[i] = *(const float4 *)(a + at + BK + 8 * i);
                y4[i] = *(const float4 *)(b + (size_t)(at + BK + 8 * i) * n);
            }
        if (at >= 0)
#pragma unroll
            for (int i = 0; i < BK; i++) {
                float4 x0 = *(const float4 *)&as[cur][i][ty],
                       x1 = *(const float4 *)&as[cur][i][ty + 16];
                float4 y0 = *(const float4 *)&bs[cur][i][tx],
                       y1 = *(const float4 *)&bs[cur][i][tx + 32];
                float x[8] = {x0.x, x0.y, x0.z, x0.w, x1.x, x1.y, x1.z, x1.w};
                float y[8] = {y0.x, y0.y, y0.z, y0.w, y1.x, y1.y, y1.z, y1.w};
#pragma unroll
                for (int r = 0; r < 8; r++)
#pragma unroll
                    for (int j = 0; j < 8; j++)
                        sum[r][j] += x[r] * y[j];
            }
#pragma unroll
        for (int i = 0; i < BK / 8; i++) {
            for (int j = 0; j < 4; j++)
                as[cur ^ 1][8 * i + t % 2 * 4 + j][t / 2] = (&x4[i].x)[j];
            *(float4 *)&bs[cur ^ 1][8 * i + t / 32][t % 32 * 4] = y4[i];
        }
        __syncthreads();
    }
    c += (size_t)(blockIdx.y * 128 + ty) * n + blockIdx.x * 128 + tx;
#pragma unroll
    for (int r = 0; r < 8; r++) {
        float *row = c + (size_t)(r + r / 4 * 12) * n;
        *(float4 *)row = make_float4(sum[r][0], sum[r][1], sum[r][2], sum[r][3]);
        *(float4 *)(row + 32) = make_float4(sum[r][4], sum[r][5], sum[r][6], sum[r][7]);
    }
}

extern "C" void
run_version(const struct problem *p, cudaStream_t s)
{
    int m = (int)p->dim[0], n = (int)p->dim[1], k = (int)p->dim[2];
    gemm_f32_v7_without_async_copy<<<dim3(n / 128, m / 128), 256, 0, s>>>(
        (const float *)p->in[0], (const float *)p->in[1], (float *)p->out, n, k);
}
