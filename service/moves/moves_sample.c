/* Which moves of a place the model learns from. Two kinds of states are asked about, and gains are
 * a third of the moves from one and a fifth from the other: any, and those that someone comes by
 * who keeps what is faster. From a state that is taken every move that was tried is taken. */
#include "service/moves/moves_sample.h"

#include <stdlib.h>

#include "service/moves/moves_states.h"
#include "service/stats/random.h"

enum { BUCKETS = 1024, ATTEMPTS = 30 };
#define KEEP 0.0198 /* ln 1.02 */

static void
take(struct moves_samples *s, const struct moves_cell *c, const struct moves_bucket *b,
    const struct moves_entry *e, uint32_t from)
{
    bool up = from == e->state;

    if (isinf(e->y) && up != (e->y > 0))
        return; /* the way back of a failure */
    uint32_t id = s->m->op[c->op].states[from];
    *LORE_PUSH(s->arena, s->v, s->n, s->cap) = (struct moves_sample){.cell = c,
        .from = id,
        .param = b->param,
        .to = up ? b->high : b->low,
        .y = isinf(e->y) ? NAN
             : up        ? e->y
                         : -e->y};
}

/* Every move that was tried in C from state AT. */
static void
take_state(struct moves_samples *s, const struct moves_cell *c, uint32_t at)
{
    const struct moves_op *op = &s->m->op[c->op];

    for (size_t i = 0; i < c->n_buckets; i++) {
        const struct moves_bucket *b = &c->bucket[i];
        uint32_t value = lore_moves_value(op, b->param, at), low = at;
        if (value != b->low && value != b->high)
            continue;
        if (value == b->high) {
            uint32_t id = lore_moves_state_with(s->m, op->states[at], b->param, b->low);
            if (id == LORE_MOVES_NONE)
                continue;
            low = s->m->state[id].at;
        }
        size_t k = lore_moves_entry_find(b, low);
        if (k < b->n && b->entry[k].state == low)
            take(s, c, b, &b->entry[k], at);
    }
}

/* One of the moves of C, all alike. */
static const struct moves_entry *
any_entry(const struct moves_cell *c, uint64_t *seed, const struct moves_bucket **of)
{
    size_t k = (size_t)lore_random_below(seed, c->n_moves), i = 0;

    for (; k >= c->bucket[i].n; i++)
        k -= c->bucket[i].n;
    *of = &c->bucket[i];
    return &c->bucket[i].entry[k];
}

void
lore_moves_sample_any(struct moves_samples *s, const struct moves_cell *c, size_t n, uint64_t seed)
{
    const struct moves_op *op = &s->m->op[c->op];
    size_t end = s->n + n;

    for (size_t tries = 0; s->n < end && tries < n; tries++) {
        const struct moves_bucket *b;
        const struct moves_entry *e = any_entry(c, &seed, &b);
        uint32_t at = e->state;
        if (isinf(e->y) ? e->y < 0 : lore_random_below(&seed, 2) == 1) {
            uint32_t id = lore_moves_state_with(s->m, op->states[at], b->param, b->high);
            at = s->m->state[id].at;
        }
        if (c->n_buckets <= BUCKETS)
            take_state(s, c, at);
        else
            take(s, c, b, e, at);
    }
}

/* From one state on, at most ATTEMPTS, until there are END. */
static void
take_walk(struct moves_samples *s, const struct moves_cell *c, uint64_t *seed, size_t end)
{
    const struct moves_op *op = &s->m->op[c->op];
    const struct moves_bucket *b;
    uint32_t at = any_entry(c, seed, &b)->state;
    size_t first = s->n;

    take_state(s, c, at);
    for (int a = 0; a < ATTEMPTS && s->n > first && s->n < end; a++) {
        const struct moves_sample *x = &s->v[first + lore_random_below(seed, s->n - first)];
        if (isnan(x->y) || !((double)x->y > KEEP))
            continue;
        uint32_t id = lore_moves_state_with(s->m, op->states[at], x->param, x->to);
        at = s->m->state[id].at;
        first = s->n;
        take_state(s, c, at);
    }
}

void
lore_moves_sample_way(struct moves_samples *s, const struct moves_cell *c, size_t n, uint64_t seed)
{
    size_t end = s->n + n;

    for (size_t t = 0; t < n && s->n < end; t++)
        take_walk(s, c, &seed, end);
}

static int
by_move(const void *a, const void *b)
{
    const struct moves_sample *x = a, *y = b;

    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    if (x->param != y->param)
        return x->param < y->param ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

double
lore_moves_rate_way(const struct lore_moves *m, const struct moves_cell *c, size_t n, uint64_t seed)
{
    struct lore_arena arena = {0};
    struct moves_samples s = {.m = m, .arena = &arena};
    double won = 0, moves = 0;

    lore_moves_sample_way(&s, c, n, seed);
    qsort(s.v, s.n, sizeof *s.v, by_move);
    for (size_t i = 0; i < s.n; i++) {
        if (i > 0 && by_move(&s.v[i - 1], &s.v[i]) == 0)
            continue; /* many ways lead to the same optimum */
        won += lore_moves_gained(s.v[i].y);
        moves++;
    }
    lore_arena_free(&arena);
    return moves > 0 ? won / moves : 0;
}
