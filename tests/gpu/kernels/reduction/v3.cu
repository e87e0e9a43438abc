// v3: v2 with a fixed grid that fills the chip once; each thread adds about 248 elements on its own
// before the block adds up, so there are 1,056 atomics instead of 262,144.
#include "common.h"

enum { BLOCKS = 8 * 132 }; // what the SMs of an H200 hold at once

extern "C" __global__ void
reduction_v3(const float *__restrict__ x, float *sum, long long n)
{
    __shared__ float part[8];
    int t = threadIdx.x;
    float v = 0;

    for (long long i = blockIdx.x * 256ll + t; i < n; i += BLOCKS * 256ll)
        v += x[i];

    for (int s = 16; s > 0; s /= 2)
        v += __shfl_down_sync(~0u, v, s);
    if (t % 32 == 0)
        part[t / 32] = v;
    __syncthreads();
    if (t < 8) {
        v = part[t];
        for (int s = 4; s > 0; s /= 2)
            v += __shfl_down_sync(0xffu, v, s);
        if (t == 0)
            atomicAdd(sum, v);
    }
}

extern "C" void
run_version(const struct problem *p, cudaStream_t s)
{
    cudaMemsetAsync(p->out, 0, 4, s);
    reduction_v3<<<BLOCKS, 256, 0, s>>>((const float *)p->in[0], (float *)p->out, p->dim[0]);
}
