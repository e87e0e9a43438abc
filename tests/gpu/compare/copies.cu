// Two programs from one source, for `warplore compare`: built as they are, they are two copies of one
// kernel; with -DEXTRA_PCT=3 the second does three percent more of the same work. The work is a
// row-wise scale and add in memory, 53 us a launch on an H200, and a few dozen launches.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#ifndef EXTRA_PCT
#define EXTRA_PCT 0
#endif
#define CHECK(c) do { cudaError_t e = (c); if (e) { fprintf(stderr, "%s: %s\n", #c, cudaGetErrorString(e)); return 1; } } while (0)

enum { ROWS = 12800, COLS = 2048, THREADS = 256 };

__global__ void scale_add(const float *__restrict__ x, float *__restrict__ y)
{
    const float4 *in = (const float4 *)(x + (size_t)blockIdx.x * COLS);
    float4 *out = (float4 *)(y + (size_t)blockIdx.x * COLS);
    for (int i = threadIdx.x; i < COLS / 4; i += THREADS) {
        float4 v = in[i];
        out[i] = make_float4(v.x * 2 + 1, v.y * 2 + 1, v.z * 2 + 1, v.w * 2 + 1);
    }
}

int main(int argc, char **argv)
{
    int launches = argc > 1 ? atoi(argv[1]) : 60;
    const int rows = ROWS + ROWS * EXTRA_PCT / 100;
    float *x, *y;

    CHECK(cudaMalloc(&x, (size_t)rows * COLS * sizeof *x));
    CHECK(cudaMalloc(&y, (size_t)rows * COLS * sizeof *y));
    CHECK(cudaMemset(x, 0, (size_t)rows * COLS * sizeof *x));
    for (int i = 0; i < launches; i++)
        scale_add<<<rows, THREADS>>>(x, y);
    CHECK(cudaDeviceSynchronize());
    float first;
    CHECK(cudaMemcpy(&first, y, sizeof first, cudaMemcpyDeviceToHost));
    printf("%g\n", first);
    return first == 1 ? 0 : 1;
}
