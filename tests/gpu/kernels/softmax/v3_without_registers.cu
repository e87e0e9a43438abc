// v3_without_registers: v3 reading its row three times, 16 bytes per load.
#include "common.h"

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

extern "C" __global__ void __launch_bounds__(256)
    softmax_v3_without_registers(const float *__restrict__ x, float *__restrict__ y, int cols)
{
    __shared__ float part[2][8];
    const float4 *row = (const float4 *)(x + (size_t)blockIdx.x * 4096);
    float4 *out = (float4 *)(y + (size_t)blockIdx.x * 4096);
    float m = -INFINITY, sum = 0;

#pragma unroll 1 // unrolled, the compiler keeps the row after all
    for (int i = 0; i < 4; i++) {
        m = fmaxf(m, max4(row[threadIdx.x + 256 * i]));
    }
    m = block_all(m, part[0], true);
#pragma unroll 1 // unrolled, the compiler keeps the row after all
    for (int i = 0; i < 4; i++)
        sum += sum4(exp4(row[threadIdx.x + 256 * i], m));
    float scale = 1 / block_all(sum, part[1], false);
#pragma unroll 1 // unrolled, the compiler keeps the row after all
    for (int i = 0; i < 4; i++)
        out[threadIdx.x + 256 * i] = scale4(exp4(row[threadIdx.x + 256 * i], m), scale);
}

extern "C" void
run_version(const struct problem *p, cudaStream_t s)
{
    softmax_v3_without_registers<<<p->dim[0], 256, 0, s>>>(
        (const float *)p->in[0], (float *)p->out, (int)p->dim[1]);
}
