/* Cells: sums over the rows of one technique on one operator (or of all experiments on it) that
 * agree in their context; and beside them how many rows of each kind there are, which is the same
 * for all contexts of a place. Private to recommend/. */
#ifndef LORE_RECOMMEND_EVIDENCE_CELLS_H
#define LORE_RECOMMEND_EVIDENCE_CELLS_H

#include "service/derive/outcome.h"
#include "service/recommend/evidence_keys.h"
#include "service/recommend/evidence_outcome.h"

/* Over the rows of a cell, each with its share of its experiment's credit: the shares of those that
 * count for p_win, of the wins among them, of those that count for the gain, and the latter times
 * the clamped ln speedup and times its square. */
enum { LORE_SUM_JUDGED, LORE_SUM_WON, LORE_SUM_GAINS, LORE_SUM_X, LORE_SUM_XX, LORE_SUMS };
struct lore_cell {
    uint32_t context, n; /* n: rows */
    float most[2];       /* no row's |ln speedup| is above; [1]: of those that won by themselves;
                            below 0: there is none */
    double sum[LORE_SUMS];
};
/* How many rows, by what they count as; those of all effects together are all. */
enum {
    LORE_N_JUDGED = LORE_X_COUNT,
    LORE_N_OWN,
    LORE_N_LOST,
    LORE_N_INERT,
    LORE_N_ABSENT,
    LORE_N_SAID,
    LORE_N_WRONG,
    LORE_NS
};
struct lore_cell_count {
    uint32_t place, n[LORE_NS];
};
struct lore_cell_counts { /* by place: open addressing, a few without */
    struct lore_cell_count *v;
    uint32_t n, cap, *slots, n_slots; /* slots: number + 1, 0: free; none while there are few */
};
/* The one row of a context: many have no other, and what a question costs is what it reads. */
struct lore_singleton {
    uint32_t context, outcome; /* outcome: a number of `outcomes`; LORE_NO_OUTCOME: it has left */
    float log;
};
struct lore_cells { /* by context */
    struct lore_cell *v;
    struct lore_singleton *singletons;
    uint32_t n, cap, n_singletons, cap_singletons, *slots, n_slots;
    struct lore_cell_counts counts;
};
struct lore_entering { /* a row; its ln speedup may be NAN, and is clamped where it enters a sum */
    uint32_t context, place, outcome;
    const struct lore_keys *outcomes;
    struct lore_judged judged; /* of the outcome */
    float log, clamp;
    double share;
};
void lore_cells_put(struct lore_cells *t, const struct lore_entering *in);
void lore_cells_take(struct lore_cells *t, const struct lore_entering *in);
/* What was put as WAS says has another share of the credit, as IN says, and is the same else. */
void lore_cells_share(
    struct lore_cells *t, const struct lore_entering *was, const struct lore_entering *in);
void lore_cells_free(struct lore_cells *t);
size_t lore_cells_bytes(const struct lore_cells *t);
/* One row more, BY times its share, or BY fewer or more in count: into sums or counts like these.
 */
void lore_sums_add(double sum[LORE_SUMS], const struct lore_entering *in, double by);
void lore_count(uint32_t n[LORE_NS], const struct lore_judged *j, uint32_t by);
/* What a row alone enters with, but for its place. */
struct lore_entering lore_singleton_entering(
    const struct lore_singleton *c, const struct lore_keys *outcomes, float clamp);
/* A ln speedup as it enters the means: between -MOST and MOST. */
static inline float
lore_clamped(float log_speedup, float most)
{
    float least = log_speedup < -most ? -most : log_speedup;

    return least > most ? most : least;
}

#endif
