/* Ranking within a cell: eligible versions, their order, the base of a speedup (best.c), and ties
 * (ties.c). Private to board/. Entries and cells are passed as indexes; NONE means none. */
#ifndef LORE_BOARD_RANKING_H
#define LORE_BOARD_RANKING_H

#include "service/board/cells.h"
#include "service/stats/ranks.h"

/* The ranking rules of one query. Zeroed: the default rules, by which cells store their best
 * entry. */
struct board_rules {
    bool checked, any_shape; /* board.h, struct lore_board_filter */
    bool by_project;         /* only versions of `project` compete */
    uint32_t project;        /* interned */
};

enum timing_class lore_board_class_of(const struct board_entry *e);
bool lore_board_is_library(const struct lore_board *ix, const struct board_version *v);
/* Masked, retracted, or of a retracted version. */
bool lore_board_is_hidden(const struct lore_board *ix, const struct board_entry *e);
/* Whether all its entries are copies, so that it does not count as a version of the cell. */
bool lore_board_is_copy(const struct board_version *v);
/* Whether the version passed on other workloads, but on no chip on this workload. */
bool lore_board_passed_elsewhere_only(const struct lore_board *ix, const struct board_version *v);
/* Whether a check of the version passed in this cell. Stated times count as checked, because the
 * check affects only the rank of measured times. */
bool lore_board_is_checked(const struct lore_board *ix, const struct board_entry *e);
/* The entry that represents a version in the ranking; NONE: the version is not eligible. */
uint32_t lore_board_ranked_entry(
    const struct lore_board *ix, const struct board_version *v, const struct board_rules *rules);
/* Whether entry A beats entry B (NONE loses) in CELL. */
bool lore_board_beats(
    const struct lore_board *ix, const struct board_cell *cell, uint32_t a, uint32_t b);
/* The entry that beats all others of CELL. */
uint32_t lore_board_best_of(
    const struct lore_board *ix, const struct board_cell *cell, const struct board_rules *rules);
/* The bottlenecks that the runs of the best version show. *stated: those that somebody states. */
uint32_t
lore_board_labels(const struct lore_board *ix, const struct board_cell *cell, uint32_t *stated);
/* Why a version of CELL is excluded, or ranks lower than its time suggests; .reason NULL: it is
 * ranked by its time. For shape_mismatch the caller replaces the reason with a text that names the
 * workloads, which needs an arena. */
struct lore_excluded lore_board_reason_excluded(const struct lore_board *ix,
    const struct board_cell *cell, const struct board_version *v, const struct board_rules *rules);
/* The fastest time of a version in one class: by the method that ranks its cell, else by any
 * method. */
uint32_t lore_board_fastest(
    const struct lore_board *ix, const struct board_version *v, enum timing_class class);
struct lore_speedup lore_board_headline(const struct lore_board *ix, const struct board_cell *cell);
/* The value of the headline by the default rules, 0: none. It is cached until the cell changes. */
double lore_board_headline_value(const struct lore_board *ix, uint32_t cell);
struct lore_speedup
lore_board_over_library(const struct lore_board *ix, const struct board_cell *cell);
/* A speedup as ENTRY (NONE: none) states it. */
struct lore_speedup lore_board_stated_speedup(const struct lore_board *ix, uint32_t entry);
/* The entry that states a speedup of the cell's best version over another version. */
uint32_t lore_board_stated_by(const struct lore_board *ix, const struct board_cell *cell);
/* Whether two times may be compared: they share the method, and their hard environments are
 * equal or unknown. */
bool lore_board_comparable(const struct board_entry *a, const struct board_entry *b);
const char *lore_board_name_of(const struct lore_board *ix, uint32_t id);
bool lore_board_in_project(const struct board_version *v, const struct board_rules *rules);
/* Add an entry that is not hidden to the counts of CELL; LIBRARY: its version is one. */
void lore_board_count_entry(struct board_cell *cell, const struct board_entry *e, bool library);
void lore_board_clear_counts(struct board_cell *cell);

/* ---- ties.c ---- */
struct board_interval {
    double low, high;
    const char *of; /* NULL: none */
};
struct board_interval lore_board_interval_of(const struct board_entry *e);
/* Whether A and B are compared by a statistical test: their times are comparable, both have an
 * interval, and both versions passed a check or neither did. */
bool lore_board_has_test(
    const struct lore_board *ix, const struct board_entry *a, const struct board_entry *b);
/* Whether A ranks before B without a test. A stronger class decides first, then a passed
 * check. Otherwise A ranks before B if the times are comparable, A's is smaller, and an interval is
 * missing. */
bool lore_board_ranks_before(
    const struct lore_board *ix, const struct board_entry *a, const struct board_entry *b);
/* The range of ranks of each of the 1 <= N <= LORE_RANKS_MAX entries E. DIFFERENT, N * N flags or
 * NULL: [i * N + j] says whether the test found i and j different. Flags of untested pairs are not
 * written. */
void lore_board_rank_sets(const struct lore_board *ix, const struct board_entry *const *e, size_t n,
    struct lore_rank *out, bool *different);

/* ---- details.c ---- */
/* One query. */
struct board_query {
    const struct lore_board *ix;
    struct board_rules rules;
    struct lore_arena *arena;
};
/* Cell I with the best entry by the rules of the query. With other than the default rules the
 * result is a copy in *BUFFER. */
const struct board_cell *
lore_board_view_cell(const struct board_query *l, uint32_t i, struct board_cell *buffer);
/* Fill the other parts of a row: excluded versions, ties and rank, experiments that lost or were
 * neutral. */
void lore_board_list_excluded(
    const struct board_query *l, const struct board_cell *cell, struct lore_board_row *row);
void lore_board_list_tied(
    const struct board_query *l, const struct board_cell *cell, struct lore_board_row *row);
void lore_board_list_attempts(
    const struct board_query *l, const struct board_cell *cell, struct lore_board_row *row);
void lore_board_list_claims(
    const struct board_query *l, const struct board_cell *cell, struct lore_board_row *row);
/* Workloads on which the version of V passed, in words. */
const char *lore_board_passed_on(const struct board_query *l, const struct board_version *v);

#endif
