/* What a sweep says of single parameters: whether a technique gained, and which parameters were
 * best at the end of their range (sweep.h). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "service/base/text.h"
#include "service/catalogue/parameter_off.h"
#include "service/stats/select.h"
#include "service/wire/sweep.h"

#define STEADY 1.02 /* a smaller gain over two steps is a plateau */

/* The best time of each value, other parameters free; 0: none has a time. */
static double *
best_times(const struct lore_sweep_data *d, const struct lore_series *s, struct lore_arena *arena)
{
    double *best = lore_alloc_array(arena, s->n_values + 1, sizeof *best);

    for (size_t i = 0; i < d->n; i++) {
        double *b = s->at[i] > 0 ? &best[s->at[i] - 1] : NULL;
        if (b && d->time_ns[i] > 0 && (*b == 0 || d->time_ns[i] < *b))
            *b = d->time_ns[i];
    }
    return best;
}

/* ---- techniques ---- */

/* The value that stands for "not used": 0, false or none, else 1; the index, or SIZE_MAX. */
static size_t
unused_value(const struct lore_series *s)
{
    size_t one = SIZE_MAX;

    for (size_t v = 0; v < s->n_values; v++) {
        if (lore_parameter_none(s->value[v]))
            return v;
        if (lore_streq(s->value[v], "1"))
            one = v;
    }
    return one;
}

/* Parameters that stand for one technique. It is not used where each has its unused value. */
struct uses {
    const struct lore_sweep_data *d;
    size_t *off; /* per parameter of d: the index of the unused value; SIZE_MAX: not of these */
};

struct contrast {
    double off, on; /* best times; INFINITY: none */
};

static void
take(struct contrast *c, double off, double on)
{
    c->off = fmin(c->off, off);
    c->on = fmin(c->on, on);
}

struct others { /* a timed configuration by all other parameters */
    const struct uses *u;
    size_t at;
};

static int
by_others(const void *a, const void *b)
{
    const struct others *x = a, *y = b;

    for (size_t p = 0; p < x->u->d->n_parameters; p++) {
        const uint32_t *at = x->u->d->parameters[p].s.at;
        if (x->u->off[p] == SIZE_MAX && at[x->at] != at[y->at])
            return at[x->at] < at[y->at] ? -1 : 1;
    }
    return 0;
}

/* Whether configuration I uses the technique; *UNKNOWN: a value is not recorded. */
static bool
is_used(const struct uses *u, size_t i, bool *unknown)
{
    bool used = false;

    for (size_t p = 0; p < u->d->n_parameters; p++) {
        const uint32_t value = u->d->parameters[p].s.at[i];
        if (u->off[p] == SIZE_MAX)
            continue;
        *unknown |= value == 0;
        used |= value != u->off[p] + 1;
    }
    return used;
}

/* Best times without and with the technique. *ALL: of all configurations. *PAIRS: of those that
 * have a partner, which differs in the parameters of the technique alone. Also sets the median gain
 * of such pairs in W. */
static void
compare(const struct uses *u, struct lore_arena *arena, struct contrast *all,
    struct contrast *pairs, struct lore_sweep_witness *w)
{
    struct others *v = lore_alloc_array(arena, u->d->n + 1, sizeof *v);
    double *gains = lore_alloc_array(arena, u->d->n + 1, sizeof *gains);
    size_t n = 0, n_gains = 0;

    *all = *pairs = (struct contrast){INFINITY, INFINITY};
    for (size_t i = 0; i < u->d->n; i++) {
        bool unknown = false;
        (void)is_used(u, i, &unknown);
        if (u->d->time_ns[i] > 0 && !unknown)
            v[n++] = (struct others){u, i};
    }
    qsort(v, n, sizeof *v, by_others);
    for (size_t i = 0; i < n;) {
        struct contrast c = {INFINITY, INFINITY};
        for (size_t first = i; i < n && by_others(&v[first], &v[i]) == 0; i++) {
            bool unknown = false, used = is_used(u, v[i].at, &unknown);
            double time = u->d->time_ns[v[i].at];
            take(&c, used ? INFINITY : time, used ? time : INFINITY);
        }
        take(all, c.off, c.on);
        if (isfinite(c.off) && isfinite(c.on)) {
            take(pairs, c.off, c.on);
            gains[n_gains++] = c.off / c.on;
        }
    }
    w->pairs = n_gains;
    w->median = n_gains > 0 ? lore_select_median(gains, n_gains) : 0;
}

/* The gain of using the technique. Overall, one that needs another parameter also pays for that;
 * among pairs, it can gain where nothing is fast. So both must agree, and the smaller change
 * counts; 1: they do not; 0: there are no pairs. */
static double
gain_of_use(
    const struct uses *u, bool several, struct lore_arena *arena, struct lore_sweep_witness *w)
{
    struct contrast all, pairs;

    compare(u, arena, &all, &pairs, w);
    if (!isfinite(pairs.off))
        return 0;
    double overall = all.off / all.on, alone = pairs.off / pairs.on;
    double gain = overall > 1 ? fmax(1, fmin(overall, alone)) : fmin(1, fmax(overall, alone));
    return several ? fmax(1, gain) : gain; /* the best of several values may be the unused one */
}

/* How much the best time at value OFF is above that of all values. */
static double
weight_of(const struct lore_sweep_data *d, size_t p, size_t off, struct lore_arena *arena)
{
    const struct lore_series *s = &d->parameters[p].s;
    const double *best = best_times(d, s, arena);
    double least = INFINITY;

    for (size_t v = 0; v < s->n_values; v++)
        least = best[v] > 0 ? fmin(least, best[v]) : least;
    return best[off] / least;
}

/* What the parameters of TECHNIQUE with an unused value say of it; speedup 0: nothing. */
static struct lore_sweep_witness
use_of(const struct lore_sweep_data *d, const char *technique, struct lore_arena *arena)
{
    struct uses u = {d, lore_alloc_array(arena, d->n_parameters + 1, sizeof *u.off)};
    struct lore_sweep_witness w = {.technique = technique};
    double most = -1;
    bool several = false;

    for (size_t p = 0; p < d->n_parameters; p++) {
        const struct lore_sweep_values *v = &d->parameters[p];
        bool of = lore_streq(v->technique, technique) && v->s.n_values > 1;
        u.off[p] = of ? unused_value(&v->s) : SIZE_MAX;
        double weight = u.off[p] == SIZE_MAX ? -1 : weight_of(d, p, u.off[p], arena);
        several |= weight >= 0 && v->s.n_values > 2;
        w.parameter = weight > most ? v->name : w.parameter;
        most = fmax(most, weight);
    }
    if (w.parameter)
        w.speedup = gain_of_use(&u, several, arena, &w);
    return w;
}

/* The gain of choosing the value of a parameter that has no unused one; 0: nothing was chosen. */
static double
gain_of_choice(
    const struct lore_sweep_data *d, const struct lore_series *s, struct lore_arena *arena)
{
    double least = INFINITY, *best = best_times(d, s, arena);
    size_t n = 0;

    for (size_t v = 0; v < s->n_values; v++)
        if (best[v] > 0) {
            least = fmin(least, best[v]);
            best[n++] = best[v];
        }
    return n > 1 ? lore_select_median(best, n) / least : 0;
}

size_t
lore_sweep_witnesses(
    const struct lore_sweep_data *d, struct lore_arena *arena, struct lore_sweep_witness **out)
{
    struct lore_sweep_witness *v = lore_alloc_array(arena, d->n_parameters + 1, sizeof *v);
    size_t n = 0;

    for (size_t p = 0; p < d->n_parameters; p++) {
        const struct lore_sweep_values *par = &d->parameters[p];
        struct lore_sweep_witness w = {par->technique, par->name, 0, 0, 0};
        size_t at = 0;
        if (!par->technique || par->s.n_values < 2)
            continue;
        while (at < n && strcmp(v[at].technique, par->technique) != 0)
            at++;
        if (unused_value(&par->s) == SIZE_MAX)
            w.speedup = gain_of_choice(d, &par->s, arena);
        else
            w = use_of(d, par->technique, arena);
        if (w.speedup <= 0)
            continue;
        if (at == n || w.speedup > v[at].speedup)
            v[at] = w;
        n += at == n;
    }
    *out = v;
    return n;
}

/* ---- ends of a range ---- */

struct tried {
    double number, time; /* time: the best with this value; INFINITY: all failed */
    const char *text;
};

static int
by_number(const void *a, const void *b)
{
    const struct tried *x = a, *y = b;

    return (x->number > y->number) - (x->number < y->number);
}

/* The values of a size or a count, in order. NULL: fewer than three, or not all are positive
 * numbers: a 0 is of a switch, or numbers the ways to do something. */
static struct tried *
sizes_of(const struct lore_sweep_data *d, const struct lore_series *s, struct lore_arena *arena)
{
    struct tried *v = lore_alloc_array(arena, s->n_values + 1, sizeof *v);
    const double *best = best_times(d, s, arena);

    for (size_t i = 0; i < s->n_values; i++) {
        char *end;
        v[i] = (struct tried){
            strtod(s->value[i], &end), best[i] > 0 ? best[i] : INFINITY, s->value[i]};
        if (*end || !(v[i].number > 0))
            return NULL;
    }
    qsort(v, s->n_values, sizeof *v, by_number);
    return s->n_values > 2 ? v : NULL;
}

/* Whether the last of N values, V[0] first and then in steps of STEP, is the best one and a further
 * one may be better still. */
static bool
is_edge(const struct tried *v, ptrdiff_t step, size_t n, struct lore_sweep_edge *out)
{
    const struct tried *last = v + step * (ptrdiff_t)(n - 1);
    double other = INFINITY;
    size_t steps = 0; /* the last ones that were faster */

    for (size_t i = 0; i + 1 < n; i++, v += step) {
        other = fmin(other, v->time);
        steps = v[step].time < v->time ? steps + 1 : 0;
    }
    *out = (struct lore_sweep_edge){
        .value = last->text, .each = steps == n - 1, .over = other / last->time};
    return out->over > LORE_SWEEP_CLEAR ||
           (out->over > 1 && steps > 1 && last[-2 * step].time > last->time * STEADY);
}

size_t
lore_sweep_edges(
    const struct lore_sweep_data *d, struct lore_arena *arena, struct lore_sweep_edge **out)
{
    struct lore_sweep_edge *v = lore_alloc_array(arena, d->n_parameters + 1, sizeof *v);
    size_t found = 0;

    for (size_t p = 0; p < d->n_parameters; p++) {
        const struct lore_series *s = &d->parameters[p].s;
        const struct tried *t = sizes_of(d, s, arena);
        if (!t)
            continue;
        bool largest = is_edge(t, 1, s->n_values, &v[found]);
        /* Nothing is smaller than 1. */
        if (!largest &&
            (t->number <= 1 || !is_edge(t + s->n_values - 1, -1, s->n_values, &v[found])))
            continue;
        v[found].parameter = d->parameters[p].name;
        v[found++].largest = largest;
    }
    *out = v;
    return found;
}
