// v8_without_pipeline: v8 with one tile in shared memory: copied, waited for, multiplied.
#include "common.h"
#include <cuda_pipeline.h>

enum { BK = 16, PAD = 4, SHARED = BK * (256 + PAD + 128) * 4 };

template <int BYTES>
static __device__ void
copy(float *to, const float *from)
{
    __pipeline_memcpy_async(to, from, BYTES);
}

extern "C" __global__ void __launch_bounds__(256, 1) gemm_f32_v8_without_pipeline(
    const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n, int k)
{
    extern __shared__ __align__(16) float shared[];
    float(*as)[256 + PAD] = (float(*)[256 + PAD]) shared;
    float(*bs)[128] = (float(*)[128])(as + BK);
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    int tx = warp % 2 * 64 + lane % 8 * 4, ty = warp / 2 * 64 + lane / 8 * 4;
    float sum[16][8] = {};

    a += (size_t)blockIdx.y * 256 * k + (size_t)(t / 16) * k + t % 16;
    b += (size_t)(t / 32) * n + blockIdx.x * 128 + t % 32 * 4;
    for (int at = 0; at < k; at += BK) {
#pragma unroll
        for (int i = 0; i < 16; i++)
            copy<4>(&as[t % 16][t / 16 + 16 * i], a + at + (size_t)16 * i * k);
#pragma unroll
        for (int i = 0; i < BK / 8; i++)
            copy<16>(&bs[8 * i + t / 32][t % 32 * 4], b + (size_t)(at + 8 * i) * n);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
#pragma unroll
        for (int i = 0; i < BK; i++) {
            float x[16];
#pragma unroll
            for (int q = 0; q < 4; q++)
                *(float4 *)&x[4 * q] = *(const float4 *)&as[i][ty + 16 * q];
            float4 y0 = *(const float4 *)&bs[i][tx], y1 = *(const float4 *)&bs[i][tx + 32];
            float y[8] = {y0.x, y0.y, y0.z, y0.w, y1.x, y1.y, y1.z, y1.w};
#pragma unroll
            for (int r = 0; r < 16; r++)
#pragma unroll
                for (int j = 0; j < 8; j++)
                    sum[r][j] += x[r] * y[j];
        }
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
        gemm_f32_v8_without_pipeline, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED);
    gemm_f32_v8_without_pipeline<<<dim3(n / 128, m / 256), 256, SHARED, s>>>(
        (const float *)p->in[0], (const float *)p->in[1], (float *)p->out, n, k);
}
