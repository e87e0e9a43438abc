/* One question over all evidence. What depends on the question alone is in tables before the pass
 * (weigh.c). One technique after the other: of most operators the index has totals, which the
 * question adds up; of the operator asked about and its family, and where the totals are not what
 * it would add up, it reads the groups' cells (scan_cells.c). These sums, by level, stay in the
 * cache and become the technique's tallies (tally.c). Rows are looked at where they differ: in
 * their shapes, when one is asked about, and to find the most similar (scan_similar.c). An
 * experiment with several techniques gives each an equal share of its weight: together they count
 * as one experiment. */
#include "service/recommend/scan.h"

#include <math.h>
#include <string.h>

#include "service/recommend/scan_cells.h"
#include "service/recommend/tally.h"

struct lore_ranked
lore_ranked(const struct lore_scan *s, uint32_t row, float bearing)
{
    const struct lore_chunk *c = s->ix->chunks[row / LORE_CHUNK];
    float log = c->log[row % LORE_CHUNK];

    return (struct lore_ranked){
        row, c->seq[row % LORE_CHUNK], bearing, isnan(log) ? 0 : fabsf(log)};
}

/* Chunks lie anywhere, and are short: left alone, each would be waited for. All but the last are
 * full. */
void
lore_chunk_call(
    const struct lore_scan *s, const struct lore_row_group *group, uint32_t k, unsigned columns)
{
    const size_t column = LORE_CHUNK * sizeof(uint32_t);

    if (k >= group->n_parts)
        return;
    const char *next = (const char *)s->ix->chunks[group->parts[k].chunk];
    __builtin_prefetch(next);
    for (next += sizeof(struct lore_chunk); columns > 0; columns >>= 1, next += column)
        for (size_t i = 0; i < column && columns % 2 != 0; i += 64)
            __builtin_prefetch(next + i);
}

const struct lore_chunk *
lore_chunk_at(
    const struct lore_scan *s, const struct lore_row_group *group, uint32_t k, unsigned columns)
{
    lore_chunk_call(s, group, k + 1, columns);
    return s->ix->chunks[group->parts[k].chunk];
}

/* ---- experiments ---- */

struct pass {
    struct lore_scan *s;
    struct lore_sums sums[LORE_LEVEL_COUNT];
    bool used[LORE_LEVEL_COUNT];
    enum lore_tally_level base; /* of most operators */
    struct lore_sums stepless;  /* what is on the operator, as the base has it */
    uint32_t *group, n_groups;  /* at other levels than the base, by technique */
    uint32_t *end;              /* per technique: of its groups among them */
};

/* ROWS in a context are a match or not at LEVEL. */
static void
count_matched(
    struct lore_scan *s, const struct lore_weighed *v, enum lore_tally_level level, size_t rows)
{
    size_t n = v->matched >> level & 1 ? rows : 0;

    s->matched += n;
    s->from[v->travel] += n;
}

/* Those of an operator whose level is not the base, which are counted at the base when all are. */
static void
match_cells(struct pass *p, const struct lore_cells *cells, enum lore_tally_level level)
{
    struct lore_scan *s = p->s;
    const struct lore_weights *w = s->weights;
    const struct lore_weighed *by = w->context[level == LORE_LEVEL_OPERATOR];
    const struct lore_weighed *base = w->context[p->base == LORE_LEVEL_OPERATOR];

    for (uint32_t i = 0; i < cells->n + cells->n_singletons; i++) {
        const struct lore_singleton *lone = &cells->singletons[i < cells->n ? 0 : i - cells->n];
        uint32_t context = i < cells->n ? cells->v[i].context : lone->context;
        size_t rows = i < cells->n ? cells->v[i].n : lone->outcome != LORE_NO_OUTCOME;
        count_matched(s, &by[context], level, rows);
        if (w->totals)
            count_matched(s, &base[context], p->base, 0 - rows);
    }
}

/* No row on an operator has a higher weight. */
static float
most_on(const struct lore_scan *s, const struct lore_totals *totals, enum lore_tally_level level)
{
    const double *by = s->weights->setting[level == LORE_LEVEL_OPERATOR];
    const double *highest = s->ix->grading.highest;
    double most = 0;

    for (uint32_t i = 0; i < totals->settings.n; i++) {
        uint32_t setting = totals->v[i].setting;
        most = fmax(most, by[setting] * highest[setting]);
    }
    return s->weights->totals ? (float)most : INFINITY;
}

static void
add_operator(struct pass *p, uint32_t op, enum lore_tally_level level)
{
    struct lore_scan *s = p->s;
    const struct lore_on_operator *on = &s->ix->on[op];

    s->most[op] = most_on(s, &on->totals, level);
    if (!s->weights->totals) {
        lore_scan_add_cells(s, &on->experiments, level, p->sums[level].sum);
        lore_scan_add_counts(s, &on->experiments.counts, level, p->sums[level].n);
    } else {
        lore_scan_add_totals(s, &on->totals, level, p->sums[level].sum);
        lore_scan_add_chips(s, &on->totals, level, p->sums[level].n);
    }
    if (!s->weights->totals || level != p->base)
        match_cells(p, &on->experiments, level);
}

/* Every experiment once, whatever it tried. */
static void
add_experiments(struct pass *p)
{
    struct lore_scan *s = p->s;
    const struct lore_weighed *by = s->weights->context[p->base == LORE_LEVEL_OPERATOR];

    s->most = lore_alloc_array(s->arena, (size_t)s->ix->operators.n + 1, sizeof *s->most);
    for (uint32_t op = 0; op < s->ix->operators.n && op < s->ix->cap_on; op++)
        add_operator(p, op, (enum lore_tally_level)s->weights->level[op]);
    for (uint32_t i = 0; i < s->ix->contexts.n && s->weights->totals; i++)
        count_matched(s, &by[i], p->base, s->ix->grading.context[i].experiments);
    for (int l = 0; l < LORE_LEVEL_SHAPE; l++) {
        lore_tally_experiments(s, &p->sums[l], (enum lore_tally_level)l);
        p->sums[l] = (struct lore_sums){0};
    }
}

/* ---- rows of alike shapes ---- */

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
    lore_scan_offer(s, row, bearing);
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
        float weight = (float)weighed->weight, alike = lore_alike(s, c->workload[i]);
        float bearing = lore_bearing_by(weight, alike, level_w);
        double w = weighed->weight * alike, gained = w * is->gains;
        double x = lore_entering_x(is, c->log[i], clamp);
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
add_alike_rows(struct pass *p, const struct lore_row_group *group)
{
    struct lore_sums *shape = &p->sums[LORE_LEVEL_SHAPE];
    uint8_t found[LORE_CHUNK];

    for (uint32_t k = 0; k < group->n_parts; k++) {
        uint32_t n = find_alike(
            p->s, lore_chunk_at(p->s, group, k, LORE_WORKLOADS | LORE_KINDS | LORE_LOGS), found);
        shape->n[0][0] += add_alike(p->s, &group->parts[k], found, n, shape->sum);
    }
    p->used[LORE_LEVEL_SHAPE] = true;
}

/* ---- techniques ---- */

static void
add_to(struct pass *p, const struct lore_cells *cells, enum lore_tally_level level,
    struct lore_sums *to)
{
    lore_scan_add_cells(p->s, cells, level, to->sum);
    lore_scan_add_counts(p->s, &cells->counts, level, to->n);
}

/* What a group says. What it says of steps counts on the operator alone. */
static void
add_group(struct pass *p, uint32_t id)
{
    struct lore_scan *s = p->s;
    const struct lore_row_group *group = &s->ix->groups[id];
    enum lore_tally_level level = (enum lore_tally_level)s->weights->level[group->op];

    add_to(p, &group->cells, level, &p->sums[level]);
    p->used[level] = true;
    if (s->weights->totals && level == LORE_LEVEL_OPERATOR && s->ix->grading.steps)
        add_to(p, &group->cells, p->base, &p->stepless);
    if (s->some_alike && level == LORE_LEVEL_OPERATOR)
        add_alike_rows(p, group);
}

/* Shelves lie anywhere: the I-th of those that are read one after the other is on its way, and what
 * is in the one before it. */
static void
call_group(const struct pass *p, uint32_t i)
{
    const struct lore_row_group *groups = p->s->ix->groups;

    if (i < p->n_groups) {
        __builtin_prefetch(&groups[p->group[i]]);
        __builtin_prefetch((const char *)&groups[p->group[i]] + 64);
    }
    if (i > 0 && i - 1 < p->n_groups)
        lore_call_cells(&groups[p->group[i - 1]].cells);
}

/* Each group at another level than the base: is counted, or put in its place. */
static void
sort_groups(struct pass *p, bool place)
{
    const struct lore_evidence_index *ix = p->s->ix;

    for (uint32_t op = 0; op < ix->operators.n && op < ix->cap_on; op++) {
        const struct lore_on_operator *on = &ix->on[op];
        for (uint32_t i = 0; i < on->n && p->s->weights->level[op] != p->base; i++) {
            uint32_t *end = &p->end[on->groups[i].tech];
            if (place)
                p->group[*end] = on->groups[i].group;
            ++*end;
        }
    }
}

static void
find_groups(struct pass *p)
{
    const struct lore_evidence_index *ix = p->s->ix;

    p->end = lore_alloc_array(p->s->arena, (size_t)ix->technique_keys.n + 1, sizeof *p->end);
    sort_groups(p, false);
    for (uint32_t tech = 0; tech < ix->technique_keys.n; tech++) {
        uint32_t n = p->end[tech];
        p->end[tech] = p->n_groups;
        p->n_groups += n;
    }
    p->group = lore_alloc_array(p->s->arena, (size_t)p->n_groups + 1, sizeof *p->group);
    sort_groups(p, true);
}

/* BASE is of a technique on all operators: what is on those of another level is theirs. */
static void
take_away(struct pass *p, enum lore_tally_level level, struct lore_sums *base)
{
    bool steps = level == LORE_LEVEL_OPERATOR && p->s->ix->grading.steps;
    const struct lore_sums *part = steps ? &p->stepless : &p->sums[level];

    lore_sums_less(base->sum, part->sum);
    for (int i = 0; i < LORE_SLOTS; i++)
        for (int k = 0; k < LORE_NS; k++)
            base->n[i][k] -= part->n[i][k];
    if (steps)
        p->stepless = (struct lore_sums){0};
}

/* The groups of a technique, by what the index has added up, or one after the other. */
static void
add_groups(struct pass *p, uint32_t id)
{
    const struct lore_technique_groups *tech = &p->s->ix->by_technique[id];
    struct lore_sums *base = &p->sums[p->base];

    if (!p->s->weights->totals) {
        for (uint32_t i = 0; i < tech->n; i++)
            add_group(p, tech->groups[i]);
        return;
    }
    lore_scan_add_totals(p->s, &tech->totals, p->base, base->sum);
    lore_scan_add_chips(p->s, &tech->totals, p->base, base->n);
    for (uint32_t i = id > 0 ? p->end[id - 1] : 0; i < p->end[id]; i++) {
        call_group(p, i + 2);
        add_group(p, p->group[i]);
    }
    for (int l = 0; l < LORE_LEVEL_SHAPE; l++)
        if (p->used[l])
            take_away(p, (enum lore_tally_level)l, base);
    p->used[p->base] = true;
}

static void
add_technique(struct pass *p, uint32_t id)
{
    struct lore_scan *s = p->s;
    const struct lore_technique_groups *tech = &s->ix->by_technique[id];
    bool named = !lore_evidence_nameless(s->ix, tech->technique);
    struct lore_tried t = {.name = tech->technique, .tech = tech};
    uint32_t tried = 0;

    if (id + 1 < s->ix->technique_keys.n)
        __builtin_prefetch(s->ix->by_technique[id + 1].totals.v);
    add_groups(p, id);
    for (int l = 0; l < LORE_LEVEL_COUNT; l++) {
        if (named && p->used[l])
            lore_tally_technique(s, &p->sums[l], (enum lore_tally_level)l, &t);
        if (p->used[l])
            p->sums[l] = (struct lore_sums){0};
        p->used[l] = false;
        tried += t.level[l].tried;
    }
    if (tried == 0)
        return;
    lore_tally_finish(s, &t);
    *LORE_PUSH(s->arena, s->tried, s->n_tried, s->cap_tried) = t;
    s->slot[id] = (uint32_t)s->n_tried;
}

const struct lore_tried *
lore_tried_of(const struct lore_scan *s, const char *technique)
{
    uint32_t name = lore_evidence_find(s->ix, technique);
    uint32_t tech =
        name != LORE_NO_NAME ? lore_keys_find(&s->ix->technique_keys, name) : LORE_NO_KEY;

    return tech != LORE_NO_KEY && s->slot[tech] > 0 ? &s->tried[s->slot[tech] - 1] : NULL;
}

void
lore_scan_run(struct lore_scan *s, const struct lore_evidence_index *ix,
    const struct lore_question *q, struct lore_arena *arena)
{
    bool anywhere = !q->op && !q->family;
    struct pass p = {.s = s, .base = anywhere ? LORE_LEVEL_OPERATOR : LORE_LEVEL_ANY};

    *s = (struct lore_scan){.ix = ix, .q = q, .arena = arena};
    s->slot = lore_alloc_array(arena, (size_t)ix->technique_keys.n + 1, sizeof *s->slot);
    lore_weigh(s);
    s->weights->totals = s->weights->totals && !(anywhere && s->some_alike);
    add_experiments(&p);
    if (s->weights->totals)
        find_groups(&p);
    for (uint32_t i = 0; i < ix->technique_keys.n; i++)
        add_technique(&p, i);
    lore_scan_similar(s);
    while (s->nearest < LORE_T_UNKNOWN && s->from[s->nearest] == 0)
        s->nearest++;
}
