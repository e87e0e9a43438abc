// vecCopy of n doubles, as in the samples of AMD's profilers: 8 bytes are read and 8 written per
// element, and a wave is 64 elements. vec_copy [launches] [n]
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void
vecCopy(const double *a, double *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        b[i] = a[i];
}

int
main(int argc, char **argv)
{
    int launches = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 1 << 20;
    size_t bytes = n * sizeof(double);
    std::vector<double> host(n, 1.5);
    double *a = nullptr, *b = nullptr;

    if (hipMalloc(&a, bytes) != hipSuccess || hipMalloc(&b, bytes) != hipSuccess ||
        hipMemcpy(a, host.data(), bytes, hipMemcpyHostToDevice) != hipSuccess)
        return 2;
    for (int i = 0; i < launches; i++)
        vecCopy<<<(n + 255) / 256, 256>>>(a, b, n);
    if (hipDeviceSynchronize() != hipSuccess ||
        hipMemcpy(host.data(), b, bytes, hipMemcpyDeviceToHost) != hipSuccess)
        return 3;
    puts("the program's own words");
    return 0;
}
