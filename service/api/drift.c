/* GET /api/v1/kernels/{id}/drift: how the bottleneck moves over a kernel's versions, by the
 * roofline gaps (service/derive/gaps.h) of each version's newest run with metrics. The gaps of a
 * version without such a run are unknown, which is not the same as 0. */
#include "service/derive/drift.h"

#include <string.h>

#include "service/api/api_knowledge.h"
#include "service/api/history.h"
#include "service/api/objects.h"
#include "service/api/params.h"
#include "service/base/text.h"
#include "service/derive/budget.h"

enum { LOOKED_AT = 8 /* runs of a version */ };

struct profiled {
    const char *run;
    struct lore_gaps gaps;
};

/* Copy the texts, because the gaps are used after the run is freed. */
static void
copy_gaps(struct lore_arena *arena, const struct lore_run *r, struct profiled *out)
{
    LORE_SCRATCH scratch = {0};
    bool degraded = r->error.set && lore_streq(r->error.type, "profiling");
    const char **names;

    lore_roofline_gaps(&r->metrics, degraded, LORE_GAPS_STRICT, &scratch, &out->gaps);
    names = lore_alloc_array(arena, out->gaps.n_unknown + 1, sizeof *names);
    for (size_t i = 0; i < out->gaps.n_unknown; i++)
        names[i] = lore_strdup(arena, out->gaps.unknown_inputs[i]);
    out->gaps.unknown_inputs = names;
    out->run = lore_strdup(arena, r->id);
}

/* Find the newest run of VERSION with metrics that is not retracted. OF without a chip: on any
 * chip. */
static enum lore_status
find_profiled(struct lore_req *req, const char *version, const struct lore_history_filter *of,
    struct profiled *out, struct lore_err *err)
{
    struct lore_list_filter f = {
        .version = version, .workload = of->workload, .chip = of->chip, .page.limit = LOOKED_AT};
    LORE_SCRATCH scratch = {0};
    struct lore_run_row *rows = NULL;
    size_t n = 0;
    enum lore_status status = lore_db_list_runs(req->db, &f, &scratch, &rows, &n, err);

    for (size_t i = 0; status == LORE_OK && !out->run && i < n; i++) {
        struct lore_run_row run = {0};

        if (!lore_run_counts(&rows[i]))
            continue;
        status = lore_db_get_run(req->db, rows[i].r.id, &scratch, &run, err);
        if (status == LORE_OK && run.r.metrics.n > 0)
            copy_gaps(req->arena, &run.r, out);
    }
    return status;
}

struct step {
    struct lore_drift_step s;
    const char *version, *run, *moved_from;
    const struct lore_gaps *gaps;          /* NULL: not known */
    const struct lore_axis_budget *budget; /* NULL: a gap is not known */
};

static void
write_across(struct lore_jsonw *w, const char *key, const void *row)
{
    const struct lore_drift_step *s = &((const struct step *)row)->s;

    if (s->migrated)
        lore_w_kbool(w, key, s->across_unknown);
}

#define ROW struct step
static const struct lore_object_member step[] = {
    {"!version", AT(version), "ulid"},
    {"!label", AT(s.version)},
    {"!run", AT(run), "ulid?", "run with these metrics"},
    {"!gaps", POINTER(gaps, lore_gaps_object)},
    {"!bound", NAMED(s.bound, lore_bound_name), LORE_BOUND_NAMES},
    {"!axis_budget", POINTER(budget, lore_axis_budget_object)},
    {"d_compute", AT(s.d_compute), NULL, "change of the gap since the version before"},
    {"d_memory", AT(s.d_memory)},
    {"d_latency", AT(s.d_latency)},
    {"!moved", AT(s.migrated)},
    {"moved_from", AT(moved_from), LORE_BOUND_NAMES},
    {"moved_from_version", AT(s.from_version)},
    {"across_unknown", WRITTEN(write_across), "boolean",
        "versions whose bound is not known lie between"},
};
static const struct lore_object lore_drift_step_object = LORE_OBJECT("DriftStep", step);
#undef ROW

struct answer {
    struct step *steps;
    size_t n;
    const char *next, *chip; /* next: NULL, all steps are on one page */
    struct lore_drift drift;
};
#define ROW struct answer
static const struct lore_object_member answer[] = {
    {"!rows", LIST(steps, n, lore_drift_step_object)},
    {"!next", AT(next), "text?"},
    {"chip", AT(chip)},
    {"!summary", AT(drift.summary)},
    {"!moves", AT(drift.n_migrations)},
    {"!unknown", AT(drift.n_unknown)},
};
const struct lore_object lore_drift_object = LORE_OBJECT("Drift", answer);
#undef ROW

static struct step
step_of(struct lore_arena *arena, const struct lore_history_version *t,
    const struct profiled *profiled, const struct lore_drift_step *s)
{
    struct lore_axis_budget *budget = lore_alloc(arena, sizeof *budget);
    struct step out = {.s = *s, .version = t->version->v.id, .run = profiled->run};

    if (profiled->run)
        out.gaps = &profiled->gaps;
    if (lore_axis_budget_of(&profiled->gaps, budget))
        out.budget = budget;
    if (s->migrated)
        out.moved_from = lore_bound_name(s->from);
    else
        out.s.from_version = NULL;
    return out;
}

static const char *
label_of(struct lore_arena *arena, const struct lore_version *v)
{
    if (v->label)
        return v->label;
    if (v->tag)
        return v->tag;
    return v->ordinal.set ? lore_format(arena, "v%lld", (long long)v->ordinal.v) : v->id;
}

static enum lore_status
find_all_profiled(struct lore_req *req, const struct lore_history *h,
    const struct lore_history_filter *of, struct profiled *profiled, struct lore_err *err)
{
    enum lore_status status = LORE_OK;

    for (size_t i = 0; status == LORE_OK && i < h->line.n; i++)
        status = find_profiled(
            req, h->entries[h->line.steps[i].in].version->v.id, of, &profiled[i], err);
    return status;
}

static bool
any(const struct profiled *profiled, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (profiled[i].run)
            return true;
    return false;
}

enum lore_status
lore_api_drift(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    const char *asked;
    struct lore_history_filter of;
    struct lore_history h = {0};
    struct lore_drift_in *in;
    struct answer x = {0};
    struct profiled *profiled;
    enum lore_status status = lore_history_read_filter(req, &of, err);

    if (status == LORE_OK)
        status = lore_history_load(req->db, req->vars[0], &of, req->arena, &h, err);
    if (status != LORE_OK)
        return status;
    in = lore_alloc_array(req->arena, h.line.n + 1, sizeof *in);
    profiled = lore_alloc_array(req->arena, h.line.n + 1, sizeof *profiled);
    asked = of.chip;
    if (!of.chip)
        of.chip = h.timing.chip; /* gaps of two chips are not compared */
    status = find_all_profiled(req, &h, &of, profiled, err);
    if (status == LORE_OK && !asked && !any(profiled, h.line.n)) {
        of.chip = NULL; /* no run on the timed chip was profiled */
        status = find_all_profiled(req, &h, &of, profiled, err);
    }
    for (size_t i = 0; status == LORE_OK && i < h.line.n; i++)
        in[i] = (struct lore_drift_in){
            label_of(req->arena, &h.entries[h.line.steps[i].in].version->v), profiled[i].gaps};
    if (status != LORE_OK)
        return status;
    lore_drift_bottleneck(in, h.line.n, req->arena, &x.drift);
    x.chip = of.chip;
    x.n = h.line.n;
    x.steps = lore_alloc_array(req->arena, x.n + 1, sizeof *x.steps);
    for (size_t i = 0; i < x.n; i++)
        x.steps[i] =
            step_of(req->arena, &h.entries[h.line.steps[i].in], &profiled[i], &x.drift.steps[i]);
    return lore_reply_object(resp, &lore_drift_object, &x, err);
}
