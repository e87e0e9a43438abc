/* The first load of the indexes (indexes_fill.c). Private to ingest/. */
#ifndef LORE_INGEST_INDEXES_FILL_H
#define LORE_INGEST_INDEXES_FILL_H

#include <stdatomic.h>
#include <stdint.h>

#include "service/board/board.h"
#include "service/ingest/indexes_moves.h"
#include "service/recommend/recommend.h"

struct lore_db;
struct lore_indexes_filling;
/* The last sequence numbers read: the last experiment in the evidence, the last run and experiment
 * on the board, the last workload, the last sweep in the
 * evidence. */
struct lore_index_position {
    int64_t evidence, run, claim, workload, witness, limit;
};
/* The empty indexes to load; no other thread may use them yet. */
struct lore_indexes_parts {
    struct lore_evidence_index *evidence;
    struct lore_board *board;
    struct lore_moves_index *moves;
    atomic_uint_fast64_t *generation; /* incremented when the moves are loaded */
};
/* Load all indexes from DB. Returns when the evidence is loaded. For a small database, it returns
 * when the board and the moves are loaded, too. The board and the moves load on threads with their
 * own readers. The result equals adding the rows one by one. *position holds the sequence numbers
 * of the evidence and of the workloads. */
enum lore_status lore_indexes_fill(struct lore_db *db, const struct lore_indexes_parts *parts,
    struct lore_indexes_filling **out, struct lore_index_position *position,
    struct lore_err *err) LORE_MUST;
/* Wait until the board is loaded and return its last sequence numbers. Thread-safe. */
void
lore_indexes_fill_wait_board(struct lore_indexes_filling *f, struct lore_index_position *position);
/* Whether the moves are loaded. Until then the index of moves is empty, and only the loading thread
 * may change it. */
bool lore_indexes_fill_has_moves(struct lore_indexes_filling *f);
/* Wait for every loading thread and free F, which may be NULL. */
void lore_indexes_fill_end(struct lore_indexes_filling *f);

#endif
