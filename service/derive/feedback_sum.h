/* How served advice performed: the outcome of each item, success rates with intervals, and the
 * calibration of predicted probabilities. Pure functions. docs/feedback.md has the definitions. */
#ifndef LORE_DERIVE_FEEDBACK_SUM_H
#define LORE_DERIVE_FEEDBACK_SUM_H

#include "service/derive/calibration.h"
#include "service/wire/advice.h"

enum lore_item_outcome { LORE_ITEM_OPEN, LORE_ITEM_INCONCLUSIVE, LORE_ITEM_NOT, LORE_ITEM_WORKED };
/* The outcome of an item by one experiment. */
enum lore_item_outcome lore_advice_outcome(const struct lore_advice_result *r);
const char *
lore_item_outcome_name(enum lore_item_outcome c); /* open, inconclusive, did_not, worked */

struct lore_advice_tally {
    int64_t served, opened, applied,
        dismissed; /* items; opened, applied and dismissed are reported by users */
    int64_t worked, did_not, inconclusive; /* items with an outcome */
    struct lore_f64 rate, low,
        high; /* worked / (worked + did_not) and its 90 % Wilson interval; unset when both are 0 */
};
struct lore_advice_line {
    const char *chip, *technique, *list;
    struct lore_advice_tally t;
};
/* An answer with a decided item outside the list "avoid", and the best speedup of such items. */
struct lore_advice_followed {
    int64_t advice;
    double speedup; /* 1: no item gained */
};
struct lore_advice_sum {
    struct lore_advice_line *lines; /* by chip, technique, list */
    /* one per list, by name; chip and technique are NULL, because a line covers all of them */
    struct lore_advice_line *lists;
    struct lore_advice_followed *followed;
    size_t n_lines, n_lists, n_followed;
    struct lore_calibration calibration; /* of every item with p_win that was decided */
};
struct lore_advice_served {
    const struct lore_advice_count *counts; /* by chip, technique, list */
    size_t n_counts;
    const struct lore_advice_result *results;
    size_t n_results;
};
/* Only the first decisive experiment of an item counts: later ones use knowledge that the advice
 * did not have. LORE_INVALID: a p_win is not a probability. */
enum lore_status lore_advice_sum(const struct lore_advice_served *served, struct lore_arena *arena,
    struct lore_advice_sum *out, struct lore_err *err) LORE_MUST;
/* The regret of an answer, relative to the best known speedup: 1 - max(1, FOLLOWED) / max(1, BEST),
 * at least 0. */
double lore_advice_regret(double followed, double best);

#endif
