// v7: v6 with 512 threads per row, 16 values each.
#include "common.h"
#include <math.h>

enum { K = 8, COLS = 8192 };

struct best {
    float v;
    int at;
};
static __device__ struct best
larger(struct best a, struct best b)
{
    return b.v > a.v || (b.v == a.v && b.at < a.at) ? b : a;
}
static __device__ struct best
warp_largest(struct best b)
{
    for (int s = 16; s > 0; s /= 2) {
        struct best o = {__shfl_xor_sync(~0u, b.v, s), __shfl_xor_sync(~0u, b.at, s)};
        b = larger(b, o);
    }
    return b;
}

// Eight passes over the row by one warp.
static __device__ void
slow(const float *row, float *value, int *at)
{
    struct best last = {INFINITY, -1};

    for (int k = 0; k < K; k++) {
        struct best b = {-INFINITY, COLS};
        for (int i = threadIdx.x; i < COLS; i += 32)
            if (row[i] < last.v || (row[i] == last.v && i > last.at))
                b = larger(b, (struct best){row[i], i});
        last = warp_largest(b);
        if (threadIdx.x == 0)
            value[k] = last.v, at[k] = last.at;
    }
}

extern "C" __global__ void
    __launch_bounds__(512) topk_v7(const float *__restrict__ x, float *value, int *at)
{
    enum { ROOM = 1024 };
    __shared__ struct best found[ROOM];
    __shared__ float maxima[16];
    __shared__ int n;
    const float4 *row = (const float4 *)(x + blockIdx.x * (size_t)COLS);
    float4 kept[4];
    float m = -INFINITY;

    if (threadIdx.x == 0)
        n = 0;
#pragma unroll
    for (int i = 0; i < 4; i++) {
        kept[i] = row[threadIdx.x + 512 * i];
        m = fmaxf(m, fmaxf(fmaxf(kept[i].x, kept[i].y), fmaxf(kept[i].z, kept[i].w)));
    }
    for (int s = 16; s > 0; s /= 2)
        m = fmaxf(m, __shfl_xor_sync(~0u, m, s));
    if (threadIdx.x % 32 == 0)
        maxima[threadIdx.x / 32] = m;
    __syncthreads();
    float floor = INFINITY;
#pragma unroll
    for (int k = 0; k < 8; k++) // eight pairs of warps
        floor = fminf(floor, fmaxf(maxima[k], maxima[k + 8]));
#pragma unroll
    for (int i = 0; i < 4; i++) {
        float v[4] = {kept[i].x, kept[i].y, kept[i].z, kept[i].w};
#pragma unroll
        for (int j = 0; j < 4; j++)
            if (v[j] >= floor) {
                int slot = atomicAdd(&n, 1);
                if (slot < ROOM)
                    found[slot] = (struct best){v[j], 4 * ((int)threadIdx.x + 512 * i) + j};
            }
    }
    __syncthreads();
    if (threadIdx.x >= 32)
        return;
    if (n > ROOM) { // many equal or very uneven values: search the row again, slowly
        slow(x + blockIdx.x * (size_t)COLS, value + blockIdx.x * K, at + blockIdx.x * K);
        return;
    }
    for (int k = 0; k < K; k++) {
        struct best b = {-INFINITY, COLS};
        int slot = 0;
        for (int i = threadIdx.x; i < n; i += 32)
            if (found[i].v > b.v || (found[i].v == b.v && found[i].at < b.at))
                b = found[i], slot = i;
        struct best top = warp_largest(b);
        if (b.at == top.at)
            found[slot].v = -INFINITY, found[slot].at = COLS;
        __syncwarp();
        if (threadIdx.x == 0)
            value[blockIdx.x * K + k] = top.v, at[blockIdx.x * K + k] = top.at;
    }
}

extern "C" void
run_version(const struct problem *p, cudaStream_t s)
{
    int rows = (int)p->dim[0];
    float *value = (float *)p->out;
    topk_v7<<<rows, 512, 0, s>>>((const float *)p->in[0], value, (int *)(value + rows * K));
}
