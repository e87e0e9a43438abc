/* From CUPTI's activity records to the channel's. */
#ifndef LORE_CUPTI_RECORDS_H
#define LORE_CUPTI_RECORDS_H

#include "collectors/cupti/cupti_api.h"

/* One record, of whatever kind; what cannot be used is counted in *loss. */
void
lore_records_take(struct lore_channel *c, const CUpti_Activity *record, struct lore_cap_loss *loss);

#endif
