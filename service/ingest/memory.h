/* The in-memory side of the facts: evidence and moves for recommend, entries for the board, behind
 * one read-write lock. The writer updates it after each commit; handlers read. */
#ifndef LORE_INGEST_MEMORY_H
#define LORE_INGEST_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "service/board/board.h"
#include "service/recommend/evidence.h"
#include "service/recommend/trials.h"

struct lore_db;
struct lore_memory;
/* Fill from the database with a reader. */
enum lore_status
lore_memory_load(struct lore_db *db, struct lore_memory **out, struct lore_err *err) LORE_MUST;
void lore_memory_free(struct lore_memory *m);
/* Add what DB has and M has not: new runs and experiments. For the writer, after a commit. */
enum lore_status
lore_memory_refresh(struct lore_memory *m, struct lore_db *db, struct lore_err *err) LORE_MUST;
/* What a document changed about records that were there before: verdicts, masks, retractions. For
 * the writer, after a commit and the refresh. */
struct lore_effects;
enum lore_status lore_memory_follow(struct lore_memory *m, struct lore_db *db,
    const struct lore_effects *effects, struct lore_err *err) LORE_MUST;
/* After the last follow of a commit: what has to be made anew is. For the writer. */
enum lore_status
lore_memory_settle(struct lore_memory *m, struct lore_db *db, struct lore_err *err) LORE_MUST;
/* Readers: hold the lock only while computing an answer into your own arena. */
const struct lore_evidence_index *
lore_memory_evidence(struct lore_memory *m);                             /* takes the read lock */
const struct lore_board_index *lore_memory_board(struct lore_memory *m); /* takes the read lock */
const struct lore_trials *lore_memory_moves(struct lore_memory *m);      /* takes the read lock */
/* Waits until the board has what was there at the start. */
void lore_memory_board_wait(struct lore_memory *m);
/* Whether the moves have what was there at the start: of a large memory it comes seconds later. */
bool lore_memory_moves_read(struct lore_memory *m);
void lore_memory_done(struct lore_memory *m); /* once for each of the three above; they nest */
/* `LORE_MEMORY_VIEW memory = m;` just before a view is taken: it is given back when the block ends,
 * also where an arena is full (service/base/guard.h). */
void lore_memory_leave(struct lore_memory **m);
#define LORE_MEMORY_VIEW __attribute__((cleanup(lore_memory_leave))) struct lore_memory *
/* The model of moves uses these learned numbers (JSON) from now on. LORE_INVALID: they are not such
 * numbers, and the ones in use stay. */
enum lore_status
lore_memory_learned(struct lore_memory *m, const char *moves, struct lore_err *err) LORE_MUST;
/* Grows by one with every commit that changed anything: the ETag of derived answers. */
uint64_t lore_memory_generation(struct lore_memory *m);

#endif
