/* long N [MICROSECONDS [FILE]]: N launches of a kernel of fixed work, about that long on a GPU of
 * 2 GHz. FILE: what CUDA events say each took, in ns, a line each. */
#include <vector>

#include "common.h"

__global__ void
spin(float *out, long steps)
{
    float x = (float)threadIdx.x, y = 0.5f;

    for (long i = 0; i < steps; i++) /* each waits for the one before: about 4 cycles */
        y = fmaf(y, 0.999f, x);
    if (out)
        out[blockIdx.x * blockDim.x + threadIdx.x] = y;
}

int
main(int argc, char **argv)
{
    long n = argument(argc, argv, 1, 500), us = argument(argc, argv, 2, 3000);
    FILE *times = argc > 3 ? fopen(argv[3], "w") : NULL;
    std::vector<cudaEvent_t> from(times ? n : 0), to(times ? n : 0);
    std::vector<float> host(132 * 256);
    double sum = 0;
    uint64_t start;
    float *out;

    CHECK(cudaMalloc(&out, host.size() * sizeof(float)));
    for (cudaEvent_t &e : from)
        CHECK(cudaEventCreate(&e));
    for (cudaEvent_t &e : to)
        CHECK(cudaEventCreate(&e));
    spin<<<132, 256>>>(out, 1000);
    CHECK(cudaDeviceSynchronize());
    start = now_ns();
    for (long i = 0; i < n; i++) {
        if (times)
            CHECK(cudaEventRecord(from[i]));
        spin<<<132, 256>>>(out, us * 500);
        if (times)
            CHECK(cudaEventRecord(to[i]));
    }
    CHECK(cudaDeviceSynchronize());
    fprintf(stderr, "loop_ns %llu\n", (unsigned long long)(now_ns() - start));
    for (long i = 0; times && i < n; i++) {
        float ms;

        CHECK(cudaEventElapsedTime(&ms, from[i], to[i]));
        fprintf(times, "%.0f\n", ms * 1e6);
    }
    if (times)
        fclose(times);
    CHECK(cudaMemcpy(host.data(), out, host.size() * sizeof(float), cudaMemcpyDeviceToHost));
    for (float f : host)
        sum += f;
    printf("sum %.17g\n", sum);
    fprintf(stderr, "launches %ld\n", n + 1);
    return 0;
}
