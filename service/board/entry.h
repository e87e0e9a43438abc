/* The entries of the board: one per run (a timing of a version on a workload) and one per
 * experiment (a stated result, wins and losses). The index owns copies of them; callers lock it.
 *
 * Masked and retracted entries do not count, nor do the entries of a retracted version. */
#ifndef LORE_BOARD_ENTRY_H
#define LORE_BOARD_ENTRY_H

#include "service/catalogue/catalogue.h"
#include "service/wire/feed.h"

struct lore_board;
struct lore_board *lore_board_new(void);
void lore_board_free(struct lore_board *ix);
/* Add an entry. A run that is already there changes nothing; an experiment that is already there
 * gets its new verdict, mask and retraction. Add experiments with after-runs too (time_ns 0): their
 * wins and losses count, and their mask excludes the version. */
void lore_board_add(struct lore_board *ix, const struct lore_entry *e);
/* RECORD: a run, a version or an experiment; others are ignored. */
void lore_board_retract(struct lore_board *ix, const char *record, bool retracted);
size_t lore_board_entries(const struct lore_board *ix);

/* Between hold and release, changed entries only mark their leaderboard rows as stale; release
 * computes each stale row once. A thousand changes to one row then cost one computation. */
void lore_board_hold(struct lore_board *ix);
void lore_board_release(struct lore_board *ix);
/* For the first load: between fill and filled, entries are added without finding the best of their
 * rows; filled finds it once per row. Until then, do not read the board, change or retract entries.
 */
void lore_board_fill(struct lore_board *ix);
void lore_board_filled(struct lore_board *ix);

#endif
