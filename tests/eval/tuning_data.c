/* Kernel Tuner cache files of a folder as cells: their rows (tuning_read.c) with values in order,
 * every configuration once, and its neighbours by a hash of the values' indices.
 *
 * Results files (T4) hold no cache and are left out. More parameters than the model tells apart:
 * those with one value go first, then the ones with the fewest, each held at its most frequent
 * value; of a parameter with more values than are told apart the first ones count. What that leaves
 * out is noted. Of a configuration that stands twice the first that ran counts. */
#include "tests/eval/tuning_data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "service/base/text.h"
#include "tests/eval/tuning_files.h"
#include "tests/eval/tuning_read.h"

static const size_t text_max = (size_t)2 << 30, rows_max = (size_t)1 << 30,
                    cells_max = (size_t)3 << 30;
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

/* ---- a file's rows as a cell ---- */

struct ranked {
    const struct tuning_value *value;
    size_t was;
};

static int
by_value(const void *a, const void *b)
{
    const struct tuning_value *x = ((const struct ranked *)a)->value,
                              *y = ((const struct ranked *)b)->value;

    if (!x->text && !y->text)
        return (x->number > y->number) - (x->number < y->number);
    return lore_strorder(x->text, y->text);
}

struct choice { /* which columns are parameters, and what becomes of their values */
    size_t column[TUNING_PARAMS], n;
    uint16_t held[TUNING_COLUMNS]; /* of the others: the value that stays */
    bool is_param[TUNING_COLUMNS];
    uint8_t rank[TUNING_PARAMS][TUNING_VALUES];
};

static uint16_t
most_frequent(const struct tuning_file *f, size_t column, struct lore_arena *scratch)
{
    size_t *count = lore_alloc_array(scratch, f->column[column].n, sizeof *count), best = 0;

    for (size_t i = 0; i < f->n; i++)
        count[f->at[i * f->n_columns + column]]++;
    for (size_t v = 1; v < f->column[column].n; v++)
        best = count[v] > count[best] ? v : best;
    return (uint16_t)best;
}

static void
choose(struct tuning *t, const char *stem, const struct tuning_file *f, struct lore_arena *scratch,
    struct choice *out)
{
    size_t left = f->n_columns;

    for (size_t p = 0; p < f->n_columns; p++)
        out->is_param[p] = true;
    for (; left > TUNING_PARAMS; left--) { /* the last of those with the fewest values */
        size_t least = SIZE_MAX;
        for (size_t p = 0; p < f->n_columns; p++)
            if (out->is_param[p] && (least == SIZE_MAX || f->column[p].n <= f->column[least].n))
                least = p;
        out->is_param[least] = false;
        out->held[least] = f->column[least].n > 0 ? most_frequent(f, least, scratch) : 0;
        if (f->column[least].n > 1)
            lore_buf_printf(&t->notes,
                "%s: more than %d parameters: only configurations with the most frequent value "
                "of %s\n",
                stem, TUNING_PARAMS, f->column[least].name);
    }
    for (size_t p = 0; p < f->n_columns; p++) {
        if (out->is_param[p])
            out->column[out->n++] = p;
        if (out->is_param[p] && f->column[p].n > TUNING_VALUES)
            lore_buf_printf(&t->notes, "%s: of %zu values of %s the first %d\n", stem,
                f->column[p].n, f->column[p].name, TUNING_VALUES);
    }
}

static void
take_values(
    struct tuning *t, struct tuning_cell *c, const struct tuning_file *f, struct choice *choice)
{
    c->n_params = choice->n;
    for (size_t p = 0; p < c->n_params; p++) {
        const struct tuning_column *column = &f->column[choice->column[p]];
        struct tuning_param *x = &c->param[p];
        struct ranked order[TUNING_VALUES];
        x->name = lore_strdup(&t->arena, column->name);
        x->n = column->n < TUNING_VALUES ? column->n : TUNING_VALUES;
        for (size_t v = 0; v < x->n; v++)
            order[v] = (struct ranked){&column->value[v], v};
        qsort(order, x->n, sizeof *order, by_value);
        for (size_t v = 0; v < x->n; v++) {
            x->text[v] = lore_strdup(&t->arena, order[v].value->text);
            x->value[v] = x->text[v] != NULL ? (double)v : order[v].value->number;
            x->symbolic |= x->text[v] != NULL;
            choice->rank[p][order[v].was] = (uint8_t)v;
        }
    }
}

/* The state that row I is; false: it is left out. */
static bool
state_of(
    const struct tuning_file *f, const struct choice *choice, size_t i, struct tuning_state *out)
{
    const uint16_t *at = &f->at[i * f->n_columns];

    *out = (struct tuning_state){.time = f->time[i]};
    for (size_t p = 0; p < f->n_columns; p++)
        if (!choice->is_param[p] && at[p] != choice->held[p])
            return false;
    for (size_t p = 0; p < choice->n; p++) {
        uint16_t v = at[choice->column[p]];
        if (v >= TUNING_VALUES)
            return false;
        out->at[p] = choice->rank[p][v];
    }
    return true;
}

static enum lore_status
take_rows(struct tuning *t, struct tuning_cell *c, const char *stem, const struct tuning_file *f,
    struct lore_arena *scratch, struct lore_err *err)
{
    struct choice *choice = lore_alloc(scratch, sizeof *choice);
    size_t over = 0, twice = 0;

    if (f->n > UINT32_MAX / 4 || lore_arena_room(&t->arena) < f->n * 96 + ROOM)
        return lore_fail(err, LORE_TOOBIG, "%zu configurations do not fit into memory", f->n);
    choose(t, stem, f, scratch, choice);
    take_values(t, c, f, choice);
    for (c->n_slots = 64; c->n_slots < f->n * 2;)
        c->n_slots *= 2;
    c->slot = lore_alloc_array(&t->arena, c->n_slots, sizeof *c->slot);
    c->state = lore_alloc_array(&t->arena, f->n, sizeof *c->state);
    for (size_t i = 0; i < f->n; i++) {
        struct tuning_state s;
        if (!state_of(f, choice, i, &s)) {
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
        lore_buf_printf(&t->notes, "%s: %zu configurations left out for that\n", stem, over);
    if (twice > 0)
        lore_buf_printf(&t->notes, "%s: %zu configurations stand there again\n", stem, twice);
    return LORE_OK;
}

/* ---- files ---- */

/* A cell of that kernel, chip and problem that is there already. */
static const struct tuning_cell *
known_cell(const struct tuning *t, const struct tuning_cell *c)
{
    for (size_t i = 0; i < t->n; i++)
        if (lore_streq(t->cell[i].kernel, c->kernel) &&
            lore_streq(t->cell[i].chip.name, c->chip.name) &&
            lore_streq(t->cell[i].problem, c->problem))
            return &t->cell[i];
    return NULL;
}

/* C is not counted yet: nothing of it stays when it is left out. */
static enum lore_status
add_cell(struct tuning *t, struct tuning_cell *c, const struct tuning_file *f, bool all,
    struct lore_arena *scratch, struct lore_err *err)
{
    const char *stem = c->file;
    enum lore_status status = LORE_OK;

    if (f->cut)
        lore_buf_printf(&t->notes, "%s: the file was cut after %zu configurations\n", stem, f->n);
    if (f->unreadable > 0)
        lore_buf_printf(&t->notes, "%s: %zu entries lack a parameter or a time: left out\n", stem,
            f->unreadable);
    tuning_name(&t->arena, stem, f->device, &c->kernel, &c->chip);
    c->problem = lore_strdup(&t->arena, f->problem);
    c->chip.size = f->size;
    c->since = lore_strdup(&t->arena, f->since);
    const struct tuning_cell *known = known_cell(t, c);
    if (known) {
        lore_buf_printf(
            &t->notes, "%s: %s is that kernel, chip and problem: left out\n", stem, known->file);
        return LORE_OK;
    }
    status = take_rows(t, c, stem, f, scratch, err);
    if (status == LORE_OK && c->best == 0)
        lore_buf_printf(&t->notes, "%s: no configuration ran: left out\n", stem);
    else if (status == LORE_OK)
        status = join(t, c, all, err);
    t->n += status == LORE_OK && c->best > 0;
    return status;
}

static enum lore_status
load_file(struct tuning *t, const struct tuning_path *from, bool all, struct lore_err *err)
{
    struct lore_arena scratch = {.limit = rows_max};
    struct lore_buf text = {.max = text_max};
    struct tuning_file *f = lore_alloc(&scratch, sizeof *f);
    struct tuning_cell *c = &t->cell[t->n];
    struct lore_err why = {0};
    enum lore_status status = tuning_text(from->path, &text, &why);

    memset(c, 0, sizeof *c);
    c->file = from->name;
    if (status == LORE_OK)
        status = tuning_read(text.data, text.len, &scratch, f, &why);
    lore_buf_free(&text);
    if (status == LORE_OK && !f->has_cache)
        lore_buf_printf(&t->notes, "%s: no cache file: left out\n", c->file);
    else if (status == LORE_OK)
        status = add_cell(t, c, f, all, &scratch, &why);
    lore_arena_free(&scratch);
    return status == LORE_OK ? status : lore_fail(err, status, "%s: %s", from->path, why.msg);
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
    struct tuning_path *file;
    size_t n, more = 0;

    *out = (struct tuning){.arena = {.limit = cells_max}};
    out->cell = lore_alloc_array(&out->arena, TUNING_CELLS, sizeof *out->cell);
    enum lore_status status = tuning_files(folder, &out->arena, &file, &n, err);
    for (size_t i = 0; i < n && status == LORE_OK; i++) {
        if (out->n < TUNING_CELLS)
            status = load_file(out, &file[i], all, err);
        else
            more++;
    }
    if (more > 0)
        lore_buf_printf(&out->notes, "%zu files over %d: left out\n", more, TUNING_CELLS);
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
