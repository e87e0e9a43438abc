/* Where to start (start.h). The model of moves ranks configurations by what other places say of
 * them (moves_start.c); here they become versions, with the places that speak for them, and the
 * best one measured here gets its place among them.
 *
 * The fraction that a version measured here has of the optimum is what the other places say of it,
 * as far as not everything known was measured here: with all of it measured the best is 1. */
#include "start.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "start_inner.h"
#include "text.h"

enum { FROM_MAX = 6 };

const char *
lore_moves_reach_name(enum lore_moves_reach r)
{
    static const char *const names[] = {[LORE_MOVES_SAME_CHIP] = "same chip",
        [LORE_MOVES_OTHER_WORKLOAD] = "other workload",
        [LORE_MOVES_SAME_ISA] = "same ISA",
        [LORE_MOVES_SAME_ARCH] = "same architecture",
        [LORE_MOVES_SAME_VENDOR] = "same vendor",
        [LORE_MOVES_OTHER_VENDOR] = "other vendor",
        [LORE_MOVES_NO_EVIDENCE] = "none"};

    return names[r];
}

/* ---- the place ---- */

/* The workload that most was measured on: on this chip, else on any. */
static const struct lore_moves_chip *
usual_place(const struct lore_moves *m, uint32_t op, const char *chip)
{
    const struct lore_moves_chip *usual = NULL;
    size_t most = 0;
    bool here = false;

    for (uint32_t i = 0; i < m->n_chips; i++) {
        const struct moves_cell *c = lore_moves_cell_find(m, op, i);
        bool same = lore_streq(m->chip[i].name, chip);
        if (c == NULL || c->best <= 0 || (here && !same))
            continue;
        if ((same && !here) || c->n_times > most) {
            most = c->n_times;
            usual = &m->chip[i];
        }
        here |= same;
    }
    return usual;
}

static uint32_t
find_place(const struct lore_moves *m, const char *chip, const char *workload)
{
    for (uint32_t i = 0; i < m->n_chips; i++)
        if (lore_streq(m->chip[i].name, chip) && lore_streq(m->chip[i].workload, workload))
            return i;
    return LORE_MOVES_NONE;
}

static bool
is_measured(const struct lore_moves *m, uint32_t op)
{
    for (uint32_t i = 0; op != LORE_MOVES_NONE && i < m->n_chips; i++) {
        const struct moves_cell *c = lore_moves_cell_find(m, op, i);
        if (c != NULL && c->best > 0)
            return true;
    }
    return false;
}

/* The model with one place more: what is asked about need not be in the memory, and a reader may
 * not write there. */
static struct lore_moves *
with_place(
    const struct lore_moves *m, const struct lore_moves_chip *place, struct lore_arena *arena)
{
    struct lore_moves *guest = lore_memdup(arena, m, sizeof *m);

    guest->chip = lore_alloc_array(arena, m->n_chips + 1, sizeof *guest->chip);
    memcpy(guest->chip, m->chip, m->n_chips * sizeof *m->chip);
    guest->chip[guest->n_chips++] = *place;
    return guest;
}

/* Of a workload that was measured on anywhere. */
static const char *
kind_of(const struct lore_trials *t, const char *workload)
{
    const struct lore_moves *m = t->moves;

    for (uint32_t i = 0; workload != NULL && i < m->n_chips; i++)
        if (lore_streq(m->chip[i].workload, workload) && lore_trials_kind(t, i) != NULL)
            return lore_trials_kind(t, i);
    return NULL;
}

static void
find_states(struct lore_start_place *p, uint32_t op, struct lore_arena *arena)
{
    const struct moves_op *o = &p->model->op[op];
    uint32_t *v = lore_alloc_array(arena, o->n_states + 1, sizeof *v);

    for (size_t i = 0; i < o->n_states; i++)
        if (lore_trials_of_kind(p->trials, o->states[i], p->kind))
            v[p->n_states++] = o->states[i];
    p->state = v;
}

bool
lore_start_at(const struct lore_trials *t, const char *op, const struct lore_chip *chip,
    const char *workload, double size, const char *kind, struct lore_arena *arena,
    struct lore_start_place *out)
{
    const struct lore_moves_chip *usual = NULL;
    struct lore_moves *m = t->moves;
    uint32_t o = lore_moves_op_find(m, op);
    const struct moves_cell *own;

    if (!is_measured(m, o))
        return false;
    if (workload == NULL)
        usual = usual_place(m, o, chip->name);
    *out = (struct lore_start_place){.op = op,
        .chip = chip,
        .workload = lore_strdup(arena, usual != NULL ? usual->workload : workload),
        .assumed = usual != NULL && usual->workload != NULL,
        .trials = t,
        .model = m};
    out->at = find_place(m, chip->name, out->workload);
    if (out->at == LORE_MOVES_NONE) {
        struct lore_moves_chip here = {.name = chip->name,
            .vendor = chip->vendor,
            .arch = chip->arch,
            .isa = chip->isa,
            .workload = out->workload,
            .size = usual != NULL ? usual->size : size};
        out->model = with_place(m, &here, arena);
        out->at = (uint32_t)m->n_chips;
    }
    if (kind == NULL)
        kind = kind_of(t, out->workload);
    out->kind = lore_strdup(arena, kind);
    find_states(out, o, arena);
    own = lore_moves_cell_find(m, o, out->at);
    out->measured = own != NULL ? own->n_times : 0;
    return true;
}

/* ---- versions ---- */

struct source { /* a place with times of the operator */
    const struct moves_cell *cell;
    double loss;
};

static int
by_loss(const void *a, const void *b)
{
    const struct source *x = a, *y = b;

    return x->loss < y->loss ? -1 : x->loss > y->loss;
}

/* Nearest first. */
static size_t
sources_of(const struct lore_start_place *p, struct lore_arena *arena, struct source **out)
{
    const struct lore_moves *m = p->model;
    uint32_t op = lore_moves_op_find(m, p->op);
    const struct moves_cell *own = lore_moves_cell_find(m, op, p->at);
    struct source *v = lore_alloc_array(arena, m->n_chips + 1, sizeof *v);
    size_t n = 0;

    for (uint32_t i = 0; i < m->n_chips; i++) {
        const struct moves_cell *c = lore_moves_cell_find(m, op, i);
        const char *kind = lore_trials_kind(p->trials, i);
        if (p->kind != NULL && kind != NULL && !lore_streq(kind, p->kind))
            continue;
        if (c != NULL && i != p->at && c->best > 0)
            v[n++] = (struct source){c, fmax(0.01, lore_moves_loss(m, own, p->at, c))};
    }
    qsort(v, n, sizeof *v, by_loss);
    *out = v;
    return n;
}

static void
put_from(const struct lore_start_place *p, uint32_t state, const struct source *v, size_t n,
    struct lore_arena *arena, struct lore_start *out)
{
    out->from = lore_alloc_array(arena, FROM_MAX, sizeof *out->from);
    for (size_t i = 0; i < n && out->n_from < FROM_MAX; i++) {
        double f = lore_moves_fraction(p->model, v[i].cell, state);
        const struct lore_moves_chip *place = &p->model->chip[v[i].cell->chip];
        if (isnan(f))
            continue;
        out->from[out->n_from++] = (struct lore_start_from){lore_strdup(arena, place->name),
            lore_strdup(arena, place->workload), exp(f)}; /* failed: 0 */
    }
}

/* The best of few is not the optimum, and nobody knows how far it is from it: a place with N
 * configurations vouches for what it calls its best like N / (N + FEW). */
#define FEW 8.0

static void
temper(struct lore_interval *fraction, size_t n)
{
    double sure = (double)n / ((double)n + FEW);

    fraction->value *= 0.5 + 0.5 * sure;
    fraction->low *= sure;
}

/* Configurations of the place that knows most of those that know STATE. */
static size_t
most_measured(const struct lore_start_place *p, uint32_t state, const struct source *v, size_t n)
{
    size_t most = 0;

    for (size_t i = 0; i < n; i++)
        if (!isnan(lore_moves_fraction(p->model, v[i].cell, state)) && v[i].cell->n_times > most)
            most = v[i].cell->n_times;
    return most;
}

uint32_t
lore_start_best(const struct lore_start_place *p)
{
    const struct lore_moves *m = p->model;
    uint32_t op = lore_moves_op_find(m, p->op);
    const struct moves_cell *own = lore_moves_cell_find(m, op, p->at);

    return own != NULL && own->n_top > 0 ? m->op[op].states[own->top[0]] : LORE_MOVES_NONE;
}

/* What the sources say of its fraction of the optimum, the nearer the louder; value 0: nothing. */
static struct lore_interval
said_of(const struct lore_start_place *p, uint32_t state, const struct source *v, size_t n)
{
    const struct moves_numbers *num = &p->model->num;
    double weight = 0, sum = 0, squares = 0, noise = 0, value = 0;

    for (size_t i = 0; i < n; i++) {
        double f = lore_moves_fraction(p->model, v[i].cell, state);
        double w = pow(v[i].loss, -num->gamma);
        if (!isfinite(f))
            continue;
        weight += w;
        sum += w * f;
        squares += w * f * f;
        value += w * exp(f);
        noise += w * v[i].loss * num->start_v;
    }
    if (weight <= 0)
        return (struct lore_interval){0, 0, 1};
    double mean = sum / weight;
    double sd = sqrt(fmax(0, squares / weight - mean * mean) + noise / weight);
    return (struct lore_interval){
        value / weight, exp(mean - 1.645 * sd), fmin(1, exp(mean + 1.645 * sd))};
}

void
lore_start_here(const struct lore_start_place *p, uint32_t state, struct lore_arena *arena,
    struct lore_start *out)
{
    struct source *v;
    size_t n = sources_of(p, arena, &v);
    struct lore_interval said = said_of(p, state, v, n);
    double known = p->n_states > 0 ? fmin(1, (double)p->measured / (double)p->n_states) : 1;
    double best = lore_trials_time(p->trials, lore_start_best(p), p->at);

    *out = (struct lore_start){.version = lore_trials_version_of(p->trials, state, NULL, arena),
        .measured_here = true,
        .time_ns = lore_trials_time(p->trials, state, p->at)};
    double own = out->time_ns > 0 && best > 0 ? best / out->time_ns : 1;
    out->fraction.value = said.value > 0 ? known * own + (1 - known) * said.value : own;
    out->fraction.low = fmin(out->fraction.value, known * own + (1 - known) * said.low);
    out->fraction.high = fmax(out->fraction.value, known * own + (1 - known) * said.high);
    temper(&out->fraction, p->n_states);
    put_from(p, state, v, n, arena, out);
}

size_t
lore_start_proposed(const struct lore_start_place *p, size_t limit, struct lore_arena *arena,
    struct lore_start *out, uint32_t *state)
{
    struct lore_moves_start *v = lore_alloc_array(arena, limit + 1, sizeof *v);
    size_t kept = 0,
           n = lore_moves_starts(p->model, p->op, p->at, p->state, p->n_states, limit, arena, v);
    struct source *sources;
    size_t n_sources = sources_of(p, arena, &sources);

    for (size_t i = 0; i < n; i++) {
        const char *version = lore_trials_version_of(p->trials, v[i].state, NULL, arena);
        if (version == NULL)
            continue;
        state[kept] = v[i].state;
        out[kept] = (struct lore_start){.version = version,
            .fraction = {v[i].fraction, v[i].low, v[i].high},
            .p_fail = v[i].p_fail};
        temper(&out[kept].fraction, most_measured(p, v[i].state, sources, n_sources));
        put_from(p, v[i].state, sources, n_sources, arena, &out[kept++]);
    }
    return kept;
}

/* Those here come before what is only as good. */
static int
by_fraction(const void *a, const void *b)
{
    const struct lore_start *x = a, *y = b;

    if (x->fraction.value != y->fraction.value)
        return x->fraction.value > y->fraction.value ? -1 : 1;
    if (x->measured_here != y->measured_here)
        return x->measured_here ? -1 : 1;
    return strcmp(x->version, y->version);
}

size_t
lore_start_versions(const struct lore_start_place *p, size_t limit, struct lore_arena *arena,
    struct lore_start **out)
{
    struct lore_start *v = lore_alloc_array(arena, limit + 2, sizeof *v);
    uint32_t *state = lore_alloc_array(arena, limit + 2, sizeof *state);
    size_t n = lore_start_proposed(p, limit, arena, v, state);
    uint32_t best = lore_start_best(p);

    *out = v;
    if (best != LORE_MOVES_NONE && limit > 0) {
        struct lore_start own;
        lore_start_here(p, best, arena, &own);
        if (own.version != NULL)
            v[n < limit ? n++ : limit - 1] = own;
    }
    if (n > 1)
        qsort(v, n, sizeof *v, by_fraction);
    return n;
}
