/* The stall metrics of a run, ranked: the reasons why its warps or waves waited. */
#ifndef LORE_DERIVE_STALLS_H
#define LORE_DERIVE_STALLS_H

#include "service/base/arena.h"
#include "service/wire/record.h"

struct lore_stall {
    const char *metric; /* as recorded */
    const char *reason; /* "long_scoreboard"; NULL: the catalogue has no name for it */
    const char *unit;   /* "% of wave cycles", "% of warps", "%", "warp/issue", "cycle", "sample" or
                         * as recorded; "unknown" */
    double value;
    size_t rank;  /* rank among metrics of the same unit, from 1 */
    bool neutral; /* not a loss: the warp was ready but another was chosen */
};
/* Shares first, then warps per issue, then the rest; the largest of a unit first. A metric without
 * a finite value is left out. AMD wait counters are given as a share of SQ_WAVE_CYCLES if that is
 * known, else in cycles. Texts are borrowed from METRICS or in the arena. */
const struct lore_stall *
lore_stalls(const struct lore_metrics *metrics, struct lore_arena *arena, size_t *n);

#endif
