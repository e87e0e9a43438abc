/* The targets of a campaign by what its runs measured (targets.h). A metric is found by its own
 * name or by any that the catalogue has for it; a value in another unit is another number and is
 * not taken. */
#include "service/api/targets.h"

#include <math.h>

#include "service/api/present.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/derive/target.h"

enum { LOOKED_AT = 20 /* experiments */ };

static bool
same_metric(const char *a, const char *b)
{
    const struct lore_metric_def *x = lore_metric_find(a), *y = lore_metric_find(b);

    return lore_streq(a, b) || (x != NULL && x == y);
}

static bool
same_unit(const struct lore_target *t, const struct lore_metric *m)
{
    const struct lore_metric_def *def = lore_metric_find(m->name);
    const char *unit = m->unit != NULL && *m->unit != '\0' ? m->unit
                       : def != NULL                       ? def->unit
                                                           : NULL;

    return t->unit == NULL || unit == NULL || *unit == '\0' || lore_streqi(t->unit, unit);
}

static void
look(const struct lore_campaign *c, const struct lore_run *r, struct lore_arena *arena,
    struct lore_target_now *now)
{
    for (size_t i = 0; i < c->n_targets; i++) {
        const struct lore_target *t = &c->targets[i];

        for (size_t k = 0; now[i].run == NULL && k < r->metrics.n; k++) {
            const struct lore_metric *m = &r->metrics.v[k];

            if (m->missing != LORE_MISS_NONE || !isfinite(m->value) ||
                !same_metric(m->name, t->metric) || !same_unit(t, m))
                continue;
            now[i] = (struct lore_target_now){{true, m->value}, lore_strdup(arena, r->id)};
        }
    }
}

/* The runs after one change, the last one first. */
static enum lore_status
look_after(struct lore_req *req, const struct lore_campaign *c, const char *experiment,
    struct lore_target_now *now, struct lore_err *err)
{
    struct lore_arena scratch = {0};
    struct lore_experiment_row e = {0};
    enum lore_status status = lore_get_experiment(req->db, experiment, &scratch, &e, err);

    for (size_t i = e.e.runs_after.n; status == LORE_OK && i > 0; i--) {
        struct lore_run_row run = {0};

        status = lore_get_run(req->db, e.e.runs_after.v[i - 1], &scratch, &run, err);
        if (status == LORE_OK && !run.retracted)
            look(c, &run.r, req->arena, now);
    }
    lore_arena_free(&scratch);
    return status;
}

enum lore_status
lore_targets_now(struct lore_req *req, const struct lore_campaign *c,
    const struct lore_experiment_row *newest_first, size_t n, struct lore_target_now **out,
    struct lore_err *err)
{
    struct lore_target_now *now = lore_alloc_array(req->arena, c->n_targets + 1, sizeof *now);
    enum lore_status status = LORE_OK;
    size_t looked = 0;

    for (size_t i = 0; i < c->n_targets; i++)
        now[i].current = c->targets[i].current;
    for (size_t i = 0; c->n_targets > 0 && status == LORE_OK && i < n && looked < LOOKED_AT; i++) {
        if (newest_first[i].masked)
            continue;
        looked++;
        status = look_after(req, c, newest_first[i].e.id, now, err);
    }
    *out = now;
    return status;
}

void
lore_present_targets(
    struct lore_jsonw *w, const struct lore_campaign *c, const struct lore_target_now *now)
{
    lore_w_key(w, "targets");
    lore_w_arr(w);
    for (size_t i = 0; i < c->n_targets; i++) {
        const struct lore_target *t = &c->targets[i];
        struct lore_progress p = lore_target_progress(t, now[i].current);

        lore_w_obj(w);
        lore_w_kstr(w, "metric", t->metric);
        lore_present_f64(w, "value", t->value);
        lore_w_kstr_opt(w, "unit", t->unit);
        lore_w_kstr_opt(w, "direction", t->direction);
        lore_present_f64(w, "current", now[i].current);
        lore_w_kstr_opt(w, "run", now[i].run);
        lore_present_f64(w, "progress", p.progress);
        lore_w_kstr(w, "met", p.met);
        lore_w_kbool(w, "stated", p.stated);
        lore_w_obj_end(w);
    }
    lore_w_arr_end(w);
}
