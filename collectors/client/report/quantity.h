/* Numbers of a run by what they mean, whatever the vendor calls them, or why there is none. */
#ifndef LORE_CLIENT_REPORT_QUANTITY_H
#define LORE_CLIENT_REPORT_QUANTITY_H

#include <stdbool.h>

#include "service/base/json.h"

/* The value of CANONICAL ("achieved_occupancy_pct", or a vendor's name that has no canonical one)
 * among METRICS, the object of a record. False: *why says the recorded reason ("permission
 * denied"); it is left alone when the metrics do not speak of it. A value in another unit than the
 * catalogue's is none. */
bool lore_quantity(const struct lore_json *metrics, const char *canonical, struct lore_arena *arena,
    double *value, const char **why);
/* Of an experiment's single form: what is stated about SIDE ("before", "after"), else what its runs
 * of that side say. */
bool lore_quantity_side(const struct lore_json *experiment, const char *side, const char *canonical,
    struct lore_arena *arena, double *value);
/* What an OUTCOME's effect is called: a loss that ended no slower, or may have (its interval holds
 * 1), is "no gain"; other effects in their words. NULL without one. */
const char *lore_report_say_effect(struct lore_arena *arena, const struct lore_json *outcome);

#endif
