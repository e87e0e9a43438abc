// What a version sees of its problem. A version is one .cu file with its kernels and run_version(),
// which launches them and returns at once; everything else is the harness (bench.cu, <op>/op.cu).
#pragma once
#include <cuda_runtime.h>
#include <stdint.h>

struct problem {
    long long dim[4];  // in the order of the operator's op.cu
    const void *in[3]; // device memory, 256-byte aligned
    void *out;         // device memory, full of 0xff before the launch that is checked
    void *scratch;     // 64 MiB of device memory, zero before the first launch
};

// Launch everything that one result takes on stream S. Errors are found by the caller.
extern "C" void run_version(const struct problem *p, cudaStream_t s);
