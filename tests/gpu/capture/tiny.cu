/* tiny N [THREADS]: N launches of next to nothing, by THREADS threads with a stream each. */
#include <thread>
#include <vector>

#include "common.h"

__global__ void
tiny(unsigned long long *sum, unsigned long long add)
{
    if (threadIdx.x == 0)
        atomicAdd(sum, add);
}

static void
launch(unsigned long long *sum, long n)
{
    cudaStream_t stream;

    CHECK(cudaStreamCreate(&stream));
    for (long i = 0; i < n; i++)
        tiny<<<1, 32, 0, stream>>>(sum, (unsigned long long)i);
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaStreamDestroy(stream));
}

int
main(int argc, char **argv)
{
    long n = argument(argc, argv, 1, 200000), threads = argument(argc, argv, 2, 1);
    unsigned long long *sum, out = 0;
    std::vector<std::thread> all;
    uint64_t start;

    CHECK(cudaMalloc(&sum, sizeof *sum));
    CHECK(cudaMemset(sum, 0, sizeof *sum));
    launch(sum, 1000);
    CHECK(cudaMemset(sum, 0, sizeof *sum));
    CHECK(cudaDeviceSynchronize());
    start = now_ns();
    for (long t = 0; t < threads; t++)
        all.emplace_back(launch, sum, n / threads);
    for (std::thread &t : all)
        t.join();
    fprintf(stderr, "loop_ns %llu\n", (unsigned long long)(now_ns() - start));
    CHECK(cudaMemcpy(&out, sum, sizeof out, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(sum));
    printf("sum %llu\n", out);
    fprintf(stderr, "launches %ld\n", n / threads * threads + 1000);
    return 0;
}
