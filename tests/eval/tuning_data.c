/* The sweeps of a folder (tuning_sweeps.c) as cells: values in order, every configuration once, and
 * its neighbours by a hash of the values' indices.
 *
 * A second record of one search, and a sweep without a chip, is left out, as by a service. More
 * parameters than the model tells apart: those with one value go first, then the ones with the
 * fewest, each held at its most frequent value; of a parameter with more values than are told apart
 * the first ones count. What that leaves out is noted. Of a configuration that stands twice the
 * first that ran counts. */
#include "tests/eval/tuning_data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "service/base/text.h"
#include "service/moves/moves_chip_data.h"
#include "tests/eval/tuning_sweeps.h"

static const size_t cells_max = (size_t)3 << 30;
enum { ROOM = 16 << 20 }; /* left for logs and names */

/* ---- states ---- */

static size_t
slot_of(const struct tuning_cell *c, const uint8_t *at)
{
    uint64_t h = 0, part[3];

    _Static_assert(sizeof part == TUNING_PARAMS, "the indices are hashed as words");
    memcpy(part, at, sizeof part);
    for (size_t i = 0; i < 3; i++) {
        h = (h ^ part[i]) * 0x9e3779b97f4a7c15u;
        h ^= h >> 29;
    }
    return (size_t)h & (c->n_slots - 1);
}

/* Where the state with these values is, or would be. */
static uint32_t *
place_of(const struct tuning_cell *c, const uint8_t *at)
{
    size_t k = slot_of(c, at);

    while (c->slot[k] != 0 && memcmp(c->state[c->slot[k] - 1].at, at, TUNING_PARAMS) != 0)
        k = (k + 1) & (c->n_slots - 1);
    return &c->slot[k];
}

size_t
tuning_find(const struct tuning_cell *c, const uint8_t at[TUNING_PARAMS])
{
    return (size_t)*place_of(c, at) - 1; /* 0 wraps to SIZE_MAX */
}

int
tuning_value_in(const struct tuning_param *a, size_t v, const struct tuning_param *b)
{
    for (size_t i = 0; i < b->n; i++)
        if (a->text[v] ? lore_streq(a->text[v], b->text[i])
                       : !b->text[i] && a->value[v] == b->value[i])
            return (int)i;
    return -1;
}

uint32_t
tuning_state_id(const struct tuning_cell *c, size_t state, struct lore_moves *m)
{
    struct lore_moves_setting s[TUNING_PARAMS];

    for (size_t p = 0; p < c->n_params; p++) {
        uint8_t v = c->state[state].at[p];
        s[p] = (struct lore_moves_setting){
            c->param[p].name, c->param[p].text[v], c->param[p].value[v]};
    }
    return lore_moves_state(m, c->kernel, s, c->n_params);
}

double
tuning_effect(const struct tuning_cell *c, size_t from, size_t to)
{
    return c->state[to].time > 0 ? log(c->state[from].time / c->state[to].time) : -INFINITY;
}

/* ---- neighbours ---- */

/* Moves of a state into OUT (NULL: only count them). */
static size_t
neighbours(const struct tuning_cell *c, size_t state, bool all, struct tuning_move *out)
{
    uint8_t at[TUNING_PARAMS];
    size_t n = 0;

    memcpy(at, c->state[state].at, sizeof at);
    for (size_t p = 0; p < c->n_params; p++) {
        uint8_t mine = at[p];
        for (size_t v = 0; v < c->param[p].n; v++) {
            bool near = v + 1 == mine || v == mine + 1u || c->param[p].symbolic;
            if (v == mine || (!all && !near))
                continue;
            at[p] = (uint8_t)v;
            size_t to = tuning_find(c, at);
            if (to == SIZE_MAX)
                continue;
            if (out)
                out[n] = (struct tuning_move){(uint32_t)to, (uint8_t)p, v > mine};
            n++;
        }
        at[p] = mine;
    }
    return n;
}

static enum lore_status
join(struct tuning *t, struct tuning_cell *c, bool all, struct lore_err *err)
{
    size_t n = 0;

    c->first = lore_alloc_array(&t->arena, c->n + 1, sizeof *c->first);
    for (size_t i = 0; i < c->n; i++) {
        c->first[i] = n;
        n += neighbours(c, i, all, NULL);
    }
    c->first[c->n] = n;
    if (lore_arena_room(&t->arena) < n * sizeof *c->move + ROOM)
        return lore_fail(err, LORE_TOOBIG, "%zu moves do not fit into memory", n);
    c->move = lore_alloc_array(&t->arena, n, sizeof *c->move);
    for (size_t i = 0; i < c->n; i++)
        (void)neighbours(c, i, all, c->move + c->first[i]);
    return LORE_OK;
}

/* ---- a sweep as a cell ---- */

struct ranked {
    const char *text; /* NULL: a number */
    double number;
    size_t was;
};

/* A JSON scalar; true and 1.0 are 1. */
static struct ranked
ranked_of(const char *scalar, size_t was)
{
    char *end = NULL;
    double v = strtod(scalar, &end);

    if (*scalar == 't' || *scalar == 'f')
        return (struct ranked){NULL, *scalar == 't', was};
    return (struct ranked){*end != '\0' ? scalar : NULL, v, was};
}

static int
by_value(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;

    if (!x->text && !y->text)
        return (x->number > y->number) - (x->number < y->number);
    return lore_strorder(x->text, y->text);
}

struct choice { /* which columns are parameters, and what becomes of their values */
    size_t column[TUNING_PARAMS], n;
    uint32_t held[LORE_SWEEP_SERIES]; /* of the others: the value that stays */
    bool is_param[LORE_SWEEP_SERIES];
    uint8_t *rank[TUNING_PARAMS];
};

static uint32_t
most_frequent(const struct lore_series *s, struct lore_arena *scratch)
{
    size_t *count = lore_alloc_array(scratch, s->n_values + 1, sizeof *count), best = 1;

    for (size_t i = 0; i < s->n; i++)
        count[s->at[i]]++;
    for (size_t v = 2; v <= s->n_values; v++)
        best = count[v] > count[best] ? v : best;
    return (uint32_t)best;
}

static void
choose(struct tuning *t, const struct tuning_sweep *from, struct lore_arena *scratch,
    struct choice *out)
{
    const struct lore_sweep_values *column = from->d.parameters;
    size_t n = from->d.n_parameters;

    for (size_t p = 0; p < n; p++)
        out->is_param[p] = true;
    for (size_t left = n; left > TUNING_PARAMS; left--) { /* the last of those with the fewest */
        size_t least = SIZE_MAX;
        for (size_t p = 0; p < n; p++)
            if (out->is_param[p] &&
                (least == SIZE_MAX || column[p].s.n_values <= column[least].s.n_values))
                least = p;
        out->is_param[least] = false;
        out->held[least] = most_frequent(&column[least].s, scratch);
        if (column[least].s.n_values > 1)
            lore_buf_printf(&t->notes,
                "%s: more than %d parameters: only configurations with the most frequent value "
                "of %s\n",
                from->file, TUNING_PARAMS, column[least].name);
    }
    for (size_t p = 0; p < n; p++) {
        if (out->is_param[p])
            out->column[out->n++] = p;
        if (out->is_param[p] && column[p].s.n_values > TUNING_VALUES)
            lore_buf_printf(&t->notes, "%s: of %zu values of %s the first %d\n", from->file,
                column[p].s.n_values, column[p].name, TUNING_VALUES);
    }
}

/* The values of parameter P in order; equal ones, as 2 and 2.0, are one. */
static void
take_param(
    struct tuning *t, struct tuning_param *x, const struct lore_sweep_values *column, uint8_t *rank)
{
    struct ranked order[TUNING_VALUES];
    size_t n = column->s.n_values < TUNING_VALUES ? column->s.n_values : TUNING_VALUES;

    x->name = lore_strdup(&t->arena, column->name);
    for (size_t v = 0; v < n; v++)
        order[v] = ranked_of(column->s.value[v], v);
    qsort(order, n, sizeof *order, by_value);
    for (size_t v = 0; v < n; v++) {
        if (v == 0 || by_value(&order[v - 1], &order[v]) != 0) {
            x->text[x->n] = lore_strdup(&t->arena, order[v].text);
            x->value[x->n] = order[v].text ? (double)x->n : order[v].number;
            x->symbolic |= order[v].text != NULL;
            x->n++;
        }
        rank[order[v].was] = (uint8_t)(x->n - 1);
    }
}

/* The state that configuration I is; false: it is left out. */
static bool
state_of(const struct lore_sweep_data *d, const struct choice *choice, size_t i,
    struct tuning_state *out)
{
    *out = (struct tuning_state){.time = d->time_ns[i]};
    for (size_t p = 0; p < d->n_parameters; p++)
        if (!choice->is_param[p] && d->parameters[p].s.at[i] != choice->held[p])
            return false;
    for (size_t p = 0; p < choice->n; p++) {
        uint32_t v = d->parameters[choice->column[p]].s.at[i];
        if (v == 0 || v > TUNING_VALUES)
            return false;
        out->at[p] = choice->rank[p][v - 1];
    }
    return true;
}

static void
take_states(struct tuning *t, struct tuning_cell *c, const struct tuning_sweep *from,
    const struct choice *choice)
{
    size_t over = 0, twice = 0;

    for (size_t i = 0; i < from->d.n; i++) {
        struct tuning_state s;
        if (!state_of(&from->d, choice, i, &s)) {
            over++;
            continue;
        }
        uint32_t *place = place_of(c, s.at);
        if (*place == 0) {
            c->state[c->n++] = s;
            *place = (uint32_t)c->n;
        } else {
            double *time = &c->state[*place - 1].time;
            *time = *time > 0 ? *time : s.time;
            twice++;
        }
    }
    for (size_t i = 0; i < c->n; i++)
        if (c->state[i].time > 0 && (c->best == 0 || c->state[i].time < c->best))
            c->best = c->state[i].time;
    if (over > 0)
        lore_buf_printf(&t->notes, "%s: %zu configurations left out for that\n", c->file, over);
    if (twice > 0)
        lore_buf_printf(&t->notes, "%s: %zu configurations stand there again\n", c->file, twice);
}

static enum lore_status
take_rows(
    struct tuning *t, struct tuning_cell *c, const struct tuning_sweep *from, struct lore_err *err)
{
    LORE_SCRATCH scratch = {0};
    struct choice *choice = lore_alloc(&scratch, sizeof *choice);
    size_t n = from->d.n;

    if (lore_arena_room(&t->arena) < n * 96 + ROOM)
        return lore_fail(err, LORE_TOOBIG, "%zu configurations do not fit into memory", n);
    choose(t, from, &scratch, choice);
    c->n_params = choice->n;
    for (size_t p = 0; p < c->n_params; p++) {
        choice->rank[p] = lore_alloc(&scratch, TUNING_VALUES);
        take_param(t, &c->param[p], &from->d.parameters[choice->column[p]], choice->rank[p]);
    }
    for (c->n_slots = 64; c->n_slots < n * 2;)
        c->n_slots *= 2;
    c->slot = lore_alloc_array(&t->arena, c->n_slots, sizeof *c->slot);
    c->state = lore_alloc_array(&t->arena, n + 1, sizeof *c->state);
    take_states(t, c, from, choice);
    return LORE_OK;
}

/* ---- sweeps ---- */

/* A cell of that search, or of that kernel, chip and problem, that is there already. */
static const struct tuning_cell *
known_cell(const struct tuning *t, const struct tuning_cell *c)
{
    for (size_t i = 0; i < t->n; i++) {
        const struct tuning_cell *x = &t->cell[i];
        if (!lore_streq(x->chip.name, c->chip.name) || !lore_streq(x->kernel, c->kernel))
            continue;
        if (lore_streq(x->print, c->print) || lore_streq(x->problem, c->problem))
            return x;
    }
    return NULL;
}

/* "4096x4096", and log2 of the product of its numbers. */
static void
set_problem(struct tuning_cell *c, const struct lore_workload *w, struct lore_arena *arena)
{
    double product = 1;

    for (size_t i = 0; i < w->dims.n; i++) {
        double v = strtod(w->dims.v[i].value, NULL);
        c->problem = lore_format(arena, "%s%s%s", c->problem ? c->problem : "",
            c->problem ? "x" : "", w->dims.v[i].value);
        product *= v > 0 ? v : 1;
    }
    c->chip.size = log2(product);
}

struct loading {
    struct tuning *t;
    bool all;
    size_t more; /* sweeps over the limit */
};

/* The cell is counted at the end, so a cell that is left out adds nothing. */
static enum lore_status
add_cell(void *ctx, const struct tuning_sweep *from, struct lore_err *err)
{
    struct loading *l = ctx;
    struct tuning *t = l->t;
    struct tuning_cell *c = &t->cell[t->n];
    enum lore_status status = LORE_OK;

    if (t->n == TUNING_CELLS) {
        l->more++;
        return LORE_OK;
    }
    *c = (struct tuning_cell){.file = lore_strdup(&t->arena, from->file),
        .kernel = lore_strdup(&t->arena, from->kernel),
        .since = lore_strdup(&t->arena, from->record->searched_at)};
    memcpy(c->print, from->print, sizeof c->print);
    if (!from->record->chip || !lore_moves_chip_known(from->record->chip, &c->chip)) {
        lore_buf_printf(&t->notes, "%s: its chip is not known: left out\n", c->file);
        return LORE_OK;
    }
    set_problem(c, &from->record->workload, &t->arena);
    const struct tuning_cell *known = known_cell(t, c);
    if (known) {
        lore_buf_printf(&t->notes,
            "%s: %s is that search, or that kernel, chip and problem: left out\n", c->file,
            known->file);
        return LORE_OK;
    }
    status = take_rows(t, c, from, err);
    if (status == LORE_OK && c->best == 0)
        lore_buf_printf(&t->notes, "%s: no configuration ran: left out\n", c->file);
    else if (status == LORE_OK)
        status = join(t, c, l->all, err);
    t->n += status == LORE_OK && c->best > 0;
    return status;
}

/* Where all files of a kernel are about one problem it need not be named. */
static void
drop_problems(struct tuning *t)
{
    for (size_t i = 0; i < t->n; i++) {
        bool several = false;
        for (size_t j = 0; j < t->n; j++)
            several |= lore_streq(t->cell[i].kernel, t->cell[j].kernel) &&
                       !lore_streq(t->cell[i].problem, t->cell[j].problem);
        t->cell[i].chip.workload = several ? t->cell[i].problem : NULL;
        t->cell[i].chip.size = several ? t->cell[i].chip.size : 0;
    }
}

enum lore_status
tuning_load(const char *folder, bool all, struct tuning *out, struct lore_err *err)
{
    struct loading l = {.t = out, .all = all};
    struct tuning_path *file;
    size_t n;

    *out = (struct tuning){.arena = {.limit = cells_max}};
    out->cell = lore_alloc_array(&out->arena, TUNING_CELLS + 1, sizeof *out->cell);
    enum lore_status status = tuning_files(folder, &out->arena, &file, &n, err);
    for (size_t i = 0; i < n && status == LORE_OK; i++)
        status = tuning_sweeps(&file[i], &out->notes, add_cell, &l, err);
    if (l.more > 0)
        lore_buf_printf(&out->notes, "%zu sweeps over %d: left out\n", l.more, TUNING_CELLS);
    if (status == LORE_OK && out->n == 0)
        status = lore_fail(err, LORE_NOTFOUND, "%s: no tuning files", folder);
    drop_problems(out);
    if (status != LORE_OK)
        tuning_free(out);
    return status;
}

void
tuning_free(struct tuning *t)
{
    lore_buf_free(&t->notes);
    lore_arena_free(&t->arena);
}
