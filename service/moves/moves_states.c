/* What is in the memory of moves: operators' parameters and states (configurations), found by hash.
 * Operators and places by name: moves_places.c.
 *
 * A parameter's values have indices; a state is one index per parameter, kept by column, so that
 * the distance of one state to all others is a walk over columns. A number's coordinate is on a log
 * scale: a doubling is one step whatever its size. Texts only are the same or not. What a state
 * that lacks a parameter behaves like: moves_absent.c. */
#include "service/moves/moves_states.h"

#include <math.h>
#include <string.h>

#include "service/moves/moves_places.h"
#include "service/moves/moves_tables.h"

static size_t
find_param(struct lore_moves *m, struct moves_op *op, const char *name)
{
    size_t i = 0;

    while (i < op->n_params && strcmp(op->param[i].name, name) != 0)
        i++;
    if (i == op->n_params && i < LORE_MOVES_PARAMS) {
        struct moves_param *p = &op->param[op->n_params++];
        *p = (struct moves_param){
            .name = lore_strdup(m->arena, name), .n_values = 1, .n_absent = op->n_states};
        size_t cap = 0;
        p->coord = lore_moves_grow(m, NULL, &cap, sizeof *p->coord);
        p->key = lore_moves_grow(m, NULL, &p->cap_values, sizeof *p->key);
    }
    return i;
}

static void
index_values(struct lore_moves *m, struct moves_param *p)
{
    if (2 * (p->n_values + 1) <= p->n_index)
        return;
    lore_moves_grow_slots(m, &p->index, &p->n_index);
    for (size_t i = 1; i < p->n_values; i++) {
        uint32_t at = lore_moves_slot(p->key[i], p->n_index);
        while (p->index[at] != 0)
            at = (at + 1) & (p->n_index - 1);
        p->index[at] = (uint32_t)i;
    }
}

/* The index of a value of P. */
static uint32_t
find_value(struct lore_moves *m, struct moves_param *p, const struct lore_moves_setting *s)
{
    float coord = s->text ? 0 : (float)copysign(log2(1 + fabs(s->number)), s->number) + 0.0f;
    uint32_t bits, at;

    memcpy(&bits, &coord, sizeof bits);
    uint64_t key =
        s->text ? lore_moves_text_key(s->text, 0x9e3779b97f4a7c15u) | (uint64_t)1 << 63 : bits;
    p->symbolic |= s->text != NULL;
    index_values(m, p);
    for (at = lore_moves_slot(key, p->n_index); p->index[at] != 0; at = (at + 1) & (p->n_index - 1))
        if (p->key[p->index[at]] == key)
            return p->index[at];
    if (p->n_values == p->cap_values) {
        size_t cap = p->cap_values;
        p->key = lore_moves_grow(m, p->key, &cap, sizeof *p->key);
        cap = p->cap_values;
        p->coord = lore_moves_grow(m, p->coord, &cap, sizeof *p->coord);
        p->cap_values = cap;
    }
    p->key[p->n_values] = key;
    p->coord[p->n_values] = coord;
    p->index[at] = (uint32_t)p->n_values;
    return (uint32_t)p->n_values++;
}

/* What one parameter adds to a state's hash; nothing where it is absent, so that a parameter that
 * comes later leaves earlier states where they are. */
static uint32_t
hash_part(size_t param, uint32_t value)
{
    return value == 0 ? 0 : (uint32_t)lore_moves_mixed(((uint64_t)param << 32 | value) + 0x1234567);
}

static uint32_t
find_state(const struct lore_moves *m, uint32_t op, uint32_t hash, const uint32_t *value)
{
    const struct moves_op *o = &m->op[op];

    if (m->n_buckets == 0)
        return LORE_MOVES_NONE;
    uint32_t i = m->buckets[lore_moves_mixed(hash ^ (uint64_t)op << 32) & (m->n_buckets - 1)];
    for (; i != 0; i = m->state[i - 1].hash_next) {
        const struct moves_state *s = &m->state[i - 1];
        size_t p = 0;
        if (s->op != op || s->hash != hash)
            continue;
        while (p < o->n_params && lore_moves_value(o, p, s->at) == value[p])
            p++;
        if (p == o->n_params)
            return i - 1;
    }
    return LORE_MOVES_NONE;
}

static void
link_state(struct lore_moves *m, uint32_t id)
{
    struct moves_state *s = &m->state[id];
    uint32_t *head =
        &m->buckets[lore_moves_mixed(s->hash ^ (uint64_t)s->op << 32) & (m->n_buckets - 1)];

    s->hash_next = *head;
    *head = id + 1;
}

static void
add_state(struct lore_moves *m, uint32_t op, uint32_t hash, const uint32_t *value)
{
    struct moves_op *o = &m->op[op];
    uint32_t id = (uint32_t)m->n_states;

    if (m->n_states >= m->n_buckets) {
        lore_moves_grow_slots(m, &m->buckets, &m->n_buckets);
        for (uint32_t i = 0; i < id; i++)
            link_state(m, i);
    }
    if (m->n_states == m->cap_states)
        m->state = lore_moves_grow(m, m->state, &m->cap_states, sizeof *m->state);
    m->state[m->n_states++] =
        (struct moves_state){.op = op, .at = (uint32_t)o->n_states, .hash = hash};
    link_state(m, id);
    if (o->n_states == o->cap_states)
        o->states = lore_moves_grow(m, o->states, &o->cap_states, sizeof *o->states);
    for (size_t p = 0; p < o->n_params; p++) {
        struct moves_param *x = &o->param[p];
        while (value[p] != 0 && x->n_value <= o->n_states)
            x->value = lore_moves_grow(m, x->value, &x->n_value, sizeof *x->value);
        if (x->n_value > o->n_states)
            x->value[o->n_states] = value[p];
        x->n_absent += value[p] == 0;
    }
    o->states[o->n_states++] = id;
}

uint32_t
lore_moves_state(
    struct lore_moves *m, const char *op, const struct lore_moves_setting *settings, size_t n)
{
    uint32_t o = lore_moves_op(m, op), value[LORE_MOVES_PARAMS] = {0}, hash = 0;

    for (size_t i = 0; i < n; i++) {
        size_t p = find_param(m, &m->op[o], settings[i].param);
        if (p < LORE_MOVES_PARAMS)
            value[p] = find_value(m, &m->op[o].param[p], &settings[i]);
    }
    for (size_t p = 0; p < m->op[o].n_params; p++)
        hash ^= hash_part(p, value[p]);
    uint32_t id = find_state(m, o, hash, value);
    if (id != LORE_MOVES_NONE)
        return id;
    add_state(m, o, hash, value);
    return (uint32_t)m->n_states - 1;
}

uint32_t
lore_moves_state_changed(
    const struct lore_moves *m, uint32_t id, const struct moves_change *change, size_t n)
{
    const struct moves_state *s = &m->state[id];
    const struct moves_op *op = &m->op[s->op];
    uint32_t v[LORE_MOVES_PARAMS], hash = s->hash;

    for (size_t p = 0; p < op->n_params; p++)
        v[p] = lore_moves_value(op, p, s->at);
    for (size_t i = 0; i < n; i++) {
        size_t p = change[i].param;
        hash ^= hash_part(p, v[p]) ^ hash_part(p, change[i].value);
        v[p] = change[i].value;
    }
    return find_state(m, s->op, hash, v);
}

uint32_t
lore_moves_state_with(const struct lore_moves *m, uint32_t id, size_t param, uint32_t value)
{
    return lore_moves_state_changed(m, id, &(struct moves_change){param, value}, 1);
}

/* First all missing ones filled in, then all taken away, then one by one. */
uint32_t
lore_moves_like(const struct lore_moves *m, uint32_t id, size_t k)
{
    const struct moves_op *op = &m->op[m->state[id].op];
    struct moves_change change[LORE_MOVES_PARAMS];
    uint32_t asked = k < 2 ? op->stands : op->stands & (uint32_t)1 << (k - 2);
    size_t n = 0;

    for (; asked != 0; asked &= asked - 1) {
        size_t p = (size_t)__builtin_ctz(asked);
        uint32_t v = lore_moves_value(op, p, m->state[id].at), stands = op->param[p].stands;
        if (v == 0 ? k != 1 : v == stands && k != 0)
            change[n++] = (struct moves_change){p, v == 0 ? stands : 0};
    }
    return n > 0 ? lore_moves_state_changed(m, id, change, n) : LORE_MOVES_NONE;
}

uint32_t
lore_moves_differ(const struct lore_moves *m, uint32_t a, uint32_t b)
{
    const struct moves_state *x = &m->state[a], *y = &m->state[b];
    const struct moves_op *op = &m->op[x->op];
    uint32_t param = LORE_MOVES_NONE;

    if (x->op != y->op)
        return LORE_MOVES_NONE;
    for (uint32_t i = 0; i < op->n_params; i++) {
        if (lore_moves_value(op, i, x->at) == lore_moves_value(op, i, y->at))
            continue;
        if (param != LORE_MOVES_NONE)
            return LORE_MOVES_NONE;
        param = i;
    }
    return param;
}
