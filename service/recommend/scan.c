/* One question over all evidence. What depends on the question alone is in tables before the pass
 * (weigh.c): a cell costs a look-up and a few additions. One technique after the other: its sums,
 * by class and level, stay in the cache and become its tallies when its cells are done (tally.c).
 * Rows are looked at where they differ: in their shapes, when one is asked about, and to find the
 * most similar, on the shelves that may hold one. An experiment with several techniques gives each
 * an equal share of its weight: together they count as one experiment. */
#include "scan.h"

#include <math.h>
#include <string.h>

#include "weigh.h"

bool
lore_tells_more(struct lore_ranked a, struct lore_ranked b)
{
    if (a.bearing != b.bearing)
        return a.bearing > b.bearing;
    return a.effect != b.effect ? a.effect > b.effect : a.seq > b.seq;
}

void
lore_rank(struct lore_ranked *list, size_t *n, size_t cap, struct lore_ranked next)
{
    size_t i = *n;

    if (*n == cap && !lore_tells_more(next, list[cap - 1]))
        return;
    if (*n < cap)
        ++*n;
    else
        i--;
    for (; i > 0 && lore_tells_more(next, list[i - 1]); i--)
        list[i] = list[i - 1];
    list[i] = next;
}

struct lore_ranked
lore_ranked(const struct lore_scan *s, uint32_t row, float bearing)
{
    const struct lore_chunk *c = s->ix->chunks[row / LORE_CHUNK];
    float log = c->log[row % LORE_CHUNK];

    return (struct lore_ranked){
        row, c->seq[row % LORE_CHUNK], bearing, isnan(log) ? 0 : fabsf(log)};
}

/* Chunks lie anywhere, and are short: left alone, each would be waited for. */
void
lore_chunk_call(
    const struct lore_scan *s, const struct lore_shelf *shelf, uint32_t k, uint32_t columns)
{
    const size_t read = sizeof(struct lore_chunk) + LORE_CHUNK * columns * sizeof(uint32_t);

    if (k >= shelf->n_parts)
        return;
    const char *next = (const char *)s->ix->chunks[shelf->parts[k].chunk];
    for (size_t i = 0; i < read; i += 64)
        __builtin_prefetch(next + i);
}

const struct lore_chunk *
lore_chunk_at(
    const struct lore_scan *s, const struct lore_shelf *shelf, uint32_t k, uint32_t columns)
{
    lore_chunk_call(s, shelf, k + 1, columns);
    return s->ix->chunks[shelf->parts[k].chunk];
}

/* ---- cells ---- */

enum { AHEAD = 10 }; /* cells: what is read next is on its way */

struct pass {
    struct lore_scan *s;
    struct lore_sums sums[LORE_LEVEL_COUNT];
    bool used[LORE_LEVEL_COUNT];
    enum lore_level base; /* of most operators */
    /* Per shelf: no row on it is above; row stands for the shelf. */
    struct lore_ranked *bound;
    size_t n_bound;
};

/* Numbers from 0 up order as their bits do. */
static uint32_t
bits_of(float x)
{
    uint32_t bits;

    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static float
from_bits(uint32_t bits)
{
    float x;

    memcpy(&x, &bits, sizeof x);
    return x;
}

/* How many rows of each kind there are, by where they are counted at LEVEL, into N; BY is 1, or -1
 * in arithmetic without a sign. */
static void
add_counts(const struct lore_scan *s, const struct lore_counts *counts, enum lore_level level,
    uint32_t by, uint32_t n[LORE_SLOTS][LORE_NS])
{
    const struct lore_weights *w = s->weights;
    const uint8_t *slot = w->slot[level == LORE_LEVEL_OPERATOR];

    for (const struct lore_count *c = counts->v, *end = c + counts->n; c < end; c++) {
        uint32_t chip = lore_place_chip(c->place);
        uint8_t travel = w->travel[chip < w->n_chips ? chip : w->n_chips];
        uint32_t *at = n[slot[c->place % LORE_PLACE_FLAGS] + travel];
        for (int k = 0; k < LORE_NS; k++)
            at[k] += c->n[k] * by;
    }
}

/* A bearing and an effect as a number that orders as rows do; 0 when the effect is below 0, which
 * is so or not as it happens: a branch would be guessed wrong. */
static uint64_t
reach_of(float bearing, float effect)
{
    uint32_t bits = bits_of(effect);

    return lore_pair(bits_of(bearing), bits) & (uint64_t)((int64_t)(bits >> 31) - 1);
}

/* The ln speedup with which a row enters the gain, and its size, 0 where there is none: as masks,
 * because which it is nobody can guess. */
static float
entering_x(const struct lore_verdict *is, float log, float clamp)
{
    return lore_clamped(from_bits(bits_of(log) & (0 - (uint32_t)is->has_x)), clamp);
}

static float
effect_of(float log)
{
    const uint32_t sign = 0x80000000, infinite = 0x7f800000; /* what is above is NAN */
    uint32_t bits = bits_of(log) & ~sign;

    return from_bits(bits & (0 - (uint32_t)(bits <= infinite)));
}

/* Sums, and what no row is above: a number as of reach_of; [1]: of those that won by themselves. */
struct added {
    double judged, won, gains, x, xx;
    uint64_t most[2];
};

static uint64_t
larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* What is left out weighs 0: no branch here would be guessed wrong. */
static struct added
add_cells(const struct lore_scan *s, const struct lore_cells *cells, enum lore_level level)
{
    const struct lore_weighed *by = s->weights->context[level == LORE_LEVEL_OPERATOR];
    float level_w = s->level_w[level];
    struct added a = {0};

    for (const struct lore_cell *c = cells->v, *end = c + cells->n; c < end; c++) {
        float weight = by[c->context].weight, bearing = weight * level_w;
        double w = weight;
        __builtin_prefetch(c + AHEAD);
        a.judged += w * c->sum[LORE_SUM_JUDGED];
        a.won += w * c->sum[LORE_SUM_WON];
        a.gains += w * c->sum[LORE_SUM_GAINS];
        a.x += w * c->sum[LORE_SUM_X];
        a.xx += w * c->sum[LORE_SUM_XX];
        a.most[0] = larger(a.most[0], reach_of(bearing, c->most[0]));
        a.most[1] = larger(a.most[1], reach_of(bearing, c->most[1]));
    }
    return a;
}

static struct added
add_lone(const struct lore_scan *s, const struct lore_cells *cells, enum lore_level level)
{
    const struct lore_weighed *by = s->weights->context[level == LORE_LEVEL_OPERATOR];
    float level_w = s->level_w[level], clamp = s->weights->clamp;
    struct added a = {0};

    for (const struct lore_lone *c = cells->lone, *end = c + cells->n_lone; c < end; c++) {
        const struct lore_verdict *is = &s->weights->outcome[c->outcome];
        float weight = by[c->context].weight, effect = effect_of(c->log);
        double w = weight, gained = w * is->gains, x = entering_x(is, c->log, clamp);
        uint64_t most = reach_of(weight * level_w, effect);
        uint64_t own = (uint64_t)0 - is->own, any = (uint64_t)0 - (c->outcome != LORE_NO_OUTCOME);
        a.judged += w * is->judged;
        a.won += w * is->won;
        a.gains += gained;
        a.x += gained * x;
        a.xx += gained * x * x;
        a.most[0] = larger(a.most[0], most & any & ~own);
        a.most[1] = larger(a.most[1], most & own);
    }
    return a;
}

/* All cells of one shelf, or of experiments, and its rows alone, into SUM. */
static struct lore_reach
add_all(const struct lore_scan *s, const struct lore_cells *cells, enum lore_level level,
    double sum[LORE_SUMS])
{
    struct added a = add_cells(s, cells, level), b = add_lone(s, cells, level);
    uint64_t most = larger(a.most[0], b.most[0]), own = larger(a.most[1], b.most[1]);

    sum[LORE_SUM_JUDGED] += a.judged + b.judged;
    sum[LORE_SUM_WON] += a.won + b.won;
    sum[LORE_SUM_GAINS] += a.gains + b.gains;
    sum[LORE_SUM_X] += a.x + b.x;
    sum[LORE_SUM_XX] += a.xx + b.xx;
    return (struct lore_reach){
        .bearing = {from_bits(lore_pair_high(most)), from_bits(lore_pair_high(own))},
        .effect = {from_bits(lore_pair_low(most)), from_bits(lore_pair_low(own))}};
}

static void
count_matched(
    struct lore_scan *s, const struct lore_weighed *v, enum lore_level level, uint32_t rows)
{
    uint32_t n = v->matched >> level & 1 ? rows : 0;

    s->matched += n;
    s->from[v->travel] += n;
}

/* Every experiment once, whatever it tried. */
static void
add_experiments(struct pass *p)
{
    struct lore_scan *s = p->s;

    for (uint32_t op = 0; op < s->ix->operators.n && op < s->ix->cap_on; op++) {
        const struct lore_cells *cells = &s->ix->on[op].experiments;
        enum lore_level level = (enum lore_level)s->weights->level[op];
        const struct lore_weighed *by = s->weights->context[level == LORE_LEVEL_OPERATOR];
        (void)add_all(s, cells, level, p->sums[level].sum);
        add_counts(s, &cells->counts, level, 1, p->sums[level].n);
        for (uint32_t i = 0; i < cells->n; i++)
            count_matched(s, &by[cells->v[i].context], level, cells->v[i].n);
        for (uint32_t i = 0; i < cells->n_lone; i++)
            count_matched(
                s, &by[cells->lone[i].context], level, cells->lone[i].outcome != LORE_NO_OUTCOME);
    }
    for (int l = 0; l < LORE_LEVEL_SHAPE; l++) {
        lore_tally_experiments(s, &p->sums[l], (enum lore_level)l);
        p->sums[l] = (struct lore_sums){0};
    }
}

/* ---- rows ---- */

static void
offer(struct lore_scan *s, uint32_t row, float bearing)
{
    struct lore_similar *top = &s->similar;

    if (bearing < s->similar_cut)
        return;
    lore_rank(top->v, &top->n, LORE_SIMILAR, lore_ranked(s, row, bearing));
    s->similar_cut = top->n == LORE_SIMILAR ? top->v[LORE_SIMILAR - 1].bearing : 0;
}

/* Of a chunk's rows those of alike shapes, without a branch that would be guessed wrong. */
static uint32_t
find_alike(const struct lore_scan *s, const struct lore_chunk *c, uint8_t found[LORE_CHUNK])
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < c->n; i++) {
        found[n] = (uint8_t)i;
        n += lore_alike(s, c->workload[i]) > 0;
    }
    return n;
}

/* A row of an alike shape, WEIGHED by its context, that may count among the matches, or be among
 * the most similar, for its shape. */
static void
match_alike(struct lore_scan *s, uint32_t row, const struct lore_weighed *weighed, float bearing)
{
    s->matched += weighed->edge;
    s->from[weighed->travel] += weighed->edge;
    offer(s, row, bearing);
}

/* Rows of alike shapes are in the operator level's sums with all their weight: that part of it is
 * the shape level's too. SUM: what they add to it. Returns how many the question takes. */
static uint32_t
add_alike(struct lore_scan *s, const struct lore_part *part, const uint8_t *found, uint32_t n,
    double sum[LORE_SUMS])
{
    const struct lore_chunk *c = s->ix->chunks[part->chunk];
    const struct lore_weights *by = s->weights;
    float level_w = s->level_w[LORE_LEVEL_OPERATOR], clamp = by->clamp;
    double judged = 0, won = 0, gains = 0, xs = 0, xxs = 0;
    uint32_t taken = 0;

    for (uint32_t j = 0; j < n; j++) {
        uint32_t i = found[j];
        uint64_t pair = s->ix->kinds.key[c->kind[i]];
        const struct lore_verdict *is = &by->outcome[lore_pair_low(pair)];
        const struct lore_weighed *weighed = &by->context[1][lore_pair_high(pair)];
        float weight = weighed->weight, alike = lore_alike(s, c->workload[i]);
        float bearing = lore_bearing_by(weight, alike, level_w);
        double w = (double)weight * alike, gained = w * is->gains;
        double x = entering_x(is, c->log[i], clamp);
        judged += w * is->judged;
        won += w * is->won;
        gains += gained;
        xs += gained * x;
        xxs += gained * x * x;
        taken += weight > 0;
        if (bearing > s->matched_w && (weighed->edge || bearing >= s->similar_cut) && is->first)
            match_alike(s, part->chunk * LORE_CHUNK + i, weighed, bearing);
    }
    sum[LORE_SUM_JUDGED] += judged;
    sum[LORE_SUM_WON] += won;
    sum[LORE_SUM_GAINS] += gains;
    sum[LORE_SUM_X] += xs;
    sum[LORE_SUM_XX] += xxs;
    return taken;
}

static void
add_alike_rows(struct pass *p, const struct lore_shelf *shelf)
{
    struct lore_sums *shape = &p->sums[LORE_LEVEL_SHAPE];
    uint8_t found[LORE_CHUNK];

    for (uint32_t k = 0; k < shelf->n_parts; k++) {
        uint32_t n = find_alike(p->s, lore_chunk_at(p->s, shelf, k, 3), found);
        shape->n[0][0] += add_alike(p->s, &shelf->parts[k], found, n, shape->sum);
    }
    p->used[LORE_LEVEL_SHAPE] = true;
}

/* The ln speedup that a row needs to be among the most similar, none bearing more than BOUND. */
static float
effect_needed(const struct lore_scan *s, struct lore_ranked bound)
{
    const struct lore_ranked *last = &s->similar.v[LORE_SIMILAR - 1];

    return s->similar.n == LORE_SIMILAR && last->bearing >= bound.bearing ? last->effect : 0;
}

/* All matches on a shelf, none above BOUND, but those of alike shapes, which were offered with
 * their sums. */
static void
offer_shelf(struct lore_scan *s, const struct lore_shelf *shelf, struct lore_ranked bound)
{
    enum lore_level level = (enum lore_level)s->weights->level[shelf->op];
    bool shaped = s->shaped && level == LORE_LEVEL_OPERATOR;

    for (uint32_t k = 0; k < shelf->n_parts; k++) {
        const float *most = shelf->parts[k].most;
        float needed = effect_needed(s, bound);
        if (most[0] < needed && most[1] < needed)
            continue;
        const struct lore_chunk *c = lore_chunk_at(s, shelf, k, 3);
        for (uint32_t i = 0; i < c->n; i++) {
            if (needed > 0 && !(fabsf(c->log[i]) >= needed))
                continue;
            struct lore_taken at = lore_take(s, c->kind[i], level);
            if (at.context == NULL || !at.verdict->first || (at.context->matched >> level & 1) == 0)
                continue;
            if (!shaped || !(lore_alike(s, c->workload[i]) > 0))
                offer(s, shelf->parts[k].chunk * LORE_CHUNK + i,
                    lore_bearing(s, at.context->weight, 0, level));
        }
    }
}

/* Whether there may be one of the most similar on a shelf. */
static bool
may_be_similar(const struct lore_scan *s, struct lore_ranked bound)
{
    return s->similar.n < LORE_SIMILAR || !lore_tells_more(s->similar.v[LORE_SIMILAR - 1], bound);
}

/* The most promising shelves first: what they hold leaves most of the others out. */
static void
find_similar(struct pass *p)
{
    struct lore_ranked first[2 * LORE_SIMILAR];
    struct lore_scan *s = p->s;
    size_t n = 0;

    for (size_t i = 0; i < p->n_bound; i++)
        lore_rank(first, &n, 2 * LORE_SIMILAR,
            (struct lore_ranked){(uint32_t)i, 0, p->bound[i].bearing, p->bound[i].effect});
    for (size_t i = 0; i < n; i++) {
        struct lore_ranked *bound = &p->bound[first[i].row];
        if (may_be_similar(s, *bound))
            offer_shelf(s, &s->ix->shelves[bound->row], *bound);
        bound->bearing = -1;
    }
    for (size_t i = 0; i < p->n_bound; i++)
        if (p->bound[i].bearing >= 0 && may_be_similar(s, p->bound[i]))
            offer_shelf(s, &s->ix->shelves[p->bound[i].row], p->bound[i]);
}

/* ---- techniques ---- */

/* What a shelf says. Counts of a technique on all operators together are kept, and are taken for
 * those at the base level: what is on a shelf at another level is counted there instead. */
static void
add_shelf(struct pass *p, uint32_t id)
{
    struct lore_scan *s = p->s;
    const struct lore_shelf *shelf = &s->ix->shelves[id];
    enum lore_level level = (enum lore_level)s->weights->level[shelf->op];
    struct lore_reach reach = add_all(s, &shelf->cells, level, p->sums[level].sum);

    s->reach[id] = reach;
    p->used[level] = true;
    if (level != p->base) {
        add_counts(s, &shelf->cells.counts, level, 1, p->sums[level].n);
        add_counts(s, &shelf->cells.counts, p->base, UINT32_MAX, p->sums[p->base].n);
    }
    struct lore_ranked bound[2] = {{id, UINT32_MAX, reach.bearing[0], reach.effect[0]},
        {id, UINT32_MAX, reach.bearing[1], reach.effect[1]}};
    bool own = lore_tells_more(bound[1], bound[0]);
    if (bound[own].bearing > s->matched_w)
        p->bound[p->n_bound++] = bound[own];
    if (s->some_alike && level == LORE_LEVEL_OPERATOR)
        add_alike_rows(p, shelf);
}

/* The next shelf's first cells are on their way, and where those of the one behind it are. */
static void
call_ahead(const struct lore_evidence_index *ix, const struct lore_bay *bay, uint32_t i)
{
    if (i + 1 < bay->n) {
        const struct lore_cells *next = &ix->shelves[bay->shelves[i + 1]].cells;
        for (uint32_t k = 0; k < AHEAD; k++)
            __builtin_prefetch(next->v + k);
        __builtin_prefetch(next->lone);
        __builtin_prefetch((const char *)next->lone + 64);
    }
    if (i + 2 < bay->n)
        __builtin_prefetch(&ix->shelves[bay->shelves[i + 2]]);
}

static void
add_bay(struct pass *p, const struct lore_bay *bay)
{
    struct lore_scan *s = p->s;
    bool named = !lore_evidence_nameless(s->ix, bay->technique);
    struct lore_tried t = {.name = bay->technique, .bay = bay};
    uint32_t tried = 0;

    add_counts(s, &bay->counts, p->base, 1, p->sums[p->base].n);
    for (uint32_t i = 0; i < bay->n; i++) {
        call_ahead(s->ix, bay, i);
        add_shelf(p, bay->shelves[i]);
    }
    for (int l = 0; l < LORE_LEVEL_COUNT; l++) {
        if (named && p->used[l])
            lore_tally_technique(s, &p->sums[l], (enum lore_level)l, &t);
        if (p->used[l] || l == (int)p->base)
            p->sums[l] = (struct lore_sums){0};
        p->used[l] = false;
        tried += t.level[l].tried;
    }
    if (tried == 0)
        return;
    lore_tally_finish(s, &t);
    *LORE_PUSH(s->arena, s->tried, s->n_tried, s->cap_tried) = t;
    s->slot[bay->technique] = (uint32_t)s->n_tried;
}

void
lore_scan_run(struct lore_scan *s, const struct lore_evidence_index *ix,
    const struct lore_question *q, struct lore_arena *arena)
{
    bool anywhere = q->op == NULL && q->family == NULL;
    struct pass p = {.s = s, .base = anywhere ? LORE_LEVEL_OPERATOR : LORE_LEVEL_ANY};

    *s = (struct lore_scan){.ix = ix, .q = q, .arena = arena};
    s->slot = lore_alloc_array(arena, lore_evidence_names(ix) + 1, sizeof *s->slot);
    lore_weigh(s);
    s->reach = lore_alloc_array(arena, (size_t)ix->shelf_keys.n + 1, sizeof *s->reach);
    p.bound = lore_alloc_array(arena, (size_t)ix->shelf_keys.n + 1, sizeof *p.bound);
    add_experiments(&p);
    for (uint32_t i = 0; i < ix->bay_keys.n; i++)
        add_bay(&p, &ix->bays[i]);
    find_similar(&p);
    while (s->nearest < LORE_T_UNKNOWN && s->from[s->nearest] == 0)
        s->nearest++;
}
