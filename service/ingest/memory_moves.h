/* The memory of moves in a service: filled from the database, kept up to date with every commit
 * in the turns of memory.c, made anew when something it was told has to be forgotten. Private to
 * ingest/; others ask lore_memory_moves. */
#ifndef LORE_INGEST_MEMORY_MOVES_H
#define LORE_INGEST_MEMORY_MOVES_H

#include <stdatomic.h>

#include "service/base/status.h"
#include "service/ingest/turns.h"
#include "service/recommend/trials.h"

struct lore_db;
struct lore_effects;
struct lore_memory_anew;
struct lore_memory_moves {
    struct lore_turns *turns; /* the owner's: with trials */
    struct lore_trials *trials;
    int64_t version_seq, run_seq, move_seq; /* the writer's */
    bool forget;                            /* the writer's: read everything again */
    int64_t at_once;               /* with fewer rows than this the writer makes it anew itself */
    struct lore_memory_anew *anew; /* the writer's: a new memory in the making; NULL: none */
    atomic_uint_fast64_t *generation; /* grows when a new memory is in; NULL: nobody looks */
};
/* Zeroed but for the turns is valid: everything is read by the first refresh. */
void lore_memory_moves_free(struct lore_memory_moves *m);
/* M says what NEXT says, and owns it; in a turn when others see M. */
void lore_memory_moves_take(struct lore_memory_moves *m, const struct lore_memory_moves *next);
/* Waits until no new memory is in the making. The writer's. */
void lore_memory_moves_wait(struct lore_memory_moves *m);
/* The next refresh reads everything again; what there is answers meanwhile. */
void lore_memory_moves_forget(struct lore_memory_moves *m);
/* What came since; in the reader's or writer's snapshot, when there is one. *changed: anything. */
enum lore_status lore_memory_moves_refresh(
    struct lore_memory_moves *m, struct lore_db *db, bool *changed, struct lore_err *err) LORE_MUST;
/* All there is, for who works on a copy: read in snapshots of at most about PIECE_US each, so not
 * all of one state. The caller frees *out. */
enum lore_status lore_memory_moves_copy(
    struct lore_db *db, int64_t piece_us, struct lore_trials **out, struct lore_err *err) LORE_MUST;
/* What a document changed about records that were there before: a new verdict is told again; what
 * was told of something that is hidden now, or of a run or version that was retracted or given
 * back, has the next refresh make the memory anew beside the old one, which answers meanwhile: once
 * for all the documents of a commit, and in a thread, unless it is small. */
enum lore_status lore_memory_moves_follow(struct lore_memory_moves *m, struct lore_db *db,
    const struct lore_effects *effects, struct lore_err *err) LORE_MUST;

#endif
