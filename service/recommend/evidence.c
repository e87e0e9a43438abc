/* The rows of evidence.h in one array, so that a question is one pass over contiguous memory. Names
 * are interned together; experiments have their own table, whose ids head the chains of rows that a
 * mask or a new verdict must reach. Rows are never removed: a mask is a flag. */
#include "evidence.h"

#include <math.h>
#include <string.h>

#include "intern.h"
#include "text.h"
#include "wire.h"
#include "xalloc.h"

#define NO_ROW UINT32_MAX

struct lore_evidence_index {
    struct lore_intern names, experiments;
    struct lore_evidence_row *rows;
    uint32_t *next; /* per row: the next row of the same experiment */
    size_t n, cap;
    uint32_t *heads; /* per experiment id: its first row */
    size_t cap_heads;
    uint8_t *nameless; /* per name id; meaningful for techniques */
    size_t cap_nameless;
    struct lore_shapes *shapes;
};

struct lore_evidence_index *
lore_evidence_new(void)
{
    struct lore_evidence_index *ix = lore_xalloc(sizeof *ix);

    ix->shapes = lore_shapes_new();
    return ix;
}

void
lore_evidence_free(struct lore_evidence_index *ix)
{
    if (ix == NULL)
        return;
    lore_intern_free(&ix->names);
    lore_intern_free(&ix->experiments);
    lore_xfree(ix->rows);
    lore_xfree(ix->next);
    lore_xfree(ix->heads);
    lore_xfree(ix->nameless);
    lore_shapes_free(ix->shapes);
    lore_xfree(ix);
}

static float
log_of(double speedup)
{
    return speedup > 0 && isfinite(speedup) ? (float)log(speedup) : NAN;
}

static uint16_t
chip_index(const char *name)
{
    size_t n;
    const struct lore_chip *chips = lore_chips(&n),
                           *chip = name != NULL ? lore_chip_find(name) : NULL;

    return chip != NULL ? (uint16_t)(chip - chips) : UINT16_MAX;
}

static uint32_t
technique_id(struct lore_evidence_index *ix, const char *slug)
{
    uint32_t id = lore_intern(&ix->names, slug);

    if (id == LORE_NO_NAME)
        return id;
    if (id >= ix->cap_nameless) {
        size_t cap = ix->names.cap;
        ix->nameless = lore_xrealloc(ix->nameless, cap);
        memset(ix->nameless + ix->cap_nameless, 0, cap - ix->cap_nameless);
        ix->cap_nameless = cap;
    }
    ix->nameless[id] =
        *slug == '\0' || lore_streq(slug, "baseline") || lore_technique_is_placeholder(slug);
    return id;
}

static void
fill(struct lore_evidence_index *ix, const struct lore_evidence_in *in,
    struct lore_evidence_row *row)
{
    size_t len = strlen(in->experiment);
    uint8_t siblings = row->siblings, first = row->first;

    *row = (struct lore_evidence_row){
        .effect = (uint8_t)in->effect,
        .correctness = (uint8_t)in->correctness,
        .evidence = (uint8_t)in->evidence,
        .language =
            (uint8_t)(in->language != NULL ? lore_language_find(in->language) : LORE_LANG_NONE),
        .process_broken = in->process_broken,
        .masked = in->masked,
        .chip = chip_index(in->chip),
        .op = lore_intern(&ix->names, in->op),
        .family = lore_intern(&ix->names, in->family),
        .technique = technique_id(ix, in->technique),
        .workload = lore_intern(&ix->names, in->workload),
        .labels = in->labels,
        .labels_derived = in->labels_derived,
        .log_speedup = log_of(in->speedup),
        .siblings = siblings,
        .first = first,
        .said_lost = in->said_lost,
        .share = (uint8_t)in->share,
        .seq = in->seq,
    };
    memcpy(row->experiment, in->experiment,
        len < sizeof row->experiment ? len : sizeof row->experiment - 1);
}

/* The head slot of an experiment, made when it is new. */
static uint32_t *
head_of(struct lore_evidence_index *ix, const char *experiment)
{
    uint32_t id = lore_intern(&ix->experiments, experiment);

    if (id >= ix->cap_heads) {
        size_t cap = ix->experiments.cap;
        ix->heads = lore_xrealloc(ix->heads, cap * sizeof *ix->heads);
        for (size_t i = ix->cap_heads; i < cap; i++)
            ix->heads[i] = NO_ROW;
        ix->cap_heads = cap;
    }
    return &ix->heads[id];
}

static void
grow(struct lore_evidence_index *ix)
{
    if (ix->n < ix->cap)
        return;
    ix->cap = ix->cap == 0 ? 256 : ix->cap * 2;
    ix->rows = lore_xrealloc(ix->rows, ix->cap * sizeof *ix->rows);
    ix->next = lore_xrealloc(ix->next, ix->cap * sizeof *ix->next);
}

void
lore_evidence_add(struct lore_evidence_index *ix, const struct lore_evidence_in *in)
{
    uint32_t *head = head_of(ix, in->experiment), technique = technique_id(ix, in->technique);
    uint32_t last = NO_ROW, count = 1;

    for (uint32_t i = *head; i != NO_ROW; i = ix->next[i], count++) {
        if (ix->rows[i].technique == technique) {
            fill(ix, in, &ix->rows[i]);
            return;
        }
        last = i;
    }
    grow(ix);
    uint32_t row = (uint32_t)ix->n++;
    ix->rows[row] = (struct lore_evidence_row){.first = last == NO_ROW};
    ix->next[row] = NO_ROW;
    fill(ix, in, &ix->rows[row]);
    if (last == NO_ROW)
        *head = row;
    else
        ix->next[last] = row;
    for (uint32_t i = *head; i != NO_ROW; i = ix->next[i])
        ix->rows[i].siblings = (uint8_t)(count < UINT8_MAX ? count : UINT8_MAX);
}

void
lore_evidence_workload(struct lore_evidence_index *ix, const char *op, const char *workload,
    const struct lore_shape *shape)
{
    uint32_t op_id = lore_intern(&ix->names, op);

    lore_shapes_add(ix->shapes, op_id, lore_intern(&ix->names, workload), shape);
}

const struct lore_shapes *
lore_evidence_shapes(const struct lore_evidence_index *ix)
{
    return ix->shapes;
}

const struct lore_evidence_row *
lore_evidence_rows(const struct lore_evidence_index *ix, size_t *n)
{
    *n = ix->n;
    return ix->rows;
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

bool
lore_evidence_nameless(const struct lore_evidence_index *ix, uint32_t technique)
{
    return technique >= ix->cap_nameless || ix->nameless[technique] != 0;
}

size_t
lore_evidence_bytes(const struct lore_evidence_index *ix)
{
    return sizeof *ix + ix->names.bytes + ix->experiments.bytes + ix->cap_nameless +
           ix->cap * (sizeof *ix->rows + sizeof *ix->next) + ix->cap_heads * sizeof *ix->heads +
           lore_shapes_bytes(ix->shapes);
}
