/* The configurations of a sweep as trials. They need no version: a configuration is known by its
 * parameters, and by its sweep when an answer names it. Two that differ in one parameter are a
 * change that nobody planned. */
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

enum { PART = 256 /* configurations between two pauses */ };

struct telling {
    struct lore_trials *t;
    const struct lore_trial_sweep *s;
    struct lore_moves_setting **value; /* per parameter: its values; param NULL: no setting */
    uint32_t place, sweep;
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

static void
read_values(struct telling *b, size_t p)
{
    const struct lore_sweep_values *from = &b->s->data->parameters[p];
    size_t n = from->s.n_values;

    b->value[p] = lore_alloc_array(&b->arena, n + 1, sizeof **b->value);
    for (size_t v = 0; v < n; v++)
        b->value[p][v] = setting_of(from->name, from->s.value[v], &b->arena);
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
    lore_trials_written_in(b->t, state, (uint32_t)1 << b->s->language);
    stands_in(b, state, i);
    lore_trials_result(b->t, state, b->place, &r);
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
    b.value = lore_alloc_array(&b.arena, d->n_parameters, sizeof *b.value);
    t->sweep = lore_trials_room(t->sweep, t->n_sweeps, &t->cap_sweeps, sizeof *t->sweep, 0);
    t->sweep[t->n_sweeps++] = row;
    lore_trials_kind_is(t, b.place, s->kind);
    for (size_t p = 0; p < d->n_parameters; p++)
        read_values(&b, p);
    for (size_t i = 0; i < d->n; i++) {
        breathe(&b);
        tell_configuration(&b, i);
    }
    for (size_t p = 0; p < d->n_parameters; p++)
        if (d->parameters[p].technique)
            lore_trials_call(t, s->op, d->parameters[p].name, d->parameters[p].technique);
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
