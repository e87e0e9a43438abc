/* The framework for rule sets; private to this folder. A rule reads quantities, tests them and
 * reports findings. This module records missing metrics and true comparisons.
 *
 * A rule without a finding is "clear" only if all metrics that it tested were present. To report
 * every missing metric, call all tests first and combine their results afterwards: in `a && test()`
 * a false `a` skips the test. Evidence is listed in the order of the tests. */
#ifndef LORE_DERIVE_RULES_H
#define LORE_DERIVE_RULES_H

#include "service/derive/diagnose.h"
#include "service/derive/profile.h"

struct lore_rule_run {
    const struct lore_profile *profile;
    const struct lore_diagnose_context *ctx;
    struct lore_arena *arena;
    uint32_t vocabulary; /* labels that the set may report; others are removed */
    const struct lore_rule *rule;
    uint32_t found; /* labels of the findings so far, without signals */
    struct lore_test *tests;
    size_t n_tests, cap_tests;
    const char **missing;
    size_t n_missing, cap_missing;
    bool reported;
    const char *note;
    struct lore_finding *findings;
    size_t n_findings, cap_findings;
    struct lore_not_evaluated *open;
    size_t n_open, cap_open;
    size_t n_clear;
};

struct lore_rule {
    const char *pattern, *label, *symptom;
    uint32_t labels;
    bool signal;
    void (*check)(struct lore_rule_run *r);
    const char *names; /* for lore_rule_compare: names of the reading */
    char op;
    double threshold;
};

struct lore_rule_set {
    const char *name;
    uint32_t vocabulary;
    const char *vendor; /* reads only this vendor's metrics; NULL: any */
    const struct lore_rule *rules;
    size_t n;
};
/* speed-of-light@2, roofline-gaps@1, ncu-patterns@2, sync@1 */
extern const struct lore_rule_set lore_rules_speed_of_light, lore_rules_roofline_gaps,
    lore_rules_ncu_patterns, lore_rules_sync;

/* A matrix pipe above this share of its peak, in %, is the limit: barriers and the other schedules
 * of its instructions leave no kernel much more. */
#define LORE_RULE_PIPE_FULL 80
struct lore_reading lore_rule_read(struct lore_rule_run *r, const char *names);
/* A / B (times SCALE) as one reading. A missing operand is recorded as missing. */
struct lore_reading
lore_rule_ratio(struct lore_rule_run *r, const char *a, const char *b, double scale);
/* Whether READING op THRESHOLD ('<' '>' 'g' for >= 'l' for <=); a missing reading is recorded and
 * gives false; a true comparison becomes evidence. */
bool
lore_rule_test(struct lore_rule_run *r, struct lore_reading reading, char op, double threshold);
/* Whether A or B is above 0; both are tested. */
bool lore_rule_any(struct lore_rule_run *r, struct lore_reading a, struct lore_reading b);
/* Utilisation of the compute side: SM throughput, else the larger of matrix and vector utilisation
 * if both are known (AMD). */
struct lore_reading lore_rule_sm_side(struct lore_rule_run *r);
/* Report the current rule of a busy memory side, whose value is the largest of L1/TEX (with shared
 * memory), L2 and DRAM. The finding names the levels. It has the label memory when DRAM is above
 * HIGH % of its peak, a quarter of the busiest level or more, or not recorded; the label cache when
 * another level is busier and DRAM is not above HIGH. */
void lore_rule_memory_finding(
    struct lore_rule_run *r, double high, enum lore_confidence c, const char *note);
void lore_rule_missing(struct lore_rule_run *r, const char *name);
/* Report the current rule, with its own labels or others; NOTE may be NULL. */
void lore_rule_finding(struct lore_rule_run *r, enum lore_confidence c, const char *note);
void lore_rule_finding_labels(
    struct lore_rule_run *r, uint32_t labels, enum lore_confidence c, const char *note);
/* The check of a row whose condition is `names op threshold`: low confidence. */
void lore_rule_compare(struct lore_rule_run *r);
/* METRICS plus the canonical quantities that are not recorded but can be computed from AMD
 * counters. Metrics without AMD counters are returned unchanged. CTX may be NULL. */
struct lore_metrics lore_rules_complete(const struct lore_metrics *metrics,
    const struct lore_diagnose_context *ctx, struct lore_arena *arena);
/* "a = 2.19 < 40, b = 97.33 > 60" in the run's arena. */
const char *lore_tests_text(struct lore_arena *arena, const struct lore_test *tests, size_t n);

#endif
