/* What the board is made of: one entry per run (a timing of a version on a workload) and one per
 * experiment (a stated result, wins and losses). Pure; the index owns copies and is not locked.
 *
 * Hidden entries, masked or retracted, count for nothing; so do all of a retracted version. */
#ifndef LORE_BOARD_ENTRY_H
#define LORE_BOARD_ENTRY_H

#include "service/catalogue/catalogue.h"
#include "service/wire/feed.h"

struct lore_board_index; /* owns copies of its entries; not locked */
struct lore_board_index *lore_board_new(void);
void lore_board_free(struct lore_board_index *ix);
/* A run that is already there changes nothing; an experiment that is already there gets its new
 * verdict, mask and retraction. Experiments with after-runs are welcome too (time_ns 0): they
 * count, and their mask excludes the version. */
void lore_board_add(struct lore_board_index *ix, const struct lore_entry *e);
/* RECORD: a run, a version or an experiment; others are ignored. */
void lore_board_retract(struct lore_board_index *ix, const char *record, bool retracted);
size_t lore_board_entries(const struct lore_board_index *ix);

/* Between the two, what is told again waits, and then each leaderboard row that it bears on is
 * worked out once. Without them a thousand changes to one row work it out a thousand times. */
void lore_board_hold(struct lore_board_index *ix);
void lore_board_release(struct lore_board_index *ix);
/* The first of many entries come, and nobody asks until all are in: between the two, who is best is
 * left open, and then worked out once per row. Nothing is told again or retracted between them. */
void lore_board_fill(struct lore_board_index *ix);
void lore_board_filled(struct lore_board_index *ix);

#endif
