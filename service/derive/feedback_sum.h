/* How served advice did: what came of each item, shares with intervals, stated probabilities
 * against what happened. Pure: rows in, sums out. docs/feedback.md has the definitions. */
#ifndef LORE_DERIVE_FEEDBACK_SUM_H
#define LORE_DERIVE_FEEDBACK_SUM_H

#include "service/derive/calibration.h"
#include "service/wire/advice.h"

enum lore_came { LORE_CAME_OPEN, LORE_CAME_INCONCLUSIVE, LORE_CAME_NOT, LORE_CAME_WORKED };
/* What one experiment says of the item. */
enum lore_came lore_advice_came(const struct lore_advice_result *r);
const char *lore_came_name(enum lore_came c); /* open, inconclusive, did_not, worked */

struct lore_advice_tally {
    int64_t served, opened, applied, dismissed; /* items; opened … dismissed as people said */
    int64_t worked, did_not, inconclusive;      /* items with an outcome */
    struct lore_f64 rate, low, high; /* worked of those that worked or did not, with its 90 %
                                        interval (Wilson); unset when there are none */
};
struct lore_advice_line {
    const char *chip, *technique, *list;
    struct lore_advice_tally t;
};
/* An answer of which something was tried: how its best decided item did. */
struct lore_advice_followed {
    int64_t advice;
    double speedup; /* 1: nothing that was tried gained */
};
struct lore_advice_sum {
    struct lore_advice_line *lines; /* by chip, technique, list */
    struct lore_advice_line
        *lists; /* per list, by name, over all chips and techniques, those texts NULL */
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
/* An item's outcome is its first experiment that decides: whoever tries again already knows more
 * than the advice did. LORE_INVALID: a p_win that is no probability. */
enum lore_status lore_advice_sum(const struct lore_advice_served *served, struct lore_arena *arena,
    struct lore_advice_sum *out, struct lore_err *err) LORE_MUST;
/* What an answer left on the table: 1 - max(1, FOLLOWED) / max(1, BEST), not below 0. */
double lore_advice_regret(double followed, double best);

#endif
