// v3: v2 with ldmatrix and mma.sync.m16n8k16 instead of WMMA: fragments of known layout, and C goes
// straight from registers to global memory.
#include "common.h"
#include <cuda_bf16.h>
#include <cuda_pipeline.h>

typedef __nv_bfloat16 bf16;

enum { LD = 40, STAGES = 4, SHARED = STAGES * 256 * LD * 2 };

// Start the copy of ROWS rows of 32 values from X (row length K) to a tile.
template <int ROWS>
static __device__ void
copy_tile(bf16 (*to)[LD], const bf16 *x, int k)
{
#pragma unroll
    for (int i = threadIdx.x; i < 4 * ROWS; i += 256)
        __pipeline_memcpy_async(&to[i / 4][i % 4 * 8], x + (size_t)(i / 4) * k + i % 4 * 8, 16);
}

// Four 8 × 8 matrices of bf16; each lane gives the address of one row.
static __device__ void
ldmatrix(unsigned r[4], const bf16 *row)
{
    unsigned at = (unsigned)__cvta_generic_to_shared(row);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(at));
}
static __device__ void
mma(float d[4], const unsigned a[4], unsigned b0, unsigned b1)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

extern "C" __global__ void __launch_bounds__(256) gemm_bf16_v3(
    const bf16 *__restrict__ a, const bf16 *__restrict__ b, bf16 *__restrict__ c, int n, int k)
{
    extern __shared__ __align__(128) unsigned char shared[];
    bf16(*as)[128][LD] = (bf16(*)[128][LD])shared;
    bf16(*bs)[128][LD] = (bf16(*)[128][LD])(as + STAGES);
    int t = threadIdx.x, lane = t % 32, wy = t / 128 * 64, wx = t / 32 % 4 * 32;
    float sum[4][4][4] = {};

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
            unsigned x[4][4], y[2][4];
#pragma unroll
            for (int i = 0; i < 4; i++)
                ldmatrix(x[i], &as[cur][wy + 16 * i + lane % 16][kk + lane / 16 * 8]);
#pragma unroll
            for (int j = 0; j < 2; j++)
                ldmatrix(
                    y[j], &bs[cur][wx + 16 * j + lane % 8 + lane / 16 * 8][kk + lane / 8 % 2 * 8]);
#pragma unroll
            for (int i = 0; i < 4; i++)
#pragma unroll
                for (int j = 0; j < 4; j++)
                    mma(sum[i][j], x[i], y[j / 2][j % 2 * 2], y[j / 2][j % 2 * 2 + 1]);
        }
    }
    c += (size_t)(blockIdx.y * 128 + wy + lane / 4) * n + blockIdx.x * 128 + wx + lane % 4 * 2;
#pragma unroll
    for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = 0; j < 4; j++) {
            bf16 *to = c + (size_t)16 * i * n + 8 * j;
            *(__nv_bfloat162 *)to = __floats2bfloat162_rn(sum[i][j][0], sum[i][j][1]);
            *(__nv_bfloat162 *)(to + (size_t)8 * n) =
                __floats2bfloat162_rn(sum[i][j][2], sum[i][j][3]);
        }
}

extern "C" void
run_version(const struct problem *p, cudaStream_t s)
{
    int m = (int)p->dim[0], n = (int)p->dim[1], k = (int)p->dim[2];
    cudaFuncSetAttribute(gemm_bf16_v3, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED);
    gemm_bf16_v3<<<dim3(n / 128, m / 128), 256, SHARED, s>>>(
        (const bf16 *)p->in[0], (const bf16 *)p->in[1], (bf16 *)p->out, n, k);
}
