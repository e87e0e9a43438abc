/* Looks up a metric of a run by its canonical name, whatever name the vendor uses. */
#ifndef LORE_CLIENT_REPORT_QUANTITY_H
#define LORE_CLIENT_REPORT_QUANTITY_H

#include <stdbool.h>

#include "service/base/json.h"

/* The value of CANONICAL ("achieved_occupancy_pct", or a vendor's name that has no canonical one)
 * among METRICS, the object of a record. False: *why is the recorded reason ("permission denied"),
 * or unchanged when METRICS do not name the metric. A value in another unit than the catalogue's is
 * treated as missing. */
bool lore_quantity(const struct lore_json *metrics, const char *canonical, struct lore_arena *arena,
    double *value, const char **why);
/* The same for an experiment, as GET /experiments/ID gives it: the stated metrics of SIDE
 * ("before", "after"), else those of its runs. */
bool lore_quantity_side(const struct lore_json *experiment, const char *side, const char *canonical,
    struct lore_arena *arena, double *value);
/* The effect of OUTCOME, but a win whose check failed is a "wrong_result". NULL without an effect.
 */
const char *lore_report_effect(const struct lore_json *outcome);
/* The same in words; neutral is "no gain". NULL without an effect. */
const char *lore_report_say_effect(struct lore_arena *arena, const struct lore_json *outcome);
/* A kind of failure in words: "compilation", and "compile", is "did not compile". NULL for NULL. */
const char *lore_report_say_failure(struct lore_arena *arena, const char *type);
/* "win 1.25x", "win 1.25x, wrong result", "did not compile". GAIN: the speedup in words, or NULL.
 * NULL without an effect. */
const char *lore_report_say_outcome(
    struct lore_arena *arena, const struct lore_json *outcome, const char *gain);

#endif
