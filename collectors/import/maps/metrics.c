/* Rows with one metric each: the rows that agree in everything but the metric are one run. */
#include "collectors/import/maps/job.h"
#include "service/wire/build.h"

/* The run of the row that has no metric NAME yet; a new one when there is none. */
static struct lore_run *
run_of(struct lore_map_job *j, struct lore_map_place *p, const char *name)
{
    struct lore_arena *arena = j->in->arena;
    struct lore_submission *doc = j->in->doc;
    const char *version = lore_map_version(j, p, NULL), *id = "";

    (void)lore_map_has(j, LORE_MF_ID, LORE_TAKE_NAME, &id);
    const char *key = lore_format(arena, "%s|%s|%s", version, p->key, id);
    size_t at = *lore_index_at(j->kept, &j->runs_of, key);
    if (at > 0 && !lore_map_has_metric(&doc->runs[at - 1], name))
        return &doc->runs[at - 1];
    struct lore_run *r = lore_map_run(j, p, version,
        lore_build_id(
            arena, 0, "map-run|%s|%s|%s|%s", j->map->name, j->in->file, key, lore_map_identity(j)));
    *lore_index_at(j->kept, &j->runs_of, key) = doc->n_runs;
    return r;
}

void
lore_map_metric_row(struct lore_map_job *j)
{
    const char *name = NULL, *unit = NULL;
    double value = 0;

    if (!lore_map_has(j, LORE_MF_METRIC, LORE_TAKE_NAME, &name)) {
        lore_import_refuse_line(j->in, j->r.line, "no name of a metric");
        return;
    }
    if (!lore_map_number(&j->r, j->map->fields[LORE_MF_METRIC_VALUE], &value, &unit)) {
        lore_import_refuse_line(j->in, j->r.line, "%s: no number", name);
        return;
    }
    lore_map_add_metric(j, run_of(j, lore_map_place(j), name), name, unit, value);
}
