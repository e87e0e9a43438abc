/* Times by operator and place: eight bytes each, found by state. A move is two of them. */
#include "service/moves/moves_cells.h"

#include <math.h>
#include <string.h>

#include "service/moves/moves_states.h"
#include "service/moves/moves_tables.h"

/* Where CHIP is in O's index, or the free slot where it belongs. */
static size_t
cell_slot(const struct moves_op *o, uint32_t chip)
{
    size_t i = (chip * 0x9e3779b97f4a7c15u >> 20) & (o->n_cell_index - 1);

    while (o->cell_index[i] != 0 && o->cell[o->cell_index[i] - 1]->chip != chip)
        i = (i + 1) & (o->n_cell_index - 1);
    return i;
}

/* A library's operator has as many places as it was measured on shapes. */
struct moves_cell *
lore_moves_cell_find(const struct lore_moves *m, uint32_t op, uint32_t chip)
{
    const struct moves_op *o = &m->op[op];
    uint32_t at = o->n_cell_index > 0 ? o->cell_index[cell_slot(o, chip)] : 0;

    return at > 0 ? o->cell[at - 1] : NULL;
}

/* The last cell of O becomes findable. */
static void
index_cell(struct lore_moves *m, struct moves_op *o)
{
    if (2 * o->n_cells < o->n_cell_index) {
        o->cell_index[cell_slot(o, o->cell[o->n_cells - 1]->chip)] = (uint32_t)o->n_cells;
        return;
    }
    lore_moves_grow_slots(m, &o->cell_index, &o->n_cell_index);
    for (size_t i = 0; i < o->n_cells; i++)
        o->cell_index[cell_slot(o, o->cell[i]->chip)] = (uint32_t)i + 1;
}

static struct moves_cell *
cell_of(struct lore_moves *m, uint32_t op, uint32_t chip)
{
    struct moves_cell *c = lore_moves_cell_find(m, op, chip);
    struct moves_op *o = &m->op[op];

    if (!c) {
        c = lore_alloc(m->arena, sizeof *c);
        *c = (struct moves_cell){.op = op, .chip = chip, .at = (uint32_t)o->n_cells};
        *LORE_PUSH(m->arena, o->cell, o->n_cells, o->cap_cells) = c;
        *LORE_PUSH(m->arena, o->seat, o->n_seats, o->cap_seats) =
            (struct moves_seat){.at = m->place[chip], .chip = chip};
        index_cell(m, o);
    }
    return c;
}

static size_t
time_slot(const struct moves_cell *c, uint32_t at)
{
    size_t i = (at * 0x9e3779b97f4a7c15u >> 20) & (c->cap_times - 1);

    while (c->time[i].state != 0 && c->time[i].state != at + 1)
        i = (i + 1) & (c->cap_times - 1);
    return i;
}

float
lore_moves_time_at(const struct moves_cell *c, uint32_t at)
{
    return c->cap_times == 0 ? 0 : c->time[time_slot(c, at)].time;
}

static void
grow_times(struct lore_moves *m, struct moves_cell *c)
{
    struct moves_cell was = *c;

    if (3 * c->cap_times >= 4 * (c->n_times + 1))
        return;
    c->cap_times = was.cap_times ? 2 * was.cap_times : 8;
    c->time = lore_moves_block(m, c->cap_times * sizeof *c->time);
    for (size_t i = 0; i < was.cap_times; i++)
        if (was.time[i].state != 0)
            c->time[time_slot(c, was.time[i].state - 1)] = was.time[i];
    if (was.cap_times > 0)
        lore_moves_give(m, was.time, was.cap_times * sizeof *was.time);
}

/* Whether state AT with TIME comes before the one at K of the fastest. */
static bool
is_before(const struct moves_cell *c, uint32_t at, float time, size_t k)
{
    float other = lore_moves_time_at(c, c->top[k]);

    return time != other ? time < other : at < c->top[k];
}

static void
add_top(struct moves_cell *c, uint32_t at, float time)
{
    size_t low = 0, high = c->n_top;

    if (c->n_top == MOVES_TOPS && !is_before(c, at, time, MOVES_TOPS - 1))
        return;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (is_before(c, at, time, middle))
            high = middle;
        else
            low = middle + 1;
    }
    c->n_top += c->n_top < MOVES_TOPS;
    memmove(c->top + low + 1, c->top + low, (c->n_top - 1 - low) * sizeof *c->top);
    c->top[low] = at;
}

/* The time of state AT is another now. Where it leaves a list that is full nobody knows who
 * follows: all are looked at. */
static void
correct_top(struct moves_cell *c, uint32_t at, float now)
{
    size_t k = 0;
    bool had, full = c->n_top == MOVES_TOPS;

    while (k < c->n_top && c->top[k] != at)
        k++;
    had = k < c->n_top;
    if (had) {
        c->n_top--;
        memmove(c->top + k, c->top + k + 1, (c->n_top - k) * sizeof *c->top);
    }
    if (!had || !full || (now > 0 && is_before(c, at, now, c->n_top - 1))) {
        if (now > 0)
            add_top(c, at, now);
        return;
    }
    c->n_top = 0;
    for (size_t i = 0; i < c->cap_times; i++)
        if (c->time[i].time > 0)
            add_top(c, c->time[i].state - 1, c->time[i].time);
}

void
lore_moves_time(struct lore_moves *m, uint32_t state, uint32_t chip, double time)
{
    struct moves_cell *c = cell_of(m, m->state[state].op, chip);
    uint32_t at = m->state[state].at;

    grow_times(m, c);
    if (!c->top)
        c->top = lore_alloc_array(m->arena, MOVES_TOPS, sizeof *c->top);
    struct moves_time *t = &c->time[time_slot(c, at)];
    float was = t->time, now = time > 0 ? (float)time : -1;
    if (t->state != 0 && was == now)
        return;
    c->n_times += t->state == 0;
    m->op[c->op].n_times += t->state == 0;
    *t = (struct moves_time){at + 1, now};
    if (was > 0)
        correct_top(c, at, now);
    else if (now > 0)
        add_top(c, at, now);
    c->best = c->n_top > 0 ? lore_moves_time_at(c, c->top[0]) : 0;
    m->op[c->op].seat[c->at].best = c->best;
    m->op[c->op].seat[c->at].n_times = (uint32_t)c->n_times;
}

/* A change told without a run of one of its two states says what the other's time is. */
bool
lore_moves_tried(struct lore_moves *m, uint32_t chip, uint32_t from, uint32_t to,
    double log_speedup, bool failed)
{
    if (lore_moves_differ(m, from, to) == LORE_MOVES_NONE || (!failed && !isfinite(log_speedup)))
        return false;
    const struct moves_cell *c = lore_moves_cell_find(m, m->state[from].op, chip);
    double before = c ? (double)lore_moves_time_at(c, m->state[from].at) : 0,
           after = c ? (double)lore_moves_time_at(c, m->state[to].at) : 0;
    if (failed && after == 0)
        lore_moves_time(m, to, chip, 0);
    else if (!failed && before > 0 && after == 0)
        lore_moves_time(m, to, chip, before * exp(-log_speedup));
    else if (!failed && after > 0 && before == 0)
        lore_moves_time(m, from, chip, after * exp(log_speedup));
    return true;
}

/* The time on C of the state that ID is there: parameters that C lacks taken away, missing ones
 * filled in with what their absence stands for. */
static float
time_of(const struct lore_moves *m, const struct moves_cell *c, uint32_t id)
{
    float time = lore_moves_time_at(c, m->state[id].at);

    for (size_t k = 0; time == 0 && k < lore_moves_likes(m, id); k++) {
        uint32_t other = lore_moves_like(m, id, k);
        if (other != LORE_MOVES_NONE)
            time = lore_moves_time_at(c, m->state[other].at);
    }
    return time;
}

double
lore_moves_fraction(const struct lore_moves *m, const struct moves_cell *c, uint32_t id)
{
    float time = c->best > 0 ? time_of(m, c, id) : 0;

    if (time == 0)
        return NAN;
    return time > 0 ? log((double)c->best / (double)time) : -INFINITY;
}
