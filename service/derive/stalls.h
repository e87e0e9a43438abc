/* What the warps or waves of a run waited for, by every stall metric it has. */
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
    size_t rank;  /* among those of its unit, from 1: values of two units do not compare */
    bool neutral; /* a warp that was ready and not chosen lost nothing */
};
/* Shares first, then warps per issue, then the rest; the largest of a unit first. A metric without
 * a finite value is left out. Wave cycles are a share where SQ_WAVE_CYCLES is known, else cycles.
 * Texts are borrowed from METRICS or in the arena. */
const struct lore_stall *
lore_stalls(const struct lore_metrics *metrics, struct lore_arena *arena, size_t *n);

#endif
