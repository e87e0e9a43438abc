/* The verdicts on an experiment, derived from facts by a named policy. Pure functions.
 *
 * Effect, with speedup = before / after of the medians. The policy depends on the facts:
 *   samples-5-2@3   both sides have 5 samples or more. A 99 % interval for samples taken one side
 *                   after the other, widened by drift and the host's noise floor (sequential.h)
 *   paired-5-2@2    the same, but the samples alternate: the interval of the pairs (compare.h),
 *                   widened by the noise floor
 *   summary-5-2@2   both sides have runs, but one has only a summary or fewer than 5 samples
 *   claim-5-2@2     only stated numbers exist
 *   none            nothing can be compared: not_measured
 *
 * With an interval (low..high):
 *   win            speedup > 1.05 and low > 1
 *   loss           high < 1: slower beyond noise
 *   neutral        otherwise, if high < 1.05, or if low > 1 and speedup <= 1.05; said as "no gain"
 *   inconclusive   otherwise, or no interval could be computed: the times change, but not where
 *                  the samples of one version end and those of the other begin; or too few samples
 *                  are comparable. Flags report drift.
 * Without an interval (summary, claim): win > 1.05, loss < 1 / 1.02, neutral between them.
 *
 * A gain is against the best version before it in its line. From a base that was slower than that,
 * a win over the base alone is neutral ("recovery" among the flags).
 *
 * Correctness: a fail or timeout wins over a pass. Checks count from the runs after the change,
 * from other runs of their version on a timed workload, and from the claim. A version that ended in
 * an error and has no time counts as a fail. Otherwise not_checked.
 *
 * Process: broken if the author names a broken rule or process.h finds one. The three verdicts are
 * independent: a win may be incorrect or break a rule. But whoever counts or lists wins leaves out
 * incorrect ones (LORE_COUNTS_AS in db/shared_sql.h); words for them are "wrong result". */
#ifndef LORE_DERIVE_OUTCOME_H
#define LORE_DERIVE_OUTCOME_H

#include "service/base/arena.h"
#include "service/derive/outcome_samples.h"
#include "service/derive/process_facts.h"
#include "service/stats/stats.h"
#include "service/wire/effect.h"
#include "service/wire/record.h"

#define LORE_WIN_ABOVE 1.05 /* more than reruns of an unchanged kernel differ */

enum lore_basis { LORE_B_NONE, LORE_B_SAMPLES, LORE_B_SUMMARY, LORE_B_CLAIM };

struct lore_outcome_in {
    struct lore_side before, after;
    bool in_turns;         /* one run per side, and their samples alternate */
    struct lore_f64 floor; /* the host's noise floor, a fraction below 1; unset: not known */
    double share; /* of the best speed before it in its line that the base has; 0: it is the best */
    struct lore_claim claim; /* as stated */
    enum lore_check correctness[16];
    size_t n_correctness; /* of the runs after, and of their version on timed workloads */
    const char *const *violations;
    size_t n_violations; /* named by the author */
    struct lore_process_in process;
};
struct lore_outcome {
    enum lore_effect effect;
    enum lore_check correctness;
    bool process_broken;
    const char *rules; /* "one_variable,ncu_symptom_mismatch"; in the arena; "" when clean */
    const char *flags; /* doubts that break no rule, and what is missing; same format */
    struct lore_f64 speedup, low, high; /* over the base */
    struct lore_f64 gain; /* over the best before it in its line, or the middle of a stated range;
                             unset: the speedup */
    double share; /* of the best speed before it that the version after has; 0: it is not slower */
    struct lore_f64 before_ns, after_ns;
    enum lore_basis basis;
    const char *policy;
    bool disagrees; /* the outcome that the author stated is another effect */
};
void lore_outcome_derive(
    const struct lore_outcome_in *in, struct lore_arena *arena, struct lore_outcome *out);
const char *lore_basis_name(enum lore_basis b);
/* The effect of a speedup that has no interval. */
enum lore_effect lore_outcome_stated_effect(double speedup);
/* The time of a run: the median of its samples, else its stated median, mean or least time; 0:
 * none. LORE_STATED_NS in db/shared_sql.h is the same for stated times in SQL. */
double lore_run_time_ns(const struct lore_run *r, struct lore_arena *arena);

#endif
