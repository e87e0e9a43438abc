/* How many of the next three methods go to each axis, from the roofline gaps: the allocation of
 * cuda-kernel-optimizer V2 as its code computes it (its documentation says otherwise in places;
 * docs/algorithms.md lists where). */
#ifndef LORE_DERIVE_BUDGET_H
#define LORE_DERIVE_BUDGET_H

#include <stdbool.h>

#include "service/derive/gaps.h"

struct lore_axis_budget {
    int compute, memory, latency; /* sum 3, each at most 2 */
};

/* Gaps are 0..1. NaN counts as 0, as a negligible gap does. */
struct lore_axis_budget lore_axis_budget(double compute, double memory, double latency);
/* From gaps that may be unknown: false, and *out untouched, when one is. */
bool lore_axis_budget_of(const struct lore_gaps *g, struct lore_axis_budget *out);

#endif
