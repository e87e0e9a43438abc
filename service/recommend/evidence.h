/* The memory of experience that answers from RAM: one row per (experiment, technique), about 50
 * bytes each, names interned, and sums over the rows that every question weighs alike. Filled at
 * start and with every commit. Not locked: the owner (service/ingest/indexes.h) holds a read-write
 * lock. */
#ifndef LORE_RECOMMEND_EVIDENCE_H
#define LORE_RECOMMEND_EVIDENCE_H

#include "service/catalogue/catalogue.h"
#include "service/recommend/evidence_row.h"
#include "service/recommend/shapes.h"
#include "service/wire/feed.h"

/* When it happened, in years after 1999: as told or by its id, the earlier; 0: not known. */
uint8_t lore_evidence_year(const struct lore_evidence_in *in);
struct lore_evidence_index;
struct lore_evidence_index *lore_evidence_new(void);
void lore_evidence_free(struct lore_evidence_index *ix);
/* The same (experiment, technique) again replaces the row: a new verdict, a mask. */
void lore_evidence_add(struct lore_evidence_index *ix, const struct lore_evidence_in *in);
/* A workload's dims, once per workload (again: ignored). */
void lore_evidence_workload(struct lore_evidence_index *ix, const char *op, const char *workload,
    const struct lore_shape *shape);
const struct lore_shapes *lore_evidence_shapes(const struct lore_evidence_index *ix);
/* How many rows there are, and the I-th: a technique on an operator after the other, in the order
 * in which they came, the rows of one in theirs. */
size_t lore_evidence_count(const struct lore_evidence_index *ix);
struct lore_evidence_row lore_evidence_at(const struct lore_evidence_index *ix, size_t i);
/* Interned text by id, and the id of a text (LORE_NO_NAME when never seen). */
const char *lore_evidence_text(const struct lore_evidence_index *ix, uint32_t id);
uint32_t lore_evidence_find(const struct lore_evidence_index *ix, const char *name);
/* The number of interned names: ids are below it. */
uint32_t lore_evidence_names(const struct lore_evidence_index *ix);
/* Whether a technique's name stands for nothing: a placeholder, "baseline", or no name at all. */
bool lore_evidence_nameless(const struct lore_evidence_index *ix, uint32_t technique);
/* Heap bytes held. */
size_t lore_evidence_bytes(const struct lore_evidence_index *ix);

#endif
