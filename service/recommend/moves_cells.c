/* Times and moves by operator and chip: what is added, and how it is grouped for reading.
 *
 * Indexing is incremental: a raw move goes into the lane of its parameter once, and its way back
 * beside it (x -> y measured also tells y -> x), unless the target failed. */
#include <math.h>
#include <string.h>

#include "moves_mix.h"

struct moves_cell *
lore_moves_cell_find(const struct lore_moves *m, uint32_t op, uint32_t chip)
{
    for (size_t i = 0; i < m->n_cells; i++)
        if (m->cell[i]->op == op && m->cell[i]->chip == chip)
            return m->cell[i];
    return NULL;
}

static struct moves_cell *
cell_of(struct lore_moves *m, uint32_t op, uint32_t chip)
{
    struct moves_cell *c = lore_moves_cell_find(m, op, chip);

    if (c != NULL)
        return c;
    c = lore_alloc(m->arena, sizeof *c);
    c->op = op;
    c->chip = chip;
    *LORE_PUSH(m->arena, m->cell, m->n_cells, m->cap_cells) = c;
    return c;
}

void
lore_moves_time(struct lore_moves *m, uint32_t state, uint32_t chip, double time)
{
    struct moves_cell *c = cell_of(m, m->state[state].op, chip);

    if (state >= c->n_time) {
        size_t n = m->n_states + m->n_states / 2 + 1;
        float *grown = lore_alloc_array(m->arena, n, sizeof *grown);
        if (c->n_time > 0)
            memcpy(grown, c->time, c->n_time * sizeof *grown);
        c->time = grown;
        c->n_time = n;
    }
    c->n_measured += c->time[state] == 0;
    c->time[state] = time > 0 ? (float)time : -1;
    if (time > 0 && (c->best == 0 || time < (double)c->best))
        c->best = (float)time;
}

bool
lore_moves_tried(struct lore_moves *m, uint32_t chip, uint32_t from, uint32_t to,
    double log_speedup, bool failed)
{
    uint32_t param = lore_moves_differ(m, from, to);

    if (param == LORE_MOVES_NONE || (!failed && !isfinite(log_speedup)))
        return false;
    struct moves_cell *c = cell_of(m, m->state[from].op, chip);
    double y = fmax(-MOVES_CLAMP, fmin(MOVES_CLAMP, log_speedup));
    *LORE_PUSH(m->arena, c->raw, c->n_raw, c->cap_raw) = (struct moves_raw){
        .from = from, .to = to, .y = failed ? NAN : (float)y, .param = (uint8_t)param};
    return true;
}

static void
add_to_lane(struct moves_lane *lane, uint32_t from, uint32_t to, float y)
{
    lane->from[lane->n] = from;
    lane->to[lane->n] = to;
    lane->y[lane->n++] = y;
}

/* Room for N more in every lane that gets some. */
static void
grow_lane(struct lore_moves *m, struct moves_lane *lane, size_t more)
{
    struct moves_lane grown = {.n = lane->n};
    size_t n = lane->n + more;

    if (more == 0)
        return;
    grown.from = lore_alloc_array(m->arena, n, sizeof *grown.from);
    grown.to = lore_alloc_array(m->arena, n, sizeof *grown.to);
    grown.y = lore_alloc_array(m->arena, n, sizeof *grown.y);
    if (lane->n > 0) {
        memcpy(grown.from, lane->from, lane->n * sizeof *grown.from);
        memcpy(grown.to, lane->to, lane->n * sizeof *grown.to);
        memcpy(grown.y, lane->y, lane->n * sizeof *grown.y);
    }
    *lane = grown;
}

static void
count(const struct lore_moves *m, struct moves_cell *c, const struct moves_raw *r)
{
    size_t p = r->param;
    bool up = m->state[r->to].resolved[p] > m->state[r->from].resolved[p];
    bool failed = isnan(r->y);

    c->rate[p][up].n++;
    c->rate[p][up].won += !failed && (double)r->y > MOVES_GAIN;
    c->all.n++;
    c->all.won += !failed && (double)r->y > MOVES_GAIN;
    if (failed)
        return;
    c->rate[p][!up].n++;
    c->rate[p][!up].won += -(double)r->y > MOVES_GAIN;
    c->all.n++;
    c->all.won += -(double)r->y > MOVES_GAIN;
}

static void
index_cell(struct lore_moves *m, struct moves_cell *c)
{
    size_t more[LORE_MOVES_PARAMS] = {0};
    double sum = 0, soft = 0, n = 0;

    for (size_t i = c->n_indexed; i < c->n_raw; i++)
        more[c->raw[i].param] += isnan(c->raw[i].y) ? 1 : 2;
    for (size_t p = 0; p < LORE_MOVES_PARAMS; p++)
        grow_lane(m, &c->lane[p], more[p]);
    for (size_t i = c->n_indexed; i < c->n_raw; i++) {
        const struct moves_raw *r = &c->raw[i];
        add_to_lane(&c->lane[r->param], r->from, r->to, r->y);
        if (!isnan(r->y))
            add_to_lane(&c->lane[r->param], r->to, r->from, -r->y);
        count(m, c, r);
    }
    c->n_indexed = c->n_raw;
    for (size_t i = 0; i < c->n_raw; i++) {
        if (isnan(c->raw[i].y))
            continue;
        sum += (double)c->raw[i].y * (double)c->raw[i].y;
        soft += lore_moves_soft((double)c->raw[i].y) * lore_moves_soft((double)c->raw[i].y);
        n++;
    }
    c->spread = n > 0 ? sum / n : 0;
    c->soft_spread = n > 0 ? soft / n : 0;
}

/* How far the times of configurations without PARAM are from those with it at VALUE, when both
 * are otherwise the same: the variance of the log ratio, summed over pairs of chips. */
static double
unlike(const struct lore_moves *m, const struct moves_op *op, size_t param, float value, double *n)
{
    double total = 0;

    *n = 0;
    for (size_t a = 0; a < m->n_cells; a++) {
        for (size_t b = 0; b < m->n_cells; b++) {
            const struct moves_cell *x = m->cell[a], *y = m->cell[b];
            double s = 0, ss = 0, k = 0;
            for (size_t i = 0; &m->op[x->op] == op && x->op == y->op && i < op->n_states; i++) {
                uint32_t id = op->states[i];
                if (id >= x->n_time || !isnan(m->state[id].coord[param]) || !(x->time[id] > 0))
                    continue;
                uint32_t other = lore_moves_state_with(m, id, param, value);
                if (other == LORE_MOVES_NONE || other >= y->n_time || !(y->time[other] > 0))
                    continue;
                double d = log((double)x->time[id] / (double)y->time[other]);
                s += d;
                ss += d * d;
                k++;
            }
            if (k >= 20) {
                total += ss / k - s / k * (s / k);
                *n += 1;
            }
        }
    }
    return *n > 0 ? total / *n : INFINITY;
}

/* What a missing PARAM stands for. */
static float
learn_absent(const struct lore_moves *m, const struct moves_op *op, size_t param)
{
    float seen[32], best = NAN;
    size_t n_seen = 0, absent = 0;
    double least = INFINITY, n;

    for (size_t i = 0; i < op->n_states; i++) {
        float v = m->state[op->states[i]].coord[param];
        size_t k = 0;
        absent += isnan(v);
        while (k < n_seen && seen[k] != v)
            k++;
        if (!isnan(v) && k == n_seen && n_seen < 32)
            seen[n_seen++] = v;
    }
    if (n_seen == 1)
        return seen[0];
    for (size_t k = 0; absent > 0 && k < n_seen; k++) {
        double d = unlike(m, op, param, seen[k], &n);
        if (d < least) {
            least = d;
            best = seen[k];
        }
    }
    return best;
}

static void
resolve(struct lore_moves *m, struct moves_op *op)
{
    /* twice: what one stands for can hang on another */
    for (size_t p = 0; p < op->n_params; p++)
        op->param[p].absent_as = learn_absent(m, op, p);
    for (size_t p = 0; p < op->n_params; p++) {
        float as = op->param[p].absent_as = learn_absent(m, op, p);
        double sum = 0, n = 0;
        for (size_t i = 0; i < op->n_states; i++) {
            float v = m->state[op->states[i]].coord[p];
            sum += isnan(v) ? 0 : (double)v;
            n += !isnan(v);
        }
        float middle = n > 0 ? (float)(sum / n) : 0;
        for (size_t i = 0; i < op->n_states; i++) {
            struct moves_state *s = &m->state[op->states[i]];
            s->resolved[p] = !isnan(s->coord[p]) ? s->coord[p] : isnan(as) ? middle : as;
        }
    }
}

void
lore_moves_index(struct lore_moves *m)
{
    for (size_t i = 0; i < m->n_ops; i++)
        resolve(m, &m->op[i]);
    for (size_t i = 0; i < m->n_cells; i++)
        index_cell(m, m->cell[i]);
    if (m->num.width > 0)
        lore_moves_meet(m);
}

/* Squared distances in widths stop counting here. The kernel has a heavy tail, (1 + d^2)^-3: the
 * same configuration counts for much more than what is around it, and where it is missing, what is
 * around still speaks. */
#define FAR 100.0f

static inline float
gap(bool symbolic, float a, float b)
{
    float d = a - b;

    return symbolic ? (d != 0 ? 1.0f : 0.0f) : d * d;
}

struct moves_local
lore_moves_local(const struct lore_moves *m, const struct moves_cell *c, uint32_t from, uint32_t to,
    size_t param, double width)
{
    const struct moves_lane *lane = &c->lane[param];
    const struct moves_op *op = &m->op[c->op];
    const float *f = m->state[from].resolved, *t = m->state[to].resolved;
    const float scale = (float)(1 / (width * width)), far = FAR / scale;
    double w = 0, y = 0, soft = 0, failed = 0;

    for (size_t i = 0; i < lane->n; i++) {
        const float *a = m->state[lane->from[i]].resolved;
        bool sym = op->param[param].symbolic;
        float d = 2 * gap(sym, a[param], f[param]);
        if (d > far || (d += 2 * gap(sym, m->state[lane->to[i]].resolved[param], t[param])) > far)
            continue;
        for (size_t p = 0; p < op->n_params; p++)
            d += p == param ? 0 : gap(op->param[p].symbolic, a[p], f[p]);
        if (d > far)
            continue;
        double near = 1 / (1 + (double)(d * scale)), k = near * near * near;
        w += k;
        if (isnan(lane->y[i])) {
            failed += k;
            continue;
        }
        y += k * (double)lane->y[i];
        soft += k * lore_moves_soft((double)lane->y[i]);
    }
    double ran = fmax(w - failed, 1e-9);
    return (struct moves_local){.w = (float)w,
        .mean = (float)(y / ran),
        .soft = (float)(soft / ran),
        .fail = w > 0 ? (float)(failed / w) : 0};
}
