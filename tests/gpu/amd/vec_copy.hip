// vecCopy of n doubles, as in the samples of AMD's profilers: 8 bytes are read and 8 written per
// element, and a wave is 64 elements.
//
//     vec_copy [launches] [n] [events | abort | occupancy | range | STATUS]
//
// events: print the microseconds between two events around each launch. occupancy: print what the runtime
// says: work-groups of a compute unit, and the threads that it holds. range: launch inside a roctx range
// that says what is computed; print whether roctx was found. The result is checked, unless
// VEC_COPY_UNCHECKED is set: the double of the tests runs no kernel.
#include <hip/hip_runtime.h>

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

__global__ void
vecCopy(const double *a, double *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        b[i] = a[i];
}

static bool
launch(const double *a, double *b, int n, int launches, bool events)
{
    hipEvent_t from = nullptr, to = nullptr;
    float ms = 0;

    if (events && (hipEventCreate(&from) != hipSuccess || hipEventCreate(&to) != hipSuccess))
        return false;
    for (int i = 0; i < launches; i++) {
        if (events)
            (void)hipEventRecord(from, nullptr);
        vecCopy<<<(n + 255) / 256, 256>>>(a, b, n);
        if (!events)
            continue;
        if (hipEventRecord(to, nullptr) != hipSuccess || hipEventSynchronize(to) != hipSuccess ||
            hipEventElapsedTime(&ms, from, to) != hipSuccess)
            return false;
        printf("%.3f\n", ms * 1000);
    }
    return hipDeviceSynchronize() == hipSuccess;
}

static void
print_occupancy()
{
    int groups = 0, threads = 0;

    (void)hipOccupancyMaxActiveBlocksPerMultiprocessor(&groups, (const void *)vecCopy, 256, 0);
    (void)hipDeviceGetAttribute(&threads, hipDeviceAttributeMaxThreadsPerMultiProcessor, 0);
    printf("occupancy %d %d\n", groups, threads);
}

static void
open_range(int n)
{
    static const char *const files[] = {"librocprofiler-sdk-roctx.so.1", "librocprofiler-sdk-roctx.so.0", "librocprofiler-sdk-roctx.so"};
    int (*push)(const char *) = (int (*)(const char *))dlsym(RTLD_DEFAULT, "roctxRangePushA");
    char text[64];

    for (const char *file : files) {
        void *library = push ? nullptr : dlopen(file, RTLD_NOW | RTLD_GLOBAL);
        push = library ? (int (*)(const char *))dlsym(library, "roctxRangePushA") : push;
    }
    snprintf(text, sizeof text, "warplore:copy n=%d,dtype=f64", n);
    if (push)
        push(text);
    puts(push ? "roctx" : "no roctx");
}

int
main(int argc, char **argv)
{
    int launches = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 1 << 20;
    const char *how = argc > 3 ? argv[3] : "0";
    size_t bytes = n * sizeof(double);
    std::vector<double> host(n);
    double *a = nullptr, *b = nullptr;

    for (int i = 0; i < n; i++)
        host[i] = i;
    if (hipMalloc((void **)&a, bytes) != hipSuccess ||
        hipMalloc((void **)&b, bytes) != hipSuccess ||
        hipMemcpy(a, host.data(), bytes, hipMemcpyHostToDevice) != hipSuccess)
        return 2;
    if (strcmp(how, "occupancy") == 0)
        print_occupancy();
    if (strcmp(how, "range") == 0)
        open_range(n);
    if (!launch(a, b, n, launches, strcmp(how, "events") == 0))
        return 3;
    if (strcmp(how, "abort") == 0)
        abort();
    memset((void *)host.data(), 0, bytes);
    if (hipMemcpy(host.data(), b, bytes, hipMemcpyDeviceToHost) != hipSuccess)
        return 3;
    for (int i = 0; i < n && !getenv("VEC_COPY_UNCHECKED"); i++)
        if (host[i] != i)
            return 4;
    if (strcmp(how, "events") != 0)
        puts("the program's own words");
    return atoi(how);
}
