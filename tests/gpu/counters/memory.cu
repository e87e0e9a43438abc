/* Increments a counter in each kind of memory that a kernel can write, a launch each, and prints the
 * counters: a counting run must print what a plain run prints.
 *
 * Build: nvcc -arch=sm_90 -cudart static -o memory memory.cu -lcuda */
#include <cstdio>

#include <cuda.h>
#include <cuda_runtime.h>

__device__ unsigned in_module[1024];

__global__ void
increment(unsigned *p)
{
    atomicAdd(&p[threadIdx.x], threadIdx.x + 1);
}

static unsigned *
mapped()
{
    CUmemAllocationProp prop = {};
    CUmemAccessDesc access = {};
    CUmemGenericAllocationHandle handle;
    CUdeviceptr p = 0;
    size_t size = 2 << 20;

    prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    prop.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    access.location = prop.location;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    if (cuMemAddressReserve(&p, size, 0, 0, 0) || cuMemCreate(&handle, size, &prop, 0) ||
        cuMemMap(p, size, 0, handle, 0) || cuMemSetAccess(p, size, &access, 1))
        return nullptr;
    return (unsigned *)p;
}

int
main()
{
    static const char *const names[] = {
        "cudaMalloc", "cudaMallocAsync", "cuMemCreate", "managed", "pinned", "module"};
    unsigned *p[6] = {}, sums[6] = {}, host[1024];

    cudaMalloc(&p[0], 4096);
    cudaMallocAsync(&p[1], 4096, 0);
    p[2] = mapped();
    cudaMallocManaged(&p[3], 4096);
    cudaHostAlloc(&p[4], 4096, cudaHostAllocMapped);
    cudaGetSymbolAddress((void **)&p[5], in_module);
    for (int i = 0; i < 6; i++) {
        if (!p[i])
            continue;
        cudaMemset(p[i], 0, 4096);
        for (int k = 0; k < 3; k++) /* another shape each, so that each is counted */
            increment<<<1, 1 + 6 * k + i>>>(p[i]);
        cudaMemcpy(host, p[i], 4096, cudaMemcpyDefault);
        for (int k = 0; k < 1024; k++)
            sums[i] += host[k];
        printf("%s %u\n", names[i], sums[i]);
    }
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    return 0;
}
