// v6: v3 as a persistent kernel: each block walks rows and has the next row's loads in flight while
// it reduces and writes the current one (a pipeline of two stages in registers).
#include "common.h"

enum { BLOCKS = 5 * 132 }; // what fits beside two rows per block in registers

static __device__ float
max4(float4 v)
{
    return fmaxf(fmaxf(v.x, v.y), fmaxf(v.z, v.w));
}
static __device__ float4
exp4(float4 v, float m)
{
    return make_float4(expf(v.x - m), expf(v.y - m), expf(v.z - m), expf(v.w - m));
}
static __device__ float
sum4(float4 v)
{
    return (v.x + v.y) + (v.z + v.w);
}
static __device__ float4
scale4(float4 v, float k)
{
    return make_float4(v.x * k, v.y * k, v.z * k, v.w * k);
}

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

extern "C" __global__ void
    __launch_bounds__(256) softmax_v6(const float *__restrict__ x, float *__restrict__ y, int rows)
{
    __shared__ float part[2][2][8]; // maximum and sum, for even and odd turns
    const float4 *in = (const float4 *)x + threadIdx.x;
    float4 *out = (float4 *)y + threadIdx.x, next[4];
    int turn = 0;

#pragma unroll
    for (int i = 0; i < 4; i++)
        if (blockIdx.x < rows)
            next[i] = in[blockIdx.x * (size_t)1024 + 256 * i];
    for (int r = blockIdx.x; r < rows; r += BLOCKS, turn ^= 1) {
        float4 kept[4];
        float m = -INFINITY, sum = 0;
#pragma unroll
        for (int i = 0; i < 4; i++) {
            kept[i] = next[i];
            m = fmaxf(m, max4(kept[i]));
        }
        if (r + BLOCKS < rows)
#pragma unroll
            for (int i = 0; i < 4; i++)
                next[i] = in[(r + BLOCKS) * (size_t)1024 + 256 * i];
        m = block_all(m, part[turn][0], true);
#pragma unroll
        for (int i = 0; i < 4; i++) {
            kept[i] = exp4(kept[i], m);
            sum += sum4(kept[i]);
        }
        float scale = 1 / block_all(sum, part[turn][1], false);
#pragma unroll
        for (int i = 0; i < 4; i++)
            out[r * (size_t)1024 + 256 * i] = scale4(kept[i], scale);
    }
}

extern "C" void
run_version(const struct problem *p, cudaStream_t s)
{
    softmax_v6<<<BLOCKS, 256, 0, s>>>((const float *)p->in[0], (float *)p->out, (int)p->dim[0]);
}
