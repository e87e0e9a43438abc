/* Prepares a CUDA context for counting: checks the device, selects the requested metrics that the
 * chip has, plans the passes and enables the profiler. This happens at the first counted launch, so
 * that other contexts are not touched. A metric that the chip lacks is reported and left out. A
 * host object keeps every added metric, so each name is tested on its own object. */
#include <stdio.h>
#include <string.h>

#include "collectors/capture/store.h"
#include "collectors/cupti/counters_private.h"

static struct lore_counters_context contexts[LORE_COUNTERS_CONTEXTS];

#define REMEDY                                                                                     \
    "only the administrator may read counters here: run as root or with CAP_SYS_ADMIN, or let "    \
    "the administrator load the driver with NVreg_RestrictProfilingToAdminUsers=0 "                \
    "(https://developer.nvidia.com/ERR_NVGPUCTRPERM)"

static enum lore_cap_state_code
code_of(CUptiResult r)
{
    switch (r) {
    case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
        return LORE_CAP_PERMISSION;
    case CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED:
    case CUPTI_ERROR_HARDWARE_BUSY:
    case CUPTI_ERROR_OLD_PROFILER_API_INITIALIZED:
        return LORE_CAP_OTHER_PROFILER;
    default:
        return LORE_CAP_VENDOR_ERROR;
    }
}

void
lore_counters_refusal(CUptiResult result, const char *step)
{
    enum lore_cap_state_code code = code_of(result);
    const char *words = lore_cupti_words(lore_counters.api, result);
    char text[400];

    if (code == LORE_CAP_PERMISSION)
        (void)snprintf(text, sizeof text, "%s", REMEDY);
    else if (code == LORE_CAP_OTHER_PROFILER)
        (void)snprintf(
            text, sizeof text, "another profiler holds the counters (%s: %s)", step, words);
    else
        (void)snprintf(text, sizeof text, "%s: %s (%d)", step, words, (int)result);
    lore_channel_state(lore_counters.channel, code, text, (uint64_t)result, 0);
    lore_channel_flush(lore_counters.channel);
}

static bool
ok(CUptiResult result, const char *step)
{
    if (result == CUPTI_SUCCESS)
        return true;
    lore_counters_refusal(result, step);
    return false;
}

/* The first reason why counting does not work on the device, NULL when it does. */
static const char *
unsupported(const CUpti_Profiler_DeviceSupported_Params *p)
{
    if (p->isSupported == CUPTI_PROFILER_CONFIGURATION_SUPPORTED)
        return NULL;
    if (p->architecture == CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED)
        return "the chip is older than compute capability 7.0";
    if (p->sli == CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED)
        return "SLI is on";
    if (p->vGpu == CUPTI_PROFILER_CONFIGURATION_DISABLED)
        return "profiling is switched off for this virtual GPU";
    if (p->vGpu == CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED)
        return "the virtual GPU has no counters";
    if (p->confidentialCompute == CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED)
        return "confidential computing is on";
    if (p->cmp == CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED)
        return "a mining processor has no counters";
    if (p->wsl == CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED)
        return "this WSL has no counters";
    return "the device or its configuration has no counters";
}

static bool
device_allows(CUdevice device)
{
    LORE_PARAMS(CUpti_Profiler_Initialize_Params, init);
    LORE_PARAMS(CUpti_Profiler_DeviceSupported_Params, p);
    const char *why;

    if (!ok(lore_counters.api->ProfilerInitialize(&init), "cuptiProfilerInitialize"))
        return false;
    p.cuDevice = device;
    p.api = CUPTI_PROFILER_RANGE_PROFILING;
    if (!ok(lore_counters.api->ProfilerDeviceSupported(&p), "cuptiProfilerDeviceSupported"))
        return false;
    why = unsupported(&p);
    if (why)
        lore_channel_state(lore_counters.channel, LORE_CAP_VENDOR_ERROR, why, 0, 0);
    return !why;
}

struct chip {
    const char *name;
    uint8_t *available; /* image of the counters that this machine allows */
};

static bool
chip_of(CUcontext ctx, CUdevice device, struct chip *out)
{
    LORE_PARAMS(CUpti_Device_GetChipName_Params, name);
    LORE_PARAMS(CUpti_Profiler_GetCounterAvailability_Params, p);

    name.deviceIndex = (size_t)device;
    if (!ok(lore_counters.api->DeviceGetChipName(&name), "cuptiDeviceGetChipName"))
        return false;
    p.ctx = ctx;
    if (!ok(lore_counters.api->ProfilerGetCounterAvailability(&p), "counter availability"))
        return false;
    p.pCounterAvailabilityImage = lore_store_pages(p.counterAvailabilityImageSize + 1);
    if (!p.pCounterAvailabilityImage ||
        !ok(lore_counters.api->ProfilerGetCounterAvailability(&p), "counter availability"))
        return false;
    out->name = name.pChipName;
    out->available = p.pCounterAvailabilityImage;
    return true;
}

static CUpti_Profiler_Host_Object *
host_open(const struct chip *chip, CUptiResult *result)
{
    LORE_PARAMS(CUpti_Profiler_Host_Initialize_Params, p);

    p.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
    p.pChipName = chip->name;
    p.pCounterAvailabilityImage = chip->available;
    *result = lore_counters.api->ProfilerHostInitialize(&p);
    return *result == CUPTI_SUCCESS ? p.pHostObject : NULL;
}

static void
host_close(CUpti_Profiler_Host_Object *host)
{
    LORE_PARAMS(CUpti_Profiler_Host_Deinitialize_Params, p);

    p.pHostObject = host;
    (void)lore_counters.api->ProfilerHostDeinitialize(&p);
}

static CUptiResult
host_add(CUpti_Profiler_Host_Object *host, const char **names, size_t n)
{
    LORE_PARAMS(CUpti_Profiler_Host_ConfigAddMetrics_Params, p);

    p.pHostObject = host;
    p.ppMetricNames = names;
    p.numMetrics = n;
    return lore_counters.api->ProfilerHostConfigAddMetrics(&p);
}

/* Keep the names that the chip has; false: no name could be tested, and a state says why. */
static bool
select_names(struct lore_counters_context *c, const struct chip *chip)
{
    const struct lore_counting *config = &lore_counters.config;

    for (size_t i = 0; i < config->n_names; i++) {
        const char *name = config->names[i];
        CUpti_Profiler_Host_Object *host;
        CUptiResult result;

        if (lore_counters_from_launch(name))
            continue;
        if (!(host = host_open(chip, &result)))
            return ok(result, "cuptiProfilerHostInitialize");
        if (host_add(host, &name, 1) == CUPTI_SUCCESS) {
            c->ids[c->n_names] = lore_channel_name(lore_counters.channel, name);
            c->names[c->n_names++] = name;
        } else {
            lore_channel_state(lore_counters.channel, LORE_CAP_COUNTER_UNKNOWN, name, 0, 0);
        }
        host_close(host);
    }
    return true;
}

static bool
schedule(struct lore_counters_context *c)
{
    LORE_PARAMS(CUpti_Profiler_Host_GetConfigImageSize_Params, size);
    LORE_PARAMS(CUpti_Profiler_Host_GetConfigImage_Params, image);
    LORE_PARAMS(CUpti_Profiler_Host_GetNumOfPasses_Params, passes);

    size.pHostObject = c->host;
    if (!ok(host_add(c->host, c->names, c->n_names), "adding the metrics") ||
        !ok(lore_counters.api->ProfilerHostGetConfigImageSize(&size), "config image"))
        return false;
    c->config_bytes = size.configImageSize;
    if (!(c->config = lore_store_pages(c->config_bytes)))
        return false;
    image.pHostObject = c->host;
    image.configImageSize = c->config_bytes;
    image.pConfigImage = c->config;
    passes.configImageSize = c->config_bytes;
    passes.pConfigImage = c->config;
    if (!ok(lore_counters.api->ProfilerHostGetConfigImage(&image), "config image") ||
        !ok(lore_counters.api->ProfilerHostGetNumOfPasses(&passes), "number of passes"))
        return false;
    c->passes = passes.numOfPasses;
    return true;
}

static bool
enable(struct lore_counters_context *c)
{
    LORE_PARAMS(CUpti_RangeProfiler_Enable_Params, on);

    if (c->profiler)
        return true;
    on.ctx = c->context;
    if (!ok(lore_counters.api->RangeProfilerEnable(&on), "cuptiRangeProfilerEnable"))
        return false;
    c->profiler = on.pRangeProfilerObject;
    return true;
}

static void
disable(struct lore_counters_context *c)
{
    LORE_PARAMS(CUpti_RangeProfiler_Disable_Params, off);

    if (!c->profiler)
        return;
    off.pRangeProfilerObject = c->profiler;
    (void)lore_counters.api->RangeProfilerDisable(&off);
    c->profiler = NULL;
}

/* Allocate two ranges: a second range reveals another thread's launch. */
static bool
counter_data(struct lore_counters_context *c)
{
    LORE_PARAMS(CUpti_RangeProfiler_GetCounterDataSize_Params, size);

    size.pRangeProfilerObject = c->profiler;
    size.pMetricNames = c->names;
    size.numMetrics = c->n_names;
    size.maxNumOfRanges = 2;
    size.maxNumRangeTreeNodes = 2;
    if (!ok(lore_counters.api->RangeProfilerGetCounterDataSize(&size), "counter data"))
        return false;
    c->image_bytes = size.counterDataSize;
    return (c->image = lore_store_pages(c->image_bytes));
}

static bool
prepare(struct lore_counters_context *c)
{
    struct chip chip;
    CUptiResult result;
    CUdevice device;

    if (!lore_counters.cuda.cuCtxGetDevice ||
        lore_counters.cuda.cuCtxGetDevice(&device) != CUDA_SUCCESS || !device_allows(device) ||
        !chip_of(c->context, device, &chip))
        return false;
    if (!select_names(c, &chip))
        return false;
    if (c->n_names == 0)
        return true; /* only launch values were requested, or the chip has none of the metrics */
    if (!(c->host = host_open(&chip, &result)))
        return ok(result, "cuptiProfilerHostInitialize");
    return schedule(c) && enable(c) && counter_data(c);
}

struct lore_counters_context *
lore_counters_context(CUcontext ctx)
{
    struct lore_counters_context *c = NULL;

    for (size_t i = 0; i < LORE_COUNTERS_CONTEXTS; i++) {
        if (contexts[i].context == ctx)
            return contexts[i].refused ? NULL : &contexts[i];
        if (!c && !contexts[i].context)
            c = &contexts[i];
    }
    if (!c)
        return NULL;
    memset(c, 0, sizeof *c);
    c->context = ctx;
    c->refused = !prepare(c);
    return c->refused ? NULL : c;
}

void
lore_counters_context_gone(CUcontext ctx)
{
    for (size_t i = 0; i < LORE_COUNTERS_CONTEXTS; i++) {
        struct lore_counters_context *c = &contexts[i];

        if (c->context != ctx)
            continue;
        disable(c);
        if (c->host)
            host_close(c->host);
        c->context = NULL; /* its images are not freed: contexts are rarely destroyed */
        return;
    }
}

static void
list_type(CUpti_Profiler_Host_Object *host, CUpti_MetricType type, uint64_t *n)
{
    LORE_PARAMS(CUpti_Profiler_Host_GetBaseMetrics_Params, p);

    p.pHostObject = host;
    p.metricType = type;
    if (lore_counters.api->ProfilerHostGetBaseMetrics(&p) != CUPTI_SUCCESS)
        return;
    for (size_t i = 0; i < p.numMetrics; i++)
        *n += lore_channel_name(lore_counters.channel, p.ppMetricNames[i]) != 0;
}

void
lore_counters_list(CUcontext ctx)
{
    CUpti_Profiler_Host_Object *host;
    struct chip chip;
    CUptiResult result;
    CUdevice device;
    uint64_t n = 0;

    if (!lore_counters.cuda.cuCtxGetDevice ||
        lore_counters.cuda.cuCtxGetDevice(&device) != CUDA_SUCCESS || !device_allows(device) ||
        !chip_of(ctx, device, &chip))
        return;
    if (!(host = host_open(&chip, &result))) {
        lore_counters_refusal(result, "cuptiProfilerHostInitialize");
        return;
    }
    list_type(host, CUPTI_METRIC_TYPE_COUNTER, &n);
    list_type(host, CUPTI_METRIC_TYPE_RATIO, &n);
    list_type(host, CUPTI_METRIC_TYPE_THROUGHPUT, &n);
    host_close(host);
    lore_channel_state(lore_counters.channel, LORE_CAP_COUNTER_DONE, chip.name, 0, n);
    lore_channel_flush(lore_counters.channel);
}
