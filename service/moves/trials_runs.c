/* Versions, their configurations and their runs (trials.h). A version is found by the 16 bytes that
 * its id stands for; runs of a configuration in one place are a chain, newest first, so that a new
 * one settles its place again by one short walk. Of a move only a fingerprint and its evidence
 * class are kept beside the model: what a worse class says is ignored.
 *
 * About 40 bytes a version, 12 a run, 36 for the first of a configuration in a place, 12 a move. */
#include "service/moves/trials_runs.h"

#include <stdio.h>
#include <string.h>

#include "service/base/xalloc.h"
#include "service/moves/moves_chip_data.h"
#include "service/moves/moves_tables.h"
#include "service/moves/trials.h"
#include "service/moves/trials_kinds.h"
#include "service/stats/select.h"

/* Settings of our own: no parameter of a kernel has a name with a space. */
#define LORE_TRIAL_KERNEL " kernel"
#define LORE_TRIAL_VERSION " version"

/* ---- versions ---- */

/* Where version KEY stands in the table, or where it would. */
static size_t
slot_of(const struct lore_trials *t, const unsigned char key[LORE_ULID_BYTES])
{
    uint64_t a, b;

    memcpy(&a, key, 8);
    memcpy(&b, key + 8, 8);
    size_t i = lore_moves_mixed(lore_moves_mixed(a) ^ b) & (t->n_slots - 1);
    for (; t->version_slot[i] != 0; i = (i + 1) & (t->n_slots - 1))
        if (memcmp(t->version[t->version_slot[i] - 1].id, key, LORE_ULID_BYTES) == 0)
            break;
    return i;
}

static void
grow_slots(struct lore_trials *t)
{
    if (t->n_versions * 2 < t->n_slots)
        return;
    t->n_slots = t->n_slots ? t->n_slots * 2 : 1024;
    lore_xfree(t->version_slot);
    t->version_slot = lore_xcalloc(t->n_slots, sizeof *t->version_slot);
    for (size_t i = 0; i < t->n_versions; i++)
        t->version_slot[slot_of(t, t->version[i].id)] = (uint32_t)i + 1;
}

struct trial_version *
lore_trials_find(const struct lore_trials *t, const char *id)
{
    unsigned char key[LORE_ULID_BYTES];

    if (t->n_slots == 0 || !id || !lore_ulid_pack(id, key))
        return NULL;
    uint32_t at = t->version_slot[slot_of(t, key)];
    return at == 0 ? NULL : &t->version[at - 1];
}

/* The first version of a state. */
static uint32_t *
head_of(struct lore_trials *t, uint32_t state)
{
    t->first_version = lore_trials_room(
        t->first_version, state, &t->cap_first_version, sizeof *t->first_version, 0xff);
    return &t->first_version[state];
}

uint32_t
lore_trials_state_of(struct lore_trials *t, const struct lore_trial_version *v, const char *more)
{
    struct lore_moves_setting s[LORE_MOVES_PARAMS + 2];
    size_t n = 0;

    for (; n < v->n && n < LORE_MOVES_PARAMS; n++)
        s[n] = v->settings[n];
    s[n++] = (struct lore_moves_setting){.param = LORE_TRIAL_KERNEL, .text = v->kernel_name};
    if (more)
        s[n++] = (struct lore_moves_setting){.param = LORE_TRIAL_VERSION, .text = more};
    return lore_moves_state(t->moves, v->op, s, n);
}

static bool
has_kernel(struct lore_trials *t, uint32_t state, uint32_t kernel)
{
    for (uint32_t i = *head_of(t, state); i != TRIAL_END; i = t->version[i].next)
        if (t->version[i].kernel == kernel)
            return true;
    return false;
}

_Static_assert(LORE_LANG_COUNT <= 32, "a bit for each language");

void
lore_trials_written_in(struct lore_trials *t, uint32_t state, uint32_t languages)
{
    t->languages =
        lore_trials_room(t->languages, state, &t->cap_languages, sizeof *t->languages, 0);
    t->languages[state] |= languages;
}

/* Last in the chain of its state: the oldest version speaks for it. */
static void
join_state(struct lore_trials *t, uint32_t version, uint32_t state)
{
    uint32_t *at = head_of(t, state);

    while (*at != TRIAL_END)
        at = &t->version[*at].next;
    *at = version;
    t->version[version].state = state;
    lore_trials_written_in(t, state, t->version[version].language);
}

void
lore_trials_version(struct lore_trials *t, const struct lore_trial_version *v)
{
    struct trial_version row = {.state = LORE_MOVES_NONE,
        .next = TRIAL_END,
        .kernel = lore_intern(&t->names, v->kernel),
        .language = (uint32_t)1 << v->language};

    if (!lore_ulid_pack(v->id, row.id) || lore_trials_find(t, v->id))
        return;
    row.op = lore_intern(&t->names, v->op);
    t->version =
        lore_trials_room(t->version, t->n_versions, &t->cap_versions, sizeof *t->version, 0);
    t->version[t->n_versions++] = row;
    grow_slots(t);
    t->version_slot[slot_of(t, row.id)] = (uint32_t)t->n_versions;
    if (v->n == 0)
        return;
    uint32_t state = lore_trials_state_of(t, v, NULL);
    if (has_kernel(t, state, row.kernel))
        state = lore_trials_state_of(t, v, v->id);
    join_state(t, (uint32_t)t->n_versions - 1, state);
}

/* A version without parameters becomes a configuration when it has run. */
static uint32_t
settle_state(struct lore_trials *t, struct trial_version *v, const char *id)
{
    struct lore_moves_setting name = {.param = LORE_TRIAL_VERSION, .text = id};

    if (v->state == LORE_MOVES_NONE)
        join_state(t, (uint32_t)(v - t->version),
            lore_moves_state(t->moves, lore_intern_text(&t->names, v->op), &name, 1));
    return v->state;
}

/* ---- places ---- */

uint32_t
lore_trials_place_of(struct lore_trials *t, const char *chip, const char *workload, double size)
{
    struct lore_moves_chip p = {.name = chip, .workload = workload, .size = size};
    char key[256];

    snprintf(key, sizeof key, "%s|%s", chip, workload != NULL ? workload : "");
    uint32_t id = lore_intern(&t->names, key);
    t->place = lore_trials_room(t->place, id, &t->cap_places, sizeof *t->place, 0);
    if (t->place[id] == 0) {
        (void)lore_moves_chip_known(chip, &p);
        p.name = chip;
        t->place[id] = lore_moves_chip(t->moves, &p) + 1; /* NONE wraps to 0 */
    }
    return t->place[id] - 1;
}

/* ---- runs ---- */

/* Where STATE in PLACE stands in the table, or where it would. */
static size_t
spot_slot(const struct lore_trials *t, uint32_t state, uint32_t place)
{
    size_t i = lore_moves_mixed(lore_moves_mixed(state) ^ place) & (t->n_spot_slots - 1);

    for (; t->spot_slot[i] != 0; i = (i + 1) & (t->n_spot_slots - 1)) {
        const struct trial_spot *s = &t->spot[t->spot_slot[i] - 1];
        if (s->state == state && s->place == place)
            break;
    }
    return i;
}

static void
grow_spots(struct lore_trials *t)
{
    if (3 * t->n_spots < 2 * t->n_spot_slots)
        return;
    t->n_spot_slots = t->n_spot_slots ? t->n_spot_slots * 2 : 1024;
    lore_xfree(t->spot_slot);
    t->spot_slot = lore_xcalloc(t->n_spot_slots, sizeof *t->spot_slot);
    for (size_t i = 0; i < t->n_spots; i++)
        t->spot_slot[spot_slot(t, t->spot[i].state, t->spot[i].place)] = (uint32_t)i + 1;
}

static struct trial_spot *
spot_of(struct lore_trials *t, uint32_t state, uint32_t place)
{
    grow_spots(t);
    size_t i = spot_slot(t, state, place);
    if (t->spot_slot[i] != 0)
        return &t->spot[t->spot_slot[i] - 1];
    t->first_spot =
        lore_trials_room(t->first_spot, state, &t->cap_first_spot, sizeof *t->first_spot, 0xff);
    t->spot = lore_trials_room(t->spot, t->n_spots, &t->cap_spots, sizeof *t->spot, 0);
    t->spot[t->n_spots] = (struct trial_spot){
        .state = state, .place = place, .next = t->first_spot[state], .run = TRIAL_END};
    t->first_spot[state] = (uint32_t)t->n_spots++;
    t->spot_slot[i] = (uint32_t)t->n_spots;
    lore_trials_kind_joins(t, state, place);
    return &t->spot[t->n_spots - 1];
}

static enum trial_end
end_of(const struct lore_trial_run *r)
{
    if (r->correctness == LORE_C_FAIL || r->correctness == LORE_C_TIMEOUT)
        return TRIAL_WRONG;
    if (r->error)
        return TRIAL_ERROR;
    return r->correctness == LORE_C_PASS ? TRIAL_RIGHT : TRIAL_RAN;
}

enum {
    RUNS_MAX = 64,   /* of one configuration in one place that a median is made of: the newest */
    LOOKED_AT = 1024 /* of them that are looked at at all: a baseline is measured each night */
};

/* What the runs from FIRST on come to: a time, 0 for a failure, below 0 for nothing. EVIDENCE may
 * be NULL. */
static double
outcome(const struct lore_trials *t, uint32_t first, enum lore_evidence *evidence)
{
    uint8_t best = LORE_EV_COUNT;
    bool checked = false, wrong = false, error = false;
    double time[RUNS_MAX];
    size_t n = 0, seen = 0;
    uint32_t end = TRIAL_END;

    for (uint32_t i = first; i != end; i = t->run[i].next) {
        if (t->run[i].evidence < best)
            best = t->run[i].evidence;
        if (++seen == LOOKED_AT)
            end = t->run[i].next;
    }
    if (evidence)
        *evidence = best;
    for (uint32_t i = first; i != end; i = t->run[i].next) {
        const struct trial_run *r = &t->run[i];
        if (r->evidence != best)
            continue;
        if (!checked) /* the newest word on it counts */
            wrong = r->end == TRIAL_WRONG;
        checked |= r->end == TRIAL_WRONG || r->end == TRIAL_RIGHT;
        error |= r->end == TRIAL_ERROR;
        if (r->end <= TRIAL_RIGHT && r->time_ns > 0 && n < RUNS_MAX)
            time[n++] = (double)r->time_ns;
    }
    if (wrong || (n == 0 && error))
        return 0;
    return n > 0 ? lore_select_median(time, n) : -1;
}

/* What ROW says of STATE in PLACE. */
static void
add_result(struct lore_trials *t, uint32_t state, uint32_t place, struct trial_run row)
{
    struct trial_spot *spot = spot_of(t, state, place);

    row.next = spot->run;
    t->run = lore_trials_room(t->run, t->n_runs, &t->cap_runs, sizeof *t->run, 0);
    t->run[t->n_runs] = row;
    spot->run = (uint32_t)t->n_runs++;
    double time = outcome(t, spot->run, NULL);
    if (time >= 0)
        lore_moves_time(t->moves, state, place, time);
}

void
lore_trials_result(
    struct lore_trials *t, uint32_t state, uint32_t place, const struct lore_trial_run *r)
{
    struct trial_run row = {
        .evidence = (uint8_t)r->evidence, .end = (uint8_t)end_of(r), .time_ns = (float)r->time_ns};

    if (row.end != TRIAL_RAN || r->time_ns > 0)
        add_result(t, state, place, row);
}

void
lore_trials_run(struct lore_trials *t, const struct lore_trial_run *r)
{
    struct trial_version *v = lore_trials_find(t, r->version);

    if (!v || !r->chip || (end_of(r) == TRIAL_RAN && !(r->time_ns > 0)))
        return;
    uint32_t place = lore_trials_place_of(t, r->chip, r->workload, r->size);
    if (place == LORE_MOVES_NONE)
        return;
    lore_trials_kind_is(t, place, r->kind);
    lore_trials_result(t, settle_state(t, v, r->version), place, r);
}

/* ---- looking ---- */

uint32_t
lore_trials_state(const struct lore_trials *t, const char *version)
{
    const struct trial_version *v = lore_trials_find(t, version);

    return !v ? LORE_MOVES_NONE : v->state;
}

bool
lore_trials_speaks(const struct lore_trials *t, uint32_t state, uint32_t languages)
{
    return state < t->cap_languages && (t->languages[state] & languages) != 0;
}

const char *
lore_trials_version_of(const struct lore_trials *t, uint32_t state, const char *like,
    uint32_t languages, struct lore_arena *arena)
{
    const struct trial_version *liked = lore_trials_find(t, like), *found = NULL;
    char id[LORE_ULID_SIZE];

    if (!lore_trials_speaks(t, state, languages) || state >= t->cap_first_version)
        return NULL;
    for (uint32_t i = t->first_version[state]; i != TRIAL_END; i = t->version[i].next) {
        const struct trial_version *v = &t->version[i];
        bool is_liked = liked && v->kernel == liked->kernel;
        if ((v->language & languages) != 0 && (!found || is_liked))
            found = v;
        if (found == v && (!liked || is_liked))
            break;
    }
    if (!found)
        return NULL;
    lore_ulid_unpack(found->id, id);
    return lore_strdup(arena, id);
}

double
lore_trials_time(
    const struct lore_trials *t, uint32_t state, uint32_t place, enum lore_evidence *evidence)
{
    uint32_t spot = t->n_spot_slots > 0 ? t->spot_slot[spot_slot(t, state, place)] : 0;
    double time = spot > 0 ? outcome(t, t->spot[spot - 1].run, evidence) : -1;

    return time > 0 ? time : time < 0 ? 0 : -1;
}
