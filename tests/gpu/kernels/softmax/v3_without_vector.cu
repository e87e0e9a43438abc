// v3_without_vector: v3 with one float per load and store; the row stays in registers (this is v2).
#include "common.h"

// The sum or maximum of V over the block, on every thread; PART is used once per launch.
static __device__ float
block_all(float v, float *part, bool max)
{
    for (int s = 16; s > 0; s /= 2) {
        float o = __shfl_xor_sync(~0u, v, s);
        v = max ? fmaxf(v, o) : v + o;
    }
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = v;
    __syncthreads();
    v = part[threadIdx.x % 8];
    for (int s = 4; s > 0; s /= 2) {
        float o = __shfl_xor_sync(~0u, v, s);
        v = max ? fmaxf(v, o) : v + o;
    }
    return v;
}

extern "C" __global__ void __launch_bounds__(256)
    softmax_v3_without_vector(const float *__restrict__ x, float *__restrict__ y, int cols)
{
    __shared__ float part[2][8];
    const float *row = x + (size_t)blockIdx.x * 4096;
    float *out = y + (size_t)blockIdx.x * 4096;
    float kept[16], m = -INFINITY, sum = 0;

#pragma unroll
    for (int i = 0; i < 16; i++) {
        kept[i] = row[threadIdx.x + 256 * i];
        m = fmaxf(m, kept[i]);
    }
    m = block_all(m, part[0], true);
#pragma unroll
    for (int i = 0; i < 16; i++)
        sum += kept[i] = expf(kept[i] - m);
    float scale = 1 / block_all(sum, part[1], false);
#pragma unroll
    for (int i = 0; i < 16; i++)
        out[threadIdx.x + 256 * i] = kept[i] * scale;
}

extern "C" void
run_version(const struct problem *p, cudaStream_t s)
{
    softmax_v3_without_vector<<<p->dim[0], 256, 0, s>>>(
        (const float *)p->in[0], (float *)p->out, (int)p->dim[1]);
}
