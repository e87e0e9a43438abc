/* Cells: the rows of one technique that agree in context and place differ only in their speedup,
 * and every question weighs them alike. So what a question adds up is kept per cell, with each row
 * that comes or changes: a question costs as much as there are cells, however many rows. */
#include <math.h>

#include "evidence_inner.h"
#include "xalloc.h"

enum { FEW = 8, FIRST_SLOTS = 16 }; /* FEW: cells that are found without a table */

static uint32_t
slot_of(const struct lore_shelf *s, uint32_t context, uint32_t place)
{
    uint64_t key = ((uint64_t)context << 32 | place) * 0x9e3779b97f4a7c15u;

    key = (key ^ key >> 32) * 0xd6e8feb86659fd93u;
    return (uint32_t)((key >> 32) * s->n_slots >> 32);
}

static bool
is(const struct lore_cell *c, uint32_t context, uint32_t place)
{
    return c->context == context && c->place == place;
}

/* The slot of a cell, or the free one where it belongs. */
static uint32_t
find_slot(const struct lore_shelf *s, uint32_t context, uint32_t place)
{
    uint32_t i = slot_of(s, context, place);

    while (s->slots[i] != 0 && !is(&s->cells[s->slots[i] - 1], context, place))
        i = i + 1 < s->n_slots ? i + 1 : 0;
    return i;
}

/* At most three quarters of the slots are used. */
static void
widen(struct lore_shelf *s)
{
    s->n_slots = s->n_slots == 0 ? FIRST_SLOTS : s->n_slots + s->n_slots / 2;
    lore_xfree(s->slots);
    s->slots = lore_xcalloc(s->n_slots, sizeof *s->slots);
    for (uint32_t i = 0; i < s->n_cells; i++)
        s->slots[find_slot(s, s->cells[i].context, s->cells[i].place)] = i + 1;
}

uint32_t
lore_cell_find(struct lore_shelf *s, uint32_t context, uint32_t place)
{
    uint32_t slot = 0;

    for (uint32_t i = 0; i < s->n_cells && s->n_cells < FEW; i++)
        if (is(&s->cells[i], context, place))
            return i;
    if (s->n_cells >= FEW) {
        if (4 * (uint64_t)s->n_cells >= 3 * (uint64_t)s->n_slots)
            widen(s);
        slot = find_slot(s, context, place);
        if (s->slots[slot] != 0)
            return s->slots[slot] - 1;
    }
    if (s->n_cells == s->cap_cells) {
        s->cap_cells = s->n_cells < FEW ? 2 * s->n_cells + 1 : lore_roomier(s->n_cells);
        s->cells = lore_xrealloc(s->cells, s->cap_cells * sizeof *s->cells);
    }
    s->cells[s->n_cells] = (struct lore_cell){.context = context, .place = place};
    if (s->n_cells >= FEW)
        s->slots[slot] = s->n_cells + 1;
    return s->n_cells++;
}

void
lore_cell_put(struct lore_cell *c, float log_speedup, float clamp)
{
    double x = isnan(log_speedup) ? 0 : lore_clamped(log_speedup, clamp);
    float effect = isnan(log_speedup) ? 0 : fabsf(log_speedup);

    c->n++;
    c->x += x;
    c->xx += x * x;
    if (effect < c->most)
        return;
    c->most = effect;
    c->loose = false;
}

void
lore_cell_take(struct lore_cell *c, float log_speedup, float clamp)
{
    double x = isnan(log_speedup) ? 0 : lore_clamped(log_speedup, clamp);

    if (c->n == 1) {
        *c = (struct lore_cell){.context = c->context, .place = c->place};
        return;
    }
    c->n--;
    c->x -= x;
    c->xx -= x * x;
    if (c->most > 0 && fabsf(log_speedup) >= c->most)
        c->loose = true;
}
