/* Cells (cells.h): how a row enters the sums of its cell and of its place, and leaves them. */
#include "service/recommend/cells.h"

#include <math.h>
#include <string.h>

#include "service/base/text.h"
#include "service/base/xalloc.h"

enum { FIRST_SLOTS = 64 };

struct lore_verdict
lore_judge(union lore_row_outcome o)
{
    bool wrong = o.correctness == LORE_C_FAIL || o.correctness == LORE_C_TIMEOUT;
    bool said = o.said_lost && o.effect == LORE_X_NOT_MEASURED;
    bool won = o.effect == LORE_X_WIN && !wrong, own = won && o.share == LORE_SHARE_OPEN;
    bool counts = wrong || said || o.effect == LORE_X_WIN || o.effect == LORE_X_NEUTRAL ||
                  o.effect == LORE_X_LOSS;
    bool inert = won && o.share == LORE_SHARE_INERT, absent = won && o.share == LORE_SHARE_ABSENT;
    bool has_x = won == own && !wrong && o.measured;

    return (struct lore_verdict){
        .effect = won != own                        ? LORE_X_NEUTRAL
                  : wrong && o.effect == LORE_X_WIN ? LORE_X_LOSS
                                                    : o.effect,
        .is = {[LORE_N_JUDGED] = counts,
            [LORE_N_OWN] = own,
            [LORE_N_LOST] = counts && !won && (wrong || o.effect != LORE_X_NEUTRAL),
            [LORE_N_INERT] = inert,
            [LORE_N_ABSENT] = absent,
            [LORE_N_SAID] = said && !wrong,
            [LORE_N_WRONG] = wrong},
        .gains = inert || has_x,
        .has_x = has_x,
    };
}

/* ---- sums ---- */

void
lore_sums_add(struct lore_sums *s, const struct lore_verdict *v, float x, double by)
{
    s->judged += v->is[LORE_N_JUDGED] ? by : 0;
    s->won += v->is[LORE_N_OWN] ? by : 0;
    if (!v->gains)
        return;
    s->gains += by;
    s->x += by * x;
    s->xx += by * x * x;
}

float
lore_row_x(const struct lore_evidence_index *ix, const struct lore_row *row)
{
    return ix->verdict[row->code].has_x ? fmaxf(-ix->clamp, fminf(row->log, ix->clamp)) : 0;
}

static void
count(struct lore_cell *c, struct lore_cell_rows *rows, const struct lore_verdict *v, int by)
{
    rows->count[v->effect] += (uint32_t)by;
    for (int i = LORE_X_COUNT; i < LORE_NS; i++)
        rows->count[i] += v->is[i] ? (uint32_t)by : 0;
    c->judged = rows->count[LORE_N_JUDGED];
    c->won = rows->count[LORE_N_OWN];
}

/* The row enters the sums (BY 1), or leaves them (-1). Of nothing the sums are 0, not what rounding
 * left. */
static void
sum(struct lore_evidence_index *ix, const struct lore_row *row, int by)
{
    const struct lore_known_row *known = &ix->row[row->number];
    const struct lore_verdict *v = &ix->verdict[row->code];
    struct lore_cells_of *t = &ix->technique[known->technique];
    struct lore_cell *c = &t->cell[known->cell];
    struct lore_place *p = &ix->place[c->place];

    lore_sums_add(&c->sums, v, lore_row_x(ix, row), (double)by / row->siblings);
    count(c, &t->rows[known->cell], v, by);
    if (c->n == 0)
        c->sums = (struct lore_sums){0};
    if (!row->first)
        return;
    struct lore_row whole = *row; /* whoever's the win is, it is the experiment's */
    union lore_row_outcome o = {.code = row->code};
    o.share = LORE_SHARE_OPEN;
    whole.code = o.code;
    v = &ix->verdict[whole.code];
    lore_sums_add(&p->sums, v, lore_row_x(ix, &whole), by);
    p->n += (uint32_t)by;
    p->judged += v->is[LORE_N_JUDGED] ? (uint32_t)by : 0;
    p->won += v->is[LORE_N_OWN] ? (uint32_t)by : 0;
    if (p->n == 0)
        p->sums = (struct lore_sums){0};
}

/* ---- rows in cells ---- */

static uint32_t
technique_of(struct lore_evidence_index *ix, uint32_t name)
{
    uint32_t known = ix->techniques.n, number = lore_keys_add(&ix->techniques, name);

    ix->technique =
        lore_keys_room(ix->technique, number, &ix->cap_technique, sizeof *ix->technique);
    if (number == known) {
        const char *slug = lore_intern_text(&ix->names, name);
        const struct lore_technique *catalogued = slug ? lore_technique_find(slug) : NULL;
        ix->technique[number].triggers = catalogued ? catalogued->triggers : 0;
        ix->technique[number].nameless = !slug || *slug == '\0' || lore_streq(slug, "baseline") ||
                                         lore_technique_is_placeholder(slug);
    }
    return number;
}

/* Into the cell of its technique and place. */
static void
put(struct lore_evidence_index *ix, const struct lore_coming_row *in, const struct lore_row *row)
{
    uint32_t context = lore_keys_add(&ix->contexts, in->context.key);
    uint32_t place = lore_keys_add(&ix->places, lore_pair(in->op, context));
    struct lore_known_row *known = &ix->row[row->number];

    known->technique = technique_of(ix, in->technique);
    ix->place = lore_keys_room(ix->place, place, &ix->cap_place, sizeof *ix->place);
    struct lore_cells_of *t = &ix->technique[known->technique];
    uint32_t cells = t->places.n;
    known->cell = lore_keys_add(&t->places, place);
    t->cell = lore_keys_room(t->cell, known->cell, &t->cap, sizeof *t->cell);
    t->rows = lore_keys_room(t->rows, known->cell, &t->cap_rows, sizeof *t->rows);
    struct lore_cell *c = &t->cell[known->cell];
    struct lore_cell_rows *rows = &t->rows[known->cell];
    c->place = place;
    if (known->cell == cells)
        rows->least = INFINITY;
    ix->row_bytes -= rows->cap * sizeof *rows->v;
    rows->v = lore_keys_room(rows->v, c->n, &rows->cap, sizeof *rows->v);
    ix->row_bytes += rows->cap * sizeof *rows->v;
    known->at = c->n;
    rows->v[c->n++] = *row;
    rows->least = fminf(rows->least, lore_own_log(&ix->verdict[row->code], row->log)); /* or NAN */
    rows->most = fmaxf(rows->most, fabsf(row->log));
    sum(ix, row, 1);
}

/* Out of its cell, in which the last row takes its place. */
static void
take(struct lore_evidence_index *ix, const struct lore_known_row *known)
{
    struct lore_cell *c = &ix->technique[known->technique].cell[known->cell];
    struct lore_cell_rows *rows = &ix->technique[known->technique].rows[known->cell];
    struct lore_row row = rows->v[known->at];

    ix->row[rows->v[c->n - 1].number].at = known->at;
    rows->v[known->at] = rows->v[--c->n];
    sum(ix, &row, -1);
    if (lore_own_log(&ix->verdict[row.code], row.log) > rows->least)
        return;
    rows->least = INFINITY;
    for (uint32_t i = 0; i < c->n; i++)
        rows->least =
            fminf(rows->least, lore_own_log(&ix->verdict[rows->v[i].code], rows->v[i].log));
}

/* ---- finding the rows of an experiment ---- */

static uint32_t
slot_of(const struct lore_evidence_index *ix, const unsigned char id[LORE_ULID_BYTES])
{
    uint64_t a, b;

    memcpy(&a, id, sizeof a);
    memcpy(&b, id + sizeof a, sizeof b);
    a = (a ^ ix->seed) * 0x9e3779b97f4a7c15u;
    a = ((a ^ a >> 32) + b) * 0xd6e8feb86659fd93u;
    return (
        uint32_t)((uint64_t)(uint32_t)((a ^ a >> 32) * 0x9e3779b97f4a7c15u >> 32) * ix->n_slots >>
                  32);
}

static uint32_t
after(const struct lore_evidence_index *ix, uint32_t slot)
{
    return slot + 1 < ix->n_slots ? slot + 1 : 0;
}

static void
put_slot(struct lore_evidence_index *ix, uint32_t number)
{
    uint32_t i = slot_of(ix, ix->row[number].id);

    while (ix->slots[i] != 0)
        i = after(ix, i);
    ix->slots[i] = number + 1;
}

/* At most three quarters of the slots are used. */
static void
widen(struct lore_evidence_index *ix)
{
    lore_xfree(ix->slots);
    ix->n_slots = ix->n_slots == 0 ? FIRST_SLOTS : ix->n_slots + ix->n_slots / 4;
    ix->slots = lore_xcalloc(ix->n_slots, sizeof *ix->slots);
    for (uint32_t i = 0; i < ix->n; i++)
        put_slot(ix, i);
}

/* The slot of the next row of the experiment of ID, from slot I on; the free one behind them. */
static uint32_t
next_of(const struct lore_evidence_index *ix, const unsigned char id[LORE_ULID_BYTES], uint32_t i)
{
    while (ix->slots[i] != 0 && memcmp(ix->row[ix->slots[i] - 1].id, id, LORE_ULID_BYTES) != 0)
        i = after(ix, i);
    return i;
}

/* One more technique shares the credit of the experiment of ID. */
static void
share(struct lore_evidence_index *ix, const unsigned char id[LORE_ULID_BYTES], uint8_t siblings)
{
    for (uint32_t i = next_of(ix, id, slot_of(ix, id)); ix->slots[i] != 0;
         i = next_of(ix, id, after(ix, i))) {
        const struct lore_known_row *known = &ix->row[ix->slots[i] - 1];
        struct lore_row *row = lore_row_of(ix, known);
        sum(ix, row, -1);
        row->siblings = siblings;
        sum(ix, row, 1);
    }
}

void
lore_cells_add(struct lore_evidence_index *ix, const struct lore_coming_row *in)
{
    struct lore_row row = in->row;
    uint32_t count = 0;

    if (4 * (uint64_t)ix->n >= 3 * (uint64_t)ix->n_slots)
        widen(ix);
    for (uint32_t i = next_of(ix, in->id, slot_of(ix, in->id)); ix->slots[i] != 0;
         i = next_of(ix, in->id, after(ix, i)), count++) {
        struct lore_known_row *known = &ix->row[ix->slots[i] - 1];
        const struct lore_row *old = lore_row_of(ix, known);
        if (ix->techniques.key[known->technique] != in->technique)
            continue;
        row.number = ix->slots[i] - 1;
        row.siblings = old->siblings;
        row.first = old->first;
        known->seq = in->seq;
        take(ix, known);
        put(ix, in, &row);
        return;
    }
    row.siblings = (uint8_t)(count < UINT8_MAX ? count + 1 : UINT8_MAX);
    row.first = count == 0;
    if (count > 0)
        share(ix, in->id, row.siblings);
    row.number = ix->n;
    ix->row = lore_keys_room(ix->row, ix->n, &ix->cap, sizeof *ix->row);
    ix->row[ix->n].seq = in->seq;
    memcpy(ix->row[ix->n].id, in->id, LORE_ULID_BYTES);
    put_slot(ix, ix->n++);
    put(ix, in, &row);
}

/* ---- as a whole ---- */

void
lore_cells_free(struct lore_evidence_index *ix)
{
    for (uint32_t i = 0; i < ix->techniques.n; i++) {
        struct lore_cells_of *t = &ix->technique[i];
        for (uint32_t k = 0; k < t->places.n; k++)
            lore_xfree(t->rows[k].v);
        lore_xfree(t->cell);
        lore_xfree(t->rows);
        lore_keys_free(&t->places);
    }
    lore_xfree(ix->place);
    lore_xfree(ix->technique);
    lore_xfree(ix->row);
    lore_xfree(ix->slots);
}

size_t
lore_cells_bytes(const struct lore_evidence_index *ix)
{
    size_t bytes = ix->cap_place * sizeof *ix->place + ix->cap_technique * sizeof *ix->technique +
                   ix->cap * sizeof *ix->row + ix->n_slots * sizeof *ix->slots + ix->row_bytes;

    for (uint32_t i = 0; i < ix->techniques.n; i++)
        bytes += lore_keys_bytes(&ix->technique[i].places) +
                 ix->technique[i].cap * sizeof *ix->technique[i].cell +
                 ix->technique[i].cap_rows * sizeof *ix->technique[i].rows;
    return bytes;
}
