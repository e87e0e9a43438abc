/* Six kernels with known habits, to compare counters with: a copy, a reduction with shared memory
 * and bank conflicts, dependent multiply-adds in place, a bf16 product on tensor cores, a histogram
 * with divergent branches and atomics, and a softmax over rows. Two of them add to what they find,
 * so a replay that does not restore memory shows in the checksums. */
#ifndef KERNELS_CUH
#define KERNELS_CUH

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include <cuda_bf16.h>
#include <mma.h>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t e_ = (call);                                                                   \
        if (e_ != cudaSuccess) {                                                                   \
            fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(e_));                            \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

__global__ void
copy_vectors(const float4 *in, float4 *out, size_t n)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x)
        out[i] = in[i];
}

/* The stride of the first steps makes every lane of a warp hit the same few banks. */
__global__ void
reduce_conflicts(const float *in, float *out, size_t n)
{
    extern __shared__ float part[];
    float sum = 0;

    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x)
        sum += in[i];
    part[threadIdx.x] = sum;
    __syncthreads();
    for (unsigned s = 1; s < blockDim.x; s *= 2) {
        unsigned at = 2 * s * threadIdx.x;

        if (at < blockDim.x)
            part[at] += part[at + s];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = part[0];
}

__global__ void
multiply_add(float *x, int steps)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    float a = x[i], b = a + 1, c = a + 2, d = a + 3;

    for (int k = 0; k < steps; k++) {
        a = a * 0.999f + 0.001f;
        b = b * 0.998f + 0.002f;
        c = c * 0.997f + 0.003f;
        d = d * 0.996f + 0.004f;
    }
    x[i] = a + b + c + d;
}

/* One warp makes one 16 x 16 tile of C = A B. */
__global__ void
product_bf16(const __nv_bfloat16 *a, const __nv_bfloat16 *b, float *c, int n)
{
    using namespace nvcuda::wmma;
    int warp = threadIdx.x / 32, row = (blockIdx.y * 2 + warp / 2) * 16,
        column = (blockIdx.x * 2 + warp % 2) * 16;
    fragment<matrix_a, 16, 16, 16, __nv_bfloat16, row_major> fa;
    fragment<matrix_b, 16, 16, 16, __nv_bfloat16, row_major> fb;
    fragment<accumulator, 16, 16, 16, float> fc;

    fill_fragment(fc, 0.0f);
    for (int k = 0; k < n; k += 16) {
        load_matrix_sync(fa, a + (size_t)row * n + k, n);
        load_matrix_sync(fb, b + (size_t)k * n + column, n);
        mma_sync(fc, fa, fb, fc);
    }
    store_matrix_sync(c + (size_t)row * n + column, fc, n, mem_row_major);
}

/* Odd and even values take different ways, and all meet in 64 bins. */
__global__ void
histogram_divergent(const unsigned *in, unsigned *bins, size_t n)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x) {
        unsigned v = in[i];

        if (v & 1)
            for (unsigned k = 0; k < (v >> 8 & 7); k++)
                v = v * 1664525u + 1013904223u;
        else
            v = v / 3 + 7;
        atomicAdd(&bins[v & 63], 1u);
    }
}

/* One block makes one row: its maximum, the sum of exponentials, then the quotients. */
__global__ void
softmax_rows(const float *in, float *out, int columns)
{
    __shared__ float part[256];
    const float *row = in + (size_t)blockIdx.x * columns;
    float most = -INFINITY, sum = 0;

    for (int i = threadIdx.x; i < columns; i += blockDim.x)
        most = fmaxf(most, row[i]);
    part[threadIdx.x] = most;
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
        if (threadIdx.x < s)
            part[threadIdx.x] = fmaxf(part[threadIdx.x], part[threadIdx.x + s]);
        __syncthreads();
    }
    most = part[0];
    __syncthreads();
    for (int i = threadIdx.x; i < columns; i += blockDim.x)
        sum += __expf(row[i] - most);
    part[threadIdx.x] = sum;
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
        if (threadIdx.x < s)
            part[threadIdx.x] += part[threadIdx.x + s];
        __syncthreads();
    }
    sum = part[0];
    for (int i = threadIdx.x; i < columns; i += blockDim.x)
        out[(size_t)blockIdx.x * columns + i] = __expf(row[i] - most) / sum;
}

template <typename T> static T *
device(size_t n, T (*fill)(size_t))
{
    T *host = (T *)malloc(n * sizeof(T)), *p;

    for (size_t i = 0; i < n; i++)
        host[i] = fill(i);
    CHECK(cudaMalloc(&p, n * sizeof(T)));
    CHECK(cudaMemcpy(p, host, n * sizeof(T), cudaMemcpyHostToDevice));
    free(host);
    return p;
}

template <typename T> static double
sum(const T *p, size_t n)
{
    T *host = (T *)malloc(n * sizeof(T));
    double s = 0;

    CHECK(cudaMemcpy(host, p, n * sizeof(T), cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < n; i++)
        s += (double)host[i] * (double)(i % 97);
    free(host);
    return s;
}

static unsigned
scramble(size_t i)
{
    return (unsigned)(i * 2654435761u >> 7);
}
static float
small(size_t i)
{
    return (float)(i % 1000) * 1e-3f;
}
static __nv_bfloat16
narrow(size_t i)
{
    return __float2bfloat16((float)(i % 13) - 6.0f);
}

enum { KERNELS = 6 };
static const char *const kernel_names[KERNELS] = {"copy_vectors", "reduce_conflicts",
    "multiply_add", "product_bf16", "histogram_divergent", "softmax_rows"};

struct data { /* what the kernels read and write */
    size_t n = 32 << 20, m = 1024;
    float *x = device(n, small), *y = device(n, small), *parts = device((size_t)4096, small),
          *c = device(m * m, small), *z = device((size_t)1 << 20, small),
          *w = device((size_t)16 << 20, small);
    __nv_bfloat16 *a = device(m * m, narrow), *b = device(m * m, narrow);
    unsigned *in = device((size_t)4 << 20, scramble), *bins = device((size_t)64, scramble);
};

/* Launch kernel K, without waiting. */
static void
launch_kernel(const data &d, int k)
{
    switch (k) {
    case 0:
        copy_vectors<<<2112, 256>>>((const float4 *)d.x, (float4 *)d.y, d.n / 4);
        break;
    case 1:
        reduce_conflicts<<<1056, 256, 256 * sizeof(float)>>>(d.x, d.parts, d.n);
        break;
    case 2:
        multiply_add<<<4096, 256>>>(d.z, 512);
        break;
    case 3:
        product_bf16<<<dim3(d.m / 32, d.m / 32), 128>>>(d.a, d.b, d.c, (int)d.m);
        break;
    case 4:
        histogram_divergent<<<528, 256>>>(d.in, d.bins, (size_t)4 << 20);
        break;
    default:
        softmax_rows<<<4096, 256>>>(d.x, d.w, 4096);
    }
}

static void
print_checksums(const data &d)
{
    printf("%.9g %.9g %.9g %.9g %.9g %.9g\n", sum(d.y, d.n), sum(d.parts, 1056),
        sum(d.z, 1 << 20), sum(d.c, d.m * d.m), sum(d.bins, 64), sum(d.w, 16 << 20));
}

#endif
