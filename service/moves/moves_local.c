/* What the moves of one place say of a move asked about.
 *
 * A move near the one asked about counts by a kernel of the distance between the states they start
 * from, (1 + d^2)^-3 with a heavy tail: the same configuration counts for much more than what is
 * around it, and where it is missing, what is around still speaks. A second, wide kernel tells what
 * the change does on average around there. The distances of all states of the operator to the state
 * asked about are made once for all its moves and all places. */
#include "service/moves/moves_local.h"

#include <math.h>

#include "service/moves/moves_cells.h"
#include "service/moves/moves_math.h"
#include "service/moves/moves_states.h"

/* A move this little alike says nothing: the least sum of kernels that counts as evidence. */
#define LEAST 1e-4
#define FAR 20.0f /* squared distance, in widths, from which one move alone says that little */

/* Octaves of the wide kernel: what a change does on average around a state carries over to chips on
 * which what it does at that very state does not. */
#define WIDE 1.0f
#define FAR_WIDE 4.0f /* squared distance, in wide widths, from which moves say nothing of it */
enum { MANY = 192 };

struct sums {
    double w, y, soft, failed;
    double wide_w, wide_ran, wide_soft, wide_won;
};

/* The entries of B, seen from low to high or back (UP), EXTRA being the distance that the change
 * itself adds. */
static void
add_bucket(const struct moves_look *look, const struct moves_bucket *b, bool up, float extra,
    float scale, struct sums *s)
{
    double w = 0, y = 0, soft = 0, failed = 0;

    for (size_t i = 0; i < b->n; i++) {
        const struct moves_entry *e = &b->entry[i];
        float d = fmaxf(0, look->d[e->state] + extra) * scale;
        if (d > FAR) /* most of a large bucket is */
            continue;
        float near = 1 / (1 + d);
        float k = near * near * near;
        if (isinf(e->y)) { /* the way back of a failure is no move */
            k = up == (e->y > 0) ? k : 0;
            w += (double)k;
            failed += (double)k;
            continue;
        }
        w += (double)k;
        y += (double)(k * e->y);
        soft += (double)k * lore_moves_soft((double)e->y);
    }
    s->w += w;
    s->y += up ? y : -y;
    s->soft += up ? soft : -soft;
    s->failed += failed;
}

/* The same in the wide neighbourhood. An average needs no more than MANY of a bucket's moves. */
static void
add_wide(const struct moves_look *look, const struct moves_bucket *b, bool up, float extra,
    struct sums *s)
{
    size_t every = b->n / MANY + 1;

    for (size_t i = every / 2; i < b->n; i += every) {
        const struct moves_entry *e = &b->entry[i];
        float d = fmaxf(0, look->d[e->state] + extra) / (WIDE * WIDE);
        if (d > FAR_WIDE || (isinf(e->y) && up != (e->y > 0)))
            continue;
        float near = 1 / (1 + d), y = up ? e->y : -e->y;
        double k = (double)(near * near * near) * (double)every;
        s->wide_w += k;
        if (isinf(e->y))
            continue;
        s->wide_ran += k;
        s->wide_soft += k * lore_moves_soft((double)y);
        s->wide_won += (double)y > MOVES_GAIN ? k : 0;
    }
}

/* Every move of the parameter that is near enough. */
static void
scan_buckets(const struct moves_cell *c, const struct moves_look *look,
    const struct moves_ring *ring, float scale, struct sums *s)
{
    const struct moves_param *p = &look->op->param[ring->param];
    uint32_t from = lore_moves_value(look->op, ring->param, look->at), to = ring->to_value;
    bool up = lore_moves_up(look->op, ring->param, from, to);

    const struct moves_bucket *b = up ? lore_moves_bucket(c, ring->param, from, to)
                                      : lore_moves_bucket(c, ring->param, to, from);
    /* distances were made for states at the lower value */
    if (b) {
        add_bucket(look, b, up, -lore_moves_gap(p, b->low, from), scale, s);
        add_wide(look, b, up, -lore_moves_gap(p, b->low, from), s);
    }
    for (uint32_t i = c->first[ring->param]; !p->symbolic && i != 0; i = c->bucket[i - 1].next) {
        const struct moves_bucket *o = &c->bucket[i - 1];
        uint32_t start = up ? o->low : o->high, end = up ? o->high : o->low;
        float extra = 2 * lore_moves_gap(p, start, from) + 2 * lore_moves_gap(p, end, to);
        if (o != b && extra * scale < FAR)
            add_bucket(look, o, up, extra - lore_moves_gap(p, o->low, from), scale, s);
        if (o != b && extra < FAR_WIDE * WIDE * WIDE)
            add_wide(look, o, up, extra - lore_moves_gap(p, o->low, from), s);
    }
}

/* One move whose effect is known, UP the way it is asked about; Y NAN: it fails. */
static void
add_told(struct sums *s, float y, float d, float scale)
{
    float near = 1 / (1 + d * scale), wide = 1 / (1 + d / (WIDE * WIDE));
    double k = (double)(near * near * near), w = (double)(wide * wide * wide);

    s->w += k;
    s->wide_w += w;
    if (isnan(y)) {
        s->failed += k;
        return;
    }
    s->y += k * (double)y;
    s->soft += k * lore_moves_soft((double)y);
    s->wide_ran += w;
    s->wide_soft += w * lore_moves_soft((double)y);
    s->wide_won += (double)y > MOVES_GAIN ? w : 0;
}

/* The effect of a move by the times of its two states on C; NAN: it fails. False: not known. */
static bool
effect_by_times(const struct moves_cell *c, uint32_t from, uint32_t to, float *y)
{
    float before = lore_moves_time_at(c, from), after = before > 0 ? lore_moves_time_at(c, to) : 0;

    if (after == 0)
        return false;
    *y = after < 0 ? NAN
                   : fmaxf(-(float)MOVES_CLAMP, fminf((float)MOVES_CLAMP, logf(before / after)));
    return true;
}

/* Whether this very move was tried there; its effect, NAN: it failed. */
static bool
effect_tried(const struct moves_op *op, const struct moves_cell *c, size_t param, uint32_t from,
    uint32_t to, float *y)
{
    uint32_t a = lore_moves_value(op, param, from), b = lore_moves_value(op, param, to);
    bool up = lore_moves_up(op, param, a, b);
    const struct moves_bucket *k =
        up ? lore_moves_bucket(c, param, a, b) : lore_moves_bucket(c, param, b, a);
    size_t i = k ? lore_moves_entry_find(k, up ? from : to) : 0;

    if (!k || i == k->n || k->entry[i].state != (up ? from : to))
        return false;
    if (isinf(k->entry[i].y) && up != (k->entry[i].y > 0))
        return false;
    *y = isinf(k->entry[i].y) ? NAN : up ? k->entry[i].y : -k->entry[i].y;
    return true;
}

struct moves_local
lore_moves_local(const struct moves_cell *c, const struct moves_look *look,
    const struct moves_ring *ring, double width)
{
    float scale = (float)(1 / (width * width)), y = NAN, tried_y = NAN;
    bool large = lore_moves_large(look->op);
    struct sums s = {0};

    if (!large)
        scan_buckets(c, look, ring, scale, &s);
    for (size_t i = 0; i < ring->n; i++) {
        bool told = effect_by_times(c, ring->from[i], ring->to[i], &y), tried = false;
        if (!large || !told)
            tried = effect_tried(look->op, c, ring->param, ring->from[i], ring->to[i], &tried_y);
        if (large ? told || tried : told && !tried) /* in a small one what was tried is scanned */
            add_told(&s, tried ? tried_y : y, ring->d[i], scale);
    }
    struct moves_local out = {0};
    double ran = fmax(s.w - s.failed, 1e-9);
    if (s.w > LEAST)
        out = (struct moves_local){.w = (float)s.w,
            .mean = (float)(s.y / ran),
            .soft = (float)(s.soft / ran),
            .fail = (float)(s.failed / s.w)};
    if (!(s.wide_w > LEAST))
        return out;
    out.wide_w = (float)s.wide_w;
    out.wide_soft = (float)(s.wide_soft / fmax(s.wide_ran, 1e-9));
    out.wide_won = (float)(s.wide_won / s.wide_w);
    return out;
}
