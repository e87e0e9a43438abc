/* The versions of one kernel in order, each with its speedup over the first, its parent and the
 * best before it. One of them is the champion. Pure functions. */
#ifndef LORE_DERIVE_LINEAGE_H
#define LORE_DERIVE_LINEAGE_H

#include "service/base/arena.h"
#include "service/derive/gain.h"
#include "service/wire/record.h"

struct lore_step_in {
    const char *id, *parent; /* parent: the primary one; NULL: none */
    struct lore_i64 ordinal;
    int64_t seq; /* order of arrival */
    struct lore_gain_standing standing;
    struct lore_gain_time time; /* the one that counts at the place in question; ns 0: none */
};
struct lore_lineage_step {
    size_t in;                           /* index into the input */
    double vs_first, vs_parent, vs_best; /* gains; 0: one of the two times is missing; also
                                            vs_first of the baseline */
    size_t best;                         /* the step of the best before; n: none */
    size_t first;                        /* the step that vs_first is over; n: none */
    bool baseline, champion;
};
struct lore_lineage {
    struct lore_lineage_step *steps; /* by ordinal, then by arrival; without an ordinal, a baseline
                                        is first and others follow their parent */
    size_t n;
    size_t baseline, champion; /* indexes into steps; n: none */
};
/* The baseline is the first version of kind baseline, else the first of all; of those with a time,
 * where there are some. A version whose own line begins with a timed baseline is compared with that
 * one: a kernel may have several logs, each with its own first version. The champion is the version
 * that leads (gain.h). A technique that is missing in the machine code does not disqualify it.
 * "Best before" is the champion among the earlier steps. */
void lore_lineage_order(
    const struct lore_step_in *in, size_t n, struct lore_arena *arena, struct lore_lineage *out);

#endif
