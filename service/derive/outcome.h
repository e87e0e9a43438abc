/* The verdicts on an experiment, from facts, by a named policy. Pure: numbers in, verdict out.
 *
 * Effect (speedup = before / after, on medians):
 *   samples-5-2@2, when both sides have 5 samples or more: the estimate and its 99 % interval for
 * samples taken one side after the other, widened by drift and by the host's noise floor
 * (sequential.h). paired-5-2@1, when they were taken in turns: that of the pairs (compare.h),
 * widened by the floor. win: estimate > 1.05 and low > 1; loss: estimate < 1.02 and high < 1.05;
 * neutral: estimate within 1.02..1.05 and low > 1. Inconclusive: the interval allows both a gain
 * and none, or both a win and none; or there is no interval, because the times change elsewhere
 * than where the versions do or too few samples can be compared. Flags say when drift is the
 * reason. summary-5-2@1, when both sides have runs but some side has only a summary or < 5 samples;
 * and claim-5-2@1, when only stated numbers exist: win > 1.05, neutral 1.02..1.05, loss < 1.02 (a
 * gain under 2 % did not pay). No interval. none: not_measured.
 *
 * Correctness: fail or timeout of any after-run, of another run of the version on the workload that
 * was timed, or of the claim wins over pass; not_checked when nobody looked. Process: broken when
 * the author names a rule or process.h finds one broken. The three are never mixed: a win may be
 * incorrect, or dirty, and stays a win. */
#ifndef LORE_DERIVE_OUTCOME_H
#define LORE_DERIVE_OUTCOME_H

#include "service/base/arena.h"
#include "service/derive/outcome_samples.h"
#include "service/derive/process_facts.h"
#include "service/stats/stats.h"
#include "service/wire/effect.h"
#include "service/wire/record.h"

enum lore_basis { LORE_B_NONE, LORE_B_SAMPLES, LORE_B_SUMMARY, LORE_B_CLAIM };

struct lore_outcome_in {
    struct lore_side before, after;
    bool in_turns;           /* one run a side, its samples taken in turns with the other's */
    struct lore_f64 floor;   /* the host's noise floor, a fraction below 1; unset: not known */
    struct lore_claim claim; /* as stated */
    enum lore_check correctness[16];
    size_t n_correctness; /* of the after-runs, and of their version on the workloads they timed */
    const char *const *violations;
    size_t n_violations; /* named by the author */
    struct lore_process_in process;
};
struct lore_outcome {
    enum lore_effect effect;
    enum lore_check correctness;
    bool process_broken;
    const char *rules; /* "one_variable,ncu_symptom_mismatch"; in the arena; "" when clean */
    const char *flags; /* what is doubtful without breaking a rule; likewise */
    struct lore_f64 speedup, low, high;
    struct lore_f64 before_ns, after_ns;
    enum lore_basis basis;
    const char *policy;
    bool disagrees; /* the typed outcome maps to another effect */
};
void lore_outcome_derive(
    const struct lore_outcome_in *in, struct lore_arena *arena, struct lore_outcome *out);
const char *lore_basis_name(enum lore_basis b);
/* What a run took: the median of its samples, else the median or the mean that it states; 0 when it
 * says neither. */
double lore_run_time_ns(const struct lore_run *r, struct lore_arena *arena);

#endif
