/* The record layouts are those of the CUPTI that we were built with. Every version from CUDA 12.0
 * on has the fields that are read at the same place and adds others at the end, so a newer field is
 * read by the version of the loaded library. A record without a valid start and end is counted as
 * bad; its time is not estimated. */
#include "collectors/cupti/records.h"

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "collectors/cupti/ties.h"

/* The records of CUDA 12.0 to 12.9 that newer ones replace. */
#define SAME(older, newer, field)                                                                  \
    _Static_assert(offsetof(older, field) == offsetof(newer, field), #older " has "                \
                                                                            "another " #field)
#define KERNEL(field) SAME(CUpti_ActivityKernel9, CUpti_ActivityKernel10, field)
#define COPY(field) SAME(CUpti_ActivityMemcpy5, CUpti_ActivityMemcpy6, field)
#define DEVICE(field) SAME(CUpti_ActivityDevice4, CUpti_ActivityDevice5, field)
KERNEL(kind);
KERNEL(correlationId);
KERNEL(start);
KERNEL(end);
KERNEL(deviceId);
KERNEL(streamId);
KERNEL(name);
KERNEL(graphId);
KERNEL(launchType);
KERNEL(gridX);
KERNEL(blockX);
KERNEL(clusterX);
KERNEL(registersPerThread);
KERNEL(staticSharedMemory);
KERNEL(dynamicSharedMemory);
KERNEL(localMemoryPerThread);
COPY(copyKind);
COPY(bytes);
COPY(start);
COPY(end);
DEVICE(id);
DEVICE(computeCapabilityMajor);
DEVICE(numMultiprocessors);
DEVICE(numThreadsPerWarp);
DEVICE(uuid);
DEVICE(name);
#undef DEVICE
#undef COPY
#undef KERNEL
#undef SAME

static bool
timed(uint64_t start, uint64_t end)
{
    return start != 0 && end >= start;
}

static uint32_t
api_of(const CUpti_ActivityKernel10 *k, uint32_t version)
{
    if (version >= LORE_CUPTI_13 && k->isDeviceLaunched)
        return LORE_CAP_API_DEVICE;
    if (k->graphId != 0)
        return LORE_CAP_API_GRAPH;
    switch (k->launchType) {
    case CUPTI_ACTIVITY_LAUNCH_TYPE_REGULAR:
        return LORE_CAP_API_STREAM;
    case CUPTI_ACTIVITY_LAUNCH_TYPE_COOPERATIVE_SINGLE_DEVICE:
    case CUPTI_ACTIVITY_LAUNCH_TYPE_COOPERATIVE_MULTI_DEVICE:
        return LORE_CAP_API_COOPERATIVE;
    default:
        return LORE_CAP_API_UNKNOWN;
    }
}

static uint32_t
shape_of(struct lore_channel *c, const CUpti_ActivityKernel10 *k, uint32_t version)
{
    struct lore_cap_shape s = {
        .name = lore_channel_name(c, k->name ? k->name : ""),
        .device = k->deviceId,
        .api = api_of(k, version),
        .known = LORE_CAP_HAS_REGISTERS | LORE_CAP_HAS_SHARED | LORE_CAP_HAS_LOCAL,
        .grid = {(uint32_t)k->gridX, (uint32_t)k->gridY, (uint32_t)k->gridZ},
        .block = {(uint32_t)k->blockX, (uint32_t)k->blockY, (uint32_t)k->blockZ},
        .registers = k->registersPerThread,
        .static_shared_bytes = (uint32_t)k->staticSharedMemory,
        .dynamic_shared_bytes = (uint32_t)k->dynamicSharedMemory,
        .local_bytes_per_thread = k->localMemoryPerThread,
    };

    if (k->clusterX != 0) {
        s.known |= LORE_CAP_HAS_CLUSTER;
        s.cluster[0] = k->clusterX;
        s.cluster[1] = k->clusterY;
        s.cluster[2] = k->clusterZ;
    }
    return s.name == 0 ? 0 : lore_channel_shape(c, &s);
}

static void
take_kernel(struct lore_channel *c, uint32_t version, const CUpti_ActivityKernel10 *k,
    struct lore_cap_loss *loss)
{
    struct lore_cap_launch l = {.start_ns = k->start, .dur_ns = k->end - k->start};

    if (!timed(k->start, k->end)) {
        loss->bad++;
        return;
    }
    l.stream = k->streamId;
    l.shape = shape_of(c, k, version);
    if (l.shape == 0)
        loss->no_memory++;
    else if (lore_ties_on())
        lore_channel_named_launch(c, &l, k->correlationId);
    else
        lore_channel_launch(c, &l);
}

static int
which_copy(uint8_t kind)
{
    switch (kind) {
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOD:
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOA:
        return LORE_CAP_COPY_H2D;
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOH:
    case CUPTI_ACTIVITY_MEMCPY_KIND_ATOH:
        return LORE_CAP_COPY_D2H;
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOD:
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOA:
    case CUPTI_ACTIVITY_MEMCPY_KIND_ATOD:
    case CUPTI_ACTIVITY_MEMCPY_KIND_ATOA:
        return LORE_CAP_COPY_D2D;
    default:
        return LORE_CAP_COPY_OTHER;
    }
}

static void
take_total(struct lore_channel *c, int which, uint64_t bytes, uint64_t start, uint64_t end,
    struct lore_cap_loss *loss)
{
    if (timed(start, end))
        lore_channel_total(c, which, bytes, end - start);
    else
        loss->bad++;
}

/* A device is described once, however often CUPTI does. */
static void
take_device(struct lore_channel *c, const CUpti_ActivityDevice5 *d)
{
    static _Atomic uint64_t described;
    struct lore_cap_device out = {
        .ordinal = d->id,
        .major = d->computeCapabilityMajor,
        .minor = d->computeCapabilityMinor,
        .units = d->numMultiprocessors,
        .warp = d->numThreadsPerWarp,
    };
    uint64_t bit = d->id < 64 ? UINT64_C(1) << d->id : 0;

    if (bit == 0 || (atomic_fetch_or(&described, bit) & bit))
        return;
    memcpy(out.uuid, &d->uuid, sizeof out.uuid);
    out.name = lore_channel_name(c, d->name ? d->name : "");
    lore_channel_device(c, &out);
}

void
lore_records_take(struct lore_channel *c, uint32_t version, const CUpti_Activity *record,
    struct lore_cap_loss *loss)
{
    const void *p = record;
    const CUpti_ActivityMemcpy6 *copy = p;
    const CUpti_ActivityMemcpyPtoP4 *peer = p;
    const CUpti_ActivityMemset4 *fill = p;

    switch (record->kind) {
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
    case CUPTI_ACTIVITY_KIND_KERNEL:
        take_kernel(c, version, p, loss);
        break;
    case CUPTI_ACTIVITY_KIND_MEMCPY:
        take_total(c, which_copy(copy->copyKind), copy->bytes, copy->start, copy->end, loss);
        break;
    case CUPTI_ACTIVITY_KIND_MEMCPY2:
        take_total(c, LORE_CAP_COPY_OTHER, peer->bytes, peer->start, peer->end, loss);
        break;
    case CUPTI_ACTIVITY_KIND_MEMSET:
        take_total(c, LORE_CAP_FILL, fill->bytes, fill->start, fill->end, loss);
        break;
    case CUPTI_ACTIVITY_KIND_DEVICE:
        take_device(c, p);
        break;
    default: /* a call to the driver, and kinds that we did not ask for */
        break;
    }
}
