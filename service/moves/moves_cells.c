/* Times and moves by operator and place: what is added, and how it is grouped for reading.
 *
 * Moves between the same two values of a parameter share a bucket, sorted by state: an entry is a
 * state at the lower value and the effect, for the other state follows. So a move takes eight
 * bytes, told again it is found and replaced, and what all states of a neighbourhood say of one
 * change lies side by side. */
#include "service/moves/moves_cells.h"

#include <math.h>
#include <string.h>

#include "service/moves/moves_math.h"
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

/* The cell, which is told something: a service indexes after each commit, which concerns a few of
 * many thousand places. */
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
    if (!c->told)
        *LORE_PUSH(m->arena, m->told, m->n_told, m->cap_told) = c;
    c->told = true;
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

static uint32_t
bucket_slot(const struct moves_cell *c, uint32_t param, uint32_t low, uint32_t high)
{
    uint64_t h = ((uint64_t)low << 32 | high) * 0x9e3779b97f4a7c15u + param * 0xbf58476d1ce4e5b9u;
    uint32_t i = (uint32_t)(h ^ h >> 32) & (c->n_index - 1);

    for (; c->index[i] != 0; i = (i + 1) & (c->n_index - 1)) {
        const struct moves_bucket *b = &c->bucket[c->index[i] - 1];
        if (b->param == param && b->low == low && b->high == high)
            break;
    }
    return i;
}

const struct moves_bucket *
lore_moves_bucket(const struct moves_cell *c, size_t param, uint32_t low, uint32_t high)
{
    if (c->n_index == 0)
        return NULL;
    uint32_t i = c->index[bucket_slot(c, (uint32_t)param, low, high)];
    return i == 0 ? NULL : &c->bucket[i - 1];
}

static struct moves_bucket *
bucket_of(struct lore_moves *m, struct moves_cell *c, uint32_t param, uint32_t low, uint32_t high)
{
    if (2 * (c->n_buckets + 1) > c->n_index) {
        lore_moves_grow_slots(m, &c->index, &c->n_index);
        for (uint32_t i = 0; i < c->n_buckets; i++) {
            const struct moves_bucket *b = &c->bucket[i];
            c->index[bucket_slot(c, b->param, b->low, b->high)] = i + 1;
        }
    }
    uint32_t *at = &c->index[bucket_slot(c, param, low, high)];
    if (*at == 0) {
        *LORE_PUSH(m->arena, c->bucket, c->n_buckets, c->cap_buckets) = (struct moves_bucket){
            .param = param, .low = low, .high = high, .next = c->first[param]};
        *at = c->first[param] = (uint32_t)c->n_buckets;
    }
    return &c->bucket[*at - 1];
}

size_t
lore_moves_entry_find(const struct moves_bucket *b, uint32_t at)
{
    size_t low = 0, high = b->n;

    if (b->n > 0 && b->entry[b->n - 1].state < at) /* what comes in order */
        return b->n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (b->entry[middle].state < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Take a move, from lower to higher, into the sums (SIGN 1) or out of them (-1). */
static void
count(struct moves_cell *c, size_t param, float y, double sign)
{
    for (int up = 0; up < 2; up++) {
        float gain = up ? y : -y;
        double won = (double)gain > MOVES_GAIN && isfinite(y);
        if (isinf(y) && gain < 0) /* the way back of a failure */
            continue;
        c->rate[param][up].n += sign;
        c->rate[param][up].won += sign * won;
        c->all.n += sign;
        c->all.won += sign * won;
    }
    if (isinf(y))
        return;
    c->n_ran += sign;
    c->squares += sign * (double)y * (double)y;
    c->soft_squares += sign * lore_moves_soft((double)y) * lore_moves_soft((double)y);
}

bool
lore_moves_tried(struct lore_moves *m, uint32_t chip, uint32_t from, uint32_t to,
    double log_speedup, bool failed)
{
    uint32_t param = lore_moves_differ(m, from, to);

    if (param == LORE_MOVES_NONE || (!failed && !isfinite(log_speedup)))
        return false;
    const struct moves_op *op = &m->op[m->state[from].op];
    uint32_t a = lore_moves_value(op, param, m->state[from].at),
             b = lore_moves_value(op, param, m->state[to].at);
    bool up = lore_moves_up(op, param, a, b);
    uint32_t low = m->state[up ? from : to].at;
    double y = failed ? (double)INFINITY : fmax(-MOVES_CLAMP, fmin(MOVES_CLAMP, log_speedup));
    y = up ? y : -y;
    struct moves_cell *c = cell_of(m, m->state[from].op, chip);
    struct moves_bucket *k = bucket_of(m, c, param, up ? a : b, up ? b : a);
    size_t i = lore_moves_entry_find(k, low);
    if (i < k->n && k->entry[i].state == low) {
        count(c, param, k->entry[i].y, -1);
    } else {
        if (k->n == k->cap)
            k->entry = lore_moves_grow(m, k->entry, &k->cap, sizeof *k->entry);
        memmove(k->entry + i + 1, k->entry + i, (k->n - i) * sizeof *k->entry);
        k->n++;
        c->n_moves++;
    }
    k->entry[i] = (struct moves_entry){low, (float)y};
    count(c, param, (float)y, 1);
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
