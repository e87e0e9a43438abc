/* The kernels that the program has loaded, by the profiler's number. */
#ifndef LORE_HIP_KERNELS_H
#define LORE_HIP_KERNELS_H

#include "collectors/capture/channel.h"
#include "collectors/hip/rocprofiler.h"

struct lore_hip_kernel {
    const char *name; /* without ".kd"; NULL: not known */
    uint32_t vgprs, agprs, sgprs, static_group_bytes;
};
/* Remember K; without memory it is forgotten. Thread-safe, and so is the lookup. */
void lore_kernels_add(const struct lore_rocp_kernel *k);
/* Kernel ID; a zeroed one when it is not known. */
struct lore_hip_kernel lore_kernels_find(uint64_t id);
/* The shape of a dispatch, without its id. */
void lore_kernels_shape(
    struct lore_channel *c, const struct lore_rocp_dispatch_info *d, struct lore_cap_shape *out);

#endif
