/* Feeding the memory of moves (feed_moves.c): rows after a seq, in order, up to the newest; *last
 * is set to it. Texts are valid only during the call. Return false to stop: *last is then the row's
 * own. */
#ifndef LORE_DB_FEED_MOVES_H
#define LORE_DB_FEED_MOVES_H

#include "service/base/status.h"
#include "service/wire/feed.h"

struct lore_db;
typedef bool (*lore_trial_version_fn)(void *ctx, const struct lore_trial_version *v);
typedef bool (*lore_trial_run_fn)(void *ctx, const struct lore_trial_run *r);
typedef bool (*lore_trial_move_fn)(void *ctx, const struct lore_trial_move *m);
/* Every version but a library's that is not retracted. */
enum lore_status lore_each_trial_version(struct lore_db *db, int64_t after_seq,
    lore_trial_version_fn fn, void *ctx, int64_t *last_seq, struct lore_err *err) LORE_MUST;
/* Every run on a known chip that is not retracted; its version may be. */
enum lore_status lore_each_trial_run(struct lore_db *db, int64_t after_seq, lore_trial_run_fn fn,
    void *ctx, int64_t *last_seq, struct lore_err *err) LORE_MUST;
/* Every experiment between two versions that is not hidden, and measured or failed. */
enum lore_status lore_each_trial_move(struct lore_db *db, int64_t after_seq, lore_trial_move_fn fn,
    void *ctx, int64_t *last_seq, struct lore_err *err) LORE_MUST;
/* One experiment as it stands now, hidden ones too: FN is called once, or, when it has no chip or
 * no versions, not at all. */
enum lore_status lore_feed_trial_move(struct lore_db *db, const char *experiment,
    lore_trial_move_fn fn, void *ctx, struct lore_err *err) LORE_MUST;

#endif
