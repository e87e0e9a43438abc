/* What is in the memory of moves: chips, operators with their parameters, states (configurations)
 * found by hash, times, and measured moves, grouped by operator, chip and parameter into lanes.
 *
 * A parameter's value becomes one coordinate: numbers on a log scale, so that a doubling is one
 * step whatever its size, texts by a number of their own. A state that lacks a parameter behaves
 * like one of its values; which one is seen where another chip's states have it. */
#include "moves_mix.h"

#include <math.h>
#include <string.h>

#include "hash.h"
#include "text.h"

struct lore_moves *
lore_moves_new(struct lore_arena *arena)
{
    struct lore_moves *m = lore_alloc(arena, sizeof *m);

    m->arena = arena;
    lore_moves_numbers_default(&m->num);
    return m;
}

uint32_t
lore_moves_chip(struct lore_moves *m, const struct lore_moves_chip *chip)
{
    for (size_t i = 0; i < m->n_chips; i++)
        if (lore_streq(m->chip[i].name, chip->name) &&
            lore_streq(m->chip[i].workload ? m->chip[i].workload : "",
                chip->workload ? chip->workload : ""))
            return (uint32_t)i;
    if (m->n_chips == MOVES_CHIPS)
        return LORE_MOVES_NONE;
    m->chip[m->n_chips] = (struct lore_moves_chip){
        .name = lore_strdup(m->arena, chip->name),
        .vendor = lore_strdup(m->arena, chip->vendor),
        .arch = lore_strdup(m->arena, chip->arch),
        .isa = lore_strdup(m->arena, chip->isa),
        .units = chip->units,
        .bandwidth_gbs = chip->bandwidth_gbs,
        .workload = lore_strdup(m->arena, chip->workload),
        .size = chip->size,
    };
    return (uint32_t)m->n_chips++;
}

uint32_t
lore_moves_op_find(const struct lore_moves *m, const char *name)
{
    for (size_t i = 0; i < m->n_ops; i++)
        if (lore_streq(m->op[i].name, name))
            return (uint32_t)i;
    return LORE_MOVES_NONE;
}

static size_t
find_param(struct lore_moves *m, struct moves_op *op, const char *name)
{
    size_t i = 0;

    while (i < op->n_params && strcmp(op->param[i].name, name) != 0)
        i++;
    if (i == op->n_params && i < LORE_MOVES_PARAMS) {
        op->param[op->n_params++] =
            (struct moves_param){.name = lore_strdup(m->arena, name), .absent_as = NAN};
    }
    return i;
}

/* A text's coordinate only has to differ from another's. */
static float
text_coord(const char *text)
{
    uint32_t h = 2166136261u;

    for (; *text != '\0'; text++)
        h = (h ^ (unsigned char)*text) * 16777619u;
    return (float)(h >> 8);
}

static float
number_coord(double v)
{
    return (float)copysign(log2(1 + fabs(v)), v);
}

static uint32_t
hash_coords(uint32_t op, const float *coord)
{
    uint64_t h = 0x9e3779b97f4a7c15u ^ op;

    for (size_t i = 0; i < LORE_MOVES_PARAMS; i++) {
        float v = isnan(coord[i]) ? -1e30f : coord[i] + 0.0f;
        uint32_t bits;
        memcpy(&bits, &v, sizeof bits);
        h = (h ^ bits) * 0xff51afd7ed558ccdu;
        h ^= h >> 32;
    }
    return (uint32_t)h;
}

static bool
same_coords(const float *a, const float *b)
{
    for (size_t i = 0; i < LORE_MOVES_PARAMS; i++)
        if (!(isnan(a[i]) && isnan(b[i])) && !(a[i] == b[i]))
            return false;
    return true;
}

static uint32_t
find_state(const struct lore_moves *m, uint32_t op, const float *coord)
{
    if (m->n_buckets == 0)
        return LORE_MOVES_NONE;
    uint32_t i = m->buckets[hash_coords(op, coord) % m->n_buckets];
    while (i != 0 && (m->state[i - 1].op != op || !same_coords(m->state[i - 1].coord, coord)))
        i = m->state[i - 1].hash_next;
    return i == 0 ? LORE_MOVES_NONE : i - 1;
}

static void
link_state(struct lore_moves *m, uint32_t id)
{
    struct moves_state *s = &m->state[id];
    uint32_t *head = &m->buckets[hash_coords(s->op, s->coord) % m->n_buckets];

    s->hash_next = *head;
    *head = id + 1;
}

static void
grow_buckets(struct lore_moves *m)
{
    if (m->n_states < m->n_buckets)
        return;
    m->n_buckets = m->n_buckets ? m->n_buckets * 4 : 1024;
    m->buckets = lore_alloc_array(m->arena, m->n_buckets, sizeof *m->buckets);
    for (size_t i = 0; i < m->n_states; i++)
        link_state(m, (uint32_t)i);
}

uint32_t
lore_moves_state(
    struct lore_moves *m, const char *op, const struct lore_moves_setting *settings, size_t n)
{
    uint32_t o = lore_moves_op_find(m, op);
    struct moves_state s;

    if (o == LORE_MOVES_NONE) {
        o = (uint32_t)m->n_ops;
        LORE_PUSH(m->arena, m->op, m->n_ops, m->cap_ops)->name = lore_strdup(m->arena, op);
    }
    s.op = o;
    for (size_t i = 0; i < LORE_MOVES_PARAMS; i++)
        s.coord[i] = NAN;
    for (size_t i = 0; i < n; i++) {
        size_t p = find_param(m, &m->op[o], settings[i].param);
        if (p == LORE_MOVES_PARAMS)
            continue;
        m->op[o].param[p].symbolic |= settings[i].text != NULL;
        s.coord[p] =
            settings[i].text ? text_coord(settings[i].text) : number_coord(settings[i].number);
    }
    uint32_t id = find_state(m, o, s.coord);
    if (id != LORE_MOVES_NONE)
        return id;
    s.hash_next = 0;
    memcpy(s.resolved, s.coord, sizeof s.resolved);
    id = (uint32_t)m->n_states;
    grow_buckets(m);
    *LORE_PUSH(m->arena, m->state, m->n_states, m->cap_states) = s;
    link_state(m, id);
    struct moves_op *mine = &m->op[o];
    *LORE_PUSH(m->arena, mine->states, mine->n_states, mine->cap_states) = id;
    return id;
}

uint32_t
lore_moves_state_with(const struct lore_moves *m, uint32_t id, size_t param, float value)
{
    float coord[LORE_MOVES_PARAMS];
    uint32_t op = m->state[id].op;

    memcpy(coord, m->state[id].coord, sizeof coord);
    coord[param] = value;
    uint32_t found = find_state(m, op, coord);
    for (size_t p = 0; found == LORE_MOVES_NONE && p < m->op[op].n_params; p++)
        if (isnan(coord[p]))
            coord[p] = m->op[op].param[p].absent_as;
    return found != LORE_MOVES_NONE ? found : find_state(m, op, coord);
}

uint32_t
lore_moves_differ(const struct lore_moves *m, uint32_t a, uint32_t b)
{
    const struct moves_state *x = &m->state[a], *y = &m->state[b];
    uint32_t param = LORE_MOVES_NONE;

    if (x->op != y->op)
        return LORE_MOVES_NONE;
    for (uint32_t i = 0; i < LORE_MOVES_PARAMS; i++) {
        bool same = x->coord[i] == y->coord[i] || (isnan(x->coord[i]) && isnan(y->coord[i]));
        if (!same && param != LORE_MOVES_NONE)
            return LORE_MOVES_NONE;
        if (!same)
            param = i;
    }
    return param;
}
