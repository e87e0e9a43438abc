/* Order and speedups of a kernel's versions (lineage.h). Ablations and branches often have no
 * ordinal; they use that of their parent and follow it. A baseline without an ordinal is first. A
 * parent that is not among the versions is ignored. Cycles cannot be stored; the depth limit stops
 * them anyway. */
#include "service/derive/lineage.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_DEPTH = 1000,
    BEFORE_ALL = -1, /* ordinals count from 0 */
    BEST_FIRST = 4   /* a baseline with a time */
};

struct position {
    int64_t ordinal; /* own, else of the nearest ancestor that has one */
    bool own;
    const struct lore_step_in *v;
    size_t in;
};

static size_t
find(const struct lore_step_in *in, size_t n, const char *id)
{
    for (size_t i = 0; id != NULL && i < n; i++)
        if (strcmp(in[i].id, id) == 0)
            return i;
    return n;
}

static int64_t
ordinal_of(const struct lore_step_in *in, size_t n, size_t i)
{
    for (int depth = 0; i < n && depth < MAX_DEPTH; depth++) {
        size_t parent = find(in, n, in[i].parent);

        if (in[i].ordinal.set)
            return in[i].ordinal.v;
        if (parent == n && in[i].standing.kind == LORE_V_BASELINE)
            return BEFORE_ALL;
        i = parent;
    }
    return INT64_MAX;
}

static int
by_position(const void *pa, const void *pb)
{
    const struct position *a = pa, *b = pb;

    if (a->ordinal != b->ordinal)
        return a->ordinal < b->ordinal ? -1 : 1;
    if (a->own != b->own)
        return a->own ? -1 : 1;
    return a->v->seq < b->v->seq ? -1 : a->v->seq > b->v->seq;
}

static double
gain_over(const struct lore_step_in *base, const struct lore_step_in *v)
{
    return base ? lore_gain(base->time.ns, v->time.ns) : 0;
}

/* How suitable a version is as the base "first version"; 0: unsuitable. */
static int
first_rank(const struct lore_step_in *v)
{
    if (!lore_gain_may_be_first(&v->standing))
        return 0;
    return 1 + (v->standing.kind == LORE_V_BASELINE) + 2 * (v->time.ns > 0);
}

/* The index of the first version of I's own line when that is a baseline with a time; else n.
 * UP[i]: the parent of i; n: none. */
static size_t
own_first(const struct lore_step_in *in, size_t n, const size_t *up, size_t i)
{
    size_t at = up[i];

    for (int depth = 0; at < n && up[at] < n && depth < MAX_DEPTH; depth++)
        at = up[at];
    return at < n && first_rank(&in[at]) == BEST_FIRST ? at : n;
}

/* The step of input I. */
static size_t
step_of(const struct lore_lineage *l, size_t i)
{
    size_t k = 0;

    while (k < l->n && l->steps[k].in != i)
        k++;
    return k;
}

static void
measure(const struct lore_step_in *in, size_t n, const size_t *up, struct lore_lineage *out)
{
    const struct lore_step_in *best = NULL;

    for (size_t i = 0; i < out->n; i++) {
        struct lore_lineage_step *s = &out->steps[i];
        const struct lore_step_in *v = &in[s->in];
        size_t parent = up[s->in], own = own_first(in, n, up, s->in);

        s->baseline = i == out->baseline;
        s->first = own < n ? step_of(out, own) : s->baseline ? n : out->baseline;
        s->vs_first = s->first < n ? gain_over(&in[out->steps[s->first].in], v) : 0;
        s->vs_parent = gain_over(parent < n ? &in[parent] : NULL, v);
        s->vs_best = gain_over(best, v);
        s->best = out->champion;
        if (v->time.ns > 0 && lore_gain_may_lead(&v->standing) &&
            (!best || lore_gain_leads(&v->time, &best->time))) {
            best = v;
            out->champion = i;
        }
    }
    if (out->champion < out->n)
        out->steps[out->champion].champion = true;
}

void
lore_lineage_order(
    const struct lore_step_in *in, size_t n, struct lore_arena *arena, struct lore_lineage *out)
{
    struct position *positions = lore_alloc_array(arena, n + 1, sizeof *positions);
    size_t *up = lore_alloc_array(arena, n + 1, sizeof *up);

    *out = (struct lore_lineage){
        .steps = lore_alloc_array(arena, n + 1, sizeof *out->steps), .n = n, .champion = n};
    for (size_t i = 0; i < n; i++)
        up[i] = find(in, n, in[i].parent);
    for (size_t i = 0; i < n; i++)
        positions[i] = (struct position){ordinal_of(in, n, i), in[i].ordinal.set, &in[i], i};
    if (n > 1)
        qsort(positions, n, sizeof *positions, by_position);
    out->baseline = n;
    for (size_t i = 0; i < n; i++) {
        out->steps[i].in = positions[i].in;
        if (out->baseline == n ||
            first_rank(positions[i].v) > first_rank(positions[out->baseline].v))
            out->baseline = i;
    }
    measure(in, n, up, out);
}
