/* Reads a launch's parameters from CUPTI and derives its capture shape and the launch__ values of
 * Nsight Compute. Those values are not counters: they follow from the launch, the kernel and the
 * device. Occupancy limits are computed from register and shared memory granularity, as in the
 * vendor's calculator. */
#include <math.h>
#include <string.h>

#include "collectors/cupti/counters_private.h"

/* A capture library does not include the header of enum lore_missing. */
enum { MISS_TOOL_UNAVAILABLE = 2 };

/* CUPTI passes a call's parameters as one struct, in the function's order. The SDK's declarations
 * (generated_cuda_meta.h) do not compile without those of the graphics interfaces. */
struct kernel_params { /* of cuLaunchKernel; cuLaunchCooperativeKernel has no `extra` */
    CUfunction f;
    unsigned gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes;
    CUstream hStream;
    void **kernelParams, **extra;
};
struct kernel_ex_params {
    const CUlaunchConfig *config;
    CUfunction f;
    void **kernelParams, **extra;
};

static void
config_attributes(const CUlaunchConfig *c, struct lore_counters_launch *out)
{
    for (unsigned i = 0; c->attrs != NULL && i < c->numAttrs; i++) {
        const CUlaunchAttribute *a = &c->attrs[i];

        if (a->id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) {
            out->cluster[0] = a->value.clusterDim.x;
            out->cluster[1] = a->value.clusterDim.y;
            out->cluster[2] = a->value.clusterDim.z;
        } else if (a->id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE) {
            out->cooperative = a->value.cooperative != 0;
        }
    }
}

/* struct kernel_params and CUlaunchConfig both have these members. */
#define TAKE(p)                                                                                    \
    do {                                                                                           \
        out->grid[0] = (p)->gridDimX;                                                              \
        out->grid[1] = (p)->gridDimY;                                                              \
        out->grid[2] = (p)->gridDimZ;                                                              \
        out->block[0] = (p)->blockDimX;                                                            \
        out->block[1] = (p)->blockDimY;                                                            \
        out->block[2] = (p)->blockDimZ;                                                            \
        out->dynamic_shared_bytes = (p)->sharedMemBytes;                                           \
        out->stream = (p)->hStream;                                                                \
    } while (0)

bool
lore_counters_params(
    CUpti_CallbackId cbid, const CUpti_CallbackData *data, struct lore_counters_launch *out)
{
    const void *params = data->functionParams;

    memset(out, 0, sizeof *out);
    out->cbid = cbid;
    out->params = params;
    out->symbol = !data->symbolName ? "" : data->symbolName;
    out->context = data->context;
    if (cbid == CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel ||
        cbid == CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz) {
        const struct kernel_params *p = params;

        out->function = p->f;
        TAKE(p);
    } else if (cbid == CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx ||
               cbid == CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz) {
        const struct kernel_ex_params *p = params;

        if (!p->config)
            return false;
        out->function = p->f;
        TAKE(p->config);
        config_attributes(p->config, out);
    } else if (cbid == CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel ||
               cbid == CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz) {
        const struct kernel_params *p = params;

        out->function = p->f;
        out->cooperative = true;
        TAKE(p);
    } else {
        return false;
    }
    return true;
}

static CUresult
repeat_plain(const char *function, const struct kernel_params *p)
{
    __typeof__(cuLaunchKernel) *call;

    *(void **)&call = lore_cupti_driver(function);
    return !call ? CUDA_ERROR_NOT_FOUND
                 : call(p->f, p->gridDimX, p->gridDimY, p->gridDimZ, p->blockDimX, p->blockDimY,
                       p->blockDimZ, p->sharedMemBytes, p->hStream, p->kernelParams, p->extra);
}

static CUresult
repeat_cooperative(const char *function, const struct kernel_params *p)
{
    __typeof__(cuLaunchCooperativeKernel) *call;

    *(void **)&call = lore_cupti_driver(function);
    return !call ? CUDA_ERROR_NOT_FOUND
                 : call(p->f, p->gridDimX, p->gridDimY, p->gridDimZ, p->blockDimX, p->blockDimY,
                       p->blockDimZ, p->sharedMemBytes, p->hStream, p->kernelParams);
}

static CUresult
repeat_ex(const char *function, const struct kernel_ex_params *p)
{
    __typeof__(cuLaunchKernelEx) *call;

    *(void **)&call = lore_cupti_driver(function);
    return !call ? CUDA_ERROR_NOT_FOUND : call(p->config, p->f, p->kernelParams, p->extra);
}

CUresult
lore_counters_repeat(const struct lore_counters_launch *l)
{
    switch (l->cbid) {
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel:
        return repeat_plain("cuLaunchKernel", l->params);
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz:
        return repeat_plain("cuLaunchKernel_ptsz", l->params);
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel:
        return repeat_cooperative("cuLaunchCooperativeKernel", l->params);
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz:
        return repeat_cooperative("cuLaunchCooperativeKernel_ptsz", l->params);
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx:
        return repeat_ex("cuLaunchKernelEx", l->params);
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz:
        return repeat_ex("cuLaunchKernelEx_ptsz", l->params);
    default:
        return CUDA_ERROR_NOT_SUPPORTED;
    }
}

/* Launch functions accept a CUkernel in place of a CUfunction; attribute queries do not, so convert
 * it. */
static CUfunction
function_of(CUfunction f)
{
    CUfunction real;
    int value;

    if (!lore_counters.cuda.cuFuncGetAttribute ||
        lore_counters.cuda.cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, f) ==
            CUDA_SUCCESS)
        return f;
    if (lore_counters.cuda.cuKernelGetFunction(&real, (CUkernel)(void *)f) == CUDA_SUCCESS)
        return real;
    return f;
}

static bool
attribute(CUfunction f, CUfunction_attribute which, uint32_t *out)
{
    int value;

    if (!lore_counters.cuda.cuFuncGetAttribute ||
        lore_counters.cuda.cuFuncGetAttribute(&value, which, f) != CUDA_SUCCESS || value < 0)
        return false;
    *out = (uint32_t)value;
    return true;
}

static bool
device_attribute(CUdevice_attribute which, uint32_t *out)
{
    CUdevice device;
    int value;

    if (!lore_counters.cuda.cuCtxGetDevice ||
        lore_counters.cuda.cuCtxGetDevice(&device) != CUDA_SUCCESS ||
        lore_counters.cuda.cuDeviceGetAttribute(&value, which, device) != CUDA_SUCCESS || value < 0)
        return false;
    *out = (uint32_t)value;
    return true;
}

void
lore_counters_shape(const struct lore_counters_launch *l, struct lore_cap_shape *out)
{
    CUfunction f = function_of(l->function);
    CUdevice device;

    memset(out, 0, sizeof *out);
    out->name = lore_channel_name(lore_counters.channel, l->symbol);
    if (lore_counters.cuda.cuCtxGetDevice &&
        lore_counters.cuda.cuCtxGetDevice(&device) == CUDA_SUCCESS)
        out->device = (uint32_t)device;
    out->api = l->cooperative ? LORE_CAP_API_COOPERATIVE : LORE_CAP_API_STREAM;
    memcpy(out->grid, l->grid, sizeof out->grid);
    memcpy(out->block, l->block, sizeof out->block);
    if (l->cluster[0] != 0) {
        memcpy(out->cluster, l->cluster, sizeof out->cluster);
        out->known |= LORE_CAP_HAS_CLUSTER;
    }
    out->dynamic_shared_bytes = l->dynamic_shared_bytes;
    out->range = l->range;
    if (attribute(f, CU_FUNC_ATTRIBUTE_NUM_REGS, &out->registers))
        out->known |= LORE_CAP_HAS_REGISTERS;
    if (attribute(f, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, &out->static_shared_bytes))
        out->known |= LORE_CAP_HAS_SHARED;
    if (attribute(f, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, &out->local_bytes_per_thread))
        out->known |= LORE_CAP_HAS_LOCAL;
}

struct facts { /* of one launch; valid only when ok */
    uint64_t blocks, threads;
    uint32_t registers, static_shared, dynamic_shared, units, blocks_per_unit;
    uint32_t unit_registers, unit_shared, reserved_shared, unit_threads, unit_blocks;
    bool ok;
};

static struct facts
facts_of(const struct lore_counters_launch *l)
{
    CUfunction f = function_of(l->function);
    struct facts v = {.dynamic_shared = l->dynamic_shared_bytes};
    int blocks = 0;

    v.blocks = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
    v.threads = (uint64_t)l->block[0] * l->block[1] * l->block[2];
    v.ok =
        v.threads > 0 && attribute(f, CU_FUNC_ATTRIBUTE_NUM_REGS, &v.registers) &&
        attribute(f, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, &v.static_shared) &&
        device_attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, &v.units) &&
        device_attribute(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR, &v.unit_registers) &&
        device_attribute(
            CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, &v.unit_shared) &&
        device_attribute(
            CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK, &v.reserved_shared) &&
        device_attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, &v.unit_threads) &&
        device_attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR, &v.unit_blocks) &&
        lore_counters.cuda.cuOccupancyMaxActiveBlocksPerMultiprocessor(
            &blocks, f, (int)v.threads, v.dynamic_shared) == CUDA_SUCCESS &&
        blocks > 0;
    v.blocks_per_unit = (uint32_t)blocks;
    return v;
}

static double
warps(const struct facts *v)
{
    return (double)((v->threads + 31) / 32);
}

/* A warp gets registers in units of 256, from one of four partitions of the SM. */
static double
limit_registers(const struct facts *v)
{
    uint32_t per_warp = (v->registers * 32 + 255) / 256 * 256, part;

    if (per_warp == 0)
        return v->unit_blocks;
    part = v->unit_registers / 4 / per_warp;
    return (double)(uint64_t)(part * 4 / warps(v));
}

static double
limit_warps(const struct facts *v)
{
    return (double)(uint64_t)(v->unit_threads / 32 / warps(v));
}

static double
limit_blocks(const struct facts *v)
{
    return v->unit_blocks;
}

/* The driver splits the SM's memory between L1 and shared memory and does not report the split.
 * A kernel that is limited by shared memory gets the largest possible part, so the value is known;
 * otherwise NAN. */
static double
limit_shared(const struct facts *v)
{
    uint32_t need = v->static_shared + v->dynamic_shared + v->reserved_shared, limit;

    need = (need + 127) / 128 * 128; /* allocated in units of 128 bytes */
    limit = need == 0 ? v->unit_blocks : v->unit_shared / need;
    return limit <= limit_registers(v) && limit <= limit_warps(v) && limit <= v->unit_blocks ? limit
                                                                                             : NAN;
}

static double
block_size(const struct facts *v)
{
    return (double)v->threads;
}

static double
grid_size(const struct facts *v)
{
    return (double)v->blocks;
}

static double
thread_count(const struct facts *v)
{
    return (double)(v->blocks * v->threads);
}

/* Nsight Compute reports at least 16, and the kernel's own number above that. */
static double
registers(const struct facts *v)
{
    return v->registers > 16 ? v->registers : 16;
}

static double
shared_static(const struct facts *v)
{
    return v->static_shared;
}

static double
shared_dynamic(const struct facts *v)
{
    return v->dynamic_shared;
}

static double
shared_all(const struct facts *v)
{
    return (double)v->static_shared + v->dynamic_shared + v->reserved_shared;
}

static double
waves(const struct facts *v)
{
    return (double)v->blocks / ((double)v->units * v->blocks_per_unit);
}

static double
theoretical_pct(const struct facts *v)
{
    return 100.0 * v->blocks_per_unit * warps(v) / (v->unit_threads / 32.0);
}

static double
units(const struct facts *v)
{
    return v->units;
}

static const struct {
    const char *name;
    double (*of)(const struct facts *v);
} derived[] = {
    {"device__attribute_multiprocessor_count", units},
    {"launch__block_size", block_size},
    {"launch__grid_size", grid_size},
    {"launch__occupancy_limit_blocks", limit_blocks},
    {"launch__occupancy_limit_registers", limit_registers},
    {"launch__occupancy_limit_shared_mem", limit_shared},
    {"launch__occupancy_limit_warps", limit_warps},
    {"launch__registers_per_thread", registers},
    {"launch__shared_mem_per_block", shared_all},
    {"launch__shared_mem_per_block_dynamic", shared_dynamic},
    {"launch__shared_mem_per_block_static", shared_static},
    {"launch__thread_count", thread_count},
    {"launch__waves_per_multiprocessor", waves},
    {"sm__maximum_warps_per_active_cycle_pct", theoretical_pct},
};

bool
lore_counters_from_launch(const char *name)
{
    for (size_t i = 0; i < sizeof derived / sizeof *derived; i++)
        if (strcmp(derived[i].name, name) == 0)
            return true;
    return false;
}

void
lore_counters_launch_value(
    const struct lore_counters_launch *l, const char *name, double *value, uint32_t *missing)
{
    struct facts v = facts_of(l);

    *missing = MISS_TOOL_UNAVAILABLE;
    for (size_t i = 0; v.ok && i < sizeof derived / sizeof *derived; i++)
        if (strcmp(derived[i].name, name) == 0) {
            *value = derived[i].of(&v);
            *missing = isnan(*value) ? MISS_TOOL_UNAVAILABLE : 0;
        }
}
