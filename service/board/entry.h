/* The entries of the board. Each run gives one entry: the time of a version on a workload. Each
 * experiment gives one entry: its stated result and its effect. The index copies every entry that
 * it stores. The caller must hold the lock of the index.
 *
 * Masked, retracted and impossible entries do not count, nor do those of a retracted version. */
#ifndef LORE_BOARD_ENTRY_H
#define LORE_BOARD_ENTRY_H

#include "service/catalogue/catalogue.h"
#include "service/wire/feed.h"

struct lore_board;
struct lore_board *lore_board_new(void);
void lore_board_free(struct lore_board *ix);
/* Add an entry. A run that is already there changes nothing; an experiment that is already there
 * gets its new verdict, mask and retraction. Also add experiments that have runs of the new
 * version, with time_ns 0: their effect counts, and masking them excludes the version. */
void lore_board_add(struct lore_board *ix, const struct lore_entry *e);
/* Why a record does not count. */
struct lore_board_standing {
    bool retracted, copy; /* copy: it repeats another record */
    const char *beyond;   /* why its time is impossible; NULL: it is not */
};
/* Follow the standing of RECORD, a run, version or experiment. Other records are ignored. */
void
lore_board_follow(struct lore_board *ix, const char *record, const struct lore_board_standing *now);
/* Store or replace the limit of a place. */
void lore_board_limit(struct lore_board *ix, const struct lore_limit_in *limit);
size_t lore_board_entries(const struct lore_board *ix);

/* Within a batch, a changed entry only marks its leaderboard row as stale. The end of the batch
 * computes each stale row once. A thousand changes to one row then cost one computation. */
void lore_board_batch_begin(struct lore_board *ix);
void lore_board_batch_end(struct lore_board *ix);
/* Use these for the first load. Between load_begin and load_end, entries are added without ranking.
 * load_end finds the best version of each row once. Until then, do not read the board, and do not
 * change or retract entries. */
void lore_board_load_begin(struct lore_board *ix);
void lore_board_load_end(struct lore_board *ix);

#endif
