/* Learning the numbers of the models from the facts of a database, for `warplored retrain` and the
 * learner's thread (learner.h). */
#ifndef LORE_INGEST_LEARN_H
#define LORE_INGEST_LEARN_H

#include <stdint.h>

#include "service/base/arena.h"

struct lore_db;
struct lore_memory;
#define LORE_LEARNED_EVIDENCE "evidence@1"
#define LORE_LEARNED_MOVES "moves@1"

struct lore_lesson {                    /* what one model learned; texts in the arena */
    const char *name, *numbers, *basis; /* numbers NULL: too little to learn from, see BASIS */
};
enum { LORE_LESSONS = 2 };
/* Read everything from DB (a reader will do), in snapshots of about PIECE_US each (workloads, which
 * are few, in one), and learn. Takes seconds to a minute of one core. */
enum lore_status lore_learn(struct lore_db *db, int64_t piece_us, struct lore_arena *arena,
    struct lore_lesson out[LORE_LESSONS], struct lore_err *err) LORE_MUST;
/* Store what was learned. For the writer. */
enum lore_status lore_learn_store(struct lore_db *db, const struct lore_lesson *lessons,
    int64_t now_us, struct lore_err *err) LORE_MUST;
/* Put the newest stored numbers to use in MEMORY and in this process; what was never learned, or by
 * another version of the program, keeps its priors. */
enum lore_status
lore_learn_use(struct lore_db *db, struct lore_memory *memory, struct lore_err *err) LORE_MUST;

#endif
