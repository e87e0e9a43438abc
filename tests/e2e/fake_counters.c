/* The counter half of the CUPTI without a GPU, with a driver and a checkpoint library: the same
 * file also serves as libcuda.so.1 and libcheckpoint.so. Device memory is one cell, which each run
 * of the program's kernel increments, and the L2 holds changed lines or not. A log names what
 * happened in order. FAKE_HOST_OPEN: result of cuptiProfilerHostInitialize; FAKE_NO_MEMORY:
 * allocations fail; FAKE_LAUNCH: result of the program's launches; FAKE_COPY: kernels wait for
 * fake_copy(); FAKE_FIRST: what the first counted launch of the process has more than the others.
 */
#include <cuda.h>
#include <cupti.h>
#include <cupti_profiler_host.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/e2e/fake_cupti.h"

enum { PASSES = 3 };

static char log_text[1 << 16];
static int cell, saved, starts;
static int changed = 1; /* the L2 holds changed lines */
static CUpti_ProfilerReplayMode replay;
static char reader, discarder, kernel, context, object;

static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int running, copying; /* a kernel runs; another thread called for a copy */

static void
event(const char *what)
{
    pthread_mutex_lock(&log_lock);
    if (strlen(log_text) + strlen(what) + 2 < sizeof log_text)
        strcat(strcat(log_text, *log_text ? " " : ""), what);
    pthread_mutex_unlock(&log_lock);
}

const char *
fake_log(void)
{
    return log_text;
}

int
fake_cell(void)
{
    return cell;
}

/* ---- the driver ---- */

CUresult
cuDriverGetVersion(int *version)
{
    *version = 13000;
    fake_call(CUPTI_DRIVER_TRACE_CBID_cuDriverGetVersion);
    return CUDA_SUCCESS;
}

CUresult
cuCtxGetDevice(CUdevice *device)
{
    *device = 0;
    return CUDA_SUCCESS;
}

CUresult
cuCtxSynchronize(void)
{
    return CUDA_SUCCESS;
}

CUresult
cuDeviceGetAttribute(int *value, CUdevice_attribute which, CUdevice device)
{
    (void)device;
    *value = which == CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE              ? 1 << 20
             : which == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR ? 9
             : which == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR ? 0
                                                                     : 8;
    return CUDA_SUCCESS;
}

CUresult
cuFuncGetAttribute(int *value, CUfunction_attribute which, CUfunction f)
{
    (void)which, (void)f;
    *value = 19;
    return CUDA_SUCCESS;
}

CUresult
cuKernelGetFunction(CUfunction *f, CUkernel k)
{
    *f = (CUfunction)(void *)k;
    return CUDA_SUCCESS;
}

CUresult
cuOccupancyMaxActiveBlocksPerMultiprocessor(int *n, CUfunction f, int threads, size_t bytes)
{
    (void)f, (void)threads, (void)bytes;
    *n = 1;
    return CUDA_SUCCESS;
}

CUresult
cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus *status)
{
    (void)stream;
    *status = CU_STREAM_CAPTURE_STATUS_NONE;
    return CUDA_SUCCESS;
}

CUresult
cuMemAlloc(CUdeviceptr *p, size_t bytes)
{
    if (fake_told("FAKE_NO_MEMORY", 0))
        return CUDA_ERROR_OUT_OF_MEMORY;
    event(bytes > 1 << 20 ? "alloc" : "alloc too little");
    *p = 4096;
    return CUDA_SUCCESS;
}

CUresult
cuMemFree(CUdeviceptr p)
{
    event(p == 4096 ? "free" : "free of nothing");
    return CUDA_SUCCESS;
}

CUresult
cuModuleLoadData(CUmodule *module, const void *image)
{
    *module = (CUmodule)(void *)(strstr(image, "warplore_read") ? &reader : &discarder);
    return CUDA_SUCCESS;
}

CUresult
cuModuleGetFunction(CUfunction *f, CUmodule module, const char *name)
{
    (void)name;
    *f = (CUfunction)(void *)module;
    return CUDA_SUCCESS;
}

struct params {
    CUfunction f;
    unsigned grid[3], block[3], shared;
    CUstream stream;
    void **args, **extra;
};

static void
tell(const struct params *p, CUpti_ApiCallbackSite site)
{
    const struct fake_function *f = fake_is_function(p->f);
    CUpti_CallbackData data = {.callbackSite = site,
        .functionParams = p,
        .symbolName = f ? f->name : "app",
        .context = (CUcontext)(void *)&context};

    if (fake_callback && fake_all_calls)
        fake_callback(
            fake_user, CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel, &data);
}

/* Run until another thread has called for a copy, and long enough for it to be made. */
static void
meet_copy(void)
{
    atomic_store(&running, 1);
    while (!atomic_load(&copying))
        sched_yield();
    for (int i = 0; i < 10000; i++)
        sched_yield();
}

CUresult
cuLaunchKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
    unsigned bz, unsigned shared, CUstream stream, void **args, void **extra)
{
    struct params p = {f, {gx, gy, gz}, {bx, by, bz}, shared, stream, args, extra};
    CUresult result = (CUresult)fake_told("FAKE_LAUNCH", CUDA_SUCCESS);

    if ((void *)f == &reader || (void *)f == &discarder) {
        event((void *)f == &reader ? "read" : "discard");
        changed = 0;
        return CUDA_SUCCESS;
    }
    tell(&p, CUPTI_API_ENTER);
    event(result != CUDA_SUCCESS ? "refuse" : changed ? "run-changed" : "run");
    cell += result == CUDA_SUCCESS;
    changed = 1;
    if (fake_is_function(f))
        fake_ran(fake_is_function(f), gx, bx, fake_call(CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel), 0);
    if (fake_told("FAKE_COPY", 0))
        meet_copy();
    tell(&p, CUPTI_API_EXIT);
    return result;
}

/* A copy of another thread, called for while a kernel runs. */
void
fake_copy(void)
{
    CUpti_CallbackData data = {.callbackSite = CUPTI_API_ENTER};

    while (!atomic_load(&running))
        sched_yield();
    atomic_store(&copying, 1);
    if (fake_all_calls)
        fake_callback(
            fake_user, CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuMemcpyHtoD_v2, &data);
    event("copy");
}

CUresult
fake_launch(void)
{
    return cuLaunchKernel((CUfunction)(void *)&kernel, 2, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL);
}

/* ---- the checkpoint library ---- */

CUptiResult
cuptiCheckpointSave(void *handle)
{
    (void)handle;
    event("save");
    saved = cell;
    return CUPTI_SUCCESS;
}

CUptiResult
cuptiCheckpointRestore(void *handle)
{
    (void)handle;
    event("restore");
    cell = saved;
    changed = 1;
    return CUPTI_SUCCESS;
}

CUptiResult
cuptiCheckpointFree(void *handle)
{
    (void)handle;
    event("forget");
    return CUPTI_SUCCESS;
}

/* ---- the range profiler ---- */

#define FAKE(name, type) CUptiResult CUPTIAPI cupti##name(type *p)
#define NOTHING(name, type)                                                                        \
    FAKE(name, type)                                                                               \
    {                                                                                              \
        (void)p;                                                                                   \
        return CUPTI_SUCCESS;                                                                      \
    }

NOTHING(ProfilerInitialize, CUpti_Profiler_Initialize_Params)
NOTHING(ProfilerHostDeinitialize, CUpti_Profiler_Host_Deinitialize_Params)
NOTHING(ProfilerHostConfigAddMetrics, CUpti_Profiler_Host_ConfigAddMetrics_Params)
NOTHING(ProfilerHostGetConfigImage, CUpti_Profiler_Host_GetConfigImage_Params)
NOTHING(ProfilerHostGetBaseMetrics, CUpti_Profiler_Host_GetBaseMetrics_Params)
NOTHING(RangeProfilerDisable, CUpti_RangeProfiler_Disable_Params)
NOTHING(
    RangeProfilerCounterDataImageInitialize, CUpti_RangeProfiler_CounterDataImage_Initialize_Params)

FAKE(DeviceGetChipName, CUpti_Device_GetChipName_Params)
{
    p->pChipName = "GH100";
    return CUPTI_SUCCESS;
}

FAKE(ProfilerDeviceSupported, CUpti_Profiler_DeviceSupported_Params)
{
    p->isSupported = CUPTI_PROFILER_CONFIGURATION_SUPPORTED;
    return CUPTI_SUCCESS;
}

FAKE(ProfilerGetCounterAvailability, CUpti_Profiler_GetCounterAvailability_Params)
{
    p->counterAvailabilityImageSize = 16;
    return CUPTI_SUCCESS;
}

FAKE(ProfilerHostInitialize, CUpti_Profiler_Host_Initialize_Params)
{
    p->pHostObject = (CUpti_Profiler_Host_Object *)(void *)&object;
    return (CUptiResult)fake_told("FAKE_HOST_OPEN", CUPTI_SUCCESS);
}

FAKE(ProfilerHostGetConfigImageSize, CUpti_Profiler_Host_GetConfigImageSize_Params)
{
    p->configImageSize = 16;
    return CUPTI_SUCCESS;
}

FAKE(ProfilerHostGetNumOfPasses, CUpti_Profiler_Host_GetNumOfPasses_Params)
{
    p->numOfPasses = PASSES;
    return CUPTI_SUCCESS;
}

FAKE(RangeProfilerEnable, CUpti_RangeProfiler_Enable_Params)
{
    p->pRangeProfilerObject = (CUpti_RangeProfiler_Object *)(void *)&object;
    return CUPTI_SUCCESS;
}

FAKE(RangeProfilerGetCounterDataSize, CUpti_RangeProfiler_GetCounterDataSize_Params)
{
    p->counterDataSize = 16;
    return CUPTI_SUCCESS;
}

FAKE(RangeProfilerSetConfig, CUpti_RangeProfiler_SetConfig_Params)
{
    replay = p->replayMode;
    starts = 0;
    event(replay == CUPTI_KernelReplay ? "kernel" : replay == CUPTI_UserReplay ? "user" : "app");
    return CUPTI_SUCCESS;
}

FAKE(RangeProfilerStart, CUpti_RangeProfiler_Start_Params)
{
    (void)p;
    starts++;
    event("start");
    return CUPTI_SUCCESS;
}

FAKE(RangeProfilerStop, CUpti_RangeProfiler_Stop_Params)
{
    p->isAllPassSubmitted = starts == PASSES;
    event("stop");
    return CUPTI_SUCCESS;
}

FAKE(RangeProfilerPushRange, CUpti_RangeProfiler_PushRange_Params)
{
    event(p->pRangeName ? "push" : "push without a name");
    return CUPTI_SUCCESS;
}

FAKE(RangeProfilerPopRange, CUpti_RangeProfiler_PopRange_Params)
{
    (void)p;
    event("pop");
    return CUPTI_SUCCESS;
}

FAKE(RangeProfilerDecodeData, CUpti_RangeProfiler_DecodeData_Params)
{
    p->numOfRangeDropped = 0;
    event("decode");
    return CUPTI_SUCCESS;
}

FAKE(RangeProfilerGetCounterDataInfo, CUpti_RangeProfiler_GetCounterDataInfo_Params)
{
    p->numTotalRanges = 1;
    return CUPTI_SUCCESS;
}

FAKE(ProfilerHostEvaluateToGpuValues, CUpti_Profiler_Host_EvaluateToGpuValues_Params)
{
    static long evaluated;
    double more = evaluated++ == 0 ? (double)fake_told("FAKE_FIRST", 0) : 0;

    for (size_t i = 0; i < p->numMetrics; i++)
        p->pMetricValues[i] = 7 + more;
    return CUPTI_SUCCESS;
}
