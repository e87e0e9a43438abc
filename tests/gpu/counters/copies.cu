/* One thread launches kernels of different shapes while another copies to the device and counts up.
 * Prints how many copies were lost: none may be, whether the launches are counted or not. The number
 * of copies depends on the time and goes to standard error.
 *
 * Build: nvcc -arch=sm_90 -cudart static -o copies copies.cu */
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include <cuda_runtime.h>

__global__ void
work(float *p)
{
    p[threadIdx.x] += 1;
}

enum { N = 1 << 20, SHAPES = 12 };
static std::atomic<bool> ended;
static int done;

static void
copy_until_ended(unsigned *device, unsigned *pinned)
{
    cudaStream_t s;

    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    for (int i = 0; i < N && !ended; i++) {
        pinned[i] = i + 1;
        cudaMemcpyAsync(device + i, pinned + i, 4, cudaMemcpyHostToDevice, s);
        cudaStreamSynchronize(s);
        done = i + 1;
    }
}

int
main()
{
    unsigned *device, *pinned, *host = (unsigned *)malloc(N * 4);
    float *x;
    int lost = 0;

    cudaMalloc(&device, N * 4);
    cudaMalloc(&x, 4096);
    cudaHostAlloc(&pinned, N * 4, cudaHostAllocDefault);
    cudaMemset(device, 0, N * 4);
    cudaDeviceSynchronize();
    std::thread other(copy_until_ended, device, pinned);
    for (int k = 1; k <= SHAPES; k++) {
        work<<<k, 64>>>(x);
        cudaDeviceSynchronize();
    }
    ended = true;
    other.join();
    cudaMemcpy(host, device, N * 4, cudaMemcpyDeviceToHost);
    for (int i = 0; i < done; i++)
        lost += host[i] != i + 1u;
    fprintf(stderr, "%d copies\n", done);
    printf("lost %d, %s\n", lost, cudaGetErrorString(cudaDeviceSynchronize()));
    return 0;
}
