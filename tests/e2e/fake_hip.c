/* A HIP runtime without a GPU: enough of libamdhip64.so for programs that hipcc or gcc built.
 * Kernels do not run; memory is the host's. It proves what our libraries do with what a runtime
 * says, and nothing about AMD's timing. */
#include "tests/e2e/fake_hip.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    OK = 0,
    OUT_OF_MEMORY = 2,
    INVALID_FUNCTION = 98,
    FUNCTIONS = 256,
    H2D = 1,
    D2H = 2,
    D2D = 3
};

struct dim3 {
    uint32_t x, y, z;
};
static struct function {
    const void *host;
    struct fake_kernel kernel;
    uint64_t launches;
    bool loaded;
} functions[FUNCTIONS];
static size_t n_functions;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __thread struct {
    struct dim3 grid, block;
    size_t shared;
    void *stream;
} pushed;

long
fake_told(const char *name, long otherwise)
{
    const char *v = getenv(name);

    return v ? atol(v) : otherwise;
}

uint64_t
fake_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_BOOTTIME, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* ---- what the compiler's own code calls before main ---- */

/* {magic, version, pointer to the bundle of code objects}. */
API void **
__hipRegisterFatBinary(const void *wrapper)
{
    return (void **)(uintptr_t)wrapper;
}

API void
__hipUnregisterFatBinary(void **module)
{
    (void)module;
}

static uint64_t
number_at(const char *p)
{
    uint64_t v;

    memcpy(&v, p, 8);
    return v;
}

/* The code object of gfx942, or of any gfx, in the bundle of a module: after its magic come the
 * number of entries and, of each, offset, size and the length of its name, and the name. */
static void
find_code(void **module, struct fake_kernel *k)
{
    static const char magic[] = "__CLANG_OFFLOAD_BUNDLE__";
    const struct {
        uint32_t magic, version;
        const char *bundle;
    } *wrapper = (const void *)module;
    const char *at;

    if (!wrapper || memcmp(wrapper->bundle, magic, sizeof magic - 1) != 0)
        return;
    at = wrapper->bundle + sizeof magic - 1;
    for (uint64_t i = 0, n = number_at(at); at += i == 0 ? 8 : 0, i < n; i++) {
        uint64_t length = number_at(at + 16);
        if (length > 3 && memmem(at + 24, length, "gfx", 3) && number_at(at + 8) > 0) {
            k->code = wrapper->bundle + number_at(at);
            k->code_bytes = number_at(at + 8);
        }
        at += 24 + length;
    }
}

API void
__hipRegisterFunction(
    void **module, const void *host, char *name, const char *device, unsigned limit, void *a, ...)
{
    struct function *f = &functions[n_functions];

    (void)name, (void)limit, (void)a;
    if (n_functions == FUNCTIONS)
        return;
    n_functions++;
    f->host = host;
    f->kernel = (struct fake_kernel){
        .id = n_functions, .name = device, .vgprs = 24, .sgprs = 43, .group_bytes = 64};
    find_code(module, &f->kernel);
}

API void
__hipRegisterVar(void)
{
}

API int
__hipPushCallConfiguration(struct dim3 grid, struct dim3 block, size_t shared, void *stream)
{
    pushed.grid = grid;
    pushed.block = block;
    pushed.shared = shared;
    pushed.stream = stream;
    return OK;
}

API int
__hipPopCallConfiguration(struct dim3 *grid, struct dim3 *block, size_t *shared, void **stream)
{
    *grid = pushed.grid;
    *block = pushed.block;
    *shared = pushed.shared;
    *stream = pushed.stream;
    return OK;
}

/* ---- what programs call ---- */

API int
hipMalloc(void **p, size_t n)
{
    fake_profiler_open();
    return (*p = malloc(n)) ? OK : OUT_OF_MEMORY;
}

API int
hipFree(void *p)
{
    free(p);
    return OK;
}

API int
hipMemcpy(void *to, const void *from, size_t n, int kind)
{
    static const int operations[] = {[H2D] = 2, [D2H] = 3, [D2D] = 4};

    fake_profiler_open();
    memcpy(to, from, n);
    fake_profiler_copied(kind >= H2D && kind <= D2D ? operations[kind] : 1, n, 1000 + n / 10);
    return OK;
}

API int
hipDeviceSynchronize(void)
{
    fake_profiler_open();
    return OK;
}

/* ---- what the machine is: an MI300X at 0000:0c:00.0 ---- */

API int
hipInit(unsigned flags)
{
    return flags == 0 ? OK : OUT_OF_MEMORY;
}

API int
hipRuntimeGetVersion(int *version)
{
    *version = 60342131;
    return OK;
}

API int
hipGetDeviceCount(int *n)
{
    if (fake_told("FAKE_CRASH", 0))
        abort(); /* a runtime that does not like the machine */
    *n = (int)fake_told("FAKE_DEVICES", 1);
    return OK;
}

API int
hipDeviceGetName(char *name, int n, int device)
{
    (void)device;
    snprintf(name, (size_t)n, "AMD Instinct MI300X");
    return OK;
}

API int
hipOccupancyMaxActiveBlocksPerMultiprocessor(int *n, const void *f, int threads, size_t bytes)
{
    (void)f, (void)bytes;
    *n = threads > 0 ? 2048 / threads : 0; /* waves are the limit of its kernels */
    return 0;
}

API int
hipDeviceGetAttribute(int *value, int which, int device)
{
    static const struct {
        int which, value;
    } known[] = {{5, 2100000}, {19, 4 << 20}, {57, 2048}, {59, 8192}, {60, 1300000}, {63, 304},
        {67, 12}, {68, 0}, {69, 0}, {72, 131072}, {74, 65536}, {87, 64}};

    (void)device;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].which == which) {
            *value = known[i].value;
            return OK;
        }
    return INVALID_FUNCTION;
}

API int
hipDeviceTotalMem(size_t *bytes, int device)
{
    (void)device;
    *bytes = (size_t)192 << 30;
    return OK;
}

/* Events around a kernel: it takes what it takes, and the gap before it 5 us. */
API int
hipEventCreate(void **event)
{
    return (*event = calloc(1, 8)) ? OK : OUT_OF_MEMORY;
}

API int
hipEventRecord(void *event, void *stream)
{
    (void)event, (void)stream;
    return OK;
}

API int
hipEventSynchronize(void *event)
{
    (void)event;
    return OK;
}

API int
hipEventElapsedTime(float *ms, void *from, void *to)
{
    (void)from, (void)to;
    *ms = 0.0173f;
    return OK;
}

API int
hipGetLastError(void)
{
    return OK;
}

API const char *
hipGetErrorString(int code)
{
    return code == OK ? "no error" : "an error of the double";
}

API int
hipLaunchKernel(const void *host, struct dim3 grid, struct dim3 block, void **arguments,
    size_t shared, void *stream)
{
    struct fake_launch l = {.groups = {grid.x, grid.y, grid.z},
        .threads = {block.x, block.y, block.z},
        .dynamic_bytes = (uint32_t)shared};
    struct function *f = functions;

    (void)arguments, (void)stream;
    fake_profiler_open();
    while (f < functions + n_functions && f->host != host)
        f++;
    if (f == functions + n_functions)
        return INVALID_FUNCTION;
    pthread_mutex_lock(&lock); /* one queue */
    if (!f->loaded) {
        fake_feed_kernel(&f->kernel);
        fake_profiler_loaded(&f->kernel);
        f->loaded = true;
    }
    l.kernel = &f->kernel;
    l.number = f->launches++;
    l.ns = fake_feed_duration(
        f->kernel.name, l.number, (uint64_t)fake_told("FAKE_NS", 12345) + l.number % 7 * 10);
    fake_profiler_launched(&l);
    pthread_mutex_unlock(&lock);
    return OK;
}
