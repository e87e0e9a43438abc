/* The configurations of a sweep as trials. They need no version: a configuration is known by its
 * parameters, and by its sweep when an answer names it. Two that differ in one parameter are a move
 * that nobody planned: those that agree in all others form a line by the values of that parameter,
 * and neighbours on a line form a pair, so N configurations give about N pairs per parameter. Texts
 * have no order: any two of them are a pair as long as the parameter has few values. Two failures
 * are no pair. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "service/base/json.h"
#include "service/base/text.h"
#include "service/base/xalloc.h"
#include "service/moves/moves_states.h"
#include "service/moves/moves_tables.h"
#include "service/moves/trials.h"
#include "service/moves/trials_kinds.h"
#include "service/moves/trials_runs.h"
#include "service/wire/sweep.h"

enum { TEXTS_MAX = 16, PART = 256 /* configurations or pairs between two pauses */ };

struct telling {
    struct lore_trials *t;
    const struct lore_trial_sweep *s;
    struct lore_moves_setting **value; /* per parameter: its values; param NULL: no setting */
    uint32_t **rank;                   /* per parameter and value: its place in ascending order */
    uint32_t *state;                   /* per configuration */
    uint32_t place, op, sweep;
    size_t told;
    lore_trials_pause pause;
    void *ctx;
    struct lore_arena arena;
};

static void
breathe(struct telling *b)
{
    if (b->told++ % PART == 0 && b->pause)
        b->pause(b->ctx);
}

/* ---- values ---- */

/* A JSON scalar as a setting; true and false become numbers. */
static struct lore_moves_setting
setting_of(const char *name, const char *scalar, struct lore_arena *arena)
{
    struct lore_moves_setting s = {.param = name};
    struct lore_json *root = NULL;
    struct lore_err ignored;

    if (*scalar != '"')
        s.number = *scalar == 't' ? 1 : *scalar == 'f' ? 0 : strtod(scalar, NULL);
    else if (lore_json_parse(scalar, strlen(scalar), NULL, arena, &root, &ignored) == LORE_OK)
        s.text = root->str;
    return s;
}

struct ranked {
    struct lore_moves_setting value;
    uint32_t at;
};

static int
by_value(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;

    if (!x->value.text != !y->value.text)
        return x->value.text ? 1 : -1;
    if (!x->value.text && x->value.number != y->value.number)
        return x->value.number < y->value.number ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

static void
read_values(struct telling *b, size_t p)
{
    const struct lore_sweep_values *from = &b->s->data->parameters[p];
    size_t n = from->s.n_values;
    struct ranked *order = lore_alloc_array(&b->arena, n + 1, sizeof *order);

    b->value[p] = lore_alloc_array(&b->arena, n + 1, sizeof **b->value);
    b->rank[p] = lore_alloc_array(&b->arena, n + 1, sizeof **b->rank);
    for (size_t v = 0; v < n; v++) {
        b->value[p][v] = setting_of(from->name, from->s.value[v], &b->arena);
        order[v] = (struct ranked){b->value[p][v], (uint32_t)v};
    }
    qsort(order, n, sizeof *order, by_value);
    for (size_t v = 0; v < n; v++)
        b->rank[p][order[v].at] = (uint32_t)v;
}

/* ---- configurations ---- */

static void
stands_in(struct telling *b, uint32_t state, size_t number)
{
    struct lore_trials *t = b->t;

    t->config = lore_trials_room(t->config, state, &t->cap_config, sizeof *t->config, 0);
    if (t->config[state].sweep == 0)
        t->config[state] = (struct trial_config){b->sweep + 1, (uint32_t)number};
}

static void
tell_configuration(struct telling *b, size_t i)
{
    const struct lore_sweep_data *d = b->s->data;
    struct lore_moves_setting settings[LORE_MOVES_PARAMS];
    struct lore_trial_version v = {
        .op = b->s->op, .kernel_name = b->s->kernel_name, .settings = settings};
    const char *why = d->why[i] > 0 ? d->whys[d->why[i] - 1].type : NULL;
    struct lore_trial_run r = {.evidence = b->s->evidence,
        .correctness = lore_streq(why, "accuracy")  ? LORE_C_FAIL
                       : lore_streq(why, "timeout") ? LORE_C_TIMEOUT
                                                    : LORE_C_NOT_CHECKED,
        .error = why,
        .time_ns = d->time_ns[i]};

    for (size_t p = 0; p < d->n_parameters && v.n < LORE_MOVES_PARAMS; p++)
        if (d->parameters[p].s.at[i] > 0)
            settings[v.n++] = b->value[p][d->parameters[p].s.at[i] - 1];
    uint32_t state = lore_trials_state_of(b->t, &v, NULL);
    b->state[i] = state;
    lore_trials_written_in(b->t, state, (uint32_t)1 << b->s->language);
    stands_in(b, state, i);
    lore_trials_result(b->t, state, b->place, &r);
}

/* ---- pairs ---- */

struct point { /* a configuration on a line */
    const struct telling *b;
    size_t at, param; /* the parameter that varies on the line */
};

static uint32_t
rank_at(const struct telling *b, size_t p, size_t i)
{
    uint32_t v = b->s->data->parameters[p].s.at[i];

    return v > 0 ? b->rank[p][v - 1] : UINT32_MAX;
}

/* Order by all parameters but the one that varies; 0: on one line. */
static int
by_others(const struct point *x, const struct point *y)
{
    for (size_t p = 0; p < x->b->s->data->n_parameters; p++) {
        uint32_t a = rank_at(x->b, p, x->at), b = rank_at(x->b, p, y->at);
        if (p != x->param && a != b)
            return a < b ? -1 : 1;
    }
    return 0;
}

static int
by_line(const void *a, const void *b)
{
    const struct point *x = a, *y = b;
    uint32_t v = rank_at(x->b, x->param, x->at), w = rank_at(x->b, x->param, y->at);
    int order = by_others(x, y);

    if (order != 0)
        return order;
    return v != w ? (v < w ? -1 : 1) : x->at < y->at ? -1 : x->at > y->at;
}

/* Whether a parameter has only the values 0 and 1. */
static bool
is_switch(const struct telling *b, size_t p)
{
    const struct lore_moves_setting *v = b->value[p];

    return b->s->data->parameters[p].s.n_values == 2 && !v[0].text && !v[1].text &&
           v[0].number + v[1].number == 1 && v[0].number * v[1].number == 0;
}

/* From the smaller value to the larger; a failure is always the second of its pair. */
static void
tell_pair(struct telling *b, const struct point *low, const struct point *high)
{
    const struct lore_sweep_data *d = b->s->data;
    bool turned = !(d->time_ns[low->at] > 0);
    size_t from = turned ? high->at : low->at, to = turned ? low->at : high->at;
    const char *technique = d->parameters[low->param].technique;
    struct trial_pair pair = {
        .from = b->state[from], .to = b->state[to], .op = b->op, .place = b->place};
    struct lore_trial_move m = {
        .seq = b->s->seq, .evidence = b->s->evidence, .failed = !(d->time_ns[to] > 0)};

    pair.param = lore_moves_differ(b->t->moves, pair.from, pair.to);
    if (pair.param == LORE_MOVES_NONE || !(d->time_ns[from] > 0) || (m.failed && d->why[to] == 0))
        return;
    m.log_speedup = m.failed ? 0 : log(d->time_ns[from] / d->time_ns[to]);
    m.technique = technique && !(turned && is_switch(b, low->param))
                      ? technique
                      : d->parameters[low->param].name;
    breathe(b);
    (void)lore_trials_tell(b->t, &pair, &m);
}

static void
tell_line(struct telling *b, const struct point *line, size_t n)
{
    size_t p = line->param, values = b->s->data->parameters[p].s.n_values;

    for (size_t i = 0; i < n; i++) {
        for (size_t k = i + 1; k < n; k++) {
            bool texts = values <= TEXTS_MAX &&
                         (b->value[p][b->s->data->parameters[p].s.at[line[i].at] - 1].text ||
                             b->value[p][b->s->data->parameters[p].s.at[line[k].at] - 1].text);
            if (!texts && k > i + 1)
                break;
            tell_pair(b, &line[i], &line[k]);
        }
    }
}

static void
tell_pairs(struct telling *b, struct point *points, size_t param)
{
    const struct lore_sweep_data *d = b->s->data;
    size_t n = 0, end;

    for (size_t i = 0; i < d->n; i++)
        if (d->parameters[param].s.at[i] > 0 && (d->time_ns[i] > 0 || d->why[i] > 0))
            points[n++] = (struct point){b, i, param};
    qsort(points, n, sizeof *points, by_line);
    for (size_t i = 0; i < n; i = end) {
        /* of a configuration measured more than once, only the first measurement is on the line */
        size_t kept = i + 1;
        for (end = i + 1; end < n && by_others(&points[i], &points[end]) == 0; end++)
            if (rank_at(b, param, points[end].at) != rank_at(b, param, points[kept - 1].at))
                points[kept++] = points[end];
        tell_line(b, points + i, kept - i);
    }
}

void
lore_trials_sweep(
    struct lore_trials *t, const struct lore_trial_sweep *s, lore_trials_pause pause, void *ctx)
{
    const struct lore_sweep_data *d = s->data;
    struct telling b = {.t = t, .s = s, .sweep = (uint32_t)t->n_sweeps, .pause = pause, .ctx = ctx};
    struct trial_sweep row;

    if (d->n_parameters == 0 || !lore_ulid_pack(s->id, row.id))
        return;
    if (pause)
        pause(ctx);
    b.place = lore_trials_place_of(t, s->chip, s->workload, s->size);
    if (b.place == LORE_MOVES_NONE)
        return;
    b.op = lore_intern(&t->names, s->op);
    b.value = lore_alloc_array(&b.arena, d->n_parameters, sizeof *b.value);
    b.rank = lore_alloc_array(&b.arena, d->n_parameters, sizeof *b.rank);
    b.state = lore_alloc_array(&b.arena, d->n + 1, sizeof *b.state);
    t->sweep = lore_trials_room(t->sweep, t->n_sweeps, &t->cap_sweeps, sizeof *t->sweep, 0);
    t->sweep[t->n_sweeps++] = row;
    lore_trials_kind_is(t, b.place, s->kind);
    for (size_t p = 0; p < d->n_parameters; p++)
        read_values(&b, p);
    for (size_t i = 0; i < d->n; i++) {
        breathe(&b);
        tell_configuration(&b, i);
    }
    struct point *points = lore_alloc_array(&b.arena, d->n + 1, sizeof *points);
    for (size_t p = 0; p < d->n_parameters; p++)
        if (d->parameters[p].s.n_values > 1)
            tell_pairs(&b, points, p);
    lore_arena_free(&b.arena);
}

bool
lore_trials_in_sweep(const struct lore_trials *t, uint32_t state, struct lore_arena *arena,
    struct lore_trial_config *out)
{
    char id[LORE_ULID_SIZE];

    if (state >= t->cap_config || t->config[state].sweep == 0)
        return false;
    lore_ulid_unpack(t->sweep[t->config[state].sweep - 1].id, id);
    *out = (struct lore_trial_config){lore_strdup(arena, id), {true, t->config[state].number}};
    return true;
}
