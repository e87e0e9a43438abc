/* The GPUs of the process, as the profiler lists them. */
#ifndef LORE_HIP_AGENTS_H
#define LORE_HIP_AGENTS_H

#include "collectors/capture/channel.h"
#include "collectors/hip/occupancy.h"
#include "collectors/hip/rocprofiler_api.h"

/* Describe every GPU to C, once, before the first dispatch. Returns the profiler's status. */
int lore_agents_open(const struct lore_rocp *api, struct lore_channel *c);
/* The ordinal of GPU ID; 0 for an unknown one. */
uint32_t lore_agents_ordinal(uint64_t id);
/* A compute unit of GPU ID; a zeroed one for an unknown one. */
struct lore_hip_unit lore_agents_unit(uint64_t id);

#endif
