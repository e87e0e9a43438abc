/* Which launches of a trace are the measurement, and how they become samples. An iteration is one
 * pass over the operator: it may hold several launches of several kernels. */
#ifndef LORE_RUN_GROUP_MEASURE_H
#define LORE_RUN_GROUP_MEASURE_H

#include "collectors/run/collected.h"

enum { LORE_MEASURE_SAMPLES = 10000 }; /* the most a run may carry */

struct lore_measure {
    const struct lore_trace_group **groups; /* longest first; none: nothing was measured */
    size_t n_groups;
    int64_t *samples; /* in order, without what was left out */
    size_t n;
    bool has_first;
    int64_t first_ns; /* the first iteration */
    uint64_t iterations, launches, per_iteration;
    uint64_t left_out; /* iterations at the start that are no samples; the first is one of them */
    bool reservoir;    /* not every launch's time was kept */
    const char *rule;  /* how iterations were found */
    uint64_t other_groups, other_launches; /* not part of the measurement */
    int64_t other_ns;
    struct lore_texts notes; /* whole sentences: what was decided and why */
};
/* The groups of TRACE whose symbol or name matches WHAT's expression, of the process and device
 * that spent most time in them. LORE_INVALID "--kernel-regex" when it does not compile. */
enum lore_status lore_measure_all(const struct lore_trace *trace, const struct lore_what *what,
    struct lore_arena *arena, struct lore_measure *out, struct lore_err *err) LORE_MUST;
/* One group alone, every launch an iteration; at most LORE_TRACE_SAMPLES, since a document of such
 * runs holds many. */
void lore_measure_one(const struct lore_trace_group *g, const struct lore_what *what,
    struct lore_arena *arena, struct lore_measure *out);
/* Those that match, in TRACE's order. */
enum lore_status
lore_measure_match(const struct lore_trace *trace, const char *regex, struct lore_arena *arena,
    const struct lore_trace_group ***out, size_t *n, struct lore_err *err) LORE_MUST;

#endif
