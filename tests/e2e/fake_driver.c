/* The part of the driver's double that programs use: initialisation, which loads the injection
 * library as the driver does, one device, modules, kernels and graphs. A module's cubin is real; it
 * is overwritten and freed after the callback. FAKE_NS: how long a kernel runs. */
#include <cuda.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "tests/e2e/fake_cupti.h"

enum { FUNCTION = 0x6675, NODES = 3 };

static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Atomic uint64_t clock_ns = 1000000000;
static atomic_uint modules, graphs;

static void
inject(void)
{
    const char *path = getenv("CUDA_INJECTION64_PATH");
    void *library = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    int (*init)(void) = NULL;

    if (library)
        *(void **)&init = dlsym(library, "InitializeInjection");
    if (init)
        init();
}

CUresult
cuInit(unsigned flags)
{
    (void)flags;
    pthread_once(&once, inject);
    return CUDA_SUCCESS;
}

CUresult
cuDeviceGetCount(int *n)
{
    *n = 1;
    return CUDA_SUCCESS;
}

CUresult
cuDeviceGet(CUdevice *device, int ordinal)
{
    *device = ordinal;
    return CUDA_SUCCESS;
}

CUresult
cuDeviceGetName(char *name, int n, CUdevice device)
{
    (void)device;
    strncpy(name, "NVIDIA H200", (size_t)n);
    return CUDA_SUCCESS;
}

CUresult
cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice device)
{
    (void)device;
    memset(uuid, 7, sizeof *uuid);
    return CUDA_SUCCESS;
}

CUresult
cuDeviceTotalMem_v2(size_t *bytes, CUdevice device)
{
    (void)device;
    *bytes = (size_t)141 << 30;
    return CUDA_SUCCESS;
}

CUresult
cuGetErrorString(CUresult error, const char **text)
{
    (void)error;
    *text = "a fake error";
    return CUDA_SUCCESS;
}

CUresult
fake_module_load(CUmodule *module, const void *image, size_t n)
{
    CUpti_ModuleResourceData data = {.moduleId = atomic_fetch_add(&modules, 1) + 1, .cubinSize = n};
    char *copy = malloc(n);

    if (!copy)
        return CUDA_ERROR_OUT_OF_MEMORY;
    memcpy(copy, image, n);
    data.pCubin = copy;
    fake_resource(CUPTI_CBID_RESOURCE_MODULE_LOADED, &data);
    memset(copy, 0, n);
    free(copy);
    *module = (CUmodule)(void *)calloc(1, 1);
    return CUDA_SUCCESS;
}

CUfunction
fake_function(const char *name, uint32_t registers)
{
    struct fake_function *f = calloc(1, sizeof *f + strlen(name) + 1);

    if (!f)
        return NULL;
    f->magic = FUNCTION;
    f->registers = registers;
    memcpy(f->name, name, strlen(name) + 1);
    return (CUfunction)(void *)f;
}

const struct fake_function *
fake_is_function(const void *p)
{
    const struct fake_function *f = p;

    return f && f->magic == FUNCTION ? f : NULL;
}

void
fake_ran(const struct fake_function *f, uint32_t grid, uint32_t block, uint32_t correlation,
    uint32_t graph)
{
    uint64_t ns = (uint64_t)fake_told("FAKE_NS", 20000), start;
    struct fake_kernel k = {.name = f->name,
        .grid = grid,
        .block = block,
        .registers = f->registers,
        .correlation = correlation,
        .graph = graph};

    start = atomic_fetch_add(&clock_ns, ns + 1000);
    k.start = start;
    k.end = start + ns + start / 7 % 64;
    fake_kernel(&k);
}

/* A graph is its kernel, launched NODES times. */
CUresult
cuGraphLaunch(CUgraphExec graph, CUstream stream)
{
    struct {
        CUgraphExec graph;
        CUstream stream;
    } params = {graph, stream};
    CUpti_CallbackData data = {.callbackSite = CUPTI_API_ENTER, .functionParams = &params};
    uint32_t number = fake_call(CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch);

    data.correlationId = number;
    if (fake_callback && fake_all_calls)
        fake_callback(
            fake_user, CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch, &data);
    for (int i = 0; i < NODES; i++)
        fake_ran(fake_is_function(graph), 8, 128, number, 1 + atomic_load(&graphs));
    data.callbackSite = CUPTI_API_EXIT;
    if (fake_callback && fake_all_calls)
        fake_callback(
            fake_user, CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch, &data);
    return CUDA_SUCCESS;
}
