/* Bottleneck diagnosis by several independent rule sets. Each set has a name with a version, reads
 * the metrics of one run, and returns findings with the values that led to them. A rule with a
 * missing metric is "not evaluated", never "false". docs/diagnosis.md describes the sets, their
 * thresholds and their limits. */
#ifndef LORE_DERIVE_DIAGNOSE_H
#define LORE_DERIVE_DIAGNOSE_H

#include "service/base/arena.h"
#include "service/catalogue/catalogue.h"
#include "service/derive/ontology.h"
#include "service/wire/record.h"

enum lore_confidence { LORE_CONF_LOW, LORE_CONF_MEDIUM, LORE_CONF_HIGH };
const char *lore_confidence_name(enum lore_confidence c); /* "low", "medium", "high" */

/* One comparison that held. Texts are static or in the arena. */
struct lore_test {
    const char *metric; /* as recorded, or the formula over metrics */
    double value;
    const char *op; /* ">" "<" ">=" "<=" */
    double threshold;
};

struct lore_finding {
    const char *pattern; /* id within the set: "A", "memory-bound" */
    const char *label;   /* "Small grid / SM idle" */
    const char *symptom; /* group of the pattern, if the set groups them: "memory-bound"; NULL */
    uint32_t labels;     /* bits of enum lore_label; 0: the finding names no bottleneck */
    bool signal; /* secondary: a hint, not used for verdicts and not in the labels of the set */
    enum lore_confidence confidence;
    const char *evidence; /* in words, with every value and threshold */
    const struct lore_test *tests;
    size_t n_tests;
};

/* A rule that could not be decided. */
struct lore_not_evaluated {
    const char *pattern, *label;
    const char *const *missing; /* names of the metrics that were absent */
    size_t n_missing;
    const char *note; /* else why the rule does not apply; NULL: none */
};

struct lore_rule_set_result {
    const char *rule_set; /* "speed-of-light@2" */
    uint32_t labels;      /* union over the findings that are not signals */
    uint32_t signals;     /* union of the signals */
    const struct lore_finding *findings;
    size_t n_findings;
    const struct lore_not_evaluated *not_evaluated;
    size_t n_not_evaluated;
    size_t n_clear; /* rules that were evaluated and found nothing */
};

/* Facts that the metrics do not contain. Zeroed: nothing is known. */
struct lore_diagnose_context {
    struct lore_device_facts device; /* from specs with a source or from the device */
    bool fp64_expected;              /* the kernel computes in FP64 on purpose */
    bool degraded;                   /* the profiler could not read counters */
};

size_t lore_rule_sets(const char *const **names); /* every set's name, in order */
/* One set by name; LORE_NOTFOUND names the sets there are. Everything in *out lives in ARENA, in
 * METRICS or is static. CTX may be NULL. */
enum lore_status lore_diagnose(const char *rule_set, const struct lore_metrics *metrics,
    const struct lore_diagnose_context *ctx, struct lore_arena *arena,
    struct lore_rule_set_result *out, struct lore_err *err) LORE_MUST;
/* Every set, in order; the array has lore_rule_sets() elements. */
const struct lore_rule_set_result *lore_diagnose_all(const struct lore_metrics *metrics,
    const struct lore_diagnose_context *ctx, struct lore_arena *arena, size_t *n);
/* Run several sets on the same metrics. Rules for signals are skipped, because they are most of the
 * work. METRICS, CTX and ARENA must outlive the result. */
struct lore_diagnosis_session *lore_diagnosis_session_open(const struct lore_metrics *metrics,
    const struct lore_diagnose_context *ctx, struct lore_arena *arena);
enum lore_status lore_diagnosis_session_verdicts(const struct lore_diagnosis_session *d,
    const char *rule_set, struct lore_rule_set_result *out, struct lore_err *err) LORE_MUST;
/* All labels that a set can report; 0 for an unknown set. */
uint32_t lore_rule_set_vocabulary(const char *rule_set);

#endif
