/* How rows come into the index and go with it (evidence_rows.c). Private to recommend/. */
#ifndef LORE_RECOMMEND_EVIDENCE_ROWS_H
#define LORE_RECOMMEND_EVIDENCE_ROWS_H

#include "service/recommend/evidence_inner.h"

struct lore_rank_match { /* a row as it is kept */
    unsigned char id[LORE_ULID_BYTES];
    struct lore_row_outcome outcome;
    uint32_t technique, op, context, workload, seq;
    float log;
};
/* A new row, or what is now known of an old one; siblings and first are found out. */
void lore_evidence_rows_add(struct lore_evidence_index *ix, struct lore_rank_match *row);
size_t lore_evidence_rows_bytes(const struct lore_evidence_index *ix);
void lore_evidence_rows_free(struct lore_evidence_index *ix);

#endif
