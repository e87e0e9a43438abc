/* One question over all evidence. What depends on the question alone is in tables before the pass
 * (weigh.c): a cell costs two look-ups and a few additions. One technique after the other: its
 * sums, by outcome and level, stay in the cache and become its tallies when its cells are done.
 * Rows are looked at where they differ: in their shapes, when one is asked about, and to find the
 * most similar among those of the cells that bear most. An experiment with several techniques gives
 * each an equal share of its weight: together they count as one experiment. */
#include "scan.h"

#include <math.h>
#include <string.h>

static bool
tells_more(struct lore_ranked a, struct lore_ranked b)
{
    if (a.bearing != b.bearing)
        return a.bearing > b.bearing;
    return a.effect != b.effect ? a.effect > b.effect : a.seq > b.seq;
}

void
lore_rank(struct lore_ranked *list, size_t *n, size_t cap, struct lore_ranked next)
{
    size_t i = *n;

    if (*n == cap && !tells_more(next, list[cap - 1]))
        return;
    if (*n < cap)
        ++*n;
    else
        i--;
    for (; i > 0 && tells_more(next, list[i - 1]); i--)
        list[i] = list[i - 1];
    list[i] = next;
}

/* ---- the cells of one technique ---- */

struct at_hand {
    struct lore_scan *s;
    const struct lore_shelf *shelf;
    bool marked; /* some of its cells are: on the operator, when a shape is asked about */
};

/* PART of N experiments of weight W each, with the sums of their ln speedups. */
static inline void
add_weights(struct lore_weights *t, double w, double n, double x, double xx)
{
    t->w += w * n;
    t->x += w * x;
    t->xx += w * xx;
}

static inline struct lore_sums *
use_sums(struct lore_scan *s, const struct lore_placed *p, enum lore_level level)
{
    uint32_t at = p->outcome * LORE_LEVEL_COUNT + (uint32_t)level;
    struct lore_sums *t = &s->sums[at];

    if (!t->used)
        s->used[s->n_used++] = at;
    t->used = true;
    return t;
}

/* A cell is kept while there may be a row in it that is among the most similar: of each cell there
 * is one row as good as its best, of a loose one a row as good as no effect. */
static void
offer_cell(struct at_hand *h, uint32_t cell, float bearing)
{
    struct lore_scan *s = h->s;
    const struct lore_cell *c = &h->shelf->cells[cell];
    struct lore_ranked best = {.bearing = bearing, .effect = c->most}, sure = best;

    if (s->sure.n == LORE_SIMILAR && tells_more(s->sure.v[LORE_SIMILAR - 1], best))
        return;
    sure.effect = c->loose ? 0 : c->most;
    lore_rank(s->sure.v, &s->sure.n, LORE_SIMILAR, sure);
    *LORE_PUSH(s->arena, s->nearby, s->n_nearby, s->cap_nearby) =
        (struct lore_near){(uint32_t)(h->shelf - s->ix->shelves), cell, best};
}

static void
mark(struct at_hand *h, uint32_t cell)
{
    h->s->mark[cell] = 1;
    h->marked = true;
}

/* What a cell must bear for a look at whether it holds one of the most similar. */
static float
needed(const struct lore_scan *s)
{
    float least = nextafterf(s->matched_w, 1); /* only matches are similar */

    return s->sure.n < LORE_SIMILAR ? least : fmaxf(least, s->sure.v[LORE_SIMILAR - 1].bearing);
}

static void
add_cells(struct at_hand *h)
{
    struct lore_scan *s = h->s;
    const struct lore_placed *place = s->place;
    const struct lore_weighed *context[2] = {s->context[0], s->context[1]};
    const bool shaped = s->shaped;
    float cut = needed(s);

    for (uint32_t i = 0; i < h->shelf->n_cells; i++) {
        const struct lore_cell *c = &h->shelf->cells[i];
        const struct lore_placed *p = &place[c->place];
        const struct lore_weighed *v = &context[p->said][c->context];
        float w = v->weight, bearing = w * s->level_w[p->level];
        if (c->n == 0 || w < 0 || p->skip)
            continue;
        struct lore_sums *t = use_sums(s, p, (enum lore_level)p->level);
        t->n[v->slot[p->level]] += c->n;
        add_weights(&t->sum, w, c->n, c->x, c->xx);
        add_weights(&t->share, w / p->siblings, c->n, c->x, c->xx);
        if (bearing >= cut && p->first) {
            offer_cell(h, i, bearing);
            cut = needed(s);
        }
        if (shaped && p->level == LORE_LEVEL_OPERATOR)
            mark(h, i);
    }
}

/* ---- rows ---- */

static struct lore_ranked
ranked(const struct lore_scan *s, uint32_t row, float bearing)
{
    const struct lore_chunk *c = s->ix->chunks[row / LORE_CHUNK];
    float log = lore_fact_of(s->ix, row)->log;

    return (struct lore_ranked){
        row, c->seq[row % LORE_CHUNK], bearing, isnan(log) ? 0 : fabsf(log)};
}

/* A row of a shape that is alike by ALIKE, which is in the operator level's sums with all its
 * weight: that part of it is the shape level's. */
static void
add_alike(struct lore_scan *s, const struct lore_cell *cell, float log, uint32_t row, float alike)
{
    const struct lore_placed *p = &s->place[cell->place];
    const struct lore_weighed *v = &s->context[p->said][cell->context];
    struct lore_sums *op = &s->sums[p->outcome * LORE_LEVEL_COUNT + LORE_LEVEL_OPERATOR];
    struct lore_sums *shape = use_sums(s, p, LORE_LEVEL_SHAPE);
    float bearing = v->weight * (alike + (1 - alike) * s->level_w[LORE_LEVEL_OPERATOR]);
    double x = isnan(log) ? 0 : lore_clamped(log, s->clamp);
    double w = v->weight, share = v->weight / p->siblings,
           kept = 1 - alike; /* kept: a difference of floats */
    uint8_t was = v->slot[LORE_LEVEL_OPERATOR];
    uint8_t slot =
        lore_slot((enum lore_travel)v->travel, bearing > s->matched_w, was >= 2 * LORE_T_COUNT);

    op->n[was]--;
    op->n[slot]++;
    shape->n[slot]++;
    add_weights(&op->sum, w * (kept - 1), 1, x, x * x);
    add_weights(&shape->sum, w * alike, 1, x, x * x);
    add_weights(&op->share, share * (kept - 1), 1, x, x * x);
    add_weights(&shape->share, share * alike, 1, x, x * x);
    if (!p->first || bearing <= s->matched_w)
        return;
    const struct lore_similar *similar = &s->similar;
    if (similar->n < LORE_SIMILAR || bearing >= similar->v[LORE_SIMILAR - 1].bearing)
        lore_rank(s->similar.v, &s->similar.n, LORE_SIMILAR, ranked(s, row, bearing));
}

static void
offer_row(struct lore_scan *s, uint32_t row)
{
    struct lore_said said = lore_scan_row(s, row);

    if (said.alike == 0) /* else it was offered already */
        lore_rank(s->similar.v, &s->similar.n, LORE_SIMILAR, ranked(s, row, said.bearing));
}

/* Of N facts those in marked cells, without a branch that would be guessed wrong. */
static uint32_t
marked(const struct lore_scan *s, const struct lore_fact *facts, uint32_t n, uint8_t *at)
{
    const uint8_t *mark = s->mark;
    uint32_t found = 0;

    for (uint32_t i = 0; i < n; i++) {
        at[found] = (uint8_t)i;
        found += mark[facts[i].cell];
    }
    return found;
}

/* The rows of SHELF in marked cells: those of alike shapes into the sums, or all offered as
 * similar. Unmarks the cells. */
static void
each_marked(struct lore_scan *s, const struct lore_shelf *shelf, bool alike)
{
    uint8_t found[LORE_CHUNK];

    for (uint32_t k = 0, at = 0; at < shelf->n; k++) {
        uint32_t room = lore_chunk_room(k), left = shelf->n - at;
        uint32_t first = shelf->chunks[k] * LORE_CHUNK;
        const struct lore_fact *facts = shelf->facts + at;
        uint32_t n = marked(s, facts, left < room ? left : room, found);
        const uint32_t *workload = n > 0 ? s->ix->chunks[shelf->chunks[k]]->workload : NULL;
        for (uint32_t i = 0; i < n; i++) {
            const struct lore_fact *f = &facts[found[i]];
            uint32_t row = first + found[i], shape = workload[found[i]];
            if (!alike)
                offer_row(s, row);
            else if (shape != LORE_NO_NAME && s->alike[shape] > 0)
                add_alike(s, &shelf->cells[f->cell], f->log, row, s->alike[shape]);
        }
        at += room;
    }
    memset(s->mark, 0, shelf->n_cells);
}

/* The most similar experiments are in the cells that are as good as what there is for sure. */
static void
find_similar(struct lore_scan *s)
{
    struct lore_ranked least = {.bearing = -1};

    if (s->sure.n == LORE_SIMILAR)
        least = s->sure.v[LORE_SIMILAR - 1];
    for (size_t i = 0, next; i < s->n_nearby; i = next) {
        const struct lore_shelf *shelf = &s->ix->shelves[s->nearby[i].shelf];
        bool any = false;
        for (next = i; next < s->n_nearby && s->nearby[next].shelf == s->nearby[i].shelf; next++) {
            bool may = !tells_more(least, s->nearby[next].best);
            s->mark[s->nearby[next].cell] = may;
            any = any || may;
        }
        if (any)
            each_marked(s, shelf, false);
    }
}

/* ---- from its sums to its tallies ---- */

struct counted { /* sums, with what the slots stand for taken apart */
    const struct lore_sums *sums;
    uint32_t n, faults, travel[LORE_T_COUNT], matched[LORE_T_COUNT];
};

static uint32_t
up_to(const uint32_t n[LORE_T_COUNT], int last)
{
    uint32_t sum = 0;

    for (int t = 0; t <= last; t++)
        sum += n[t];
    return sum;
}

static struct counted
counted(const struct lore_sums *sums)
{
    struct counted c = {.sums = sums};

    for (int t = 0; t < LORE_T_COUNT; t++) {
        const uint32_t *n = &sums->n[t];
        uint32_t matched = n[LORE_T_COUNT], broken = n[2 * LORE_T_COUNT];
        uint32_t both = n[3 * LORE_T_COUNT];
        c.travel[t] = n[0] + matched + broken + both;
        c.matched[t] = matched + both;
        c.faults += broken + both;
        c.n += c.travel[t];
    }
    return c;
}

static void
add_gain(struct lore_tally *t, const struct lore_weights *sum)
{
    t->gain_w += sum->w;
    t->gain_x += sum->x;
    t->gain_xx += sum->xx;
}

/* What is counted once per experiment. */
static void
count_experiments(struct lore_scan *s, const struct lore_judged *j, const struct counted *c, int l)
{
    uint32_t on_chip = up_to(c->travel, LORE_T_SAME_ISA);
    bool on_op = l == LORE_LEVEL_OPERATOR;

    if (j->is.measured && !j->wrong)
        add_gain(&s->all, &c->sums->sum);
    if (j->counts) {
        s->base_w += c->sums->sum.w;
        s->base_won += j->won ? c->sums->sum.w : 0;
    }
    if (l == LORE_LEVEL_SHAPE)
        return;
    s->considered += c->n;
    s->on_operator += on_op ? c->n : 0;
    s->on_chip += on_chip;
    s->on_both += on_op ? on_chip : 0;
    s->on_both_exact += on_op ? c->travel[LORE_T_SAME_CHIP] : 0;
    for (int t = 0; t < LORE_T_COUNT; t++) {
        s->matched += c->matched[t];
        s->from[t] += c->matched[t];
    }
    s->judged += j->counts ? c->n : 0;
    s->wins += j->won ? c->n : 0;
}

/* What is counted of those on the operator and chip; HERE of them. */
static void
count_here(const struct lore_judged *j, bool won, bool lost, const struct counted *c, uint32_t here,
    struct lore_tried *t)
{
    bool inert = j->none && j->is.share == LORE_SHARE_INERT;

    t->here += here;
    t->here_exact += c->travel[LORE_T_SAME_CHIP];
    t->here_judged += j->counts ? here : 0;
    t->won_here += won ? here : 0;
    t->lost_here += lost ? here : 0;
    t->inert_here += inert ? here : 0;
}

/* Counts, in whole experiments; finish() adds up what is the sum of these. */
static void
count_technique(const struct lore_scan *s, const struct lore_judged *j, const struct counted *c,
    int l, struct lore_tried *t)
{
    struct lore_tally *level = &t->level[l];
    bool won = j->won && !j->none;
    bool lost = j->counts && !won && !j->none && (j->wrong || j->is.effect != LORE_X_NEUTRAL);
    uint32_t n = c->n;

    t->effect[j->none ? LORE_X_NEUTRAL : j->is.effect] += n;
    t->inert += j->none && j->is.share == LORE_SHARE_INERT ? n : 0;
    t->absent += j->none && j->is.share == LORE_SHARE_ABSENT ? n : 0;
    t->said_lost += j->is.said_lost && j->is.effect == LORE_X_NOT_MEASURED ? n : 0;
    t->process_faults += c->faults;
    t->incorrect += j->wrong ? n : 0;
    level->tried += n;
    level->judged += j->counts ? n : 0;
    level->wins += won ? n : 0;
    level->losses += lost ? n : 0;
    level->near_wins += won ? up_to(c->travel, (int)s->near) : 0;
    if (l == LORE_LEVEL_OPERATOR)
        count_here(j, won, lost, c,
            up_to(c->travel, s->q->chip == NULL ? LORE_T_COUNT - 1 : LORE_T_SAME_ISA), t);
    for (int i = 0; i < LORE_T_COUNT; i++) {
        t->travel[i] += c->travel[i];
        t->won_at[i] += won ? c->travel[i] : 0;
        t->lost_at[i] += lost ? c->travel[i] : 0;
    }
}

static void
add_technique(const struct lore_scan *s, const struct lore_judged *j, const struct counted *c,
    int l, struct lore_tried *t)
{
    struct lore_tally *level = &t->level[l];

    if (l == LORE_LEVEL_SHAPE)
        t->alike += c->n;
    else
        count_technique(s, j, c, l, t);
    if (j->none && j->is.share == LORE_SHARE_INERT)
        level->gain_w += c->sums->share.w; /* a gain of nothing */
    else if (!j->none && !j->wrong && j->is.measured)
        add_gain(level, &c->sums->share);
    if (!j->counts)
        return;
    level->w += c->sums->share.w;
    level->won += j->won && !j->none ? c->sums->share.w : 0;
}

/* The sums of the technique go into the tallies; T is NULL when the name stands for nothing. */
static void
close_sums(struct lore_scan *s, struct lore_tried *t)
{
    for (size_t i = 0; i < s->n_used; i++) {
        const struct lore_judged *j = &s->outcome[s->used[i] / LORE_LEVEL_COUNT];
        int level = (int)(s->used[i] % LORE_LEVEL_COUNT);
        struct lore_sums *sums = &s->sums[s->used[i]];
        struct counted c = counted(sums);
        if (j->is.first)
            count_experiments(s, j, &c, level);
        if (t != NULL)
            add_technique(s, j, &c, level, t);
        *sums = (struct lore_sums){0};
    }
    s->n_used = 0;
}

static void
add_shelf(struct lore_scan *s, const struct lore_shelf *shelf)
{
    bool named = !lore_evidence_nameless(s->ix, shelf->technique);
    struct lore_tried t = {.name = shelf->technique, .shelf = shelf};
    struct at_hand h = {.s = s, .shelf = shelf};

    add_cells(&h);
    if (h.marked)
        each_marked(s, shelf, true);
    close_sums(s, named ? &t : NULL);
    if (!named || up_to(t.travel, LORE_T_COUNT - 1) == 0)
        return;
    *LORE_PUSH(s->arena, s->tried, s->n_tried, s->cap_tried) = t;
    s->slot[shelf->technique] = (uint32_t)s->n_tried;
}

static void
finish(struct lore_scan *s)
{
    for (size_t i = 0; i < s->n_tried; i++) {
        struct lore_tried *t = &s->tried[i];
        for (int l = 0; l < LORE_LEVEL_COUNT; l++) {
            t->wins += t->level[l].wins;
            t->misses += t->level[l].judged - t->level[l].wins;
            t->effective_n += t->level[l].w * s->level_w[l];
        }
        t->close_wins = t->level[LORE_LEVEL_OPERATOR].wins + t->won_at[LORE_T_SAME_CHIP] +
                        t->won_at[LORE_T_SAME_ISA];
    }
    while (s->nearest < LORE_T_UNKNOWN && s->from[s->nearest] == 0)
        s->nearest++;
}

void
lore_scan_run(struct lore_scan *s, const struct lore_evidence_index *ix,
    const struct lore_question *q, struct lore_arena *arena)
{
    uint32_t most = 0;

    *s = (struct lore_scan){.ix = ix, .q = q, .arena = arena};
    s->slot = lore_alloc_array(arena, lore_evidence_names(ix) + 1, sizeof *s->slot);
    lore_weigh(s);
    for (uint32_t i = 0; i < ix->shelf_keys.n; i++)
        most = ix->shelves[i].n_cells > most ? ix->shelves[i].n_cells : most;
    s->mark = lore_alloc_array(arena, (size_t)most + 1, sizeof *s->mark);
    for (uint32_t i = 0; i < ix->shelf_keys.n; i++)
        add_shelf(s, &ix->shelves[i]);
    find_similar(s);
    finish(s);
}
