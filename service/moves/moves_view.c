/* What an operator looks like from a place: which other places speak and how loud, and what they
 * say of a configuration, as a point for the field of starts (moves_field.c). */
#include "service/moves/moves_view.h"

#include <math.h>

#include "service/moves/moves_kin.h"
#include "service/moves/moves_places.h"
#include "service/moves/moves_states.h"

/* Each value counts once, however many configurations have it. */
static void
spread_of(const struct moves_param *p, float *mean, float *spread)
{
    double s = 0, ss = 0, n = (double)p->n_values - 1;

    for (size_t i = 1; i < p->n_values; i++) {
        s += (double)p->coord[i];
        ss += (double)p->coord[i] * (double)p->coord[i];
    }
    double variance = n > 0 ? ss / n - s / n * (s / n) : 0;
    *mean = n > 0 ? (float)(s / n) : 0;
    *spread = variance > 1e-6 ? (float)(1 / variance) : 0;
}

/* The nearest places, nearest first. */
static void
find_worlds(const struct lore_moves *m, uint32_t op, uint32_t chip, struct moves_view *out)
{
    struct moves_losses losses = lore_moves_losses(m, chip);

    for (size_t i = 0; i < m->op[op].n_cells; i++) {
        const struct moves_seat *seat = &m->op[op].seat[i];
        if (seat->chip == chip || !(seat->best > 0))
            continue;
        double loss = lore_moves_loss_at(&losses, &seat->at);
        if (out->n_worlds == MOVES_SOURCES && loss >= out->world[MOVES_SOURCES - 1].loss)
            continue;
        out->n_worlds += out->n_worlds < MOVES_SOURCES;
        size_t at = out->n_worlds - 1;
        for (; at > 0 && out->world[at - 1].loss > loss; at--)
            out->world[at] = out->world[at - 1];
        out->world[at] = (struct moves_world){.cell = m->op[op].cell[i],
            .loss = loss,
            .weight = 1 / loss,
            .vendor =
                lore_moves_reach(losses.here, &m->chip[seat->chip]) != LORE_MOVES_OTHER_VENDOR};
    }
}

void
lore_moves_view(const struct lore_moves *m, uint32_t op, uint32_t chip, struct moves_view *out)
{
    double sum = 0;

    *out = (struct moves_view){.m = m, .op = &m->op[op], .loss = 1};
    find_worlds(m, op, chip, out);
    for (size_t i = 0; i < out->n_worlds; i++)
        sum += out->world[i].weight;
    out->loss = out->n_worlds > 0 ? out->world[0].loss : 1;
    for (size_t i = 0; i < out->n_worlds; i++)
        out->world[i].weight /= sum;
    for (size_t p = 0; p < out->op->n_params; p++) {
        out->symbolic |= (uint32_t)out->op->param[p].symbolic << p;
        if (!out->op->param[p].symbolic)
            spread_of(&out->op->param[p], &out->mean[p], &out->spread[p]);
    }
    out->stride = out->n_worlds + out->op->n_params;
}

struct moves_point *
lore_moves_points(
    const struct moves_view *v, const uint32_t *id, size_t n, struct lore_arena *arena)
{
    struct moves_point *p = lore_alloc_array(arena, n + 1, sizeof *p);
    float *apart = lore_alloc_array(arena, n * v->stride + 1, sizeof *apart);

    for (size_t i = 0; i < n; i++)
        p[i] = (struct moves_point){
            .id = id[i], .at = v->m->state[id[i]].at, .apart = apart + i * v->stride};
    return p;
}

void
lore_moves_point_stands(const struct moves_view *v, struct moves_point *p)
{
    for (size_t k = 0; k < v->op->n_params; k++) {
        uint32_t value = lore_moves_value(v->op, k, p->at);
        const struct moves_param *x = &v->op->param[k];
        p->apart[v->n_worlds + k] =
            x->symbolic ? (float)(value ? value : x->stands) : x->coord[value];
    }
}

void
lore_moves_point_end(const struct moves_view *v, struct moves_point *p)
{
    double ran = 0, fail = 0, sum = 0;

    for (uint64_t left = p->tried; left != 0; left &= left - 1) {
        size_t i = (size_t)__builtin_ctzll(left);
        const struct moves_world *w = &v->world[i];
        if (isinf(p->apart[i])) {
            fail += w->weight;
            p->barred |= w->vendor;
            p->tried &= ~((uint64_t)1 << i);
            p->apart[i] = 0;
        } else {
            ran += w->weight;
            sum += w->weight * (double)p->apart[i];
        }
    }
    p->blend = ran > 0 ? (float)(sum / ran) : NAN;
    p->fail = ran + fail > 0 ? (float)(fail / (ran + fail)) : 0;
    for (uint64_t left = p->tried; left != 0; left &= left - 1) {
        size_t i = (size_t)__builtin_ctzll(left);
        p->apart[i] = (float)(sqrt(v->world[i].weight) * ((double)p->apart[i] - sum / ran));
    }
}

void
lore_moves_point(
    const struct moves_view *v, uint32_t id, struct lore_arena *arena, struct moves_point *out)
{
    struct moves_point *p = lore_moves_points(v, &id, 1, arena);

    for (size_t i = 0; i < v->n_worlds; i++) {
        double ln = lore_moves_fraction(v->m, v->world[i].cell, id);
        if (!isnan(ln))
            lore_moves_point_says(p, i, (float)ln);
    }
    lore_moves_point_end(v, p);
    lore_moves_point_stands(v, p);
    *out = *p;
}
