/* Where to start (start.h). The model of moves ranks configurations by what other places say of
 * them (moves_start.c); here they become versions, with the places that speak for them, and the
 * best one measured here gets its place among them.
 *
 * The fraction that a version measured here has of the optimum is what the other places say of it,
 * as far as not everything known was measured here: with all of it measured the best is 1. */
#include "service/moves/start_versions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "service/base/text.h"
#include "service/moves/moves_cells.h"
#include "service/moves/moves_kin.h"
#include "service/moves/moves_places.h"
#include "service/moves/moves_start.h"
#include "service/moves/moves_states.h"
#include "service/moves/trials_kinds.h"

enum { FROM_MAX = 6 };

/* ---- the place ---- */

/* The workload that most was measured on: on this chip, else on any. */
static const struct lore_moves_chip *
usual_place(const struct lore_moves *m, const struct moves_op *op, const char *chip)
{
    const struct moves_seat *usual = NULL;
    bool here = false;

    for (size_t i = 0; i < op->n_cells; i++) {
        const struct moves_seat *s = &op->seat[i];
        bool same = lore_streq(m->who[s->at.who].name, chip);
        if (s->best <= 0 || (here && !same))
            continue;
        if (!usual || (same && !here) || s->n_times > usual->n_times ||
            (s->n_times == usual->n_times && s->chip < usual->chip))
            usual = s;
        here |= same;
    }
    return usual ? &m->chip[usual->chip] : NULL;
}

static bool
is_measured(const struct moves_op *op)
{
    for (size_t i = 0; i < op->n_cells; i++)
        if (op->seat[i].best > 0)
            return true;
    return false;
}

bool
lore_start_at(const struct lore_trials *t, struct lore_start_place *p, struct lore_arena *arena)
{
    const struct lore_moves_chip *usual = NULL;
    struct lore_moves *m = t->moves;
    uint32_t o = lore_moves_op_find(m, p->op);

    if (o == LORE_MOVES_NONE || !is_measured(&m->op[o]))
        return false;
    if (!p->workload)
        usual = usual_place(m, &m->op[o], p->chip->name);
    p->workload = lore_strdup(arena, usual != NULL ? usual->workload : p->workload);
    p->size = usual != NULL ? usual->size : p->size;
    p->assumed = usual != NULL && usual->workload;
    p->languages = LORE_TRIAL_ANY_LANGUAGE;
    p->trials = t;
    p->model = m;
    p->at = lore_moves_place_find(m, p->chip->name, p->workload);
    if (p->at == LORE_MOVES_NONE) {
        struct lore_moves_chip here = {.name = p->chip->name,
            .vendor = p->chip->vendor,
            .arch = p->chip->arch,
            .isa = p->chip->isa,
            .workload = p->workload,
            .size = p->size};
        p->model = lore_moves_with_place(m, &here, arena);
        p->at = (uint32_t)m->n_chips;
    }
    p->kind = lore_strdup(arena, p->kind ? p->kind : lore_trials_work_kind(t, p->workload));
    p->of_kind = lore_trials_kind_find(t, p->kind);
    p->n_states = lore_trials_count(t, o, p->of_kind);
    const struct moves_cell *own = lore_moves_cell_find(m, o, p->at);
    p->measured = own != NULL ? own->n_times : 0;
    return true;
}

/* ---- versions ---- */

struct source { /* a place that knows a configuration */
    const struct moves_cell *cell;
    double loss, fraction; /* fraction: ln of the best there */
};

static int
by_loss(const void *a, const void *b)
{
    const struct source *x = a, *y = b;

    if (x->loss != y->loss)
        return x->loss < y->loss ? -1 : 1;
    return x->cell->chip < y->cell->chip ? -1 : x->cell->chip > y->cell->chip;
}

struct sources {
    const struct lore_start_place *p;
    struct source *v; /* nearest first; fraction -INFINITY: it failed there */
    size_t n, cap;
};

/* The places where STATE was run, or what is STATE there. */
static void
add_places(struct sources *s, uint32_t run, uint32_t state, struct lore_arena *arena)
{
    const struct lore_start_place *p = s->p;
    const struct lore_trials *t = p->trials;

    for (uint32_t i = lore_trials_first_spot(t, run); i != TRIAL_END; i = t->spot[i].next) {
        uint32_t place = t->spot[i].place;
        const struct moves_cell *c = lore_moves_cell_find(p->model, p->model->state[run].op, place);
        double f;
        if (!c || place == p->at || !lore_trials_kind_goes(t, place, p->of_kind) ||
            isnan(f = lore_moves_fraction(p->model, c, state)))
            continue;
        *LORE_PUSH(arena, s->v, s->n, s->cap) = (struct source){
            .cell = c, .loss = lore_moves_loss(p->model, p->at, place), .fraction = f};
    }
}

/* The places that know STATE. */
static void
find_sources(struct sources *s, uint32_t state, struct lore_arena *arena)
{
    size_t n = 0;

    s->n = 0;
    add_places(s, state, state, arena);
    for (size_t k = 0; k < lore_moves_likes(s->p->model, state); k++) {
        uint32_t like = lore_moves_like(s->p->model, state, k);
        if (like != LORE_MOVES_NONE)
            add_places(s, like, state, arena);
    }
    if (s->n > 1)
        qsort(s->v, s->n, sizeof *s->v, by_loss);
    for (size_t i = 0; i < s->n; i++) /* what knows it twice counts once */
        if (n == 0 || s->v[n - 1].cell != s->v[i].cell)
            s->v[n++] = s->v[i];
    s->n = n;
}

static void
put_from(const struct sources *s, struct lore_arena *arena, struct lore_start *out)
{
    out->from = lore_alloc_array(arena, FROM_MAX, sizeof *out->from);
    for (size_t i = 0; i < s->n && out->n_from < FROM_MAX; i++) {
        const struct lore_moves_chip *place = &s->p->model->chip[s->v[i].cell->chip];
        out->from[out->n_from++] = (struct lore_start_from){lore_strdup(arena, place->name),
            lore_strdup(arena, place->workload), exp(s->v[i].fraction)}; /* failed: 0 */
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

/* Configurations of the place that knows most of the sources. */
static size_t
most_measured(const struct sources *s)
{
    size_t most = 0;

    for (size_t i = 0; i < s->n; i++)
        if (s->v[i].cell->n_times > most)
            most = s->v[i].cell->n_times;
    return most;
}

uint32_t
lore_start_best(const struct lore_start_place *p)
{
    const struct lore_moves *m = p->model;
    uint32_t op = lore_moves_op_find(m, p->op);
    const struct moves_cell *own = lore_moves_cell_find(m, op, p->at);

    return own && own->n_top > 0 ? m->op[op].states[own->top[0]] : LORE_MOVES_NONE;
}

/* What the sources say of a fraction of the optimum, the nearer the louder; value 0: nothing. */
static struct lore_interval
said_of(const struct sources *s)
{
    const struct moves_numbers *num = &s->p->model->num;
    double weight = 0, sum = 0, squares = 0, noise = 0, value = 0;
    double spread = num->start[START_SHIFT] + num->start[START_LOCAL] + num->start[START_NOISE];

    for (size_t i = 0; i < s->n; i++) {
        double f = s->v[i].fraction, w = 1 / s->v[i].loss;
        if (!isfinite(f))
            continue;
        weight += w;
        sum += w * f;
        squares += w * f * f;
        value += w * exp(f);
        noise += w * s->v[i].loss * spread;
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
    struct sources s = {.p = p};
    double known = p->n_states > 0 ? fmin(1, (double)p->measured / (double)p->n_states) : 1;
    double best = lore_trials_time(p->trials, lore_start_best(p), p->at, NULL);

    find_sources(&s, state, arena);
    struct lore_interval said = said_of(&s);
    *out = (struct lore_start){.state = state, .measured_here = true};
    out->time_ns = lore_trials_time(p->trials, state, p->at, &out->evidence);
    out->version = lore_trials_version_of(p->trials, state, NULL,
        lore_trials_speaks(p->trials, state, p->languages) ? p->languages : LORE_TRIAL_ANY_LANGUAGE,
        arena);
    if (!out->version)
        (void)lore_trials_in_sweep(p->trials, state, arena, &out->config);
    double own = out->time_ns > 0 && best > 0 ? best / out->time_ns : 1;
    out->fraction.value = said.value > 0 ? known * own + (1 - known) * said.value : own;
    out->fraction.low = fmin(out->fraction.value, known * own + (1 - known) * said.low);
    out->fraction.high = fmax(out->fraction.value, known * own + (1 - known) * said.high);
    temper(&out->fraction, p->n_states);
    put_from(&s, arena, out);
}

static bool
may_be_proposed(const void *ctx, uint32_t state)
{
    const struct lore_start_place *p = ctx;

    return lore_trials_of_kind(p->trials, state, p->of_kind) &&
           lore_trials_speaks(p->trials, state, p->languages);
}

size_t
lore_start_proposed(const struct lore_start_place *p, size_t limit, struct lore_arena *arena,
    struct lore_start *out)
{
    struct lore_moves_start *v = lore_alloc_array(arena, limit + 1, sizeof *v);
    size_t among = p->languages == LORE_TRIAL_ANY_LANGUAGE ? p->n_states : 0;
    const struct lore_moves_wanted wanted = {p->op, p->at, limit, may_be_proposed, p, among};
    size_t kept = 0, n = lore_moves_starts(p->model, &wanted, arena, v);
    struct sources s = {.p = p};

    for (size_t i = 0; i < n; i++) {
        const char *version =
            lore_trials_version_of(p->trials, v[i].state, NULL, p->languages, arena);
        struct lore_trial_config config = {0};
        if (!version && !lore_trials_in_sweep(p->trials, v[i].state, arena, &config))
            continue;
        find_sources(&s, v[i].state, arena);
        out[kept] = (struct lore_start){.state = v[i].state,
            .version = version,
            .config = config,
            .fraction = {v[i].fraction, v[i].low, v[i].high},
            .p_fail = v[i].p_fail};
        temper(&out[kept].fraction, most_measured(&s));
        put_from(&s, arena, &out[kept++]);
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
    int order = lore_strorder(x->version, y->version);
    return order != 0 ? order : x->state < y->state ? -1 : x->state > y->state;
}

size_t
lore_start_versions(const struct lore_start_place *p, size_t limit, struct lore_arena *arena,
    struct lore_start **out)
{
    struct lore_start *v = lore_alloc_array(arena, limit + 2, sizeof *v);
    size_t n = lore_start_proposed(p, limit, arena, v);
    uint32_t best = lore_start_best(p);

    *out = v;
    if (best != LORE_MOVES_NONE && limit > 0 && lore_trials_speaks(p->trials, best, p->languages))
        lore_start_here(p, best, arena, &v[n < limit ? n++ : limit - 1]);
    if (n > 1)
        qsort(v, n, sizeof *v, by_fraction);
    return n;
}
