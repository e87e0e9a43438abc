/* Storing entries. A hash table gives composite keys, such as a cell or a version of a cell, dense
 * ids that serve as array indexes (keys.h). sums.c adds the entries up. */
#include <string.h>

#include "service/base/text.h"
#include "service/base/xalloc.h"
#include "service/board/sums.h"

struct lore_board *
lore_board_new(void)
{
    return lore_xalloc(sizeof(struct lore_board));
}

void
lore_board_free(struct lore_board *ix)
{
    if (!ix)
        return;
    lore_intern_free(&ix->names);
    lore_board_keys_free(&ix->cell_keys);
    lore_board_keys_free(&ix->version_keys);
    lore_board_keys_free(&ix->group_keys);
    lore_board_keys_free(&ix->peer_keys);
    lore_board_keys_free(&ix->check_keys);
    lore_board_keys_free(&ix->limit_keys);
    lore_xfree(ix->limits);
    lore_xfree(ix->entries);
    lore_xfree(ix->versions);
    lore_xfree(ix->cells);
    lore_xfree(ix->headlines);
    lore_xfree(ix->stale);
    lore_xfree(ix->timings);
    lore_xfree(ix->methods);
    lore_xfree(ix->checks);
    lore_xfree(ix->identities);
    lore_xfree(ix->groups);
    lore_xfree(ix->peer_groups);
    lore_xfree(ix->libraries);
    lore_xfree(ix->by_name);
    lore_xfree(ix->by_version);
    lore_xfree(ix);
}

size_t
lore_board_entries(const struct lore_board *ix)
{
    return ix->n_entries;
}

/* The list head at index I; a new one is an empty list. */
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
chip_index(const char *name)
{
    size_t n;
    const struct lore_chip *chips = lore_chips(&n),
                           *chip = name != NULL ? lore_chip_find(name) : NULL;

    return chip ? (uint32_t)(chip - chips) : NONE;
}

/* The limit of a place; a new one is unknown. */
static uint32_t
limit_of(struct lore_board *ix, uint32_t workload, uint32_t chip)
{
    uint32_t i = lore_board_key_id(&ix->limit_keys, (struct board_key){{workload, chip, 0, 0}});

    if (i == ix->n_limits) {
        ix->limits = lore_board_grow(ix->limits, i, &ix->cap_limits, sizeof *ix->limits);
        ix->limits[ix->n_limits++] = (struct board_limit){0};
    }
    return i;
}

/* Append cell I, without versions. */
static void
new_cell(struct lore_board *ix, uint32_t i, struct board_cell c)
{
    c.group = lore_board_key_id(&ix->group_keys, (struct board_key){{c.op, c.language, c.chip, 0}});
    c.peer_group =
        lore_board_key_id(&ix->peer_keys, (struct board_key){{c.op, c.workload, c.chip, 0}});
    c.limit = limit_of(ix, c.workload, c.chip);
    uint32_t *group = head(&ix->groups, &ix->cap_groups, c.group);
    uint32_t *peers = head(&ix->peer_groups, &ix->cap_peer_groups, c.peer_group);

    c.next_in_group = *group;
    c.next_peer = *peers;
    c.family = c.workload_label = c.versions = c.methods = c.best = NONE;
    c.ranking[CLASS_MEASURED] = c.ranking[CLASS_STATED] = NONE;
    uint32_t cap = ix->cap_cells;
    ix->cells = lore_board_grow(ix->cells, ix->n_cells, &ix->cap_cells, sizeof *ix->cells);
    if (ix->cap_cells != cap)
        ix->headlines = lore_xrealloc(ix->headlines, ix->cap_cells * sizeof *ix->headlines);
    ix->n_cells++;
    ix->cells[i] = c;
    ix->headlines[i] = UNKNOWN;
    *group = *peers = i;
}

static uint32_t
cell_of(struct lore_board *ix, const struct lore_entry *e)
{
    uint32_t op = lore_intern(&ix->names, e->op), workload = lore_intern(&ix->names, e->workload);
    uint32_t chip = chip_index(e->chip), language = (uint32_t)e->language;
    uint32_t i =
        lore_board_key_id(&ix->cell_keys, (struct board_key){{op, language, chip, workload}});

    if (i == ix->n_cells)
        new_cell(ix, i,
            (struct board_cell){
                .op = op, .workload = workload, .chip = chip, .language = (uint8_t)language});
    struct board_cell *cell = &ix->cells[i];
    if (cell->family == NONE)
        cell->family = lore_intern(&ix->names, e->family);
    if (cell->workload_label == NONE)
        cell->workload_label = lore_intern(&ix->names, e->workload_label);
    return i;
}

/* The identity of the version whose id is NAME, created if new. */
static uint32_t
identity_of(struct lore_board *ix, uint32_t name)
{
    uint32_t *at = head(&ix->by_version, &ix->cap_by_version, name), i = *at;

    if (i == NONE) {
        *at = i = ix->n_identities;
        ix->identities = lore_board_grow(
            ix->identities, ix->n_identities, &ix->cap_identities, sizeof *ix->identities);
        ix->n_identities++;
        ix->identities[i] = (struct board_identity){.checks = NONE};
    }
    return i;
}

/* Link version I to the check of IDENTITY on WORKLOAD. */
static void
join_check(struct lore_board *ix, uint32_t i, uint32_t identity, uint32_t workload)
{
    uint32_t c = lore_board_key_id(&ix->check_keys, (struct board_key){{identity, workload, 0, 0}});

    if (c == ix->n_checks) {
        struct board_identity *owner = &ix->identities[identity];
        ix->checks = lore_board_grow(ix->checks, ix->n_checks, &ix->cap_checks, sizeof *ix->checks);
        ix->n_checks++;
        ix->checks[c] = (struct board_check){
            .workload = workload, .identity = identity, .versions = NONE, .next = owner->checks};
        owner->checks = c;
    }
    ix->versions[i].check = c;
    ix->versions[i].next_same = ix->checks[c].versions;
    ix->checks[c].versions = i;
}

/* The version of E in CELL, created if new. A stated result without a version is keyed by its
 * experiment. */
static uint32_t
version_of(struct lore_board *ix, uint32_t cell, const struct lore_entry *e)
{
    bool named = e->version;
    uint32_t id = lore_intern(&ix->names, named ? e->version : e->experiment);
    uint32_t i = lore_board_key_id(&ix->version_keys, (struct board_key){{cell, id, named, 0}});

    if (i == ix->n_versions) {
        ix->versions =
            lore_board_grow(ix->versions, ix->n_versions, &ix->cap_versions, sizeof *ix->versions);
        ix->n_versions++;
        struct board_version *v = &ix->versions[i];
        *v = (struct board_version){
            .id = named ? id : NONE,
            .label = lore_intern(&ix->names, e->version_label),
            .kernel = lore_intern(&ix->names, e->kernel),
            .kernel_name = lore_intern(&ix->names, e->kernel_name),
            .project = lore_intern(&ix->names, e->project),
            .cell = cell,
            .next = ix->cells[cell].versions,
            .entries = NONE,
            .check = NONE,
            .next_same = NONE,
            .timings = NONE,
            .kind = (uint8_t)e->version_kind,
        };
        lore_board_clear_sums(ix, v);
        if (named)
            join_check(ix, i, identity_of(ix, id), ix->cells[cell].workload);
        ix->cells[cell].versions = i;
        ix->cells[cell].n_versions += named && !lore_board_is_library(ix, v);
    }
    return i;
}

void
lore_board_batch_begin(struct lore_board *ix)
{
    ix->in_batch = true;
}

void
lore_board_batch_end(struct lore_board *ix)
{
    ix->in_batch = false;
    for (uint32_t i = 0; i < ix->n_stale; i++) {
        ix->cells[ix->stale[i]].stale = false;
        lore_board_rebuild(ix, &ix->cells[ix->stale[i]]);
    }
    ix->n_stale = 0;
}

void
lore_board_load_begin(struct lore_board *ix)
{
    ix->loading = true;
}

void
lore_board_load_end(struct lore_board *ix)
{
    ix->loading = false;
    for (uint32_t i = 0; i < ix->n_identities; i++)
        ix->identities[i].ranked_passed = ix->identities[i].passed > 0;
    for (uint32_t i = 0; i < ix->n_checks; i++)
        ix->checks[i].ranked_passed = ix->checks[i].passes > 0;
    for (uint32_t i = 0; i < ix->n_cells; i++)
        lore_board_find_best(ix, &ix->cells[i]);
}

/* A stored copy of E, whose run or experiment has the interned id NAME. */
static struct board_entry
copy_of(struct lore_board *ix, const struct lore_entry *e, uint32_t name)
{
    return (struct board_entry){
        .next = NONE,
        .next_experiment = NONE,
        .next_library = NONE,
        .run = e->run != NULL ? name : NONE,
        .experiment = !e->run ? name : lore_intern(&ix->names, e->experiment),
        .env = lore_intern(&ix->names, e->env_hard),
        .method = lore_intern(&ix->names, e->method),
        .base_name = lore_intern(&ix->names, e->base_name),
        .beyond = lore_intern(&ix->names, e->beyond),
        .labels = e->labels,
        .labels_derived = e->labels_derived,
        .disputes = e->disputes,
        .n_samples = (uint32_t)(e->n_samples < UINT32_MAX ? e->n_samples : UINT32_MAX),
        .evidence = (uint8_t)e->evidence,
        .correctness = (uint8_t)e->correctness,
        .effect = (uint8_t)e->effect,
        .base = (uint8_t)e->base,
        .masked = e->masked,
        .retracted = e->retracted,
        .copy = e->copy,
        .failed = e->failed,
        .said_lost = e->said_lost,
        .runs_checked = e->runs_checked,
        .time_ns = e->time_ns,
        .low_ns = e->low_ns,
        .high_ns = e->high_ns,
        .median_low_ns = e->median_low_ns,
        .median_high_ns = e->median_high_ns,
        .speedup = e->speedup,
        .speedup_low = e->speedup_low,
        .speedup_high = e->speedup_high,
        .seq = e->seq,
        .at_us = e->at_us,
    };
}

/* Add entry I, the newest, to the sums and the ranking of its cell. */
static void
enter(struct lore_board *ix, struct board_cell *cell, uint32_t i)
{
    const struct board_rules usual = {0};
    uint32_t v = ix->entries[i].version, ranking[CLASS_COUNT];

    ix->headlines[cell - ix->cells] = UNKNOWN;
    if (ix->loading) {
        lore_board_absorb(ix, i);
        return;
    }
    memcpy(ranking, cell->ranking, sizeof ranking);
    lore_board_absorb(ix, i);
    lore_board_rerank_after_check(ix, &ix->versions[v]);
    uint32_t now = lore_board_ranked_entry(ix, &ix->versions[v], &usual);
    bool was_best = cell->best != NONE && ix->entries[cell->best].version == v;
    if (memcmp(ranking, cell->ranking, sizeof ranking) != 0)
        lore_board_find_best(ix, cell); /* another method ranks the cell now */
    else if (lore_board_beats(ix, cell, now, cell->best))
        cell->best = now;
    else if (was_best && now != cell->best)
        lore_board_find_best(ix, cell); /* the best version lost its entry, e.g. a check failed */
}

static void
append(struct lore_board *ix, const struct lore_entry *in, uint32_t name)
{
    uint32_t c = cell_of(ix, in), v = version_of(ix, c, in), i = ix->n_entries;
    struct board_cell *cell = &ix->cells[c];

    ix->entries =
        lore_board_grow(ix->entries, ix->n_entries, &ix->cap_entries, sizeof *ix->entries);
    ix->n_entries++;
    struct board_entry *e = &ix->entries[i];
    *e = copy_of(ix, in, name);
    e->version = v;
    e->next = ix->versions[v].entries;
    ix->versions[v].entries = i;
    uint32_t *first = head(&ix->by_name, &ix->cap_by_name, name);
    e->next_experiment = *first;
    *first = i;
    if (lore_board_is_library(ix, &ix->versions[v])) {
        first = head(&ix->libraries, &ix->cap_libraries, cell->peer_group);
        e->next_library = *first;
        *first = i;
    }
    if (in->version && in->version_retracted)
        ix->identities[ix->checks[ix->versions[v].check].identity].retracted = true;
    enter(ix, cell, i);
}

static uint32_t
entries_of(const struct lore_board *ix, uint32_t name)
{
    return name < ix->cap_by_name ? ix->by_name[name] : NONE;
}

void
lore_board_add(struct lore_board *ix, const struct lore_entry *in)
{
    uint32_t name = lore_intern(&ix->names, in->run != NULL ? in->run : in->experiment);
    uint32_t i = entries_of(ix, name);

    if (name == NONE)
        return; /* neither a run nor an experiment */
    if (i == NONE) {
        append(ix, in, name);
    } else if (!in->run) {
        struct board_entry *e = &ix->entries[i];
        e->effect = (uint8_t)in->effect;
        e->correctness = (uint8_t)in->correctness;
        e->speedup = in->speedup;
        e->masked = in->masked;
        e->retracted = in->retracted;
        e->beyond = lore_intern(&ix->names, in->beyond);
        e->copy = in->copy;
        e->runs_checked = in->runs_checked;
        e->said_lost = in->said_lost;
        e->labels = in->labels;
        e->labels_derived = in->labels_derived;
        e->disputes = in->disputes;
        lore_board_changed(ix, ix->versions[e->version].cell);
    }
}

/* Set or clear the retraction of a version in all its cells. */
static void
retract_version(struct lore_board *ix, uint32_t identity, bool retracted)
{
    ix->identities[identity].retracted = retracted;
    for (uint32_t c = ix->identities[identity].checks; c != NONE; c = ix->checks[c].next)
        for (uint32_t i = ix->checks[c].versions; i != NONE; i = ix->versions[i].next_same)
            lore_board_changed(ix, ix->versions[i].cell);
}

void
lore_board_follow(struct lore_board *ix, const char *record, const struct lore_board_standing *now)
{
    uint32_t name = lore_intern_find(&ix->names, record), i = entries_of(ix, name);
    uint32_t identity = name < ix->cap_by_version ? ix->by_version[name] : NONE;
    uint32_t beyond = lore_intern(&ix->names, now->beyond);

    if (identity != NONE)
        retract_version(ix, identity, now->retracted);
    for (; i != NONE; i = ix->entries[i].next_experiment) {
        struct board_entry *e = &ix->entries[i];

        if (e->retracted == now->retracted && e->copy == now->copy && e->beyond == beyond)
            continue;
        e->retracted = now->retracted;
        e->copy = now->copy;
        e->beyond = beyond;
        lore_board_changed(ix, ix->versions[e->version].cell);
    }
}

void
lore_board_limit(struct lore_board *ix, const struct lore_limit_in *limit)
{
    uint32_t i = limit_of(ix, lore_intern(&ix->names, limit->workload), chip_index(limit->chip));

    ix->limits[i] = (struct board_limit){limit->peak_ns, limit->memory};
}
