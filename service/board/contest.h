/* Who may stand, what beats what, what a speedup is against (best.c), and what cannot be told apart
 * (ties.c). Private to board/. Entries and cells are indexes; NONE: there is none. */
#ifndef LORE_BOARD_CONTEST_H
#define LORE_BOARD_CONTEST_H

#include "service/board/cells.h"
#include "service/stats/ranks.h"

/* The rules of one look at the board; zeroed: those by which cells keep their best. */
struct rules {
    bool checked, any_shape; /* board.h, struct lore_board_filter */
};

enum timing_class class_of(const struct entry *e);
bool is_library(const struct lore_board_index *ix, const struct version *v);
/* Masked, retracted, or of a retracted version. */
bool is_hidden(const struct lore_board_index *ix, const struct entry *e);
/* It passed on other workloads, and neither here nor on this workload elsewhere. */
bool other_shape_only(const struct lore_board_index *ix, const struct version *v);
/* A measured time ranks by whether its version passed, a stated one does not. */
bool is_checked(const struct lore_board_index *ix, const struct entry *e);
/* The entry that stands for a version in the contest. */
uint32_t
standing(const struct lore_board_index *ix, const struct version *v, const struct rules *rules);
/* Whether entry A beats entry B (NONE loses) in CELL. */
bool beats(const struct lore_board_index *ix, const struct cell *cell, uint32_t a, uint32_t b);
/* The entry that beats all others of CELL. */
uint32_t
best_of(const struct lore_board_index *ix, const struct cell *cell, const struct rules *rules);
/* Why a version of CELL is not in the contest or comes after what it should beat; .reason NULL: it
 * is in. The reason of shape_mismatch is left to the caller, who has an arena for it. */
struct lore_excluded reason_out(const struct lore_board_index *ix, const struct cell *cell,
    const struct version *v, const struct rules *rules);
/* The fastest time of a version in one class: of the method that ranks its cell, else of any. */
uint32_t
fastest(const struct lore_board_index *ix, const struct version *v, enum timing_class class);
struct lore_speedup headline(const struct lore_board_index *ix, const struct cell *cell);
/* Its value by the usual rules, 0: none; remembered until the cell changes. */
double headline_value(const struct lore_board_index *ix, uint32_t cell);
struct lore_speedup over_library(const struct lore_board_index *ix, const struct cell *cell);
/* The entry that states a speedup of the cell's best version over another version. */
uint32_t stated(const struct lore_board_index *ix, const struct cell *cell);
/* One class and method, and environments that do not contradict each other. */
bool comparable(const struct entry *a, const struct entry *b);
const char *name_of(const struct lore_board_index *ix, uint32_t id);

/* ---- ties.c ---- */
struct interval {
    double low, high;
    const char *of; /* NULL: none */
};
struct interval interval_of(const struct entry *e);
/* Whether statistics are asked which of two is faster: comparable times with an interval each, of
 * versions that were both checked or both not. */
bool tested(const struct lore_board_index *ix, const struct entry *a, const struct entry *b);
/* Whether A is ahead of B without asking them: of a stronger class, checked where the other is not,
 * or by a smaller time where one has no interval. Times that do not compare leave it open. */
bool ahead(const struct lore_board_index *ix, const struct entry *a, const struct entry *b);
/* The set of ranks of each of the 1 <= N <= LORE_RANKS_MAX entries E. TOLD, N * N flags or NULL: [i
 * * N + j] is whether the tested pair i and j is told apart; others are left alone. */
void rank_sets(const struct lore_board_index *ix, const struct entry *const *e, size_t n,
    struct lore_rank *out, bool *told);

/* ---- details.c ---- */
/* One question to the board. */
struct look {
    const struct lore_board_index *ix;
    struct rules rules;
    struct lore_arena *arena;
};
/* Cell I as these rules see it: with the best by them, in *room when they are not the usual ones.
 */
const struct cell *seen(const struct look *l, uint32_t i, struct cell *room);
/* What a row says beside its best: who is out, who ties, its rank, what failed. */
void list_excluded(const struct look *l, const struct cell *cell, struct lore_board_row *row);
void list_tied(const struct look *l, const struct cell *cell, struct lore_board_row *row);
void list_attempts(const struct look *l, const struct cell *cell, struct lore_board_row *row);
/* Workloads on which the version of V passed, in words. */
const char *passed_on(const struct look *l, const struct version *v);

#endif
