/* A kernel's versions in order, each with the experiment that made it, its representative run and
 * its speedups: the loader of history, frontier, drift and restart. */
#include "service/api/history.h"

#include <string.h>

#include "service/api/api_knowledge.h"
#include "service/api/objects.h"
#include "service/api/params.h"
#include "service/base/text.h"
#include "service/derive/outcome.h"

enum { PAGE = 200, MAX_VERSIONS = 1000, MAX_EXPERIMENTS = 2000, MAX_RUNS = 200 };

/* A run without its samples, which are read again when it is shown. */
struct run_head {
    const char *id;
    struct lore_timing t;
    enum lore_run_role role;
    enum lore_check check; /* NONE for a bare failure of others, which only DISPUTES it */
    bool disputes;
    double ns;         /* 0: not timed */
    const char *error; /* type of its error; NULL: none */
    int64_t seq;
};
struct loading {
    struct lore_db *db;
    struct lore_arena *arena;
    const struct lore_version_row **versions; /* newest first */
    size_t n_versions, cap_versions;
    const struct lore_experiment_row **experiments; /* newest first */
    size_t n_experiments, cap_experiments;
    struct lore_environment_hashes hards;
    bool library;    /* the kernel is one of a library */
    struct runs_of { /* by version: its runs, newest first */
        struct run_head *v;
        size_t n;
        const char *beyond; /* why a run's time is impossible; NULL: none is */
    } * runs;
};

static enum lore_status
load_versions(struct loading *l, const char *kernel, struct lore_err *err)
{
    struct lore_list_filter f = {.kernel = kernel, .page.limit = PAGE};
    size_t n = 0;

    do {
        struct lore_version_row *rows = NULL;
        enum lore_status status = lore_db_list_versions(l->db, &f, l->arena, &rows, &n, err);
        if (status != LORE_OK)
            return status;
        for (size_t i = 0; i < n; i++)
            *LORE_PUSH(l->arena, l->versions, l->n_versions, l->cap_versions) = &rows[i];
        if (n > 0)
            f.page.before = rows[n - 1].seq;
    } while (n == PAGE && l->n_versions < MAX_VERSIONS);
    return LORE_OK;
}

static enum lore_status
load_experiments(struct loading *l, const char *kernel, struct lore_err *err)
{
    struct lore_experiment_filter f = {
        .kernel = kernel, .disagrees = -1, .masked = -1, .page.limit = PAGE};
    size_t n = 0;

    do {
        struct lore_experiment_row *rows = NULL;
        enum lore_status status = lore_db_list_experiments(l->db, &f, l->arena, &rows, &n, err);
        if (status != LORE_OK)
            return status;
        for (size_t i = 0; i < n; i++)
            *LORE_PUSH(l->arena, l->experiments, l->n_experiments, l->cap_experiments) = &rows[i];
        if (n > 0)
            f.page.before = rows[n - 1].seq;
    } while (n == PAGE && l->n_experiments < MAX_EXPERIMENTS);
    return LORE_OK;
}

static struct lore_timing
timing_of(const struct lore_run_row *r, const char *hard, struct lore_arena *arena)
{
    return (struct lore_timing){.workload = lore_strdup(arena, r->workload.id),
        .workload_label = lore_strdup(arena, r->workload.label),
        .chip = lore_strdup(arena, r->r.chip),
        .environment = lore_strdup(arena, r->r.environment),
        .hard = hard,
        .method = lore_strdup(arena, r->r.tool),
        .measured = lore_timing_is_measured(r->r.evidence)};
}

/* Load the runs of one version that count, without samples. */
static enum lore_status
load_version_runs(struct loading *l, const char *version, struct runs_of *out, struct lore_err *err)
{
    struct lore_list_filter f = {.version = version, .page.limit = MAX_RUNS};
    LORE_SCRATCH scratch = {0};
    struct lore_run_row *rows = NULL;
    size_t n = 0;
    enum lore_status status = lore_db_list_runs(l->db, &f, &scratch, &rows, &n, err);

    if (status == LORE_OK)
        out->v = lore_alloc_array(l->arena, n + 1, sizeof *out->v);
    for (size_t i = 0; status == LORE_OK && i < n; i++) {
        if (rows[i].beyond)
            out->beyond = lore_strdup(l->arena, rows[i].beyond);
        if (!lore_run_counts(&rows[i]))
            continue;
        const char *hard = NULL;
        status = lore_timing_environment_hash(
            l->db, &l->hards, rows[i].r.environment, l->arena, &hard, err);
        out->v[out->n++] = (struct run_head){.id = lore_strdup(l->arena, rows[i].r.id),
            .t = timing_of(&rows[i], hard, l->arena),
            .role = rows[i].r.role,
            .check = rows[i].r.correctness.set && !rows[i].disputes ? rows[i].r.correctness.status
                                                                    : LORE_C_NONE,
            .disputes = rows[i].disputes,
            .ns = lore_run_time_ns(&rows[i].r, &scratch),
            .error = rows[i].r.error.set ? lore_strdup(l->arena, rows[i].r.error.type) : NULL,
            .seq = rows[i].seq};
    }
    return status;
}

static enum lore_status
load_runs(struct loading *l, struct lore_err *err)
{
    enum lore_status status = LORE_OK;

    l->runs = lore_alloc_array(l->arena, l->n_versions + 1, sizeof *l->runs);
    for (size_t i = 0; status == LORE_OK && i < l->n_versions; i++)
        status = load_version_runs(l, l->versions[i]->v.id, &l->runs[i], err);
    return status;
}

/* Whether a run may represent its version: timed, on the requested workload and chip. Reference
 * runs measure something else. */
static bool
counts(const struct run_head *r, const struct lore_history_filter *of)
{
    return r->ns > 0 && r->role != LORE_ROLE_REFERENCE &&
           (!of->workload || lore_streq(r->t.workload, of->workload)) &&
           (!of->chip || lore_streq(r->t.chip, of->chip));
}

/* Choose the timing conditions of most versions, those of measured times if there are some. The
 * request's workload and chip take precedence. */
static void
choose_timing(const struct loading *l, const struct lore_history_filter *of, struct lore_history *h)
{
    struct lore_timing_of *all = NULL;
    const struct lore_timing *best;
    size_t n = 0, cap = 0;
    bool measured = false;

    for (size_t i = 0; i < l->n_versions; i++)
        for (size_t k = 0; k < l->runs[i].n; k++)
            measured = measured || (counts(&l->runs[i].v[k], of) && l->runs[i].v[k].t.measured);

    for (size_t i = 0; i < l->n_versions; i++) {
        enum lore_version_kind kind = l->versions[i]->v.kind;
        bool aside = kind == LORE_V_BRANCH || kind == LORE_V_ABLATION || kind == LORE_V_LIBRARY;

        for (size_t k = 0; k < l->runs[i].n; k++) {
            const struct run_head *r = &l->runs[i].v[k];

            if (counts(r, of) && r->t.workload && r->t.measured == measured)
                *LORE_PUSH(l->arena, all, n, cap) = (struct lore_timing_of){r->t, i, aside};
        }
    }
    best = lore_timing_choose(all, n);
    h->timed = best != NULL;
    if (best)
        h->timing = *best;
    if (of->workload)
        h->timing.workload = of->workload;
    if (of->chip)
        h->timing.chip = of->chip;
}

/* Whether R rather than OTHER gives the time of its version: measured before stated, then fastest.
 */
static bool
counts_before(const struct run_head *r, const struct run_head *other)
{
    return r->t.measured != other->t.measured ? r->t.measured : r->ns < other->ns;
}

/* Set the representative run of version I: the one that counts of the comparable ones, else the
 * newest on the workload, whose time is not compared. */
static void
set_run(const struct loading *l, size_t i, const struct lore_history_filter *of,
    const struct lore_history *h, struct lore_history_version *t)
{
    const struct run_head *found = NULL;
    bool comparable = false;

    for (size_t k = 0; k < l->runs[i].n; k++) {
        const struct run_head *r = &l->runs[i].v[k];

        if (!counts(r, of) ||
            (h->timing.workload && !lore_streq(r->t.workload, h->timing.workload)))
            continue;
        bool fits = !h->timed || lore_timing_comparable(&r->t, &h->timing);
        if (!found || (fits && (!comparable || counts_before(r, found))))
            found = r;
        comparable = comparable || fits;
    }
    for (size_t k = 0; k < l->runs[i].n && !found && !t->error_type; k++)
        t->error_type = l->runs[i].v[k].error;
    if (!found)
        return;
    t->run = found->id;
    t->time_ns = found->ns;
    t->seq = found->seq;
    t->measured = found->t.measured;
    if (h->timed)
        t->elsewhere = lore_timing_differences(&found->t, &h->timing, l->arena);
}

static bool
timed(const struct runs_of *runs)
{
    for (size_t k = 0; k < runs->n; k++)
        if (runs->v[k].ns > 0 && runs->v[k].role != LORE_ROLE_REFERENCE)
            return true;
    return false;
}

/* Use the time that an experiment states: after the change for the version that it made, else
 * BEFORE it for the version that it compares with. It names no environment and no tool, so these
 * are not compared. A version timed on other workloads gets no time: the stated one may belong to
 * one of those or be their mean. */
static void
set_stated_time(const struct runs_of *runs, const struct lore_history *h, struct lore_arena *arena,
    const struct lore_experiment_row *e, bool before, struct lore_history_version *t)
{
    const char *chip = e->e.chip;
    const bool baseline = t->version->v.kind == LORE_V_BASELINE && !e->outcome.after_ns.set;
    const struct lore_f64 ns = before     ? e->outcome.before_ns
                               : baseline ? e->e.claim.latency_after_ns
                                          : e->outcome.after_ns;

    if (!ns.set || !(ns.v > 0) || timed(runs) ||
        (h->timing.workload && !lore_streq(e->workload.id, h->timing.workload)))
        return;
    t->time_ns = ns.v;
    t->seq = e->seq;
    t->measured = lore_timing_is_measured(e->e.evidence);
    t->chip = chip;
    if (chip && h->timing.chip && !lore_streq(chip, h->timing.chip))
        t->elsewhere = lore_format(arena, "chip %s", chip);
}

/* Whether E started from a version of this kernel. An experiment that started from a library
 * compares the version with it and did not make the version. */
static bool
from_here(const struct loading *l, const struct lore_experiment_row *e)
{
    for (size_t i = 0; i < l->n_versions; i++)
        if (lore_streq(l->versions[i]->v.id, e->e.from_version))
            return true;
    return !e->e.from_version;
}

static void
set_experiment(const struct loading *l, size_t at, const struct lore_history *h,
    struct lore_history_version *t)
{
    size_t hidden = 0;
    int best = -1;

    for (size_t i = 0; i < l->n_experiments; i++) {
        const struct lore_experiment_row *e = l->experiments[i];

        if (!lore_streq(e->e.to_version, t->version->v.id))
            continue;
        *LORE_PUSH(l->arena, t->made, t->n_made, t->cap_made) = e;
        hidden += e->masked;
        int fit = 2 * !e->masked + from_here(l, e);
        if (fit > best) {
            best = fit;
            t->experiment = e;
        }
    }
    t->hidden = t->n_made > 0 && hidden == t->n_made;
    if (!t->run && t->experiment)
        set_stated_time(&l->runs[at], h, l->arena, t->experiment, false, t);
    const bool first = t->version->v.kind == LORE_V_BASELINE && !t->run;
    for (size_t i = 0; first && t->time_ns <= 0 && i < l->n_experiments; i++)
        if (lore_streq(l->experiments[i]->e.from_version, t->version->v.id))
            set_stated_time(&l->runs[at], h, l->arena, l->experiments[i], true, t);
}

/* The checks of a version, as far as they concern the place of a history. */
struct checks {
    bool failed, timed_out, passed; /* at the place */
    bool passed_workload, passed_anywhere;
};

static void
add_check(struct checks *c, enum lore_check check, bool workload, bool chip)
{
    bool pass = check == LORE_C_PASS;

    c->failed = c->failed || (workload && chip && check == LORE_C_FAIL);
    c->timed_out = c->timed_out || (workload && chip && check == LORE_C_TIMEOUT);
    c->passed = c->passed || (workload && chip && pass);
    c->passed_workload = c->passed_workload || (workload && pass);
    c->passed_anywhere = c->passed_anywhere || pass;
}

static enum lore_check
check_named(const char *name)
{
    enum lore_check c = LORE_C_NONE;

    while (c < LORE_C_COUNT && !lore_streq(lore_check_name(c), name))
        c++;
    return c < LORE_C_COUNT ? c : LORE_C_NONE;
}

static bool
fits(const char *wanted, const char *got)
{
    return !wanted || lore_streq(wanted, got);
}

/* A stated pass counts where no run was checked. */
static struct checks
checks_of(
    const struct runs_of *runs, struct lore_history_version *t, const struct lore_timing *place)
{
    struct checks c = {0};
    bool any = false;

    for (size_t k = 0; k < runs->n; k++) {
        const struct run_head *r = &runs->v[k];

        add_check(&c, r->check, fits(place->workload, r->t.workload), fits(place->chip, r->t.chip));
        any = any || (r->check != LORE_C_NONE && r->check != LORE_C_NOT_CHECKED);
        if (r->disputes)
            t->disputed = r->id;
    }
    for (size_t k = 0; k < t->n_made; k++) {
        const struct lore_experiment_row *e = t->made[k];
        enum lore_check check = check_named(e->outcome.correctness);

        if (e->disputes && !e->masked)
            t->disputed = e->e.id;
        else if (!e->masked && !(any && check == LORE_C_PASS))
            add_check(
                &c, check, fits(place->workload, e->workload.id), fits(place->chip, e->e.chip));
    }
    return c;
}

/* Whether the experiments that made the version at PLACE are all hidden. */
static bool
hidden_at(const struct lore_history_version *t, const struct lore_timing *place)
{
    size_t n = 0, hidden = 0;

    for (size_t k = 0; k < t->n_made; k++) {
        const struct lore_experiment_row *e = t->made[k];

        if (!fits(place->workload, e->workload.id) || !fits(place->chip, e->e.chip))
            continue;
        n++;
        hidden += e->masked;
    }
    return n > 0 && hidden == n;
}

static struct lore_step_in
step_in(
    const struct loading *l, size_t i, const struct lore_history *h, struct lore_history_version *t)
{
    const struct lore_version *v = &l->versions[i]->v;
    struct checks c = checks_of(&l->runs[i], t, &h->timing);

    t->check = c.failed      ? LORE_C_FAIL
               : c.timed_out ? LORE_C_TIMEOUT
               : c.passed    ? LORE_C_PASS
                             : LORE_C_NOT_CHECKED;
    return (struct lore_step_in){.id = v->id,
        .parent = v->n_parents > 0                               ? v->parents[0].version
                  : t->experiment && from_here(l, t->experiment) ? t->experiment->e.from_version
                                                                 : NULL,
        .ordinal = v->ordinal,
        .seq = l->versions[i]->seq,
        .standing = {.kind = v->kind,
            .library = l->library,
            .failed = c.failed || c.timed_out,
            .passed_elsewhere_only = h->timing.workload && c.passed_anywhere && !c.passed_workload,
            .hidden = hidden_at(t, &h->timing)},
        .time = {.measured = t->measured,
            .checked = !t->measured || c.passed,
            .in_method = true,
            .ns = !t->elsewhere ? t->time_ns : 0,
            .seq = t->seq}};
}

static void
build_entries(const struct loading *l, const struct lore_history_filter *of, struct lore_history *h)
{
    struct lore_step_in *in = lore_alloc_array(l->arena, l->n_versions + 1, sizeof *in);

    h->entries = lore_alloc_array(l->arena, l->n_versions + 1, sizeof *h->entries);
    for (size_t i = 0; i < l->n_versions; i++) {
        struct lore_history_version *t = &h->entries[i];

        *t = (struct lore_history_version){.version = l->versions[i], .beyond = l->runs[i].beyond};
        set_run(l, i, of, h, t);
        set_experiment(l, i, h, t);
        in[i] = step_in(l, i, h, t);
    }
    lore_lineage_order(in, l->n_versions, l->arena, &h->line);
}

const struct lore_history_version *
lore_history_champion(const struct lore_history *h)
{
    return h->line.champion < h->line.n ? &h->entries[h->line.steps[h->line.champion].in] : NULL;
}

enum lore_status
lore_history_load(struct lore_db *db, const char *kernel, const struct lore_history_filter *of,
    struct lore_arena *arena, struct lore_history *out, struct lore_err *err)
{
    struct loading l = {.db = db, .arena = arena};
    struct lore_kernel_row k = {0};
    enum lore_status status = lore_db_get_kernel(db, kernel, arena, &k, err);

    if (status == LORE_OK)
        status = load_versions(&l, kernel, err);
    l.library = k.k.language == LORE_LANG_LIBRARY;
    if (status == LORE_OK)
        status = load_experiments(&l, kernel, err);
    if (status == LORE_OK)
        status = load_runs(&l, err);
    if (status != LORE_OK)
        return status;
    *out = (struct lore_history){.asked = *of,
        .older_versions = k.n_versions - (int64_t)l.n_versions,
        .older_experiments = k.n_experiments - (int64_t)l.n_experiments};
    choose_timing(&l, of, out);
    build_entries(&l, of, out);
    return lore_db_list_left_out(db, kernel, arena, &out->left_out, &out->n_left_out, err);
}

enum lore_status
lore_history_read_hidden(struct lore_db *db, struct lore_history_version *t, struct lore_err *err)
{
    LORE_SCRATCH scratch = {0};
    struct lore_standing s = {0};
    enum lore_status status = lore_db_get_standing(db, t->version->v.id, &scratch, &s, err);

    if (status == LORE_OK && t->hidden)
        status = lore_db_get_hidden_why(db, t->experiment->e.id, &t->hidden_why, err);
    t->retracted = s.retracted;
    return status;
}
