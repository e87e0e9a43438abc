/* The in-memory indexes of the facts: evidence and moves for recommend, entries for the board. One
 * read-write lock guards them. The writer updates them after each commit; handlers read. */
#ifndef LORE_INGEST_MEMORY_H
#define LORE_INGEST_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "service/board/board.h"
#include "service/moves/trials.h"
#include "service/recommend/evidence.h"

struct lore_db;
struct lore_memory;
/* Build the indexes from the database. DB may be a reader. */
enum lore_status
lore_memory_load(struct lore_db *db, struct lore_memory **out, struct lore_err *err) LORE_MUST;
void lore_memory_free(struct lore_memory *m);
/* Add the runs and experiments that are new in DB. Only the writer calls it, after a commit. */
enum lore_status
lore_memory_refresh(struct lore_memory *m, struct lore_db *db, struct lore_err *err) LORE_MUST;
/* Apply the changes to earlier records: verdicts, masks, retractions. Only the writer calls it,
 * after a commit and the refresh. */
struct lore_effects;
enum lore_status lore_memory_follow(struct lore_memory *m, struct lore_db *db,
    const struct lore_effects *effects, struct lore_err *err) LORE_MUST;
/* Rebuild the moves when a change of this commit requires it. Only the writer calls it, after the
 * last follow of the commit. */
enum lore_status
lore_memory_settle(struct lore_memory *m, struct lore_db *db, struct lore_err *err) LORE_MUST;
/* For readers. Hold the lock only while you compute an answer into your own arena. */
const struct lore_evidence_index *
lore_memory_evidence(struct lore_memory *m);                        /* takes the read lock */
const struct lore_board *lore_memory_board(struct lore_memory *m);  /* takes the read lock */
const struct lore_trials *lore_memory_moves(struct lore_memory *m); /* takes the read lock */
/* Wait until the board holds every entry that the database had at the start. */
void lore_memory_board_wait(struct lore_memory *m);
/* Whether the moves of the database are loaded; a large database takes seconds after the start. */
bool lore_memory_moves_read(struct lore_memory *m);
void
lore_memory_done(struct lore_memory *m); /* release: once per read lock above; the locks nest */
/* `LORE_MEMORY_VIEW memory = m;` just before a read lock is taken releases it at the end of the
 * block, also when the thread unwinds because an arena is full (service/base/guard.h). */
void lore_memory_leave(struct lore_memory **m);
#define LORE_MEMORY_VIEW __attribute__((cleanup(lore_memory_leave))) struct lore_memory *
/* Use these fitted parameters (JSON) in the model of moves from now on. LORE_INVALID: they cannot
 * be read; the present ones stay. */
enum lore_status
lore_memory_learned(struct lore_memory *m, const char *moves, struct lore_err *err) LORE_MUST;
/* A counter that grows with every commit that changed an index, for /api/v1/stats. */
uint64_t lore_memory_generation(struct lore_memory *m);

#endif
