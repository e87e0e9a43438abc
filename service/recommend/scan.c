/* The pass over the evidence (scan.h). It visits every place once, to count experiments, and every
 * cell once, to count techniques. A cell adds its sums times its weight to the tally
 * of its level. Rows are looked at where they differ: in their shapes, when one is asked about, and
 * to find those that bear most. An experiment with several techniques gives each an equal share of
 * its weight: together they count as one experiment. */
#include "service/recommend/scan.h"

#include <math.h>

/* A difference of two sums that is smaller than this part of the first one is a rounding error. */
#define ROUNDING 1e-9

/* ---- ranking ---- */

static bool
tells_more(struct lore_ranked a, struct lore_ranked b)
{
    if (a.bearing != b.bearing)
        return a.bearing > b.bearing;
    return a.effect != b.effect ? a.effect > b.effect : a.seq > b.seq;
}

void
lore_rank(struct lore_ranked_rows *list, struct lore_ranked next)
{
    size_t i = list->n;

    if (list->n == list->cap && !tells_more(next, list->v[i - 1]))
        return;
    if (list->n < list->cap)
        list->n++;
    else
        i--;
    for (; i > 0 && tells_more(next, list->v[i - 1]); i--)
        list->v[i] = list->v[i - 1];
    list->v[i] = next;
}

/* Most rows are below the last of the list, and not looked at any further. */
void
lore_rank_row(const struct lore_evidence_index *ix, struct lore_ranked_rows *list,
    const struct lore_row *row, float bearing)
{
    float effect = isnan(row->log) ? 0 : fabsf(row->log);
    struct lore_ranked last = list->v[list->cap - 1];

    if (list->n == list->cap &&
        (bearing < last.bearing || (bearing == last.bearing && effect < last.effect)))
        return;
    lore_rank(list, (struct lore_ranked){row->number, ix->row[row->number].seq, bearing, effect});
}

/* ---- experiments ---- */

static void
add_sums(struct lore_tally *t, const struct lore_sums *sums, double weight)
{
    t->w += weight * sums->judged;
    t->won += weight * sums->won;
    t->gain_w += weight * sums->gains;
    t->gain_x += weight * sums->x;
    t->gain_xx += weight * sums->xx;
}

static void
add_place(struct lore_scan *s, const struct lore_place *p, const struct lore_weighed *w)
{
    bool on_op = w->level == LORE_LEVEL_OPERATOR, on_chip = w->travel <= LORE_T_SAME_ISA;
    bool matched = w->bearing > s->matched_w;

    s->considered += p->n;
    s->on_operator += on_op ? p->n : 0;
    s->on_chip += on_chip ? p->n : 0;
    s->on_both += on_op && on_chip ? p->n : 0;
    s->on_both_exact += on_op && w->travel == LORE_T_SAME_CHIP ? p->n : 0;
    s->matched += matched ? p->n : 0;
    s->from[w->travel] += matched ? p->n : 0;
    s->judged += p->judged;
    s->wins += p->won;
    add_sums(&s->all, &p->sums, w->weight);
}

/* The places that bear most and hold LORE_SIMILAR experiments say what the most similar ones bear
 * at least. */
static void
add_places(struct lore_scan *s)
{
    struct lore_ranked_rows best = {.cap = LORE_SIMILAR};
    size_t n = 0;

    for (uint32_t i = 0; i < s->ix->places.n; i++) {
        const struct lore_place *p = &s->ix->place[i];
        if (!(s->place[i].weight > 0) || p->n == 0)
            continue;
        add_place(s, p, &s->place[i]);
        lore_rank(&best, (struct lore_ranked){i, 0, s->place[i].bearing, 0});
    }
    for (size_t i = 0; i < best.n && n < LORE_SIMILAR; i++) {
        n += s->ix->place[best.v[i].row].n;
        s->similar_cut = n < LORE_SIMILAR ? 0 : best.v[i].bearing;
    }
    s->base_w = s->all.w;
    s->base_won = s->all.won;
}

/* ---- techniques ---- */

static void
count_cell(const struct lore_scan *s, const struct lore_cell *c, const struct lore_weighed *w,
    struct lore_tried *t)
{
    struct lore_tally *at = &t->level[w->level];

    for (int i = 0; i < LORE_X_COUNT; i++)
        t->effect[i] += c->count[i];
    t->inert += c->count[LORE_N_INERT];
    t->absent += c->count[LORE_N_ABSENT];
    t->said_lost += c->count[LORE_N_SAID];
    t->incorrect += c->count[LORE_N_WRONG];
    t->process_faults += w->process_broken ? c->n : 0;
    t->backed += w->claimed ? 0 : c->count[LORE_N_OWN];
    t->travel[w->travel] += c->n;
    t->won_at[w->travel] += c->count[LORE_N_OWN];
    t->lost_at[w->travel] += c->count[LORE_N_LOST];
    at->tried += c->n;
    at->judged += c->count[LORE_N_JUDGED];
    at->wins += c->count[LORE_N_OWN];
    at->losses += c->count[LORE_N_LOST];
    at->near_wins += w->travel <= s->near ? c->count[LORE_N_OWN] : 0;
    if (!w->here)
        return;
    t->here += c->n;
    t->here_exact += w->travel == LORE_T_SAME_CHIP ? c->n : 0;
    t->here_judged += c->count[LORE_N_JUDGED];
    t->won_here += c->count[LORE_N_OWN];
    t->lost_here += c->count[LORE_N_LOST];
    t->inert_here += c->count[LORE_N_INERT];
}

/* The rows of a cell, to find the most similar experiments and those of alike shapes, whose sums
 * are added up in ALIKE. */
static void
add_rows(struct lore_scan *s, const struct lore_cell *c, const struct lore_weighed *w,
    struct lore_tried *t, struct lore_sums *alike)
{
    for (uint32_t i = 0; i < c->n; i++) {
        const struct lore_row *row = &c->rows[i];
        float as = lore_alike(s, w, row->workload);
        if (as == 0 && w->bearing < s->similar_cut)
            continue;
        float bearing = lore_bearing(s, w, as);
        if (as > 0) {
            lore_sums_add(alike, &s->ix->verdict[row->code], lore_row_x(s->ix, row),
                (double)as / row->siblings);
            t->alike++;
        }
        if (!row->first || !(bearing > s->matched_w))
            continue;
        s->matched += !(w->bearing > s->matched_w);
        s->from[w->travel] += !(w->bearing > s->matched_w);
        if (bearing >= s->similar_cut)
            lore_rank_row(s->ix, &s->similar, row, bearing);
    }
}

static double
without(double all, double part)
{
    double left = all - part;

    return left > all * ROUNDING ? left : 0;
}

/* What is left of a cell's sums when the share of alike shapes is theirs. */
static struct lore_sums
rest_of(const struct lore_sums *all, const struct lore_sums *alike)
{
    struct lore_sums rest = {without(all->judged, alike->judged), without(all->won, alike->won),
        without(all->gains, alike->gains), all->x - alike->x, without(all->xx, alike->xx)};

    rest.won = fmin(rest.won, rest.judged);
    rest.x = rest.gains > 0 ? rest.x : 0;
    return rest;
}

/* Results of one technique in one place are alike: N of them tell as much as N / (1 + (N - 1) r)
 * of different places, at most 1 / r. */
double
lore_scan_witnesses(const struct lore_scan *s, const struct lore_sums *sums)
{
    double n = fmax(sums->judged, sums->gains);

    return n > 1 ? 1 / (1 + (n - 1) * s->witness) : 1;
}

bool
lore_scan_contradicts(const struct lore_scan *s, const struct lore_technique *known)
{
    return known && known->triggers != 0 && (known->triggers & ~s->not_limits) == 0;
}

static void
add_sums_of(struct lore_scan *s, const struct lore_weighed *w, const struct lore_sums *all,
    const struct lore_sums *alike, struct lore_tried *t)
{
    struct lore_sums rest = alike->judged + alike->gains > 0 ? rest_of(all, alike) : *all;
    double weight = w->weight * lore_scan_witnesses(s, &rest),
           shape = w->weight * lore_scan_witnesses(s, alike);
    double judged = weight * rest.judged, of_shape = shape * alike->judged;

    add_sums(&t->level[w->level], &rest, weight);
    add_sums(&t->level[LORE_LEVEL_SHAPE], alike, shape);
    t->here_w += w->here ? of_shape + (s->shaped ? 0 : judged) : 0;
    t->same_labels_w += (w->labels & s->q->labels) != 0 ? judged + of_shape : 0;
    if (w->level != LORE_LEVEL_OPERATOR || !(all->judged > 0))
        return;
    struct lore_between *b = &t->between;
    b->n++;
    b->w += all->judged;
    b->ww += all->judged * all->judged;
    b->won += all->won;
    b->won2 += all->won * all->won / all->judged;
}

/* Places with a bottleneck that the technique is for, and those with others. */
struct fit {
    double n[2], won[2];
};

static void
add_fit(struct fit *f, const struct lore_scan *s, uint32_t triggers, const struct lore_weighed *w,
    const struct lore_sums *sums)
{
    bool fits = (triggers & w->labels) != 0;

    if (triggers == 0 || w->labels == 0)
        return;
    double as = lore_scan_witnesses(s, sums);
    f->n[fits] += as * sums->judged;
    f->won[fits] += as * sums->won;
}

static void
compare_fits(struct lore_scan *s, const struct fit *f)
{
    double n = f->n[0] + f->n[1];

    if (!(n > 0))
        return;
    s->won_against += f->won[0] * (f->n[1] - f->won[1]) / n;
    s->won_for += f->won[1] * (f->n[0] - f->won[0]) / n;
}

static void
finish(const struct lore_scan *s, struct lore_tried *t)
{
    for (int l = 0; l < LORE_LEVEL_COUNT; l++) {
        t->wins += t->level[l].wins;
        t->misses += t->level[l].judged - t->level[l].wins;
        t->effective_n += t->level[l].w * s->level_w[l];
    }
    t->close_wins = t->level[LORE_LEVEL_OPERATOR].wins + t->won_at[LORE_T_SAME_CHIP] +
                    t->won_at[LORE_T_SAME_ISA];
}

static void
add_technique(struct lore_scan *s, uint32_t id)
{
    const struct lore_cells_of *of = &s->ix->technique[id];
    struct lore_tried t = {.name = (uint32_t)s->ix->techniques.key[id]};
    struct fit fit = {0};
    size_t tried = 0;

    for (uint32_t i = 0; i < of->places.n; i++) {
        const struct lore_cell *c = &of->cell[i];
        const struct lore_weighed *w = &s->place[of->places.key[i]];
        struct lore_sums alike = {0};
        if (!(w->weight > 0) || c->n == 0)
            continue;
        if ((s->some_alike && w->level == LORE_LEVEL_OPERATOR) || w->bearing >= s->similar_cut)
            add_rows(s, c, w, &t, &alike);
        add_sums_of(s, w, &c->sums, &alike, &t);
        add_fit(&fit, s, of->triggers, w, &c->sums);
        count_cell(s, c, w, &t);
        tried += c->n;
    }
    if (tried == 0 || of->nameless)
        return;
    compare_fits(s, &fit);
    finish(s, &t);
    *LORE_PUSH(s->arena, s->tried, s->n_tried, s->cap_tried) = t;
    s->slot[id] = (uint32_t)s->n_tried;
}

const struct lore_tried *
lore_tried_of(const struct lore_scan *s, const char *technique)
{
    uint32_t name = lore_evidence_find(s->ix, technique);
    uint32_t id = name != LORE_NO_NAME ? lore_keys_find(&s->ix->techniques, name) : LORE_NO_KEY;

    return id != LORE_NO_KEY && s->slot[id] > 0 ? &s->tried[s->slot[id] - 1] : NULL;
}

void
lore_scan_run(struct lore_scan *s, const struct lore_evidence_index *ix,
    const struct lore_question *q, struct lore_arena *arena)
{
    *s = (struct lore_scan){.ix = ix, .q = q, .arena = arena, .similar.cap = LORE_SIMILAR};
    s->slot = lore_alloc_array(arena, (size_t)ix->techniques.n + 1, sizeof *s->slot);
    lore_weigh(s);
    add_places(s);
    for (uint32_t i = 0; i < ix->techniques.n; i++)
        add_technique(s, i);
    while (s->nearest < LORE_T_UNKNOWN && s->from[s->nearest] == 0)
        s->nearest++;
}
