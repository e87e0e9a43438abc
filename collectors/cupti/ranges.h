/* Ties launches to the NVTX ranges that they are made in. */
#ifndef LORE_CUPTI_RANGES_H
#define LORE_CUPTI_RANGES_H

#include "collectors/cupti/cupti_api.h"

/* From now on the ranges go to C. TIED: the launches in them are recorded (durations), so CUPTI is
 * told of them; else lore_ranges_current says where a launch is made (counters). */
void lore_cupti_ranges_start(const struct lore_cupti *api, struct lore_channel *c, bool tied);
/* Whether launches are to be recorded with their calls, because a tie may name them. */
bool lore_cupti_ranges_tied(void);
/* The tie in an external correlation record, to the channel. */
void lore_cupti_ranges_take(const CUpti_ActivityExternalCorrelation *e);

#endif
