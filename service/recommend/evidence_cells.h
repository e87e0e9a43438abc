/* Cells: sums over the rows of one technique on one operator (or of all experiments on it) that
 * agree in their context and in the class of their outcome. Private to recommend/. */
#ifndef LORE_EVIDENCE_CELLS_H
#define LORE_EVIDENCE_CELLS_H

#include <stddef.h>
#include <stdint.h>

struct lore_cell {
    uint32_t context, class, n; /* n: rows */
    float most;                 /* no row's |ln speedup| is above */
    /* Over its rows, each with its share of its experiment's credit: the shares; those times the
     * clamped ln speedup of what is measured; and times its square. */
    double share, x, xx;
};
struct lore_cells {
    struct lore_cell *v;
    uint32_t n, cap;
    uint32_t *slots, n_slots; /* number + 1, 0: free; none while there are few */
};
/* The cell of a context and a class, made empty when it is new. Valid until the next is made. */
struct lore_cell *lore_cells_find(struct lore_cells *t, uint32_t context, uint32_t class);
/* How a row enters it and leaves it: LOG may be NAN, and is clamped to CLAMP. */
void lore_cell_put(struct lore_cell *c, float log, float clamp, double share);
void lore_cell_take(struct lore_cell *c, float log, float clamp, double share);
void lore_cells_free(struct lore_cells *t);
size_t lore_cells_bytes(const struct lore_cells *t);
/* A ln speedup as it enters the means: between -MOST and MOST. */
static inline float
lore_clamped(float log_speedup, float most)
{
    float least = log_speedup < -most ? -most : log_speedup;

    return least > most ? most : least;
}

#endif
