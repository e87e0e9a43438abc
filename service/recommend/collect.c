/* What only the rows of a listed technique tell (scan.h): which bear most, to be cited; medians;
 * the worst result; on how many workloads it was tried. Of a technique that was tried more often
 * than LOOKED_AT, the median and the workloads are of every so many rows. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "service/recommend/scan.h"
#include "service/recommend/words.h"
#include "service/stats/select.h"

enum { LOOKED_AT = 16384 };

struct sample {
    uint32_t stride, left; /* left: until the next that is looked at */
};
struct look {
    const struct lore_scan *s;
    const struct lore_tried *t;
    struct lore_cites *out;
    uint64_t *workloads; /* bits per interned name */
    struct sample all, near;
    double *logs; /* of the closest place with evidence */
    size_t n_logs;
};

static void
name_op(const struct lore_scan *s, struct lore_words_names *names, uint32_t op)
{
    for (uint32_t i = 0; i < names->n && i < LORE_NAMED; i++)
        if (names->op[i] == op)
            return;
    if (op == LORE_NO_NAME)
        names->n = LORE_NAMED; /* an unnamed one: better none than half of them */
    if (names->n < LORE_NAMED)
        names->op[names->n] = op;
    if (names->n <= LORE_NAMED)
        names->n++;
    if (names->n == LORE_NAMED && op != LORE_NO_NAME &&
        strcmp(lore_evidence_text(s->ix, names->op[0]), lore_evidence_text(s->ix, names->op[1])) >
            0) {
        names->op[1] = names->op[0];
        names->op[0] = op;
    }
}

static void
see_workloads(struct look *l, const struct lore_row *rows, uint32_t n)
{
    for (; l->all.left < n; l->all.left += l->all.stride) {
        uint32_t workload = rows[l->all.left].workload;
        if (workload == LORE_NO_NAME)
            continue;
        uint64_t *bits = &l->workloads[workload / 64], bit = (uint64_t)1 << workload % 64;
        l->out->workloads += (*bits & bit) == 0;
        *bits |= bit;
    }
    l->all.left -= n;
}

static void
see_logs(struct look *l, const struct lore_row *rows, uint32_t n)
{
    for (; l->near.left < n; l->near.left += l->near.stride) {
        const struct lore_row *row = &rows[l->near.left];
        float log = lore_own_log(&l->s->ix->verdict[row->code], row->log);
        l->logs[l->n_logs] = log;
        l->n_logs += !isnan(log);
    }
    l->near.left -= n;
}

static void
see_cited(struct look *l, const struct lore_cell_rows *c, uint32_t n, const struct lore_weighed *w)
{
    const struct lore_scan *s = l->s;
    struct lore_ranked_rows *won = &l->out->won, *other = &l->out->other;
    bool shaped = s->some_alike && w->level == LORE_LEVEL_OPERATOR;

    if (!shaped && !lore_ranked_rows_admit(won, w->bearing, c->most) &&
        !lore_ranked_rows_admit(other, w->bearing, c->most))
        return;
    for (uint32_t i = 0; i < n; i++) {
        const struct lore_row *row = &c->v[i];
        lore_rank_row(s->ix, s->ix->verdict[row->code].is[LORE_N_OWN] ? won : other, row,
            shaped ? lore_bearing(s, w, lore_alike(s, w, row->workload)) : w->bearing);
    }
}

/* The worst of all, of equals the first. */
static void
see_worst(struct look *l, const struct lore_cell_rows *c, uint32_t n)
{
    const struct lore_evidence_index *ix = l->s->ix;
    struct lore_cites *out = l->out;

    if (!(c->least <= out->worst_log) || c->least == INFINITY)
        return;
    for (uint32_t i = 0; i < n; i++) {
        const struct lore_row *row = &c->v[i];
        if (lore_own_log(&ix->verdict[row->code], row->log) != c->least ||
            (c->least == out->worst_log && out->worst != LORE_NO_ROW &&
                ix->row[out->worst].seq < ix->row[row->number].seq))
            continue;
        out->worst = row->number;
        out->worst_log = c->least;
    }
}

static bool
is_near(const struct look *l, const struct lore_weighed *w)
{
    return l->t->here > 0 ? w->here : w->level == lore_words_closest(l->t);
}

static void
see_cell(struct look *l, const struct lore_cell_rows *c, uint32_t n, uint32_t place)
{
    const struct lore_weighed *w = &l->s->place[place];
    const struct lore_evidence_index *ix = l->s->ix;
    struct lore_words_seen *seen = &l->out->seen;
    uint32_t op = lore_pair_high(ix->operators.key[lore_pair_high(ix->places.key[place])]);

    see_cited(l, c, n, w);
    if (!l->s->q->brief) {
        see_workloads(l, c->v, n);
        see_worst(l, c, n);
    }
    if (!is_near(l, w)) {
        if (c->count[LORE_N_OWN] > 0)
            name_op(l->s, &seen->far, op);
        return;
    }
    see_logs(l, c->v, n);
    name_op(l->s, &seen->near, op);
    if (w->years < seen->years)
        seen->years = w->years;
}

void
lore_collect_cites(const struct lore_scan *s, const struct lore_tried *t, struct lore_cites *out)
{
    uint32_t all = 0, near = t->here > 0 ? t->here : t->level[lore_words_closest(t)].tried;
    const struct lore_cells_of *of = &s->ix->technique[lore_keys_find(&s->ix->techniques, t->name)];
    struct look l = {.s = s, .t = t, .out = out};

    for (int i = 0; i < LORE_T_COUNT; i++)
        all += t->travel[i];
    *out = (struct lore_cites){.worst = LORE_NO_ROW,
        .worst_log = INFINITY,
        .seen.years = INT_MAX,
        .won.cap = LORE_CITED,
        .other.cap = LORE_CITED};
    l.all.stride = all / LOOKED_AT + 1;
    l.near.stride = near / LOOKED_AT + 1;
    l.logs = lore_alloc_array(s->arena, (size_t)near / l.near.stride + 1, sizeof *l.logs);
    l.workloads = lore_alloc_array(s->arena, s->n_names / 64 + 1, sizeof *l.workloads);
    out->sampled = l.all.stride > 1;
    for (uint32_t i = 0; i < of->places.n; i++)
        if (s->place[of->cell[i].place].weight > 0 && of->cell[i].n > 0)
            see_cell(&l, &of->rows[i], of->cell[i].n, of->cell[i].place);
    out->seen.measured = l.n_logs;
    out->seen.median = l.n_logs > 0 ? exp(lore_select_median(l.logs, l.n_logs)) : 0;
}
