/* The parts of a row beside its best version. They are the excluded versions with reasons, ties
 * within the cell and with rows of other languages, the rank among these rows, and stated speedups.
 * For the status "baseline optimal", they include the experiments that lost or were neutral. They
 * are computed for displayed rows only. */
#include <stdlib.h>
#include <string.h>

#include "service/base/text.h"
#include "service/board/ranking.h"

enum { MAX_LISTED = 50, MAX_WORKLOADS = 3 };

/* Count only the versions of the project in CELL, a copy. */
static void
count_project(const struct board_query *l, struct board_cell *cell)
{
    const struct lore_board *ix = l->ix;

    lore_board_clear_counts(cell);
    cell->n_versions = 0;
    for (uint32_t i = cell->versions; i != NONE; i = ix->versions[i].next) {
        const struct board_version *v = &ix->versions[i];
        bool library = lore_board_is_library(ix, v);
        if (!lore_board_in_project(v, &l->rules))
            continue;
        cell->n_versions += v->id != NONE && !library;
        for (uint32_t e = v->entries; e != NONE; e = ix->entries[e].next)
            if (!lore_board_is_hidden(ix, &ix->entries[e]))
                lore_board_count_entry(cell, &ix->entries[e], library);
    }
}

const struct board_cell *
lore_board_view_cell(const struct board_query *l, uint32_t i, struct board_cell *buffer)
{
    if (!l->rules.checked && !l->rules.any_shape && !l->rules.by_project)
        return &l->ix->cells[i];
    *buffer = l->ix->cells[i];
    if (l->rules.by_project)
        count_project(l, buffer);
    buffer->best = lore_board_best_of(l->ix, buffer, &l->rules);
    return buffer;
}

/* ---- excluded versions ---- */

static const char *
workload_words(const struct lore_board *ix, const struct board_cell *cell)
{
    return lore_board_name_of(
        ix, cell->workload_label != NONE ? cell->workload_label : cell->workload);
}

const char *
lore_board_passed_on(const struct board_query *l, const struct board_version *v)
{
    const struct lore_board *ix = l->ix;
    uint32_t identity = v->check != NONE ? ix->checks[v->check].identity : NONE;
    uint32_t i = identity != NONE ? ix->identities[identity].checks : NONE;
    const char *words = "";
    size_t n = 0;

    for (; i != NONE; i = ix->checks[i].next) {
        const struct board_check *c = &ix->checks[i];
        if (c->passes == 0 || c->workload == NONE || ++n > MAX_WORKLOADS)
            continue;
        const struct board_cell *cell = &ix->cells[ix->versions[c->versions].cell];
        words = lore_format(l->arena, "%s%s%s", words, n > 1 ? ", " : "", workload_words(ix, cell));
    }
    return n <= MAX_WORKLOADS ? words
                              : lore_format(l->arena, "%s and %zu more", words, n - MAX_WORKLOADS);
}

void
lore_board_list_excluded(
    const struct board_query *l, const struct board_cell *cell, struct lore_board_row *row)
{
    const struct lore_board *ix = l->ix;
    size_t cap = 0;

    for (uint32_t i = cell->versions; i != NONE && row->n_excluded < MAX_LISTED;
         i = ix->versions[i].next) {
        const struct board_version *v = &ix->versions[i];
        struct lore_excluded out = lore_board_reason_excluded(ix, cell, v, &l->rules);
        if (!out.reason)
            continue;
        if (lore_streq(out.code, "shape_mismatch"))
            out.reason = lore_format(l->arena, "correct only on %s; timed on %s",
                lore_board_passed_on(l, v), workload_words(ix, cell));
        out.version = lore_board_name_of(ix, v->id);
        out.version_label = lore_board_name_of(ix, v->label);
        *LORE_PUSH(l->arena, row->excluded, row->n_excluded, cap) = out;
    }
}

/* ---- ties ---- */

static void
add_tie(const struct board_query *l, const struct board_cell *cell, const struct board_entry *e,
    struct lore_board_row *row, size_t *cap)
{
    const struct board_version *v = &l->ix->versions[e->version];

    if (row->n_tied < MAX_LISTED)
        *LORE_PUSH(l->arena, row->tied, row->n_tied, *cap) = (struct lore_tied){
            lore_board_name_of(l->ix, v->id), lore_board_name_of(l->ix, v->label),
            lore_board_name_of(l->ix, v->kernel_name), lore_board_name_of(l->ix, v->project),
            (enum lore_language)cell->language, e->time_ns};
}

static int
by_time(const void *a, const void *b)
{
    double x = ((const struct lore_tied *)a)->time_ns, y = ((const struct lore_tied *)b)->time_ns;
    return (x > y) - (x < y);
}

/* Insert E into the N entries sorted by time, which hold at most MAX_LISTED. Returns the new
 * count. */
static size_t
insert_by_time(const struct board_entry **fastest, size_t n, const struct board_entry *e)
{
    size_t at = n;

    while (at > 0 && (e->time_ns < fastest[at - 1]->time_ns ||
                         (e->time_ns == fastest[at - 1]->time_ns && e->seq < fastest[at - 1]->seq)))
        at--;
    if (at == MAX_LISTED)
        return n;
    n += n < MAX_LISTED;
    memmove(&fastest[at + 1], &fastest[at], (n - 1 - at) * sizeof(*fastest));
    fastest[at] = e;
    return n;
}

/* Add the versions of the cell that no other version of it is shown to beat. */
static void
tied_in_cell(const struct board_query *l, const struct board_cell *cell,
    const struct board_entry *best, struct lore_board_row *row, size_t *cap)
{
    const struct board_entry *compared[MAX_LISTED];
    struct lore_rank ranks[MAX_LISTED];
    size_t n = 0;

    for (uint32_t i = cell->versions; i != NONE; i = l->ix->versions[i].next) {
        uint32_t e = lore_board_ranked_entry(l->ix, &l->ix->versions[i], &l->rules);
        if (e != NONE && lore_board_has_test(l->ix, best, &l->ix->entries[e]))
            n = insert_by_time(compared, n, &l->ix->entries[e]);
    }
    row->compared = n;
    if (n < 2)
        return;
    lore_board_rank_sets(l->ix, compared, n, ranks, NULL);
    for (size_t i = 0; i < n; i++)
        if (ranks[i].best && compared[i]->version != best->version)
            add_tie(l, cell, compared[i], row, cap);
}

/* Set the range of ranks of BESTS[0], the best of this row, among the bests of N languages. */
static void
rank_row(const struct board_query *l, const struct board_cell *const *cells,
    const struct board_entry *const *bests, size_t n, struct lore_board_row *row, size_t *cap)
{
    struct lore_rank ranks[LORE_RANKS_MAX];
    bool *different = lore_alloc_array(l->arena, n * n, sizeof *different);

    lore_board_rank_sets(l->ix, bests, n, ranks, different);
    row->rank = ranks[0].low;
    row->rank_high = ranks[0].high;
    for (size_t i = 1; i < n; i++) {
        row->rank += lore_board_ranks_before(l->ix, bests[i], bests[0]);
        row->rank_high -= lore_board_ranks_before(l->ix, bests[0], bests[i]);
        if (lore_board_has_test(l->ix, bests[0], bests[i]) && !different[i])
            add_tie(l, cells[i], bests[i], row, cap);
    }
}

void
lore_board_list_tied(
    const struct board_query *l, const struct board_cell *cell, struct lore_board_row *row)
{
    const struct lore_board *ix = l->ix;
    const struct board_entry *best = cell->best != NONE ? &ix->entries[cell->best] : NULL;
    const struct board_entry *bests[LORE_LANG_COUNT];
    const struct board_cell *cells[LORE_LANG_COUNT];
    struct board_cell buffers[LORE_LANG_COUNT]; /* a cell per language */
    size_t n = 0, cap = 0;

    if (!best || best->time_ns <= 0 || cell->workload == NONE)
        return;
    row->rank = row->rank_high = 1;
    tied_in_cell(l, cell, best, row, &cap);
    bests[n] = best;
    cells[n++] = cell;
    for (uint32_t i = ix->peer_groups[cell->peer_group]; i != NONE; i = ix->cells[i].next_peer) {
        if (n == LORE_LANG_COUNT || ix->cells[i].language == cell->language)
            continue;
        const struct board_cell *c = lore_board_view_cell(l, i, &buffers[n]);
        const struct board_entry *other = c->best != NONE ? &ix->entries[c->best] : NULL;
        if (!other || other->time_ns <= 0)
            continue;
        bests[n] = other;
        cells[n++] = c;
    }
    if (n > 1)
        rank_row(l, cells, bests, n, row, &cap);
    if (row->n_tied > 1)
        qsort(row->tied, row->n_tied, sizeof *row->tied, by_time);
}

/* ---- claims ---- */

static int
largest_first(const void *a, const void *b)
{
    double x = ((const struct lore_claimed *)a)->speedup.value,
           y = ((const struct lore_claimed *)b)->speedup.value;
    return (x < y) - (x > y);
}

void
lore_board_list_claims(
    const struct board_query *l, const struct board_cell *cell, struct lore_board_row *row)
{
    const struct lore_board *ix = l->ix;
    size_t cap = 0;

    for (uint32_t i = cell->versions; i != NONE; i = ix->versions[i].next) {
        const struct board_version *v = &ix->versions[i];
        const struct board_entry *e = v->stated != NONE ? &ix->entries[v->stated] : NULL;

        bool timed = v->id != NONE && (lore_board_fastest(ix, v, CLASS_MEASURED) != NONE ||
                                          lore_board_fastest(ix, v, CLASS_STATED) != NONE);

        if (!e || timed || v->fail || v->timeout || !lore_board_in_project(v, &l->rules))
            continue;
        *LORE_PUSH(l->arena, row->claims, row->n_claims, cap) =
            (struct lore_claimed){lore_board_name_of(ix, v->id), lore_board_name_of(ix, v->label),
                lore_board_name_of(ix, e->experiment), e->time_ns,
                lore_board_stated_speedup(ix, v->stated)};
    }
    if (row->n_claims > 1)
        qsort(row->claims, row->n_claims, sizeof *row->claims, largest_first);
    if (row->n_claims > MAX_LISTED)
        row->n_claims = MAX_LISTED;
}

/* ---- attempts ---- */

static bool
lost_or_neutral(const struct lore_board *ix, const struct board_entry *e)
{
    return e->experiment != NONE && e->base != LORE_BASE_LIBRARY && !lore_board_is_hidden(ix, e) &&
           (e->effect == LORE_X_LOSS || e->effect == LORE_X_NEUTRAL ||
               (e->effect == LORE_X_NOT_MEASURED && e->said_lost));
}

static int
newest_first(const void *a, const void *b)
{
    const struct board_entry *x = *(const struct board_entry *const *)a,
                             *y = *(const struct board_entry *const *)b;
    return (x->seq < y->seq) - (x->seq > y->seq);
}

void
lore_board_list_attempts(
    const struct board_query *l, const struct board_cell *cell, struct lore_board_row *row)
{
    const struct lore_board *ix = l->ix;
    const struct board_entry **all = NULL;
    size_t n = 0, cap = 0;

    for (uint32_t i = cell->versions; i != NONE; i = ix->versions[i].next)
        for (uint32_t e = ix->versions[i].entries; e != NONE; e = ix->entries[e].next)
            if (lore_board_in_project(&ix->versions[i], &l->rules) &&
                lost_or_neutral(ix, &ix->entries[e]))
                *LORE_PUSH(l->arena, all, n, cap) = &ix->entries[e];
    if (n > 1)
        qsort(all, n, sizeof *all, newest_first);
    row->n_attempts = n < MAX_LISTED ? n : MAX_LISTED;
    row->attempts = lore_alloc_array(l->arena, row->n_attempts + 1, sizeof *row->attempts);
    for (size_t i = 0; i < row->n_attempts; i++)
        row->attempts[i] = lore_board_name_of(ix, all[i]->experiment);
}
