/* The index of moves: loaded from the database, updated with every commit under the lock of
 * indexes.c, and rebuilt when a row must be removed from it. Private to ingest/; other folders call
 * lore_indexes_moves. */
#ifndef LORE_INGEST_INDEXES_MOVES_H
#define LORE_INGEST_INDEXES_MOVES_H

#include <stdatomic.h>

#include "service/base/status.h"
#include "service/ingest/rwlock.h"
#include "service/moves/trials.h"

struct lore_db;
struct lore_effects;
struct lore_moves_rebuild;
struct lore_moves_index {
    struct lore_rwlock *lock; /* guards trials; belongs to the owner of this struct */
    struct lore_trials *trials;
    int64_t version_seq, run_seq, sweep_seq, move_seq; /* used by the writer only */
    bool rebuild_due; /* writer only: the next refresh rebuilds the index */
    size_t at_once;   /* below this number of rows the writer rebuilds the index itself */
    struct lore_moves_rebuild *rebuild; /* writer only: a rebuild in progress, or NULL */
    atomic_bool behind;                 /* an acknowledged change waits for that rebuild */
    atomic_uint_fast64_t
        *generation; /* incremented when a rebuilt index replaces this one; may be NULL */
};
/* A struct that is zero except for the lock is valid: the first refresh reads every row. */
void lore_indexes_moves_free(struct lore_moves_index *m);
/* Replace the contents of M by those of NEXT, which M owns afterwards. Hold the lock when other
 * threads see M. */
void lore_indexes_moves_replace(struct lore_moves_index *m, const struct lore_moves_index *next);
/* Wait until no rebuild is in progress. Writer only. */
void lore_indexes_moves_wait(struct lore_moves_index *m);
/* Rebuild at the next refresh; the present index answers until then. */
void lore_indexes_moves_request_rebuild(struct lore_moves_index *m);
/* Read the rows after the last refresh, in the caller's snapshot if it has one. *changed: the index
 * changed. */
enum lore_status lore_indexes_moves_refresh(
    struct lore_moves_index *m, struct lore_db *db, bool *changed, struct lore_err *err) LORE_MUST;
/* Build a separate index for a caller that works on a copy. Its rows are read in several snapshots
 * of about PIECE_US each, so it may mix rows of different commits. The caller frees *out. */
enum lore_status lore_indexes_moves_copy(
    struct lore_db *db, int64_t piece_us, struct lore_trials **out, struct lore_err *err) LORE_MUST;
/* Apply the changes to earlier records. An experiment that counts updates its move. An experiment
 * that was hidden, and a run or version that was retracted or restored, need a rebuild: the next
 * refresh builds a new index beside the present one, which answers meanwhile. All documents of a
 * commit share one rebuild. A large index is rebuilt on a thread. */
enum lore_status lore_indexes_moves_follow(struct lore_moves_index *m, struct lore_db *db,
    const struct lore_effects *effects, struct lore_err *err) LORE_MUST;

#endif
