/* How rule sets are written; for the files of this folder. A rule asks for readings, tests them and
 * says what it found; absent metrics, comparisons and words are kept track of here.
 *
 * A rule that found nothing is "clear" only when every metric it asked for was there. Where every
 * absent metric shall be named, test first and join the results after: `a && test()` asks for `a`
 * alone. The order of the tests is the order of the evidence. */
#ifndef LORE_DERIVE_RULES_H
#define LORE_DERIVE_RULES_H

#include "service/derive/diagnose.h"
#include "service/derive/profile.h"

struct lore_rule_run {
    const struct lore_profile *profile;
    const struct lore_diagnose_context *ctx;
    struct lore_arena *arena;
    uint32_t vocabulary; /* labels that the set can name: others never come out */
    const struct lore_rule *rule;
    uint32_t found; /* labels of the findings so far that are no signals */
    struct lore_test *tests;
    size_t n_tests, cap_tests;
    const char **missing;
    size_t n_missing, cap_missing;
    bool said;
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
    const char *names; /* for checks that many rows share: of the reading */
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
/* speed-of-light@1, roofline-gaps@1, ncu-patterns@1, sync@1 */
extern const struct lore_rule_set lore_rules_speed_of_light, lore_rules_roofline_gaps,
    lore_rules_ncu_patterns, lore_rules_sync;

struct lore_reading lore_rule_read(struct lore_rule_run *r, const char *names);
/* A / B (times SCALE) as one reading; an absent side is noted as missing here. */
struct lore_reading
lore_rule_ratio(struct lore_rule_run *r, const char *a, const char *b, double scale);
/* Whether READING op THRESHOLD ('<' '>' 'g' for >= 'l' for <=); an absent reading is noted as
 * missing and gives false, a true comparison becomes evidence. */
bool
lore_rule_test(struct lore_rule_run *r, struct lore_reading reading, char op, double threshold);
/* Whether A or B is above 0; both are tested. */
bool lore_rule_any(struct lore_rule_run *r, struct lore_reading a, struct lore_reading b);
/* SM throughput, else (AMD) the busier of matrix and vector units when both are known. */
struct lore_reading lore_rule_sm_side(struct lore_rule_run *r);
void lore_rule_miss(struct lore_rule_run *r, const char *name);
/* Report the current rule, with its own labels or others; NOTE may be NULL. */
void lore_rule_find(struct lore_rule_run *r, enum lore_confidence c, const char *note);
void lore_rule_find_labels(
    struct lore_rule_run *r, uint32_t labels, enum lore_confidence c, const char *note);
/* The check of a row whose condition is `names op threshold`: low confidence. */
void lore_rule_compare(struct lore_rule_run *r);
/* METRICS and the canonical quantities that follow from AMD's counters and were not recorded; what
 * has no AMD counters comes back as it is. CTX may be NULL. */
struct lore_metrics lore_rules_complete(const struct lore_metrics *metrics,
    const struct lore_diagnose_context *ctx, struct lore_arena *arena);
/* "a = 2.19 < 40, b = 97.33 > 60" in the run's arena. */
const char *lore_tests_text(struct lore_arena *arena, const struct lore_test *tests, size_t n);

#endif
