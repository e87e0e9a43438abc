/* The index of evidence.h: rows by technique in chunks of columns (evidence_inner.h), and a table
 * of row numbers that finds the rows of an experiment. Rows are never removed and never move. */
#include "evidence.h"

#include <math.h>
#include <string.h>

#include "evidence_inner.h"
#include "model.h"
#include "text.h"
#include "wire.h"
#include "xalloc.h"

enum { FIRST_SLOTS = 64, NO_ULID = 0xff };

struct lore_evidence_index *
lore_evidence_new(void)
{
    struct lore_evidence_index *ix = lore_xalloc(sizeof *ix);

    ix->seed = (uint64_t)(uintptr_t)ix * 0x9e3779b97f4a7c15u;
    ix->clamp = (float)lore_model(LORE_M_GAIN_CLAMP);
    ix->shapes = lore_shapes_new();
    return ix;
}

void
lore_evidence_free(struct lore_evidence_index *ix)
{
    if (ix == NULL)
        return;
    for (uint32_t i = 0; i < ix->shelf_keys.n; i++) {
        lore_xfree(ix->shelves[i].chunks);
        lore_xfree(ix->shelves[i].facts);
        lore_xfree(ix->shelves[i].cells);
        lore_xfree(ix->shelves[i].slots);
    }
    for (uint32_t i = 0; i < ix->n_chunks; i++)
        lore_xfree(ix->chunks[i]);
    lore_intern_free(&ix->names);
    lore_intern_free(&ix->spellings);
    lore_keys_free(&ix->contexts);
    lore_keys_free(&ix->operators);
    lore_keys_free(&ix->outcomes);
    lore_keys_free(&ix->places);
    lore_keys_free(&ix->shelf_keys);
    lore_xfree(ix->spelled);
    lore_xfree(ix->shelves);
    lore_xfree(ix->chunks);
    lore_xfree(ix->slots);
    lore_xfree(ix->nameless);
    lore_shapes_free(ix->shapes);
    lore_xfree(ix);
}

/* ---- names ---- */

static float
log_of(double speedup)
{
    return speedup > 0 && isfinite(speedup) ? (float)log(speedup) : NAN;
}

static uint32_t
chip_index(const char *name)
{
    size_t n;
    const struct lore_chip *chips = lore_chips(&n), *chip = lore_chip_find(name);

    return chip != NULL ? (uint32_t)(chip - chips) : UINT16_MAX;
}

/* What the name of a chip ('c') or a language ('l') stands for: looked up in the catalogue once,
 * remembered under the kind and the name. */
static uint32_t
spelled(struct lore_evidence_index *ix, char kind, const char *name)
{
    char key[64];
    size_t len = name != NULL ? strlen(name) : 0;

    if (name == NULL)
        return kind == 'c' ? UINT16_MAX : LORE_LANG_NONE;
    if (len + 2 > sizeof key)
        return kind == 'c' ? chip_index(name) : (uint32_t)lore_language_find(name);
    key[0] = kind;
    memcpy(key + 1, name, len + 1);
    uint32_t known = ix->spellings.n, cap = ix->spellings.cap,
             id = lore_intern(&ix->spellings, key);
    if (id < known)
        return ix->spelled[id];
    if (ix->spellings.cap != cap)
        ix->spelled = lore_xrealloc(ix->spelled, ix->spellings.cap * sizeof *ix->spelled);
    return ix->spelled[id] = kind == 'c' ? chip_index(name) : (uint32_t)lore_language_find(name);
}

static uint32_t
technique_id(struct lore_evidence_index *ix, const char *slug)
{
    uint32_t id = lore_intern(&ix->names, slug);

    if (id == LORE_NO_NAME || (id < ix->cap_nameless && ix->nameless[id] != 0))
        return id;
    if (id >= ix->cap_nameless) {
        size_t cap = ix->names.cap;
        ix->nameless = lore_xrealloc(ix->nameless, cap);
        memset(ix->nameless + ix->cap_nameless, 0, cap - ix->cap_nameless);
        ix->cap_nameless = cap;
    }
    bool nothing =
        *slug == '\0' || lore_streq(slug, "baseline") || lore_technique_is_placeholder(slug);
    ix->nameless[id] = nothing ? 2 : 1; /* 0: not looked at */
    return id;
}

bool
lore_evidence_nameless(const struct lore_evidence_index *ix, uint32_t technique)
{
    return technique >= ix->cap_nameless || ix->nameless[technique] == 2;
}

/* The 16 bytes of an id; what is no ULID is a name behind bytes that no ULID of this age has. */
static void
pack(struct lore_evidence_index *ix, const char *id, unsigned char out[LORE_ULID_BYTES])
{
    if (lore_ulid_pack(id, out))
        return;
    uint32_t name = lore_intern(&ix->names, id);
    memset(out, NO_ULID, LORE_ULID_BYTES);
    memcpy(out + LORE_ULID_BYTES - sizeof name, &name, sizeof name);
}

static void
unpack(const struct lore_evidence_index *ix, const unsigned char in[LORE_ULID_BYTES], char out[27])
{
    static const unsigned char none[6] = {NO_ULID, NO_ULID, NO_ULID, NO_ULID, NO_ULID, NO_ULID};
    uint32_t name;

    if (memcmp(in, none, sizeof none) != 0) {
        lore_ulid_unpack(in, out);
        return;
    }
    memcpy(&name, in + LORE_ULID_BYTES - sizeof name, sizeof name);
    const char *text = lore_intern_text(&ix->names, name);
    size_t len = text != NULL ? strlen(text) : 0;
    len = len < LORE_ULID_SIZE ? len : LORE_ULID_SIZE - 1;
    memcpy(out, text, len);
    out[len] = '\0';
}

/* ---- rows ---- */

static struct lore_chunk *
chunk_of(const struct lore_evidence_index *ix, uint32_t row)
{
    return ix->chunks[row / LORE_CHUNK];
}

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

static uint32_t
shelf_of(struct lore_evidence_index *ix, uint32_t technique)
{
    uint32_t known = ix->shelf_keys.n, id = lore_keys_add(&ix->shelf_keys, technique);

    if (id < known)
        return id;
    if (ix->cap_shelves < ix->shelf_keys.cap) {
        ix->cap_shelves = ix->shelf_keys.cap;
        ix->shelves = lore_xrealloc(ix->shelves, ix->cap_shelves * sizeof *ix->shelves);
    }
    ix->shelves[id] = (struct lore_shelf){.technique = technique};
    return id;
}

/* Columns for CAP rows behind one another; those that every question reads come first. */
static struct lore_chunk *
new_chunk(struct lore_evidence_index *ix, uint32_t shelf, uint32_t cap)
{
    size_t bytes = sizeof(struct lore_chunk) + cap * (2 * sizeof(uint32_t) + LORE_ULID_BYTES);
    struct lore_chunk *c = lore_xalloc(bytes);

    ix->chunk_bytes += bytes;
    c->cap = cap;
    c->shelf = shelf;
    c->first = ix->shelves[shelf].n;
    c->workload = (uint32_t *)(c + 1);
    c->seq = c->workload + cap;
    c->id = (unsigned char(*)[LORE_ULID_BYTES])(c->seq + cap);
    return c;
}

/* Room for one more row of SHELF. */
static uint32_t
make_room(struct lore_evidence_index *ix, uint32_t shelf)
{
    struct lore_shelf *s = &ix->shelves[shelf];
    struct lore_chunk *last = s->n_chunks > 0 ? ix->chunks[s->chunks[s->n_chunks - 1]] : NULL;

    if (last == NULL || last->n == last->cap) {
        if (ix->n_chunks == ix->cap_chunks) {
            ix->cap_chunks = lore_roomier(ix->n_chunks);
            ix->chunks = lore_xrealloc(ix->chunks, ix->cap_chunks * sizeof(struct lore_chunk *));
        }
        if (s->n_chunks == s->cap_chunks) {
            s->cap_chunks = s->n_chunks + s->n_chunks / 8 + 1;
            s->chunks = lore_xrealloc(s->chunks, s->cap_chunks * sizeof *s->chunks);
        }
        last = new_chunk(ix, shelf, lore_chunk_room(s->n_chunks));
        s->chunks[s->n_chunks++] = ix->n_chunks;
        ix->chunks[ix->n_chunks++] = last;
    }
    if (s->n == s->cap) {
        s->cap = s->n + s->n / 8 + 4;
        s->facts = lore_xrealloc(s->facts, s->cap * sizeof *s->facts);
    }
    s->n++;
    ix->n++;
    return s->chunks[s->n_chunks - 1] * LORE_CHUNK + last->n++;
}

/* ---- adding ---- */

/* An incoming fact, its names resolved. */
struct fact {
    unsigned char id[LORE_ULID_BYTES];
    struct lore_row_outcome outcome; /* siblings and first are the index's to know */
    uint32_t technique, op, context, workload, seq;
    float log_speedup;
    bool labels_derived;
};

static void
resolve(struct lore_evidence_index *ix, const struct lore_evidence_in *in, struct fact *f)
{
    uint32_t op = lore_intern(&ix->names, in->op);

    pack(ix, in->experiment, f->id);
    f->op = lore_keys_add(&ix->operators, (uint64_t)op << 32 | lore_intern(&ix->names, in->family));
    f->technique = technique_id(ix, in->technique);
    f->workload = lore_intern(&ix->names, in->workload);
    f->seq = in->seq < 0 ? 0 : in->seq > UINT32_MAX ? UINT32_MAX : (uint32_t)in->seq;
    f->log_speedup = log_of(in->speedup);
    f->labels_derived = in->labels_derived;
    f->context =
        lore_context_find(ix, (struct lore_context){.chip = (uint16_t)spelled(ix, 'c', in->chip),
                                  .language = (uint8_t)spelled(ix, 'l', in->language),
                                  .evidence = (uint8_t)in->evidence,
                                  .process_broken = in->process_broken,
                                  .labels = in->labels});
    f->outcome = (struct lore_row_outcome){.effect = (uint8_t)in->effect,
        .correctness = (uint8_t)in->correctness,
        .share = (uint8_t)in->share,
        .said_lost = in->said_lost,
        .masked = in->masked,
        .measured = !isnan(f->log_speedup),
        .step = in->step};
}

static uint32_t
place_of(struct lore_evidence_index *ix, uint32_t op, struct lore_row_outcome outcome)
{
    return lore_keys_add(&ix->places, (uint64_t)op << 32 | lore_outcome_find(ix, outcome));
}

/* A row that is in no cell, or no longer, enters the cell of what it is now. */
static void
enter(struct lore_evidence_index *ix, uint32_t row, uint32_t context, uint32_t place)
{
    struct lore_shelf *s = &ix->shelves[chunk_of(ix, row)->shelf];
    struct lore_fact *fact = lore_fact_of(ix, row);

    fact->cell = lore_cell_find(s, context, place);
    lore_cell_put(&s->cells[fact->cell], fact->log, ix->clamp);
}

static void
leave(struct lore_evidence_index *ix, uint32_t row)
{
    lore_cell_take(lore_cell_of(ix, row), lore_fact_of(ix, row)->log, ix->clamp);
}

/* Of a row that is in no cell. */
static void
fill(struct lore_evidence_index *ix, uint32_t row, const struct fact *f)
{
    struct lore_chunk *c = chunk_of(ix, row);
    uint32_t i = row % LORE_CHUNK;
    uint64_t bit = (uint64_t)1 << i % 64, *derived = &c->derived[i / 64];

    memcpy(c->id[i], f->id, sizeof c->id[i]);
    lore_fact_of(ix, row)->log = f->log_speedup;
    enter(ix, row, f->context, place_of(ix, f->op, f->outcome));
    c->workload[i] = f->workload;
    c->seq[i] = f->seq;
    *derived = f->labels_derived ? *derived | bit : *derived & ~bit;
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

/* One more technique shares the credit of the experiment of ID. */
static void
share(struct lore_evidence_index *ix, const unsigned char id[LORE_ULID_BYTES], uint8_t siblings)
{
    for (uint32_t i = next_of(ix, id, slot_of(ix, id)); ix->slots[i] != 0;
         i = next_of(ix, id, after(ix, i))) {
        uint32_t row = ix->slots[i] - 1;
        struct lore_cell was = *lore_cell_of(ix, row);
        struct lore_row_outcome outcome = lore_outcome_at(ix, lore_place_outcome(ix, was.place));
        outcome.siblings = siblings;
        leave(ix, row);
        enter(ix, row, was.context, place_of(ix, lore_place_operator(ix, was.place), outcome));
    }
}

void
lore_evidence_add(struct lore_evidence_index *ix, const struct lore_evidence_in *in)
{
    struct fact f;
    uint32_t count = 1;

    resolve(ix, in, &f);
    if (4 * (uint64_t)ix->n >= 3 * (uint64_t)ix->n_slots)
        widen(ix);
    for (uint32_t i = next_of(ix, f.id, slot_of(ix, f.id)); ix->slots[i] != 0;
         i = next_of(ix, f.id, after(ix, i)), count++) {
        uint32_t row = ix->slots[i] - 1;
        const struct lore_chunk *c = chunk_of(ix, row);
        if (ix->shelves[c->shelf].technique != f.technique)
            continue;
        struct lore_row_outcome old =
            lore_outcome_at(ix, lore_place_outcome(ix, lore_cell_of(ix, row)->place));
        f.outcome.siblings = old.siblings;
        f.outcome.first = old.first;
        leave(ix, row);
        fill(ix, row, &f);
        return;
    }
    f.outcome.siblings = (uint8_t)(count < UINT8_MAX ? count : UINT8_MAX);
    f.outcome.first = count == 1;
    if (count > 1)
        share(ix, f.id, f.outcome.siblings);
    uint32_t row = make_room(ix, shelf_of(ix, f.technique));
    fill(ix, row, &f);
    put_slot(ix, row);
}

void
lore_evidence_workload(struct lore_evidence_index *ix, const char *op, const char *workload,
    const struct lore_shape *shape)
{
    uint32_t op_id = lore_intern(&ix->names, op);

    lore_shapes_add(ix->shapes, op_id, lore_intern(&ix->names, workload), shape);
}

/* ---- reading ---- */

const struct lore_shapes *
lore_evidence_shapes(const struct lore_evidence_index *ix)
{
    return ix->shapes;
}

size_t
lore_evidence_count(const struct lore_evidence_index *ix)
{
    return ix->n;
}

struct lore_evidence_row
lore_evidence_row(const struct lore_evidence_index *ix, uint32_t row)
{
    const struct lore_chunk *at = chunk_of(ix, row);
    const struct lore_cell *cell = lore_cell_of(ix, row);
    uint32_t i = row % LORE_CHUNK, op = lore_place_operator(ix, cell->place);
    struct lore_row_outcome o = lore_outcome_at(ix, lore_place_outcome(ix, cell->place));
    struct lore_context c = lore_context_of(ix, cell->context);
    struct lore_evidence_row out = {
        .effect = o.effect,
        .correctness = o.correctness,
        .evidence = c.evidence,
        .language = c.language,
        .process_broken = c.process_broken,
        .masked = o.masked,
        .labels_derived = at->derived[i / 64] >> i % 64 & 1,
        .chip = c.chip,
        .op = lore_operator_op(ix, op),
        .family = lore_operator_family(ix, op),
        .technique = ix->shelves[at->shelf].technique,
        .workload = at->workload[i],
        .labels = c.labels,
        .log_speedup = lore_fact_of(ix, row)->log,
        .siblings = o.siblings,
        .first = o.first,
        .said_lost = o.said_lost,
        .share = o.share,
        .seq = at->seq[i],
    };

    unpack(ix, at->id[i], out.experiment);
    return out;
}

struct lore_evidence_row
lore_evidence_at(const struct lore_evidence_index *ix, size_t at)
{
    for (uint32_t s = 0; s < ix->shelf_keys.n; s++) {
        const struct lore_shelf *shelf = &ix->shelves[s];
        if (at >= shelf->n) {
            at -= shelf->n;
            continue;
        }
        for (uint32_t k = 0;; k++) {
            uint32_t n = ix->chunks[shelf->chunks[k]]->n;
            if (at < n)
                return lore_evidence_row(ix, shelf->chunks[k] * LORE_CHUNK + (uint32_t)at);
            at -= n;
        }
    }
    return (struct lore_evidence_row){.experiment = ""};
}

const char *
lore_evidence_text(const struct lore_evidence_index *ix, uint32_t id)
{
    return lore_intern_text(&ix->names, id);
}

uint32_t
lore_evidence_find(const struct lore_evidence_index *ix, const char *name)
{
    return lore_intern_find(&ix->names, name);
}

uint32_t
lore_evidence_names(const struct lore_evidence_index *ix)
{
    return ix->names.n;
}

size_t
lore_evidence_bytes(const struct lore_evidence_index *ix)
{
    size_t bytes = sizeof *ix + ix->names.bytes + ix->spellings.bytes +
                   ix->spellings.cap * sizeof *ix->spelled + lore_keys_bytes(&ix->contexts) +
                   lore_keys_bytes(&ix->operators) + lore_keys_bytes(&ix->outcomes) +
                   lore_keys_bytes(&ix->places) + lore_keys_bytes(&ix->shelf_keys) +
                   ix->cap_shelves * sizeof *ix->shelves +
                   ix->cap_chunks * sizeof(struct lore_chunk *) + ix->chunk_bytes +
                   ix->n_slots * sizeof *ix->slots + ix->cap_nameless +
                   lore_shapes_bytes(ix->shapes);

    for (uint32_t i = 0; i < ix->shelf_keys.n; i++)
        bytes += ix->shelves[i].cap_chunks * sizeof *ix->shelves[i].chunks +
                 ix->shelves[i].cap * sizeof *ix->shelves[i].facts +
                 ix->shelves[i].cap_cells * sizeof *ix->shelves[i].cells +
                 ix->shelves[i].n_slots * sizeof *ix->shelves[i].slots;
    return bytes;
}
