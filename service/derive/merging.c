/* Proposals sort the rows by all fields that must be equal, so that duplicates are adjacent.
 * Previews look up ids in a sorted list. Both use fill_group. */
#include "service/derive/merging.h"

#include <stdlib.h>
#include <string.h>

#include "service/base/buf.h"
#include "service/base/text.h"
#include "service/derive/techset.h"

struct keyed {
    const struct lore_merge_row *row;
    const char *techniques;
    size_t index;
};

static int
compare_number(struct lore_f64 a, struct lore_f64 b)
{
    if (!a.set || !b.set)
        return a.set - b.set;
    return (a.v > b.v) - (a.v < b.v);
}

static int
compare_content(const struct keyed *x, const struct keyed *y)
{
    const struct lore_merge_row *a = x->row, *b = y->row;
    const int orders[] = {lore_strorder(a->op, b->op), lore_strorder(a->language, b->language),
        lore_strorder(a->chip, b->chip), lore_strorder(a->workload, b->workload),
        strcmp(x->techniques, y->techniques), compare_number(a->before_ns, b->before_ns),
        compare_number(a->after_ns, b->after_ns), compare_number(a->speedup, b->speedup)};

    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        if (orders[i])
            return orders[i];
    }
    return 0;
}

static int
by_content(const void *a, const void *b)
{
    const struct keyed *x = a, *y = b;
    int order = compare_content(x, y);

    return order ? order : (x->index > y->index) - (x->index < y->index);
}

static int
by_index(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;

    return (x > y) - (x < y);
}

static int
by_first_member(const void *a, const void *b)
{
    const struct lore_merge_group *x = a, *y = b;

    return by_index(x->members, y->members);
}

static bool
has_numbers(const struct lore_merge_row *r)
{
    return r->before_ns.set || r->after_ns.set || r->speedup.set;
}

/* A win without a speedup ranks after all other wins. */
static size_t
choose_canonical(const struct lore_merge_row *rows, const struct lore_merge_group *g)
{
    const struct lore_merge_row *win = NULL, *fastest = NULL;

    for (size_t i = 0; i < g->n_members; i++) {
        const struct lore_merge_row *r = &rows[g->members[i]];
        if (r->effect == LORE_X_WIN &&
            (!win || (r->speedup.set ? r->speedup.v : 0) > (win->speedup.set ? win->speedup.v : 0)))
            win = r;
        if (r->after_ns.set && (!fastest || r->after_ns.v < fastest->after_ns.v))
            fastest = r;
    }
    if (win)
        return (size_t)(win - rows);
    return fastest ? (size_t)(fastest - rows) : g->members[0];
}

static bool
is_repeated_note(const struct lore_merge_row *rows, const struct lore_merge_group *g, size_t i)
{
    for (size_t j = 0; j < i; j++) {
        if (lore_streq(rows[g->members[j]].notes, rows[g->members[i]].notes))
            return true;
    }
    return false;
}

static const char *
join_notes(
    const struct lore_merge_row *rows, const struct lore_merge_group *g, struct lore_arena *arena)
{
    LORE_BUF b = {0};

    for (size_t i = 0; i < g->n_members; i++) {
        const char *notes = rows[g->members[i]].notes;
        if (!notes || !*notes || is_repeated_note(rows, g, i))
            continue;
        if (b.len > 0)
            lore_buf_puts(&b, " | ");
        lore_buf_puts(&b, notes);
    }
    const char *text = lore_strndup(arena, b.data ? b.data : "", b.len);
    return text;
}

/* Fill the other fields of G from its members, which are sorted. */
static void
fill_group(const struct lore_merge_row *rows, struct lore_merge_group *g, struct lore_arena *arena)
{
    g->canonical = choose_canonical(rows, g);
    g->notes = join_notes(rows, g, arena);
    g->iterations = lore_alloc_array(arena, g->n_members, sizeof *g->iterations);
    for (size_t i = 0; i < g->n_members; i++) {
        const struct lore_merge_row *r = &rows[g->members[i]];
        if (r->hypothesis && *r->hypothesis &&
            (!g->hypothesis || strlen(r->hypothesis) > strlen(g->hypothesis)))
            g->hypothesis = r->hypothesis;
        if (r->iteration)
            g->iterations[g->n_iterations++] = r->iteration;
        g->conflict |= r->effect != rows[g->members[0]].effect;
    }
}

void
lore_merging_propose(const struct lore_merge_row *rows, size_t n, struct lore_arena *arena,
    struct lore_merge_group **groups, size_t *n_groups)
{
    struct keyed *keyed = lore_alloc_array(arena, n, sizeof *keyed);
    size_t kept = 0, cap = 0;

    *groups = NULL;
    *n_groups = 0;
    for (size_t i = 0; i < n; i++) {
        if (rows[i].op && has_numbers(&rows[i]))
            keyed[kept++] = (struct keyed){
                &rows[i], lore_techset_key(arena, rows[i].techniques, rows[i].n_techniques), i};
    }
    qsort(keyed, kept, sizeof *keyed, by_content);
    for (size_t i = 0, next; i < kept; i = next) {
        for (next = i + 1; next < kept && compare_content(&keyed[i], &keyed[next]) == 0;)
            next++;
        if (next - i < 2)
            continue;
        struct lore_merge_group *g = LORE_PUSH(arena, *groups, *n_groups, cap);
        g->members = lore_alloc_array(arena, next - i, sizeof *g->members);
        for (size_t j = i; j < next; j++) /* by_content keeps equal rows in row order */
            g->members[g->n_members++] = keyed[j].index;
        fill_group(rows, g, arena);
    }
    if (*n_groups > 0)
        qsort(*groups, *n_groups, sizeof **groups, by_first_member);
}

struct known_id {
    const char *id;
    size_t row;
    bool taken;
};

static int
by_id(const void *a, const void *b)
{
    return strcmp(((const struct known_id *)a)->id, ((const struct known_id *)b)->id);
}

static enum lore_status
take_members(struct known_id *known, size_t n, const struct lore_merge_ids *wanted,
    struct lore_merge_group *g, struct lore_err *err)
{
    for (size_t i = 0; i < wanted->n; i++) {
        struct known_id want = {.id = wanted->ids[i] ? wanted->ids[i] : ""};
        struct known_id *found = n ? bsearch(&want, known, n, sizeof *known, by_id) : NULL;

        if (!found)
            return lore_fail(err, LORE_NOTFOUND, "members: no experiment %s", want.id);
        if (found->taken)
            return lore_fail(err, LORE_CONFLICT, "members: %s is given twice", want.id);
        found->taken = true;
        g->members[g->n_members++] = found->row;
    }
    qsort(g->members, g->n_members, sizeof *g->members, by_index);
    return LORE_OK;
}

enum lore_status
lore_merging_preview(const struct lore_merge_row *rows, size_t n,
    const struct lore_merge_ids *wanted, struct lore_arena *arena, struct lore_merge_group *out,
    struct lore_err *err)
{
    struct known_id *known = lore_alloc_array(arena, n, sizeof *known);
    struct lore_merge_group g = {.n_members = 0};
    size_t n_known = 0;

    if (wanted->n < 2)
        return lore_fail(err, LORE_INVALID, "members: give at least two experiments");
    for (size_t i = 0; i < n; i++) {
        if (rows[i].id)
            known[n_known++] = (struct known_id){.id = rows[i].id, .row = i};
    }
    qsort(known, n_known, sizeof *known, by_id);
    g.members = lore_alloc_array(arena, wanted->n, sizeof *g.members);
    enum lore_status status = take_members(known, n_known, wanted, &g, err);
    if (status != LORE_OK)
        return status;
    fill_group(rows, &g, arena);
    *out = g;
    return LORE_OK;
}
