/* ends HOW N: N launches, then the end: return, exit, _exit, late_exit (_exit after 400 ms), abort,
 * segv, kill, unsynced (exit with a kernel running), fault (a kernel reads where nothing is),
 * busy (exit while two threads launch, which CUDA itself does not always survive), reset
 * (cudaDeviceReset, then return). */
#include <csignal>
#include <cstring>
#include <thread>
#include <unistd.h>

#include "common.h"

__global__ void
count(int *p)
{
    atomicAdd(p, 1);
}

__global__ void
slow(long long cycles)
{
    long long start = clock64();

    while (clock64() - start < cycles)
        ;
}

__global__ void
bad(int *p)
{
    p[1ll << 40] = 1;
}

static void
launch_for_ever(int *p)
{
    for (;;)
        count<<<1, 1>>>(p);
}

static int
end(const char *how, int *p)
{
    if (strcmp(how, "exit") == 0)
        exit(5);
    if (strcmp(how, "_exit") == 0)
        _exit(6);
    if (strcmp(how, "late_exit") == 0) {
        usleep(400000);
        _exit(6);
    }
    if (strcmp(how, "abort") == 0)
        abort();
    if (strcmp(how, "segv") == 0)
        *(volatile int *)8 = 1;
    if (strcmp(how, "kill") == 0)
        kill(getpid(), SIGKILL);
    if (strcmp(how, "unsynced") == 0) {
        slow<<<1, 1>>>(1000000000);
        exit(7);
    }
    if (strcmp(how, "fault") == 0) {
        bad<<<1, 1>>>(p);
        printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
        return 8;
    }
    if (strcmp(how, "busy") == 0) {
        std::thread(launch_for_ever, p).detach();
        std::thread(launch_for_ever, p).detach();
        usleep(200000);
        exit(9);
    }
    if (strcmp(how, "reset") == 0)
        CHECK(cudaDeviceReset());
    return 0;
}

int
main(int argc, char **argv)
{
    long n = argument(argc, argv, 2, 1000);
    int *p, out;

    CHECK(cudaMalloc(&p, sizeof *p));
    CHECK(cudaMemset(p, 0, sizeof *p));
    for (long i = 0; i < n; i++)
        count<<<1, 1>>>(p);
    CHECK(cudaMemcpy(&out, p, sizeof out, cudaMemcpyDeviceToHost));
    printf("sum %d\n", out);
    fflush(stdout);
    fprintf(stderr, "launches %ld\n", n);
    return end(argc > 1 ? argv[1] : "return", p);
}
