/* The memory of experience that answers from RAM: one row per (experiment, technique), about 50
 * bytes each, names interned, and sums over the rows that every question weighs alike. Filled at
 * start and with every commit. Not locked: the owner (service/ingest/memory.h) holds a read-write
 * lock. */
#ifndef LORE_RECOMMEND_EVIDENCE_H
#define LORE_RECOMMEND_EVIDENCE_H

#include "service/catalogue/catalogue.h"
#include "service/recommend/shapes.h"
#include "service/wire/feed.h"

#define LORE_NO_NAME UINT32_MAX

/* When it happened, in years after 1999: as told or by its id, the earlier; 0: not known. */
uint8_t lore_evidence_year(const struct lore_evidence_in *in);
/* One fact as it is kept, put together for who asks. */
struct lore_evidence_row {
    char experiment[27];
    uint8_t effect, correctness, evidence, language;
    uint8_t process_broken, masked, labels_derived;
    uint16_t chip; /* index into lore_chips(), UINT16_MAX: not recorded */
    uint32_t op, family, technique, workload; /* interned; LORE_NO_NAME: not recorded */
    uint32_t labels;
    float log_speedup; /* ln; NAN: not measured */
    uint8_t siblings;  /* rows of this experiment, at most 255: they share its credit */
    uint8_t first;     /* the first row of its experiment: what counts experiments counts these */
    uint8_t said_lost, share, step;
    uint8_t year; /* as lore_evidence_year has it */
    int64_t seq;  /* at most 2^32 - 1 */
};
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
