/* Workloads as points: a number among the dims is a coordinate in octaves, so that 4096 against
 * 8192 is as far as 64 against 128; a text, the dtype and the layout are symbols, equal or not.
 * Shapes of one operator with the same symbols and the same set of dims form a group, whose symbols
 * a question compares once.
 *
 *   alike = exp(-d2 / (2 width^2))      d2 = sum of squared octaves, dim by dim
 *
 * Below 0.02 a shape says nothing of the one asked about, and is not returned. */
#include "service/recommend/shapes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "service/base/intern.h"
#include "service/base/text.h"
#include "service/base/xalloc.h"
#include "service/recommend/keys.h"

enum {
    MOST = 2048, /* of more alike ones than these the closest are returned */
    DTYPE = LORE_SHAPE_DIMS,
    LAYOUT,
    PLACES,
    ID_TEXT = 12 /* a 32-bit number and its end */
};
static const double least_alike = 0.02;
/* Another dtype, layout or mode runs other code: as far as a dim that is eight times as large. */
static const float other_octaves = 3;
/* Not recorded on one side: likelier the usual value than any particular other one. */
static const float unknown_octaves = 1;

enum { ABSENT, NUMBER, TEXT }; /* kinds of a place; a text's is TEXT + its interned id */
#define NO_TEXT UINT32_MAX     /* the kind of a text that no workload has */

struct point {
    uint32_t kind[PLACES];
    float at[PLACES];  /* of numbers, in octaves */
    uint32_t unplaced; /* dims that no workload of the operator has */
};
struct group {
    uint32_t kind[PLACES];
    uint32_t next;      /* group of the same operator; NO_GROUP: none */
    uint32_t *workload; /* per row */
    float *at;          /* its numbers behind one another, row after row */
    uint32_t n, cap, cap_at, columns;
};
#define NO_GROUP UINT32_MAX
struct operator_dims {
    uint32_t dim[LORE_SHAPE_DIMS]; /* names, in the order of first sight */
    uint32_t n_dims, first;        /* group */
};
struct lore_shapes {
    struct lore_intern texts, group_names; /* ids of the latter: indices below */
    struct lore_keys operators, workloads;
    struct operator_dims *ops;
    struct group *groups;
    uint32_t cap_ops, n_groups, cap_groups;
};

struct lore_shapes *
lore_shapes_new(void)
{
    return lore_xalloc(sizeof(struct lore_shapes));
}

void
lore_shapes_free(struct lore_shapes *s)
{
    if (!s)
        return;
    for (uint32_t g = 0; g < s->n_groups; g++) {
        lore_xfree(s->groups[g].workload);
        lore_xfree(s->groups[g].at);
    }
    lore_xfree(s->groups);
    lore_xfree(s->ops);
    lore_keys_free(&s->operators);
    lore_keys_free(&s->workloads);
    lore_intern_free(&s->texts);
    lore_intern_free(&s->group_names);
    lore_xfree(s);
}

size_t
lore_shapes_bytes(const struct lore_shapes *s)
{
    size_t bytes = sizeof *s + s->texts.bytes + s->group_names.bytes +
                   lore_keys_bytes(&s->operators) + lore_keys_bytes(&s->workloads) +
                   s->cap_ops * sizeof *s->ops + s->cap_groups * sizeof *s->groups;

    for (uint32_t g = 0; g < s->n_groups; g++)
        bytes += s->groups[g].cap * sizeof *s->groups->workload +
                 s->groups[g].cap_at * sizeof *s->groups->at;
    return bytes;
}

/* ---- from dims to points ---- */

/* log2 for large numbers, and defined at and below zero: 0, 1 and 2 are about an octave apart, and
 * no two numbers fall together. */
static float
octaves(double x)
{
    return (float)(asinh(x) / M_LN2);
}

/* Dims differ in name and kind from dtype and layout by the place that they have. */
static uint32_t
text_kind(const struct lore_shapes *s, struct lore_shapes *grow, const char *text)
{
    uint32_t id;

    if (!text)
        return ABSENT;
    id = grow != NULL ? lore_intern(&grow->texts, text) : lore_intern_find(&s->texts, text);
    return id == LORE_INTERN_NONE ? NO_TEXT : TEXT + id;
}

/* The place of dim NAME, made when GROW is not NULL; LORE_SHAPE_DIMS: none. */
static uint32_t
place_of(const struct lore_shapes *s, struct lore_shapes *grow, struct operator_dims *op,
    const char *name)
{
    uint32_t i = 0, id;

    id = grow != NULL ? lore_intern(&grow->texts, name) : lore_intern_find(&s->texts, name);
    while (i < op->n_dims && op->dim[i] != id)
        i++;
    if (i < op->n_dims)
        return i;
    if (!grow || op->n_dims == LORE_SHAPE_DIMS)
        return LORE_SHAPE_DIMS;
    op->dim[op->n_dims] = id;
    return op->n_dims++;
}

/* SHAPE as a point; new names and texts are kept when GROW is not NULL (it is S then). */
static void
point_of(const struct lore_shapes *s, struct lore_shapes *grow, struct operator_dims *op,
    const struct lore_shape *shape, struct point *out)
{
    size_t n = shape->dims != NULL ? shape->dims->n : 0;

    *out = (struct point){0};
    for (size_t i = 0; i < n; i++) {
        const struct lore_kv *kv = &shape->dims->v[i];
        uint32_t place = place_of(s, grow, op, kv->key);
        double number = 0;
        if (place == LORE_SHAPE_DIMS) {
            out->unplaced++;
        } else if (lore_parse_f64(kv->value, kv->key, &number, NULL) == LORE_OK) {
            out->kind[place] = NUMBER;
            out->at[place] = octaves(number);
        } else {
            out->kind[place] = text_kind(s, grow, kv->value);
        }
    }
    out->kind[DTYPE] = text_kind(s, grow, shape->dtype);
    out->kind[LAYOUT] = text_kind(s, grow, shape->layout);
}

/* ---- adding ---- */

static struct operator_dims *
op_made(struct lore_shapes *s, uint32_t op)
{
    uint32_t known = s->operators.n, i = lore_keys_add(&s->operators, op);

    s->ops = lore_keys_room(s->ops, i, &s->cap_ops, sizeof *s->ops);
    if (i == known)
        s->ops[i].first = NO_GROUP;
    return &s->ops[i];
}

/* The group that P belongs to, made when it is the first of its kind. */
static struct group *
group_made(struct lore_shapes *s, struct operator_dims *op, const struct point *p)
{
    char name[PLACES * ID_TEXT + ID_TEXT];
    int len = snprintf(name, sizeof name, "%zu", (size_t)(op - s->ops));

    for (uint32_t i = 0; i < PLACES; i++)
        len += snprintf(name + len, sizeof name - (size_t)len, ",%u", p->kind[i]);
    uint32_t id = lore_intern(&s->group_names, name);
    if (id < s->n_groups)
        return &s->groups[id];
    s->groups = lore_keys_room(s->groups, id, &s->cap_groups, sizeof *s->groups);
    struct group *g = &s->groups[s->n_groups++];
    g->next = op->first;
    memcpy(g->kind, p->kind, sizeof g->kind);
    for (uint32_t i = 0; i < PLACES; i++)
        g->columns += g->kind[i] == NUMBER;
    op->first = id;
    return g;
}

void
lore_shapes_add(
    struct lore_shapes *s, uint32_t op, uint32_t workload, const struct lore_shape *shape)
{
    uint32_t known = s->workloads.n;
    struct point p;

    if (lore_keys_add(&s->workloads, workload) < known)
        return;
    struct operator_dims *dims = op_made(s, op);
    point_of(s, s, dims, shape, &p);
    struct group *g = group_made(s, dims, &p);
    uint32_t end = g->n * g->columns;
    g->workload = lore_keys_room(g->workload, g->n, &g->cap, sizeof *g->workload);
    g->at = lore_keys_room(g->at, end + g->columns, &g->cap_at, sizeof *g->at);
    for (uint32_t i = 0; i < PLACES; i++)
        if (g->kind[i] == NUMBER)
            g->at[end++] = p.at[i];
    g->workload[g->n++] = workload;
}

/* ---- asking ---- */

struct found {
    float d2; /* squared octaves */
    uint32_t workload;
};
struct best {
    struct found *v; /* 2 MOST */
    size_t n;
    float limit; /* d2 from which on a shape is not wanted */
};

static int
by_distance(const void *a, const void *b)
{
    const struct found *x = a, *y = b;

    if (x->d2 != y->d2)
        return x->d2 < y->d2 ? -1 : 1;
    return (x->workload > y->workload) - (x->workload < y->workload);
}

static void
keep_closest(struct best *best)
{
    qsort(best->v, best->n, sizeof *best->v, by_distance);
    if (best->n < MOST)
        return;
    best->n = MOST;
    best->limit = best->v[MOST - 1].d2;
}

/* The squared octaves between P and every row of G by their symbols alone; and the coordinates that
 * remain, one per column, NAN where there is nothing to compare with. */
static float
symbols_apart(const struct group *g, const struct point *p, float asked[PLACES])
{
    float d2 = (float)p->unplaced * unknown_octaves * unknown_octaves;
    uint32_t column = 0;

    for (uint32_t i = 0; i < PLACES; i++) {
        if (g->kind[i] == NUMBER)
            asked[column++] = p->kind[i] == NUMBER ? p->at[i] : NAN;
        if (g->kind[i] == p->kind[i])
            continue;
        if (g->kind[i] == ABSENT || p->kind[i] == ABSENT)
            d2 += unknown_octaves * unknown_octaves;
        else
            d2 += other_octaves * other_octaves;
    }
    return d2;
}

static void
look_at(const struct group *g, const struct point *p, struct best *best)
{
    float asked[PLACES] = {0}, base = symbols_apart(g, p, asked);

    for (uint32_t i = 0; i < g->n && base <= best->limit; i++) {
        const float *at = g->at + (size_t)i * g->columns;
        float d2 = base;
        for (uint32_t c = 0; c < g->columns && d2 <= best->limit; c++)
            if (!isnan(asked[c]))
                d2 += (at[c] - asked[c]) * (at[c] - asked[c]);
        if (!(d2 <= best->limit))
            continue;
        if (best->n == 2 * (size_t)MOST)
            keep_closest(best);
        best->v[best->n++] = (struct found){d2, g->workload[i]};
    }
}

static bool
says_something(const struct lore_shape *shape)
{
    return (shape->dims && shape->dims->n > 0) || shape->dtype || shape->layout;
}

size_t
lore_shapes_near(const struct lore_shapes *s, uint32_t op, const struct lore_shape *asked,
    double width, struct lore_arena *arena, struct lore_shape_near **out)
{
    uint32_t i = lore_keys_find(&s->operators, op);
    struct best best = {.limit = (float)(-2 * width * width * log(least_alike))};
    struct point p;

    *out = NULL;
    if (i == LORE_NO_KEY || !says_something(asked))
        return 0;
    struct operator_dims dims = s->ops[i];
    point_of(s, NULL, &dims, asked, &p);
    best.v = lore_alloc_array(arena, 2 * (size_t)MOST, sizeof *best.v);
    for (uint32_t g = dims.first; g != NO_GROUP; g = s->groups[g].next)
        look_at(&s->groups[g], &p, &best);
    keep_closest(&best);
    *out = lore_alloc_array(arena, best.n + 1, sizeof **out);
    for (size_t k = 0; k < best.n; k++)
        (*out)[k] = (struct lore_shape_near){
            best.v[k].workload, (float)exp(-best.v[k].d2 / (2 * width * width))};
    return best.n;
}
