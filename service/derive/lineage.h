/* The versions of one kernel as a story: in order, each with its speedup over the first, its parent
 * and the best before it, and which one is the champion. Pure. */
#ifndef LORE_DERIVE_LINEAGE_H
#define LORE_DERIVE_LINEAGE_H

#include "service/base/arena.h"
#include "service/wire/record.h"

struct lore_step_in {
    const char *id, *parent; /* parent: the primary one; NULL: none */
    enum lore_version_kind kind;
    struct lore_i64 ordinal;
    int64_t seq;    /* order of arrival */
    double time_ns; /* median on the workload looked at; 0: not timed there */
    enum lore_check correctness;
};
struct lore_lineage_step {
    size_t in;                           /* index into the input */
    double vs_first, vs_parent, vs_best; /* speedups; 0: one of the two times is missing */
    bool baseline, champion;
};
struct lore_lineage {
    struct lore_lineage_step *steps; /* by ordinal; without one: a baseline first, others after
                                their parent; then by arrival */
    size_t n;
    size_t baseline, champion; /* indexes into steps; n: none */
};
/* The baseline is the first of kind baseline, else the first step. The champion is the fastest
 * version that is not a library, not an ablation, timed, and neither failed nor timed out: a
 * technique that left no trace in the code does not take its place. "Best before" looks at eligible
 * versions earlier in order. */
void lore_lineage_order(
    const struct lore_step_in *in, size_t n, struct lore_arena *arena, struct lore_lineage *out);

#endif
