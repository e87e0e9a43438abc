/* Rows (evidence_inner.h): shelves and their chunks, a table of row numbers that finds the rows of
 * an experiment, and how a row enters the sums of its cells and leaves them. Rows are never
 * removed; one whose experiment is now on another operator leaves a place for the next. */
#include <math.h>
#include <string.h>

#include "evidence_inner.h"
#include "xalloc.h"

enum { FIRST_SLOTS = 64, FIRST_ROWS = 4 };

/* ---- shelves and chunks ---- */

static struct lore_chunk *
chunk_of(const struct lore_evidence_index *ix, uint32_t row)
{
    return ix->chunks[row / LORE_CHUNK];
}

static struct lore_shelf *
shelf_of(const struct lore_evidence_index *ix, uint32_t row)
{
    return &ix->shelves[chunk_of(ix, row)->shelf];
}

static struct lore_bay *
bay_made(struct lore_evidence_index *ix, uint32_t technique)
{
    uint32_t known = ix->bay_keys.n, id = lore_keys_add(&ix->bay_keys, technique);

    if (id == known) {
        if (ix->cap_bays < ix->bay_keys.cap) {
            ix->cap_bays = ix->bay_keys.cap;
            ix->bays = lore_xrealloc(ix->bays, ix->cap_bays * sizeof *ix->bays);
        }
        ix->bays[id] = (struct lore_bay){.technique = technique};
    }
    return &ix->bays[id];
}

static uint32_t
shelf_made(struct lore_evidence_index *ix, uint32_t technique, uint32_t op)
{
    uint32_t known = ix->shelf_keys.n,
             id = lore_keys_add(&ix->shelf_keys, lore_pair(technique, op));

    if (id < known)
        return id;
    if (ix->cap_shelves < ix->shelf_keys.cap) {
        ix->cap_shelves = ix->shelf_keys.cap;
        ix->shelves = lore_xrealloc(ix->shelves, ix->cap_shelves * sizeof *ix->shelves);
    }
    ix->shelves[id] = (struct lore_shelf){.technique = technique, .op = op, .least = INFINITY};
    struct lore_bay *bay = bay_made(ix, technique);
    if (bay->n == bay->cap) {
        bay->cap = bay->n + bay->n / 4 + 1;
        bay->shelves = lore_xrealloc(bay->shelves, bay->cap * sizeof *bay->shelves);
    }
    bay->shelves[bay->n++] = id;
    return id;
}

static size_t
bytes_for(uint32_t cap)
{
    return sizeof(struct lore_chunk) + cap * (4 * sizeof(uint32_t) + LORE_ULID_BYTES);
}

/* Columns for CAP rows behind one another, those that most looks read first, and the rows of OLD in
 * them, which may be NULL. */
static struct lore_chunk *
chunk_made(struct lore_evidence_index *ix, uint32_t shelf, uint32_t cap, struct lore_chunk *old)
{
    struct lore_chunk *c = lore_xalloc(bytes_for(cap));

    *c = (struct lore_chunk){.cap = cap, .shelf = shelf, .kind = (uint32_t *)(c + 1)};
    c->workload = c->kind + cap;
    c->log = (float *)(c->workload + cap);
    c->seq = (uint32_t *)(c->log + cap);
    c->id = (unsigned char(*)[LORE_ULID_BYTES])(c->seq + cap);
    ix->chunk_bytes += bytes_for(cap);
    if (old == NULL)
        return c;
    c->n = old->n;
    memcpy(c->kind, old->kind, c->n * sizeof *c->kind);
    memcpy(c->log, old->log, c->n * sizeof *c->log);
    memcpy(c->workload, old->workload, c->n * sizeof *c->workload);
    memcpy(c->seq, old->seq, c->n * sizeof *c->seq);
    memcpy(c->id, old->id, c->n * sizeof *c->id);
    ix->chunk_bytes -= bytes_for(old->cap);
    lore_xfree(old);
    return c;
}

static uint32_t
one_more_chunk(struct lore_evidence_index *ix, uint32_t shelf)
{
    struct lore_shelf *s = &ix->shelves[shelf];

    if (ix->n_chunks == ix->cap_chunks) {
        ix->cap_chunks = lore_roomier(ix->n_chunks);
        ix->chunks = lore_xrealloc(ix->chunks, ix->cap_chunks * sizeof(struct lore_chunk *));
    }
    if (s->n_chunks == s->cap_chunks) {
        s->cap_chunks = s->n_chunks + s->n_chunks / 8 + 1;
        s->chunks = lore_xrealloc(s->chunks, s->cap_chunks * sizeof *s->chunks);
    }
    ix->chunks[ix->n_chunks] = chunk_made(ix, shelf, FIRST_ROWS, NULL);
    s->chunks[s->n_chunks++] = ix->n_chunks;
    return ix->n_chunks++;
}

/* A place for one more row of SHELF. Its last chunk grows with it: many techniques were tried on an
 * operator only a few times. */
static uint32_t
make_room(struct lore_evidence_index *ix, uint32_t shelf)
{
    struct lore_shelf *s = &ix->shelves[shelf];
    uint32_t last = s->n_chunks > 0 ? s->chunks[s->n_chunks - 1] : 0, hole = s->hole;

    s->n++;
    if (hole > 0) {
        s->hole = chunk_of(ix, hole - 1)->seq[(hole - 1) % LORE_CHUNK];
        return hole - 1;
    }
    if (s->n_chunks == 0 || ix->chunks[last]->n == LORE_CHUNK)
        last = one_more_chunk(ix, shelf);
    struct lore_chunk *c = ix->chunks[last];
    if (c->n == c->cap) {
        uint32_t cap = c->cap + c->cap / 4 + FIRST_ROWS;
        c = ix->chunks[last] = chunk_made(ix, shelf, cap < LORE_CHUNK ? cap : LORE_CHUNK, c);
    }
    return last * LORE_CHUNK + c->n++;
}

/* ---- finding the rows of an experiment ---- */

static uint32_t
hash_id(const struct lore_evidence_index *ix, const unsigned char id[LORE_ULID_BYTES])
{
    uint64_t a, b;

    memcpy(&a, id, sizeof a);
    memcpy(&b, id + sizeof a, sizeof b);
    a = (a ^ ix->seed) * 0x9e3779b97f4a7c15u;
    a = ((a ^ a >> 32) + b) * 0xd6e8feb86659fd93u;
    return (uint32_t)((a ^ a >> 32) * 0x9e3779b97f4a7c15u >> 32);
}

static uint32_t
slot_of(const struct lore_evidence_index *ix, const unsigned char id[LORE_ULID_BYTES])
{
    return (uint32_t)((uint64_t)hash_id(ix, id) * ix->n_slots >> 32);
}

static void
put_slot(struct lore_evidence_index *ix, uint32_t row)
{
    uint32_t i = slot_of(ix, chunk_of(ix, row)->id[row % LORE_CHUNK]);

    while (ix->slots[i] != 0)
        i = i + 1 < ix->n_slots ? i + 1 : 0;
    ix->slots[i] = row + 1;
}

/* At most three quarters of the slots are used. */
static void
widen(struct lore_evidence_index *ix)
{
    uint32_t *old = ix->slots, n_old = ix->n_slots;

    ix->n_slots = n_old == 0 ? FIRST_SLOTS : n_old + n_old / 2;
    ix->slots = lore_xcalloc(ix->n_slots, sizeof *ix->slots);
    for (uint32_t i = 0; i < n_old; i++)
        if (old[i] != 0)
            put_slot(ix, old[i] - 1);
    lore_xfree(old);
}

/* The slot of the next row of the experiment of ID, from slot I on; the free one behind them. */
static uint32_t
next_of(const struct lore_evidence_index *ix, const unsigned char id[LORE_ULID_BYTES], uint32_t i)
{
    for (; ix->slots[i] != 0; i = i + 1 < ix->n_slots ? i + 1 : 0) {
        uint32_t row = ix->slots[i] - 1;
        if (memcmp(chunk_of(ix, row)->id[row % LORE_CHUNK], id, LORE_ULID_BYTES) == 0)
            break;
    }
    return i;
}

static uint32_t
after(const struct lore_evidence_index *ix, uint32_t slot)
{
    return slot + 1 < ix->n_slots ? slot + 1 : 0;
}

/* ---- into the sums and out of them ---- */

/* The ln speedup that is the technique's own, as far as its worst is concerned. */
static float
own_log(struct lore_row_outcome class, float log)
{
    if (class.share == LORE_SHARE_INERT)
        return 0;
    if (class.correctness == LORE_C_FAIL || class.share == LORE_SHARE_ABSENT || isnan(log))
        return INFINITY;
    return log;
}

static struct lore_cells *
experiments_on(struct lore_evidence_index *ix, uint32_t op)
{
    if (op >= ix->cap_experiments) {
        uint32_t cap = ix->operators.cap;
        ix->experiments = lore_xrealloc(ix->experiments, cap * sizeof *ix->experiments);
        memset(ix->experiments + ix->cap_experiments, 0,
            (cap - ix->cap_experiments) * sizeof *ix->experiments);
        ix->cap_experiments = cap;
    }
    return &ix->experiments[op];
}

/* The cells of a row: of its technique, and of experiments when it is its experiment's first. */
struct counted_in {
    struct lore_cell *cell, *experiment; /* NULL: not the first */
    struct lore_row_outcome outcome, class;
    float log;
};

static struct counted_in
cells_of(struct lore_evidence_index *ix, uint32_t row)
{
    const struct lore_chunk *c = chunk_of(ix, row);
    struct lore_shelf *s = &ix->shelves[c->shelf];
    uint64_t kind = ix->kinds.key[c->kind[row % LORE_CHUNK]];
    uint32_t context = lore_pair_high(kind);
    struct counted_in in = {
        .outcome = lore_outcome_of(ix->outcomes.key[lore_pair_low(kind)]),
        .log = c->log[row % LORE_CHUNK],
    };

    in.class = lore_outcome_class(in.outcome);
    uint32_t class = lore_keys_add(&ix->classes, lore_outcome_key(in.class));
    in.cell = lore_cells_find(&s->cells, context, class);
    if (in.outcome.first)
        in.experiment = lore_cells_find(experiments_on(ix, s->op), context, class);
    return in;
}

static void
enter(struct lore_evidence_index *ix, uint32_t row)
{
    struct lore_shelf *s = shelf_of(ix, row);
    struct counted_in in = cells_of(ix, row);

    lore_cell_put(in.cell, in.log, ix->clamp, 1.0 / in.outcome.siblings);
    if (in.experiment != NULL)
        lore_cell_put(in.experiment, in.log, ix->clamp, 1);
    s->least = fminf(s->least, own_log(in.class, in.log));
}

static void
leave(struct lore_evidence_index *ix, uint32_t row)
{
    struct counted_in in = cells_of(ix, row);

    lore_cell_take(in.cell, in.log, ix->clamp, 1.0 / in.outcome.siblings);
    if (in.experiment != NULL)
        lore_cell_take(in.experiment, in.log, ix->clamp, 1);
}

/* ---- adding ---- */

static uint32_t
kind_of(struct lore_evidence_index *ix, uint32_t context, struct lore_row_outcome outcome)
{
    return lore_keys_add(
        &ix->kinds, lore_pair(context, lore_keys_add(&ix->outcomes, lore_outcome_key(outcome))));
}

/* Into a place that is in no cell. */
static void
fill(struct lore_evidence_index *ix, uint32_t row, const struct lore_kept *in)
{
    struct lore_chunk *c = chunk_of(ix, row);
    uint32_t i = row % LORE_CHUNK;

    memcpy(c->id[i], in->id, sizeof c->id[i]);
    c->kind[i] = kind_of(ix, in->context, in->outcome);
    c->log[i] = in->log;
    c->workload[i] = in->workload;
    c->seq[i] = in->seq;
    enter(ix, row);
}

/* The row leaves its shelf. */
static void
vacate(struct lore_evidence_index *ix, uint32_t row)
{
    struct lore_chunk *c = chunk_of(ix, row);
    struct lore_shelf *s = &ix->shelves[c->shelf];
    uint32_t i = row % LORE_CHUNK;

    c->kind[i] = LORE_GONE;
    c->log[i] = NAN;
    c->workload[i] = LORE_NO_NAME;
    c->seq[i] = s->hole;
    s->hole = row + 1;
    s->n--;
}

static struct lore_row_outcome
outcome_of(const struct lore_evidence_index *ix, uint32_t row)
{
    uint64_t kind = ix->kinds.key[chunk_of(ix, row)->kind[row % LORE_CHUNK]];

    return lore_outcome_of(ix->outcomes.key[lore_pair_low(kind)]);
}

/* One more technique shares the credit of the experiment of ID: its rows stay in their cells. */
static void
share(struct lore_evidence_index *ix, const unsigned char id[LORE_ULID_BYTES], uint8_t siblings)
{
    for (uint32_t i = next_of(ix, id, slot_of(ix, id)); ix->slots[i] != 0;
         i = next_of(ix, id, after(ix, i))) {
        uint32_t row = ix->slots[i] - 1, *kind = &chunk_of(ix, row)->kind[row % LORE_CHUNK];
        struct counted_in in = cells_of(ix, row);
        lore_cell_take(in.cell, in.log, ix->clamp, 1.0 / in.outcome.siblings);
        lore_cell_put(in.cell, in.log, ix->clamp, 1.0 / siblings);
        in.outcome.siblings = siblings;
        *kind = kind_of(ix, lore_pair_high(ix->kinds.key[*kind]), in.outcome);
    }
}

/* What is known now of the row in SLOT. */
static void
correct(struct lore_evidence_index *ix, uint32_t slot, struct lore_kept *in)
{
    uint32_t row = ix->slots[slot] - 1, shelf = shelf_made(ix, in->technique, in->op);
    struct lore_row_outcome old = outcome_of(ix, row);

    in->outcome.siblings = old.siblings;
    in->outcome.first = old.first;
    leave(ix, row);
    if (chunk_of(ix, row)->shelf != shelf) {
        vacate(ix, row);
        row = make_room(ix, shelf);
        ix->slots[slot] = row + 1;
    }
    fill(ix, row, in);
}

void
lore_rows_add(struct lore_evidence_index *ix, struct lore_kept *in)
{
    uint32_t count = 1;

    if (4 * (uint64_t)ix->n >= 3 * (uint64_t)ix->n_slots)
        widen(ix);
    for (uint32_t i = next_of(ix, in->id, slot_of(ix, in->id)); ix->slots[i] != 0;
         i = next_of(ix, in->id, after(ix, i)), count++) {
        if (shelf_of(ix, ix->slots[i] - 1)->technique != in->technique)
            continue;
        correct(ix, i, in);
        return;
    }
    in->outcome.siblings = (uint8_t)(count < UINT8_MAX ? count : UINT8_MAX);
    in->outcome.first = count == 1;
    if (count > 1)
        share(ix, in->id, in->outcome.siblings);
    uint32_t row = make_room(ix, shelf_made(ix, in->technique, in->op));
    fill(ix, row, in);
    put_slot(ix, row);
    ix->n++;
}

/* ---- as a whole ---- */

void
lore_rows_free(struct lore_evidence_index *ix)
{
    for (uint32_t i = 0; i < ix->shelf_keys.n; i++) {
        lore_cells_free(&ix->shelves[i].cells);
        lore_xfree(ix->shelves[i].chunks);
    }
    for (uint32_t i = 0; i < ix->bay_keys.n; i++)
        lore_xfree(ix->bays[i].shelves);
    for (uint32_t i = 0; i < ix->cap_experiments; i++)
        lore_cells_free(&ix->experiments[i]);
    for (uint32_t i = 0; i < ix->n_chunks; i++)
        lore_xfree(ix->chunks[i]);
    lore_xfree(ix->shelves);
    lore_xfree(ix->bays);
    lore_xfree(ix->experiments);
    lore_xfree(ix->chunks);
    lore_xfree(ix->slots);
}

size_t
lore_rows_bytes(const struct lore_evidence_index *ix)
{
    size_t bytes = ix->cap_shelves * sizeof *ix->shelves + ix->cap_bays * sizeof *ix->bays +
                   ix->cap_experiments * sizeof *ix->experiments +
                   ix->cap_chunks * sizeof(struct lore_chunk *) + ix->chunk_bytes +
                   ix->n_slots * sizeof *ix->slots;

    for (uint32_t i = 0; i < ix->shelf_keys.n; i++)
        bytes += lore_cells_bytes(&ix->shelves[i].cells) +
                 ix->shelves[i].cap_chunks * sizeof *ix->shelves[i].chunks;
    for (uint32_t i = 0; i < ix->bay_keys.n; i++)
        bytes += ix->bays[i].cap * sizeof *ix->bays[i].shelves;
    for (uint32_t i = 0; i < ix->cap_experiments; i++)
        bytes += lore_cells_bytes(&ix->experiments[i]);
    return bytes;
}
