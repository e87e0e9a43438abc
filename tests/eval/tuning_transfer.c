/* The model proposes one configuration at a time and hears the result. Baselines: the best
 * configurations of one other chip in order, averaged over those chips (naive copy), and random
 * ones of the space, averaged over 200 draws. Proposals are limited to the held-out chip's space,
 * which is known; its times are not. */
#include "tests/eval/tuning_transfer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "service/base/text.h"
#include "service/moves/moves_predict.h"
#include "service/moves/moves_start.h"
#include "service/stats/random.h"

const int tuning_budgets[T_BUDGETS] = {1, 5, 10, 20};
enum { MOST = 20, DRAWS = 200 };

static double
fraction(const struct tuning_cell *c, size_t state)
{
    return c->state[state].time > 0 ? c->best / c->state[state].time : 0;
}

/* Add the best so far of a SEQUENCE of fractions, weighted, to OUT. */
static void
add(const double *sequence, size_t n, double weight, double *out)
{
    for (size_t b = 0; b < T_BUDGETS; b++) {
        double best = 0;
        for (size_t i = 0; i < n && i < (size_t)tuning_budgets[b]; i++)
            best = fmax(best, sequence[i]);
        out[b] += weight * best;
    }
}

struct space { /* of the held-out chip */
    bool *has; /* per configuration of the memory */
    size_t n;
};

static bool
is_in(const void *ctx, uint32_t state)
{
    const struct space *s = ctx;

    return state < s->n && s->has[state];
}

static void
make_space(const uint32_t *id, size_t n, struct lore_arena *arena, struct space *out)
{
    out->n = 0;
    for (size_t i = 0; i < n; i++)
        out->n = id[i] >= out->n ? id[i] + (size_t)1 : out->n;
    out->has = lore_alloc_array(arena, out->n + 1, sizeof *out->has);
    for (size_t i = 0; i < n; i++)
        out->has[id[i]] = true;
}

static void
model(struct tuning_world *w, size_t cell, struct tuning_transfer *out)
{
    const struct tuning_cell *c = &w->data->cell[cell];
    uint32_t chip = lore_moves_chip(w->memory, &c->chip);
    double seen[MOST], inside = 0, ran = 0;

    for (size_t k = 0; k < MOST; k++) {
        struct lore_arena arena = {0};
        struct lore_moves_start s;
        struct space space;
        seen[k] = 0;
        make_space(w->id[cell], c->n, &arena, &space);
        const struct lore_moves_wanted wanted = {c->kernel, chip, 1, is_in, &space, c->n};
        size_t n = lore_moves_starts(w->memory, &wanted, &arena, &s);
        for (size_t i = 0; n == 1 && i < c->n; i++) {
            if (w->id[cell][i] != s.state)
                continue;
            seen[k] = fraction(c, i);
            lore_moves_time(w->memory, s.state, chip, c->state[i].time);
            out->proposals++;
            out->failed += seen[k] == 0;
            ran += seen[k] > 0;
            inside += seen[k] > 0 && seen[k] >= s.low && seen[k] <= s.high;
        }
        lore_arena_free(&arena);
    }
    out->covered = ran > 0 ? inside / ran : 0;
    add(seen, MOST, 1, out->model);
}

struct alike { /* values of a source's parameters as those of the held-out chip's */
    size_t param[TUNING_PARAMS]; /* of the source; SIZE_MAX: it has none of that name */
    int value[TUNING_PARAMS][TUNING_VALUES];
};

static void
compare(const struct tuning_cell *c, const struct tuning_cell *s, struct alike *out)
{
    for (size_t p = 0; p < c->n_params; p++) {
        out->param[p] = SIZE_MAX;
        for (size_t q = 0; q < s->n_params; q++) {
            if (!lore_streq(c->param[p].name, s->param[q].name))
                continue;
            out->param[p] = q;
            for (size_t v = 0; v < s->param[q].n; v++)
                out->value[p][v] = tuning_value_in(&s->param[q], v, &c->param[p]);
        }
    }
}

/* The first state of C with the same values as STATE of S, where the names agree; SIZE_MAX: none.
 */
static size_t
same_state(const struct tuning_cell *c, const struct tuning_cell *s, const struct alike *alike,
    size_t state)
{
    for (size_t i = 0; i < c->n; i++) {
        bool same = true;
        for (size_t p = 0; same && p < c->n_params; p++) {
            size_t q = alike->param[p];
            same = q == SIZE_MAX || alike->value[p][s->state[state].at[q]] == c->state[i].at[p];
        }
        if (same)
            return i;
    }
    return SIZE_MAX;
}

struct ranked {
    size_t state;
    double time;
};

static int
by_time(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;

    return (x->time > y->time) - (x->time < y->time);
}

static void
copies(const struct tuning_world *w, size_t cell, struct tuning_transfer *out)
{
    const struct tuning_cell *c = &w->data->cell[cell];
    double sources = 0;

    for (size_t i = 0; i < w->data->n; i++)
        sources += w->train[i] && lore_streq(w->data->cell[i].kernel, c->kernel);
    for (size_t i = 0; i < w->data->n; i++) {
        const struct tuning_cell *s = &w->data->cell[i];
        struct lore_arena arena = {0};
        double seen[MOST] = {0};
        if (!w->train[i] || !lore_streq(s->kernel, c->kernel))
            continue;
        struct alike *alike = lore_alloc(&arena, sizeof *alike);
        compare(c, s, alike);
        struct ranked *order = lore_alloc_array(&arena, s->n, sizeof *order);
        for (size_t k = 0; k < s->n; k++)
            order[k] =
                (struct ranked){k, s->state[k].time > 0 ? s->state[k].time : (double)INFINITY};
        qsort(order, s->n, sizeof *order, by_time);
        for (size_t k = 0; k < MOST && k < s->n; k++) {
            size_t at = same_state(c, s, alike, order[k].state);
            seen[k] = at == SIZE_MAX ? 0 : fraction(c, at);
        }
        add(seen, MOST, 1 / sources, out->copy);
        lore_arena_free(&arena);
    }
}

void
tuning_transfer(struct tuning_world *w, size_t cell, struct tuning_transfer *out)
{
    const struct tuning_cell *c = &w->data->cell[cell];
    uint64_t seed = 5;

    memset(out, 0, sizeof *out);
    for (int d = 0; d < DRAWS; d++) {
        double seen[MOST];
        for (size_t k = 0; k < MOST; k++)
            seen[k] = fraction(c, (size_t)lore_random_below(&seed, c->n));
        add(seen, MOST, 1.0 / DRAWS, out->random);
    }
    copies(w, cell, out);
    model(w, cell, out);
}

enum { EVERY = 3, STATES = 2500, MOVES = 256 };

void
tuning_failures(const struct tuning_world *w, size_t cell, struct tuning_failures *out)
{
    const struct tuning_cell *c = &w->data->cell[cell];
    uint32_t chip = lore_moves_chip(w->memory, &c->chip);

    size_t every = c->n / STATES > EVERY ? c->n / STATES : EVERY;

    *out = (struct tuning_failures){0};
    for (size_t i = 0; i < c->n; i += every) {
        size_t n = c->first[i + 1] - c->first[i];
        struct lore_moves_forecast f[MOVES];
        uint32_t to[MOVES];
        if (!(c->state[i].time > 0) || n > MOVES)
            continue;
        for (size_t k = 0; k < n; k++)
            to[k] = w->id[cell][c->move[c->first[i] + k].to];
        lore_moves_predict(w->memory, chip, w->id[cell][i], to, n, f);
        for (size_t k = 0; k < n; k++) {
            bool failed = !isfinite(tuning_effect(c, i, c->move[c->first[i] + k].to));
            bool said = f[k].p_fail > 0.5;
            out->asked++;
            out->said += said;
            out->failed += failed;
            out->right += said && failed;
        }
    }
}
