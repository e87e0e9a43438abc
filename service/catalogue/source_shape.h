/* The walk over the statements of a source; shared by source_shape.c (arrays and what is done with
 * them) and source_walk.c (loops, launches, calls). Indices are into the live tokens. */
#ifndef LORE_CATALOGUE_SOURCE_SHAPE_H
#define LORE_CATALOGUE_SOURCE_SHAPE_H

#include <string.h>

#include "service/catalogue/source_code.h"

enum { LOOPS = 8, PAIRS = 24, NEAR = 48, TILE = 128, MOVED = 4 };

enum lore_code_walk_mark {
    TILE_COPY,
    SWIZZLE,
    PADDING,
    DOUBLE_BUFFER,
    VECTOR,
    WIDE_SHARED,
    REGISTER_TILE,
    ACCUMULATORS,
    REGISTER_CACHE,
    COARSE,
    PERSISTENT,
    SHARED_ATOMIC,
    RUNNING_MAXIMUM,
    WARP_PER_ROW,
    SHARED,
    NO_SHARED,
    NO_BARRIER,
    NO_LOOP,
};
struct lore_code_walk_loop {
    size_t end; /* of its body */
    const struct lore_code_token *var;
    const struct lore_code_token *moved[MOVED]; /* what each turn moves on, the variable among it */
    size_t n_moved;
    uint32_t id;
    bool counted; /* a constant number of turns, at least two */
};
struct lore_code_walk_pair {
    const struct lore_code_token *a, *b;
};
struct lore_code_walk_pairs {
    struct lore_code_walk_pair v[PAIRS];
    size_t n;
};
struct lore_code_walk {
    struct lore_code *c;
    const struct lore_code_token *v; /* all live tokens; indices are into it */
    uint32_t *match;
    struct lore_code_walk_loop loop[LOOPS];
    size_t n_loops;
    uint32_t last_loop;                                 /* id */
    struct lore_code_walk_pairs maxima, decays, copies; /* b = max(a, …), exp(a - b), a = b */
    struct {
        size_t at, n;
    } grid[LOOPS]; /* fixed sizes of launches */
    size_t n_grids;
    bool barrier, shuffle, warp_row;
    size_t guarded; /* the end of a branch that one thread takes */
    uint32_t part;  /* that is walked */
    size_t budget;  /* of spans_grid */
};

static inline void
found(struct lore_code_walk *s, enum lore_code_walk_mark m)
{
    s->c->found |= 1u << m;
}

static inline bool
is(const struct lore_code_walk *s, size_t i, const char *text)
{
    return lore_code_is(&s->v[i], text);
}

static inline unsigned
flags_of(const struct lore_code_walk *s, size_t i)
{
    const struct lore_code_symbol *y = lore_code_find_symbol(s->c, &s->v[i]);

    /* members share their names with variables */
    return y && y->part == s->part && (i == 0 || !lore_code_like(&s->v[i - 1], ". -> ::"))
               ? y->flags
               : 0;
}

/* The first token of [FIRST, END) whose symbol has one of FLAGS; END: none. */
static inline size_t
first_with(const struct lore_code_walk *s, size_t first, size_t end, unsigned flags)
{
    while (first < end && !(flags_of(s, first) & flags))
        first++;
    return first;
}

static inline size_t
find_like(const struct lore_code_walk *s, size_t first, size_t end, const char *words)
{
    while (first < end && !lore_code_like(&s->v[first], words))
        first++;
    return first;
}

static inline bool
same(const struct lore_code_token *a, const struct lore_code_token *b)
{
    return a->len == b->len && memcmp(a->at, b->at, a->len) == 0;
}

static inline bool
has_pair(const struct lore_code_walk_pairs *p, const struct lore_code_token *a,
    const struct lore_code_token *b)
{
    for (size_t i = 0; i < p->n; i++)
        if (same(p->v[i].a, a) && same(p->v[i].b, b))
            return true;
    return false;
}

/* The end of a bracket that opens at I, at most END. */
static inline size_t
closed(const struct lore_code_walk *s, size_t i, size_t end)
{
    return s->match[i] > i && s->match[i] < end ? s->match[i] : end;
}

/* The symbol at I, without what another function knows of the name. */
struct lore_code_symbol *lore_code_walk_own(struct lore_code_walk *s, size_t i);
/* Note what the word at I does, and what the statement [FIRST, END) does. */
void lore_code_walk_word(struct lore_code_walk *s, size_t i, size_t end);
void lore_code_walk_statement(struct lore_code_walk *s, size_t first, size_t end);

#endif
