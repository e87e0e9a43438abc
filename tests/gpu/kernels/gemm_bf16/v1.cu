// v1: v0 through tiles in shared memory: blocks of eight warps compute 128 × 128 in steps of 32
// along k, 64 × 32 per warp; rows of the tiles are padded by 16 bytes against bank conflicts.
#include "common.h"
#include <cuda_bf16.h>
#include <mma.h>

typedef __nv_bfloat16 bf16;
using namespace nvcuda;

enum { LD = 40 };

// A 16 × 16 tile of C: the layout of its fragment is not known, so it goes through shared memory.
static __device__ void
store_tile(
    bf16 *c, int n, const wmma::fragment<wmma::accumulator, 16, 16, 16, float> &sum, float *tmp)
{
    int lane = threadIdx.x % 32;

    wmma::store_matrix_sync(tmp, sum, 16, wmma::mem_row_major);
    __syncwarp();
    for (int i = lane; i < 128; i += 32)
        *(__nv_bfloat162 *)(c + (size_t)(i / 8) * n + i % 8 * 2) =
            __floats2bfloat162_rn(tmp[2 * i], tmp[2 * i + 1]);
    __syncwarp();
}

extern "C" __global__ void __launch_bounds__(256) gemm_bf16_v1(
    const bf16 *__restrict__ a, const bf16 *__restrict__ b, bf16 *__restrict__ c, int n, int k)
{
    __shared__ __align__(128) bf16 as[128][LD], bs[128][LD];
    __shared__ float tmp[8][256];
    int t = threadIdx.x, warp = t / 32, wy = warp / 4 * 64, wx = warp % 4 * 32;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[4][2];

    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 2; j++)
            wmma::fill_fragment(sum[i][j], 0);
    a += (size_t)blockIdx.y * 128 * k;
    b += (size_t)blockIdx.x * 128 * k;
    for (int at = 0; at < k; at += 32) {
        for (int i = t; i < 512; i += 256) {
            *(uint4 *)&as[i / 4][i % 4 * 8] =
                *(const uint4 *)(a + (size_t)(i / 4) * k + at + i % 4 * 8);
            *(uint4 *)&bs[i / 4][i % 4 * 8] =
                *(const uint4 *)(b + (size_t)(i / 4) * k + at + i % 4 * 8);
        }
        __syncthreads();
#pragma unroll
        for (int kk = 0; kk < 32; kk += 16) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, bf16, wmma::row_major> x[4];
            wmma::fragment<wmma::matrix_b, 16, 16, 16, bf16, wmma::col_major> y[2];
#pragma unroll
            for (int i = 0; i < 4; i++)
                wmma::load_matrix_sync(x[i], &as[wy + 16 * i][kk], LD);
#pragma unroll
            for (int j = 0; j < 2; j++)
                wmma::load_matrix_sync(y[j], &bs[wx + 16 * j][kk], LD);
#pragma unroll
            for (int i = 0; i < 4; i++)
#pragma unroll
                for (int j = 0; j < 2; j++)
                    wmma::mma_sync(sum[i][j], x[i], y[j], sum[i][j]);
        }
        __syncthreads();
    }
    __syncthreads();
    c += (size_t)(blockIdx.y * 128 + wy) * n + blockIdx.x * 128 + wx;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 2; j++)
            store_tile(c + (size_t)16 * i * n + 16 * j, n, sum[i][j], tmp[warp]);
}

extern "C" void
run_version(const struct problem *p, cudaStream_t s)
{
    int m = (int)p->dim[0], n = (int)p->dim[1], k = (int)p->dim[2];
    gemm_bf16_v1<<<dim3(n / 128, m / 128), 256, 0, s>>>(
        (const bf16 *)p->in[0], (const bf16 *)p->in[1], (bf16 *)p->out, n, k);
}
