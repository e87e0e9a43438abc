/* Selects the measured launches of a trace and turns them into samples. An iteration is one pass
 * over the operator: it may hold several launches of several kernels. */
#ifndef LORE_RUN_GROUP_MEASURE_H
#define LORE_RUN_GROUP_MEASURE_H

#include "collectors/run/collected.h"

enum { LORE_MEASURE_SAMPLES = 10000 }; /* the most a run may carry */

struct lore_measure {
    const struct lore_trace_group **groups; /* longest first; none: nothing was measured */
    size_t n_groups;
    int64_t *samples; /* in order, without the skipped iterations */
    size_t n;
    bool has_first;
    int64_t first_ns; /* the first iteration */
    uint64_t iterations, launches, per_iteration;
    uint64_t left_out; /* iterations skipped at the start; 0 only when there is just one */
    bool reservoir;    /* not every launch's time was kept */
    const char *rule;  /* the rule by which iterations were found */
    uint64_t other_groups, other_launches; /* not part of the measurement */
    int64_t other_ns;
    struct lore_texts notes; /* whole sentences: what was decided and why */
};
/* Measure the groups of TRACE whose symbol or name matches WHAT's expression, on the process and
 * device with the most time in them. LORE_INVALID "--kernel-regex" when the expression does not
 * compile. */
enum lore_status
lore_measure_all(const struct lore_trace *trace, const struct lore_run_options *what,
    struct lore_arena *arena, struct lore_measure *out, struct lore_err *err) LORE_MUST;
/* Measure one group alone, with every launch as an iteration. At most MOST samples are taken. */
void lore_measure_one(const struct lore_trace_group *g, const struct lore_run_options *what,
    size_t most, struct lore_arena *arena, struct lore_measure *out);
/* The groups whose name or symbol matches REGEX (NULL: all), in TRACE's order. */
enum lore_status
lore_measure_match(const struct lore_trace *trace, const char *regex, struct lore_arena *arena,
    const struct lore_trace_group ***out, size_t *n, struct lore_err *err) LORE_MUST;
/* An extended regular expression for the symbols of those groups, each as a whole: what a library
 * without a demangler can match. REGEX itself when it is NULL, matches nothing or too much. */
const char *
lore_measure_symbols(const struct lore_trace *trace, const char *regex, struct lore_arena *arena);

#endif
