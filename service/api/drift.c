/* GET /api/v1/kernels/{id}/drift: where the bottleneck moves over a kernel's versions, in order. Of
 * each version the newest run with metrics counts; without one its gaps are not known, which is not
 * the same as no gap. */
#include "service/derive/drift.h"

#include <string.h>

#include "service/api/api_knowledge.h"
#include "service/api/diagnosis.h"
#include "service/api/edge.h"
#include "service/api/history.h"
#include "service/api/present.h"
#include "service/base/text.h"

enum { LOOKED_AT = 8 /* runs of a version */ };

struct seen {
    const char *run;
    struct lore_gaps gaps;
};

/* Gaps outlive the run they come from: their texts are copied. */
static void
keep(struct lore_arena *arena, const struct lore_run *r, struct seen *out)
{
    struct lore_arena scratch = {0};
    bool degraded = r->error.set && lore_streq(r->error.type, "profiling");
    const char **names;

    lore_roofline_gaps(&r->metrics, degraded, LORE_GAPS_HONEST, &scratch, &out->gaps);
    names = lore_alloc_array(arena, out->gaps.n_unknown + 1, sizeof *names);
    for (size_t i = 0; i < out->gaps.n_unknown; i++)
        names[i] = lore_strdup(arena, out->gaps.unknown_inputs[i]);
    out->gaps.unknown_inputs = names;
    out->run = lore_strdup(arena, r->id);
    lore_arena_free(&scratch);
}

/* The newest run of VERSION with metrics that is not retracted, if any; CHIP NULL: on any. */
static enum lore_status
look(struct lore_req *req, const char *version, const struct lore_history_of *of, struct seen *out,
    struct lore_err *err)
{
    struct lore_page page = {.limit = LOOKED_AT};
    struct lore_arena scratch = {0};
    struct lore_run_row *rows = NULL;
    size_t n = 0;
    enum lore_status status =
        lore_list_runs(req->db, version, of->workload, of->chip, page, &scratch, &rows, &n, err);

    for (size_t i = 0; status == LORE_OK && out->run == NULL && i < n; i++) {
        struct lore_run_row run = {0};

        if (rows[i].retracted)
            continue;
        status = lore_get_run(req->db, rows[i].r.id, &scratch, &run, err);
        if (status == LORE_OK && run.r.metrics.n > 0)
            keep(req->arena, &run.r, out);
    }
    lore_arena_free(&scratch);
    return status;
}

static void
put_step(struct lore_jsonw *w, const struct lore_told *t, const struct seen *seen,
    const struct lore_drift_step *s)
{
    lore_w_obj(w);
    lore_w_kstr(w, "version", t->version->v.id);
    lore_w_kstr(w, "label", s->version);
    lore_w_kstr(w, "run", seen->run);
    lore_w_key(w, "gaps");
    if (seen->run == NULL)
        lore_w_null(w);
    else
        lore_present_gaps(w, &seen->gaps);
    lore_w_kstr(w, "bound", lore_bound_name(s->bound));
    lore_present_budget_of(w, &seen->gaps);
    lore_present_f64(w, "d_compute", s->d_compute);
    lore_present_f64(w, "d_memory", s->d_memory);
    lore_present_f64(w, "d_latency", s->d_latency);
    lore_w_kbool(w, "moved", s->migrated);
    if (s->migrated) {
        lore_w_kstr(w, "moved_from", lore_bound_name(s->from));
        lore_w_kstr(w, "moved_from_version", s->from_version);
        lore_w_kbool(w, "across_unknown", s->across_unknown);
    }
    lore_w_obj_end(w);
}

static const char *
label_of(struct lore_arena *arena, const struct lore_version *v)
{
    if (v->label != NULL)
        return v->label;
    if (v->tag != NULL)
        return v->tag;
    return v->ordinal.set ? lore_format(arena, "v%lld", (long long)v->ordinal.v) : v->id;
}

static enum lore_status
look_all(struct lore_req *req, const struct lore_history *h, const struct lore_history_of *of,
    struct seen *seen, struct lore_err *err)
{
    enum lore_status status = LORE_OK;

    for (size_t i = 0; status == LORE_OK && i < h->line.n; i++)
        status = look(req, h->told[h->line.steps[i].in].version->v.id, of, &seen[i], err);
    return status;
}

static bool
any(const struct seen *seen, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (seen[i].run != NULL)
            return true;
    return false;
}

enum lore_status
lore_api_drift(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    const char *asked;
    struct lore_history_of of;
    struct lore_history h = {0};
    struct lore_drift_in *in;
    struct lore_drift drift = {0};
    struct seen *seen;
    struct lore_jsonw w;
    enum lore_status status = lore_history_asked(req, &of, err);

    if (status == LORE_OK)
        status = lore_history_load(req->db, req->vars[0], &of, req->arena, &h, err);
    if (status != LORE_OK)
        return status;
    in = lore_alloc_array(req->arena, h.line.n + 1, sizeof *in);
    seen = lore_alloc_array(req->arena, h.line.n + 1, sizeof *seen);
    asked = of.chip;
    if (of.chip == NULL)
        of.chip = h.timing.chip; /* gaps of two chips are not compared */
    status = look_all(req, &h, &of, seen, err);
    if (status == LORE_OK && asked == NULL && !any(seen, h.line.n)) {
        of.chip = NULL; /* nothing was profiled where it was timed */
        status = look_all(req, &h, &of, seen, err);
    }
    for (size_t i = 0; status == LORE_OK && i < h.line.n; i++)
        in[i] = (struct lore_drift_in){
            label_of(req->arena, &h.told[h.line.steps[i].in].version->v), seen[i].gaps};
    if (status != LORE_OK)
        return status;
    lore_bottleneck_drift(in, h.line.n, req->arena, &drift);
    lore_rows_begin(&w, resp);
    for (size_t i = 0; i < h.line.n; i++)
        put_step(&w, &h.told[h.line.steps[i].in], &seen[i], &drift.steps[i]);
    lore_rows_end(&w, false, 0);
    lore_w_kstr_opt(&w, "chip", of.chip);
    lore_w_kstr(&w, "summary", drift.summary);
    lore_w_ki64(&w, "moves", (int64_t)drift.n_migrations);
    lore_w_ki64(&w, "unknown", (int64_t)drift.n_unknown);
    lore_w_obj_end(&w);
    return lore_jsonw_end(&w, err);
}
