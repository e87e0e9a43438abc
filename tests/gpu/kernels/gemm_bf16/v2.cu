// v2: v1 with four stages of tiles filled by cp.async: three tiles are on their way while one is
// multiplied, with one barrier per step.
#include "common.h"
#include <cuda_bf16.h>
#include <cuda_pipeline.h>
#include <mma.h>

typedef __nv_bfloat16 bf16;
using namespace nvcuda;

enum { LD = 40, STAGES = 4, SHARED = STAGES * 256 * LD * 2 };

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

// Start the copy of ROWS rows of 32 values from X (row length K) to a tile.
template <int ROWS>
static __device__ void
copy_tile(bf16 (*to)[LD], const bf16 *x, int k)
{
#pragma unroll
    for (int i = threadIdx.x; i < 4 * ROWS; i += 256)
        __pipeline_memcpy_async(&to[i / 4][i % 4 * 8], x + (size_t)(i / 4) * k + i % 4 * 8, 16);
}

extern "C" __global__ void __launch_bounds__(256) gemm_bf16_v2(
    const bf16 *__restrict__ a, const bf16 *__restrict__ b, bf16 *__restrict__ c, int n, int k)
{
    extern __shared__ __align__(128) unsigned char shared[];
    bf16(*as)[128][LD] = (bf16(*)[128][LD])shared;
    bf16(*bs)[128][LD] = (bf16(*)[128][LD])(as + STAGES);
    int t = threadIdx.x, warp = t / 32, wy = warp / 4 * 64, wx = warp % 4 * 32;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[4][2];

    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 2; j++)
            wmma::fill_fragment(sum[i][j], 0);
    a += (size_t)blockIdx.y * 128 * k;
    b += (size_t)blockIdx.x * 128 * k;
    for (int i = 0; i < STAGES - 1; i++) {
        copy_tile<128>(as[i], a + 32 * i, k);
        copy_tile<128>(bs[i], b + 32 * i, k);
        __pipeline_commit();
    }
    for (int at = 0, cur = 0; at < k; at += 32, cur = (cur + 1) % STAGES) {
        int next = (cur + STAGES - 1) % STAGES, ahead = at + 32 * (STAGES - 1);
        __pipeline_wait_prior(STAGES - 2);
        __syncthreads(); // this tile is there, and nobody reads the one before it any more
        if (ahead < k) {
            copy_tile<128>(as[next], a + ahead, k);
            copy_tile<128>(bs[next], b + ahead, k);
        }
        __pipeline_commit();
#pragma unroll
        for (int kk = 0; kk < 32; kk += 16) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, bf16, wmma::row_major> x[4];
            wmma::fragment<wmma::matrix_b, 16, 16, 16, bf16, wmma::col_major> y[2];
#pragma unroll
            for (int i = 0; i < 4; i++)
                wmma::load_matrix_sync(x[i], &as[cur][wy + 16 * i][kk], LD);
#pragma unroll
            for (int j = 0; j < 2; j++)
                wmma::load_matrix_sync(y[j], &bs[cur][wx + 16 * j][kk], LD);
#pragma unroll
            for (int i = 0; i < 4; i++)
#pragma unroll
                for (int j = 0; j < 2; j++)
                    wmma::mma_sync(sum[i][j], x[i], y[j], sum[i][j]);
        }
    }
    __syncthreads();
    c += (size_t)(blockIdx.y * 128 + wy) * n + blockIdx.x * 128 + wx;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 2; j++)
            store_tile(c + (size_t)16 * i * n + 16 * j, n, sum[i][j], (float *)shared + 256 * warp);
}

extern "C" void
run_version(const struct problem *p, cudaStream_t s)
{
    int m = (int)p->dim[0], n = (int)p->dim[1], k = (int)p->dim[2];
    cudaFuncSetAttribute(gemm_bf16_v2, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED);
    gemm_bf16_v2<<<dim3(n / 128, m / 128), 256, SHARED, s>>>(
        (const bf16 *)p->in[0], (const bf16 *)p->in[1], (bf16 *)p->out, n, k);
}
