/* Progress of a campaign's targets, from the metrics of its runs (targets.h). Metrics are matched
 * by name or catalogue alias. A value in another unit is ignored. */
#include "service/api/targets.h"

#include <math.h>

#include "service/api/objects.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"

enum { LOOKED_AT = 20 /* experiments */ };

static bool
same_metric(const char *a, const char *b)
{
    const struct lore_metric_def *x = lore_metric_find(a), *y = lore_metric_find(b);

    return lore_streq(a, b) || (x && x == y);
}

static bool
same_unit(const struct lore_target *t, const struct lore_metric *m)
{
    const struct lore_metric_def *def = lore_metric_find(m->name);
    const char *unit = m->unit != NULL && *m->unit != '\0' ? m->unit
                       : def != NULL                       ? def->unit
                                                           : NULL;

    return !t->unit || !unit || *unit == '\0' || lore_streqi(t->unit, unit);
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
    LORE_SCRATCH scratch = {0};
    struct lore_experiment_row e = {0};
    enum lore_status status = lore_db_get_experiment(req->db, experiment, &scratch, &e, err);

    for (size_t i = e.e.runs_after.n; status == LORE_OK && i > 0; i--) {
        struct lore_run_row run = {0};

        status = lore_db_get_run(req->db, e.e.runs_after.v[i - 1], &scratch, &run, err);
        if (status == LORE_OK && lore_run_counts(&run))
            look(c, &run.r, req->arena, now);
    }
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

#define ROW struct lore_target_standing
static const struct lore_object_member target[] = {
    {"!metric", AT(t.metric)},
    {"value", AT(t.value), NULL, "value to reach"},
    {"unit", AT(t.unit)},
    {"direction", AT(t.direction), "up|down"},
    {"current", AT(now.current)},
    {"run", AT(now.run), "ulid", "in which it was measured"},
    {"progress", AT(progress.progress), NULL, "0 to 1"},
    {"!met", AT(progress.met), "yes|no|unknown"},
    {"!stated", AT(progress.stated), NULL, "stated by the campaign, not measured"},
};
const struct lore_object lore_target_standing_object = LORE_OBJECT("TargetStanding", target);
#undef ROW

struct lore_target_standing *
lore_targets_standing(
    struct lore_arena *arena, const struct lore_campaign *c, const struct lore_target_now *now)
{
    struct lore_target_standing *rows = lore_alloc_array(arena, c->n_targets + 1, sizeof *rows);

    for (size_t i = 0; i < c->n_targets; i++)
        rows[i] = (struct lore_target_standing){
            c->targets[i], now[i], lore_target_progress(&c->targets[i], now[i].current)};
    return rows;
}
