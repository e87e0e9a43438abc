/* The roctx ranges of the program: they say what the kernels compute that are launched inside. */
#ifndef LORE_HIP_RANGES_H
#define LORE_HIP_RANGES_H

#include "collectors/capture/channel.h"
#include "collectors/hip/rocprofiler_api.h"

/* Before the context is started: from now on the dispatches of a thread carry the id of the text
 * that holds for it, as their external correlation. ROCP was found by CALLER, which is looked in
 * for the functions that this needs. Where they are refused, no dispatch has a range. */
void lore_hip_ranges_configure(
    struct lore_rocp *rocp, const void *caller, uint64_t context, struct lore_channel *c);
/* The id of the text that holds for a dispatch with this CORRELATION; 0: none. */
uint32_t lore_hip_ranges_of(const uint64_t correlation[2]);

#endif
