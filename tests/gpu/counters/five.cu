/* Launches the kernels of kernels.cuh N times (default 3) in the same order, so that a launch has the
 * same number for every tool. Prints a checksum of what each computed.
 *
 *   five [N]            all kernels
 *   five launches N     N tiny launches, and the wall time of one
 *   five threads N      two threads launch N kernels each
 *   five graph          a kernel inside a graph only
 *
 * Build: nvcc -arch=sm_90 -cudart static -o five five.cu */
#include <chrono>
#include <cstring>
#include <thread>

#include "kernels.cuh"

__global__ void
tiny(unsigned *x)
{
    if (threadIdx.x == 0)
        atomicAdd(x, 1u);
}

static void
five(int times)
{
    data d;

    for (int i = 0; i < times; i++) {
        for (int k = 0; k < KERNELS; k++)
            launch_kernel(d, k);
        CHECK(cudaDeviceSynchronize());
    }
    print_checksums(d);
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
