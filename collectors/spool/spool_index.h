/* The drainer's done log (done.c) and its index of the segments (index.c); private to this folder.
 */
#ifndef LORE_SPOOL_SPOOL_INDEX_H
#define LORE_SPOOL_SPOOL_INDEX_H

#include "collectors/spool/spool_store.h"

/* done.c */
enum lore_status lore_done_load(struct lore_spool *s, struct lore_err *err) LORE_MUST;
enum lore_status lore_done_append(struct lore_spool *s, char kind, const uint64_t *seqs, size_t n,
    struct lore_err *err) LORE_MUST; /* kind: 'd' done, 'h' highest number sent */
bool lore_done_has(const struct lore_spool *s, uint64_t seq);
/* Replace the log by one that says what the index says. */
enum lore_status lore_done_rewrite(struct lore_spool *s, struct lore_err *err) LORE_MUST;
void lore_done_compact(struct lore_spool *s); /* only a long log; a failure changes nothing */

/* index.c */
/* Index the records added since the last call; the owner also saves damaged spans to DIR/damaged.
 */
enum lore_status lore_index_refresh(struct lore_spool *s, struct lore_err *err) LORE_MUST;
void lore_index_drop(struct lore_spool *s);
void lore_index_forget(struct lore_spool *s, size_t segment);
struct lore_spool_entry *
lore_spool_index_find(const struct lore_spool *s, uint64_t seq, struct lore_segment **segment);
void lore_index_damaged(struct lore_segment *segment, size_t at, size_t n);
/* Save damaged spans to DIR/damaged; true when all are saved. */
bool lore_index_save(const struct lore_spool *s, struct lore_segment *segment);
/* Number of damaged spans not saved yet. */
size_t lore_index_unsaved(const struct lore_spool *s);

#endif
