/* Converts CUPTI's activity records to records of the channel. */
#ifndef LORE_CUPTI_RECORDS_H
#define LORE_CUPTI_RECORDS_H

#include "collectors/cupti/cupti_api.h"

/* Take one record of any kind of a CUPTI of VERSION; unusable ones are counted in *loss. */
void lore_records_take(struct lore_channel *c, uint32_t version, const CUpti_Activity *record,
    struct lore_cap_loss *loss);

#endif
