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
bool
lore_ranked_rows_admit(const struct lore_ranked_rows *list, float bearing, float effect)
{
    const struct lore_ranked *last = &list->v[list->cap - 1];

    return list->n < list->cap || bearing > last->bearing ||
           (bearing == last->bearing && effect >= last->effect);
}

void
lore_rank_row(const struct lore_evidence_index *ix, struct lore_ranked_rows *list,
    const struct lore_row *row, float bearing)
{
    float effect = isnan(row->log) ? 0 : fabsf(row->log);

    if (lore_ranked_rows_admit(list, bearing, effect))
        lore_rank(
            list, (struct lore_ranked){row->number, ix->row[row->number].seq, bearing, effect});
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

    t->backed += w->claimed ? 0 : c->won;
    t->travel[w->travel] += c->n;
    t->won_at[w->travel] += c->won;
    at->tried += c->n;
    at->judged += c->judged;
    at->wins += c->won;
    at->near_wins += w->travel <= s->near ? c->won : 0;
    if (!w->here)
        return;
    t->here += c->n;
    t->here_judged += c->judged;
    t->won_here += c->won;
}

static void
count_rows(
    const struct lore_cell_rows *c, const struct lore_weighed *w, uint32_t n, struct lore_tried *t)
{
    for (int i = 0; i < LORE_X_COUNT; i++)
        t->effect[i] += c->count[i];
    t->inert += c->count[LORE_N_INERT];
    t->absent += c->count[LORE_N_ABSENT];
    t->said_lost += c->count[LORE_N_SAID];
    t->incorrect += c->count[LORE_N_WRONG];
    t->process_faults += w->process_broken ? n : 0;
    t->lost_at[w->travel] += c->count[LORE_N_LOST];
    t->level[w->level].losses += c->count[LORE_N_LOST];
    if (!w->here)
        return;
    t->here_exact += w->travel == LORE_T_SAME_CHIP ? n : 0;
    t->lost_here += c->count[LORE_N_LOST];
    t->inert_here += c->count[LORE_N_INERT];
}

void
lore_scan_count(const struct lore_scan *s, const struct lore_tried *listed)
{
    uint32_t id = lore_keys_find(&s->ix->techniques, listed->name);
    const struct lore_cells_of *of = &s->ix->technique[id];

    for (uint32_t i = 0; i < of->places.n; i++) {
        const struct lore_weighed *w = &s->place[of->cell[i].place];
        if (w->weight > 0)
            count_rows(&of->rows[i], w, of->cell[i].n, &s->tried[listed - s->tried]);
    }
}

/* Whether a row of the place, of at most that effect, could be among the most similar ones. */
static bool
may_be_similar(const struct lore_scan *s, const struct lore_weighed *w, float effect)
{
    return w->bearing >= s->similar_cut && w->bearing > s->matched_w &&
           lore_ranked_rows_admit(&s->similar, w->bearing, effect);
}

/* The rows of a cell, to find the most similar experiments and those of alike shapes, whose sums
 * are added up in ALIKE. */
static void
add_rows(struct lore_scan *s, const struct lore_row *rows, uint32_t n, const struct lore_weighed *w,
    struct lore_tried *t, struct lore_sums *alike)
{
    for (uint32_t i = 0; i < n; i++) {
        const struct lore_row *row = &rows[i];
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

bool
lore_scan_contradicts(const struct lore_scan *s, const struct lore_technique *known)
{
    return known && known->triggers != 0 && (known->triggers & ~s->not_limits) == 0;
}

/* SUMS at LEVEL, times AS for being alike. */
static inline void
add_level(const struct lore_scan *s, const struct lore_weighed *w, const struct lore_sums *sums,
    double as, enum lore_tally_level level, struct lore_tried *t)
{
    double weight = w->weight * as, judged = weight * sums->judged;

    add_sums(&t->level[level], sums, weight);
    t->here_w += w->here && (level == LORE_LEVEL_SHAPE || !s->shaped) ? judged : 0;
    t->same_labels_w += (double)w->same_labels * judged;
}

/* The rows of a cell are of shapes that are alike, and others. */
static void
add_shapes(const struct lore_scan *s, const struct lore_weighed *w, const struct lore_sums *all,
    const struct lore_sums *alike, struct lore_tried *t)
{
    struct lore_sums rest = rest_of(all, alike);

    add_level(s, w, &rest, lore_scan_witnesses(s, &rest), w->level, t);
    add_level(s, w, alike, lore_scan_witnesses(s, alike), LORE_LEVEL_SHAPE, t);
}

static void
compare_places(const struct lore_sums *all, struct lore_between *b)
{
    if (!(all->judged > 0))
        return;
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
add_fit(struct fit *f, uint32_t triggers, const struct lore_weighed *w,
    const struct lore_sums *sums, double as)
{
    bool fits = (triggers & w->labels) != 0;

    if (triggers == 0 || w->labels == 0)
        return;
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
    struct lore_tried *t = &s->tried[s->n_tried];
    struct fit fit = {0};
    size_t tried = 0;

    for (uint32_t i = 0; i < of->places.n; i++) {
        const struct lore_cell *c = &of->cell[i];
        const struct lore_weighed *w = &s->place[c->place];
        double as = lore_scan_witnesses(s, &c->sums);
        struct lore_sums alike = {0};
        if (!(w->weight > 0) || c->n == 0)
            continue;
        if ((s->some_alike && w->level == LORE_LEVEL_OPERATOR) ||
            may_be_similar(s, w, of->rows[i].most))
            add_rows(s, of->rows[i].v, c->n, w, t, &alike);
        if (alike.judged + alike.gains > 0)
            add_shapes(s, w, &c->sums, &alike, t);
        else
            add_level(s, w, &c->sums, as, w->level, t);
        if (w->level == LORE_LEVEL_OPERATOR)
            compare_places(&c->sums, &t->between);
        add_fit(&fit, of->triggers, w, &c->sums, as);
        count_cell(s, c, w, t);
        tried += c->n;
    }
    if (of->nameless)
        *t = (struct lore_tried){0};
    if (tried == 0 || of->nameless)
        return;
    compare_fits(s, &fit);
    finish(s, t);
    t->name = (uint32_t)s->ix->techniques.key[id];
    s->slot[id] = (uint32_t)++s->n_tried;
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
    s->tried = lore_alloc_array(arena, (size_t)ix->techniques.n + 1, sizeof *s->tried);
    lore_weigh(s);
    add_places(s);
    for (uint32_t i = 0; i < ix->techniques.n; i++)
        add_technique(s, i);
    while (s->nearest < LORE_T_UNKNOWN && s->from[s->nearest] == 0)
        s->nearest++;
}
