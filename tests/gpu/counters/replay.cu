/* Counts each kernel of kernels.cuh once with CUPTI's range profiler, in one of the ways that CUPTI
 * has of repeating a launch, and prints "mode,cache,round,kernel,metric,value". It is the experiment
 * that decided how libwarplore_cupti counts.
 *
 *   replay MODE CACHE NAMES [ROUNDS]   NAMES: a file, one metric a line
 *
 *   MODE    kernel      CUPTI saves, repeats and restores inside the launch
 *           user        we save and restore memory (libcheckpoint.so) and launch once per pass
 *           user-range  the same, with a range around the launch in place of an automatic one
 *           once        as user, but nothing is saved or restored
 *           passes      application replay with automatic ranges, all passes in this process
 *           FILE:N      the same, only pass N; the counter images wait in FILE-KERNEL
 *   CACHE   none        the caches are left as they are
 *           NUMBER      so many MiB are read before each pass, so that the L2 holds no changed line
 *           NUMBERd     the same, then their lines are discarded, so that the L2 holds no line
 *           NUMBERf     so many MiB are written, then discarded
 *
 * Build: nvcc -O3 -std=c++17 -arch=sm_90 -cudart static -o replay replay.cu -lcupti -lcuda -ldl */
#include <chrono>
#include <cstring>
#include <string>
#include <vector>

#include <cupti_checkpoint.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>
#include <dlfcn.h>

#include "kernels.cuh"

using NV::Cupti::Checkpoint::CUpti_Checkpoint;

#define CUPTI(call)                                                                                \
    do {                                                                                           \
        CUptiResult r_ = (call);                                                                   \
        const char *words_ = "?";                                                                  \
        if (r_ != CUPTI_SUCCESS) {                                                                 \
            cuptiGetResultString(r_, &words_);                                                     \
            fprintf(stderr, "%s: %s (%d)\n", #call, words_, (int)r_);                              \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)
#define PARAMS(type, name)                                                                         \
    type name = {};                                                                                \
    name.structSize = type##_STRUCT_SIZE

static struct {
    CUptiResult (*save)(CUpti_Checkpoint *), (*restore)(CUpti_Checkpoint *),
        (*free)(CUpti_Checkpoint *);
} checkpoint;

__global__ void
read_all(const uint4 *p, size_t n, unsigned *out)
{
    unsigned s = 0;

    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x) {
        uint4 v = p[i];
        s ^= v.x ^ v.y ^ v.z ^ v.w;
    }
    if (s == 0x9e3779b9) /* never: the buffer is zero */
        *out = s;
}

__global__ void
discard_all(char *p, size_t bytes)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < bytes / 128;
         i += (size_t)gridDim.x * blockDim.x)
        asm volatile("discard.global.L2 [%0], 128;" ::"l"(p + i * 128) : "memory");
}

struct profile {
    CUcontext context;
    CUpti_Profiler_Host_Object *host;
    CUpti_RangeProfiler_Object *profiler;
    std::vector<const char *> names;
    std::vector<uint8_t> config;
    size_t passes, image_bytes, flush_bytes;
    uint4 *flush;
    char flush_then; /* 0, or the letter after the number */
};

static double
now_ms()
{
    return std::chrono::duration<double, std::milli>(
        std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

static CUpti_Profiler_Host_Object *
open_host(const char *chip, const uint8_t *available)
{
    PARAMS(CUpti_Profiler_Host_Initialize_Params, p);

    p.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
    p.pChipName = chip;
    p.pCounterAvailabilityImage = available;
    CUPTI(cuptiProfilerHostInitialize(&p));
    return p.pHostObject;
}

static bool
add(CUpti_Profiler_Host_Object *host, const char **names, size_t n)
{
    PARAMS(CUpti_Profiler_Host_ConfigAddMetrics_Params, p);

    p.pHostObject = host;
    p.ppMetricNames = names;
    p.numMetrics = n;
    return cuptiProfilerHostConfigAddMetrics(&p) == CUPTI_SUCCESS;
}

static size_t
plan(CUpti_Profiler_Host_Object *host, std::vector<uint8_t> &config)
{
    PARAMS(CUpti_Profiler_Host_GetConfigImageSize_Params, size);
    PARAMS(CUpti_Profiler_Host_GetConfigImage_Params, image);
    PARAMS(CUpti_Profiler_Host_GetNumOfPasses_Params, passes);

    size.pHostObject = image.pHostObject = host;
    CUPTI(cuptiProfilerHostGetConfigImageSize(&size));
    config.resize(size.configImageSize);
    image.configImageSize = passes.configImageSize = config.size();
    image.pConfigImage = passes.pConfigImage = config.data();
    CUPTI(cuptiProfilerHostGetConfigImage(&image));
    CUPTI(cuptiProfilerHostGetNumOfPasses(&passes));
    return passes.numOfPasses;
}

/* Whether the chip has NAME. A host object keeps what was added, so each name gets its own. */
static bool
known(const char *chip, const uint8_t *available, const char *name)
{
    CUpti_Profiler_Host_Object *host = open_host(chip, available);
    PARAMS(CUpti_Profiler_Host_Deinitialize_Params, off);
    bool yes = add(host, &name, 1);

    off.pHostObject = host;
    CUPTI(cuptiProfilerHostDeinitialize(&off));
    return yes;
}

static void
prepare(profile &p, const char *file)
{
    PARAMS(CUpti_Profiler_Initialize_Params, init);
    PARAMS(CUpti_Device_GetChipName_Params, chip);
    PARAMS(CUpti_Profiler_GetCounterAvailability_Params, available);
    PARAMS(CUpti_RangeProfiler_Enable_Params, on);
    PARAMS(CUpti_RangeProfiler_GetCounterDataSize_Params, size);
    std::vector<uint8_t> image;
    char line[256];
    FILE *f = fopen(file, "r");

    CHECK(cudaFree(0));
    if (cuCtxGetCurrent(&p.context) != CUDA_SUCCESS || !f)
        exit(1);
    CUPTI(cuptiProfilerInitialize(&init));
    CUPTI(cuptiDeviceGetChipName(&chip));
    available.ctx = p.context;
    CUPTI(cuptiProfilerGetCounterAvailability(&available));
    image.resize(available.counterAvailabilityImageSize);
    available.pCounterAvailabilityImage = image.data();
    CUPTI(cuptiProfilerGetCounterAvailability(&available));
    p.host = open_host(chip.pChipName, image.data());
    while (fgets(line, sizeof line, f)) {
        const char *name = strdup(strtok(line, "\n"));
        if (known(chip.pChipName, image.data(), name))
            p.names.push_back(name);
        else
            fprintf(stderr, "not here: %s\n", name);
    }
    fclose(f);
    if (!add(p.host, p.names.data(), p.names.size()))
        exit(1);
    p.passes = plan(p.host, p.config);
    on.ctx = p.context;
    CUPTI(cuptiRangeProfilerEnable(&on));
    p.profiler = size.pRangeProfilerObject = on.pRangeProfilerObject;
    size.pMetricNames = p.names.data();
    size.numMetrics = p.names.size();
    size.maxNumOfRanges = size.maxNumRangeTreeNodes = 2;
    CUPTI(cuptiRangeProfilerGetCounterDataSize(&size));
    p.image_bytes = size.counterDataSize;
    fprintf(stderr, "%s: %zu metrics, %zu passes\n", chip.pChipName, p.names.size(), p.passes);
}

static void
configure(profile &p, uint8_t *image, CUpti_ProfilerRange range, CUpti_ProfilerReplayMode replay,
    size_t pass)
{
    PARAMS(CUpti_RangeProfiler_SetConfig_Params, set);

    set.pRangeProfilerObject = p.profiler;
    set.pConfig = p.config.data();
    set.configSize = p.config.size();
    set.pCounterDataImage = image;
    set.counterDataImageSize = p.image_bytes;
    set.range = range;
    set.replayMode = replay;
    set.maxRangesPerPass = 2;
    set.numNestingLevels = set.minNestingLevel = 1;
    set.passIndex = pass;
    set.targetNestingLevel = replay == CUPTI_KernelReplay ? 0 : 1;
    CUPTI(cuptiRangeProfilerSetConfig(&set));
}

static void
clear(profile &p, uint8_t *image)
{
    PARAMS(CUpti_RangeProfiler_CounterDataImage_Initialize_Params, init);

    init.pRangeProfilerObject = p.profiler;
    init.counterDataSize = p.image_bytes;
    init.pCounterData = image;
    CUPTI(cuptiRangeProfilerCounterDataImageInitialize(&init));
}

static void
clean_l2(const profile &p)
{
    if (p.flush_bytes && p.flush_then == 'f')
        CHECK(cudaMemsetAsync(p.flush, 1, p.flush_bytes));
    else if (p.flush_bytes)
        read_all<<<1056, 512>>>(p.flush, p.flush_bytes / 16, (unsigned *)p.flush);
    if (p.flush_then)
        discard_all<<<1056, 512>>>((char *)p.flush, p.flush_bytes);
    CHECK(cudaDeviceSynchronize());
}

/* One pass over kernel K; whether it was the last. */
static bool
pass(profile &p, const data &d, int k, bool own_range)
{
    PARAMS(CUpti_RangeProfiler_Start_Params, start);
    PARAMS(CUpti_RangeProfiler_Stop_Params, stop);
    PARAMS(CUpti_RangeProfiler_PushRange_Params, push);
    PARAMS(CUpti_RangeProfiler_PopRange_Params, pop);

    start.pRangeProfilerObject = stop.pRangeProfilerObject = p.profiler;
    push.pRangeProfilerObject = pop.pRangeProfilerObject = p.profiler;
    push.pRangeName = "launch";
    CUPTI(cuptiRangeProfilerStart(&start));
    if (own_range)
        CUPTI(cuptiRangeProfilerPushRange(&push));
    launch_kernel(d, k);
    CHECK(cudaDeviceSynchronize());
    if (own_range)
        CUPTI(cuptiRangeProfilerPopRange(&pop));
    CUPTI(cuptiRangeProfilerStop(&stop));
    return stop.isAllPassSubmitted;
}

static void
decode(profile &p)
{
    PARAMS(CUpti_RangeProfiler_DecodeData_Params, decode);

    decode.pRangeProfilerObject = p.profiler;
    CUPTI(cuptiRangeProfilerDecodeData(&decode));
}

static void
print_values(profile &p, uint8_t *image, const char *mode, const char *cache, int round, int k)
{
    PARAMS(CUpti_RangeProfiler_GetCounterDataInfo_Params, info);
    PARAMS(CUpti_Profiler_Host_EvaluateToGpuValues_Params, values);
    std::vector<double> v(p.names.size(), NAN);

    info.pCounterDataImage = values.pCounterDataImage = image;
    info.counterDataImageSize = values.counterDataImageSize = p.image_bytes;
    CUPTI(cuptiRangeProfilerGetCounterDataInfo(&info));
    if (info.numTotalRanges != 1)
        fprintf(stderr, "%s: %zu ranges\n", kernel_names[k], (size_t)info.numTotalRanges);
    values.pHostObject = p.host;
    values.ppMetricNames = p.names.data();
    values.numMetrics = v.size();
    values.pMetricValues = v.data();
    CUPTI(cuptiProfilerHostEvaluateToGpuValues(&values));
    for (size_t i = 0; i < v.size(); i++)
        printf("%s,%s,%d,%s,%s,%.9g\n", mode, cache, round, kernel_names[k], p.names[i], v[i]);
}

static void
count_here(profile &p, const data &d, const char *mode, const char *cache, int round)
{
    bool kernel = strcmp(mode, "kernel") == 0, own_range = strcmp(mode, "user-range") == 0,
         saves = strncmp(mode, "user", 4) == 0;

    for (int k = 0; k < KERNELS; k++) {
        std::vector<uint8_t> image(p.image_bytes);
        CUpti_Checkpoint cp = {};
        double start = now_ms(), saved, made;
        size_t n = 0;

        CHECK(cudaDeviceSynchronize());
        cp.structSize = CUpti_Checkpoint_STRUCT_SIZE;
        cp.ctx = p.context;
        if (saves)
            CUPTI(checkpoint.save(&cp));
        saved = now_ms();
        clear(p, image.data());
        configure(p, image.data(), own_range ? CUPTI_UserRange : CUPTI_AutoRange,
            kernel ? CUPTI_KernelReplay : CUPTI_UserReplay, 0);
        for (bool all = false; !all && n < 100; n++) {
            if (saves && n > 0)
                CUPTI(checkpoint.restore(&cp));
            clean_l2(p);
            all = pass(p, d, k, own_range) || kernel;
        }
        decode(p);
        made = now_ms();
        if (saves)
            CUPTI(checkpoint.free(&cp));
        fprintf(stderr, "%s %s %s: %zu passes, save %.1f ms, passes %.1f ms, free %.1f ms\n", mode,
            cache, kernel_names[k], n, saved - start, made - saved, now_ms() - made);
        print_values(p, image.data(), mode, cache, round, k);
    }
}

static void
count_pass_by_pass(profile &p, const data &d, const char *cache, int round)
{
    std::vector<std::vector<uint8_t>> images(KERNELS, std::vector<uint8_t>(p.image_bytes));

    for (auto &image : images)
        clear(p, image.data());
    for (size_t n = 0; n < p.passes; n++)
        for (int k = 0; k < KERNELS; k++) {
            configure(p, images[k].data(), CUPTI_AutoRange, CUPTI_ApplicationReplay, n);
            clean_l2(p);
            (void)pass(p, d, k, false);
            decode(p);
        }
    for (int k = 0; k < KERNELS; k++)
        print_values(p, images[k].data(), "passes", cache, round, k);
}

static void
count_one_pass(profile &p, const data &d, const char *mode, const char *cache)
{
    std::string file(mode, strrchr(mode, ':'));
    size_t n = strtoul(strrchr(mode, ':') + 1, nullptr, 10);

    for (int k = 0; k < KERNELS; k++) {
        std::vector<uint8_t> image(p.image_bytes);
        std::string path = file + "-" + kernel_names[k];
        FILE *f = n ? fopen(path.c_str(), "rb") : nullptr;

        clear(p, image.data());
        if (f && fread(image.data(), 1, image.size(), f) != image.size())
            exit(1);
        if (f)
            fclose(f);
        configure(p, image.data(), CUPTI_AutoRange, CUPTI_ApplicationReplay, n);
        clean_l2(p);
        (void)pass(p, d, k, false);
        decode(p);
        f = fopen(path.c_str(), "wb");
        if (!f || fwrite(image.data(), 1, image.size(), f) != image.size() || fclose(f))
            exit(1);
        if (n + 1 == p.passes)
            print_values(p, image.data(), "application", cache, 0, k);
    }
}

int
main(int argc, char **argv)
{
    profile p = {};
    int rounds = argc > 4 ? atoi(argv[4]) : 1;
    void *h = dlopen("libcheckpoint.so", RTLD_NOW);

    if (argc < 4)
        return 2;
    if (h) {
        *(void **)&checkpoint.save = dlsym(h, "cuptiCheckpointSave");
        *(void **)&checkpoint.restore = dlsym(h, "cuptiCheckpointRestore");
        *(void **)&checkpoint.free = dlsym(h, "cuptiCheckpointFree");
    } else {
        fprintf(stderr, "%s\n", dlerror());
    }
    prepare(p, argv[3]);
    char *then;
    p.flush_bytes = strtoull(argv[2], &then, 10) << 20;
    p.flush_then = strcmp(argv[2], "none") == 0 ? 0 : *then;
    if (p.flush_bytes) {
        CHECK(cudaMalloc(&p.flush, p.flush_bytes));
        CHECK(cudaMemset(p.flush, 0, p.flush_bytes));
    }
    data d;

    for (int k = 0; k < KERNELS; k++) /* the first launch warms up; the second is counted */
        launch_kernel(d, k);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < rounds; i++) {
        if (strchr(argv[1], ':'))
            count_one_pass(p, d, argv[1], argv[2]);
        else if (strcmp(argv[1], "passes") == 0)
            count_pass_by_pass(p, d, argv[2], i);
        else
            count_here(p, d, argv[1], argv[2], i);
    }
    printf("checksums,");
    print_checksums(d);
    return 0;
}
