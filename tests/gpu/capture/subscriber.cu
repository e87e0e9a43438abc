/* subscriber N FIRST|LATER: a program with a CUPTI profiler of its own, subscribed before CUDA is
 * initialised or after. Its count of kernel records must be right either way. */
#include <atomic>
#include <cstring>
#include <cupti.h>
#include <dlfcn.h>
#include <unistd.h>

#include "common.h"

__global__ void
count(int *p)
{
    atomicAdd(p, 1);
}

static void *h;
static std::atomic<long> records;

template <typename F>
static F *
find(F *, const char *name)
{
    return (F *)dlsym(h, name);
}
#define CUPTI(name) find(name, #name)

static void CUPTIAPI
give(uint8_t **buffer, size_t *size, size_t *most)
{
    *size = 1 << 20;
    *most = 0;
    *buffer = (uint8_t *)aligned_alloc(8, *size);
}

static void CUPTIAPI
take(CUcontext, uint32_t, uint8_t *buffer, size_t, size_t valid)
{
    CUpti_Activity *r = NULL;

    while (valid > 0 && CUPTI(cuptiActivityGetNextRecord)(buffer, valid, &r) == CUPTI_SUCCESS)
        records += r->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
    free(buffer);
}

static void CUPTIAPI
nothing(void *, CUpti_CallbackDomain, CUpti_CallbackId, const void *)
{
}

static int
subscribe()
{
    CUpti_SubscriberHandle mine;
    CUptiResult r = CUPTI(cuptiSubscribe)(&mine, nothing, NULL);

    if (r == CUPTI_SUCCESS)
        r = CUPTI(cuptiActivityRegisterCallbacks)(give, take);
    if (r == CUPTI_SUCCESS)
        r = CUPTI(cuptiActivityEnable)(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    return (int)r;
}

static void
run(long n)
{
    int *p;

    CHECK(cudaMalloc(&p, sizeof *p));
    for (long i = 0; i < n; i++)
        count<<<1, 1>>>(p);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(p));
}

int
main(int argc, char **argv)
{
    long n = argument(argc, argv, 1, 1000);
    bool first = argc > 2 && strcmp(argv[2], "first") == 0;

    h = dlopen("libcupti.so.13", RTLD_NOW);
    if (!h)
        h = dlopen("/usr/local/cuda/extras/CUPTI/lib64/libcupti.so.13", RTLD_NOW);
    if (!h)
        return 77;
    if (first)
        printf("subscribed %d\n", subscribe());
    else
        run(n);
    if (!first) {
        usleep(300000); /* what was recorded before is not this profiler's */
        printf("subscribed %d\n", subscribe());
    }
    run(n);
    CUPTI(cuptiActivityFlushAll)(1);
    printf("records %ld\n", records.load());
    fprintf(stderr, "launches %ld\n", first ? n : 2 * n);
    return 0;
}
