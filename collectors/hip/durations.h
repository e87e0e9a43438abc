/* Durations of kernels and copies, in every dispatch of the program. */
#ifndef LORE_HIP_DURATIONS_H
#define LORE_HIP_DURATIONS_H

#include "collectors/capture/channel.h"
#include "collectors/hip/rocprofiler_api.h"

/* Configure CONTEXT for durations. NULL, or the call that was refused, with its *status. */
const char *lore_durations_configure(
    const struct lore_rocp *api, uint64_t context, struct lore_channel *c, int *status);
/* After CONTEXT was started: collect from time to time. */
void lore_durations_start(void);
/* At normal exit, after the context was stopped: take the remaining records. */
void lore_durations_stop(void);

#endif
