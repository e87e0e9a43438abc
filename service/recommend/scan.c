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
const struct lore_chunk *
lore_chunk_at(const struct lore_scan *s, const struct lore_shelf *shelf, uint32_t k)
{
    const size_t read = sizeof(struct lore_chunk) + (size_t)LORE_CHUNK * 3 * sizeof(uint32_t);

    if (k + 1 < shelf->n_chunks) {
        const char *next = (const char *)s->ix->chunks[shelf->chunks[k + 1]];
        for (size_t i = 0; i < read; i += 64)
            __builtin_prefetch(next + i);
    }
    return s->ix->chunks[shelf->chunks[k]];
}

/* ---- cells ---- */

enum { AHEAD = 10 }; /* cells: what is read next is on its way */

struct pass {
    struct lore_scan *s;
    struct lore_sums *sums[LORE_LEVEL_COUNT]; /* per class */
    bool used[LORE_LEVEL_COUNT];
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

/* All cells of one place into SUMS, without a branch that would be guessed wrong. Returns what none
 * of their rows is above, but for alike shapes. */
static struct lore_ranked
add_cells(const struct lore_scan *s, const struct lore_cells *cells, enum lore_level level,
    struct lore_sums *sums)
{
    const struct lore_adding *adding = s->weights->adding[level == LORE_LEVEL_OPERATOR];
    uint64_t best = 0; /* weight, then effect */

    for (const struct lore_cell *c = cells->v, *end = c + cells->n; c < end; c++) {
        const struct lore_adding *a = &adding[c->class];
        const struct lore_weighed *v = &a->context[c->context];
        struct lore_sums *t = &sums[c->class];
        double w = v->weight;
        uint64_t most = lore_pair(bits_of(v->weight), bits_of(c->most)) & a->keep;
        __builtin_prefetch(c + AHEAD);
        t->w += w * c->share;
        t->x += w * c->x;
        t->xx += w * c->xx;
        t->n[v->slot] += c->n;
        best = most > best ? most : best;
    }
    return (struct lore_ranked){.seq = UINT32_MAX,
        .bearing = from_bits(lore_pair_high(best)) * s->level_w[level],
        .effect = from_bits(lore_pair_low(best))};
}

/* Every experiment once, whatever it tried. */
static void
add_experiments(struct pass *p)
{
    struct lore_scan *s = p->s;

    for (uint32_t op = 0; op < s->ix->operators.n && op < s->ix->cap_experiments; op++) {
        const struct lore_cells *cells = &s->ix->experiments[op];
        enum lore_level level = (enum lore_level)s->weights->level[op];
        const struct lore_adding *adding = s->weights->adding[level == LORE_LEVEL_OPERATOR];
        add_cells(s, cells, level, p->sums[level]);
        for (uint32_t i = 0; i < cells->n; i++) {
            const struct lore_cell *c = &cells->v[i];
            const struct lore_adding *a = &adding[c->class];
            const struct lore_weighed *v = &a->context[c->context];
            uint32_t n = v->matched >> level & 1 ? c->n & (uint32_t)a->keep : 0;
            s->matched += n;
            s->from[v->travel] += n;
        }
    }
    for (int l = 0; l < LORE_LEVEL_SHAPE; l++) {
        lore_tally_experiments(s, p->sums[l], (enum lore_level)l);
        memset(p->sums[l], 0, s->ix->classes.n * sizeof *p->sums[l]);
    }
}

/* ---- rows ---- */

static void
offer(struct lore_scan *s, uint32_t row, float bearing)
{
    struct lore_similar *top = &s->similar;

    if (top->n == LORE_SIMILAR && bearing < top->v[LORE_SIMILAR - 1].bearing)
        return;
    lore_rank(top->v, &top->n, LORE_SIMILAR, lore_ranked(s, row, bearing));
}

/* A row of a shape that is alike by ALIKE, which is in the operator level's sums with all its
 * weight: that part of it is the shape level's too. */
static void
add_alike(struct pass *p, const struct lore_chunk *c, uint32_t i, uint32_t row, float alike)
{
    struct lore_scan *s = p->s;
    struct lore_taken at = lore_take(s, c->kind[i], LORE_LEVEL_OPERATOR);
    const struct lore_weighed *v = at.context;

    if (v == NULL)
        return;
    float bearing = lore_bearing(s, v->weight, alike, LORE_LEVEL_OPERATOR);
    struct lore_sums *shape = &p->sums[LORE_LEVEL_SHAPE][at.verdict->class];
    double x = isnan(c->log[i]) ? 0 : lore_clamped(c->log[i], s->weights->clamp);
    double w = (double)v->weight * at.verdict->share * alike;
    shape->w += w;
    shape->x += w * x;
    shape->xx += w * x * x;
    shape->n[0]++;
    if (!at.verdict->is.first || bearing <= s->matched_w)
        return;
    s->matched += v->edge;
    s->from[v->travel] += v->edge;
    offer(s, row, bearing);
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

static void
add_alike_rows(struct pass *p, const struct lore_shelf *shelf)
{
    uint8_t found[LORE_CHUNK];

    for (uint32_t k = 0; k < shelf->n_chunks; k++) {
        const struct lore_chunk *c = lore_chunk_at(p->s, shelf, k);
        uint32_t n = find_alike(p->s, c, found);
        for (uint32_t j = 0; j < n; j++) {
            uint32_t i = found[j];
            add_alike(p, c, i, shelf->chunks[k] * LORE_CHUNK + i, lore_alike(p->s, c->workload[i]));
        }
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

    for (uint32_t k = 0; k < shelf->n_chunks; k++) {
        const struct lore_chunk *c = lore_chunk_at(s, shelf, k);
        float needed = effect_needed(s, bound);
        for (uint32_t i = 0; i < c->n; i++) {
            if (needed > 0 && !(fabsf(c->log[i]) >= needed))
                continue;
            struct lore_taken at = lore_take(s, c->kind[i], level);
            if (at.context == NULL || !at.verdict->is.first ||
                (at.context->matched >> level & 1) == 0)
                continue;
            if (!shaped || !(lore_alike(s, c->workload[i]) > 0))
                offer(s, shelf->chunks[k] * LORE_CHUNK + i,
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

static void
add_shelf(struct pass *p, uint32_t id)
{
    struct lore_scan *s = p->s;
    const struct lore_shelf *shelf = &s->ix->shelves[id];
    enum lore_level level = (enum lore_level)s->weights->level[shelf->op];
    struct lore_ranked bound = add_cells(s, &shelf->cells, level, p->sums[level]);

    p->used[level] = true;
    bound.row = id;
    if (bound.bearing > s->matched_w)
        p->bound[p->n_bound++] = bound;
    if (s->some_alike && level == LORE_LEVEL_OPERATOR)
        add_alike_rows(p, shelf);
}

/* The next shelf's first cells are on their way, and where those of the one behind it are. */
static void
call_ahead(const struct lore_evidence_index *ix, const struct lore_bay *bay, uint32_t i)
{
    if (i + 1 < bay->n) {
        const struct lore_cell *next = ix->shelves[bay->shelves[i + 1]].cells.v;
        for (const struct lore_cell *c = next; c < next + AHEAD; c++)
            __builtin_prefetch(c);
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

    for (uint32_t i = 0; i < bay->n; i++) {
        call_ahead(s->ix, bay, i);
        add_shelf(p, bay->shelves[i]);
    }
    for (int l = 0; l < LORE_LEVEL_COUNT; l++) {
        if (!p->used[l])
            continue;
        if (named)
            lore_tally_technique(s, p->sums[l], (enum lore_level)l, &t);
        memset(p->sums[l], 0, s->ix->classes.n * sizeof *p->sums[l]);
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
    struct pass p = {.s = s};

    *s = (struct lore_scan){.ix = ix, .q = q, .arena = arena};
    s->slot = lore_alloc_array(arena, lore_evidence_names(ix) + 1, sizeof *s->slot);
    lore_weigh(s);
    for (int l = 0; l < LORE_LEVEL_COUNT; l++)
        p.sums[l] = lore_alloc_array(arena, (size_t)ix->classes.n + 1, sizeof *p.sums[l]);
    p.bound = lore_alloc_array(arena, (size_t)ix->shelf_keys.n + 1, sizeof *p.bound);
    add_experiments(&p);
    for (uint32_t i = 0; i < ix->bay_keys.n; i++)
        add_bay(&p, &ix->bays[i]);
    find_similar(&p);
    while (s->nearest < LORE_T_UNKNOWN && s->from[s->nearest] == 0)
        s->nearest++;
}
