/* Answering a query. Filter all cells, keep the cells of the page in a heap ordered by sort key,
 * and build rows only for these. A cell that has only library runs gives no row; its times are
 * bases of speedups.
 *
 * The status is "baseline optimal" when the best is a baseline, no experiment of the cell won, and
 * at least one lost or was neutral; "no gain reported" when the same holds and nothing was timed.
 * Otherwise it is the label of the best version. Without a best it is
 * "claimed only" when speedups are stated, else "no correct version", "no timed version" or
 * "copies only". */
#include <stdlib.h>
#include <string.h>

#include "service/base/text.h"
#include "service/board/ranking.h"
#include "service/stats/stats.h"

enum { DEFAULT_LIMIT = 100 };

struct item {
    uint32_t cell;
    double key; /* numeric sort key; smaller sorts first */
};
struct page {
    const struct lore_board *ix;
    struct board_query query;
    const struct lore_board_filter *f;
    struct lore_arena *arena;
    const struct lore_chip *chips;
    const char *sort;
    bool descending;
    uint32_t op, family, workload; /* of the filter */
    uint32_t default_hidden; /* operator that is shown only when the filter names it; NONE: none */
    struct item *heap;       /* max-heap: the last row of the page is at the root */
    size_t n, cap;
};

/* ---- filter ---- */

static bool
has_text(const char *where, const char *text)
{
    return where && strcasestr(where, text);
}

/* Whether version A stands behind B where none is the best: a copy behind others, then the smaller
 * id. In whatever order a database was read, the row is the same. */
static bool
shown_behind(
    const struct lore_board *ix, const struct board_version *a, const struct board_version *b)
{
    const char *of_a = lore_board_name_of(ix, a->id), *of_b = lore_board_name_of(ix, b->id);

    if (lore_board_is_copy(a) != lore_board_is_copy(b))
        return lore_board_is_copy(a);
    return !of_a || (of_b && strcmp(of_a, of_b) < 0);
}

/* The version whose kernel the row names: the best, else the newest that may compete, rather no
 * copy. */
static const struct board_version *
shown_version(const struct page *p, const struct board_cell *cell)
{
    const struct lore_board *ix = p->ix;
    const struct board_version *shown = NULL;

    if (cell->best != NONE)
        return &ix->versions[ix->entries[cell->best].version];
    for (uint32_t i = cell->versions; i != NONE; i = ix->versions[i].next) {
        const struct board_version *v = &ix->versions[i];

        if (lore_board_in_project(v, &p->query.rules) && (!shown || shown_behind(ix, shown, v)))
            shown = v;
    }
    return shown ? shown : &ix->versions[cell->versions];
}

static bool
chip_matches(const struct page *p, const struct board_cell *cell)
{
    const struct lore_chip *asked = p->f->chip;

    if (!asked)
        return true;
    if (cell->chip == NONE)
        return false;
    const struct lore_chip *chip = &p->chips[cell->chip];
    if (p->f->variants)
        return lore_chip_covers(asked, chip);
    return asked->product ? lore_streq(chip->name, asked->name) : lore_streq(chip->isa, asked->isa);
}

static enum lore_evidence
evidence_of(const struct lore_board *ix, const struct board_cell *cell)
{
    return (enum lore_evidence)(
        cell->best != NONE ? ix->entries[cell->best].evidence : cell->evidence);
}

static bool
passed(const struct lore_board *ix, const struct board_cell *cell)
{
    return ix->versions[ix->entries[cell->best].version].passes > 0;
}

/* The part of the filter that all cells of a group pass or fail together. */
static bool
group_matches(const struct page *p, const struct board_cell *cell)
{
    const struct lore_board_filter *f = p->f;

    return (!f->op || cell->op == p->op) &&
           (f->language == LORE_LANG_NONE || cell->language == f->language) &&
           chip_matches(p, cell);
}

/* The rest of the filter, for a cell whose group matches. */
static bool
matches(const struct page *p, const struct board_cell *cell)
{
    const struct lore_board_filter *f = p->f;
    const struct lore_board *ix = p->ix;
    uint32_t stated;

    if (cell->op == p->default_hidden && cell->op != NONE)
        return false;
    if (f->workload && cell->workload != p->workload)
        return false;
    if (cell->n_versions == 0 && cell->experiments == 0 && cell->best == NONE)
        return false;
    if (f->checked && (cell->best == NONE || !passed(ix, cell)))
        return false;
    if (f->family && cell->family != p->family)
        return false;
    if (f->labels != 0 && ((lore_board_labels(ix, cell, &stated) | cell->labels) & f->labels) == 0)
        return false;
    if (f->at_least != LORE_EV_NONE) {
        enum lore_evidence evidence = evidence_of(ix, cell);
        if (evidence == LORE_EV_NONE || evidence > f->at_least)
            return false;
    }
    return !f->text || has_text(lore_board_name_of(ix, cell->op), f->text) ||
           has_text(lore_board_name_of(ix, shown_version(p, cell)->kernel_name), f->text) ||
           has_text(lore_board_name_of(ix, cell->workload_label), f->text);
}

/* ---- order ---- */

static int
compare_text(const char *a, const char *b)
{
    if (a == b)
        return 0;
    if (!a || !b)
        return !a ? 1 : -1;
    return strcmp(a, b);
}

static const char *
chip_name(const struct page *p, const struct board_cell *cell)
{
    return cell->chip != NONE ? p->chips[cell->chip].name : NULL;
}

/* Operator, chip, language, workload. */
static int
compare_names(const struct page *p, const struct board_cell *a, const struct board_cell *b)
{
    int order = compare_text(lore_board_name_of(p->ix, a->op), lore_board_name_of(p->ix, b->op));

    if (order == 0)
        order = compare_text(chip_name(p, a), chip_name(p, b));
    if (order == 0)
        order = (a->language > b->language) - (a->language < b->language);
    if (order == 0)
        order = compare_text(lore_board_name_of(p->ix, a->workload_label),
            lore_board_name_of(p->ix, b->workload_label));
    return order != 0 ? order : (a > b) - (a < b);
}

static int
compare(const struct page *p, struct item x, struct item y)
{
    const struct board_cell *a = &p->ix->cells[x.cell], *b = &p->ix->cells[y.cell];
    int order = (x.key > y.key) - (x.key < y.key);

    if (order == 0 && strcmp(p->sort, "chip") == 0) {
        const char *m = chip_name(p, a), *n = chip_name(p, b);
        order = compare_text(m, n);
        if (p->descending && m && n)
            order = -order;
    }
    if (order != 0)
        return order;
    order = compare_names(p, a, b);
    return p->descending && strcmp(p->sort, "operator") == 0 ? -order : order;
}

/* The headline of cell I by the rules of the query; 0: none. */
static double
shown_headline(const struct page *p, uint32_t i)
{
    struct board_cell buffer;
    const struct board_cell *cell = lore_board_view_cell(&p->query, i, &buffer);

    return cell != &buffer ? lore_board_headline_value(p->ix, i)
                           : lore_board_headline(p->ix, cell).value;
}

/* Unknown values sort last in both directions. */
static double
sort_key(const struct page *p, uint32_t i, const struct board_cell *cell)
{
    double value = 0;

    if (strcmp(p->sort, "speedup") == 0)
        value = shown_headline(p, i);
    else if (strcmp(p->sort, "time") == 0)
        value = cell->best != NONE ? p->ix->entries[cell->best].time_ns : 0;
    else if (strcmp(p->sort, "updated") == 0)
        value = (double)cell->updated_us;
    else
        return 0;
    if (value <= 0)
        return 1e300;
    return p->descending ? -value : value;
}

static void
swap(struct item *a, struct item *b)
{
    struct item t = *a;

    *a = *b;
    *b = t;
}

static void
sift_down(struct page *p, size_t n)
{
    for (size_t i = 0, child = 1; child < n; i = child, child = 2 * i + 1) {
        if (child + 1 < n && compare(p, p->heap[child + 1], p->heap[child]) > 0)
            child++;
        if (compare(p, p->heap[i], p->heap[child]) >= 0)
            return;
        swap(&p->heap[i], &p->heap[child]);
    }
}

/* Insert ITEM if it is among the first CAP items so far. */
static void
keep(struct page *p, struct item item)
{
    if (p->n == p->cap) {
        if (p->cap == 0 || compare(p, item, p->heap[0]) >= 0)
            return;
        p->heap[0] = item;
        sift_down(p, p->n);
        return;
    }
    size_t i = p->n++;
    p->heap[i] = item;
    for (; i > 0 && compare(p, p->heap[i], p->heap[(i - 1) / 2]) > 0; i = (i - 1) / 2)
        swap(&p->heap[i], &p->heap[(i - 1) / 2]);
}

/* Sort the heap in place, first row first. */
static void
sort_heap(struct page *p)
{
    for (size_t n = p->n; n > 1; n--) {
        swap(&p->heap[0], &p->heap[n - 1]);
        sift_down(p, n - 1);
    }
}

/* ---- rows ---- */

static const char baseline_optimal[] = "baseline optimal", no_gain[] = "no gain reported";

static const char *
status_of(const struct page *p, const struct board_cell *cell, const struct lore_board_row *row)
{
    const struct lore_board *ix = p->ix;
    const struct board_version *v = shown_version(p, cell);

    if (cell->won == 0 && cell->neutral + cell->lost + cell->said_lost > 0) {
        if (cell->best == NONE && row->n_excluded == 0)
            return no_gain;
        if (cell->best != NONE && v->kind == LORE_V_BASELINE)
            return baseline_optimal;
    }
    if (cell->best == NONE && lore_board_is_copy(v))
        return "copies only";
    if (cell->best == NONE && row->n_claims > 0)
        return "claimed only";
    if (cell->best == NONE)
        return row->n_excluded > 0 ? "no correct version" : "no timed version";
    return v->label != NONE ? lore_board_name_of(ix, v->label) : "unlabelled";
}

static void
fill_best(const struct board_query *l, const struct board_cell *cell, struct lore_board_row *row)
{
    const struct lore_board *ix = l->ix;
    const struct board_entry *best = &ix->entries[cell->best];
    const struct board_version *v = &ix->versions[best->version];
    const struct board_limit *limit = &ix->limits[cell->limit];
    struct board_interval interval = lore_board_interval_of(best);

    row->best_version = lore_board_name_of(ix, v->id);
    row->best_label = lore_board_name_of(ix, v->label);
    row->best_run = lore_board_name_of(ix, best->run);
    row->best_experiment = lore_board_name_of(ix, best->experiment);
    row->time_ns = best->time_ns;
    row->low_ns = best->low_ns;
    row->high_ns = best->high_ns;
    row->n_samples = best->n_samples;
    row->method = lore_board_name_of(ix, best->method);
    row->interval_low_ns = interval.low;
    row->interval_high_ns = interval.high;
    row->interval_of = interval.of;
    row->peak_pct = best->time_ns > 0 ? 100 * limit->peak_ns / best->time_ns : 0;
    row->limiter = row->peak_pct <= 0 ? NULL : limit->memory ? "memory" : "compute";
    if (v->disputed != NONE)
        row->disputed = lore_board_name_of(ix, ix->entries[v->disputed].run != NONE
                                                   ? ix->entries[v->disputed].run
                                                   : ix->entries[v->disputed].experiment);
    row->correctness = v->passes > 0 ? LORE_C_PASS : LORE_C_NOT_CHECKED;
    if (lore_board_passed_elsewhere_only(ix, v))
        row->checked_on = lore_board_passed_on(l, v);
}

/* How many of the versions that the cell counts are copies. */
static size_t
copies_in(const struct page *p, const struct board_cell *cell)
{
    const struct lore_board *ix = p->ix;
    size_t n = 0;

    for (uint32_t i = cell->versions; i != NONE; i = ix->versions[i].next)
        n += ix->versions[i].id != NONE && lore_board_is_copy(&ix->versions[i]) &&
             !lore_board_is_library(ix, &ix->versions[i]) &&
             lore_board_in_project(&ix->versions[i], &p->query.rules);
    return n;
}

static void
fill(struct page *p, const struct board_cell *cell, struct lore_board_row *row)
{
    const struct lore_board *ix = p->ix;
    const struct board_version *v = shown_version(p, cell);
    uint32_t stated;

    *row = (struct lore_board_row){
        .op = lore_board_name_of(ix, cell->op),
        .family = lore_board_name_of(ix, cell->family),
        .chip = chip_name(p, cell),
        .workload = lore_board_name_of(ix, cell->workload),
        .workload_label = lore_board_name_of(ix, cell->workload_label),
        .language = (enum lore_language)cell->language,
        .kernel = lore_board_name_of(ix, v->kernel),
        .kernel_name = lore_board_name_of(ix, v->kernel_name),
        .project = lore_board_name_of(ix, v->project),
        .evidence = evidence_of(ix, cell),
        .runs = cell->runs,
        .experiments = cell->experiments,
        .won = cell->won,
        .neutral = cell->neutral,
        .lost = cell->lost,
        .said_lost = cell->said_lost,
        .updated_us = cell->updated_us,
    };
    row->labels = lore_board_labels(ix, cell, &stated);
    row->derived_labels = row->labels & ~stated;
    row->earlier_labels = row->labels != 0 ? 0 : cell->labels;
    if (cell->best != NONE)
        fill_best(&p->query, cell, row);
    if (p->f->bests)
        return;
    row->speedup = lore_board_headline(ix, cell);
    row->vs_library = lore_board_over_library(ix, cell);
    row->versions = cell->n_versions - copies_in(p, cell);
    lore_board_list_excluded(&p->query, cell, row);
    lore_board_list_tied(&p->query, cell, row);
    lore_board_list_claims(&p->query, cell, row);
    row->status = status_of(p, cell, row);
    if (row->status == baseline_optimal || row->status == no_gain)
        lore_board_list_attempts(&p->query, cell, row);
}

/* Copy all texts into the arena: the index owns them, and an answer may outlive it. */
static void
copy_texts(struct lore_arena *a, struct lore_board_row *row)
{
    const char **texts[] = {&row->op, &row->family, &row->workload, &row->workload_label,
        &row->kernel, &row->kernel_name, &row->project, &row->best_version, &row->best_label,
        &row->best_run, &row->best_experiment, &row->method, &row->speedup.base_name,
        &row->speedup.base_version, &row->vs_library.base_name, &row->vs_library.base_version,
        &row->disputed, &row->status};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        *texts[i] = lore_strdup(a, *texts[i]);
    for (size_t i = 0; i < row->n_excluded; i++) {
        row->excluded[i].version = lore_strdup(a, row->excluded[i].version);
        row->excluded[i].version_label = lore_strdup(a, row->excluded[i].version_label);
    }
    for (size_t i = 0; i < row->n_tied; i++) {
        row->tied[i].version = lore_strdup(a, row->tied[i].version);
        row->tied[i].version_label = lore_strdup(a, row->tied[i].version_label);
        row->tied[i].kernel_name = lore_strdup(a, row->tied[i].kernel_name);
        row->tied[i].project = lore_strdup(a, row->tied[i].project);
    }
    for (size_t i = 0; i < row->n_claims; i++) {
        row->claims[i].version = lore_strdup(a, row->claims[i].version);
        row->claims[i].version_label = lore_strdup(a, row->claims[i].version_label);
        row->claims[i].experiment = lore_strdup(a, row->claims[i].experiment);
        row->claims[i].speedup.base_name = lore_strdup(a, row->claims[i].speedup.base_name);
    }
    for (size_t i = 0; i < row->n_attempts; i++)
        row->attempts[i] = lore_strdup(a, row->attempts[i]);
}

/* The id of NAME. An unknown name gets an id that equals no other, not even NONE ("not
 * recorded"). */
static uint32_t
find_name(const struct lore_board *ix, const char *name)
{
    uint32_t id = lore_intern_find(&ix->names, name);
    return id != NONE ? id : NONE - 1;
}

static void
consider(struct page *p, uint32_t i, size_t *total)
{
    struct board_cell buffer;
    const struct board_cell *cell = lore_board_view_cell(&p->query, i, &buffer);

    if (!matches(p, cell))
        return;
    ++*total;
    keep(p, (struct item){i, sort_key(p, i, cell)});
}

/* Offer every cell that passes the filter to the heap. Without a filter on the group, scan the
 * array of cells; otherwise visit the matching groups only. */
static void
scan_cells(struct page *p, size_t *total)
{
    const struct lore_board *ix = p->ix;
    bool all = !p->f->op && p->f->language == LORE_LANG_NONE && !p->f->chip;

    for (uint32_t i = 0; all && i < ix->n_cells; i++)
        consider(p, i, total);
    for (uint32_t g = 0; !all && g < ix->group_keys.n; g++)
        if (group_matches(p, &ix->cells[ix->groups[g]]))
            for (uint32_t i = ix->groups[g]; i != NONE; i = ix->cells[i].next_in_group)
                consider(p, i, total);
}

void
lore_board(const struct lore_board *ix, const struct lore_board_filter *f, struct lore_arena *arena,
    struct lore_board_row **rows, size_t *n, size_t *total)
{
    size_t limit = f->limit != 0 ? f->limit : DEFAULT_LIMIT, n_chips;
    const char *sort = f->sort != NULL && *f->sort != '\0' ? f->sort : "operator";
    struct page p = {.ix = ix,
        .query = {ix, {.checked = f->checked, .any_shape = f->any_shape}, arena},
        .f = f,
        .arena = arena,
        .chips = lore_chips(&n_chips)};
    struct board_cell buffer;

    p.descending = *sort == '-';
    p.sort = sort + p.descending;
    p.op = find_name(ix, f->op);
    p.family = find_name(ix, f->family);
    p.workload = find_name(ix, f->workload);
    p.query.rules.by_project = f->project != NULL;
    p.query.rules.project = find_name(ix, f->project);
    p.default_hidden = !f->op && !f->workload ? find_name(ix, LORE_UNCLASSIFIED) : NONE;
    p.cap = f->offset >= ix->n_cells ? 0 : f->offset + (limit < ix->n_cells ? limit : ix->n_cells);
    p.heap = lore_alloc_array(arena, p.cap, sizeof *p.heap);
    *total = 0;
    scan_cells(&p, total);
    sort_heap(&p);
    *n = p.n > f->offset ? p.n - f->offset : 0;
    *rows = lore_alloc_array(arena, *n, sizeof **rows);
    for (size_t i = 0; i < *n; i++) {
        fill(&p, lore_board_view_cell(&p.query, p.heap[f->offset + i].cell, &buffer), &(*rows)[i]);
        copy_texts(arena, &(*rows)[i]);
    }
}
