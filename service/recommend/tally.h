/* Turns sums of cells (scan.c) into the counts of techniques (tried.h). Private to recommend/. */
#ifndef LORE_RECOMMEND_TALLY_H
#define LORE_RECOMMEND_TALLY_H

#include "service/recommend/scan_state.h"

/* SUM without PART, which it holds; what is left of rounding is 0. */
void lore_sums_less(double sum[LORE_SUMS], const double part[LORE_SUMS]);
/* SUMS at LEVEL are of the technique; what it says as a whole when they are all in. */
void lore_tally_technique(const struct lore_scan *s, const struct lore_sums *sums,
    enum lore_tally_level level, struct lore_tried *t);
void lore_tally_finish(const struct lore_scan *s, struct lore_tried *t);
/* SUMS at LEVEL are of experiments, each once. */
void lore_tally_experiments(
    struct lore_scan *s, const struct lore_sums *sums, enum lore_tally_level level);

#endif
