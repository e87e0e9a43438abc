/* Who may stand, what beats what, what a speedup is against (best.c), and what cannot be told apart
 * (ties.c). Private to board/. Entries and cells are indexes; NONE: there is none. */
#ifndef LORE_BOARD_CONTEST_H
#define LORE_BOARD_CONTEST_H

#include "service/board/cells.h"
#include "service/stats/ranks.h"

/* The rules of one look at the board; zeroed: those by which cells keep their best. */
struct board_rules {
    bool checked, any_shape; /* board.h, struct lore_board_filter */
};

enum timing_class lore_board_class_of(const struct board_entry *e);
bool lore_board_is_library(const struct lore_board *ix, const struct board_version *v);
/* Masked, retracted, or of a retracted version. */
bool lore_board_is_hidden(const struct lore_board *ix, const struct board_entry *e);
/* It passed on other workloads, and neither here nor on this workload elsewhere. */
bool lore_board_other_shape_only(const struct lore_board *ix, const struct board_version *v);
/* A measured time ranks by whether its version passed, a stated one does not. */
bool lore_board_is_checked(const struct lore_board *ix, const struct board_entry *e);
/* The entry that stands for a version in the contest. */
uint32_t lore_board_standing(
    const struct lore_board *ix, const struct board_version *v, const struct board_rules *rules);
/* Whether entry A beats entry B (NONE loses) in CELL. */
bool lore_board_beats(
    const struct lore_board *ix, const struct board_cell *cell, uint32_t a, uint32_t b);
/* The entry that beats all others of CELL. */
uint32_t lore_board_best_of(
    const struct lore_board *ix, const struct board_cell *cell, const struct board_rules *rules);
/* Why a version of CELL is not in the contest or comes after what it should beat; .reason NULL: it
 * is in. The reason of shape_mismatch is left to the caller, who has an arena for it. */
struct lore_excluded lore_board_reason_out(const struct lore_board *ix,
    const struct board_cell *cell, const struct board_version *v, const struct board_rules *rules);
/* The fastest time of a version in one class: of the method that ranks its cell, else of any. */
uint32_t lore_board_fastest(
    const struct lore_board *ix, const struct board_version *v, enum timing_class class);
struct lore_speedup lore_board_headline(const struct lore_board *ix, const struct board_cell *cell);
/* Its value by the usual rules, 0: none; remembered until the cell changes. */
double lore_board_headline_value(const struct lore_board *ix, uint32_t cell);
struct lore_speedup
lore_board_over_library(const struct lore_board *ix, const struct board_cell *cell);
/* The entry that states a speedup of the cell's best version over another version. */
uint32_t lore_board_stated_by(const struct lore_board *ix, const struct board_cell *cell);
/* One class and method, and environments that do not contradict each other. */
bool lore_board_comparable(const struct board_entry *a, const struct board_entry *b);
const char *lore_board_name_of(const struct lore_board *ix, uint32_t id);

/* ---- ties.c ---- */
struct board_interval {
    double low, high;
    const char *of; /* NULL: none */
};
struct board_interval lore_board_interval_of(const struct board_entry *e);
/* Whether statistics are asked which of two is faster: comparable times with an interval each, of
 * versions that were both checked or both not. */
bool lore_board_tested(
    const struct lore_board *ix, const struct board_entry *a, const struct board_entry *b);
/* Whether A is ahead of B without asking them: of a stronger class, checked where the other is not,
 * or by a smaller time where one has no interval. Times that do not compare leave it open. */
bool lore_board_ahead(
    const struct lore_board *ix, const struct board_entry *a, const struct board_entry *b);
/* The set of ranks of each of the 1 <= N <= LORE_RANKS_MAX entries E. TOLD, N * N flags or NULL: [i
 * * N + j] is whether the tested pair i and j is told apart; others are left alone. */
void lore_board_rank_sets(const struct lore_board *ix, const struct board_entry *const *e, size_t n,
    struct lore_rank *out, bool *told);

/* ---- details.c ---- */
/* One question to the board. */
struct board_look {
    const struct lore_board *ix;
    struct board_rules rules;
    struct lore_arena *arena;
};
/* Cell I as these rules see it: with the best by them, in *room when they are not the usual ones.
 */
const struct board_cell *
lore_board_view_cell(const struct board_look *l, uint32_t i, struct board_cell *room);
/* What a row says beside its best: who is out, who ties, its rank, what failed. */
void lore_board_list_excluded(
    const struct board_look *l, const struct board_cell *cell, struct lore_board_row *row);
void lore_board_list_tied(
    const struct board_look *l, const struct board_cell *cell, struct lore_board_row *row);
void lore_board_list_attempts(
    const struct board_look *l, const struct board_cell *cell, struct lore_board_row *row);
/* Workloads on which the version of V passed, in words. */
const char *lore_board_passed_on(const struct board_look *l, const struct board_version *v);

#endif
