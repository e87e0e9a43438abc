/* Five kernels with known habits, to compare counters with: a copy, a reduction with shared memory
 * and bank conflicts, dependent multiply-adds, a bf16 product on tensor cores, and a histogram with
 * divergent branches and atomics. Each is launched N times (default 3) in the same order, so that a
 * launch has the same number for every tool. Prints a checksum of what each computed.
 *
 *   five [N]            the five kernels
 *   five launches N     N tiny launches, and the wall time of one
 *   five threads N      two threads launch N kernels each
 *   five graph          a kernel inside a graph only
 *
 * Build: nvcc -arch=sm_90 -cudart static -o five five.cu */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <chrono>
#include <thread>

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

__global__ void
tiny(unsigned *x)
{
    if (threadIdx.x == 0)
        atomicAdd(x, 1u);
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

static void
five(int times)
{
    const size_t n = 32 << 20, m = 1024;
    float *x = device(n, small), *y = device(n, small), *parts = device((size_t)4096, small),
          *c = device(m * m, small), *z = device((size_t)1 << 20, small);
    __nv_bfloat16 *a = device(m * m, narrow), *b = device(m * m, narrow);
    unsigned *in = device((size_t)4 << 20, scramble), *bins = device((size_t)64, scramble);

    for (int i = 0; i < times; i++) {
        copy_vectors<<<2112, 256>>>((const float4 *)x, (float4 *)y, n / 4);
        reduce_conflicts<<<1056, 256, 256 * sizeof(float)>>>(x, parts, n);
        multiply_add<<<4096, 256>>>(z, 512);
        product_bf16<<<dim3(m / 32, m / 32), 128>>>(a, b, c, (int)m);
        histogram_divergent<<<528, 256>>>(in, bins, (size_t)4 << 20);
        CHECK(cudaDeviceSynchronize());
    }
    printf("%.9g %.9g %.9g %.9g %.9g\n", sum(y, n), sum(parts, 1056), sum(z, 1 << 20),
        sum(c, m * m), sum(bins, 64));
}

static void
launches(unsigned *x, int n)
{
    cudaStream_t s;

    CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    for (int i = 0; i < n; i++)
        tiny<<<1, 32, 0, s>>>(x);
    CHECK(cudaStreamSynchronize(s));
}

static void
graph(unsigned *x)
{
    cudaStream_t s;
    cudaGraph_t g;
    cudaGraphExec_t e;

    CHECK(cudaStreamCreate(&s));
    CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    tiny<<<1, 32, 0, s>>>(x);
    CHECK(cudaStreamEndCapture(s, &g));
    CHECK(cudaGraphInstantiate(&e, g, 0));
    for (int i = 0; i < 3; i++)
        CHECK(cudaGraphLaunch(e, s));
    CHECK(cudaStreamSynchronize(s));
}

int
main(int argc, char **argv)
{
    int n = argc > 2 ? atoi(argv[2]) : argc > 1 ? atoi(argv[1]) : 3;
    unsigned *x, count = 0;

    if (argc < 2 || (argv[1][0] >= '0' && argv[1][0] <= '9')) {
        five(n);
        return 0;
    }
    CHECK(cudaMalloc(&x, 4));
    CHECK(cudaMemset(x, 0, 4));
    launches(x, 10);
    auto start = std::chrono::steady_clock::now();
    if (strcmp(argv[1], "graph") == 0) {
        graph(x);
    } else if (strcmp(argv[1], "threads") == 0) {
        std::thread other(launches, x, n);
        launches(x, n);
        other.join();
    } else {
        launches(x, n);
        double us = std::chrono::duration<double, std::micro>(
                        std::chrono::steady_clock::now() - start).count();
        fprintf(stderr, "%.3f us a launch\n", us / n);
    }
    CHECK(cudaMemcpy(&count, x, 4, cudaMemcpyDeviceToHost));
    printf("%u\n", count);
    return 0;
}
