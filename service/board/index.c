/* Storing entries. A hash table gives composite keys, such as a cell or a version of a cell, dense
 * ids that serve as array indexes (keys.h). Sums cover the entries that are not hidden. A mask, a
 * retraction or a new verdict is rare; it rebuilds the sums of every cell that it affects.
 *
 * The first passed check of a version, and the first on a workload, can change the ranking in its
 * cells for other workloads and chips. These cells are ranked again only then, not with every
 * run. */
#include <string.h>

#include "service/base/text.h"
#include "service/base/xalloc.h"
#include "service/board/ranking.h"

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

/* Grow ARRAY so that it has space for element N of SIZE bytes. */
static void *
grow(void *array, uint32_t n, uint32_t *cap, size_t size)
{
    if (n < *cap)
        return array;
    *cap = *cap == 0 ? 64 : *cap * 2;
    return lore_xrealloc(array, *cap * size);
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
        ix->limits = grow(ix->limits, i, &ix->cap_limits, sizeof *ix->limits);
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
    ix->cells = grow(ix->cells, ix->n_cells, &ix->cap_cells, sizeof *ix->cells);
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
        ix->identities =
            grow(ix->identities, ix->n_identities, &ix->cap_identities, sizeof *ix->identities);
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
        ix->checks = grow(ix->checks, ix->n_checks, &ix->cap_checks, sizeof *ix->checks);
        ix->n_checks++;
        ix->checks[c] = (struct board_check){
            .workload = workload, .identity = identity, .versions = NONE, .next = owner->checks};
        owner->checks = c;
    }
    ix->versions[i].check = c;
    ix->versions[i].next_same = ix->checks[c].versions;
    ix->checks[c].versions = i;
}

/* MORE 1: add one pass to V. MORE -1: remove all its passes. */
static void
count_pass(struct lore_board *ix, struct board_version *v, int more)
{
    uint32_t by = more > 0 ? 1 : v->passes;
    struct board_check *c = v->check != NONE ? &ix->checks[v->check] : NULL;

    v->passes = more > 0 ? v->passes + 1 : 0;
    if (!c || by == 0)
        return;
    bool before = c->passes > 0;
    c->passes = more > 0 ? c->passes + by : c->passes - by;
    if (c->workload != NONE && before != (c->passes > 0))
        ix->identities[c->identity].passed += before ? UINT32_MAX : 1; /* subtract or add 1 */
}

static void
clear_sums(struct lore_board *ix, struct board_version *v)
{
    count_pass(ix, v, -1);
    v->fail = v->timeout = v->error = false;
    v->stated = v->stated_library = NONE;
    v->runs = v->experiments = v->hidden_runs = v->hidden_experiments = v->retracted = 0;
    v->copies = 0;
    v->beyond = v->disputed = NONE;
    v->labels = v->stated_labels = 0;
    v->first_seq = INT64_MAX;
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
        ix->versions = grow(ix->versions, ix->n_versions, &ix->cap_versions, sizeof *ix->versions);
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
        clear_sums(ix, v);
        if (named)
            join_check(ix, i, identity_of(ix, id), ix->cells[cell].workload);
        ix->cells[cell].versions = i;
        ix->cells[cell].n_versions += named && !lore_board_is_library(ix, v);
    }
    return i;
}

static struct board_timing *
timing_of(struct lore_board *ix, struct board_version *v, const struct board_entry *e)
{
    enum timing_class class = lore_board_class_of(e);
    uint32_t i = v->timings;

    while (i != NONE && (ix->timings[i].class != class || ix->timings[i].method != e->method))
        i = ix->timings[i].next;
    if (i != NONE)
        return &ix->timings[i];
    ix->timings = grow(ix->timings, ix->n_timings, &ix->cap_timings, sizeof *ix->timings);
    i = ix->n_timings++;
    ix->timings[i] = (struct board_timing){e->method, NONE, v->timings, (uint8_t) class};
    v->timings = i;
    return &ix->timings[i];
}

static uint32_t
method_of(struct lore_board *ix, struct board_cell *cell, const struct board_entry *e)
{
    enum timing_class class = lore_board_class_of(e);
    uint32_t i = cell->methods;

    while (i != NONE && (ix->methods[i].class != class || ix->methods[i].method != e->method))
        i = ix->methods[i].next;
    if (i != NONE)
        return i;
    ix->methods = grow(ix->methods, ix->n_methods, &ix->cap_methods, sizeof *ix->methods);
    i = ix->n_methods++;
    ix->methods[i] = (struct board_method){e->method, 0, cell->methods, (uint8_t) class};
    cell->methods = i;
    return i;
}

/* Count one more version of the cell that is timed by the method of E. The method with most
 * versions ranks the cell. Of equals, the method that was recorded first ranks, and any method
 * ranks before an unrecorded one. */
static void
count_method(struct lore_board *ix, struct board_cell *cell, const struct board_entry *e)
{
    uint32_t i = method_of(ix, cell, e), *ranking = &cell->ranking[lore_board_class_of(e)];
    const struct board_method *now = *ranking != NONE ? &ix->methods[*ranking] : NULL;
    uint32_t versions = ++ix->methods[i].versions;

    if (!now || versions > now->versions || (versions == now->versions && e->method < now->method))
        *ranking = i;
}

static void
absorb_time(struct lore_board *ix, uint32_t i)
{
    const struct board_entry *e = &ix->entries[i];
    struct board_version *v = &ix->versions[e->version];

    if (e->time_ns <= 0)
        return;
    struct board_timing *t = timing_of(ix, v, e);
    if (t->entry == NONE && !lore_board_is_library(ix, v))
        count_method(ix, &ix->cells[v->cell], e);
    if (t->entry == NONE || e->time_ns < ix->entries[t->entry].time_ns)
        t->entry = i;
}

/* A comparison with a library is neither a win nor a loss: it does not try a change. Nor is a win
 * with a wrong result. */
static void
count_effect(struct board_cell *cell, const struct board_entry *e)
{
    bool wrong = e->correctness == LORE_C_FAIL || e->correctness == LORE_C_TIMEOUT;

    cell->experiments++;
    if (e->base == LORE_BASE_LIBRARY)
        return;
    cell->won += e->effect == LORE_X_WIN && !wrong;
    cell->neutral += e->effect == LORE_X_NEUTRAL;
    cell->lost += e->effect == LORE_X_LOSS;
    cell->said_lost += e->effect == LORE_X_NOT_MEASURED && e->said_lost;
}

static bool
newer_claim(const struct lore_board *ix, const struct board_entry *e, uint32_t than)
{
    return e->speedup > 0 && (than == NONE || e->seq > ix->entries[than].seq);
}

void
lore_board_clear_counts(struct board_cell *cell)
{
    cell->runs = cell->experiments = cell->won = cell->neutral = cell->lost = cell->said_lost = 0;
    cell->labels = cell->stated = 0;
    cell->evidence = 0;
    cell->updated_us = 0;
}

void
lore_board_count_entry(struct board_cell *cell, const struct board_entry *e, bool library)
{
    cell->runs += e->run != NONE && !library;
    if (e->experiment != NONE)
        count_effect(cell, e);
    cell->labels |= e->labels;
    cell->stated |= e->labels_derived ? 0 : e->labels;
    if (e->evidence != LORE_EV_NONE && (cell->evidence == 0 || e->evidence < cell->evidence))
        cell->evidence = e->evidence;
    if (e->at_us > cell->updated_us)
        cell->updated_us = e->at_us;
}

/* Add entry I to the sums of its version and cell. */
static void
absorb(struct lore_board *ix, uint32_t i)
{
    const struct board_entry *e = &ix->entries[i];
    struct board_version *v = &ix->versions[e->version];
    struct board_cell *cell = &ix->cells[v->cell];
    uint32_t *claim = e->base == LORE_BASE_LIBRARY ? &v->stated_library : &v->stated;

    if (lore_board_is_hidden(ix, e)) {
        v->hidden_runs += e->run != NONE;
        v->hidden_experiments += e->experiment != NONE;
        v->retracted += !e->copy && e->beyond == NONE && (!e->masked || e->retracted);
        v->copies += e->copy;
        v->beyond = e->beyond != NONE ? e->beyond : v->beyond;
        return;
    }
    v->runs += e->run != NONE;
    v->experiments += e->experiment != NONE;
    v->labels |= e->run != NONE ? e->labels : 0;
    v->stated_labels |= e->run != NONE && !e->labels_derived ? e->labels : 0;
    if (e->correctness == LORE_C_PASS && !e->runs_checked)
        count_pass(ix, v, 1);
    v->fail |= e->correctness == LORE_C_FAIL && !e->disputes;
    v->timeout |= e->correctness == LORE_C_TIMEOUT && !e->disputes;
    if (e->disputes && (v->disputed == NONE || e->at_us > ix->entries[v->disputed].at_us))
        v->disputed = i;
    v->error |= e->failed;
    if (e->time_ns > 0 && e->seq < v->first_seq) /* runs and experiments count apart */
        v->first_seq = e->seq;
    absorb_time(ix, i);
    if (newer_claim(ix, e, *claim))
        *claim = i;
    lore_board_count_entry(cell, e, lore_board_is_library(ix, v));
}

static void
find_best(struct lore_board *ix, struct board_cell *cell)
{
    const struct board_rules usual = {0};

    cell->best = lore_board_best_of(ix, cell, &usual);
    ix->headlines[cell - ix->cells] = UNKNOWN;
}

/* Rank the cells of check C again. */
static void
rerank_check(struct lore_board *ix, uint32_t c)
{
    for (uint32_t i = ix->checks[c].versions; i != NONE; i = ix->versions[i].next_same)
        find_best(ix, &ix->cells[ix->versions[i].cell]);
}

/* Rank cells again whose order depends on the checks of V. If the version gained its first pass or
 * lost its last one, all its cells are ranked, which can be thousands. If only the result on one
 * workload changed, only the cells of that workload are ranked. */
static void
rerank_after_check(struct lore_board *ix, const struct board_version *v)
{
    if (v->check == NONE)
        return;
    struct board_check *own = &ix->checks[v->check];
    struct board_identity *owner = &ix->identities[own->identity];
    if (own->ranked_passed == (own->passes > 0) && owner->ranked_passed == (owner->passed > 0))
        return;
    bool anywhere = owner->ranked_passed != (owner->passed > 0);
    own->ranked_passed = own->passes > 0;
    owner->ranked_passed = owner->passed > 0;
    if (!anywhere)
        rerank_check(ix, v->check);
    for (uint32_t c = anywhere ? owner->checks : NONE; c != NONE; c = ix->checks[c].next)
        rerank_check(ix, c);
}

static void
rebuild(struct lore_board *ix, struct board_cell *cell)
{
    lore_board_clear_counts(cell);
    cell->ranking[CLASS_MEASURED] = cell->ranking[CLASS_STATED] = NONE;
    for (uint32_t i = cell->methods; i != NONE; i = ix->methods[i].next)
        ix->methods[i].versions = 0;
    for (uint32_t i = cell->versions; i != NONE; i = ix->versions[i].next) {
        clear_sums(ix, &ix->versions[i]);
        for (uint32_t t = ix->versions[i].timings; t != NONE; t = ix->timings[t].next)
            ix->timings[t].entry = NONE;
        for (uint32_t e = ix->versions[i].entries; e != NONE; e = ix->entries[e].next)
            absorb(ix, e);
    }
    find_best(ix, cell);
    for (uint32_t i = cell->versions; i != NONE; i = ix->versions[i].next)
        rerank_after_check(ix, &ix->versions[i]);
}

/* Recompute the sums of cell C: now or, within a batch, at its end. */
static void
changed(struct lore_board *ix, uint32_t c)
{
    if (!ix->in_batch) {
        rebuild(ix, &ix->cells[c]);
    } else if (!ix->cells[c].stale) {
        ix->cells[c].stale = true;
        ix->stale = grow(ix->stale, ix->n_stale, &ix->cap_stale, sizeof *ix->stale);
        ix->stale[ix->n_stale++] = c;
    }
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
        rebuild(ix, &ix->cells[ix->stale[i]]);
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
        find_best(ix, &ix->cells[i]);
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
        absorb(ix, i);
        return;
    }
    memcpy(ranking, cell->ranking, sizeof ranking);
    absorb(ix, i);
    rerank_after_check(ix, &ix->versions[v]);
    uint32_t now = lore_board_ranked_entry(ix, &ix->versions[v], &usual);
    bool was_best = cell->best != NONE && ix->entries[cell->best].version == v;
    if (memcmp(ranking, cell->ranking, sizeof ranking) != 0)
        find_best(ix, cell); /* another method ranks the cell now */
    else if (lore_board_beats(ix, cell, now, cell->best))
        cell->best = now;
    else if (was_best && now != cell->best)
        find_best(ix, cell); /* the best version lost its entry, e.g. a check failed */
}

static void
append(struct lore_board *ix, const struct lore_entry *in, uint32_t name)
{
    uint32_t c = cell_of(ix, in), v = version_of(ix, c, in), i = ix->n_entries;
    struct board_cell *cell = &ix->cells[c];

    ix->entries = grow(ix->entries, ix->n_entries, &ix->cap_entries, sizeof *ix->entries);
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
        changed(ix, ix->versions[e->version].cell);
    }
}

/* Set or clear the retraction of a version in all its cells. */
static void
retract_version(struct lore_board *ix, uint32_t identity, bool retracted)
{
    ix->identities[identity].retracted = retracted;
    for (uint32_t c = ix->identities[identity].checks; c != NONE; c = ix->checks[c].next)
        for (uint32_t i = ix->checks[c].versions; i != NONE; i = ix->versions[i].next_same)
            changed(ix, ix->versions[i].cell);
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
        changed(ix, ix->versions[e->version].cell);
    }
}

void
lore_board_limit(struct lore_board *ix, const struct lore_limit_in *limit)
{
    uint32_t i = limit_of(ix, lore_intern(&ix->names, limit->workload), chip_index(limit->chip));

    ix->limits[i] = (struct board_limit){limit->peak_ns, limit->memory};
}
