// v7: v5 without atomics: every thread has 256 counters of one byte in shared memory and merges
// them into the block's counts before they can run over.
#include "common.h"

enum { BLOCKS = 6 * 132 };
enum { THREADS = 128, SHARED = 256 * THREADS + 1024 };
// Where thread T's byte lies in a row of THREADS: lanes of a warp in 32 banks, warps in the bytes.
#define SLOT(t) ((t) % 32 * 4 + (t) / 32)

extern "C" __global__ void
histogram_v7(const uint4 *__restrict__ x, unsigned *count, long long n)
{
    extern __shared__ uint8_t shared[]; // [256 values][THREADS], then unsigned [256]
    unsigned *mine = (unsigned *)(shared + 256 * THREADS);
    int t = threadIdx.x;
    long long step = (long long)BLOCKS * THREADS, rounds = (n / 16 + step - 1) / step;

    for (int k = t; k < 64 * THREADS + 256; k += THREADS)
        ((unsigned *)shared)[k] = 0;
    __syncthreads();
    for (long long r = 0; r < rounds; r++) {
        long long i = r * step + (long long)blockIdx.x * THREADS + t;
        if (i < n / 16) {
            uint4 v = x[i];
            unsigned words[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
            for (int k = 0; k < 16; k++)
                shared[(words[k / 4] >> 8 * (k % 4) & 255) * THREADS + SLOT(t)]++;
        }
        if (r % 15 == 14 || r == rounds - 1) { // 15 * 16 < 256
            __syncthreads();
            for (int value = t; value < 256; value += THREADS) {
                unsigned *row = (unsigned *)(shared + value * THREADS), sum = 0;
                for (int k = 0; k < THREADS / 4; k++) {
                    int at = (k + value) % (THREADS / 4);
                    sum += __dp4a(row[at], 0x01010101u, 0u);
                    row[at] = 0;
                }
                mine[value] += sum;
            }
            __syncthreads();
        }
    }
    for (int value = t; value < 256; value += THREADS)
        atomicAdd(&count[value], mine[value]);
}

extern "C" void
run_version(const struct problem *p, cudaStream_t s)
{
    cudaFuncSetAttribute(histogram_v7, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED);
    cudaMemsetAsync(p->out, 0, 1024, s);
    histogram_v7<<<BLOCKS, THREADS, SHARED, s>>>(
        (const uint4 *)p->in[0], (unsigned *)p->out, p->dim[0]);
}
