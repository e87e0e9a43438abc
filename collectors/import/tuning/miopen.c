/* Reads MIOpen's find databases: the times of solvers on convolutions of one chip. A solver becomes
 * a version of the kernel "miopen", a problem a workload, a timing a run without samples. For each
 * problem, the experiments go from its fastest matrix-multiplication solver to each other listed
 * solver. A problem without such a solver gives no experiments: with its slowest solver as base,
 * every experiment would be a win.
 *
 * A version does not depend on the file, so databases of several chips share versions and
 * workloads. */
#include <string.h>

#include "collectors/import/importers.h"
#include "collectors/import/index.h"
#include "collectors/import/seen.h"
#include "collectors/import/tuning/miopen.h"
#include "collectors/import/window.h"
#include "service/base/hash.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/wire/build.h"
#include "service/wire/wire.h"

#define SYSTEM "miopen-find-db"
#define KEY_LETTERS "0123456789-xABCDEFGHIJKLMNOPQRSTUVWXYZ_g"
#define MAX_REFUSALS 100 /* listed refusals; more are only counted */

struct reader {
    struct lore_import *in;
    const char *chip, *environment;
    struct lore_index versions; /* ids already added */
    struct lore_seen keys;      /* problems already added */
    bool unused;                /* LORE_MIOPEN_UNUSED was there */
    size_t problems, timings, faults, ties, without_base, experiments, repeated;
};

static const char *
after_last(const char *text, char c)
{
    const char *at = strrchr(text, c);
    return at ? at + 1 : text;
}

bool
lore_miopen_detect(const struct lore_import_tree *t, const char *unit)
{
    const struct lore_import_file *f = lore_tree_file(t, "", unit);

    if (!f || !f->utf8 || lore_import_json(f) || f->problem)
        return false;
    if (strstr(after_last(f->path, '/'), ".fdb.txt"))
        return true;
    /* else check the first line: a key of digits, letters and '-', then an algorithm of the
     * library */
    const char *rest = f->head + strspn(f->head, KEY_LETTERS);
    const char *algorithm = *rest == '=' ? strstr(rest, ",miopenConvolution") : NULL;
    return algorithm && strcspn(rest, "\n") > (size_t)(algorithm - rest);
}

/* ---- records shared by all runs of a file ---- */

static void
name_chip(struct reader *r)
{
    struct lore_import *in = r->in;
    int units = 0;

    r->chip = in->chip ? in->chip : lore_miopen_chip(in->arena, in->file, &units);
    if (!r->chip)
        lore_import_note(in, LORE_IL_DOUBTS, "%s: chip unknown; name it with --chip", in->file);
    else if (!in->chip && lore_chip_find(r->chip)->product)
        lore_import_note(in, LORE_IL_DOUBTS,
            "%s: chip taken from the file's name: %d compute units of this ISA mean %s (--chip "
            "overrides it)",
            in->file, units, r->chip);
    else
        lore_import_note(in, LORE_IL_NAMES, "%s: chip %s", in->file, r->chip);
    if (!r->chip && units == 0)
        return;
    struct lore_submission *doc = in->doc;
    r->environment =
        lore_build_id(lore_import_kept(in), 0, "miopen-environment|%s|%d", r->chip, units);
    struct lore_environment *e =
        LORE_PUSH(in->arena, doc->environments, doc->n_environments, doc->cap_environments);
    e->id = r->environment;
    e->chip = r->chip;
    if (units > 0)
        lore_kvs_set(in->arena, &e->hard, "compute_units", lore_format(in->arena, "%d", units));
}

/* ---- records ---- */

/* The version of a solver. Every database has it, so it is of no file: no provenance. */
static const char *
version_of(struct reader *r, const char *kernel, const struct lore_miopen_timing *t)
{
    struct lore_arena *arena = r->in->arena;
    struct lore_submission *doc = r->in->doc;
    const char *id = lore_build_id(arena, 0, "miopen-solver|%s|%s", kernel, t->solver);

    size_t *count = lore_index_at(lore_import_kept(r->in), &r->versions, id);
    if ((*count)++ > 0)
        return id;
    struct lore_version *v = LORE_PUSH(arena, doc->versions, doc->n_versions, doc->cap_versions);
    v->id = id;
    v->kernel = kernel;
    v->kind = LORE_V_CANDIDATE;
    v->label = t->solver;
    lore_kvs_set(arena, &v->params, "solver", lore_build_json_text(arena, t->solver));
    lore_import_note(r->in, LORE_IL_NAMES, "%s: technique %s", t->solver,
        lore_miopen_technique(arena, t->solver));
    return id;
}

/* Add the run of a timing; return its id. */
static const char *
map_run(struct reader *r, const struct lore_miopen_problem *p, const struct lore_miopen_timing *t,
    const char *version)
{
    struct lore_arena *arena = r->in->arena;
    struct lore_submission *doc = r->in->doc;
    char time[32];

    lore_f64_text(t->ms, time);
    const char *id = lore_build_id(arena, 0, "miopen-run|%s|%s|%s|%s|%lld", version,
        r->environment ? r->environment : "", p->key, time, (long long)t->workspace_bytes);
    struct lore_run *run = LORE_PUSH(arena, doc->runs, doc->n_runs, doc->cap_runs);
    run->id = id;
    run->version = version;
    run->evidence = LORE_EV_IMPORTED;
    run->workload = (struct lore_workload){
        .op = p->op, .dims = p->dims, .dtype = p->dtype, .layout = p->layout, .set = true};
    run->chip = r->chip;
    run->environment = r->environment;
    run->tool = SYSTEM;
    if (t->algorithm)
        lore_kvs_set(arena, &run->launch, "algorithm", lore_build_json_text(arena, t->algorithm));
    lore_kvs_set(arena, &run->launch, "workspace_bytes",
        lore_format(arena, "%lld", (long long)t->workspace_bytes));
    run->summary.set = true;
    run->summary.mean_ns = (struct lore_f64){true, lore_build_ns(t->ms)};
    run->provenance.system = SYSTEM;
    run->provenance.external_id = p->key;
    if (t->rest)
        run->extra =
            lore_format(arena, "{\"kernel_cache\":%s}", lore_build_json_text(arena, t->rest));
    return id;
}

struct mapped {
    const struct lore_miopen_timing *timing;
    const char *version, *run;
};

static void
map_switch(struct reader *r, const char *kernel, const struct mapped *from, const struct mapped *to)
{
    struct lore_arena *arena = r->in->arena;
    struct lore_submission *doc = r->in->doc;
    const char *id = lore_build_id(arena, 0, "miopen-switch|%s|%s", from->run, to->run);

    struct lore_experiment *x =
        LORE_PUSH(arena, doc->experiments, doc->n_experiments, doc->cap_experiments);
    x->id = id;
    x->kernel = kernel;
    x->from_version = from->version;
    x->to_version = to->version;
    lore_build_text(arena, &x->runs_before, from->run);
    lore_build_text(arena, &x->runs_after, to->run);
    x->title = lore_format(arena, "%s → %s", from->timing->solver, to->timing->solver);
    struct lore_use *u = LORE_PUSH(arena, x->techniques, x->n_techniques, x->cap_techniques);
    u->name = lore_miopen_technique(arena, to->timing->solver);
    lore_kvs_set(arena, &u->params, "solver", lore_build_json_text(arena, to->timing->solver));
    x->chip = r->chip;
    x->evidence = LORE_EV_IMPORTED;
    x->provenance.system = SYSTEM;
    r->experiments++;
}

static void
map_problem(struct reader *r, const struct lore_miopen_problem *p)
{
    struct lore_import *in = r->in;
    struct mapped *all = lore_alloc_array(in->arena, p->n, sizeof *all), *base = NULL;
    const char *kernel = lore_build_kernel(in->arena, in->doc, p->op, LORE_LANG_HIP, "miopen");

    r->repeated += lore_seen_add(lore_import_kept(in), &r->keys, p->key, "", 0) != LORE_SEEN_NEW;
    for (size_t i = 0; i < p->n; i++) {
        const struct lore_miopen_timing *t = &p->timings[i];
        all[i] = (struct mapped){.timing = t, .version = version_of(r, kernel, t)};
        all[i].run = map_run(r, p, t, all[i].version);
        if (!base && t == lore_miopen_base(p))
            base = &all[i];
        r->ties += i > 0 && t->ms == p->timings[i - 1].ms;
    }
    r->problems++;
    r->timings += p->n;
    r->without_base += !base;
    for (size_t i = 0; i < p->n && base; i++) {
        if (&all[i] != base)
            map_switch(r, kernel, base, &all[i]);
    }
}

/* Timings that were not read; the others of the line are. */
static void
list_faults(struct reader *r, const struct lore_miopen_problem *p, size_t line)
{
    for (size_t i = 0; i < p->faults.n; i++) {
        if (r->faults++ < MAX_REFUSALS)
            lore_import_note(r->in, LORE_IL_ERRORS, "%s line %zu: %s; the other timings are read",
                r->in->file, line, p->faults.v[i]);
        else
            lore_import_note(r->in, LORE_IL_ERRORS, "%s: more timings were refused", r->in->file);
    }
}

static void
read_line(struct reader *r, const char *text, size_t len, size_t line)
{
    struct lore_import *in = r->in;
    struct lore_miopen_problem p;
    struct lore_err err = {0};

    in->records++;
    r->unused |= memmem(text, len, LORE_MIOPEN_UNUSED, strlen(LORE_MIOPEN_UNUSED)) != NULL;
    if (lore_miopen_line(in->arena, text, len, &p, &err) == LORE_OK) {
        list_faults(r, &p, line);
        map_problem(r, &p);
        return;
    }
    if (in->refused < MAX_REFUSALS) {
        lore_import_refuse_line(in, line, "%s", err.msg);
        return;
    }
    in->refused++;
    lore_import_note(in, LORE_IL_ERRORS, "%s: more lines were refused", in->file);
}

static void
doubts(const struct reader *r)
{
    struct lore_import *in = r->in;

    lore_import_note(in, LORE_IL_NAMES,
        "%s: %zu problems, %zu timings, %zu experiments from the fastest matrix-multiplication "
        "solver of a problem to each other solver",
        in->file, r->problems, r->timings, r->experiments);
    if (r->without_base > 0)
        lore_import_note(in, LORE_IL_DOUBTS,
            "%s: %zu problems list no matrix-multiplication solver; they give runs, but no "
            "experiments",
            in->file, r->without_base);
    if (r->ties > 0)
        lore_import_note(in, LORE_IL_DOUBTS,
            "%s: %zu timings equal that of another solver of the same problem; their order means "
            "nothing",
            in->file, r->ties);
    if (r->repeated > 0)
        lore_import_note(in, LORE_IL_CONFLICTS,
            "%s: %zu lines repeat the problem of an earlier line", in->file, r->repeated);
    if (r->unused)
        lore_import_note(in, LORE_IL_EXTRA,
            "%s: \"" LORE_MIOPEN_UNUSED "\" stands for no key of the kernel cache and is in the "
            "file only",
            in->file);
    lore_import_note(in, LORE_IL_DOUBTS,
        "%s: a database lists only the best solvers of a problem, so winning solvers are "
        "over-represented. The statistic of the times is not stated; recorded as the mean",
        in->file);
}

enum lore_status
lore_miopen_read(struct lore_import *in, struct lore_err *err)
{
    struct reader r = {.in = in};
    struct lore_feed feed;
    struct lore_window w;
    const char *text;
    size_t len, line;

    if (!in->at || !in->at->utf8)
        return lore_fail(
            err, LORE_INVALID, "expected lines like problem=solver:time,workspace,algorithm");
    name_chip(&r);
    enum lore_status status = lore_feed_open(in, &feed, err);
    if (status != LORE_OK)
        return status;
    lore_window_open(&w, &feed);
    while (status == LORE_OK && lore_window_next_line(&w, &text, &len, &line)) {
        if (len == w.max)
            lore_import_refuse_line(in, line, "longer than %zu MiB", len >> 20);
        else if (len > 0)
            read_line(&r, text, len, line);
        status = lore_import_flush(in, err);
    }
    if (status == LORE_OK && w.err.status != LORE_OK)
        status = lore_fail(err, w.err.status, "%s", w.err.msg);
    lore_window_close(&w);
    if (status != LORE_OK)
        return status;
    if (r.problems > 0)
        doubts(&r);
    else if (in->records == 0)
        return lore_fail(err, LORE_INVALID, "the file lists no problem");
    return LORE_OK;
}
