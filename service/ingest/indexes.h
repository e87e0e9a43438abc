/* The in-memory indexes of the facts: evidence and moves for recommend, entries for the board. One
 * read-write lock guards them. The writer updates them after each commit; handlers read. */
#ifndef LORE_INGEST_INDEXES_H
#define LORE_INGEST_INDEXES_H

#include <stdbool.h>
#include <stdint.h>

#include "service/board/board.h"
#include "service/moves/trials.h"
#include "service/recommend/recommend.h"

struct lore_db;
struct lore_indexes;
/* Build the indexes from the database. DB may be a reader. */
enum lore_status
lore_indexes_load(struct lore_db *db, struct lore_indexes **out, struct lore_err *err) LORE_MUST;
void lore_indexes_free(struct lore_indexes *m);
/* Add the runs and experiments that are new in DB. Only the writer calls it, after a commit. */
enum lore_status
lore_indexes_refresh(struct lore_indexes *m, struct lore_db *db, struct lore_err *err) LORE_MUST;
/* Apply the changes to earlier records: verdicts, masks, retractions. Only the writer calls it,
 * after a commit and the refresh. */
struct lore_effects;
enum lore_status lore_indexes_apply(struct lore_indexes *m, struct lore_db *db,
    const struct lore_effects *effects, struct lore_err *err) LORE_MUST;
/* Rebuild the moves when a change of this commit requires it. Only the writer calls it, after the
 * last lore_indexes_apply of the commit. */
enum lore_status lore_indexes_finish_commit(
    struct lore_indexes *m, struct lore_db *db, struct lore_err *err) LORE_MUST;
/* For readers. Hold the lock only while you compute an answer into your own arena. */
const struct lore_evidence_index *
lore_indexes_evidence(struct lore_indexes *m);                        /* takes the read lock */
const struct lore_board *lore_indexes_board(struct lore_indexes *m);  /* takes the read lock */
const struct lore_trials *lore_indexes_moves(struct lore_indexes *m); /* takes the read lock */
/* Wait until the board holds every entry that the database had at the start. */
void lore_indexes_board_wait(struct lore_indexes *m);
/* What the moves hold. A large database takes seconds to load after the start, and again when a
 * retraction, or the end of one, takes effect. */
enum lore_moves_state {
    LORE_MOVES_CURRENT, /* every acknowledged record */
    LORE_MOVES_READING, /* they are still being loaded */
    LORE_MOVES_BEHIND,  /* they are loaded, without the last retractions */
};
enum lore_moves_state lore_indexes_moves_state(struct lore_indexes *m);
const char *lore_moves_state_name(enum lore_moves_state state); /* NULL: current */
void
lore_indexes_unlock(struct lore_indexes *m); /* release: once per read lock above; the locks nest */
/* Declare `LORE_INDEXES_VIEW indexes = m;` just before you take a read lock. The lock is then
 * released at the end of the block, also when the thread unwinds because an arena is full
 * (service/base/guard.h). */
void lore_indexes_unlock_cleanup(struct lore_indexes **m);
#define LORE_INDEXES_VIEW                                                                          \
    __attribute__((cleanup(lore_indexes_unlock_cleanup))) struct lore_indexes *
/* Use these fitted parameters (JSON) in the model of moves from now on. LORE_INVALID: they cannot
 * be read; the present ones stay. */
enum lore_status lore_indexes_set_parameters(
    struct lore_indexes *m, const char *moves, struct lore_err *err) LORE_MUST;
/* A counter that grows with every commit that changed an index, for /api/v1/_stats. */
uint64_t lore_indexes_generation(struct lore_indexes *m);

#endif
