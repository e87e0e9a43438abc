// v1: v0 with a running maximum and a sum that is rescaled when it grows: two passes over the row
// instead of three.
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

extern "C" __global__ void
    __launch_bounds__(256) softmax_v1(const float *__restrict__ x, float *__restrict__ y, int cols)
{
    __shared__ float part[2][8];
    const float *row = x + (size_t)blockIdx.x * cols;
    float *out = y + (size_t)blockIdx.x * cols;
    float mine = -INFINITY, sum = 0;

    for (int i = threadIdx.x; i < cols; i += 256) {
        float v = row[i], m = fmaxf(mine, v);
        sum = sum * expf(mine - m) + expf(v - m);
        mine = m;
    }
    float m = block_all(mine, part[0], true);
    float scale = 1 / block_all(sum * expf(mine - m), part[1], false);
    for (int i = threadIdx.x; i < cols; i += 256)
        out[i] = expf(row[i] - m) * scale;
}

extern "C" void
run_version(const struct problem *p, cudaStream_t s)
{
    softmax_v1<<<p->dim[0], 256, 0, s>>>((const float *)p->in[0], (float *)p->out, (int)p->dim[1]);
}
