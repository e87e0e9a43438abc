/* Fit the parameters of the models to the facts of a database, for `warplored retrain` and the
 * learner's thread (learner.h). */
#ifndef LORE_INGEST_LEARN_H
#define LORE_INGEST_LEARN_H

#include <stdbool.h>
#include <stdint.h>

#include "service/base/arena.h"

struct lore_db;
struct lore_indexes;
#define LORE_LEARNED_EVIDENCE "evidence@1"
#define LORE_LEARNED_MOVES "moves@2"

struct lore_fit {                       /* the parameters of one model; strings in the arena */
    const char *name, *numbers, *basis; /* numbers NULL: too few data to fit; BASIS says why */
};
enum { LORE_FITS = 2 };
/* Read all facts from DB (a reader suffices) and fit. Reads in snapshots of about PIECE_US each;
 * the last one also reads all workloads, which are few. Takes seconds to minutes of one core. */
enum lore_status lore_learn(struct lore_db *db, int64_t piece_us, struct lore_arena *arena,
    struct lore_fit out[LORE_FITS], struct lore_err *err) LORE_MUST;
/* Store the fitted parameters. Needs the writer's connection. */
enum lore_status lore_learn_store(struct lore_db *db, const struct lore_fit *fits, int64_t now_us,
    struct lore_err *err) LORE_MUST;
/* Use the newest stored parameters in INDEXES and in this process. A model keeps its present
 * parameters when none are stored, or when this program cannot read the stored ones. */
enum lore_status
lore_learn_apply(struct lore_db *db, struct lore_indexes *indexes, struct lore_err *err) LORE_MUST;

/* ON: this thread computes with the numbers that no evidence has changed, until the call with
 * false. */
void lore_learn_priors(bool on);

#endif
