// v6_without_vector: v6 with one byte per load.
#include "common.h"

enum { BLOCKS = 2 * 132 };

extern "C" __global__ void
histogram_v6_without_vector(const uint8_t *__restrict__ x, unsigned *count, long long n)
{
    __shared__ unsigned column[256][32]; // bank = lane
    unsigned lane = threadIdx.x % 32;

    for (int k = threadIdx.x; k < 256 * 32; k += 1024)
        (&column[0][0])[k] = 0;
    __syncthreads();
    for (long long i = blockIdx.x * 1024ll + threadIdx.x; i < n; i += BLOCKS * 1024ll)
        atomicAdd(&column[x[i]][lane], 1);
    __syncthreads();
    if (threadIdx.x < 256) {
        unsigned sum = 0;
        for (int k = 0; k < 32; k++) // each thread starts in a bank of its own
            sum += column[threadIdx.x][(k + threadIdx.x) % 32];
        atomicAdd(&count[threadIdx.x], sum);
    }
}

extern "C" void
run_version(const struct problem *p, cudaStream_t s)
{
    cudaMemsetAsync(p->out, 0, 1024, s);
    histogram_v6_without_vector<<<BLOCKS, 1024, 0, s>>>(
        (const uint8_t *)p->in[0], (unsigned *)p->out, p->dim[0]);
}
