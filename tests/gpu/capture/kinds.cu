/* kinds N: every way to launch, N times each: a stream, a graph of three kernels with a copy and a
 * fill, cooperatively, with clusters, from a template with a long name. */
#include <cooperative_groups.h>

#include "common.h"

__global__ void
plain(int *p)
{
    atomicAdd(p, 1);
}

__global__ void
in_graph(int *p)
{
    atomicAdd(p, 2);
}

__global__ void
together(int *p)
{
    __shared__ int block[64];

    block[threadIdx.x] = 1;
    cooperative_groups::this_grid().sync();
    atomicAdd(p, block[threadIdx.x]);
}

__global__ void __cluster_dims__(2, 1, 1) clustered(int *p)
{
    extern __shared__ int room[];

    room[threadIdx.x] = 3;
    __syncthreads();
    atomicAdd(p, room[threadIdx.x]);
}

template <typename A, typename B> struct pair_of {
};
template <typename T>
__global__ void
long_name(int *p)
{
    atomicAdd(p, 1);
}
using two = pair_of<pair_of<int, float>, pair_of<double, char>>;
using four = pair_of<pair_of<two, two>, pair_of<two, two>>;

static cudaGraphExec_t
make_graph(int *p, cudaStream_t s)
{
    cudaGraphExec_t exec;
    cudaGraph_t graph;

    CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    for (int i = 0; i < 3; i++)
        in_graph<<<2, 32, 0, s>>>(p);
    CHECK(cudaMemcpyAsync(p + 2, p + 1, 4, cudaMemcpyDeviceToDevice, s));
    CHECK(cudaMemsetAsync(p + 3, 7, 4, s));
    CHECK(cudaStreamEndCapture(s, &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    return exec;
}

int
main(int argc, char **argv)
{
    long n = argument(argc, argv, 1, 100);
    int *p, out[4];
    cudaGraphExec_t graph;
    cudaStream_t s;

    CHECK(cudaMalloc(&p, 1024));
    CHECK(cudaMemset(p, 0, 1024));
    CHECK(cudaStreamCreate(&s));
    graph = make_graph(p, s);
    for (long i = 0; i < n; i++) {
        void *args[] = {&p};

        plain<<<1, 1, 0, s>>>(p);
        CHECK(cudaGraphLaunch(graph, s));
        CHECK(cudaLaunchCooperativeKernel((void *)together, 4, 64, args, 0, s));
        clustered<<<4, 32, 512, s>>>(p);
        long_name<pair_of<four, four>><<<dim3(1, 2, 3), dim3(4, 2, 1), 0, s>>>(p);
        CHECK(cudaGetLastError());
    }
    CHECK(cudaStreamSynchronize(s));
    CHECK(cudaMemcpy(out, p, sizeof out, cudaMemcpyDeviceToHost));
    printf("sum %d %d %d\n", out[0], out[2], out[3]);
    fprintf(stderr, "launches %ld\n", 7 * n);
    return 0;
}
