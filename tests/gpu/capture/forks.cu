/* forks N: a child that uses CUDA before its parent does; then, with CUDA in use, a child that only
 * computes and exits, one that execs this program, and the parent that goes on. */
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

#include "common.h"

__global__ void
count(int *p)
{
    atomicAdd(p, 1);
}

static void
run(long n)
{
    int *p, out;

    CHECK(cudaMalloc(&p, sizeof *p));
    CHECK(cudaMemset(p, 0, sizeof *p));
    for (long i = 0; i < n; i++)
        count<<<1, 1>>>(p);
    CHECK(cudaMemcpy(&out, p, sizeof out, cudaMemcpyDeviceToHost));
    printf("sum %d\n", out);
    fflush(stdout);
}

static void
wait_for(pid_t child)
{
    int status = 0;

    waitpid(child, &status, 0);
    printf("child %d\n", status);
    fflush(stdout);
}

int
main(int argc, char **argv)
{
    long n = argument(argc, argv, 1, 1000);
    pid_t child;

    if (argc > 2) {
        run(n);
        return 0;
    }
    if ((child = fork()) == 0) {
        run(n);
        exit(0);
    }
    wait_for(child);
    run(n);
    if ((child = fork()) == 0) {
        printf("no CUDA here\n");
        exit(4);
    }
    wait_for(child);
    if ((child = fork()) == 0) {
        execl("/proc/self/exe", "forks", argv[1], "again", (char *)NULL);
        _exit(1);
    }
    wait_for(child);
    run(n);
    fprintf(stderr, "launches %ld\n", 4 * n);
    return 0;
}
