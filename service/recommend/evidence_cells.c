/* Cells (evidence_cells.h): rows that every question weighs alike, but for their share of the
 * credit, which is a factor. So what a question adds up is kept per cell, with each row that comes
 * or changes: a question costs as much as there are cells, however many rows. */
#include "evidence_cells.h"

#include <math.h>
#include <stdbool.h>

#include "evidence_keys.h"
#include "xalloc.h"

enum { FEW = 8, FIRST_SLOTS = 16 }; /* FEW: cells that are found without a table */

static uint32_t
slot_of(const struct lore_cells *t, uint32_t context, uint32_t class)
{
    uint64_t key = lore_pair(context, class) * 0x9e3779b97f4a7c15u;

    key = (key ^ key >> 32) * 0xd6e8feb86659fd93u;
    return (uint32_t)((key >> 32) * t->n_slots >> 32);
}

static bool
is(const struct lore_cell *c, uint32_t context, uint32_t class)
{
    return c->context == context && c->class == class;
}

/* The slot of a cell, or the free one where it belongs. */
static uint32_t
find_slot(const struct lore_cells *t, uint32_t context, uint32_t class)
{
    uint32_t i = slot_of(t, context, class);

    while (t->slots[i] != 0 && !is(&t->v[t->slots[i] - 1], context, class))
        i = i + 1 < t->n_slots ? i + 1 : 0;
    return i;
}

/* At most three quarters of the slots are used. */
static void
widen(struct lore_cells *t)
{
    t->n_slots = t->n_slots == 0 ? FIRST_SLOTS : t->n_slots + t->n_slots / 2;
    lore_xfree(t->slots);
    t->slots = lore_xcalloc(t->n_slots, sizeof *t->slots);
    for (uint32_t i = 0; i < t->n; i++)
        t->slots[find_slot(t, t->v[i].context, t->v[i].class)] = i + 1;
}

struct lore_cell *
lore_cells_find(struct lore_cells *t, uint32_t context, uint32_t class)
{
    uint32_t slot = 0;

    for (uint32_t i = 0; i < t->n && t->n < FEW; i++)
        if (is(&t->v[i], context, class))
            return &t->v[i];
    if (t->n >= FEW) {
        if (4 * (uint64_t)t->n >= 3 * (uint64_t)t->n_slots)
            widen(t);
        slot = find_slot(t, context, class);
        if (t->slots[slot] != 0)
            return &t->v[t->slots[slot] - 1];
    }
    if (t->n == t->cap) {
        t->cap = t->n < FEW ? 2 * t->n + 1 : t->n + t->n / 8 + 1;
        t->v = lore_xrealloc(t->v, t->cap * sizeof *t->v);
    }
    t->v[t->n] = (struct lore_cell){.context = context, .class = class};
    if (t->n >= FEW)
        t->slots[slot] = t->n + 1;
    return &t->v[t->n++];
}

void
lore_cell_put(struct lore_cell *c, float log, float clamp, double share)
{
    double x = isnan(log) ? 0 : lore_clamped(log, clamp);
    float effect = isnan(log) ? 0 : fabsf(log);

    c->n++;
    c->share += share;
    c->x += share * x;
    c->xx += share * x * x;
    c->most = effect > c->most ? effect : c->most;
}

void
lore_cell_take(struct lore_cell *c, float log, float clamp, double share)
{
    double x = isnan(log) ? 0 : lore_clamped(log, clamp);

    if (c->n == 1) {
        *c = (struct lore_cell){.context = c->context, .class = c->class};
        return;
    }
    c->n--;
    c->share -= share;
    c->x -= share * x;
    c->xx -= share * x * x;
}

void
lore_cells_free(struct lore_cells *t)
{
    lore_xfree(t->v);
    lore_xfree(t->slots);
    *t = (struct lore_cells){0};
}

size_t
lore_cells_bytes(const struct lore_cells *t)
{
    return t->cap * sizeof *t->v + t->n_slots * sizeof *t->slots;
}
