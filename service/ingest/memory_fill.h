/* The first filling of the memory (memory_fill.c). Private to ingest/. */
#ifndef LORE_INGEST_MEMORY_FILL_H
#define LORE_INGEST_MEMORY_FILL_H

#include <stdatomic.h>
#include <stdint.h>

#include "service/board/board.h"
#include "service/ingest/memory_moves.h"
#include "service/recommend/evidence.h"

struct lore_db;
struct lore_memory_filling;
/* How far the database was read: seqs of the last experiment that is evidence, of the last run and
 * the last experiment that are entries, and of the last workload. */
struct lore_memory_seen {
    int64_t evidence, run, claim, workload;
};
/* What is filled: empty, and used by nobody yet. */
struct lore_memory_parts {
    struct lore_evidence_index *evidence;
    struct lore_board_index *board;
    struct lore_memory_moves *moves;
    atomic_uint_fast64_t *generation; /* grows when the moves are in */
};
/* Fill all of it from DB; returns when the evidence is in, and of a small memory when everything
 * is. The board and the moves of a large one come later, from threads and readers of their own:
 * ask below. What it makes equals what adding row by row makes. *seen: of the evidence. */
enum lore_status lore_memory_fill(struct lore_db *db, const struct lore_memory_parts *parts,
    struct lore_memory_filling **out, struct lore_memory_seen *seen,
    struct lore_err *err) LORE_MUST;
/* Wait until the board is in; what was seen of it. Any thread. */
void lore_memory_fill_board(struct lore_memory_filling *f, struct lore_memory_seen *seen);
/* Are the moves in? Until then they are an empty memory, and the filling's alone to change. */
bool lore_memory_fill_moves(struct lore_memory_filling *f);
/* Waits for all of it. NULL is nothing. */
void lore_memory_fill_end(struct lore_memory_filling *f);

#endif
