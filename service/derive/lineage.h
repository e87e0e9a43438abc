/* The versions of one kernel in order, each with its speedup over the first, its parent and the
 * best before it. One of them is the champion. Pure functions. */
#ifndef LORE_DERIVE_LINEAGE_H
#define LORE_DERIVE_LINEAGE_H

#include "service/base/arena.h"
#include "service/wire/record.h"

struct lore_step_in {
    const char *id, *parent; /* parent: the primary one; NULL: none */
    enum lore_version_kind kind;
    struct lore_i64 ordinal;
    int64_t seq;    /* order of arrival */
    double time_ns; /* median on the workload in question; 0: not timed on it */
    enum lore_check correctness;
};
struct lore_lineage_step {
    size_t in;                           /* index into the input */
    double vs_first, vs_parent, vs_best; /* speedups; 0: one of the two times is missing; also
                                            vs_first of the baseline */
    bool baseline, champion;
};
struct lore_lineage {
    struct lore_lineage_step *steps; /* by ordinal, then by arrival; without an ordinal, a baseline
                                        is first and others follow their parent */
    size_t n;
    size_t baseline, champion; /* indexes into steps; n: none */
};
/* The baseline is the first of kind baseline, else the first step. The champion is the fastest
 * timed version that is neither a library nor an ablation and whose check neither failed nor timed
 * out. A technique that is missing in the machine code does not disqualify it. "Best before" covers
 * eligible versions earlier in the order. */
void lore_lineage_order(
    const struct lore_step_in *in, size_t n, struct lore_arena *arena, struct lore_lineage *out);

#endif
