/* Ties a launch to the NVTX range in which it was made. */
#ifndef LORE_CUPTI_TIES_H
#define LORE_CUPTI_TIES_H

#include "collectors/cupti/cupti_api.h"

/* From now on the ranges go to C. TIED: launches are recorded after they were made (durations), so
 * they are tied; else lore_ranges_current answers at the launch (counters). */
void lore_ties_start(const struct lore_cupti *api, struct lore_channel *c, bool tied);
/* Whether launches are to be recorded with their calls, because a tie may name them. */
bool lore_ties_on(void);
/* At the end: how many ranges were opened, or which library NVTX loads instead of this one. */
void lore_ties_report(void);

#endif
