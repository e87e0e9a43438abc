/* What the programs here share: errors end them, answers go to stdout (the same with and without a
 * collector), times and counts to stderr. */
#ifndef CAPTURE_COMMON_H
#define CAPTURE_COMMON_H

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include <cuda_runtime.h>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t e_ = (call);                                                                   \
        if (e_ != cudaSuccess) {                                                                   \
            fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(e_));                            \
            exit(3);                                                                               \
        }                                                                                          \
    } while (0)

static inline uint64_t
now_ns()
{
    timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static inline long
argument(int argc, char **argv, int at, long otherwise)
{
    return argc > at ? atol(argv[at]) : otherwise;
}

#endif
