/* What cells and totals add up to for one question. Private to recommend/. */
#ifndef LORE_RECOMMEND_SCAN_CELLS_H
#define LORE_RECOMMEND_SCAN_CELLS_H

#include "service/recommend/weigh.h"

/* What no row is above that the question takes, but for alike shapes; [1]: of those that won by
 * themselves. A bearing of 0: there is none. */
struct lore_reach {
    float bearing[2], effect[2];
};
struct lore_reach lore_reach_of(
    const struct lore_scan *s, const struct lore_cells *cells, enum lore_tally_level level);
/* The weighted sums of cells at LEVEL, and of totals, into SUM. */
void lore_scan_add_cells(const struct lore_scan *s, const struct lore_cells *cells,
    enum lore_tally_level level, double sum[LORE_SUMS]);
void lore_scan_add_totals(const struct lore_scan *s, const struct lore_totals *totals,
    enum lore_tally_level level, double sum[LORE_SUMS]);
/* Put the first of them on their way. */
void lore_call_cells(const struct lore_cells *cells);
/* How many rows of each kind there are, by where they are counted at LEVEL, into N. */
void lore_scan_add_counts(const struct lore_scan *s, const struct lore_cell_counts *counts,
    enum lore_tally_level level, uint32_t n[LORE_SLOTS][LORE_NS]);
void lore_scan_add_chips(const struct lore_scan *s, const struct lore_totals *totals,
    enum lore_tally_level level, uint32_t n[LORE_SLOTS][LORE_NS]);
/* The ln speedup with which a row enters the gain. */
float lore_entering_x(const struct lore_verdict *is, float log, float clamp);

#endif
