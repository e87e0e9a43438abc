/* Times, and ratios of times, as people write them: a number and its unit, "0.90ms" or "520us". A
 * guessed unit could store times that are wrong by a factor of 1000, so a number without one is
 * refused. */
#ifndef LORE_BASE_DURATION_H
#define LORE_BASE_DURATION_H

#include "service/base/arena.h"
#include "service/base/status.h"

/* Nanoseconds of one UNIT: ns, us, µs, ms or s; 0 for anything else. */
double lore_duration_unit(const char *unit);
/* Parse all of TEXT as a time of more than 0 and at most 100 days. The error names WHAT; its hint
 * shows the number with each unit. */
enum lore_status
lore_duration_parse(const char *text, const char *what, double *ns, struct lore_err *err) LORE_MUST;
/* "81.2 us", "1.5 ms" */
const char *lore_duration_text(struct lore_arena *arena, double ns);
/* A ratio of two times: "1.31x", "12.4x", "150x"; near 1 with three decimals, "1.004x". */
const char *lore_factor_text(struct lore_arena *arena, double factor);

#endif
