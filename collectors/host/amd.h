/* Shared by the files that probe AMD GPUs. */
#ifndef LORE_HOST_AMD_H
#define LORE_HOST_AMD_H

#include "collectors/host/vendor.h"

/* The folder that is read as /sys: that, or WARPLORE_SYSFS, for tests. */
const char *lore_amd_sysfs(void);
/* Up to N - 1 bytes of the file at the formatted path, without the last newline; false: there is
 * none, or it is empty. */
bool
lore_amd_read(char *out, size_t n, const char *format, ...) __attribute__((format(printf, 3, 4)));
bool lore_amd_read_i64(int64_t *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

struct lore_amd_place { /* where a GPU is: what the driver's and the runtime's lists share */
    uint32_t domain, bus, device, render; /* render: minor number of its /dev/dri/renderD… */
};
/* Add to D what amdgpu says of the GPU at render node RENDER: partitions, power cap, firmware. */
void lore_amdgpu_describe(struct lore_arena *arena, uint32_t render, struct lore_host_device *d);
/* Whether D is a part of its chip, whose numbers are not the chip's. */
bool lore_amd_is_partition(const struct lore_host_device *d);
/* Add to the N devices of HOST, which lie at PLACES, what the HIP runtime says, asked in a process
 * of its own, and its version to HOST. Without a runtime each device names what is missing. */
void lore_hip_runtime_describe(struct lore_arena *arena, struct lore_host *host,
    const struct lore_amd_place *places, size_t n);

#endif
