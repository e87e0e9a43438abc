/* Adding entries up (sums.c), for the storage of entries (index.c). Private to board/. Entries,
 * cells and versions are indexes or members of the index; the caller holds its lock. */
#ifndef LORE_BOARD_SUMS_H
#define LORE_BOARD_SUMS_H

#include "service/board/ranking.h"

/* Grow ARRAY so that it has space for element N of SIZE bytes. */
void *lore_board_grow(void *array, uint32_t n, uint32_t *cap, size_t size);
void lore_board_clear_sums(struct lore_board *ix, struct board_version *v);
/* Add entry I to the sums of its version and cell. */
void lore_board_absorb(struct lore_board *ix, uint32_t i);
void lore_board_find_best(struct lore_board *ix, struct board_cell *cell);
/* Rank cells again whose order depends on the checks of V. */
void lore_board_rerank_after_check(struct lore_board *ix, const struct board_version *v);
/* Recompute the sums of a cell; lore_board_changed: now or, within a batch, at its end. */
void lore_board_rebuild(struct lore_board *ix, struct board_cell *cell);
void lore_board_changed(struct lore_board *ix, uint32_t cell);

#endif
