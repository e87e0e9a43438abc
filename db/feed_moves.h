/* Rows for the index of moves (feed_moves.c): those after a seq, in order, up to the newest.
 * *last_seq is set to the newest seq, or to the seq of the current row when FN returns false to
 * stop. Strings are valid only during the call. */
#ifndef LORE_DB_FEED_MOVES_H
#define LORE_DB_FEED_MOVES_H

#include "service/base/status.h"
#include "service/wire/feed.h"

struct lore_db;
typedef bool (*lore_trial_version_fn)(void *ctx, const struct lore_trial_version *v);
typedef bool (*lore_trial_run_fn)(void *ctx, const struct lore_trial_run *r);
typedef bool (*lore_trial_move_fn)(void *ctx, const struct lore_trial_move *m);
/* Every version that is neither a library's nor retracted. */
enum lore_status lore_db_each_trial_version(struct lore_db *db, int64_t after_seq,
    lore_trial_version_fn fn, void *ctx, int64_t *last_seq, struct lore_err *err) LORE_MUST;
/* Every run that names a chip and is not retracted. Its version may be retracted. */
enum lore_status lore_db_each_trial_run(struct lore_db *db, int64_t after_seq, lore_trial_run_fn fn,
    void *ctx, int64_t *last_seq, struct lore_err *err) LORE_MUST;
/* Every experiment between two versions that is not hidden and that was measured or failed. */
enum lore_status lore_db_each_trial_move(struct lore_db *db, int64_t after_seq,
    lore_trial_move_fn fn, void *ctx, int64_t *last_seq, struct lore_err *err) LORE_MUST;
/* The present state of one experiment, hidden or not. FN is called once, or never when it has no
 * chip or no versions. */
enum lore_status lore_feed_trial_move(struct lore_db *db, const char *experiment,
    lore_trial_move_fn fn, void *ctx, struct lore_err *err) LORE_MUST;

#endif
