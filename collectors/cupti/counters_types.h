/* Types of the counters: a launch, a profiled context, and the shared state. */
#ifndef LORE_CUPTI_COUNTERS_TYPES_H
#define LORE_CUPTI_COUNTERS_TYPES_H

#include <stdatomic.h>

#include "collectors/capture/counting.h"
#include "collectors/cupti/cupti_api.h"

/* Declare a CUPTI parameter struct; CUPTI takes the version from its size. */
#define LORE_PARAMS(type, name) type name = {.structSize = type##_STRUCT_SIZE}

enum { LORE_COUNTERS_CONTEXTS = 64 };

struct lore_counters_launch { /* one call of a launch function */
    CUpti_CallbackId cbid;
    const void *params; /* of the call; borrowed from the callback */
    CUfunction function;
    uint32_t grid[3], block[3], cluster[3], dynamic_shared_bytes;
    CUstream stream;
    bool cooperative;
    uint32_t range;      /* of the thread; 0: none */
    uint64_t range_hash; /* of its text */
    const char *symbol;  /* borrowed from the callback */
    CUcontext context;
};
struct lore_counters_context { /* one CUDA context that is profiled */
    CUcontext context;
    bool refused; /* a state says why; never tried again */
    const char *names[LORE_COUNTING_NAMES];
    uint32_t ids[LORE_COUNTING_NAMES];
    size_t n_names, passes, config_bytes, image_bytes;
    uint8_t *config, *image;
    CUfunction reader, discarder;    /* the kernels that clean the L2; NULL until they are loaded */
    CUpti_ProfilerReplayMode replay; /* of the launch that is counted */
    CUpti_Profiler_Host_Object *host;
    CUpti_RangeProfiler_Object *profiler;
};
struct lore_counters_cuda { /* functions of the driver; the first is NULL until they are found */
    __typeof__(cuCtxGetDevice) *cuCtxGetDevice;
    __typeof__(cuCtxSynchronize) *cuCtxSynchronize;
    __typeof__(cuDeviceGetAttribute) *cuDeviceGetAttribute;
    __typeof__(cuFuncGetAttribute) *cuFuncGetAttribute;
    __typeof__(cuKernelGetFunction) *cuKernelGetFunction;
    __typeof__(cuOccupancyMaxActiveBlocksPerMultiprocessor)
        *cuOccupancyMaxActiveBlocksPerMultiprocessor;
    __typeof__(cuStreamIsCapturing) *cuStreamIsCapturing;
};
extern struct lore_counters {
    const struct lore_cupti *api;
    struct lore_counters_cuda cuda;
    struct lore_channel *channel;
    struct lore_counting config;
    atomic_uint disturbed, graphs, captured, matched;
    atomic_bool outcome_written; /* DONE or PARTIAL was written */
} lore_counters;

#endif
