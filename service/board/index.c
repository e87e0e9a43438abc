/* Storing entries. Composite keys (cell, version of a cell, ...) are interned as short texts, whose
 * dense ids are the array indexes. Sums are kept over entries that are not masked; a mask or a new
 * verdict, which are rare, rebuild the sums of one cell. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cells.h"
#include "text.h"
#include "xalloc.h"

enum { KEY_SIZE = 64 };

struct lore_board_index *
lore_board_new(void)
{
    return lore_xalloc(sizeof(struct lore_board_index));
}

void
lore_board_free(struct lore_board_index *ix)
{
    if (ix == NULL)
        return;
    lore_intern_free(&ix->names);
    lore_intern_free(&ix->cell_keys);
    lore_intern_free(&ix->version_keys);
    lore_intern_free(&ix->group_keys);
    lore_intern_free(&ix->place_keys);
    lore_xfree(ix->entries);
    lore_xfree(ix->versions);
    lore_xfree(ix->cells);
    lore_xfree(ix->timings);
    lore_xfree(ix->methods);
    lore_xfree(ix->groups);
    lore_xfree(ix->libraries);
    lore_xfree(ix->by_name);
    lore_xfree(ix);
}

size_t
lore_board_entries(const struct lore_board_index *ix)
{
    return ix->n_entries;
}

/* Room for one more element of SIZE bytes. */
static void *
room(void *array, uint32_t n, uint32_t *cap, size_t size)
{
    if (n < *cap)
        return array;
    *cap = *cap == 0 ? 64 : *cap * 2;
    return lore_xrealloc(array, *cap * size);
}

/* The list head at index I, made empty when new. */
static uint32_t *
head(uint32_t **heads, uint32_t *cap, uint32_t i)
{
    if (i >= *cap) {
        uint32_t old = *cap;
        while (*cap <= i)
            *cap = *cap == 0 ? 64 : *cap * 2;
        *heads = lore_xrealloc(*heads, *cap * sizeof **heads);
        memset(*heads + old, 0xff, (*cap - old) * sizeof **heads); /* NONE */
    }
    return &(*heads)[i];
}

static uint32_t
key4(struct lore_intern *keys, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    char text[KEY_SIZE];

    snprintf(text, sizeof text, "%" PRIx32 ".%" PRIx32 ".%" PRIx32 ".%" PRIx32, a, b, c, d);
    return lore_intern(keys, text);
}

static uint32_t
chip_index(const char *name)
{
    size_t n;
    const struct lore_chip *chips = lore_chips(&n),
                           *chip = name != NULL ? lore_chip_find(name) : NULL;

    return chip != NULL ? (uint32_t)(chip - chips) : NONE;
}

static uint32_t
cell_of(struct lore_board_index *ix, const struct lore_entry *e)
{
    uint32_t op = lore_intern(&ix->names, e->op), workload = lore_intern(&ix->names, e->workload);
    uint32_t chip = chip_index(e->chip), language = (uint32_t)e->language;
    uint32_t i = key4(&ix->cell_keys, op, language, chip, workload);

    if (i == ix->n_cells) {
        ix->cells = room(ix->cells, ix->n_cells, &ix->cap_cells, sizeof *ix->cells);
        ix->n_cells++;
        uint32_t group = key4(&ix->group_keys, op, language, chip, 0);
        uint32_t place = key4(&ix->place_keys, op, workload, chip, 0);
        uint32_t *first = head(&ix->groups, &ix->cap_groups, group);
        ix->cells[i] = (struct cell){
            .op = op,
            .family = NONE,
            .workload = workload,
            .workload_label = NONE,
            .chip = chip,
            .language = (uint8_t)language,
            .group = group,
            .next_in_group = *first,
            .place = place,
            .versions = NONE,
            .methods = NONE,
            .ranking = {NONE, NONE},
            .best = NONE,
        };
        *first = i;
    }
    struct cell *cell = &ix->cells[i];
    if (cell->family == NONE)
        cell->family = lore_intern(&ix->names, e->family);
    if (cell->workload_label == NONE)
        cell->workload_label = lore_intern(&ix->names, e->workload_label);
    return i;
}

static void
clear_sums(struct version *v)
{
    v->pass = v->fail = v->timeout = v->error = false;
    v->said = v->said_library = NONE;
    v->runs = v->experiments = v->masked_runs = v->masked_experiments = 0;
    v->first_seq = INT64_MAX;
}

/* The version within a cell; a stated result that names none is keyed by its experiment. */
static uint32_t
version_of(struct lore_board_index *ix, uint32_t cell, const struct lore_entry *e)
{
    bool named = e->version != NULL;
    uint32_t id = lore_intern(&ix->names, named ? e->version : e->experiment);
    uint32_t i = key4(&ix->version_keys, cell, id, named, 0);

    if (i == ix->n_versions) {
        ix->versions = room(ix->versions, ix->n_versions, &ix->cap_versions, sizeof *ix->versions);
        ix->n_versions++;
        struct version *v = &ix->versions[i];
        *v = (struct version){
            .id = named ? id : NONE,
            .label = lore_intern(&ix->names, e->version_label),
            .kernel = lore_intern(&ix->names, e->kernel),
            .kernel_name = lore_intern(&ix->names, e->kernel_name),
            .cell = cell,
            .next = ix->cells[cell].versions,
            .entries = NONE,
            .timings = NONE,
            .kind = (uint8_t)e->version_kind,
        };
        clear_sums(v);
        ix->cells[cell].versions = i;
        ix->cells[cell].n_versions += named && !is_library(ix, v);
    }
    return i;
}

static struct timing *
timing_of(struct lore_board_index *ix, struct version *v, const struct entry *e)
{
    enum timing_class class = class_of(e);
    uint32_t i = v->timings;

    while (i != NONE && (ix->timings[i].class != class || ix->timings[i].method != e->method))
        i = ix->timings[i].next;
    if (i != NONE)
        return &ix->timings[i];
    ix->timings = room(ix->timings, ix->n_timings, &ix->cap_timings, sizeof *ix->timings);
    i = ix->n_timings++;
    ix->timings[i] = (struct timing){e->method, NONE, v->timings, (uint8_t) class};
    v->timings = i;
    return &ix->timings[i];
}

static uint32_t
method_of(struct lore_board_index *ix, struct cell *cell, const struct entry *e)
{
    enum timing_class class = class_of(e);
    uint32_t i = cell->methods;

    while (i != NONE && (ix->methods[i].class != class || ix->methods[i].method != e->method))
        i = ix->methods[i].next;
    if (i != NONE)
        return i;
    ix->methods = room(ix->methods, ix->n_methods, &ix->cap_methods, sizeof *ix->methods);
    i = ix->n_methods++;
    ix->methods[i] = (struct method){e->method, 0, cell->methods, (uint8_t) class};
    cell->methods = i;
    return i;
}

/* One more version of the cell is timed by the method of E. Between methods of as many versions the
 * one that the board met first ranks, and any recorded one before none. */
static void
count_method(struct lore_board_index *ix, struct cell *cell, const struct entry *e)
{
    uint32_t i = method_of(ix, cell, e), *ranking = &cell->ranking[class_of(e)];
    const struct method *now = *ranking != NONE ? &ix->methods[*ranking] : NULL;
    uint32_t versions = ++ix->methods[i].versions;

    if (now == NULL || versions > now->versions ||
        (versions == now->versions && e->method < now->method))
        *ranking = i;
}

static void
absorb_time(struct lore_board_index *ix, uint32_t i)
{
    const struct entry *e = &ix->entries[i];
    struct version *v = &ix->versions[e->version];

    if (e->time_ns <= 0)
        return;
    struct timing *t = timing_of(ix, v, e);
    if (t->entry == NONE && !is_library(ix, v))
        count_method(ix, &ix->cells[v->cell], e);
    if (t->entry == NONE || e->time_ns < ix->entries[t->entry].time_ns)
        t->entry = i;
}

/* A comparison with a library changes nothing: it is no attempt that could win or lose. */
static void
count_effect(struct cell *cell, const struct entry *e)
{
    cell->experiments++;
    if (e->base == LORE_BASE_LIBRARY)
        return;
    cell->won += e->effect == LORE_X_WIN;
    cell->neutral += e->effect == LORE_X_NEUTRAL;
    cell->lost += e->effect == LORE_X_LOSS || (e->effect == LORE_X_NOT_MEASURED && e->said_lost);
}

static bool
newer_claim(const struct lore_board_index *ix, const struct entry *e, uint32_t than)
{
    return e->speedup > 0 && (than == NONE || e->seq > ix->entries[than].seq);
}

/* Add entry I to the sums of its version and cell. */
static void
absorb(struct lore_board_index *ix, uint32_t i)
{
    const struct entry *e = &ix->entries[i];
    struct version *v = &ix->versions[e->version];
    struct cell *cell = &ix->cells[v->cell];
    uint32_t *claim = e->base == LORE_BASE_LIBRARY ? &v->said_library : &v->said;

    if (e->masked) {
        v->masked_runs += e->run != NONE;
        v->masked_experiments += e->experiment != NONE;
        return;
    }
    v->runs += e->run != NONE;
    v->experiments += e->experiment != NONE;
    v->pass |= e->correctness == LORE_C_PASS;
    v->fail |= e->correctness == LORE_C_FAIL;
    v->timeout |= e->correctness == LORE_C_TIMEOUT;
    v->error |= e->failed;
    if (e->seq < v->first_seq)
        v->first_seq = e->seq;
    absorb_time(ix, i);
    if (newer_claim(ix, e, *claim))
        *claim = i;
    cell->runs += e->run != NONE && !is_library(ix, v);
    if (e->experiment != NONE)
        count_effect(cell, e);
    cell->labels |= e->labels;
    if (e->evidence != LORE_EV_NONE && (cell->evidence == 0 || e->evidence < cell->evidence))
        cell->evidence = e->evidence;
    if (e->at_us > cell->updated_us)
        cell->updated_us = e->at_us;
}

static void
find_best(struct lore_board_index *ix, struct cell *cell)
{
    cell->best = NONE;
    for (uint32_t i = cell->versions; i != NONE; i = ix->versions[i].next) {
        uint32_t e = standing(ix, &ix->versions[i]);
        if (beats(ix, cell, e, cell->best))
            cell->best = e;
    }
}

static void
rebuild(struct lore_board_index *ix, struct cell *cell)
{
    cell->runs = cell->experiments = cell->won = cell->neutral = cell->lost = cell->labels = 0;
    cell->evidence = 0;
    cell->updated_us = 0;
    cell->ranking[CLASS_MEASURED] = cell->ranking[CLASS_STATED] = NONE;
    for (uint32_t i = cell->methods; i != NONE; i = ix->methods[i].next)
        ix->methods[i].versions = 0;
    for (uint32_t i = cell->versions; i != NONE; i = ix->versions[i].next) {
        clear_sums(&ix->versions[i]);
        for (uint32_t t = ix->versions[i].timings; t != NONE; t = ix->timings[t].next)
            ix->timings[t].entry = NONE;
        for (uint32_t e = ix->versions[i].entries; e != NONE; e = ix->entries[e].next)
            absorb(ix, e);
    }
    find_best(ix, cell);
}

static struct entry
copy_of(struct lore_board_index *ix, const struct lore_entry *e)
{
    return (struct entry){
        .next = NONE,
        .next_experiment = NONE,
        .next_library = NONE,
        .run = lore_intern(&ix->names, e->run),
        .experiment = lore_intern(&ix->names, e->experiment),
        .env = lore_intern(&ix->names, e->env_hard),
        .method = lore_intern(&ix->names, e->method),
        .base_name = lore_intern(&ix->names, e->base_name),
        .labels = e->labels,
        .n_samples = (uint32_t)(e->n_samples < UINT32_MAX ? e->n_samples : UINT32_MAX),
        .evidence = (uint8_t)e->evidence,
        .correctness = (uint8_t)e->correctness,
        .effect = (uint8_t)e->effect,
        .base = (uint8_t)e->base,
        .masked = e->masked,
        .failed = e->failed,
        .said_lost = e->said_lost,
        .time_ns = e->time_ns,
        .low_ns = e->low_ns,
        .high_ns = e->high_ns,
        .speedup = e->speedup,
        .speedup_low = e->speedup_low,
        .speedup_high = e->speedup_high,
        .seq = e->seq,
        .at_us = e->at_us,
    };
}

/* Add entry I, the newest, to the sums and to the contest. */
static void
stand(struct lore_board_index *ix, struct cell *cell, uint32_t i)
{
    uint32_t v = ix->entries[i].version, ranking[CLASS_COUNT];

    memcpy(ranking, cell->ranking, sizeof ranking);
    absorb(ix, i);
    uint32_t now = standing(ix, &ix->versions[v]);
    bool was_best = cell->best != NONE && ix->entries[cell->best].version == v;
    if (memcmp(ranking, cell->ranking, sizeof ranking) != 0)
        find_best(ix, cell); /* another method ranks */
    else if (beats(ix, cell, now, cell->best))
        cell->best = now;
    else if (was_best && now != cell->best)
        find_best(ix, cell); /* the best version was found wrong */
}

static void
append(struct lore_board_index *ix, const struct lore_entry *in, uint32_t name)
{
    uint32_t c = cell_of(ix, in), v = version_of(ix, c, in), i = ix->n_entries;
    struct cell *cell = &ix->cells[c];

    ix->entries = room(ix->entries, ix->n_entries, &ix->cap_entries, sizeof *ix->entries);
    ix->n_entries++;
    struct entry *e = &ix->entries[i];
    *e = copy_of(ix, in);
    e->version = v;
    e->next = ix->versions[v].entries;
    ix->versions[v].entries = i;
    uint32_t *first = head(&ix->by_name, &ix->cap_by_name, name);
    e->next_experiment = *first;
    *first = i;
    if (is_library(ix, &ix->versions[v])) {
        first = head(&ix->libraries, &ix->cap_libraries, cell->place);
        e->next_library = *first;
        *first = i;
    }
    stand(ix, cell, i);
}

static uint32_t
entries_of(const struct lore_board_index *ix, uint32_t name)
{
    return name < ix->cap_by_name ? ix->by_name[name] : NONE;
}

void
lore_board_add(struct lore_board_index *ix, const struct lore_entry *in)
{
    uint32_t name = lore_intern(&ix->names, in->run != NULL ? in->run : in->experiment);
    uint32_t i = entries_of(ix, name);

    if (name == NONE)
        return; /* neither a run nor an experiment */
    if (i == NONE) {
        append(ix, in, name);
    } else if (in->run == NULL) {
        struct entry *e = &ix->entries[i];
        e->effect = (uint8_t)in->effect;
        e->correctness = (uint8_t)in->correctness;
        e->speedup = in->speedup;
        e->masked = in->masked;
        e->said_lost = in->said_lost;
        rebuild(ix, &ix->cells[ix->versions[e->version].cell]);
    }
}

void
lore_board_mask(struct lore_board_index *ix, const char *experiment, bool masked)
{
    uint32_t i = entries_of(ix, lore_intern_find(&ix->names, experiment));

    for (; i != NONE; i = ix->entries[i].next_experiment) {
        ix->entries[i].masked = masked;
        rebuild(ix, &ix->cells[ix->versions[ix->entries[i].version].cell]);
    }
}

void
lore_board_judge(
    struct lore_board_index *ix, const char *experiment, const struct lore_outcome *outcome)
{
    uint32_t i = entries_of(ix, lore_intern_find(&ix->names, experiment));

    for (; i != NONE; i = ix->entries[i].next_experiment) {
        struct entry *e = &ix->entries[i];
        e->effect = (uint8_t)outcome->effect;
        e->correctness = (uint8_t)outcome->correctness;
        if (outcome->speedup.set && outcome->basis != LORE_B_CLAIM) /* a claim stays as stated */
            e->speedup = outcome->speedup.v;
        rebuild(ix, &ix->cells[ix->versions[e->version].cell]);
    }
}
