// v0: tensor cores by the WMMA interface, one 16 × 16 tile of C per warp, fragments loaded straight
// from global memory.
#include "common.h"
#include <cuda_bf16.h>
#include <mma.h>

typedef __nv_bfloat16 bf16;
using namespace nvcuda;

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

extern "C" __global__ void
gemm_bf16_v0(
    const bf16 *__restrict__ a, const bf16 *__restrict__ b, bf16 *__restrict__ c, int n, int k)
{
    __shared__ float tmp[4][256];
    int warp = threadIdx.x / 32;
    int row = blockIdx.y * 32 + warp / 2 * 16, col = blockIdx.x * 32 + warp % 2 * 16;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, bf16, wmma::row_major> x;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, bf16, wmma::col_major> y;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;

    wmma::fill_fragment(sum, 0);
    for (int i = 0; i < k; i += 16) {
        wmma::load_matrix_sync(x, a + (size_t)row * k + i, k);
        wmma::load_matrix_sync(y, b + (size_t)col * k + i, k);
        wmma::mma_sync(sum, x, y, sum);
    }
    store_tile(c + (size_t)row * n + col, n, sum, tmp[warp]);
}

extern "C" void
run_version(const struct problem *p, cudaStream_t s)
{
    int m = (int)p->dim[0], n = (int)p->dim[1], k = (int)p->dim[2];
    gemm_bf16_v0<<<dim3(n / 32, m / 32), 128, 0, s>>>(
        (const bf16 *)p->in[0], (const bf16 *)p->in[1], (bf16 *)p->out, n, k);
}
