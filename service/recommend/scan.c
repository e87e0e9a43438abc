/* One question over all evidence. What depends on the question alone is in tables before the pass
 * (weigh.c): a row costs two look-ups and a few additions. One technique after the other: its sums,
 * by outcome and level, stay in the cache and become its tallies when its rows are done. On the way
 * the rows that bear most are kept, to be cited. An experiment with several techniques gives each
 * an equal share of its weight: together they count as one experiment. */
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

/* ---- the rows of one technique ---- */

struct at_hand {
    struct lore_scan *s;
    struct lore_top *top; /* NULL: its name stands for nothing */
    /* What a row must bear to be kept; by whether it is a first row, and whether it won. */
    float cut[2][2];
};

static float
needed(const struct lore_ranked *list, size_t n, size_t cap)
{
    return n < cap ? 0 : list[cap - 1].bearing;
}

static void
set_cuts(struct at_hand *h)
{
    const struct lore_similar *similar = &h->s->similar;
    float like = needed(similar->v, similar->n, LORE_SIMILAR);
    float cuts[2] = {INFINITY, INFINITY};

    if (h->top != NULL) {
        cuts[0] = needed(h->top->other, h->top->n_other, LORE_CITED);
        cuts[1] = needed(h->top->won, h->top->n_won, LORE_CITED);
    }
    like = fmaxf(like, nextafterf(h->s->matched_w, 1)); /* only matches are similar */
    for (int won = 0; won < 2; won++) {
        h->cut[0][won] = cuts[won];
        h->cut[1][won] = fminf(cuts[won], like);
    }
}

static void
keep(struct at_hand *h, uint32_t row, const struct lore_placed *p, float bearing)
{
    const struct lore_chunk *c = h->s->ix->chunks[row / LORE_CHUNK];
    float log = lore_fact_of(h->s->ix, row)->log;
    struct lore_ranked next = {row, c->seq[row % LORE_CHUNK], bearing, isnan(log) ? 0 : fabsf(log)};
    struct lore_similar *similar = &h->s->similar;

    if (h->top != NULL && p->won)
        lore_rank(h->top->won, &h->top->n_won, LORE_CITED, next);
    else if (h->top != NULL)
        lore_rank(h->top->other, &h->top->n_other, LORE_CITED, next);
    if (p->first && bearing > h->s->matched_w)
        lore_rank(similar->v, &similar->n, LORE_SIMILAR, next);
    set_cuts(h);
}

static void
add_weight(struct lore_weights *t, double w, double x)
{
    t->w += w;
    t->x += w * x;
    t->xx += w * x * x;
}

/* PART of the weight of a row. */
static inline void
add_row(struct lore_sums *t, const struct lore_placed *p, float w, double part, double x)
{
    add_weight(&t->whole, w * part, x);
    add_weight(&t->share, w / p->siblings * part, x);
}

/* A row of an alike shape: part of its weight is the shape level's. */
static void
add_alike(struct at_hand *h, uint32_t row, float x)
{
    struct lore_scan *s = h->s;
    const struct lore_fact *fact = lore_fact_of(s->ix, row);
    const struct lore_placed *p = &s->place[fact->place];
    struct lore_sums *at = &s->sums[(size_t)p->outcome * LORE_LEVEL_COUNT];
    struct lore_said said = lore_scan_row(s, row);
    uint8_t slot = lore_slot(said.travel, said.bearing > s->matched_w,
        lore_context_of(s->ix, fact->context).process_broken);

    at[LORE_LEVEL_OPERATOR].n[slot]++;
    at[LORE_LEVEL_SHAPE].n[slot]++;
    add_row(&at[LORE_LEVEL_OPERATOR], p, said.weight, 1 - said.alike, x);
    add_row(&at[LORE_LEVEL_SHAPE], p, said.weight, said.alike, x);
    if (said.bearing >= h->cut[p->first][p->won])
        keep(h, row, p, said.bearing);
}

static bool
is_alike(const struct lore_scan *s, const struct lore_placed *p, uint32_t workload)
{
    return p->level == LORE_LEVEL_OPERATOR && workload != LORE_NO_NAME && s->alike[workload] > 0;
}

/* The rows of chunk NUMBER: N FACTS. */
static void
add_chunk(struct at_hand *h, uint32_t number, const struct lore_fact *facts, uint32_t n)
{
    struct lore_scan *s = h->s;
    const float clamp = s->clamp;

    for (uint32_t i = 0; i < n; i++) {
        const struct lore_placed *p = &s->place[facts[i].place];
        const struct lore_weighed *v = &s->context[p->said][facts[i].context];
        float w = v->weight, x = lore_clamped(facts[i].log, clamp);
        if (w < 0 || p->skip)
            continue;
        if (s->shaped && is_alike(s, p, s->ix->chunks[number]->workload[i])) {
            add_alike(h, number * LORE_CHUNK + i, x);
            continue;
        }
        struct lore_sums *t = &s->sums[p->outcome * LORE_LEVEL_COUNT + p->level];
        t->n[v->slot[p->level]]++;
        add_row(t, p, w, 1, x);
        float bearing = w * s->level_w[p->level];
        if (bearing >= h->cut[p->first][p->won])
            keep(h, number * LORE_CHUNK + i, p, bearing);
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
add_gain(struct lore_tally *t, const struct lore_weights *sums)
{
    t->gain_w += sums->w;
    t->gain_x += sums->x;
    t->gain_xx += sums->xx;
}

/* What is counted once per experiment. */
static void
count_experiments(struct lore_scan *s, const struct lore_judged *j, const struct counted *c, int l)
{
    uint32_t on_chip = up_to(c->travel, LORE_T_SAME_ISA);
    bool on_op = l == LORE_LEVEL_OPERATOR;

    if (j->is.measured && !j->wrong)
        add_gain(&s->all, &c->sums->whole);
    if (j->counts) {
        s->base_w += c->sums->whole.w;
        s->base_won += j->won ? c->sums->whole.w : 0;
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

/* The sums of OUTCOME go into the tallies; T is NULL when the name stands for nothing. */
static void
close_outcome(struct lore_scan *s, uint32_t outcome, struct lore_tried *t)
{
    const struct lore_judged *j = &s->outcome[outcome];

    for (int l = 0; l < LORE_LEVEL_COUNT; l++) {
        struct lore_sums *sums = &s->sums[outcome * LORE_LEVEL_COUNT + (uint32_t)l];
        if (sums->whole.w == 0 && !s->shaped)
            continue;
        struct counted c = counted(sums);
        if (c.n == 0)
            continue;
        if (j->is.first)
            count_experiments(s, j, &c, l);
        if (t != NULL)
            add_technique(s, j, &c, l, t);
        *sums = (struct lore_sums){0};
    }
}

/* All outcomes, or, when that is less, those of the rows. */
static void
close_shelf(struct lore_scan *s, const struct lore_shelf *shelf, struct lore_tried *t)
{
    for (uint32_t o = 0; o < s->ix->outcomes.n && shelf->n >= s->ix->outcomes.n; o++)
        close_outcome(s, o, t);
    for (uint32_t i = 0; i < shelf->n && shelf->n < s->ix->outcomes.n; i++)
        close_outcome(s, s->place[shelf->facts[i].place].outcome, t);
}

static void
add_shelf(struct lore_scan *s, const struct lore_shelf *shelf)
{
    bool named = !lore_evidence_nameless(s->ix, shelf->technique);
    struct lore_tried t = {.name = shelf->technique, .shelf = shelf};
    struct at_hand h = {.s = s};

    if (named)
        t.top = h.top = lore_alloc(s->arena, sizeof *h.top);
    set_cuts(&h);
    for (uint32_t k = 0, at = 0; at < shelf->n; k++) { /* without a look at the chunks themselves */
        uint32_t room = lore_chunk_room(k), left = shelf->n - at;
        add_chunk(&h, shelf->chunks[k], shelf->facts + at, left < room ? left : room);
        at += room;
    }
    close_shelf(s, shelf, named ? &t : NULL);
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
    *s = (struct lore_scan){.ix = ix, .q = q, .arena = arena};
    s->slot = lore_alloc_array(arena, lore_evidence_names(ix) + 1, sizeof *s->slot);
    lore_weigh(s);
    for (uint32_t i = 0; i < ix->shelf_keys.n; i++)
        add_shelf(s, &ix->shelves[i]);
    finish(s);
}
