// v8_without_async_copy: v8 with the next tile on its way in registers instead of cp.async.
#include "common.h"

enum { BK = 16, PAD = 4, SHARED = 2 * BK * (256 + PAD + 128) * 4 };

extern "C" __global__ void __launch_bounds__(256, 1) gemm_f32_v8_without_async_copy(
    const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n, int k)
{
    extern __shared__ __align__(16) float shared[];
    float(*as)[BK][256 + PAD] = (float(*)[BK][256 + PAD]) shared;
    float(*bs)[BK][128] = (float(*)[BK][128])(as + 2);
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    int tx = warp % 2 * 64 + lane % 8 * 4, ty = warp / 2 * 64 + lane / 8 * 4;
    float sum[16][8] = {}, x1[16];
    float4 y4[BK / 8];

    a += (size_t)blockIdx.y * 256 * k + (size_t)(t / 16) * k + t % 16;
    b += (size_t)(t / 32) * n + blockIdx.x * 128 + t % 32 * 4;
    for (int at = -BK, cur = 1; at < k; at += BK, cur ^= 1) {
        if (at + BK < k) {
#pragma unroll
            for (int i = 0; i < 16; i++)
                x1[i] = a[at + BK + (size_t)16 * i * k];
#pragma unroll
            for (int i = 0; i < BK / 8; i++)
                y4[i] = *(const float4 *)(b + (size_t)(at + BK + 8 * i) * n);
        }
        if (at >= 0)
#pragma unroll
            for (int i = 0; i < BK; i++) {
                float x[16];
#pragma unroll
                for (int q = 0; q < 4; q++)
                    *(float4 *)&x[4 * q] = *(const float4 *)&as[cur][i][ty + 16 * q];
                float4 y0 = *(const float4 *)&bs[cur][i][tx],
                       y1 = *(const float4 *)&bs[cur][i][tx + 32];
                float y[8] = {y0.x, y0.y, y0.z, y0.w, y1.x, y1.y, y1.z, y1.w};
#pragma unroll
                for (int r = 0; r < 16; r++)
#pragma unroll
                    for (int j = 0; j < 8; j++)
                        sum[r][j] += x[r] * y[j];
            }
#pragma unroll
        for (int i = 0; i < 16; i++)
            as[cur ^ 1][t % 16][t / 16 + 16 * i] = x1[i];
#pragma unroll
        for (int i = 0; i < BK / 8; i++)
            *(float4 *)&bs[cur ^ 1][8 * i + t / 32][t % 32 * 4] = y4[i];
        __syncthreads();
    }
    c += (size_t)(blockIdx.y * 256 + ty) * n + blockIdx.x * 128 + tx;
#pragma unroll
    for (int r = 0; r < 16; r++) {
        float *row = c + (size_t)(r + r / 4 * 12) * n;
        *(float4 *)row = make_float4(sum[r][0], sum[r][1], sum[r][2], sum[r][3]);
        *(float4 *)(row + 32) = make_float4(sum[r][4], sum[r][5], sum[r][6], sum[r][7]);
    }
}

extern "C" void
run_version(const struct problem *p, cudaStream_t s)
{
    int m = (int)p->dim[0], n = (int)p->dim[1], k = (int)p->dim[2];
    cudaFuncSetAttribute(
        gemm_f32_v8_without_async_copy, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED);
    gemm_f32_v8_without_async_copy<<<dim3(n / 128, m / 256), 256, SHARED, s>>>(
        (const float *)p->in[0], (const float *)p->in[1], (float *)p->out, n, k);
}
