/* Operators and places of the memory of moves, by name. A memory has few chips and many workloads,
 * so a place is two numbers beside its facts: which chip, with all that is known of it, and which
 * workload. What is asked of all places of an operator is asked of the numbers. */
#include "service/moves/moves_places.h"

#include <string.h>

#include "service/base/fnv.h"
#include "service/base/text.h"
#include "service/moves/moves_tables.h"

/* ---- names ---- */

/* Where TEXT is in the table, or the free slot where it belongs. */
static uint32_t
name_slot(const struct moves_names *t, const char *text)
{
    uint32_t at = lore_moves_slot(lore_moves_text_key(text, LORE_FNV), t->n_slots);

    while (t->slot[at] != 0 && strcmp(t->text[t->slot[at] - 1], text) != 0)
        at = (at + 1) & (t->n_slots - 1);
    return at;
}

static uint32_t
find_name(const struct moves_names *t, const char *text)
{
    return t->n_slots > 0 ? t->slot[name_slot(t, text)] - 1 : LORE_MOVES_NONE; /* 0 wraps to NONE */
}

static uint32_t
add_name(struct lore_moves *m, struct moves_names *t, const char *text)
{
    uint32_t id = find_name(t, text);

    if (id != LORE_MOVES_NONE)
        return id;
    *LORE_PUSH(m->arena, t->text, t->n, t->cap) = lore_strdup(m->arena, text);
    if (2 * t->n > t->n_slots) {
        lore_moves_grow_slots(m, &t->slot, &t->n_slots);
        for (size_t i = 0; i + 1 < t->n; i++)
            t->slot[name_slot(t, t->text[i])] = (uint32_t)i + 1;
    }
    t->slot[name_slot(t, text)] = (uint32_t)t->n;
    return (uint32_t)t->n - 1;
}

uint32_t
lore_moves_op_find(const struct lore_moves *m, const char *name)
{
    return find_name(&m->ops, name);
}

uint32_t
lore_moves_op(struct lore_moves *m, const char *name)
{
    uint32_t id = add_name(m, &m->ops, name);

    if (id == m->n_ops)
        LORE_PUSH(m->arena, m->op, m->n_ops, m->cap_ops)->name = m->ops.text[id];
    return id;
}

/* ---- places ---- */

static const char *
text_of(const char *s)
{
    return s ? s : "";
}

/* All that is known of a chip, as one name. */
static const char *
chip_name(struct lore_arena *arena, const struct lore_moves_chip *c)
{
    return lore_format(arena, "%s\n%s\n%s\n%s", text_of(c->name), text_of(c->vendor),
        text_of(c->arch), text_of(c->isa));
}

uint32_t
lore_moves_work_find(const struct lore_moves *m, const char *workload)
{
    return find_name(&m->works, workload);
}

/* Where the place of that chip's name and that workload is in the table, or would be. */
static uint32_t
place_slot(const struct lore_moves *m, const char *chip, const char *workload)
{
    uint64_t key = lore_moves_text_key(workload, lore_moves_text_key(chip, LORE_FNV));
    uint32_t at = lore_moves_slot(key, m->n_chip_index);

    for (; m->chip_index[at] != 0; at = (at + 1) & (m->n_chip_index - 1)) {
        const struct lore_moves_chip *c = &m->chip[m->chip_index[at] - 1];
        if (lore_streq(c->name, chip) && lore_streq(text_of(c->workload), text_of(workload)))
            break;
    }
    return at;
}

uint32_t
lore_moves_place_find(const struct lore_moves *m, const char *chip, const char *workload)
{
    return m->n_chip_index > 0 ? m->chip_index[place_slot(m, chip, workload)] - 1 : LORE_MOVES_NONE;
}

/* The chip of a place by number; its texts are kept once. */
static uint32_t
add_chip(struct lore_moves *m, const struct lore_moves_chip *chip)
{
    LORE_SCRATCH scratch = {0};
    uint32_t who = add_name(m, &m->chips, chip_name(&scratch, chip));

    if (who < m->n_who)
        return who;
    struct lore_moves_chip *c = LORE_PUSH(m->arena, m->who, m->n_who, m->cap_who);
    *c = (struct lore_moves_chip){.name = lore_strdup(m->arena, chip->name),
        .vendor = lore_strdup(m->arena, chip->vendor),
        .arch = lore_strdup(m->arena, chip->arch),
        .isa = lore_strdup(m->arena, chip->isa)};
    return who;
}

uint32_t
lore_moves_chip(struct lore_moves *m, const struct lore_moves_chip *chip)
{
    uint32_t id = lore_moves_place_find(m, chip->name, chip->workload);

    if (id != LORE_MOVES_NONE)
        return id;
    if (2 * (m->n_chips + 1) > m->n_chip_index) {
        lore_moves_grow_slots(m, &m->chip_index, &m->n_chip_index);
        for (size_t i = 0; i < m->n_chips; i++)
            m->chip_index[place_slot(m, m->chip[i].name, m->chip[i].workload)] = (uint32_t)i + 1;
    }
    id = (uint32_t)m->n_chips;
    struct moves_place place = {.who = add_chip(m, chip),
        .work = add_name(m, &m->works, text_of(chip->workload)),
        .size = chip->size};
    struct lore_moves_chip *c = LORE_PUSH(m->arena, m->chip, m->n_chips, m->cap_chips);
    *c = m->who[place.who];
    c->workload = chip->workload != NULL ? m->works.text[place.work] : NULL;
    c->size = chip->size;
    *LORE_PUSH(m->arena, m->place, m->n_places, m->cap_places) = place;
    m->chip_index[place_slot(m, c->name, c->workload)] = id + 1;
    return id;
}

struct lore_moves *
lore_moves_with_place(
    const struct lore_moves *m, const struct lore_moves_chip *place, struct lore_arena *arena)
{
    struct lore_moves *guest = lore_memdup(arena, m, sizeof *m);

    guest->guest = lore_memdup(arena, place, sizeof *place);
    return guest;
}
