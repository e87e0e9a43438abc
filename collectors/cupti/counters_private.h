/* What the files of the counters share. Nothing here is called under our lock but the table. */
#ifndef LORE_CUPTI_COUNTERS_PRIVATE_H
#define LORE_CUPTI_COUNTERS_PRIVATE_H

#include <regex.h>
#include <stdatomic.h>

#include "channel.h"
#include "cupti_api.h"

/* A parameter struct of CUPTI, which knows its version by its size. */
#define LORE_PARAMS(type, name) type name = {.structSize = type##_STRUCT_SIZE}

enum { LORE_COUNTERS_NAMES = 1024, LORE_COUNTERS_CONTEXTS = 64 };

struct lore_counters_config { /* the environment, read once */
    const char *names[LORE_COUNTERS_NAMES];
    size_t n_names;
    bool list;     /* WARPLORE_COUNTERS=list */
    bool all;      /* no regex: every kernel */
    regex_t match; /* valid unless all */
    uint32_t skip, launches;
    bool app_replay;
    size_t pass;     /* of application replay */
    const char *dir; /* the run's directory */
};
struct lore_counters_launch { /* one call of a launch function */
    CUfunction function;
    uint32_t grid[3], block[3], cluster[3], dynamic_shared_bytes;
    CUstream stream;
    bool cooperative;
    const char *symbol; /* borrowed from the callback */
    CUcontext context;
};
struct lore_counters_context { /* one CUDA context that is profiled */
    CUcontext context;
    bool refused; /* a state says why; never tried again */
    const char *names[LORE_COUNTERS_NAMES];
    uint32_t ids[LORE_COUNTERS_NAMES];
    size_t n_names, passes, config_bytes, image_bytes;
    uint8_t *config, *image;
    CUpti_Profiler_Host_Object *host;
    CUpti_RangeProfiler_Object *profiler;
};
struct lore_counters_cuda { /* functions of the driver; the first is NULL until they are found */
    __typeof__(cuCtxGetDevice) *cuCtxGetDevice;
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
    struct lore_counters_config config;
    atomic_uint disturbed, graphs, captured, matched;
    atomic_bool said; /* DONE or PARTIAL was written */
} lore_counters;

/* A copy that lives as long as the process; NULL when there is no memory. */
char *lore_counters_text(const char *s, size_t n);
/* Fill *out from the environment; false with a state written when it makes no sense. */
bool lore_counters_configure(struct lore_counters_config *out);
/* Whether SYMBOL, or the plain identifier in a C++ mangled one, matches. */
bool lore_counters_matches(const struct lore_counters_config *c, const char *symbol);
/* Write the state that RESULT of STEP stands for. */
void lore_counters_refusal(CUptiResult result, const char *step);

/* The profiled context of CTX, prepared at first use; NULL when it is refused. */
struct lore_counters_context *lore_counters_context(CUcontext ctx);
void lore_counters_context_gone(CUcontext ctx);
/* Write every base metric name of CTX's chip. */
void lore_counters_list(CUcontext ctx);

/* Read the parameters of launch function CBID; false when it is none. */
bool lore_counters_params(
    CUpti_CallbackId cbid, const CUpti_CallbackData *data, struct lore_counters_launch *out);
void lore_counters_shape(const struct lore_counters_launch *l, struct lore_cap_shape *out);
/* Whether NAME is worked out from the launch; then *value, or *missing (enum lore_missing). */
bool lore_counters_from_launch(const char *name);
void lore_counters_launch_value(
    const struct lore_counters_launch *l, const char *name, double *value, uint32_t *missing);

/* Start the profiler for the launch that this thread makes next; false: let it run as it is. */
bool lore_counters_open(struct lore_counters_context *c, uint64_t key);
/* The launch returned: read the counters of the shape's launch number ORDINAL and write them. False
 * when they are no one's. */
bool lore_counters_close(struct lore_counters_context *c, const struct lore_counters_launch *l,
    uint64_t key, uint32_t ordinal);

/* Application replay: counter images live in a file between executions of the program. Read the
 * image of KEY into IMAGE: the number of passes in it, 0 for none, -1 when there is no file. */
long lore_counters_replay_read(uint64_t key, uint8_t *image, size_t bytes);
bool lore_counters_replay_write(uint64_t key, const uint8_t *image, size_t bytes, size_t passes);

#endif
