/* Learns how gains come in sessions (session.h). Every attempt is one outcome, shared by its
 * techniques. Before any attempt the rate of gains is 1 in 4, as of a move (moves_numbers.c). */
#include "service/recommend/session.h"

#include <math.h>

#include "service/base/text.h"
#include "service/moves/moves_math.h"

#define RIDGE 1.0 /* a prior of variance 1 on each weight */

struct technique {
    const char *name;
    size_t failed; /* attempts since its last gain */
    bool again;
};
struct learning {
    double *x, *weight;
    uint8_t *y;
    size_t n;
    struct technique *techniques; /* of the kernel that is read */
    size_t n_techniques, cap, since;
};

static struct technique *
technique_of(struct learning *l, const char *name, struct lore_arena *arena)
{
    for (size_t i = 0; i < l->n_techniques; i++)
        if (lore_streq(l->techniques[i].name, name))
            return &l->techniques[i];
    struct technique *t = LORE_PUSH(arena, l->techniques, l->n_techniques, l->cap);
    *t = (struct technique){.name = name};
    return t;
}

static void
terms(const struct lore_session_state *at, double x[LORE_SESSION_TERMS])
{
    x[0] = 1;
    x[1] = log2(1 + (double)at->since);
    x[2] = log2(1 + (double)at->failed);
    x[3] = at->again;
}

static void
add(struct learning *l, const struct lore_session_attempt *a, struct lore_arena *arena)
{
    for (size_t i = 0; i < a->n; i++) {
        struct technique *t = technique_of(l, a->techniques[i], arena);
        const struct lore_session_state at = {l->since, t->failed, t->again};

        terms(&at, &l->x[l->n * LORE_SESSION_TERMS]);
        l->y[l->n] = a->gained;
        l->weight[l->n++] = 1 / (double)a->n;
        t->failed = a->gained ? 0 : t->failed + 1;
        t->again = true;
    }
    l->since = a->gained ? 0 : l->since + 1;
}

void
lore_session_learn(const struct lore_session_attempt *v, size_t n, struct lore_arena *arena,
    struct lore_session_model *out)
{
    struct learning l = {0};
    size_t rows = 0, judged = 0, gained = 0;

    for (size_t i = 0; i < n; i++) {
        rows += v[i].n;
        judged += v[i].n > 0;
        gained += v[i].n > 0 && v[i].gained;
    }
    l.x = lore_alloc_array(arena, rows * LORE_SESSION_TERMS + 1, sizeof *l.x);
    l.weight = lore_alloc_array(arena, rows + 1, sizeof *l.weight);
    l.y = lore_alloc_array(arena, rows + 1, sizeof *l.y);
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || !lore_streq(v[i].kernel, v[i - 1].kernel))
            l.n_techniques = l.since = 0;
        add(&l, &v[i], arena);
    }
    *out = (struct lore_session_model){
        .base = lore_moves_logit(((double)gained + 1) / ((double)judged + 4))};
    out->w[0] = out->base;
    lore_moves_logistic(&(struct lore_moves_observed){l.x, l.y, l.weight, l.n, LORE_SESSION_TERMS},
        RIDGE, out->w, arena);
}

double
lore_session_shift(const struct lore_session_model *s, const struct lore_session_state *at)
{
    double x[LORE_SESSION_TERMS], sum = -s->base;

    terms(at, x);
    for (size_t i = 0; i < LORE_SESSION_TERMS; i++)
        sum += s->w[i] * x[i];
    return sum;
}

double
lore_session_p(const struct lore_session_model *s, const struct lore_session_state *at)
{
    return lore_moves_sigmoid(s->base + lore_session_shift(s, at));
}

double
lore_session_odds(double p, double shift)
{
    return p <= 0 || p >= 1 ? p : lore_moves_sigmoid(lore_moves_logit(p) + shift);
}
