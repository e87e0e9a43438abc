/* The experiments that bear most on a question (scan.h), whatever they tried: those of alike shapes
 * are offered with their sums; of the rest only a few operators, and on them only a few groups,
 * may hold one. */
#include <math.h>

#include "service/recommend/scan.h"
#include "service/recommend/scan_cells.h"

void
lore_scan_offer(struct lore_scan *s, uint32_t row, float bearing)
{
    struct lore_similar *top = &s->similar;

    const struct lore_chunk *c = s->ix->chunks[row / LORE_CHUNK];
    float effect = fabsf(c->log[row % LORE_CHUNK]), last = top->v[LORE_SIMILAR - 1].effect;

    if (bearing < s->similar_cut)
        return;
    if (bearing == s->similar_cut && !(effect >= last) && last > 0) /* NAN counts as 0 */
        return;
    lore_rank(top->v, &top->n, LORE_SIMILAR, lore_ranked(s, row, bearing));
    s->similar_cut = top->n == LORE_SIMILAR ? top->v[LORE_SIMILAR - 1].bearing : 0;
}

/* The ln speedup that a row needs to be among the most similar, none bearing more than BOUND. */
static float
effect_needed(const struct lore_scan *s, struct lore_ranked bound)
{
    const struct lore_ranked *last = &s->similar.v[LORE_SIMILAR - 1];

    return s->similar.n == LORE_SIMILAR && last->bearing >= bound.bearing ? last->effect : 0;
}

/* All matches on a group, none above BOUND, but those of alike shapes, which were offered with
 * their sums. */
static void
offer_group(struct lore_scan *s, struct lore_ranked bound)
{
    const struct lore_row_group *group = &s->ix->groups[bound.row];
    enum lore_tally_level level = (enum lore_tally_level)s->weights->level[group->op];
    bool shaped = s->shaped && level == LORE_LEVEL_OPERATOR;

    for (uint32_t k = 0; k < group->n_parts; k++) {
        const float *most = group->parts[k].most;
        float needed = effect_needed(s, bound);
        if (most[0] < needed && most[1] < needed)
            continue;
        const struct lore_chunk *c =
            lore_chunk_at(s, group, k, needed > 0 ? LORE_LOGS : LORE_KINDS | LORE_LOGS);
        for (uint32_t i = 0; i < c->n; i++) {
            if (needed > 0 && !(fabsf(c->log[i]) >= needed))
                continue;
            struct lore_taken at = lore_take(s, c->kind[i], level);
            if (!at.context || !at.verdict->first || (at.context->matched >> level & 1) == 0)
                continue;
            if (!shaped || !(lore_alike(s, c->workload[i]) > 0))
                lore_scan_offer(s, group->parts[k].chunk * LORE_CHUNK + i,
                    lore_bearing(s, at.context->weight, 0, level));
        }
    }
}

/* Whether there may be one of the most similar on a group. */
static bool
may_be_similar(const struct lore_scan *s, struct lore_ranked bound)
{
    return s->similar.n < LORE_SIMILAR || !lore_tells_more(s->similar.v[LORE_SIMILAR - 1], bound);
}

/* Places by what no row there is above; row stands for the place. */
struct bounds {
    struct lore_ranked *v;
    size_t n;
};

/* The most promising first: what they hold leaves most of the others out. */
static void
visit(struct lore_scan *s, struct bounds *b, void (*look)(struct lore_scan *, struct lore_ranked))
{
    struct lore_ranked first[2 * LORE_SIMILAR];
    size_t n = 0;

    for (size_t i = 0; i < b->n; i++)
        lore_rank(first, &n, 2 * LORE_SIMILAR,
            (struct lore_ranked){(uint32_t)i, 0, b->v[i].bearing, b->v[i].effect});
    for (size_t i = 0; i < n; i++) {
        struct lore_ranked *bound = &b->v[first[i].row];
        if (may_be_similar(s, *bound))
            look(s, *bound);
        bound->bearing = -1;
    }
    for (size_t i = 0; i < b->n; i++)
        if (b->v[i].bearing >= 0 && may_be_similar(s, b->v[i]))
            look(s, b->v[i]);
}

/* None of CELLS is above it. */
static struct lore_ranked
bound_of(const struct lore_scan *s, const struct lore_cells *cells, enum lore_tally_level level,
    uint32_t place)
{
    struct lore_reach reach = lore_reach_of(s, cells, level);
    struct lore_ranked bound[2] = {{place, UINT32_MAX, reach.bearing[0], reach.effect[0]},
        {place, UINT32_MAX, reach.bearing[1], reach.effect[1]}};

    return bound[lore_tells_more(bound[1], bound[0])];
}

/* BOUND is of an operator, and above what its cells say. */
static void
look_at_operator(struct lore_scan *s, struct lore_ranked bound)
{
    const struct lore_on_operator *on = &s->ix->on[bound.row];
    enum lore_tally_level level = (enum lore_tally_level)s->weights->level[bound.row];
    struct bounds groups = {0};

    bound = bound_of(s, &on->experiments, level, bound.row);
    if (bound.bearing <= s->matched_w || !may_be_similar(s, bound))
        return;
    groups.v = lore_alloc_array(s->arena, on->n, sizeof *groups.v);
    for (uint32_t i = 0; i < on->n; i++) {
        bound = bound_of(s, &s->ix->groups[on->groups[i].group].cells, level, on->groups[i].group);
        if (bound.bearing > s->matched_w)
            groups.v[groups.n++] = bound;
    }
    visit(s, &groups, offer_group);
}

void
lore_scan_similar(struct lore_scan *s)
{
    uint32_t n = s->ix->operators.n < s->ix->cap_on ? s->ix->operators.n : s->ix->cap_on;
    struct bounds operators = {.v = lore_alloc_array(s->arena, (size_t)n + 1, sizeof *operators.v)};

    for (uint32_t op = 0; op < n; op++) {
        float bearing = s->most[op] * s->level_w[s->weights->level[op]];
        if (bearing > s->matched_w)
            operators.v[operators.n++] = (struct lore_ranked){op, UINT32_MAX, bearing, INFINITY};
    }
    visit(s, &operators, look_at_operator);
}
