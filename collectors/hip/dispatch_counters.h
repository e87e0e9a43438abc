/* Hardware counters of chosen dispatches, instead of durations. */
#ifndef LORE_HIP_DISPATCH_COUNTERS_H
#define LORE_HIP_DISPATCH_COUNTERS_H

#include "collectors/capture/channel.h"
#include "collectors/hip/rocprofiler_api.h"

/* Configure CONTEXT for the counters that the environment asks for. NULL, or the call that was
 * refused, with its *status; "" when a state already says why. */
const char *lore_dispatch_counters_start(
    const struct lore_rocp *api, uint64_t context, struct lore_channel *c, int *status);

#endif
