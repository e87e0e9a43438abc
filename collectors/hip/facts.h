/* What the code object and the launch say of a kernel without any counter, as metrics under the
 * names of AMD's profilers: registers, LDS, scratch; and the occupancy that follows. */
#ifndef LORE_HIP_FACTS_H
#define LORE_HIP_FACTS_H

#include "collectors/capture/channel.h"
#include "collectors/hip/rocprofiler.h"

/* Write the facts of dispatch D to C, for launch LAUNCH of SHAPE. */
void lore_hip_facts_write(struct lore_channel *c, const struct lore_rocp_dispatch_info *d,
    uint32_t shape, uint32_t launch);

#endif
