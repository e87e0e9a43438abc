/* Workloads as points: a number among the dims is a coordinate in octaves, so that 4096 against
 * 8192 is as far as 64 against 128; a text, the dtype and the layout are symbols, equal or not.
 * Shapes of one operator with the same symbols and the same set of dims form a group that holds its
 * coordinates by column: a question compares a group's symbols once and leaves out whole groups.
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

enum {
    BLOCK = 64,  /* rows measured together: one column's are four cache lines */
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
    float *at;          /* columns of CAP each, one per number, in the order of places */
    uint32_t n, cap, columns;
};
#define NO_GROUP UINT32_MAX
struct operator_dims {
    uint32_t dim[LORE_SHAPE_DIMS]; /* names, in the order of first sight */
    uint32_t n_dims, first;        /* group */
};
struct lore_shapes {
    struct lore_intern texts, op_names, group_names; /* ids of the latter two: indices below */
    struct operator_dims *ops;
    struct group *groups;
    uint32_t n_ops, cap_ops, n_groups, cap_groups;
    uint32_t *seen; /* workloads + 1, open addressing; 0: free */
    uint32_t n_seen, cap_seen;
    size_t column_bytes;
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
    lore_xfree(s->seen);
    lore_intern_free(&s->texts);
    lore_intern_free(&s->op_names);
    lore_intern_free(&s->group_names);
    lore_xfree(s);
}

size_t
lore_shapes_bytes(const struct lore_shapes *s)
{
    return sizeof *s + s->texts.bytes + s->op_names.bytes + s->group_names.bytes +
           s->cap_ops * sizeof *s->ops + s->cap_groups * sizeof *s->groups +
           s->cap_seen * sizeof *s->seen + s->column_bytes;
}

/* ---- from dims to points ---- */

/* log2 for large numbers, and defined at and below zero: 0, 1 and 2 are about an octave apart, and
 * no two numbers fall together. */
static float
octaves(double x)
{
    return (float)(asinh(x) / M_LN2);
}

static const char *
id_text(uint32_t id, char out[ID_TEXT])
{
    snprintf(out, ID_TEXT, "%u", id);
    return out;
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

static uint32_t
mixed(uint32_t x)
{
    x = (x ^ (x >> 16)) * 0x7feb352dU;
    x = (x ^ (x >> 15)) * 0x846ca68bU;
    return x ^ (x >> 16);
}

static void
put_seen(uint32_t *slots, uint32_t cap, uint32_t entry)
{
    uint32_t i = mixed(entry) & (cap - 1);

    while (slots[i] != 0)
        i = (i + 1) & (cap - 1);
    slots[i] = entry;
}

/* Whether WORKLOAD is new; it is not any more. */
static bool
first_time(struct lore_shapes *s, uint32_t workload)
{
    uint32_t entry = workload + 1;

    if (s->n_seen * 2 >= s->cap_seen) {
        uint32_t cap = s->cap_seen == 0 ? 256 : s->cap_seen * 2;
        uint32_t *slots = lore_xcalloc(cap, sizeof *slots);
        for (uint32_t i = 0; i < s->cap_seen; i++) {
            if (s->seen[i] != 0)
                put_seen(slots, cap, s->seen[i]);
        }
        lore_xfree(s->seen);
        s->seen = slots;
        s->cap_seen = cap;
    }
    for (uint32_t i = mixed(entry) & (s->cap_seen - 1); s->seen[i] != 0;
         i = (i + 1) & (s->cap_seen - 1)) {
        if (s->seen[i] == entry)
            return false;
    }
    put_seen(s->seen, s->cap_seen, entry);
    s->n_seen++;
    return true;
}

static struct operator_dims *
op_made(struct lore_shapes *s, uint32_t op)
{
    char name[ID_TEXT];
    uint32_t i = lore_intern(&s->op_names, id_text(op, name));

    if (i < s->n_ops)
        return &s->ops[i];
    if (s->n_ops == s->cap_ops) {
        s->cap_ops = s->cap_ops == 0 ? 16 : s->cap_ops * 2;
        s->ops = lore_xrealloc(s->ops, s->cap_ops * sizeof *s->ops);
    }
    s->ops[s->n_ops] = (struct operator_dims){.first = NO_GROUP};
    return &s->ops[s->n_ops++];
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
    if (s->n_groups == s->cap_groups) {
        s->cap_groups = s->cap_groups == 0 ? 16 : s->cap_groups * 2;
        s->groups = lore_xrealloc(s->groups, s->cap_groups * sizeof *s->groups);
    }
    struct group *g = &s->groups[s->n_groups++];
    *g = (struct group){.next = op->first};
    memcpy(g->kind, p->kind, sizeof g->kind);
    for (uint32_t i = 0; i < PLACES; i++)
        g->columns += g->kind[i] == NUMBER;
    op->first = id;
    return g;
}

static void
widen(struct lore_shapes *s, struct group *g)
{
    uint32_t cap = g->cap == 0 ? 1 : g->cap * 2;
    float *at = lore_xalloc(sizeof *at * cap * g->columns);

    for (uint32_t c = 0; c < g->columns && g->n > 0; c++)
        memcpy(at + (size_t)c * cap, g->at + (size_t)c * g->cap, g->n * sizeof *at);
    lore_xfree(g->at);
    g->at = at;
    g->workload = lore_xrealloc(g->workload, cap * sizeof *g->workload);
    s->column_bytes += (size_t)(cap - g->cap) * (sizeof *g->workload + g->columns * sizeof *g->at);
    g->cap = cap;
}

void
lore_shapes_add(
    struct lore_shapes *s, uint32_t op, uint32_t workload, const struct lore_shape *shape)
{
    struct point p;

    if (!first_time(s, workload))
        return;
    struct operator_dims *dims = op_made(s, op);
    point_of(s, s, dims, shape, &p);
    struct group *g = group_made(s, dims, &p);
    if (g->n == g->cap)
        widen(s, g);
    float *at = g->at + g->n;
    for (uint32_t i = 0; i < PLACES; i++) {
        if (g->kind[i] != NUMBER)
            continue;
        *at = p.at[i];
        at += g->cap;
    }
    g->workload[g->n++] = workload;
}

/* ---- asking ---- */

struct best {
    uint64_t *v; /* 2 MOST: the bits of d2, which order like it, then the workload */
    size_t n;
    float limit; /* d2 from which on a shape is not wanted */
};

static int
by_distance(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static float
distance_in(uint64_t entry)
{
    uint32_t bits = (uint32_t)(entry >> 32);
    float d2;

    memcpy(&d2, &bits, sizeof d2);
    return d2;
}

static void
keep_closest(struct best *best)
{
    qsort(best->v, best->n, sizeof *best->v, by_distance);
    if (best->n < MOST)
        return;
    best->n = MOST;
    best->limit = distance_in(best->v[MOST - 1]);
}

static void
offer(struct best *best, float d2, uint32_t workload)
{
    uint32_t bits;

    if (best->n == 2 * (size_t)MOST)
        keep_closest(best);
    if (!(d2 <= best->limit))
        return;
    memcpy(&bits, &d2, sizeof bits);
    best->v[best->n++] = (uint64_t)bits << 32 | workload;
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
add_column(const float *restrict at, float asked, float *restrict d2)
{
    for (int i = 0; i < BLOCK; i++) {
        float d = at[i] - asked;
        d2[i] += d * d;
    }
}

static void
look_at(const struct group *g, const struct point *p, struct best *best)
{
    float asked[PLACES] = {0}, base = symbols_apart(g, p, asked);

    if (base > best->limit)
        return;
    for (uint32_t from = 0; from < g->n; from += BLOCK) {
        uint32_t rows = g->n - from < BLOCK ? g->n - from : BLOCK;
        float d2[BLOCK], least = INFINITY;
        for (uint32_t i = 0; i < BLOCK; i++)
            d2[i] = base;
        for (uint32_t c = 0; c < g->columns; c++) {
            const float *at = g->at + (size_t)c * g->cap + from;
            if (isnan(asked[c]))
                continue;
            if (rows == BLOCK) {
                add_column(at, asked[c], d2);
                continue;
            }
            for (uint32_t i = 0; i < rows; i++)
                d2[i] += (at[i] - asked[c]) * (at[i] - asked[c]);
        }
        for (uint32_t i = 0; i < rows; i++)
            least = d2[i] < least ? d2[i] : least;
        for (uint32_t i = 0; i < rows && least <= best->limit; i++)
            offer(best, d2[i], g->workload[from + i]);
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
    char name[ID_TEXT];
    uint32_t i = lore_intern_find(&s->op_names, id_text(op, name));
    struct best best = {.limit = (float)(-2 * width * width * log(least_alike))};
    struct point p;

    *out = NULL;
    if (i == LORE_INTERN_NONE || !says_something(asked))
        return 0;
    struct operator_dims dims = s->ops[i];
    point_of(s, NULL, &dims, asked, &p);
    best.v = lore_alloc_array(arena, 2 * (size_t)MOST, sizeof *best.v);
    for (uint32_t g = dims.first; g != NO_GROUP; g = s->groups[g].next)
        look_at(&s->groups[g], &p, &best);
    keep_closest(&best);
    *out = lore_alloc_array(arena, best.n + 1, sizeof **out);
    for (size_t k = 0; k < best.n; k++) {
        double d2 = distance_in(best.v[k]);
        (*out)[k] =
            (struct lore_shape_near){(uint32_t)best.v[k], (float)exp(-d2 / (2 * width * width))};
    }
    return best.n;
}
