/* Deriving everything again (rebuild.c). */
#ifndef LORE_DB_REBUILD_H
#define LORE_DB_REBUILD_H

#include <stdbool.h>
#include <stdint.h>

#include "service/base/status.h"

struct lore_db;
/* Count the names of techniques that records use, that the catalogue did not know, and that it now
 * knows or a technique record explains. With APPLY, give the records the known slugs; then verdicts
 * and lists must be derived again, as lore_rebuild does (names_again.c). */
enum lore_status
lore_names_again(struct lore_db *db, bool apply, int64_t *n, struct lore_err *err) LORE_MUST;
/* Rebuild all derived rows from the facts, in a transaction of its own: a rebuild that does not end
 * has changed nothing. Verdicts: how many differ from those in force before. Search: rows
 * of the index. */
struct lore_rebuilt {
    int64_t experiments, verdicts, search;
};
/* Judges one experiment (id) and stores its derived rows: service/verdicts. */
struct lore_arena;
typedef enum lore_status (*lore_judge_fn)(struct lore_db *db, const char *experiment,
    struct lore_arena *scratch, int64_t now_us, struct lore_err *err);
/* Derives what follows from each run: service/verdicts. */
struct lore_put_ctx;
typedef enum lore_status (*lore_runs_fn)(
    const struct lore_put_ctx *c, bool *changed, struct lore_err *err);
enum lore_status lore_rebuild(struct lore_db *db, lore_runs_fn runs, lore_judge_fn judge,
    int64_t now_us, struct lore_rebuilt *out, struct lore_err *err) LORE_MUST;

#endif
