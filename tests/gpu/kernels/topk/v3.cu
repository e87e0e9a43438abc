// v3: v2 with 16 bytes per load.
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
// The largest over the block, on every thread. Two barriers.
static __device__ struct best
block_largest(struct best b, struct best *part)
{
    b = warp_largest(b);
    __syncthreads();
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = b;
    __syncthreads();
    return warp_largest(part[threadIdx.x % 8]);
}

// The K largest that one thread has seen, falling; all indices are known at compile time.
struct list {
    float v[K];
    int at[K];
};
static __device__ void
clear(struct list *l)
{
#pragma unroll
    for (int k = 0; k < K; k++)
        l->v[k] = -INFINITY, l->at[k] = -1;
}
static __device__ void
insert(struct list *l, float v, int at)
{
    if (v <= l->v[K - 1])
        return;
    l->v[K - 1] = v, l->at[K - 1] = at;
#pragma unroll
    for (int k = K - 1; k > 0; k--)
        if (l->v[k] > l->v[k - 1]) {
            float tv = l->v[k];
            int ta = l->at[k];
            l->v[k] = l->v[k - 1], l->at[k] = l->at[k - 1];
            l->v[k - 1] = tv, l->at[k - 1] = ta;
        }
}
static __device__ void
pop(struct list *l)
{
#pragma unroll
    for (int k = 0; k < K - 1; k++)
        l->v[k] = l->v[k + 1], l->at[k] = l->at[k + 1];
    l->v[K - 1] = -INFINITY, l->at[K - 1] = -1;
}

extern "C" __global__ void
    __launch_bounds__(256) topk_v3(const float *__restrict__ x, float *value, int *at)
{
    __shared__ struct best part[8];
    const float4 *row = (const float4 *)(x + blockIdx.x * (size_t)COLS);
    struct list mine;

    clear(&mine);
#pragma unroll 4
    for (int i = threadIdx.x; i < COLS / 4; i += 256) {
        float4 v = row[i];
        insert(&mine, v.x, 4 * i);
        insert(&mine, v.y, 4 * i + 1);
        insert(&mine, v.z, 4 * i + 2);
        insert(&mine, v.w, 4 * i + 3);
    }
    for (int k = 0; k < K; k++) {
        struct best b = block_largest((struct best){mine.v[0], mine.at[0]}, part);
        if (mine.at[0] == b.at)
            pop(&mine);
        if (threadIdx.x == 0)
            value[blockIdx.x * K + k] = b.v, at[blockIdx.x * K + k] = b.at;
    }
}

extern "C" void
run_version(const struct problem *p, cudaStream_t s)
{
    int rows = (int)p->dim[0];
    float *value = (float *)p->out;
    topk_v3<<<rows, 256, 0, s>>>((const float *)p->in[0], value, (int *)(value + rows * K));
}
