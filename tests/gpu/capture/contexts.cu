/* contexts N: N launches in the device's own context and in four more, of which three are destroyed
 * before the program ends; then N on every further device. */
#include <cuda.h>

#include "common.h"

__global__ void
count(int *p)
{
    atomicAdd(p, 1);
}

static void *
driver(const char *name, int version)
{
    cudaDriverEntryPointQueryResult found;
    void *f = NULL;

    CHECK(cudaGetDriverEntryPointByVersion(name, &f, version, cudaEnableDefault, &found));
    return f;
}

static int
run(long n)
{
    int *p, out;

    CHECK(cudaMalloc(&p, sizeof *p));
    CHECK(cudaMemset(p, 0, sizeof *p));
    for (long i = 0; i < n; i++)
        count<<<1, 1>>>(p);
    CHECK(cudaMemcpy(&out, p, sizeof out, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(p));
    return out;
}

int
main(int argc, char **argv)
{
    typedef CUresult create_fn(CUcontext *, CUctxCreateParams *, unsigned, CUdevice);
    typedef CUresult one_fn(CUcontext);
    create_fn *create = (create_fn *)driver("cuCtxCreate", 13000);
    one_fn *destroy = (one_fn *)driver("cuCtxDestroy", 4000);
    long n = argument(argc, argv, 1, 1000);
    int total = run(n), devices = 1;

    for (int i = 0; i < 4; i++) {
        CUcontext context = NULL;

        if (create(&context, NULL, 0, 0) != CUDA_SUCCESS) {
            fprintf(stderr, "cuCtxCreate\n");
            return 3;
        }
        total += run(n);
        if (i != 2)
            destroy(context);
    }
    CHECK(cudaGetDeviceCount(&devices));
    for (int d = 1; d < devices; d++) {
        CHECK(cudaSetDevice(d));
        total += run(n);
    }
    printf("sum %d\n", total);
    fprintf(stderr, "launches %ld\n", (4 + devices) * n);
    return 0;
}
